//! Tamarack's laboratory.

fn main() {}
