//! Drives a run on many threads.

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use super::spsa::Spsa;
use super::state::save;

/// Time between two writes of the state.
const SAVE_EVERY: Duration = Duration::from_secs(60);

/// Compares two sets of values, for one thread.
pub trait Contest {
    /// Plays pair `number` from one opening with colours swapped. Returns wins less losses of `plus`.
    fn play(&mut self, number: u64, plus: &[i32], minus: &[i32]) -> i32;
}

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Pairs of the whole run so far.
    pub pairs: u64,
    /// Pairs since this start of the program.
    pub played: u64,
    /// Pairs lost, drawn and won by the raised values.
    pub results: [u64; 3],
    /// Time since this start of the program.
    pub elapsed: Duration,
}

impl Progress {
    /// Pairs per second since this start of the program.
    #[must_use]
    pub fn pairs_per_second(&self) -> f64 {
        self.played as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }
}

/// Plays the pairs that are left of a run. The threads do not wait for each other: each asks for a trial around the
/// values of the moment and reports its result. When `stop` becomes true, pairs that have begun are finished, and
/// the function returns early. The state is written to `file` at the
/// start, every minute and at the end.
///
/// `make` builds the contest of each thread; `report` is called after each pair.
///
/// # Errors
/// When the state cannot be written: the run is given up then. `spsa` has what was learnt in any case.
pub fn run<C: Contest>(
    spsa: &mut Spsa,
    file: Option<&Path>,
    threads: usize,
    stop: &AtomicBool,
    make: impl Fn() -> C + Sync,
    mut report: impl FnMut(&Progress),
) -> io::Result<Progress> {
    let (start, before, pairs) = (Instant::now(), spsa.done(), spsa.plan().pairs);
    let shared = Mutex::new(spsa);
    let progress = || {
        let spsa = shared.lock();
        let (pairs, results) = (spsa.done(), spsa.results());
        Progress { pairs, played: pairs - before, results, elapsed: start.elapsed() }
    };
    let write = || match file {
        // A copy, so that no player waits for the disk.
        Some(path) => {
            let state = shared.lock().clone();
            save(&state, path)
        }
        None => Ok(()),
    };
    // A file that cannot be written shall not cost a minute of play.
    write()?;
    let next = AtomicU64::new(before + 1);
    let failed = AtomicBool::new(false);
    let (sender, receiver) = channel();
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let (sender, next, failed, make, shared) = (sender.clone(), &next, &failed, &make, &shared);
            scope.spawn(move || {
                let mut contest = make();
                while !stop.load(Ordering::Relaxed) && !failed.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number > pairs {
                        break;
                    }
                    let trial = shared.lock().trial(number);
                    let points = contest.play(number, &trial.plus, &trial.minus);
                    shared.lock().learn(&trial, points);
                    if sender.send(()).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut saved = Instant::now();
        for () in receiver {
            report(&progress());
            if saved.elapsed() >= SAVE_EVERY {
                write().inspect_err(|_| failed.store(true, Ordering::Relaxed))?;
                saved = Instant::now();
            }
        }
        Ok::<(), io::Error>(())
    })?;
    write()?;
    Ok(progress())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::tune::Plan;
    use crate::core::tune::spsa::tests::{TABLE, names};

    /// Wants the first value to be large.
    struct Greedy;
    impl Contest for Greedy {
        fn play(&mut self, _: u64, plus: &[i32], minus: &[i32]) -> i32 {
            2 * (plus[0] - minus[0]).signum()
        }
    }

    fn begun() -> Spsa {
        let plan = Plan { pairs: 3000, rate: 0.01, ..Plan::default() };
        Spsa::new(plan, &TABLE, &names()).expect("known names")
    }

    #[test]
    fn threads_play_every_pair_once_and_a_stop_is_obeyed() {
        let mut spsa = begun();
        let stop = AtomicBool::new(false);
        let run = |spsa: &mut Spsa, threads, stop_at| {
            stop.store(false, Ordering::Relaxed);
            run(
                spsa,
                None,
                threads,
                &stop,
                || Greedy,
                |progress| {
                    if progress.pairs >= stop_at {
                        stop.store(true, Ordering::Relaxed);
                    }
                },
            )
            .expect("nothing is written")
        };
        let half = run(&mut spsa, 3, 100);
        assert!((100..=3000).contains(&half.pairs) && half.played == half.pairs, "{half:?}");
        let whole = run(&mut spsa, 2, u64::MAX);
        assert_eq!((whole.pairs, whole.played), (3000, 3000 - half.pairs));
        assert_eq!(whole.results.iter().sum::<u64>(), 3000);
        assert!(spsa.values().next().is_some_and(|(_, now)| now > 900.0), "{}", spsa.report());
    }

    #[test]
    fn a_run_with_breaks_on_one_thread_equals_one_without() {
        let path = std::env::temp_dir().join(format!("dyad-tune-run-{}", std::process::id()));
        let never = AtomicBool::new(false);
        let mut whole = begun();
        run(&mut whole, None, 1, &never, || Greedy, |_| ()).expect("nothing is written");
        let mut broken = begun();
        let stop = AtomicBool::new(false);
        run(&mut broken, Some(&path), 1, &stop, || Greedy, |_| stop.store(true, Ordering::Relaxed))
            .expect("written");
        let mut resumed = begun();
        super::super::load(&mut resumed, &path).expect("read");
        assert_eq!(resumed, broken);
        run(&mut resumed, Some(&path), 1, &never, || Greedy, |_| ()).expect("written");
        std::fs::remove_file(&path).expect("removed");
        assert_eq!(resumed, whole);
    }

    #[test]
    fn a_state_that_cannot_be_written_is_an_error() {
        let never = AtomicBool::new(false);
        let mut spsa = begun();
        let path = Path::new("/nonexistent/state");
        assert!(run(&mut spsa, Some(path), 2, &never, || Greedy, |_| ()).is_err());
        assert_eq!(spsa, begun());
    }
}
