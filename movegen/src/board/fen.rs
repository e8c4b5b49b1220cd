//! Forsyth-Edwards notation, with the castling fields of X-FEN and Shredder-FEN.

use std::fmt::Write;

use super::Board;
use super::validate::{castling_rook, plausible_en_passant, validate};
use crate::position::Position;
use crate::types::{Bitboard, Color, File, Piece, Rank, Square, Wing};

/// What is wrong with a FEN.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FenError {
    /// Not 4 to 6 fields.
    #[error("expected 4 to 6 fields, found {0}")]
    FieldCount(usize),
    /// Not 8 ranks.
    #[error("expected 8 ranks, found {0}")]
    RankCount(usize),
    /// A rank does not have 8 squares.
    #[error("rank {0} does not have 8 squares")]
    RankWidth(u8),
    /// A character that is neither a man nor a number of empty squares.
    #[error("{0:?} is not a man")]
    Piece(char),
    /// The second field is neither `w` nor `b`.
    #[error("the side to move must be w or b")]
    Side,
    /// The castling field has something else than `-`, letters of KQkq, or letters of files, each once.
    #[error("the castling field is malformed")]
    Castling,
    /// The en passant field is neither `-` nor a square.
    #[error("the en passant field must be - or a square")]
    EnPassant,
    /// The fifth field is not a number.
    #[error("the half-move clock is not a number")]
    HalfmoveClock,
    /// The sixth field is not a number.
    #[error("the move number is not a number")]
    MoveNumber,
    /// A side does not have one king.
    #[error("{} has {count} kings", name(*.color))]
    Kings {
        /// The side.
        color: Color,
        /// Its number of kings.
        count: u32,
    },
    /// A side has more than 16 men.
    #[error("{} has {count} men, more than 16", name(*.color))]
    TooManyMen {
        /// The side.
        color: Color,
        /// Its number of men.
        count: u32,
    },
    /// A side has more than 8 pawns.
    #[error("{} has {count} pawns, more than 8", name(*.color))]
    TooManyPawns {
        /// The side.
        color: Color,
        /// Its number of pawns.
        count: u32,
    },
    /// A side has more promoted men than it has lost pawns.
    #[error("{} has at least {promoted} promoted men with {missing} pawns missing", name(*.color))]
    TooManyPromoted {
        /// The side.
        color: Color,
        /// Men beyond the initial number of each kind.
        promoted: u32,
        /// Pawns no longer on the board.
        missing: u32,
    },
    /// A pawn stands on the first or last rank.
    #[error("a pawn on the first or last rank")]
    PawnOnEdge,
    /// The king of the side that has just moved can be taken.
    #[error("the side not to move is in check")]
    OpponentInCheck,
}

const fn name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

fn parse_men(field: &str) -> Result<Position, FenError> {
    let ranks = field.split('/').count();
    if ranks != Rank::NUM {
        return Err(FenError::RankCount(ranks));
    }
    let mut position = Position::EMPTY;
    for (rank, text) in Rank::ALL.into_iter().rev().zip(field.split('/')) {
        let width = FenError::RankWidth(rank as u8 + 1);
        let mut file = 0;
        for letter in text.chars() {
            if let Some(gap @ 1..=8) = letter.to_digit(10) {
                file += gap as usize;
            } else {
                let piece = Piece::from_char(letter).ok_or(FenError::Piece(letter))?;
                let square = Square::new(File::from_index(file).ok_or(width)?, rank).bb();
                position.pieces[piece.kind().index()] |= square;
                position.colors[piece.color().index()] |= square;
                file += 1;
            }
        }
        if file != File::NUM {
            return Err(width);
        }
    }
    Ok(position)
}

/// Reads the castling field into the set of rooks. A right without its king or rook in place is dropped.
fn parse_castling(field: &str, position: &Position) -> Result<Bitboard, FenError> {
    let mut rooks = Bitboard::EMPTY;
    if field == "-" {
        return Ok(rooks);
    }
    for (index, letter) in field.char_indices() {
        let known = matches!(letter.to_ascii_uppercase(), 'K' | 'Q' | 'A'..='H');
        if !known || index >= 4 || field[..index].contains(letter) {
            return Err(FenError::Castling);
        }
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        if let Some(rook) = castling_rook(position, color, letter) {
            let king = position.king(color);
            let same_wing = (rooks & Rank::R1.relative(color).bb())
                .into_iter()
                .any(|other| Wing::of(king, other) == Wing::of(king, rook));
            if !same_wing {
                rooks |= rook.bb();
            }
        }
    }
    Ok(rooks)
}

/// Reads a whole number; what does not fit is brought to the nearest end of the range.
fn parse_counter(field: &str, largest: u32) -> Option<u32> {
    let (negative, digits) = match field.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, field),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(if negative { 0 } else { digits.parse().unwrap_or(largest).min(largest) })
}

/// The largest move number kept: the count of plies must not overflow.
const LARGEST_MOVE_NUMBER: u32 = 1 << 30;

impl Board {
    /// Reads a FEN of 4 to 6 fields (a missing half-move clock is 0, a missing move number 1). Castling may
    /// be written as in FEN, X-FEN or Shredder-FEN.
    ///
    /// Castling rights without king or rook in place, and en passant squares where no capture is legal, are
    /// dropped; counters out of range are clamped (half-moves to 0..=65535, moves to 1..=2^30).
    ///
    /// # Errors
    /// The first fault found, see [`FenError`].
    pub fn from_fen(fen: &str) -> Result<Self, FenError> {
        let mut fields = fen.split_ascii_whitespace();
        let count = fields.clone().count();
        let (Some(men), Some(side), Some(castling), Some(en_passant), 4..=6) =
            (fields.next(), fields.next(), fields.next(), fields.next(), count)
        else {
            return Err(FenError::FieldCount(count));
        };
        let mut position = parse_men(men)?;
        position.side = match side {
            "w" => Color::White,
            "b" => Color::Black,
            _ => return Err(FenError::Side),
        };
        let halfmove = match fields.next() {
            Some(field) => parse_counter(field, u32::from(u16::MAX)).ok_or(FenError::HalfmoveClock)?,
            None => 0,
        };
        let fullmove = match fields.next() {
            Some(field) => parse_counter(field, LARGEST_MOVE_NUMBER).ok_or(FenError::MoveNumber)?,
            None => 1,
        };
        if en_passant != "-" {
            position.en_passant = Some(en_passant.parse().map_err(|_| FenError::EnPassant)?);
        }
        validate(&position)?;
        position.castling = parse_castling(castling, &position)?;
        if !plausible_en_passant(&position) {
            position.en_passant = None;
        }
        Ok(Self::from_position(position, halfmove as u16, fullmove.max(1)))
    }

    /// The position as X-FEN: castling is `KQkq`, with the rook's file in place of a letter where a rook
    /// stands further out on the same side.
    pub fn fen(&self) -> String {
        self.write_fen(false)
    }

    /// The position as Shredder-FEN: castling is always written by the files of the rooks.
    pub fn shredder_fen(&self) -> String {
        self.write_fen(true)
    }

    fn write_fen(&self, shredder: bool) -> String {
        let mut fen = String::with_capacity(90);
        for rank in Rank::ALL.into_iter().rev() {
            let mut gap = 0;
            for file in File::ALL {
                match self.piece_on(Square::new(file, rank)) {
                    Some(piece) => {
                        push_gap(&mut fen, &mut gap);
                        fen.push(piece.to_char());
                    }
                    None => gap += 1,
                }
            }
            push_gap(&mut fen, &mut gap);
            fen.push(if rank == Rank::R1 { ' ' } else { '/' });
        }
        // Writing to a String cannot fail.
        let _ = write!(fen, "{} ", self.side_to_move());
        let rights = self.castling();
        for color in Color::ALL {
            for wing in Wing::ALL {
                let Some(rook) = rights.rook(color, wing) else { continue };
                let outermost = match wing {
                    Wing::King => 'K',
                    Wing::Queen => 'Q',
                };
                let letter = if !shredder && castling_rook(&self.position, color, outermost) == Some(rook) {
                    outermost
                } else {
                    rook.file().to_char().to_ascii_uppercase()
                };
                fen.push(if color == Color::White { letter } else { letter.to_ascii_lowercase() });
            }
        }
        if rights.is_empty() {
            fen.push('-');
        }
        let _ = match self.en_passant() {
            Some(square) => write!(fen, " {square}"),
            None => write!(fen, " -"),
        };
        let _ = write!(fen, " {} {}", self.halfmove_clock(), self.fullmove_number());
        fen
    }
}

fn push_gap(fen: &mut String, gap: &mut u8) {
    if *gap > 0 {
        fen.push((b'0' + *gap) as char);
        *gap = 0;
    }
}
