//! One node of the search: what is known before a move is tried, and the list of steps taken there.

use super::correction::{CORRECTION_DISTANCES, LastMoves};
use super::extend::{self, Singular};
use super::history::{CONTINUATIONS, Context, Preceding};
use super::table::Entry;
use super::worker::Searcher;
use super::{deepen, lab, prune, reduce};
use crate::chess::{Move, Position};
use crate::score::{Bound, MAX_PLY, Score};
use crate::tunables;

tunables! {
    /// Up to this depth a table entry must agree with what is expected of the node to answer for it.
    tt_cut_expected_depth = 5, 0..=10, step 1;
}

/// How near a mate must be for nothing to be overlooked on the way to a shorter one.
const MATE_PLIES: usize = 7;

/// The search was told to stop; travels upwards by `?`.
#[derive(Clone, Copy, Debug)]
pub struct Stopped;

/// What a node returns.
pub type Searched = Result<Score, Stopped>;

/// What differs between kinds of nodes, decided when the engine is compiled.
pub trait NodeKind {
    /// On the principal variation: searched with an open window.
    const PV: bool;
    /// The root of the tree.
    const ROOT: bool;
}

/// The root.
pub struct Root;
/// A node on the principal variation.
pub struct Pv;
/// Every other node: searched only to learn on which side of one score it lies.
pub struct NonPv;

impl NodeKind for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}
impl NodeKind for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}
impl NodeKind for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
}

/// The scores between which the answer matters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// What the side to move has already.
    pub alpha: Score,
    /// What the opponent will not allow.
    pub beta: Score,
}

impl Window {
    /// Everything.
    pub const FULL: Window = Window { alpha: Score::from_raw(-32_001), beta: Score::INFINITE };

    /// Asks only whether the score is above `alpha`.
    #[inline(always)]
    pub fn null_above(alpha: Score) -> Window {
        Window { alpha, beta: alpha + 1 }
    }

    /// As the opponent sees it.
    #[inline(always)]
    pub fn flipped(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
}

/// What is known about a node before a move is tried. Filled from top to bottom once, then only read.
pub struct Node<'p> {
    /// The position.
    pub position: &'p Position,
    /// The scores that matter.
    pub window: Window,
    /// Plies still to search.
    pub depth: i32,
    /// The depth that the parent will want in the end: more than `depth` only inside internal deepening.
    pub wanted: i32,
    /// Plies from the root.
    pub ply: usize,
    /// Expected to fail high.
    pub cut_node: bool,
    /// A move that is left out: the others are asked whether they can replace it (singular extension).
    pub excluded: Option<Move>,
    /// What the table knows; its move, if any, is legal.
    pub hit: Option<Entry>,
    /// What the evaluation says by itself; `None` in check.
    pub raw_eval: Option<Score>,
    /// What it says after correction by what was learned; `None` in check.
    pub static_eval: Option<Score>,
    /// The best guess of the score: the evaluation, or the table's score where that is closer to the truth.
    pub estimate: Score,
    /// The side to move stands better than at its last move.
    pub improving: bool,
    /// The node is being searched already, and asks itself something by a smaller search.
    pub again: bool,
    /// What tablebases promise the side to move at least; known on the principal variation only.
    pub least: Score,
    /// What they promise it at most.
    pub most: Score,
}

impl<'p> Node<'p> {
    /// A node of which nothing is known yet.
    #[inline(always)]
    pub fn new(position: &'p Position, window: Window, depth: i32, ply: usize) -> Node<'p> {
        Node {
            position,
            window,
            depth,
            wanted: depth,
            ply,
            cut_node: false,
            excluded: None,
            hit: None,
            raw_eval: None,
            static_eval: None,
            estimate: Score::DRAW,
            improving: false,
            again: false,
            least: -Score::INFINITE,
            most: Score::INFINITE,
        }
    }

    /// The same with the expectation to fail high.
    #[inline(always)]
    pub fn expecting_cut(mut self, cut_node: bool) -> Node<'p> {
        self.cut_node = cut_node;
        self
    }

    /// The same with the knowledge that a search to depth `wanted` will follow.
    #[inline(always)]
    pub fn wanted_to(mut self, wanted: i32) -> Node<'p> {
        self.wanted = wanted;
        self
    }

    /// The same without a move.
    #[inline(always)]
    pub fn excluding(mut self, mv: Move) -> Node<'p> {
        self.excluded = Some(mv);
        self
    }

    /// The same as a question that a node asks about itself.
    #[inline(always)]
    pub fn again(mut self) -> Node<'p> {
        self.again = true;
        self
    }

    /// Searches the node by `plies` deeper than its parent asked. What the parent wants in the end moves along, or a
    /// node that deepens itself would never get there.
    #[inline(always)]
    pub fn change_depth(&mut self, plies: i32) {
        self.depth += plies;
        self.wanted += plies;
    }

    /// The move that the table suggests.
    #[inline(always)]
    pub fn table_move(&self) -> Option<Move> {
        self.hit.as_ref().and_then(|hit| hit.mv)
    }

    /// Whether the position is or has been on a principal variation, as far as the table knows.
    #[inline(always)]
    pub fn was_pv(&self) -> bool {
        self.hit.as_ref().is_some_and(|hit| hit.was_pv)
    }

    /// The size of the correction in the static evaluation, in centipawns.
    #[inline(always)]
    pub fn correction(&self) -> i32 {
        self.static_eval.zip(self.raw_eval).map_or(0, |(eval, raw)| (eval - raw.raw()).raw().abs())
    }

    /// Whether only a mate within the next few plies would still be news. Every move is then searched in full, or the
    /// shortest mate would hide behind a longer one; the tree is small, for mate distance pruning ends it.
    #[inline(always)]
    pub fn asks_for_mate(&self) -> bool {
        self.window.alpha >= Score::mate_in(self.ply + MATE_PLIES)
    }

    /// Whether whole-node pruning may be thought of: not in check, and no proven score at stake.
    #[inline(always)]
    pub fn may_be_pruned(&self) -> bool {
        self.static_eval.is_some() && self.excluded.is_none() && !self.window.beta.is_decisive()
    }
}

impl Searcher<'_> {
    /// Searches a node (fail-soft): the list of steps.
    pub fn search_node<K: NodeKind>(&mut self, mut node: Node<'_>) -> Searched {
        if node.depth <= 0 {
            return self.quiescence::<K>(node);
        }
        if let Some(score) = self.begin::<K>(&mut node)? {
            return Ok(score);
        }
        if let Some(score) = self.known_from_tables::<K>(&mut node) {
            return Ok(score);
        }
        if !K::PV && node.may_be_pruned() && !self.is_proving() {
            if let Some(score) = prune::reverse_futility(&node) {
                return Ok(score);
            }
            if let Some(score) = prune::null_move(self, &node)? {
                return Ok(score);
            }
            if let Some(score) = prune::probcut(self, &node)? {
                return Ok(score);
            }
        }
        // Standing above beta is as good as improving (Stockfish).
        node.improving |= node.static_eval.is_some_and(|eval| eval >= node.window.beta);
        let full_width = self.is_full_width();
        match lab::no_table_move() {
            _ if full_width => {}
            lab::NoTableMove::Nothing => {}
            lab::NoTableMove::Reduce => reduce::without_table_move::<K>(&mut node),
            lab::NoTableMove::Deepen | lab::NoTableMove::SelfDeepen => {
                deepen::find_table_move::<K>(self, &mut node)?
            }
        }
        if !full_width {
            reduce::in_hindsight(self, &mut node);
        }
        let singular = if full_width { Singular::Extend(0) } else { extend::singular::<K>(self, &node)? };
        let extension = match singular {
            Singular::Extend(plies) => plies,
            Singular::Cut(score) => return Ok(score),
        };
        let outcome = self.try_moves::<K>(&node, extension)?;
        let score = self.leave::<K>(&node, &outcome);
        if lab::no_table_move() == lab::NoTableMove::SelfDeepen && deepen::goes_on(&node, &outcome) {
            return deepen::itself::<K>(self, &node);
        }
        Ok(score)
    }

    /// What every node begins with, quiescence included: a score if nothing needs to be searched, else the evaluation.
    #[inline(always)]
    pub(super) fn begin<K: NodeKind>(&mut self, node: &mut Node<'_>) -> Result<Option<Score>, Stopped> {
        self.enter(node.ply)?;
        let known = self.ends_here::<K>(node).or_else(|| self.known_from_table::<K>(node));
        if known.is_none() {
            self.evaluate(node);
        }
        Ok(known)
    }

    /// Draws, the end of the search's depth, and mate distance pruning.
    #[inline(always)]
    fn ends_here<K: NodeKind>(&mut self, node: &mut Node<'_>) -> Option<Score> {
        if K::ROOT {
            return None;
        }
        if self.is_drawn(node.position) {
            return Some(Score::DRAW);
        }
        if node.ply >= MAX_PLY - 1 {
            return Some(if node.position.in_check() {
                Score::DRAW
            } else {
                self.network_eval(node.position)
            });
        }
        // A move from here leads to a position that was there before: the side to move has at least a draw.
        if node.window.alpha < Score::DRAW && self.keys.upcoming_repetition(node.position) {
            node.window.alpha = Score::DRAW;
        }
        // Mate distance pruning: no line from here can be better than mating at once, or worse than being mated now.
        node.window.alpha = node.window.alpha.max(Score::mated_in(node.ply));
        node.window.beta = node.window.beta.min(Score::mate_in(node.ply + 1));
        (node.window.alpha >= node.window.beta).then_some(node.window.alpha)
    }

    /// By material, by repetition, or by fifty moves.
    #[inline(always)]
    fn is_drawn(&self, position: &Position) -> bool {
        position.is_drawn_by_fifty_moves() || position.is_insufficient_material() || self.keys.is_repetition()
    }

    /// Looks the position up; off the principal variation a deep enough entry answers for the node.
    #[inline(always)]
    fn known_from_table<K: NodeKind>(&mut self, node: &mut Node<'_>) -> Option<Score> {
        node.hit = self.probe(node);
        if K::ROOT {
            self.root_table_move(node);
            return None;
        }
        let hit = node.hit.as_ref()?;
        // Close to the fifty-move limit the same position can have another value.
        let usable = !K::PV
            && node.excluded.is_none()
            && hit.depth >= node.depth
            && node.position.halfmove_clock() < 90;
        // A result that contradicts what is expected of the node is looked at again where that is cheap.
        let expected =
            tt_cut_expected_depth() < node.depth || node.cut_node == (hit.score >= node.window.beta);
        if !usable || !expected || !hit.bound?.settles(hit.score, node.window.beta) {
            return None;
        }
        let score = hit.score;
        self.learn_from_table(node, score);
        Some(score)
    }

    /// The table's entry for a node, its move dropped unless it is legal here.
    #[inline(always)]
    pub(super) fn probe(&self, node: &Node<'_>) -> Option<Entry> {
        let mut hit = self.table.probe(node.position.key(), node.ply, node.position.halfmove_clock())?;
        hit.mv = hit.mv.filter(|&mv| node.position.is_legal(mv));
        Some(hit)
    }

    /// Static evaluation, what the table adds to it, and whether things are improving.
    #[inline(always)]
    fn evaluate(&mut self, node: &mut Node<'_>) {
        let last = self.last_moves(node.ply);
        node.raw_eval = self.raw_eval(node, last);
        node.static_eval = node.raw_eval.map(|eval| self.corrections.apply(node.position, last, eval));
        self.frame_mut(node.ply).static_eval = node.static_eval;
        let Some(eval) = node.static_eval else { return };
        node.estimate = eval;
        if let Some(hit) = &node.hit {
            let closer = match hit.bound {
                Some(Bound::Exact) => true,
                Some(Bound::Lower) => hit.score > eval,
                Some(Bound::Upper) => hit.score < eval,
                None => false,
            };
            if closer && !hit.score.is_decisive() {
                node.estimate = hit.score;
            }
        }
        if node.excluded.is_none() && !node.again {
            self.learn_from_evaluation(node.ply, eval);
        }
        let before = self.frame(node.ply, 2).static_eval.or(self.frame(node.ply, 4).static_eval);
        node.improving = before.is_none_or(|before| eval > before);
    }

    fn raw_eval(&mut self, node: &Node<'_>, last: LastMoves) -> Option<Score> {
        if node.position.in_check() {
            return None;
        }
        if let Some(eval) = node.hit.as_ref().and_then(|hit| hit.eval) {
            return Some(eval);
        }
        self.corrections.prefetch(node.position, last);
        let eval = self.network_eval(node.position);
        if node.hit.is_none() {
            self.table.store(node.position.key(), node.ply, &Entry::unsearched(Some(eval)));
        }
        Some(eval)
    }

    /// What the correction of a node's evaluation looks at beside the position.
    #[inline(always)]
    pub(super) fn last_moves(&self, ply: usize) -> LastMoves {
        LastMoves {
            last: self.frame(ply, 1).moved,
            ours: CORRECTION_DISTANCES.map(|distance| self.frame(ply, distance).moved),
        }
    }

    /// The moves that led to the node `back` plies above `ply`.
    #[inline(always)]
    pub(super) fn preceding(&self, ply: usize, back: usize) -> Preceding {
        CONTINUATIONS.map(|distance| self.frame(ply, back + distance).moved)
    }

    /// What histories look at beside the move.
    #[inline(always)]
    pub(super) fn context(&self, node: &Node<'_>) -> Context {
        Context {
            preceding: self.preceding(node.ply, 0),
            threats: node.position.threats_of(!node.position.side_to_move()),
        }
    }
}
