//! What the engine says. Each `Display` is one whole line without its end.

use crate::info::Bound;
use crate::option::{OptionKind, OptionSpec};
use std::fmt;
use std::time::Duration;

/// Scores of mates lie beyond this: mate in N moves is this plus N.
const MATE: i32 = 100_000;

/// The score of a mate in so many moves, negative when the engine is mated.
pub fn mate_score(moves: i32) -> i32 {
    if moves > 0 { MATE.saturating_add(moves) } else { (-MATE).saturating_add(moves) }
}

/// `feature NAME=VALUE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Feature<'a> {
    /// A number, or 0 and 1 for no and yes.
    Number(&'a str, u32),
    /// Text, which is put in quotes.
    Text(&'a str, &'a str),
}

impl fmt::Display for Feature<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Number(name, value) => write!(f, "feature {name}={value}"),
            Self::Text(name, value) => write!(f, "feature {name}=\"{}\"", value.replace('"', "'")),
        }
    }
}

/// `feature option="..."` for an option of the engine's table.
#[derive(Clone, Copy, Debug)]
pub struct OptionFeature<'a>(pub &'a OptionSpec);

impl fmt::Display for OptionFeature<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let name = self.0.name;
        let text = match &self.0.kind {
            OptionKind::Check { default } => format!("{name} -check {}", u8::from(*default)),
            OptionKind::Spin { default, min, max } => format!("{name} -spin {default} {min} {max}"),
            OptionKind::Combo { default, choices } => {
                let choices = choices.iter().map(|choice| {
                    let mark = if choice == default { "*" } else { "" };
                    format!("{mark}{choice}")
                });
                format!("{name} -combo {}", choices.collect::<Vec<_>>().join(" /// "))
            }
            OptionKind::Button => format!("{name} -button"),
            OptionKind::String { default } => {
                // What a name tells of the kind lets the GUI offer a file dialogue.
                let kind = if name.ends_with("File") {
                    "file"
                } else if name.ends_with("Path") {
                    "path"
                } else {
                    "string"
                };
                format!("{name} -{kind} {default}")
            }
        };
        // An empty text keeps the blank before it: xboard refuses the option otherwise.
        Feature::Text("option", &text).fmt(f)
    }
}

/// A line of thinking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thinking {
    /// Iteration in plies.
    pub depth: u32,
    /// Centipawns from the engine's view (in analysis the side to move's), or a [`mate_score`].
    pub score: i32,
    /// Time since the search began.
    pub time: Duration,
    /// Nodes searched.
    pub nodes: u64,
    /// Longest line looked at, in plies.
    pub sel_depth: u32,
    /// Nodes per second.
    pub speed: u64,
    /// Positions found in endgame tables.
    pub table_hits: u64,
    /// The principal variation.
    pub moves: Vec<String>,
    /// Set when the score is a bound only.
    pub bound: Option<Bound>,
}

impl fmt::Display for Thinking {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self { depth, score, nodes, sel_depth, speed, table_hits, .. } = self;
        let time = self.time.as_millis() / 10;
        write!(
            f,
            "{depth} {score} {time} {nodes} {sel_depth} {speed} {table_hits}\t{}",
            self.moves.join(" ")
        )?;
        match self.bound {
            None => Ok(()),
            Some(Bound::Upper) => f.write_str("?"),
            Some(Bound::Lower) => f.write_str("!"),
        }
    }
}

/// `stat01:`: how far an analysis is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// Time since it began.
    pub time: Duration,
    /// Nodes searched.
    pub nodes: u64,
    /// Iteration in plies.
    pub depth: u32,
    /// Root moves still to be looked at in this iteration.
    pub moves_left: usize,
    /// Root moves in all.
    pub moves: usize,
    /// The root move being looked at, when it is known.
    pub current: Option<String>,
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let time = self.time.as_millis() / 10;
        write!(f, "stat01: {time} {} {} {} {}", self.nodes, self.depth, self.moves_left, self.moves)?;
        self.current.iter().try_for_each(|mv| write!(f, " {mv}"))
    }
}
