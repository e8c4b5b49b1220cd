//! What a position of a suite asks for.

use movegen::{Board, Move};
use search::chess::score::{centipawns, mate_distance};

use crate::epd::Epd;

/// A drawn position (`dm 0`) must not be scored beyond this many centipawns.
const DRAWN: i32 = 50;

/// The task of a position.
#[derive(Debug, Default)]
pub struct Goal {
    /// `bm`: one of these.
    best: Vec<Move>,
    /// `am`: none of these.
    avoid: Vec<Move>,
    /// `dm`: a mate in so many moves, or being mated when negative.
    mate: Option<i32>,
    /// Moves with points.
    scores: Vec<(Move, u32)>,
}

impl Goal {
    /// Reads the task from the operations `bm` (moves, or `#n` for a mate), `am`, `dm`, `ce +Mn`, and from the scored
    /// moves of strategic suites: `c0 "f5=10, Be5+=2"`, or moves in `c9` or `c7` with points in `c8`.
    ///
    /// # Errors
    /// When there is no task or a move of it is not legal.
    pub fn of(epd: &Epd) -> Result<Self, String> {
        let mut goal = Self::default();
        for text in epd.operands("bm").unwrap_or_default() {
            match text.strip_prefix('#') {
                Some(distance) => goal.mate = Some(number(distance)?),
                None => goal.best.push(epd.parse_move(text)?),
            }
        }
        for text in epd.operands("am").unwrap_or_default() {
            goal.avoid.push(epd.parse_move(text)?);
        }
        if let Some([distance]) = epd.operands("dm") {
            goal.mate = Some(number(distance)?);
        }
        if let Some([score]) = epd.operands("ce") {
            goal.mate = match (score.strip_prefix("+M"), score.strip_prefix("-M")) {
                (Some(distance), _) => Some(number(distance)?),
                (_, Some(distance)) => Some(-number(distance)?),
                _ => goal.mate,
            };
        }
        goal.scores = scores(epd);
        if goal.best.is_empty() && goal.avoid.is_empty() && goal.mate.is_none() && goal.scores.is_empty() {
            return Err("no task (bm, am, dm or scored moves)".into());
        }
        Ok(goal)
    }

    /// Whether this move with this score of the search fulfils the task. A mate must be proven and not be longer than
    /// the one asked for; then it need not begin with the move of the suite.
    pub fn is_met(&self, mv: Move, score: i32) -> bool {
        let is_mate_met = match self.mate {
            None => false,
            Some(0) => centipawns(score).abs() <= DRAWN,
            Some(wanted) => mate_distance(score)
                .is_some_and(|found| found.signum() == wanted.signum() && found.abs() <= wanted.abs()),
        };
        if self.mate.is_some() {
            return is_mate_met;
        }
        let top = || self.scores.iter().map(|&(_, points)| points).max();
        let is_top = || self.scores.iter().any(|&(other, points)| other == mv && Some(points) == top());
        let is_best =
            if self.best.is_empty() && self.avoid.is_empty() { is_top() } else { self.best.contains(&mv) };
        (is_best || self.best.is_empty() && !self.avoid.is_empty()) && !self.avoid.contains(&mv)
    }

    /// The search may end when a mate in so many moves is proven.
    pub fn mate_limit(&self) -> Option<u32> {
        self.mate.filter(|&distance| distance != 0).map(i32::unsigned_abs)
    }

    /// Points for a move and the most points that can be had, in a scored suite.
    pub fn points(&self, best: Option<Move>) -> Option<(u32, u32)> {
        let most = self.scores.iter().map(|&(_, points)| points).max()?;
        let found = self.scores.iter().find(|(mv, _)| Some(*mv) == best);
        Some((found.map_or(0, |&(_, points)| points), most))
    }

    /// The task in words.
    pub fn text(&self, board: &Board) -> String {
        let names = |moves: &[Move]| moves.iter().map(|&mv| board.san(mv)).collect::<Vec<_>>().join(" ");
        let mut parts = Vec::new();
        match self.mate {
            Some(0) => parts.push("draw".to_owned()),
            Some(distance) => parts.push(format!("#{distance}")),
            None => {}
        }
        if !self.best.is_empty() {
            parts.push(names(&self.best));
        }
        if !self.avoid.is_empty() {
            parts.push(format!("not {}", names(&self.avoid)));
        }
        if parts.is_empty() {
            let best = self.scores.iter().max_by_key(|(_, points)| points);
            parts.extend(best.map(|&(mv, _)| board.san(mv)));
        }
        parts.join(", ")
    }
}

/// Scored moves; none when the comments hold something else.
fn scores(epd: &Epd) -> Vec<(Move, u32)> {
    let text = |name| epd.operands(name).map(|operands| operands.join(" "));
    if let (Some(points), Some(moves)) = (text("c8"), text("c9").or_else(|| text("c7"))) {
        let points: Option<Vec<u32>> = points.split_whitespace().map(|text| text.parse().ok()).collect();
        let moves: Option<Vec<Move>> =
            moves.split_whitespace().map(|text| epd.parse_move(text).ok()).collect();
        return match (moves, points) {
            (Some(moves), Some(points)) if moves.len() == points.len() => {
                moves.into_iter().zip(points).collect()
            }
            _ => Vec::new(),
        };
    }
    // In practice commas are missing here and there, and a comment may say anything.
    let pairs = text("c0").unwrap_or_default();
    let pair = |text: &str| {
        let (mv, points) = text.rsplit_once('=')?;
        Some((epd.parse_move(mv).ok()?, points.parse().ok()?))
    };
    pairs.split([',', ' ']).filter_map(pair).collect()
}

fn number(text: &str) -> Result<i32, String> {
    let number = text.parse().ok().filter(|number: &i32| number.abs() <= 1000);
    number.ok_or_else(|| format!("'{text}' is not a distance to mate"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use search::chess::score::{from_centipawns, mate_in, mated_in};

    fn goal(line: &str) -> Result<(Epd, Goal), String> {
        let epd = Epd::parse(line)?.ok_or("nothing")?;
        let goal = Goal::of(&epd)?;
        Ok((epd, goal))
    }

    #[test]
    fn best_moves_and_moves_to_avoid() -> Result<(), String> {
        let (epd, task) = goal("7k/8/8/8/8/8/8/K5R1 w - - bm Rg2 Rg3; am Ka2;")?;
        assert!(task.is_met(epd.parse_move("Rg2")?, 0) && !task.is_met(epd.parse_move("Rg4")?, 0));
        let (epd, task) = goal("7k/8/8/8/8/8/8/K5R1 w - - am Ka2;")?;
        assert!(task.is_met(epd.parse_move("Rg2")?, 0) && !task.is_met(epd.parse_move("Ka2")?, 0));
        assert_eq!(task.text(&epd.board), "not Ka2");
        Ok(())
    }

    #[test]
    fn mates_must_be_proven_in_time() -> Result<(), String> {
        let (epd, task) = goal("7k/8/5K2/8/8/8/8/6R1 w - - dm 2;")?;
        let mv = epd.parse_move("Kf7")?;
        assert!(task.is_met(mv, mate_in(3)) && task.is_met(mv, mate_in(1)));
        assert!(!task.is_met(mv, mate_in(5)) && !task.is_met(mv, 900) && !task.is_met(mv, mated_in(2)));
        let (_, task) = goal("7k/8/5K2/8/8/8/8/6R1 b - - bm #-2;")?;
        assert!(task.is_met(mv, mated_in(4)) && !task.is_met(mv, mated_in(6)) && !task.is_met(mv, -400));
        let (epd, task) = goal("7k/8/5K2/8/8/8/8/6R1 w - - dm 0;")?;
        let mv = epd.parse_move("Kf7")?;
        for (shown, is_met) in [(DRAWN, true), (-DRAWN, true), (DRAWN + 1, false), (-DRAWN - 1, false)] {
            // The search counts in steps of less than a centipawn: rounded away from 0.
            let score = from_centipawns(shown) + shown.signum();
            assert_eq!(task.is_met(mv, score), is_met, "{shown}");
        }
        assert_eq!(goal("7k/8/5K2/8/8/8/8/6R1 w - - bm Kf7; ce +M2;")?.1.mate_limit(), Some(2));
        Ok(())
    }

    #[test]
    fn scored_moves() -> Result<(), String> {
        for line in [
            "7k/8/8/8/8/8/8/K5R1 w - - bm Ka2; c0 \"Ka2=10, Rg2=4\";",
            "7k/8/8/8/8/8/8/K5R1 w - - bm Ka2; c0 \"Ka2=10 Rg2=4, Qh9=3\";",
            "7k/8/8/8/8/8/8/K5R1 w - - bm Ka2; c7 \"Ka2 Rg2\"; c8 \"10 4\"; c9 \"a1a2 g1g2\";",
            "7k/8/8/8/8/8/8/K5R1 w - - c8 \"10 4\"; c9 \"a1a2 g1g2\";",
        ] {
            let (epd, task) = goal(line)?;
            assert_eq!(task.points(epd.parse_move("Rg2").ok()), Some((4, 10)), "{line}");
            assert_eq!(task.points(epd.parse_move("Rg3").ok()), Some((0, 10)), "{line}");
            assert!(
                task.is_met(epd.parse_move("Ka2")?, 0) && !task.is_met(epd.parse_move("Rg2")?, 0),
                "{line}"
            );
        }
        let (_, task) = goal("7k/8/8/8/8/8/8/K5R1 w - - bm Ka2; c0 \"A comment, 1999 = old\";")?;
        assert_eq!(task.points(None), None);
        Ok(())
    }

    #[test]
    fn positions_without_a_task_are_refused() {
        for line in [
            "7k/8/8/8/8/8/8/K5R1 w - - id \"x\";",
            "7k/8/8/8/8/8/8/K5R1 w - - bm Qa1;",
            "7k/8/8/8/8/8/8/K5R1 w - - dm x;",
        ] {
            assert!(goal(line).is_err(), "{line}");
        }
    }
}
