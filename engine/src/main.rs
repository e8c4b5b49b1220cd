//! Dyad, a chess engine.
fn main() {}
