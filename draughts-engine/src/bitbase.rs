//! Endgame tables ("bitbases") of international draughts: for every position with few pieces whether the
//! side to move wins, draws or loses, and in how many plies.
//!
//! A table holds one [`Slice`]: all positions with the same numbers of men and kings of the side to move
//! and of the other side. The side to move is always seen as White; a position with Black to move is
//! turned by half a turn, colours exchanged, so one table serves both. [`solve`] makes tables by
//! retrograde analysis, [`file`](mod@file) keeps them, [`Tables`] looks positions up in them, and
//! [`verify`] proves them.
//!
//! Positions in which the side to move must capture are not stored: one capture later there are fewer
//! pieces, and who asks plays it out. The values hold for the game without its limits of moves (FMJD Annex 1, articles 6.2
//! to 6.4), which a table of positions cannot know.

pub mod build;
mod codec;
pub mod file;
pub mod slice;
pub mod solve;
pub mod table;
pub mod verify;

pub use slice::Slice;
pub use table::Tables;

/// What a position is worth to the side to move, with best play of both sides and no limit of moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// Neither side can force a win.
    Draw,
    /// The side to move wins.
    Win,
    /// The side to move loses.
    Loss,
}

/// The value of a position and the plies to the end of the game in one byte: 0 is a draw, n + 1 a game
/// that ends after n plies when the winner hurries and the loser delays. The side to move wins when n is
/// odd.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Code(u8);

impl Code {
    /// Neither side wins.
    pub const DRAW: Self = Self(0);
    /// The side to move has no move.
    pub const LOST: Self = Self(1);
    /// The longest game that a code can tell, in plies.
    pub const LONGEST: u32 = 254;

    /// The code of a byte.
    #[inline]
    pub const fn from_byte(byte: u8) -> Self {
        Self(byte)
    }

    /// The byte.
    #[inline]
    pub const fn byte(self) -> u8 {
        self.0
    }

    /// Win, draw or loss.
    #[inline]
    pub const fn value(self) -> Value {
        match self.0 {
            0 => Value::Draw,
            code if code % 2 == 0 => Value::Win,
            _ => Value::Loss,
        }
    }

    /// Plies to the end of the game; `None` for a draw.
    #[inline]
    pub const fn plies(self) -> Option<u32> {
        if self.0 == 0 { None } else { Some(self.0 as u32 - 1) }
    }

    /// What the mover gets from a move to a position with this code; `None` when the game would be longer
    /// than a code can tell.
    #[inline]
    pub const fn before(self) -> Option<Self> {
        match self.0 {
            0 => Some(Self(0)),
            u8::MAX => None,
            code => Some(Self(code + 1)),
        }
    }

    /// How much the side to move likes this code: quick wins first, slow losses before quick ones.
    #[inline]
    pub const fn rank(self) -> i32 {
        match self.value() {
            Value::Win => 1000 - self.0 as i32,
            Value::Draw => 0,
            Value::Loss => self.0 as i32 - 1000,
        }
    }
}

/// The best code that a choice among positions gives to the side that moves to one of them; `None` when
/// there is no choice.
pub fn back_up(choices: impl IntoIterator<Item = Code>) -> Option<Code> {
    choices.into_iter().map(|code| code.before().unwrap_or(code)).max_by_key(|code| code.rank())
}
