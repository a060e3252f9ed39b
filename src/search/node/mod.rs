//! One node of the search. A visit passes through nine files at most: `alpha_beta` (the list of steps, the move loop, the
//! re-searches), `entry` (draws, transposition table, tablebases, evaluation), `pruning`, `reductions`, `extensions`,
//! `move_picker`, `move_pruning`, [`super::searcher`] (making moves) and `update` (histories, storing); at depth 0 `qsearch`
//! takes the place of `alpha_beta`.
//!
//! Arrows: the recursion is `alpha_beta`, `qsearch`, `pruning` (null move, ProbCut) and `extensions` (singular search); these
//! four stand on {entry, move_pruning, reductions, update}, those on `move_picker` and `types`. All use the
//! [`super::searcher`] and what lies below it.

pub mod alpha_beta;
pub mod entry;
pub mod extensions;
pub mod move_picker;
pub mod move_pruning;
pub mod pruning;
pub mod qsearch;
pub mod reductions;
pub mod static_eval;
pub mod techniques;
pub mod types;
pub mod update;
