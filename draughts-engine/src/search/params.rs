//! Numbers that a tuner may change, each with its range and a sensible step (docs/tuning.md).

search::tunables! {
    /// Half the first window around the last score, in hundredths of a man.
    window = 12, 4..=40, 3;

    /// What a ply may cost at most where the evaluation is so far above the bound that the search is spared, in
    /// hundredths of a man.
    futility_slope = 30, 8..=100, 6;

    /// By how much the shallow search of ProbCut must exceed the bound, in hundredths of a man.
    probcut_margin = 40, 20..=150, 8;
    /// Depth of that search, in hundredths of the depth of the node.
    probcut_depth = 40, 20..=70, 5;

    /// By how much all other moves must be worse than a singular one, in hundredths of a man.
    singular_margin = 16, 4..=60, 4;

    /// Reduction of late moves, in hundredths of a ply per ply of depth.
    reduction_slope = 25, 10..=50, 4;

    /// History bonus per ply of depth squared.
    bonus_square = 8, 0..=32, 2;
    /// History bonus per ply of depth.
    bonus_slope = 24, 0..=150, 12;
    /// Largest history bonus.
    bonus_max = 1200, 300..=4000, 150;
}
