//! Ending games early that the engines agree about.

use crate::game::{End, Outcome, Side};
use crate::player::Eval;
use uci::info::Score;

/// When a game is given up as drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DrawRule {
    /// Not before this move.
    pub from: u32,
    /// So many moves of each side in a row.
    pub moves: u32,
    /// With scores no further from 0 than this, in hundredths.
    pub score: i32,
}

/// When a game is given up as lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResignRule {
    /// So many moves in a row.
    pub moves: u32,
    /// With a score as bad as this for the loser, in hundredths.
    pub score: i32,
    /// Whether the opponent must see it likewise.
    pub two_sided: bool,
}

/// What is adjudicated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Adjudication {
    /// Draws that the scores show.
    pub draw: Option<DrawRule>,
    /// Losses that the scores show.
    pub resign: Option<ResignRule>,
    /// A draw after so many moves of each side.
    pub max_moves: Option<u32>,
}

/// Reads `key=value,...` with whole numbers; a key alone is 1.
fn numbers(text: &str, keys: &[&str]) -> Result<Vec<Option<u32>>, String> {
    let mut values = vec![None; keys.len()];
    for part in text.split(',') {
        let (key, value) = part.split_once('=').unwrap_or((part, "true"));
        let place = keys.iter().position(|other| *other == key);
        let slot = place.and_then(|place| values.get_mut(place));
        let number = match value {
            "true" => Some(1),
            "false" => Some(0),
            _ => value.parse::<u32>().ok().filter(|&number| number <= 1_000_000),
        };
        match (slot, number) {
            (Some(slot), Some(number)) => *slot = Some(number),
            (None, _) => return Err(format!("'{key}' is none of {}", keys.join(", "))),
            (_, None) => return Err(format!("'{part}' is not a whole number")),
        }
    }
    Ok(values)
}

impl DrawRule {
    /// Reads `movenumber=40,movecount=8,score=10`.
    ///
    /// # Errors
    /// Names the part that is wrong.
    pub fn parse(text: &str) -> Result<Self, String> {
        let values = numbers(text, &["movenumber", "movecount", "score"])?;
        let value = |place: usize, default| values.get(place).copied().flatten().unwrap_or(default);
        Ok(Self { from: value(0, 40), moves: value(1, 8).max(1), score: value(2, 10).cast_signed() })
    }
}

impl ResignRule {
    /// Reads `movecount=3,score=600[,twosided]`.
    ///
    /// # Errors
    /// Names the part that is wrong.
    pub fn parse(text: &str) -> Result<Self, String> {
        let values = numbers(text, &["movecount", "score", "twosided"])?;
        let value = |place: usize, default| values.get(place).copied().flatten().unwrap_or(default);
        Ok(Self {
            moves: value(0, 3).max(1),
            score: value(1, 600).cast_signed(),
            two_sided: value(2, 0) != 0,
        })
    }
}

/// Watches the scores of a game.
pub(crate) struct Watch {
    rules: Adjudication,
    /// Moves with drawish scores in a row, of both sides together.
    quiet: u32,
    /// For White and Black: moves in a row with a losing score of its own, and with a winning one.
    lost: [u32; 2],
    won: [u32; 2],
}

impl Watch {
    pub fn new(rules: Adjudication) -> Self {
        Self { rules, quiet: 0, lost: [0; 2], won: [0; 2] }
    }

    /// Takes note of a move's score and says whether the game is over after `plies` moves of both sides together.
    pub fn after_move(&mut self, mover: Side, eval: Option<Eval>, plies: u32) -> Option<End> {
        let score = eval.map(|eval| match eval.score {
            Score::Cp(score) => score,
            Score::Mate(distance) if distance > 0 => i32::MAX,
            Score::Mate(_) => -i32::MAX,
        });
        let count = |counter: &mut u32, holds: bool| *counter = if holds { *counter + 1 } else { 0 };
        if let Some(rule) = self.rules.draw {
            let is_quiet = score.is_some_and(|score| score.abs() <= rule.score);
            count(&mut self.quiet, is_quiet);
            if self.quiet >= 2 * rule.moves && plies.div_ceil(2) >= rule.from {
                return Some(drawn("draw by adjudication: both call it even"));
            }
        }
        if let Some(rule) = self.rules.resign {
            let (own, other) = match mover {
                Side::White => (0, 1),
                Side::Black => (1, 0),
            };
            for (counters, holds) in [
                (&mut self.lost, score.is_some_and(|score| score <= -rule.score)),
                (&mut self.won, score.is_some_and(|score| score >= rule.score)),
            ] {
                if let Some(counter) = counters.get_mut(own) {
                    count(counter, holds);
                }
            }
            let reached = |counters: [u32; 2], place: usize| {
                counters.get(place).is_some_and(|&count| count >= rule.moves)
            };
            // With both to agree, the later of the two decides.
            for (loser, winner, side) in [(own, other, mover), (other, own, mover.other())] {
                if reached(self.lost, loser) && (!rule.two_sided || reached(self.won, winner)) {
                    let reason = format!("{side} is lost by adjudication");
                    return Some(End { outcome: Outcome::Win(side.other()), reason });
                }
            }
        }
        match self.rules.max_moves {
            Some(limit) if plies >= limit.saturating_mul(2) => {
                Some(drawn("draw by adjudication: too many moves"))
            }
            _ => None,
        }
    }
}

fn drawn(reason: &str) -> End {
    End { outcome: Outcome::Draw, reason: reason.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn feed(watch: &mut Watch, scores: &[i32]) -> Option<(usize, End)> {
        scores.iter().enumerate().find_map(|(ply, &cp)| {
            let side = if ply % 2 == 0 { Side::White } else { Side::Black };
            let eval = Eval { score: Score::Cp(cp), depth: 1, nodes: 1 };
            Some((ply, watch.after_move(side, Some(eval), ply as u32 + 1)?))
        })
    }

    #[test]
    fn even_scores_of_both_make_a_draw() {
        let draw = DrawRule::parse("movenumber=3,movecount=2,score=5").unwrap();
        let rules = Adjudication { draw: Some(draw), ..Adjudication::default() };
        assert_eq!(feed(&mut Watch::new(rules), &[0, 0, 5, -5, 0, 0]).unwrap().0, 4);
        assert!(feed(&mut Watch::new(rules), &[0, 0, 6, 0, 0, 6, 0, 0, 0]).is_none());
    }

    #[test]
    fn a_lost_side_is_taken_at_its_word() {
        let rule = ResignRule::parse("movecount=2,score=500").unwrap();
        let rules = Adjudication { resign: Some(rule), ..Adjudication::default() };
        let (ply, end) = feed(&mut Watch::new(rules), &[0, -500, 0, -600]).unwrap();
        assert_eq!((ply, end.outcome), (3, Outcome::Win(Side::White)));
        let rule = ResignRule::parse("movecount=2,score=500,twosided").unwrap();
        let rules = Adjudication { resign: Some(rule), ..Adjudication::default() };
        assert!(feed(&mut Watch::new(rules), &[0, -500, 0, -600]).is_none());
        let (ply, end) = feed(&mut Watch::new(rules), &[500, -500, 400, -600, 500, -600, 500]).unwrap();
        assert_eq!((ply, end.outcome), (6, Outcome::Win(Side::White)));
    }

    #[test]
    fn too_many_moves_are_counted_for_each_side() {
        let rules = Adjudication { max_moves: Some(3), ..Adjudication::default() };
        let (ply, end) = feed(&mut Watch::new(rules), &[900; 8]).unwrap();
        assert_eq!((ply, end.outcome), (5, Outcome::Draw));
    }

    #[test]
    fn wrong_rules_are_named() {
        for text in ["", "score=x", "what=1", "score=-5", "movecount"] {
            let error = DrawRule::parse(text);
            assert_eq!(error.is_err(), text != "movecount", "{text}");
        }
    }
}
