//! Static evaluation, by one of two learnt kinds: patterns of men with a few terms, or a neural network.
//!
//! *Patterns*: a position is described by features of each side, as that side sees the board: how each region of its
//! half looks ([`pattern`]), and what can be counted ([`term`]). A feature is worth one weight with all forty men on
//! the board and another with none, and in between in proportion.
//!
//! *Network*: men and kings by square, one hidden layer seen from both sides ([`network`]).
//!
//! Both were fitted to games of the engine against itself ([`crate::train`]).

pub mod network;
pub mod pattern;
pub mod term;
pub mod weight;

use crate::Position;
use crate::position::Ending;
use eval::{NetworkError, netfile};
use network::{Follower, Network};
use pattern::{ROWS, patterns};
use std::io::Read;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use term::{MAIN_LINE, Side, TO_MOVE};
use weight::{PATTERNS, UNIT, Weight, WeightError};

/// Evaluations stay within this, in hundredths of a man; greater scores are wins found by search.
pub const MOST: i32 = 8000;

/// The evaluation that is part of the program.
static EMBEDDED: &[u8] = include_bytes!("../nets/draughts.nnue");

/// Why a file holds no evaluation.
#[derive(Debug, thiserror::Error)]
pub enum EvalError {
    /// It is, or should be, a file of patterns.
    #[error(transparent)]
    Weights(#[from] WeightError),
    /// It begins like a network.
    #[error(transparent)]
    Network(#[from] NetworkError),
}

/// The evaluation. Copies share their weights.
#[derive(Clone)]
pub struct Evaluation(Kind);

#[derive(Clone)]
enum Kind {
    Patterns(Arc<[Weight]>),
    Network(Arc<Network>),
}

impl Default for Evaluation {
    /// The evaluation that is part of the program.
    fn default() -> Self {
        static SHARED: OnceLock<Evaluation> = OnceLock::new();
        let shared = SHARED.get_or_init(|| match Self::from_bytes(EMBEDDED) {
            Ok(evaluation) => evaluation,
            // Only a build with a damaged file comes here, and no test passes with it.
            Err(error) => panic!("embedded evaluation: {error}"),
        });
        shared.clone()
    }
}

impl Evaluation {
    /// The evaluation in a file, of either kind.
    ///
    /// # Errors
    /// When the file cannot be read, is of another kind, or damaged.
    pub fn load(path: &Path) -> Result<Self, EvalError> {
        if is_network(path) {
            return Ok(Self(Kind::Network(Arc::new(Network::load(path)?))));
        }
        Ok(Self::patterns(weight::load(path)?))
    }

    /// The evaluation in the bytes of a file, of either kind.
    fn from_bytes(bytes: &[u8]) -> Result<Self, EvalError> {
        if bytes.starts_with(&netfile::MAGIC) {
            return Ok(Self(Kind::Network(Arc::new(Network::from_bytes(bytes)?))));
        }
        Ok(Self::patterns(weight::from_bytes(bytes)?))
    }

    fn patterns(mut weights: Box<[Weight]>) -> Self {
        weight::fold(&mut weights);
        Self(Kind::Patterns(weights.into()))
    }

    /// What it is, in a few words.
    pub fn name(&self) -> String {
        match &self.0 {
            Kind::Patterns(_) => "patterns".to_owned(),
            Kind::Network(network) => format!("network {}", network.header().name),
        }
    }

    /// The value of a position for the side to move, in hundredths of a man, within ±[`MOST`]. A search uses an
    /// [`Evaluator`], which is faster with a network.
    pub fn evaluate(&self, position: &Position) -> i32 {
        match &self.0 {
            Kind::Patterns(weights) => by_patterns(weights, position),
            Kind::Network(network) => finished(network.evaluate(position), position),
        }
    }
}

/// Whether a file begins like a network. One that cannot be read does not.
fn is_network(path: &Path) -> bool {
    let mut start = [0; netfile::MAGIC.len()];
    // Looked at first: to open a pipe can take for ever.
    let is_file = std::fs::metadata(path).is_ok_and(|metadata| metadata.is_file());
    is_file
        && std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok()
        && start == netfile::MAGIC
}

/// A thread's means to evaluate one position after the other.
pub struct Evaluator(Means);

enum Means {
    Patterns(Arc<[Weight]>),
    Network(Box<Follower>),
}

impl Evaluator {
    /// For one thread.
    pub fn new(evaluation: &Evaluation) -> Self {
        Self(match &evaluation.0 {
            Kind::Patterns(weights) => Means::Patterns(Arc::clone(weights)),
            Kind::Network(network) => Means::Network(Box::new(Follower::new(Arc::clone(network)))),
        })
    }

    /// Whether it evaluates as `evaluation` does.
    pub fn is_of(&self, evaluation: &Evaluation) -> bool {
        match (&self.0, &evaluation.0) {
            (Means::Patterns(own), Kind::Patterns(other)) => Arc::ptr_eq(own, other),
            (Means::Network(follower), Kind::Network(other)) => Arc::ptr_eq(follower.network(), other),
            _ => false,
        }
    }

    /// As [`Evaluation::evaluate`].
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        match &mut self.0 {
            Means::Patterns(weights) => by_patterns(weights, position),
            Means::Network(follower) => finished(follower.evaluate(position), position),
        }
    }
}

fn by_patterns(weights: &[Weight], position: &Position) -> i32 {
    let own = Side::new(position, position.turn());
    let other = Side::new(position, !position.turn());
    let (mut full, mut bare) = (0, 0);
    let mut add = |feature: usize, count: i32| {
        let [all, none] = weights[feature];
        full += count * i32::from(all);
        bare += count * i32::from(none);
    };
    side_features(&own, 1, &mut add);
    side_features(&other, -1, &mut add);
    add(TO_MOVE, 1);
    let men = (own.men.count_ones() + other.men.count_ones()) as i32;
    finished((full * men + bare * (40 - men)) / (40 * UNIT), position)
}

/// Calls `feature` with the number of every feature of a position, below [`weight::COUNT`], and how often the
/// side to move has it more than the other; without the men by square and the parts of regions, which
/// [`weight::fold`] makes part of the others. The same feature may come several times.
pub fn features(position: &Position, mut feature: impl FnMut(usize, i32)) {
    side_features(&Side::new(position, position.turn()), 1, &mut feature);
    side_features(&Side::new(position, !position.turn()), -1, &mut feature);
    feature(TO_MOVE, 1);
}

#[inline(always)]
fn side_features(side: &Side, sign: i32, feature: &mut impl FnMut(usize, i32)) {
    side.terms(|term, count| feature(term, sign * count));
    patterns::<ROWS>(side.men, side.other_men, |state| feature(PATTERNS + state, sign));
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
