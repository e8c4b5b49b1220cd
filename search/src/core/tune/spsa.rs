//! Simultaneous perturbation stochastic approximation: J. C. Spall, "Implementation of the simultaneous
//! perturbation algorithm for stochastic optimization", IEEE Transactions on Aerospace and Electronic Systems 34
//! (1998). The gains are given by their values at the end of the run, the custom of distributed chess testing.

use std::fmt::Write;

use eval::random::Random;

use crate::core::tunable::Tunable;

/// What a run is to be. Two runs with the same plan on one thread give the same values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// Pairs of games of the whole run.
    pub pairs: u64,
    /// Seed of all random choices.
    pub seed: u64,
    /// Nodes per move.
    pub nodes: u64,
    /// Gain of the last pair: a pair won by one point moves each parameter by this part of its step.
    pub rate: f64,
    /// Distance of the trial values of the last pair, in steps.
    pub width: f64,
    /// Spall's A, as a part of the run: dampens the first gains.
    pub stability: f64,
    /// How fast the gains fall: Spall's alpha.
    pub alpha: f64,
    /// How fast the distance of the trial values falls: Spall's gamma.
    pub gamma: f64,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            pairs: 20_000,
            seed: 1,
            nodes: 5000,
            rate: 0.002,
            width: 1.0,
            stability: 0.1,
            alpha: 0.602,
            gamma: 0.101,
        }
    }
}

impl Plan {
    /// The names and values of the plan, each exact.
    pub(super) fn fields(&self) -> [(&'static str, String); 8] {
        [
            ("pairs", self.pairs.to_string()),
            ("seed", self.seed.to_string()),
            ("nodes", self.nodes.to_string()),
            ("rate", self.rate.to_string()),
            ("width", self.width.to_string()),
            ("stability", self.stability.to_string()),
            ("alpha", self.alpha.to_string()),
            ("gamma", self.gamma.to_string()),
        ]
    }

    /// Distance of the trial values of pair `number` from 1, in steps: Spall's c, which ends at `width`.
    fn distance(&self, number: u64) -> f64 {
        self.width * (self.pairs.max(1) as f64 / number.max(1) as f64).powf(self.gamma)
    }

    /// By how many steps a pair won by one point moves a parameter: Spall's a/c, which ends at `rate` times
    /// `width`.
    fn gain(&self, number: u64) -> f64 {
        let (pairs, number) = (self.pairs.max(1) as f64, number.max(1) as f64);
        let damping = self.stability * pairs;
        let a = self.rate * self.width.powi(2) * ((damping + pairs) / (damping + number)).powf(self.alpha);
        a / self.distance(number as u64)
    }
}

/// The state of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Spsa {
    pub(super) plan: Plan,
    pub(super) table: &'static [Tunable],
    /// Which parameters of the table are tuned.
    pub(super) tuned: Vec<bool>,
    /// Present values of all parameters.
    pub(super) theta: Vec<f64>,
    /// Pairs that were learnt from.
    pub(super) done: u64,
    /// Those lost, drawn and won by the raised values.
    pub(super) results: [u64; 3],
}

/// Two sets of values to be compared, in the order of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// Number of the pair, from 1.
    pub number: u64,
    /// The values moved in the trial's direction.
    pub plus: Vec<i32>,
    /// The values moved the other way.
    pub minus: Vec<i32>,
    /// The direction: 1 or -1, and 0 for parameters that are not tuned.
    signs: Vec<f64>,
}

impl Spsa {
    /// A run from the defaults of the table. Without names all parameters are tuned.
    ///
    /// # Errors
    /// When the table has no parameter of such a name.
    pub fn new(plan: Plan, table: &'static [Tunable], names: &[String]) -> Result<Self, String> {
        if let Some(name) = names.iter().find(|name| table.iter().all(|tunable| tunable.name != **name)) {
            let known: Vec<&str> = table.iter().map(|tunable| tunable.name).collect();
            return Err(format!("no parameter '{name}'; there are {}", known.join(", ")));
        }
        let is_tuned = |tunable: &Tunable| names.is_empty() || names.iter().any(|name| name == tunable.name);
        Ok(Self {
            plan,
            table,
            tuned: table.iter().map(is_tuned).collect(),
            theta: table.iter().map(|tunable| f64::from(tunable.default)).collect(),
            done: 0,
            results: [0; 3],
        })
    }

    /// The plan of the run.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Pairs that were learnt from.
    #[must_use]
    pub fn done(&self) -> u64 {
        self.done
    }

    /// Pairs lost, drawn and won by the values that were tried as `plus`.
    #[must_use]
    pub fn results(&self) -> [u64; 3] {
        self.results
    }

    /// The tuned parameters with their present values.
    pub fn values(&self) -> impl Iterator<Item = (&'static Tunable, f64)> {
        let tuned = self.tuned.iter().zip(self.table).zip(&self.theta);
        tuned.filter(|((is_tuned, _), _)| **is_tuned).map(|((_, tunable), &now)| (tunable, now))
    }

    /// The two sets of pair `number` (from 1) around the present values. Fractions are rounded at random, for
    /// both sets by the same chance, so that the mean of what is tried is what was meant.
    #[must_use]
    pub fn trial(&self, number: u64) -> Trial {
        let mut random = Random::new(self.plan.seed, 2 * number);
        let distance = self.plan.distance(number);
        let mut trial = Trial { number, plus: Vec::new(), minus: Vec::new(), signs: Vec::new() };
        for ((tunable, &is_tuned), &now) in self.table.iter().zip(&self.tuned).zip(&self.theta) {
            let sign = match random.below(2) {
                _ if !is_tuned => 0.0,
                0 => -1.0,
                _ => 1.0,
            };
            let chance = random.below(1 << 32) as f64 / (1u64 << 32) as f64;
            let step = sign * distance * f64::from(tunable.step);
            let round = |value: f64| ((value + chance).floor() as i32).clamp(tunable.min, tunable.max);
            trial.plus.push(round(now + step));
            trial.minus.push(round(now - step));
            trial.signs.push(sign);
        }
        trial
    }

    /// Moves the values by the result of a trial: `points` is wins less losses of its `plus`. Other trials may have
    /// been learnt from since it was made.
    pub fn learn(&mut self, trial: &Trial, points: i32) {
        let gain = self.plan.gain(trial.number) * f64::from(points);
        for ((now, tunable), sign) in self.theta.iter_mut().zip(self.table).zip(&trial.signs) {
            let moved = *now + gain * sign * f64::from(tunable.step);
            *now = moved.clamp(f64::from(tunable.min), f64::from(tunable.max));
        }
        self.done += 1;
        self.results[(points.signum() + 1) as usize] += 1;
    }

    /// A table of names, values at the start and now, and the change in steps.
    #[must_use]
    pub fn report(&self) -> String {
        let width = self.values().map(|(tunable, _)| tunable.name.len()).max().unwrap_or(0).max(9);
        let mut text = format!("{:<width$} {:>8} {:>10} {:>7}\n", "parameter", "start", "now", "steps");
        for (tunable, now) in self.values() {
            let start = f64::from(tunable.default);
            let steps = (now - start) / f64::from(tunable.step);
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{:<width$} {start:>8} {now:>10.2} {steps:>+7.2}", tunable.name);
        }
        text
    }

    /// The tuned parameters as the source code declares them.
    #[must_use]
    pub fn source(&self) -> String {
        let mut text = String::new();
        for (Tunable { name, min, max, step, .. }, now) in self.values() {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "    {name} = {}, {min}..={max}, {step};", now.round() as i64);
        }
        text
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub static TABLE: [Tunable; 4] = [
        Tunable { name: "first", default: 200, min: 0, max: 1000, step: 40 },
        Tunable { name: "second", default: 10, min: -50, max: 50, step: 5 },
        Tunable { name: "third", default: 7000, min: 1000, max: 9000, step: 500 },
        Tunable { name: "idle", default: 30, min: 0, max: 60, step: 6 },
    ];
    const BEST: [f64; 4] = [360.0, -8.0, 5500.0, 30.0];

    /// How bad a set is: the sum of the squares of its distances from the best, in steps.
    fn cost(values: impl Iterator<Item = f64>) -> f64 {
        let steps = TABLE.iter().zip(BEST).zip(values).map(|((t, best), v)| (v - best) / f64::from(t.step));
        steps.map(|steps| steps * steps).sum()
    }

    /// A noisy game: the better set wins more often, one in two of the games is drawn.
    pub fn noisy_points(trial: &Trial, seed: u64) -> i32 {
        let cost = |values: &[i32]| cost(values.iter().map(|&value| f64::from(value)));
        let advantage = (0.02 * (cost(&trial.minus) - cost(&trial.plus))).clamp(-0.5, 0.5);
        let mut random = Random::new(seed, trial.number);
        (0..2)
            .map(|_| match random.below(1000) as f64 / 1000.0 {
                chance if chance < 0.25 + advantage / 2.0 => 1,
                chance if chance < 0.5 => -1,
                _ => 0,
            })
            .sum()
    }

    pub fn names() -> Vec<String> {
        ["first", "second", "third"].map(String::from).to_vec()
    }

    #[test]
    fn a_noisy_quadratic_is_climbed() {
        let plan = Plan { pairs: 20_000, rate: 0.02, ..Plan::default() };
        let mut spsa = Spsa::new(plan, &TABLE, &names()).expect("known names");
        let before = cost(spsa.theta.iter().copied());
        for number in 1..=plan.pairs {
            let trial = spsa.trial(number);
            spsa.learn(&trial, noisy_points(&trial, 9));
        }
        let after = cost(spsa.theta.iter().copied());
        assert!(before > 30.0 && after < 2.0, "{before} {after} {:?}", spsa.theta);
        assert_eq!(spsa.theta[3], 30.0);
        assert_eq!((spsa.done(), spsa.results().iter().sum()), (20_000, 20_000));
    }

    #[test]
    fn gains_end_where_the_plan_says() {
        let plan = Plan { pairs: 5000, width: 1.5, rate: 0.01, ..Plan::default() };
        assert!((plan.distance(5000) - 1.5).abs() < 1e-9);
        assert!((plan.gain(5000) - 0.015).abs() < 1e-9);
        assert!((1..5000).all(|n| plan.distance(n) > plan.distance(n + 1)));
        assert!(plan.gain(500) > plan.gain(5000));
        assert!((1..=5000).all(|n| plan.gain(n).is_finite()));
    }

    #[test]
    fn trials_stay_in_range_and_lie_on_both_sides() {
        let plan = Plan { pairs: 300, ..Plan::default() };
        let mut spsa = Spsa::new(plan, &TABLE, &names()).expect("known names");
        spsa.theta[1] = 49.9;
        let mut ups = 0;
        for number in 1..=300 {
            let trial = spsa.trial(number);
            assert_eq!(trial, spsa.trial(number));
            for (values, tunable) in trial.plus.iter().zip(&trial.minus).zip(&TABLE) {
                let range = tunable.min..=tunable.max;
                assert!(range.contains(values.0) && range.contains(values.1), "{}", tunable.name);
            }
            assert_eq!((trial.plus[3], trial.minus[3]), (30, 30));
            let apart = trial.plus[0] - trial.minus[0];
            assert!((80..=146).contains(&apart.abs()), "{apart}");
            ups += usize::from(apart > 0);
        }
        assert!((110..=190).contains(&ups), "{ups}");
    }

    #[test]
    fn unknown_names_are_refused_and_source_is_made() {
        let error = Spsa::new(Plan::default(), &TABLE, &["fourth".to_string()]).expect_err("unknown");
        assert!(error.contains("'fourth'") && error.contains("second, third"), "{error}");
        let mut spsa = Spsa::new(Plan::default(), &TABLE, &["second".to_string()]).expect("known name");
        spsa.theta[1] = -3.4;
        assert_eq!(spsa.source(), "    second = -3, -50..=50, 5;\n");
        assert!(spsa.report().contains("-2.68"), "{}", spsa.report());
    }
}
