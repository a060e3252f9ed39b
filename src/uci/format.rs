//! Formats the results of searches, `bench`, `perft` and `d` as lines of text.

use crate::commands::bench::{BenchResult, PositionResult};
use crate::commands::perft::PerftResult;
use crate::score::Bound;
use crate::search::{BestMove, CurrentMove, Info, ThreadResult};
use chess::{CastlingNotation, Color, FenStyle, File, Move, Position, Rank, Square};
use nnue::wdl::WdlRates;
use std::fmt::Write;
use std::time::Duration;

/// Nodes per second. Times below a millisecond count as one millisecond.
pub fn nodes_per_second(nodes: u64, elapsed: Duration) -> u64 {
    let nps = u128::from(nodes) * 1000 / elapsed.as_millis().max(1);
    u64::try_from(nps).unwrap_or(u64::MAX)
}

/// The format of moves and scores.
#[derive(Clone, Copy)]
pub struct Style {
    /// The notation of castling moves.
    pub notation: CastlingNotation,
    /// The number of pieces in the searched position, which the normalisation of scores depends on.
    pub pieces: u32,
    /// True if the chances of win, draw and loss are printed.
    pub show_wdl: bool,
}

/// The `info` line of a principal variation. Scores are normalised: at 100 centipawns half of the games are won.
pub fn info(report: &Info, style: Style) -> String {
    let Info { depth, seldepth, multi_pv, nodes, hashfull, tbhits, .. } = report;
    let score = report.score.normalised(style.pieces);
    let wdl = match report.score.wdl(style.pieces) {
        WdlRates { win, draw, loss } if style.show_wdl => format!(" wdl {win} {draw} {loss}"),
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

/// The `info currmove` line of the root move that is being searched.
pub fn current_move(current: CurrentMove, notation: CastlingNotation) -> String {
    let CurrentMove { depth, mv, number } = current;
    format!("info depth {depth} currmove {} currmovenumber {number}", mv.uci(notation))
}

/// The vote of the threads: how many answered, their depths, and how many preferred each move, most first.
pub fn vote(results: &[ThreadResult], chosen: usize, notation: CastlingNotation) -> String {
    let mut depths: Vec<i32> = results.iter().map(|result| result.depth).collect();
    depths.sort_unstable();
    let mut moves: Vec<(usize, Move)> = Vec::new();
    for mv in results.iter().filter_map(|result| result.pv.first().copied()) {
        match moves.iter_mut().find(|(_, known)| *known == mv) {
            Some((count, _)) => *count += 1,
            None => moves.push((1, mv)),
        }
    }
    moves.sort_by_key(|&(count, _)| std::cmp::Reverse(count));
    let depth_at = |place: usize| depths.get(place).copied().unwrap_or(0);
    let (count, main) = (results.len(), results.first().map_or(0, |main| main.depth));
    let (least, median, most) = (depth_at(0), depth_at(count / 2), depth_at(count.saturating_sub(1)));
    let mut text = format!(
        "threads {count} depths least {least} median {median} most {most} main {main} played {} votes",
        chosen + 1
    );
    for (count, mv) in moves {
        let _ = write!(text, " {} {count}", mv.uci(notation));
    }
    text
}

/// The `bestmove` line, `bestmove (none)` without a move.
pub fn best_move(answer: BestMove, notation: CastlingNotation) -> String {
    match (answer.best, answer.ponder) {
        (None, _) => "bestmove (none)".to_string(),
        (Some(best), None) => format!("bestmove {}", best.uci(notation)),
        (Some(best), Some(ponder)) => {
            format!("bestmove {} ponder {}", best.uci(notation), ponder.uci(notation))
        }
    }
}

/// A diagram of the board with FEN, key, checkers and number of legal moves, on several lines.
pub fn board(position: &Position) -> String {
    const EDGE: &str = " +---+---+---+---+---+---+---+---+\n";
    let mut text = EDGE.to_string();
    for rank in Rank::ALL.into_iter().rev() {
        for file in File::ALL {
            let piece = position.piece_on(Square::new(file, rank)).map_or(' ', |piece| piece.letter());
            let _ = write!(text, " | {piece}");
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

/// The leaves below each move, their sum as Stockfish prints it, and the sum with the speed.
pub fn perft(perft: &PerftResult, notation: CastlingNotation) -> String {
    let mut text = String::new();
    for (mv, nodes) in &perft.moves {
        let _ = writeln!(text, "{}: {nodes}", mv.uci(notation));
    }
    let nps = nodes_per_second(perft.nodes, perft.elapsed);
    let _ = write!(text, "\nNodes searched: {0}\n{0} nodes {nps} nps", perft.nodes);
    text
}

/// The line of one position of the bench.
pub fn bench_position(result: &PositionResult<'_>) -> String {
    let PositionResult { number, count, fen, nodes, best } = result;
    let best = best.map_or("(none)".to_string(), |mv: Move| mv.uci(CastlingNotation::KingTakesRook));
    format!("Position {number}/{count}: {fen}: {best}, {nodes} searched")
}

/// The last line of the bench, as OpenBench parses it.
pub fn bench_total(bench: &BenchResult) -> String {
    format!("{} nodes {} nps", bench.nodes, nodes_per_second(bench.nodes, bench.elapsed))
}

/// The summary of the bench as fishtest parses it.
pub fn bench_summary(bench: &BenchResult) -> String {
    let nps = nodes_per_second(bench.nodes, bench.elapsed);
    let (time, nodes) = (bench.elapsed.as_millis(), bench.nodes);
    format!("Total time (ms) : {time}\nNodes searched  : {nodes}\nNodes/second    : {nps}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Score;

    #[test]
    fn votes_are_counted_by_move() {
        let move_of = |text| Position::startpos().parse_uci(text).unwrap();
        let result = |depth, text| ThreadResult {
            depth,
            seldepth: depth as usize,
            score: Score::DRAW,
            bound: Bound::Exact,
            pv: vec![move_of(text)],
        };
        let results = [result(9, "e2e4"), result(11, "d2d4"), result(8, "d2d4")];
        let line = vote(&results, 1, CastlingNotation::KingTarget);
        assert_eq!(line, "threads 3 depths least 8 median 9 most 11 main 9 played 2 votes d2d4 2 e2e4 1");
    }

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
        Style { notation, pieces: 20, show_wdl: false }
    }

    #[test]
    fn analysis_has_every_field() {
        let castling: Position = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse().unwrap();
        let pv = vec![castling.parse_uci("e1g1").unwrap()];
        let report = Info { pv, ..report() };
        let score = report.score.normalised(20);
        let start = format!(
            "info depth 9 seldepth 14 multipv 2 score {score} nodes 12345 nps 1234500 hashfull 7 tbhits 3 time 10 pv "
        );
        assert_eq!(info(&report, style(CastlingNotation::KingTarget)), format!("{start}e1g1"));
        assert_eq!(info(&report, style(CastlingNotation::KingTakesRook)), format!("{start}e1h1"));
    }

    #[test]
    fn bounds_and_mates_are_printed() {
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
    fn wdl_is_printed_when_asked_for() {
        let style = Style { show_wdl: true, ..style(CastlingNotation::KingTarget) };
        let line = info(&Info { score: Score::mated_in(4), ..report() }, style);
        assert!(line.contains(" score mate -2 wdl 0 0 1000 nodes "), "{line}");
        let line = info(&Info { bound: Bound::Lower, ..report() }, style);
        let words: Vec<&str> = line.split(' ').collect();
        let at = words.iter().position(|&word| word == "wdl").unwrap();
        let sum: u32 = words[at + 1..at + 4].iter().map(|word| word.parse::<u32>().unwrap()).sum();
        assert_eq!((sum, words[at + 4]), (1000, "lowerbound"));
    }

    #[test]
    fn speed_is_finite_after_no_time() {
        assert_eq!(nodes_per_second(5, Duration::ZERO), 5000);
        assert_eq!(nodes_per_second(u64::MAX, Duration::ZERO), u64::MAX);
    }

    #[test]
    fn best_moves() {
        let start = Position::startpos();
        let (best, ponder) = (start.parse_uci("e2e4").ok(), start.parse_uci("d2d4").ok());
        let line = |best, ponder| best_move(BestMove { best, ponder }, CastlingNotation::KingTarget);
        assert_eq!(line(best, ponder), "bestmove e2e4 ponder d2d4");
        assert_eq!(line(best, None), "bestmove e2e4");
        assert_eq!(line(None, None), "bestmove (none)");
    }
}
