//! The promises of the thread pool: one answer to each search, when it is due, whatever happens meanwhile.

use chess::{Game, Move, Position};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};
use tamarack::search::{BestMove, Info, InfoSink, Limits, Pool, SearchOptions, SearchRequest};

const MIDDLEGAME: &str = "r1bqk2r/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQkq - 0 8";
const MATED: &str = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
const STALEMATE: &str = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
const SOON: Duration = Duration::from_secs(20);
const A_WHILE: Duration = Duration::from_millis(60);

enum Heard {
    Info(Info),
    Finished(BestMove),
}

struct Recorder {
    heard: Sender<Heard>,
    finished: bool,
}

impl InfoSink for Recorder {
    fn info(&mut self, info: &Info) {
        assert!(!self.finished, "a report after the end");
        let _ = self.heard.send(Heard::Info(info.clone()));
    }

    fn finished(&mut self, answer: BestMove) {
        assert!(!self.finished, "finished twice");
        self.finished = true;
        let _ = self.heard.send(Heard::Finished(answer));
    }
}

fn position(fen: &str) -> Position {
    fen.parse().expect("a good position")
}

fn request(fen: &str, limits: Limits) -> SearchRequest {
    SearchRequest {
        game: Game::new(position(fen)),
        started: Instant::now(),
        limits,
        options: SearchOptions::default(),
    }
}

fn go(pool: &mut Pool, fen: &str, limits: Limits) -> Receiver<Heard> {
    let (heard, hears) = channel();
    pool.go(request(fen, limits), Box::new(Recorder { heard, finished: false }));
    hears
}

fn pool(threads: usize) -> Pool {
    let mut pool = Pool::new(4).expect("a small table and one thread");
    pool.set_threads(threads).expect("a few threads");
    pool
}

fn infinite() -> Limits {
    Limits { infinite: true, ..Limits::default() }
}

fn depth(depth: i32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

/// All that is heard until the listener is gone: the answer, and the line of the last report.
fn result(hears: &Receiver<Heard>) -> (BestMove, Vec<Move>) {
    let (mut answer, mut line) = (None, Vec::new());
    while let Ok(heard) = hears.recv_timeout(SOON) {
        match heard {
            Heard::Info(report) => line = report.pv,
            Heard::Finished(given) => answer = Some(given),
        }
    }
    (answer.expect("an answer"), line)
}

fn is_answered(hears: &Receiver<Heard>) -> bool {
    hears.try_iter().any(|heard| matches!(heard, Heard::Finished(_)))
}

#[test]
fn every_search_is_answered_once_and_the_last_line_told_begins_with_the_answer() {
    for threads in [1, 2, 3, 16] {
        let mut pool = pool(threads);
        assert_eq!(pool.threads(), threads);
        for nodes in [1, 500, 5_000, 20_000] {
            let hears = go(&mut pool, MIDDLEGAME, Limits { nodes: Some(nodes), ..Limits::default() });
            pool.wait();
            let (answer, line) = result(&hears);
            assert_eq!(answer.best, line.first().copied(), "{threads} threads, {nodes} nodes");
            let after = position(MIDDLEGAME).after(answer.best.expect("there are legal moves"));
            assert!(answer.ponder.is_none_or(|reply| after.is_legal(reply)));
            assert!(!pool.is_searching());
        }
    }
}

#[test]
fn without_a_legal_move_there_is_no_best_move() {
    let mut pool = pool(3);
    for fen in [MATED, STALEMATE] {
        let (answer, _) = result(&go(&mut pool, fen, depth(4)));
        assert_eq!(answer, BestMove { best: None, ponder: None });
    }
}

#[test]
fn an_infinite_search_is_answered_only_after_stop_even_when_there_is_nothing_to_search() {
    let mut pool = pool(2);
    for fen in [MIDDLEGAME, MATED, STALEMATE] {
        for limits in
            [infinite(), Limits { depth: Some(2), ..infinite() }, Limits { ponder: true, ..infinite() }]
        {
            let hears = go(&mut pool, fen, limits);
            pool.ponderhit();
            std::thread::sleep(A_WHILE);
            assert!(!is_answered(&hears) && pool.is_searching(), "{fen}");
            pool.stop();
            pool.wait();
            assert!(is_answered(&hears));
        }
    }
}

#[test]
fn while_pondering_the_answer_waits_for_ponderhit_or_stop() {
    let mut pool = pool(2);
    let end: [fn(&Pool); 2] = [Pool::ponderhit, Pool::stop];
    for fen in [MIDDLEGAME, MATED] {
        for end in end {
            let hears = go(&mut pool, fen, Limits { ponder: true, ..depth(3) });
            std::thread::sleep(A_WHILE);
            assert!(!is_answered(&hears), "{fen}");
            end(&pool);
            pool.wait();
            assert!(is_answered(&hears));
        }
    }
}

#[test]
fn the_clock_runs_from_ponderhit() {
    let mut pool = pool(1);
    let limits = Limits { ponder: true, move_time: Some(Duration::from_millis(50)), ..Limits::default() };
    let hears = go(&mut pool, MIDDLEGAME, limits);
    std::thread::sleep(2 * A_WHILE);
    assert!(!is_answered(&hears), "the opponent is thinking");
    pool.ponderhit();
    pool.wait();
    assert!(is_answered(&hears));
}

#[test]
fn a_stop_ends_its_own_search_and_not_the_next() {
    let mut pool = pool(4);
    for _ in 0..20 {
        let first = go(&mut pool, MIDDLEGAME, infinite());
        pool.stop();
        pool.stop();
        let (answer, _) = result(&first);
        assert!(answer.best.is_some(), "even when stopped at once");
        pool.stop();
        let second = go(&mut pool, MIDDLEGAME, infinite());
        std::thread::sleep(Duration::from_millis(2));
        assert!(!is_answered(&second) && pool.is_searching());
    }
}

#[test]
fn a_new_search_ends_the_old_one_first() {
    let mut pool = pool(3);
    let first = go(&mut pool, MIDDLEGAME, infinite());
    let second = go(&mut pool, MATED, depth(1));
    assert!(is_answered(&first), "before the second has begun");
    assert_eq!(result(&second).0.best, None);
}

#[test]
fn stop_is_obeyed_quickly_by_many_threads() {
    let mut pool = pool(32);
    let _hears = go(&mut pool, MIDDLEGAME, infinite());
    std::thread::sleep(A_WHILE);
    let asked = Instant::now();
    pool.stop();
    pool.wait();
    // A few milliseconds on a machine with as many cores; here the threads may have to queue for one.
    assert!(asked.elapsed() < Duration::from_secs(2), "{:?}", asked.elapsed());
}

#[test]
fn threads_and_hash_change_at_any_time() {
    let mut pool = pool(1);
    for threads in [7, 2, 0, 40, 1] {
        let hears = go(&mut pool, MIDDLEGAME, infinite());
        pool.set_threads(threads).expect("a few threads");
        assert!(is_answered(&hears));
        assert_eq!(pool.threads(), threads.max(1));
        let hears = go(&mut pool, MIDDLEGAME, infinite());
        pool.set_hash(1 + threads).expect("a few megabytes");
        assert!(is_answered(&hears));
        assert_eq!(pool.tt().mebibytes(), 1 + threads);
        let hears = go(&mut pool, MIDDLEGAME, infinite());
        pool.clear();
        assert!(is_answered(&hears));
        assert_eq!(pool.tt().hashfull(), 0);
    }
}

#[test]
fn a_table_that_cannot_be_had_leaves_the_old_one() {
    let mut pool = pool(1);
    let key = position(MIDDLEGAME).key();
    assert!(result(&go(&mut pool, MIDDLEGAME, depth(4))).0.best.is_some());
    let before = pool.tt().probe(key, 0, 0);
    assert!(before.is_some());
    for mebibytes in [0, 1 << 40, usize::MAX] {
        let error = pool.set_hash(mebibytes).expect_err("too large or nothing");
        assert!(error.to_string().contains(&mebibytes.to_string()), "{error}");
    }
    assert_eq!((pool.tt().mebibytes(), pool.tt().probe(key, 0, 0)), (4, before));
}

#[test]
fn a_limit_of_nodes_is_for_all_threads_together() {
    const LIMIT: u64 = 30_000;
    for threads in [1, 4] {
        let mut pool = pool(threads);
        let hears = go(&mut pool, MIDDLEGAME, Limits { nodes: Some(LIMIT), ..Limits::default() });
        pool.wait();
        let (answer, _) = result(&hears);
        assert!(answer.best.is_some() && pool.nodes() >= LIMIT, "{threads}: {}", pool.nodes());
        // With more threads than cores the one that counts may have to wait for its turn.
        assert!(threads > 1 || pool.nodes() <= LIMIT + 1, "{}", pool.nodes());
    }
}

#[test]
fn a_new_game_with_one_thread_is_searched_like_the_first() {
    let mut pool = pool(1);
    let mut nodes = || {
        pool.clear();
        let hears = go(&mut pool, MIDDLEGAME, depth(7));
        pool.wait();
        (pool.nodes(), result(&hears))
    };
    assert_eq!(nodes(), nodes());
}

#[test]
fn dropping_the_pool_ends_and_answers_the_search() {
    for limits in [infinite(), Limits { ponder: true, ..depth(1) }] {
        let mut pool = pool(3);
        let hears = go(&mut pool, MIDDLEGAME, limits);
        drop(pool);
        assert!(is_answered(&hears));
    }
}
