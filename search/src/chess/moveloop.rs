//! The moves of one node: pruning, extensions, reductions and the search of each.

use arrayvec::ArrayVec;
use movegen::{Move, SEE_VALUES};

use super::history::{captured_kind, continuation_index};
use super::movepick::MovePicker;
use super::node::{Node, NodeState, Null, Pv};
use super::params;
use super::score::{is_decisive, is_loss, mated_in};
use super::update::{bonus, malus};
use super::worker::Search;
use crate::core::tt::Bound;

impl Search<'_> {
    /// The loop over the moves of a node.
    pub(super) fn moves<N: Node>(&mut self, node: NodeState) -> i32 {
        let NodeState { mut alpha, beta, mut depth, ply, in_check, hint, improving, excluded, .. } = node;
        let ctx = self.move_context(ply);
        let counter = self.history.counter_move(ctx.continuations[0]);
        let mut picker = MovePicker::new(hint, self.stack[ply].killer, counter);
        let mut best = node.floor;
        let mut best_move: Option<Move> = None;
        let mut tried_quiets: ArrayVec<Move, 64> = ArrayVec::new();
        let mut tried_captures: ArrayVec<Move, 32> = ArrayVec::new();
        let mut number = 0;
        let hint_is_tactical = hint.is_some_and(Move::is_tactical);
        self.stack[ply + 1].killer = None;

        while let Some(mv) = picker.next(&self.board, self.history, &ctx) {
            if Some(mv) == excluded || (N::ROOT && !self.is_root_candidate(mv)) {
                continue;
            }
            let Some(piece) = self.board.piece_on(mv.from()) else { continue };
            number += 1;
            if N::ROOT {
                self.announce_move(mv, number);
            }
            let quiet = mv.is_quiet();
            let gives_check = self.board.gives_check_on(&ctx.checks, mv, piece.kind());
            let trust = if quiet {
                self.history.quiet_trust(&self.board, mv, piece, &ctx)
            } else {
                self.history.capture_score(&self.board, mv, piece)
            };
            let mut reduction = self.reductions.get(depth, number);
            if !improving {
                reduction += params::reduction_not_improving();
            }

            // Shallow pruning, once a line that does not lose is known.
            if !N::ROOT && !is_loss(best) && self.board.has_non_pawn_material(self.board.side_to_move()) {
                let reduced = (depth - (reduction - trust / 8) / 1024).max(0);
                if quiet {
                    // Late-move pruning.
                    let limit = (3 + depth * depth) / if improving { 1 } else { 2 };
                    if number as i32 > limit {
                        picker.skip_quiets();
                        continue;
                    }
                    // History pruning.
                    if depth <= 6 && trust < -params::history_pruning() * depth {
                        continue;
                    }
                    // Futility pruning.
                    if !in_check && !gives_check && reduced <= 9 {
                        let margin = params::futility_base()
                            + params::futility_slope() * reduced
                            + trust / params::futility_history();
                        if node.static_eval + margin <= alpha {
                            if !is_decisive(best) {
                                best = best.max(node.static_eval + margin);
                            }
                            picker.skip_quiets();
                            continue;
                        }
                    }
                    // Exchanges that lose material.
                    if !self.board.see_ge(mv, -params::see_quiet() * reduced * reduced) {
                        continue;
                    }
                } else {
                    if !in_check && !gives_check && reduced <= 6 && mv.is_capture() && !mv.is_promotion() {
                        let gain = SEE_VALUES[captured_kind(&self.board, mv).index()] + trust / 64;
                        let margin =
                            params::capture_futility_base() + params::capture_futility_slope() * reduced;
                        if node.static_eval + gain + margin <= alpha {
                            continue;
                        }
                    }
                    let margin = (params::see_capture() * depth + trust / 32).max(0);
                    if !self.board.see_ge(mv, -margin) {
                        continue;
                    }
                }
            }

            // Extensions.
            let mut extension = 0;
            if !N::ROOT && Some(mv) == hint && ply < 2 * self.root_depth as usize {
                match self.singular::<N>(&node, mv) {
                    Singular::Cut(score) => return score,
                    Singular::Extend(plies) => extension = plies,
                }
                if self.stopped {
                    return 0;
                }
            } else if gives_check && depth <= 8 && ply < 2 * self.root_depth as usize && trust > 0 {
                // Check extension, for checks that have worked before.
                extension = i32::from(self.board.see_ge(mv, 0));
            }

            let nodes_before = self.nodes;
            self.stack[ply].threats = ctx.threats.all;
            self.stack[ply].number = number;
            self.make(mv, ply);
            let mut new_depth = depth - 1 + extension;
            let mut score = 0;
            if depth >= 2 && number > 1 + usize::from(N::ROOT) && (quiet || !node.was_pv || node.cut_node) {
                // Late-move reduction: a null-window search at reduced depth, repeated when it surprises.
                if node.was_pv {
                    reduction -= params::reduction_pv();
                }
                if node.cut_node {
                    reduction += params::reduction_cut_node();
                }
                if hint_is_tactical {
                    reduction += params::reduction_tactical_hint();
                }
                if self.stack[ply + 1].cutoffs > 3 {
                    reduction += params::reduction_cutoffs();
                }
                if self.board.in_check() {
                    reduction -= 1024;
                }
                if Some(mv) == self.stack[ply].killer || Some(mv) == counter {
                    reduction -= 1024;
                }
                if !quiet {
                    reduction -= 512;
                }
                reduction -= trust * 1024 / params::reduction_history();
                let reduced = (new_depth - reduction.max(0) / 1024).clamp(1, new_depth.max(1));
                self.stack[ply].reduction = new_depth - reduced;
                score = -self.search::<Null>(-alpha - 1, -alpha, reduced, ply + 1, true);
                self.stack[ply].reduction = 0;
                if score > alpha && reduced < new_depth && !self.stopped {
                    let deeper = i32::from(score > best + 40 + 2 * new_depth);
                    let shallower = i32::from(score < best + new_depth);
                    new_depth += deeper - shallower;
                    if reduced < new_depth {
                        score = -self.search::<Null>(-alpha - 1, -alpha, new_depth, ply + 1, !node.cut_node);
                    }
                    if quiet && !self.stopped {
                        let change = if score >= beta { bonus(depth) } else { -malus(depth) / 2 };
                        if score <= alpha || score >= beta {
                            self.history.update_continuations(
                                continuation_index(piece, mv.to()),
                                &ctx,
                                change,
                            );
                        }
                    }
                }
            } else if !N::PV || number > 1 {
                score = -self.search::<Null>(-alpha - 1, -alpha, new_depth, ply + 1, !node.cut_node);
            }
            if N::PV && (number == 1 || score > alpha) && !self.stopped {
                score = -self.search::<Pv>(-beta, -alpha, new_depth, ply + 1, false);
            }
            self.unmake();
            if self.stopped {
                return 0;
            }
            if N::ROOT {
                self.note_root_move(mv, score, alpha, beta, number, self.nodes - nodes_before);
            }

            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    if N::PV && !N::ROOT {
                        self.lines.extend(ply, mv);
                    }
                    if score >= beta {
                        self.stack[ply].cutoffs += 1;
                        break;
                    }
                    alpha = score;
                    // A better move than this one is rare: the others need less depth.
                    if !N::ROOT && (4..12).contains(&depth) && !is_decisive(score) {
                        depth -= 2;
                    }
                }
            }
            if Some(mv) != best_move {
                if quiet {
                    let _ = tried_quiets.try_push(mv);
                } else {
                    let _ = tried_captures.try_push(mv);
                }
            }
        }

        if number == 0 {
            return if excluded.is_some() {
                alpha
            } else if in_check {
                mated_in(ply)
            } else {
                0
            };
        }
        if best >= beta && !is_decisive(best) && !is_decisive(beta) {
            best = (best * node.depth + beta) / (node.depth + 1);
        }
        best = best.min(node.ceiling);
        if let Some(mv) = best_move {
            self.reward(&node, &ctx, mv, &tried_quiets, &tried_captures, best >= beta);
        } else if !N::ROOT {
            self.reward_opponent(&node, best);
        }
        if excluded.is_none() && !(N::ROOT && self.pv_index > 0) {
            let bound = if best >= beta {
                Bound::Lower
            } else if N::PV && best_move.is_some() {
                Bound::Exact
            } else {
                Bound::Upper
            };
            let was_pv = node.was_pv;
            self.store(node.key, best_move, best, node.raw_eval, node.depth, Some(bound), was_pv, ply);
        }
        self.learn_correction(&node, best, best_move);
        best
    }

    /// Singular extension: is the hash move better than all others by a margin?
    fn singular<N: Node>(&mut self, node: &NodeState, mv: Move) -> Singular {
        let Some(table_score) = node.table_score else { return Singular::Extend(0) };
        if node.depth < 6 + i32::from(node.was_pv && !N::PV)
            || node.excluded.is_some()
            || node.table_depth < node.depth - 3
            || !matches!(node.table_bound, Some(Bound::Lower | Bound::Exact))
            || is_decisive(table_score)
        {
            return Singular::Extend(0);
        }
        let margin = params::singular_margin() * node.depth / 64 * if node.was_pv && !N::PV { 2 } else { 1 };
        let beta = table_score - margin;
        self.stack[node.ply].excluded = Some(mv);
        let score = self.search::<Null>(beta - 1, beta, (node.depth - 1) / 2, node.ply, node.cut_node);
        self.stack[node.ply].excluded = None;
        if self.stopped {
            return Singular::Extend(0);
        }
        if score < beta {
            let mut plies = 1;
            if !N::PV && score < beta - params::double_extension() {
                plies += 1;
                if mv.is_quiet() && score < beta - params::triple_extension() {
                    plies += 1;
                }
            }
            Singular::Extend(plies)
        } else if score >= node.beta && !is_decisive(score) {
            // Multi-cut: several moves beat beta.
            Singular::Cut((score + node.beta) / 2)
        } else if table_score >= node.beta {
            Singular::Extend(-2 - i32::from(!N::PV))
        } else if node.cut_node {
            Singular::Extend(-2)
        } else {
            Singular::Extend(0)
        }
    }
}

/// Outcome of a singular search.
enum Singular {
    /// Extend by so many plies (negative: reduce).
    Extend(i32),
    /// Several moves beat beta: return this score.
    Cut(i32),
}
