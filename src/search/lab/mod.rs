//! The laboratory (feature `lab`): techniques of the literature that can be turned off, or swapped for their historical
//! forms, so that their effect can be measured by playing one binary against itself. Without the feature none of this is
//! compiled; with it, `alpha_beta` here replaces the functions of the same names in `node::alpha_beta`, and
//! [`check_extension`] the one of `node::extensions`. With all switches at their defaults the bench count is that of the
//! plain build.
//!
//! Arrows: alpha_beta → {iid, reductions} → switches; extensions → switches.

mod alpha_beta;
mod extensions;
mod iid;
mod reductions;
pub mod switches;

pub(super) use extensions::check_extension;
pub use switches::{TECHNIQUES, Technique};
