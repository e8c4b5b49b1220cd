//! Evaluation: NNUE inference shared by both games and the chess evaluation.
//!
//! A network is one wide sparse layer seen from both sides ("perspectives"), squared clipped ReLU, and one
//! output for each game phase. Everything that does not depend on the game is at the crate root: the kernels
//! ([`Kernel`]), the network file ([`netfile`]), the network ([`Network`]) and the lazily updated
//! [`AccumulatorStack`] or the simpler [`Follower`]. A game says what its inputs are by implementing [`FeatureSet`].
//!
//! The method is described in Yu Nasu's "Efficiently Updatable Neural-Network-based Evaluation Functions for
//! Computer Shogi" (2018) and, for chess, in the documentation of the nnue-pytorch project.

mod accumulator;
pub mod chess;
mod feature;
mod follower;
pub mod kernels;
pub mod netfile;
mod network;
pub mod random;
mod refresh;
#[cfg(feature = "train")]
pub mod train;

pub use accumulator::{AccumulatorStack, Change};
pub use feature::{FeatureSet, OneView};
pub use follower::Follower;
pub use kernels::Kernel;
pub use network::{Network, NetworkError, QUANT_INPUT, Row};
pub use refresh::RefreshCache;
