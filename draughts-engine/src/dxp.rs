//! DamExchange (DXP), version 1: the grammar of its messages, and games over a connection.
//!
//! A message has at most 127 characters and is ended by a NUL. Nothing in this file knows a connection or
//! runs a search.

mod clock;
pub mod frame;
pub mod session;

use crate::position::PositionError;
use crate::{Bitboard, Color, Kind, Move, Position, Square};
use std::fmt;

/// The port that programs use by custom.
pub const PORT: u16 = 27531;
/// Greatest length of a message without its end.
pub const LONGEST: usize = 127;
/// The version of the protocol.
const VERSION: u32 = 1;
/// Width of a name.
const NAME: usize = 32;

/// Why bytes are not a message.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DxpError {
    /// No NUL within the greatest length.
    #[error("message longer than {LONGEST} characters")]
    TooLong,
    /// Nothing before the NUL.
    #[error("empty message")]
    Empty,
    /// The first letter names no kind of message.
    #[error("unknown kind of message '{0}'")]
    Kind(char),
    /// The message ends too early.
    #[error("{0} message too short")]
    TooShort(&'static str),
    /// A part does not say what it must.
    #[error("{0} message: '{1}' is not {2}")]
    Field(&'static str, String, &'static str),
    /// A request in another version of the protocol.
    #[error("version {0} of the protocol is not spoken here")]
    Version(u32),
    /// A request with an impossible position.
    #[error("request message: {0}")]
    Position(#[from] PositionError),
}

/// One message.
#[derive(Clone, PartialEq, Debug)]
pub enum Message {
    /// `R`: let us play.
    Request(Request),
    /// `A`: the answer to a request.
    Accept {
        /// The follower.
        name: String,
        /// What it says.
        answer: Answer,
    },
    /// `M`: a move.
    Move {
        /// Thinking time in seconds, 0 to 9999.
        seconds: u32,
        /// From, to and the captured squares as sent; whether it is legal is another question.
        mv: Move,
    },
    /// `E`: the game is over; answered by the same kind of message.
    End {
        /// As the sender sees it.
        reason: Reason,
        /// The sender wants no further game.
        quits: bool,
    },
    /// `C`: a text for the user.
    Chat(String),
    /// `B`: take moves back.
    Back {
        /// Number of the move to be played again, from 1.
        number: u32,
        /// The side that plays it.
        turn: Color,
    },
    /// `K`: the answer to that.
    BackAnswer(BackAnswer),
}

/// What a game request says.
#[derive(Clone, PartialEq, Debug)]
pub struct Request {
    /// The initiator's name.
    pub name: String,
    /// The colour of the follower.
    pub follower: Color,
    /// Time of each side in minutes, 0 to 999; 0 without a clock.
    pub minutes: u32,
    /// For so many moves, 0 to 999; 0 for the whole game.
    pub moves: u32,
    /// Where the game begins.
    pub start: Position,
}

/// The follower's answer to a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The game begins.
    Accepted,
    /// The version is not known.
    Version,
    /// Not this game, or not now.
    Game,
    /// No games at all.
    NoGames,
}

/// Why a game ended, as the sender of the message sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// Broken off.
    Unknown,
    /// The sender lost.
    Lost,
    /// A draw.
    Draw,
    /// The sender won.
    Won,
}

/// The answer to a request to go back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BackAnswer {
    /// The moves are taken back.
    Done,
    /// Not possible.
    Unsupported,
    /// Play on.
    GoOn,
}

impl Reason {
    /// The same end seen from the other side.
    pub fn reversed(self) -> Self {
        match self {
            Self::Lost => Self::Won,
            Self::Won => Self::Lost,
            same => same,
        }
    }
}

/// The parts of a message, taken from left to right.
struct Fields<'a> {
    rest: &'a [u8],
    message: &'static str,
}

impl<'a> Fields<'a> {
    fn take(&mut self, width: usize) -> Result<&'a [u8], DxpError> {
        let (part, rest) = self.rest.split_at_checked(width).ok_or(DxpError::TooShort(self.message))?;
        self.rest = rest;
        Ok(part)
    }

    fn wrong(&self, part: &[u8], expected: &'static str) -> DxpError {
        DxpError::Field(self.message, text(part), expected)
    }

    /// A number; blanks before it are tolerated.
    fn number(&mut self, width: usize) -> Result<u32, DxpError> {
        let part = self.take(width)?;
        let digits = part.trim_ascii();
        let number = digits
            .iter()
            .all(u8::is_ascii_digit)
            .then_some(digits)
            .and_then(|digits| std::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok()));
        number.ok_or_else(|| self.wrong(part, "a number"))
    }

    fn square(&mut self) -> Result<Square, DxpError> {
        let number = self.number(2)?;
        let square = u8::try_from(number).ok().and_then(Square::new);
        square.ok_or_else(|| self.wrong(number.to_string().as_bytes(), "a square from 1 to 50"))
    }

    fn color(&mut self) -> Result<Color, DxpError> {
        let part = self.take(1)?;
        match part {
            b"W" | b"w" => Ok(Color::White),
            b"Z" | b"z" => Ok(Color::Black),
            _ => Err(self.wrong(part, "W or Z")),
        }
    }

    fn name(&mut self) -> Result<String, DxpError> {
        Ok(text(self.take(NAME)?).trim().to_owned())
    }

    fn position(&mut self) -> Result<Position, DxpError> {
        let turn = self.color()?;
        let squares = self.take(Square::NUM)?;
        let mut pieces = [Bitboard::EMPTY; 2];
        let mut kings = Bitboard::EMPTY;
        for (square, letter) in Square::all().zip(squares) {
            let set = Bitboard::from(square);
            match letter {
                b'w' | b'W' => pieces[0] |= set,
                b'z' | b'Z' => pieces[1] |= set,
                b'e' | b'E' => continue,
                _ => return Err(self.wrong(&[*letter], "one of w z W Z e")),
            }
            if letter.is_ascii_uppercase() {
                kings |= set;
            }
        }
        Ok(Position::new(pieces, kings, turn)?)
    }
}

/// Bytes for a reader: what is not printable is replaced, and a message's length is the most.
fn text(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    text.chars().take(LONGEST).map(|c| if c.is_control() { ' ' } else { c }).collect()
}

impl Message {
    /// Reads a message, given without its NUL. What follows the parts that the protocol names is ignored.
    ///
    /// # Errors
    /// Says what is wrong with the message.
    pub fn parse(bytes: &[u8]) -> Result<Self, DxpError> {
        if bytes.len() > LONGEST {
            return Err(DxpError::TooLong);
        }
        let (&kind, rest) = bytes.split_first().ok_or(DxpError::Empty)?;
        let fields = |message| Fields { rest, message };
        match kind {
            b'R' => Self::request(fields("request")),
            b'A' => {
                let mut fields = fields("acceptance");
                let name = fields.name()?;
                let answer = match fields.take(1)? {
                    b"0" => Answer::Accepted,
                    b"1" => Answer::Version,
                    b"2" => Answer::Game,
                    b"3" => Answer::NoGames,
                    other => return Err(fields.wrong(other, "a code from 0 to 3")),
                };
                Ok(Self::Accept { name, answer })
            }
            b'M' => {
                let mut fields = fields("move");
                let seconds = fields.number(4)?;
                let (from, to) = (fields.square()?, fields.square()?);
                let mut captured = Bitboard::EMPTY;
                for _ in 0..fields.number(2)? {
                    let square = fields.square()?;
                    if captured.has(square) {
                        return Err(fields.wrong(square.to_string().as_bytes(), "captured once"));
                    }
                    captured |= square.into();
                }
                Ok(Self::Move { seconds, mv: Move { from, to, captured } })
            }
            b'E' => {
                let mut fields = fields("end");
                let reason = match fields.take(1)? {
                    b"0" => Reason::Unknown,
                    b"1" => Reason::Lost,
                    b"2" => Reason::Draw,
                    b"3" => Reason::Won,
                    other => return Err(fields.wrong(other, "a reason from 0 to 3")),
                };
                let quits = match fields.take(1)? {
                    b"0" => false,
                    b"1" => true,
                    other => return Err(fields.wrong(other, "0 or 1")),
                };
                Ok(Self::End { reason, quits })
            }
            b'C' => Ok(Self::Chat(text(rest))),
            b'B' => {
                let mut fields = fields("back");
                Ok(Self::Back { number: fields.number(3)?, turn: fields.color()? })
            }
            b'K' => {
                let mut fields = fields("back answer");
                Ok(Self::BackAnswer(match fields.take(1)? {
                    b"0" => BackAnswer::Done,
                    b"1" => BackAnswer::Unsupported,
                    b"2" => BackAnswer::GoOn,
                    other => return Err(fields.wrong(other, "a code from 0 to 2")),
                }))
            }
            other => Err(DxpError::Kind(char::from(other))),
        }
    }

    fn request(mut fields: Fields) -> Result<Self, DxpError> {
        let version = fields.number(2)?;
        if version != VERSION {
            return Err(DxpError::Version(version));
        }
        let name = fields.name()?;
        let follower = fields.color()?;
        let (minutes, moves) = (fields.number(3)?, fields.number(3)?);
        let start = match fields.take(1)? {
            b"A" => Position::start(),
            b"B" => fields.position()?,
            other => return Err(fields.wrong(other, "A or B")),
        };
        Ok(Self::Request(Request { name, follower, minutes, moves, start }))
    }
}

/// `W` or `Z` (Dutch wit, zwart).
const fn letter(color: Color) -> char {
    match color {
        Color::White => 'W',
        Color::Black => 'Z',
    }
}

/// A text as the protocol carries it.
fn ascii(text: &str, width: usize) -> String {
    text.chars().take(width).map(|c| if c == ' ' || c.is_ascii_graphic() { c } else { '?' }).collect()
}

/// The message without its NUL.
impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Request(request) => {
                let (follower, minutes) = (letter(request.follower), request.minutes.min(999));
                let (name, moves) = (ascii(&request.name, NAME), request.moves.min(999));
                write!(f, "R{VERSION:02}{name:NAME$}{follower}{minutes:03}{moves:03}")?;
                if request.start == Position::start() {
                    return f.write_str("A");
                }
                write!(f, "B{}", letter(request.start.turn()))?;
                Square::all().try_for_each(|square| {
                    let letter = match request.start.piece_at(square) {
                        None => "e",
                        Some((Color::White, Kind::Man)) => "w",
                        Some((Color::White, Kind::King)) => "W",
                        Some((Color::Black, Kind::Man)) => "z",
                        Some((Color::Black, Kind::King)) => "Z",
                    };
                    f.write_str(letter)
                })
            }
            Self::Accept { name, answer } => {
                let name = ascii(name, NAME);
                write!(f, "A{name:NAME$}{}", *answer as u8)
            }
            Self::Move { seconds, mv } => {
                let (from, to, count) = (mv.from.number(), mv.to.number(), mv.captured.count());
                write!(f, "M{:04}{from:02}{to:02}{count:02}", (*seconds).min(9999))?;
                mv.captured.into_iter().try_for_each(|square| write!(f, "{:02}", square.number()))
            }
            Self::End { reason, quits } => write!(f, "E{}{}", *reason as u8, u8::from(*quits)),
            Self::Chat(text) => write!(f, "C{}", ascii(text, LONGEST - 1)),
            Self::Back { number, turn } => write!(f, "B{:03}{}", (*number).min(999), letter(*turn)),
            Self::BackAnswer(answer) => write!(f, "K{}", *answer as u8),
        }
    }
}
