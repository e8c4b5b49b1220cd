//! Whether a file is a sound book.

use std::collections::HashSet;
use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use movegen::{Board, NoObserver};

use super::{Book, Entry, SIZE, key};

/// What a book holds and what is wrong with it.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Number of entries.
    pub entries: u64,
    /// Number of positions.
    pub positions: u64,
    /// Bytes behind the last whole entry.
    pub tail: u64,
    /// Entries whose key is below that of the entry before: they cannot be found.
    pub unsorted: u64,
    /// Entries with the move of an earlier entry of the same position.
    pub repeated: u64,
    /// Entries without weight, which are never played.
    pub weightless: u64,
    /// Positions of the book that its own moves reach from the start position.
    pub reached: u64,
    /// Moves of those positions that are not legal there.
    pub illegal: u64,
}

impl Report {
    /// Whether the book is fit for use in every part.
    pub fn is_sound(&self) -> bool {
        self.tail + self.unsorted + self.repeated + self.illegal == 0
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} entries, {} positions, {} of them reached from the start position; {} entries without weight; \
             faults: {} out of order, {} repeated, {} illegal moves, {} bytes at the end",
            self.entries,
            self.positions,
            self.reached,
            self.weightless,
            self.unsorted,
            self.repeated,
            self.illegal,
            self.tail
        )
    }
}

/// Longest line that is followed from the start position, in plies.
const MAX_PLIES: usize = 200;

/// Reads a whole book, then follows its moves from the start position.
///
/// # Errors
/// When the file cannot be read or holds no entry.
pub fn check(path: &Path) -> io::Result<Report> {
    let book = Book::open(path)?;
    let mut report = Report { entries: book.len(), tail: book.tail, ..Report::default() };
    let mut input = BufReader::new(File::open(path)?);
    let mut moves: HashSet<u16> = HashSet::new();
    let mut last = None;
    for _ in 0..book.len() {
        let mut bytes = [0; SIZE];
        input.read_exact(&mut bytes)?;
        let entry = Entry::from_bytes(bytes);
        if last != Some(entry.key) {
            report.positions += 1;
            report.unsorted += u64::from(last.is_some_and(|last| entry.key < last));
            moves.clear();
        }
        report.repeated += u64::from(!moves.insert(entry.mv));
        report.weightless += u64::from(entry.weight == 0);
        last = Some(entry.key);
    }
    walk(&book, &mut report)?;
    Ok(report)
}

/// Follows every move of the book from the start position, each position once.
fn walk(book: &Book, report: &mut Report) -> io::Result<()> {
    let mut seen = HashSet::new();
    let mut open = vec![Board::startpos()];
    while let Some(board) = open.pop() {
        if !seen.insert(key::of(&board)) {
            continue;
        }
        let raw = book.raw(&board)?;
        if raw.is_empty() {
            continue;
        }
        report.reached += 1;
        for entry in raw {
            match entry.on(&board) {
                None => report.illegal += 1,
                Some(mv) if board.known_plies() < MAX_PLIES => {
                    let mut after = board.clone();
                    after.make_move(mv, &mut NoObserver);
                    open.push(after);
                }
                Some(_) => {}
            }
        }
    }
    Ok(())
}
