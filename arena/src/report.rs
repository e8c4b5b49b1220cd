//! The state of a match for people and for programs.

use crate::schedule::Schedule;
use crate::spec::EngineSpec;
use crate::stats::{Decision, Estimate, Sprt, Tally};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Results and faults so far.
#[derive(Clone, Debug)]
pub(crate) struct Standings {
    names: Vec<String>,
    pairings: Vec<(usize, usize)>,
    /// For each pairing, seen from its first engine.
    tallies: Vec<Tally>,
    /// For each engine its faults by kind.
    faults: Vec<BTreeMap<&'static str, u64>>,
    /// For each engine what else was wrong, each thing once.
    warnings: Vec<Vec<String>>,
    pub played: usize,
    pub total: usize,
    pub sprt: Option<Sprt>,
}

impl Standings {
    pub fn new(specs: &[EngineSpec], schedule: &Schedule, sprt: Option<Sprt>) -> Self {
        Self {
            names: specs.iter().map(|spec| spec.name.clone()).collect(),
            tallies: vec![Tally::default(); schedule.pairings.len()],
            pairings: schedule.pairings.clone(),
            faults: vec![BTreeMap::new(); specs.len()],
            warnings: vec![Vec::new(); specs.len()],
            played: 0,
            total: schedule.len(),
            sprt,
        }
    }

    pub fn tally_mut(&mut self, pairing: usize) -> Option<&mut Tally> {
        self.tallies.get_mut(pairing)
    }

    pub fn add_fault(&mut self, engine: usize, kind: &'static str) {
        if let Some(faults) = self.faults.get_mut(engine) {
            *faults.entry(kind).or_default() += 1;
        }
    }

    pub fn add_warning(&mut self, engine: usize, text: &str) {
        if let Some(warnings) = self.warnings.get_mut(engine)
            && warnings.len() < 20
            && !warnings.iter().any(|other| other == text)
        {
            warnings.push(text.to_owned());
        }
    }

    /// What the test says about the first pairing.
    pub fn decision(&self) -> Option<Decision> {
        self.sprt?.decide(self.tallies.first()?)
    }

    /// An engine's results against all others.
    fn overall(&self, engine: usize) -> Tally {
        let mut sum = Tally::default();
        for (&(first, second), tally) in self.pairings.iter().zip(&self.tallies) {
            let mut add = |wins, losses, pairs: &mut dyn Iterator<Item = u64>| {
                sum.wins += wins;
                sum.draws += tally.draws;
                sum.losses += losses;
                sum.pairs.iter_mut().zip(pairs).for_each(|(sum, pairs)| *sum += pairs);
            };
            if first == engine {
                add(tally.wins, tally.losses, &mut tally.pairs.into_iter());
            } else if second == engine {
                add(tally.losses, tally.wins, &mut tally.pairs.into_iter().rev());
            }
        }
        sum
    }

    /// The table, best engine first, with what is known about the test and about faults.
    pub fn table(&self) -> String {
        let width = self.names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
        let mut text = format!(
            "{:<width$}  games   win  draw  loss  points  score       Elo    95 %    LOS   nElo    95 %\n",
            "engine"
        );
        let mut rows: Vec<_> = (0..self.names.len()).map(|engine| (engine, self.overall(engine))).collect();
        let share = |tally: &Tally| tally.estimate().map_or(-1.0, |estimate| estimate.score);
        rows.sort_by(|(_, a), (_, b)| share(b).total_cmp(&share(a)));
        for (engine, tally) in &rows {
            let name = self.names.get(*engine).map_or("", String::as_str);
            let Tally { wins, draws, losses, .. } = tally;
            // Writing to a String cannot fail.
            let _ = write!(
                text,
                "{name:<width$}  {:>5} {wins:>5} {draws:>5} {losses:>5} {:>7.1}",
                tally.games(),
                tally.points()
            );
            let _ = match tally.estimate() {
                Some(Estimate { score, elo, error, los, normalized, normalized_error }) => writeln!(
                    text,
                    " {:>5.1}% {elo:>+9.1} {error:>7.1} {:>6} {normalized:>+6.1} {normalized_error:>7.1}",
                    score * 100.0,
                    los.map_or("-".to_owned(), |los| format!("{:.1}%", los * 100.0))
                ),
                None => writeln!(text),
            };
        }
        if self.names.len() == 2
            && let (Some(name), Some(tally)) = (self.names.first(), self.tallies.first())
        {
            let _ = writeln!(text, "pairs of {name} with 0, 0.5, 1, 1.5, 2 points: {:?}", tally.pairs);
            if let Some(test) = self.sprt {
                let (low, high) = test.bounds();
                let verdict = match self.decision() {
                    Some(Decision::H1) => format!("accepted: Elo {} rather than {}", test.elo1, test.elo0),
                    Some(Decision::H0) => format!("accepted: Elo {} rather than {}", test.elo0, test.elo1),
                    None => "no decision yet".to_owned(),
                };
                let llr = test.llr(tally);
                let _ = writeln!(text, "LLR {llr:.2} of [{low:.2}, {high:.2}], {verdict}");
            }
        }
        for ((name, faults), warnings) in self.names.iter().zip(&self.faults).zip(&self.warnings) {
            let counts: Vec<_> = faults.iter().map(|(kind, count)| format!("{count} x {kind}")).collect();
            if !counts.is_empty() {
                let _ = writeln!(text, "faults of {name}: {}", counts.join(", "));
            }
            for warning in warnings {
                let _ = writeln!(text, "{name} {warning}");
            }
        }
        text
    }

    /// The same for programs.
    pub fn json(&self) -> Value {
        // JSON knows no infinity.
        let finite = |value: f64| if value.is_finite() { json!(value) } else { Value::Null };
        let engine = |number: usize, name: &String| {
            let tally = self.overall(number);
            let estimate = tally.estimate().map(|estimate| {
                json!({
                    "score": estimate.score, "elo": finite(estimate.elo), "error": finite(estimate.error),
                    "los": estimate.los, "nelo": finite(estimate.normalized),
                    "nelo_error": finite(estimate.normalized_error),
                })
            });
            json!({
                "name": name, "games": tally.games(), "wins": tally.wins, "draws": tally.draws,
                "losses": tally.losses, "pairs": tally.pairs, "estimate": estimate,
                "faults": self.faults.get(number), "warnings": self.warnings.get(number),
            })
        };
        let sprt = self.sprt.zip(self.tallies.first()).map(|(test, tally)| {
            let (low, high) = test.bounds();
            let decision = self.decision().map(|decision| match decision {
                Decision::H0 => "H0",
                Decision::H1 => "H1",
            });
            json!({
                "elo0": test.elo0, "elo1": test.elo1, "llr": test.llr(tally), "lower": low, "upper": high,
                "decision": decision,
            })
        });
        json!({
            "played": self.played, "total": self.total, "sprt": sprt,
            "engines": self.names.iter().enumerate().map(|(n, name)| engine(n, name)).collect::<Vec<_>>(),
        })
    }
}
