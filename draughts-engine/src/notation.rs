//! Moves as text.
//!
//! Written: `32-28`; a capture as start, end and, where the protocol or the reader needs them, the
//! captured squares in rising order: `28x19x23`. Read: also `28x19` when only one move fits, captured
//! squares in any order, the whole path of the capturing piece, and the four digits of old files.

use crate::{Bitboard, Move, Position, Rules, Square, legal_moves};
use std::fmt;
use uci::error::shown;

/// Why a text is not a legal move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MoveError {
    /// Not written like a move.
    #[error("'{0}' is not a move")]
    Syntax(String),
    /// No legal move fits.
    #[error("'{0}' is not legal here")]
    Illegal(String),
    /// Several legal moves fit.
    #[error("'{0}' is ambiguous: {1}")]
    Ambiguous(String, String),
}

/// The Hub form: captured squares always written.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.is_capture() {
            return write!(f, "{}-{}", self.from, self.to);
        }
        write!(f, "{}x{}", self.from, self.to)?;
        self.captured.into_iter().try_for_each(|square| write!(f, "x{square}"))
    }
}

/// The short form of a move where `moves` are the legal ones: captured squares only if start and end
/// do not tell.
pub fn short(mv: Move, moves: &[Move]) -> String {
    let unique = moves.iter().filter(|other| (other.from, other.to) == (mv.from, mv.to)).count() < 2;
    if mv.is_capture() && unique { format!("{}x{}", mv.from, mv.to) } else { mv.to_string() }
}

/// Finds the legal move that a text means.
///
/// # Errors
/// When the text is not a move, when no legal move fits, and when several do.
pub fn parse_move<R: Rules>(position: &Position, text: &str) -> Result<Move, MoveError> {
    let (numbers, capture) = split(text).ok_or_else(|| MoveError::Syntax(shown(text)))?;
    let (from, second, last) = (numbers[0], numbers[1], numbers[numbers.len() - 1]);
    let moves = legal_moves::<R>(position);
    let kind = |mv: &&Move| capture.is_none_or(|capture| mv.is_capture() == capture) && mv.from == from;

    // Start, end, victims.
    let victims: Bitboard = numbers[2..].iter().copied().collect();
    let distinct = victims.count() as usize == numbers.len() - 2;
    let fits = |mv: &&Move| mv.to == second && (numbers.len() == 2 || distinct && mv.captured == victims);
    let mut found: Vec<Move> = moves.iter().filter(kind).filter(fits).copied().collect();
    // The whole path: start, every stop, end.
    if found.is_empty() && numbers.len() > 2 {
        let path = |mv: &&Move| mv.to == last && is_path::<R>(position, **mv, &numbers);
        found = moves.iter().filter(kind).filter(path).copied().collect();
    }
    match found.as_slice() {
        [] => Err(MoveError::Illegal(shown(text))),
        [mv] => Ok(*mv),
        several => {
            let names: Vec<String> = several.iter().take(8).map(Move::to_string).collect();
            Err(MoveError::Ambiguous(shown(text), names.join(", ")))
        }
    }
}

/// The squares of a move text, two at least, and whether it says capture, if it says.
fn split(text: &str) -> Option<(Vec<Square>, Option<bool>)> {
    let text = text.trim();
    let square = |digits: &str| digits.parse().ok().and_then(Square::new);
    if text.len() == 4 && text.bytes().all(|b| b.is_ascii_digit()) {
        return Some((vec![square(&text[..2])?, square(&text[2..])?], None));
    }
    let capture = text.contains(['x', 'X', ':', '*']);
    // No move names more than its ends and 20 victims or 21 stops.
    if text.len() > 80 || (capture && text.contains('-')) {
        return None;
    }
    let numbers: Vec<Square> = text.split(['-', 'x', 'X', ':', '*']).map(square).collect::<Option<_>>()?;
    (numbers.len() == 2 || (capture && numbers.len() > 2)).then_some((numbers, Some(capture)))
}

/// The squares where the capturing piece starts, turns and ends, such that one piece is taken on each leg:
/// the way that PDN writes captures which start and end do not tell. `None` for a quiet move.
pub fn path<R: Rules>(position: &Position, mv: Move) -> Option<Vec<Square>> {
    let mut stops = vec![mv.from];
    (mv.is_capture() && extend_path::<R>(position, mv, mv.captured, &mut stops)).then_some(stops)
}

fn extend_path<R: Rules>(position: &Position, mv: Move, left: Bitboard, stops: &mut Vec<Square>) -> bool {
    let at = stops[stops.len() - 1];
    if left.is_empty() {
        return at == mv.to;
    }
    let free = position.empty() | Bitboard::from(mv.from);
    let is_king = position.all_kings().has(mv.from);
    for direction in 0..if R::FRISIAN { 8 } else { 4 } {
        let rays = &crate::bitboard::RAYS[direction];
        let Some(victim) = first_piece(rays[at.bit()], direction, free) else { continue };
        if !left.has(victim)
            || (!is_king && crate::bitboard::step(1 << at.bit(), direction) >> victim.bit() & 1 == 0)
        {
            continue;
        }
        let mut landings = Bitboard(rays[victim.bit()]) & free;
        if let Some(blocker) = first_piece(rays[victim.bit()], direction, free) {
            landings &= !Bitboard(rays[blocker.bit()]);
        }
        if !is_king {
            landings &= Bitboard(crate::bitboard::step(1 << victim.bit(), direction));
        }
        for landing in landings {
            stops.push(landing);
            if extend_path::<R>(position, mv, left & !Bitboard::from(victim), stops) {
                return true;
            }
            stops.pop();
        }
    }
    false
}

/// The piece that comes first on a ray.
fn first_piece(ray: u64, direction: usize, free: Bitboard) -> Option<Square> {
    let pieces = ray & !free.bits();
    (pieces != 0).then(|| Square::from_bit(crate::bitboard::nearest(direction, pieces)))
}

/// Whether the capture can be made through exactly these stops.
fn is_path<R: Rules>(position: &Position, mv: Move, stops: &[Square]) -> bool {
    let mut left = mv.captured;
    let blocked = !position.empty() & !Bitboard::from(mv.from);
    for leg in stops.windows(2) {
        let direction = (0..if R::FRISIAN { 8 } else { 4 })
            .find(|&direction| crate::bitboard::RAYS[direction][leg[0].bit()] >> leg[1].bit() & 1 != 0);
        let Some(direction) = direction else { return false };
        let rays = &crate::bitboard::RAYS[direction];
        let between = Bitboard(rays[leg[0].bit()] & !rays[leg[1].bit()]) & !Bitboard::from(leg[1]);
        let pieces = between & blocked;
        // One victim on each leg.
        if pieces.count() != 1 || (pieces & left).is_empty() {
            return false;
        }
        left &= !pieces;
    }
    left.is_empty()
}
