//! The board as text.

use draughts::{Color, Kind, Position, Square};

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
