//! Making the tables of a number of pieces and of all smaller numbers, slice by slice, in a folder.

use super::file::{self, FileError, Kind, Table};
use super::slice::Slice;
use super::solve::{SolveError, Solved, Totals, solve};
use super::verify::{self, VerifyError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What happens while tables are made.
#[derive(Clone, Copy, Debug)]
pub enum Event {
    /// So many more numbers of positions have been dealt with; a run's sum is [`work`].
    Progress(u64),
    /// A slice is in its files.
    Slice {
        /// Which.
        slice: Slice,
        /// Its positions.
        totals: Totals,
        /// Bytes of the file of values and of that of distances.
        bytes: [u64; 2],
        /// Time for the slice and its counterpart; `None` when the files were there before.
        time: Option<Duration>,
    },
}

/// Why tables were not made.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The folder or a file cannot be written.
    #[error("cannot write {}: {error}", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// The analysis.
    #[error("slice {0}: {1}")]
    Solve(Slice, SolveError),
    /// A table that was there before is wrong.
    #[error("{0}; remove the file and start again")]
    Verify(#[from] VerifyError),
}

/// The sum of all [`Event::Progress`] when the tables of up to `pieces` pieces are made or checked.
pub fn work(pieces: u32) -> u64 {
    (2..=pieces).flat_map(Slice::all).map(Slice::size).sum()
}

/// Makes the tables of 2 to `most` pieces in `folder`, which is made if it is not there. Sound files
/// that are there already are kept, so an interrupted run goes on where it was, but for the pair of
/// slices it was at.
///
/// # Errors
/// When a file cannot be written, or a table that is there contradicts the rules.
pub fn generate(folder: &Path, most: u32, tell: &(dyn Fn(Event) + Sync)) -> Result<(), BuildError> {
    std::fs::create_dir_all(folder).map_err(|error| BuildError::Io { path: folder.to_owned(), error })?;
    let mut solved = Solved::default();
    for pieces in 2..=most {
        for slice in Slice::all(pieces).into_iter().filter(|&slice| slice <= slice.passed()) {
            let men = slice.all_men();
            solved.retain(|old| old.pieces() < most || old.all_men() + 1 >= men);
            match open_pair(folder, slice) {
                Some(tables) => {
                    for [values, distances] in tables {
                        tell(Event::Progress(values.slice.size()));
                        let bytes = [values.length(), distances.length()];
                        tell(Event::Slice { slice: values.slice, totals: values.totals, bytes, time: None });
                    }
                }
                None => make(folder, slice, &mut solved, tell)?,
            }
        }
    }
    Ok(())
}

/// The sound files of a slice and its counterpart, if all are there.
fn open_pair(folder: &Path, slice: Slice) -> Option<Vec<[Table; 2]>> {
    open(folder, slice).ok()
}

/// Opens the files of a slice and its counterpart.
///
/// # Errors
/// When one is missing or damaged, or is another slice's.
pub(super) fn open(folder: &Path, slice: Slice) -> Result<Vec<[Table; 2]>, (String, FileError)> {
    let mut tables = Vec::new();
    for slice in pair(slice) {
        let open = |kind| {
            let name = file::name(slice, kind);
            match Table::open(&folder.join(&name)) {
                Ok(table) if (table.slice, table.kind) == (slice, kind) => Ok(table),
                Ok(_) => Err((name, FileError::Header)),
                Err(error) => Err((name, error)),
            }
        };
        tables.push([open(Kind::Values)?, open(Kind::Distances)?]);
    }
    Ok(tables)
}

/// A slice and, if it is another, its counterpart.
pub(super) fn pair(slice: Slice) -> impl Iterator<Item = Slice> {
    let other = Some(slice.passed()).filter(|&other| other != slice);
    std::iter::once(slice).chain(other)
}

/// Solves a slice and its counterpart and writes their files.
fn make(
    folder: &Path,
    slice: Slice,
    solved: &mut Solved,
    tell: &(dyn Fn(Event) + Sync),
) -> Result<(), BuildError> {
    for below in pair(slice).flat_map(Slice::below) {
        verify::ensure(folder, below, solved)?;
    }
    let start = Instant::now();
    let solutions = solve(slice, solved, &|count| tell(Event::Progress(count)))
        .map_err(|error| BuildError::Solve(slice, error))?;
    for solution in solutions {
        let mut bytes = [0; 2];
        for (length, kind) in bytes.iter_mut().zip(Kind::ALL) {
            let path = folder.join(file::name(solution.slice, kind));
            let cannot = |error| BuildError::Io { path, error };
            *length = file::write(folder, &solution, kind).map_err(cannot)?;
        }
        solved.insert(solution.slice, solution.codes());
        let time = Some(start.elapsed());
        tell(Event::Slice { slice: solution.slice, totals: solution.totals(), bytes, time });
    }
    Ok(())
}
