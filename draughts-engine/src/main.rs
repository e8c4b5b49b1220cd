//! Dyad draughts, a 10x10 international draughts engine.
fn main() {}
