//! The operating system and the processor, as Tamarack needs them: memory on huge pages, processor features, prefetching,
//! the limit of open files, threads and their time slices, processors and NUMA nodes.
//!
//! `machine` uses `affinity` and `topology`, `recorded` uses `topology`, `random` uses `clock`; otherwise the files do not use each other. Only here,
//! in the kernels of `tamarack-nnue` and in the web build there is `unsafe`.
#![allow(unsafe_code)]

pub mod affinity;
pub mod clock;
pub mod cpu;
pub mod files;
pub mod machine;
pub mod pages;
pub mod random;
pub mod recorded;
pub mod threads;
pub mod timeslice;
pub mod topology;
