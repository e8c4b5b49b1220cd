//! From floating point to the quantised network.

use super::game::Game;
use super::model::Model;
use super::slice::LANES;
use crate::feature::FeatureSet;
use crate::netfile::{Header, Weights};
use crate::network::{QUANT_INPUT, QUANT_OUTPUT};

/// Rounds the model's weights to the network file's units.
///
/// Nothing is cut off: training keeps every weight within the range of its 16 bits.
pub fn quantise<G: Game>(game: &G, model: &Model, name: &str, scale: i32) -> (Header, Weights) {
    let shape = model.shape;
    let input = |value: f32| (value * QUANT_INPUT as f32).round() as i16;
    let output = |value: f32| (value * QUANT_OUTPUT as f32).round() as i16;
    let mut weights =
        Weights { features: Vec::new(), bias: Vec::new(), output: Vec::new(), output_bias: Vec::new() };
    weights.features.reserve(shape.inputs * shape.hidden);
    for row in 0..shape.inputs {
        for slice in &model.slices {
            weights.features.extend(slice.first_layer()[row].0.map(input));
        }
    }
    for slice in &model.slices {
        weights.bias.extend(slice.bias.weights[0].0.map(input));
    }
    for half in 0..2 * shape.outputs {
        for slice in &model.slices {
            weights.output.extend(slice.output.weights[half].0.map(output));
        }
    }
    for bias in &model.output_bias {
        weights.output_bias.push((bias.weight * (QUANT_INPUT * QUANT_OUTPUT) as f32).round() as i32);
    }
    let header = Header {
        architecture: <G::Features as FeatureSet>::ARCHITECTURE.to_owned(),
        name: name.to_owned(),
        inputs: shape.inputs as u32,
        hidden: (model.slices.len() * LANES) as u32,
        outputs: shape.outputs as u32,
        scale,
        table: game.features().table(),
    };
    (header, weights)
}
