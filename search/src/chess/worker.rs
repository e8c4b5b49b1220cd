//! One searching thread: what it keeps between searches and what it needs during one.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use movegen::{Board, Move, MoveObserver, Piece, Square};

use super::evaluator::{Evaluation, Evaluator};
use super::handicap::Handicap;
use super::history::{Context, History, continuation_index};
use super::reduction::Reductions;
use super::root::RootMove;
use super::score::{MAX_EVAL, NO_SCORE};
use super::stack::{Lines, NO_CONTINUATION, Stack};
use super::tablebase::{Ranking, TableUse};
use crate::core::control::Control;
use crate::core::counter::Counters;
use crate::core::event::{Event, Sink};
use crate::core::limit::Limits;
use crate::core::pool::PoolHandle;
use crate::core::time::TimeManager;
use crate::core::tt::TranspositionTable;

/// One search to be done.
#[derive(Clone)]
pub struct Request {
    /// Position with the moves that led to it.
    pub board: Board,
    /// When to stop.
    pub limits: Limits,
    /// Root moves to look at; empty means all.
    pub search_moves: Vec<Move>,
    /// Number of best lines wanted, at least 1.
    pub multi_pv: usize,
    /// Time lost per move outside of the engine.
    pub overhead: Duration,
    /// Limited strength.
    pub handicap: Option<Handicap>,
    /// When the search was asked for: its time counts from here.
    pub start: Instant,
    /// Endgame tables to look into.
    pub tables: Option<TableUse>,
}

impl Request {
    /// A search of all moves of `board` for one line at full strength, from now.
    #[must_use]
    pub fn new(board: Board, limits: Limits) -> Self {
        Self {
            board,
            limits,
            search_moves: Vec::new(),
            multi_pv: 1,
            overhead: Duration::ZERO,
            handicap: None,
            start: Instant::now(),
            tables: None,
        }
    }
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The move to play; `None` when there is none.
    pub best: Option<Move>,
    /// The expected reply.
    pub ponder: Option<Move>,
    /// Score from the point of view of the side to move.
    pub score: i32,
    /// Last finished iteration in plies.
    pub depth: u32,
    /// Nodes of all threads.
    pub nodes: u64,
    /// The principal variation.
    pub pv: Vec<Move>,
}

/// A search shared by its threads.
pub(super) struct Job {
    pub request: Request,
    pub root_moves: Vec<Move>,
    /// What the endgame tables say of the root moves; found by the thread that comes first.
    pub ranking: OnceLock<Option<Ranking>>,
    pub control: Arc<Control>,
    pub counters: Counters,
    pub tt: Arc<TranspositionTable>,
    pub sink: Arc<dyn Sink<Move>>,
    pub helpers: Option<PoolHandle<Worker>>,
    /// Set when a limit is reached: all threads leave the search. Unlike a stop from outside it does not release an
    /// answer that is held back (pondering, infinite).
    pub is_over: AtomicBool,
    pub outcomes: Vec<Mutex<Option<Outcome>>>,
}

impl Job {
    /// Ends the search of all threads.
    pub fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }

    /// Whether the threads are to leave the search.
    #[inline]
    fn is_ending(&self) -> bool {
        self.control.is_stopped() || self.is_over.load(Ordering::Relaxed)
    }

    /// The root moves by the endgame tables, if they know them all.
    fn ranking(&self) -> Option<&Ranking> {
        let rank = || {
            let tables = self.request.tables.as_ref()?;
            Ranking::new(&self.request.board, &self.root_moves, tables)
        };
        self.ranking.get_or_init(rank).as_ref()
    }

    /// Tells what was found wrong with the endgame tables.
    pub fn tell_complaints(&self) {
        let Some(usage) = &self.request.tables else { return };
        for complaint in usage.tables.take_complaints() {
            self.sink.emit(Event::Message(complaint));
        }
    }

    pub fn outcome(&self, id: usize) -> Option<Outcome> {
        self.outcomes.get(id)?.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn set_outcome(&self, id: usize, outcome: Outcome) {
        if let Some(slot) = self.outcomes.get(id) {
            *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(outcome);
        }
    }
}

/// What a thread keeps between searches.
pub struct Worker {
    evaluator: Evaluator,
    history: History,
    stack: Stack,
    lines: Lines,
    reductions: Reductions,
}

impl Worker {
    /// A worker that knows nothing yet.
    pub fn new(evaluation: &Evaluation) -> Self {
        Self {
            evaluator: Evaluator::new(evaluation),
            history: History::default(),
            stack: Stack::default(),
            lines: Lines::default(),
            reductions: Reductions::default(),
        }
    }

    /// Changes what positions are evaluated with. What was learned with the former evaluation goes.
    pub fn set_evaluation(&mut self, evaluation: &Evaluation) {
        self.evaluator = Evaluator::new(evaluation);
        self.clear();
    }

    /// Forgets everything learned, for a new game.
    pub fn clear(&mut self) {
        self.history.clear();
        self.reductions = Reductions::default();
    }

    /// Does this worker's part of the job; worker 0 leads and reports.
    pub(super) fn run(&mut self, id: usize, job: &Job) {
        let request = &job.request;
        self.stack.reset();
        self.evaluator.reset();
        let time = TimeManager::new(
            &request.limits,
            request.start,
            request.overhead,
            crate::core::time::GameLength::chess(request.board.ply_count()),
        );
        let mut node_limit = request.limits.nodes.unwrap_or(u64::MAX);
        if let Some(handicap) = request.handicap {
            node_limit = node_limit.min(handicap.nodes);
        }
        let ranking = job.ranking();
        if let Some(ranking) = ranking
            && id == 0
        {
            job.counters.thread(0).add_tb_hits(ranking.hits);
        }
        let tables =
            request.tables.as_ref().filter(|_| ranking.is_none_or(|ranking| ranking.probe_in_search));
        let mut search = Search {
            id,
            job,
            tt: &job.tt,
            board: request.board.clone(),
            evaluator: &mut self.evaluator,
            history: &mut self.history,
            stack: &mut self.stack,
            lines: &mut self.lines,
            reductions: &self.reductions,
            time,
            nodes: 0,
            flushed: 0,
            node_limit,
            stopped: false,
            sel_depth: 0,
            root_depth: 0,
            completed_depth: 0,
            told_depth: 0,
            pv_index: 0,
            null_from_ply: 0,
            is_ripe: false,
            root_moves: root_moves(&job.root_moves, ranking),
            tables,
        };
        search.lead_or_help();
    }
}

/// The root moves to search; with ranks by the tables the best come first.
fn root_moves(moves: &[Move], ranking: Option<&Ranking>) -> Vec<RootMove> {
    let Some(ranking) = ranking else { return moves.iter().map(|&mv| RootMove::new(mv)).collect() };
    let mut moves: Vec<RootMove> = ranking.moves.iter().map(|&rank| RootMove::ranked(rank)).collect();
    moves.sort_by_key(|m| std::cmp::Reverse(m.rank));
    moves
}

/// Nodes between two looks at the clock and two reports of the node count.
const CHECK_INTERVAL: u64 = 512;

/// One thread's search in progress.
pub(super) struct Search<'a> {
    pub id: usize,
    pub job: &'a Job,
    pub tt: &'a TranspositionTable,
    pub board: Board,
    pub evaluator: &'a mut Evaluator,
    pub history: &'a mut History,
    pub stack: &'a mut Stack,
    pub lines: &'a mut Lines,
    pub reductions: &'a Reductions,
    pub time: TimeManager,
    /// Nodes of this thread.
    pub nodes: u64,
    /// Part of them already reported to the shared counters.
    flushed: u64,
    node_limit: u64,
    pub stopped: bool,
    pub sel_depth: u32,
    pub root_depth: u32,
    pub completed_depth: u32,
    /// Largest depth of a line that was reported.
    pub told_depth: u32,
    /// Index of the line being searched (MultiPV).
    pub pv_index: usize,
    /// No null move before this ply, while one is verified.
    pub null_from_ply: usize,
    /// So much time was spent pondering that the answer is due with the ponder hit.
    pub is_ripe: bool,
    pub root_moves: Vec<RootMove>,
    /// Endgame tables to look into while searching.
    pub tables: Option<&'a TableUse>,
}

impl Search<'_> {
    /// Whether to leave the search; remembers the answer.
    #[inline]
    pub fn should_stop(&mut self) -> bool {
        if self.stopped || self.job.is_ending() {
            self.stopped = true;
        } else if self.nodes >= self.node_limit {
            self.job.end();
            self.stopped = true;
        } else if self.nodes - self.flushed >= CHECK_INTERVAL {
            self.check_limits();
        }
        self.stopped
    }

    /// Reports the node count and looks at the clock and the common node limit.
    #[cold]
    fn check_limits(&mut self) {
        self.flush_nodes();
        if self.id == 0 {
            self.job.tell_complaints();
        }
        let over_nodes = self.job.counters.len() > 1 && self.job.counters.total_nodes() >= self.node_limit;
        let over_time = self.id == 0 && self.is_time_running() && (self.is_ripe || self.time.is_past_hard());
        if over_nodes || over_time {
            self.job.end();
            self.stopped = true;
        }
    }

    /// Whether the clock counts: not while pondering. Notes a ponder hit.
    pub fn is_time_running(&mut self) -> bool {
        if !self.job.request.limits.ponder {
            return true;
        }
        match self.job.control.ponder_hit_at() {
            Some(at) => {
                self.time.restart(at);
                true
            }
            None => false,
        }
    }

    /// Brings the shared node count up to date.
    pub fn flush_nodes(&mut self) {
        self.job.counters.thread(self.id).add_nodes(self.nodes - self.flushed);
        self.flushed = self.nodes;
    }

    /// Makes a legal move.
    #[inline]
    pub fn make(&mut self, mv: Move, ply: usize) {
        let frame = &mut self.stack[ply];
        frame.mv = Some(mv);
        frame.continuation = match self.board.piece_on(mv.from()) {
            Some(piece) => continuation_index(piece, mv.to()),
            None => NO_CONTINUATION,
        };
        self.nodes += 1;
        self.evaluator.push();
        self.board.make_move(mv, &mut Follower { evaluator: self.evaluator, tt: self.tt });
    }

    /// Takes the last move back.
    #[inline]
    pub fn unmake(&mut self) {
        self.board.unmake_move();
        self.evaluator.pop();
    }

    /// Passes the turn.
    pub fn make_null(&mut self, ply: usize) {
        self.tt.prefetch(self.board.key_after_null());
        let frame = &mut self.stack[ply];
        frame.mv = None;
        frame.continuation = NO_CONTINUATION;
        self.nodes += 1;
        self.board.make_null();
    }

    /// Takes a pass back.
    pub fn unmake_null(&mut self) {
        self.board.unmake_null();
    }

    /// Score of a draw: nearly 0, and not always the same, so that no drawn line blinds the search to others.
    #[inline]
    pub fn draw_score(&self) -> i32 {
        (self.nodes & 2) as i32 - 1
    }

    /// Static evaluation before corrections.
    #[inline]
    pub fn static_eval(&mut self) -> i32 {
        let mut eval = self.evaluator.evaluate(&self.board);
        if let Some(handicap) = &self.job.request.handicap {
            eval += handicap.error(self.board.key());
        }
        eval.clamp(-MAX_EVAL, MAX_EVAL)
    }

    /// Static evaluation scaled towards the fifty-move draw and corrected by what the search learned.
    #[inline]
    pub fn corrected(&self, raw: i32, ply: usize) -> i32 {
        let clock = i32::from(self.board.halfmove_clock()).min(100);
        let scaled = raw * (220 - clock) / 220;
        let correction = self.history.correction(&self.board, self.last_continuations(ply));
        (scaled + correction).clamp(-MAX_EVAL, MAX_EVAL)
    }

    /// Whether the side to move stands better than at its former turn.
    pub fn is_improving(&self, ply: usize) -> bool {
        let now = self.stack[ply].static_eval;
        let before = match self.stack.back(ply, 2).static_eval {
            NO_SCORE => self.stack.back(ply, 4).static_eval,
            eval => eval,
        };
        before == NO_SCORE || now > before
    }

    /// What judges the moves of the node at `ply`.
    #[inline]
    pub fn move_context(&self, ply: usize) -> Context {
        Context {
            threats: self.board.threats(!self.board.side_to_move()),
            checks: self.board.check_squares(),
            ..self.continuation_context(ply)
        }
    }

    /// The same without the threats and checks.
    pub fn continuation_context(&self, ply: usize) -> Context {
        let back = |plies| self.stack.back(ply, plies).continuation;
        Context { continuations: [back(1), back(2), back(4), back(6)], ..Context::default() }
    }

    /// Continuation indices of the last two moves.
    pub fn last_continuations(&self, ply: usize) -> [usize; 2] {
        [self.stack.back(ply, 1).continuation, self.stack.back(ply, 2).continuation]
    }
}

/// Follows the moves made on the board.
struct Follower<'a> {
    evaluator: &'a mut Evaluator,
    tt: &'a TranspositionTable,
}

impl MoveObserver for Follower<'_> {
    #[inline]
    fn piece_added(&mut self, piece: Piece, square: Square) {
        self.evaluator.piece_added(piece, square);
    }

    #[inline]
    fn piece_removed(&mut self, piece: Piece, square: Square) {
        self.evaluator.piece_removed(piece, square);
    }

    #[inline]
    fn piece_moved(&mut self, piece: Piece, from: Square, to: Square) {
        self.evaluator.piece_moved(piece, from, to);
    }

    #[inline]
    fn key_known(&mut self, key: u64) {
        self.tt.prefetch(key);
    }
}
