//! Text files read line by line.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use uci::io::LineReader;

/// The numbered lines of a file.
pub struct Lines {
    reader: LineReader<BufReader<File>>,
    number: u64,
}

impl Lines {
    /// Opens a file.
    ///
    /// # Errors
    /// With its name, when that fails.
    pub fn open(path: &Path) -> Result<Self, String> {
        let problem = |error: std::io::Error| format!("{}: {error}", path.display());
        let file = File::open(path).map_err(problem)?;
        if file.metadata().map_err(problem)?.is_dir() {
            return Err(format!("{} is a folder", path.display()));
        }
        Ok(Self { reader: LineReader::new(BufReader::new(file)), number: 0 })
    }
}

impl Iterator for Lines {
    type Item = Result<(u64, String), String>;

    fn next(&mut self) -> Option<Self::Item> {
        self.number += 1;
        match self.reader.read_line() {
            Ok(line) => line.map(|line| Ok((self.number, line))),
            Err(error) => Some(Err(format!("line {}: {error}", self.number))),
        }
    }
}
