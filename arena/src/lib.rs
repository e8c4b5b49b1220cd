//! Matches between engine processes: schedules, clocks, protocols, a referee's loop, statistics and records.
//!
//! Nothing here knows the rules of a game: a game comes in through the trait [`Game`]. Engines are
//! strangers: whatever they write, or fail to write, becomes a [`Fault`](fault::Fault) with a name.
#![cfg_attr(
    not(test),
    deny(
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

pub mod adjudicate;
mod answer;
mod cecp;
pub mod cli;
pub mod clock;
pub mod fault;
mod game;
mod hub;
mod play;
pub mod player;
mod record;
mod report;
mod run;
mod schedule;
pub mod spec;
pub mod stats;
mod uci_player;

pub use cli::MatchArgs;
pub use game::{End, Game, Opening, Outcome, Protocol, Side};
pub use run::run;
