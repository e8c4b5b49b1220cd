//! Games as PDN: tags like PGN, moves in Manoury's numbers.
//!
//! The reader takes what is found in practice: comments in braces, nested or not, or after a semicolon;
//! variations, whose moves it does not look at; NAGs and `!`/`?` marks; missing tags or move numbers; captures in short form, with
//! victims or with the whole path; UTF-8 with or without mark, else Windows-1252. A game that it cannot
//! read gives an error and the next one is tried.

mod reader;

pub use reader::{Entry, Reader};

use crate::rules::International;
use crate::{Game, Move, Position, fen, legal_moves, notation};
use std::fmt::{self, Write};
use uci::error::shown;

/// A game with what is known about it.
#[derive(Clone, Debug)]
pub struct PdnGame {
    /// Names and values in the order of the file.
    pub tags: Vec<(String, String)>,
    /// Start and moves.
    pub game: Game,
    /// Comments, each with the number of moves before it.
    pub comments: Vec<(usize, String)>,
    /// Comments, glyphs (`$1`) and variations as words of PDN, each with the number of moves before it.
    pub notes: Vec<(usize, String)>,
    /// The result.
    pub result: PdnResult,
}

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PdnResult {
    /// `2-0`, `1-0`.
    White,
    /// `0-2`, `0-1`.
    Black,
    /// `1-1`, `1/2-1/2`.
    Draw,
    /// `0-0`: both have lost.
    Neither,
    /// `*`, or none.
    #[default]
    Unknown,
}

/// Why a game cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PdnError {
    /// The game is of another kind of draughts.
    #[error("game {0}: GameType \"{1}\" is not international draughts (20)")]
    GameType(usize, String),
    /// The start position is wrong.
    #[error("game {0}: FEN: {1}")]
    Fen(usize, fen::FenError),
    /// A move is wrong.
    #[error("game {0}, after {1} moves: {2}")]
    Move(usize, usize, notation::MoveError),
    /// The text of the game is longer than any game.
    #[error("game {0}: too long")]
    TooLong(usize),
}

impl PdnResult {
    fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "2-0" | "1-0" => Self::White,
            "0-2" | "0-1" => Self::Black,
            "1-1" | "1/2-1/2" => Self::Draw,
            "0-0" => Self::Neither,
            "*" => Self::Unknown,
            _ => return None,
        })
    }
}

impl fmt::Display for PdnResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::White => "2-0",
            Self::Black => "0-2",
            Self::Draw => "1-1",
            Self::Neither => "0-0",
            Self::Unknown => "*",
        })
    }
}

/// The text of a file: UTF-8 if it is valid, else every byte is taken as Windows-1252 for the letters of
/// western Europe.
pub fn decode(bytes: &[u8]) -> String {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        // Windows-1252 differs from Latin-1 only in quotes, dashes and the like.
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    }
}

/// A game as far as it can be read.
#[derive(Clone, Debug)]
pub struct PartialGame {
    /// The game; its moves end before the first fault.
    pub read: PdnGame,
    /// What is wrong.
    pub fault: Option<PdnError>,
}

/// Reads all games of a text. A game with a fault is none.
pub fn parse(text: &str) -> Vec<Result<PdnGame, PdnError>> {
    parse_from(text, 0)
}

/// The same where `before` games came before the text.
fn parse_from(text: &str, before: usize) -> Vec<Result<PdnGame, PdnError>> {
    let games = partial_from(text, before).into_iter();
    games.map(|game| game.fault.map_or(Ok(game.read), Err)).collect()
}

/// Reads all games of a text as far as that is possible.
pub fn parse_partial(text: &str) -> Vec<PartialGame> {
    partial_from(text, 0)
}

fn partial_from(text: &str, before: usize) -> Vec<PartialGame> {
    let mut games = Vec::new();
    let mut draft = Draft::default();
    let mut scanner = Scanner { text, rest: text, glyph: None, unclosed: None };
    while let Some(token) = scanner.next() {
        match token {
            Token::Tag(name, value) => {
                if draft.has_moves() {
                    games.extend(
                        std::mem::take(&mut draft).finish(before + games.len() + 1, PdnResult::Unknown),
                    );
                }
                draft.tags.push((name, value));
            }
            Token::Comment(text) => draft.items.push(Item::Comment(text)),
            Token::Note(text) => draft.items.push(Item::Note(text)),
            Token::Word(word) => match PdnResult::parse(word) {
                Some(result) => {
                    games.extend(std::mem::take(&mut draft).finish(before + games.len() + 1, result));
                }
                None => draft.items.push(Item::Move(word.to_owned())),
            },
        }
    }
    games.extend(draft.finish(before + games.len() + 1, PdnResult::Unknown));
    games
}

enum Item {
    Move(String),
    Comment(String),
    Note(String),
}

/// A game as read so far, not yet understood.
#[derive(Default)]
struct Draft {
    tags: Vec<(String, String)>,
    items: Vec<Item>,
}

impl Draft {
    fn has_moves(&self) -> bool {
        self.items.iter().any(|item| matches!(item, Item::Move(_)))
    }

    fn tag(&self, name: &str) -> Option<&str> {
        let tag = self.tags.iter().find(|(other, _)| other.eq_ignore_ascii_case(name))?;
        Some(&tag.1)
    }

    /// The game; nothing if there was nothing but comments.
    fn finish(self, number: usize, result: PdnResult) -> Option<PartialGame> {
        if self.tags.is_empty() && !self.has_moves() {
            return None;
        }
        Some(self.understand(number, result))
    }

    fn understand(self, number: usize, result: PdnResult) -> PartialGame {
        let mut fault = None;
        if let Some(kind) = self.tag("GameType") {
            let first = kind.split(',').next().unwrap_or_default().trim();
            if first != "20" {
                fault = Some(PdnError::GameType(number, shown(kind)));
            }
        }
        let start = match self.tag("FEN").map(fen::parse_fen) {
            Some(Ok(start)) => start,
            Some(Err(error)) => {
                fault.get_or_insert(PdnError::Fen(number, error));
                Position::start()
            }
            None => Position::start(),
        };
        let result = match result {
            PdnResult::Unknown => self.tag("Result").and_then(PdnResult::parse).unwrap_or_default(),
            known => known,
        };
        let mut game = Game::new(start);
        let (mut comments, mut notes) = (Vec::new(), Vec::new());
        for item in &self.items {
            match item {
                Item::Comment(text) => {
                    comments.push((game.moves().len(), text.clone()));
                    // Braces would end it early, or late.
                    notes.push((game.moves().len(), format!("{{ {} }}", text.replace(['{', '}'], ""))));
                }
                Item::Note(text) => notes.push((game.moves().len(), text.clone())),
                Item::Move(_) if fault.is_some() => break,
                Item::Move(text) => match notation::parse_move::<International>(game.position(), text) {
                    Ok(mv) => game.push::<International>(mv),
                    Err(error) => fault = Some(PdnError::Move(number, game.moves().len(), error)),
                },
            }
        }
        PartialGame { read: PdnGame { tags: self.tags, game, comments, notes, result }, fault }
    }
}

enum Token<'a> {
    Tag(String, String),
    Comment(String),
    Note(String),
    Word(&'a str),
}

struct Scanner<'a> {
    text: &'a str,
    rest: &'a str,
    /// What follows the word before it.
    glyph: Option<String>,
    /// Where braces are that nothing closes, once that is asked.
    unclosed: Option<Vec<usize>>,
}

impl<'a> Scanner<'a> {
    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            if let Some(glyph) = self.glyph.take() {
                return Some(Token::Note(glyph));
            }
            self.rest = self.rest.trim_start();
            match self.rest.chars().next()? {
                '[' => return Some(self.tag()),
                '{' => return Some(Token::Comment(self.nested('{', '}'))),
                '(' => {
                    let text = self.nested('(', ')');
                    let words: Vec<&str> = text.split_whitespace().collect();
                    // Where a bracket is missing it would swallow what follows.
                    if !words.is_empty() && is_balanced(&text) {
                        return Some(Token::Note(format!("({})", words.join(" "))));
                    }
                }
                ';' => {
                    let (line, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
                    self.rest = rest;
                    return Some(Token::Comment(line[1..].trim().to_owned()));
                }
                // An escaped line, as in PGN; and closing brackets of nothing.
                '%' => self.rest = self.rest.split_once('\n').map_or("", |(_, rest)| rest),
                '}' | ')' | ']' => self.rest = &self.rest[1..],
                _ => {
                    // A glyph may hang on a move.
                    let is_end = |(at, c): (usize, char)| {
                        c.is_whitespace() || "[]{}();".contains(c) || (c == '$' && at > 0)
                    };
                    let end = self.rest.char_indices().find(|&place| is_end(place));
                    let (word, rest) = self.rest.split_at(end.map_or(self.rest.len(), |(at, _)| at));
                    self.rest = rest;
                    self.glyph = glyph(word);
                    if let Some(word) = strip_marks(word) {
                        return Some(Token::Word(word));
                    }
                }
            }
        }
    }

    /// `[Name "value"]`; a backslash protects a quote in the value.
    fn tag(&mut self) -> Token<'a> {
        let inner = &self.rest[1..];
        let name_end = inner.find(|c: char| c.is_whitespace() || c == '"' || c == ']').unwrap_or(inner.len());
        let (name, mut rest) = inner.split_at(name_end);
        let mut value = String::new();
        rest = rest.trim_start();
        if let Some(quoted) = rest.strip_prefix('"') {
            let mut escaped = false;
            let mut end = quoted.len();
            for (at, c) in quoted.char_indices() {
                match c {
                    '"' if !escaped => {
                        end = at + 1;
                        break;
                    }
                    // A value never goes over the end of its line: the closing quote is missing.
                    '\n' => {
                        end = at;
                        break;
                    }
                    '\\' if !escaped => escaped = true,
                    c => {
                        value.push(c);
                        escaped = false;
                    }
                }
            }
            rest = &quoted[end..];
        }
        let line_end = rest.find('\n').unwrap_or(rest.len());
        self.rest = match rest[..line_end].find(']') {
            Some(at) => &rest[at + 1..],
            None => &rest[line_end..],
        };
        Token::Tag(name.to_owned(), value.trim().to_owned())
    }

    /// The text between brackets that may nest. Where a bracket is not closed, comments are taken as not
    /// nesting; a variation goes on to the end.
    fn nested(&mut self, open: char, close: char) -> String {
        if open == '{' && !self.is_closed() {
            let (text, rest) = self.rest.split_once(close).unwrap_or((self.rest, ""));
            self.rest = rest;
            return text.get(1..).unwrap_or_default().trim().to_owned();
        }
        let mut depth = 0usize;
        let mut comment = 0usize;
        for (at, c) in self.rest.char_indices() {
            // Inside a variation, brackets in comments do not count.
            if open == '(' && (c == '{' || (c == '}' && comment > 0)) {
                comment = if c == '{' { comment + 1 } else { comment - 1 };
            } else if c == open && comment == 0 {
                depth += 1;
            } else if c == close && comment == 0 {
                depth -= 1;
                if depth == 0 {
                    let text = self.rest[1..at].trim().to_owned();
                    self.rest = &self.rest[at + 1..];
                    return text;
                }
            }
        }
        std::mem::take(&mut self.rest).get(1..).unwrap_or_default().trim().to_owned()
    }

    /// Whether the comment that begins here is closed. All of them are looked at together: to look from each brace
    /// to the end would take for ever where many are not closed.
    fn is_closed(&mut self) -> bool {
        let text = self.text;
        let unclosed = self.unclosed.get_or_insert_with(|| {
            let mut open = Vec::new();
            for (at, byte) in text.bytes().enumerate() {
                match byte {
                    b'{' => open.push(at),
                    b'}' => {
                        open.pop();
                    }
                    _ => {}
                }
            }
            open
        });
        unclosed.binary_search(&(text.len() - self.rest.len())).is_err()
    }
}

/// The glyph that a word is, or ends in as a mark.
fn glyph(word: &str) -> Option<String> {
    if let Some(number) = word.strip_prefix('$') {
        return number.parse::<u8>().ok().map(|number| format!("${number}"));
    }
    let marks = ["!", "?", "!!", "??", "!?", "?!"];
    let (_, mark) = word.split_at(word.trim_end_matches(['!', '?']).len());
    (1..).zip(marks).find(|&(_, known)| mark == known).map(|(number, _)| format!("${number}"))
}

/// Whether every bracket outside comments is closed, and every comment.
fn is_balanced(text: &str) -> bool {
    let (mut depth, mut comment) = (0i32, 0i32);
    for c in text.chars() {
        match c {
            '{' => comment += 1,
            '}' => comment -= 1,
            '(' if comment == 0 => depth += 1,
            ')' if comment == 0 => depth -= 1,
            _ => {}
        }
        if depth < 0 || comment < 0 {
            return false;
        }
    }
    depth == 0 && comment == 0
}

/// The move or result of a word, without move number and marks; `None` when nothing else is there.
fn strip_marks(word: &str) -> Option<&str> {
    if word == "*" {
        return Some(word);
    }
    if word.starts_with('$') {
        return None;
    }
    // `12.`, `12...`, `12.32-28`, `...`
    let word = match word.rfind('.') {
        Some(dot) if word[..dot].chars().all(|c| c.is_ascii_digit() || c == '.') => &word[dot + 1..],
        _ => word,
    };
    // The strength mark `*` looks like the open result, but hangs on a move.
    let word = word.trim_end_matches(['!', '?', '*', '+', '#', '=', '.']);
    // A number without its dot is a move number; `=` and the like are nothing.
    let is_move = word.contains(|c: char| "-x:X*".contains(c))
        || (word.len() == 4 && word.bytes().all(|b| b.is_ascii_digit()))
        || word.contains(|c: char| c.is_ascii_alphabetic());
    is_move.then_some(word)
}

impl fmt::Display for PdnGame {
    /// Tags, an empty line, and moves in lines of at most 79 characters.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let escape = |value: &str| value.replace('\\', "\\\\").replace('"', "\\\"");
        for (name, value) in &self.tags {
            if !["Result", "FEN", "GameType"].iter().any(|own| name.eq_ignore_ascii_case(own)) {
                writeln!(f, "[{name} \"{}\"]", escape(value))?;
            }
        }
        writeln!(f, "[Result \"{}\"]\n[GameType \"20\"]", self.result)?;
        if *self.game.start() != Position::start() {
            writeln!(f, "[FEN \"{}\"]", fen::to_fen(self.game.start()))?;
        }
        writeln!(f)?;
        let mut line = String::new();
        for word in self.words() {
            if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > 79 {
                writeln!(f, "{line}")?;
                line.clear();
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(&word);
        }
        writeln!(f, "{line}")
    }
}

impl PdnGame {
    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let tag = self.tags.iter().find(|(other, _)| other.eq_ignore_ascii_case(name))?;
        Some(&tag.1)
    }

    /// A game without comments; tags as given.
    pub fn new(tags: Vec<(String, String)>, game: Game, result: PdnResult) -> Self {
        Self { tags, game, comments: Vec::new(), notes: Vec::new(), result }
    }

    fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        let first = usize::from(self.game.start().turn() == crate::Color::Black);
        let mut comments = self.comments.iter().peekable();
        let moves = self.game.moves().iter().zip(self.game.positions());
        let mut numbered = false;
        for (ply, (&mv, position)) in moves.enumerate() {
            while let Some((_, text)) = comments.next_if(|(at, _)| *at <= ply) {
                push_comment(&mut words, text);
                numbered = false;
            }
            let number = (ply + first) / 2 + 1;
            if (ply + first) % 2 == 0 {
                words.push(format!("{number}."));
            } else if !numbered {
                words.push(format!("{number}..."));
            }
            numbered = true;
            words.push(written(mv, position));
        }
        for (_, text) in comments {
            push_comment(&mut words, text);
        }
        words.push(self.result.to_string());
        words
    }
}

fn push_comment(words: &mut Vec<String>, text: &str) {
    let text = text.replace('}', ")").replace('{', "(");
    words.push("{".to_owned());
    words.extend(text.split_whitespace().map(str::to_owned));
    words.push("}".to_owned());
}

/// A legal move as PDN writes it: the short form, and where that is ambiguous the whole path of the capture.
pub fn written(mv: Move, position: &Position) -> String {
    let legal = legal_moves::<International>(position);
    let same = legal.iter().filter(|other| (other.from, other.to) == (mv.from, mv.to)).count();
    let path = if same > 1 { notation::path::<International>(position, mv) } else { None };
    path.map_or_else(
        || notation::short(mv, &legal),
        |path| {
            let mut text = String::new();
            for (n, square) in path.iter().enumerate() {
                let separator = if n > 0 { "x" } else { "" };
                // Writing to a String cannot fail.
                let _ = write!(text, "{separator}{square}");
            }
            text
        },
    )
}
