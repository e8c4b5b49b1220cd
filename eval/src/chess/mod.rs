//! Chess: the network's inputs and types.

pub mod bootstrap;
pub mod endgame;
mod feature;
pub mod kpk;
mod network;
mod rook_ending;
pub mod viriformat;

pub use feature::{ChessFeatures, KingBuckets};
pub use network::{AccumulatorStack, HIDDEN, Network, OUTPUTS, embedded};
