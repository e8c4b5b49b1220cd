//! Draughts for the trainer of networks (crate `eval`).
//!
//! The value of a position should be what the logistic function turns into the expected result. What is expected is
//! seen in the game: in the score that the search gave, and in what came later, the more remote the less it counts, up
//! to the result.

use crate::data::{DataError, Reader, Record};
use crate::eval::network::{DraughtsFeatures, OUTPUTS};
use crate::{Bitboard, Color, Position};
use eval::FeatureSet;
use eval::train::{Filter, Game, ReadReport, Sample, TemporalDifference, TrainError};
use rayon::prelude::*;
use std::path::Path;

/// Games that are replayed side by side before their positions are handed on in order.
const ROUND: usize = 4096;
/// Positions with a greater score, in hundredths of a man, are left out: they are decided.
const MOST_SCORE: i16 = 1000;
/// An expected result of 1, as it is stored.
const SURE: f32 = u16::MAX as f32;

/// The game of draughts, with how its positions are valued.
pub struct DraughtsGame {
    /// How a position is valued by what came after it.
    pub values: TemporalDifference,
}

/// A position with its value.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// As [`FeatureSet::planes`] of the side to move: own men, own kings, other men, other kings.
    planes: [u64; 4],
    /// What the side to move is to expect, from 0 to [`SURE`].
    target: u16,
    /// The score for the side to move, in hundredths of a man.
    score: i16,
}

impl DraughtsGame {
    /// The positions of a game that are learnt from, and how many there are in all.
    fn entries(&self, filter: &Filter, record: &Record) -> Result<(Vec<Entry>, u64), DataError> {
        let plies = record.replay()?;
        let total = plies.len() as u64;
        let mut entries = Vec::with_capacity(plies.len());
        let scores = plies.iter().map(|(position, _, score)| for_white(position, *score));
        let values = self.values.values(scores, record.result.value(Color::White));
        for (ply, ((position, _, score), value)) in plies.iter().zip(values).enumerate() {
            let value = if position.turn() == Color::White { value } else { 1.0 - value };
            if ply >= filter.min_ply as usize && is_quiet(position, *score) {
                let planes = DraughtsFeatures.planes(position, position.turn().index(), ());
                entries.push(Entry { planes, target: (value * SURE).round() as u16, score: *score });
            }
        }
        Ok((entries, total))
    }
}

impl Game for DraughtsGame {
    type Features = DraughtsFeatures;
    type Record = Entry;

    fn features(&self) -> &DraughtsFeatures {
        &DraughtsFeatures
    }

    fn outputs(&self) -> usize {
        OUTPUTS
    }

    fn read(
        &self,
        path: &Path,
        filter: &Filter,
        sink: &mut dyn FnMut(u64, Entry),
    ) -> Result<ReadReport, TrainError> {
        let fault = |game: u64, error: DataError| TrainError::Data {
            path: path.to_path_buf(),
            game,
            reason: error.to_string(),
        };
        let mut report = ReadReport::default();
        let mut reader = Reader::open(path).map_err(|error| fault(0, error))?;
        loop {
            let mut games = Vec::with_capacity(ROUND);
            for record in reader.by_ref().take(ROUND) {
                match record {
                    Ok(record) => games.push(record),
                    Err(DataError::Torn) => break,
                    Err(error) => return Err(fault(report.games + games.len() as u64, error)),
                }
            }
            if games.is_empty() {
                return Ok(report);
            }
            let read: Vec<_> = games.par_iter().map(|record| self.entries(filter, record)).collect();
            for result in read {
                let (entries, total) = result.map_err(|error| fault(report.games, error))?;
                report.positions += total;
                report.kept += entries.len() as u64;
                entries.into_iter().for_each(|entry| sink(report.games, entry));
                report.games += 1;
            }
        }
    }

    fn unpack(&self, entry: &Entry, sample: &mut Sample) {
        let [men, kings, other_men, other_kings] = entry.planes;
        let turned = [other_men, other_kings, men, kings].map(|set| Bitboard(set).flip().bits());
        for (rows, planes) in sample.rows.iter_mut().zip([entry.planes, turned]) {
            rows.clear();
            for (plane, set) in planes.into_iter().enumerate() {
                rows.extend(
                    Bitboard(set)
                        .into_iter()
                        .map(|square| (plane * DraughtsFeatures::STRIDE + square.bit()) as u16),
                );
            }
        }
        sample.bucket = DraughtsFeatures::bucket(entry.planes.iter().map(|set| set.count_ones()).sum()) as u8;
        sample.score = entry.score;
        sample.result = f32::from(entry.target) / SURE;
    }
}

/// White's score of a position that has this score for the side to move.
fn for_white(position: &Position, score: i16) -> i16 {
    if position.turn() == Color::White { score } else { score.saturating_neg() }
}

/// Whether a position is one to learn from.
fn is_quiet(position: &Position, score: i16) -> bool {
    score.abs() <= MOST_SCORE && !position.has_capture()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_has_the_rows_of_both_perspectives() {
        let position = crate::fen::parse_any("B:W31,K27:B9,12,K3").unwrap();
        let planes = |side: usize| DraughtsFeatures.planes(&position, side, ());
        let game = DraughtsGame { values: TemporalDifference::new(0.5, 100.0).unwrap() };
        let mut sample = Sample::default();
        game.unpack(&Entry { planes: planes(Color::Black.index()), target: u16::MAX, score: 7 }, &mut sample);
        for (half, color) in [Color::Black, Color::White].into_iter().enumerate() {
            let mut expected: Vec<u16> = Vec::new();
            for (plane, set) in planes(color.index()).into_iter().enumerate() {
                let rows = (0..64).filter(|bit| set >> bit & 1 != 0);
                expected.extend(rows.map(|bit| (plane * DraughtsFeatures::STRIDE + bit) as u16));
            }
            assert_eq!(sample.rows[half].as_slice(), expected);
        }
        assert_eq!((sample.score, sample.result), (7, 1.0));
    }
}
