//! The laboratory (feature `lab`): techniques of the literature that can be turned off, or swapped for their historical
//! forms, so that their effect can be measured by playing one binary against itself. Without the feature none of this is
//! compiled; with it, `alpha_beta` here replaces the functions of the same names in `node::alpha_beta`, and
//! [`check_extension`] and [`nmp`] those of `node::extensions` and `node::pruning`. With all switches at their defaults the
//! bench count is that of the plain build.
//!
//! Arrows: alpha_beta → {iid, reductions} → switches; {extensions, pruning} → switches.

mod alpha_beta;
mod extensions;
mod iid;
mod pruning;
mod reductions;
pub mod switches;

pub(super) use extensions::check_extension;
pub(super) use pruning::nmp;
pub use switches::{TECHNIQUES, Technique};
