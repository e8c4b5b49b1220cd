//! The evaluation that the search calls: one place where the kind of evaluation is chosen.

use eval::chess::bootstrap;
use movegen::{Board, MoveObserver};

/// Static evaluation of positions along a line of play.
///
/// It observes the moves made on the board, so that an incremental evaluation can follow them.
#[derive(Default)]
pub struct Evaluator;

impl Evaluator {
    /// Starts anew from a root position.
    pub fn reset(&mut self, _board: &Board) {}

    /// A move is about to be made.
    #[inline]
    pub fn push(&mut self) {}

    /// A move was taken back.
    #[inline]
    pub fn pop(&mut self) {}

    /// Score of the position in centipawns from the point of view of the side to move.
    #[inline]
    pub fn evaluate(&mut self, board: &Board) -> i32 {
        bootstrap::evaluate(board)
    }
}

impl MoveObserver for Evaluator {}
