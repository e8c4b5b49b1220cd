//! What each ply of the line being searched remembers, and the principal variations.

use arrayvec::ArrayVec;
use movegen::{Bitboard, Move, Piece, Square};

use super::score::{MAX_PLY, NO_SCORE};

/// Continuation index of "no move" (the root, a null move).
pub const NO_CONTINUATION: usize = Piece::NUM * Square::NUM;

/// Frames before the root, so that looking six plies back needs no test.
const BEFORE_ROOT: usize = 6;

/// One ply of the current line.
#[derive(Clone, Copy)]
pub struct Frame {
    /// The move made here; `None` for a null move.
    pub mv: Option<Move>,
    /// Its index into the continuation tables.
    pub continuation: usize,
    /// Corrected static evaluation, `NO_SCORE` in check.
    pub static_eval: i32,
    /// Move left out of a singular search.
    pub excluded: Option<Move>,
    /// Quiet move that last failed high at this ply.
    pub killer: Option<Move>,
    /// How often children of this ply failed high lately.
    pub cutoffs: u32,
    /// Reduction of the move being searched here, in plies.
    pub reduction: i32,
    /// Squares that the opponent attacked before the move.
    pub threats: Bitboard,
    /// Number of the move in the order in which the moves are searched, from 1; 0 when none was.
    pub number: usize,
    /// Whether the node belongs or belonged to a principal variation.
    pub was_pv: bool,
}

impl Default for Frame {
    fn default() -> Self {
        Self {
            mv: None,
            continuation: NO_CONTINUATION,
            static_eval: NO_SCORE,
            excluded: None,
            killer: None,
            cutoffs: 0,
            reduction: 0,
            threats: Bitboard::EMPTY,
            number: 0,
            was_pv: false,
        }
    }
}

/// The frames of the current line, indexed by ply; a few exist before the root.
pub struct Stack {
    frames: Box<[Frame]>,
}

impl Default for Stack {
    fn default() -> Self {
        Self { frames: vec![Frame::default(); MAX_PLY + BEFORE_ROOT + 4].into_boxed_slice() }
    }
}

impl Stack {
    /// The frame `back` plies before `ply`.
    #[inline]
    pub fn back(&self, ply: usize, back: usize) -> &Frame {
        &self.frames[ply + BEFORE_ROOT - back]
    }

    /// Makes every frame new, for a new search.
    pub fn reset(&mut self) {
        self.frames.fill(Frame::default());
    }
}

impl std::ops::Index<usize> for Stack {
    type Output = Frame;
    #[inline]
    fn index(&self, ply: usize) -> &Frame {
        &self.frames[ply + BEFORE_ROOT]
    }
}

impl std::ops::IndexMut<usize> for Stack {
    #[inline]
    fn index_mut(&mut self, ply: usize) -> &mut Frame {
        &mut self.frames[ply + BEFORE_ROOT]
    }
}

/// A principal variation.
pub type Line = ArrayVec<Move, { MAX_PLY + 2 }>;

/// Principal variations by ply (triangular table).
pub struct Lines {
    lines: Box<[Line]>,
}

impl Default for Lines {
    fn default() -> Self {
        Self { lines: vec![Line::new(); MAX_PLY + 3].into_boxed_slice() }
    }
}

impl Lines {
    /// Empties the line that starts at `ply`.
    #[inline]
    pub fn clear(&mut self, ply: usize) {
        self.lines[ply].clear();
    }

    /// Puts `mv` before the line of the next ply.
    #[inline]
    pub fn extend(&mut self, ply: usize, mv: Move) {
        let (head, tail) = self.lines.split_at_mut(ply + 1);
        let (line, next) = (&mut head[ply], &tail[0]);
        line.clear();
        line.push(mv);
        line.extend(next.iter().copied().take(MAX_PLY));
    }

    /// The line that starts at `ply`.
    #[inline]
    pub fn line(&self, ply: usize) -> &Line {
        &self.lines[ply]
    }
}
