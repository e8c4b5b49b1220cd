//! Sets of squares with ghost columns, and rays.
//!
//! Two rows take eleven bits: five squares, five squares and one ghost bit that is never set. With it
//! the four diagonal steps are the same plain shifts from every square (down left +5, down right +6,
//! up left -6, up right -5), and a step over the left or right edge always falls on a ghost bit, or out
//! of the word, where the intersection with the pieces or the empty squares removes it. A layout
//! without ghosts needs different shifts for odd and even rows; a rotated one needs masks.

use crate::Square;
use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// A set of squares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(pub(crate) u64);

/// The eight lines from a square; the first four are the diagonals, in the order in which a quarter
/// turn adds one. Rows and columns are used by Frisian draughts only.
pub(crate) const SHIFTS: [i32; 8] = [-6, -5, 6, 5, -11, 1, 11, -1];

/// Squares beyond each square in each direction of [`SHIFTS`], by bit position (rows padded to 64 so
/// that a bit position never fails the bounds check).
pub(crate) static RAYS: [[u64; 64]; 8] = rays();

const fn rays() -> [[u64; 64]; 8] {
    let mut table = [[0; 64]; 8];
    let mut direction = 0;
    while direction < 8 {
        let mut bit = 0;
        while bit < 54 {
            let mut ray = 0;
            let mut square = 1u64 << bit & Bitboard::ALL.0;
            while square != 0 {
                square = step(square, direction);
                ray |= square;
            }
            table[direction][bit] = ray;
            bit += 1;
        }
        direction += 1;
    }
    table
}

/// All squares of `squares` moved one step; those that leave the board vanish. Along a row or column a
/// step is two fields of the full board: the next dark one.
pub(crate) const fn step(squares: u64, direction: usize) -> u64 {
    let allowed = match direction {
        5 => squares & !Bitboard::LAST_OF_ROW,
        7 => squares & !Bitboard::FIRST_OF_ROW,
        _ => squares,
    };
    shift(allowed, direction) & Bitboard::ALL.0
}

/// The bare shift of a diagonal step: squares that leave the board end on ghost bits.
#[inline]
pub(crate) const fn shift(squares: u64, direction: usize) -> u64 {
    let shift = SHIFTS[direction];
    if shift > 0 { squares << shift } else { squares >> -shift }
}

/// The set's square nearest to the start of a ray in `direction`; the set must not be empty.
#[inline]
pub(crate) fn nearest(direction: usize, squares: u64) -> u32 {
    if SHIFTS[direction] > 0 { squares.trailing_zeros() } else { 63 - squares.leading_zeros() }
}

impl Bitboard {
    /// No square.
    pub const EMPTY: Self = Self(0);
    /// All 50 squares.
    pub const ALL: Self = Self(0x003F_F7FE_FFDF_FBFF);
    const FIRST_OF_ROW: u64 = Self::rows(1);
    const LAST_OF_ROW: u64 = Self::rows(1) << 4;

    const fn rows(pattern: u64) -> u64 {
        let mut result = 0;
        let mut pair = 0;
        while pair < 5 {
            result |= (pattern | pattern << 5) << (11 * pair);
            pair += 1;
        }
        result
    }

    /// The five squares of a row, 0 at the top to 9.
    pub const fn row(row: usize) -> Self {
        Self(0x1F << (5 * row + row / 2))
    }

    /// Whether there is no square in the set.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Number of squares.
    #[inline]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the square is in the set.
    #[inline]
    pub const fn has(self, square: Square) -> bool {
        self.0 >> square.bit() & 1 != 0
    }

    /// The raw word, in the layout of this module.
    #[inline]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The set turned by half a turn: square 1 becomes 50.
    #[inline]
    pub const fn flip(self) -> Self {
        Self(self.0.reverse_bits() >> 10)
    }
}

impl From<Square> for Bitboard {
    #[inline]
    fn from(square: Square) -> Self {
        Self(1 << square.bit())
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, |set, square| set | Self::from(square))
    }
}

/// Squares of a set in rising order.
pub struct Squares(u64);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let square = Square::from_bit(self.0.trailing_zeros());
        self.0 &= self.0 - 1;
        Some(square)
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self.0)
    }
}

impl BitAnd for Bitboard {
    type Output = Self;
    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Bitboard {
    type Output = Self;
    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitXor for Bitboard {
    type Output = Self;
    #[inline]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

/// The squares that are not in the set (no ghost bits).
impl Not for Bitboard {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self(!self.0 & Self::ALL.0)
    }
}

impl BitAndAssign for Bitboard {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for Bitboard {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitXorAssign for Bitboard {
    #[inline]
    fn bitxor_assign(&mut self, other: Self) {
        self.0 ^= other.0;
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}
