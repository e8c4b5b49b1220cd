//! What lives from search to search, and the start of a search on all threads.

use super::{Worker, root};
use crate::bitbase::Tables;
use crate::eval::Evaluation;
use crate::{Game, Move, Variant, with_rules};
use search::core::control::Control;
use search::core::counter::Counters;
use search::core::event::Sink;
use search::core::limit::Limits;
use search::core::pool::Pool;
use search::core::tt::TranspositionTable;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What a search is asked.
#[derive(Clone, Debug)]
pub struct Request {
    /// The position, with the game before it.
    pub game: Game,
    /// The rules.
    pub variant: Variant,
    /// When to stop.
    pub limits: Limits,
    /// How many root moves get a line of their own, at least 1.
    pub lines: usize,
    /// Answer at once when there is one legal move.
    pub quick_reply: bool,
    /// Time that passes between engine and clock.
    pub overhead: Duration,
    /// When the request came: time counts from here.
    pub start: Instant,
    /// The evaluation is blurred by up to this, in hundredths of a man: for weaker play.
    pub noise: i32,
}

impl Request {
    /// A request for the international game with one line, from now on.
    pub fn new(game: Game, limits: Limits) -> Self {
        Self {
            game,
            variant: Variant::default(),
            limits,
            lines: 1,
            quick_reply: false,
            overhead: Duration::ZERO,
            start: Instant::now(),
            noise: 0,
        }
    }
}

/// What the threads of a search share.
pub struct Shared {
    /// The transposition table.
    pub table: TranspositionTable,
    /// Stop and ponder hit.
    pub control: Control,
    /// Nodes by thread.
    pub counters: Counters,
    /// The evaluation.
    pub evaluation: Evaluation,
    /// Endgame tables.
    pub tables: Arc<Tables>,
    /// Where the lines ended.
    pub(super) leaves: Arc<Leaves>,
    /// A limit was reached, or the last iteration finished: helpers end, the main thread answers.
    pub(super) finished: AtomicBool,
}

/// How far from the root the main thread evaluated positions.
#[derive(Debug, Default)]
pub struct Leaves {
    count: AtomicU64,
    plies: AtomicU64,
}

impl Leaves {
    /// Counts a leaf. Only the main thread may call this: the counters are its own.
    #[inline]
    pub(super) fn add(&self, ply: usize) {
        self.count.store(self.count.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        self.plies.store(self.plies.load(Ordering::Relaxed) + ply as u64, Ordering::Relaxed);
    }

    pub(super) fn reset(&self) {
        self.count.store(0, Ordering::Relaxed);
        self.plies.store(0, Ordering::Relaxed);
    }

    /// The mean distance from the root, in plies.
    pub fn mean_ply(&self) -> f64 {
        let count = self.count.load(Ordering::Relaxed).max(1);
        self.plies.load(Ordering::Relaxed) as f64 / count as f64
    }
}

impl Shared {
    /// A table of `mib` mebibytes and counters for `threads` threads.
    pub fn new(mib: usize, threads: usize) -> Self {
        Self {
            table: TranspositionTable::new(mib),
            control: Control::new(),
            counters: Counters::new(threads),
            evaluation: Evaluation::default(),
            tables: Tables::embedded(),
            leaves: Arc::default(),
            finished: AtomicBool::new(false),
        }
    }

    /// Makes ready for a new search.
    pub(super) fn begin(&self, request: &Request) {
        self.counters.reset();
        self.leaves.reset();
        self.finished.store(false, Ordering::Relaxed);
        self.control.begin(request.limits.ponder);
    }

    /// Whether the threads should end.
    #[inline]
    pub(super) fn is_finished(&self) -> bool {
        self.finished.load(Ordering::Relaxed)
    }
}

/// The searching side of the program: threads, table, histories.
pub struct Engine {
    shared: Arc<Shared>,
    pool: Pool<Worker>,
}

impl Engine {
    /// An engine with `threads` threads and a table of `mib` mebibytes.
    pub fn new(threads: usize, mib: usize) -> Self {
        let pool = Pool::new(threads, |_| Worker::default());
        Self { shared: Arc::new(Shared::new(mib, pool.len())), pool }
    }

    /// Number of threads.
    pub fn threads(&self) -> usize {
        self.pool.len()
    }

    /// Size of the table in mebibytes.
    pub fn mebibytes(&self) -> usize {
        self.shared.table.mebibytes()
    }

    /// Changes the number of threads, after the running search. Fewer are started when the system has no
    /// more.
    pub fn set_threads(&mut self, threads: usize) {
        self.pool.resize(threads, |_| Worker::default());
        let threads = self.pool.len();
        if let Some(shared) = self.idle() {
            shared.counters = Counters::new(threads);
        }
    }

    /// Changes the size of the table, after the running search; it is empty then.
    pub fn set_mebibytes(&mut self, mib: usize) {
        let threads = self.pool.len();
        if let Some(shared) = self.idle() {
            shared.table.resize(mib, threads);
        }
    }

    /// Changes the endgame tables, after the running search; what it found with the old ones is forgotten.
    pub fn set_tables(&mut self, tables: Arc<Tables>) {
        if let Some(shared) = self.idle() {
            shared.tables = tables;
        }
        self.shared.table.clear(self.pool.len());
    }

    /// Changes the evaluation, after the running search; what it found with the old one is forgotten.
    pub fn set_evaluation(&mut self, evaluation: Evaluation) {
        if let Some(shared) = self.idle() {
            shared.evaluation = evaluation;
        }
        self.new_game();
    }

    /// Forgets the old game, after the running search.
    pub fn new_game(&mut self) {
        self.pool.for_each(|_, worker| worker.clear());
        self.shared.table.clear(self.pool.len());
    }

    /// The shared parts, once no search has them: the jobs give them back when they end.
    fn idle(&mut self) -> Option<&mut Shared> {
        self.pool.wait();
        Arc::get_mut(&mut self.shared)
    }

    /// Starts a search and returns at once. A search that is still running is waited for: stop it first.
    pub fn start(&self, request: Request, sink: Arc<dyn Sink<Move>>) {
        self.pool.wait();
        self.shared.begin(&request);
        let (shared, handle) = (Arc::clone(&self.shared), self.pool.handle());
        self.pool.start(Arc::new(move |id, worker: &mut Worker| {
            with_rules!(request.variant, R => {
                if id == 0 {
                    root::lead::<R>(worker, &shared, &request, &*sink, || handle.wait_helpers());
                } else {
                    root::help::<R>(worker, &shared, &request, id);
                }
            });
        }));
    }

    /// Ends the running search: it answers soon.
    pub fn stop(&self) {
        self.shared.control.stop();
    }

    /// The expected move was played: a pondering search goes on with its clock.
    pub fn ponder_hit(&self) {
        self.shared.control.ponder_hit();
    }

    /// Whether no search is running.
    pub fn is_idle(&self) -> bool {
        self.pool.is_idle()
    }

    /// Waits for the end of the running search.
    pub fn wait(&self) {
        self.pool.wait();
    }

    /// Waits for the end of the running search, which is stopped within a fraction of a second when `is_cancelled`
    /// says so.
    pub fn wait_until(&self, is_cancelled: impl Fn() -> bool) {
        self.pool.wait_watching(|| {
            if is_cancelled() {
                self.stop();
            }
        });
    }

    /// Where the lines of the last or running search ended.
    pub fn leaves(&self) -> Arc<Leaves> {
        Arc::clone(&self.shared.leaves)
    }

    /// Nodes of the last or running search, all threads.
    pub fn nodes(&self) -> u64 {
        self.shared.counters.total_nodes()
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.stop();
    }
}
