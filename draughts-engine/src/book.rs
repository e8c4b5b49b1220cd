//! The opening book: positions with scores, and the choice of a move among them.
//!
//! A position whose every successor is in the book is *expanded*: its moves can be compared. A file holds
//! the keys of the positions in rising order, each with the score for the side to move:
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `DYADBOOK` |
//! | 4 | version, 1 |
//! | 4 | number of positions |
//! | 8 | key of the start position: books for other keys are refused |
//! | 10 each | key (8) and score in hundredths of a man (2) |
//! | 8 | FNV-1a checksum of all before |
//!
//! All numbers are little-endian.

pub mod build;

use crate::rules::International;
use crate::{Move, Position, legal_moves};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::LazyLock;
use study::OutFile;

/// What is wrong with a book.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// The file cannot be read or written.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// A folder, a device, or the like.
    #[error("not a file")]
    NotAFile,
    /// It does not begin like a book.
    #[error("not a book")]
    Magic,
    /// A version that is not known here.
    #[error("version {0} of the format is not known")]
    Version(u32),
    /// Shorter or longer than it says.
    #[error("{0} bytes, where {1} are due: it is cut or damaged")]
    Size(u64, u64),
    /// Made for other position keys.
    #[error("made by a version with other position keys")]
    Keys,
    /// The checksum does not fit.
    #[error("the checksum is wrong: it is damaged")]
    Checksum,
    /// The positions are not in order.
    #[error("positions out of order")]
    Order,
    /// A position that no line from the start leads to.
    #[error("{0} of {1} positions cannot be reached from the start")]
    Unreachable(usize, usize),
    /// The score of an expanded position is not that of its best move.
    #[error("{0} positions have another score than their best move")]
    Scores(usize),
}

const MAGIC: &[u8; 8] = b"DYADBOOK";
const VERSION: u32 = 1;
const HEADER: usize = 24;
const ENTRY: usize = 10;
const CHECKSUM: usize = 8;
/// No book is larger, in bytes.
const LARGEST: u64 = 1 << 30;

/// An opening book; the default is empty.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Book {
    /// Keys and scores, keys rising.
    entries: Vec<(u64, i16)>,
}

/// The book in the program; docs/book-draughts.md says how it is made.
static BUILT_IN: LazyLock<Book> =
    LazyLock::new(|| Book::from_bytes(include_bytes!("../book/international.book")).unwrap_or_default());

/// FNV-1a (Fowler, Noll, Vo).
fn checksum(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xCBF2_9CE4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}

impl Book {
    /// The book in the program.
    pub fn built_in() -> &'static Self {
        &BUILT_IN
    }

    /// Reads a book file.
    ///
    /// # Errors
    /// When it cannot be read or is damaged in any way.
    pub fn load(path: &Path) -> Result<Self, BookError> {
        // Looked at first: to open a pipe can take for ever.
        if !std::fs::metadata(path)?.is_file() {
            return Err(BookError::NotAFile);
        }
        let mut bytes = Vec::new();
        File::open(path)?.take(LARGEST).read_to_end(&mut bytes)?;
        Self::from_bytes(&bytes)
    }

    /// Reads a book.
    ///
    /// # Errors
    /// When it is damaged in any way.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BookError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(BookError::Magic)?;
        let size = |due: u64| BookError::Size(bytes.len() as u64, due);
        let least = size((HEADER + CHECKSUM) as u64);
        let Some((&version, rest)) = rest.split_first_chunk() else { return Err(least) };
        let version = u32::from_le_bytes(version);
        if version != VERSION {
            return Err(BookError::Version(version));
        }
        let Some((&count, rest)) = rest.split_first_chunk() else { return Err(least) };
        let count = u32::from_le_bytes(count);
        let due = u64::from(count) * ENTRY as u64 + (HEADER + CHECKSUM) as u64;
        if bytes.len() as u64 != due {
            return Err(size(due));
        }
        let Some((&start, rest)) = rest.split_first_chunk() else { return Err(least) };
        let Some((content, sum)) = bytes.split_last_chunk() else { return Err(least) };
        if checksum(content) != u64::from_le_bytes(*sum) {
            return Err(BookError::Checksum);
        }
        if u64::from_le_bytes(start) != Position::start().key() {
            return Err(BookError::Keys);
        }
        let (rows, _) = rest.as_chunks::<ENTRY>();
        let entry = |[a, b, c, d, e, f, g, h, low, high]: [u8; ENTRY]| {
            (u64::from_le_bytes([a, b, c, d, e, f, g, h]), i16::from_le_bytes([low, high]))
        };
        // The checksum is shorter than a row, so only whole rows are entries.
        let entries: Vec<(u64, i16)> = rows.iter().take(count as usize).map(|&row| entry(row)).collect();
        if !entries.is_sorted_by(|a, b| a.0 < b.0) {
            return Err(BookError::Order);
        }
        Ok(Self { entries })
    }

    /// The bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((self.entries.len() as u32).to_le_bytes());
        bytes.extend(Position::start().key().to_le_bytes());
        for (key, score) in &self.entries {
            bytes.extend(key.to_le_bytes());
            bytes.extend(score.to_le_bytes());
        }
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes
    }

    /// Writes the file: first under another name, so that no half of a book is ever there.
    ///
    /// # Errors
    /// When writing fails.
    pub fn save(&self, path: &Path) -> Result<(), BookError> {
        let mut file = OutFile::create(path).map_err(io::Error::other)?;
        file.write_all(&self.to_bytes())?;
        file.finish().map_err(io::Error::other)?;
        Ok(())
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no position in it.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The score of a position for the side to move, in hundredths of a man.
    pub fn score(&self, position: &Position) -> Option<i32> {
        let index = self.entries.binary_search_by_key(&position.key(), |entry| entry.0).ok()?;
        self.entries.get(index).map(|entry| i32::from(entry.1))
    }

    /// The moves with their scores, the best first; none unless the position is expanded.
    pub fn moves(&self, position: &Position) -> Vec<(Move, i32)> {
        let legal = legal_moves::<International>(position);
        let score = |&mv: &Move| Some((mv, -self.score(&position.play::<International>(mv))?));
        let mut moves: Vec<(Move, i32)> = legal.iter().map_while(score).collect();
        if moves.len() < legal.len() {
            moves.clear();
        }
        moves.sort_by_key(|&(_, score)| std::cmp::Reverse(score));
        moves
    }

    /// The moves within `margin` of the best one, each with its weight: the nearer the heavier.
    pub fn choices(&self, position: &Position, margin: i32) -> Vec<(Move, u64)> {
        let moves = self.moves(position);
        let Some(&(_, best)) = moves.first() else { return Vec::new() };
        let weight =
            |score: i32| u64::try_from(margin + 1 - (best - score)).ok().filter(|&weight| weight > 0);
        moves.iter().map_while(|&(mv, score)| Some((mv, weight(score)?))).collect()
    }

    /// One of the moves within `margin` of the best, decided by `random`, and the best answer to it if the
    /// book knows that too.
    pub fn choose(&self, position: &Position, margin: i32, random: u64) -> Option<(Move, Option<Move>)> {
        let choices = self.choices(position, margin);
        let total: u64 = choices.iter().map(|choice| choice.1).sum();
        let mut left = random.checked_rem(total)?;
        for (mv, weight) in choices {
            if left < weight {
                let reply = self.moves(&position.play::<International>(mv)).first().map(|reply| reply.0);
                return Some((mv, reply));
            }
            left -= weight;
        }
        None
    }
}
