//! The searcher as its users see it: settings, start, stop.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, OnceLock};

use movegen::Move;

use super::evaluator::Evaluation;
use super::worker::{Job, Outcome, Request, Worker};
use crate::core::control::Control;
use crate::core::counter::Counters;
use crate::core::event::{Silent, Sink};
use crate::core::pool::Pool;
use crate::core::tt::TranspositionTable;

/// Largest table in MiB that is emptied in place. A larger one is exchanged for a new one, whose pages the system
/// hands out empty when they are first used: at once, and without touching memory that no search ever used.
const CLEARED_IN_PLACE: usize = 1024;

/// A multi-threaded searcher. Searches run in the background; settings wait for them.
pub struct Searcher {
    pool: Pool<Worker>,
    tt: Arc<TranspositionTable>,
    control: Arc<Control>,
    evaluation: Evaluation,
    last: Option<Arc<Job>>,
}

impl Searcher {
    /// A searcher with the built-in evaluation, `threads` threads and a table of `hash_mib` mebibytes.
    ///
    /// # Panics
    /// When the system cannot start even one thread.
    #[must_use]
    pub fn new(threads: usize, hash_mib: usize) -> Self {
        let evaluation = Evaluation::built_in();
        Self {
            pool: Pool::new(threads, |_| Worker::new(&evaluation)),
            tt: Arc::new(TranspositionTable::new(hash_mib)),
            control: Arc::new(Control::new()),
            evaluation,
            last: None,
        }
    }

    /// Number of threads.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.pool.len()
    }

    /// Size of the table in mebibytes.
    #[must_use]
    pub fn hash(&self) -> usize {
        self.tt.mebibytes()
    }

    /// Changes the number of threads; returns how many there are then.
    pub fn set_threads(&mut self, threads: usize) -> usize {
        self.pool.resize(threads, |_| Worker::new(&self.evaluation));
        self.pool.len()
    }

    /// What positions are evaluated with.
    #[must_use]
    pub fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }

    /// Changes what positions are evaluated with; forgets everything learned with the former evaluation.
    pub fn set_evaluation(&mut self, evaluation: Evaluation) {
        self.clear_hash();
        self.evaluation = evaluation.clone();
        self.pool.for_each(move |_, worker| worker.set_evaluation(&evaluation));
    }

    /// Changes the size of the table, which is empty afterwards; returns the size that could be had.
    pub fn set_hash(&mut self, mib: usize) -> usize {
        self.wait();
        self.last = None;
        // Give the old table back first: both together may not fit.
        self.tt = Arc::new(TranspositionTable::new(1));
        self.tt = Arc::new(TranspositionTable::new(mib));
        self.tt.mebibytes()
    }

    /// Empties the table only.
    pub fn clear_hash(&mut self) {
        self.wait();
        if self.tt.mebibytes() > CLEARED_IN_PLACE {
            self.set_hash(self.tt.mebibytes());
        } else {
            self.tt.clear(self.pool.len());
        }
    }

    /// Forgets everything learned, so that the next search starts like the first one.
    pub fn new_game(&mut self) {
        self.clear_hash();
        self.pool.for_each(|_, worker| worker.clear());
    }

    /// Starts a search, after waiting for one that still runs. Events go to `sink`, the last of them is
    /// [`BestMove`](crate::core::event::Event::BestMove).
    pub fn start(&mut self, request: Request, sink: Arc<dyn Sink<Move>>) {
        self.wait();
        self.control.begin(request.limits.ponder);
        self.tt.age();
        let threads = self.pool.len();
        let job = Arc::new(Job {
            root_moves: root_moves(&request),
            ranking: OnceLock::new(),
            request,
            control: Arc::clone(&self.control),
            counters: Counters::new(threads),
            tt: Arc::clone(&self.tt),
            sink,
            helpers: Some(self.pool.handle()),
            is_over: AtomicBool::new(false),
            outcomes: (0..threads).map(|_| Mutex::new(None)).collect(),
        });
        self.last = Some(Arc::clone(&job));
        self.pool.start(Arc::new(move |id, worker: &mut Worker| worker.run(id, &job)));
    }

    /// Ends the running search; its move is told all the same.
    pub fn stop(&self) {
        self.control.stop();
    }

    /// The expected move was played: the search goes on in its own time.
    pub fn ponder_hit(&self) {
        self.control.ponder_hit();
    }

    /// Whether a search is running.
    #[must_use]
    pub fn is_searching(&self) -> bool {
        !self.pool.is_idle()
    }

    /// Waits for the end of the running search.
    pub fn wait(&self) {
        self.pool.wait();
    }

    /// Searches and waits for the result.
    pub fn search(&mut self, request: Request, sink: Arc<dyn Sink<Move>>) -> Option<Outcome> {
        self.search_until(request, sink, || false)
    }

    /// Searches and waits for the result. When `is_cancelled` says so, the search is stopped within a fraction of a
    /// second, and the result is what was found by then.
    pub fn search_until(
        &mut self,
        request: Request,
        sink: Arc<dyn Sink<Move>>,
        is_cancelled: impl Fn() -> bool,
    ) -> Option<Outcome> {
        self.start(request, sink);
        self.pool.wait_watching(|| {
            if is_cancelled() {
                self.control.stop();
            }
        });
        self.last.as_ref()?.outcome(0)
    }
}

/// A searcher that works on the calling thread: for data generation and tools that run many searches side by
/// side.
pub struct SoloSearcher {
    worker: Worker,
    tt: Arc<TranspositionTable>,
    control: Arc<Control>,
    sink: Arc<dyn Sink<Move>>,
    /// Values of the tunable parameters, which may differ from searcher to searcher.
    #[cfg(feature = "tune")]
    parameters: Vec<i32>,
}

impl SoloSearcher {
    /// A searcher with a table of `hash_mib` mebibytes.
    #[must_use]
    pub fn new(hash_mib: usize, evaluation: &Evaluation) -> Self {
        #[cfg(feature = "tune")]
        super::params::install(&super::params::defaults());
        Self {
            worker: Worker::new(evaluation),
            tt: Arc::new(TranspositionTable::new(hash_mib)),
            control: Arc::new(Control::new()),
            sink: Arc::new(Silent),
            #[cfg(feature = "tune")]
            parameters: super::params::defaults(),
        }
    }

    /// Changes the values of the tunable parameters, in the order of `TUNABLES`, and forgets everything learned.
    /// They hold for this searcher only.
    #[cfg(feature = "tune")]
    pub fn set_parameters(&mut self, values: &[i32]) {
        self.parameters = values.to_vec();
        self.new_game();
    }

    /// Forgets everything learned.
    pub fn new_game(&mut self) {
        #[cfg(feature = "tune")]
        super::params::install(&self.parameters);
        self.tt.clear(1);
        self.worker.clear();
    }

    /// Searches and returns the result.
    pub fn search(&mut self, request: Request) -> Option<Outcome> {
        #[cfg(feature = "tune")]
        super::params::install(&self.parameters);
        self.control.begin(false);
        self.tt.age();
        let job = Job {
            root_moves: root_moves(&request),
            ranking: OnceLock::new(),
            request,
            control: Arc::clone(&self.control),
            counters: Counters::new(1),
            tt: Arc::clone(&self.tt),
            sink: Arc::clone(&self.sink),
            helpers: None,
            is_over: AtomicBool::new(false),
            outcomes: vec![Mutex::new(None)],
        };
        self.worker.run(0, &job);
        job.outcome(0)
    }
}

/// The legal moves that the request allows; all of them when it names none that is legal.
fn root_moves(request: &Request) -> Vec<Move> {
    let legal = request.board.legal_moves();
    let wanted: Vec<Move> = legal.iter().copied().filter(|mv| request.search_moves.contains(mv)).collect();
    if wanted.is_empty() { legal.into_iter().collect() } else { wanted }
}

#[cfg(all(test, feature = "tune"))]
mod tests {
    use movegen::Board;

    use super::*;
    use crate::chess::params;
    use crate::core::limit::Limits;

    #[test]
    fn searchers_of_one_thread_keep_their_own_parameters() {
        let evaluation = Evaluation::HandWritten;
        let mut other = params::defaults();
        for (value, tunable) in other.iter_mut().zip(params::TUNABLES) {
            *value = tunable.max;
        }
        let mut searchers = [params::defaults(), other.clone(), params::defaults(), other].map(|values| {
            let mut searcher = SoloSearcher::new(1, &evaluation);
            searcher.set_parameters(&values);
            searcher
        });
        let mut untouched = SoloSearcher::new(1, &evaluation);
        let mut board = Board::startpos();
        for round in 0..4 {
            let request = Request::new(board.clone(), Limits { depth: Some(8), ..Limits::default() });
            let [plain, changed, plain_again, changed_again] =
                searchers.each_mut().map(|searcher| searcher.search(request.clone()).expect("a move"));
            assert_eq!(plain.nodes, plain_again.nodes, "round {round}");
            assert_eq!(changed.nodes, changed_again.nodes, "round {round}");
            assert_ne!(plain.nodes, changed.nodes, "round {round}");
            assert_eq!(untouched.search(request).map(|outcome| outcome.nodes), Some(plain.nodes));
            board.make_move(plain.best.expect("a move"), &mut movegen::NoObserver);
        }
    }
}
