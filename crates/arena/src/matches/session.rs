//! What a report says about a match besides its games: versions, options, machine, openings, adjudication.

use crate::play::spec::EngineSpec;
use serde::{Deserialize, Serialize};

/// The circumstances in which a match was begun. They do not count when a match is continued, so all are equal.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Session {
    /// The engines, in the order of the match.
    pub engines: Vec<EngineCard>,
    /// The machine's description.
    pub machine: String,
    /// Names and values of the conditions, for people.
    pub conditions: Vec<(String, String)>,
}

impl PartialEq for Session {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Session {}

/// An engine for people.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct EngineCard {
    /// The name and version by which it introduces itself.
    pub version: String,
    /// Program and arguments.
    pub program: String,
    /// The options that are set, `Name=Value`.
    pub options: Vec<String>,
    /// Its time control or other limit.
    pub limit: String,
}

impl EngineCard {
    /// The card of an engine that introduces itself as `version`.
    pub fn new(spec: &EngineSpec, version: &str) -> Self {
        Self {
            version: version.to_owned(),
            program: spec.program(),
            options: spec.options.iter().map(|(name, value)| format!("{name}={value}")).collect(),
            limit: spec.limits.describe(),
        }
    }
}
