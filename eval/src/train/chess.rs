//! Chess for the trainer: games in viriformat, positions in 32 bytes.

use std::path::Path;

use movegen::{Board, Color};
use rayon::prelude::*;

use super::config::Filter;
use super::error::TrainError;
use super::game::{Game, ReadReport, Sample, SharedRows};
use super::target::TemporalDifference;
use crate::chess::viriformat::{GameFile, Ply, RawGame, replay};
use crate::chess::{ChessFeatures, KingBuckets, OUTPUTS};
use crate::feature::FeatureSet;
use crate::network::bits;

/// Kinds of piece of both sides.
const PLANES: usize = 12;
/// Games replayed by one thread in one go.
const GAMES_PER_TASK: usize = 64;
/// Games whose positions are held before they are handed on in order.
const GAMES_PER_ROUND: usize = 64 * GAMES_PER_TASK;
/// A win, as it is stored: even, so that a draw is exact.
const SURE: u16 = 65_534;

/// The game of chess with a layout of king buckets.
pub struct ChessGame {
    features: ChessFeatures,
    values: Option<TemporalDifference>,
}

impl ChessGame {
    /// Chess with one of the named layouts.
    pub fn new(layout: KingBuckets) -> Self {
        Self { features: ChessFeatures::new(layout), values: None }
    }

    /// The same with positions valued by TD(λ) instead of by the result alone, or not.
    #[must_use]
    pub fn with_values(self, values: Option<TemporalDifference>) -> Self {
        Self { values, ..self }
    }

    /// Replays games and packs the positions that pass the filter.
    fn read_games(
        &self,
        path: &Path,
        filter: &Filter,
        games: &[RawGame],
        first: u64,
    ) -> Result<Task, TrainError> {
        let mut records = Vec::new();
        let mut report = ReadReport::default();
        for (i, game) in games.iter().enumerate() {
            let number = first + i as u64;
            let values = self.values.map(|td| td.values(game.scores(), f32::from(game.result()) / 2.0));
            let mut plies = 0;
            replay(game, |ply| {
                if passes(filter, &ply) {
                    let result = values.as_ref().map_or(f32::from(ply.result) / 2.0, |values| values[plies]);
                    records.push((number, pack(&ply, result)));
                    report.kept += 1;
                }
                plies += 1;
            })
            .map_err(|reason| TrainError::Data {
                path: path.to_path_buf(),
                game: number,
                reason,
            })?;
            report.positions += plies as u64;
        }
        report.games = games.len() as u64;
        Ok((records, report))
    }

    /// Rows that the king buckets share: none when there is one bucket.
    fn shared_by_buckets(&self) -> usize {
        if self.features.inputs() > PLANES * 64 { PLANES * 64 } else { 0 }
    }
}

/// A position with score and result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Record {
    occupied: u64,
    /// Colour * 8 + kind of the pieces in the order of their squares, four bits each.
    pieces: [u8; 16],
    /// For the side to move.
    score: i16,
    /// What the side to move got or is to expect, 0 to [`SURE`].
    result: u16,
    /// Squares of White's and Black's king.
    kings: [u8; 2],
    side_to_move: u8,
}

const _: () = assert!(size_of::<Record>() == 32);

impl Record {
    /// Packs a position; score (centipawns) and result (1 won, 0.5 drawn, 0 lost) are those of the side to move.
    pub fn new(board: &Board, score: i16, result: f32) -> Self {
        let mut pieces = [0; 16];
        let occupied = board.occupied();
        for (i, square) in occupied.into_iter().enumerate().take(32) {
            if let Some(piece) = board.piece_on(square) {
                let code = piece.color().index() << 3 | piece.kind().index();
                pieces[i / 2] |= (code as u8) << (i % 2 * 4);
            }
        }
        Self {
            occupied: occupied.0,
            pieces,
            score,
            kings: Color::ALL.map(|color| board.king(color).index() as u8),
            result: (result * f32::from(SURE)).round() as u16,
            side_to_move: board.side_to_move().index() as u8,
        }
    }
}

impl Game for ChessGame {
    type Features = ChessFeatures;
    type Record = Record;

    fn features(&self) -> &ChessFeatures {
        &self.features
    }

    fn outputs(&self) -> usize {
        OUTPUTS
    }

    fn shared_inputs(&self) -> usize {
        PLANES + PLANES * 16 + self.shared_by_buckets()
    }

    fn shared_rows(&self, row: usize) -> SharedRows {
        let (plane, rank, file) = (row / 64 % PLANES, row / 8 % 8, row % 8);
        let mut rows = SharedRows::new();
        rows.push(plane as u16);
        rows.push((PLANES + plane * 16 + rank) as u16);
        rows.push((PLANES + plane * 16 + 8 + file) as u16);
        if self.shared_by_buckets() > 0 {
            rows.push((PLANES * 17 + row % self.shared_by_buckets()) as u16);
        }
        rows
    }

    /// A king bucket begins as the bucket that its first square belongs to in the other layout.
    fn origin(&self, row: usize, table: &[u8; 64]) -> Option<usize> {
        let bucket = row / (PLANES * 64);
        let square = self.features.table().iter().position(|&b| usize::from(b) == bucket)?;
        Some(usize::from(table[square]) * PLANES * 64 + row % (PLANES * 64))
    }

    fn read(
        &self,
        path: &Path,
        filter: &Filter,
        sink: &mut dyn FnMut(u64, Record),
    ) -> Result<ReadReport, TrainError> {
        let file = GameFile::open(path).map_err(|source| TrainError::io(path, source))?;
        let games: Vec<RawGame> = file.games().collect();
        let trailing = file.len() - file.whole_games().1;
        let mut report = ReadReport { trailing_bytes: trailing, ..ReadReport::default() };
        for (round, games) in games.chunks(GAMES_PER_ROUND).enumerate() {
            let first = (round * GAMES_PER_ROUND) as u64;
            let tasks: Result<Vec<_>, TrainError> = games
                .par_chunks(GAMES_PER_TASK)
                .enumerate()
                .map(|(task, games)| {
                    let first = first + (task * GAMES_PER_TASK) as u64;
                    self.read_games(path, filter, games, first)
                })
                .collect();
            for (records, part) in tasks? {
                report += part;
                records.into_iter().for_each(|(game, record)| sink(game, record));
            }
        }
        Ok(report)
    }

    fn unpack(&self, record: &Record, sample: &mut Sample) {
        let own = usize::from(record.side_to_move);
        let sides = [own, 1 - own];
        let views = sides.map(|side| self.features.view_of_king(side, usize::from(record.kings[side])));
        sample.rows[0].clear();
        sample.rows[1].clear();
        for (i, square) in bits(record.occupied).enumerate() {
            let code = usize::from(record.pieces[i / 2] >> (i % 2 * 4) & 15);
            let piece = (code >> 3) * 6 + (code & 7);
            for half in 0..2 {
                let row = ChessFeatures::row_of(views[half], sides[half], piece, square);
                sample.rows[half].push(row as u16);
            }
        }
        sample.bucket = ChessFeatures::bucket_of_count(record.occupied.count_ones() as usize) as u8;
        sample.score = record.score;
        sample.result = f32::from(record.result) / f32::from(SURE);
    }
}

type Task = (Vec<(u64, Record)>, ReadReport);

fn passes(filter: &Filter, ply: &Ply) -> bool {
    ply.board.ply_count() as u64 >= u64::from(filter.min_ply)
        && i32::from(ply.score).abs() < filter.max_score
        && !(filter.skip_check && ply.board.in_check())
        && !(filter.skip_tactical && ply.mv.is_tactical())
}

fn pack(ply: &Ply, result: f32) -> Record {
    match ply.board.side_to_move() {
        Color::White => Record::new(ply.board, ply.score, result),
        Color::Black => Record::new(ply.board, ply.score.saturating_neg(), 1.0 - result),
    }
}
