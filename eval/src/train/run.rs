//! A whole training run.

use std::path::{Path, PathBuf};
use std::time::Instant;

use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;

use super::adam::{Step, learning_rate};
use super::checkpoint::{self, State, write_whole};
use super::config::Config;
use super::curve;
use super::dataset::{Dataset, shuffled};
use super::error::TrainError;
use super::export::quantise;
use super::game::{Game, ReadReport, Sample};
use super::model::{Model, Shape};
use super::start::start_from;
use super::target::{blend, fit_scale};
use crate::netfile;

/// Positions that pass through the network together: their accumulators should stay in the shared cache.
const BLOCK: usize = 2048;
/// Positions that a thread unpacks in one go.
const UNPACK: usize = 128;
/// Positions that the scale is fitted on.
const FIT_POSITIONS: usize = 1_000_000;

/// Mean losses of an epoch: squared differences of expected results.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EpochLoss {
    /// Over the positions trained on, while they were being learnt.
    pub training: f64,
    /// Over the held-out positions at the end of the epoch, if there are any.
    pub held_out: Option<f64>,
}

/// What a run did.
#[derive(Debug)]
pub struct Summary {
    /// What the data files held.
    pub report: ReadReport,
    /// Positions trained on in each epoch.
    pub training: usize,
    /// Positions held out.
    pub held_out: usize,
    /// Centipawns of an output of 1.0.
    pub scale: i32,
    /// The losses, of resumed epochs too.
    pub epochs: Vec<EpochLoss>,
    /// Speed of training, without reading and measuring; 0 when no epoch was left to do.
    pub positions_per_second: f64,
    /// The network written.
    pub network: PathBuf,
    /// The same network in floating point.
    pub model: Model,
}

/// Trains a network and writes it.
///
/// After each epoch the network, the checkpoint (`.ckpt`), the losses (`.csv`) and their picture (`.svg`) are
/// written beside [`Config::out`].
///
/// # Errors
///
/// See [`TrainError`]; files of an earlier run are replaced only by complete ones.
pub fn run<G: Game>(game: &G, config: &Config) -> Result<Summary, TrainError> {
    config.validate()?;
    let threads = rayon::ThreadPoolBuilder::new().num_threads(config.threads).build()?;
    threads.install(|| Run::new(game, config)?.finish())
}

struct Run<'a, G: Game> {
    game: &'a G,
    config: &'a Config,
    data: Dataset<G::Record>,
    scale: i32,
    settings: String,
    model: Model,
    state: State,
    samples: Vec<Sample>,
    targets: Vec<f32>,
}

impl<'a, G: Game> Run<'a, G> {
    fn new(game: &'a G, config: &'a Config) -> Result<Self, TrainError> {
        let data = Dataset::load(game, config)?;
        let scale = match config.scale {
            Some(scale) => scale,
            None => fit_scale(&scores_and_results(game, &data.training)),
        };
        let scale = scale.round() as i32;
        let mut model = Model::new(game, config.hidden, config.seed);
        let mut settings = settings(config, model.shape, scale, &data);
        if let Some(path) = &config.from {
            let fail = |reason| TrainError::Start { path: path.clone(), reason };
            let network = netfile::read(path).map_err(|error| fail(error.to_string()))?;
            start_from(game, &mut model, &network, scale).map_err(fail)?;
            let checksum = crc32fast::hash(&netfile::encode(&network.0, &network.1)?);
            settings += &format!(" from {} {checksum:08x}", network.0.name);
        }
        let path = config.out.with_extension("ckpt");
        let state = if config.resume && path.exists() {
            checkpoint::load(&path, &settings, &mut model)?
        } else {
            State { step: 0, history: Vec::new() }
        };
        let samples = vec![Sample::default(); BLOCK];
        let mut run =
            Self { game, config, data, scale, settings, model, state, samples, targets: vec![0.0; BLOCK] };
        run.announce();
        Ok(run)
    }

    fn announce(&mut self) {
        if !self.config.progress {
            return;
        }
        let ReadReport { games, positions, kept, trailing_bytes } = self.data.report;
        println!("data: {games} games, {positions} positions, {kept} after the filters");
        if trailing_bytes > 0 {
            println!("note: {trailing_bytes} bytes of unfinished games were left out");
        }
        let (training, held_out) = (self.data.training.len(), self.data.held_out.len());
        println!("training on {training}, held out {held_out}, scale {} cp", self.scale);
        if self.config.from.is_some()
            && self.state.history.is_empty()
            && let Some(loss) = self.held_out_loss()
        {
            println!("before the first epoch: held out {loss:.6}");
        }
    }

    fn finish(mut self) -> Result<Summary, TrainError> {
        let last = self.config.stop_after.map_or(self.config.epochs, |stop| stop.min(self.config.epochs));
        let (mut seconds, mut positions) = (0.0, 0);
        for epoch in self.state.history.len() as u32..last {
            let start = Instant::now();
            let training = self.train_epoch(epoch);
            seconds += start.elapsed().as_secs_f64();
            positions += self.data.training.len();
            let held_out = self.held_out_loss();
            self.state.history.push(EpochLoss { training, held_out });
            self.write()?;
            if self.config.progress {
                let held_out = held_out.map_or(String::from("-"), |loss| format!("{loss:.6}"));
                let speed = self.data.training.len() as f64 / start.elapsed().as_secs_f64();
                let of = self.config.epochs;
                println!(
                    "epoch {}/{of}: loss {training:.6}, held out {held_out}, {speed:.0} positions/s",
                    epoch + 1
                );
            }
        }
        Ok(Summary {
            report: self.data.report,
            training: self.data.training.len(),
            held_out: self.data.held_out.len(),
            scale: self.scale,
            epochs: self.state.history,
            positions_per_second: if seconds > 0.0 { positions as f64 / seconds } else { 0.0 },
            network: self.config.out.clone(),
            model: self.model,
        })
    }

    /// One pass over the training set; returns its mean loss.
    fn train_epoch(&mut self, epoch: u32) -> f64 {
        let config = self.config;
        let count = self.data.training.len();
        let total = count.div_ceil(config.batch) as u64 * u64::from(config.epochs);
        let order = shuffled(count, config.seed, epoch);
        let bar = progress_bar(config.progress, count as u64, epoch + 1);
        let mut loss = 0.0;
        for batch in order.chunks(config.batch) {
            let weight = 1.0 / batch.len() as f32;
            for block in batch.chunks(BLOCK) {
                self.unpack(block);
                let n = block.len();
                loss += self.model.learn(&self.samples[..n], &self.targets[..n], weight);
            }
            let rate = learning_rate(
                config.schedule,
                config.learning_rate,
                config.final_rate,
                config.warm_up,
                self.state.step,
                total,
            );
            self.state.step += 1;
            self.model.step(&Step::new(rate, config.decay, self.state.step));
            bar.inc(batch.len() as u64);
        }
        bar.finish_and_clear();
        loss / count as f64
    }

    /// Fills `samples` and `targets` with a block of training positions.
    fn unpack(&mut self, block: &[u32]) {
        let (game, training) = (self.game, &self.data.training);
        let (scale, share) = (self.scale as f32, self.config.result_share);
        self.samples
            .par_iter_mut()
            .zip(self.targets.par_iter_mut())
            .zip(block.par_iter())
            .with_min_len(UNPACK)
            .for_each(|((sample, target), &index)| {
                game.unpack(&training[index as usize], sample);
                *target = blend(sample.score, sample.result, scale, share);
            });
    }

    fn held_out_loss(&mut self) -> Option<f64> {
        let count = self.data.held_out.len();
        let mut loss = 0.0;
        for block in self.data.held_out.chunks(BLOCK) {
            for ((sample, target), record) in self.samples.iter_mut().zip(&mut self.targets).zip(block) {
                self.game.unpack(record, sample);
                *target = blend(sample.score, sample.result, self.scale as f32, self.config.result_share);
            }
            loss += self.model.loss(&self.samples[..block.len()], &self.targets[..block.len()]);
        }
        (count > 0).then(|| loss / count as f64)
    }

    fn write(&mut self) -> Result<(), TrainError> {
        let out = &self.config.out;
        let (header, weights) = quantise(self.game, &self.model, &self.config.name, self.scale);
        write_whole(out, &netfile::encode(&header, &weights)?)?;
        write_text(&out.with_extension("csv"), &curve::csv(&self.state.history))?;
        let title = if self.config.name.is_empty() { "loss" } else { &self.config.name };
        write_text(&out.with_extension("svg"), &curve::svg(title, &self.state.history))?;
        checkpoint::save(&out.with_extension("ckpt"), &self.settings, &self.state, &mut self.model)
    }
}

fn write_text(path: &Path, text: &str) -> Result<(), TrainError> {
    write_whole(path, text.as_bytes())
}

fn progress_bar(shown: bool, length: u64, epoch: u32) -> ProgressBar {
    if !shown {
        return ProgressBar::hidden();
    }
    let template = "epoch {prefix} {bar:40} {percent}% {per_sec} eta {eta}";
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(length).with_style(style).with_prefix(epoch.to_string())
}

/// Scores and results of positions spread evenly over the set.
fn scores_and_results<G: Game>(game: &G, records: &[G::Record]) -> Vec<(i16, f32)> {
    let mut sample = Sample::default();
    let stride = records.len().div_ceil(FIT_POSITIONS).max(1);
    let each = |record| {
        game.unpack(record, &mut sample);
        (sample.score, sample.result)
    };
    records.iter().step_by(stride).map(each).collect()
}

/// All that must be the same for a run to be resumed.
fn settings<R>(config: &Config, shape: Shape, scale: i32, data: &Dataset<R>) -> String {
    let Config { epochs, batch, learning_rate, final_rate, schedule, warm_up, .. } = config;
    let Config { decay, result_share, seed, held_out, .. } = config;
    format!(
        "{shape:?} epochs {epochs} batch {batch} rate {learning_rate} to {final_rate} {schedule:?} warm-up \
         {warm_up} decay {decay} result share {result_share} scale {scale} seed {seed} held out {held_out} \
         positions {}",
        data.training.len()
    )
}
