//! Chess and Chess960 rules: types, attacks, board, move generation, FEN, SAN, perft.

pub mod attacks;
mod board;
mod generate;
mod legal;
mod observer;
mod perft;
mod position;
mod see;
mod types;

pub use attacks::{
    between, bishop_attacks, bishop_rays, king_attacks, knight_attacks, line, pawn_attacks, piece_attacks,
    queen_attacks, rook_attacks, rook_rays,
};
pub use board::{Board, FenError, IllegalMove, MoveError, SanError, Threats};
pub use generate::{MoveSink, origin, promotion_flags};
pub use legal::CheckSquares;
pub use observer::{MoveObserver, NoObserver};
pub use perft::{divide, divide_parallel, divide_until, perft, perft_parallel};
pub use see::SEE_VALUES;
pub use types::{
    Bitboard, CastlingRights, Color, File, Move, MoveFlag, MoveList, ParseSquareError, Piece, PieceType,
    Rank, Square, Squares, UciMove, Wing,
};
