//! The techniques of the laboratory play: whatever is chosen, a search ends with a legal line.
#![cfg(feature = "lab")]

use crate::common::{Engine, assert_legal, game};
use chess::positions::{KIWIPETE, POSITION_3};
use tamarack::search::{Limits, TECHNIQUES};

/// A middlegame, and endings in which stalemate and mate are near.
const POSITIONS: [&str; 4] =
    [KIWIPETE, "8/8/8/8/2K5/8/1k6/4Q3 w - - 4 80", "8/8/8/8/2K5/8/3k4/4Q3 b - - 5 80", POSITION_3];

/// One test: the switches belong to the whole process.
#[test]
fn every_value_of_every_switch_searches() {
    for technique in TECHNIQUES {
        for value in (0..technique.values.len()).chain([technique.default]) {
            (technique.set)(value);
            for fen in POSITIONS {
                let position = game(fen, &[]).position;
                let limits = Limits { nodes: Some(20_000), ..Limits::default() };
                let (outcome, _) = Engine::new().search(game(fen, &[]), limits);
                assert!(!outcome.pv.is_empty(), "{} {}: {fen}", technique.name, technique.values[value]);
                assert_legal(position, &outcome.pv);
            }
        }
    }
}
