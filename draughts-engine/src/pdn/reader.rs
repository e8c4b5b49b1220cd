//! Games of a file one after the other, in constant memory.

use std::io::{self, BufRead};

use super::{PdnError, PdnGame, PdnResult, decode, parse_from};

/// No game's text is longer, in bytes.
const LONGEST: usize = 4 << 20;

/// A game, or what is wrong with it.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its place in the file, from 1.
    pub number: usize,
    /// The line on which its text begins, from 1.
    pub line: u64,
    /// The game.
    pub game: Result<PdnGame, PdnError>,
}

/// Splits a file where a tag follows moves or a line ends in a result, and reads each piece.
pub struct Reader<R> {
    input: R,
    count: usize,
    line: u64,
    /// The first line of the next piece, already read.
    carried: Option<Vec<u8>>,
    ready: std::vec::IntoIter<Entry>,
}

/// The text of a piece as it grows.
#[derive(Default)]
struct Piece {
    bytes: Vec<u8>,
    first_line: u64,
    has_moves: bool,
    in_comment: bool,
    is_too_long: bool,
}

impl Piece {
    fn push(&mut self, line: &[u8]) {
        if self.bytes.len() + line.len() > LONGEST {
            self.is_too_long = true;
        } else {
            self.bytes.extend_from_slice(line);
        }
        self.has_moves |= (self.in_comment || !is_tag(line)) && !line.trim_ascii().is_empty();
    }

    /// Takes note of the comments of a line of moves, and returns what comes before one that lasts to its end.
    fn without_rest<'a>(&mut self, line: &'a [u8]) -> &'a [u8] {
        let mut before = b' ';
        for (at, &byte) in line.iter().enumerate() {
            match byte {
                b'{' => self.in_comment = true,
                b'}' => self.in_comment = false,
                b';' if !self.in_comment => return &line[..at],
                b'%' if !self.in_comment && before.is_ascii_whitespace() => return &line[..at],
                _ => {}
            }
            before = byte;
        }
        line
    }
}

fn is_tag(line: &[u8]) -> bool {
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
    line.trim_ascii_start().starts_with(b"[")
}

/// Whether a line ends in a result.
fn ends_game(line: &[u8]) -> bool {
    let word = line.trim_ascii_end().rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
    std::str::from_utf8(word).is_ok_and(|word| PdnResult::parse(word).is_some())
}

impl<R: BufRead> Reader<R> {
    /// Reads games from `input`.
    pub fn new(input: R) -> Self {
        Self { input, count: 0, line: 0, carried: None, ready: Vec::new().into_iter() }
    }

    /// A line, or as much of it as a game may have.
    fn read_line(&mut self) -> io::Result<Option<Vec<u8>>> {
        if let Some(line) = self.carried.take() {
            return Ok(Some(line));
        }
        let mut line = Vec::new();
        io::Read::take(&mut self.input, LONGEST as u64).read_until(b'\n', &mut line)?;
        self.line += u64::from(line.ends_with(b"\n"));
        Ok((!line.is_empty()).then_some(line))
    }

    /// The text of the next piece.
    fn piece(&mut self) -> io::Result<Option<Piece>> {
        let mut piece = Piece::default();
        while let Some(line) = self.read_line()? {
            if is_tag(&line) && piece.has_moves && (!piece.in_comment || line.starts_with(b"[Event")) {
                self.carried = Some(line);
                break;
            }
            if piece.bytes.is_empty() {
                if line.trim_ascii().is_empty() {
                    continue;
                }
                piece.first_line = self.line.max(1);
            }
            piece.push(&line);
            if !piece.in_comment && is_tag(&line) {
                continue;
            }
            let moves = piece.without_rest(&line);
            if !piece.in_comment && ends_game(moves) {
                break;
            }
        }
        Ok((!piece.bytes.is_empty() || piece.is_too_long).then_some(piece))
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = io::Result<Entry>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(entry) = self.ready.next() {
                return Some(Ok(entry));
            }
            let piece = match self.piece() {
                Ok(piece) => piece?,
                Err(error) => return Some(Err(error)),
            };
            let games = if piece.is_too_long {
                vec![Err(PdnError::TooLong(self.count + 1))]
            } else {
                parse_from(&decode(&piece.bytes), self.count)
            };
            let first = self.count + 1;
            self.count += games.len();
            let entries = games.into_iter().zip(first..);
            let line = piece.first_line;
            self.ready =
                entries.map(|(game, number)| Entry { number, line, game }).collect::<Vec<_>>().into_iter();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;

    fn read(text: &str) -> Vec<Entry> {
        Reader::new(text.as_bytes()).map(|entry| entry.expect("a slice can be read")).collect()
    }

    #[test]
    fn games_are_the_same_as_from_the_whole_text() {
        let text = "\u{feff}[Event \"a\"]\n[White \"w\"]\n\n1. 32-28 19-23 2. 28x19 14x23 2-0\n\n\n[Event \"b\"]\n\n1. 33-28 {a\n\
            [comment]\n} 18-23 *\n1. 31-26 1-1\r\n1. 31-27 20-25\n[Event \"c\"]\n\n1. 32-99\n\n[Event \"d\"]\n[Result \"0-2\"]\n\n1. 34-30 0-2";
        let entries = read(text);
        let whole = parse(text);
        assert_eq!(entries.len(), whole.len());
        for (entry, game) in entries.iter().zip(&whole) {
            match (&entry.game, game) {
                (Ok(a), Ok(b)) => assert_eq!((a.to_string(), a.result), (b.to_string(), b.result)),
                (a, b) => assert_eq!(
                    a.as_ref().err().map(ToString::to_string),
                    b.as_ref().err().map(ToString::to_string)
                ),
            }
        }
        assert_eq!(entries.iter().map(|entry| entry.number).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6]);
        assert_eq!(entries.iter().map(|entry| entry.line).collect::<Vec<_>>(), [1, 7, 12, 13, 14, 18]);
    }

    #[test]
    fn a_result_in_a_comment_ends_no_game() {
        let games = |text: &str| {
            let entries = read(text).into_iter();
            let games = entries.map(|entry| entry.game.expect("a good game"));
            games.map(|game| (game.game.moves().len(), game.comments.len(), game.result)).collect::<Vec<_>>()
        };
        let (white, open) = (PdnResult::White, PdnResult::Unknown);
        let one =
            "[Event \"a\"]\n\n1. 32-28 ; as in the game A-B 2-0\n19-23 2. 28x19 2-0 ; the end\n1. 31-26 *\n";
        assert_eq!(games(one), [(3, 1, white), (1, 0, open)]);
        let escaped = "[Event \"a\"]\n\n1. 32-28\n% 0-2\n19-23 2-0\n1. 31-26 *\n";
        assert_eq!(games(escaped), [(2, 0, white), (1, 0, open)]);
        // Braces in tags and behind semicolons are no comments, nor are semicolons in comments.
        let braces = "[Event \"{\"]\n\n1. 32-28 ; { 1-1\n19-23 { ; } 2-0\n1. 31-26 *\n";
        assert_eq!(games(braces), [(2, 2, white), (1, 0, open)]);
    }

    #[test]
    fn endless_texts_are_refused_and_the_next_game_is_read() {
        let mut text = String::from("[Event \"a\"]\n\n");
        text.push_str(&"{ and so on } \n".repeat(400_000));
        text.push_str("\n[Event \"b\"]\n\n1. 32-28 *\n");
        let entries = read(&text);
        assert_eq!(entries.len(), 2);
        assert!(matches!(entries[0].game, Err(PdnError::TooLong(1))));
        assert!(entries[1].game.is_ok());
    }
}
