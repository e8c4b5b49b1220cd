//! Settings of a training run.

use std::path::PathBuf;

use super::adam::Schedule;
use super::error::TrainError;
use super::slice::LANES;

/// Which positions of a game are trained on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    /// Positions before this ply of the game are left out: they are random or seen too often.
    pub min_ply: u32,
    /// Positions scored at or beyond this magnitude (centipawns) are left out: mates and decided games.
    pub max_score: i32,
    /// Leave out positions with the side to move in check.
    pub skip_check: bool,
    /// Leave out positions whose best move is a capture or a promotion: a static evaluation need not see them.
    pub skip_tactical: bool,
}

impl Default for Filter {
    fn default() -> Self {
        Self { min_ply: 8, max_score: 10_000, skip_check: true, skip_tactical: true }
    }
}

/// Settings of a training run.
#[derive(Clone, Debug)]
pub struct Config {
    /// Data files, all read in this order.
    pub data: Vec<PathBuf>,
    /// The network to write; checkpoint, loss table and loss curve get its name with another extension.
    pub out: PathBuf,
    /// The network to begin with instead of random weights; it may be narrower and have fewer king buckets.
    pub from: Option<PathBuf>,
    /// Text kept in the network file, at most 40 bytes.
    pub name: String,
    /// Values of each accumulator, a multiple of 32.
    pub hidden: usize,
    /// Passes over the data.
    pub epochs: u32,
    /// Positions for each step of the optimiser.
    pub batch: usize,
    /// Highest learning rate.
    pub learning_rate: f32,
    /// Learning rate at the end, as a share of the highest.
    pub final_rate: f32,
    /// How the learning rate falls.
    pub schedule: Schedule,
    /// Steps over which the learning rate rises from 0.
    pub warm_up: u64,
    /// Decoupled weight decay, per step and unit of learning rate.
    pub decay: f32,
    /// Share of the game's result in the target, 0 to 1; the rest is the score.
    pub result_share: f32,
    /// Centipawns `k` of the target `sigmoid(score / k)`; fitted on the data's results when absent.
    pub scale: Option<f32>,
    /// Share of the games kept out of training, in thousandths.
    pub held_out: u32,
    /// Which positions are used.
    pub filter: Filter,
    /// Seed of the first weights, of the shuffles and of the choice of held-out games.
    pub seed: u64,
    /// Worker threads. The result does not depend on it.
    pub threads: usize,
    /// Go on from the checkpoint if there is one.
    pub resume: bool,
    /// Stop after this many epochs in all, as if interrupted; for spreading a run over several calls.
    pub stop_after: Option<u32>,
    /// Show progress on the terminal.
    pub progress: bool,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            data: Vec::new(),
            out: PathBuf::from("network.nnue"),
            from: None,
            name: String::new(),
            hidden: 256,
            epochs: 12,
            batch: 4096,
            learning_rate: 0.002,
            final_rate: 0.01,
            schedule: Schedule::Cosine,
            warm_up: 200,
            decay: 0.01,
            result_share: 0.0,
            scale: None,
            held_out: 10,
            filter: Filter::default(),
            seed: 1,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            resume: false,
            stop_after: None,
            progress: true,
        }
    }
}

impl Config {
    /// Checks the ranges of all settings.
    ///
    /// # Errors
    ///
    /// [`TrainError::Config`] with the first fault.
    pub fn validate(&self) -> Result<(), TrainError> {
        let unit = |value: f32| (0.0..=1.0).contains(&value);
        let checks = [
            (self.data.is_empty(), "no data file"),
            (self.hidden == 0 || !self.hidden.is_multiple_of(LANES), "hidden must be a multiple of 32"),
            (self.epochs == 0, "epochs must be at least 1"),
            (self.batch == 0, "batch must be at least 1"),
            (!(self.learning_rate > 0.0 && self.learning_rate < 1.0), "learning rate must lie in 0 to 1"),
            (!unit(self.final_rate), "final rate must lie in 0 to 1"),
            (!unit(self.decay), "decay must lie in 0 to 1"),
            (!unit(self.result_share), "result share must lie in 0 to 1"),
            (self.scale.is_some_and(|k| !(1.0..=10_000.0).contains(&k)), "scale must lie in 1 to 10,000"),
            (self.held_out >= 1000, "held-out share must be below 1,000 thousandths"),
            (self.threads == 0, "threads must be at least 1"),
            (self.name.len() > 40, "name must have at most 40 bytes"),
        ];
        match checks.iter().find(|(bad, _)| *bad) {
            Some((_, reason)) => Err(TrainError::Config((*reason).to_owned())),
            None => Ok(()),
        }
    }
}
