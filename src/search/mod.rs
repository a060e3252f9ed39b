//! The search: limits in, lines of analysis and a best move out. It never prints; results go to an [`InfoSink`].
//!
//! Each file uses only what stands below it:
//!
//! - `one_thread`: a search without a pool;
//! - `thread`: the pool, the main thread, the vote;
//! - `iterative_deepening`: iterations and aspiration windows; `resume`: an analysis from a file taken up;
//! - `level`: limited strength in the search;
//! - `node`: one visit to a node (its `mod.rs` names the files and their order, and says why `alpha_beta` names `lab`); with the
//!   feature `lab` `lab` replaces some of its techniques (`node::techniques`);
//! - `root_info`: root moves during the search;
//! - `searcher`: one thread's search, making moves, counting nodes; `worker`: what a thread keeps from search to search;
//! - `node_types`: the plain data of a node; `eval_sample`: a position that a search evaluated, for training;
//! - `context`, `info`: the inputs of a search, its output;
//! - `memory`: transposition table, histories, corrections, stack, principal variations; `root_moves`, `tb` (tablebases),
//!   `time` (time management), `shared_state`, `request` (game, limits, options), `strength` (weak play); `waits`.
//!
//! Where to find a technique, its whole condition and amount:
//!
//! | technique | place |
//! | --- | --- |
//! | principal variation search (PVS) | `node/alpha_beta.rs`: `pvs` |
//! | transposition cutoff | `node/entry.rs`: `tt_cutoff` |
//! | tablebase probe | `node/entry.rs`: `tb_probe`; root: `iterative_deepening.rs`: `rank_root_moves` |
//! | mate distance pruning, upcoming repetition | `node/entry.rs`: `draw_or_mate_distance` |
//! | static evaluation, improving | `node/static_eval.rs`: `evaluate`; `node_types.rs`: `improving_or_above_beta` |
//! | reverse futility pruning (RFP) | `node/pruning.rs`: `rfp` |
//! | null move pruning (NMP) | `node/pruning.rs`: `nmp`, `nmp_applies` |
//! | ProbCut | `node/pruning.rs`: `probcut` |
//! | late move pruning (LMP) | `node/move_pruning.rs`: `late_move_pruning` |
//! | futility pruning | `node/move_pruning.rs`: `futility_pruning`, `good_noisy_futility`, `prune_noisy` |
//! | history pruning | `node/move_pruning.rs`: `history_pruning` |
//! | SEE pruning | `node/move_pruning.rs`: `see_pruning`, `prune_noisy` |
//! | internal iterative reduction (IIR) | `node/reductions.rs`: `iir` |
//! | late move reductions (LMR) with history | `node/reductions.rs`: `lmr_reduction`, `lmr` |
//! | hindsight reduction | `node/reductions.rs`: `hindsight_reduction` |
//! | singular extension, multi-cut | `node/extensions.rs`: `singular_extension` |
//! | mate extension | `node/extensions.rs`: `mate_extension` |
//! | check extension | `node/extensions.rs`: `check_extension` |
//! | delta pruning | `node/qsearch.rs`: `qsearch_futility` |
//! | quiet checks in quiescence | `node/qsearch.rs`: `qsearch_moves` |
//! | move ordering | `node/move_picker.rs`: `score_noisy`, `score_quiet` |
//! | history bonus and malus | `node/update.rs`: `update_histories`, `update_histories_exact`, `prior_move_bonus` |
//! | continuation, pawn, capture, butterfly history | `memory/history.rs`: `update_quiet`, `update_noisy` |
//! | correction history | `memory/correction.rs`: `apply`; learning: `node/update.rs`: `update_correction_history` |
//! | aspiration windows | `iterative_deepening.rs`: `search_root` |
//! | time management | `time.rs`: `allocate`, `soft_limit_scale` |
//! | limited strength | `level.rs`; `strength/levels.rs`: `choose`; below 1300 Elo `strength/thinking.rs`: `think` |
//! | lazy SMP, vote | `thread/pool.rs`: `go`; `thread/vote.rs`: `best`; depths of helpers: `iterative_deepening.rs`: `skips_depth` |

mod context;
mod eval_sample;
mod info;
mod iterative_deepening;
mod lab;
mod level;
mod memory;
mod node;
mod node_types;
mod one_thread;
mod request;
mod resume;
mod root_info;
mod root_moves;
mod searcher;
mod shared_state;
mod strength;
mod tb;
mod thread;
mod time;
mod waits;
mod worker;

pub use info::{BestMove, CurrentMove, Info, InfoSink, Silent, ThreadResult};
pub use lab::TECHNIQUES;
pub use memory::tt::{
    BLOCK_BYTES, MAX_DEPTH, MIN_DEPTH, TranspositionTable, TtEntry, TtError, TtFile, TtFileError,
};
pub use node::techniques::Technique;
pub use one_thread::OneThread;
pub use request::{Limits, SearchOptions, SearchRequest, SyzygyOptions};
pub use shared_state::SharedState;
pub use strength::{DEFAULT_ELO, MAX_ELO, MIN_ELO, Strength, TOP_SKILL_LEVEL};
pub use thread::error::{PoolError, ThreadsError};
pub use thread::numa::{Numa, NumaNode, NumaPolicy, NumaPolicyError};
pub use thread::pool::{MAX_THREADS, Pool};
pub use time::nodestime_elapsed;
