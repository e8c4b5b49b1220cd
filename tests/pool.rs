//! The thread pool: every job reaches every worker once, whatever is started, resized and dropped when.

use search::core::control::Control;
use search::core::pool::Pool;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

/// What a worker remembers: its number when made, and the jobs it ran.
struct Worker {
    made_as: usize,
    jobs: usize,
}

fn make(index: usize) -> Worker {
    Worker { made_as: index, jobs: 0 }
}

#[test]
fn every_worker_runs_every_job_once() {
    let pool = Pool::new(4, make);
    assert_eq!(pool.len(), 4);
    let runs = Arc::new(AtomicUsize::new(0));
    for round in 1..=200 {
        let counted = Arc::clone(&runs);
        pool.start(Arc::new(move |index, worker: &mut Worker| {
            assert_eq!(worker.made_as, index);
            worker.jobs += 1;
            assert_eq!(worker.jobs, round);
            counted.fetch_add(1, Ordering::Relaxed);
        }));
        pool.wait();
        assert!(pool.is_idle());
        assert_eq!(runs.load(Ordering::Relaxed), 4 * round);
    }
}

#[test]
fn starting_does_not_block_and_the_next_start_waits() {
    let pool = Pool::new(3, make);
    let finished = Arc::new(AtomicUsize::new(0));
    for _ in 0..50 {
        let control = Arc::new(Control::new());
        control.begin(false);
        let (waiting, counted) = (Arc::clone(&control), Arc::clone(&finished));
        pool.start(Arc::new(move |_, _: &mut Worker| {
            waiting.wait_for_stop();
            counted.fetch_add(1, Ordering::Relaxed);
        }));
        assert!(!pool.is_idle());
        control.stop();
    }
    pool.wait();
    assert_eq!(finished.load(Ordering::Relaxed), 150);
}

#[test]
fn main_worker_waits_for_its_helpers() {
    let pool = Pool::new(4, make);
    for _ in 0..100 {
        let control = Arc::new(Control::new());
        control.begin(false);
        let helped = Arc::new(AtomicUsize::new(0));
        let seen = Arc::new(AtomicUsize::new(usize::MAX));
        let handle = pool.handle();
        let job = {
            let (control, helped, seen) = (Arc::clone(&control), Arc::clone(&helped), Arc::clone(&seen));
            move |index: usize, _: &mut Worker| {
                if index == 0 {
                    control.stop();
                    handle.wait_helpers();
                    seen.store(helped.load(Ordering::Relaxed), Ordering::Relaxed);
                } else {
                    while !control.is_stopped() {
                        thread::yield_now();
                    }
                    helped.fetch_add(1, Ordering::Relaxed);
                }
            }
        };
        pool.start(Arc::new(job));
        pool.wait();
        assert_eq!(seen.load(Ordering::Relaxed), 3);
        // The workers have let go of the job, and with it of what it owned.
        assert_eq!(Arc::strong_count(&control), 1);
    }
}

#[test]
fn a_pool_of_one_has_no_helpers_to_wait_for() {
    let pool = Pool::new(0, make);
    assert_eq!(pool.len(), 1);
    let handle = pool.handle();
    pool.start(Arc::new(move |_, _| handle.wait_helpers()));
    pool.wait();
}

#[test]
fn resizing_keeps_the_first_workers() {
    let mut pool = Pool::new(1, make);
    let runs = Arc::new(AtomicUsize::new(0));
    let mut expected = 0;
    for n in [5, 2, 2, 8, 1, 0, 3, 16, 4].into_iter().cycle().take(90) {
        // Resized while a job runs: it is waited for.
        let counted = Arc::clone(&runs);
        pool.start(Arc::new(move |_, worker: &mut Worker| {
            worker.jobs += 1;
            counted.fetch_add(1, Ordering::Relaxed);
        }));
        expected += pool.len();
        pool.resize(n, make);
        assert_eq!(pool.len(), n.max(1));
        assert_eq!(runs.load(Ordering::Relaxed), expected);
    }
    pool.for_each(|index, worker| {
        assert_eq!(worker.made_as, index);
        assert!(index > 0 || worker.jobs == 90, "worker 0 was there all the time");
        worker.jobs = 0;
    });
    pool.for_each(|_, worker| assert_eq!(worker.jobs, 0));
}

#[test]
fn dropping_waits_for_the_job() {
    for _ in 0..100 {
        let done = Arc::new(AtomicUsize::new(0));
        let pool = Pool::new(3, make);
        let counted = Arc::clone(&done);
        pool.start(Arc::new(move |_, _: &mut Worker| {
            thread::yield_now();
            counted.fetch_add(1, Ordering::Relaxed);
        }));
        drop(pool);
        assert_eq!(done.load(Ordering::Relaxed), 3);
    }
}

#[test]
fn dropping_drops_the_workers_states() {
    let alive = Arc::new(());
    let mut pool = Pool::new(6, |_| Arc::clone(&alive));
    assert_eq!(Arc::strong_count(&alive), 7);
    pool.resize(2, |_| Arc::clone(&alive));
    assert_eq!(Arc::strong_count(&alive), 3);
    drop(pool);
    assert_eq!(Arc::strong_count(&alive), 1);
}

#[test]
fn a_panic_comes_out_of_the_wait() {
    let pool = Pool::new(3, make);
    for culprit in 0..3 {
        pool.start(Arc::new(move |index, _: &mut Worker| {
            if index == culprit {
                std::panic::panic_any(culprit);
            }
        }));
        let panic = catch_unwind(AssertUnwindSafe(|| pool.wait())).unwrap_err();
        assert_eq!(panic.downcast_ref::<usize>(), Some(&culprit));
    }
    // The workers live on.
    let ran = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&ran);
    pool.start(Arc::new(move |_, _: &mut Worker| {
        counted.fetch_add(1, Ordering::Relaxed);
    }));
    pool.wait();
    assert_eq!(ran.load(Ordering::Relaxed), 3);
}

#[test]
fn a_helpers_panic_reaches_the_main_worker() {
    let pool = Pool::new(2, make);
    let handle = pool.handle();
    let reached_end = Arc::new(AtomicBool::new(false));
    let reaching = Arc::clone(&reached_end);
    pool.start(Arc::new(move |index, _: &mut Worker| {
        if index == 1 {
            std::panic::panic_any("helper");
        }
        handle.wait_helpers();
        reaching.store(true, Ordering::Relaxed);
    }));
    let panic = catch_unwind(AssertUnwindSafe(|| pool.wait())).unwrap_err();
    assert_eq!(panic.downcast_ref::<&str>(), Some(&"helper"));
    assert!(!reached_end.load(Ordering::Relaxed));
}

/// What a session does to a pool in a bad hour: searches started and stopped at once, from another thread,
/// with ponder hits, late stops and resizes in between.
#[test]
fn storm_of_starts_stops_and_resizes() {
    let control = Arc::new(Control::new());
    let mut pool = Pool::new(2, make);
    let answers = Arc::new(AtomicUsize::new(0));
    let over = Arc::new(AtomicBool::new(false));
    let nuisance = {
        let (control, over) = (Arc::clone(&control), Arc::clone(&over));
        thread::spawn(move || {
            while !over.load(Ordering::Relaxed) {
                control.ponder_hit();
                control.stop();
                thread::yield_now();
            }
        })
    };
    for round in 0..500 {
        control.begin(round % 3 == 0);
        let (control, answers, handle) = (Arc::clone(&control), Arc::clone(&answers), pool.handle());
        pool.start(Arc::new(move |index, _: &mut Worker| {
            if index == 0 {
                control.wait_for_release();
                control.stop();
                handle.wait_helpers();
                answers.fetch_add(1, Ordering::Relaxed);
            } else {
                while !control.is_stopped() {
                    thread::yield_now();
                }
            }
        }));
        if round % 7 == 0 {
            pool.resize(1 + round % 5, make);
        }
        pool.wait();
    }
    over.store(true, Ordering::Relaxed);
    assert!(nuisance.join().is_ok());
    assert_eq!(answers.load(Ordering::Relaxed), 500);
}
