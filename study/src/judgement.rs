//! What a move costs, and the mark it gets for that.

use serde::Serialize;

/// Loss in points from which a move is an inaccuracy, a mistake, a blunder.
const INACCURACY: f64 = 5.0;
const MISTAKE: f64 = 10.0;
const BLUNDER: f64 = 20.0;
/// A best move is praised when every other one costs at least this many points.
const ONLY: f64 = 15.0;
/// Points of material are counted up to this much: beyond it the game is decided and differences mean nothing.
const DECIDED: i32 = 1000;
/// How fast the accuracy of a move falls with its loss: half of it is gone at 15 points.
const DECAY: f64 = std::f64::consts::LN_2 / 15.0;

/// What a search says about a position, seen by the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Verdict {
    /// Expected result: 0 lost, 1 won.
    pub expectation: f64,
    /// The same if the best move were forbidden, where that is known.
    pub second: Option<f64>,
    /// Score in hundredths of a pawn or man.
    pub score: i32,
}

/// The mark of a move, as in annotated games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mark {
    /// `!`: the only good move.
    Good,
    /// `?!`
    Inaccuracy,
    /// `?`
    Mistake,
    /// `??`
    Blunder,
}

impl Mark {
    /// How it is written behind a move.
    #[must_use]
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Good => "!",
            Self::Inaccuracy => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }

    /// The numeric annotation glyph (PGN standard, section 10).
    #[must_use]
    pub const fn nag(self) -> u8 {
        match self {
            Self::Good => 1,
            Self::Mistake => 2,
            Self::Blunder => 4,
            Self::Inaccuracy => 6,
        }
    }
}

/// What is thought of a move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Judgement {
    /// Loss of expected result in points (hundredths of a game), not negative.
    pub loss: f64,
    /// Loss of score in hundredths of a pawn or man, not negative.
    pub score_loss: i32,
    /// The mark, if it gets one.
    pub mark: Option<Mark>,
}

/// Judges a move by the search of the position before it and of the one after it (seen by the other side).
/// `is_best`: it is the move the search would have played, which by definition costs nothing. `is_obvious`: it was
/// the only legal move or takes back, and earns no praise.
#[must_use]
pub fn judge(before: &Verdict, after: &Verdict, is_best: bool, is_obvious: bool) -> Judgement {
    if is_best {
        let others_cost = before.second.map_or(0.0, |second| 100.0 * (before.expectation - second));
        let mark = (!is_obvious && others_cost >= ONLY).then_some(Mark::Good);
        return Judgement { loss: 0.0, score_loss: 0, mark };
    }
    let loss = (100.0 * (before.expectation + after.expectation - 1.0)).clamp(0.0, 100.0);
    let decided = |score: i32| score.clamp(-DECIDED, DECIDED);
    let score_loss = (decided(before.score) + decided(after.score)).max(0);
    let mark = match loss {
        loss if loss >= BLUNDER => Some(Mark::Blunder),
        loss if loss >= MISTAKE => Some(Mark::Mistake),
        loss if loss >= INACCURACY => Some(Mark::Inaccuracy),
        _ => None,
    };
    Judgement { loss, score_loss, mark }
}

/// Accuracy of a move in percent: 100 for one that costs nothing, 50 at a loss of 15 points, 25 at 30.
#[must_use]
pub fn accuracy(loss: f64) -> f64 {
    100.0 * (-DECAY * loss.max(0.0)).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(expectation: f64, score: i32) -> Verdict {
        Verdict { expectation, second: None, score }
    }

    #[test]
    fn marks_follow_the_loss() {
        let before = verdict(0.5, 0);
        let mark = |after: f64| judge(&before, &verdict(after, 0), false, false).mark;
        assert_eq!(mark(0.5), None);
        assert_eq!(mark(0.54), None);
        assert_eq!(mark(0.56), Some(Mark::Inaccuracy));
        assert_eq!(mark(0.61), Some(Mark::Mistake));
        assert_eq!(mark(0.71), Some(Mark::Blunder));
        // The move was better than the search thought.
        let better = judge(&before, &verdict(0.3, -80), false, false);
        assert_eq!((better.loss, better.score_loss, better.mark), (0.0, 0, None));
    }

    #[test]
    fn a_best_move_costs_nothing_and_is_praised_when_alone() {
        let before = Verdict { expectation: 0.6, second: Some(0.4), score: 30 };
        let after = verdict(0.9, 400);
        assert_eq!(judge(&before, &after, true, false).mark, Some(Mark::Good));
        assert_eq!(judge(&before, &after, true, false).loss, 0.0);
        assert_eq!(judge(&before, &after, true, true).mark, None);
        let close = Verdict { second: Some(0.55), ..before };
        assert_eq!(judge(&close, &after, true, false).mark, None);
    }

    #[test]
    fn decided_games_lose_no_material() {
        let judged = judge(&verdict(1.0, 31_990), &verdict(0.0, -2500), false, false);
        assert_eq!((judged.score_loss, judged.mark), (0, None));
    }

    #[test]
    fn accuracy_halves_every_fifteen_points() {
        assert!((accuracy(0.0) - 100.0).abs() < 1e-9);
        assert!((accuracy(15.0) - 50.0).abs() < 1e-9);
        assert!((accuracy(30.0) - 25.0).abs() < 1e-9);
        assert!((accuracy(-3.0) - 100.0).abs() < 1e-9);
    }
}
