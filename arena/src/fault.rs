//! What engines do wrong.

use std::fmt;
use std::time::Duration;

/// Something an engine did that ends its game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Its process ended or closed its output; with the exit status.
    Crash(String),
    /// It does not answer at all, not even to a command to stop.
    Hang(String),
    /// It used more time than it had, and then answered.
    Time(Duration),
    /// A move that the rules do not allow.
    IllegalMove {
        /// What it said.
        text: String,
        /// Why it is no legal move.
        why: String,
    },
    /// It says that it has no move where there is one.
    NoMove,
    /// More lines than anything could read.
    Flood(u64),
    /// It claims a result, or calls a move illegal, against the rules.
    FalseClaim(String),
    /// It does not keep to its protocol in a way that play cannot go on.
    Protocol(String),
}

impl Fault {
    /// A short name of the kind, for counts.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Crash(_) => "crash",
            Self::Hang(_) => "hang",
            Self::Time(_) => "time",
            Self::IllegalMove { .. } => "illegal move",
            Self::NoMove => "no move",
            Self::Flood(_) => "flood",
            Self::FalseClaim(_) => "false claim",
            Self::Protocol(_) => "protocol",
        }
    }

    /// Whether the process must be replaced before the next game.
    pub const fn needs_restart(&self) -> bool {
        !matches!(self, Self::Time(_))
    }

    /// The tag Termination of the record, in the words of the PGN standard.
    pub const fn termination(&self) -> &'static str {
        match self {
            Self::Time(_) => "time forfeit",
            Self::Crash(_) | Self::Hang(_) => "abandoned",
            _ => "rules infraction",
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Crash(how) => write!(f, "crashes ({how})"),
            Self::Hang(what) => write!(f, "hangs ({what})"),
            Self::Time(over) => write!(f, "loses on time (by {:.3} s)", over.as_secs_f64()),
            Self::IllegalMove { text, why } => write!(f, "plays an illegal move ({text}: {why})"),
            Self::NoMove => f.write_str("finds no move where there is one"),
            Self::Flood(lines) => write!(f, "floods its output ({lines} lines in one move)"),
            Self::FalseClaim(what) => write!(f, "makes a false claim ({what})"),
            Self::Protocol(what) => write!(f, "breaks the protocol ({what})"),
        }
    }
}

/// A part of an engine's output for a message.
pub(crate) fn shown(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(60).collect();
    text.replace(['{', '}'], " ")
}
