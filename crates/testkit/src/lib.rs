//! Tests of UCI engines from outside: [`fuzz`], random sessions judged by an independent referee; [`bad_engine`], an engine
//! that misbehaves, for match runners; [`anchor`], two very weak ones, for the lowest levels; [`limits`], programs in little address space or with few processes.

pub mod anchor;
pub mod bad_engine;
pub mod fuzz;
pub mod limits;
