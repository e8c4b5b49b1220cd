//! Protocols as text: grammars, options, line input and output, clients. Nothing here searches or knows a
//! rule of any game.
//!
//! All of it reads what strangers send, so nothing here may panic on input: the lints below see to that.
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

pub mod cecp;
pub mod client;
pub mod command;
pub mod error;
pub mod hub;
pub mod info;
pub mod io;
pub mod option;
mod token;
