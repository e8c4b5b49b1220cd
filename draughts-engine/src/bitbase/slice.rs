//! Slices of material, and the numbering of the positions of a slice.
//!
//! A position's number is made of four ranks of combinations, the last of which varies fastest: men of the
//! side to move among their 45 squares, men of the other side among theirs, kings of the side to move
//! among the squares without men, kings of the other side among what is left. Only men of both sides on
//! one square leave a hole.

use crate::bitboard::Bitboard;
use crate::{Color, Position};
use std::fmt;
use std::str::FromStr;

/// Tables with more pieces cannot be made.
pub const MOST_PIECES: u32 = 5;

/// The material of a position: what the side to move has, and the other side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Slice {
    /// Men of the side to move and of the other.
    pub men: [u8; 2],
    /// Kings of the side to move and of the other.
    pub kings: [u8; 2],
}

/// The pieces of a position, the side to move first and seen as White.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Board {
    pub(super) men: [u64; 2],
    pub(super) kings: [u64; 2],
}

impl Board {
    /// The pieces of a position.
    #[inline]
    pub fn of(position: &Position) -> Self {
        let (own, other) = (position.turn(), !position.turn());
        let board = Self {
            men: [position.men(own).bits(), position.men(other).bits()],
            kings: [position.kings(own).bits(), position.kings(other).bits()],
        };
        if own == Color::White { board } else { board.map(turn) }
    }

    /// A position with these pieces and White to move.
    #[inline]
    pub fn position(&self) -> Position {
        let side = |n: usize| Bitboard(self.men[n] | self.kings[n]);
        Position::assemble([side(0), side(1)], Bitboard(self.kings[0] | self.kings[1]), Color::White)
    }

    /// The same pieces with the other side to move.
    #[inline]
    pub fn passed(&self) -> Self {
        Self { men: [self.men[1], self.men[0]], kings: [self.kings[1], self.kings[0]] }.map(turn)
    }

    fn map(self, f: impl Fn(u64) -> u64) -> Self {
        Self { men: self.men.map(&f), kings: self.kings.map(&f) }
    }

    /// The material.
    #[inline]
    pub fn slice(&self) -> Slice {
        let count = |set: u64| set.count_ones() as u8;
        Slice { men: self.men.map(count), kings: self.kings.map(count) }
    }
}

#[inline]
fn turn(set: u64) -> u64 {
    Bitboard(set).flip().bits()
}

/// Binomial coefficients `CHOOSE[n][k]`.
const CHOOSE: [[u64; 6]; 51] = {
    let mut table = [[0; 6]; 51];
    let mut n = 0;
    while n <= 50 {
        table[n][0] = 1;
        let mut k = 1;
        while k < 6 && n > 0 {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

/// Numbers the combinations of any size in the order of their greatest members.
#[inline]
fn rank(mut set: u64, index: impl Fn(u32) -> usize) -> u64 {
    let (mut sum, mut k) = (0, 1);
    while set != 0 {
        sum += CHOOSE[index(set.trailing_zeros())][k];
        set &= set - 1;
        k += 1;
    }
    sum
}

/// Calls `f` with the members of the combination of `size` among `of` with a number, the greatest first.
#[inline]
fn unrank(mut number: u64, size: u8, of: usize, mut f: impl FnMut(usize)) {
    let mut below = of;
    for k in (1..=usize::from(size)).rev() {
        below -= 1;
        while CHOOSE[below][k] > number {
            below -= 1;
        }
        number -= CHOOSE[below][k];
        f(below);
    }
}

/// The number of a bit's square, 0 to 49.
#[inline]
fn dense(bit: u32) -> usize {
    (bit - bit / 11) as usize
}

/// The bit of a square's number, 0 to 49.
#[inline]
fn sparse(square: usize) -> u64 {
    1 << (square + square / 10)
}

impl Slice {
    /// All slices with `pieces` pieces in which both sides have one; first those whose men have all been
    /// crowned, so that crowning leads to a slice that came before.
    pub fn all(pieces: u32) -> Vec<Self> {
        let n = pieces as u8;
        let mut slices = Vec::new();
        for own in 1..n {
            for own_men in 0..=own {
                for other_men in 0..=n - own {
                    let kings = [own - own_men, n - own - other_men];
                    slices.push(Self { men: [own_men, other_men], kings });
                }
            }
        }
        slices.sort_by_key(|slice| (slice.men[0] + slice.men[1], *slice));
        slices
    }

    /// The slice with the other side to move.
    #[inline]
    pub const fn passed(self) -> Self {
        Self { men: [self.men[1], self.men[0]], kings: [self.kings[1], self.kings[0]] }
    }

    /// Number of pieces.
    #[inline]
    pub const fn pieces(self) -> u32 {
        (self.men[0] + self.men[1] + self.kings[0] + self.kings[1]) as u32
    }

    /// Number of men.
    #[inline]
    pub const fn all_men(self) -> u32 {
        (self.men[0] + self.men[1]) as u32
    }

    /// Number of [`slot`](Self::slot)s.
    pub(super) const SLOTS: usize = 5 * 5 * 5 * 5;

    /// A number of its own for each proper slice.
    #[inline]
    pub(super) fn slot(self) -> usize {
        let numbers = [self.men[0], self.kings[0], self.men[1], self.kings[1]];
        numbers.iter().fold(0, |slot, &number| 5 * slot + usize::from(number))
    }

    /// The slices to which captures and crownings lead, those without pieces of a side left out.
    pub fn below(self) -> Vec<Self> {
        let mut below = Vec::new();
        for men in 0..=self.men[1] {
            for kings in 0..=self.kings[1] {
                for crowned in 0..=self.men[0].min(1) {
                    let next =
                        Self { men: [men, self.men[0] - crowned], kings: [kings, self.kings[0] + crowned] };
                    if men + kings > 0 && next != self.passed() {
                        below.push(next);
                    }
                }
            }
        }
        below
    }

    /// How many places each of the four ranks has.
    #[inline]
    const fn places(self) -> [u64; 4] {
        let free = 50 - self.all_men() as usize;
        [
            CHOOSE[45][self.men[0] as usize],
            CHOOSE[45][self.men[1] as usize],
            CHOOSE[free][self.kings[0] as usize],
            CHOOSE[free - self.kings[0] as usize][self.kings[1] as usize],
        ]
    }

    /// Numbers run from 0 to one less than this. Only for slices of [`Slice::all`].
    #[inline]
    pub const fn size(self) -> u64 {
        let places = self.places();
        places[0] * places[1] * places[2] * places[3]
    }

    /// Whether it is one of [`Slice::all`] for a number of pieces that tables can have.
    pub fn is_proper(self) -> bool {
        let side = |n: usize| u32::from(self.men[n]) + u32::from(self.kings[n]);
        side(0) >= 1 && side(1) >= 1 && side(0) + side(1) <= MOST_PIECES
    }

    /// The number of a board of this slice.
    #[inline]
    pub fn index(self, board: &Board) -> u64 {
        let places = self.places();
        let men = board.men[0] | board.men[1];
        let free = |taken: u64| move |bit: u32| dense(bit) - (taken & ((1 << bit) - 1)).count_ones() as usize;
        let mut index = rank(board.men[0], |bit| dense(bit) - 5);
        index = index * places[1] + rank(board.men[1], dense);
        index = index * places[2] + rank(board.kings[0], free(men));
        index * places[3] + rank(board.kings[1], free(men | board.kings[0]))
    }

    /// The board with a number below [`size`](Self::size); `None` for a hole.
    #[inline]
    pub fn board(self, index: u64) -> Option<Board> {
        let places = self.places();
        let (rest, last) = (index / places[3], index % places[3]);
        let (rest, third) = (rest / places[2], rest % places[2]);
        let (first, second) = (rest / places[1], rest % places[1]);
        let mut board = Board { men: [0; 2], kings: [0; 2] };
        unrank(first, self.men[0], 45, |square| board.men[0] |= sparse(square + 5));
        unrank(second, self.men[1], 45, |square| board.men[1] |= sparse(square));
        if board.men[0] & board.men[1] != 0 {
            return None;
        }
        let mut free = 50 - self.all_men() as usize;
        for (side, number) in [third, last].into_iter().enumerate() {
            let taken = board.men[0] | board.men[1] | board.kings[0];
            unrank(number, self.kings[side], free, |place| board.kings[side] |= nth_free(place, taken));
            free -= usize::from(self.kings[side]);
        }
        Some(board)
    }
}

/// The free square with `place` free squares before it.
#[inline]
fn nth_free(place: usize, taken: u64) -> u64 {
    let mut square = place;
    for bit in Bitboard(taken) {
        square += usize::from(bit.index() <= square);
    }
    sparse(square)
}

impl fmt::Display for Slice {
    /// Men and kings of the side to move, then of the other: `1102`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}{}", self.men[0], self.kings[0], self.men[1], self.kings[1])
    }
}

/// The text is no name of a slice.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not four digits: men and kings of the side to move, then of the other side")]
pub struct SliceError;

impl FromStr for Slice {
    type Err = SliceError;

    fn from_str(text: &str) -> Result<Self, SliceError> {
        let digits: Vec<u8> = text.bytes().map(|byte| byte.wrapping_sub(b'0')).collect();
        match digits[..] {
            [a, b, c, d] if [a, b, c, d].iter().all(|&digit| digit < 10) => {
                let slice = Self { men: [a, c], kings: [b, d] };
                if slice.is_proper() { Ok(slice) } else { Err(SliceError) }
            }
            _ => Err(SliceError),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_boards_are_inverse() {
        for pieces in 2..=4 {
            for slice in Slice::all(pieces) {
                let step = 1 + slice.size() / 3000;
                for index in (0..slice.size()).step_by(step as usize) {
                    if let Some(board) = slice.board(index) {
                        assert_eq!((board.slice(), slice.index(&board)), (slice, index));
                        assert_eq!(Board::of(&board.position()), board);
                        assert_eq!(board.passed().passed(), board);
                    }
                }
            }
        }
    }

    #[test]
    fn positions_are_as_many_as_published() {
        let count = |pieces| -> usize {
            let slices = Slice::all(pieces);
            slices.iter().map(|slice| (0..slice.size()).filter_map(|n| slice.board(n)).count()).sum()
        };
        assert_eq!(count(2), 8845);
        assert_eq!(count(3), 806_300);
    }
}
