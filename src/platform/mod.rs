//! The interface to the operating system and the processor: memory on huge pages, processor features,
//! prefetching, the limit of open files, turns of threads, processors and NUMA nodes.
//!
//! `machine` uses `affinity` and `topology`; otherwise the files do not use each other, nor anything else of the engine.
//! Only here and in the kernels of `eval` there is `unsafe`.
#![allow(unsafe_code)]

pub mod affinity;
pub mod cpu;
pub mod files;
pub mod machine;
pub mod pages;
pub mod topology;
pub mod turns;
