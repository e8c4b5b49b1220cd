//! The ways a game of chess ends on the board, and what a fallen flag costs.

use movegen::{Board, Color};

use crate::tools::referee::helpmate::{Answer, LIMIT, can_mate};

/// Why a game is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// This side has given mate.
    Mate(Color),
    /// There is no legal move and no check.
    Stalemate,
    /// Nobody has the men to give mate.
    Material,
    /// The position is there for the third time.
    Repetition,
    /// Fifty moves have passed without a capture or pawn move.
    FiftyMoves,
}

impl Ending {
    /// The end of the game, if the position on the board is one: by the laws, or by a draw that a player could claim
    /// (FIDE Laws of Chess 2023, articles 5 and 9).
    pub fn of(board: &Board) -> Option<Self> {
        if !board.has_legal_move() {
            let is_mate = board.in_check();
            return Some(if is_mate { Self::Mate(!board.side_to_move()) } else { Self::Stalemate });
        }
        if board.is_insufficient_material() {
            Some(Self::Material)
        } else if board.repetition_count() >= 2 {
            Some(Self::Repetition)
        } else if board.is_fifty_move_draw() {
            Some(Self::FiftyMoves)
        } else {
            None
        }
    }
}

/// Whether a side wins when the other's flag falls: not where no series of legal moves gives mate (article 6.9). What
/// is not known to be impossible is taken to be possible.
pub fn can_win(board: &Board, side: Color) -> bool {
    !matches!(can_mate(board, side, LIMIT as usize), Answer::Unwinnable(_))
}

#[cfg(test)]
mod tests {
    use super::*;
    use movegen::NoObserver;

    #[test]
    fn each_end_is_told() -> Result<(), movegen::FenError> {
        for (fen, ending) in [
            ("R5k1/5ppp/8/8/8/8/8/7K b - - 100 90", Some(Ending::Mate(Color::White))),
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Some(Ending::Stalemate)),
            ("7k/8/6K1/8/8/8/8/6N1 w - - 0 1", Some(Ending::Material)),
            ("7k/8/6K1/8/8/8/8/6R1 w - - 100 90", Some(Ending::FiftyMoves)),
            ("7k/8/6K1/8/8/8/8/6R1 w - - 99 90", None),
        ] {
            assert_eq!(Ending::of(&Board::from_fen(fen)?), ending, "{fen}");
        }
        let mut board = Board::startpos();
        for text in ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(2) {
            assert_eq!(Ending::of(&board), None);
            let mv = board.parse_uci(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            board.make_move(mv, &mut NoObserver);
        }
        assert_eq!(Ending::of(&board), Some(Ending::Repetition));
        Ok(())
    }

    #[test]
    fn a_flag_costs_nothing_where_nobody_can_mate() -> Result<(), movegen::FenError> {
        // Bare king; a lone knight against a queen, behind which no king can be buried; a knight against a pawn.
        for (fen, can) in [
            ("7k/8/8/8/8/8/8/KQ6 w - - 0 1", false),
            ("7k/8/8/8/5n2/8/8/KQ6 w - - 0 1", false),
            ("7k/8/8/8/5n2/8/P7/K7 w - - 0 1", true),
        ] {
            assert_eq!(can_win(&Board::from_fen(fen)?, Color::Black), can, "{fen}");
        }
        Ok(())
    }
}
