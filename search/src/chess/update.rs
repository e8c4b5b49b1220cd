//! What a finished node teaches: histories and corrections.

use movegen::Move;

use super::history::Context;
use super::node::NodeState;
use super::params;
use super::score::{NO_SCORE, is_decisive};
use super::worker::Search;

impl Search<'_> {
    /// Updates the histories after `mv` turned out best.
    pub(super) fn reward(
        &mut self,
        node: &NodeState,
        ctx: &Context,
        mv: Move,
        quiets: &[Move],
        captures: &[Move],
        cut: bool,
    ) {
        let (plus, minus) = (bonus(node.depth), -malus(node.depth));
        let Some(piece) = self.board.piece_on(mv.from()) else { return };
        if mv.is_quiet() {
            self.history.update_quiet(&self.board, mv, piece, ctx, plus);
            if cut {
                self.stack[node.ply].killer = Some(mv);
                self.history.set_counter_move(ctx.continuations[0], mv);
            }
            for &other in quiets {
                if let Some(piece) = self.board.piece_on(other.from()) {
                    self.history.update_quiet(&self.board, other, piece, ctx, minus);
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
        if cut && node.ply > 0 {
            self.blame_opponent(node.ply, node.depth, 1);
        }
    }

    /// Updates the histories after the table said that `hint` fails high.
    pub(super) fn reward_known(&mut self, hint: Option<Move>, depth: i32, ply: usize) {
        if let Some(mv) = hint.filter(|mv| mv.is_quiet())
            && let Some(piece) = self.board.piece_on(mv.from())
        {
            let ctx = self.move_context(ply);
            self.history.update_quiet(&self.board, mv, piece, &ctx, bonus(depth));
        }
        self.blame_opponent(ply, depth, 3);
    }

    /// The opponent's last move was refuted: if it was a quiet one among the first `early`, it was ordered too high.
    fn blame_opponent(&mut self, ply: usize, depth: i32, early: usize) {
        let before = *self.stack.back(ply, 1);
        if before.number <= early && before.mv.is_some_and(Move::is_quiet) {
            let ctx = self.continuation_context(ply - 1);
            self.history.update_continuations(before.continuation, &ctx, -malus(depth) * 3 / 4);
        }
    }

    /// All moves failed low, at most with score `best`: the opponent's quiet move before was a good one, the more so
    /// the less it was expected.
    pub(super) fn reward_opponent(&mut self, node: &NodeState, best: i32) {
        let before = *self.stack.back(node.ply, 1);
        let Some(mv) = before.mv.filter(|mv| mv.is_quiet()) else { return };
        let surprises = 1
            + i32::from(before.number > 8)
            + i32::from(node.static_eval != NO_SCORE && best <= node.static_eval - 40)
            + i32::from(before.static_eval != NO_SCORE && best <= -before.static_eval - 30);
        let plus = bonus(node.depth) * surprises / 2;
        let ctx = self.continuation_context(node.ply - 1);
        self.history.update_continuations(before.continuation, &ctx, plus);
        self.history.update_own(!self.board.side_to_move(), before.threats, mv, plus / 2);
    }

    /// The static evaluation changed by `swing` in favour of the side to move through the opponent's last move: that
    /// tells how good it was.
    pub(super) fn learn_swing(&mut self, ply: usize, swing: i32) {
        let before = *self.stack.back(ply, 1);
        if let Some(mv) = before.mv.filter(|mv| mv.is_quiet()) {
            let change = (-params::swing_slope() * swing).clamp(-700, 900);
            self.history.update_own(!self.board.side_to_move(), before.threats, mv, change);
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
