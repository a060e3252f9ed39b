//! The tests of the tools by their command line, in one program.

mod common;
mod corpus;
mod faults;
mod fuzz;
mod learning;
mod limits;
mod opponents;
mod output;
mod play;
mod rating;
mod report;
mod resume;
mod soak;
mod speed;
mod statistics;
mod tablebases;
mod tune;
