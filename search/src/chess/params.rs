//! Numbers that a tuner may change, each with its range and a sensible step (docs/tuning.md).

crate::tunables! {
    /// Half width of the first aspiration window, in centipawns.
    aspiration_width = 9, 4..=40, 3;

    /// Razoring margin at depth 0, in centipawns.
    razor_base = 280, 100..=600, 30;
    /// Razoring margin that grows with the square of the depth.
    razor_slope = 200, 80..=400, 20;

    /// Reverse futility margin per ply of depth, in centipawns.
    reverse_futility_slope = 72, 30..=150, 8;
    /// Part of that margin taken off when the position improves.
    reverse_futility_improving = 60, 20..=150, 8;

    /// Static evaluation may lie this much below beta at depth 0 before a null move is tried.
    null_margin_base = 160, 50..=350, 20;
    /// The same, taken off per ply of depth.
    null_margin_slope = 20, 5..=40, 3;
    /// Centipawns above beta that reduce a null-move search by one more ply.
    null_eval_step = 180, 80..=350, 20;

    /// ProbCut looks for a capture that beats beta by this many centipawns.
    probcut_margin = 180, 80..=350, 15;

    /// Futility margin of quiet moves at depth 0, in centipawns.
    futility_base = 90, 30..=250, 12;
    /// The same per ply of reduced depth.
    futility_slope = 82, 40..=200, 10;
    /// History that is worth one centipawn of futility margin.
    futility_history = 70, 20..=200, 10;

    /// Quiet moves may lose this much per ply of reduced depth squared (SEE), in centipawns.
    see_quiet = 22, 8..=60, 4;
    /// Captures may lose this much per ply of depth (SEE), in centipawns.
    see_capture = 100, 40..=200, 12;
    /// Quiet moves with a history below minus this per ply of depth are skipped.
    history_pruning = 3200, 1000..=8000, 400;

    /// Margin of the singular search per ply of depth, in 64ths of a centipawn.
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

    /// Quiescence search: a capture must come within this much of alpha, in centipawns.
    qsearch_futility = 140, 40..=350, 20;
}
