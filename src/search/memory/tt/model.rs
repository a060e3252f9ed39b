//! The table's protocol under loom, which runs the code of [`super::line`] in many orders and with every value that a read may
//! see by the language's memory model: two threads write and two read the same line, and whatever a reader accepts must have
//! been written, in one piece, for the key that it asked for. The command is in docs/reliability.md.

use super::line::{Cluster, Packed, SLOTS, TtEntry, Word};
use crate::score::{Bound, Score};
use chess::Move;
use loom::model::Builder;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::atomic::AtomicUsize;

impl Word for AtomicU64 {
    fn get(&self) -> u64 {
        self.load(Relaxed)
    }

    fn set(&self, value: u64) {
        self.store(value, Relaxed);
    }
}

/// The keys of a scene. No two differ by as much as two entries below do: no half of one spells another.
fn key(n: usize) -> u64 {
    match n {
        TORN => key(0) ^ data(0).0 ^ data(1).0,
        n => 0x5D00 | 1 << n,
    }
}

/// The key that the first word of entry 0 and the second of entry 1 spell, as a key of 64 bits may by chance.
const TORN: usize = 6;

/// The data of the `n`th entry, with move and evaluation, so that nothing is taken over from an entry before.
fn data(n: usize) -> Packed {
    let (depth, score) = (10 - n as i32, Score::cp(100 + n as i32));
    let mv = Move::from_bits(0x0123 + n as u16);
    let entry = TtEntry { mv, score, eval: Some(score), depth, bound: Some(Bound::Exact), tt_pv: false };
    Packed::pack(&entry, 0, 0)
}

/// Times that a thread is interrupted by another while it could go on, at most, unless `LOOM_MAX_PREEMPTIONS` says another
/// number. Values that a relaxed read may see are tried without a limit.
const PREEMPTIONS: usize = 2;

/// An entry: the numbers of its [`key`] and its [`data`].
type Entry = (usize, usize);

/// Two threads write an entry each to a line that holds some, while two others ask for a key each.
struct Scene {
    name: &'static str,
    held: &'static [Entry],
    written: [Entry; 2],
    asked: [usize; 2],
}

impl Scene {
    /// Runs the scene in every order with at most [`PREEMPTIONS`], and prints how many there are.
    ///
    /// # Panics
    /// If a reader accepts what was not written for its key.
    fn explore(&'static self) {
        let orders = std::sync::Arc::new(AtomicUsize::new(0));
        let count = orders.clone();
        let started = std::time::Instant::now();
        let mut model = Builder::new();
        model.preemption_bound.get_or_insert(PREEMPTIONS);
        model.check(move || {
            count.fetch_add(1, Relaxed);
            self.play();
        });
        println!("{}: {orders:?} orders in {:.1?}", self.name, started.elapsed());
    }

    fn play(&'static self) {
        let line = Arc::new(std::array::from_fn(|_| AtomicU64::new(0)));
        let store = |line: &[AtomicU64; 8], (of, n): Entry| Cluster(line).store(key(of), 0, data(n));
        self.held.iter().for_each(|&entry| store(&line, entry));
        let writers = self.written.map(|entry| {
            let line = line.clone();
            loom::thread::spawn(move || store(&line, entry))
        });
        let [first, second] = self.asked;
        let reader = {
            let line = line.clone();
            loom::thread::spawn(move || self.ask(&line, first))
        };
        self.ask(&line, second);
        writers.into_iter().chain([reader]).for_each(|thread| thread.join().unwrap());
    }

    fn ask(&self, line: &[AtomicU64; 8], asked: usize) {
        let known =
            |found| self.held.iter().chain(&self.written).any(|&(of, n)| of == asked && data(n) == found);
        if let Some(found) = Cluster(line).find(key(asked)) {
            assert!(known(found), "{}: {found:?} was never written for key {asked}", self.name);
        }
    }
}

#[test]
fn two_positions_in_an_empty_line_are_never_mixed() {
    const SCENE: Scene = Scene { name: "empty line", held: &[], written: [(0, 0), (1, 1)], asked: [0, 1] };
    SCENE.explore();
}

#[test]
fn two_results_of_one_position_are_never_mixed() {
    const SCENE: Scene = Scene { name: "one position", held: &[], written: [(0, 0), (0, 1)], asked: [0, 0] };
    SCENE.explore();
}

#[test]
fn two_positions_that_replace_a_third_are_never_mixed_with_it() {
    const HELD: [Entry; SLOTS] = [(2, 2), (3, 3), (4, 4), (5, 5)];
    const SCENE: Scene = Scene { name: "full line", held: &HELD, written: [(0, 0), (1, 1)], asked: [0, 5] };
    SCENE.explore();
}

/// The model sees pairs of words from two writers: one that spells the key that is asked for is accepted, the false hit of
/// the table's documentation.
#[test]
#[should_panic = "was never written for key"]
fn a_torn_pair_that_spells_the_key_is_found() {
    const SCENE: Scene =
        Scene { name: "torn pair", held: &[], written: [(0, 0), (1, 1)], asked: [TORN, TORN] };
    SCENE.explore();
}
