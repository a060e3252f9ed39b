//! The plain build: every technique is the engine's own.

use crate::search::node::techniques::{Technique, Techniques};

/// The engine's own techniques.
pub struct Active;

impl Techniques for Active {}

/// No switches.
pub static TECHNIQUES: &[Technique] = &[];
