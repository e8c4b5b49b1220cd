//! Extended position descriptions: a position and what is said about it, one in each line (PGN standard, section 16.2).

use std::fmt::Write as _;

use movegen::{Board, Move};

/// The operations that stand for FEN's counters, halfmove clock and move number, and what holds without them.
const COUNTERS: [(&str, &str); 2] = [("hmvc", "0"), ("fmvn", "1")];

/// A line of an EPD file.
#[derive(Clone, Debug)]
pub struct Epd {
    /// The position.
    pub board: Board,
    /// Names and operands, in the order of the line.
    pub operations: Vec<(String, Vec<String>)>,
}

impl Epd {
    /// Reads a line; `None` when there is nothing in it or a comment (`#`). Taken as found in practice: move counters
    /// as in FEN, empty operations, a missing last semicolon. Counters become the operations of the standard for them
    /// (`hmvc`, `fmvn`, section 16.2.5); where those stand in the line, they count.
    ///
    /// # Errors
    /// When the position or a counter is none.
    pub fn parse(line: &str) -> Result<Option<Self>, String> {
        let line = line.trim().trim_start_matches('\u{feff}');
        if line.is_empty() || line.starts_with('#') {
            return Ok(None);
        }
        let mut rest = line;
        let mut fields = Vec::new();
        while fields.len() < 4 {
            let (field, behind) = next_word(rest);
            let bare = field.trim_end_matches(';');
            fields.push(bare);
            rest = behind;
            if bare.len() < field.len() {
                break;
            }
        }
        let mut counters = Vec::new();
        while counters.len() < 2 {
            let (word, behind) = next_word(rest);
            let bare = word.trim_end_matches(';');
            if bare.is_empty() || !bare.bytes().all(|byte| byte.is_ascii_digit()) {
                break;
            }
            counters.push(bare);
            rest = behind;
        }
        let mut operations = operations(rest);
        // Without four fields there is no position, and the counters would be taken for what is missing.
        fields.retain(|field| !field.is_empty());
        let expected = if fields.len() == 4 { &COUNTERS[..] } else { &[] };
        for (place, &(name, default)) in expected.iter().enumerate() {
            let operation = operations.iter().find(|(other, _)| other == name);
            match (operation, counters.get(place).copied()) {
                (Some((_, operands)), _) => {
                    let operand = operands.first().map_or("", String::as_str);
                    let is_number = !operand.is_empty() && operand.bytes().all(|byte| byte.is_ascii_digit());
                    fields.push(if is_number {
                        operand
                    } else {
                        return Err(format!("{name} takes a number"));
                    });
                }
                (None, Some(counter)) => fields.push(counter),
                (None, None) => fields.push(default),
            }
        }
        let board = Board::from_fen(&fields.join(" ")).map_err(|error| error.to_string())?;
        let own = [board.halfmove_clock().to_string(), board.fullmove_number().to_string()];
        for (place, ((name, default), counter)) in COUNTERS.into_iter().zip(own).enumerate() {
            if counter != default && operations.iter().all(|(other, _)| other != name) {
                operations.insert(place.min(operations.len()), (name.to_owned(), vec![counter]));
            }
        }
        Ok(Some(Self { board, operations }))
    }

    /// The operands of an operation.
    pub fn operands(&self, name: &str) -> Option<&[String]> {
        let found = self.operations.iter().find(|(other, _)| other == name);
        found.map(|(_, operands)| operands.as_slice())
    }

    /// What the position is called.
    pub fn id(&self) -> String {
        self.operands("id").unwrap_or_default().join(" ")
    }

    /// Sets an operation, in the place of one of the same name.
    pub fn set(&mut self, name: &str, operands: Vec<String>) {
        match self.operations.iter_mut().find(|(other, _)| other == name) {
            Some((_, old)) => *old = operands,
            None => self.operations.push((name.to_owned(), operands)),
        }
    }

    /// Takes an operation out.
    pub fn remove(&mut self, name: &str) {
        self.operations.retain(|(other, _)| other != name);
    }

    /// Reads a move in SAN, long algebraic or UCI notation.
    ///
    /// # Errors
    /// When it is no legal move here.
    pub fn parse_move(&self, text: &str) -> Result<Move, String> {
        let parsed = self.board.parse_san(text).map_err(|error| format!("'{text}': {error}"));
        parsed.or_else(|error| self.board.parse_uci(text).map_err(|_| error))
    }

    /// The line.
    pub fn text(&self) -> String {
        let fen = self.board.fen();
        let mut text = fen.split(' ').take(4).collect::<Vec<_>>().join(" ");
        for (name, operands) in &self.operations {
            let _ = write!(text, " {name}");
            for operand in operands {
                let is_plain =
                    !operand.is_empty() && !operand.contains(|c: char| c == ';' || c.is_whitespace());
                // Comments and the name are strings by definition.
                if is_plain && name != "id" && !name.starts_with(['c', 'v']) || name == "ce" {
                    let _ = write!(text, " {operand}");
                } else {
                    let _ = write!(text, " \"{}\"", operand.replace('"', "'"));
                }
            }
            text.push(';');
        }
        text
    }
}

fn next_word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()))
}

/// The operations of a line: words, or strings in quotes, up to a semicolon.
fn operations(text: &str) -> Vec<(String, Vec<String>)> {
    let mut found = Vec::new();
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut is_quoted = false;
    let mut has_word = false;
    for letter in text.chars().chain([';']) {
        match letter {
            '"' => {
                is_quoted = !is_quoted;
                has_word = true;
            }
            ';' | ' ' | '\t' if !is_quoted => {
                if std::mem::take(&mut has_word) {
                    words.push(std::mem::take(&mut word));
                }
                if letter == ';' && !words.is_empty() {
                    let name = words.remove(0);
                    found.push((name, std::mem::take(&mut words)));
                }
            }
            _ => {
                word.push(letter);
                has_word = true;
            }
        }
    }
    // A quote that is never closed: what it holds belongs to the last operation.
    if has_word {
        words.push(word.trim_end_matches(';').to_owned());
    }
    if !words.is_empty() {
        let name = words.remove(0);
        found.push((name, words));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Epd {
        Epd::parse(line).expect("a position").expect("not empty")
    }

    #[test]
    fn operations_are_read_as_found_in_practice() {
        let epd = parse("r3k3/8/8/8/8/8/8/4K2R w K -  ; bm O-O Rh8+; id two words ;c0 \"a; b\"");
        assert_eq!(epd.operands("bm"), Some(&["O-O".to_owned(), "Rh8+".to_owned()][..]));
        assert_eq!(epd.id(), "two words");
        assert_eq!(epd.operands("c0"), Some(&["a; b".to_owned()][..]));
        let epd = parse("7k/8/8/8/8/8/8/K5R1 w - -; bm Rg2");
        assert_eq!(epd.operands("bm"), Some(&["Rg2".to_owned()][..]));
        let epd = parse("7k/8/8/8/8/8/8/K5R1 w - - 12 40 dm 3; id \"open");
        assert_eq!(epd.board.halfmove_clock(), 12);
        assert_eq!((epd.board.fullmove_number(), epd.id().as_str()), (40, "open"));
        assert_eq!(epd.text(), "7k/8/8/8/8/8/8/K5R1 w - - hmvc 12; fmvn 40; dm 3; id \"open\";");
        let line = "7k/8/8/8/8/8/8/K5R1 w - - dm 3; fmvn 60; hmvc 96;";
        let epd = parse(line);
        assert_eq!((epd.board.halfmove_clock(), epd.board.fullmove_number()), (96, 60));
        assert_eq!(epd.text(), line);
        let epd = parse("7k/8/8/8/8/8/8/K5R1 w - - 3 9 hmvc 4;");
        assert_eq!((epd.board.halfmove_clock(), epd.board.fullmove_number()), (4, 9));
        assert_eq!(epd.text(), "7k/8/8/8/8/8/8/K5R1 w - - hmvc 4; fmvn 9;");
        let epd = parse("7k/8/8/8/8/8/8/K5R1 w - - bm #10; PV: a1a2 h8g8;");
        assert_eq!(epd.operands("bm"), Some(&["#10".to_owned()][..]));
        assert_eq!(epd.operands("PV:").map(<[String]>::len), Some(2));
    }

    #[test]
    fn empty_lines_and_comments_hold_nothing_and_nonsense_is_an_error() {
        for line in ["", "   ", "# comment", "\u{feff}"] {
            assert!(matches!(Epd::parse(line), Ok(None)), "{line:?}");
        }
        for line in [
            "hello",
            "8/8/8/8/8/8/8/8 w - -",
            ";",
            "7k/8/8/8/8/8/8/K7 x - - bm Ka2",
            "7k/8/8/8/8/8/8/K7 w - - hmvc x",
        ] {
            assert!(Epd::parse(line).is_err(), "{line:?}");
        }
    }

    #[test]
    fn a_line_is_written_as_it_was() {
        let line = "7k/8/8/8/8/8/8/K5R1 w - - bm Rg2 Rg3; id \"a b\"; c0 \"x\"; dm 3;";
        let mut epd = parse(line);
        assert_eq!(epd.text(), line);
        epd.set("dm", vec!["4".into()]);
        epd.set("acd", vec!["9".into()]);
        assert!(epd.text().ends_with("c0 \"x\"; dm 4; acd 9;"), "{}", epd.text());
    }

    #[test]
    fn moves_come_in_several_notations() {
        let epd = parse("7k/8/8/8/8/8/8/K5R1 w - - bm Rg2");
        for text in ["Rg2", "g1g2", "Rg1-g2"] {
            assert!(epd.parse_move(text).is_ok(), "{text}");
        }
        assert!(epd.parse_move("Rg9").is_err());
    }
}
