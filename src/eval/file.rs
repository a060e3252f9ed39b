//! The network's file: 64 bytes of header (magic, format, shape, checksum, name), then the numbers of [`Parts`] in order,
//! little-endian.

use super::network::{INPUTS, Network, NetworkError, Parts, Shape};

const MAGIC: &[u8; 8] = b"TAMARACK";
const VERSION: u32 = 1;
/// 768 inputs, mirrored by the own king's file.
const INPUT_KIND: u32 = 1;
const HEADER_BYTES: usize = 64;
const NAME_BYTES: usize = 24;

impl Network {
    /// As it is kept in a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let parts = self.parts();
        let mut payload = Vec::with_capacity(self.shape().payload_bytes());
        for numbers in [&parts.input, &parts.input_bias, &parts.output] {
            payload.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        }
        payload.extend(parts.output_bias.iter().flat_map(|number| number.to_le_bytes()));
        let mut bytes = MAGIC.to_vec();
        for word in [VERSION, INPUT_KIND, self.shape().hidden as u32, self.shape().buckets as u32, 0, 0] {
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
        if word(1) != INPUT_KIND {
            return Err(NetworkError::Inputs { found: word(1), expected: INPUT_KIND });
        }
        let shape = Shape::new(word(2) as usize, word(3) as usize)?;
        if payload.len() != shape.payload_bytes() {
            let expected = HEADER_BYTES + shape.payload_bytes();
            return Err(NetworkError::Length { found: bytes.len(), expected });
        }
        let expected = u64::from_le_bytes(number(header, 32));
        if checksum(payload) != expected {
            return Err(NetworkError::Checksum { found: checksum(payload), expected });
        }
        let name = String::from_utf8_lossy(&header[HEADER_BYTES - NAME_BYTES..]).into_owned();
        Network::new(shape, &name, &read_parts(shape, payload))
    }
}

fn read_parts(shape: Shape, payload: &[u8]) -> Parts {
    let mut at = 0;
    let mut short = |count: usize| -> Vec<i16> {
        let bytes = &payload[at..at + 2 * count];
        at += 2 * count;
        bytes.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect()
    };
    let input = short(INPUTS * shape.hidden);
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
    fn a_damaged_file_is_refused_and_the_error_names_the_damage() {
        let good = sample(Shape { hidden: 32, buckets: 1 }, 7).to_bytes();
        let error = |at: usize, value: u8| {
            let mut bytes = good.clone();
            bytes[at] = value;
            Network::from_bytes(&bytes).unwrap_err().to_string()
        };
        assert!(error(0, b'X').contains("TAMARACK"));
        assert!(error(8, 9).contains("format 9"));
        assert!(error(12, 2).contains("kind 2"));
        assert!(error(16, 33).contains("33 neurons"));
        assert!(error(16, 64).contains("bytes where its shape needs"));
        assert!(error(good.len() - 1, 1).contains("checksum"));
        for length in 0..good.len() {
            assert!(Network::from_bytes(&good[..length]).is_err());
        }
    }
}
