//! Keys of positions as the format defines them.

use movegen::{Board, Color, File, MoveFlag, PieceType, Square, Wing};
use pgn_reader::shakmaty::{
    self, CastlingSide, Piece, Role,
    zobrist::{Zobrist64, ZobristValue},
};

/// The key of a position. The crate `shakmaty` has the format's table of random numbers.
pub fn of(board: &Board) -> u64 {
    let mut key = Zobrist64::default();
    for color in Color::ALL {
        for kind in PieceType::ALL {
            let piece = Piece { color: side(color), role: role(kind) };
            for square in board.colored(color, kind) {
                key ^= Zobrist64::zobrist_for_piece(shakmaty::Square::new(square.index() as u32), piece);
            }
        }
        for wing in Wing::ALL {
            if board.castling().rook(color, wing).is_some() {
                let side_of_board =
                    if wing == Wing::King { CastlingSide::KingSide } else { CastlingSide::QueenSide };
                key ^= Zobrist64::zobrist_for_castling_right(side(color), side_of_board);
            }
        }
    }
    if let Some(file) = passed_file(board) {
        key ^= Zobrist64::zobrist_for_en_passant_file(shakmaty::File::new(file as u32));
    }
    if board.side_to_move() == Color::White {
        key ^= Zobrist64::zobrist_for_white_turn();
    }
    key.0
}

/// The file of a pawn that has just moved two squares and stands beside an enemy pawn. The format does not ask whether
/// the capture is legal; the board keeps only legal ones, so the last move is looked at too.
fn passed_file(board: &Board) -> Option<File> {
    if let Some(square) = board.en_passant() {
        return Some(square.file());
    }
    let pushed: Square = board.last_move().filter(|mv| mv.flag() == MoveFlag::DoublePush)?.to();
    let enemies = board.colored(board.side_to_move(), PieceType::Pawn);
    let is_beside =
        |pawn: Square| pawn.rank() == pushed.rank() && (pawn.file() as i8 - pushed.file() as i8).abs() == 1;
    enemies.into_iter().any(is_beside).then(|| pushed.file())
}

fn side(color: Color) -> shakmaty::Color {
    shakmaty::Color::from_white(color == Color::White)
}

fn role(kind: PieceType) -> Role {
    match kind {
        PieceType::Pawn => Role::Pawn,
        PieceType::Knight => Role::Knight,
        PieceType::Bishop => Role::Bishop,
        PieceType::Rook => Role::Rook,
        PieceType::Queen => Role::Queen,
        PieceType::King => Role::King,
    }
}
