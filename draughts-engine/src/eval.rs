//! Static evaluation by hand-set weights.
//!
//! [`Evaluation`] is the interface that learned weights will fill: whoever searches asks it for a number
//! and knows nothing of what is inside.

use crate::position::Ending;
use crate::{Bitboard, Color, Position};

/// Evaluations stay within this, in hundredths of a man; greater scores are wins found by search.
pub const MOST: i32 = 8000;

/// Weights in hundredths of a man.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluation {
    man: i32,
    king: i32,
    /// Value of the first king when the other side has none.
    first_king: i32,
    /// Per row of advance of a man, with all men on the board and with none.
    advance: (i32, i32),
    /// Per man in the middle columns, and per man on the edge.
    centre: i32,
    edge: i32,
    /// Per pair of neighbouring men, one behind the other.
    link: i32,
    /// Per man of difference between the wings.
    imbalance: i32,
    /// Per quiet move of the men that the opponent cannot answer by a capture at once.
    safe_move: i32,
    /// Per man that cannot step forward.
    blocked: i32,
    /// Per man kept on the home row while the opponent has men.
    home: i32,
    /// For a man that nothing can stop on its way to the last row, less per step that is missing.
    runner: (i32, i32),
    /// Per king on the long diagonal.
    main_line: i32,
    /// Per square that a king can reach.
    king_move: i32,
}

impl Default for Evaluation {
    fn default() -> Self {
        Self {
            man: 100,
            king: 260,
            first_king: 40,
            advance: (1, 4),
            centre: 3,
            edge: -3,
            link: 2,
            imbalance: -3,
            safe_move: 3,
            blocked: -2,
            home: 4,
            runner: (60, 12),
            main_line: 20,
            king_move: 1,
        }
    }
}

/// Columns 3 to 6 of the ten.
const CENTRE: Bitboard = columns(3, 6);
/// The outer columns.
const EDGE: Bitboard = Bitboard(columns(0, 0).0 | columns(9, 9).0);
/// The wings: three columns each.
const LEFT: Bitboard = columns(0, 3);
const RIGHT: Bitboard = columns(6, 9);
/// The squares of each row.
const ROWS: [u64; 10] = rows();
/// From 5 to 46.
const MAIN_LINE: Bitboard = main_line();

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

const fn rows() -> [u64; 10] {
    let mut rows = [0; 10];
    let mut row = 0;
    while row < 10 {
        rows[row] = Bitboard::row(row).0;
        row += 1;
    }
    rows
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
struct Side {
    men: u64,
    kings: u64,
    other: u64,
    other_men: u64,
    empty: u64,
}

impl Side {
    fn new(position: &Position, color: Color) -> Self {
        let turn = |set: Bitboard| if color == Color::White { set.0 } else { set.flip().0 };
        let (own, other) = (position.pieces(color), position.pieces(!color));
        let kings = position.all_kings();
        Self {
            men: turn(own & !kings),
            kings: turn(own & kings),
            other: turn(other),
            other_men: turn(other & !kings),
            empty: turn(position.empty()),
        }
    }

    /// Squares where a man that has just arrived by a step from below could be jumped over.
    fn exposed(&self) -> u64 {
        let (other, empty) = (self.other, self.empty);
        ((other << 6) & (empty >> 6))
            | ((other << 5) & (empty >> 5))
            | ((other >> 6) & (empty << 6))
            | ((other >> 5) & (empty << 5))
    }
}

impl Evaluation {
    /// The value of a position for the side to move, in hundredths of a man, within ±[`MOST`].
    pub fn evaluate(&self, position: &Position) -> i32 {
        let white = Side::new(position, Color::White);
        let black = Side::new(position, Color::Black);
        let men = (white.men.count_ones() + black.men.count_ones()) as i32;
        let mut score = self.side(&white, men) - self.side(&black, men);
        if (white.kings == 0) != (black.kings == 0) {
            score += if white.kings != 0 { self.first_king } else { -self.first_king };
        }
        score = scaled(score, position, &white, &black);
        let score = if position.turn() == Color::White { score } else { -score };
        score.clamp(-MOST, MOST)
    }

    fn side(&self, side: &Side, men_on_board: i32) -> i32 {
        let count = |set: u64| set.count_ones() as i32;
        let men = side.men;
        let mut score = self.man * count(men) + self.king * count(side.kings);

        let mut rows = 0;
        for (steps, row) in (1..).zip(ROWS[1..9].iter().rev()) {
            rows += steps * count(men & row);
        }
        // Scaled by 40, the men at the start.
        score += rows * (self.advance.0 * men_on_board + self.advance.1 * (40 - men_on_board)) / 40;

        score += self.centre * count(men & CENTRE.0) + self.edge * count(men & EDGE.0);
        score += self.link * (count(men & (men >> 5)) + count(men & (men >> 6)));
        score += self.imbalance * (count(men & LEFT.0) - count(men & RIGHT.0)).abs();

        let (left, right) = ((men >> 6) & side.empty, (men >> 5) & side.empty);
        let exposed = side.exposed();
        score += self.safe_move * (count(left & !exposed) + count(right & !exposed));
        score += self.blocked * count(men & !(left << 6) & !(right << 5));

        if side.other_men != 0 {
            score += self.home * count(men & ROWS[9]);
        }
        if side.kings == 0 {
            score += self.runner(side);
        } else {
            score += self.main_line * count(side.kings & MAIN_LINE.0);
            score += self.king_move * mobility(side.kings, side.empty);
        }
        score
    }

    /// The man nearest to the last row whose whole way, as wide as it may become, is free of the other
    /// side's pieces.
    fn runner(&self, side: &Side) -> i32 {
        for (row, squares) in ROWS.iter().enumerate().take(6).skip(1) {
            let mut left = side.men & squares;
            while left != 0 {
                let man = left & left.wrapping_neg();
                left ^= man;
                let mut way = man;
                let mut free = true;
                for _ in 0..row {
                    way = ((way >> 5) | (way >> 6)) & Bitboard::ALL.0;
                    free &= way & !side.empty == 0;
                }
                if free {
                    return self.runner.0 - self.runner.1 * row as i32;
                }
            }
        }
        0
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

/// Small endings against a king are mostly drawn: a king that holds the long diagonal cannot be caught,
/// and few pieces do not catch any.
fn scaled(score: i32, position: &Position, white: &Side, black: &Side) -> i32 {
    let defender = if score > 0 { black } else { white };
    if defender.kings == 0 {
        return score;
    }
    let attackers = position.pieces(if score > 0 { Color::White } else { Color::Black }).count();
    let defenders = position.pieces(if score > 0 { Color::Black } else { Color::White }).count();
    match position.ending().0 {
        Ending::TwoToOne => score / 16,
        Ending::ThreeToOne => score / 4,
        Ending::None if attackers <= defenders + 2 => {
            let holds = (defender.kings & MAIN_LINE.0) != 0;
            score / if holds { 4 } else { 2 }
        }
        Ending::None => score,
    }
}
