//! The arrays of Chess960.

use tamarack::chess::Kind;

/// The back rank of this number in Scharnagl's order, from the a-file on; 518 is the usual one.
pub fn back_rank(number: usize) -> [Kind; 8] {
    let mut rank = [None; 8];
    let (rest, light) = (number / 4, number % 4);
    let (rest, dark) = (rest / 4, rest % 4);
    let (knights, queen) = (rest / 6, rest % 6);
    rank[2 * light + 1] = Some(Kind::Bishop);
    rank[2 * dark] = Some(Kind::Bishop);
    place(&mut rank, queen, Kind::Queen);
    let pairs = [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];
    let (first, second) = pairs[knights % pairs.len()];
    place(&mut rank, second, Kind::Knight);
    place(&mut rank, first, Kind::Knight);
    for kind in [Kind::Rook, Kind::King, Kind::Rook] {
        place(&mut rank, 0, kind);
    }
    rank.map(|kind| kind.unwrap_or(Kind::Rook))
}

/// Puts a piece on the free square of that number.
fn place(rank: &mut [Option<Kind>; 8], number: usize, kind: Kind) {
    if let Some(free) = rank.iter_mut().filter(|square| square.is_none()).nth(number) {
        *free = Some(kind);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn there_are_960_arrays() {
        let all: HashSet<[Kind; 8]> = (0..960).map(back_rank).collect();
        assert_eq!(all.len(), 960);
    }
}
