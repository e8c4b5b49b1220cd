//! The board as text.

use draughts::{Color, Kind, Position, Square};
use study::Style;

/// The board from White's view: `w` and `b` men, `W` and `B` kings, the numbers of the first square of
/// each row at its side.
pub fn draw(position: &Position) -> String {
    let mut text = String::new();
    for row in 0..10 {
        text.push_str("  ");
        for column in 0..10 {
            let square = Square::all().find(|square| (square.row(), square.column()) == (row, column));
            text.push_str(match square.map(|square| position.piece_at(square)) {
                None => "  ",
                Some(None) => ". ",
                Some(Some((Color::White, Kind::Man))) => "w ",
                Some(Some((Color::White, Kind::King))) => "W ",
                Some(Some((Color::Black, Kind::Man))) => "b ",
                Some(Some((Color::Black, Kind::King))) => "B ",
            });
        }
        text.push_str(&format!("  {:2}-{}\n", 5 * row + 1, 5 * row + 5));
    }
    text.push_str(&format!("  {} to move", position.turn()));
    text
}

/// The board for a person who plays: figures or letters, from either side, with colours where the style has them.
pub fn draw_for(position: &Position, black_below: bool, ascii: bool, style: Style) -> String {
    if ascii && !black_below && !style.has_colour() {
        return draw(position);
    }
    let mut text = String::new();
    for row in 0..10 {
        text.push_str("  ");
        let turned = |index: usize| if black_below { 9 - index } else { index };
        for column in 0..10 {
            let place = (turned(row), turned(column));
            let square = Square::all().find(|square| (square.row(), square.column()) == place);
            let figures = if ascii { ["w", "W", "b", "B"] } else { ["⛀", "⛁", "⛂", "⛃"] };
            let [white_man, white_king, black_man, black_king] = figures;
            let figure = match square.map(|square| position.piece_at(square)) {
                None => " ",
                Some(None) if style.has_colour() => " ",
                Some(None) => ".",
                Some(Some((Color::White, Kind::Man))) => white_man,
                Some(Some((Color::White, Kind::King))) => white_king,
                Some(Some((Color::Black, Kind::Man))) => black_man,
                Some(Some((Color::Black, Kind::King))) => black_king,
            };
            let ground = if square.is_some() { "30;48;5;137" } else { "30;48;5;223" };
            text.push_str(&style.paint(ground, &format!("{figure} ")));
        }
        let first = 5 * turned(row) + 1;
        let (left, right) = if black_below { (first + 4, first) } else { (first, first + 4) };
        text.push_str(&format!("  {left:2}-{right}\n"));
    }
    text.push_str(&format!("  {} to move", position.turn()));
    text
}
