use std::fmt;
use std::str::FromStr;

use super::{Bitboard, Color};

/// A column of the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[expect(missing_docs, reason = "the names say it")]
pub enum File {
    A,
    B,
    C,
    D,
    E,
    F,
    G,
    H,
}

impl File {
    /// How many files there are.
    pub const NUM: usize = 8;
    /// All files from a to h.
    pub const ALL: [Self; Self::NUM] =
        [Self::A, Self::B, Self::C, Self::D, Self::E, Self::F, Self::G, Self::H];

    /// 0 for the a-file to 7 for the h-file.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The inverse of [`File::index`]; `None` from 8 on.
    #[inline]
    pub const fn from_index(index: usize) -> Option<Self> {
        if index < Self::NUM { Some(Self::ALL[index]) } else { None }
    }

    /// The squares of the file.
    #[inline]
    pub const fn bb(self) -> Bitboard {
        Bitboard(0x0101_0101_0101_0101 << self as u8)
    }

    /// The letter, in lower case.
    pub const fn to_char(self) -> char {
        (b'a' + self as u8) as char
    }

    /// Reads a letter in either case.
    pub fn from_char(letter: char) -> Option<Self> {
        let letter = letter.to_ascii_lowercase();
        ('a'..='h').contains(&letter).then(|| Self::ALL[letter as usize - 'a' as usize])
    }
}

/// A row of the board, counted from White's side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Rank {
    R1,
    R2,
    R3,
    R4,
    R5,
    R6,
    R7,
    R8,
}

impl Rank {
    /// How many ranks there are.
    pub const NUM: usize = 8;
    /// All ranks from 1 to 8.
    pub const ALL: [Self; Self::NUM] =
        [Self::R1, Self::R2, Self::R3, Self::R4, Self::R5, Self::R6, Self::R7, Self::R8];

    /// 0 for the first rank to 7 for the eighth.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The inverse of [`Rank::index`]; `None` from 8 on.
    #[inline]
    pub const fn from_index(index: usize) -> Option<Self> {
        if index < Self::NUM { Some(Self::ALL[index]) } else { None }
    }

    /// The squares of the rank.
    #[inline]
    pub const fn bb(self) -> Bitboard {
        Bitboard(0xff << (8 * self as u8))
    }

    /// The rank as `color` counts it: rank 1 is the own first rank.
    #[inline]
    pub const fn relative(self, color: Color) -> Self {
        match color {
            Color::White => self,
            Color::Black => Self::ALL[7 - self.index()],
        }
    }

    /// The digit.
    pub const fn to_char(self) -> char {
        (b'1' + self as u8) as char
    }

    /// Reads a digit from 1 to 8.
    pub fn from_char(digit: char) -> Option<Self> {
        ('1'..='8').contains(&digit).then(|| Self::ALL[digit as usize - '1' as usize])
    }
}

/// A square; its index is `rank * 8 + file`. `Option<Square>` is one byte.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[rustfmt::skip]
#[expect(missing_docs, reason = "the names say it")]
pub enum Square {
    A1, B1, C1, D1, E1, F1, G1, H1,
    A2, B2, C2, D2, E2, F2, G2, H2,
    A3, B3, C3, D3, E3, F3, G3, H3,
    A4, B4, C4, D4, E4, F4, G4, H4,
    A5, B5, C5, D5, E5, F5, G5, H5,
    A6, B6, C6, D6, E6, F6, G6, H6,
    A7, B7, C7, D7, E7, F7, G7, H7,
    A8, B8, C8, D8, E8, F8, G8, H8,
}

impl Square {
    /// How many squares there are.
    pub const NUM: usize = 64;
    /// All squares from a1, b1 to h8.
    #[rustfmt::skip]
    pub const ALL: [Self; Self::NUM] = {
        use Square::*;
        [
            A1, B1, C1, D1, E1, F1, G1, H1,
            A2, B2, C2, D2, E2, F2, G2, H2,
            A3, B3, C3, D3, E3, F3, G3, H3,
            A4, B4, C4, D4, E4, F4, G4, H4,
            A5, B5, C5, D5, E5, F5, G5, H5,
            A6, B6, C6, D6, E6, F6, G6, H6,
            A7, B7, C7, D7, E7, F7, G7, H7,
            A8, B8, C8, D8, E8, F8, G8, H8,
        ]
    };

    /// The square where a file and a rank cross.
    #[inline]
    pub const fn new(file: File, rank: Rank) -> Self {
        Self::masked(rank as u8 * 8 + file as u8)
    }

    /// The square of the low six bits.
    #[inline]
    pub(crate) const fn masked(bits: u8) -> Self {
        // SAFETY: the enum has the 64 discriminants 0 to 63, and the mask keeps nothing above.
        unsafe { std::mem::transmute::<u8, Self>(bits & 63) }
    }

    /// Its file.
    #[inline]
    pub const fn file(self) -> File {
        File::ALL[(self as u8 & 7) as usize]
    }

    /// Its rank.
    #[inline]
    pub const fn rank(self) -> Rank {
        Rank::ALL[(self as u8 >> 3) as usize]
    }

    /// 0 for a1, 1 for b1, 63 for h8.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The inverse of [`Square::index`]; `None` from 64 on.
    #[inline]
    pub const fn from_index(index: usize) -> Option<Self> {
        if index < Self::NUM { Some(Self::masked(index as u8)) } else { None }
    }

    /// Mirrored at the middle line between the ranks 4 and 5.
    #[inline]
    pub const fn flip_rank(self) -> Self {
        Self::masked(self as u8 ^ 56)
    }

    /// Mirrored at the middle line between the files d and e.
    #[inline]
    pub const fn flip_file(self) -> Self {
        Self::masked(self as u8 ^ 7)
    }

    /// The square as `color` sees it: Black's a8 is a1.
    #[inline]
    pub const fn relative(self, color: Color) -> Self {
        match color {
            Color::White => self,
            Color::Black => self.flip_rank(),
        }
    }

    /// The set of this one square.
    #[inline]
    pub const fn bb(self) -> Bitboard {
        Bitboard(1 << self as u8)
    }

    /// The square `files` to the right and `ranks` up, unless that is off the board.
    #[inline]
    pub const fn try_offset(self, files: i8, ranks: i8) -> Option<Self> {
        let file = (self as u8 & 7) as i8 + files;
        let rank = (self as u8 >> 3) as i8 + ranks;
        if file < 0 || file > 7 || rank < 0 || rank > 7 {
            return None;
        }
        Some(Self::masked((rank * 8 + file) as u8))
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file().to_char(), self.rank().to_char())
    }
}

/// The text is not the name of a square (`a1` to `h8`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not a square: expected a1 to h8")]
pub struct ParseSquareError;

impl FromStr for Square {
    type Err = ParseSquareError;

    /// Reads `a1` to `h8`, in lower case.
    fn from_str(text: &str) -> Result<Self, ParseSquareError> {
        let &[file @ b'a'..=b'h', rank @ b'1'..=b'8'] = text.as_bytes() else {
            return Err(ParseSquareError);
        };
        Ok(Self::masked((rank - b'1') * 8 + (file - b'a')))
    }
}
