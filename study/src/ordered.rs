//! Work on many items at a time, with the results in the order of the items and in constant memory.

use std::collections::BTreeMap;
use std::sync::mpsc::channel;
use std::sync::{Condvar, Mutex, PoisonError};

/// How many items for each thread may be under way or wait for a slower one before them.
const WINDOW: u64 = 8;

/// Where the work stands.
struct Source<I> {
    items: I,
    /// Number of items handed out.
    taken: u64,
    /// Number of results delivered.
    delivered: u64,
    /// No further item is handed out.
    closed: bool,
}

/// Takes the items one by one, works on `threads` of them at a time and delivers the results in the order of the
/// items. Items are taken only as far ahead as results are delivered, so memory stays constant. When `is_cancelled`
/// says so, no further item is taken, and one that was being taken is dropped, since its source may have cut it short
/// for that; those under way are finished. `make` makes what each thread keeps.
///
/// # Errors
/// The first error of `deliver`, which ends the work.
pub fn in_order<I, R, W, E>(
    items: I,
    threads: usize,
    make: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, I::Item) -> R + Sync,
    is_cancelled: impl Fn() -> bool + Sync,
    mut deliver: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E>
where
    I: Iterator + Send,
    I::Item: Send,
    R: Send,
{
    let threads = threads.max(1);
    let window = WINDOW * threads as u64;
    let source = Mutex::new(Source { items, taken: 0, delivered: 0, closed: false });
    let moved_on = Condvar::new();
    let lock = || source.lock().unwrap_or_else(PoisonError::into_inner);
    std::thread::scope(|scope| {
        let (sender, results) = channel();
        for _ in 0..threads {
            let sender = sender.clone();
            let (lock, moved_on, make, work, is_cancelled) = (&lock, &moved_on, &make, &work, &is_cancelled);
            scope.spawn(move || {
                let mut worker = make();
                loop {
                    let mut source = lock();
                    while !source.closed && source.taken >= source.delivered + window {
                        source = moved_on.wait(source).unwrap_or_else(PoisonError::into_inner);
                    }
                    if source.closed || is_cancelled() {
                        return;
                    }
                    let Some(item) = source.items.next() else {
                        source.closed = true;
                        return;
                    };
                    if is_cancelled() {
                        return;
                    }
                    let number = source.taken;
                    source.taken += 1;
                    drop(source);
                    if sender.send((number, work(&mut worker, item))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut next = 0;
        for (number, result) in results {
            early.insert(number, result);
            while let Some(result) = early.remove(&next) {
                if let Err(error) = deliver(result) {
                    lock().closed = true;
                    moved_on.notify_all();
                    return Err(error);
                }
                next += 1;
            }
            lock().delivered = next;
            moved_on.notify_all();
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
    use std::time::Duration;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        for threads in [1, 2, 7] {
            let mut seen = Vec::new();
            let done: Result<(), ()> = in_order(
                0..500u64,
                threads,
                || (),
                |(), n| {
                    // The first of each ten takes longest.
                    if n % 10 == 0 {
                        std::thread::sleep(Duration::from_millis(1));
                    }
                    n * n
                },
                || false,
                |n| {
                    seen.push(n);
                    Ok(())
                },
            );
            assert_eq!(done, Ok(()));
            assert_eq!(seen, (0..500).map(|n| n * n).collect::<Vec<u64>>());
        }
    }

    #[test]
    fn no_thread_runs_far_ahead_of_a_slow_item() {
        let farthest = AtomicU64::new(0);
        let mut at_first = None;
        let done: Result<(), ()> = in_order(
            0..200u64,
            2,
            || (),
            |(), n| {
                if n == 0 {
                    std::thread::sleep(Duration::from_millis(50));
                }
                farthest.fetch_max(n, Ordering::Relaxed);
                n
            },
            || false,
            |_| {
                at_first.get_or_insert(farthest.load(Ordering::Relaxed));
                Ok(())
            },
        );
        assert_eq!(done, Ok(()));
        assert!(at_first.is_some_and(|n| n < 2 * WINDOW), "{at_first:?}");
    }

    #[test]
    fn an_error_or_a_wish_ends_the_work() {
        let taken = AtomicU64::new(0);
        let endless = std::iter::from_fn(|| Some(taken.fetch_add(1, Ordering::Relaxed)));
        let mut count = 0;
        let failed = in_order(
            endless,
            3,
            || (),
            |(), n| n,
            || false,
            |_| {
                count += 1;
                if count == 20 { Err("full") } else { Ok(()) }
            },
        );
        assert_eq!((failed, count), (Err("full"), 20));
        let mut last = 0;
        let done: Result<(), ()> = in_order(
            0..1_000_000u64,
            3,
            || (),
            |(), n| {
                taken.fetch_max(n, Ordering::Relaxed);
                n
            },
            || taken.load(Ordering::Relaxed) > 100,
            |n| {
                assert!(n == 0 || n == last + 1);
                last = n;
                Ok(())
            },
        );
        assert_eq!(done, Ok(()));
        assert!(last < 1000);
    }

    #[test]
    fn an_item_that_was_cut_short_is_dropped() {
        let is_over = AtomicBool::new(false);
        let items = (0..10u64).inspect(|&n| is_over.store(n == 3, Ordering::Relaxed));
        let mut seen = Vec::new();
        let push = |n| {
            seen.push(n);
            Ok(())
        };
        let done: Result<(), ()> =
            in_order(items, 1, || (), |(), n| n, || is_over.load(Ordering::Relaxed), push);
        assert_eq!((done, seen), (Ok(()), vec![0, 1, 2]));
    }
}
