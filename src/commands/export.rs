//! `export_net`: writes the network in use to a file.

use nnue::Network;
use platform::files::{check_regular_or_new, unquoted};
use std::fs;
use std::io;
use std::path::Path;

/// Writes `network` to `file`, or to the network's name with `.nnue` in the current folder; returns the file's name. An older
/// file is replaced.
///
/// # Errors
/// If the file cannot be written, is not a regular file, or the system has not enough memory.
pub fn network(network: &Network, file: Option<&str>) -> Result<String, String> {
    let file = file.map(unquoted).filter(|file| !file.is_empty());
    let file = file.map_or_else(|| default_name(network.name()), str::to_owned);
    write(network, Path::new(&file)).map_err(|error| format!("export_net: {file}: {error}"))?;
    Ok(file)
}

fn write(network: &Network, path: &Path) -> io::Result<()> {
    check_regular_or_new(path)?;
    fs::write(path, network.try_to_bytes()?)
}

/// A file name of letters, digits and signs that every system has in file names: a network's name can be any text.
fn default_name(name: &str) -> String {
    let name: String = name.chars().filter(|&c| c.is_ascii_alphanumeric() || "-_".contains(c)).collect();
    format!("{}.nnue", if name.is_empty() { "network" } else { &name })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_name_is_a_plain_file_name() {
        assert_eq!(default_name("gen22-512"), "gen22-512.nnue");
        assert_eq!(default_name("../a b\0"), "ab.nnue");
        assert_eq!(default_name("/"), "network.nnue");
    }
}
