//! Several books made one.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use super::writer::{BookWriter, Weighed};
use super::{Book, Entry, SIZE};

/// The entries of a book in the order of the file, with a look ahead.
struct Source {
    path: PathBuf,
    input: BufReader<File>,
    left: u64,
    next: Option<Entry>,
}

impl Source {
    fn open(path: &Path) -> Result<Self, String> {
        let cannot = |error: io::Error| format!("'{}': {error}", path.display());
        let left = Book::open(path).map_err(cannot)?.len();
        let input = BufReader::new(File::open(path).map_err(cannot)?);
        let mut source = Self { path: path.to_owned(), input, left, next: None };
        source.advance()?;
        Ok(source)
    }

    fn advance(&mut self) -> Result<(), String> {
        let before = self.next.take().map(|entry| entry.key);
        if self.left > 0 {
            let mut bytes = [0; SIZE];
            self.input
                .read_exact(&mut bytes)
                .map_err(|error| format!("'{}': {error}", self.path.display()))?;
            let entry = Entry::from_bytes(bytes);
            if before.is_some_and(|before| entry.key < before) {
                return Err(format!("'{}': is not sorted, so it is no book", self.path.display()));
            }
            self.left -= 1;
            self.next = Some(entry);
        }
        Ok(())
    }
}

/// Writes a book that has the moves of all the others; where several have a move its weights are added up. Constant
/// memory. Returns the number of entries.
///
/// # Errors
/// One line: a book that cannot be read or is not sorted, or a disk that is full.
pub fn merge(books: &[PathBuf], out: &Path) -> Result<u64, String> {
    let cannot = |error: io::Error| format!("cannot write '{}': {error}", out.display());
    let mut sources = books.iter().map(|path| Source::open(path)).collect::<Result<Vec<_>, _>>()?;
    let mut writer = BookWriter::create(out).map_err(cannot)?;
    while let Some(key) = sources.iter().filter_map(|source| source.next).map(|entry| entry.key).min() {
        let mut moves: Vec<Weighed> = Vec::new();
        for source in &mut sources {
            while let Some(entry) = source.next.filter(|entry| entry.key == key) {
                source.advance()?;
                match moves.iter_mut().find(|weighed| weighed.mv == entry.mv) {
                    Some(known) => known.weight += u64::from(entry.weight),
                    None => moves.push(Weighed {
                        key,
                        mv: entry.mv,
                        weight: u64::from(entry.weight),
                        learn: entry.learn,
                    }),
                }
            }
        }
        for weighed in moves {
            writer.add(weighed).map_err(cannot)?;
        }
    }
    writer.finish().map_err(cannot)
}
