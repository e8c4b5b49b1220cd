//! Retrograde analysis of a slice together with the slice in which the other side is to move (after
//! K. Thompson, 1986; with the distances of L. Stiller's full-information tables).
//!
//! First every position is looked at once. A capture or a crowning leaves the pair of slices and its value
//! is known; the number of all other moves is kept. Then games that end after 0, 1, 2, ... plies are
//! followed backwards: a position from which a lost one can be reached is won, and one whose last move
//! has turned out to lead to a won position is lost.

use super::slice::{Board, Slice};
use super::{Code, Value, back_up};
use crate::bitboard::{Bitboard, RAYS, SHIFTS};
use crate::generate::{generate_captures, generate_quiet, reach};
use crate::position::crowning_row;
use crate::rules::International;
use crate::{Color, MoveList, Position};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU64, Ordering::Relaxed};

/// Positions that are worked on at a time, and share an entry of what levels they wait for.
const CHUNK: usize = 4096;

/// The codes of solved slices.
pub struct Solved {
    /// By [`Slice::slot`].
    slices: Vec<Option<(Slice, Vec<u8>)>>,
}

impl Default for Solved {
    fn default() -> Self {
        Self { slices: (0..Slice::SLOTS).map(|_| None).collect() }
    }
}

impl Solved {
    /// Adds a slice; `codes` by number of the position.
    pub fn insert(&mut self, slice: Slice, codes: Vec<u8>) {
        self.slices[slice.slot()] = Some((slice, codes));
    }

    /// Whether a slice is there.
    pub fn has(&self, slice: Slice) -> bool {
        self.slices[slice.slot()].is_some()
    }

    /// Forgets the slices that `keep` does not want.
    pub fn retain(&mut self, keep: impl Fn(Slice) -> bool) {
        for slot in &mut self.slices {
            if slot.as_ref().is_some_and(|&(slice, _)| !keep(slice)) {
                *slot = None;
            }
        }
    }

    /// The code of a board; a side without pieces has lost. `None` when the slice is not there.
    #[inline]
    pub fn code(&self, board: &Board) -> Option<Code> {
        if board.men[0] | board.kings[0] == 0 {
            return Some(Code::LOST);
        }
        let slice = board.slice();
        let (_, codes) = self.slices.get(slice.slot())?.as_ref()?;
        codes.get(slice.index(board) as usize).map(|&byte| Code::from_byte(byte))
    }
}

/// Why a slice could not be solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SolveError {
    /// A slice to which captures or crownings lead is not there.
    #[error("a table that this one builds on is missing")]
    Missing,
    /// A game is longer than [`Code::LONGEST`] plies.
    #[error("a win takes more than {} plies, which a table cannot tell", Code::LONGEST)]
    TooLong,
}

/// The state of a position while its slice is solved.
///
/// Undecided: the number of moves that are not known to lose. Decided: [`DECIDED`] with the code; for a
/// win by a quiet move the code may still fall until its level is reached. [`CAPTURE`] tells that the side
/// to move must capture.
type State = u16;
const DECIDED: State = 0x8000;
const CAPTURE: State = 0x4000;
/// No position has this number.
const HOLE: State = State::MAX;

/// A solved slice.
pub struct Solution {
    /// The slice.
    pub slice: Slice,
    /// The state of each position.
    states: Vec<State>,
}

/// Positions of a slice by value.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Totals {
    /// The side to move wins.
    pub wins: u64,
    /// Nobody wins.
    pub draws: u64,
    /// The side to move loses.
    pub losses: u64,
    /// The longest win or loss, in plies.
    pub longest: u64,
}

impl Totals {
    /// All positions.
    pub const fn positions(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Counts a position.
    pub fn add(&mut self, code: Code) {
        match code.value() {
            Value::Win => self.wins += 1,
            Value::Draw => self.draws += 1,
            Value::Loss => self.losses += 1,
        }
        self.longest = self.longest.max(u64::from(code.plies().unwrap_or(0)));
    }

    /// Both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
            longest: self.longest.max(other.longest),
        }
    }
}

impl Solution {
    /// How many positions are won, drawn and lost, those with captures included.
    pub fn totals(&self) -> Totals {
        let count = |states: &[State]| {
            let mut totals = Totals::default();
            states.iter().filter(|&&state| state != HOLE).for_each(|&state| totals.add(code(state)));
            totals
        };
        self.states.par_chunks(1 << 16).map(count).reduce(Totals::default, Totals::plus)
    }

    /// The code of each position by number; `None` where it need not be stored: holes, and positions in
    /// which the side to move must capture.
    pub fn stored(&self) -> impl ExactSizeIterator<Item = Option<Code>> + '_ {
        self.states.iter().map(|&state| (!is_hidden(state)).then(|| code(state)))
    }

    /// The codes for [`Solved`].
    pub fn codes(&self) -> Vec<u8> {
        self.states.par_iter().map(|&state| if state == HOLE { 0 } else { code(state).byte() }).collect()
    }
}

fn is_hidden(state: State) -> bool {
    state == HOLE || (state & DECIDED != 0 && state & CAPTURE != 0)
}

/// What has not been decided in the end is drawn.
fn code(state: State) -> Code {
    if state & DECIDED == 0 { Code::DRAW } else { Code::from_byte(state as u8) }
}

/// A slice in work.
struct Half {
    slice: Slice,
    states: Vec<AtomicU16>,
    /// For each chunk the codes for which a position of it waits, a bit for each.
    waiting: Vec<[AtomicU64; 4]>,
}

impl Half {
    fn new(slice: Slice) -> Self {
        let size = slice.size() as usize;
        let mut states = Vec::new();
        states.resize_with(size, || AtomicU16::new(HOLE));
        let mut waiting = Vec::new();
        waiting.resize_with(size.div_ceil(CHUNK), Default::default);
        Self { slice, states, waiting }
    }

    /// Notes that a position of a chunk is to be followed back at the level of `code`.
    fn wait(&self, chunk: usize, code: u8) {
        let word = &self.waiting[chunk][usize::from(code >> 6)];
        let bit = 1 << (code & 63);
        if word.load(Relaxed) & bit == 0 {
            word.fetch_or(bit, Relaxed);
        }
    }

    fn waits(&self, chunk: usize, code: u8) -> bool {
        self.waiting[chunk][usize::from(code >> 6)].load(Relaxed) >> (code & 63) & 1 != 0
    }

    fn is_waiting_for(&self, code: u8) -> bool {
        (0..self.waiting.len()).any(|chunk| self.waits(chunk, code))
    }
}

/// Solves `slice` and the slice with the other side to move; for a slice that is its own counterpart the
/// answer has one part. `lower` must hold all slices to which captures and crownings lead. `progress` is
/// told of positions that have been looked at, each once.
///
/// # Errors
/// When a slice is missing or a game is too long.
pub fn solve(
    slice: Slice,
    lower: &Solved,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Vec<Solution>, SolveError> {
    let mut halves = vec![Half::new(slice)];
    if slice.passed() != slice {
        halves.push(Half::new(slice.passed()));
    }
    for half in &halves {
        begin(half, lower, progress)?;
    }
    let too_long = AtomicBool::new(false);
    for level in 1..u8::MAX {
        for (number, half) in halves.iter().enumerate() {
            let target = &halves[halves.len() - 1 - number];
            if half.is_waiting_for(level) {
                follow(half, target, level, lower, &too_long);
            }
        }
        if too_long.load(Relaxed) {
            return Err(SolveError::TooLong);
        }
    }
    let finish = |half: Half| {
        let states = half.states.into_iter().map(AtomicU16::into_inner).collect();
        Solution { slice: half.slice, states }
    };
    Ok(halves.into_iter().map(finish).collect())
}

/// Looks at every position once.
fn begin(half: &Half, lower: &Solved, progress: &(dyn Fn(u64) + Sync)) -> Result<(), SolveError> {
    half.states.par_chunks(CHUNK).enumerate().try_for_each_init(MoveList::new, |list, (chunk, states)| {
        for (offset, state) in states.iter().enumerate() {
            let Some(board) = half.slice.board((chunk * CHUNK + offset) as u64) else { continue };
            let first = first_state(&board, lower, list)?;
            state.store(first, Relaxed);
            match code(first).byte() {
                u8::MAX => return Err(SolveError::TooLong),
                0 => {}
                code => half.wait(chunk, code),
            }
        }
        progress(states.len() as u64);
        Ok(())
    })
}

fn first_state(board: &Board, lower: &Solved, list: &mut MoveList) -> Result<State, SolveError> {
    let position = board.position();
    if let Some(code) = capture_code(&position, list, |next| lower.code(next).ok_or(SolveError::Missing))? {
        return Ok(DECIDED | CAPTURE | State::from(code.byte()));
    }
    list.clear();
    generate_quiet::<International>(&position, list);
    let mut quiet = list.len() as State;
    if quiet == 0 {
        return Ok(DECIDED | State::from(Code::LOST.byte()));
    }
    let mut best = Code::LOST;
    for next in crownings(board) {
        let code = lower.code(&next).ok_or(SolveError::Missing)?;
        best = better(best, code.before().ok_or(SolveError::TooLong)?);
        quiet -= State::from(code.value() == Value::Win);
    }
    if best.value() == Value::Win || quiet == 0 {
        return Ok(DECIDED | State::from(best.byte()));
    }
    Ok(quiet)
}

fn better(a: Code, b: Code) -> Code {
    if b.rank() > a.rank() { b } else { a }
}

/// The code of a position in which the side to move must capture, `None` in any other. `look` tells the
/// codes of positions with fewer pieces.
///
/// # Errors
/// Those of `look`.
pub fn capture_code<E>(
    position: &Position,
    list: &mut MoveList,
    look: impl Fn(&Board) -> Result<Code, E>,
) -> Result<Option<Code>, E> {
    if !position.has_capture() {
        return Ok(None);
    }
    list.clear();
    generate_captures::<International>(position, list);
    let next = |&mv: &crate::Move| look(&Board::of(&position.play::<International>(mv)));
    let codes: Vec<Code> = list.iter().map(next).collect::<Result<_, E>>()?;
    Ok(back_up(codes))
}

/// What the side to move reaches by crowning a man without capturing.
fn crownings(board: &Board) -> impl Iterator<Item = Board> + '_ {
    let last = crowning_row(Color::White).bits();
    let empty = Bitboard::ALL.bits() & !(board.men[0] | board.men[1] | board.kings[0] | board.kings[1]);
    Bitboard(board.men[0]).into_iter().flat_map(move |from| {
        let from = 1u64 << from.bit();
        Bitboard((from >> 5 | from >> 6) & empty & last).into_iter().map(move |to| {
            let mut next = *board;
            next.men[0] ^= from;
            next.kings[0] |= 1 << to.bit();
            next.passed()
        })
    })
}

/// Calls `f` with every board from which the side that is not to move can have come by a move that is
/// neither a capture nor a crowning.
#[inline]
fn retreats(board: &Board, mut f: impl FnMut(Board)) {
    let empty = Bitboard::ALL.bits() & !(board.men[0] | board.men[1] | board.kings[0] | board.kings[1]);
    // Turned, so that the former mover is White and to move.
    for man in Bitboard(board.men[1]) {
        let man = 1u64 << man.bit();
        for from in Bitboard((man >> 5 | man >> 6) & empty) {
            let mut before = *board;
            before.men[1] ^= man | 1 << from.bit();
            f(before.passed());
        }
    }
    for king in Bitboard(board.kings[1]) {
        for (direction, rays) in RAYS.iter().enumerate().take(SHIFTS.len() / 2) {
            for from in Bitboard(reach(direction, rays[king.bit()], empty)) {
                let mut before = *board;
                before.kings[1] ^= 1 << king.bit() | 1 << from.bit();
                f(before.passed());
            }
        }
    }
}

/// Tells the positions before those with the code `level` what they lead to.
fn follow(half: &Half, target: &Half, level: u8, lower: &Solved, too_long: &AtomicBool) {
    let lost = Code::from_byte(level).value() == Value::Loss;
    half.states.par_chunks(CHUNK).enumerate().for_each(|(chunk, states)| {
        if !half.waits(chunk, level) {
            return;
        }
        for (offset, state) in states.iter().enumerate() {
            let state = state.load(Relaxed);
            if state == HOLE || state & DECIDED == 0 || state as u8 != level {
                continue;
            }
            let Some(board) = half.slice.board((chunk * CHUNK + offset) as u64) else { continue };
            retreats(&board, |before| {
                let index = target.slice.index(&before) as usize;
                let decided =
                    if lost { win(target, index, level) } else { lose(target, index, level, &before, lower) };
                match decided {
                    Some(code) if code.byte() < u8::MAX => target.wait(index / CHUNK, code.byte()),
                    Some(_) => too_long.store(true, Relaxed),
                    None => {}
                }
            });
        }
    });
}

/// The position with this number has a move to a lost one. Tells its code if that is news.
#[inline]
fn win(target: &Half, index: usize, level: u8) -> Option<Code> {
    let code = level + 1;
    let news = |state: State| {
        let slower = state & DECIDED != 0 && state & CAPTURE == 0 && state as u8 > code;
        (state & DECIDED == 0 || slower).then_some(DECIDED | State::from(code))
    };
    target.states[index].fetch_update(Relaxed, Relaxed, news).ok().map(|_| Code::from_byte(code))
}

/// The position with this number has a move to a won one. Tells its code if this was the last that was
/// not known to lose.
#[inline]
fn lose(target: &Half, index: usize, level: u8, board: &Board, lower: &Solved) -> Option<Code> {
    let state = &target.states[index];
    // Each move is counted down once, and at this level nothing else changes a state.
    if state.load(Relaxed) & DECIDED != 0 || state.fetch_sub(1, Relaxed) != 1 {
        return None;
    }
    let mut code = Code::from_byte(level).before().unwrap_or(Code::from_byte(u8::MAX));
    for next in crownings(board) {
        let crowned = lower.code(&next).and_then(Code::before);
        code = better(code, crowned.unwrap_or(Code::from_byte(u8::MAX)));
    }
    state.store(DECIDED | State::from(code.byte()), Relaxed);
    Some(code)
}
