//! `dyad eval`: the static evaluation of a position.

use movegen::{Board, Color};
use search::chess::score::centipawns;
use search::chess::wdl;
use search::chess::{Evaluation, Evaluator};

use crate::console;

/// Prints the evaluation.
pub fn run(board: &Board) {
    console::line(format_args!("{}", report(board, &Evaluation::built_in())));
}

/// Board and evaluation as text.
pub fn report(board: &Board, evaluation: &Evaluation) -> String {
    let score = Evaluator::new(evaluation).evaluate(board);
    let white = if board.side_to_move() == Color::White { score } else { -score };
    let [win, draw, loss] = wdl::chances(score, board);
    format!(
        "{board}\nStatic evaluation by {evaluation}: {:+.2} for White ({:+.2} for the side to move)\n\
         Chances of the side to move: win {:.1} %, draw {:.1} %, loss {:.1} %",
        f64::from(centipawns(white)) / 100.0,
        f64::from(centipawns(score)) / 100.0,
        f64::from(win) / 10.0,
        f64::from(draw) / 10.0,
        f64::from(loss) / 10.0,
    )
}
