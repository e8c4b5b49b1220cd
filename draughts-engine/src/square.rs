//! Squares in Manoury's numbering, stored as bit positions of the ghost-column layout.

use std::fmt;

/// One of the 50 dark squares. It holds the bit position of the square in a [`Bitboard`]
/// (see there for the layout), so that no translation is needed between moves and boards.
///
/// [`Bitboard`]: crate::Bitboard
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// Number of squares.
    pub const NUM: usize = 50;

    /// The square with Manoury's number `number`, 1 (top left) to 50 (bottom right).
    pub const fn new(number: u8) -> Option<Self> {
        if number >= 1 && number <= 50 { Some(Self(number - 1 + (number - 1) / 10)) } else { None }
    }

    /// The square of a bit position; the caller guarantees that the bit is a board square.
    #[inline]
    pub(crate) const fn from_bit(bit: u32) -> Self {
        debug_assert!(bit < 54 && bit % 11 != 10);
        Self(bit as u8)
    }

    /// All squares, from 1 to 50.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0u8..50).map(|i| Self(i + i / 10))
    }

    /// The bit position, 0 to 53 without 10, 21, 32 and 43.
    #[inline]
    pub const fn bit(self) -> usize {
        self.0 as usize
    }

    /// The number less one, 0 to 49.
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 - self.0 / 11) as usize
    }

    /// Manoury's number, 1 to 50.
    #[inline]
    pub const fn number(self) -> u8 {
        self.index() as u8 + 1
    }

    /// The row, 0 at the top (squares 1-5) to 9.
    #[inline]
    pub const fn row(self) -> usize {
        self.index() / 5
    }

    /// The column of the 10x10 board, 0 at the left to 9.
    #[inline]
    pub const fn column(self) -> usize {
        2 * (self.index() % 5) + 1 - self.row() % 2
    }

    /// The square as the other side sees it: 1 becomes 50.
    #[inline]
    pub const fn flip(self) -> Self {
        Self(53 - self.0)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number().fmt(f)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number().fmt(f)
    }
}
