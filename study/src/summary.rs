//! The summary of a game for a person: colours, bars and a graph on a terminal, a plain table elsewhere.

use std::fmt::Write as _;

use crate::arguments::counted;
use crate::judgement::Mark;
use crate::report::{GameReport, PlyReport, Side};
use crate::terminal::{Style, bar, graph};

/// Width of the graph and of the bars in cells.
const GRAPH_WIDTH: usize = 72;
const BAR_WIDTH: usize = 10;

/// The colour of a mark, as a graphic rendition.
const fn colour(mark: Mark) -> &'static str {
    match mark {
        Mark::Good => "32",
        Mark::Inaccuracy => "33",
        Mark::Mistake => "35",
        Mark::Blunder => "1;31",
    }
}

/// Several lines about a game.
#[must_use]
pub fn summary_text(game: &GameReport, style: Style) -> String {
    let mut text = String::new();
    let _ = write!(text, "game {}: {}", game.number, style.paint("1", &game.title()));
    if let Some((code, name)) = &game.opening {
        let _ = write!(text, "; {code} {name}");
    }
    let _ = writeln!(text, "; {}", counted(game.plies.len().div_ceil(2) as u64, "move"));
    let gap = if style.has_colour() { BAR_WIDTH + 1 } else { 0 };
    let _ = writeln!(text, "         accuracy{:gap$}  loss  score loss    !   ?!    ?   ??", "");
    for (name, side) in ["White", "Black"].into_iter().zip(&game.summary) {
        let bar = if style.has_colour() {
            format!(" {}", bar(side.accuracy / 100.0, BAR_WIDTH))
        } else {
            String::new()
        };
        let _ = writeln!(
            text,
            "  {name}  {:>6.1} %{bar}  {:>4.1} {:>11.1} {:>4} {:>4} {:>4} {:>4}",
            side.accuracy,
            side.average_loss,
            side.average_score_loss,
            side.good,
            side.inaccuracies,
            side.mistakes,
            side.blunders
        );
    }
    if style.has_colour() && !game.plies.is_empty() {
        let wins: Vec<f64> = game.plies.iter().map(|ply| ply.win).collect();
        for line in graph(&wins, GRAPH_WIDTH) {
            let _ = writeln!(text, "  {line}");
        }
    }
    for &index in &game.turning_points {
        let before = index
            .checked_sub(1)
            .and_then(|index| game.plies.get(index))
            .map_or(game.start_win, |ply| ply.win);
        if let Some(ply) = game.plies.get(index) {
            let _ = writeln!(text, "  turning point: {}", turning_point(ply, before, style));
        }
    }
    text
}

fn turning_point(ply: &PlyReport, before: f64, style: Style) -> String {
    let dots = if ply.side == Side::White { "." } else { "..." };
    let sign = ply.mark.map_or("", Mark::sign);
    let name = format!("{}{dots} {}{sign}", ply.number, ply.text);
    let name = ply.mark.map_or(name.clone(), |mark| style.paint(colour(mark), &name));
    let better = ply.best.as_ref().and_then(|best| best.moves.first());
    let better = better.map_or(String::new(), |mv| format!(", better {mv}"));
    format!("{name} (White {before:.0} % to {:.0} %{better})", ply.win)
}
