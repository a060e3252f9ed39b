//! Legal moves: with the pins and a mask of the squares that answer a check, every generated move is legal and
//! nothing has to be tested afterwards.

use super::attacks::{
    between, bishop_attacks, king_attacks, knight_attacks, line, pawn_attacks, pawns_attack, rook_attacks,
};
use super::bitboard::Bitboard;
use super::castling::CastlingSide;
use super::chess_move::{Move, MoveKind};
use super::piece::PieceType;
use super::position::Position;
use super::square::{Color, Rank, Square};
use arrayvec::ArrayVec;

/// Room for the legal moves of any position; no legal position has more than 218.
pub type MoveList = ArrayVec<Move, 256>;

/// Which moves are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Generate {
    /// Every legal move.
    All,
    /// Those with [`Move::is_noisy`]: captures and queen promotions.
    Noisy,
    /// All the others.
    Quiet,
}

impl Position {
    /// Adds the legal moves of a sort to `moves`, in no particular order.
    pub fn generate(&self, which: Generate, moves: &mut MoveList) {
        self.generate_into(which, moves);
    }

    /// Every legal move, in no particular order.
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.generate_into(Generate::All, &mut moves);
        moves
    }

    /// Whether there is a legal move. If not, it is mate or stalemate.
    pub fn has_legal_move(&self) -> bool {
        self.count_legal_moves() > 0
    }

    /// The number of legal moves.
    pub(super) fn count_legal_moves(&self) -> u64 {
        let mut count = Count(0);
        self.generate_into(Generate::All, &mut count);
        u64::from(count.0)
    }

    #[inline(always)]
    fn generate_into<S: Sink>(&self, which: Generate, sink: &mut S) {
        // The colour is a constant in each arm, which makes the pawns' shifts cheap.
        match self.side_to_move() {
            Color::White => Generator::new(self, Color::White, which, sink).run(),
            Color::Black => Generator::new(self, Color::Black, which, sink).run(),
        }
    }

    /// Whether the side to move may castle on `wing` now.
    pub(super) fn can_castle(&self, us: Color, wing: CastlingSide) -> bool {
        let Some(rook) = self.castling().rook_square(us, wing) else { return false };
        if self.in_check() {
            return false;
        }
        let king = self.king(us);
        let king_target = wing.king_target(us);
        let rook_target = wing.rook_target(us);
        let both = Bitboard::of(king) | Bitboard::of(rook);
        let mut king_path = between(king, king_target) | Bitboard::of(king_target);
        let rook_path = between(rook, rook_target) | Bitboard::of(rook_target);
        // A pinned rook (possible in Chess960 only) would open its rank on the king.
        if (king_path | rook_path).without(both).intersects(self.occupied()) || self.pinned().contains(rook) {
            return false;
        }
        let occupied = self.occupied();
        !Iterator::any(&mut king_path, |square| {
            self.attackers_to(square, occupied).intersects(self.color(!us))
        })
    }
}

/// What is done with generated moves: they are kept or only counted.
trait Sink {
    /// A piece's moves from `from` to each of `targets`; those in `enemies` are captures.
    fn piece(&mut self, from: Square, targets: Bitboard, enemies: Bitboard);
    /// Moves of one kind by pawns, each from the square `shift` below (in index) its target.
    fn pawns(&mut self, targets: Bitboard, shift: i32, kind: MoveKind);
    /// A single move.
    fn single(&mut self, from: Square, to: Square, kind: MoveKind);
}

struct Count(u32);

impl Sink for Count {
    #[inline(always)]
    fn piece(&mut self, _: Square, targets: Bitboard, _: Bitboard) {
        self.0 += targets.count();
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, _: i32, _: MoveKind) {
        self.0 += targets.count();
    }

    #[inline(always)]
    fn single(&mut self, _: Square, _: Square, _: MoveKind) {
        self.0 += 1;
    }
}

impl Sink for MoveList {
    #[inline(always)]
    fn piece(&mut self, from: Square, targets: Bitboard, enemies: Bitboard) {
        for to in targets & enemies {
            self.push(Move::new(from, to, MoveKind::Capture));
        }
        for to in targets.without(enemies) {
            self.push(Move::new(from, to, MoveKind::Quiet));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, shift: i32, kind: MoveKind) {
        for to in targets {
            self.push(Move::new(Square::from_index((to as i32 - shift) as usize), to, kind));
        }
    }

    #[inline(always)]
    fn single(&mut self, from: Square, to: Square, kind: MoveKind) {
        self.push(Move::new(from, to, kind));
    }
}

/// What all parts of one generation share.
struct Generator<'a, S> {
    position: &'a Position,
    us: Color,
    which: Generate,
    king: Square,
    enemies: Bitboard,
    occupied: Bitboard,
    /// Where the wanted moves may go, for pieces other than pawns.
    wanted: Bitboard,
    /// The squares that answer a check: everywhere if there is none.
    evasion: Bitboard,
    sink: &'a mut S,
}

impl<'a, S: Sink> Generator<'a, S> {
    #[inline(always)]
    fn new(position: &'a Position, us: Color, which: Generate, sink: &'a mut S) -> Generator<'a, S> {
        let (own, enemies) = (position.color(us), position.color(!us));
        let wanted = match which {
            Generate::All => !own,
            Generate::Noisy => enemies,
            Generate::Quiet => !(own | enemies),
        };
        let king = position.king(us);
        let occupied = own | enemies;
        Generator { position, us, which, king, enemies, occupied, wanted, evasion: Bitboard::FULL, sink }
    }

    #[inline(always)]
    fn run(mut self) {
        self.king_moves();
        let checkers = self.position.checkers();
        if checkers.is_empty() {
            self.pieces();
            self.pinned_sliders();
            self.pawns();
            if self.which != Generate::Noisy {
                self.castling();
            }
        } else if !checkers.more_than_one() {
            // A pinned piece never answers a check, so the generation of pinned ones is left out.
            self.evasion = between(self.king, checkers.single()) | checkers;
            self.pieces();
            self.pawns();
        }
    }

    /// King moves, castling apart. The king does not shield the squares behind it.
    #[inline(always)]
    fn king_moves(&mut self) {
        let them = !self.us;
        let position = self.position;
        let taboo =
            pawns_attack(them, position.pieces(them, PieceType::Pawn)) | king_attacks(position.king(them));
        let mut targets = (king_attacks(self.king) & self.wanted).without(taboo);
        let occupied = self.occupied ^ Bitboard::of(self.king);
        let knights = position.pieces(them, PieceType::Knight);
        let diagonal = position.diagonal_sliders() & self.enemies;
        let straight = position.straight_sliders() & self.enemies;
        for to in targets {
            let attacked = knight_attacks(to).intersects(knights)
                || bishop_attacks(to, occupied).intersects(diagonal)
                || rook_attacks(to, occupied).intersects(straight);
            if attacked {
                targets ^= Bitboard::of(to);
            }
        }
        self.sink.piece(self.king, targets, self.enemies);
    }

    /// Moves of knights and sliders that are not pinned.
    #[inline(always)]
    fn pieces(&mut self) {
        let position = self.position;
        let targets = self.wanted & self.evasion;
        let free = position.color(self.us).without(position.pinned());
        for from in position.of_type(PieceType::Knight) & free {
            self.sink.piece(from, knight_attacks(from) & targets, self.enemies);
        }
        for from in position.diagonal_sliders() & free {
            self.sink.piece(from, bishop_attacks(from, self.occupied) & targets, self.enemies);
        }
        for from in position.straight_sliders() & free {
            self.sink.piece(from, rook_attacks(from, self.occupied) & targets, self.enemies);
        }
    }

    /// Moves of pinned sliders, along the line of the pin. A pinned knight has none.
    #[inline(always)]
    fn pinned_sliders(&mut self) {
        let position = self.position;
        for from in position.pinned() & position.diagonal_sliders() {
            let targets = bishop_attacks(from, self.occupied) & self.wanted & line(self.king, from);
            self.sink.piece(from, targets, self.enemies);
        }
        for from in position.pinned() & position.straight_sliders() {
            let targets = rook_attacks(from, self.occupied) & self.wanted & line(self.king, from);
            self.sink.piece(from, targets, self.enemies);
        }
    }

    #[inline(always)]
    fn pawns(&mut self) {
        let position = self.position;
        let pawns = position.pieces(self.us, PieceType::Pawn);
        let pinned = position.pinned() & pawns;
        self.pawn_captures(pawns.without(pinned));
        self.pawn_pushes(pawns.without(pinned.without(Bitboard::file(self.king.file()))));
        for from in pinned {
            // A check and a pin at once leave nothing: no square is both on the line and an answer.
            let targets = pawn_attacks(self.us, from) & self.enemies & self.evasion & line(self.king, from);
            if self.which != Generate::Quiet {
                for to in targets {
                    self.pawn_captures_one_way(Bitboard::of(to), to as i32 - from as i32);
                }
            }
        }
        if let Some(target) = position.en_passant()
            && self.which != Generate::Quiet
        {
            for from in pawn_attacks(!self.us, target) & pawns {
                if position.en_passant_is_safe(self.us, from, target) {
                    self.sink.single(from, target, MoveKind::EnPassant);
                }
            }
        }
    }

    #[inline(always)]
    fn up(&self) -> i32 {
        match self.us {
            Color::White => 8,
            Color::Black => -8,
        }
    }

    #[inline(always)]
    fn pawn_captures(&mut self, pawns: Bitboard) {
        if self.which == Generate::Quiet {
            return;
        }
        let ahead = pawns.forward(self.us);
        let targets = self.enemies & self.evasion;
        self.pawn_captures_one_way(ahead.left() & targets, self.up() - 1);
        self.pawn_captures_one_way(ahead.right() & targets, self.up() + 1);
    }

    #[inline(always)]
    fn pawn_captures_one_way(&mut self, targets: Bitboard, shift: i32) {
        let last = Bitboard::rank(Rank::R8.relative_to(self.us));
        self.sink.pawns(targets.without(last), shift, MoveKind::Capture);
        let promoting = targets & last;
        if promoting.any() {
            for kind in [PieceType::Queen, PieceType::Knight, PieceType::Rook, PieceType::Bishop] {
                self.sink.pawns(promoting, shift, MoveKind::CapturePromotion(kind));
            }
        }
    }

    #[inline(always)]
    fn pawn_pushes(&mut self, pawns: Bitboard) {
        let last = Bitboard::rank(Rank::R8.relative_to(self.us));
        let third = Bitboard::rank(Rank::R3.relative_to(self.us));
        let once = pawns.forward(self.us).without(self.occupied);
        let promoting = once & last & self.evasion;
        if promoting.any() {
            if self.which != Generate::Quiet {
                self.sink.pawns(promoting, self.up(), MoveKind::Promotion(PieceType::Queen));
            }
            if self.which != Generate::Noisy {
                for kind in [PieceType::Knight, PieceType::Rook, PieceType::Bishop] {
                    self.sink.pawns(promoting, self.up(), MoveKind::Promotion(kind));
                }
            }
        }
        if self.which != Generate::Noisy {
            let twice = (once & third).forward(self.us).without(self.occupied) & self.evasion;
            self.sink.pawns(once.without(last) & self.evasion, self.up(), MoveKind::Quiet);
            self.sink.pawns(twice, 2 * self.up(), MoveKind::DoublePush);
        }
    }

    #[inline(always)]
    fn castling(&mut self) {
        if !self.position.castling().any(self.us) {
            return;
        }
        for wing in CastlingSide::ALL {
            if self.position.can_castle(self.us, wing)
                && let Some(rook) = self.position.castling().rook_square(self.us, wing)
            {
                self.sink.single(self.king, rook, MoveKind::Castling);
            }
        }
    }
}
