//! When a game of the engine against itself is over: by rule, or by scores that stay clear.

use movegen::{Board, Color};
use search::chess::score::is_decisive;

/// From when on scores decide a game.
#[derive(Clone, Copy)]
pub struct Terms {
    /// A game is won when the score stays beyond this many units of the search...
    pub won: i32,
    /// ... for so many plies.
    pub won_plies: u32,
    /// A game is drawn when the score stays within this many units of the search...
    pub drawn: i32,
    /// ... for so many plies ...
    pub drawn_plies: u32,
    /// ... after this ply.
    pub drawn_from: u32,
}

/// Longest game in plies; it counts as drawn.
const LONGEST: u32 = 500;

/// The result for White when the rules end the game.
pub fn by_rule(board: &Board) -> Option<i8> {
    if !board.has_legal_move() {
        return Some(match (board.in_check(), board.side_to_move()) {
            (false, _) => 0,
            (true, Color::White) => -1,
            (true, Color::Black) => 1,
        });
    }
    let drawn =
        board.is_fifty_move_draw() || board.is_insufficient_material() || board.repetition_count() >= 2;
    drawn.then_some(0)
}

/// Ends games that the scores have decided.
pub struct Judge {
    terms: Terms,
    played_out: bool,
    plies: u32,
    /// Plies in a row with a winning score, positive for White.
    winning: i32,
    drawish: u32,
}

impl Judge {
    /// The judge of one game. `played_out`: scores do not end it.
    pub fn new(terms: Terms, played_out: bool) -> Self {
        Self { terms, played_out, plies: 0, winning: 0, drawish: 0 }
    }

    /// The result for White, once the score (White's view) has been clear for long enough.
    pub fn judge(&mut self, score: i32) -> Option<i8> {
        let terms = self.terms;
        self.plies += 1;
        if self.plies >= LONGEST {
            return Some(0);
        }
        let sign = score.signum();
        self.winning = match score.abs() >= terms.won {
            true if self.winning.signum() == sign => self.winning + sign,
            true => sign,
            false => 0,
        };
        self.drawish = if score.abs() <= terms.drawn { self.drawish + 1 } else { 0 };
        if self.played_out {
            return None;
        }
        if is_decisive(score) || self.winning.unsigned_abs() >= terms.won_plies {
            return Some(sign as i8);
        }
        (self.plies >= terms.drawn_from && self.drawish >= terms.drawn_plies).then_some(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TERMS: Terms = Terms { won: 2000, won_plies: 6, drawn: 8, drawn_plies: 12, drawn_from: 80 };

    #[test]
    fn clear_scores_end_a_game() {
        let mut judge = Judge::new(TERMS, false);
        assert!((1..TERMS.won_plies).all(|_| judge.judge(2500).is_none()));
        assert_eq!(judge.judge(2500), Some(1));
        let mut judge = Judge::new(TERMS, false);
        assert!((0..10).all(|n| judge.judge(if n % 2 == 0 { -2500 } else { 2500 }).is_none()));
        let mut judge = Judge::new(TERMS, false);
        let plies = (1..).find(|_| judge.judge(0) == Some(0));
        assert_eq!(plies, Some(TERMS.drawn_from));
        let mut judge = Judge::new(TERMS, true);
        assert!((0..100).all(|_| judge.judge(31_990).is_none()));
    }
}
