//! Rules, search and protocols of `dyad-draughts`, a 10x10 international draughts engine.
//!
//! The rules ([`Position`], [`generate`], [`perft`]) stand alone; [`rules`] holds the variants, which
//! are resolved at compile time so that the normal game pays nothing for them.

pub mod bitbase;
pub mod bitboard;
pub mod book;
pub mod color;
pub mod data;
pub mod dxp;
pub mod eval;
pub mod fen;
pub mod game;
pub mod generate;
pub mod hub;
pub mod machine;
pub mod moves;
pub mod notation;
mod pace;
pub mod param;
pub mod pdn;
pub mod perft;
pub mod position;
pub mod rules;
pub mod search;
pub mod selfplay;
pub mod session;
pub mod square;
pub mod train;
pub mod zobrist;

pub use bitboard::Bitboard;
pub use color::Color;
pub use game::{Game, Outcome};
pub use generate::{MoveList, legal_moves};
pub use moves::Move;
pub use position::{Kind, Position};
pub use rules::{Rules, Variant};
pub use square::Square;
