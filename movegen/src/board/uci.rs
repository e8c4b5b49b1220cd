//! Reading moves in UCI notation.

use super::Board;
use crate::types::{Move, PieceType, Square};

/// A text that is no move of the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MoveError {
    /// Not of the form `e2e4` or `e7e8q`.
    #[error("not a move in UCI notation")]
    Malformed,
    /// A move that cannot be played here.
    #[error("illegal move")]
    Illegal,
}

impl Board {
    /// Reads a legal move in UCI notation. Castling may be given as the king's two squares (`e1g1`) or as
    /// king takes rook (`e1h1`), whichever variant is played; where the former is also a plain move of the
    /// king it means that. The letter of a promotion may be in upper case.
    ///
    /// # Errors
    /// [`MoveError::Malformed`] if the text is not a move at all (the null move `0000` is not),
    /// [`MoveError::Illegal`] if it is not legal here.
    pub fn parse_uci(&self, text: &str) -> Result<Move, MoveError> {
        let square = |range: std::ops::Range<usize>| -> Option<Square> { text.get(range)?.parse().ok() };
        let (Some(from), Some(to)) = (square(0..2), square(2..4)) else { return Err(MoveError::Malformed) };
        let mut rest = text[4..].chars();
        let promotion = match (rest.next(), rest.next()) {
            (None, _) => None,
            (Some(letter), None) => match PieceType::from_char(letter) {
                None | Some(PieceType::Pawn | PieceType::King) => return Err(MoveError::Malformed),
                kind => kind,
            },
            _ => return Err(MoveError::Malformed),
        };
        let fits = |mv: &Move| mv.from() == from && mv.promotion() == promotion;
        let moves = self.legal_moves();
        let plain = moves.iter().find(|mv| fits(mv) && mv.to() == to);
        let castling =
            || moves.iter().find(|mv| fits(mv) && mv.is_castling() && from != to && mv.destination() == to);
        plain.or_else(castling).copied().ok_or(MoveError::Illegal)
    }
}
