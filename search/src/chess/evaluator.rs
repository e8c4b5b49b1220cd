//! The evaluation that the search calls: one place where the kind of evaluation is chosen.

use std::fmt;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use eval::NetworkError;
use eval::chess::{AccumulatorStack, Network, bootstrap, embedded, endgame};
use movegen::{Board, MoveObserver, Piece, Square};

/// Name of the network that is built in.
pub const EMBEDDED: &str = "<embedded>";
/// Name of the hand-written evaluation.
pub const HAND_WRITTEN: &str = "<hand-written>";

/// The built-in network, decoded once. A test of the network file proves that it can be.
static BUILT_IN: LazyLock<Option<Arc<Network>>> = LazyLock::new(|| embedded().ok().flatten());

/// What positions are evaluated with. Cheap to clone: threads share one network.
#[derive(Clone, Default)]
pub enum Evaluation {
    /// The hand-written evaluation.
    #[default]
    HandWritten,
    /// A network.
    Network(Arc<Network>),
}

impl Evaluation {
    /// The built-in network, or the hand-written evaluation of a program built without one.
    #[must_use]
    pub fn built_in() -> Self {
        BUILT_IN.clone().map_or(Self::HandWritten, Self::Network)
    }

    /// The evaluation that an option names: [`EMBEDDED`] or nothing, [`HAND_WRITTEN`], or a network file.
    ///
    /// # Errors
    /// When the file cannot be read or is no network of this program.
    pub fn from_name(name: &str) -> Result<Self, NetworkError> {
        match name {
            "" | EMBEDDED => Ok(Self::built_in()),
            HAND_WRITTEN => Ok(Self::HandWritten),
            path => Network::load(Path::new(path)).map(|network| Self::Network(Arc::new(network))),
        }
    }
}

impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::HandWritten => f.write_str("the hand-written evaluation"),
            Self::Network(network) => write!(f, "network {}", network.header().name),
        }
    }
}

/// Static evaluation of positions along a line of play.
///
/// It observes the moves made on the board, so that the network's accumulators can follow them.
pub struct Evaluator {
    /// `None` for the hand-written evaluation.
    stack: Option<Box<AccumulatorStack>>,
}

impl Evaluator {
    /// An evaluator for one thread.
    #[must_use]
    pub fn new(evaluation: &Evaluation) -> Self {
        let stack = match evaluation {
            Evaluation::HandWritten => None,
            Evaluation::Network(network) => Some(Box::new(AccumulatorStack::new(Arc::clone(network)))),
        };
        Self { stack }
    }

    /// Starts anew from a root position.
    pub fn reset(&mut self) {
        if let Some(stack) = &mut self.stack {
            stack.reset();
        }
    }

    /// A move is about to be made.
    #[inline]
    pub fn push(&mut self) {
        if let Some(stack) = &mut self.stack {
            stack.push();
        }
    }

    /// A move was taken back.
    #[inline]
    pub fn pop(&mut self) {
        if let Some(stack) = &mut self.stack {
            stack.pop();
        }
    }

    /// Score of the position in units of the evaluation from the point of view of the side to move.
    #[inline]
    pub fn evaluate(&mut self, board: &Board) -> i32 {
        let score = match &mut self.stack {
            Some(stack) => stack.evaluate(board),
            None => bootstrap::evaluate(board),
        };
        endgame::adjust(board, score)
    }
}

impl MoveObserver for Evaluator {
    #[inline]
    fn piece_added(&mut self, piece: Piece, square: Square) {
        if let Some(stack) = &mut self.stack {
            stack.piece_added(piece, square);
        }
    }

    #[inline]
    fn piece_removed(&mut self, piece: Piece, square: Square) {
        if let Some(stack) = &mut self.stack {
            stack.piece_removed(piece, square);
        }
    }

    #[inline]
    fn piece_moved(&mut self, piece: Piece, from: Square, to: Square) {
        if let Some(stack) = &mut self.stack {
            stack.piece_moved(piece, from, to);
        }
    }
}
