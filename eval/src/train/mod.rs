//! The trainer: from game records to a quantised network, on the CPU.
//!
//! The whole set is read into memory as 32-byte records, shuffled anew for every epoch, and trained with
//! AdamW. The first layer is cut into slices of 32 values ("columns") that do not depend on each other: a
//! thread works on one slice for all positions of a block, so that the slice's weights stay in its cache, no
//! gradient has to be summed over threads, and the result does not depend on the number of threads.
//!
//! A game takes part by implementing [`Game`]; [`run`] does the rest. docs/training.md has the commands.

mod adam;
mod checkpoint;
pub mod chess;
mod config;
mod curve;
mod dataset;
mod error;
mod export;
mod game;
mod model;
mod options;
mod run;
mod slice;
mod start;
mod target;

pub use adam::{Schedule, learning_rate};
pub use config::{Config, Filter};
pub use error::TrainError;
pub use game::{Game, MAX_ACTIVE, ReadReport, Sample, SharedRows};
pub use model::{Model, Shape};
pub use options::Options;
pub use run::{EpochLoss, Summary, run};
pub use target::{TemporalDifference, sigmoid};
