//! The fuzz targets (see docs/reliability.md) over their committed corpus: seeds, and whatever a fuzzer has found.

#[path = "../../../fuzz/src/lib.rs"]
mod targets;

use chess::random::Random;
use std::path::{Path, PathBuf};

/// Texts made of each file of a corpus of texts.
const MUTANTS: usize = 300;

/// Runs a target over its corpus, which must have at least so many files, and returns them, sorted by name.
fn run(name: &str, target: fn(&[u8]), at_least: usize) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus").join(name);
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(paths.len() >= at_least, "only {} files for {name}", paths.len());
    let try_file = |path: &PathBuf| {
        println!("{}", path.display());
        let bytes = std::fs::read(path).unwrap();
        target(&bytes);
        bytes
    };
    paths.iter().map(try_file).collect()
}

/// Runs a target over its corpus of texts, and over random mutations of each.
fn run_mutated(name: &str, target: fn(&[u8]), at_least: usize) {
    let texts = run(name, target, at_least);
    let mut random = Random::new(1);
    for text in &texts {
        for _ in 0..MUTANTS {
            let other = &texts[random.below(texts.len())];
            let mutant = mutate(text.clone(), other, &mut random);
            // Told only where the target panics.
            println!("{:?}", String::from_utf8_lossy(&mutant));
            target(&mutant);
        }
    }
}

/// One to four changes: bytes replaced, removed, doubled, swapped, or taken from another text.
fn mutate(mut text: Vec<u8>, other: &[u8], random: &mut Random) -> Vec<u8> {
    const LETTERS: &[u8] = b" \t\n/;:\"'[]{}()$%.,-+#=!?x0189abeghkqrnpwKQRBNPO\x00\xc3\xa9\xff";
    for _ in 0..=random.below(4) {
        let range = |length: usize, random: &mut Random| {
            let start = random.below(length + 1);
            start..start + random.below((length - start).min(12) + 1)
        };
        let (place, from) = (range(text.len(), random), range(other.len(), random));
        match random.below(4) {
            0 => drop(text.drain(place)),
            1 => text.extend_from_within(place),
            2 => drop(text.splice(place, other[from].iter().copied())),
            _ => text.insert(place.start, LETTERS[random.below(LETTERS.len())]),
        }
    }
    text
}

#[test]
fn fens_are_refused_or_can_be_played() {
    run_mutated("fen", targets::fen, 24);
}

#[test]
fn epd_is_refused_or_read_as_it_was_written() {
    run_mutated("epd", targets::epd, 10);
}

#[test]
fn moves_in_san_are_refused_or_read_as_they_were_written() {
    run_mutated("san", targets::san, 10);
}

#[test]
fn pgn_is_refused_or_its_games_are_read_as_they_were_written() {
    run_mutated("pgn", targets::pgn, 10);
}

#[test]
fn lines_are_commands_or_errors() {
    run_mutated("command", targets::command, 24);
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
