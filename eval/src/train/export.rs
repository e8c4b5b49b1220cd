//! From floating point to the quantised network.

use super::game::Game;
use super::model::Model;
use super::slice::LANES;
use crate::feature::FeatureSet;
use crate::kernels::OUTPUT_WEIGHT_MAX;
use crate::netfile::{Header, MAX_OUTPUT_UNIT, Weights};
use crate::network::QUANT_INPUT;

/// Rounds the model's weights to the network file's units.
///
/// Nothing is cut off: training keeps every first-layer weight within the range of its 16 bits, and the unit of
/// the output weights is chosen so that the largest of them just fits.
pub fn quantise<G: Game>(game: &G, model: &Model, name: &str, scale: i32) -> (Header, Weights) {
    let shape = model.shape;
    let input = |value: f32| (value * QUANT_INPUT as f32).round() as i16;
    let output_weights =
        || model.slices.iter().flat_map(|slice| slice.output_weights()).flat_map(|row| &row.0);
    let largest = output_weights().fold(0.0f32, |largest, weight| largest.max(weight.abs()));
    let unit = (f32::from(OUTPUT_WEIGHT_MAX) / largest.max(f32::MIN_POSITIVE)) as i32;
    let unit = unit.clamp(1, MAX_OUTPUT_UNIT);
    let output = |value: f32| (value * unit as f32).round() as i16;
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
            weights.output.extend(slice.output_weights()[half].0.map(output));
        }
    }
    for bias in &model.output_bias {
        weights.output_bias.push((bias.weight * (QUANT_INPUT * unit) as f32).round() as i32);
    }
    let header = Header {
        architecture: <G::Features as FeatureSet>::ARCHITECTURE.to_owned(),
        name: name.to_owned(),
        inputs: shape.inputs as u32,
        hidden: (model.slices.len() * LANES) as u32,
        outputs: shape.outputs as u32,
        scale,
        output_unit: unit,
        table: game.features().table(),
    };
    (header, weights)
}
