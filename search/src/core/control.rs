//! The only things that cross into a running search: stop and ponder hit.

use parking_lot::{Condvar, Mutex};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Stop and ponder state, shared between the thread that reads input and the searching threads.
///
/// The reading thread calls [`begin`](Self::begin) before it starts the search, so that a `stop` that
/// arrives right behind the `go` is not lost, and a `stop` that came too late for the former search does
/// not end the next one.
///
/// Only the user's word is in here. A search that reaches a limit ends its threads by a flag of its own: an
/// infinite or pondering one must then hold its answer until the user releases it, which is what the waits
/// are for.
///
/// The flags are read with relaxed loads: they carry no other data, and a search that sees them a few nodes
/// late is as good. Whoever must not miss them (the waits, the moment of the ponder hit) takes the lock.
#[derive(Debug)]
pub struct Control {
    /// The threads are to leave the search.
    stopped: AtomicBool,
    pondering: AtomicBool,
    ponder_hit_at: Mutex<Option<Instant>>,
    changed: Condvar,
}

impl Default for Control {
    fn default() -> Self {
        Self::new()
    }
}

impl Control {
    /// A control with no search armed: it reads as stopped.
    pub fn new() -> Self {
        Self {
            stopped: AtomicBool::new(true),
            pondering: AtomicBool::new(false),
            ponder_hit_at: Mutex::new(None),
            changed: Condvar::new(),
        }
    }

    /// Arms a new search. `pondering`: it starts in the opponent's time and waits for a ponder hit. The
    /// former search must be over (see [`Pool::wait`](super::pool::Pool::wait)), or it would not see the
    /// `stop` that was meant for it.
    pub fn begin(&self, pondering: bool) {
        let mut hit = self.ponder_hit_at.lock();
        *hit = None;
        self.pondering.store(pondering, Ordering::Relaxed);
        self.stopped.store(false, Ordering::Relaxed);
    }

    /// The user ends the search: its threads leave it as soon as they look, and it may answer. Harmless when
    /// nothing is running.
    pub fn stop(&self) {
        // Under the lock, so that a waiter cannot miss it between its test and its sleep.
        let _hit = self.ponder_hit_at.lock();
        self.stopped.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// Whether the search is to end. A relaxed load, cheap enough for every node.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// The opponent played the expected move: the search goes on in our own time, which counts from now.
    /// Ignored when no search is pondering.
    pub fn ponder_hit(&self) {
        let mut hit = self.ponder_hit_at.lock();
        if self.is_pondering() && !self.is_stopped() {
            *hit = Some(Instant::now());
            self.pondering.store(false, Ordering::Relaxed);
            self.changed.notify_all();
        }
    }

    /// Whether the search is in the opponent's time still.
    #[inline]
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Relaxed)
    }

    /// When the ponder hit of this search came; `None` while pondering and for an ordinary search.
    pub fn ponder_hit_at(&self) -> Option<Instant> {
        *self.ponder_hit_at.lock()
    }

    /// Sleeps until [`stop`](Self::stop) or [`ponder_hit`](Self::ponder_hit). For a search that has
    /// nothing left to do but may not answer yet (`infinite`, pondering). Returns at once when either has
    /// already come.
    pub fn wait_for_release(&self) {
        let mut hit = self.ponder_hit_at.lock();
        self.changed.wait_while(&mut hit, |hit| !self.is_stopped() && hit.is_none());
    }

    /// Sleeps until [`stop`](Self::stop): for a search that is infinite and was also pondering.
    pub fn wait_for_stop(&self) {
        let mut hit = self.ponder_hit_at.lock();
        self.changed.wait_while(&mut hit, |_| !self.is_stopped());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::thread;

    #[test]
    fn late_stop_does_not_reach_the_next_search() {
        let control = Control::new();
        assert!(control.is_stopped());
        control.begin(false);
        control.stop();
        control.stop();
        control.begin(false);
        assert!(!control.is_stopped());
    }

    #[test]
    fn ponder_hit_needs_a_pondering_search() {
        let control = Control::new();
        control.ponder_hit();
        control.begin(false);
        control.ponder_hit();
        assert_eq!(control.ponder_hit_at(), None);
        control.begin(true);
        assert!(control.is_pondering());
        control.ponder_hit();
        assert!(!control.is_pondering() && !control.is_stopped());
        assert!(control.ponder_hit_at().is_some());
        control.begin(true);
        assert_eq!(control.ponder_hit_at(), None);
        control.stop();
        control.ponder_hit();
        assert_eq!(control.ponder_hit_at(), None);
    }

    #[test]
    fn waits_end_with_stop_or_ponder_hit() {
        // Both orders of signal and wait, many times: a lost wake-up would hang the test.
        for round in 0..500 {
            let control = Arc::new(Control::new());
            control.begin(true);
            let waiter = {
                let control = Arc::clone(&control);
                thread::spawn(move || {
                    control.wait_for_release();
                    control.is_stopped() || !control.is_pondering()
                })
            };
            if round % 2 == 0 {
                thread::yield_now();
            }
            if round % 3 == 0 {
                control.stop();
            } else {
                control.ponder_hit();
            }
            assert!(waiter.join().is_ok_and(|released| released));
        }
    }

    #[test]
    fn infinite_search_outlasts_the_ponder_hit() {
        let control = Arc::new(Control::new());
        control.begin(true);
        control.ponder_hit();
        control.wait_for_release();
        let waiter = {
            let control = Arc::clone(&control);
            thread::spawn(move || control.wait_for_stop())
        };
        assert!(!control.is_stopped());
        control.stop();
        assert!(waiter.join().is_ok());
    }
}
