//! The errors of loading a network.

/// A reason why a network cannot be used, as one line for users.
#[derive(thiserror::Error, Debug)]
#[allow(missing_docs)]
pub enum NetworkError {
    #[error("cannot read the network: {0}")]
    Read(#[from] std::io::Error),
    #[error("not a network of Tamarack: the file has {found} bytes, the largest network {limit}")]
    TooLarge { found: u64, limit: u64 },
    #[error("not a network of Tamarack: the file does not begin with TAMARACK")]
    Magic,
    #[error("the network has format {found}, this program reads format {expected}")]
    Version { found: u32, expected: u32 },
    #[error(
        "the network's inputs are of kind {found}, this program knows kinds 2 (7 king buckets x 768, mirrored) to {expected} (with threats and pawn pairs)"
    )]
    Inputs { found: u32, expected: u32 },
    #[error("a network with {hidden} neurons and {buckets} output buckets cannot be run")]
    Shape { hidden: usize, buckets: usize },
    #[error("the network file has {found} bytes where its shape needs {expected}")]
    Length { found: usize, expected: usize },
    #[error("the network has {found} {part} where its shape needs {expected}")]
    Count { part: &'static str, found: usize, expected: usize },
    #[error("the network file is damaged: its checksum is {found:016x}, its header says {expected:016x}")]
    Checksum { found: u64, expected: u64 },
    #[error("the network could overflow {part}")]
    Overflow { part: &'static str },
}
