//! The end of the search: captures are played out. Only a position where the side to move has no capture is
//! evaluated.

use super::score::{DRAW, WIN};
use super::{MAX_PLY, Search};
use crate::generate::{generate_captures, generate_quiet};
use crate::{MoveList, Position, Rules};

impl<R: Rules> Search<'_, R> {
    /// The value of a position between `alpha` and `beta`.
    pub(super) fn quiesce(&mut self, position: &Position, mut alpha: i32, beta: i32, ply: usize) -> i32 {
        self.worker.frames[ply].line.clear();
        if !self.enter(ply) {
            return DRAW;
        }
        if R::BREAKTHROUGH && !position.all_kings().is_empty() {
            return self.no_moves(ply);
        }
        let mut moves = MoveList::new();
        generate_captures::<R>(position, &mut moves);
        let is_quiet = moves.is_empty();
        if is_quiet && !has_step(position) {
            generate_quiet::<R>(position, &mut moves);
            if moves.is_empty() {
                return self.no_moves(ply);
            }
        }
        // A capture that is due comes too late: the game is over.
        if self.draws.is_draw(position) {
            return DRAW;
        }
        if is_quiet {
            if let Some(score) = self.table_score(position, ply) {
                return score;
            }
            if self.id == 0 {
                self.shared.leaves.add(ply);
            }
            return self.evaluate(position);
        }
        if ply >= MAX_PLY - 1 {
            return self.evaluate(position);
        }

        let mut best = -WIN;
        for &mv in &moves {
            let next = position.play::<R>(mv);
            let score = -self.quiesce(&next, -beta, -alpha, ply + 1);
            if self.stopped {
                return DRAW;
            }
            if score > best {
                best = score;
                if score > alpha {
                    self.extend_line(ply, mv);
                    alpha = score;
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        best
    }

    /// The value of a position where the side to move has no move.
    pub(super) fn no_moves(&self, ply: usize) -> i32 {
        let score = WIN - ply as i32;
        if R::LOSING { score } else { -score }
    }

    /// The static evaluation. In losing draughts the pieces are a burden.
    pub(super) fn evaluate(&mut self, position: &Position) -> i32 {
        let score = self.worker.evaluator.evaluate(position);
        let score = if R::LOSING { -score } else { score };
        let noise = self.request.noise;
        if noise == 0 {
            return score;
        }
        // The same position always gets the same blur, or the search would see ghosts.
        let mixed = position.key().wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
        score + (mixed % (2 * noise as u64 + 1)) as i32 - noise
    }

    /// Puts a move before the line of the next ply.
    #[inline]
    pub(super) fn extend_line(&mut self, ply: usize, mv: crate::Move) {
        let [frame, next] = &mut self.worker.frames[ply..ply + 2] else { return };
        frame.line.clear();
        frame.line.push(mv);
        let room = frame.line.remaining_capacity();
        frame.line.extend(next.line.iter().take(room).copied());
    }
}

/// Whether a man can step forward, which spares the generation of moves; kings are not looked at.
#[inline]
fn has_step(position: &Position) -> bool {
    let men = position.men(position.turn()).bits();
    let empty = position.empty().bits();
    let steps = match position.turn() {
        crate::Color::White => (men >> 5) | (men >> 6),
        crate::Color::Black => (men << 5) | (men << 6),
    };
    steps & empty != 0
}
