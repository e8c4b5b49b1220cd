//! Iterative deepening, on the main thread and on the helpers.

use super::endgame::{self, Advice};
use super::engine::{Request, Shared};
use super::node::table_key;
use super::score::{INFINITE, distance, is_decided};
use super::{Line, MAX_PLY, Search, Worker, params};
use crate::eval::Evaluator;
use crate::{Game, Move, Position, Rules, legal_moves, with_rules};
use search::core::event::{Event, Info, ScoreBound, Silent, Sink};
use search::core::time::{GameLength, IterationInfo, TimeManager};
use std::marker::PhantomData;
use std::sync::atomic::Ordering;

/// Depth from which a window is used.
const WINDOW_DEPTH: u32 = 4;

/// What a search found.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The best move; `None` when there is no legal one.
    pub best: Option<Move>,
    /// Its score for the side to move.
    pub score: i32,
    /// The last finished iteration, in plies.
    pub depth: u32,
    /// Nodes of all threads.
    pub nodes: u64,
    /// The best line, from the root.
    pub line: Vec<Move>,
}

/// A legal move at the root.
pub(super) struct RootMove {
    pub(super) mv: Move,
    pub(super) score: i32,
    /// Score of the former iteration.
    previous: i32,
    pub(super) line: Line,
    nodes: u64,
}

/// Searches on the calling thread, without a pool. `shared` must have counters for one thread and must not
/// be used by another search at the same time.
pub fn think(worker: &mut Worker, shared: &Shared, request: &Request, sink: &dyn Sink<Move>) -> Report {
    #[cfg(feature = "tune")]
    params::install(&worker.parameters);
    shared.begin(request);
    with_rules!(request.variant, R => lead::<R>(worker, shared, request, sink, || ()))
}

/// The main thread's part. `wait_helpers` returns when all other threads have ended.
pub(super) fn lead<R: Rules>(
    worker: &mut Worker,
    shared: &Shared,
    request: &Request,
    sink: &dyn Sink<Move>,
    wait_helpers: impl FnOnce(),
) -> Report {
    shared.table.age();
    let mut roots = roots::<R>(request);
    let advice = endgame::advise(&shared.tables, request, &mut roots);
    let mut search = Search::<R>::new(worker, shared, request, 0, advice);
    let limits = &request.limits;
    let quick = request.quick_reply && roots.len() == 1 && !limits.infinite && !limits.ponder;
    let mut depth = 0;
    if !roots.is_empty() && !quick {
        depth = search.iterate(&mut roots, advice, sink);
        // The answer belongs to whoever plays: it waits for the opponent's move or for the end of the
        // analysis.
        if limits.ponder {
            shared.control.wait_for_release();
        }
        if limits.infinite {
            shared.control.wait_for_stop();
        }
    }
    shared.finished.store(true, Ordering::Relaxed);
    wait_helpers();
    let mut report = Report { depth, nodes: shared.counters.total_nodes(), ..Report::default() };
    if let Some(root) = roots.first() {
        report.best = Some(root.mv);
        report.score = if root.score > -INFINITE { root.score } else { root.previous };
        report.line = root.line.to_vec();
    }
    let ponder = report.line.get(1).copied().or_else(|| reply::<R>(shared, request, report.best?));
    let ponder = ponder.filter(|&reply| report.best.is_some_and(|best| goes_on::<R>(request, best, reply)));
    sink.emit(Event::BestMove { best: report.best, ponder });
    report
}

/// A helper's part: the same search, unheard, until the main thread ends.
pub(super) fn help<R: Rules>(worker: &mut Worker, shared: &Shared, request: &Request, id: usize) {
    let mut roots = roots::<R>(request);
    let advice = endgame::advise(&shared.tables, request, &mut roots);
    if !roots.is_empty() {
        Search::<R>::new(worker, shared, request, id, advice).iterate(&mut roots, advice, &Silent);
    }
}

fn roots<R: Rules>(request: &Request) -> Vec<RootMove> {
    let root = |&mv| RootMove { mv, score: -INFINITE, previous: -INFINITE, line: line_of(mv), nodes: 0 };
    legal_moves::<R>(request.game.position()).iter().map(root).collect()
}

fn line_of(mv: Move) -> Line {
    let mut line = Line::new();
    line.push(mv);
    line
}

/// Whether a move is left after these two. If none is, there is nothing to think about in the opponent's time, and
/// programs are known that cannot do with an answer without a move.
fn goes_on<R: Rules>(request: &Request, best: Move, reply: Move) -> bool {
    let next = request.game.position().play::<R>(best).play::<R>(reply);
    !legal_moves::<R>(&next).is_empty()
}

/// The expected answer to a move, from the table.
fn reply<R: Rules>(shared: &Shared, request: &Request, mv: Move) -> Option<Move> {
    let next = request.game.position().play::<R>(mv);
    let hint = shared.table.probe(table_key(&next))?.hint;
    legal_moves::<R>(&next).into_iter().find(|mv| mv.hint() == hint)
}

impl<'a, R: Rules> Search<'a, R> {
    fn new(
        worker: &'a mut Worker,
        shared: &'a Shared,
        request: &'a Request,
        id: usize,
        advice: Advice,
    ) -> Self {
        let game = &request.game;
        let length = GameLength::draughts(game.moves().len() as u32);
        let before = game.positions().len() - 1;
        let path: Vec<u64> = game.positions()[..before].iter().map(Position::key).collect();
        for frame in &mut worker.frames {
            *frame = super::Frame::default();
        }
        if !worker.evaluator.is_of(&shared.evaluation) {
            worker.evaluator = Evaluator::new(&shared.evaluation);
        }
        Self {
            shared,
            request,
            worker,
            draws: game.draws,
            id,
            time: TimeManager::new(&request.limits, request.start, request.overhead, length),
            clock_runs: !request.limits.ponder,
            root_length: path.len(),
            path,
            probed: if let Advice::Search(pieces) = advice { pieces } else { 0 },
            has_answer: false,
            stopped: false,
            rules: PhantomData,
        }
    }

    /// Searches deeper and deeper until a limit is reached. Returns the last finished depth; `roots` are
    /// sorted by what was found.
    fn iterate(&mut self, roots: &mut [RootMove], advice: Advice, sink: &dyn Sink<Move>) -> u32 {
        let limits = &self.request.limits;
        let deepest = limits.depth.unwrap_or(u32::MAX).clamp(1, MAX_PLY as u32 - 20);
        let lines = self.request.lines.clamp(1, roots.len());
        if advice == Advice::Known {
            for (index, root) in roots.iter().enumerate().take(lines) {
                self.show(root, index, 1, None, sink);
            }
            return 1;
        }
        let mut finished = 0;
        let mut stability = 0;
        let mut average: Option<i32> = None;
        // Helpers start at different depths, so that they do not all do the same.
        for depth in 1 + (self.id as u32 % 2)..=deepest {
            let best_before = roots[0].mv;
            for root in roots.iter_mut() {
                root.previous = root.score;
            }
            self.shared.counters.thread(self.id).reset_sel_depth();
            for line in 0..lines {
                self.search_line(roots, line, depth, sink);
                if self.stopped {
                    break;
                }
                roots[..=line].sort_by_key(|root| std::cmp::Reverse(root.score));
            }
            if self.stopped {
                break;
            }
            for (index, root) in roots.iter().enumerate().take(lines) {
                self.show(root, index, depth, None, sink);
            }
            finished = depth;
            self.has_answer = true;
            let best = &roots[0];
            let score = best.score;
            stability = if best.mv == best_before { stability + 1 } else { 0 };
            if self.id != 0 {
                continue;
            }
            let drop = average.map_or(0, |average| average - score);
            average = Some(average.map_or(score, |average| (average + score) / 2));
            if self.is_enough(roots, depth, stability, drop) {
                break;
            }
        }
        if self.id == 0 && !self.request.limits.infinite {
            self.shared.finished.store(true, Ordering::Relaxed);
        }
        finished
    }

    /// Whether the main thread should not begin another iteration.
    fn is_enough(&mut self, roots: &[RootMove], depth: u32, stability: u32, drop: i32) -> bool {
        let limits = &self.request.limits;
        let nodes = self.shared.counters.total_nodes();
        if limits.soft_nodes.is_some_and(|limit| nodes >= limit) {
            return true;
        }
        if limits.infinite {
            return false;
        }
        let score = roots[0].score;
        let found = distance(score).is_some_and(|plies| depth > plies.unsigned_abs());
        if found && limits.depth.is_none() && self.request.lines == 1 {
            return true;
        }
        self.look_at_clock();
        let own = self.shared.counters.thread(0).nodes().max(1);
        let info = IterationInfo {
            stability,
            score_drop: if is_decided(score) { 0 } else { drop },
            node_share: roots[0].nodes as f64 / own as f64,
            single_reply: roots.len() == 1,
        };
        self.clock_runs && self.time.should_stop_iteration(info)
    }

    /// One iteration for the line of rank `line`, with a window that widens until the score is inside.
    fn search_line(&mut self, roots: &mut [RootMove], line: usize, depth: u32, sink: &dyn Sink<Move>) {
        let expected = roots[line].previous;
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        let mut width = params::window();
        if depth >= WINDOW_DEPTH && expected > -INFINITE && !is_decided(expected) {
            (alpha, beta) = (expected - width, expected + width);
        }
        loop {
            let score = self.root(&mut roots[line..], alpha, beta, depth as i32);
            // Stable: moves that were not better keep their order.
            roots[line..].sort_by_key(|root| std::cmp::Reverse(root.score));
            if self.stopped {
                return;
            }
            let bound = if score <= alpha {
                alpha = (score - width).max(-INFINITE);
                ScoreBound::Upper
            } else if score >= beta {
                beta = (score + width).min(INFINITE);
                ScoreBound::Lower
            } else {
                return;
            };
            width *= 2;
            if width > 200 || is_decided(score) {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
            // Bounds are news only when the search takes a while.
            if self.request.start.elapsed().as_secs() >= 3 {
                self.show(&roots[line], line, depth, Some(bound), sink);
            }
        }
    }

    fn root(&mut self, roots: &mut [RootMove], mut alpha: i32, beta: i32, depth: i32) -> i32 {
        let game: &Game = &self.request.game;
        let position = *game.position();
        self.path.truncate(self.root_length);
        self.path.push(position.key());
        let mut best = -INFINITE;
        let single = roots.len() == 1;
        for (index, root) in roots.iter_mut().enumerate() {
            let mv = root.mv;
            let before = self.shared.counters.thread(self.id).nodes();
            let next = position.play::<R>(mv);
            let extended = single && mv.is_capture();
            let full = depth - 1 + i32::from(extended);
            let mut score = 0;
            if index > 0 {
                let reduced = full - i32::from(index >= 4 && depth >= 3 && !mv.is_capture());
                score = -self.node::<false>(&next, -alpha - 1, -alpha, reduced, 1);
                if score > alpha && reduced < full {
                    score = -self.node::<false>(&next, -alpha - 1, -alpha, full, 1);
                }
            }
            if index == 0 || (score > alpha && !self.stopped) {
                score = -self.node::<true>(&next, -beta, -alpha, full, 1);
            }
            if self.stopped {
                break;
            }
            root.nodes += self.shared.counters.thread(self.id).nodes() - before;
            if index == 0 || score > alpha {
                root.score = score;
                root.line.clear();
                root.line.push(mv);
                let rest = &self.worker.frames[1].line;
                root.line.extend(rest.iter().take(MAX_PLY - 1).copied());
            } else {
                root.score = -INFINITE;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        self.path.truncate(self.root_length);
        best
    }

    fn show(
        &self,
        root: &RootMove,
        index: usize,
        depth: u32,
        bound: Option<ScoreBound>,
        sink: &dyn Sink<Move>,
    ) {
        if self.id != 0 {
            return;
        }
        let elapsed = self.request.start.elapsed();
        let nodes = self.shared.counters.total_nodes();
        sink.emit(Event::Info(Info {
            depth,
            sel_depth: self.shared.counters.max_sel_depth(),
            multi_pv: index + 1,
            score: root.score,
            bound,
            nodes,
            elapsed,
            nps: (nodes as f64 / elapsed.as_secs_f64().max(1e-6)) as u64,
            hashfull: self.shared.table.hashfull(),
            tb_hits: 0,
            pv: root.line.to_vec(),
        }));
    }
}
