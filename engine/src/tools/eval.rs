//! `dyad eval`: the static evaluation of a position.

use movegen::{Board, Color};
use search::chess::Evaluator;
use search::chess::wdl;

/// Prints the evaluation.
pub fn run(board: &Board) {
    println!("{}", report(board));
}

/// Board and evaluation as text.
pub fn report(board: &Board) -> String {
    let mut evaluator = Evaluator;
    evaluator.reset(board);
    let score = evaluator.evaluate(board);
    let white = if board.side_to_move() == Color::White { score } else { -score };
    let [win, draw, loss] = wdl::chances(score, board);
    format!(
        "{board}\nStatic evaluation: {:+.2} for White ({:+.2} for the side to move)\n\
         Chances of the side to move: win {:.1} %, draw {:.1} %, loss {:.1} %",
        f64::from(white) / 100.0,
        f64::from(score) / 100.0,
        f64::from(win) / 10.0,
        f64::from(draw) / 10.0,
        f64::from(loss) / 10.0,
    )
}
