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

/// Knights.
pub const KNIGHTS: usize = 0;
/// Bishops, or [`OPPOSITE_BISHOPS`].
pub const BISHOPS: usize = 1;
/// Rooks.
pub const ROOKS: usize = 2;
/// Queens.
pub const QUEENS: usize = 3;
/// The mobility of knights.
pub const KNIGHT_MOBILITY: usize = 4;
/// The mobility of bishops.
pub const BISHOP_MOBILITY: usize = 5;
/// The mobility of rooks.
pub const ROOK_MOBILITY: usize = 6;

/// The value of [`BISHOPS`] where each side has one, of unlike squares.
pub const OPPOSITE_BISHOPS: u32 = 4;

/// All terms.
pub const TERMS: [Term; 7] = [
    term("knights", 4),
    term("bishops", 5),
    term("rooks", 4),
    term("queens", 3),
    term("knight-mobility", 17),
    term("bishop-mobility", 27),
    term("rook-mobility", 29),
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
pub const TABLES: [&[Operand]; 5] = [
    &[own(KNIGHTS), other(KNIGHTS), own(BISHOPS), other(BISHOPS)],
    &[own(ROOKS), other(ROOKS), own(QUEENS), other(QUEENS)],
    &[own(KNIGHT_MOBILITY), other(KNIGHT_MOBILITY)],
    &[own(BISHOP_MOBILITY), other(BISHOP_MOBILITY)],
    &[own(ROOK_MOBILITY), other(ROOK_MOBILITY)],
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
    let first =
        FIRST_INPUTS[operand.term] + usize::from(operand.is_opponent) * (TERMS[operand.term].values - 1);
    value.checked_sub(1).map(|above| first + above)
}

/// The row of a table for these values of the own side's terms and of the opponent's.
#[inline(always)]
fn row_of<const TABLE: usize>(own: &[u16; TERMS.len()], opponent: &[u16; TERMS.len()]) -> usize {
    let mut row = 0;
    for operand in TABLES[TABLE].iter().rev() {
        let values = if operand.is_opponent { opponent } else { own };
        row = row * TERMS[operand.term].values + usize::from(values[operand.term]);
    }
    FIRST_ROWS[TABLE] + row
}

/// The row of each table for these values of the own side's terms and of the opponent's.
#[inline(always)]
pub fn rows_of_values(own: &[u16; TERMS.len()], opponent: &[u16; TERMS.len()]) -> [usize; TABLES.len()] {
    // Each table by itself, so that what is known of it is known to the compiler.
    [
        row_of::<0>(own, opponent),
        row_of::<1>(own, opponent),
        row_of::<2>(own, opponent),
        row_of::<3>(own, opponent),
        row_of::<4>(own, opponent),
    ]
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
        for number in 0..500 {
            let values = |seed: usize| {
                std::array::from_fn(|term| ((seed + number * (term + 7)) % TERMS[term].values) as u16)
            };
            let [own, opponent]: [[u16; TERMS.len()]; 2] = [values(0), values(number)];
            for (table, row) in rows_of_values(&own, &opponent).into_iter().enumerate() {
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
