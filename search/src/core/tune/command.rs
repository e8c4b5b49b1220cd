//! The command `tune` of both engines: its arguments, its messages.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::Args;

use super::run::{Contest, Progress, run};
use super::spsa::{Plan, Spsa};
use super::state::load;
use crate::core::tunable::Tunable;

/// Time between two lines of progress.
const SHOW_EVERY: Duration = Duration::from_secs(10);

/// Arguments of `tune`.
#[derive(Args)]
pub struct TuneArgs {
    /// Pairs of games of the whole run; the gains depend on it
    #[arg(long, default_value_t = Plan::default().pairs, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub pairs: u64,
    /// Nodes per move; the iteration in progress is finished
    #[arg(long, default_value_t = Plan::default().nodes, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub nodes: u64,
    /// Number of games at a time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: u32,
    /// Seed of openings and directions
    #[arg(long, default_value_t = Plan::default().seed)]
    pub seed: u64,
    /// Parameters to tune, separated by commas; all when missing
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    pub parameters: Vec<String>,
    /// File of openings, one on each line; random moves when missing
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
    /// File to keep the state of the run in; the run goes on where an existing one ends
    #[arg(long, value_name = "FILE")]
    pub state: Option<PathBuf>,
    /// Gain of the last pair: the part of a step that one point moves
    #[arg(long, default_value_t = Plan::default().rate, value_parser = positive)]
    pub rate: f64,
    /// Distance of the values tried at the end, in steps
    #[arg(long, default_value_t = Plan::default().width, value_parser = positive)]
    pub width: f64,
    /// Spall's A as a part of the run
    #[arg(long, default_value_t = Plan::default().stability, value_parser = positive)]
    pub stability: f64,
    /// Spall's alpha: how fast the gains fall
    #[arg(long, default_value_t = Plan::default().alpha, value_parser = positive)]
    pub alpha: f64,
    /// Spall's gamma: how fast the distance falls
    #[arg(long, default_value_t = Plan::default().gamma, value_parser = positive)]
    pub gamma: f64,
}

/// Reads a constant of the method.
fn positive(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "not a number".to_string())?;
    if (1e-6..=100.0).contains(&value) { Ok(value) } else { Err("not between 0.000001 and 100".into()) }
}

impl TuneArgs {
    fn plan(&self) -> Plan {
        Plan {
            pairs: self.pairs,
            seed: self.seed,
            nodes: self.nodes,
            rate: self.rate,
            width: self.width,
            stability: self.stability,
            alpha: self.alpha,
            gamma: self.gamma,
        }
    }
}

/// Tunes the parameters of `table` and tells what was found. `make` builds the contest of each thread, `line` prints
/// a line of the result; progress goes to the error output. When `stop` becomes true, pairs that have begun are finished
/// and the state is written.
///
/// # Errors
/// When the state cannot be used or written, or a parameter is not known.
pub fn command<C: Contest>(
    args: &TuneArgs,
    table: &'static [Tunable],
    stop: &AtomicBool,
    make: impl Fn() -> C + Sync,
    line: impl FnOnce(String),
) -> Result<(), String> {
    let mut spsa = Spsa::new(args.plan(), table, &args.parameters)?;
    if let Some(path) = args.state.as_deref().filter(|path| path.exists()) {
        load(&mut spsa, path)?;
        eprintln!("going on behind {} pairs", spsa.done());
    }
    let mut shown = Duration::ZERO;
    let state = args.state.as_deref();
    let played = run(&mut spsa, state, args.threads as usize, stop, make, |progress| {
        if progress.elapsed >= shown + SHOW_EVERY {
            shown = progress.elapsed;
            eprintln!("{}", text(progress, args.pairs));
        }
    });
    if let Ok(progress) = &played {
        eprintln!("{}", text(progress, args.pairs));
    }
    if spsa.done() > 0 {
        line(format!("{}\n{}", spsa.report(), spsa.source().trim_end()));
    }
    let path = state.unwrap_or(Path::new("the state"));
    played.map(|_| ()).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

fn text(progress: &Progress, pairs: u64) -> String {
    let [lost, drawn, won] = progress.results;
    format!(
        "{}/{pairs} pairs, {:.2} pairs/s, raised values +{won} ={drawn} -{lost}",
        progress.pairs,
        progress.pairs_per_second()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_of_the_method_are_positive() {
        assert_eq!(positive("0.002"), Ok(0.002));
        for text in ["0", "-1", "nan", "inf", "1e9", "x", ""] {
            assert!(positive(text).is_err(), "{text}");
        }
    }
}
