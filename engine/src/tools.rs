//! The jobs of the command line.

pub mod analyse;
pub mod bench;
pub mod book;
pub mod data;
pub mod datagen;
pub mod eval;
pub mod genfens;
pub mod matches;
pub mod perft;
pub mod pgn;
pub mod play;
pub mod referee;
pub mod suite;
pub mod syzygy;
#[cfg(feature = "tune")]
pub mod tune;
pub mod wdl;
