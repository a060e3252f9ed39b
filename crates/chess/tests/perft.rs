//! Leaf counts of positions known for catching errors of move generation, standard chess and Chess960.

use tamarack_chess::{Epd, Position};

/// A line of the list: the position, and the leaves of each depth from the operations `D<depth> <leaves>`.
fn parse(line: &str) -> (Position, Vec<(u32, u64)>) {
    let epd: Epd = line.parse().unwrap_or_else(|error| panic!("{line}: {error}"));
    let counts = epd
        .operations
        .iter()
        .map(|(code, leaves)| (code[1..].parse().expect("a depth"), leaves.parse().expect("a count")));
    (epd.position, counts.collect())
}

/// The lines of a list that are neither empty nor comments.
fn lines(list: &str) -> impl Iterator<Item = &str> {
    list.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

fn check(list: &str) {
    for line in lines(list) {
        let (position, counts) = parse(line);
        for (depth, leaves) in counts {
            assert_eq!(position.perft(depth), leaves, "depth {depth} of {line}");
        }
    }
}

#[test]
fn leaves_are_counted_as_others_count_them() {
    check(include_str!("data/perft.epd"));
}

/// `PERFT_LIST=<file> cargo test --release -p tamarack-chess --test perft -- --ignored` counts any other list to its full depth.
#[test]
#[ignore = "takes minutes and needs a list"]
fn list_from_the_environment() {
    let path = std::env::var("PERFT_LIST").expect("PERFT_LIST names a list");
    check(&std::fs::read_to_string(path).expect("the list can be read"));
}

/// The state that make_move keeps up to date equals the one computed from scratch, on every node of small trees.
#[test]
fn every_node_is_consistent() {
    fn walk(position: &Position, depth: u32) {
        position.assert_consistent();
        if depth > 0 {
            for mv in position.legal_moves() {
                walk(&position.after(mv), depth - 1);
            }
        }
    }
    for line in lines(include_str!("data/perft.epd")) {
        walk(&parse(line).0, 2);
    }
}
