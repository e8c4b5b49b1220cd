//! Drives self-play on many threads and appends whole games to a file, in the order of their numbers.
//!
//! Game number `n` depends on the seed and on `n` only, so the file is the same for any number of threads, and
//! a run that was interrupted goes on where the file ends.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

/// A finished game, ready to be written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The game in its file format.
    pub bytes: Vec<u8>,
    /// Positions with a score in it.
    pub positions: u64,
    /// Result from the view of the side that moves first in the rules: 1 won, 0 drawn, -1 lost.
    pub result: i8,
}

/// Plays games for one thread.
pub trait Player {
    /// Plays game number `number` from start to end.
    fn play(&mut self, number: u64) -> Record;
}

/// How far the generation is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Games in the file, those of earlier runs included.
    pub games: u64,
    /// Positions written by this run.
    pub positions: u64,
    /// Games of this run won, drawn and lost by the first side.
    pub results: [u64; 3],
    /// Time of this run.
    pub elapsed: Duration,
}

impl Progress {
    /// Positions per second of this run.
    #[must_use]
    pub fn positions_per_second(&self) -> f64 {
        self.positions as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }
}

/// Opens `path` for appending behind its whole games, cutting off what an interrupted write left.
///
/// # Errors
/// When the file cannot be opened or changed.
pub fn open_behind(path: &Path, whole_bytes: u64) -> io::Result<File> {
    let mut file = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path)?;
    if file.metadata()?.len() > whole_bytes {
        file.set_len(whole_bytes)?;
    }
    file.seek(SeekFrom::End(0))?;
    Ok(file)
}

/// Plays the games numbered `first..last` and appends them to `file`. When `stop` becomes true, games that have
/// begun are finished and written, and the function returns early.
///
/// `make` builds the player of each thread; `report` is called after each game.
///
/// # Errors
/// When writing fails; what was written before are whole games.
pub fn generate<P: Player>(
    file: &mut File,
    first: u64,
    last: u64,
    threads: usize,
    stop: &AtomicBool,
    make: impl Fn(usize) -> P + Sync,
    mut report: impl FnMut(&Progress),
) -> io::Result<Progress> {
    let start = Instant::now();
    let mut progress = Progress { games: first, ..Progress::default() };
    let next = AtomicU64::new(first);
    let failed = AtomicBool::new(false);
    let (sender, receiver) = channel::<(u64, Record)>();
    std::thread::scope(|scope| {
        for thread in 0..threads.max(1) {
            let (sender, next, failed, make) = (sender.clone(), &next, &failed, &make);
            scope.spawn(move || {
                let mut player = make(thread);
                while !stop.load(Ordering::Relaxed) && !failed.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= last || sender.send((number, player.play(number))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut early: BTreeMap<u64, Record> = BTreeMap::new();
        for (number, record) in receiver {
            early.insert(number, record);
            while let Some(record) = early.remove(&progress.games) {
                // One write for each game: an interruption leaves whole games or one torn tail.
                if let Err(error) = file.write_all(&record.bytes) {
                    failed.store(true, Ordering::Relaxed);
                    return Err(error);
                }
                progress.games += 1;
                progress.positions += record.positions;
                progress.results[usize::from(record.result == 0) + 2 * usize::from(record.result < 0)] += 1;
                progress.elapsed = start.elapsed();
                report(&progress);
            }
        }
        Ok(())
    })?;
    file.sync_all()?;
    progress.elapsed = start.elapsed();
    Ok(progress)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Counting;
    impl Player for Counting {
        fn play(&mut self, number: u64) -> Record {
            std::thread::sleep(Duration::from_micros(300 * (number * 7 % 5)));
            Record { bytes: number.to_le_bytes().to_vec(), positions: 2, result: (number % 3) as i8 - 1 }
        }
    }

    #[test]
    fn games_are_written_in_order_and_a_run_goes_on_where_it_stopped() {
        let path = std::env::temp_dir().join(format!("dyad-generate-{}", std::process::id()));
        let never = AtomicBool::new(false);
        let run = |first, last, threads, stop: &AtomicBool| {
            let mut file = open_behind(&path, first * 8).expect("temporary file");
            generate(
                &mut file,
                first,
                last,
                threads,
                stop,
                |_| Counting,
                |p| {
                    if p.games == 25 {
                        stop.store(last == 60, Ordering::Relaxed);
                    }
                },
            )
            .expect("writing")
        };
        let half = run(0, 60, 3, &AtomicBool::new(false));
        assert!((25..=60).contains(&half.games), "{half:?}");
        // A torn tail is cut off before more is appended.
        let mut torn = OpenOptions::new().append(true).open(&path).expect("file");
        torn.write_all(&[9; 5]).expect("writing");
        let rest = run(half.games, 90, 2, &never);
        assert_eq!(rest.games, 90);
        assert_eq!(half.results.iter().sum::<u64>() + rest.results.iter().sum::<u64>(), 90);
        let bytes = std::fs::read(&path).expect("file");
        std::fs::remove_file(&path).expect("file");
        let numbers: Vec<u64> =
            bytes.chunks(8).map(|c| u64::from_le_bytes(c.try_into().expect("whole"))).collect();
        assert_eq!(numbers, (0..90).collect::<Vec<_>>());
    }
}
