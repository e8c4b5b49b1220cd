//! Legal moves.

use crate::bitboard::{RAYS, nearest, shift, step};
use crate::{Bitboard, Color, Move, Position, Rules, Square};
use smallvec::SmallVec;

/// A list of moves; longer lists than usual go to the heap.
pub type MoveList = SmallVec<[Move; 48]>;

/// All legal moves: the captures with the most victims (in Frisian the greatest value) if there is a
/// capture, else the quiet moves. Each move once. In breakthrough there is none once a king stands.
pub fn legal_moves<R: Rules>(position: &Position) -> MoveList {
    let mut list = MoveList::new();
    generate::<R>(position, &mut list);
    list
}

/// Like [`legal_moves`], into a list that is emptied first.
pub fn generate<R: Rules>(position: &Position, list: &mut MoveList) {
    list.clear();
    if R::BREAKTHROUGH && !position.all_kings().is_empty() {
        return;
    }
    generate_captures::<R>(position, list);
    if list.is_empty() {
        generate_quiet::<R>(position, list);
    }
}

/// Only the legal captures, into a list that the caller has emptied.
pub fn generate_captures<R: Rules>(position: &Position, list: &mut MoveList) {
    let own = position.pieces(position.turn());
    let other = position.pieces(!position.turn());
    Captures::<R>::new(own.0, other.0, position.all_kings().0, list).run();
}

/// The captures of men only (no king on the board), for counting.
pub(crate) fn captures_of_men<R: Rules>(own: u64, other: u64, list: &mut MoveList) {
    Captures::<R>::new(own, other, 0, list).run();
}

/// Only the quiet moves, whether or not there is a capture.
pub fn generate_quiet<R: Rules>(position: &Position, list: &mut MoveList) {
    let empty = position.empty().0;
    let men = position.men(position.turn()).0;
    // A step forward is 5 or 6 bits down for White, up for Black.
    if position.turn() == Color::White {
        push_steps((men >> 6) & empty, -6, list);
        push_steps((men >> 5) & empty, -5, list);
    } else {
        push_steps((men << 5) & empty, 5, list);
        push_steps((men << 6) & empty, 6, list);
    }
    let mut kings = position.kings(position.turn());
    if R::FRISIAN {
        kings &= !position.resting_king();
    }
    for from in kings {
        for (direction, rays) in RAYS.iter().enumerate().take(4) {
            for to in Bitboard(reach(direction, rays[from.bit()], empty)) {
                list.push(Move { from, to, captured: Bitboard::EMPTY });
            }
        }
    }
}

/// The moves of men to each square of `targets`, which lie `shift` bits from their starts.
#[inline]
fn push_steps(targets: u64, shift: i32, list: &mut MoveList) {
    for to in Bitboard(targets) {
        let from = Square::from_bit((to.bit() as i32 - shift) as u32);
        list.push(Move { from, to, captured: Bitboard::EMPTY });
    }
}

/// The empty squares of a ray up to its first piece.
#[inline]
pub(crate) fn reach(direction: usize, ray: u64, empty: u64) -> u64 {
    let blockers = ray & !empty;
    if blockers == 0 {
        return ray;
    }
    ray & !RAYS[direction][nearest(direction, blockers) as usize] & empty
}

/// The search for captures of the greatest value.
struct Captures<'a, R> {
    other: u64,
    /// Empty squares, and the start of the capturing piece while it is on its way. Captured pieces
    /// stay until the end of the move and block (Turkish strike, FMJD Annex 1, article 4).
    empty: u64,
    own: u64,
    kings: u64,
    /// Greatest value so far; every move in the list has it.
    best: u32,
    from: Square,
    /// Where the moves of the present piece begin in the list: duplicates can only be there.
    first: usize,
    list: &'a mut MoveList,
    rules: std::marker::PhantomData<R>,
}

impl<'a, R: Rules> Captures<'a, R> {
    fn new(own: u64, other: u64, kings: u64, list: &'a mut MoveList) -> Self {
        let empty = Bitboard::ALL.0 & !(own | other);
        let from = Square::from_bit(0);
        Self { other, empty, own, kings, best: 1, from, first: 0, list, rules: std::marker::PhantomData }
    }

    fn run(&mut self) {
        let empty = self.empty;
        for from in Bitboard(self.starts()) {
            self.start(from, empty);
            self.man(1 << from.bit(), 0, 0);
        }
        for from in Bitboard(self.own & self.kings) {
            self.start(from, empty);
            // In Frisian a capture by a king beats one of equal value by a man.
            let bonus = u32::from(R::FRISIAN);
            for direction in 0..directions::<R>() {
                self.king(from.bit() as u32, direction, 0, bonus);
            }
        }
    }

    fn start(&mut self, from: Square, empty: u64) {
        self.from = from;
        self.empty = empty | 1 << from.bit();
        self.first = self.list.len();
    }

    /// The men that have a capture: the test for all of them at once.
    #[inline]
    fn starts(&self) -> u64 {
        let men = self.own & !self.kings;
        let (other, empty) = (self.other, self.empty);
        let mut starts = men
            & ((other << 6 & empty << 12)
                | (other << 5 & empty << 10)
                | (other >> 6 & empty >> 12)
                | (other >> 5 & empty >> 10));
        if R::FRISIAN {
            for direction in 4..8 {
                let back = (direction + 2) % 4 + 4;
                starts |= men & step(other & step(empty, back), back);
            }
        }
        starts
    }

    /// Extends a man's capture from the square `at`; adds the moves that end here when it cannot be
    /// extended.
    fn man(&mut self, at: u64, captured: u64, value: u32) {
        let mut ends = true;
        for direction in 0..directions::<R>() {
            let next = if direction < 4 { shift(at, direction) } else { step(at, direction) };
            let victim = next & self.other & !captured;
            let to = if victim == 0 { 0 } else { step(victim, direction) & self.empty };
            if to != 0 {
                ends = false;
                self.man(to, captured | victim, value + self.worth(victim));
            }
        }
        if ends && value >= self.best {
            self.add(at.trailing_zeros(), captured, value);
        }
    }

    /// Extends a king's capture from the square with bit position `at` in one direction. Tells whether there is
    /// a piece to capture.
    fn king(&mut self, at: u32, direction: usize, captured: u64, value: u32) -> bool {
        let blockers = RAYS[direction][at as usize] & !self.empty;
        if blockers == 0 {
            return false;
        }
        let bit = nearest(direction, blockers);
        let victim = 1u64 << bit;
        if victim & self.other & !captured == 0 {
            return false;
        }
        let landings = reach(direction, RAYS[direction][bit as usize], self.empty);
        if landings == 0 {
            return false;
        }
        let captured = captured | victim;
        let value = value + self.worth(victim);
        // Going straight on is the same from every landing square; going back meets the victim.
        let mut ends = !self.king(bit, direction, captured, value);
        for landing in Bitboard(landings) {
            for turn in 0..directions::<R>() {
                if turn != direction && turn != opposite(direction) {
                    ends &= !self.king(landing.bit() as u32, turn, captured, value);
                }
            }
        }
        if ends && value >= self.best {
            if R::KILLER && victim & self.kings != 0 {
                self.add(nearest(direction, landings), captured, value);
            } else {
                for landing in Bitboard(landings) {
                    self.add(landing.bit() as u32, captured, value);
                }
            }
        }
        true
    }

    /// FMJD Annex 1, article 4: the greatest number of pieces must be taken, kings and men counting the same.
    /// Frisian: a man is worth 64, a king 126: less than two men, more than one.
    #[inline]
    fn worth(&self, victim: u64) -> u32 {
        match (R::FRISIAN, victim & self.kings != 0) {
            (false, _) => 1,
            (true, false) => 64,
            (true, true) => 126,
        }
    }

    fn add(&mut self, to: u32, captured: u64, value: u32) {
        let mv = Move { from: self.from, to: Square::from_bit(to), captured: Bitboard(captured) };
        if value > self.best {
            self.best = value;
            self.list.clear();
            self.first = 0;
        } else if self.list[self.first..].contains(&mv) {
            return;
        }
        self.list.push(mv);
    }
}

#[inline]
const fn directions<R: Rules>() -> usize {
    if R::FRISIAN { 8 } else { 4 }
}

/// The opposite direction; both groups of four turn by a quarter.
#[inline]
const fn opposite(direction: usize) -> usize {
    (direction & 4) | ((direction + 2) & 3)
}
