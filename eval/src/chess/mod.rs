//! Chess: the network's inputs and types.

mod feature;
mod network;

pub use feature::{ChessFeatures, KingBuckets};
pub use network::{AccumulatorStack, HIDDEN, Network, OUTPUTS, embedded};
