//! Tamarack.
fn main() {}
