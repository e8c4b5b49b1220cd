//! Writing a book: entries in order of their positions, weights fitted to 16 bits.

use std::io::{self, Write};
use std::path::Path;

use study::OutFile;

use super::{Entry, SIZE};

/// A move of a position with a weight of any size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Weighed {
    /// Key of the position.
    pub key: u64,
    /// The move in the book's code.
    pub mv: u16,
    /// Weight before it is fitted.
    pub weight: u64,
    /// The field of learning programs.
    pub learn: u32,
}

/// Writes a book beside its place and puts it there when it is whole.
pub struct BookWriter {
    out: OutFile,
    /// Moves of the position that is being written.
    group: Vec<Weighed>,
    written: u64,
}

impl BookWriter {
    /// Begins a book.
    ///
    /// # Errors
    /// When the file beside `path` cannot be written.
    pub fn create(path: &Path) -> io::Result<Self> {
        let out = OutFile::create(path).map_err(io::Error::other)?;
        Ok(Self { out, group: Vec::new(), written: 0 })
    }

    /// Adds a move. Positions come in rising order of their keys; moves without weight are left out.
    ///
    /// # Errors
    /// When the disk does not take it.
    pub fn add(&mut self, weighed: Weighed) -> io::Result<()> {
        if self.group.last().is_some_and(|last| last.key != weighed.key) {
            self.end_group()?;
        }
        self.group.push(weighed);
        Ok(())
    }

    fn end_group(&mut self) -> io::Result<()> {
        let largest = self.group.iter().map(|weighed| weighed.weight).max().unwrap_or(0);
        let limit = u64::from(u16::MAX);
        let fit = |weight: u64| {
            if largest <= limit {
                weight as u16
            } else {
                // Rounded up: what has a weight keeps one.
                (u128::from(weight) * u128::from(limit)).div_ceil(u128::from(largest)) as u16
            }
        };
        let mut entries: Vec<Entry> = self
            .group
            .drain(..)
            .map(|w| Entry { key: w.key, mv: w.mv, weight: fit(w.weight), learn: w.learn })
            .filter(|entry| entry.weight > 0)
            .collect();
        entries.sort_by_key(Entry::order);
        for entry in entries {
            let bytes: [u8; SIZE] = entry.to_bytes();
            self.out.write_all(&bytes)?;
            self.written += 1;
        }
        Ok(())
    }

    /// Puts the whole book in its place, unless there is nothing in it; returns the number of entries.
    ///
    /// # Errors
    /// When the disk does not take it.
    pub fn finish(mut self) -> io::Result<u64> {
        self.end_group()?;
        if self.written == 0 {
            return Ok(0);
        }
        self.out.finish().map_err(io::Error::other)?;
        Ok(self.written)
    }
}
