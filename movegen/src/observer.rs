use crate::types::{Piece, Square};

/// Hears what [`Board::make_move`](crate::Board::make_move) changes on the board, in an order in which each
/// step is possible: a taken man leaves before another comes to its square.
///
/// A promotion is a pawn removed and another man added. Castling is the rook removed, the king moved (not
/// reported where it stays in place, as can happen in Chess960), the rook added.
pub trait MoveObserver {
    /// A man appears on an empty square.
    #[inline]
    fn piece_added(&mut self, piece: Piece, square: Square) {
        let _ = (piece, square);
    }

    /// A man disappears.
    #[inline]
    fn piece_removed(&mut self, piece: Piece, square: Square) {
        let _ = (piece, square);
    }

    /// A man goes from one square to another, empty one.
    #[inline]
    fn piece_moved(&mut self, piece: Piece, from: Square, to: Square) {
        let _ = (piece, from, to);
    }

    /// All men stand where they belong and the position has this key; the board is not complete yet. Time to fetch
    /// what is stored under the key.
    #[inline]
    fn key_known(&mut self, key: u64) {
        let _ = key;
    }
}

/// Listens to nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl MoveObserver for NoObserver {}
