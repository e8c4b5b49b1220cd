//! What a finished node teaches: histories and corrections.

use movegen::Move;

use super::node::NodeState;
use super::params;
use super::score::is_decisive;
use super::worker::Search;

impl Search<'_> {
    /// Updates the histories after `mv` turned out best.
    pub(super) fn reward(
        &mut self,
        node: &NodeState,
        mv: Move,
        quiets: &[Move],
        captures: &[Move],
        cut: bool,
    ) {
        let ctx = node.ctx;
        let (plus, minus) = (bonus(node.depth), -malus(node.depth));
        let Some(piece) = self.board.piece_on(mv.from()) else { return };
        if mv.is_quiet() {
            self.history.update_quiet(&self.board, mv, piece, &ctx, plus);
            if cut {
                self.stack[node.ply].killer = Some(mv);
                self.history.set_counter_move(ctx.continuations[0], mv);
            }
            for &other in quiets {
                if let Some(piece) = self.board.piece_on(other.from()) {
                    self.history.update_quiet(&self.board, other, piece, &ctx, minus);
                }
            }
        } else {
            self.history.update_capture(&self.board, mv, piece, plus);
        }
        for &other in captures {
            if let Some(piece) = self.board.piece_on(other.from()) {
                self.history.update_capture(&self.board, other, piece, minus);
            }
        }
    }

    /// All moves failed low: the opponent's quiet move before was a good one.
    pub(super) fn reward_opponent(&mut self, node: &NodeState) {
        let before = *self.stack.back(node.ply, 1);
        let Some(mv) = before.mv else { return };
        if mv.is_quiet() {
            let ctx = self.continuation_context(node.ply - 1);
            self.history.update_continuations(before.continuation, &ctx, bonus(node.depth) / 2);
        }
    }

    /// Lets the correction histories learn from the difference between search and static evaluation.
    pub(super) fn learn_correction(&mut self, node: &NodeState, best: i32, best_move: Option<Move>) {
        if node.in_check
            || node.excluded.is_some()
            || is_decisive(best)
            || best_move.is_some_and(Move::is_tactical)
            || (best >= node.beta && best <= node.static_eval)
            || (best_move.is_none() && best >= node.static_eval)
        {
            return;
        }
        let continuations = self.last_continuations(node.ply);
        self.history.update_correction(&self.board, continuations, node.depth, best - node.static_eval);
    }
}

/// History bonus of a move that proved best at this depth.
pub(super) fn bonus(depth: i32) -> i32 {
    (params::bonus_slope() * depth).min(params::bonus_max())
}

/// History penalty of a move that was tried before the best one.
pub(super) fn malus(depth: i32) -> i32 {
    (params::malus_slope() * depth).min(params::malus_max())
}
