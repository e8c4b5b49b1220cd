//! An analysed game as data, and its summary.

use clap::ValueEnum;
use serde::Serialize;

use crate::again;
use crate::judgement::{Judgement, Mark, accuracy};

/// A turning point costs at least this many points.
const TURNING_LOSS: f64 = 10.0;
/// Most turning points that are named.
const MOST_TURNING_POINTS: usize = 8;
/// Expected results in percent between which a game is open.
const OPEN: std::ops::RangeInclusive<f64> = 35.0..=65.0;

/// Who moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Side {
    White,
    Black,
}

impl Side {
    /// The other one.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }

    /// Place in a pair: White's is 0, Black's 1.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// An analysed game.
#[derive(Clone, Debug, Serialize)]
pub struct GameReport {
    /// Which game it is: `chess` or `draughts`.
    pub kind: &'static str,
    /// Place in the file, from 1.
    pub number: u64,
    /// Names and values in the order of the file.
    pub tags: Vec<(String, String)>,
    /// Result as it is written in game files.
    pub result: String,
    /// Code and name of the opening, if it is known.
    pub opening: Option<(String, String)>,
    /// The start position.
    pub start: String,
    /// White's expected result at the start in percent.
    pub start_win: f64,
    /// Comments and the like of the file before the first move, as words of game files.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The moves.
    pub plies: Vec<PlyReport>,
    /// White's summary and Black's.
    pub summary: [SideSummary; 2],
    /// Indices of the moves that turned the game.
    pub turning_points: Vec<usize>,
}

/// A move with what is thought of it.
#[derive(Clone, Debug, Serialize)]
pub struct PlyReport {
    /// Number of the move.
    pub number: u32,
    /// Who made it.
    pub side: Side,
    /// The move in the reader's letters.
    pub text: String,
    /// Where it begins.
    pub from: String,
    /// Where it ends.
    pub to: String,
    /// The position after it.
    pub fen: String,
    /// Score after it from White's view, as text.
    pub score: String,
    /// White's expected result after it in percent.
    pub win: f64,
    /// Loss in points.
    pub loss: f64,
    /// Loss of score in hundredths.
    pub score_loss: i32,
    /// The mark.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<Mark>,
    /// Depth in plies of the search of the position before it.
    pub depth: u32,
    /// What would have been better.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best: Option<LineReport>,
    /// Glyphs, comments and variations of the file after it, as words of game files.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A line with its positions.
#[derive(Clone, Debug, Default, Serialize)]
pub struct LineReport {
    /// Score from White's view, as text.
    pub score: String,
    /// Moves in the reader's letters.
    pub moves: Vec<String>,
    /// The position after each of them.
    pub fens: Vec<String>,
}

/// How a side has played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct SideSummary {
    /// Number of moves.
    pub moves: u32,
    /// Mean accuracy of the moves in percent.
    pub accuracy: f64,
    /// Mean loss of expected result in points.
    pub average_loss: f64,
    /// Mean loss of score in hundredths of a pawn or man.
    pub average_score_loss: f64,
    /// Moves marked `!`.
    pub good: u32,
    /// Moves marked `?!`.
    pub inaccuracies: u32,
    /// Moves marked `?`.
    pub mistakes: u32,
    /// Moves marked `??`.
    pub blunders: u32,
}

impl PlyReport {
    /// Takes over a judgement.
    pub fn apply(&mut self, judgement: &Judgement) {
        self.loss = judgement.loss;
        self.score_loss = judgement.score_loss;
        self.mark = judgement.mark;
    }
}

impl GameReport {
    /// Takes over the words that stand between the moves of a file, each with the number of moves before it, without
    /// what a former analysis wrote.
    pub fn take_notes(&mut self, notes: &[(usize, String)]) {
        for (moves, word) in notes {
            let ply = moves.checked_sub(1).and_then(|index| self.plies.get_mut(index));
            ply.map_or(&mut self.notes, |ply| &mut ply.notes).push(word.clone());
        }
        if self.tag("Annotator").is_some_and(again::is_own) {
            self.plies.iter_mut().for_each(again::drop_former);
        }
    }

    /// The value of a tag, in whatever case its name is written.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        let found = self.tags.iter().find(|(other, _)| other.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// `White - Black, 1-0`.
    #[must_use]
    pub fn title(&self) -> String {
        let name = |tag| self.tag(tag).filter(|name| !name.is_empty()).unwrap_or("?");
        format!("{} - {}, {}", name("White"), name("Black"), self.result)
    }

    /// Sums the moves up: fills in the summaries and the turning points.
    pub fn summarise(&mut self) {
        self.summary = [Side::White, Side::Black].map(|side| summary(&self.plies, side));
        self.turning_points = self.find_turning_points();
    }

    /// The moves after which the game no longer was what it had been before (won, open, lost), the dearest ones if
    /// there are many, in the order of the game.
    fn find_turning_points(&self) -> Vec<usize> {
        let zone = |win: f64| if OPEN.contains(&win) { 0 } else { (win - 50.0).signum() as i32 };
        let mut before = self.start_win;
        let mut found = Vec::new();
        for (index, ply) in self.plies.iter().enumerate() {
            if ply.loss >= TURNING_LOSS && zone(before) != zone(ply.win) {
                found.push((index, ply.loss));
            }
            before = ply.win;
        }
        found.sort_by(|a, b| b.1.total_cmp(&a.1));
        found.truncate(MOST_TURNING_POINTS);
        let mut indices: Vec<usize> = found.into_iter().map(|(index, _)| index).collect();
        indices.sort_unstable();
        indices
    }
}

fn summary(plies: &[PlyReport], side: Side) -> SideSummary {
    let mut summary = SideSummary::default();
    for ply in plies.iter().filter(|ply| ply.side == side) {
        summary.moves += 1;
        summary.accuracy += accuracy(ply.loss);
        summary.average_loss += ply.loss;
        summary.average_score_loss += f64::from(ply.score_loss);
        match ply.mark {
            Some(Mark::Good) => summary.good += 1,
            Some(Mark::Inaccuracy) => summary.inaccuracies += 1,
            Some(Mark::Mistake) => summary.mistakes += 1,
            Some(Mark::Blunder) => summary.blunders += 1,
            None => {}
        }
    }
    let moves = f64::from(summary.moves.max(1));
    let mean = |sum: f64| (10.0 * sum / moves).round() / 10.0;
    SideSummary {
        accuracy: mean(summary.accuracy),
        average_loss: mean(summary.average_loss),
        average_score_loss: mean(summary.average_score_loss),
        ..summary
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ply(side: Side, win: f64, loss: f64) -> PlyReport {
        PlyReport {
            number: 1,
            side,
            text: String::new(),
            from: String::new(),
            to: String::new(),
            fen: String::new(),
            score: String::new(),
            win,
            loss,
            score_loss: loss as i32,
            mark: (loss >= 20.0).then_some(Mark::Blunder),
            depth: 1,
            best: None,
            notes: Vec::new(),
        }
    }

    fn game(plies: Vec<PlyReport>) -> GameReport {
        let mut game = GameReport {
            kind: "chess",
            number: 1,
            tags: vec![("White".into(), "A".into())],
            result: "*".into(),
            opening: None,
            start: String::new(),
            start_win: 50.0,
            notes: Vec::new(),
            plies,
            summary: Default::default(),
            turning_points: Vec::new(),
        };
        game.summarise();
        game
    }

    #[test]
    fn sides_are_summed_up_apart() {
        let game = game(vec![
            ply(Side::White, 50.0, 0.0),
            ply(Side::Black, 80.0, 30.0),
            ply(Side::White, 50.0, 30.0),
        ]);
        let [white, black] = game.summary;
        assert_eq!((white.moves, white.blunders, white.average_loss), (2, 1, 15.0));
        assert_eq!((black.moves, black.blunders, black.accuracy), (1, 1, 25.0));
        assert_eq!(white.accuracy, 62.5);
        assert_eq!(game.title(), "A - ?, *");
    }

    #[test]
    fn turning_points_change_the_state_of_the_game() {
        let game = game(vec![
            ply(Side::White, 50.0, 0.0),
            ply(Side::Black, 80.0, 30.0),
            // Costly, but the game stays won.
            ply(Side::White, 68.0, 12.0),
            // Open again, at a price too small to be called a turn.
            ply(Side::White, 63.0, 5.0),
            ply(Side::White, 20.0, 43.0),
        ]);
        assert_eq!(game.turning_points, [1, 4]);
    }

    #[test]
    fn a_game_without_moves_has_an_empty_summary() {
        let game = game(Vec::new());
        assert_eq!(game.summary, [SideSummary::default(); 2]);
        assert!(game.turning_points.is_empty());
    }
}
