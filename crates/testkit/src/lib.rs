//! Tests of UCI engines from outside: [`fuzz`], random sessions judged by an independent referee; [`bad_engine`], an engine
//! that misbehaves, for match runners; [`anchor`], two very weak ones, for the lowest levels; [`limits`], programs in little address
//! space or with few processes; [`folders`], folders for the files of tests.

pub mod anchor;
pub mod bad_engine;
pub mod folders;
pub mod fuzz;
pub mod limits;
