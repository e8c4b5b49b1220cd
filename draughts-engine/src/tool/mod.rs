//! The tools behind the sub-commands.

pub mod analyse;
pub mod bench;
pub mod bitbase;
pub mod board;
pub mod book;
pub mod data;
pub mod dxp;
pub mod matches;
pub mod play;
pub mod referee;
pub mod suite;
pub mod train;
#[cfg(feature = "tune")]
pub mod tune;
