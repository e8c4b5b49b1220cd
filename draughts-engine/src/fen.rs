//! Positions as text: PDN-FEN and the 51 characters of the Hub protocol.

use crate::position::PositionError;
use crate::{Bitboard, Color, Kind, Position, Square};
use std::fmt::Write;
use uci::error::shown;

/// Why a text is not a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FenError {
    /// The text does not begin with the side to move.
    #[error("the side to move must be W or B")]
    Turn,
    /// Neither a colour's list nor nothing.
    #[error("'{0}' is not a list of pieces (W... or B...)")]
    List(String),
    /// Not a square or range of squares.
    #[error("'{0}' is not a square from 1 to 50")]
    Square(String),
    /// A range of squares that ends before it begins.
    #[error("'{0}' runs backwards")]
    Range(String),
    /// A colour is listed twice.
    #[error("{0} is listed twice")]
    Twice(Color),
    /// A Hub position has another length.
    #[error("a position has 51 characters, not {0}")]
    Length(usize),
    /// A character of a Hub position.
    #[error("'{0}' is not one of w b W B e")]
    Character(char),
    /// The pieces are impossible.
    #[error(transparent)]
    Position(#[from] PositionError),
}

/// Reads a PDN-FEN such as `W:W31-50:B1-20`: side to move, then the lists in either order, `K` before a
/// king's square (or the first of a range of kings), ranges, blanks, a final dot. A missing or empty
/// list is a side without pieces. The counts that some programs add (`H0`, `F1`, and `+0+0` in Frisian) are passed
/// over: the counters of the draw rules start at 0.
///
/// # Errors
/// Says which part is wrong, or why the position is impossible.
pub fn parse_fen(text: &str) -> Result<Position, FenError> {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let mut parts = text.trim_matches(['"', '.']).split(':');
    let turn = parts.next().and_then(color).ok_or(FenError::Turn)?;
    let mut pieces = [Bitboard::EMPTY; 2];
    let mut kings = Bitboard::EMPTY;
    let mut seen = [false; 2];
    for part in parts {
        if part.is_empty() || is_count(part) {
            continue;
        }
        let side = part.get(..1).and_then(color).ok_or_else(|| FenError::List(shown(part)))?;
        if std::mem::replace(&mut seen[side.index()], true) {
            return Err(FenError::Twice(side));
        }
        for item in part[1..].split(',').filter(|item| !item.is_empty()) {
            let king = item.starts_with(['K', 'k']);
            for square in squares(item)? {
                if (pieces[0] | pieces[1]).has(square) {
                    return Err(PositionError::Occupied(square).into());
                }
                pieces[side.index()] |= square.into();
                if king {
                    kings |= square.into();
                }
            }
        }
    }
    Ok(Position::new(pieces, kings, turn)?)
}

/// `12`, `K12`, `31-50`, `K1-K5`.
fn squares(item: &str) -> Result<impl Iterator<Item = Square> + use<>, FenError> {
    let number = |text: &str| {
        let digits = text.strip_prefix(['K', 'k']).unwrap_or(text);
        digits.parse().ok().and_then(Square::new).ok_or_else(|| FenError::Square(shown(item)))
    };
    let (first, last) = match item.split_once('-') {
        Some((first, last)) => (number(first)?, number(last)?),
        None => (number(item)?, number(item)?),
    };
    if last < first {
        return Err(FenError::Range(shown(item)));
    }
    Ok((first.number()..=last.number()).filter_map(Square::new))
}

/// Whether a part of a FEN is a count: half-moves `H0`, the move's number `F1`, king moves `+0+0`.
fn is_count(part: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match part.strip_prefix('+').and_then(|counts| counts.split_once('+')) {
        Some((white, black)) => is_number(white) && is_number(black),
        None => part.strip_prefix(['H', 'h', 'F', 'f']).is_some_and(is_number),
    }
}

fn color(text: &str) -> Option<Color> {
    match text {
        "W" | "w" => Some(Color::White),
        "B" | "b" => Some(Color::Black),
        _ => None,
    }
}

/// Writes a PDN-FEN: White's list first, squares in rising order, no ranges.
pub fn to_fen(position: &Position) -> String {
    let mut text = String::new();
    text.push(position.turn().letter());
    for color in Color::ALL {
        text.push(':');
        text.push(color.letter());
        for (n, square) in position.pieces(color).into_iter().enumerate() {
            let comma = if n > 0 { "," } else { "" };
            let king = if position.all_kings().has(square) { "K" } else { "" };
            // Writing to a String cannot fail.
            let _ = write!(text, "{comma}{king}{square}");
        }
    }
    text
}

/// Reads a Hub position: `W` or `B`, then 50 of `w`, `b`, `W`, `B` and `e`; or `start`.
///
/// # Errors
/// Says what is wrong with the text, or why the position is impossible.
pub fn parse_hub(text: &str) -> Result<Position, FenError> {
    if text.eq_ignore_ascii_case("start") {
        return Ok(Position::start());
    }
    let length = text.chars().count();
    if length != 1 + Square::NUM {
        return Err(FenError::Length(length));
    }
    let mut pieces = [Bitboard::EMPTY; 2];
    let mut kings = Bitboard::EMPTY;
    let mut characters = text.chars();
    let turn = match characters.next() {
        Some('W' | 'w') => Color::White,
        Some('B' | 'b') => Color::Black,
        _ => return Err(FenError::Turn),
    };
    for (square, character) in Square::all().zip(characters) {
        let set = Bitboard::from(square);
        match character {
            'w' | 'W' => pieces[0] |= set,
            'b' | 'B' => pieces[1] |= set,
            'e' => {}
            other => return Err(FenError::Character(other)),
        }
        if character.is_ascii_uppercase() {
            kings |= set;
        }
    }
    Ok(Position::new(pieces, kings, turn)?)
}

/// Writes a Hub position.
pub fn to_hub(position: &Position) -> String {
    let mut text = String::with_capacity(51);
    text.push(position.turn().letter());
    text.extend(Square::all().map(|square| match position.piece_at(square) {
        None => 'e',
        Some((Color::White, Kind::Man)) => 'w',
        Some((Color::White, Kind::King)) => 'W',
        Some((Color::Black, Kind::Man)) => 'b',
        Some((Color::Black, Kind::King)) => 'B',
    }));
    text
}

/// Reads whichever form the text has: `start`, a Hub position or a FEN.
///
/// # Errors
/// Those of [`parse_hub`] or [`parse_fen`].
pub fn parse_any(text: &str) -> Result<Position, FenError> {
    if text.contains(':') { parse_fen(text) } else { parse_hub(text.trim()) }
}
