//! The grammar of the Hub protocol, version 2 (F. Letouzey): lines to commands and structures to lines.
//! Nothing here knows a position or runs a search.

use std::fmt;
use std::time::Duration;
use uci::error::shown;
use uci::hub::{Line, LineError};

pub use uci::hub::Value;

/// Why a line is not a command.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum HubError {
    /// It cannot be taken apart.
    #[error(transparent)]
    Line(#[from] LineError),
    /// The command lacks an argument.
    #[error("{0}: missing argument '{1}'")]
    Missing(&'static str, &'static str),
    /// Not a number, or not one that makes sense.
    #[error("{0}: '{1}' is not a {2}")]
    Number(&'static str, String, &'static str),
    /// An unknown way to search.
    #[error("go: '{0}' is not one of think, ponder, analyze")]
    Mode(String),
}

/// What the other side asks for.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// Say who you are.
    Hub,
    /// Set a parameter.
    SetParam {
        /// Its name.
        name: String,
        /// The new value.
        value: String,
    },
    /// Load what is needed.
    Init,
    /// Forget the old game.
    NewGame,
    /// Take a position.
    Pos {
        /// 51 characters, `start`, or a FEN.
        position: String,
        /// Moves from there.
        moves: Vec<String>,
    },
    /// Limits for the next search.
    Level(Level),
    /// Search.
    Go(Mode),
    /// End the search and answer.
    Stop,
    /// The expected move was played.
    PonderHit,
    /// Answer at once.
    Ping,
    /// End.
    Quit,
}

/// The ways to search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// For a move in a game.
    Think,
    /// In the opponent's time.
    Ponder,
    /// For insight: no instant answers.
    Analyze,
}

/// Limits that a `level` line names. Several lines add up.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Level {
    /// Plies.
    pub depth: Option<u32>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// For this move.
    pub move_time: Option<Duration>,
    /// Until the next time control.
    pub moves: Option<u32>,
    /// On the clock, before the increment of this move is added.
    pub time: Option<Duration>,
    /// Added before each move.
    pub increment: Option<Duration>,
    /// Until stopped.
    pub infinite: bool,
}

impl Level {
    /// Adds the limits of a further line; the newer value of the same limit holds.
    pub fn add(&mut self, other: Self) {
        self.depth = other.depth.or(self.depth);
        self.nodes = other.nodes.or(self.nodes);
        self.move_time = other.move_time.or(self.move_time);
        self.moves = other.moves.or(self.moves);
        self.time = other.time.or(self.time);
        self.increment = other.increment.or(self.increment);
        self.infinite |= other.infinite;
    }
}

impl Command {
    /// Reads a line. `Ok(None)` for a blank line and for commands that are not of this protocol, which
    /// both sides ignore; so are arguments that are not.
    ///
    /// # Errors
    /// Says what is wrong with the line, which then has no effect.
    pub fn parse(line: &str) -> Result<Option<Self>, HubError> {
        let Some(line) = Line::parse(line)? else { return Ok(None) };
        Ok(Some(match line.command.as_str() {
            "hub" => Self::Hub,
            "set-param" => {
                let name = line.value("name").ok_or(HubError::Missing("set-param", "name"))?;
                let value = line.value("value").ok_or(HubError::Missing("set-param", "value"))?;
                Self::SetParam { name: name.to_owned(), value: value.to_owned() }
            }
            "init" => Self::Init,
            "new-game" => Self::NewGame,
            "pos" => {
                let start = line.has("start").then_some("start");
                let position = line.value("pos").or(start).ok_or(HubError::Missing("pos", "pos"))?;
                let moves = line.value("moves").unwrap_or_default();
                let moves = moves.split_whitespace().map(str::to_owned).collect();
                Self::Pos { position: position.to_owned(), moves }
            }
            "level" => Self::Level(line.level()?),
            "go" => Self::Go(line.mode()?),
            "stop" => Self::Stop,
            "ponder-hit" => Self::PonderHit,
            "ping" => Self::Ping,
            "quit" => Self::Quit,
            _ => return Ok(None),
        }))
    }
}

/// Reading the arguments of single commands.
trait Arguments {
    fn level(&self) -> Result<Level, HubError>;
    fn integer(&self, name: &'static str) -> Result<Option<u64>, HubError>;
    fn seconds(&self, name: &'static str) -> Result<Option<Duration>, HubError>;
    fn argument(&self, name: &'static str) -> Result<Option<&str>, HubError>;
    fn mode(&self) -> Result<Mode, HubError>;
}

impl Arguments for Line {
    fn level(&self) -> Result<Level, HubError> {
        Ok(Level {
            depth: self.integer("depth")?.map(|depth| depth.min(u64::from(u32::MAX)) as u32),
            nodes: self.integer("nodes")?,
            move_time: self.seconds("move-time")?,
            moves: self.integer("moves")?.map(|moves| moves.min(u64::from(u32::MAX)) as u32),
            time: self.seconds("time")?,
            increment: self.seconds("inc")?,
            infinite: self.has("infinite"),
        })
    }

    /// A whole number; a decimal point is tolerated, a sign is not.
    fn integer(&self, name: &'static str) -> Result<Option<u64>, HubError> {
        let Some(text) = self.argument(name)? else { return Ok(None) };
        let error = || HubError::Number(name, shown(text), "whole number");
        if let Ok(number) = text.parse() {
            return Ok(Some(number));
        }
        let number: f64 = text.parse().map_err(|_| error())?;
        // A cast of a float saturates.
        if number >= 0.0 { Ok(Some(number as u64)) } else { Err(error()) }
    }

    /// A time; negative clocks, as some programs send them after the flag has fallen, are empty ones.
    fn seconds(&self, name: &'static str) -> Result<Option<Duration>, HubError> {
        let Some(text) = self.argument(name)? else { return Ok(None) };
        let number: f64 = text.parse().unwrap_or(f64::NAN);
        if number.is_nan() {
            return Err(HubError::Number(name, shown(text), "number of seconds"));
        }
        // A hundred years: longer than any game and safe to compute with.
        Ok(Some(Duration::from_secs_f64(number.clamp(0.0, 3.2e9))))
    }

    fn argument(&self, name: &'static str) -> Result<Option<&str>, HubError> {
        if !self.has(name) {
            return Ok(None);
        }
        self.value(name).map(Some).ok_or(HubError::Missing("level", name))
    }

    fn mode(&self) -> Result<Mode, HubError> {
        let mut mode = Mode::Think;
        for (name, value) in &self.arguments {
            mode = match (name.as_str(), value) {
                ("think", None) => Mode::Think,
                ("ponder", None) => Mode::Ponder,
                ("analyze" | "analyse", None) => Mode::Analyze,
                (other, None) => return Err(HubError::Mode(shown(other))),
                (_, Some(_)) => mode,
            };
        }
        Ok(mode)
    }
}

/// `error message=...`
pub struct ErrorLine(pub String);

impl fmt::Display for ErrorLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error message={}", Value(&self.0))
    }
}

/// `info ...`; the fields come in an order on which clients rely.
pub struct InfoLine {
    /// Plies.
    pub depth: u32,
    /// Mean length of the lines looked at, in plies.
    pub mean_depth: f64,
    /// Hundredths of a man, for the side to move; wins as the score module counts them.
    pub score: i32,
    /// Nodes.
    pub nodes: u64,
    /// Since the search began.
    pub time: Duration,
    /// Nodes per second.
    pub nps: u64,
    /// The line.
    pub pv: Vec<String>,
    /// Its rank, where several lines are asked for.
    pub rank: Option<usize>,
}

impl fmt::Display for InfoLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "info depth={} mean-depth={:.1} score={:.2} nodes={} time={:.3} nps={:.3} pv=\"{}\"",
            self.depth,
            self.mean_depth,
            f64::from(self.score) / 100.0,
            self.nodes,
            self.time.as_secs_f64(),
            self.nps as f64 / 1e6,
            self.pv.join(" ")
        )?;
        self.rank.map_or(Ok(()), |rank| write!(f, " multi-pv={rank}"))
    }
}

/// `done ...`
pub struct DoneLine {
    /// The move to play; `None` without a legal one.
    pub best: Option<String>,
    /// The expected reply.
    pub ponder: Option<String>,
}

impl fmt::Display for DoneLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("done")?;
        if let Some(best) = &self.best {
            write!(f, " move={best}")?;
            if let Some(ponder) = &self.ponder {
                write!(f, " ponder={ponder}")?;
            }
        }
        Ok(())
    }
}
