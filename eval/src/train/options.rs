//! The options of a training run on the command line, the same for both games.

use std::path::PathBuf;

use super::adam::Schedule;
use super::config::Config;

/// What both games' trainers are told.
#[derive(clap::Args, Clone, Debug)]
pub struct Options {
    /// Files of games, as `datagen` writes them; all positions are shuffled together.
    #[arg(required = true)]
    data: Vec<PathBuf>,
    /// The network to write (.nnue); checkpoint, losses and their picture are written beside it.
    #[arg(long)]
    out: PathBuf,
    /// Network to begin with instead of random weights; it may be narrower and, in chess, have fewer king buckets.
    #[arg(long)]
    from: Option<PathBuf>,
    /// Text kept in the network, at most 40 bytes; the name of the file when absent.
    #[arg(long)]
    name: Option<String>,
    /// Values of each accumulator; when absent, as many as the engine is built for, which takes no other number.
    #[arg(long)]
    hidden: Option<usize>,
    /// Passes over the positions.
    #[arg(long, default_value_t = Config::default().epochs)]
    epochs: u32,
    /// Positions for each step of the optimiser.
    #[arg(long, default_value_t = Config::default().batch)]
    batch: usize,
    /// Highest learning rate.
    #[arg(long, default_value_t = Config::default().learning_rate)]
    learning_rate: f32,
    /// Final learning rate as a share of the highest.
    #[arg(long, default_value_t = Config::default().final_rate)]
    final_rate: f32,
    /// How the learning rate falls.
    #[arg(long, value_enum, default_value_t = Config::default().schedule)]
    schedule: Schedule,
    /// Steps of rising learning rate at the start.
    #[arg(long, default_value_t = Config::default().warm_up)]
    warm_up: u64,
    /// Weight decay.
    #[arg(long, default_value_t = Config::default().decay)]
    decay: f32,
    /// Thousandths of the games that are kept out of training.
    #[arg(long, default_value_t = Config::default().held_out)]
    held_out: u32,
    /// Decides the first weights, the order of the positions and the games kept out.
    #[arg(long, default_value_t = Config::default().seed)]
    seed: u64,
    /// Threads; all cores when absent. The result does not depend on it.
    #[arg(long)]
    threads: Option<usize>,
    /// Go on from the checkpoint beside the output, if there is one.
    #[arg(long)]
    resume: bool,
    /// Stop after this many passes in all, to be resumed later.
    #[arg(long)]
    stop_after: Option<u32>,
    /// No progress on the terminal.
    #[arg(long, short)]
    quiet: bool,
}

impl Options {
    /// The settings of a run for an engine with accumulators of `hidden` values; those that only one game has are the
    /// defaults.
    pub fn config(self, hidden: usize) -> Config {
        let stem = self.out.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let default = Config::default();
        Config {
            data: self.data,
            name: self.name.or(stem).unwrap_or_default(),
            out: self.out,
            from: self.from,
            hidden: self.hidden.unwrap_or(hidden),
            epochs: self.epochs,
            batch: self.batch,
            learning_rate: self.learning_rate,
            final_rate: self.final_rate,
            schedule: self.schedule,
            warm_up: self.warm_up,
            decay: self.decay,
            held_out: self.held_out,
            seed: self.seed,
            threads: self.threads.unwrap_or(default.threads),
            resume: self.resume,
            stop_after: self.stop_after,
            progress: !self.quiet,
            ..default
        }
    }
}
