//! Static evaluation: patterns of men and a few terms, with learnt weights.
//!
//! A position is described by features of each side, as that side sees the board: how each region of its half
//! looks ([`pattern`]), and what can be counted ([`term`]). A feature is worth one weight with all forty men on
//! the board and another with none, and in between in proportion. All weights were fitted to games of the
//! engine against itself ([`crate::train`]).

pub mod pattern;
pub mod term;
pub mod weight;

use crate::Position;
use crate::position::Ending;
use pattern::{ROWS, patterns};
use std::path::Path;
use std::sync::{Arc, OnceLock};
use term::{MAIN_LINE, Side, TO_MOVE};
use weight::{PATTERNS, UNIT, Weight, WeightError};

/// Evaluations stay within this, in hundredths of a man; greater scores are wins found by search.
pub const MOST: i32 = 8000;

/// Weights that are part of the program.
static EMBEDDED: &[u8] = include_bytes!("../nets/draughts.eval");

/// The evaluation. Copies share their weights.
#[derive(Clone, Debug)]
pub struct Evaluation {
    weights: Arc<[Weight]>,
}

impl Default for Evaluation {
    /// The evaluation that is part of the program.
    fn default() -> Self {
        static SHARED: OnceLock<Arc<[Weight]>> = OnceLock::new();
        let weights = SHARED.get_or_init(|| match weight::from_bytes(EMBEDDED) {
            Ok(weights) => Self::new(weights).weights,
            // Only a build with a damaged file comes here, and no test passes with it.
            Err(error) => panic!("embedded weights: {error}"),
        });
        Self { weights: Arc::clone(weights) }
    }
}

impl Evaluation {
    /// The evaluation with the weights of a file.
    ///
    /// # Errors
    /// When the file cannot be read, is of another kind, or damaged.
    pub fn load(path: &Path) -> Result<Self, WeightError> {
        Ok(Self::new(weight::load(path)?))
    }

    fn new(mut weights: Box<[Weight]>) -> Self {
        weight::fold(&mut weights);
        Self { weights: weights.into() }
    }

    /// The value of a position for the side to move, in hundredths of a man, within ±[`MOST`].
    pub fn evaluate(&self, position: &Position) -> i32 {
        let own = Side::new(position, position.turn());
        let other = Side::new(position, !position.turn());
        let (mut full, mut bare) = (0, 0);
        let mut add = |feature: usize, count: i32| {
            let [all, none] = self.weights[feature];
            full += count * i32::from(all);
            bare += count * i32::from(none);
        };
        side_features(&own, 1, &mut add);
        side_features(&other, -1, &mut add);
        add(TO_MOVE, 1);
        let men = (own.men.count_ones() + other.men.count_ones()) as i32;
        let score = (full * men + bare * (40 - men)) / (40 * UNIT);
        scaled(score, position, &own, &other).clamp(-MOST, MOST)
    }
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
/// and few pieces do not catch any.
fn scaled(score: i32, position: &Position, own: &Side, other: &Side) -> i32 {
    let (ahead, behind) = if score > 0 { (own, other) } else { (other, own) };
    if behind.kings == 0 {
        return score;
    }
    match position.ending().0 {
        Ending::TwoToOne => score / 16,
        Ending::ThreeToOne => score / 4,
        Ending::None => {
            let attackers = (ahead.men | ahead.kings).count_ones();
            let defenders = (behind.men | behind.kings).count_ones();
            let holds = behind.kings & MAIN_LINE.0 != 0;
            if attackers > defenders + 2 {
                score
            } else if holds {
                score / 4
            } else {
                score / 2
            }
        }
    }
}
