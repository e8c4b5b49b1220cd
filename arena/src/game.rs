//! What the arena must know about a game.

use crate::fault::Fault;
use crate::player::{Halt, Player};
use crate::spec::EngineSpec;
use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The two sides; White moves first unless the start position says otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    /// White.
    White,
    /// Black.
    Black,
}

impl Side {
    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::White => "White",
            Self::Black => "Black",
        })
    }
}

/// How a game can end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// A side has won.
    Win(Side),
    /// A draw.
    Draw,
}

impl Outcome {
    /// Half points of a side: 0, 1 or 2.
    pub fn half_points(self, side: Side) -> u8 {
        match self {
            Self::Win(winner) if winner == side => 2,
            Self::Win(_) => 0,
            Self::Draw => 1,
        }
    }
}

/// An end of a game and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct End {
    /// The result.
    pub outcome: Outcome,
    /// The reason, for a person: `White mates`.
    pub reason: String,
}

/// A protocol that an engine speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protocol {
    /// Universal Chess Interface.
    Uci,
    /// Chess Engine Communication Protocol (xboard), version 2.
    Cecp,
    /// Hub, version 2.
    Hub,
    /// DamExchange, version 1, over TCP.
    Dxp,
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Uci => "uci",
            Self::Cecp => "cecp",
            Self::Hub => "hub",
            Self::Dxp => "dxp",
        })
    }
}

impl FromStr for Protocol {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.to_ascii_lowercase().as_str() {
            "uci" => Ok(Self::Uci),
            "cecp" | "xboard" => Ok(Self::Cecp),
            "hub" => Ok(Self::Hub),
            "dxp" => Ok(Self::Dxp),
            _ => Err(format!("'{text}' is not a protocol (uci, cecp, hub, dxp)")),
        }
    }
}

/// A start position with moves from there, as text of the game's files.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Opening {
    /// The position; `None` is the ordinary one.
    pub start: Option<String>,
    /// Moves from there.
    pub moves: Vec<String>,
    /// Where it was found, for messages: `line 12`.
    pub place: String,
    /// What makes it useless, if its reader found something.
    pub fault: Option<String>,
}

/// A game in progress together with its rules. The arena asks it about every move, so an engine's word about
/// legality or results counts for nothing.
pub trait Game: Clone + Send + Sync + Sized + 'static {
    /// A legal move.
    type Move: Copy + PartialEq;

    /// The protocols in which engines of this game can be spoken to; the first is the default.
    const PROTOCOLS: &'static [Protocol];

    /// The ending of names of files of whole games, and of the records written.
    const GAME_FILE: &'static str;

    /// A game that begins with an opening.
    ///
    /// # Errors
    /// Says what is wrong with the position or the move.
    fn set_up(opening: &Opening) -> Result<Self, String>;

    /// The openings of a file of whole games, each cut after `plies`.
    ///
    /// # Errors
    /// When the file cannot be read.
    fn read_games(path: &Path, plies: usize) -> Result<Vec<Opening>, String>;

    /// Connects to an engine that speaks DXP. Its messages hold whole positions, so they are the game's business.
    ///
    /// # Errors
    /// When the engine does not start or cannot be reached, and where the game does not know the protocol.
    fn start_dxp(spec: &EngineSpec, _: &Arc<AtomicBool>) -> Result<Box<dyn Player<Self>>, Halt> {
        Err(Fault::Protocol(format!("{} is not spoken here", spec.protocol)).into())
    }

    /// Whose turn it is.
    fn turn(&self) -> Side;

    /// Moves played, those of the opening included.
    fn ply(&self) -> usize;

    /// The start position in a protocol's words; `None` for the ordinary one.
    fn start_text(&self, protocol: Protocol) -> Option<String>;

    /// All moves in a protocol's words.
    fn move_texts(&self, protocol: Protocol) -> Vec<String>;

    /// Whether engines must be told that this is Chess960.
    fn is_chess960(&self) -> bool {
        false
    }

    /// Reads an engine's move.
    ///
    /// # Errors
    /// Says why it is not a legal move.
    fn parse(&self, protocol: Protocol, text: &str) -> Result<Self::Move, String>;

    /// Plays a legal move.
    fn play(&mut self, mv: Self::Move);

    /// How the game has ended by its laws, if it has.
    fn end(&self) -> Option<End>;

    /// Whether a side could still win if the other ran out of time now.
    fn can_win(&self, side: Side) -> bool;

    /// Tags of the record that belong to the game: start position, variant.
    fn record_tags(&self) -> Vec<(&'static str, String)>;

    /// The moves as records write them, those of the opening included.
    fn record_moves(&self) -> Vec<String>;

    /// The number of the first move and the side that made it.
    fn first_move(&self) -> (u32, Side);

    /// A result as records write it; `None` for a game without one.
    fn result_text(outcome: Option<Outcome>) -> &'static str;

    /// Reads [`result_text`](Self::result_text).
    fn parse_result(text: &str) -> Option<Outcome> {
        [Outcome::Win(Side::White), Outcome::Win(Side::Black), Outcome::Draw]
            .into_iter()
            .find(|&outcome| Self::result_text(Some(outcome)) == text)
    }
}
