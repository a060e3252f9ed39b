//! The tests of the engine from outside, in one program: each that is linked holds the network.

mod clients;
mod common;
mod driver;
mod endgames;
mod hash_file;
mod house;
mod levels;
#[cfg(target_os = "linux")]
mod limits;
mod mangled;
mod mates;
mod memory;
mod options;
mod peer_checks;
mod pool;
mod search;
mod sources;
mod tablebases;
mod tt;
mod uci_script;
