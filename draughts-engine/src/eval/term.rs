//! Terms: things about a position that can be counted for each side, as that side sees the board.

use crate::position::Position;
use crate::{Bitboard, Color};

/// Number of terms.
pub const TERMS: usize = RUNNER + 6;

/// Kings.
pub const KING: usize = 0;
/// Kings on the line from 5 to 46.
const MAIN_LINE_KING: usize = 1;
/// Squares that kings can go to.
const KING_MOVES: usize = 2;
/// Kings where the other side has none.
const ONLY_KINGS: usize = 3;
/// Men more on one wing than on the other.
const IMBALANCE: usize = 4;
/// Steps of men onto squares where they cannot be taken, all steps, and men without a step.
const SAFE_STEPS: usize = 5;
const STEPS: usize = 6;
const BLOCKED: usize = 7;
/// To move.
pub const TO_MOVE: usize = 8;
/// A man that nothing can stop, by steps to go.
const RUNNER: usize = 9;

const LEFT: Bitboard = columns(0, 3);
const RIGHT: Bitboard = columns(6, 9);
/// From 5 to 46.
pub const MAIN_LINE: Bitboard = main_line();

const fn columns(first: usize, last: usize) -> Bitboard {
    let mut set = 0;
    let mut number = 1;
    while number <= 50 {
        if let Some(square) = crate::Square::new(number)
            && square.column() >= first
            && square.column() <= last
        {
            set |= 1 << square.bit();
        }
        number += 1;
    }
    Bitboard(set)
}

const fn main_line() -> Bitboard {
    let mut set = 0;
    let mut number = 5;
    while number <= 46 {
        // Down left: 5, 10, 14, 19, 23, 28, 32, 37, 41, 46.
        if let Some(square) = crate::Square::new(number) {
            set |= 1 << square.bit();
        }
        number += if (number - 1) / 5 % 2 == 0 { 5 } else { 4 };
    }
    Bitboard(set)
}

/// One side's pieces as seen by itself: its men move towards row 0.
pub struct Side {
    /// Its men.
    pub men: u64,
    /// Its kings.
    pub kings: u64,
    /// The other side's men.
    pub other_men: u64,
    other: u64,
    other_has_kings: bool,
    empty: u64,
}

impl Side {
    /// The pieces of `color`.
    pub fn new(position: &Position, color: Color) -> Self {
        let turn = |set: Bitboard| if color == Color::White { set.0 } else { set.flip().0 };
        Self {
            men: turn(position.men(color)),
            kings: turn(position.kings(color)),
            other_men: turn(position.men(!color)),
            other: turn(position.pieces(!color)),
            other_has_kings: !position.kings(!color).is_empty(),
            empty: turn(position.empty()),
        }
    }

    /// Calls `term` with each term and its count. The same term may come several times.
    #[inline(always)]
    pub fn terms(&self, mut term: impl FnMut(usize, i32)) {
        let count = |set: u64| set.count_ones() as i32;
        let (men, other, empty) = (self.men, self.other, self.empty);
        term(IMBALANCE, (count(men & LEFT.0) - count(men & RIGHT.0)).abs());

        let (left, right) = ((men >> 6) & empty, (men >> 5) & empty);
        // Where a man that arrives could be jumped over.
        let exposed = ((other << 6) & (empty >> 6))
            | ((other << 5) & (empty >> 5))
            | ((other >> 6) & (empty << 6))
            | ((other >> 5) & (empty << 5));
        term(SAFE_STEPS, count(left & !exposed) + count(right & !exposed));
        term(STEPS, count(left) + count(right));
        term(BLOCKED, count(men & !(left << 6) & !(right << 5)));

        if !self.other_has_kings
            && let Some(steps) = self.runner()
        {
            term(RUNNER + steps, 1);
        }
        if self.kings != 0 {
            term(KING, count(self.kings));
            term(MAIN_LINE_KING, count(self.kings & MAIN_LINE.0));
            term(KING_MOVES, mobility(self.kings, empty));
            term(ONLY_KINGS, i32::from(!self.other_has_kings));
        }
    }

    /// Steps to go of the foremost man whose whole way, as wide as it may become, is free of pieces.
    fn runner(&self) -> Option<usize> {
        (1..6).find(|&row| {
            Bitboard(self.men & Bitboard::row(row).0).into_iter().any(|man| {
                let mut way = 1 << man.bit();
                (0..row).all(|_| {
                    way = (way >> 5 | way >> 6) & Bitboard::ALL.0;
                    way & !self.empty == 0
                })
            })
        })
    }
}

/// Squares that kings can reach in one quiet move.
fn mobility(kings: u64, empty: u64) -> i32 {
    reach(kings, empty, |set| set >> 6)
        + reach(kings, empty, |set| set >> 5)
        + reach(kings, empty, |set| set << 6)
        + reach(kings, empty, |set| set << 5)
}

/// The empty squares in one direction up to the first piece, counted for all kings at once.
#[inline(always)]
fn reach(kings: u64, empty: u64, step: impl Fn(u64) -> u64) -> i32 {
    let mut total = 0;
    let mut front = step(kings) & empty;
    while front != 0 {
        total += front.count_ones();
        front = step(front) & empty;
    }
    total as i32
}
