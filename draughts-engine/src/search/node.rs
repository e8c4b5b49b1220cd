//! The nodes of the tree above the quiescence search.

use super::score::{DRAW, SCALE, WIN, is_decided};
use super::{MAX_PLY, Search, params};
use crate::generate::generate;
use crate::position::{Ending, crowning_row};
use crate::{Bitboard, Move, MoveList, Position, Rules};
use search::core::tt::{Bound, Entry, NO_EVAL};

/// Depth to which the evaluation alone may show that a search would fail high (reverse futility pruning).
const FUTILITY_DEPTH: i32 = 6;
/// Depth from which a shallow search may prove that a full one would fail high (ProbCut: M. Buro, 1995).
const PROBCUT_DEPTH: i32 = 4;
/// Depth from which the table's move is tested for being the only good one (singular extensions:
/// T. Anantharaman, M. Campbell, F. Hsu, 1988).
const SINGULAR_DEPTH: i32 = 8;

impl<R: Rules> Search<'_, R> {
    /// The value of a position between `alpha` and `beta`, fail-soft. `PV`: the window is open.
    pub(super) fn node<const PV: bool>(
        &mut self,
        position: &Position,
        mut alpha: i32,
        mut beta: i32,
        mut depth: i32,
        ply: usize,
    ) -> i32 {
        if depth <= 0 {
            return self.quiesce(position, alpha, beta, ply);
        }
        self.worker.frames[ply].line.clear();
        if !self.enter(ply) {
            return DRAW;
        }
        // A repeated position had moves then, so it has moves now.
        if self.is_repeated(position) {
            return DRAW;
        }
        let limit_reached = self.draws.is_draw(position);

        // No line from here can be better than a win with the next move, or worse than a loss now.
        alpha = alpha.max(ply as i32 - WIN);
        beta = beta.min(WIN - 1 - ply as i32);
        if alpha >= beta {
            return alpha;
        }

        let excluded = self.worker.frames[ply].excluded;
        let key = table_key(position);
        let entry = if excluded.is_none() { self.shared.table.probe(key) } else { None };
        if let Some(entry) = entry.filter(|entry| !PV && !limit_reached && entry.depth >= depth) {
            let score = SCALE.from_table(entry.score, ply as i32);
            let holds = match entry.bound {
                Some(Bound::Exact) => true,
                Some(Bound::Lower) => score >= beta,
                Some(Bound::Upper) => score <= alpha,
                None => false,
            };
            if holds {
                return score;
            }
        }

        let mut moves = MoveList::new();
        generate::<R>(position, &mut moves);
        if moves.is_empty() {
            return self.no_moves(ply);
        }
        if limit_reached {
            return DRAW;
        }
        if ply >= MAX_PLY - 1 {
            return self.evaluate(position);
        }

        let captures = moves[0].is_capture();
        if !captures
            && excluded.is_none()
            && let Some(score) = self.table_score(position, ply)
        {
            return score;
        }
        let hint = entry.map_or(0, |entry| entry.hint);
        let hinted = moves.iter().copied().find(|mv| mv.hint() == hint);
        let eval = match entry {
            _ if captures => NO_EVAL,
            Some(entry) if entry.eval != NO_EVAL => entry.eval,
            _ => self.evaluate(position),
        };

        let may_prune = !PV && !captures && excluded.is_none() && !is_decided(beta);
        if may_prune && depth <= FUTILITY_DEPTH && eval - params::futility_slope() * depth >= beta {
            return eval;
        }
        if may_prune && depth >= PROBCUT_DEPTH && eval >= beta {
            let raised = beta + params::probcut_margin();
            let shallow = depth * params::probcut_depth() / 100 - 1;
            let score = self.node::<false>(position, raised - 1, raised, shallow, ply);
            if self.stopped {
                return DRAW;
            }
            if score >= raised {
                return score;
            }
        }

        // Without a move to begin with, the search is cheaper one ply shallower, and finds one for next
        // time. The result is kept as that of the full depth: the next visit would do the same.
        let wanted = depth;
        if hinted.is_none() && !captures && depth >= 4 {
            depth -= 1;
        }

        let mut singular = false;
        if let (Some(entry), Some(mv)) = (entry, hinted)
            && depth >= SINGULAR_DEPTH
            && moves.len() > 1
            && ply > 0
            && entry.depth >= depth - 3
            && matches!(entry.bound, Some(Bound::Lower | Bound::Exact))
            && !is_decided(entry.score)
        {
            let bound = entry.score - params::singular_margin();
            self.worker.frames[ply].excluded = Some(mv);
            let score = self.node::<false>(position, bound - 1, bound, (depth - 1) / 2, ply);
            self.worker.frames[ply].excluded = None;
            if self.stopped {
                return DRAW;
            }
            singular = score < bound;
        }

        let mut order: arrayvec::ArrayVec<i32, 128> = arrayvec::ArrayVec::new();
        for &mv in moves.iter().take(order.capacity()) {
            order.push(self.order(position, mv, hinted, ply));
        }
        self.worker.frames[ply + 1].killers = [None; 2];
        self.path.push(position.key());
        let old_alpha = alpha;
        let mut best = -WIN;
        let mut best_move = None;
        for index in 0..moves.len() {
            pick(&mut moves, &mut order, index);
            let mv = moves[index];
            if excluded == Some(mv) {
                continue;
            }
            let next = position.play::<R>(mv);
            self.shared.table.prefetch(table_key(&next));

            // A forced capture costs no depth, nor does the only good move.
            let extended = (captures && moves.len() == 1) || (singular && hinted == Some(mv));
            let full = depth - 1 + i32::from(extended);
            let mut score = 0;
            let mut open = PV && best_move.is_none();
            if !open {
                let reduced = full - self.reduction::<PV>(position, mv, captures, depth, index);
                score = -self.node::<false>(&next, -alpha - 1, -alpha, reduced, ply + 1);
                if score > alpha && reduced < full {
                    score = -self.node::<false>(&next, -alpha - 1, -alpha, full, ply + 1);
                }
                open = PV && score > alpha && score < beta;
            }
            if open && !self.stopped {
                score = -self.node::<PV>(&next, -beta, -alpha, full, ply + 1);
            }
            if self.stopped {
                break;
            }
            if best_move.is_none() || score > best {
                best = score;
                best_move = Some(mv);
                if score > alpha {
                    alpha = score;
                    if PV {
                        self.extend_line(ply, mv);
                    }
                    if score >= beta {
                        self.reward(position, &moves[..=index], depth, ply);
                        break;
                    }
                }
            }
        }
        self.path.pop();
        if self.stopped {
            return DRAW;
        }
        let Some(best_move) = best_move else {
            // Everything but the excluded move: there was nothing else.
            return alpha;
        };
        if excluded.is_none() {
            let bound = if best >= beta {
                Bound::Lower
            } else if best > old_alpha {
                Bound::Exact
            } else {
                Bound::Upper
            };
            let hint = if bound == Bound::Upper { 0 } else { best_move.hint() };
            let score = SCALE.to_table(best, ply as i32);
            self.shared
                .table
                .store(key, Entry { hint, score, eval, depth: wanted, bound: Some(bound), pv: PV });
        }
        best
    }

    /// A value for the order of moves: the table's move, crownings, killers, history.
    pub(super) fn order(&self, position: &Position, mv: Move, hinted: Option<Move>, ply: usize) -> i32 {
        if hinted == Some(mv) {
            return 1 << 20;
        }
        if is_crowning(position, mv) {
            return 1 << 19;
        }
        let killers = &self.worker.frames[ply].killers;
        if let Some(place) = killers.iter().position(|&killer| killer == Some(mv)) {
            return (1 << 18) - place as i32;
        }
        self.worker.history.get(position.turn(), mv)
    }

    /// By how many plies a move is searched less at first. Late moves are rarely good.
    fn reduction<const PV: bool>(
        &self,
        position: &Position,
        mv: Move,
        captures: bool,
        depth: i32,
        index: usize,
    ) -> i32 {
        let first = if PV { 3 } else { 1 };
        if captures || depth < 2 || index < first || is_crowning(position, mv) {
            return 0;
        }
        if PV || index < 3 || depth < 4 { 1 } else { 1 + depth * params::reduction_slope() / 100 }
    }

    /// The last of `tried` refuted the position; those before it did not.
    pub(super) fn reward(&mut self, position: &Position, tried: &[Move], depth: i32, ply: usize) {
        let Some((&mv, others)) = tried.split_last() else { return };
        let bonus = depth * depth * params::bonus_square() + depth * params::bonus_slope();
        let bonus = bonus.min(params::bonus_max());
        self.worker.history.add(position.turn(), mv, bonus);
        for &other in others {
            self.worker.history.add(position.turn(), other, -bonus);
        }
        let killers = &mut self.worker.frames[ply].killers;
        if !mv.is_capture() && killers[0] != Some(mv) {
            killers[1] = killers[0];
            killers[0] = Some(mv);
        }
    }

    /// Whether the position stood once before since the root, or twice in the game before.
    fn is_repeated(&self, position: &Position) -> bool {
        let back = position.quiet_plies() as usize;
        if back < 4 {
            return false;
        }
        let mut before = 0;
        let mut distance = 4;
        while distance <= back && distance <= self.path.len() {
            let index = self.path.len() - distance;
            if self.path[index] == position.key() {
                before += 1;
                if index >= self.root_length || before == 2 {
                    return true;
                }
            }
            distance += 2;
        }
        false
    }
}

/// The position's key for the table. Where few moves are left before a draw, positions that differ in
/// that number only are different positions.
#[inline]
pub(super) fn table_key(position: &Position) -> u64 {
    let (ending, age) = position.ending();
    let quiet = position.quiet_plies();
    if ending == Ending::None && quiet < 36 {
        return position.key();
    }
    let age = if ending == Ending::None { 0 } else { u64::from(age) };
    let quiet = if quiet < 36 { 0 } else { u64::from(quiet) };
    position.key() ^ ((age << 8 | quiet) + 1).wrapping_mul(0xD6E8_FEB8_6659_FD93)
}

fn is_crowning(position: &Position, mv: Move) -> bool {
    crowning_row(position.turn()).has(mv.to) && (position.all_kings() & Bitboard::from(mv.from)).is_empty()
}

/// Brings the move with the highest value to `index`. Lists longer than `order` keep their tail as it is.
#[inline]
pub(super) fn pick(moves: &mut [Move], order: &mut [i32], index: usize) {
    let mut best = index;
    for other in index + 1..order.len() {
        if order[other] > order[best] {
            best = other;
        }
    }
    if best != index {
        order.swap(index, best);
        moves.swap(index, best);
    }
}
