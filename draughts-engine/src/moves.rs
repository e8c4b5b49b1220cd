//! Moves.

use crate::{Bitboard, Square};

/// A complete move. Two moves are the same when start, end and the set of captured squares are the
/// same, whatever the way (FMJD Annex 1, article 4).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move {
    /// Where the piece starts.
    pub from: Square,
    /// Where it ends; a capture may end where it started.
    pub to: Square,
    /// The squares of the captured pieces; empty for a quiet move.
    pub captured: Bitboard,
}

impl Move {
    /// Whether pieces are captured.
    #[inline]
    pub const fn is_capture(self) -> bool {
        !self.captured.is_empty()
    }

    /// A short code for the transposition table, never 0: start, end and four bits of the captured set.
    /// It is not unique among captures and must be resolved against the legal moves.
    #[inline]
    pub fn hint(self) -> u16 {
        let set = self.captured.bits().wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 60;
        (self.from.number() as u16) << 10 | (self.to.index() as u16) << 4 | set as u16
    }
}
