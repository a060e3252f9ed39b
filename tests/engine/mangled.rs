//! Tens of thousands of lines that no sane program would send: the engine answers `isready` after every one of them.

use crate::driver::Engine;
use chess::random::Random;
use testkit::fuzz::dice::Dice;
use testkit::fuzz::mangle;

/// Engines, each of which gets its share of the lines.
const ENGINES: u64 = 4;
/// Lines for each engine.
const LINES: usize = 15_000;

fn torment(seed: u64) {
    let mut random = Random::new(seed);
    let mut engine = Engine::start();
    let mut meets_search = false;
    for _ in 0..LINES {
        let line =
            if random.one_in(240) { mangle::long_line(&mut random) } else { mangle::line(&mut random) };
        engine.send_bytes(&line);
        // What waits for the end of a search holds `isready` back with it.
        if meets_search {
            engine.send("stop");
        }
        engine.ready();
        meets_search = !meets_search && random.below(3) > 0;
        if !meets_search {
            engine.send("stop");
        }
    }
    // Whatever was under way, and whatever has been set: it still plays.
    engine.send("stop");
    engine.ready();
    engine.send("setoption name MultiPV value 1");
    engine.send("setoption name UCI_Chess960 value false");
    engine.send("ucinewgame");
    engine.send("position startpos moves e2e4");
    engine.send("go depth 2 searchmoves e7e5");
    engine.read_until("the answer", |line| line.starts_with("bestmove e7e5"));
    engine.quit();
}

#[test]
fn no_line_ends_the_engine() {
    let engines: Vec<_> = (0..ENGINES).map(|seed| std::thread::spawn(move || torment(seed))).collect();
    for engine in engines {
        engine.join().expect("the engine lives");
    }
}
