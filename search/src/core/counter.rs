//! What each thread has done so far, readable by the others while it runs.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// The counters of one thread. Only its owner writes: a relaxed load and store, no locked instruction.
/// Aligned to two cache lines, since processors fetch lines in pairs and a neighbour's writes would slow
/// the owner down.
#[derive(Debug, Default)]
#[repr(align(128))]
pub struct ThreadCounter {
    nodes: AtomicU64,
    tb_hits: AtomicU64,
    sel_depth: AtomicU32,
}

impl ThreadCounter {
    /// Counts `count` more nodes. Only the owning thread may call this.
    #[inline]
    pub fn add_nodes(&self, count: u64) {
        self.nodes.store(self.nodes.load(Ordering::Relaxed).wrapping_add(count), Ordering::Relaxed);
    }

    /// Counts one more position found in endgame tables. Only the owning thread may call this.
    #[inline]
    pub fn add_tb_hit(&self) {
        self.tb_hits.store(self.tb_hits.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
    }

    /// Counts several positions found in endgame tables. Only the owning thread may call this.
    pub fn add_tb_hits(&self, count: u64) {
        self.tb_hits.store(self.tb_hits.load(Ordering::Relaxed).wrapping_add(count), Ordering::Relaxed);
    }

    /// Notes that a line of `ply` half-moves was looked at. Only the owning thread may call this.
    #[inline]
    pub fn raise_sel_depth(&self, ply: u32) {
        if ply > self.sel_depth.load(Ordering::Relaxed) {
            self.sel_depth.store(ply, Ordering::Relaxed);
        }
    }

    /// Starts the longest line anew, as at each iteration. Only the owning thread may call this.
    pub fn reset_sel_depth(&self) {
        self.sel_depth.store(0, Ordering::Relaxed);
    }

    /// Nodes searched by this thread.
    #[inline]
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Positions this thread found in endgame tables.
    pub fn tb_hits(&self) -> u64 {
        self.tb_hits.load(Ordering::Relaxed)
    }

    /// Longest line this thread looked at, in plies.
    pub fn sel_depth(&self) -> u32 {
        self.sel_depth.load(Ordering::Relaxed)
    }

    fn reset(&self) {
        self.nodes.store(0, Ordering::Relaxed);
        self.tb_hits.store(0, Ordering::Relaxed);
        self.sel_depth.store(0, Ordering::Relaxed);
    }
}

/// One [`ThreadCounter`] per searching thread.
#[derive(Debug, Default)]
pub struct Counters {
    threads: Box<[ThreadCounter]>,
}

impl Counters {
    /// Zeroed counters for `threads` threads.
    pub fn new(threads: usize) -> Self {
        Self { threads: (0..threads).map(|_| ThreadCounter::default()).collect() }
    }

    /// The counter of thread `index`.
    ///
    /// # Panics
    /// When `index` is not below the number of threads.
    #[inline]
    pub fn thread(&self, index: usize) -> &ThreadCounter {
        &self.threads[index]
    }

    /// Number of threads.
    pub fn len(&self) -> usize {
        self.threads.len()
    }

    /// Whether there are no threads.
    pub fn is_empty(&self) -> bool {
        self.threads.is_empty()
    }

    /// Nodes of all threads. While they run, each part is a moment old.
    pub fn total_nodes(&self) -> u64 {
        self.threads.iter().map(ThreadCounter::nodes).fold(0, u64::wrapping_add)
    }

    /// Endgame table hits of all threads.
    pub fn total_tb_hits(&self) -> u64 {
        self.threads.iter().map(ThreadCounter::tb_hits).fold(0, u64::wrapping_add)
    }

    /// Longest line of any thread, in plies.
    pub fn max_sel_depth(&self) -> u32 {
        self.threads.iter().map(ThreadCounter::sel_depth).max().unwrap_or(0)
    }

    /// Zeroes everything. Call it while no thread is counting.
    pub fn reset(&self) {
        self.threads.iter().for_each(ThreadCounter::reset);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_many_threads_add_up() {
        let counters = Counters::new(4);
        std::thread::scope(|scope| {
            for index in 0..counters.len() {
                let counter = counters.thread(index);
                scope.spawn(move || {
                    for ply in 0..10_000 {
                        counter.add_nodes(3);
                        counter.raise_sel_depth(ply % (10 + index as u32));
                        if ply % 100 == 0 {
                            counter.add_tb_hit();
                        }
                    }
                });
            }
        });
        assert_eq!(counters.total_nodes(), 120_000);
        assert_eq!(counters.total_tb_hits(), 400);
        assert_eq!(counters.max_sel_depth(), 12);
        counters.thread(3).reset_sel_depth();
        assert_eq!(counters.max_sel_depth(), 11);
        counters.reset();
        assert_eq!((counters.total_nodes(), counters.total_tb_hits(), counters.max_sel_depth()), (0, 0, 0));
    }

    #[test]
    fn neighbours_do_not_share_cache_lines() {
        assert_eq!(std::mem::size_of::<ThreadCounter>(), 128);
        assert!(Counters::default().is_empty());
    }
}
