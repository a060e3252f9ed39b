//! Time management: the time allotted to a move, and the other limits of a search.
//!
//! A move has two limits. At the soft limit no new iteration is begun; it is stretched while the search is unsure (the best
//! move changes, the score falls, nodes are spent on other moves) and cut when it is sure. At the hard limit the search is
//! stopped. Neither is ever more than the time left on the clock less the overhead.

use super::request::{Limits, SearchRequest};
use super::shared_state::{SharedState, Timing};
use crate::score::{MAX_PLY, Score};
use chess::Color;
use std::time::Duration;

/// The numbers of the soft and hard limit. Shares are of the time that is left.
mod allocation {
    /// Moves planned for in a game without a next time control.
    pub(super) const HORIZON: f64 = 50.0;
    /// Without increment, overhead is reserved for this many moves.
    pub(super) const MAX_GAME_MOVES: f64 = 200.0;
    /// Share of the budget for a move at the start of a game without a next time control.
    pub(super) const OPENING: f64 = 0.022;
    /// Share added late in the game, when fewer moves are to come than [`HORIZON`].
    pub(super) const LATE_GAME_EXTRA: f64 = 0.012;
    /// [`OPENING`] for games with increment: the clock may run low, since increments refill it.
    pub(super) const OPENING_WITH_INCREMENT: f64 = 0.017;
    /// [`LATE_GAME_EXTRA`] for games with increment.
    pub(super) const LATE_GAME_EXTRA_WITH_INCREMENT: f64 = 0.027;
    /// Time constant, in moves, of the rise from [`OPENING`] to [`OPENING`] + [`LATE_GAME_EXTRA`].
    pub(super) const LATE_GAME_MOVES: f64 = 30.0;
    /// With increment: share of the overhead that a move is expected to cost.
    pub(super) const EXPECTED_LAG: f64 = 0.25;
    /// With increment: maximum soft limit as a share of the time left.
    pub(super) const MAX_SOFT_WITH_INCREMENT: f64 = 0.15;
    /// Maximum number of moves to the next time control that time is divided among: most games end before.
    pub(super) const MAX_MOVES_TO_GO: f64 = 60.0;
    /// With a next time control: share of a move's equal part of the budget; the rest is left for the last moves.
    pub(super) const MOVESTOGO_SHARE: f64 = 0.85;
    /// The hard limit, as multiple of the soft one.
    pub(super) const HARD: f64 = 5.0;
    /// Maximum hard limit with many moves to go, as share of the time left.
    pub(super) const HARD_BASE: f64 = 0.6;
    /// Added to [`HARD_BASE`] with one move to go.
    pub(super) const HARD_ONE_MOVE_EXTRA: f64 = 0.3;
    /// With a next time control: seconds by which a stop at the hard limit may be late, beside the overhead.
    pub(super) const LATE: f64 = 0.002;
    /// With a next time control: minimum hard limit, as share of a move's equal part of the budget.
    pub(super) const MIN_HARD: f64 = 0.25;
    /// Maximum overhead that is kept back from a fixed time for the move, as share of it.
    pub(super) const MOVE_TIME_RESERVE: f64 = 0.1;
    /// Soft limit with a single playable move, as share of the ordinary one: enough for a score and a move to ponder on.
    pub(super) const FORCED: f64 = 0.05;
    /// Maximum soft limit with a single playable move, in seconds.
    pub(super) const MAX_FORCED: f64 = 0.05;
    /// The pause before the answer at a level of weak play comes near to so many seconds, and no nearer, however much time there is.
    pub(super) const MAX_PAUSE: f64 = 15.0;
}

/// The factors on the soft limit. Their product is about 1 for a middling search.
mod scaling {
    /// The least depth at which node shares and scores count beside stability.
    pub(super) const FROM_DEPTH: i32 = 5;
    /// Stability: the factor when the best move has been the same for long.
    pub(super) const STABLE: f64 = 0.70;
    /// Stability: divided by n + 1, this is added when it has been the same for n iterations.
    pub(super) const UNSTABLE: f64 = 0.95;
    /// Node share: the factor when no nodes were spent on the best move.
    pub(super) const SHARE_BASE: f64 = 1.75;
    /// Node share: times the share of the best move, this is taken off.
    pub(super) const SHARE_SLOPE: f64 = 1.15;
    /// Score: added to 1 for each centipawn that the score has fallen.
    pub(super) const FALL: f64 = 0.008;
    /// Score: the minimum factor.
    pub(super) const MIN_FALL: f64 = 0.85;
    /// Score: the maximum factor.
    pub(super) const MAX_FALL: f64 = 1.45;
    /// The factor once a proven score has been best for some iterations.
    pub(super) const MATE: f64 = 0.3;
    /// Iterations for [`MATE`].
    pub(super) const MATE_STABLE: u32 = 3;
}

/// The state of the search after a finished iteration.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The iteration.
    pub depth: i32,
    /// Its score.
    pub score: Score,
    /// The score three iterations ago, or the oldest there is.
    pub earlier_score: Score,
    /// Iterations since the best move changed.
    pub best_move_stability: u32,
    /// The share of this search's nodes that was spent on the best move, 0 to 1.
    pub best_move_node_share: f64,
    /// The number of root moves that may be played.
    pub playable_moves: usize,
}

/// The limits of one search, which nobody else reads from the request. Each thread has its own copy; only the main thread's decides
/// about iterations and nodes.
#[derive(Clone, Debug)]
pub struct TimeManager {
    soft: Option<f64>,
    hard: Option<Duration>,
    depth: Option<i32>,
    nodes: Option<u64>,
    soft_nodes: Option<u64>,
    mate: Option<u32>,
    /// The depth of the iteration that proves or refutes a mate.
    mate_proof_depth: Option<i32>,
    infinite: bool,
    /// True for a move of a game, whose clocks are known.
    on_clock: bool,
    /// Nodes that count as a millisecond; 0 for the real time.
    nodes_per_ms: u64,
    /// The soft limit was reached while pondering: the search stops at `ponderhit`.
    stop_on_ponderhit: bool,
}

impl TimeManager {
    /// The limits of a request.
    pub fn new(request: &SearchRequest) -> TimeManager {
        let position = request.game.position();
        let (side, moves_played) = (position.side_to_move(), position.fullmove_number().saturating_sub(1));
        let options = &request.options;
        let manager = TimeManager::from_limits(&request.limits, side, options.move_overhead, moves_played);
        let level_nodes = options.strength.map(|strength| strength.nodes);
        TimeManager {
            nodes: manager.nodes.into_iter().chain(level_nodes).min(),
            nodes_per_ms: options.nodes_per_ms,
            ..manager
        }
    }

    fn from_limits(limits: &Limits, side: Color, overhead: Duration, moves_played: u32) -> TimeManager {
        let left = if limits.infinite { None } else { limits.time_left(side) };
        let increment = limits.increment[side.index()].as_secs_f64();
        let stage = GameStage { moves_to_go: limits.moves_to_go, moves_played };
        let allotted =
            left.map(|left| allocate(left.as_secs_f64(), increment, overhead.as_secs_f64(), stage));
        let move_time = limits.move_time.map(|time| fixed(time, overhead));
        let hard = [allotted.map(|(_, hard)| seconds(hard)), move_time].into_iter().flatten().min();
        TimeManager {
            soft: allotted.map(|(soft, _)| soft),
            hard,
            depth: limits.depth,
            nodes: limits.nodes,
            soft_nodes: limits.soft_nodes,
            mate: limits.mate,
            mate_proof_depth: limits.mate_proof_depth(),
            infinite: limits.infinite,
            on_clock: limits.ponder || limits.time.iter().any(Option::is_some),
            nodes_per_ms: 0,
            stop_on_ponderhit: false,
        }
    }

    /// The soft limit before it is stretched or cut.
    #[cfg(test)]
    fn soft_limit(&self) -> Option<Duration> {
        self.soft.map(seconds)
    }

    /// The hard limit.
    #[cfg(test)]
    fn hard_limit(&self) -> Option<Duration> {
        self.hard
    }

    /// The pause before the answer at a level of weak play, which takes no time to find: a share of the soft limit, at most all of it,
    /// counted from the start of our clock. Zero without a clock.
    pub fn pause(&self, share: f64) -> Duration {
        let Some(soft) = self.soft.filter(|_| self.nodes_per_ms == 0) else { return Duration::ZERO };
        let wanted = soft * share.clamp(0.0, 1.0);
        let longest = seconds(allocation::MAX_PAUSE * (1.0 - (-wanted / allocation::MAX_PAUSE).exp()));
        self.hard.map_or(longest, |hard| longest.min(hard / 2))
    }

    /// The depth of the last iteration there can be.
    pub fn max_depth(&self) -> i32 {
        self.depth.unwrap_or(i32::MAX).clamp(1, MAX_PLY as i32 - 1)
    }

    /// True if the user asks for an iteration by number (`go depth`).
    pub fn is_depth_asked(&self) -> bool {
        self.depth.is_some()
    }

    /// True in a search for a mate (`go mate`).
    #[inline(always)]
    pub fn is_mate_search(&self) -> bool {
        self.mate.is_some()
    }

    /// True if the iteration of `depth` proves or refutes a mate, so that it searches every move at full depth.
    pub fn is_mate_proof(&self, depth: i32) -> bool {
        self.mate_proof_depth.is_some_and(|proof_depth| depth >= proof_depth)
    }

    /// True if the answer waits for `stop` (`go infinite`).
    pub fn is_infinite(&self) -> bool {
        self.infinite
    }

    /// True if the search is neither for a move of a game on the clock nor for a mate.
    pub fn is_analysis(&self) -> bool {
        !self.on_clock && !self.is_mate_search()
    }

    /// The limit of nodes of all threads.
    pub fn node_limit(&self) -> Option<u64> {
        self.nodes
    }

    /// True if the search has to stop now. To be asked every few hundred nodes once there is a move to play.
    #[inline]
    pub fn hard_stop(&self, shared: &SharedState) -> bool {
        self.nodes.is_some_and(|limit| shared.nodes() >= limit)
            || (self.hard.is_some() || self.stop_on_ponderhit) && self.hard_time_up(&self.timing(shared))
    }

    /// True if the hard limit of time is reached: what threads other than the main one look at.
    #[inline]
    pub fn hard_limit_reached(&self, shared: &SharedState) -> bool {
        self.hard.is_some() && self.hard_time_up(&shared.timing())
    }

    /// The part of [`Self::hard_stop`] that concerns time.
    pub fn hard_time_up(&self, timing: &Timing) -> bool {
        timing.on_our_clock.is_some_and(|on_our_clock| {
            self.stop_on_ponderhit || self.hard.is_some_and(|hard| on_our_clock >= hard)
        })
    }

    /// The time so far: real, or counted in nodes from `go` on.
    fn timing(&self, shared: &SharedState) -> Timing {
        if self.nodes_per_ms == 0 {
            return shared.timing();
        }
        let counted = nodestime_elapsed(shared.nodes(), self.nodes_per_ms);
        Timing { since_go: counted, on_our_clock: (!shared.is_pondering()).then_some(counted) }
    }

    /// True if one of `parts` equal parts of the hard limit is used.
    pub fn is_fraction_used(&self, shared: &SharedState, parts: u32) -> bool {
        self.timing(shared)
            .on_our_clock
            .zip(self.hard)
            .is_some_and(|(on_our_clock, hard)| on_our_clock >= hard / parts)
    }

    /// True if no new iteration is to begin after the one of `progress`.
    pub fn soft_stop(&mut self, progress: &Progress, shared: &SharedState) -> bool {
        self.depth.is_some_and(|limit| progress.depth >= limit)
            || self.is_mate_proof(progress.depth)
            || self.soft_nodes.is_some_and(|limit| shared.nodes() >= limit)
            || self.mate.is_some_and(|moves| is_mate_within(progress, moves))
            || self.hard_stop(shared)
            || self.soft_time_up(progress, &self.timing(shared))
    }

    /// The part of [`Self::soft_stop`] that concerns time. Time spent pondering counts, though our clock did not run; when it
    /// is enough, the search ends at `ponderhit`.
    pub fn soft_time_up(&mut self, progress: &Progress, timing: &Timing) -> bool {
        let Some(soft) = self.soft else { return false };
        let wanted = if progress.playable_moves == 1 {
            (soft * allocation::FORCED).min(allocation::MAX_FORCED)
        } else {
            soft * soft_limit_scale(progress)
        };
        self.stop_on_ponderhit = timing.since_go.as_secs_f64() >= wanted;
        self.stop_on_ponderhit && timing.on_our_clock.is_some()
    }
}

/// The stage of the game.
#[derive(Clone, Copy)]
struct GameStage {
    moves_to_go: Option<u32>,
    moves_played: u32,
}

/// Soft and hard limit, from the time left, the increment and the overhead, all in seconds.
fn allocate(left: f64, increment: f64, overhead: f64, game: GameStage) -> (f64, f64) {
    let usable = (left - overhead).max(0.0);
    let later = 1.0 - (-f64::from(game.moves_played) / allocation::LATE_GAME_MOVES).exp();
    let (moves, budget, soft, max_hard) = match game.moves_to_go {
        Some(moves) => {
            let moves = f64::from(moves.max(1)).min(allocation::MAX_MOVES_TO_GO);
            let gain = increment - overhead;
            let budget = time_budget(usable, gain, moves, moves);
            // Each move to come may cost the whole overhead, and only increments refill the clock before the control.
            let reserve = allocation::LATE + (allocation::LATE - gain).max(0.0) * (moves - 1.0);
            let max_hard = (usable - reserve).max(budget.min(usable) * allocation::MIN_HARD / moves);
            (moves, budget, budget * allocation::MOVESTOGO_SHARE / moves, max_hard)
        }
        None if increment > 0.0 => {
            // Lags are mostly far shorter than the overhead; should they not be, there is a reserve.
            let gain = increment - overhead * allocation::EXPECTED_LAG;
            let budget = time_budget(usable, gain, allocation::HORIZON, allocation::HORIZON);
            let soft = budget
                * (allocation::OPENING_WITH_INCREMENT + allocation::LATE_GAME_EXTRA_WITH_INCREMENT * later);
            (allocation::HORIZON, budget, soft.min(usable * allocation::MAX_SOFT_WITH_INCREMENT), usable)
        }
        None => {
            let budget = time_budget(usable, -overhead, allocation::HORIZON, allocation::MAX_GAME_MOVES);
            let soft = budget * (allocation::OPENING + allocation::LATE_GAME_EXTRA * later);
            (allocation::HORIZON, budget, soft, usable)
        }
    };
    let hard = (soft * allocation::HARD)
        .min(budget.min(usable) * (allocation::HARD_BASE + allocation::HARD_ONE_MOVE_EXTRA / moves))
        .min(max_hard);
    (soft.min(hard), hard)
}

/// The seconds that can be spent on `moves` moves when each adds `gain` seconds to the clock. A negative gain costs as much
/// as in a game of `max_moves` moves when there is much time, and less when there is little, since lags are mostly shorter
/// than the overhead.
fn time_budget(usable: f64, gain: f64, moves: f64, max_moves: f64) -> f64 {
    match gain >= 0.0 {
        true => usable + gain * (moves - 1.0),
        false => usable * usable / (usable - gain * (max_moves - 1.0)),
    }
}

/// A fixed time for the move, less the overhead.
fn fixed(time: Duration, overhead: Duration) -> Duration {
    time - overhead.min(time.mul_f64(allocation::MOVE_TIME_RESERVE))
}

/// The factor by which the soft limit is stretched or cut.
fn soft_limit_scale(progress: &Progress) -> f64 {
    let stability = scaling::STABLE + scaling::UNSTABLE / (f64::from(progress.best_move_stability) + 1.0);
    if progress.depth < scaling::FROM_DEPTH {
        return stability;
    }
    let share = scaling::SHARE_BASE - scaling::SHARE_SLOPE * progress.best_move_node_share.clamp(0.0, 1.0);
    let fallen = f64::from(progress.earlier_score - progress.score);
    let fall = (1.0 + scaling::FALL * fallen).clamp(scaling::MIN_FALL, scaling::MAX_FALL);
    let settled = progress.score.is_decisive() && progress.best_move_stability >= scaling::MATE_STABLE;
    stability * share * fall * if settled { scaling::MATE } else { 1.0 }
}

/// The time that `nodes` count as where `nodes_per_ms`, at least 1, are a millisecond (`nodestime`).
pub fn nodestime_elapsed(nodes: u64, nodes_per_ms: u64) -> Duration {
    Duration::from_nanos((u128::from(nodes) * 1_000_000 / u128::from(nodes_per_ms.max(1))) as u64)
}

fn is_mate_within(progress: &Progress, moves: u32) -> bool {
    progress.score.moves_to_mate().is_some_and(|distance| distance.unsigned_abs() <= moves)
}

fn seconds(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::random::Random;

    fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    fn limits(time: u64, increment: u64, moves_to_go: Option<u32>) -> Limits {
        Limits { time: [Some(ms(time)); 2], increment: [ms(increment); 2], moves_to_go, ..Limits::default() }
    }

    fn clock(limits: &Limits) -> TimeManager {
        TimeManager::from_limits(limits, Color::White, ms(20), 20)
    }

    fn at(spent: Duration) -> Timing {
        Timing { since_go: spent, on_our_clock: Some(spent) }
    }

    fn middling() -> Progress {
        Progress {
            depth: 12,
            score: Score::cp(20),
            earlier_score: Score::cp(20),
            best_move_stability: 2,
            best_move_node_share: 0.65,
            playable_moves: 30,
        }
    }

    fn progress(random: &mut Random, depth: i32) -> Progress {
        Progress {
            depth,
            score: Score::cp((random.unit() * 80.0) as i32),
            earlier_score: Score::cp((random.unit() * 80.0) as i32),
            best_move_stability: (random.unit() * random.unit() * 12.0) as u32,
            best_move_node_share: random.unit(),
            playable_moves: 1 + random.below(40),
        }
    }

    /// The time of a search with this clock: iterations, each longer than the last by a random factor.
    fn search(random: &mut Random, clock: &mut TimeManager) -> Duration {
        // A first iteration, a look at the clock, an answer: what cannot be avoided.
        let (mut now, mut depth) = (200e-6, 1);
        loop {
            if clock.soft_time_up(&progress(random, depth), &at(seconds(now))) {
                return seconds(now);
            }
            let next = now * (1.1 + 1.4 * random.unit());
            let hard = clock.hard_limit().expect("a game has a clock").as_secs_f64();
            if next >= hard {
                // The clock is looked at about every millisecond.
                return seconds(hard.max(now) + 1e-3 * random.unit());
            }
            (now, depth) = (next, depth + 1);
        }
    }

    /// A time control, and what is lost on the way to the clock.
    struct Match {
        base: u64,
        increment: u64,
        period: Option<u32>,
        overhead: u64,
        worst_lag: u64,
    }

    /// Plays `moves` moves; returns the share of the available time used.
    fn play(game: &Match, moves: u32, seed: u64) -> f64 {
        let mut random = Random::new(seed);
        let (mut left, mut given, mut used) = (ms(game.base), ms(game.base), Duration::ZERO);
        for moves_played in 0..moves {
            let to_go = game.period.map(|period| period - moves_played % period);
            let limits = Limits { time: [Some(left), None], ..limits(0, game.increment, to_go) };
            let mut clock = TimeManager::from_limits(&limits, Color::White, ms(game.overhead), moves_played);
            let spent = search(&mut random, &mut clock) + ms(game.worst_lag).mul_f64(random.unit());
            left = left.checked_sub(spent).unwrap_or_else(|| {
                panic!(
                    "lost on time: {}+{} move {moves_played}: {left:?} left, {spent:?} spent",
                    game.base, game.increment
                )
            });
            used += spent;
            let refill = if to_go == Some(1) { ms(game.base) } else { Duration::ZERO };
            left += ms(game.increment) + refill;
            given += ms(game.increment) + refill;
        }
        used.as_secs_f64() / given.as_secs_f64()
    }

    #[test]
    fn no_game_is_lost_on_time_and_the_time_is_used() {
        let game = |base, increment, period, overhead, worst_lag| Match {
            base,
            increment,
            period,
            overhead,
            worst_lag,
        };
        let games = [
            game(1_000, 10, None, 10, 10),
            game(1_000, 10, None, 20, 12),
            game(200, 20, None, 20, 20),
            game(1_000, 0, None, 20, 3),
            game(10_000, 0, None, 20, 10),
            game(10_000, 100, None, 20, 20),
            game(60_000, 600, None, 20, 20),
            game(300_000, 3_000, None, 100, 100),
            game(7_200_000, 0, None, 20, 20),
            game(20_000, 0, Some(40), 20, 20),
            game(900_000, 0, Some(40), 20, 20),
            game(2_000, 0, Some(40), 20, 20),
            game(120_000, 1_000, Some(40), 20, 20),
            game(1_000, 0, Some(1), 20, 20),
            game(50, 1_000, None, 20, 20),
        ];
        for game in games {
            for seed in 0..20 {
                let used = play(&game, 200, seed);
                assert!(used > 0.75, "{}+{} {:?}: {used:.2} used", game.base, game.increment, game.period);
            }
        }
    }

    #[test]
    fn short_controls_without_increment_bear_the_whole_overhead_at_every_move() {
        for (base, period) in [(1_000, 20), (2_000, 40), (5_000, 40), (20_000, 60)] {
            let game = Match { base, increment: 0, period: Some(period), overhead: 20, worst_lag: 20 };
            for seed in 0..500 {
                play(&game, 200, seed);
            }
        }
    }

    #[test]
    fn a_game_of_common_length_uses_most_of_its_time_even_with_increments_below_the_overhead() {
        for (base, increment) in [(1_000, 10), (2_000, 20), (8_000, 80), (120_000, 1_000)] {
            let game = Match { base, increment, period: None, overhead: 20, worst_lag: 1 };
            let used = (0..20).map(|seed| play(&game, 60, seed)).sum::<f64>() / 20.0;
            assert!(used > 0.85, "{base}+{increment}: {used:.2} used");
        }
    }

    #[test]
    fn the_hard_limit_leaves_the_overhead_whatever_is_told() {
        let values = [0, 1, 5, 19, 20, 21, 50, 100, 1_000, 60_000, 7_200_000, 1 << 40, u64::MAX];
        for (&time, &increment) in
            values.iter().flat_map(|time| values.iter().map(move |increment| (time, increment)))
        {
            for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                for overhead in [0, 20, 5_000, u64::MAX] {
                    for moves_played in [0, 60, u32::MAX] {
                        let limits = limits(time, increment, moves_to_go);
                        let clock =
                            TimeManager::from_limits(&limits, Color::Black, ms(overhead), moves_played);
                        let hard = clock.hard_limit().expect("there is a clock");
                        assert!(hard <= ms(time).saturating_sub(ms(overhead)), "{limits:?}: {hard:?}");
                        assert!(clock.soft_limit().expect("there is a clock") <= hard);
                    }
                }
            }
        }
    }

    #[test]
    fn with_no_time_left_the_answer_comes_at_once() {
        for time in [0, 3, 20] {
            let mut clock = clock(&limits(time, 0, None));
            assert!(clock.hard_time_up(&at(Duration::ZERO)));
            assert!(clock.soft_time_up(&middling(), &at(Duration::ZERO)));
        }
    }

    #[test]
    fn the_last_move_before_the_control_may_use_most_of_the_time() {
        let clock = clock(&limits(10_000, 0, Some(1)));
        assert!(clock.soft_limit() > Some(ms(7_000)) && clock.hard_limit() < Some(ms(9_500)));
    }

    #[test]
    fn a_single_legal_move_is_played_quickly() {
        let mut clock = clock(&limits(3_600_000, 0, None));
        let forced = Progress { playable_moves: 1, ..middling() };
        assert!(clock.soft_time_up(&forced, &at(ms(50))));
        assert!(!clock.soft_time_up(&middling(), &at(ms(50))));
    }

    #[test]
    fn doubt_takes_longer_than_certainty() {
        let wanted = |progress: &Progress| soft_limit_scale(progress);
        let sure = Progress { best_move_stability: 9, best_move_node_share: 0.95, ..middling() };
        let unsure = Progress { best_move_stability: 0, best_move_node_share: 0.3, ..middling() };
        let falling = Progress { score: Score::cp(-40), ..middling() };
        let rising = Progress { score: Score::cp(80), ..middling() };
        let mate = Progress { score: Score::mate_in(7), best_move_stability: 5, ..middling() };
        assert!((0.9..1.1).contains(&wanted(&middling())), "{}", wanted(&middling()));
        assert!(wanted(&sure) < 0.6 && wanted(&unsure) > 1.8);
        assert!(wanted(&falling) > wanted(&middling()) && wanted(&middling()) > wanted(&rising));
        assert!(wanted(&mate) < 0.4);
    }

    #[test]
    fn a_fixed_time_is_used_up_but_for_the_overhead() {
        let fixed = |time| clock(&Limits { move_time: Some(ms(time)), ..Limits::default() });
        assert_eq!(fixed(1_000).hard_limit(), Some(ms(980)));
        assert_eq!(fixed(50).hard_limit(), Some(ms(45)));
        assert_eq!(fixed(0).hard_limit(), Some(Duration::ZERO));
        assert!(!fixed(1_000).soft_time_up(&Progress { playable_moves: 1, ..middling() }, &at(ms(900))));
    }

    #[test]
    fn a_level_that_waits_never_loses_on_time() {
        for (base, increment, period) in [
            (1_000, 0, None),
            (60_000, 0, None),
            (300_000, 3_000, None),
            (2_000, 20, None),
            (20_000, 0, Some(40)),
        ] {
            let mut left = ms(base);
            for moves_played in 0..200 {
                let to_go = period.map(|period| period - moves_played % period);
                let limits = Limits { time: [Some(left), None], ..limits(0, increment, to_go) };
                let clock = TimeManager::from_limits(&limits, Color::White, ms(20), moves_played);
                assert!(clock.pause(1.0) <= ms(15_000) && clock.pause(0.2) <= clock.pause(0.8));
                let spent = clock.pause(1.0) + ms(if increment > 0 { 15 } else { 1 });
                let refill = ms(increment + if to_go == Some(1) { base } else { 0 });
                left = left
                    .checked_sub(spent)
                    .unwrap_or_else(|| panic!("{base}+{increment}: move {moves_played}"))
                    + refill;
            }
        }
        let without_clock = [
            Limits::default(),
            Limits { move_time: Some(ms(5_000)), ..Limits::default() },
            Limits { infinite: true, ..limits(60_000, 0, None) },
        ];
        assert!(without_clock.iter().all(|limits| clock(limits).pause(1.0).is_zero()));
    }

    #[test]
    fn the_first_limit_reached_counts() {
        let both = Limits { move_time: Some(ms(100)), ..limits(60_000, 0, None) };
        assert_eq!(clock(&both).hard_limit(), Some(ms(90)));
        let long = Limits { move_time: Some(ms(50_000)), ..limits(6_000, 0, None) };
        assert!(clock(&long).hard_limit() < Some(ms(6_000)));
    }

    #[test]
    fn searches_not_on_our_clock_have_no_time_limit() {
        assert_eq!(clock(&Limits::default()).hard_limit(), None);
        assert_eq!(clock(&Limits { infinite: true, ..limits(1_000, 0, None) }).hard_limit(), None);
        let theirs = Limits { time: [None, Some(ms(1_000))], ..Limits::default() };
        assert!(clock(&theirs).hard_limit().is_some(), "a search without end would be worse");
        assert_eq!(clock(&Limits { depth: Some(5), ..theirs }).hard_limit(), None);
        let increment_only = Limits { increment: [ms(1_000); 2], ..Limits::default() };
        assert!(clock(&increment_only).hard_limit() < Some(ms(1_000)));
    }

    #[test]
    fn pondering_costs_nothing_but_counts_as_thought() {
        let mut clock = clock(&limits(10_000, 0, None));
        let pondering = |spent| Timing { since_go: ms(spent), on_our_clock: None };
        assert!(!clock.soft_time_up(&middling(), &pondering(5)) && !clock.hard_time_up(&pondering(60_000)));
        let mut just_hit = clock.clone();
        let hit =
            |since_go, on_our_clock| Timing { since_go: ms(since_go), on_our_clock: Some(ms(on_our_clock)) };
        assert!(!just_hit.hard_time_up(&hit(60_000, 0)), "the hard limit is counted from ponderhit");
        assert!(just_hit.soft_time_up(&middling(), &hit(60_000, 1)));
        assert!(!clock.soft_time_up(&middling(), &pondering(60_000)), "the opponent has not moved");
        assert!(clock.hard_time_up(&hit(60_000, 0)), "but when he does, enough has been thought");
    }

    #[test]
    fn depth_nodes_and_mate_end_the_search() {
        let shared = SharedState::new(2, std::time::Instant::now(), false);
        shared.set_nodes(0, 600);
        shared.set_nodes(1, 400);
        let stops = |limits: Limits, progress: &Progress| clock(&limits).soft_stop(progress, &shared);
        let with = |depth, nodes, mate| Limits { depth, nodes, mate, ..Limits::default() };
        assert!(!stops(Limits::default(), &middling()));
        assert!(
            stops(with(Some(12), None, None), &middling()) && !stops(with(Some(13), None, None), &middling())
        );
        assert!(
            stops(with(None, Some(1_000), None), &middling())
                && !stops(with(None, Some(1_001), None), &middling())
        );
        assert!(stops(Limits { soft_nodes: Some(1_000), ..Limits::default() }, &middling()));
        let mated = Progress { score: Score::mated_in(6), depth: 3, ..middling() };
        assert!(stops(with(None, None, Some(3)), &mated) && !stops(with(None, None, Some(2)), &mated));
        assert!(stops(with(None, None, Some(2)), &Progress { depth: 4, ..mated }), "there is no mate in two");
        assert!(clock(&with(None, Some(1_000), None)).hard_stop(&shared));
        assert!(!clock(&Limits { soft_nodes: Some(1), ..Limits::default() }).hard_stop(&shared));
    }
}
