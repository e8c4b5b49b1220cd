//! What a search tells while it runs, free of any protocol's spelling.

use parking_lot::Mutex;
use std::time::Duration;

/// Something a search has to say. `M` is the game's move.
#[derive(Clone, Debug, PartialEq)]
pub enum Event<M> {
    /// Progress: a line with its score.
    Info(Info<M>),
    /// The root move now being searched.
    CurrentMove {
        /// Iteration in plies.
        depth: u32,
        /// The move.
        mv: M,
        /// Its place in the order of root moves, from 1.
        number: usize,
    },
    /// The answer, once per search.
    BestMove {
        /// The move to play; `None` when the root position has no move.
        best: Option<M>,
        /// The reply to ponder on.
        ponder: Option<M>,
    },
    /// Text for a person.
    Message(String),
}

/// One line of search progress.
#[derive(Clone, Debug, PartialEq)]
pub struct Info<M> {
    /// Iteration in plies.
    pub depth: u32,
    /// Longest line looked at, in plies.
    pub sel_depth: u32,
    /// Rank of the line among those shown, from 1.
    pub multi_pv: usize,
    /// Score seen from the side to move, in the searcher's units.
    pub score: i32,
    /// Set when the true score is only known to lie on one side of `score`.
    pub bound: Option<ScoreBound>,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Time since the search began (or since the ponder hit).
    pub elapsed: Duration,
    /// Nodes per second.
    pub nps: u64,
    /// Share of the transposition table in use, in thousandths.
    pub hashfull: u32,
    /// Positions found in endgame tables.
    pub tb_hits: u64,
    /// The principal variation, from the root.
    pub pv: Vec<M>,
}

/// On which side of a printed score the true one lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreBound {
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
}

/// Where a search's events go. Called from searching threads, so it must not block for long.
pub trait Sink<M>: Send + Sync {
    /// Takes one event.
    fn emit(&self, event: Event<M>);

    /// Whether anybody reads the events: if not, they need not be made.
    fn is_heard(&self) -> bool {
        true
    }
}

impl<M, F: Fn(Event<M>) + Send + Sync> Sink<M> for F {
    fn emit(&self, event: Event<M>) {
        self(event);
    }
}

/// Drops every event: for benches and for generating training games.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl<M> Sink<M> for Silent {
    fn emit(&self, _event: Event<M>) {}

    fn is_heard(&self) -> bool {
        false
    }
}

/// Keeps every event in order: for tests and tools that look at a finished search.
#[derive(Debug)]
pub struct Collector<M> {
    events: Mutex<Vec<Event<M>>>,
}

impl<M> Default for Collector<M> {
    fn default() -> Self {
        Self { events: Mutex::new(Vec::new()) }
    }
}

impl<M> Collector<M> {
    /// An empty collector.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes out what was collected so far.
    pub fn take(&self) -> Vec<Event<M>> {
        std::mem::take(&mut *self.events.lock())
    }
}

impl<M: Send> Sink<M> for Collector<M> {
    fn emit(&self, event: Event<M>) {
        self.events.lock().push(event);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn answer(best: u16) -> Event<u16> {
        Event::BestMove { best: Some(best), ponder: None }
    }

    #[test]
    fn sinks_take_events_as_trait_objects() {
        let collector = Arc::new(Collector::new());
        let seen = Arc::new(AtomicUsize::new(0));
        let counting = {
            let seen = Arc::clone(&seen);
            move |_event: Event<u16>| {
                seen.fetch_add(1, Ordering::Relaxed);
            }
        };
        let sinks: [Arc<dyn Sink<u16>>; 3] =
            [Arc::clone(&collector) as Arc<dyn Sink<u16>>, Arc::new(counting), Arc::new(Silent)];
        for sink in &sinks {
            sink.emit(answer(1));
            sink.emit(answer(2));
        }
        assert_eq!(collector.take(), [answer(1), answer(2)]);
        assert!(collector.take().is_empty());
        assert_eq!(seen.load(Ordering::Relaxed), 2);
    }
}
