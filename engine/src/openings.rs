//! Names of openings, found by position, so that other orders of moves lead to the same name.

use std::collections::HashMap;
use std::sync::LazyLock;

use movegen::{Board, Move, NoObserver};

const TABLE: &str = include_str!("../data/openings.tsv");

/// An opening of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Code of the Encyclopaedia of Chess Openings.
    pub code: &'static str,
    /// Name.
    pub name: &'static str,
}

/// The openings by the key of the position they end in, and the length of the longest in plies.
struct Book {
    by_key: HashMap<u64, Opening>,
    longest: usize,
}

static BOOK: LazyLock<Book> = LazyLock::new(|| {
    let mut book = Book { by_key: HashMap::new(), longest: 0 };
    for (opening, moves) in rows() {
        let mut board = Board::startpos();
        let mut plies = 0;
        for text in moves.split(' ') {
            // Whether all can be played is tested.
            let Ok(mv) = board.parse_san(text) else { break };
            board.make_move(mv, &mut NoObserver);
            plies += 1;
        }
        book.longest = book.longest.max(plies);
        book.by_key.insert(board.key(), opening);
    }
    book
});

/// The rows of the table: opening and moves.
fn rows() -> impl Iterator<Item = (Opening, &'static str)> {
    TABLE.lines().filter(|line| !line.starts_with('#')).filter_map(|line| {
        let mut fields = line.split('\t');
        let (code, name, moves) = (fields.next()?, fields.next()?, fields.next()?);
        Some((Opening { code, name }, moves))
    })
}

/// The opening of a game: the last position of the table that it goes through. `None` for a game that starts
/// elsewhere or whose first moves are in no book.
pub fn find(start: &Board, moves: &[Option<Move>]) -> Option<Opening> {
    let mut board = Board::startpos();
    if *start != board {
        return None;
    }
    let book = &*BOOK;
    let mut found = None;
    // Other orders of moves may take a little longer.
    for mv in moves.iter().take(book.longest + 6) {
        let Some(mv) = mv else { break };
        board.make_move(*mv, &mut NoObserver);
        found = book.by_key.get(&board.key()).copied().or(found);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    fn play(text: &str) -> (Board, Vec<Option<Move>>) {
        let mut board = Board::startpos();
        let mut moves = Vec::new();
        for word in text.split(' ') {
            let mv = board.parse_san(word).unwrap_or_else(|error| panic!("{text}: {word}: {error}"));
            assert_eq!(board.san(mv), word, "{text}");
            board.make_move(mv, &mut NoObserver);
            moves.push(Some(mv));
        }
        (board, moves)
    }

    #[test]
    fn every_row_can_be_played_and_leads_elsewhere() {
        let mut seen = HashMap::new();
        for (opening, moves) in rows() {
            assert!(opening.code.len() == 3 && opening.code.starts_with(|c| ('A'..='E').contains(&c)));
            let (board, _) = play(moves);
            if let Some(other) = seen.insert(board.key(), opening.name) {
                panic!("{} and {other} are the same position", opening.name);
            }
        }
        assert!(seen.len() > 300);
        assert_eq!(seen.len(), TABLE.lines().count() - 1);
    }

    #[test]
    fn openings_are_found_by_position() {
        let name = |text: &str| find(&Board::startpos(), &play(text).1).map(|opening| opening.name);
        assert_eq!(name("e4 e5 Nf3 Nc6 Bb5 Nf6 d3 d6"), Some("Ruy Lopez: Berlin Defence, Anti-Berlin"));
        assert_eq!(name("Nf3 Nc6 e4 e5 Bb5"), Some("Ruy Lopez"));
        assert_eq!(name("d4 f5"), Some("Dutch Defence"));
        assert_eq!(find(&Board::startpos(), &[]), None);
        assert_eq!(find(&Board::chess960(0), &[]), None);
    }
}
