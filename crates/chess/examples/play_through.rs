//! Plays through the games of a PGN file: every move as SAN and UCI, the position after it, and how the game ended on the
//! board.
//!
//!     cargo run --release --example play_through -- [FILE.pgn]

use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use std::error::Error;
use std::io::{Cursor, Read};
use std::ops::ControlFlow;
use tamarack_chess::Game;

const SAMPLE: &str = "[Event \"A trap\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4? 4. Nxe5 Qg5 5. Nxf7 Qxg2
6. Rf1 Qxe4+ 7. Be2 Nf3# 0-1\n";

/// A visitor that plays the moves of a game, side lines left out.
pub struct Player;

impl Visitor for Player {
    type Tags = Game;
    type Movetext = Game;
    type Output = Result<Game, Box<dyn Error>>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Game> {
        ControlFlow::Continue(Game::default())
    }

    fn tag(&mut self, game: &mut Game, name: &[u8], value: RawTag<'_>) -> ControlFlow<Self::Output> {
        if name != b"FEN" {
            return ControlFlow::Continue(());
        }
        match value.decode_utf8_lossy().parse() {
            Ok(start) => {
                *game = Game::new(start);
                ControlFlow::Continue(())
            }
            Err(error) => ControlFlow::Break(Err(Box::new(error))),
        }
    }

    fn begin_movetext(&mut self, game: Game) -> ControlFlow<Self::Output, Game> {
        ControlFlow::Continue(game)
    }

    fn san(&mut self, game: &mut Game, san: SanPlus) -> ControlFlow<Self::Output> {
        match game.position().parse_san(&san.to_string()) {
            Ok(mv) => {
                game.make(mv);
                ControlFlow::Continue(())
            }
            Err(error) => ControlFlow::Break(Err(format!("ply {}: {error}", game.moves().len() + 1).into())),
        }
    }

    fn begin_variation(&mut self, _: &mut Game) -> ControlFlow<Self::Output, pgn_reader::Skip> {
        ControlFlow::Continue(pgn_reader::Skip(true))
    }

    fn end_game(&mut self, game: Game) -> Self::Output {
        Ok(game)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let text: Box<dyn Read> = match std::env::args().nth(1) {
        Some(path) => Box::new(std::fs::File::open(path)?),
        None => Box::new(Cursor::new(SAMPLE)),
    };
    let mut reader = Reader::new(text);
    while let Some(game) = reader.read_game(&mut Player)? {
        let game = game?;
        for (position, &mv) in game.positions().zip(game.moves()) {
            println!("{:8} {mv:6} {}", position.san(mv), position.after(mv));
        }
        match game.outcome() {
            Some(outcome) => println!("{} ({outcome})\n", outcome.result()),
            None => println!("* (the game could go on)\n"),
        }
    }
    Ok(())
}
