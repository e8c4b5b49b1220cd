//! The search: alpha-beta with principal variation, on one thread or many.
//!
//! [`Engine`] owns what lives from search to search (table, threads, histories). A [`Request`] says what
//! to look at and for how long; results come as events. [`think`] runs one search on the calling thread.

mod endgame;
mod engine;
mod history;
mod node;
pub mod params;
mod quiesce;
mod root;
pub mod score;

pub use engine::{Engine, Leaves, Request, Shared};
pub use root::{Report, think};

use crate::eval::{Evaluation, Evaluator};
use crate::game::DrawRules;
use crate::{Move, Rules};
use arrayvec::ArrayVec;
use history::History;
use search::core::time::TimeManager;
use std::marker::PhantomData;

/// No line is searched deeper, in plies from the root.
pub(crate) const MAX_PLY: usize = 120;

/// A line of moves.
pub(crate) type Line = ArrayVec<Move, MAX_PLY>;

/// What a thread keeps from search to search.
pub struct Worker {
    history: History,
    frames: Vec<Frame>,
    evaluator: Evaluator,
    /// Values of the tunable parameters, which [`think`] uses: they may differ from worker to worker.
    #[cfg(feature = "tune")]
    parameters: Vec<i32>,
}

impl Default for Worker {
    fn default() -> Self {
        Self {
            history: History::default(),
            frames: vec![Frame::default(); MAX_PLY + 2],
            evaluator: Evaluator::new(&Evaluation::default()),
            #[cfg(feature = "tune")]
            parameters: params::defaults(),
        }
    }
}

impl Worker {
    /// Forgets what it has learned: for a new game.
    pub fn clear(&mut self) {
        self.history.clear();
    }

    /// Changes the values of the tunable parameters, in the order of `TUNABLES`, for the searches that [`think`]
    /// runs with this worker.
    #[cfg(feature = "tune")]
    pub fn set_parameters(&mut self, values: &[i32]) {
        self.parameters = values.to_vec();
    }
}

/// What a node leaves for its neighbours.
#[derive(Clone, Default)]
struct Frame {
    line: Line,
    killers: [Option<Move>; 2],
    /// The move that the search for a singular move leaves out.
    excluded: Option<Move>,
}

/// One thread's part of a running search.
struct Search<'a, R> {
    shared: &'a Shared,
    request: &'a Request,
    worker: &'a mut Worker,
    draws: DrawRules,
    id: usize,
    /// Looked at by thread 0 only.
    time: TimeManager,
    /// Whether the ponder hit has been taken note of.
    clock_runs: bool,
    /// Keys of the positions from the start of the game to the node, which is not included.
    path: Vec<u64>,
    /// Length of `path` at the root.
    root_length: usize,
    /// Tables of endings with up to so many pieces are asked in the tree.
    probed: u32,
    /// Whether a whole iteration is done, so that there is an answer with a score.
    has_answer: bool,
    /// Set once, when the search must unwind.
    stopped: bool,
    rules: PhantomData<R>,
}

impl<R: Rules> Search<'_, R> {
    /// Counts a node and looks whether the search must end here.
    #[inline]
    fn enter(&mut self, ply: usize) -> bool {
        let counter = self.shared.counters.thread(self.id);
        let nodes = counter.nodes();
        if self.stopped || self.shared.control.is_stopped() || self.shared.is_finished() {
            self.stopped = true;
            return false;
        }
        if let Some(limit) = self.request.limits.nodes {
            if self.id == 0 && nodes >= limit {
                self.end();
                return false;
            }
            let shared = self.shared.counters.len() > 1 && (self.id > 0 || self.has_answer);
            if shared && nodes & 63 == 0 && self.shared.counters.total_nodes() >= limit {
                // Helpers stop for themselves only: on a busy machine they may have used up all nodes before the main
                // thread has anything to answer.
                if self.id == 0 {
                    self.end();
                } else {
                    self.stopped = true;
                }
                return false;
            }
        }
        if self.id == 0 && nodes & 255 == 255 {
            self.look_at_clock();
            if self.stopped {
                return false;
            }
        }
        counter.add_nodes(1);
        counter.raise_sel_depth(ply as u32);
        true
    }

    /// Ends the search for all threads.
    fn end(&mut self) {
        self.stopped = true;
        self.shared.finished.store(true, std::sync::atomic::Ordering::Relaxed);
    }

    fn look_at_clock(&mut self) {
        if !self.clock_runs
            && let Some(hit) = self.shared.control.ponder_hit_at()
        {
            self.time.restart(hit);
            self.clock_runs = true;
        }
        if self.clock_runs && self.time.is_past_hard() {
            self.end();
        }
    }
}
