//! Text files read line by line.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use study::interrupted;
use uci::io::LineReader;

/// Longest line of a file, in bytes.
const LONGEST_LINE: usize = 1 << 20;

/// The numbered lines of a file. They end behind the first error: that of the input, a line of more than 1 MiB, or the
/// wish of the person that the work end.
pub struct Lines {
    reader: LineReader<BufReader<Bounded>>,
    number: u64,
    has_failed: bool,
}

impl Lines {
    /// Opens a file.
    ///
    /// # Errors
    /// With its name, when that fails.
    pub fn open(path: &Path) -> Result<Self, String> {
        let problem = |error: io::Error| format!("{}: {error}", path.display());
        let file = File::open(path).map_err(problem)?;
        if file.metadata().map_err(problem)?.is_dir() {
            return Err(format!("{} is a folder", path.display()));
        }
        let reader = LineReader::new(BufReader::new(Bounded { file, length: 0 }));
        Ok(Self { reader, number: 0, has_failed: false })
    }
}

impl Iterator for Lines {
    type Item = Result<(u64, String), String>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_failed {
            return None;
        }
        self.number += 1;
        match self.reader.read_line() {
            Ok(line) => line.map(|line| Ok((self.number, line))),
            Err(error) => {
                self.has_failed = true;
                Some(Err(format!("line {}: {error}", self.number)))
            }
        }
    }
}

/// A file that fails instead of going on without a line end for ever.
struct Bounded {
    file: File,
    /// Bytes since the last line end.
    length: usize,
}

impl Read for Bounded {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if interrupted() {
            return Err(io::Error::other("interrupted"));
        }
        if self.length > LONGEST_LINE {
            return Err(io::Error::other(format!("longer than {LONGEST_LINE} bytes")));
        }
        let count = self.file.read(buffer)?;
        let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
        let read = buffer.get(..count).unwrap_or_default();
        self.length = match read.iter().rev().position(is_end) {
            Some(behind) => behind,
            None => self.length + count,
        };
        Ok(count)
    }
}
