//! Numbers that a tuner may change, each with its range and a sensible step (docs/tuning.md).
//!
//! Margins are in the units of the evaluation, of which [`PAWN`](super::wdl::PAWN) are shown as 100 centipawns; SEE
//! margins in those of [`SEE_VALUES`](movegen::SEE_VALUES).

crate::tunables! {
    /// Half width of the first aspiration window.
    aspiration_width = 9, 4..=40, 3;

    /// Razoring margin at depth 0.
    razor_base = 190, 100..=600, 30;
    /// Razoring margin that grows with the square of the depth.
    razor_slope = 140, 80..=400, 20;

    /// Reverse futility margin per ply of depth.
    reverse_futility_slope = 52, 30..=150, 8;
    /// Part of that margin taken off when the position improves.
    reverse_futility_improving = 45, 20..=150, 8;

    /// Static evaluation may lie this much below beta at depth 0 before a null move is tried.
    null_margin_base = 160, 50..=350, 20;
    /// The same, taken off per ply of depth.
    null_margin_slope = 20, 5..=40, 3;
    /// So much above beta reduces a null-move search by one more ply.
    null_eval_step = 180, 80..=350, 20;

    /// A reduced move after which the position is better than before by this much is searched one ply less.
    hindsight_margin = 60, 0..=200, 12;
    /// History of the opponent's quiet move per unit of evaluation that it cost.
    swing_slope = 12, 0..=40, 3;

    /// ProbCut looks for a capture that beats beta by this much.
    probcut_margin = 180, 80..=350, 15;

    /// Futility margin of quiet moves at depth 0.
    futility_base = 75, 30..=250, 12;
    /// The same per ply of reduced depth.
    futility_slope = 62, 40..=200, 10;
    /// History that is worth one unit of futility margin.
    futility_history = 70, 20..=200, 10;

    /// Futility margin of captures at depth 0.
    capture_futility_base = 95, 30..=250, 15;
    /// The same per ply of reduced depth.
    capture_futility_slope = 100, 40..=250, 12;

    /// Quiet moves may lose this much per ply of reduced depth squared (SEE).
    see_quiet = 13, 8..=60, 4;
    /// Captures may lose this much per ply of depth (SEE).
    see_capture = 70, 40..=200, 12;
    /// Quiet moves with a history below minus this per ply of depth are skipped.
    history_pruning = 3200, 1000..=8000, 400;

    /// Margin of the singular search per ply of depth, in 64ths.
    singular_margin = 64, 24..=160, 8;
    /// Failing low by this much more extends two plies.
    double_extension = 14, 2..=60, 4;
    /// Failing low by this much more extends three plies.
    triple_extension = 90, 40..=240, 12;

    /// Base of the reductions of late moves, in 1024ths of a ply.
    reduction_base = 700, 0..=2000, 80;
    /// Factor of the logarithms in the reductions of quiet moves, in 1024ths.
    reduction_quiet = 440, 250..=800, 30;
    /// History that is worth one ply of reduction.
    reduction_history = 9000, 3000..=20000, 800;
    /// More reduction at expected cut nodes, in 1024ths of a ply.
    reduction_cut_node = 1800, 500..=3500, 150;
    /// More reduction when the hash move is a capture.
    reduction_tactical_hint = 900, 0..=2500, 120;
    /// Less reduction in lines that were part of a principal variation.
    reduction_pv = 1000, 200..=3000, 120;
    /// More reduction when the position does not improve.
    reduction_not_improving = 700, 0..=2000, 100;
    /// More reduction when the children failed high often.
    reduction_cutoffs = 900, 0..=2500, 120;

    /// History bonus per ply of depth.
    bonus_slope = 170, 60..=400, 20;
    /// Largest history bonus.
    bonus_max = 1700, 600..=4000, 150;
    /// History penalty per ply of depth.
    malus_slope = 190, 60..=500, 20;
    /// Largest history penalty.
    malus_max = 1400, 500..=4000, 150;

    /// Quiescence search: a capture must come within this much of alpha.
    qsearch_futility = 140, 40..=350, 20;
}
