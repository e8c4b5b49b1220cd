//! A book made of games.
//!
//! What was played is counted in memory up to a bound; when that is full the counts are sorted and put aside in a file,
//! and at the end all such files are merged. So the games may be of any number.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use movegen::{Board, Color, Move, NoObserver};

use super::writer::{BookWriter, Weighed};
use super::{entry, key};
use crate::pgn::{Game, GameResult};

/// What the weight of a move is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Scoring {
    /// Two points for a win of the mover, one for a draw, none for a loss.
    Result,
    /// The number of games.
    Count,
}

/// What goes into a book.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Half-moves of a game that are looked at.
    pub plies: usize,
    /// Games that must have a move.
    pub min_games: u32,
    /// What weights mean.
    pub scoring: Scoring,
    /// Moves of this colour only.
    pub color: Option<Color>,
    /// Counts kept in memory.
    pub capacity: usize,
}

/// Bytes that one count takes in memory at most: in a table that is half as full as tables get, with a byte of the
/// table's own, and in the list that is sorted when the table is full.
const COUNT_BYTES: usize = (2 * (ENTRY + 1) * 8).div_ceil(7) + ENTRY;
const ENTRY: usize = size_of::<(Place, Count)>();

impl Settings {
    /// The number of counts that fit into memory of this size.
    pub fn capacity(mebibytes: usize) -> usize {
        (mebibytes << 20) / COUNT_BYTES
    }
}

/// How often a move was played and with what success.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Count {
    games: u32,
    points: u32,
}

/// A position's key and a move.
type Place = (u64, u16);

/// Bytes of a count that was put aside.
const RECORD: usize = 18;

/// Counts moves of games.
pub struct Maker {
    settings: Settings,
    counts: HashMap<Place, Count>,
    aside: Vec<Aside>,
    out: PathBuf,
}

impl Maker {
    /// Begins a book that will lie at `out`; files put aside lie beside it.
    pub fn new(settings: Settings, out: &Path) -> Self {
        Self { settings, counts: HashMap::new(), aside: Vec::new(), out: out.to_owned() }
    }

    /// Counts the moves of a game up to its first fault or pass. A game without a result is left out where results
    /// count, and Chess960 always, since the format cannot tell its castlings; returns whether the game was counted.
    ///
    /// # Errors
    /// When counts cannot be put aside.
    pub fn add(&mut self, game: &Game) -> io::Result<bool> {
        let is_left_out = self.settings.scoring == Scoring::Result && game.result.is_none();
        if is_left_out || game.start.is_chess960() {
            return Ok(false);
        }
        let mut board = game.start.clone();
        for mv in game.moves.iter().take(self.settings.plies).map_while(|mv| *mv) {
            if self.settings.color.is_none_or(|color| color == board.side_to_move()) {
                self.count(&board, mv, game.result)?;
            }
            board.make_move(mv, &mut NoObserver);
        }
        Ok(true)
    }

    fn count(&mut self, board: &Board, mv: Move, result: Option<GameResult>) -> io::Result<()> {
        let points = match (result, board.side_to_move()) {
            (Some(GameResult::White), Color::White) | (Some(GameResult::Black), Color::Black) => 2,
            (Some(GameResult::Draw), _) => 1,
            _ => 0,
        };
        let count = self.counts.entry((key::of(board), entry::code(mv))).or_default();
        count.games = count.games.saturating_add(1);
        count.points = count.points.saturating_add(points);
        if self.counts.len() >= self.settings.capacity.max(1) {
            let counts = self.drain();
            let file = Aside::write(&self.out, self.aside.len(), counts)?;
            self.aside.push(file);
        }
        Ok(())
    }

    fn drain(&mut self) -> Vec<(Place, Count)> {
        let mut counts: Vec<_> = self.counts.drain().collect();
        counts.sort_unstable_by_key(|(place, _)| *place);
        counts
    }

    /// Writes the book; returns the number of entries.
    ///
    /// # Errors
    /// When the disk does not take it.
    pub fn finish(mut self) -> io::Result<u64> {
        let mut memory = self.drain().into_iter().peekable();
        let mut writer = BookWriter::create(&self.out)?;
        loop {
            let places = self.aside.iter().filter_map(|file| file.next).map(|(place, _)| place);
            let Some(place) = places.chain(memory.peek().map(|(place, _)| *place)).min() else { break };
            let mut sum = Count::default();
            let mut add = |count: Count| {
                sum.games = sum.games.saturating_add(count.games);
                sum.points = sum.points.saturating_add(count.points);
            };
            if let Some((_, count)) = memory.next_if(|(other, _)| *other == place) {
                add(count);
            }
            for file in &mut self.aside {
                if let Some((_, count)) = file.next.filter(|(other, _)| *other == place) {
                    add(count);
                    file.advance()?;
                }
            }
            if sum.games >= self.settings.min_games {
                let weight = match self.settings.scoring {
                    Scoring::Result => sum.points,
                    Scoring::Count => sum.games,
                };
                writer.add(Weighed { key: place.0, mv: place.1, weight: u64::from(weight), learn: 0 })?;
            }
        }
        writer.finish()
    }
}

/// Sorted counts in a file that vanishes with this value.
struct Aside {
    input: BufReader<File>,
    path: PathBuf,
    left: usize,
    next: Option<(Place, Count)>,
}

impl Aside {
    fn write(out: &Path, number: usize, counts: Vec<(Place, Count)>) -> io::Result<Self> {
        let mut name = out.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{}.{number}.part", std::process::id()));
        let path = out.with_file_name(name);
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(true).open(&path)?;
        let left = counts.len();
        // From here on the file is removed in any case.
        let mut aside = Self { input: BufReader::new(file), path, left, next: None };
        let mut writer = BufWriter::new(aside.input.get_ref().try_clone()?);
        for ((key, mv), count) in counts {
            writer.write_all(&key.to_le_bytes())?;
            writer.write_all(&mv.to_le_bytes())?;
            writer.write_all(&count.games.to_le_bytes())?;
            writer.write_all(&count.points.to_le_bytes())?;
        }
        writer.flush()?;
        aside.input.seek(SeekFrom::Start(0))?;
        aside.advance()?;
        Ok(aside)
    }

    fn advance(&mut self) -> io::Result<()> {
        self.next = None;
        if self.left > 0 {
            let mut bytes = [0; RECORD];
            self.input.read_exact(&mut bytes)?;
            let number = |from: usize, to: usize| {
                bytes[from..to].iter().rev().fold(0_u64, |sum, byte| sum << 8 | u64::from(*byte))
            };
            let place = (number(0, 8), number(8, 10) as u16);
            let count = Count { games: number(10, 14) as u32, points: number(14, 18) as u32 };
            self.left -= 1;
            self.next = Some((place, count));
        }
        Ok(())
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_stay_within_the_memory() {
        for mebibytes in 1..=40 {
            let capacity = Settings::capacity(mebibytes);
            let table = HashMap::<Place, Count>::with_capacity(capacity);
            let places = (table.capacity() * 8).div_ceil(7);
            let bytes = places * (ENTRY + 1) + capacity * ENTRY;
            assert!(bytes <= mebibytes << 20, "{mebibytes} MiB: {bytes} bytes");
            assert!(2 * bytes >= mebibytes << 20, "{mebibytes} MiB: {bytes} bytes only");
        }
    }
}
