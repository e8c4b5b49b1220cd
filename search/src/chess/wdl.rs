//! Win, draw and loss chances of a score.
//!
//! The chance to win is a logistic function of the score. Where it is one half and how steep it is depend on the
//! material left, since the same advantage is worth more when less can still happen. The numbers are fitted to
//! the engine's own games by `dyad data wdl`.

use movegen::{Board, PieceType};

use super::score::{is_loss, is_win};

/// The logistic model. Each pair is a constant and what is added per share of the material on the board, which is
/// 1 in the start position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Model {
    /// Score in centipawns at which the chance to win is one half.
    pub half: (f64, f64),
    /// Centipawns over which the chance grows from one half to 73 %.
    pub width: (f64, f64),
}

/// Fitted to games of the evaluation that is built in.
pub const MODEL: Model = Model { half: (212.5, -163.5), width: (63.0, 34.0) };

/// Mean share of material after 32 moves of the engine's games.
const LATE_MATERIAL: f64 = 0.497;

/// What the search counts for what is shown as one pawn: the score that wins half of the games after 32 moves.
pub const PAWN: i32 = MODEL.half_at(LATE_MATERIAL) as i32;

impl Model {
    /// Score at which the chance to win is one half, with a share of material left.
    #[must_use]
    pub const fn half_at(&self, material: f64) -> f64 {
        self.half.0 + self.half.1 * material
    }

    /// Probabilities of win, draw and loss for a score in centipawns and a share of material.
    #[must_use]
    pub fn probabilities(&self, score: f64, material: f64) -> [f64; 3] {
        let half = self.half_at(material);
        let width = (self.width.0 + self.width.1 * material).max(1.0);
        let chance = |score: f64| 1.0 / (1.0 + ((half - score) / width).exp());
        let (win, loss) = (chance(score), chance(-score));
        // Where the halves overlap (half below 0) both are too large: no draw is left then.
        let sum = (win + loss).max(1.0);
        let (win, loss) = (win / sum, loss / sum);
        [win, (1.0 - win - loss).max(0.0), loss]
    }
}

/// Material of a position as a share of that in the start position.
#[must_use]
pub fn material(board: &Board) -> f64 {
    let count = |kind| f64::from(board.pieces(kind).count());
    let sum = count(PieceType::Pawn)
        + 3.0 * (count(PieceType::Knight) + count(PieceType::Bishop))
        + 5.0 * count(PieceType::Rook)
        + 9.0 * count(PieceType::Queen);
    sum / 78.0
}

/// Chances of win, draw and loss in thousandths for the side to move; they add up to 1000. Material that cannot mate is
/// a draw.
#[must_use]
pub fn chances(score: i32, board: &Board) -> [u16; 3] {
    if board.is_insufficient_material() {
        return [0, 1000, 0];
    }
    if is_win(score) {
        return [1000, 0, 0];
    }
    if is_loss(score) {
        return [0, 0, 1000];
    }
    let [win, _, loss] = MODEL.probabilities(f64::from(score), material(board));
    let (win, loss) = ((1000.0 * win).round() as u16, (1000.0 * loss).round() as u16);
    // Both rounded up may exceed the whole by one.
    let win = win.min(1000 - loss);
    [win, 1000 - win - loss, loss]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up_and_follow_the_score() {
        for fen in
            ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "8/8/4k3/8/8/4K3/4P3/8 w - - 0 1"]
        {
            let board = Board::from_fen(fen).expect("a test position");
            let mut last = 0;
            for score in (-20_000..=20_000).step_by(50) {
                let [win, draw, loss] = chances(score, &board);
                assert_eq!(u32::from(win) + u32::from(draw) + u32::from(loss), 1000);
                assert!(win >= last);
                last = win;
            }
        }
        assert_eq!(chances(super::super::score::mate_in(5), &Board::startpos()), [1000, 0, 0]);
    }

    #[test]
    fn material_that_cannot_mate_is_a_draw() {
        let board = Board::from_fen("8/8/4k3/8/8/4K3/4B3/8 w - - 0 1").expect("a test position");
        assert_eq!(chances(1, &board), [0, 1000, 0]);
    }

    #[test]
    fn overlapping_halves_leave_no_negative_draw() {
        let model = Model { half: (-80.0, 0.0), width: (40.0, 0.0) };
        for score in [-300.0, -10.0, 0.0, 10.0, 300.0] {
            let chances = model.probabilities(score, 1.0);
            assert!(chances.iter().all(|p| (0.0..=1.0).contains(p)), "{chances:?}");
        }
    }
}
