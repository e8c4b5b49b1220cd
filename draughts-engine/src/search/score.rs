//! Scores in hundredths of a man, seen from the side to move.
//!
//! A win in n plies is `WIN - n`; the Hub protocol prints it as 100 - n/100.

use search::core::tt::ScoreScale;

/// A win on the board.
pub const WIN: i32 = 10_000;
/// Scores from here on are wins whose distance is known exactly.
pub const WIN_BOUND: i32 = 9_000;
/// A win by the endgame tables in n plies of search is `TABLE_WIN - n`.
pub const TABLE_WIN: i32 = 9_000;
/// Scores from here on are wins on the board or by the tables.
pub const TABLE_BOUND: i32 = 8_500;
/// No score is greater.
pub const INFINITE: i32 = 10_001;
/// An equal game.
pub const DRAW: i32 = 0;

/// How the table holds distances.
pub(crate) const SCALE: ScoreScale = ScoreScale { win_bound: TABLE_BOUND };

/// Whether the score is a win or loss, on the board or by the tables.
#[inline]
pub const fn is_decided(score: i32) -> bool {
    score >= TABLE_BOUND || score <= -TABLE_BOUND
}

/// The plies to the end of the game that a score tells, positive for a win and negative for a loss.
pub const fn distance(score: i32) -> Option<i32> {
    if score >= WIN_BOUND {
        Some(WIN - score)
    } else if score <= -WIN_BOUND {
        Some(-WIN - score)
    } else {
        None
    }
}
