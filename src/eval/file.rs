//! The network's file: 64 bytes of header (magic, format, shape, checksum, name), then the numbers of [`Parts`] in order,
//! little-endian.

use super::network::{Network, NetworkError, Parts, Shape};
use super::view::{AREA_INPUTS, INPUTS};

const MAGIC: &[u8; 8] = b"TAMARACK";
const VERSION: u32 = 1;
/// 768 inputs, mirrored by the own king's file. Such a network is read as one that is the same in all king areas.
const ONE_AREA: u32 = 1;
/// So many for each area of the own king: what is written.
const ALL_AREAS: u32 = 2;
const HEADER_BYTES: usize = 64;
const NAME_BYTES: usize = 24;

impl Network {
    /// As it is kept in a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let parts = self.parts();
        let mut payload = Vec::with_capacity(payload_bytes(self.shape(), INPUTS));
        for numbers in [&parts.input, &parts.input_bias, &parts.output] {
            payload.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        }
        payload.extend(parts.output_bias.iter().flat_map(|number| number.to_le_bytes()));
        let mut bytes = MAGIC.to_vec();
        for word in [VERSION, ALL_AREAS, self.shape().hidden as u32, self.shape().buckets as u32, 0, 0] {
            bytes.extend(word.to_le_bytes());
        }
        bytes.extend(checksum(&payload).to_le_bytes());
        bytes.extend(self.name().bytes().chain(std::iter::repeat(0)).take(NAME_BYTES));
        bytes.extend(payload);
        bytes
    }

    /// Reads what [`Self::to_bytes`] wrote; any other bytes give an error that says what is wrong.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        if !bytes.starts_with(MAGIC) {
            return Err(NetworkError::Magic);
        }
        let Some((header, payload)) = bytes.split_at_checked(HEADER_BYTES) else {
            return Err(NetworkError::Length { found: bytes.len(), expected: HEADER_BYTES });
        };
        let word = |index: usize| u32::from_le_bytes(number(header, 8 + 4 * index));
        if word(0) != VERSION {
            return Err(NetworkError::Version { found: word(0), expected: VERSION });
        }
        let inputs = match word(1) {
            ONE_AREA => AREA_INPUTS,
            ALL_AREAS => INPUTS,
            found => return Err(NetworkError::Inputs { found }),
        };
        let shape = Shape::new(word(2) as usize, word(3) as usize)?;
        let expected = HEADER_BYTES + payload_bytes(shape, inputs);
        if bytes.len() != expected {
            return Err(NetworkError::Length { found: bytes.len(), expected });
        }
        let expected = u64::from_le_bytes(number(header, 32));
        if checksum(payload) != expected {
            return Err(NetworkError::Checksum { found: checksum(payload), expected });
        }
        let name = String::from_utf8_lossy(&header[HEADER_BYTES - NAME_BYTES..]).into_owned();
        Network::new(shape, &name, &read_parts(shape, inputs, payload))
    }
}

/// Bytes of the numbers of a network with so many inputs.
fn payload_bytes(shape: Shape, inputs: usize) -> usize {
    2 * shape.hidden * (inputs + 1 + 2 * shape.buckets) + 4 * shape.buckets
}

fn read_parts(shape: Shape, inputs: usize, payload: &[u8]) -> Parts {
    let mut at = 0;
    let mut short = |count: usize| -> Vec<i16> {
        let bytes = &payload[at..at + 2 * count];
        at += 2 * count;
        bytes.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect()
    };
    let input = short(inputs * shape.hidden).repeat(INPUTS / inputs);
    let input_bias = short(shape.hidden);
    let output = short(2 * shape.hidden * shape.buckets);
    let output_bias =
        payload[at..].chunks_exact(4).map(|bytes| i32::from_le_bytes(number(bytes, 0))).collect();
    Parts { input, input_bias, output, output_bias }
}

fn number<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    std::array::from_fn(|index| bytes[at + index])
}

/// A 64-bit checksum: each word of eight bytes (the last one filled up with zeros) is mixed in by a multiplication.
pub fn checksum(bytes: &[u8]) -> u64 {
    bytes.chunks(8).fold(0xCBF2_9CE4_8422_2325 ^ bytes.len() as u64, |sum, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        let mixed = (sum ^ u64::from_le_bytes(word)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        mixed ^ mixed >> 29
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::network::sample;

    #[test]
    fn a_network_survives_its_file() {
        for (hidden, buckets) in [(32, 1), (64, 8)] {
            let network = sample(Shape { hidden, buckets }, 7);
            assert_eq!(Network::from_bytes(&network.to_bytes()).unwrap(), network);
        }
    }

    #[test]
    fn a_network_without_king_areas_evaluates_as_it_did() {
        let new = sample(Shape { hidden: 32, buckets: 1 }, 7);
        let mut bytes = new.to_bytes();
        // Only the first area's rows are left.
        let rest = HEADER_BYTES + 2 * 32 * AREA_INPUTS..HEADER_BYTES + 2 * 32 * INPUTS;
        bytes.drain(rest);
        bytes[12..16].copy_from_slice(&ONE_AREA.to_le_bytes());
        let sum = checksum(&bytes[HEADER_BYTES..]).to_le_bytes();
        bytes[32..40].copy_from_slice(&sum);
        let old = Network::from_bytes(&bytes).unwrap();
        let value = |network: &Network, fen: &str| network.evaluate(&fen.parse().unwrap());
        let at_home = "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1";
        assert_eq!(value(&old, at_home), value(&new, at_home));
        let away = "8/8/3k4/8/4K3/4P3/8/8 w - - 0 1";
        assert_ne!(value(&old, away), value(&new, away));
        assert_eq!(Network::from_bytes(&old.to_bytes()).unwrap(), old);
    }

    #[test]
    fn a_damaged_file_is_refused_and_the_error_names_the_damage() {
        let good = sample(Shape { hidden: 32, buckets: 1 }, 7).to_bytes();
        let error = |at: usize, value: u8| {
            let mut bytes = good.clone();
            bytes[at] = value;
            Network::from_bytes(&bytes).unwrap_err().to_string()
        };
        assert!(error(0, b'X').contains("TAMARACK"));
        assert!(error(8, 9).contains("format 9"));
        assert!(error(12, 3).contains("kind 3"));
        assert!(error(12, 1).contains("bytes where its shape needs"));
        assert!(error(16, 33).contains("33 neurons"));
        assert!(error(16, 64).contains("bytes where its shape needs"));
        assert!(error(good.len() - 1, 1).contains("checksum"));
        for length in 0..good.len() {
            assert!(Network::from_bytes(&good[..length]).is_err());
        }
    }
}
