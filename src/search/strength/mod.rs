//! Limited strength (`UCI_LimitStrength`, `UCI_Elo`, `Skill Level`): play as a weaker player's.
//!
//! From 1300 Elo on ([`levels`]) a level searches few nodes and draws its move among the best lines. Below, few nodes are still too many:
//! they see every piece that hangs. There a level thinks in its own way ([`thinking`]): it looks a ply or three ahead, overlooks what people
//! overlook ([`attention`]), and judges positions by what beginners are taught ([`judgement`]). All draws come from one seed ([`draws`]).
//! The search at full strength knows nothing of this; `level.rs` is where the two meet.
//!
//! Each file uses only those above it: `draws`; `attention`, `judgement`; `thinking`; `levels`; `pause`.

mod attention;
mod draws;
mod judgement;
mod levels;
mod pause;
mod thinking;

pub use levels::{DEFAULT_ELO, MAX_ELO, MIN_ELO, Strength, TOP_SKILL_LEVEL};
pub use thinking::{Beginner, Situation, Thoughts};
