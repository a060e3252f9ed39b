//! One node of the search. `alpha_beta` has the list of steps, the move loop and the re-searches. A step is a function of the
//! searcher and the node: `entry` (draws, transposition table, tablebases), `static_eval`, `pruning`, `reductions`,
//! `extensions`; then for each move `move_picker`, `move_pruning`, [`super::searcher`] (making moves); `update` (histories,
//! storing) ends the node. At depth 0 `qsearch` takes the place of `alpha_beta`.
//!
//! All stand above the searcher; their plain data, [`super::node_types`], stands below it. The recursion is `alpha_beta`, `qsearch`,
//! `pruning` (null move, ProbCut) and `extensions` (singular search), through the methods `search_node` and `qsearch`.
//! `techniques` are those that [`super::lab`] can replace. `alpha_beta` calls them through it, the one arrow from here to the
//! laboratory: which techniques a build has is known when it is compiled, and a parameter would go through every function.

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
pub mod update;
