//! Tests of UCI engines from outside: [`fuzz`], random sessions judged by an independent referee; [`bad_engine`], an engine
//! that misbehaves, for match runners.

pub mod bad_engine;
pub mod fuzz;
