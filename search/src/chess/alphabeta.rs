//! Principal variation search of one node.
//!
//! The techniques are the well-known ones, each named where it happens; the site
//! <https://www.chessprogramming.org/> describes them all. Margins stand in `params.rs`.

use arrayvec::ArrayVec;
use movegen::{Move, SEE_VALUES};

use super::history::{Context, captured_kind, continuation_index};
use super::movepick::MovePicker;
use super::params;
use super::score::{INFINITE, MAX_PLY, NO_SCORE, SCALE, is_decisive, is_loss, is_win, mate_in, mated_in};
use super::update::{bonus, malus};
use super::worker::Search;
use crate::core::tt::Bound;

/// Kind of a node, resolved at compile time.
pub trait Node {
    /// The window is open: the node may lie on the principal variation.
    const PV: bool;
    /// The root.
    const ROOT: bool;
}

/// The root of the search.
pub struct Root;
/// A node on the principal variation.
pub struct Pv;
/// A node searched with a null window.
pub struct Null;

impl Node for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}
impl Node for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}
impl Node for Null {
    const PV: bool = false;
    const ROOT: bool = false;
}

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
            && if score >= beta { at_least(table_bound) } else { at_most(table_bound) }
        {
            if score >= beta
                && let Some(mv) = hint.filter(|mv| mv.is_quiet())
                && let Some(piece) = self.board.piece_on(mv.from())
            {
                let ctx = self.move_context(ply);
                self.history.update_quiet(&self.board, mv, piece, &ctx, bonus(depth));
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
        let parent_reduction = if N::ROOT { 0 } else { self.stack.back(ply, 1).reduction };
        let after_null = !N::ROOT && self.stack.back(ply, 1).mv.is_none();
        self.stack[ply].reduction = 0;

        // Hindsight: the opponent's quiet move was reduced a lot, yet nothing suggests that it was bad.
        if parent_reduction >= 3 && !in_check && parent_eval != NO_SCORE && static_eval + parent_eval < 0 {
            depth += 1;
        }

        if !N::PV && !in_check && excluded.is_none() {
            // Razoring: hopeless without tactics, and captures do not help either.
            if eval < alpha - params::razor_base() - params::razor_slope() * depth * depth && !is_win(alpha) {
                let score = self.qsearch::<Null>(alpha, alpha + 1, ply);
                if score <= alpha && !is_decisive(score) {
                    return score;
                }
                if self.stopped {
                    return 0;
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
                return (eval + beta) / 2;
            }
            // Null move: even passing keeps the score above beta. Verified at high depth (zugzwang).
            if !after_null
                && eval >= beta
                && static_eval >= beta + params::null_margin_base() - params::null_margin_slope() * depth
                && ply >= self.null_from_ply
                && !is_loss(beta)
                && self.board.has_non_pawn_material(self.board.side_to_move())
            {
                let reduction = 4 + depth / 4 + ((eval - beta) / params::null_eval_step()).min(3);
                self.make_null(ply);
                let score = -self.search::<Null>(-beta, -beta + 1, depth - reduction, ply + 1, !cut_node);
                self.unmake_null();
                if self.stopped {
                    return 0;
                }
                if score >= beta {
                    let score = if is_win(score) { beta } else { score };
                    if self.null_from_ply > 0 || depth < 14 {
                        return score;
                    }
                    self.null_from_ply = ply + (3 * (depth - reduction) as usize) / 4;
                    let verified = self.search::<Null>(beta - 1, beta, depth - reduction, ply, false);
                    self.null_from_ply = 0;
                    if self.stopped {
                        return 0;
                    }
                    if verified >= beta {
                        return score;
                    }
                }
            }
        }

        // Internal iterative reduction: without a hash move the first visit may be shallower.
        if depth >= 4 && hint.is_none() && excluded.is_none() && (N::PV || cut_node) {
            depth -= 1;
        }

        // ProbCut: a good capture that beats beta by a margin at reduced depth will beat it at full depth.
        let probcut_beta = beta + params::probcut_margin() - 50 * i32::from(improving);
        if !N::PV
            && !in_check
            && excluded.is_none()
            && depth >= 5
            && !is_decisive(beta)
            && (table_depth < depth - 3 || table_score.is_none_or(|score| score >= probcut_beta))
        {
            let ctx = Context::default();
            let mut picker = MovePicker::tactical(hint, probcut_beta - static_eval);
            while let Some(mv) = picker.next(&self.board, self.history, &ctx) {
                self.make(mv, ply);
                let mut score = -self.qsearch::<Null>(-probcut_beta, -probcut_beta + 1, ply + 1);
                if score >= probcut_beta {
                    score =
                        -self.search::<Null>(-probcut_beta, -probcut_beta + 1, depth - 4, ply + 1, !cut_node);
                }
                self.unmake();
                if self.stopped {
                    return 0;
                }
                if score >= probcut_beta {
                    self.store(key, Some(mv), score, raw_eval, depth - 3, Some(Bound::Lower), was_pv, ply);
                    return if is_decisive(score) { score } else { score - (probcut_beta - beta) };
                }
            }
        }

        self.moves::<N>(NodeState {
            alpha,
            beta,
            depth,
            ply,
            cut_node,
            in_check,
            key,
            hint,
            table_score,
            table_depth,
            table_bound,
            raw_eval,
            static_eval,
            improving,
            was_pv,
            excluded,
            floor,
            ceiling,
            ctx: self.move_context(ply),
        })
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

    /// The loop over the moves of a node.
    fn moves<N: Node>(&mut self, node: NodeState) -> i32 {
        let NodeState { mut alpha, beta, depth, ply, in_check, hint, improving, excluded, ctx, .. } = node;
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
            let gives_check = self.board.gives_check(mv);
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
                        if node.static_eval + gain + 150 + 160 * reduced <= alpha {
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
            self.make(mv, ply);
            let new_depth = depth - 1 + extension;
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
                    let new_depth = new_depth + deeper - shallower;
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
            best = (best * depth + beta) / (depth + 1);
        }
        best = best.min(node.ceiling);
        if let Some(mv) = best_move {
            self.reward(&node, mv, &tried_quiets, &tried_captures, best >= beta);
        } else if !N::ROOT {
            self.reward_opponent(&node);
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
            self.store(node.key, best_move, best, node.raw_eval, depth, Some(bound), was_pv, ply);
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

/// What the move loop needs to know of its node.
#[derive(Clone, Copy)]
pub(super) struct NodeState {
    pub alpha: i32,
    pub beta: i32,
    pub depth: i32,
    pub ply: usize,
    pub cut_node: bool,
    pub in_check: bool,
    pub key: u64,
    pub hint: Option<Move>,
    pub table_score: Option<i32>,
    pub table_depth: i32,
    pub table_bound: Option<Bound>,
    pub raw_eval: i32,
    pub static_eval: i32,
    pub improving: bool,
    pub was_pv: bool,
    pub excluded: Option<Move>,
    /// The score is at least this, by the endgame tables.
    pub floor: i32,
    /// The score is at most this, by the endgame tables.
    pub ceiling: i32,
    pub ctx: Context,
}

/// Outcome of a singular search.
enum Singular {
    /// Extend by so many plies (negative: reduce).
    Extend(i32),
    /// Several moves beat beta: return this score.
    Cut(i32),
}
