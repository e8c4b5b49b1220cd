//! The chess network's sizes, the embedded network, and the stack's link to the board's moves.

use std::sync::Arc;

use movegen::{MoveObserver, Piece, PieceType, Square};

use super::feature::ChessFeatures;
use crate::accumulator::Change;
use crate::network::NetworkError;

/// Values of each accumulator.
pub const HIDDEN: usize = 512;
/// Outputs, chosen by the number of pieces on the board.
pub const OUTPUTS: usize = 8;

/// A chess network.
pub type Network = crate::Network<ChessFeatures, HIDDEN, OUTPUTS>;

/// The accumulators of a chess search; it observes the board's moves.
pub type AccumulatorStack = crate::AccumulatorStack<ChessFeatures, HIDDEN, OUTPUTS>;

#[cfg(embedded_chess_network)]
static EMBEDDED: Option<&[u8]> = Some(include_bytes!(env!("DYAD_CHESS_NETWORK")));
#[cfg(not(embedded_chess_network))]
static EMBEDDED: Option<&[u8]> = None;

/// The network that was built into this program: eval/nets/chess.nnue, or the file that the environment
/// variable `EVALFILE` named at build time. `None` when the program was built without one; the hand-written
/// evaluation is used then.
///
/// # Errors
///
/// When the file that was built in is not a network of this build's sizes.
pub fn embedded() -> Result<Option<Arc<Network>>, NetworkError> {
    EMBEDDED.map(|bytes| Network::from_bytes(bytes).map(Arc::new)).transpose()
}

fn change(piece: Piece, square: Square) -> Change {
    Change { piece: piece.index() as u8, square: square.index() as u8 }
}

impl AccumulatorStack {
    /// Whether a king's step from one square to another changes how its side looks at the board.
    #[inline]
    fn note_king(&mut self, king: Piece, from: Square, to: Square) {
        let side = king.color().index();
        let features = self.network().features();
        if features.view_of_king(side, from.index()) != features.view_of_king(side, to.index()) {
            self.change_view(side);
        }
    }
}

impl MoveObserver for AccumulatorStack {
    #[inline]
    fn piece_added(&mut self, piece: Piece, square: Square) {
        self.add(change(piece, square));
    }

    #[inline]
    fn piece_removed(&mut self, piece: Piece, square: Square) {
        // A king is only lifted to be set down elsewhere (castling in Chess960), where its view may differ.
        if piece.kind() == PieceType::King {
            self.change_view(piece.color().index());
        }
        self.remove(change(piece, square));
    }

    #[inline]
    fn piece_moved(&mut self, piece: Piece, from: Square, to: Square) {
        if piece.kind() == PieceType::King {
            self.note_king(piece, from, to);
        }
        self.remove(change(piece, from));
        self.add(change(piece, to));
    }
}
