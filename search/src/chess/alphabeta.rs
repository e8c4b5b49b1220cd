//! Principal variation search of one node.
//!
//! The techniques are the well-known ones, each named where it happens; the site
//! <https://www.chessprogramming.org/> describes them all. Margins stand in `params.rs`.

use movegen::Move;

use super::node::{Node, NodeState};
use super::params;
use super::score::{INFINITE, MAX_PLY, NO_SCORE, SCALE, is_decisive, is_loss, is_win, mate_in, mated_in};
use super::worker::Search;
use crate::core::tt::Bound;

impl Search<'_> {
    /// Score of the position to `depth` plies, within (`alpha`, `beta`) or a bound outside it (fail-soft).
    /// The result is meaningless when the search was stopped meanwhile.
    pub(super) fn search<N: Node>(
        &mut self,
        mut alpha: i32,
        mut beta: i32,
        mut depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> i32 {
        debug_assert!(-INFINITE <= alpha && alpha < beta && beta <= INFINITE);
        debug_assert!(N::PV || alpha == beta - 1);
        debug_assert!(!(N::PV && cut_node));
        if depth <= 0 {
            return self.qsearch::<N>(alpha, beta, ply);
        }
        if N::PV {
            self.lines.clear(ply);
            self.sel_depth = self.sel_depth.max(ply as u32 + 1);
        }
        if self.should_stop() {
            return 0;
        }
        let in_check = self.board.in_check();
        if !N::ROOT {
            if alpha < 0 && self.board.has_upcoming_repetition(ply) {
                alpha = self.draw_score();
                if alpha >= beta {
                    return alpha;
                }
            }
            if self.board.is_draw(ply) {
                return self.draw_score();
            }
            if ply >= MAX_PLY {
                return if in_check { 0 } else { self.static_eval() };
            }
            // Mate-distance pruning: a shorter mate is already known.
            alpha = alpha.max(mated_in(ply));
            beta = beta.min(mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }
        depth = depth.min(MAX_PLY as i32 - 1);
        self.stack[ply + 2].cutoffs = 0;
        let excluded = self.stack[ply].excluded;

        // Transposition table. A singular search must not see the result of the full one.
        let key = self.board.key();
        let entry = if excluded.is_none() { self.tt.probe(key) } else { None };
        let hint = if N::ROOT {
            self.root_hint()
        } else {
            entry.and_then(|e| Move::from_bits(e.hint)).filter(|&mv| self.board.is_legal(mv))
        };
        let table_score = entry.filter(|e| e.bound.is_some()).map(|e| SCALE.from_table(e.score, ply as i32));
        let table_depth = entry.map_or(0, |e| e.depth);
        let table_bound = entry.and_then(|e| e.bound);
        let at_least = |bound: Option<Bound>| matches!(bound, Some(Bound::Lower | Bound::Exact));
        let at_most = |bound: Option<Bound>| matches!(bound, Some(Bound::Upper | Bound::Exact));
        let was_pv = N::PV || entry.is_some_and(|e| e.pv) || (excluded.is_some() && self.stack[ply].was_pv);
        self.stack[ply].was_pv = was_pv;

        if !N::PV
            && let Some(score) = table_score
            && table_depth >= depth + i32::from(score >= beta)
            && self.board.halfmove_clock() < 90
            && (depth > 5 || cut_node == (score >= beta))
            && if score >= beta { at_least(table_bound) } else { at_most(table_bound) }
        {
            if score >= beta {
                self.reward_known(hint, depth, ply);
            }
            return score;
        }

        // Endgame tables.
        let (mut floor, mut ceiling) = (-INFINITE, INFINITE);
        if !N::ROOT
            && excluded.is_none()
            && let Some((score, bound)) = self.probe_tables(depth, ply)
        {
            if match bound {
                Bound::Exact => true,
                Bound::Lower => score >= beta,
                Bound::Upper => score <= alpha,
            } {
                let depth = (depth + 6).min(MAX_PLY as i32 - 1);
                self.store(key, None, score, NO_SCORE, depth, Some(bound), was_pv, ply);
                return score;
            }
            // On the principal variation the search goes on for a mate, within what is known.
            if N::PV && bound == Bound::Lower {
                floor = score;
                alpha = alpha.max(score);
            } else if N::PV {
                ceiling = score;
            }
        }

        // Static evaluation, corrected by what the search found for similar positions.
        let mut raw_eval = NO_SCORE;
        let mut eval = NO_SCORE;
        if in_check {
            self.stack[ply].static_eval = NO_SCORE;
        } else if excluded.is_some() {
            eval = self.stack[ply].static_eval;
        } else {
            raw_eval = match entry {
                Some(e) if e.eval != NO_SCORE => e.eval,
                _ => {
                    let eval = self.static_eval();
                    if entry.is_none() {
                        self.store(key, None, NO_SCORE, eval, 0, None, was_pv, ply);
                    }
                    eval
                }
            };
            eval = self.corrected(raw_eval, ply);
            self.stack[ply].static_eval = eval;
            if let Some(score) = table_score
                && !is_decisive(score)
                && if score > eval { at_least(table_bound) } else { at_most(table_bound) }
            {
                eval = score;
            }
        }
        let static_eval = self.stack[ply].static_eval;
        let improving = !in_check && self.is_improving(ply);
        let parent_eval = self.stack.back(ply, 1).static_eval;
        let after_null = !N::ROOT && self.stack.back(ply, 1).mv.is_none();
        self.stack[ply].reduction = 0;
        if !N::ROOT && !in_check && excluded.is_none() && parent_eval != NO_SCORE {
            // What the opponent's move changed: by both evaluations, from the point of view of the side to move.
            let swing = static_eval + parent_eval;
            self.learn_swing(ply, swing);
            // Hindsight: a move that was reduced a lot was not that bad, or as bad as it was taken for. Taken, for
            // a null move that is verified searches this node again.
            let reduction = std::mem::take(&mut self.stack[ply - 1].reduction);
            if reduction >= 3 && swing < 0 {
                depth += 1;
            } else if reduction >= 2 && depth >= 2 && !was_pv && swing > params::hindsight_margin() {
                depth -= 1;
            }
        }

        let mut node = NodeState {
            alpha,
            beta,
            depth,
            ply,
            cut_node,
            in_check,
            after_null,
            key,
            hint,
            table_score,
            table_depth,
            table_bound,
            raw_eval,
            static_eval,
            eval,
            improving,
            was_pv,
            excluded,
            floor,
            ceiling,
        };
        let may_prune = !N::PV && !in_check && excluded.is_none();
        if may_prune && let Some(score) = self.prune(&node) {
            return score;
        }
        // Internal iterative reduction: without a hash move the first visit may be shallower.
        if node.depth >= 4 && hint.is_none() && excluded.is_none() && (N::PV || cut_node) {
            node.depth -= 1;
        }
        if may_prune && let Some(score) = self.probcut(&node) {
            return score;
        }
        self.moves::<N>(node)
    }

    /// Score of the position by the endgame tables and what it bounds: a win may be better still (a mate), a loss
    /// worse.
    #[inline]
    fn probe_tables(&mut self, depth: i32, ply: usize) -> Option<(i32, Bound)> {
        let usage = self.tables?;
        if !usage.is_due(&self.board, depth) {
            return None;
        }
        let score = usage.tables.wdl(&self.board)?.score(ply, usage.fifty_moves);
        self.job.counters.thread(self.id).add_tb_hit();
        let bound = if is_win(score) {
            Bound::Lower
        } else if is_loss(score) {
            Bound::Upper
        } else {
            Bound::Exact
        };
        Some((score, bound))
    }
}
