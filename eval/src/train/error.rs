//! What can go wrong in training.

use std::path::PathBuf;

use crate::netfile::NetFileError;

/// Why training could not start or go on.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A data file holds something that is not a game.
    #[error("{}: game {game} (from 0): {reason}", path.display())]
    Data {
        /// The file.
        path: PathBuf,
        /// Which game of the file.
        game: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// No position is left to train on.
    #[error("no position passed the filters ({read} positions read)")]
    Empty {
        /// Positions in the files.
        read: u64,
    },
    /// A setting that makes no sense.
    #[error("invalid setting: {0}")]
    Config(String),
    /// The network to begin with cannot be used.
    #[error("{}: cannot begin with it: {reason}", path.display())]
    Start {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The checkpoint does not belong to this run, or is damaged.
    #[error("{}: cannot resume: {reason}", path.display())]
    Checkpoint {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The network could not be written in its format.
    #[error(transparent)]
    Network(#[from] NetFileError),
    /// The threads could not be started.
    #[error("cannot start threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

impl TrainError {
    pub(crate) fn io(path: &std::path::Path, source: std::io::Error) -> Self {
        Self::Io { path: path.to_path_buf(), source }
    }
}
