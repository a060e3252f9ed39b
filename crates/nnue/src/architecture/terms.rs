//! The terms of the evaluation that the network is told beside the pieces: their names, the number of values of each, and the
//! tables in which the sums of their weights are looked up. What each counts is said in the module `terms` of the feature
//! `evaluation`, which finds them.
//!
//! For each value but 0 of a term the network has a row of weights where the term is the own side's, and one where it is the
//! opponent's; value 0 has none. A table has a row for each combination of values of a few terms, with the sum of their
//! rows.

/// A small number of one side.
#[derive(Clone, Copy, Debug)]
pub struct Term {
    /// Its name on the command line.
    pub name: &'static str,
    /// Its values: 0 to one less than this.
    pub values: usize,
}

/// Pawns.
pub const PAWNS: usize = 0;
/// Knights.
pub const KNIGHTS: usize = 1;
/// Bishops, or [`OPPOSITE_BISHOPS`].
pub const BISHOPS: usize = 2;
/// Rooks.
pub const ROOKS: usize = 3;
/// Queens.
pub const QUEENS: usize = 4;
/// Mobility of knights; those of bishops, rooks and queens follow.
pub const MOBILITY: usize = 5;
/// Safe checks by knights; those by bishops, rooks and queens follow.
pub const SAFE_CHECKS: usize = 9;
/// Squares around the opponent's king that pawns attack; those that knights, bishops, rooks and queens attack follow.
pub const KING_ATTACKS: usize = 13;
/// Attacked squares around the opponent's king that only the king defends.
pub const WEAK_RING: usize = 18;
/// Pieces that are attacked and undefended.
pub const HANGING: usize = 19;
/// Pieces that are attacked twice or more and defended once.
pub const OUTNUMBERED: usize = 20;
/// Pieces that a less valuable one attacks.
pub const BY_LESSER: usize = 21;
/// Undefended pieces.
pub const LOOSE: usize = 22;
/// Pieces of the opponent that a safe push of a pawn would attack.
pub const PUSH_THREATS: usize = 23;
/// Pawns that can be captured by pawns.
pub const LEVERS: usize = 24;
/// Blocked pawns.
pub const BLOCKED_PAWNS: usize = 25;
/// Safe squares that the king can go to.
pub const KING_MOBILITY: usize = 26;
/// The most advanced passed pawn: its rank, and what stands in its way.
pub const PASSED_PAWN: usize = 27;

/// The value of [`BISHOPS`] where each side has one, of unlike squares.
pub const OPPOSITE_BISHOPS: u8 = 4;

/// All terms.
pub const TERMS: [Term; 28] = [
    term("pawns", 9),
    term("knights", 4),
    term("bishops", 5),
    term("rooks", 4),
    term("queens", 3),
    term("knight-mobility", 17),
    term("bishop-mobility", 27),
    term("rook-mobility", 29),
    term("queen-mobility", 28),
    term("knight-checks", 4),
    term("bishop-checks", 4),
    term("rook-checks", 4),
    term("queen-checks", 4),
    term("king-attacks-by-pawns", 4),
    term("king-attacks-by-knights", 6),
    term("king-attacks-by-bishops", 6),
    term("king-attacks-by-rooks", 7),
    term("king-attacks-by-queens", 8),
    term("weak-ring", 8),
    term("hanging", 4),
    term("outnumbered", 4),
    term("by-lesser", 4),
    term("loose", 8),
    term("push-threats", 4),
    term("levers", 4),
    term("blocked-pawns", 7),
    term("king-mobility", 9),
    term("passed-pawn", 25),
];

const fn term(name: &'static str, values: usize) -> Term {
    Term { name, values }
}

/// A term of the own side, or of the opponent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Operand {
    /// Its number in [`TERMS`].
    pub term: usize,
    /// Whether it is the opponent's.
    pub is_opponent: bool,
}

const fn own(term: usize) -> Operand {
    Operand { term, is_opponent: false }
}

const fn other(term: usize) -> Operand {
    Operand { term, is_opponent: true }
}

/// The terms of each table; each term of either side is in one of them.
pub const TABLES: [&[Operand]; 18] = [
    &[own(PAWNS), other(PAWNS)],
    &[own(KNIGHTS), other(KNIGHTS), own(BISHOPS), other(BISHOPS)],
    &[own(ROOKS), other(ROOKS), own(QUEENS), other(QUEENS)],
    &[own(MOBILITY), other(MOBILITY)],
    &[own(MOBILITY + 1), other(MOBILITY + 1)],
    &[own(MOBILITY + 2), other(MOBILITY + 2)],
    &[own(MOBILITY + 3), other(MOBILITY + 3)],
    &[own(SAFE_CHECKS), own(SAFE_CHECKS + 1), own(SAFE_CHECKS + 2), own(SAFE_CHECKS + 3)],
    &[other(SAFE_CHECKS), other(SAFE_CHECKS + 1), other(SAFE_CHECKS + 2), other(SAFE_CHECKS + 3)],
    &[own(KING_ATTACKS), own(KING_ATTACKS + 1), own(KING_ATTACKS + 2)],
    &[other(KING_ATTACKS), other(KING_ATTACKS + 1), other(KING_ATTACKS + 2)],
    &[own(KING_ATTACKS + 3), own(KING_ATTACKS + 4), own(WEAK_RING)],
    &[other(KING_ATTACKS + 3), other(KING_ATTACKS + 4), other(WEAK_RING)],
    &[own(HANGING), own(OUTNUMBERED), own(BY_LESSER), own(LOOSE)],
    &[other(HANGING), other(OUTNUMBERED), other(BY_LESSER), other(LOOSE)],
    &[own(PUSH_THREATS), own(LEVERS), own(BLOCKED_PAWNS), own(KING_MOBILITY)],
    &[other(PUSH_THREATS), other(LEVERS), other(BLOCKED_PAWNS), other(KING_MOBILITY)],
    &[own(PASSED_PAWN), other(PASSED_PAWN)],
];

/// The first input of each term, and behind them the number of all: those of the own side's values from 1 on, then the
/// opponent's.
const FIRST_INPUTS: [usize; TERMS.len() + 1] = {
    let mut first = [0; TERMS.len() + 1];
    let mut term = 0;
    while term < TERMS.len() {
        first[term + 1] = first[term] + 2 * (TERMS[term].values - 1);
        term += 1;
    }
    first
};

/// Term inputs of one perspective.
pub const TERM_INPUTS: usize = FIRST_INPUTS[TERMS.len()];

/// The inputs of a term, of both sides.
pub const fn inputs_of(term: usize) -> std::ops::Range<usize> {
    FIRST_INPUTS[term]..FIRST_INPUTS[term + 1]
}

/// The first row of each table, and behind them the number of all.
const FIRST_ROWS: [usize; TABLES.len() + 1] = {
    let mut first = [0; TABLES.len() + 1];
    let mut table = 0;
    while table < TABLES.len() {
        first[table + 1] = first[table] + rows_of(TABLES[table]);
        table += 1;
    }
    first
};

/// Rows of all tables.
pub const TABLE_ROWS: usize = FIRST_ROWS[TABLES.len()];

/// The rows of a table.
const fn rows_of(operands: &[Operand]) -> usize {
    let (mut rows, mut at) = (1, 0);
    while at < operands.len() {
        rows *= TERMS[operands[at].term].values;
        at += 1;
    }
    rows
}

/// The rows of a table among those of all.
pub const fn table_rows(table: usize) -> std::ops::Range<usize> {
    FIRST_ROWS[table]..FIRST_ROWS[table + 1]
}

/// The terms that are looked up together with a term.
pub const fn operands_with(term: usize) -> usize {
    let mut table = 0;
    while table < TABLES.len() {
        let mut at = 0;
        while at < TABLES[table].len() {
            if TABLES[table][at].term == term {
                return TABLES[table].len();
            }
            at += 1;
        }
        table += 1;
    }
    0
}

/// The input of a value of a term; `None` for value 0.
#[inline]
pub fn input_of(operand: Operand, value: usize) -> Option<usize> {
    let first = FIRST_INPUTS[operand.term] + usize::from(operand.is_opponent) * (TERMS[operand.term].values - 1);
    value.checked_sub(1).map(|above| first + above)
}

/// The row of a table for these values of the own side's terms and of the opponent's.
#[inline(always)]
pub fn table_row(table: usize, own: &[u8; TERMS.len()], opponent: &[u8; TERMS.len()]) -> usize {
    let mut row = 0;
    for operand in TABLES[table].iter().rev() {
        let values = if operand.is_opponent { opponent } else { own };
        row = row * TERMS[operand.term].values + usize::from(values[operand.term]);
    }
    FIRST_ROWS[table] + row
}

/// The inputs whose weights make up a row of a table: one or none for each of its terms.
pub fn inputs_of_row(table: usize, row: usize) -> impl Iterator<Item = usize> {
    let mut rest = row - FIRST_ROWS[table];
    TABLES[table].iter().filter_map(move |&operand| {
        let values = TERMS[operand.term].values;
        let value = rest % values;
        rest /= values;
        input_of(operand, value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn each_term_of_either_side_is_in_one_table() {
        let mut found = BTreeSet::new();
        for operand in TABLES.into_iter().flatten() {
            assert!(found.insert((operand.term, operand.is_opponent)));
        }
        assert_eq!(found.len(), 2 * TERMS.len());
    }

    #[test]
    fn the_row_of_some_values_has_their_inputs() {
        let mut state = 1_u64;
        for _ in 0..200 {
            let mut values = || {
                std::array::from_fn(|term| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    ((state >> 33) as usize % TERMS[term].values) as u8
                })
            };
            let [own, opponent]: [[u8; TERMS.len()]; 2] = [values(), values()];
            for table in 0..TABLES.len() {
                let row = table_row(table, &own, &opponent);
                assert!(table_rows(table).contains(&row));
                let expected: Vec<usize> = TABLES[table]
                    .iter()
                    .filter_map(|&operand| {
                        let values = if operand.is_opponent { &opponent } else { &own };
                        input_of(operand, values[operand.term].into())
                    })
                    .collect();
                assert!(inputs_of_row(table, row).eq(expected));
            }
        }
    }
}
