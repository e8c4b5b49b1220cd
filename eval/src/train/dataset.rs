//! All positions in memory, and their order in each epoch.

use super::config::Config;
use super::error::TrainError;
use super::game::{Game, ReadReport};
use crate::random::Random;

/// Streams of the seed: shuffles take the number of their epoch, held-out games a number with this bit set.
const HELD_OUT_STREAM: u64 = 1 << 63;
/// Games of one file that have streams of their own.
const GAME_BITS: u32 = 40;

/// The positions of a run.
pub struct Dataset<R> {
    /// Positions to learn from.
    pub training: Vec<R>,
    /// Positions of other games, to measure the loss.
    pub held_out: Vec<R>,
    /// What the files held.
    pub report: ReadReport,
}

impl<R: Copy> Dataset<R> {
    /// Reads all data files. Whole games are held out, since positions of one game resemble each other.
    pub fn load<G: Game<Record = R>>(game: &G, config: &Config) -> Result<Self, TrainError> {
        let mut data = Self { training: Vec::new(), held_out: Vec::new(), report: ReadReport::default() };
        for (file, path) in config.data.iter().enumerate() {
            let mut decided: Option<(u64, bool)> = None;
            let report = game.read(path, &config.filter, &mut |number, record| {
                let held_out = match decided {
                    Some((last, held_out)) if last == number => held_out,
                    _ => is_held_out(config, file as u64, number),
                };
                decided = Some((number, held_out));
                if held_out { data.held_out.push(record) } else { data.training.push(record) }
            })?;
            data.report += report;
        }
        if data.training.is_empty() {
            return Err(TrainError::Empty { read: data.report.positions });
        }
        if u32::try_from(data.training.len()).is_err() {
            return Err(TrainError::Config("more than 4,294,967,295 positions".to_owned()));
        }
        Ok(data)
    }
}

fn is_held_out(config: &Config, file: u64, game: u64) -> bool {
    let stream = HELD_OUT_STREAM | (file << GAME_BITS) | game;
    Random::new(config.seed, stream).below(1000) < u64::from(config.held_out)
}

/// The order of `len` positions in an epoch (Fisher and Yates); it depends on nothing else, so that a resumed
/// run goes on as if it had not stopped.
pub fn shuffled(len: usize, seed: u64, epoch: u32) -> Vec<u32> {
    let mut random = Random::new(seed, u64::from(epoch));
    let mut order: Vec<u32> = (0..len as u32).collect();
    for i in (1..len).rev() {
        order.swap(i, random.below(i as u64 + 1) as usize);
    }
    order
}
