//! 32 columns of the network: their share of the first layer and of the output weights.
//!
//! A slice is all that a thread touches in the forward and backward pass. Its first layer has 128 bytes for
//! each input, so a whole slice of a four-bucket chess network fits into a core's second-level cache.

#![allow(clippy::needless_range_loop, reason = "index loops over arrays of fixed length are what vectorises")]

use super::adam::{Step, Tensor};
use super::game::{Sample, SharedRows};
use super::model::Shape;
use crate::random::Random;

/// Columns of a slice.
pub const LANES: usize = 32;

/// Largest weight: 33 of them (32 inputs and a bias) stay within the 16 bits of a quantised accumulator, and an
/// output weight of this size leaves the others a unit of 1/64.
pub const WEIGHT_LIMIT: f32 = 1.98;

/// Range of the first weights of the first layer's own rows. Small, since what no position changes stays as noise:
/// on 262,295 chess positions the held-out loss was 0.0119 with 0.12, 0.0111 with 0.03 or less.
const OWN_SPREAD: f32 = 0.02;
/// The same for shared rows.
const SHARED_SPREAD: f32 = 0.03;
/// First bias of the accumulators: the activation has no slope at 0 and below.
const FIRST_BIAS: f32 = 0.2;

/// One row of a slice, aligned to a cache line.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct Lane(pub [f32; LANES]);

impl Lane {
    /// All values 0.
    pub const ZERO: Self = Self([0.0; LANES]);

    fn clamped(&self) -> Self {
        Self(self.0.map(|value| value.clamp(-WEIGHT_LIMIT, WEIGHT_LIMIT)))
    }

    #[inline(always)]
    fn add(&mut self, other: &Self) {
        for i in 0..LANES {
            self.0[i] += other.0[i];
        }
    }
}

/// Weights, gradients and working memory of 32 columns.
pub struct Slice {
    /// The first layer's own rows. Together with `shared`, if there is one, they make `merged`.
    pub own: Tensor,
    /// Rows that inputs share, or empty.
    pub shared: Tensor,
    /// Bias of the accumulators, one row.
    pub bias: Tensor,
    /// What the output weights differ by from `output_shared`: for each output the side to move's half, then the
    /// other's.
    pub output: Tensor,
    /// The part of the output weights that all outputs share, two rows.
    pub output_shared: Tensor,
    /// The output weights as used.
    output_merged: Vec<Lane>,
    /// The first layer as used: its own rows and what they share; empty when nothing is shared.
    merged: Vec<Lane>,
    input_gradient: Vec<Lane>,
    shared_gradient: Vec<Lane>,
    bias_gradient: Lane,
    output_gradient: Vec<Lane>,
    /// Accumulators of the current block, before the activation.
    accumulators: Vec<[Lane; 2]>,
    /// This slice's part of the outputs of the current block.
    pub partial: Vec<f32>,
}

impl Slice {
    /// A slice with random first weights.
    pub fn new(shape: Shape, sharing: &[SharedRows], random: &mut Random) -> Self {
        let Shape { inputs, shared, hidden, outputs } = shape;
        let mut slice = Self {
            own: Tensor::zeros(inputs),
            shared: Tensor::zeros(shared),
            bias: Tensor::zeros(1),
            output: Tensor::zeros(2 * outputs),
            output_shared: Tensor::zeros(2),
            output_merged: vec![Lane::ZERO; 2 * outputs],
            merged: vec![Lane::ZERO; if shared > 0 { inputs } else { 0 }],
            input_gradient: vec![Lane::ZERO; inputs],
            shared_gradient: vec![Lane::ZERO; shared],
            bias_gradient: Lane::ZERO,
            output_gradient: vec![Lane::ZERO; 2 * outputs],
            accumulators: Vec::new(),
            partial: Vec::new(),
        };
        slice.bias.weights[0] = Lane([FIRST_BIAS; LANES]);
        for (tensor, spread) in [(&mut slice.own, OWN_SPREAD), (&mut slice.shared, SHARED_SPREAD)] {
            for value in tensor.weights.iter_mut().flat_map(|row| &mut row.0) {
                *value = random.symmetric(spread);
            }
        }
        let output_spread = (1.0 / (2 * hidden) as f32).sqrt();
        for value in slice.output_shared.weights.iter_mut().flat_map(|row| &mut row.0) {
            *value = random.symmetric(output_spread);
        }
        slice.merge(sharing);
        slice
    }

    /// Recomputes `merged` after the weights were set.
    pub fn merge(&mut self, sharing: &[SharedRows]) {
        for (row, merged) in self.merged.iter_mut().enumerate() {
            let mut sum = self.own.weights[row];
            for &shared in &sharing[row] {
                sum.add(&self.shared.weights[usize::from(shared)]);
            }
            *merged = sum.clamped();
        }
        for (row, merged) in self.output_merged.iter_mut().enumerate() {
            let mut sum = self.output.weights[row];
            sum.add(&self.output_shared.weights[row % 2]);
            *merged = sum.clamped();
        }
    }

    /// The first layer as the network uses it.
    pub fn first_layer(&self) -> &[Lane] {
        if self.merged.is_empty() { &self.own.weights } else { &self.merged }
    }

    /// The output weights as the network uses them, in the order of [`Slice::output`].
    pub fn output_weights(&self) -> &[Lane] {
        &self.output_merged
    }

    /// Computes this slice's part of the outputs of a block.
    pub fn forward(&mut self, samples: &[Sample]) {
        let mut accumulators = std::mem::take(&mut self.accumulators);
        accumulators.resize(samples.len(), [Lane::ZERO; 2]);
        self.partial.resize(samples.len(), 0.0);
        let rows = if self.merged.is_empty() { &self.own.weights } else { &self.merged };
        let bias = self.bias.weights[0];
        for ((sample, pair), partial) in samples.iter().zip(&mut accumulators).zip(&mut self.partial) {
            let mut products = Lane::ZERO;
            for half in 0..2 {
                let mut values = bias;
                for &row in &sample.rows[half] {
                    values.add(&rows[usize::from(row)]);
                }
                pair[half] = values;
                let weights = &self.output_merged[2 * usize::from(sample.bucket) + half].0;
                for i in 0..LANES {
                    let clipped = values.0[i].clamp(0.0, 1.0);
                    products.0[i] += clipped * clipped * weights[i];
                }
            }
            *partial = horizontal_sum(&products.0);
        }
        self.accumulators = accumulators;
    }

    /// Adds the gradients of the block of the last [`Slice::forward`], given the loss gradient of each output.
    pub fn backward(&mut self, samples: &[Sample], gradients: &[f32]) {
        for ((sample, pair), &gradient) in samples.iter().zip(&self.accumulators).zip(gradients) {
            for half in 0..2 {
                let index = 2 * usize::from(sample.bucket) + half;
                let weights = &self.output_merged[index].0;
                let output_gradient = &mut self.output_gradient[index].0;
                let mut delta = Lane::ZERO;
                for i in 0..LANES {
                    let value = pair[half].0[i];
                    let clipped = value.clamp(0.0, 1.0);
                    output_gradient[i] += gradient * clipped * clipped;
                    // The derivative of the clipped square is 0 outside the range; `clipped` is 0 below it.
                    let slope = if value < 1.0 { 2.0 * clipped } else { 0.0 };
                    delta.0[i] = gradient * weights[i] * slope;
                }
                self.bias_gradient.add(&delta);
                for &row in &sample.rows[half] {
                    self.input_gradient[usize::from(row)].add(&delta);
                }
            }
        }
    }

    /// One step of the optimiser with the gradients gathered since the last, which are cleared.
    pub fn step(&mut self, step: &Step, sharing: &[SharedRows]) {
        for row in 0..self.own.weights.len() {
            let gradient = std::mem::replace(&mut self.input_gradient[row], Lane::ZERO);
            self.own.apply(row, step, &gradient, WEIGHT_LIMIT);
            for &shared in &sharing[row] {
                self.shared_gradient[usize::from(shared)].add(&gradient);
            }
        }
        for row in 0..self.shared.weights.len() {
            let gradient = std::mem::replace(&mut self.shared_gradient[row], Lane::ZERO);
            self.shared.apply(row, step, &gradient, WEIGHT_LIMIT);
        }
        let gradient = std::mem::replace(&mut self.bias_gradient, Lane::ZERO);
        self.bias.apply(0, step, &gradient, WEIGHT_LIMIT);
        let mut shared = [Lane::ZERO; 2];
        for row in 0..self.output.weights.len() {
            let gradient = std::mem::replace(&mut self.output_gradient[row], Lane::ZERO);
            self.output.apply(row, step, &gradient, WEIGHT_LIMIT);
            shared[row % 2].add(&gradient);
        }
        for (row, gradient) in shared.iter().enumerate() {
            self.output_shared.apply(row, step, gradient, WEIGHT_LIMIT);
        }
        self.merge(sharing);
    }
}

/// Sum in a fixed order that vectorises: halves are folded onto each other.
#[inline(always)]
fn horizontal_sum(values: &[f32; LANES]) -> f32 {
    let mut folded = [0.0; 8];
    for (i, value) in values.iter().enumerate() {
        folded[i % 8] += value;
    }
    ((folded[0] + folded[4]) + (folded[1] + folded[5])) + ((folded[2] + folded[6]) + (folded[3] + folded[7]))
}
