//! What can be wrong with input: one enum per grammar. The texts are for a person and name the culprit.

use std::io;
use thiserror::Error;

/// A part of the input for a message: its first 40 characters.
pub fn shown(text: &str) -> String {
    text.chars().take(40).collect()
}

/// A line that is longer than a line may be ([`LINE_LIMIT`](crate::io::LINE_LIMIT)).
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("line of more than {} bytes ignored", crate::io::LINE_LIMIT)]
pub struct LineTooLong;

/// A line with a known command word that cannot be understood.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum CommandError {
    /// `debug` without `on` or `off`.
    #[error("debug takes on or off, not '{0}'")]
    DebugMode(String),
    /// `setoption` without `name`, or with nothing behind it.
    #[error("setoption without the name of an option")]
    OptionName,
    /// `position` with neither `startpos` nor `fen`.
    #[error("position takes startpos or fen, not '{0}'")]
    Setup(String),
    /// `position fen` with nothing behind it.
    #[error("position fen without a position")]
    Fen,
    /// `perft` without a depth.
    #[error("perft takes a depth, not '{0}'")]
    PerftDepth(String),
    /// A limit of `go` without a number behind it; the word of the limit and what stands there.
    #[error("go {0} takes a number, not '{1}': the limit is ignored")]
    Limit(String, String),
    /// `genfens` without a number of openings, or with `seed` or `book` and nothing behind it.
    #[error("genfens takes a number, then seed with a number and book with a file or None")]
    GenFens,
}

/// A line of the Chess Engine Communication Protocol that cannot be understood or obeyed. The text is the
/// answer, as the protocol spells it.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum CecpError {
    /// No command, nor anything like a move.
    #[error("Error (unknown command): {0}")]
    Unknown(String),
    /// A command without something it needs.
    #[error("Error (expected {expected}): {line}")]
    Argument {
        /// What should be there.
        expected: &'static str,
        /// The line.
        line: String,
    },
    /// A command that cannot be obeyed in the present state.
    #[error("Error (command not legal now): {0}")]
    NotNow(&'static str),
    /// A line without end.
    #[error("Error (line too long): {0}")]
    TooLong(String),
    /// A kind of chess that the engine does not play.
    #[error("Error (unsupported variant): {0}")]
    Variant(String),
    /// A setting that was not made.
    #[error("Error ({0}): option")]
    Option(#[from] OptionError),
    /// A move that the rules forbid.
    #[error("Illegal move: {0}")]
    IllegalMove(String),
    /// A move that cannot be taken whatever it is, or that could be several moves.
    #[error("Illegal move ({reason}): {text}")]
    RefusedMove {
        /// Why it cannot.
        reason: &'static str,
        /// The move as it was sent.
        text: String,
    },
}

/// A setting that cannot be made.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum OptionError {
    /// There is no such option.
    #[error("no option named '{0}'")]
    Unknown(String),
    /// The value is not of the option's kind.
    #[error("option {name} takes {expected}, not '{value}'")]
    Value {
        /// The option, as it is spelled in the table.
        name: String,
        /// What was given.
        value: String,
        /// What would be right.
        expected: String,
    },
    /// The value was understood but could not be applied.
    #[error("option {name}: {reason}")]
    Refused {
        /// The option, as it is spelled in the table.
        name: String,
        /// What the handler said.
        reason: String,
    },
    /// The table itself is wrong: see [`OptionTable::check`](crate::option::OptionTable::check).
    #[error("option {name} is declared wrongly: {fault}")]
    Declaration {
        /// The option.
        name: String,
        /// What is wrong with it.
        fault: &'static str,
    },
}

/// An engine process that does not do what it should.
#[derive(Debug, Error)]
pub enum ClientError {
    /// The process could not be started.
    #[error("cannot start {program}: {source}")]
    Start {
        /// What was to be run.
        program: String,
        /// Why it was not.
        source: io::Error,
    },
    /// Nothing came within the time allowed.
    #[error("the engine did not answer in time")]
    Timeout,
    /// The engine closed its output, most likely because it ended.
    #[error("the engine closed its output")]
    Closed,
}
