//! AdamW and the course of the learning rate.

use super::slice::Lane;

/// How the learning rate falls after the warm-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Schedule {
    /// Half a cosine from the highest rate to the final one.
    Cosine,
    /// The highest rate for two thirds of the run, a tenth of it (but not below the final one) afterwards.
    Step,
}

/// Share of a run after which [`Schedule::Step`] lowers the rate.
const STEP_AT: f64 = 0.66;

/// The learning rate of a step (from 0) of `total`, with a linear rise over the first `warm_up` steps.
pub fn learning_rate(
    schedule: Schedule,
    highest: f32,
    final_share: f32,
    warm_up: u64,
    step: u64,
    total: u64,
) -> f32 {
    // A short run would otherwise be all warm-up.
    let warm_up = warm_up.min(total / 10);
    if step < warm_up {
        return highest * (step + 1) as f32 / warm_up as f32;
    }
    let progress = (step - warm_up) as f64 / (total - warm_up).max(1) as f64;
    let share = match schedule {
        Schedule::Cosine => {
            let falling = (1.0 + (progress * std::f64::consts::PI).cos()) / 2.0;
            f64::from(final_share) + (1.0 - f64::from(final_share)) * falling
        }
        Schedule::Step if progress < STEP_AT => 1.0,
        Schedule::Step => f64::from(final_share.max(0.1)),
    };
    (f64::from(highest) * share) as f32
}

const BETA1: f32 = 0.9;
const BETA2: f32 = 0.999;
const EPSILON: f32 = 1e-8;

/// The numbers of one optimiser step that all weights share.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    rate: f32,
    decay: f32,
    /// Corrections of the moments' bias towards 0 in the first steps.
    correction1: f32,
    correction2: f32,
}

impl Step {
    /// `step` counts from 1.
    pub fn new(rate: f32, decay: f32, step: u64) -> Self {
        let power = step.min(i32::MAX as u64) as i32;
        Self {
            rate,
            decay: rate * decay,
            correction1: 1.0 / (1.0 - BETA1.powi(power)),
            correction2: 1.0 / (1.0 - BETA2.powi(power)),
        }
    }

    /// One weight (Loshchilov and Hutter 2019, algorithm 2), kept within ±`limit`.
    #[inline(always)]
    pub fn apply(&self, weight: &mut f32, first: &mut f32, second: &mut f32, gradient: f32, limit: f32) {
        *first = BETA1 * *first + (1.0 - BETA1) * gradient;
        *second = BETA2 * *second + (1.0 - BETA2) * gradient * gradient;
        let direction = *first * self.correction1 / ((*second * self.correction2).sqrt() + EPSILON);
        *weight = (*weight * (1.0 - self.decay) - self.rate * direction).clamp(-limit, limit);
    }
}

/// Weights with the moments of their gradients, in rows of 32.
#[derive(Clone, Default)]
pub struct Tensor {
    /// The weights.
    pub weights: Vec<Lane>,
    /// Running mean of the gradient.
    pub first: Vec<Lane>,
    /// Running mean of its square.
    pub second: Vec<Lane>,
}

impl Tensor {
    /// `rows` rows of zeros.
    pub fn zeros(rows: usize) -> Self {
        Self {
            weights: vec![Lane::ZERO; rows],
            first: vec![Lane::ZERO; rows],
            second: vec![Lane::ZERO; rows],
        }
    }

    /// Applies a step to one row.
    #[inline(always)]
    pub fn apply(&mut self, row: usize, step: &Step, gradient: &Lane, limit: f32) {
        let weights = &mut self.weights[row].0;
        let first = &mut self.first[row].0;
        let second = &mut self.second[row].0;
        for i in 0..weights.len() {
            step.apply(&mut weights[i], &mut first[i], &mut second[i], gradient.0[i], limit);
        }
    }
}
