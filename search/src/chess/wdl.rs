//! Win, draw and loss chances of a score.
//!
//! The chance to win is a logistic function of the score whose steepness depends on the material left: the
//! same advantage is worth more when less can still happen.

use movegen::{Board, PieceType};

use super::score::{is_loss, is_win};

/// Score in centipawns at which the win chance is one half, by material (`A0 + A1 * m`), and the width of the
/// transition (`B0 + B1 * m`); `m` is 1 with all pieces on the board.
const A: (f64, f64) = (150.0, 60.0);
const B: (f64, f64) = (60.0, 40.0);

/// Chances of win, draw and loss in thousandths for the side to move; they add up to 1000.
#[must_use]
pub fn chances(score: i32, board: &Board) -> [u16; 3] {
    if is_win(score) {
        return [1000, 0, 0];
    }
    if is_loss(score) {
        return [0, 0, 1000];
    }
    let count = |kind| f64::from(board.pieces(kind).count());
    let material = count(PieceType::Pawn)
        + 3.0 * (count(PieceType::Knight) + count(PieceType::Bishop))
        + 5.0 * count(PieceType::Rook)
        + 9.0 * count(PieceType::Queen);
    let m = material / 78.0;
    let (a, b) = (A.0 + A.1 * m, B.0 + B.1 * m);
    let chance = |score: f64| (1000.0 / (1.0 + ((a - score) / b).exp())).round() as u16;
    let (win, loss) = (chance(f64::from(score)), chance(-f64::from(score)));
    [win, 1000 - win - loss, loss]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up_and_follow_the_score() {
        let board = Board::startpos();
        let mut last = 0;
        for score in (-20_000..=20_000).step_by(50) {
            let [win, draw, loss] = chances(score, &board);
            assert_eq!(u32::from(win) + u32::from(draw) + u32::from(loss), 1000);
            assert!(win >= last);
            last = win;
        }
        assert_eq!(chances(super::super::score::mate_in(5), &board), [1000, 0, 0]);
    }
}
