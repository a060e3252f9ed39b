//! The arrays of Chess960.

use tamarack::chess::PieceType;

/// The back rank of this number in Scharnagl's order, from the a-file on; 518 is the usual one.
pub fn back_rank(number: usize) -> [PieceType; 8] {
    let mut rank = [None; 8];
    let (rest, light) = (number / 4, number % 4);
    let (rest, dark) = (rest / 4, rest % 4);
    let (knights, queen) = (rest / 6, rest % 6);
    rank[2 * light + 1] = Some(PieceType::Bishop);
    rank[2 * dark] = Some(PieceType::Bishop);
    place(&mut rank, queen, PieceType::Queen);
    let pairs = [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];
    let (first, second) = pairs[knights % pairs.len()];
    place(&mut rank, second, PieceType::Knight);
    place(&mut rank, first, PieceType::Knight);
    for kind in [PieceType::Rook, PieceType::King, PieceType::Rook] {
        place(&mut rank, 0, kind);
    }
    rank.map(|kind| kind.unwrap_or(PieceType::Rook))
}

/// Puts a piece on the free square of that number.
fn place(rank: &mut [Option<PieceType>; 8], number: usize, kind: PieceType) {
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
        let all: HashSet<[PieceType; 8]> = (0..960).map(back_rank).collect();
        assert_eq!(all.len(), 960);
    }
}
