//! Pruning of a whole node, before its moves are looked at.

use super::history::Context;
use super::movepick::MovePicker;
use super::node::{NodeState, Null};
use super::params;
use super::score::{is_decisive, is_loss, is_win};
use super::worker::Search;
use crate::core::tt::Bound;

impl Search<'_> {
    /// Razoring, reverse futility pruning and the null move, for a node off the principal variation and out of check:
    /// its score, if one of them tells.
    #[inline]
    pub(super) fn prune(&mut self, node: &NodeState) -> Option<i32> {
        let &NodeState { alpha, beta, depth, eval, static_eval, improving, hint, .. } = node;
        // Razoring: hopeless without tactics, and captures do not help either.
        if eval < alpha - params::razor_base() - params::razor_slope() * depth * depth && !is_win(alpha) {
            let score = self.qsearch::<Null>(alpha, alpha + 1, node.ply);
            if score <= alpha && !is_decisive(score) {
                return Some(score);
            }
            if self.stopped {
                return Some(0);
            }
        }
        // Reverse futility: so far above beta that a quiet move will keep it there.
        if depth <= 10
            && eval >= beta
            && !is_decisive(eval)
            && !is_loss(beta)
            && eval - params::reverse_futility_slope() * depth
                + params::reverse_futility_improving() * i32::from(improving)
                >= beta
            && hint.is_none_or(|mv| mv.is_tactical() || depth < 6)
        {
            return Some((eval + beta) / 2);
        }
        if !node.after_null
            && eval >= beta
            && static_eval >= beta + params::null_margin_base() - params::null_margin_slope() * depth
            && node.ply >= self.null_from_ply
            && !is_loss(beta)
            && self.board.has_non_pawn_material(self.board.side_to_move())
        {
            return self.null_move(node);
        }
        None
    }

    /// Null move: even passing keeps the score above beta. Verified at high depth (zugzwang).
    #[inline]
    fn null_move(&mut self, node: &NodeState) -> Option<i32> {
        let &NodeState { beta, depth, ply, .. } = node;
        let reduction = 4 + depth / 4 + ((node.eval - beta) / params::null_eval_step()).min(3);
        self.make_null(ply);
        let score = -self.search::<Null>(-beta, -beta + 1, depth - reduction, ply + 1, !node.cut_node);
        self.unmake_null();
        if self.stopped {
            return Some(0);
        }
        if score < beta {
            return None;
        }
        let score = if is_win(score) { beta } else { score };
        if self.null_from_ply > 0 || depth < 14 {
            return Some(score);
        }
        self.null_from_ply = ply + (3 * (depth - reduction) as usize) / 4;
        let verified = self.search::<Null>(beta - 1, beta, depth - reduction, ply, false);
        self.null_from_ply = 0;
        if self.stopped {
            return Some(0);
        }
        (verified >= beta).then_some(score)
    }

    /// ProbCut: a good capture that beats beta by a margin at reduced depth will beat it at full depth. For a node as
    /// for [`Search::prune`].
    #[inline]
    pub(super) fn probcut(&mut self, node: &NodeState) -> Option<i32> {
        let &NodeState { beta, depth, ply, .. } = node;
        let raised = beta + params::probcut_margin() - 50 * i32::from(node.improving);
        if depth < 5
            || is_decisive(beta)
            || (node.table_depth >= depth - 3 && node.table_score.is_some_and(|score| score < raised))
        {
            return None;
        }
        let ctx = Context::default();
        let gain = raised - node.static_eval;
        let hint = node.hint.filter(|&mv| mv.is_tactical() && self.board.see_ge(mv, gain));
        let mut picker = MovePicker::tactical(hint, gain);
        while let Some(mv) = picker.next(&self.board, self.history, &ctx) {
            self.make(mv, ply);
            let mut score = -self.qsearch::<Null>(-raised, -raised + 1, ply + 1);
            if score >= raised {
                score = -self.search::<Null>(-raised, -raised + 1, depth - 4, ply + 1, !node.cut_node);
            }
            self.unmake();
            if self.stopped {
                return Some(0);
            }
            if score >= raised {
                let bound = Some(Bound::Lower);
                self.store(node.key, Some(mv), score, node.raw_eval, depth - 3, bound, node.was_pv, ply);
                return Some(if is_decisive(score) { score } else { score - (raised - beta) });
            }
        }
        None
    }
}
