//! Search: game-neutral parts in [`core`], the chess searcher in `chess`.
pub mod chess;
pub mod core;
