//! The position editor of CECP: single men put on a board, for GUIs that do not send FENs.

use movegen::{Board, Color, FenError, File, Rank, Square};
use uci::cecp::Edit;

/// A position being edited: squares from a1 to h8, men as in FENs.
pub struct Editor {
    squares: [Option<char>; Square::NUM],
    color: Color,
    side: Color,
}

impl Editor {
    /// Begins with a board's position; men put down are White's at first.
    pub fn new(board: &Board) -> Self {
        let squares = std::array::from_fn(|index| {
            Square::from_index(index).and_then(|square| board.piece_on(square)).map(|piece| piece.to_char())
        });
        Self { squares, color: Color::White, side: board.side_to_move() }
    }

    /// Takes one command; nothing is done at the last one.
    pub fn apply(&mut self, edit: Edit) {
        match edit {
            Edit::Clear => self.squares = [None; Square::NUM],
            Edit::SwitchColor => self.color = !self.color,
            Edit::Put { man, file, rank } => {
                let man = man.map(|letter| match self.color {
                    Color::White => letter,
                    Color::Black => letter.to_ascii_lowercase(),
                });
                if let Some(square) = self.squares.get_mut(usize::from(rank) * 8 + usize::from(file)) {
                    *square = man;
                }
            }
            Edit::End | Edit::Quit => {}
        }
    }

    fn at(&self, file: File, rank: Rank) -> Option<char> {
        self.squares.get(Square::new(file, rank).index()).copied().flatten()
    }

    /// The position: the same side to move, all castlings that kings and rooks at home allow, no en passant.
    ///
    /// # Errors
    /// When it breaks the rules.
    pub fn board(&self) -> Result<Board, FenError> {
        let mut fen = String::new();
        for rank in Rank::ALL.into_iter().rev() {
            for file in File::ALL {
                fen.push(self.at(file, rank).unwrap_or('1'));
            }
            fen.push(if rank == Rank::R1 { ' ' } else { '/' });
        }
        fen.push(if self.side == Color::White { 'w' } else { 'b' });
        fen.push(' ');
        let before = fen.len();
        for (rank, king, rook, letters) in
            [(Rank::R1, 'K', 'R', ['K', 'Q']), (Rank::R8, 'k', 'r', ['k', 'q'])]
        {
            for (file, letter) in [File::H, File::A].into_iter().zip(letters) {
                if self.at(File::E, rank) == Some(king) && self.at(file, rank) == Some(rook) {
                    fen.push(letter);
                }
            }
        }
        if fen.len() == before {
            fen.push('-');
        }
        fen.push_str(" - 0 1");
        Board::from_fen(&fen)
    }
}
