//! Legal move generation: pins and a check mask make every generated move legal, so nothing is tested afterwards.

use super::attacks::{
    between, bishop_attacks, king_attacks, knight_attacks, pawn_attacks, pawns_attack, ray_through,
    rook_attacks,
};
use super::bitboard::Bitboard;
use super::castling::CastlingSide;
use super::chess_move::{Move, MoveKind};
use super::move_list::MoveList;
use super::piece::PieceType;
use super::position::Position;
use super::square::{Color, Rank, Square};

/// The moves that [`Position::generate`] generates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Generate {
    /// Every legal move.
    All,
    /// Moves with [`Move::is_noisy`]: captures and queen promotions.
    Noisy,
    /// Moves with [`Move::is_quiet`]: all others.
    Quiet,
}

impl Position {
    /// Appends the legal moves that `which` selects to `moves`, in no particular order.
    ///
    /// ```
    /// use tamarack_chess::{Generate, MoveList, Position, positions};
    /// let position: Position = positions::KIWIPETE.parse()?;
    /// let mut moves = MoveList::new();
    /// position.generate(Generate::Noisy, &mut moves);
    /// let noisy = moves.len();
    /// position.generate(Generate::Quiet, &mut moves); // appended
    /// assert_eq!((noisy, moves.len()), (8, 48));
    /// # Ok::<(), tamarack_chess::FenError>(())
    /// ```
    pub fn generate(&self, which: Generate, moves: &mut MoveList) {
        self.generate_into(which, moves);
    }

    /// Every legal move, in no particular order.
    ///
    /// ```
    /// use tamarack_chess::Position;
    /// for mv in Position::startpos().legal_moves() {
    ///     println!("{} {}", mv.from(), mv.to());
    /// }
    /// ```
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.generate_into(Generate::All, &mut moves);
        moves
    }

    /// True if there is a legal move; false in mate and stalemate.
    ///
    /// ```
    /// use tamarack_chess::Position;
    /// let mated: Position = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1".parse()?;
    /// assert!(mated.in_check() && !mated.has_legal_move());
    /// # Ok::<(), tamarack_chess::FenError>(())
    /// ```
    pub fn has_legal_move(&self) -> bool {
        self.count_legal_moves() > 0
    }

    /// True if the position is a draw by the fifty-move rule: a halfmove clock of at least 100, and no mate on the board.
    ///
    /// ```
    /// use tamarack_chess::Position;
    /// let position: Position = "4k3/8/8/8/8/8/8/R3K3 w - - 100 90".parse()?;
    /// assert!(position.is_drawn_by_fifty_moves());
    /// # Ok::<(), tamarack_chess::FenError>(())
    /// ```
    #[inline(always)]
    pub fn is_drawn_by_fifty_moves(&self) -> bool {
        self.halfmove_clock() >= 100 && (!self.in_check() || self.has_legal_move())
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

    /// Appends those quiet moves that check directly: the moved piece itself attacks the king, by no promotion or castling.
    /// They are few, and found without the other quiet moves.
    ///
    /// ```
    /// use tamarack_chess::{MoveList, Position};
    /// let position: Position = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1".parse()?;
    /// let mut checks = MoveList::new();
    /// position.generate_quiet_checks(&mut checks);
    /// assert_eq!(checks.len(), 1); // a1a8
    /// # Ok::<(), tamarack_chess::FenError>(())
    /// ```
    pub fn generate_quiet_checks(&self, moves: &mut MoveList) {
        let (us, occupied, pinned) = (self.side_to_move(), self.occupied(), self.pinned());
        let king = self.king(us);
        let answers = match self.checkers() {
            checkers if checkers.more_than_one() => return,
            checkers if checkers.is_empty() => Bitboard::FULL,
            checkers => between(king, checkers.single()),
        };
        let check_squares = self.check_squares().map(|squares| squares.without(occupied) & answers);
        let aims = |from| {
            self.piece_on(from).map_or(Bitboard::EMPTY, |piece| check_squares[piece.piece_type().index()])
        };
        let (free, pinned_pieces) = (self.color(us).without(pinned), self.color(us) & pinned);
        for from in self.of_type(PieceType::Knight) & free {
            moves.piece(from, knight_attacks(from) & aims(from), Bitboard::EMPTY);
        }
        for (pieces, is_pinned) in [(free, false), (pinned_pieces, true)] {
            let aims = |from| if is_pinned { aims(from) & ray_through(king, from) } else { aims(from) };
            for from in self.diagonal_sliders() & pieces {
                moves.piece(from, bishop_attacks(from, occupied) & aims(from), Bitboard::EMPTY);
            }
            for from in self.straight_sliders() & pieces {
                moves.piece(from, rook_attacks(from, occupied) & aims(from), Bitboard::EMPTY);
            }
        }
        let pawns = self.pieces(us, PieceType::Pawn).without(pinned.without(Bitboard::file(king.file())));
        let check_squares = check_squares[PieceType::Pawn.index()];
        let once = pawns.forward(us).without(occupied);
        let twice = (once & Bitboard::rank(Rank::R3.relative_to(us))).forward(us);
        let offset = push_offset(us);
        let last = Bitboard::rank(Rank::R8.relative_to(us));
        moves.pawns((once & check_squares).without(last), offset, MoveKind::Quiet);
        moves.pawns(twice & check_squares, 2 * offset, MoveKind::DoublePush);
    }

    /// True if the side to move may castle to `castling_side` now.
    pub(super) fn can_castle(&self, us: Color, castling_side: CastlingSide) -> bool {
        let Some(rook) = self.castling().rook_square(us, castling_side) else { return false };
        if self.in_check() {
            return false;
        }
        let king = self.king(us);
        let king_target = castling_side.king_target(us);
        let rook_target = castling_side.rook_target(us);
        let both = Bitboard::of(king) | Bitboard::of(rook);
        let king_path = between(king, king_target) | Bitboard::of(king_target);
        let rook_path = between(rook, rook_target) | Bitboard::of(rook_target);
        // A pinned rook (possible in Chess960 only) would open its rank on the king.
        if (king_path | rook_path).without(both).intersects(self.occupied()) || self.pinned().contains(rook) {
            return false;
        }
        let occupied = self.occupied();
        !king_path.iter().any(|square| self.attackers_to(square, occupied).intersects(self.color(!us)))
    }
}

/// What a pawn's push of one square adds to the index of its square.
#[inline(always)]
fn push_offset(us: Color) -> i32 {
    match us {
        Color::White => 8,
        Color::Black => -8,
    }
}

/// A receiver of generated moves: a list keeps them, a counter counts them.
trait Sink {
    /// Receives a piece's moves from `from` to each of `targets`; those in `enemies` are captures.
    fn piece(&mut self, from: Square, targets: Bitboard, enemies: Bitboard);
    /// Receives pawn moves of one kind, each from the square whose index is `shift` below that of its target.
    fn pawns(&mut self, targets: Bitboard, shift: i32, kind: MoveKind);
    /// Receives a single move.
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

/// The state of one generation of moves.
struct Generator<'a, S> {
    position: &'a Position,
    us: Color,
    which: Generate,
    king: Square,
    enemies: Bitboard,
    occupied: Bitboard,
    /// The targets of the generated moves, for pieces other than pawns.
    target_mask: Bitboard,
    /// The squares to which a move answers a check (capture or block); all squares without a check.
    check_mask: Bitboard,
    sink: &'a mut S,
}

impl<'a, S: Sink> Generator<'a, S> {
    #[inline(always)]
    fn new(position: &'a Position, us: Color, which: Generate, sink: &'a mut S) -> Generator<'a, S> {
        let (own, enemies) = (position.color(us), position.color(!us));
        let target_mask = match which {
            Generate::All => !own,
            Generate::Noisy => enemies,
            Generate::Quiet => !(own | enemies),
        };
        let king = position.king(us);
        let occupied = own | enemies;
        Generator {
            position,
            us,
            which,
            king,
            enemies,
            occupied,
            target_mask,
            check_mask: Bitboard::FULL,
            sink,
        }
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
            self.check_mask = between(self.king, checkers.single()) | checkers;
            self.pieces();
            self.pawns();
        }
    }

    /// King moves, castling apart. The king is taken off the board, so that it does not shield the squares behind it.
    #[inline(always)]
    fn king_moves(&mut self) {
        let them = !self.us;
        let position = self.position;
        let unsafe_for_king =
            pawns_attack(them, position.pieces(them, PieceType::Pawn)) | king_attacks(position.king(them));
        let mut targets = (king_attacks(self.king) & self.target_mask).without(unsafe_for_king);
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
        let targets = self.target_mask & self.check_mask;
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
            let targets =
                bishop_attacks(from, self.occupied) & self.target_mask & ray_through(self.king, from);
            self.sink.piece(from, targets, self.enemies);
        }
        for from in position.pinned() & position.straight_sliders() {
            let targets = rook_attacks(from, self.occupied) & self.target_mask & ray_through(self.king, from);
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
            let targets =
                pawn_attacks(self.us, from) & self.enemies & self.check_mask & ray_through(self.king, from);
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
    fn pawn_captures(&mut self, pawns: Bitboard) {
        if self.which == Generate::Quiet {
            return;
        }
        let ahead = pawns.forward(self.us);
        let targets = self.enemies & self.check_mask;
        self.pawn_captures_one_way(ahead.left() & targets, push_offset(self.us) - 1);
        self.pawn_captures_one_way(ahead.right() & targets, push_offset(self.us) + 1);
    }

    #[inline(always)]
    fn pawn_captures_one_way(&mut self, targets: Bitboard, shift: i32) {
        let last = Bitboard::rank(Rank::R8.relative_to(self.us));
        self.sink.pawns(targets.without(last), shift, MoveKind::Capture);
        let promoting = targets & last;
        if !promoting.is_empty() {
            for piece_type in [PieceType::Queen, PieceType::Knight, PieceType::Rook, PieceType::Bishop] {
                self.sink.pawns(promoting, shift, MoveKind::CapturePromotion(piece_type));
            }
        }
    }

    #[inline(always)]
    fn pawn_pushes(&mut self, pawns: Bitboard) {
        let last = Bitboard::rank(Rank::R8.relative_to(self.us));
        let third = Bitboard::rank(Rank::R3.relative_to(self.us));
        let once = pawns.forward(self.us).without(self.occupied);
        let promoting = once & last & self.check_mask;
        if !promoting.is_empty() {
            if self.which != Generate::Quiet {
                self.sink.pawns(promoting, push_offset(self.us), MoveKind::Promotion(PieceType::Queen));
            }
            if self.which != Generate::Noisy {
                for piece_type in [PieceType::Knight, PieceType::Rook, PieceType::Bishop] {
                    self.sink.pawns(promoting, push_offset(self.us), MoveKind::Promotion(piece_type));
                }
            }
        }
        if self.which != Generate::Noisy {
            let twice = (once & third).forward(self.us).without(self.occupied) & self.check_mask;
            self.sink.pawns(once.without(last) & self.check_mask, push_offset(self.us), MoveKind::Quiet);
            self.sink.pawns(twice, 2 * push_offset(self.us), MoveKind::DoublePush);
        }
    }

    #[inline(always)]
    fn castling(&mut self) {
        if !self.position.castling().any(self.us) {
            return;
        }
        for castling_side in CastlingSide::ALL {
            if self.position.can_castle(self.us, castling_side)
                && let Some(rook) = self.position.castling().rook_square(self.us, castling_side)
            {
                self.sink.single(self.king, rook, MoveKind::Castling);
            }
        }
    }
}
