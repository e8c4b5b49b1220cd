//! The tools behind the sub-commands.

pub mod bench;
pub mod data;
