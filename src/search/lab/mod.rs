//! The laboratory (feature `lab`): techniques of the literature that can be turned off, or swapped for their historical
//! forms, so that their effect can be measured by playing one binary against itself. The search asks [`Active`] for each
//! technique of [`node::techniques`](super::node::techniques). With the feature that is `literature`, which asks the
//! switches; with all of them at their defaults the bench count is that of the plain build. Without the feature only
//! `standard` is compiled.
//!
//! The switches belong to the whole process, so tests with the feature run one by one:
//! `cargo test --features lab,tune --lib -- --test-threads 1`.
//!
//! Arrows: literature → {iid, reductions, extensions} → switches.

#[cfg(not(feature = "lab"))]
mod standard;
#[cfg(not(feature = "lab"))]
pub use standard::{Active, TECHNIQUES};

#[cfg(feature = "lab")]
mod extensions;
#[cfg(feature = "lab")]
mod iid;
#[cfg(feature = "lab")]
mod literature;
#[cfg(feature = "lab")]
mod reductions;
#[cfg(feature = "lab")]
mod switches;
#[cfg(feature = "lab")]
pub use {literature::Active, switches::TECHNIQUES};
