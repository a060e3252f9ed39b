//! The promises of the transposition table.

use chess::Move;
use chess::random::{Random, mix};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use tamarack::score::{Bound, Score};
use tamarack::search::{MAX_DEPTH, MIN_DEPTH, TranspositionTable, TtEntry};

/// An entry that follows from the key and a version, so that one that belongs to another key, or is half of one version
/// and half of another, shows.
fn entry_for(key: u64, version: u64) -> TtEntry {
    let bits = mix(key ^ version.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    TtEntry {
        mv: Move::from_bits(1 + (bits % 60_000) as u16),
        score: Score::cp((bits >> 16 & 0x3FFF) as i32 - 8000),
        eval: Some(Score::cp((bits >> 30 & 0x3FFF) as i32 - 8000)),
        depth: (bits >> 44 & 0x07) as i32,
        bound: Some([Bound::Upper, Bound::Lower, Bound::Exact][(bits >> 52) as usize % 3]),
        tt_pv: bits >> 60 & 1 == 1,
    }
}

fn plain(depth: i32) -> TtEntry {
    TtEntry {
        mv: Move::from_bits(0x0123),
        score: Score::cp(33),
        eval: Some(Score::cp(-12)),
        depth,
        bound: Some(Bound::Lower),
        tt_pv: false,
    }
}

/// Keys of the first line, all different: the line is chosen by the high bits.
fn neighbour(index: u64) -> u64 {
    1 + index
}

#[test]
fn what_is_stored_comes_back() {
    let table = TranspositionTable::new(1).expect("1 MB");
    for version in 0..1000 {
        let key = mix(version);
        let entry = entry_for(key, version);
        table.store(key, 7, &entry);
        assert_eq!(table.probe(key, 7, 0), Some(entry));
    }
    for depth in [MIN_DEPTH, -1, 0, 1, MAX_DEPTH] {
        for eval in [None, Some(Score::EVAL_LIMIT), Some(-Score::EVAL_LIMIT), Some(Score::DRAW)] {
            let key = mix(depth as u64 ^ 0xABC_DEF0);
            let entry = TtEntry { mv: None, eval, bound: Some(Bound::Exact), ..plain(depth) };
            table.clear();
            table.store(key, 0, &entry);
            assert_eq!(table.probe(key, 0, 0), Some(entry));
        }
    }
}

#[test]
fn an_empty_table_knows_nothing_and_neither_does_a_cleared_one() {
    let table = TranspositionTable::new(3).expect("3 MB");
    assert!([0, 1, u64::MAX, mix(5)].iter().all(|&key| table.probe(key, 0, 0).is_none()));
    for threads in [1, 2, 7, 1_000_000] {
        (0..50_000).for_each(|i| table.store(mix(i), 0, &plain(5)));
        assert!((0..50_000).any(|i| table.probe(mix(i), 0, 0).is_some()));
        (0..threads).for_each(|part| table.clear_part(part, threads));
        table.reset_age();
        assert!((0..50_000).all(|i| table.probe(mix(i), 0, 0).is_none()), "{threads} threads");
        assert_eq!(table.hashfull(), 0);
    }
}

#[test]
fn depths_beyond_the_range_are_kept_at_its_ends() {
    let table = TranspositionTable::new(1).expect("1 MB");
    table.store(1, 0, &plain(1000));
    assert_eq!(table.probe(1, 0, 0).map(|entry| entry.depth), Some(MAX_DEPTH));
    table.store(2, 0, &plain(-1000));
    assert_eq!(table.probe(2, 0, 0).map(|entry| entry.depth), Some(MIN_DEPTH));
}

#[test]
fn any_number_of_megabytes_is_a_size_and_impossible_ones_are_errors() {
    for mebibytes in [1, 2, 3, 17, 100] {
        let table = TranspositionTable::new(mebibytes).expect("a small size");
        assert_eq!(table.mebibytes(), mebibytes);
        for key in [0, 1, u64::MAX, u64::MAX / 2] {
            table.store(key, 0, &plain(3));
            assert_eq!(table.probe(key, 0, 0), Some(plain(3)));
        }
    }
    for mebibytes in [0, 1 << 40, usize::MAX >> 20, usize::MAX] {
        let Err(error) = TranspositionTable::new(mebibytes) else { panic!("{mebibytes} MB cannot be had") };
        assert!(error.to_string().contains(&mebibytes.to_string()), "{error}");
    }
}

#[test]
fn mates_are_counted_from_the_root_wherever_the_position_is_met() {
    let table = TranspositionTable::new(1).expect("1 MB");
    let store = |ply, score| table.store(9, ply, &TtEntry { score, bound: Some(Bound::Exact), ..plain(9) });
    let probe = |ply, clock| table.probe(9, ply, clock).map(|entry| entry.score);
    store(4, Score::mate_in(9));
    assert_eq!(probe(4, 0), Some(Score::mate_in(9)));
    assert_eq!(probe(10, 0), Some(Score::mate_in(15)));
    assert_eq!(probe(4, 95), Some(Score::mate_in(9)));
    assert_eq!(probe(4, 96), Some(Score::EVAL_LIMIT), "the fifty-move limit comes first");
    store(3, Score::mated_in(7));
    assert_eq!(probe(0, 0), Some(Score::mated_in(4)));
}

#[test]
fn a_known_move_and_evaluation_are_not_lost() {
    let table = TranspositionTable::new(1).expect("1 MB");
    table.store(5, 0, &plain(4));
    table.store(5, 0, &TtEntry { mv: None, eval: None, ..plain(6) });
    assert_eq!(table.probe(5, 0, 0), Some(plain(6)));
}

#[test]
fn a_much_deeper_result_of_the_same_search_stays() {
    let table = TranspositionTable::new(1).expect("1 MB");
    let depth = || table.probe(5, 0, 0).map(|entry| entry.depth);
    table.store(5, 0, &plain(12));
    let shallow = TtEntry { mv: Move::from_bits(0x0456), ..plain(3) };
    table.store(5, 0, &shallow);
    assert_eq!(depth(), Some(12));
    assert_eq!(table.probe(5, 0, 0).and_then(|entry| entry.mv), shallow.mv, "but the newer move is taken");
    table.store(5, 0, &plain(11));
    assert_eq!(depth(), Some(11), "a little shallower is newer");
    table.store(5, 0, &TtEntry { bound: Some(Bound::Exact), ..plain(2) });
    assert_eq!(depth(), Some(2), "exact beats deep");
    table.store(5, 0, &plain(12));
    table.new_search();
    table.store(5, 0, &plain(3));
    assert_eq!(depth(), Some(3), "a new search beats an old one");
}

#[test]
fn an_evaluation_alone_replaces_no_search() {
    let table = TranspositionTable::new(1).expect("1 MB");
    let only_eval = TtEntry { mv: None, bound: None, score: Score::DRAW, ..plain(MIN_DEPTH) };
    table.store(5, 0, &only_eval);
    assert_eq!(table.probe(5, 0, 0), Some(only_eval));
    table.store(5, 0, &plain(1));
    table.new_search();
    table.store(5, 0, &only_eval);
    assert_eq!(table.probe(5, 0, 0), Some(plain(1)));
}

#[test]
fn the_shallowest_and_oldest_of_a_full_line_makes_room() {
    let table = TranspositionTable::new(1).expect("1 MB");
    let fill = |depths: [i32; 4]| {
        table.clear();
        (0..).zip(depths).for_each(|(index, depth)| table.store(neighbour(index), 0, &plain(depth)));
    };
    let present = |index| table.probe(neighbour(index), 0, 0).is_some();

    fill([8, 3, 9, 7]);
    table.store(neighbour(4), 0, &plain(1));
    assert_eq!([0, 1, 2, 3, 4].map(present), [true, false, true, true, true], "the shallowest goes");

    fill([8, 8, 8, 8]);
    (0..3).for_each(|_| table.new_search());
    [0, 1, 3].iter().for_each(|&index| table.store(neighbour(index), 0, &plain(2)));
    table.store(neighbour(4), 0, &plain(1));
    assert_eq!([0, 1, 2, 3, 4].map(present), [true, true, false, true, true], "three searches ago is old");
}

#[test]
fn entries_from_before_the_age_counter_wraps_count_as_old() {
    let table = TranspositionTable::new(1).expect("1 MB");
    (0..31).for_each(|_| table.new_search());
    table.store(neighbour(0), 0, &plain(9));
    table.new_search();
    (1..4).for_each(|index| table.store(neighbour(index), 0, &plain(6)));
    table.store(neighbour(4), 0, &plain(6));
    assert!(table.probe(neighbour(0), 0, 0).is_none(), "age 31 is older than age 0");
}

#[test]
fn hashfull_counts_this_search_only() {
    let table = TranspositionTable::new(1).expect("1 MB");
    assert_eq!(table.hashfull(), 0);
    (0..32_768).for_each(|i| table.store(mix(i), 0, &plain(5)));
    let half = table.hashfull();
    assert!((380..480).contains(&half), "half as many stores as places fill a little less than half: {half}");
    (0..2_000_000).for_each(|i| table.store(mix(i), 0, &plain(5)));
    assert!(table.hashfull() > 990);
    table.new_search();
    assert_eq!(table.hashfull(), 0);
}

/// Many threads fight for a few lines. Every hit has to be one whole version of an entry for the key that was asked for;
/// the stated rate of false hits, 2^-62 a probe, allows none in any test.
#[test]
fn threads_that_fight_for_a_line_never_see_half_an_entry() {
    const KEYS: u64 = 6;
    const VERSIONS: u64 = 64;
    let table = TranspositionTable::new(1).expect("1 MB");
    let hits = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for thread in 0..8_u64 {
            let (table, hits) = (&table, &hits);
            scope.spawn(move || {
                let mut random = Random::new(mix(thread + 1));
                for _ in 0..2_000_000 {
                    let bits = random.bits();
                    let key = neighbour(bits % KEYS);
                    if bits >> 32 & 1 == 0 {
                        let version = bits >> 40 & (VERSIONS - 1);
                        table.store(
                            key,
                            0,
                            &TtEntry { bound: Some(Bound::Exact), ..entry_for(key, version) },
                        );
                    } else if let Some(found) = table.probe(key, 0, 0) {
                        hits.fetch_add(1, Relaxed);
                        let whole = |version| {
                            found == TtEntry { bound: Some(Bound::Exact), ..entry_for(key, version) }
                        };
                        assert!((0..VERSIONS).any(whole), "{found:?} was never stored for {key:#x}");
                    }
                }
            });
        }
    });
    assert!(hits.load(Relaxed) > 10_000, "the test has to see hits: {}", hits.load(Relaxed));
}
