//! Games as PDN: tags like PGN, moves in Manoury's numbers.
//!
//! The reader takes what is found in practice: comments in braces, nested or not, or after a semicolon;
//! variations, whose moves it does not look at; NAGs and `!`/`?` marks; missing tags or move numbers; captures in short form, with
//! victims or with the whole path; UTF-8 with or without mark, else Windows-1252. A game that it cannot
//! read gives an error and the next one is tried.

mod reader;
mod scanner;

pub use reader::{Entry, Reader};

use crate::rules::International;
use crate::{Game, Move, Position, fen, legal_moves, notation};
use scanner::{Scanner, Token};
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
    let mut scanner = Scanner::new(text);
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
