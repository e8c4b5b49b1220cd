//! `train` and `train-network`: fit an evaluation to stored games.

use crate::cli::{failure, print};
use clap::Args;
use draughts::eval::network::HIDDEN;
use draughts::eval::weight;
use draughts::train::network::DraughtsGame;
use draughts::train::{Settings, Stock, Trainer};
use eval::train::{Config, Filter};
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

/// What `train-network` is told.
#[derive(Args)]
pub struct TrainNetwork {
    /// Files of games, as `datagen` writes them.
    #[arg(required = true)]
    data: Vec<PathBuf>,
    /// File for the network; checkpoint, losses and their picture get its name with another extension.
    #[arg(long)]
    out: PathBuf,
    /// Text kept in the network, at most 40 bytes; the name of the file when absent.
    #[arg(long)]
    name: Option<String>,
    /// Passes over the positions.
    #[arg(long, default_value_t = 12)]
    epochs: u32,
    /// Positions for each step.
    #[arg(long, default_value_t = 4096)]
    batch: usize,
    /// Highest learning rate.
    #[arg(long, default_value_t = 0.002)]
    learning_rate: f32,
    /// What counts of the value of the next ply, 0 (the score alone) to 1 (the result alone).
    #[arg(long, default_value_t = 0.9)]
    lambda: f32,
    /// Hundredths of a man k of sigmoid(score / k).
    #[arg(long, default_value_t = 100.0)]
    scale: f32,
    /// Positions before this ply are left out.
    #[arg(long, default_value_t = 0)]
    min_ply: u32,
    /// Thousandths of the games kept out of training.
    #[arg(long, default_value_t = 10)]
    held_out: u32,
    /// Decides the first weights, the order of the positions and the games kept out.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads; the result does not depend on them. All cores when absent.
    #[arg(long)]
    threads: Option<usize>,
    /// Go on from the checkpoint if there is one.
    #[arg(long)]
    resume: bool,
}

/// Trains and writes a network.
pub fn train_network(arguments: TrainNetwork) -> Result<(), String> {
    if !(0.0..=1.0).contains(&arguments.lambda) {
        return Err("lambda must lie in 0 to 1".into());
    }
    let stem = arguments.out.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let default = Config::default();
    let config = Config {
        data: arguments.data,
        name: arguments.name.or(stem).unwrap_or_default(),
        out: arguments.out,
        hidden: HIDDEN,
        epochs: arguments.epochs,
        batch: arguments.batch,
        learning_rate: arguments.learning_rate,
        // The game's values are mixed of scores and results already.
        result_share: 1.0,
        scale: Some(arguments.scale),
        held_out: arguments.held_out,
        filter: Filter { min_ply: arguments.min_ply, ..Filter::default() },
        seed: arguments.seed,
        threads: arguments.threads.unwrap_or(default.threads),
        resume: arguments.resume,
        ..default
    };
    let game = DraughtsGame { lambda: arguments.lambda, scale: arguments.scale };
    let summary = eval::train::run(&game, &config).map_err(|error| error.to_string())?;
    print(format_args!(
        "wrote {}, {:.0} positions/s",
        summary.network.display(),
        summary.positions_per_second
    ));
    Ok(())
}
