//! The starting positions of chess, Chess960 and double Chess960.

use super::Board;
use crate::position::Position;
use crate::types::{Color, File, PieceType, Rank, Square};

/// The number of the classical set-up among the 960.
const CLASSICAL: u16 = 518;

/// The men on the first rank of a numbered set-up, by Scharnagl's scheme: light-squared bishop, dark-squared
/// bishop, queen, the two knights among the five squares left, then rook, king, rook.
fn back_rank(number: u16) -> [PieceType; 8] {
    const KNIGHTS: [(usize, usize); 10] =
        [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];
    let number = usize::from(number % 960);
    let mut men = [None; 8];
    men[number % 4 * 2 + 1] = Some(PieceType::Bishop);
    men[number / 4 % 4 * 2] = Some(PieceType::Bishop);
    place(&mut men, number / 16 % 6, PieceType::Queen);
    let (first, second) = KNIGHTS[number / 96];
    // The second is put down first, so that the first's index still counts the same free squares.
    place(&mut men, second, PieceType::Knight);
    place(&mut men, first, PieceType::Knight);
    for kind in [PieceType::Rook, PieceType::King, PieceType::Rook] {
        place(&mut men, 0, kind);
    }
    men.map(|man| man.unwrap_or(PieceType::Rook))
}

/// Puts a man on the free square with this index.
fn place(men: &mut [Option<PieceType>; 8], index: usize, kind: PieceType) {
    if let Some(free) = men.iter_mut().filter(|man| man.is_none()).nth(index) {
        *free = Some(kind);
    }
}

impl Board {
    /// The starting position of chess.
    pub fn startpos() -> Self {
        Self::chess960(CLASSICAL)
    }

    /// A starting position of Chess960 by its usual number, 0 to 959 (518 is the classical one); larger
    /// numbers begin again at 0.
    pub fn chess960(number: u16) -> Self {
        Self::dfrc(number, number)
    }

    /// A starting position of double Chess960: each side has its own number, as in [`Board::chess960`].
    pub fn dfrc(white: u16, black: u16) -> Self {
        let mut position = Position::EMPTY;
        for (color, number) in [(Color::White, white), (Color::Black, black)] {
            for (file, kind) in File::ALL.into_iter().zip(back_rank(number)) {
                let square = Square::new(file, Rank::R1.relative(color)).bb();
                position.pieces[kind.index()] |= square;
                if kind == PieceType::Rook {
                    position.castling |= square;
                }
            }
            let (first, second) = (Rank::R1.relative(color).bb(), Rank::R2.relative(color).bb());
            position.pieces[PieceType::Pawn.index()] |= second;
            position.colors[color.index()] = first | second;
        }
        Self::from_position(position, 0, 1)
    }
}
