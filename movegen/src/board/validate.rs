//! What a position must fulfil before the rules are let loose on it.

use super::fen::FenError;
use crate::position::Position;
use crate::types::{Bitboard, Color, File, PieceType, Rank};

/// How many men of each kind from knight to queen a side begins with.
const INITIAL: [(PieceType, u32); 4] =
    [(PieceType::Knight, 2), (PieceType::Bishop, 2), (PieceType::Rook, 2), (PieceType::Queen, 1)];

/// Checks what every part of the crate relies on.
pub(super) fn validate(position: &Position) -> Result<(), FenError> {
    for color in Color::ALL {
        let count = |kind| position.colored(color, kind).count();
        let (men, kings, pawns) =
            (position.colors[color.index()].count(), count(PieceType::King), count(PieceType::Pawn));
        if kings != 1 {
            return Err(FenError::Kings { color, count: kings });
        }
        if men > 16 {
            return Err(FenError::TooManyMen { color, count: men });
        }
        if pawns > 8 {
            return Err(FenError::TooManyPawns { color, count: pawns });
        }
        let promoted: u32 =
            INITIAL.into_iter().map(|(kind, initial)| count(kind).saturating_sub(initial)).sum();
        if promoted + pawns > 8 {
            return Err(FenError::TooManyPromoted { color, promoted, missing: 8 - pawns });
        }
    }
    let edge = Rank::R1.bb() | Rank::R8.bb();
    if (position.pieces[PieceType::Pawn.index()] & edge).any() {
        return Err(FenError::PawnOnEdge);
    }
    let king = position.king(!position.side);
    let attackers = position.attackers_to(king, position.occupied());
    if (attackers & position.colors[position.side.index()]).any() {
        return Err(FenError::OpponentInCheck);
    }
    Ok(())
}

/// Keeps an en passant square only if a pawn can just have passed it and another attacks it.
pub(super) fn plausible_en_passant(position: &Position) -> bool {
    let Some(square) = position.en_passant else { return false };
    let (us, them) = (position.side, !position.side);
    if square.rank() != Rank::R6.relative(us) {
        return false;
    }
    let passed = crate::position::passed_pawn(square);
    let start = passed_pawn_start(square, them);
    position.colored(them, PieceType::Pawn).contains(passed)
        && (position.occupied() & (square.bb() | start)).is_empty()
}

/// Where the pawn of `color` that passed the square stood before.
fn passed_pawn_start(square: crate::Square, color: Color) -> Bitboard {
    square.file().bb() & Rank::R2.relative(color).bb()
}

/// The rook that a castling letter means: `K` and `Q` the outermost on their side of the king (X-FEN), a
/// file letter the one on that file (Shredder-FEN). `None` if there is no such rook or the king is not on
/// its first rank.
pub(super) fn castling_rook(position: &Position, color: Color, letter: char) -> Option<crate::Square> {
    let rank = Rank::R1.relative(color).bb();
    let king = position.king(color);
    if !rank.contains(king) {
        return None;
    }
    let rooks = position.colored(color, PieceType::Rook) & rank;
    match letter.to_ascii_uppercase() {
        'K' => rooks.into_iter().filter(|&rook| rook > king).last(),
        'Q' => rooks.first().filter(|&rook| rook < king),
        file => rooks.into_iter().find(|rook| Some(rook.file()) == File::from_char(file)),
    }
}
