//! `train`: fits a network to stored games.

use crate::cli::print;
use clap::Args;
use draughts::eval::network::HIDDEN;
use draughts::train::DraughtsGame;
use eval::train::{Config, Filter, Options, TemporalDifference, TrainError};
use study::Failure;

/// What `train` is told.
#[derive(Args)]
pub struct Train {
    #[command(flatten)]
    options: Options,
    /// What counts of the value of the next ply, 0 (the score alone) to 1 (the result alone).
    #[arg(long, default_value_t = 0.8)]
    lambda: f32,
    /// Hundredths of a man k of sigmoid(score / k).
    #[arg(long, default_value_t = 100.0)]
    scale: f32,
    /// Leave out positions before this ply.
    #[arg(long, default_value_t = 0)]
    min_ply: u32,
}

/// Trains and writes a network.
pub fn train(arguments: Train) -> Result<(), Failure> {
    let Train { options, lambda, scale, min_ply } = arguments;
    let values = TemporalDifference::new(lambda, scale).map_err(failure)?;
    let config = Config {
        // The game's values are mixed of scores and results already.
        result_share: 1.0,
        scale: Some(scale),
        filter: Filter { min_ply, ..Filter::default() },
        ..options.config(HIDDEN)
    };
    let game = DraughtsGame { values };
    let summary = eval::train::run(&game, &config).map_err(failure)?;
    print(format_args!(
        "wrote {}, {:.0} positions/s",
        summary.network.display(),
        summary.positions_per_second
    ));
    Ok(())
}

/// Wrong settings and files that cannot be used, or training that failed.
fn failure(error: TrainError) -> Failure {
    match error {
        TrainError::Network(_) | TrainError::Threads(_) => Failure::work(error),
        _ => Failure::Usage(error.to_string()),
    }
}
