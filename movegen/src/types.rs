//! The small value types of the rules: colours, men, squares, sets of squares, castling rights, moves.

mod bitboard;
mod castling;
mod color;
mod moves;
mod piece;
mod square;

pub use bitboard::{Bitboard, Squares};
pub use castling::{CastlingRights, Wing};
pub use color::Color;
pub use moves::{Move, MoveFlag, MoveList, UciMove};
pub use piece::{Piece, PieceType};
pub use square::{File, ParseSquareError, Rank, Square};
