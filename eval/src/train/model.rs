//! The network in floating point, cut into slices.

use rayon::prelude::*;

use super::adam::Step;
use super::game::{Game, Sample, SharedRows};
use super::slice::{LANES, Slice, WEIGHT_LIMIT};
use super::target::sigmoid;
use crate::feature::FeatureSet;
use crate::random::Random;

/// Stream of the seed that fills the first weights; slices take the numbers after it.
const WEIGHT_STREAM: u64 = 1 << 32;

/// Sizes of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Rows of the first layer.
    pub inputs: usize,
    /// Rows that inputs share while training, or 0.
    pub shared: usize,
    /// Values of each accumulator, a multiple of 32.
    pub hidden: usize,
    /// Output neurons.
    pub outputs: usize,
}

/// One output bias with the moments of its gradient.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OutputBias {
    /// The bias.
    pub weight: f32,
    /// Running mean of the gradient.
    pub first: f32,
    /// Running mean of its square.
    pub second: f32,
    gradient: f32,
}

/// A network in training.
pub struct Model {
    /// Its sizes.
    pub shape: Shape,
    /// The columns.
    pub(crate) slices: Vec<Slice>,
    /// For each input row the rows that it shares with others.
    sharing: Vec<SharedRows>,
    pub(crate) output_bias: Vec<OutputBias>,
    outputs: Vec<f32>,
    gradients: Vec<f32>,
}

impl std::fmt::Debug for Model {
    fn fmt(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
        self.shape.fmt(formatter)
    }
}

impl Model {
    /// A network for a game, with random first weights.
    pub fn new<G: Game>(game: &G, hidden: usize, seed: u64) -> Self {
        let shape = Shape {
            inputs: game.features().inputs(),
            shared: game.shared_inputs(),
            hidden,
            outputs: game.outputs(),
        };
        let sharing: Vec<SharedRows> = (0..shape.inputs).map(|row| game.shared_rows(row)).collect();
        let slices = (0..shape.hidden / LANES)
            .map(|i| {
                let mut random = Random::new(seed, WEIGHT_STREAM + i as u64);
                Slice::new(shape, &sharing, &mut random)
            })
            .collect();
        let output_bias = vec![OutputBias::default(); shape.outputs];
        Self { shape, slices, sharing, output_bias, outputs: Vec::new(), gradients: Vec::new() }
    }

    /// Computes the outputs of a block; 1.0 is one scale `k` of centipawns.
    pub fn forward(&mut self, samples: &[Sample]) -> &[f32] {
        self.slices.par_iter_mut().for_each(|slice| slice.forward(samples));
        self.outputs.clear();
        self.outputs.extend(samples.iter().enumerate().map(|(i, sample)| {
            let parts: f32 = self.slices.iter().map(|slice| slice.partial[i]).sum();
            self.output_bias[usize::from(sample.bucket)].weight + parts
        }));
        &self.outputs
    }

    /// Sum over a block of the squared differences between `sigmoid(output)` and the target.
    pub fn loss(&mut self, samples: &[Sample], targets: &[f32]) -> f64 {
        let outputs = self.forward(samples);
        outputs.iter().zip(targets).map(|(&output, &target)| squared(sigmoid(output) - target)).sum()
    }

    /// Adds the gradients of a block, each position weighted by `weight`; returns the sum of its losses.
    pub fn learn(&mut self, samples: &[Sample], targets: &[f32], weight: f32) -> f64 {
        self.forward(samples);
        self.gradients.clear();
        let mut loss = 0.0;
        for ((sample, &output), &target) in samples.iter().zip(&self.outputs).zip(targets) {
            let prediction = sigmoid(output);
            let difference = prediction - target;
            loss += squared(difference);
            let gradient = weight * 2.0 * difference * prediction * (1.0 - prediction);
            self.output_bias[usize::from(sample.bucket)].gradient += gradient;
            self.gradients.push(gradient);
        }
        let gradients = &self.gradients;
        self.slices.par_iter_mut().for_each(|slice| slice.backward(samples, gradients));
        loss
    }

    /// Recomputes what follows from the weights after they were set.
    pub(crate) fn merge(&mut self) {
        self.slices.iter_mut().for_each(|slice| slice.merge(&self.sharing));
    }

    /// One step of the optimiser with the gradients gathered since the last.
    pub(crate) fn step(&mut self, step: &Step) {
        let sharing = &self.sharing;
        self.slices.par_iter_mut().for_each(|slice| slice.step(step, sharing));
        for bias in &mut self.output_bias {
            let gradient = std::mem::take(&mut bias.gradient);
            step.apply(&mut bias.weight, &mut bias.first, &mut bias.second, gradient, WEIGHT_LIMIT);
        }
    }
}

fn squared(value: f32) -> f64 {
    f64::from(value) * f64::from(value)
}
