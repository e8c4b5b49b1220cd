//! One entry of a book.

use movegen::{Board, Move, PieceType, Square};

/// Bytes of an entry.
pub const SIZE: usize = 16;

/// Kinds of men by the code of a promotion; the code 0 is no promotion.
const PROMOTIONS: [PieceType; 4] = [PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen];

/// A move of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Key of the position.
    pub key: u64,
    /// The move in the book's code, see [`code`].
    pub mv: u16,
    /// How good or usual the move is against the others of the position.
    pub weight: u16,
    /// Left to learning programs.
    pub learn: u32,
}

impl Entry {
    /// Reads an entry; all numbers have their highest byte first.
    pub fn from_bytes(bytes: [u8; SIZE]) -> Self {
        let all = u128::from_be_bytes(bytes);
        Self {
            key: (all >> 64) as u64,
            mv: (all >> 48) as u16,
            weight: (all >> 32) as u16,
            learn: all as u32,
        }
    }

    /// The bytes of the file.
    pub fn to_bytes(self) -> [u8; SIZE] {
        let all = u128::from(self.key) << 64
            | u128::from(self.mv) << 48
            | u128::from(self.weight) << 32
            | u128::from(self.learn);
        all.to_be_bytes()
    }

    /// What entries are sorted by: key, then the largest weight first, then the move.
    pub fn order(&self) -> (u64, u16, u16) {
        (self.key, u16::MAX - self.weight, self.mv)
    }

    /// The legal move that the entry means on this board.
    pub fn on(&self, board: &Board) -> Option<Move> {
        let square = |bits: u16| Square::from_index(usize::from(bits & 63));
        let (to, from) = (square(self.mv)?, square(self.mv >> 6)?);
        let promotion = match usize::from(self.mv >> 12 & 7) {
            0 => None,
            code => Some(*PROMOTIONS.get(code - 1)?),
        };
        let moves = board.legal_moves();
        let fits = |mv: &&Move| mv.from() == from && mv.promotion() == promotion;
        // Castling is king takes rook, as here; some books have the king's own two squares.
        let plain = moves.iter().filter(fits).find(|mv| mv.to() == to);
        plain
            .or_else(|| moves.iter().filter(fits).find(|mv| mv.is_castling() && mv.destination() == to))
            .copied()
    }
}

/// The book's code of a move: target, origin and promotion in 6, 6 and 3 bits; castling is king takes rook.
pub fn code(mv: Move) -> u16 {
    let promotion = mv.promotion().and_then(|kind| PROMOTIONS.iter().position(|other| *other == kind));
    let promotion = promotion.map_or(0, |place| place + 1);
    (mv.to().index() | mv.from().index() << 6 | promotion << 12) as u16
}
