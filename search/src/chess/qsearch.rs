//! Quiescence search: captures, promotions and all evasions of checks until the position is quiet
//! (<https://www.chessprogramming.org/Quiescence_Search>).

use movegen::{Move, SEE_VALUES};

use super::history::{Context, captured_kind};
use super::movepick::MovePicker;
use super::node::Node;
use super::params;
use super::score::{MAX_PLY, NO_SCORE, SCALE, is_decisive, is_loss, mated_in};
use super::worker::Search;
use crate::core::tt::{Bound, Entry};

impl Search<'_> {
    /// Score of the position with captures resolved, within (`alpha`, `beta`) or a bound outside it.
    pub(super) fn qsearch<N: Node>(&mut self, mut alpha: i32, beta: i32, ply: usize) -> i32 {
        debug_assert!(alpha < beta && (N::PV || alpha == beta - 1));
        if N::PV {
            self.lines.clear(ply);
            self.sel_depth = self.sel_depth.max(ply as u32 + 1);
        }
        if self.should_stop() {
            return 0;
        }
        if alpha < 0 && self.board.has_upcoming_repetition(ply) {
            alpha = self.draw_score();
            if alpha >= beta {
                return alpha;
            }
        }
        if self.board.is_draw(ply) {
            return self.draw_score();
        }
        let in_check = self.board.in_check();
        if ply >= MAX_PLY {
            return if in_check { 0 } else { self.static_eval() };
        }

        let key = self.board.key();
        let entry = self.tt.probe(key);
        let hint = entry.and_then(|e| Move::from_bits(e.hint)).filter(|&mv| self.board.is_legal(mv));
        let was_pv = N::PV || entry.is_some_and(|e| e.pv);
        if !N::PV
            && let Some(entry) = entry
        {
            let score = SCALE.from_table(entry.score, ply as i32);
            let usable = match entry.bound {
                Some(Bound::Exact) => true,
                Some(Bound::Lower) => score >= beta,
                Some(Bound::Upper) => score <= alpha,
                None => false,
            };
            if usable {
                return score;
            }
        }

        // Standing pat: the side to move may decline every capture.
        let mut raw_eval = NO_SCORE;
        let mut best;
        let futility;
        if in_check {
            self.stack[ply].static_eval = NO_SCORE;
            best = mated_in(ply);
            futility = best;
        } else {
            raw_eval = match entry {
                Some(e) if e.eval != NO_SCORE => e.eval,
                _ => self.static_eval(),
            };
            let eval = self.corrected(raw_eval, ply);
            self.stack[ply].static_eval = eval;
            best = eval;
            if let Some(entry) = entry {
                let score = SCALE.from_table(entry.score, ply as i32);
                let better = match entry.bound {
                    Some(Bound::Exact) => true,
                    Some(Bound::Lower) => score > eval,
                    Some(Bound::Upper) => score < eval,
                    None => false,
                };
                if better && !is_decisive(score) {
                    best = score;
                }
            }
            if best >= beta {
                if entry.is_none() {
                    self.store(key, None, NO_SCORE, raw_eval, 0, None, was_pv, ply);
                }
                return if is_decisive(best) { best } else { (best + beta) / 2 };
            }
            alpha = alpha.max(best);
            futility = best + params::qsearch_futility();
        }

        let ctx = if in_check { self.move_context(ply) } else { Context::default() };
        let mut picker =
            if in_check { MovePicker::new(hint, None, None) } else { MovePicker::tactical(hint, 0) };
        let mut best_move = None;
        let mut played = 0;
        while let Some(mv) = picker.next(&self.board, self.history, &ctx) {
            played += 1;
            if !is_loss(best) {
                if in_check {
                    // One line out of check is known: quiet evasions would only repeat the question.
                    if mv.is_quiet() {
                        picker.skip_quiets();
                        continue;
                    }
                } else {
                    let late = played > 2 && !self.is_recapture(mv, ply);
                    let gain = futility + SEE_VALUES[captured_kind(&self.board, mv).index()];
                    if (late || gain <= alpha) && !mv.is_promotion() && !self.board.gives_check(mv) {
                        best = if late { best } else { best.max(gain) };
                        continue;
                    }
                    if futility <= alpha && !self.board.see_ge(mv, 1) {
                        best = best.max(futility);
                        continue;
                    }
                }
            }
            self.make(mv, ply);
            let score = -self.qsearch::<N>(-beta, -alpha, ply + 1);
            self.unmake();
            if self.stopped {
                return 0;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = Some(mv);
                    if N::PV {
                        self.lines.extend(ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        if in_check && played == 0 {
            return mated_in(ply);
        }
        if best >= beta && !is_decisive(best) {
            best = (3 * best + beta) / 4;
        }
        let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
        self.store(key, best_move, best, raw_eval, 0, Some(bound), was_pv, ply);
        best
    }

    /// Whether the move takes back on the square of the opponent's last move.
    fn is_recapture(&self, mv: Move, ply: usize) -> bool {
        self.stack.back(ply, 1).mv.is_some_and(|last| last.to() == mv.to())
    }

    /// Writes a node's result into the transposition table.
    #[expect(clippy::too_many_arguments, reason = "the fields of one table entry")]
    #[inline]
    pub(super) fn store(
        &self,
        key: u64,
        mv: Option<Move>,
        score: i32,
        eval: i32,
        depth: i32,
        bound: Option<Bound>,
        pv: bool,
        ply: usize,
    ) {
        let score = if bound.is_some() { SCALE.to_table(score, ply as i32) } else { 0 };
        self.tt.store(key, Entry { hint: mv.map_or(0, Move::to_bits), score, eval, depth, bound, pv });
    }
}
