//! Fits the weights of the patterns to games of the engine against itself; [`network`] does it for the network.
//!
//! The value of a position should be what the logistic function turns into the expected result. What is expected is
//! seen in the game: in the score that the search gave, and in what came later, the more remote the less it counts, up
//! to the result (temporal differences, TD(λ): R. Sutton, 1988). Weights follow the gradient of the cross-entropy,
//! position by position, each with a step of its own that shrinks as its gradients add up (AdaGrad: J. Duchi, E. Hazan,
//! Y. Singer, 2011): rare patterns learn from few positions, common ones come to rest. Beside the patterns, every man
//! has a weight by its square and every part of a pattern one of its own, which all patterns with that man or part
//! share.

pub mod network;

use crate::data::{DataError, GameResult, Reader, Record};
use crate::eval::features;
use crate::eval::pattern::patterns;
use crate::eval::term::{KING, Side};
use crate::eval::weight::{COUNT, MEN, PAIRS, TRIPLES, UNIT, Weight};
use crate::{Bitboard, Color, Move, Position};
use eval::random::Random;
use eval::train::{fit_scale, sigmoid};
use std::path::{Path, PathBuf};

/// Settings of a run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Files of games.
    pub data: Vec<PathBuf>,
    /// Files of games to measure with, beside the games kept out.
    pub test: Vec<PathBuf>,
    /// Passes over the positions.
    pub epochs: u32,
    /// Length of the first steps.
    pub rate: f32,
    /// Gradients that every weight is taken to have seen before: more makes rare patterns learn slower.
    pub caution: f32,
    /// λ: what counts of the value of the next ply, 0 (the score alone) to 1 (the result alone).
    pub lambda: f32,
    /// Hundredths of a man `k` of `sigmoid(score / k)`; fitted to the results when absent.
    pub scale: Option<f32>,
    /// Positions before this ply are left out.
    pub min_ply: usize,
    /// Thousandths of the games kept out of training, to measure with.
    pub held_out: u64,
    /// Decides the order of the positions and the games kept out.
    pub seed: u64,
}

/// Positions with a greater score, in hundredths of a man, are left out: they are decided.
const MOST_SCORE: i16 = 1000;
/// About so many positions decide the scale.
const SCALE_SAMPLE: usize = 2_000_000;

/// A position to learn from.
struct Sample {
    position: Position,
    /// What the side to move is to expect, 0 to 1.
    target: f32,
    /// Twice the result for the side to move.
    result: u8,
}

/// Mean cross-entropies of an epoch.
#[derive(Clone, Copy, Debug)]
pub struct Loss {
    /// To the targets, of the positions trained on, while training.
    pub training: f64,
    /// To the targets, of those kept out.
    pub held_out: f64,
    /// To the results, of those kept out.
    pub result: f64,
}

/// The games of all files as positions.
pub struct Stock {
    samples: Vec<Sample>,
    held_out: Vec<Sample>,
    scale: f32,
}

impl Stock {
    /// Reads the files. Positions with a capture are left out: the search never evaluates them.
    ///
    /// # Errors
    /// When a file cannot be read or holds something that is not a game; an incomplete last game is none.
    pub fn read(settings: &Settings) -> Result<Self, DataError> {
        let scale = match settings.scale {
            Some(scale) => scale,
            None => scale_of(&settings.data)?,
        };
        let mut stock = Self { samples: Vec::new(), held_out: Vec::new(), scale };
        let mut chance = Random::new(settings.seed, 1);
        let files = settings.data.iter().map(|path| (path, settings.held_out));
        for (path, held_out) in files.chain(settings.test.iter().map(|path| (path, 1000))) {
            for_each_game(path, |record| {
                let out = chance.below(1000) < held_out;
                let set = if out { &mut stock.held_out } else { &mut stock.samples };
                let plies = record.replay()?;
                let targets = expectations(&plies, record.result, settings.lambda, scale);
                for ((position, _, score), target) in plies.into_iter().zip(targets).skip(settings.min_ply) {
                    if is_quiet(&position, score) {
                        let result = (2.0 * record.result.value(position.turn())) as u8;
                        set.push(Sample { position, target, result });
                    }
                }
                Ok(())
            })?;
        }
        Ok(stock)
    }

    /// Positions to train on, and kept out.
    pub fn len(&self) -> (usize, usize) {
        (self.samples.len(), self.held_out.len())
    }

    /// Hundredths of a man `k` of `sigmoid(score / k)`.
    pub fn scale(&self) -> f32 {
        self.scale
    }
}

impl Sample {
    fn outcome(&self) -> f32 {
        f32::from(self.result) / 2.0
    }
}

/// What the side to move is to expect in each position of a game, 0 to 1, by TD(λ).
fn expectations(
    plies: &[(Position, Move, i16)],
    result: GameResult,
    lambda: f32,
    scale: f32,
) -> impl Iterator<Item = f32> + use<> {
    let mut value = result.value(Color::White);
    let mut values = Vec::with_capacity(plies.len());
    for (position, _, score) in plies.iter().rev() {
        let is_white = position.turn() == Color::White;
        let seen = |value: f32| if is_white { value } else { 1.0 - value };
        value = lambda * value + (1.0 - lambda) * seen(sigmoid(f32::from(*score) / scale));
        values.push(seen(value));
    }
    values.into_iter().rev()
}

/// Whether a position is one to learn from.
fn is_quiet(position: &Position, score: i16) -> bool {
    score.abs() <= MOST_SCORE && !position.has_capture()
}

/// Hands out the games of a file; an incomplete last one is none.
fn for_each_game(
    path: &Path,
    mut game: impl FnMut(Record) -> Result<(), DataError>,
) -> Result<(), DataError> {
    for record in Reader::open(path)? {
        match record {
            Ok(record) => game(record)?,
            Err(DataError::Torn) => break,
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// The scale with which the scores tell the results best.
fn scale_of(data: &[PathBuf]) -> Result<f32, DataError> {
    let mut pairs = Vec::new();
    for path in data {
        for_each_game(path, |record| {
            if pairs.len() < SCALE_SAMPLE {
                let quiet =
                    record.replay()?.into_iter().filter(|(position, _, score)| is_quiet(position, *score));
                pairs.extend(quiet.map(|(position, _, score)| (score, record.result.value(position.turn()))));
            }
            Ok(())
        })?;
    }
    Ok(fit_scale(&pairs))
}

/// Weights while they are trained.
pub struct Trainer<'a> {
    settings: &'a Settings,
    stock: &'a Stock,
    order: Vec<u32>,
    weights: Vec<[f32; 2]>,
    gradients: Vec<[f32; 2]>,
    active: Vec<(u32, f32)>,
    epoch: u32,
}

impl<'a> Trainer<'a> {
    /// Begins with the weights `from`, or with men of 100 and kings of 300, and nothing else.
    pub fn new(settings: &'a Settings, stock: &'a Stock, from: Option<&[Weight]>) -> Self {
        let scaled = |hundredths: f32| hundredths / stock.scale;
        let mut weights = vec![[0.0; 2]; COUNT];
        weights[MEN..PAIRS].fill([scaled(100.0); 2]);
        weights[KING] = [scaled(300.0); 2];
        for (weight, old) in weights.iter_mut().zip(from.unwrap_or_default()) {
            *weight = old.map(|parts| scaled(f32::from(parts) / UNIT as f32));
        }
        Self {
            settings,
            stock,
            order: (0..stock.samples.len() as u32).collect(),
            gradients: vec![[settings.caution; 2]; weights.len()],
            weights,
            active: Vec::with_capacity(256),
            epoch: 0,
        }
    }

    /// One pass over the positions.
    pub fn epoch(&mut self) -> Loss {
        let mut random = Random::new(self.settings.seed, 2 + u64::from(self.epoch));
        for last in (1..self.order.len()).rev() {
            self.order.swap(last, random.below(last as u64 + 1) as usize);
        }
        // The last passes take smaller steps, so that the weights do not end on the noise of the last positions.
        let left = 1.0 - self.epoch as f32 / self.settings.epochs as f32;
        let rate = self.settings.rate * left;
        let mut training = 0.0;
        let order = std::mem::take(&mut self.order);
        for &index in &order {
            let Some(sample) = self.stock.samples.get(index as usize) else { continue };
            let target = sample.target;
            let (output, phase) = self.output(&sample.position);
            let error = output - target;
            training += cross_entropy(output, target);
            for &(feature, count) in &self.active {
                let weight = &mut self.weights[feature as usize];
                let gradient = &mut self.gradients[feature as usize];
                for ((weight, gradient), share) in weight.iter_mut().zip(gradient).zip([phase, 1.0 - phase]) {
                    let slope = error * count * share;
                    *gradient += slope * slope;
                    *weight -= rate * slope / gradient.sqrt();
                }
            }
        }
        self.order = order;
        self.epoch += 1;
        let count = self.stock.samples.len().max(1) as f64;
        let (held_out, result) = self.measure();
        Loss { training: training / count, held_out, result }
    }

    fn measure(&mut self) -> (f64, f64) {
        let stock = self.stock;
        let (mut to_target, mut to_result) = (0.0, 0.0);
        for sample in &stock.held_out {
            let output = self.output(&sample.position).0;
            to_target += cross_entropy(output, sample.target);
            to_result += cross_entropy(output, sample.outcome());
        }
        let count = stock.held_out.len().max(1) as f64;
        (to_target / count, to_result / count)
    }

    /// The expected result, and the share of the first weight of each feature; leaves the features in
    /// `active`.
    fn output(&mut self, position: &Position) -> (f32, f32) {
        self.active.clear();
        let active = &mut self.active;
        features(position, |feature, count| active.push((feature as u32, count as f32)));
        let own = Side::new(position, position.turn());
        let other = Side::new(position, !position.turn());
        for (side, sign) in [(&own, 1.0), (&other, -1.0)] {
            for man in Bitboard(side.men) {
                active.push(((MEN + man.index()) as u32, sign));
            }
            patterns::<2>(side.men, side.other_men, |state| active.push(((PAIRS + state) as u32, sign)));
            patterns::<3>(side.men, side.other_men, |state| active.push(((TRIPLES + state) as u32, sign)));
        }
        let phase = (own.men.count_ones() + other.men.count_ones()) as f32 / 40.0;
        let mut sum = 0.0;
        for &(feature, count) in self.active.iter() {
            let [full, bare] = self.weights[feature as usize];
            sum += count * (full * phase + bare * (1.0 - phase));
        }
        (sigmoid(sum), phase)
    }

    /// The weights for a file.
    pub fn weights(&self) -> Vec<Weight> {
        let rounded = |value: f32| (value * self.stock.scale * UNIT as f32).round() as i16;
        self.weights.iter().map(|&[full, bare]| [rounded(full), rounded(bare)]).collect()
    }
}

fn cross_entropy(output: f32, target: f32) -> f64 {
    let output = output.clamp(1e-6, 1.0 - 1e-6);
    f64::from(-(target * output.ln() + (1.0 - target) * (1.0 - output).ln()))
}
