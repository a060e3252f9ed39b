//! The edge to the operating system and the processor: memory by the page, features, prefetching. A leaf: knows nothing
//! of chess. This and the evaluation's kernels are the only places with `unsafe`.
#![allow(unsafe_code)]

pub mod cpu;
pub mod pages;
