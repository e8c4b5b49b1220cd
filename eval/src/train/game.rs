//! What a game must provide to be trained.

use std::path::Path;

use arrayvec::ArrayVec;

use super::config::Filter;
use super::error::TrainError;
use crate::feature::FeatureSet;

/// Most inputs that one perspective of one position can have.
pub const MAX_ACTIVE: usize = 40;

/// Shared rows of one input row.
pub type SharedRows = ArrayVec<u16, 4>;

/// One position as the trainer needs it.
#[derive(Clone, Debug, Default)]
pub struct Sample {
    /// Active rows of the first layer: the side to move's perspective, then the other's.
    pub rows: [ArrayVec<u16, MAX_ACTIVE>; 2],
    /// Which output judges it.
    pub bucket: u8,
    /// Centipawns for the side to move.
    pub score: i16,
    /// 1 won, 0.5 drawn, 0 lost, for the side to move.
    pub result: f32,
}

/// What was found in a data file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadReport {
    /// Whole games.
    pub games: u64,
    /// Positions with a score.
    pub positions: u64,
    /// Positions that passed the filters.
    pub kept: u64,
    /// Bytes of an unfinished game at the end of the file, which was left out.
    pub trailing_bytes: u64,
}

impl std::ops::AddAssign for ReadReport {
    fn add_assign(&mut self, other: Self) {
        self.games += other.games;
        self.positions += other.positions;
        self.kept += other.kept;
        self.trailing_bytes += other.trailing_bytes;
    }
}

/// A game that can be trained.
pub trait Game: Sync {
    /// The inputs.
    type Features: FeatureSet;
    /// A position with score and result, packed: tens of millions of them are held in memory, so 32 bytes are
    /// a good size.
    type Record: Copy + Send + Sync;

    /// The inputs, with their game-specific table.
    fn features(&self) -> &Self::Features;
    /// Number of output neurons.
    fn outputs(&self) -> usize;
    /// Number of shared rows, see [`Game::shared_rows`].
    fn shared_inputs(&self) -> usize {
        0
    }
    /// The shared rows, below [`Game::shared_inputs`], that input row `row` is trained as the sum of, beside a
    /// row of its own (a "factoriser"): what inputs have in common is then learnt from all of them, which few
    /// data need. The network written knows only the sums.
    fn shared_rows(&self, row: usize) -> SharedRows {
        let _ = row;
        SharedRows::new()
    }
    /// The row that input row `row` has in a network with another input table, so that training can begin with it;
    /// `None` when that network tells nothing of it. The default carries over equal tables only.
    fn origin(&self, row: usize, table: &[u8; 64]) -> Option<usize> {
        (*table == self.features().table()).then_some(row)
    }
    /// Reads the games of a file in order and hands the positions that pass the filter to `sink`, together
    /// with the number of their game in the file.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or holds something that is not a game.
    fn read(
        &self,
        path: &Path,
        filter: &Filter,
        sink: &mut dyn FnMut(u64, Self::Record),
    ) -> Result<ReadReport, TrainError>;
    /// Unpacks a record. `sample` holds an earlier one and is overwritten.
    fn unpack(&self, record: &Self::Record, sample: &mut Sample);
}
