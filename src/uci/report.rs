//! What the search and the tools report -> lines of text.

use crate::chess::{CastlingNotation, Color, FenStyle, File, Move, Position, Rank, Square};
use crate::commands::bench::{Bench, Benched};
use crate::commands::perft::Perft;
use crate::eval::wdl::{WdlRates, normalised, wdl};
use crate::score::Bound;
use crate::search::{BestMove, CurrentMove, Info};
use std::fmt::Write;
use std::time::Duration;

/// Nodes a second; a time below a millisecond counts as one.
pub fn nodes_per_second(nodes: u64, elapsed: Duration) -> u64 {
    let nps = u128::from(nodes) * 1000 / elapsed.as_millis().max(1);
    u64::try_from(nps).unwrap_or(u64::MAX)
}

/// How analysis is written.
#[derive(Clone, Copy)]
pub struct Style {
    /// How castling is spelt.
    pub notation: CastlingNotation,
    /// Men on the board that is searched; what a score means depends on them.
    pub men: u32,
    /// Whether the chances to win, draw and lose are shown.
    pub chances: bool,
}

/// The line for one line of analysis. 100 centipawns mean that half of the games are won.
pub fn info(report: &Info, style: Style) -> String {
    let Info { depth, seldepth, multi_pv, nodes, hashfull, tbhits, .. } = report;
    let score = normalised(report.score, style.men);
    let wdl = match wdl(report.score, style.men) {
        WdlRates { win, draw, loss } if style.chances => format!(" wdl {win} {draw} {loss}"),
        _ => String::new(),
    };
    let bound = match report.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    let (nps, time) = (nodes_per_second(*nodes, report.elapsed), report.elapsed.as_millis());
    let mut line = format!(
        "info depth {depth} seldepth {seldepth} multipv {multi_pv} score {score}{wdl}{bound} nodes {nodes} nps {nps} \
         hashfull {hashfull} tbhits {tbhits} time {time}"
    );
    if !report.pv.is_empty() {
        line.push_str(" pv");
        for mv in &report.pv {
            line.push(' ');
            line.push_str(&mv.uci(style.notation));
        }
    }
    line
}

/// The line for the root move that is being searched.
pub fn current_move(current: CurrentMove, notation: CastlingNotation) -> String {
    let CurrentMove { depth, mv, number } = current;
    format!("info depth {depth} currmove {} currmovenumber {number}", mv.uci(notation))
}

/// The answer to `go`.
pub fn best_move(answer: BestMove, notation: CastlingNotation) -> String {
    match (answer.best, answer.ponder) {
        (None, _) => "bestmove (none)".to_string(),
        (Some(best), None) => format!("bestmove {}", best.uci(notation)),
        (Some(best), Some(ponder)) => {
            format!("bestmove {} ponder {}", best.uci(notation), ponder.uci(notation))
        }
    }
}

/// The board and what else makes the position, over several lines.
pub fn position(position: &Position) -> String {
    const EDGE: &str = " +---+---+---+---+---+---+---+---+\n";
    let mut text = EDGE.to_string();
    for rank in Rank::ALL.into_iter().rev() {
        for file in File::ALL {
            let man = position.piece_on(Square::new(file, rank)).map_or(' ', |piece| piece.letter());
            let _ = write!(text, " | {man}");
        }
        let _ = write!(text, " | {}\n{EDGE}", rank.index() + 1);
    }
    text.push_str("   a   b   c   d   e   f   g   h\n\n");
    let checkers: Vec<String> = position.checkers().into_iter().map(|square| square.to_string()).collect();
    let side = match position.side_to_move() {
        Color::White => "White",
        Color::Black => "Black",
    };
    let _ = write!(
        text,
        "Fen: {position}\nShredder-FEN: {}\nKey: {:016X}\nCheckers: {}\n{side} to move, {} legal moves",
        position.fen(FenStyle::Shredder),
        position.key(),
        checkers.join(" "),
        position.legal_moves().len()
    );
    text
}

/// The leaves below each move, and the sum.
pub fn perft(perft: &Perft, notation: CastlingNotation) -> String {
    let mut text = String::new();
    for (mv, nodes) in &perft.moves {
        let _ = writeln!(text, "{}: {nodes}", mv.uci(notation));
    }
    let nps = nodes_per_second(perft.nodes, perft.elapsed);
    let _ = write!(text, "\n{} nodes {nps} nps", perft.nodes);
    text
}

/// One position of the bench.
pub fn benched(result: &Benched<'_>) -> String {
    let Benched { number, count, fen, nodes, best } = result;
    let best = best.map_or("(none)".to_string(), |mv: Move| mv.uci(CastlingNotation::KingTakesRook));
    format!("Position {number}/{count}: {fen}: {best}, {nodes} searched")
}

/// The end of the bench, in the form that OpenBench reads: it must come last.
pub fn bench(bench: &Bench) -> String {
    format!("{} nodes {} nps", bench.nodes, nodes_per_second(bench.nodes, bench.elapsed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Score;

    fn report() -> Info {
        Info {
            depth: 9,
            seldepth: 14,
            multi_pv: 2,
            score: Score::cp(-31),
            bound: Bound::Exact,
            nodes: 12_345,
            elapsed: Duration::from_micros(10_900),
            hashfull: 7,
            tbhits: 3,
            pv: Vec::new(),
        }
    }

    fn style(notation: CastlingNotation) -> Style {
        Style { notation, men: 20, chances: false }
    }

    #[test]
    fn analysis_has_every_field() {
        let castling: Position = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse().unwrap();
        let pv = vec![castling.parse_uci("e1g1").unwrap()];
        let report = Info { pv, ..report() };
        let score = normalised(report.score, 20);
        let start = format!(
            "info depth 9 seldepth 14 multipv 2 score {score} nodes 12345 nps 1234500 hashfull 7 tbhits 3 time 10 pv "
        );
        assert_eq!(info(&report, style(CastlingNotation::KingTarget)), format!("{start}e1g1"));
        assert_eq!(info(&report, style(CastlingNotation::KingTakesRook)), format!("{start}e1h1"));
    }

    #[test]
    fn bounds_and_mates_are_said() {
        let line = |report: Info| info(&report, style(CastlingNotation::KingTarget));
        assert!(line(Info { bound: Bound::Lower, ..report() }).contains(" lowerbound nodes "));
        assert!(line(Info { bound: Bound::Upper, ..report() }).contains(" upperbound nodes "));
        assert!(line(Info { score: Score::mate_in(5), ..report() }).contains(" score mate 3 nodes "));
        assert!(
            line(Info { score: -Score::tablebase_win(3), ..report() }).contains(" score cp -19997 nodes ")
        );
        assert!(
            line(Info { score: Score::mated_in(0), ..report() }).ends_with(" hashfull 7 tbhits 3 time 10")
        );
    }

    #[test]
    fn chances_are_said_when_asked_for() {
        let style = Style { chances: true, ..style(CastlingNotation::KingTarget) };
        let line = info(&Info { score: Score::mated_in(4), ..report() }, style);
        assert!(line.contains(" score mate -2 wdl 0 0 1000 nodes "), "{line}");
        let line = info(&Info { bound: Bound::Lower, ..report() }, style);
        let words: Vec<&str> = line.split(' ').collect();
        let at = words.iter().position(|&word| word == "wdl").unwrap();
        let sum: u32 = words[at + 1..at + 4].iter().map(|word| word.parse::<u32>().unwrap()).sum();
        assert_eq!((sum, words[at + 4]), (1000, "lowerbound"));
    }

    #[test]
    fn speed_is_finite_at_once() {
        assert_eq!(nodes_per_second(5, Duration::ZERO), 5000);
        assert_eq!(nodes_per_second(u64::MAX, Duration::ZERO), u64::MAX);
    }

    #[test]
    fn answers() {
        let start = Position::startpos();
        let (best, ponder) = (start.parse_uci("e2e4").ok(), start.parse_uci("d2d4").ok());
        let line = |best, ponder| best_move(BestMove { best, ponder }, CastlingNotation::KingTarget);
        assert_eq!(line(best, ponder), "bestmove e2e4 ponder d2d4");
        assert_eq!(line(best, None), "bestmove e2e4");
        assert_eq!(line(None, None), "bestmove (none)");
    }
}
