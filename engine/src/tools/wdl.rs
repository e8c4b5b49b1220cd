//! `dyad data wdl`: fits the chances of win, draw and loss to the results of games.

use std::path::Path;

use eval::chess::viriformat::{GameFile, replay};
use movegen::Color;
use search::chess::wdl::{MODEL, Model, material};

use crate::console;

/// Positions before this ply are left out: their scores say little about results.
const FIRST_PLY: u32 = 16;
/// Scores beyond this many units of the search are left out: they are decided.
const LARGEST: i16 = 2000;

/// The ply after 32 moves, whose material decides what is shown as a pawn.
const LATE_PLY: u32 = 64;

/// A position's score and result, both for the side to move.
struct Sample {
    score: f64,
    material: f64,
    /// 0 won, 1 drawn, 2 lost.
    result: usize,
}

/// Prints the model that fits the games best.
///
/// # Errors
/// When the file cannot be read or a game is damaged.
pub fn run(path: &Path) -> Result<(), String> {
    let file = GameFile::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut samples = Vec::new();
    let (mut late, mut late_material) = (0u32, 0.0);
    for (number, game) in file.games().enumerate() {
        replay(&game, |ply| {
            if ply.board.ply_count() == LATE_PLY {
                late += 1;
                late_material += material(ply.board);
            }
            if ply.board.ply_count() >= FIRST_PLY && ply.score.abs() <= LARGEST {
                let is_white = ply.board.side_to_move() == Color::White;
                samples.push(Sample {
                    score: f64::from(if is_white { ply.score } else { -ply.score }),
                    material: material(ply.board),
                    result: usize::from(if is_white { 2 - ply.result } else { ply.result }),
                });
            }
        })
        .map_err(|fault| format!("{}: game {}: {fault}", path.display(), number + 1))?;
    }
    if samples.is_empty() {
        return Err(format!("{}: no positions to fit", path.display()));
    }
    let (model, loss) = fit(&samples);
    console::line(format_args!(
        "{} positions, mean log loss {loss:.4} (present model {:.4})",
        samples.len(),
        mean_loss(&MODEL, &samples)
    ));
    console::line(format_args!("half  {:.1} {:+.1} * material", model.half.0, model.half.1));
    console::line(format_args!("width {:.1} {:+.1} * material", model.width.0, model.width.1));
    if late > 0 {
        let share = late_material / f64::from(late);
        console::line(format_args!(
            "after 32 moves: material {share:.3}, half at {:.0} units of the search",
            model.half_at(share)
        ));
    }
    Ok(())
}

/// Mean negative logarithm of the probability given to what happened.
fn mean_loss(model: &Model, samples: &[Sample]) -> f64 {
    let sum: f64 = samples
        .iter()
        .map(|sample| -model.probabilities(sample.score, sample.material)[sample.result].max(1e-9).ln())
        .sum();
    sum / samples.len() as f64
}

/// Coordinate descent with shrinking steps.
fn fit(samples: &[Sample]) -> (Model, f64) {
    let mut best = MODEL;
    let mut loss = mean_loss(&best, samples);
    let mut step = 64.0;
    while step >= 0.5 {
        let mut improved = false;
        for place in 0..4 {
            for change in [step, -step] {
                let mut model = best;
                *[&mut model.half.0, &mut model.half.1, &mut model.width.0, &mut model.width.1][place] +=
                    change;
                let found = mean_loss(&model, samples);
                if found < loss - 1e-9 {
                    (best, loss, improved) = (model, found, true);
                }
            }
        }
        if !improved {
            step /= 2.0;
        }
    }
    (best, loss)
}

#[cfg(test)]
mod tests {
    use super::*;
    use eval::random::Random;

    #[test]
    fn a_known_model_is_found_again() {
        let truth = Model { half: (120.0, 90.0), width: (50.0, 30.0) };
        let mut random = Random::new(7, 0);
        let mut unit = || random.below(1 << 30) as f64 / f64::from(1 << 30);
        let samples: Vec<Sample> = (0..60_000)
            .map(|_| {
                let (score, material) = (unit() * 1200.0 - 600.0, unit());
                let [win, draw, _] = truth.probabilities(score, material);
                let chance = unit();
                let result = usize::from(chance >= win) + usize::from(chance >= win + draw);
                Sample { score, material, result }
            })
            .collect();
        let (found, _) = fit(&samples);
        for (found, truth) in [
            (found.half.0 + 0.5 * found.half.1, truth.half.0 + 0.5 * truth.half.1),
            (found.width.0 + 0.5 * found.width.1, truth.width.0 + 0.5 * truth.width.1),
        ] {
            assert!((found - truth).abs() < 6.0, "{found} for {truth}");
        }
    }
}
