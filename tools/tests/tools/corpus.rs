//! The fuzz targets (see docs/reliability.md) over their committed corpus: seeds, and whatever a fuzzer has found.

#[path = "../../../fuzz/src/lib.rs"]
mod targets;

use std::path::Path;

/// Runs a target over its corpus, which must have at least so many files.
fn run(name: &str, target: fn(&[u8]), at_least: usize) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus").join(name);
    let mut files = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        println!("{}", path.display());
        target(&std::fs::read(&path).unwrap());
        files += 1;
    }
    assert!(files >= at_least, "only {files} files for {name}");
}

#[test]
fn fens_are_refused_or_can_be_played() {
    run("fen", targets::fen, 24);
}

#[test]
fn lines_are_commands_or_errors() {
    run("command", targets::command, 24);
}

#[test]
fn network_files_are_refused_or_evaluate() {
    run("network", targets::network, 10);
}

/// Otherwise the target would meet nothing but refused headers.
#[test]
fn the_corpus_has_networks_of_the_shipped_kind() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let seed = std::fs::read(repository.join("fuzz/corpus/network/kind-5")).unwrap();
    let shipped = std::fs::read(repository.join("nets/default.nnue")).unwrap();
    assert_eq!(seed[12..16], shipped[12..16], "the kind");
    for name in ["kind-5", "kind-5-eight-buckets"] {
        let seed = std::fs::read(repository.join("fuzz/corpus/network").join(name)).unwrap();
        let parts = nnue::Network::from_bytes(&targets::complete_network(&seed).unwrap()).unwrap().parts();
        assert!(!parts.threats.is_empty() && !parts.pawn_pairs.is_empty(), "{name}");
    }
}

#[test]
fn files_of_games_are_refused_or_lose_nothing() {
    run("games", targets::games, 10);
}

#[test]
fn results_files_are_refused_or_continue() {
    run("results", targets::results, 10);
}

#[test]
fn tablebase_files_are_left_out_or_answer() {
    run("tablebase", targets::tablebase, 10);
}

#[test]
fn tablebase_paths_name_their_faults() {
    run("tablebase_path", targets::tablebase_path, 10);
}
