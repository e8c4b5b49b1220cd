//! Games: a start position, the moves since, and how it ends.

use crate::position::Ending;
use crate::rules::THREE_TO_ONE;
use crate::{Color, Move, Position, Rules, legal_moves};
use std::fmt;

/// Limits of the draw rules, in moves by each side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DrawRules {
    /// Kings only and no capture: FMJD Annex 1, article 6.2.
    pub kings_only: u32,
    /// Three pieces against one king: article 6.3; 10 in an older text of the federation.
    pub three_to_one: u32,
    /// Two pieces or one against one king: article 6.4.
    pub two_to_one: u32,
}

impl Default for DrawRules {
    fn default() -> Self {
        Self { kings_only: 25, three_to_one: THREE_TO_ONE, two_to_one: 5 }
    }
}

impl DrawRules {
    /// Whether the moves without progress make the position a draw. A side without a legal move has
    /// lost nevertheless: that is looked at first.
    #[inline]
    pub fn is_draw(&self, position: &Position) -> bool {
        let (ending, age) = position.ending();
        age >= self.limit(ending) || position.quiet_plies() >= 2 * self.kings_only
    }

    /// Plies after which an ending is a draw.
    #[inline]
    pub(crate) fn limit(&self, ending: Ending) -> u32 {
        match ending {
            Ending::None => u32::MAX,
            Ending::ThreeToOne => 2 * self.three_to_one,
            Ending::TwoToOne => 2 * self.two_to_one,
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// This side won: the other has no move (in losing draughts: it has none itself).
    Win(Color),
    /// The same position with the same side to move for the third time: article 6.1.
    Repetition,
    /// By one of the limits of [`DrawRules`].
    MoveLimit,
}

impl fmt::Display for Outcome {
    /// The result as PDN writes it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Win(Color::White) => "2-0",
            Self::Win(Color::Black) => "0-2",
            Self::Repetition | Self::MoveLimit => "1-1",
        })
    }
}

/// A game in progress.
#[derive(Clone, Debug)]
pub struct Game {
    positions: Vec<Position>,
    moves: Vec<Move>,
    /// The draw rules in force.
    pub draws: DrawRules,
}

impl Default for Game {
    fn default() -> Self {
        Self::new(Position::start())
    }
}

impl Game {
    /// A game that begins at a position.
    pub fn new(start: Position) -> Self {
        Self { positions: vec![start], moves: Vec::new(), draws: DrawRules::default() }
    }

    /// The position now.
    pub fn position(&self) -> &Position {
        &self.positions[self.positions.len() - 1]
    }

    /// Where the game began.
    pub fn start(&self) -> &Position {
        &self.positions[0]
    }

    /// Every position, the start first.
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// The moves played.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Plays a legal move.
    pub fn push<R: Rules>(&mut self, mv: Move) {
        let next = self.position().play::<R>(mv);
        self.positions.push(next);
        self.moves.push(mv);
    }

    /// Takes back the last move, if there is one.
    pub fn pop(&mut self) -> Option<Move> {
        let mv = self.moves.pop()?;
        self.positions.pop();
        Some(mv)
    }

    /// How often the position has stood with the same side to move, now included.
    pub fn repetitions(&self) -> usize {
        let now = self.position();
        // A man's move or a capture cannot be undone, so nothing before it can be repeated.
        let back = now.quiet_plies() as usize + 1;
        self.positions.iter().rev().take(back).filter(|old| old.key() == now.key()).count()
    }

    /// The outcome, if the game is over.
    pub fn outcome<R: Rules>(&self) -> Option<Outcome> {
        let position = self.position();
        if legal_moves::<R>(position).is_empty() {
            let loser = if R::LOSING { !position.turn() } else { position.turn() };
            return Some(Outcome::Win(!loser));
        }
        if self.repetitions() >= 3 {
            return Some(Outcome::Repetition);
        }
        self.draws.is_draw(position).then_some(Outcome::MoveLimit)
    }
}
