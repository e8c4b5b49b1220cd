//! Static evaluation: a neural network of men and kings by square, one hidden layer seen from both sides
//! ([`network`]), fitted to games of the engine against itself ([`crate::train`]). Training begins with games by
//! material alone.

pub mod network;

use crate::position::Ending;
use crate::{Bitboard, Color, Position, Square};
use eval::NetworkError;
use network::{Follower, Network};
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// Evaluations stay within this, in hundredths of a man; greater scores are wins found by search.
pub const MOST: i32 = 8000;
/// Name of the evaluation by material alone, where a file of an evaluation is asked for.
pub const MATERIAL: &str = "<material>";

/// A king in hundredths of a man, by material alone.
const KING: i32 = 300;
/// The squares from 5 to 46.
const MAIN_LINE: Bitboard = main_line();
/// The network that is part of the program.
static EMBEDDED: &[u8] = include_bytes!("../nets/draughts.nnue");

const fn main_line() -> Bitboard {
    let mut set = 0;
    let mut number = 5;
    while number <= 46 {
        // Down left: 5, 10, 14, 19, 23, 28, 32, 37, 41, 46.
        if let Some(square) = Square::new(number) {
            set |= 1 << square.bit();
        }
        number += if (number - 1) / 5 % 2 == 0 { 5 } else { 4 };
    }
    Bitboard(set)
}

/// The evaluation. Copies share their weights.
#[derive(Clone)]
pub enum Evaluation {
    /// What the pieces are worth, and nothing else.
    Material,
    /// A network.
    Network(Arc<Network>),
}

impl Default for Evaluation {
    /// The network that is part of the program.
    fn default() -> Self {
        static SHARED: OnceLock<Arc<Network>> = OnceLock::new();
        let shared = SHARED.get_or_init(|| match Network::from_bytes(EMBEDDED) {
            Ok(network) => Arc::new(network),
            // Only a build with a damaged file comes here, and no test passes with it.
            Err(error) => panic!("embedded network: {error}"),
        });
        Self::Network(Arc::clone(shared))
    }
}

impl Evaluation {
    /// The network in a file, or [`MATERIAL`].
    ///
    /// # Errors
    /// When the file cannot be read, is of another kind, or damaged.
    pub fn load(path: &Path) -> Result<Self, NetworkError> {
        if path == Path::new(MATERIAL) {
            return Ok(Self::Material);
        }
        Ok(Self::Network(Arc::new(Network::load(path)?)))
    }

    /// What it is, in a few words.
    pub fn name(&self) -> String {
        match self {
            Self::Material => "material".to_owned(),
            Self::Network(network) => format!("network {}", network.header().name),
        }
    }

    /// The value of a position for the side to move, in hundredths of a man, within ±[`MOST`]. A search uses an
    /// [`Evaluator`], which is faster.
    pub fn evaluate(&self, position: &Position) -> i32 {
        let score = match self {
            Self::Material => material(position),
            Self::Network(network) => network.evaluate(position),
        };
        finished(score, position)
    }
}

/// A thread's means to evaluate one position after the other.
pub enum Evaluator {
    /// By [`Evaluation::Material`].
    Material,
    /// With accumulators that follow the positions.
    Network(Box<Follower>),
}

impl Evaluator {
    /// For one thread.
    pub fn new(evaluation: &Evaluation) -> Self {
        match evaluation {
            Evaluation::Material => Self::Material,
            Evaluation::Network(network) => Self::Network(Box::new(Follower::new(Arc::clone(network)))),
        }
    }

    /// Whether it evaluates as `evaluation` does.
    pub fn is_of(&self, evaluation: &Evaluation) -> bool {
        match (self, evaluation) {
            (Self::Material, Evaluation::Material) => true,
            (Self::Network(follower), Evaluation::Network(other)) => Arc::ptr_eq(follower.network(), other),
            _ => false,
        }
    }

    /// As [`Evaluation::evaluate`].
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        let score = match self {
            Self::Material => material(position),
            Self::Network(follower) => follower.evaluate(position),
        };
        finished(score, position)
    }
}

fn material(position: &Position) -> i32 {
    let worth =
        |color: Color| 100 * position.men(color).count() as i32 + KING * position.kings(color).count() as i32;
    worth(position.turn()) - worth(!position.turn())
}

/// Small endings against a king are mostly drawn: a king that holds the long diagonal cannot be caught,
/// and few pieces do not catch any. What is left of a score, within ±[`MOST`].
#[inline]
fn finished(score: i32, position: &Position) -> i32 {
    let turn = position.turn();
    let (ahead, behind) = if score > 0 { (turn, !turn) } else { (!turn, turn) };
    let kings = position.kings(behind);
    let divisor = match position.ending().0 {
        _ if kings.is_empty() => 1,
        Ending::TwoToOne => 16,
        Ending::ThreeToOne => 4,
        Ending::None if position.pieces(ahead).count() > position.pieces(behind).count() + 2 => 1,
        Ending::None if !(kings & MAIN_LINE).is_empty() => 4,
        Ending::None => 2,
    };
    (score / divisor).clamp(-MOST, MOST)
}
