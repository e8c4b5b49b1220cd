//! Scores: centipawns from the side to move's point of view, with mates near the ends of the range.

use crate::core::tt::ScoreScale;

/// Deepest line in plies from the root.
pub const MAX_PLY: usize = 240;
/// Larger than every score.
pub const INFINITE: i32 = 32_001;
/// The side to move mates at once; `MATE - n` is a mate in `n` plies.
pub const MATE: i32 = 32_000;
/// Scores beyond `WIN` in either direction are proven wins or losses with a distance in them.
pub const WIN: i32 = MATE - 2 * MAX_PLY as i32;
/// Bound of every static evaluation.
pub const MAX_EVAL: i32 = 20_000;
/// Marks "no static evaluation" (the side to move is in check).
pub const NO_SCORE: i32 = crate::core::tt::NO_EVAL;

/// How the transposition table keeps win distances independent of the root.
pub const SCALE: ScoreScale = ScoreScale { win_bound: WIN };

/// Score of giving mate `ply` plies from the root.
#[inline]
#[must_use]
pub const fn mate_in(ply: usize) -> i32 {
    MATE - ply as i32
}

/// Score of being mated `ply` plies from the root.
#[inline]
#[must_use]
pub const fn mated_in(ply: usize) -> i32 {
    ply as i32 - MATE
}

/// Whether the score is a proven win.
#[inline]
#[must_use]
pub const fn is_win(score: i32) -> bool {
    score >= WIN
}

/// Whether the score is a proven loss.
#[inline]
#[must_use]
pub const fn is_loss(score: i32) -> bool {
    score <= -WIN
}

/// Whether the score is a proven win or loss.
#[inline]
#[must_use]
pub const fn is_decisive(score: i32) -> bool {
    is_win(score) || is_loss(score)
}

/// Distance to mate in full moves, negative when the side to move is mated; `None` for an estimate.
#[must_use]
pub const fn mate_distance(score: i32) -> Option<i32> {
    if is_win(score) {
        Some((MATE - score + 1) / 2)
    } else if is_loss(score) {
        Some(-(MATE + score) / 2)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_counted_in_moves() {
        assert_eq!(mate_distance(mate_in(1)), Some(1));
        assert_eq!(mate_distance(mate_in(3)), Some(2));
        assert_eq!(mate_distance(mated_in(0)), Some(0));
        assert_eq!(mate_distance(mated_in(2)), Some(-1));
        assert_eq!(mate_distance(mated_in(4)), Some(-2));
        assert_eq!(mate_distance(MAX_EVAL), None);
    }
}
