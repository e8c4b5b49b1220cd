//! The tables that a program has at hand, and looking up.

use super::file::{Bytes, FileError, Kind, Table};
use super::slice::Board;
use super::{Code, Slice, Value, back_up};
use crate::rules::International;
use crate::{Position, legal_moves};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

/// The tables with 2 and 3 pieces (docs/bitbases.md tells how they were made).
static EMBEDDED: &[u8] = include_bytes!("../../data/bitbase-3.bin");

/// Tables of values and of distances by slice. Looking up changes nothing and takes no lock.
#[derive(Clone)]
pub struct Tables {
    values: Vec<Option<Table>>,
    distances: Vec<Option<Table>>,
    pieces: u32,
}

/// A file or folder that was not used.
#[derive(Debug)]
pub struct Problem {
    /// Which.
    pub path: PathBuf,
    /// Why.
    pub error: FileError,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.error)
    }
}

impl Default for Tables {
    fn default() -> Self {
        Self { values: vec![None; Slice::SLOTS], distances: vec![None; Slice::SLOTS], pieces: 0 }
    }
}

impl Tables {
    /// The tables inside the program.
    pub fn embedded() -> Arc<Self> {
        static TABLES: LazyLock<Arc<Tables>> = LazyLock::new(|| {
            let mut tables = Tables::default();
            // A program whose own data is damaged plays without it.
            let read = Table::read_all(&Bytes::Static(EMBEDDED)).unwrap_or_default();
            read.into_iter().for_each(|table| tables.add(table));
            Arc::new(tables)
        });
        Arc::clone(&TABLES)
    }

    /// The tables inside the program and those in a folder, with up to `pieces` pieces. Files that cannot
    /// be used are told and left out. Files with other endings are not looked at.
    pub fn load(folder: Option<&Path>, pieces: u32) -> (Self, Vec<Problem>) {
        let (mut tables, mut problems) = (Self::default(), Vec::new());
        let wanted = |table: &Table| table.slice.pieces() <= pieces;
        let embedded = Self::embedded();
        let own = embedded.values.iter().chain(&embedded.distances).flatten();
        own.filter(|table| wanted(table)).for_each(|table| tables.add(table.clone()));
        let Some(folder) = folder.filter(|_| pieces > 0) else { return (tables, problems) };
        let mut paths: Vec<PathBuf> = match std::fs::read_dir(folder) {
            Ok(entries) => entries.flatten().map(|entry| entry.path()).collect(),
            Err(error) => {
                problems.push(Problem { path: folder.to_owned(), error: error.into() });
                return (tables, problems);
            }
        };
        paths.retain(|path| {
            let ending = path.extension().and_then(|ending| ending.to_str());
            Kind::ALL.iter().any(|kind| ending == Some(kind.extension()))
        });
        paths.sort();
        for path in paths {
            match Table::open(&path) {
                Ok(table) if wanted(&table) => tables.add(table),
                Ok(_) => {}
                Err(error) => problems.push(Problem { path, error }),
            }
        }
        (tables, problems)
    }

    fn add(&mut self, table: Table) {
        let slot = table.slice.slot();
        let tables = match table.kind {
            Kind::Values => {
                self.pieces = self.pieces.max(table.slice.pieces());
                &mut self.values
            }
            Kind::Distances => &mut self.distances,
        };
        // What is in the program need not be read from a disk.
        tables[slot].get_or_insert(table);
    }

    /// The greatest number of pieces in any table; 0 without tables.
    #[inline]
    pub const fn pieces(&self) -> u32 {
        self.pieces
    }

    /// The tables of values.
    pub fn slices(&self) -> impl Iterator<Item = &Table> {
        self.values.iter().flatten()
    }

    /// The value of a position of the international game in which the side to move has **no capture**;
    /// `None` without a table for it.
    #[inline]
    pub fn probe(&self, position: &Position) -> Option<Value> {
        let board = Board::of(position);
        let slice = board.slice();
        if slice.pieces() > self.pieces || !slice.is_proper() {
            return None;
        }
        self.values[slice.slot()].as_ref()?.value(slice.index(&board))
    }

    /// The value of any position for which there are tables; captures are played out.
    pub fn value(&self, position: &Position) -> Option<Value> {
        if (position.pieces(position.turn())).is_empty() {
            return Some(Value::Loss);
        }
        if !position.has_capture() {
            return self.probe(position);
        }
        let mut best = Value::Loss;
        for mv in legal_moves::<International>(position) {
            match self.value(&position.play::<International>(mv))? {
                Value::Loss => best = Value::Win,
                Value::Draw if best == Value::Loss => best = Value::Draw,
                _ => {}
            }
        }
        Some(best)
    }

    /// Value and plies to the end of any position for which there are tables of both kinds. Takes a
    /// fraction of a millisecond: not for the nodes of a search.
    pub fn code(&self, position: &Position) -> Option<Code> {
        if position.pieces(position.turn()).is_empty() {
            return Some(Code::LOST);
        }
        let board = Board::of(position);
        let slice = board.slice();
        if slice.pieces() > self.pieces || !slice.is_proper() {
            return None;
        }
        let next = || {
            legal_moves::<International>(position).into_iter().map(|mv| position.play::<International>(mv))
        };
        if position.has_capture() {
            let codes: Option<Vec<Code>> = next().map(|next| self.code(&next)).collect();
            return back_up(codes?);
        }
        match self.probe(position)? {
            Value::Draw => Some(Code::DRAW),
            Value::Loss => self.distances[slice.slot()].as_ref()?.lost_code(slice.index(&board)),
            Value::Win => {
                let mut codes = Vec::new();
                for next in next() {
                    if self.value(&next)? == Value::Loss {
                        codes.push(self.code(&next)?);
                    }
                }
                back_up(codes)
            }
        }
    }
}
