//! Perft with divide: the leaves below each legal move, their sum and the speed.
//!
//!     cargo run --release --example perft -- [DEPTH] [FEN]

use std::error::Error;
use std::time::Instant;
use tamarack_chess::{CastlingNotation, Position};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let depth: u32 = arguments.next().map_or(Ok(5), |text| text.parse())?;
    let position = arguments.next().map_or(Ok(Position::startpos()), |fen| fen.parse())?;

    let started = Instant::now();
    let mut leaves = 0;
    if depth > 0 {
        for mv in position.legal_moves() {
            let below = position.after(mv).perft(depth - 1);
            println!("{}: {below}", mv.uci(CastlingNotation::KingTarget));
            leaves += below;
        }
    } else {
        leaves = position.perft(0);
    }
    let seconds = started.elapsed().as_secs_f64();
    println!("\n{position}");
    println!(
        "depth {depth}: {leaves} leaves in {seconds:.3} s, {:.0} million a second",
        leaves as f64 / seconds / 1e6
    );
    Ok(())
}
