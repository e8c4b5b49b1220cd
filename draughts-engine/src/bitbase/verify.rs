//! Proof of tables: every position's value and distance against those of its successors.
//!
//! Distances make this a proof and not only a test. A won position must have a move to a lost one that is
//! one ply nearer to the end, a lost position only moves to won ones of which the slowest is one ply
//! nearer, and only a position without a move ends the game; so no win can rest on itself. A drawn
//! position must have a move to a drawn one and none to a lost one, so the loser of a claimed win can
//! nowhere be saved.

use super::build::{self, Event, pair};
use super::codec::DISTANCES;
use super::file::{FileError, Kind, Table};
use super::slice::Slice;
use super::solve::{Solved, Totals, capture_code};
use super::{Code, Value, back_up};
use crate::generate::generate_quiet;
use crate::rules::International;
use crate::{MoveList, Position, fen};
use rayon::prelude::*;
use std::path::Path;

/// Why tables are not proved.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// A file is missing or damaged.
    #[error("{name}: {error}")]
    File {
        /// Its name in the folder.
        name: String,
        /// What is wrong.
        error: FileError,
    },
    /// A position contradicts its successors.
    #[error("slice {slice}: {fen} contradicts its successors")]
    Position {
        /// The slice.
        slice: Slice,
        /// The position, with White to move.
        fen: String,
    },
    /// The numbers in the header are not those of the positions.
    #[error("slice {0}: the totals in the file are not those of its positions")]
    Totals(Slice),
    /// A table that the others build on is not there.
    #[error("slice {0} builds on a table that is missing")]
    Missing(Slice),
    /// There is nothing to prove.
    #[error("no tables")]
    Empty,
}

/// A won position whose distance is not known yet; also the code of 253 plies, but that never comes first.
const PENDING: u8 = 254;

/// Proves the tables in `folder`: all slices of 2 pieces, of 3 and so on, up to the last number of pieces
/// of which there is any file. Tells each slice. Returns the number of pieces.
///
/// # Errors
/// At the first file that is missing or damaged and the first position that is wrong.
pub fn verify(folder: &Path, tell: &(dyn Fn(Event) + Sync)) -> Result<u32, VerifyError> {
    let most = pieces_in(folder);
    if most < 2 {
        return Err(VerifyError::Empty);
    }
    let mut solved = Solved::default();
    for pieces in 2..=most {
        for slice in Slice::all(pieces).into_iter().filter(|&slice| slice <= slice.passed()) {
            let men = slice.all_men();
            solved.retain(|old| old.pieces() < most || old.all_men() + 1 >= men);
            let start = std::time::Instant::now();
            let tables = load(folder, slice, &mut solved)?;
            for [values, distances] in &tables {
                let totals = check(values.slice, &solved)?;
                if totals != values.totals || totals != distances.totals {
                    return Err(VerifyError::Totals(values.slice));
                }
                let bytes = [values.length(), distances.length()];
                tell(Event::Progress(values.slice.size()));
                tell(Event::Slice { slice: values.slice, totals, bytes, time: Some(start.elapsed()) });
            }
        }
    }
    Ok(most)
}

/// The greatest number of pieces of which there is a file in the folder; 0 without one.
pub fn pieces_in(folder: &Path) -> u32 {
    let there = |slice: &Slice| folder.join(super::file::name(*slice, Kind::Values)).exists();
    (2..=super::slice::MOST_PIECES).rev().find(|&pieces| Slice::all(pieces).iter().any(there)).unwrap_or(0)
}

/// Sees to it that the codes of a slice, and of all below it, are in `solved`.
pub(super) fn ensure(folder: &Path, slice: Slice, solved: &mut Solved) -> Result<(), VerifyError> {
    if solved.has(slice) {
        return Ok(());
    }
    for below in pair(slice).flat_map(Slice::below) {
        ensure(folder, below, solved)?;
    }
    load(folder, slice, solved).map(drop)
}

/// Reads the files of a slice and its counterpart, and works out the codes that they do not hold: those of
/// captures and the distances of wins.
fn load(folder: &Path, slice: Slice, solved: &mut Solved) -> Result<Vec<[Table; 2]>, VerifyError> {
    let tables = build::open(folder, slice).map_err(|(name, error)| VerifyError::File { name, error })?;
    for [values, distances] in &tables {
        let codes = stored(values, distances, solved)?;
        solved.insert(values.slice, codes);
    }
    for slice in pair(slice) {
        let codes = with_wins(slice, solved)?;
        solved.insert(slice, codes);
    }
    Ok(tables)
}

/// Codes of a slice; those of wins by quiet moves are [`PENDING`].
fn stored(values: &Table, distances: &Table, solved: &Solved) -> Result<Vec<u8>, VerifyError> {
    let slice = values.slice;
    let damaged = || VerifyError::File { name: format!("{slice}"), error: FileError::Header };
    let mut codes = vec![0; slice.size() as usize];
    codes.par_chunks_mut(DISTANCES).enumerate().try_for_each_init(
        MoveList::new,
        |list, (chunk, codes)| {
            let lost = distances.lost_codes(chunk).ok_or_else(damaged)?;
            for (offset, code) in codes.iter_mut().enumerate() {
                let index = (chunk * DISTANCES + offset) as u64;
                let Some(board) = slice.board(index) else { continue };
                let look = |next: &_| solved.code(next).ok_or(VerifyError::Missing(slice));
                *code = match capture_code(&board.position(), list, look)? {
                    Some(code) => code.byte(),
                    None => match values.value(index).ok_or_else(damaged)? {
                        Value::Draw => 0,
                        Value::Win => PENDING,
                        Value::Loss => *lost.get(offset).ok_or_else(damaged)?,
                    },
                };
            }
            Ok(())
        },
    )?;
    Ok(codes)
}

/// The codes of a slice with those that were pending.
fn with_wins(slice: Slice, solved: &Solved) -> Result<Vec<u8>, VerifyError> {
    let size = slice.size() as usize;
    let mut codes = vec![0; size];
    codes.par_chunks_mut(DISTANCES).enumerate().try_for_each_init(
        MoveList::new,
        |list, (chunk, codes)| {
            for (offset, code) in codes.iter_mut().enumerate() {
                let Some(board) = slice.board((chunk * DISTANCES + offset) as u64) else { continue };
                *code = solved.code(&board).ok_or(VerifyError::Missing(slice))?.byte();
                if *code != PENDING {
                    continue;
                }
                let position = board.position();
                if position.has_capture() {
                    continue;
                }
                // Wins among the successors may be pending too, but only losses count here.
                let best = quiet_code(&position, list, slice, solved)?;
                *code = best
                    .filter(|best| best.value() == Value::Win)
                    .ok_or_else(|| wrong(slice, &position))?
                    .byte();
            }
            Ok(())
        },
    )?;
    Ok(codes)
}

fn wrong(slice: Slice, position: &Position) -> VerifyError {
    VerifyError::Position { slice, fen: fen::to_fen(position) }
}

/// The code that the successors give to a position without a capture; `None` without a move.
fn quiet_code(
    position: &Position,
    list: &mut MoveList,
    slice: Slice,
    solved: &Solved,
) -> Result<Option<Code>, VerifyError> {
    list.clear();
    generate_quiet::<International>(position, list);
    let mut best: Option<Code> = None;
    for &mv in list.iter() {
        let next = super::slice::Board::of(&position.play::<International>(mv));
        let code = solved.code(&next).ok_or(VerifyError::Missing(slice))?;
        best = back_up([code]).into_iter().chain(best).max_by_key(|code| code.rank());
    }
    Ok(best)
}

/// Compares every position with its successors and counts the positions.
fn check(slice: Slice, solved: &Solved) -> Result<Totals, VerifyError> {
    let chunks = (slice.size() as usize).div_ceil(DISTANCES);
    (0..chunks)
        .into_par_iter()
        .map_init(MoveList::new, |list, chunk| {
            let mut totals = Totals::default();
            for index in chunk * DISTANCES..((chunk + 1) * DISTANCES).min(slice.size() as usize) {
                let Some(board) = slice.board(index as u64) else { continue };
                let code = solved.code(&board).ok_or(VerifyError::Missing(slice))?;
                let position = board.position();
                if !position.has_capture()
                    && quiet_code(&position, list, slice, solved)?.unwrap_or(Code::LOST) != code
                {
                    return Err(wrong(slice, &position));
                }
                totals.add(code);
            }
            Ok(totals)
        })
        .try_reduce(Totals::default, |a, b| Ok(a.plus(b)))
}
