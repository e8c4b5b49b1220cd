//! Scores: centipawns from the side to move's point of view, with mates near the ends of the range and wins by endgame
//! tables, whose distance to mate is not known, next to them.

use super::wdl::PAWN;
use crate::core::tt::ScoreScale;

/// Deepest line in plies from the root.
pub const MAX_PLY: usize = 240;
/// Larger than every score.
pub const INFINITE: i32 = 32_001;
/// The side to move mates at once; `MATE - n` is a mate in `n` plies.
pub const MATE: i32 = 32_000;
/// Scores beyond `WIN` in either direction are proven wins or losses with a distance in them.
pub const WIN: i32 = TABLE_WIN - MAX_PLY as i32;
/// Scores at least this far from 0 are mates.
const MATE_BOUND: i32 = MATE - MAX_PLY as i32 - 1;
/// A win by endgame tables at the root.
const TABLE_WIN: i32 = MATE_BOUND - 1;
/// What a win by endgame tables at the root is worth to those who read centipawns.
const TABLE_WIN_CENTIPAWNS: i32 = 20_000;
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

/// Score of a position `ply` plies from the root that is won by endgame tables.
#[inline]
#[must_use]
pub const fn table_win(ply: usize) -> i32 {
    TABLE_WIN - ply as i32
}

/// Whether the score is a mate for either side, with a known distance.
#[inline]
#[must_use]
pub const fn is_mate(score: i32) -> bool {
    score >= MATE_BOUND || score <= -MATE_BOUND
}

/// The score in centipawns for those outside: 100 win half of the games after 32 moves ([`PAWN`]). Wins by endgame
/// tables are 20000 less the plies to the table; mates stay as they are.
#[must_use]
pub const fn centipawns(score: i32) -> i32 {
    if is_win(score) && !is_mate(score) {
        TABLE_WIN_CENTIPAWNS - (TABLE_WIN - score)
    } else if is_loss(score) && !is_mate(score) {
        (TABLE_WIN + score) - TABLE_WIN_CENTIPAWNS
    } else if is_mate(score) {
        score
    } else {
        let scaled = score * 100 / PAWN;
        let most = TABLE_WIN_CENTIPAWNS - MAX_PLY as i32 - 1;
        if scaled > most {
            most
        } else if scaled < -most {
            -most
        } else {
            scaled
        }
    }
}

/// The score of the search that is shown as so many centipawns.
#[must_use]
pub const fn from_centipawns(centipawns: i32) -> i32 {
    centipawns * PAWN / 100
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

/// Distance to mate in full moves, negative when the side to move is mated; `None` for an estimate and for a win by
/// endgame tables.
#[must_use]
pub const fn mate_distance(score: i32) -> Option<i32> {
    if !is_mate(score) {
        None
    } else if score > 0 {
        Some((MATE - score + 1) / 2)
    } else {
        Some(-(MATE + score) / 2)
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

    #[test]
    fn table_wins_lie_between_estimates_and_mates() {
        for ply in [0, 1, MAX_PLY] {
            let score = table_win(ply);
            assert!(is_win(score) && is_loss(-score) && !is_mate(score) && !is_mate(-score));
            assert!(score > MAX_EVAL && score < mate_in(MAX_PLY));
            assert_eq!((mate_distance(score), mate_distance(-score)), (None, None));
            assert_eq!(centipawns(score), 20_000 - ply as i32);
            assert_eq!(centipawns(-score), ply as i32 - 20_000);
        }
        assert_eq!((centipawns(PAWN), centipawns(-2 * PAWN)), (100, -200));
        assert_eq!(centipawns(from_centipawns(400)), 400);
        assert!(centipawns(MAX_EVAL) < centipawns(table_win(MAX_PLY)));
        assert!(is_mate(mate_in(MAX_PLY)) && is_mate(mated_in(MAX_PLY)));
    }
}
