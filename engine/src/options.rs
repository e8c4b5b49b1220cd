//! The engine's options: data for the protocols, handlers that apply them.

use std::time::Duration;

use search::chess::evaluator::{EMBEDDED, HAND_WRITTEN};
use search::chess::handicap::{MAX_ELO, MIN_ELO};
use search::chess::{Evaluation, Handicap, Searcher};
use uci::option::{OptionKind, OptionTable, Value};

/// Most searching threads.
pub const MAX_THREADS: i64 = 1024;
/// Largest transposition table in MiB.
pub const MAX_HASH: i64 = 1 << 20;
/// Default size of the transposition table in MiB.
pub const DEFAULT_HASH: i64 = 16;
/// Default time in milliseconds kept back for the way between program and engine.
pub const DEFAULT_OVERHEAD: i64 = 10;
/// Most lines of a MultiPV search.
const MAX_LINES: i64 = 256;

/// What the options set, together with the searcher they act on.
pub struct Engine {
    /// The searcher; `Hash`, `Threads` and `Clear Hash` change it at once, so no search may run then.
    pub searcher: Searcher,
    /// Number of best lines.
    pub multi_pv: usize,
    /// Castling is printed as king takes rook.
    pub chess960: bool,
    /// Win, draw and loss chances are printed.
    pub show_wdl: bool,
    /// Time lost per move outside of the engine.
    pub overhead: Duration,
    limit_strength: bool,
    elo: u32,
}

impl Default for Engine {
    fn default() -> Self {
        Self {
            searcher: Searcher::new(1, DEFAULT_HASH as usize),
            multi_pv: 1,
            chess960: false,
            show_wdl: false,
            overhead: Duration::from_millis(DEFAULT_OVERHEAD as u64),
            limit_strength: false,
            elo: MAX_ELO,
        }
    }
}

impl Engine {
    /// The limit of playing strength in force.
    pub fn handicap(&self) -> Option<Handicap> {
        self.limit_strength.then(|| Handicap::from_elo(self.elo))
    }
}

/// What the engine says about itself.
pub fn about() -> String {
    format!("Dyad {} by the Dyad authors, GPL-3.0-or-later", env!("CARGO_PKG_VERSION"))
}

/// Name of the evaluation in use at the start.
fn evaluation_name() -> String {
    match Evaluation::built_in() {
        Evaluation::HandWritten => HAND_WRITTEN.to_string(),
        Evaluation::Network(_) => EMBEDDED.to_string(),
    }
}

fn check(default: bool) -> OptionKind {
    OptionKind::Check { default }
}

fn spin(default: i64, min: i64, max: i64) -> OptionKind {
    OptionKind::Spin { default, min, max }
}

/// Ignores a value: for options that only inform the engine.
fn accept(_: &mut Engine, _: Value) -> Result<(), String> {
    Ok(())
}

/// All options.
pub fn table() -> OptionTable<Engine> {
    OptionTable::<Engine>::new()
        .with("Hash", spin(DEFAULT_HASH, 1, MAX_HASH), |engine, value| {
            let Value::Spin(mib) = value else { return Ok(()) };
            let got = engine.searcher.set_hash(mib as usize);
            if got as i64 == mib { Ok(()) } else { Err(format!("no memory for {mib} MiB, using {got} MiB")) }
        })
        .with("Threads", spin(1, 1, MAX_THREADS), |engine, value| {
            let Value::Spin(wanted) = value else { return Ok(()) };
            let got = engine.searcher.set_threads(wanted as usize);
            if got as i64 == wanted { Ok(()) } else { Err(format!("only {got} threads could be started")) }
        })
        .with("Clear Hash", OptionKind::Button, |engine, _| {
            engine.searcher.clear_hash();
            Ok(())
        })
        .with("Ponder", check(false), accept)
        .with("MultiPV", spin(1, 1, MAX_LINES), |engine, value| {
            if let Value::Spin(lines) = value {
                engine.multi_pv = lines as usize;
            }
            Ok(())
        })
        .with("Move Overhead", spin(DEFAULT_OVERHEAD, 0, 10_000), |engine, value| {
            if let Value::Spin(ms) = value {
                engine.overhead = Duration::from_millis(ms as u64);
            }
            Ok(())
        })
        .with("EvalFile", OptionKind::String { default: evaluation_name() }, |engine, value| {
            let Value::String(name) = value else { return Ok(()) };
            let evaluation = Evaluation::from_name(&name).map_err(|error| error.to_string())?;
            engine.searcher.set_evaluation(evaluation);
            Ok(())
        })
        .with("UCI_Chess960", check(false), |engine, value| {
            engine.chess960 = value == Value::Check(true);
            Ok(())
        })
        .with("UCI_ShowWDL", check(false), |engine, value| {
            engine.show_wdl = value == Value::Check(true);
            Ok(())
        })
        .with("UCI_AnalyseMode", check(false), accept)
        .with("UCI_LimitStrength", check(false), |engine, value| {
            engine.limit_strength = value == Value::Check(true);
            Ok(())
        })
        .with("UCI_Elo", spin(i64::from(MAX_ELO), i64::from(MIN_ELO), i64::from(MAX_ELO)), |engine, value| {
            if let Value::Spin(elo) = value {
                engine.elo = elo as u32;
            }
            Ok(())
        })
        .with("UCI_EngineAbout", OptionKind::String { default: about() }, accept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_sound() {
        assert_eq!(table().check(), Ok(()));
    }

    #[test]
    fn strength_is_limited_only_when_asked() {
        let (table, mut engine) = (table(), Engine::default());
        assert!(table.set(&mut engine, "uci_elo", Some("1200")).is_ok());
        assert_eq!(engine.handicap(), None);
        assert!(table.set(&mut engine, "UCI_LimitStrength", Some("TRUE")).is_ok());
        assert_eq!(engine.handicap(), Some(Handicap::from_elo(1200)));
    }
}
