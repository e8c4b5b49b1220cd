//! The first weights of a run, taken from a network that was trained before.

use super::game::Game;
use super::model::Model;
use super::slice::{LANES, Lane};
use crate::feature::FeatureSet;
use crate::netfile::{Header, Weights};
use crate::network::QUANT_INPUT;

/// Puts a network in the place of the random first weights.
///
/// The network may be narrower: the columns that it lacks keep their random first layer and begin without a say in the
/// outputs, so that the model computes what the network does. It may have a coarser input table, if [`Game::origin`]
/// knows where each row comes from. What rows share begins at 0, since a network file holds the sums only. `scale` is
/// the run's: the outputs are converted to it.
///
/// # Errors
///
/// What of the network does not fit.
pub fn start_from<G: Game>(
    game: &G,
    model: &mut Model,
    (header, weights): &(Header, Weights),
    scale: i32,
) -> Result<(), String> {
    let shape = model.shape;
    let expected = <G::Features as FeatureSet>::ARCHITECTURE;
    let (hidden, outputs) = (header.hidden as usize, header.outputs as usize);
    if header.architecture != expected {
        return Err(format!("it has architecture '{}', expected '{expected}'", header.architecture));
    }
    if outputs != shape.outputs {
        return Err(format!("it has {outputs} outputs, expected {}", shape.outputs));
    }
    if hidden > shape.hidden || !hidden.is_multiple_of(LANES) {
        return Err(format!(
            "it has {hidden} hidden values, expected a multiple of 32 up to {}",
            shape.hidden
        ));
    }
    let origins: Option<Vec<usize>> = (0..shape.inputs).map(|row| game.origin(row, &header.table)).collect();
    let origins = origins
        .filter(|rows| rows.iter().all(|&row| row < header.inputs as usize))
        .ok_or_else(|| String::from("its inputs cannot be carried over"))?;

    let input = |value: i16| f32::from(value) / QUANT_INPUT as f32;
    let ratio = header.scale as f32 / scale as f32;
    let output = |value: i16| f32::from(value) / header.output_unit as f32 * ratio;
    for (i, slice) in model.slices.iter_mut().enumerate() {
        for tensor in [&mut slice.output, &mut slice.output_shared] {
            tensor.weights.fill(Lane::ZERO);
        }
        let at = i * LANES;
        if at >= hidden {
            continue;
        }
        slice.shared.weights.fill(Lane::ZERO);
        for (row, &origin) in slice.own.weights.iter_mut().zip(&origins) {
            *row = lane(&weights.features[origin * hidden + at..], input);
        }
        slice.bias.weights[0] = lane(&weights.bias[at..], input);
        for (half, row) in slice.output.weights.iter_mut().enumerate() {
            *row = lane(&weights.output[half * hidden + at..], output);
        }
    }
    for (bias, &value) in model.output_bias.iter_mut().zip(&weights.output_bias) {
        bias.weight = value as f32 / (QUANT_INPUT * header.output_unit) as f32 * ratio;
    }
    model.merge();
    Ok(())
}

/// The first values of `from`, converted.
fn lane(from: &[i16], convert: impl Fn(i16) -> f32) -> Lane {
    Lane(std::array::from_fn(|i| convert(from[i])))
}
