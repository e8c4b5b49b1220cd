//! The Chess Engine Communication Protocol, version 2, as spoken by xboard and WinBoard (T. Mann and
//! H. G. Muller, "Chess Engine Communication Protocol", version of XBoard 4.9).

mod command;
mod output;

pub use command::{Command, Edit, Level, RootMoves};
pub use output::{Feature, OptionFeature, Status, Thinking, mate_score};
