//! Opening books in the Polyglot format (<http://hgm.nubati.net/book_format.html>).
//!
//! A book is a file of entries of 16 bytes, sorted by the key of the position. It is read where it lies, so that a
//! book of any size costs nothing until it is asked.

pub mod check;
pub mod entry;
pub mod key;
pub mod make;
pub mod merge;
mod writer;

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use eval::random::Random;
use movegen::{Board, Move};

pub use entry::{Entry, SIZE};

/// Most entries read of one position: more than there can be moves.
const MAX_MOVES: usize = 256;

/// How a move is chosen among those of the book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variety {
    /// Always the move with the largest weight.
    Best,
    /// By weight.
    Weighted,
    /// Every move is as likely.
    Uniform,
}

impl Variety {
    /// Names as in the option BookVariety.
    pub const NAMES: [&'static str; 3] = ["best", "weighted", "uniform"];

    /// The way with this name; weighted for an unknown one.
    pub fn from_name(name: &str) -> Self {
        match name {
            "best" => Self::Best,
            "uniform" => Self::Uniform,
            _ => Self::Weighted,
        }
    }
}

/// A book that can be asked.
#[derive(Debug)]
pub struct Book {
    file: Mutex<File>,
    path: PathBuf,
    entries: u64,
    /// Bytes behind the last whole entry.
    tail: u64,
}

impl Book {
    /// Opens a book.
    ///
    /// # Errors
    /// When it cannot be opened, is no file, or holds no entry.
    pub fn open(path: &Path) -> io::Result<Self> {
        // Asked before it is opened: to open a pipe can take for ever.
        let data = path.metadata()?;
        if !data.is_file() {
            return Err(io::Error::other("is not a file"));
        }
        let file = File::open(path)?;
        let (entries, tail) = (data.len() / SIZE as u64, data.len() % SIZE as u64);
        if entries == 0 {
            return Err(io::Error::other("holds no entry"));
        }
        Ok(Self { file: Mutex::new(file), path: path.to_owned(), entries, tail })
    }

    /// Number of entries.
    pub fn len(&self) -> u64 {
        self.entries
    }

    /// What is odd about the file's size, if anything.
    pub fn size_fault(&self) -> Option<String> {
        (self.tail > 0).then(|| {
            format!("{}: the last {} bytes are no entry and are ignored", self.path.display(), self.tail)
        })
    }

    /// The entries of a position in the order of the file.
    ///
    /// # Errors
    /// When the file cannot be read.
    fn raw(&self, board: &Board) -> io::Result<Vec<Entry>> {
        let key = key::of(board);
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let mut place = first(&mut file, self.entries, key)?;
        let mut entries = Vec::new();
        while place < self.entries && entries.len() < MAX_MOVES {
            let entry = read(&mut file, place)?;
            if entry.key != key {
                break;
            }
            entries.push(entry);
            place += 1;
        }
        Ok(entries)
    }

    /// The moves of a position that are legal, in the order of the file, each with its first entry.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn moves(&self, board: &Board) -> io::Result<Vec<(Move, Entry)>> {
        let mut moves: Vec<(Move, Entry)> = Vec::new();
        for entry in self.raw(board)? {
            if let Some(mv) = entry.on(board)
                && moves.iter().all(|(known, _)| *known != mv)
            {
                moves.push((mv, entry));
            }
        }
        Ok(moves)
    }

    /// Chooses a move of those that `allowed` names (all when it is empty). `None` when the book has none with a
    /// weight.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn choose(
        &self,
        board: &Board,
        allowed: &[Move],
        variety: Variety,
        random: &mut Random,
    ) -> io::Result<Option<(Move, Entry)>> {
        let mut moves = self.moves(board)?;
        moves.retain(|(mv, entry)| entry.weight > 0 && (allowed.is_empty() || allowed.contains(mv)));
        let total: u64 = moves.iter().map(|(_, entry)| u64::from(entry.weight)).sum();
        if total == 0 {
            return Ok(None);
        }
        Ok(match variety {
            // The first of equals, as in the file.
            Variety::Best => moves.into_iter().rev().max_by_key(|(_, entry)| entry.weight),
            Variety::Uniform => {
                let place = random.below(moves.len() as u64);
                moves.into_iter().nth(place as usize)
            }
            Variety::Weighted => {
                let mut rest = random.below(total);
                moves.into_iter().find(|(_, entry)| {
                    let weight = u64::from(entry.weight);
                    let found = rest < weight;
                    rest = rest.saturating_sub(weight);
                    found
                })
            }
        })
    }
}

/// Place of the first entry with at least this key.
fn first(file: &mut File, entries: u64, key: u64) -> io::Result<u64> {
    let (mut low, mut high) = (0, entries);
    while low < high {
        let middle = low + (high - low) / 2;
        if read(file, middle)?.key < key {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    Ok(low)
}

fn read(file: &mut File, place: u64) -> io::Result<Entry> {
    let mut bytes = [0; SIZE];
    file.seek(SeekFrom::Start(place * SIZE as u64))?;
    file.read_exact(&mut bytes)?;
    Ok(Entry::from_bytes(bytes))
}

#[cfg(test)]
mod tests;
