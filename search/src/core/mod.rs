//! Game-neutral search parts, shared by the chess and the draughts searcher. Nothing here knows a rule, a
//! board or a protocol: moves are opaque, scores are plain numbers that fit in 16 bits.

pub mod control;
pub mod counter;
pub mod event;
pub mod generate;
pub mod limit;
mod memory;
pub mod pool;
pub mod time;
pub mod tt;
pub mod tunable;
pub mod tune;
