//! The table's protocol under loom, which runs the code of [`super::line`] in every order of memory accesses that the
//! language's memory model allows: two threads write and two read the same line, and whatever a reader accepts must have
//! been written, in one piece, for the key that it asked for. The command is in docs/reliability.md.

use super::line::{Packed, SLOTS, Word};
use super::{Bound, TtEntry};
use crate::chess::Move;
use crate::platform::pages::CacheLine;
use crate::score::Score;
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

/// Keys that differ from each other in other bits than the entries below do: no half of one spells another.
const KEYS: [u64; 6] = [1, 2, 4, 8, 16, 32].map(|bit| 0x5DEE_CE66_0000_0000 | bit << 8);

/// The data of the `n`th entry, with move and evaluation, so that nothing is taken over from an entry before.
fn data(n: usize) -> Packed {
    let (depth, score) = (10 - n as i32, Score::cp(100 + n as i32));
    let mv = Move::from_bits(0x0123 + n as u16);
    let entry = TtEntry { mv, score, eval: Some(score), depth, bound: Some(Bound::Exact), tt_pv: false };
    Packed::pack(&entry, 0, 0)
}

/// An entry: a key of [`KEYS`] and the number of its [`data`].
type Entry = (usize, usize);

/// Two threads write an entry each to a line that holds some, while two others ask for a key each.
struct Scene {
    name: &'static str,
    held: &'static [Entry],
    written: [Entry; 2],
    asked: [usize; 2],
}

impl Scene {
    /// Runs the scene in every order, and says how many there are.
    ///
    /// # Panics
    /// If a reader accepts what was not written for its key.
    fn explore(&'static self) {
        let orders = std::sync::Arc::new(AtomicUsize::new(0));
        let count = orders.clone();
        let started = std::time::Instant::now();
        Builder::new().check(move || {
            count.fetch_add(1, Relaxed);
            self.play();
        });
        println!("{}: {orders:?} orders in {:.1?}", self.name, started.elapsed());
    }

    fn play(&'static self) {
        let line = Arc::new(CacheLine(std::array::from_fn(|_| AtomicU64::new(0))));
        let store = |line: &CacheLine<AtomicU64>, (key, n): Entry| line.store(KEYS[key], 0, data(n));
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

    fn ask(&self, line: &CacheLine<AtomicU64>, key: usize) {
        let known =
            |found| self.held.iter().chain(&self.written).any(|&(of, n)| of == key && data(n) == found);
        if let Some(found) = line.find(KEYS[key]) {
            assert!(known(found), "{}: {found:?} was never written for key {key}", self.name);
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
