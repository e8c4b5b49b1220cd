//! `train`: fits the evaluation to stored games.

use crate::cli::{failure, print};
use clap::Args;
use draughts::eval::weight;
use draughts::train::{Settings, Stock, Trainer};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;
use study::OutFile;

/// What `train` is told.
#[derive(Args)]
pub struct Train {
    /// Files of games, as `datagen` writes them.
    #[arg(required = true)]
    data: Vec<PathBuf>,
    /// File of weights to begin with.
    #[arg(long)]
    from: Option<PathBuf>,
    /// File for the weights; it is written after every pass.
    #[arg(long)]
    out: PathBuf,
    /// File of games to measure with, beside the games kept out; may be given several times.
    #[arg(long)]
    test: Vec<PathBuf>,
    /// Passes over the positions.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    epochs: u32,
    /// Length of the first steps.
    #[arg(long, default_value_t = 0.02)]
    rate: f32,
    /// Gradients that every weight is taken to have seen before.
    #[arg(long, default_value_t = 1.0)]
    caution: f32,
    /// What counts of the value of the next ply, 0 (the score alone) to 1 (the result alone).
    #[arg(long, default_value_t = 0.9)]
    lambda: f32,
    /// Hundredths of a man k of sigmoid(score / k); fitted to the results when absent.
    #[arg(long)]
    scale: Option<f32>,
    /// Positions before this ply are left out.
    #[arg(long, default_value_t = 0)]
    min_ply: usize,
    /// Thousandths of the games kept out of training.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(0..1000))]
    held_out: u64,
    /// Decides the order of the positions and the games kept out.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Trains and writes the weights.
pub fn train(arguments: &Train) -> ExitCode {
    match run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => failure(message, 1),
    }
}

fn run(arguments: &Train) -> Result<(), String> {
    if !(0.0..=1.0).contains(&arguments.lambda) {
        return Err("lambda must lie in 0 to 1".into());
    }
    if arguments.scale.is_some_and(|scale| !(1.0..=10_000.0).contains(&scale)) {
        return Err("the scale must lie in 1 to 10,000".into());
    }
    if !(arguments.rate > 0.0 && arguments.rate <= 1.0 && arguments.caution > 0.0 && arguments.caution < 1e6)
    {
        return Err("rate and caution must be greater than 0, and the rate at most 1".into());
    }
    let settings = Settings {
        data: arguments.data.clone(),
        test: arguments.test.clone(),
        epochs: arguments.epochs,
        rate: arguments.rate,
        caution: arguments.caution,
        lambda: arguments.lambda,
        scale: arguments.scale,
        min_ply: arguments.min_ply,
        held_out: arguments.held_out,
        seed: arguments.seed,
    };
    let load = |path: &PathBuf| weight::load(path).map_err(|error| format!("{}: {error}", path.display()));
    let from = arguments.from.as_ref().map(load).transpose()?;
    let start = Instant::now();
    let stock = Stock::read(&settings).map_err(|error| error.to_string())?;
    let (count, out) = stock.len();
    if count == 0 {
        return Err("no position to learn from".into());
    }
    print(format_args!(
        "{count} positions and {out} kept out, scale {:.0}, read in {:.0} s",
        stock.scale(),
        start.elapsed().as_secs_f64()
    ));
    let mut trainer = Trainer::new(&settings, &stock, from.as_deref());
    for epoch in 1..=settings.epochs {
        let start = Instant::now();
        let loss = trainer.epoch();
        let speed = count as f64 / start.elapsed().as_secs_f64().max(1e-9);
        print(format_args!(
            "epoch {epoch}: training {:.5}, held out {:.5}, to the results {:.5}, {speed:.0} positions/s",
            loss.training, loss.held_out, loss.result
        ));
        write(&arguments.out, &weight::to_bytes(&trainer.weights()))?;
    }
    Ok(())
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let mut file = OutFile::create(path)?;
    file.write_all(bytes).map_err(|error| format!("{}: {error}", path.display()))?;
    file.finish()
}
