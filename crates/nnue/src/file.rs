//! The network's file: 64 bytes of header, then the numbers of [`Parts`] in order, little-endian. `build.rs`
//! reads it too, to refuse a bad `EVALFILE` before it is built in.
//!
//! | bytes | header |
//! | --- | --- |
//! | 0..8 | magic, `TAMARACK` |
//! | 8..12 | version of the format, 1 |
//! | 12..16 | kind of the inputs, 2: 7 king buckets x 768, mirrored; 3: threats too; 4: pawn pairs too; 5: both (no longer read: 1, without king buckets; 6 to 9, the same with layers before the output) |
//! | 16..20, 20..24 | `hidden`, `buckets` of the [`Shape`] |
//! | 24..32 | zero |
//! | 32..40 | [`checksum`] of all behind the header |
//! | 40..64 | name, UTF-8, filled up with zeros |

use super::architecture::{INPUTS, PAWN_PAIR_INPUTS, Shape, THREAT_INPUTS};
use super::error::NetworkError;
use super::parts::Parts;
use platform::files::open_regular;
use platform::pages::try_with_capacity;
use std::io::{self, Read};
use std::path::Path;

const MAGIC: &[u8; 8] = b"TAMARACK";
const VERSION: u32 = 1;
/// The kind of a network of pieces alone.
const KING_BUCKETED: u32 = 2;
/// Added to the kind of a network with threats.
const WITH_THREATS: u32 = 1;
/// Added to the kind of a network with pawn pairs.
const WITH_PAWN_PAIRS: u32 = 2;
/// The last kind.
const WITH_ALL: u32 = KING_BUCKETED + WITH_THREATS + WITH_PAWN_PAIRS;
const HEADER_BYTES: usize = 64;
const NAME_BYTES: usize = 24;
/// Bytes that reading a file to its end may ask for beyond its length.
const READ_BEYOND: usize = 1024;
/// Bytes of the largest network's file.
pub const MAX_BYTES: u64 = file_bytes(Shape::MAX, WITH_ALL) as u64;

/// The content of a network's file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetworkFile {
    /// Width and output buckets.
    pub shape: Shape,
    /// The maker's name for the network.
    pub name: String,
    /// The weights; their bounds are not checked yet, see [`Parts::check`].
    pub parts: Parts,
}

impl NetworkFile {
    /// Reads a file. Anything but a regular file (a FIFO could wait for ever, a device never end) and a file larger than
    /// [`MAX_BYTES`] is refused unread.
    pub fn read(path: &Path) -> Result<NetworkFile, NetworkError> {
        let file = open_regular(path)?;
        let found = file.metadata()?.len();
        if found > MAX_BYTES {
            return Err(NetworkError::TooLarge { found, limit: MAX_BYTES });
        }
        let mut bytes = try_with_capacity(found as usize + READ_BEYOND)?;
        file.take(found).read_to_end(&mut bytes)?;
        NetworkFile::decode(&bytes)
    }

    /// Checks all that [`Network::load`](super::Network::load) checks, for `build.rs`.
    pub fn check(path: &Path) -> Result<(), NetworkError> {
        let file = NetworkFile::read(path)?;
        file.parts.check(file.shape)
    }

    /// Decodes what [`Self::encode`] wrote; any other bytes give an error that says what is wrong.
    pub fn decode(bytes: &[u8]) -> Result<NetworkFile, NetworkError> {
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
        let kind = word(1);
        if !(KING_BUCKETED..=WITH_ALL).contains(&kind) {
            return Err(NetworkError::Inputs { found: kind, expected: WITH_ALL });
        }
        let shape = Shape::new(word(2) as usize, word(3) as usize)?;
        let expected = file_bytes(shape, kind);
        if bytes.len() != expected {
            return Err(NetworkError::Length { found: bytes.len(), expected });
        }
        let expected = checksum_in(header);
        if checksum(payload) != expected {
            return Err(NetworkError::Checksum { found: checksum(payload), expected });
        }
        let name = String::from_utf8_lossy(&header[HEADER_BYTES - NAME_BYTES..]);
        let name = name.trim_end_matches('\0').to_owned();
        Ok(NetworkFile { shape, name, parts: decode_parts(shape, kind, payload)? })
    }

    /// The bytes of the file. Of the name the first 24 bytes are kept.
    pub fn encode(&self) -> Vec<u8> {
        let Parts { input, threats, pawn_pairs, input_bias, output, output_bias } = &self.parts;
        let added = |is_there: bool, kind| if is_there { kind } else { 0 };
        let kind = KING_BUCKETED
            + added(!threats.is_empty(), WITH_THREATS)
            + added(!pawn_pairs.is_empty(), WITH_PAWN_PAIRS);
        let mut payload = Vec::with_capacity(file_bytes(self.shape, kind));
        payload.extend(input.iter().flat_map(|number| number.to_le_bytes()));
        payload.extend(threats.iter().chain(pawn_pairs).map(|&number| number as u8));
        payload.extend([input_bias, output].into_iter().flatten().flat_map(|number| number.to_le_bytes()));
        payload.extend(output_bias.iter().flat_map(|number| number.to_le_bytes()));
        let mut bytes = MAGIC.to_vec();
        for word in [VERSION, kind, self.shape.hidden as u32, self.shape.buckets as u32, 0, 0] {
            bytes.extend(word.to_le_bytes());
        }
        bytes.extend(checksum(&payload).to_le_bytes());
        bytes.extend(self.name.bytes().chain(std::iter::repeat(0)).take(NAME_BYTES));
        bytes.extend(payload);
        bytes
    }
}

/// Bytes of the file of a network of `shape` and of this kind.
const fn file_bytes(shape: Shape, kind: u32) -> usize {
    let extras = shape.extra_hidden() * (threat_inputs(kind) + pawn_pair_inputs(kind));
    HEADER_BYTES + shape.hidden * 2 * (INPUTS + 1 + 2 * shape.buckets) + extras + 4 * shape.buckets
}

/// True if a network of this kind has that part.
const fn has(kind: u32, part: u32) -> bool {
    (kind - KING_BUCKETED) & part != 0
}

/// Threat inputs of a network of this kind.
const fn threat_inputs(kind: u32) -> usize {
    if has(kind, WITH_THREATS) { THREAT_INPUTS } else { 0 }
}

/// Pawn pair inputs of a network of this kind.
const fn pawn_pair_inputs(kind: u32) -> usize {
    if has(kind, WITH_PAWN_PAIRS) { PAWN_PAIR_INPUTS } else { 0 }
}

/// The numbers behind the header, which are as many as `shape` needs.
///
/// # Errors
/// If the system has not enough memory.
fn decode_parts(shape: Shape, kind: u32, payload: &[u8]) -> io::Result<Parts> {
    let mut reader = Reader { rest: payload };
    let Shape { hidden, buckets } = shape;
    Ok(Parts {
        input: reader.shorts(INPUTS * hidden)?,
        threats: reader.bytes(threat_inputs(kind) * shape.extra_hidden())?,
        pawn_pairs: reader.bytes(pawn_pair_inputs(kind) * shape.extra_hidden())?,
        input_bias: reader.shorts(hidden)?,
        output: reader.shorts(2 * hidden * buckets)?,
        output_bias: reader.words(buckets)?,
    })
}

/// The numbers that are still to be read; there must be as many as are asked for.
struct Reader<'a> {
    rest: &'a [u8],
}

impl Reader<'_> {
    /// The next numbers, of `N` bytes each.
    fn numbers<const N: usize, T>(&mut self, count: usize, number: fn([u8; N]) -> T) -> io::Result<Vec<T>> {
        let (numbers, rest) = self.rest.split_at(N * count);
        self.rest = rest;
        let mut read = try_with_capacity(count)?;
        read.extend(numbers.as_chunks().0.iter().map(|&bytes| number(bytes)));
        Ok(read)
    }

    fn bytes(&mut self, count: usize) -> io::Result<Vec<i8>> {
        self.numbers(count, i8::from_le_bytes)
    }

    fn shorts(&mut self, count: usize) -> io::Result<Vec<i16>> {
        self.numbers(count, i16::from_le_bytes)
    }

    fn words(&mut self, count: usize) -> io::Result<Vec<i32>> {
        self.numbers(count, i32::from_le_bytes)
    }
}

fn number<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    std::array::from_fn(|index| bytes[at + index])
}

/// The checksum in a header.
pub fn checksum_in(header: &[u8]) -> u64 {
    u64::from_le_bytes(number(header, 32))
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
    use crate::network::{Network, sample};
    use std::fs::{self, File};
    use std::path::PathBuf;

    /// A path of this test run that does not exist yet.
    fn temporary(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("tamarack-{}-{name}", std::process::id()));
        let _ = fs::remove_file(&path);
        path
    }

    #[test]
    fn a_network_survives_its_file() {
        for (hidden, buckets) in [(32, 1), (64, 8)] {
            let all = sample(Shape { hidden, buckets }, 7);
            for (kind, missing) in
                [(5, 0), (4, THREAT_INPUTS), (3, PAWN_PAIR_INPUTS), (2, THREAT_INPUTS + PAWN_PAIR_INPUTS)]
            {
                let mut parts = all.parts();
                if !has(kind, WITH_THREATS) {
                    parts.threats.clear();
                }
                if !has(kind, WITH_PAWN_PAIRS) {
                    parts.pawn_pairs.clear();
                }
                let network = Network::new(all.shape(), "sample", &parts).unwrap();
                let bytes = network.to_bytes();
                assert_eq!(Network::from_bytes(&bytes).unwrap(), network);
                assert_eq!(u32::from(bytes[12]), kind);
                assert_eq!(all.to_bytes().len() - bytes.len(), missing * hidden);
            }
        }
    }

    #[test]
    fn a_damaged_file_is_refused_and_the_error_names_the_damage() {
        let good = sample(Shape { hidden: 32, buckets: 1 }, 7).to_bytes();
        let error = |at: usize, value: u8| {
            let mut bytes = good.clone();
            bytes[at] = value;
            NetworkFile::decode(&bytes).unwrap_err().to_string()
        };
        assert!(error(0, b'X').contains("TAMARACK"));
        assert!(error(8, 9).contains("format 9"));
        assert!(error(12, 6).contains("kind 6"));
        assert!(error(12, 1).contains("kind 1"));
        assert!(error(16, 33).contains("33 neurons"));
        assert!(error(16, 64).contains("bytes where its shape needs"));
        assert!(error(good.len() - 1, 1).contains("checksum"));
        for length in 0..good.len() {
            assert!(NetworkFile::decode(&good[..length]).is_err());
        }
    }

    #[test]
    fn a_file_larger_than_any_network_is_refused_unread() {
        assert_eq!(MAX_BYTES as usize, file_bytes(Shape::MAX, 5));
        let path = temporary("large.nnue");
        // Sparse: a terabyte that takes no room on the disk.
        File::create(&path).and_then(|file| file.set_len(1 << 40)).unwrap();
        let error = NetworkFile::read(&path).unwrap_err();
        fs::remove_file(&path).unwrap();
        assert!(matches!(error, NetworkError::TooLarge { found, .. } if found == 1 << 40), "{error}");
    }

    fn refusal(path: &Path) -> String {
        NetworkFile::read(path).unwrap_err().to_string()
    }

    #[test]
    fn a_folder_is_no_network() {
        assert_eq!(refusal(&std::env::temp_dir()), "cannot read the network: it is not a regular file");
    }

    #[cfg(unix)]
    #[test]
    #[cfg_attr(miri, ignore = "Miri has no FIFOs")]
    #[allow(unsafe_code)]
    fn a_fifo_and_a_device_are_refused_at_once() {
        use std::os::unix::ffi::OsStrExt;
        let path = temporary("fifo.nnue");
        let name = std::ffi::CString::new(path.as_os_str().as_bytes()).unwrap();
        // SAFETY: `name` is a C string that lives during the call.
        assert_eq!(unsafe { libc::mkfifo(name.as_ptr(), 0o600) }, 0);
        let fifo = refusal(&path);
        fs::remove_file(&path).unwrap();
        assert_eq!(fifo, "cannot read the network: it is not a regular file");
        assert_eq!(refusal(Path::new("/dev/zero")), fifo);
    }
}
