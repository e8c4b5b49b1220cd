//! Static evaluation by a short list of terms with two weights each.
//!
//! [`Evaluation`] is the interface that learned weights will fill: whoever searches asks it for a number
//! and knows nothing of what is inside.
//!
//! A position is described by counting terms for each side, as that side sees the board.
//! A term is worth one weight with all forty men on the board and another with none, and in between in
//! proportion. The weights were fitted to the results of games of the engine against itself.

mod weights;

use crate::position::Ending;
use crate::{Bitboard, Color, Position, Square};
use weights::WEIGHTS;

/// Evaluations stay within this, in hundredths of a man; greater scores are wins found by search.
pub const MOST: i32 = 8000;

/// Number of terms.
pub const TERMS: usize = HOME + 32;

/// Where each group of terms begins. Men by square come first.
const KING: usize = Square::NUM;
/// Kings on the line from 5 to 46.
const MAIN_LINE_KING: usize = KING + 1;
/// Squares that kings can go to.
const KING_MOVES: usize = KING + 2;
/// Kings where the other side has none.
const ONLY_KINGS: usize = KING + 3;
/// Men more on one wing than on the other.
const IMBALANCE: usize = KING + 4;
/// Steps of men onto squares where they cannot be taken, all steps, and men without a step.
const SAFE_STEPS: usize = KING + 5;
const STEPS: usize = KING + 6;
const BLOCKED: usize = KING + 7;
/// To move.
const TO_MOVE: usize = KING + 8;
/// Pairs of men side by side; behind each other at one and two steps; one row apart two columns over.
const PAIRS: usize = KING + 9;
/// Three men in a line; a man with two behind it; a man with two before it.
const TRIPLES: usize = PAIRS + 6;
/// Men in contact with a piece of the other side ahead, with a man behind.
const BACKED: usize = TRIPLES + 4;
/// A man that nothing can stop, by steps to go.
const RUNNER: usize = BACKED + 2;
/// The home row as a pattern of five men, while the other side has men.
const HOME: usize = RUNNER + 6;

const LEFT: Bitboard = columns(0, 3);
const RIGHT: Bitboard = columns(6, 9);
/// From 5 to 46.
const MAIN_LINE: Bitboard = main_line();
/// The last square of each row.
const LAST_OF_ROW: u64 = columns(8, 9).0;

const fn columns(first: usize, last: usize) -> Bitboard {
    let mut set = 0;
    let mut number = 1;
    while number <= 50 {
        if let Some(square) = Square::new(number)
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
        if let Some(square) = Square::new(number) {
            set |= 1 << square.bit();
        }
        number += if (number - 1) / 5 % 2 == 0 { 5 } else { 4 };
    }
    Bitboard(set)
}

/// The evaluation.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// In hundredths of a man: with forty men on the board, and with none.
    weights: [(i16, i16); TERMS],
}

impl Default for Evaluation {
    fn default() -> Self {
        Self { weights: WEIGHTS }
    }
}

impl Evaluation {
    /// The value of a position for the side to move, in hundredths of a man, within ±[`MOST`].
    pub fn evaluate(&self, position: &Position) -> i32 {
        let own = Side::new(position, position.turn());
        let other = Side::new(position, !position.turn());
        let (mut full, mut bare) = (0, 0);
        own.terms(|term, count| {
            full += count * i32::from(self.weights[term].0);
            bare += count * i32::from(self.weights[term].1);
        });
        other.terms(|term, count| {
            full -= count * i32::from(self.weights[term].0);
            bare -= count * i32::from(self.weights[term].1);
        });
        full += i32::from(self.weights[TO_MOVE].0);
        bare += i32::from(self.weights[TO_MOVE].1);
        let men = (own.men.count_ones() + other.men.count_ones()) as i32;
        let score = (full * men + bare * (40 - men)) / 40;
        scaled(score, position, &own, &other).clamp(-MOST, MOST)
    }
}

/// Calls `term` with every term of a position, as numbers of the side to move less those of the other:
/// for fitting the weights. The same term may come several times.
pub fn terms(position: &Position, mut term: impl FnMut(usize, i32)) {
    Side::new(position, position.turn()).terms(&mut term);
    Side::new(position, !position.turn()).terms(|index, count| term(index, -count));
    term(TO_MOVE, 1);
}

/// One side's pieces as seen by itself: its men move towards row 0.
struct Side {
    men: u64,
    kings: u64,
    other: u64,
    other_has_men: bool,
    other_has_kings: bool,
    empty: u64,
}

impl Side {
    fn new(position: &Position, color: Color) -> Self {
        let turn = |set: Bitboard| if color == Color::White { set.0 } else { set.flip().0 };
        Self {
            men: turn(position.men(color)),
            kings: turn(position.kings(color)),
            other: turn(position.pieces(!color)),
            other_has_men: !position.men(!color).is_empty(),
            other_has_kings: !position.kings(!color).is_empty(),
            empty: turn(position.empty()),
        }
    }

    /// Calls `term` with each term and its count.
    #[inline(always)]
    fn terms(&self, mut term: impl FnMut(usize, i32)) {
        let count = |set: u64| set.count_ones() as i32;
        let (men, other, empty) = (self.men, self.other, self.empty);
        for square in Bitboard(men) {
            term(square.index(), 1);
        }
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

        let beside = men & (men >> 1) & !LAST_OF_ROW;
        term(PAIRS, count(beside));
        for (n, shift) in [5, 6, 10, 11, 12].into_iter().enumerate() {
            term(PAIRS + 1 + n, count(men & (men >> shift)));
        }
        term(TRIPLES, count(men & (men >> 5) & (men >> 10)));
        term(TRIPLES + 1, count(men & (men >> 6) & (men >> 12)));
        term(TRIPLES + 2, count(men & (men >> 5) & (men >> 6)));
        term(TRIPLES + 3, count(men & (men << 5) & (men << 6)));
        for (n, shift) in [5, 6].into_iter().enumerate() {
            term(BACKED + n, count(men & (other << shift) & (men >> shift)));
        }

        if self.other_has_men {
            term(HOME + (men >> 49 & 31) as usize, 1);
        }
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

/// Small endings against a king are mostly drawn: a king that holds the long diagonal cannot be caught,
/// and few pieces do not catch any.
fn scaled(score: i32, position: &Position, own: &Side, other: &Side) -> i32 {
    let (ahead, behind) = if score > 0 { (own, other) } else { (other, own) };
    if behind.kings == 0 {
        return score;
    }
    match position.ending().0 {
        Ending::TwoToOne => score / 16,
        Ending::ThreeToOne => score / 4,
        Ending::None => {
            let attackers = (ahead.men | ahead.kings).count_ones();
            let defenders = (behind.men | behind.kings).count_ones();
            let holds = behind.kings & MAIN_LINE.0 != 0;
            if attackers > defenders + 2 {
                score
            } else if holds {
                score / 4
            } else {
                score / 2
            }
        }
    }
}
