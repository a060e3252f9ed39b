//! Finds the multipliers of the engine's magic bitboards (src/chess/magic.rs) and prints them as Rust.

use clap::Args;
use tamarack::random::Random;

/// Find multipliers for magic bitboards.
#[derive(Args, Clone, Debug)]
pub struct MagicsArguments {
    /// Seed of the search; the same seed finds the same numbers. The default gives the engine's.
    #[arg(long, default_value_t = SEED)]
    pub seed: u64,
}

const SEED: u64 = 20_261_121;

/// Directions as steps of file and rank.
type Steps = [(i32, i32); 4];

const ROOK: Steps = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const BISHOP: Steps = [(1, 1), (-1, 1), (1, -1), (-1, -1)];

/// Searches and prints both tables.
///
/// # Errors
/// None; the signature is that of all jobs.
pub fn run(arguments: &MagicsArguments) -> anyhow::Result<()> {
    print!("{}", tables(arguments.seed));
    Ok(())
}

/// Both tables as Rust constants.
fn tables(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut text = String::new();
    for (name, steps) in [("ROOK", ROOK), ("BISHOP", BISHOP)] {
        text += &format!("#[rustfmt::skip]\nconst {name}_MULTIPLIERS: [u64; 64] = [\n");
        let found: Vec<String> = (0..64).map(|square| literal(find(square, &steps, &mut random))).collect();
        for row in found.chunks(4) {
            text += &format!("    {},\n", row.join(", "));
        }
        text += "];\n\n";
    }
    text
}

fn literal(number: u64) -> String {
    let part = |shift: u32| number >> shift & 0xFFFF;
    format!("0x{:04X}_{:04X}_{:04X}_{:04X}", part(48), part(32), part(16), part(0))
}

/// The squares from `square` in one direction, nearest first.
fn walk(square: u32, step: (i32, i32)) -> impl Iterator<Item = u64> {
    let (mut file, mut rank) = ((square & 7) as i32, (square >> 3) as i32);
    std::iter::from_fn(move || {
        file += step.0;
        rank += step.1;
        ((0..8).contains(&file) && (0..8).contains(&rank)).then(|| 1 << (rank * 8 + file))
    })
}

/// The squares attacked from `square` past the pieces of `occupied`.
fn attacks(square: u32, occupied: u64, steps: &Steps) -> u64 {
    let mut set = 0;
    for &step in steps {
        for bit in walk(square, step) {
            set |= bit;
            if occupied & bit != 0 {
                break;
            }
        }
    }
    set
}

/// The squares whose pieces matter: all that are attacked on an empty board but the last of each direction.
fn relevant(square: u32, steps: &Steps) -> u64 {
    let lasts = steps.iter().filter_map(|&step| walk(square, step).last());
    attacks(square, 0, steps) & !lasts.fold(0, |set, bit| set | bit)
}

/// A multiplier that gives every subset of the relevant squares an index of as few bits as there are such squares, with
/// equal indices only for equal attacks.
fn find(square: u32, steps: &Steps, random: &mut Random) -> u64 {
    let mask = relevant(square, steps);
    let shift = 64 - mask.count_ones();
    let mut subsets = Vec::new();
    let mut subset = 0u64;
    loop {
        subsets.push((subset, attacks(square, subset, steps)));
        subset = subset.wrapping_sub(mask) & mask;
        if subset == 0 {
            break;
        }
    }
    // The number of the attempt tells fresh entries from those of earlier attempts, which saves clearing.
    let mut table = vec![(0u32, 0u64); subsets.len()];
    let mut attempt = 0;
    loop {
        // Sparse numbers work best, and only those that carry the mask into the high bits can work.
        let multiplier = random.bits() & random.bits() & random.bits();
        if (mask.wrapping_mul(multiplier) >> 56).count_ones() < 6 {
            continue;
        }
        attempt += 1;
        let fits = subsets.iter().all(|&(subset, attacks)| {
            let entry = &mut table[(subset.wrapping_mul(multiplier) >> shift) as usize];
            let fits = entry.0 != attempt || entry.1 == attacks;
            *entry = (attempt, attacks);
            fits
        });
        if fits {
            return multiplier;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_engine_has_what_the_default_seed_finds() {
        let source = include_str!("../../src/chess/magic.rs");
        for table in tables(SEED).split_inclusive("];\n") {
            assert!(source.contains(table.trim()), "not in magic.rs:\n{table}");
        }
    }
}
