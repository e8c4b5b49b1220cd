//! The root: iterative deepening, aspiration windows, several lines, the end of a search.

use std::cmp::Reverse;
use std::time::Duration;

use movegen::Move;

use super::node::Root;
use super::params;
use super::score::{INFINITE, MATE, MAX_PLY, is_decisive, is_loss, is_mate, is_win, mate_in, mated_in};
use super::tablebase::Rank;
use super::worker::{Outcome, Search};
use crate::core::event::{Event, Info, ScoreBound};
use crate::core::time::IterationInfo;

/// Bounds of fail-high and fail-low iterations and the current move are told after this time only.
const TALK_AFTER: Duration = Duration::from_millis(1000);
/// No search has taken so long before so many nodes; counting them costs less than reading the clock.
const QUIET_NODES: u64 = 20_000;

/// A root move with what is known of it.
#[derive(Debug)]
pub(super) struct RootMove {
    pub mv: Move,
    /// Score of this iteration, `-INFINITE` while unknown or worse than the best.
    pub score: i32,
    /// Score of the iteration before.
    pub previous: i32,
    /// Running average of the scores.
    pub average: i32,
    pub bound: Option<ScoreBound>,
    pub sel_depth: u32,
    pub nodes: u64,
    pub pv: Vec<Move>,
    /// Place by the endgame tables: moves of a higher rank always go before those of a lower one. 0 without tables.
    pub rank: i32,
    /// Score by the endgame tables.
    pub table_score: Option<i32>,
}

impl Clone for RootMove {
    fn clone(&self) -> Self {
        Self { pv: self.pv.clone(), ..*self }
    }

    /// Keeps the memory of the variation: all root moves are copied after each iteration.
    fn clone_from(&mut self, source: &Self) {
        let mut pv = std::mem::take(&mut self.pv);
        pv.clone_from(&source.pv);
        *self = Self { pv, ..*source };
    }
}

impl RootMove {
    /// A move that the endgame tables know.
    pub fn ranked(rank: Rank) -> Self {
        Self { rank: rank.rank, table_score: Some(rank.score), ..Self::new(rank.mv) }
    }

    /// What moves are sorted by, best first.
    fn order(&self) -> Reverse<(i32, i32)> {
        Reverse((self.rank, self.score))
    }

    pub fn new(mv: Move) -> Self {
        Self {
            mv,
            score: -INFINITE,
            previous: -INFINITE,
            average: -INFINITE,
            bound: None,
            sel_depth: 0,
            nodes: 0,
            pv: vec![mv],
            rank: 0,
            table_score: None,
        }
    }
}

impl Search<'_> {
    /// Searches; worker 0 then waits until the answer is wanted, collects the others and reports.
    pub fn lead_or_help(&mut self) {
        if self.root_moves.is_empty() {
            if self.id == 0 {
                self.report_end_of_game();
            }
            return;
        }
        self.iterate();
        self.flush_nodes();
        self.job.set_outcome(self.id, self.outcome());
        if self.id == 0 {
            self.wait_until_wanted();
            self.job.end();
            if let Some(helpers) = &self.job.helpers {
                helpers.wait_helpers();
            }
            self.job.tell_complaints();
            self.report_best();
        }
    }

    /// Holds the answer back while analysing without limit or pondering.
    fn wait_until_wanted(&self) {
        let limits = &self.job.request.limits;
        if limits.ponder {
            self.job.control.wait_for_release();
        }
        if limits.infinite {
            self.job.control.wait_for_stop();
        }
    }

    /// Iterative deepening.
    fn iterate(&mut self) {
        let limits = self.job.request.limits.clone();
        let lines = self.job.request.multi_pv.clamp(1, self.root_moves.len());
        let max_depth = limits.depth.unwrap_or(u32::MAX).clamp(1, MAX_PLY as u32 - 1);
        let mut stability = 0;
        let mut last_best: Option<Move> = None;
        let mut settled: Vec<RootMove> = Vec::new();
        for depth in 1..=max_depth {
            self.root_depth = depth;
            for root_move in &mut self.root_moves {
                root_move.previous = root_move.score;
            }
            for index in 0..lines {
                self.pv_index = index;
                self.sel_depth = 0;
                self.aspiration(depth as i32, index);
                if self.stopped {
                    break;
                }
                // The lines found so far, best first; stable, so that equals keep their order.
                self.root_moves[..=index].sort_by_key(RootMove::order);
                if self.id == 0 && lines > 1 && index + 1 < lines && self.time.elapsed() > TALK_AFTER {
                    self.report_lines(index + 1, depth);
                }
            }
            if self.stopped {
                self.restore_settled(&settled);
                break;
            }
            self.completed_depth = depth;
            let best = self.root_moves[0].clone();
            stability = if last_best == Some(best.mv) { stability + 1 } else { 0 };
            last_best = Some(best.mv);
            let drop = settled.first().map_or(0, |s| (s.average - best.score).clamp(-500, 500));
            if self.id == 0 {
                self.report_lines(lines, depth);
                if self.is_enough(&limits, &best, depth, stability, drop) {
                    break;
                }
            }
            settled.clone_from(&self.root_moves);
        }
    }

    /// An iteration cut short may leave unproven losses or mere bounds in front: go back to what the last whole
    /// iteration said of the lines that were not finished, unless something better was found.
    fn restore_settled(&mut self, settled: &[RootMove]) {
        if settled.is_empty() {
            return;
        }
        let front = &self.root_moves[self.pv_index];
        let is_better = self.pv_index == 0
            && front.score != -INFINITE
            && front.bound != Some(ScoreBound::Upper)
            && !is_loss(front.score);
        let finished = self.root_moves[..self.pv_index + usize::from(is_better)].to_vec();
        let rest = settled.iter().filter(|old| finished.iter().all(|new| new.mv != old.mv)).cloned();
        self.root_moves = finished.iter().cloned().chain(rest).collect();
    }

    /// Whether the search may end after a whole iteration.
    fn is_enough(
        &mut self,
        limits: &crate::core::limit::Limits,
        best: &RootMove,
        depth: u32,
        stability: u32,
        drop: i32,
    ) -> bool {
        if let Some(moves) = limits.mate {
            let plies = moves.saturating_mul(2).saturating_sub(1).min(MAX_PLY as u32) as usize;
            if best.score >= mate_in(plies) || best.score <= mated_in(plies + 1) {
                return true;
            }
        }
        self.flush_nodes();
        if limits.soft_nodes.is_some_and(|soft| self.job.counters.total_nodes() >= soft) {
            return true;
        }
        let shown = IterationInfo {
            stability,
            score_drop: drop,
            node_share: best.nodes as f64 / self.nodes.max(1) as f64,
            single_reply: self.root_moves.iter().filter(|m| m.rank == best.rank).count() == 1,
        };
        if !self.is_time_running() {
            self.is_ripe = self.time.should_stop_iteration(shown);
            return false;
        }
        let clock_runs = limits.clock.is_some() || limits.move_time.is_some();
        // A mate that is longer than the one asked for is no reason to stop looking.
        if clock_runs && !limits.infinite && limits.mate.is_none() && is_decisive(best.score) {
            let plies = MATE - best.score.abs();
            if depth as i32 >= 2 * plies + 8 {
                return true;
            }
        }
        self.is_ripe || self.time.should_stop_iteration(shown)
    }

    /// Searches line `index` with a window around the expected score, widened until it fits.
    fn aspiration(&mut self, depth: i32, index: usize) {
        let average = self.root_moves[index].average;
        let mut delta = params::aspiration_width() + (self.id % 4) as i32;
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if depth >= 4 && average != -INFINITE && !is_decisive(average) {
            delta += (average.abs() / 8).min(60) * average.abs() / 1500;
            alpha = (average - delta).max(-INFINITE);
            beta = (average + delta).min(INFINITE);
        }
        let mut reduced = 0;
        loop {
            let searched = (depth - reduced).max(1);
            let score = self.search::<Root>(alpha, beta, searched, 0, false);
            // Stable: moves that failed low keep their order behind those with a score.
            self.root_moves[index..].sort_by_key(RootMove::order);
            if self.stopped {
                return;
            }
            let failed = score <= alpha || score >= beta;
            if failed && self.id == 0 && self.job.request.multi_pv == 1 && self.time.elapsed() > TALK_AFTER {
                self.report_lines(1, depth as u32);
            }
            if score <= alpha {
                beta = i32::midpoint(alpha, beta);
                alpha = (score - delta).max(-INFINITE);
                reduced = 0;
            } else if score >= beta {
                beta = (score + delta).min(INFINITE);
                if !is_decisive(score) {
                    reduced = (reduced + 1).min(3);
                }
            } else {
                return;
            }
            delta += delta / 2;
            if delta > 1000 {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
        }
    }

    /// Best known move of the line being searched.
    #[inline]
    pub fn root_hint(&self) -> Option<Move> {
        self.root_moves.get(self.pv_index).map(|m| m.mv)
    }

    /// Whether the root move belongs to the line being searched or to later ones.
    pub fn is_root_candidate(&self, mv: Move) -> bool {
        let rank = self.root_moves[self.pv_index].rank;
        self.root_moves[self.pv_index..].iter().any(|m| m.mv == mv && m.rank == rank)
    }

    /// Tells which root move is being searched, once the search has taken a while.
    pub fn announce_move(&self, mv: Move, number: usize) {
        if self.id == 0 && self.nodes > QUIET_NODES && self.time.elapsed() > TALK_AFTER {
            let number = number + self.pv_index;
            self.job.sink.emit(Event::CurrentMove { depth: self.root_depth, mv, number });
        }
    }

    /// Notes the result of a root move.
    pub fn note_root_move(&mut self, mv: Move, score: i32, alpha: i32, beta: i32, number: usize, nodes: u64) {
        let Some(root_move) = self.root_moves.iter_mut().find(|m| m.mv == mv) else { return };
        root_move.nodes += nodes;
        if number > 1 && score <= alpha {
            root_move.score = -INFINITE;
            return;
        }
        root_move.score = score;
        root_move.average =
            if root_move.average == -INFINITE { score } else { (2 * score + root_move.average) / 3 };
        root_move.bound = if score >= beta {
            Some(ScoreBound::Lower)
        } else if score <= alpha {
            Some(ScoreBound::Upper)
        } else {
            None
        };
        root_move.sel_depth = self.sel_depth;
        root_move.pv.clear();
        root_move.pv.push(mv);
        root_move.pv.extend_from_slice(self.lines.line(1));
    }

    /// Score and bound of a root move, from the iteration before when this one has none.
    fn known_score(&mut self, root_move: &RootMove) -> (i32, Option<ScoreBound>) {
        if let Some(score) = root_move.table_score
            && !is_mate(root_move.score)
        {
            (score, None)
        } else if root_move.score != -INFINITE {
            (root_move.score, root_move.bound)
        } else if root_move.previous != -INFINITE {
            (root_move.previous, None)
        } else {
            (self.static_eval_at_root(), None)
        }
    }

    fn static_eval_at_root(&mut self) -> i32 {
        if self.board.in_check() { 0 } else { self.static_eval() }
    }

    /// Prints the best `count` lines.
    fn report_lines(&mut self, count: usize, depth: u32) {
        self.flush_nodes();
        if !self.job.sink.is_heard() {
            return;
        }
        // An unfinished iteration may have spoken already: the depth told never falls within a search.
        let depth = depth.max(self.told_depth);
        self.told_depth = depth;
        let elapsed = self.time.elapsed();
        let nodes = self.job.counters.total_nodes();
        let mut last = INFINITE;
        for index in 0..count {
            let root_move = self.root_moves[index].clone();
            let (score, bound) = self.known_score(&root_move);
            // A guess for a line that was never searched must not stand above a searched one.
            let score = score.min(last);
            last = score;
            self.job.sink.emit(Event::Info(Info {
                depth,
                sel_depth: root_move.sel_depth.max(depth),
                multi_pv: index + 1,
                score,
                bound,
                nodes,
                elapsed,
                nps: nodes_per_second(nodes, elapsed),
                hashfull: self.tt.hashfull(),
                tb_hits: self.job.counters.total_tb_hits(),
                pv: root_move.pv,
            }));
        }
    }

    fn outcome(&mut self) -> Outcome {
        let best = self.root_moves[0].clone();
        let (score, _) = self.known_score(&best);
        let ponder = best.pv.get(1).copied();
        Outcome {
            best: Some(best.mv),
            ponder,
            score,
            depth: self.completed_depth,
            nodes: self.job.counters.total_nodes(),
            pv: best.pv,
        }
    }

    /// Chooses among the threads' results and tells the move.
    fn report_best(&mut self) {
        let mut chosen = self.vote();
        chosen.nodes = self.job.counters.total_nodes();
        let unsaid = self.stopped || Some(self.root_moves[0].mv) != chosen.best;
        if Some(self.root_moves[0].mv) != chosen.best
            && let Some(place) = self.root_moves.iter().position(|m| Some(m.mv) == chosen.best)
        {
            self.root_moves[place].score = chosen.score;
            self.root_moves[place].bound = None;
            self.root_moves[place].pv = chosen.pv.clone();
            self.root_moves[..=place].rotate_right(1);
        }
        if unsaid {
            let lines = self.job.request.multi_pv.clamp(1, self.root_moves.len());
            self.report_lines(lines, self.completed_depth.max(1));
        }
        if chosen.ponder.is_none() {
            chosen.ponder = self.ponder_from_table(chosen.best);
        }
        self.job.sink.emit(Event::BestMove { best: chosen.best, ponder: chosen.ponder });
        self.job.set_outcome(0, chosen);
    }

    /// The expected reply out of the table, when the variation is too short to have one.
    fn ponder_from_table(&mut self, best: Option<Move>) -> Option<Move> {
        let mut board = self.board.clone();
        board.try_move(best?).ok()?;
        let entry = self.tt.probe(board.key())?;
        Move::from_bits(entry.hint).filter(|&mv| board.is_legal(mv))
    }

    /// Every thread votes for its move, with more weight for depth and score.
    fn vote(&mut self) -> Outcome {
        let own = self.outcome();
        if self.job.outcomes.len() == 1 || self.job.request.multi_pv > 1 {
            return own;
        }
        let outcomes: Vec<Outcome> = (0..self.job.outcomes.len())
            .filter_map(|id| self.job.outcome(id))
            .filter(|o| o.depth > 0)
            .collect();
        let Some(lowest) = outcomes.iter().map(|o| o.score).min() else { return own };
        let weight = |o: &Outcome| i64::from(o.score - lowest + 14) * i64::from(o.depth);
        let votes = |o: &Outcome| -> i64 { outcomes.iter().filter(|p| p.best == o.best).map(weight).sum() };
        let mut chosen = &own;
        for outcome in &outcomes {
            let better = if is_decisive(chosen.score) || is_win(outcome.score) {
                outcome.score > chosen.score
            } else {
                !is_loss(outcome.score) && (votes(outcome), weight(outcome)) > (votes(chosen), weight(chosen))
            };
            if better {
                chosen = outcome;
            }
        }
        chosen.clone()
    }

    /// The root has no legal move: mate or stalemate.
    fn report_end_of_game(&mut self) {
        let score = if self.board.in_check() { mated_in(0) } else { 0 };
        self.job.sink.emit(Event::Info(Info {
            depth: 0,
            sel_depth: 0,
            multi_pv: 1,
            score,
            bound: None,
            nodes: 0,
            elapsed: self.time.elapsed(),
            nps: 0,
            hashfull: self.tt.hashfull(),
            tb_hits: 0,
            pv: Vec::new(),
        }));
        self.wait_until_wanted();
        self.job.sink.emit(Event::BestMove { best: None, ponder: None });
        let outcome = Outcome { best: None, ponder: None, score, depth: 0, nodes: 0, pv: Vec::new() };
        self.job.set_outcome(0, outcome);
    }
}

/// Nodes per second; at least a microsecond is taken to have passed.
fn nodes_per_second(nodes: u64, elapsed: Duration) -> u64 {
    let micros = elapsed.as_micros().max(1);
    u64::try_from(u128::from(nodes) * 1_000_000 / micros).unwrap_or(u64::MAX)
}
