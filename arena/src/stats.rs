//! Elo, error bars and the sequential test, from pairs of games with colours swapped.

/// Where the Elo scale gets its unit: 400 points are odds of ten to one.
const ELO: f64 = 400.0;
/// Quantile of the normal distribution for bars of 95 %.
const Z95: f64 = 1.959_963_984_540_054;
/// Added to empty classes, so that no logarithm is taken of 0.
const REGULAR: f64 = 1e-3;

/// Results of one engine against another, or against all others.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Complete pairs of games by their points: 0, 1/2, 1, 3/2, 2.
    pub pairs: [u64; 5],
}

/// What a tally says about strength.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// Points per game, 0 to 1.
    pub score: f64,
    /// Elo difference by the logistic curve; infinite when all games are won or lost.
    pub elo: f64,
    /// Half the width of its interval of 95 %; infinite like `elo`, or without games.
    pub error: f64,
    /// Probability that the engine is the stronger one; unknown from fewer than two pairs or games.
    pub los: Option<f64>,
    /// Elo in units of the spread of results, which depends less on the number of draws.
    pub normalized: f64,
    /// Half the width of its interval of 95 %.
    pub normalized_error: f64,
}

impl Tally {
    /// Number of games.
    pub const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Counts a game by its half points.
    pub fn add_game(&mut self, half_points: u8) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// Counts a complete pair by its half points, 0 to 4.
    pub fn add_pair(&mut self, half_points: u8) {
        if let Some(count) = self.pairs.get_mut(usize::from(half_points)) {
            *count += 1;
        }
    }

    /// Variance of the points per game of a unit of play, the number of such units, and games in a unit: pairs where
    /// all games but one at most belong to pairs, else single games.
    fn spread(&self) -> (f64, f64, f64) {
        let pairs: u64 = self.pairs.iter().sum();
        let (counts, unit): (&[u64], f64) = if pairs > 0 && self.games() <= 2 * pairs + 1 {
            (&self.pairs, 2.0)
        } else {
            (&[self.losses, self.draws, self.wins], 1.0)
        };
        let number: u64 = counts.iter().sum();
        let top = (counts.len() - 1) as f64;
        let total = number as f64;
        let value = |index: usize| index as f64 / top;
        let mean = counts.iter().enumerate().map(|(i, &n)| n as f64 * value(i)).sum::<f64>() / total;
        let variance =
            counts.iter().enumerate().map(|(i, &n)| n as f64 * (value(i) - mean).powi(2)).sum::<f64>()
                / total;
        (variance, total, unit)
    }

    /// The strength; `None` without games. The score is that of all games; the variance comes from the pairs, since
    /// two games from one opening are not independent.
    pub fn estimate(&self) -> Option<Estimate> {
        if self.games() == 0 {
            return None;
        }
        let score = self.points() / self.games() as f64;
        let (variance, number, unit) = self.spread();
        let deviation = (variance / number).sqrt();
        let los = if deviation > 0.0 {
            normal_cdf((score - 0.5) / deviation)
        } else {
            match score.partial_cmp(&0.5) {
                Some(std::cmp::Ordering::Greater) => 1.0,
                Some(std::cmp::Ordering::Less) => 0.0,
                _ => 0.5,
            }
        };
        let error = (elo(score + Z95 * deviation) - elo(score - Z95 * deviation)) / 2.0;
        let factor = ELO / 10f64.ln() * 2.0;
        let per_game = (variance * unit).sqrt();
        let normalized = if per_game > 0.0 { (score - 0.5) / per_game * factor } else { elo(score) };
        // Of two infinities nothing is known either.
        let error = if number < 2.0 || !error.is_finite() { f64::INFINITY } else { error };
        Some(Estimate {
            score,
            elo: elo(score),
            error,
            los: (number >= 2.0).then_some(los),
            normalized,
            normalized_error: Z95 / (number * unit).sqrt() * factor,
        })
    }
}

/// The Elo difference of an expected score; infinite at 0 and 1 and beyond.
pub fn elo(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    // Without the last term equal strength would be written -0.
    -ELO * (1.0 / score - 1.0).log10() + 0.0
}

/// The expected score of an Elo difference.
pub fn expected(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / ELO))
}

/// The distribution function of the normal distribution. Source: Abramowitz and Stegun, Handbook of
/// Mathematical Functions, 7.1.26; the error is below 1.5e-7.
fn normal_cdf(x: f64) -> f64 {
    let z = x.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * z);
    let poly =
        ((((1.061_405_429 * t - 1.453_152_027) * t) + 1.421_413_741) * t - 0.284_496_736) * t + 0.254_829_592;
    let upper = 0.5 * poly * t * (-z * z).exp();
    if x < 0.0 { upper } else { 1.0 - upper }
}

/// In which unit the hypotheses of a test are given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Model {
    /// Elo by the logistic curve.
    Logistic,
    /// Normalized Elo.
    #[default]
    Normalized,
}

/// A sequential probability ratio test between two hypotheses about the difference in strength.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    /// The difference that is to be refuted.
    pub elo0: f64,
    /// The difference that is to be shown.
    pub elo1: f64,
    /// Chance to accept `elo1` where `elo0` holds.
    pub alpha: f64,
    /// Chance to accept `elo0` where `elo1` holds.
    pub beta: f64,
    /// The unit of both.
    pub model: Model,
}

/// What a test says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// The lower hypothesis.
    H0,
    /// The upper hypothesis.
    H1,
}

impl Sprt {
    /// Reads `elo0=0,elo1=8[,alpha=0.05][,beta=0.05][,model=normalized|logistic]`.
    ///
    /// # Errors
    /// Names the part that is wrong or missing.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (mut elo0, mut elo1) = (None, None);
        let mut test = Self { elo0: 0.0, elo1: 0.0, alpha: 0.05, beta: 0.05, model: Model::default() };
        for part in text.split(',') {
            let (key, value) = part.split_once('=').ok_or_else(|| format!("'{part}' has no value"))?;
            let number = || match value.parse::<f64>() {
                Ok(number) if number.abs() <= 1000.0 => Ok(number),
                _ => Err(format!("'{part}' is not a number between -1000 and 1000")),
            };
            match key {
                "elo0" => elo0 = Some(number()?),
                "elo1" => elo1 = Some(number()?),
                "alpha" => test.alpha = number()?,
                "beta" => test.beta = number()?,
                "model" => {
                    test.model = match value {
                        "logistic" => Model::Logistic,
                        "normalized" => Model::Normalized,
                        _ => return Err(format!("'{part}' is neither logistic nor normalized")),
                    }
                }
                _ => return Err(format!("'{part}' is none of elo0= elo1= alpha= beta= model=")),
            }
        }
        test.elo0 = elo0.ok_or("elo0= is missing")?;
        test.elo1 = elo1.ok_or("elo1= is missing")?;
        let is_risk = |risk: f64| risk > 0.0 && risk < 0.5;
        if test.elo0 >= test.elo1 {
            return Err("elo0 must be less than elo1".to_owned());
        }
        if !is_risk(test.alpha) || !is_risk(test.beta) {
            return Err("alpha and beta must be between 0 and 0.5".to_owned());
        }
        Ok(test)
    }

    /// The values of the log-likelihood ratio at which the test ends (A. Wald, "Sequential analysis", 1947).
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of the complete pairs: that of the most likely distributions of pair results
    /// with either difference. Source: M. Van den Bergh, "Comments on normalized Elo" and "The generalized
    /// maximum likelihood ratio for the expectation value of a distribution" (2019 and 2020).
    pub fn llr(&self, tally: &Tally) -> f64 {
        let total: u64 = tally.pairs.iter().sum();
        if total == 0 {
            return 0.0;
        }
        let counts = tally.pairs.map(|n| if n == 0 { REGULAR } else { n as f64 });
        let total: f64 = counts.iter().sum();
        let seen = counts.map(|n| n / total);
        let likely = |elo: f64| match self.model {
            Model::Logistic => with_mean(&seen, expected(elo)),
            // The unit is the spread of a single game; that of a pair's mean is smaller by the square
            // root of 2.
            Model::Normalized => with_t_value(&seen, elo / (ELO / 10f64.ln() * 2.0) * 2f64.sqrt()),
        };
        let (p0, p1) = (likely(self.elo0), likely(self.elo1));
        total * seen.iter().zip(p0.iter().zip(p1)).map(|(seen, (p0, p1))| seen * (p1 / p0).ln()).sum::<f64>()
    }

    /// The decision, once there is one.
    pub fn decide(&self, tally: &Tally) -> Option<Decision> {
        let (low, high) = self.bounds();
        let llr = self.llr(tally);
        if llr >= high {
            Some(Decision::H1)
        } else if llr <= low {
            Some(Decision::H0)
        } else {
            None
        }
    }
}

/// Points per game of each class of pairs.
const VALUES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// The distribution most likely to have led to `seen` among those with this mean.
fn with_mean(seen: &[f64; 5], mean: f64) -> [f64; 5] {
    tilt(seen, &VALUES.map(|value| value - mean))
}

/// The same among those whose mean is `t` standard deviations above one half, by fixed-point iteration.
fn with_t_value(seen: &[f64; 5], t: f64) -> [f64; 5] {
    let mut now = [0.2; 5];
    for _ in 0..50 {
        let mean: f64 = now.iter().zip(VALUES).map(|(p, value)| p * value).sum();
        let variance: f64 = now.iter().zip(VALUES).map(|(p, value)| p * (value - mean).powi(2)).sum();
        let deviation = variance.sqrt().max(1e-12);
        let phi = VALUES
            .map(|value| value - 0.5 - 0.5 * t * deviation * (1.0 + ((mean - value) / deviation).powi(2)));
        let next = tilt(seen, &phi);
        let change = next.iter().zip(now).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        now = next;
        if change < 1e-9 {
            break;
        }
    }
    now
}

/// The distribution `seen / (1 + x phi)` with x such that the mean of phi is 0: the most likely one under
/// that constraint.
fn tilt(seen: &[f64; 5], phi: &[f64; 5]) -> [f64; 5] {
    let low = phi.iter().copied().fold(f64::INFINITY, f64::min);
    let high = phi.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if low >= 0.0 || high <= 0.0 {
        return *seen;
    }
    // The sum falls from +inf to -inf between the poles.
    let (mut left, mut right) = (-1.0 / high, -1.0 / low);
    let sum = |x: f64| seen.iter().zip(phi).map(|(p, phi)| p * phi / (1.0 + x * phi)).sum::<f64>();
    for _ in 0..200 {
        let middle = f64::midpoint(left, right);
        if sum(middle) > 0.0 {
            left = middle;
        } else {
            right = middle;
        }
    }
    let x = f64::midpoint(left, right);
    let mut tilted = *seen;
    for (p, phi) in tilted.iter_mut().zip(phi) {
        *p = (*p / (1.0 + x * phi)).max(1e-300);
    }
    tilted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(pairs: [u64; 5]) -> Tally {
        // Which games made a pair does not matter to the estimates.
        let [a, b, c, d, e] = pairs;
        Tally { wins: 2 * e + d, draws: b + 2 * c + d, losses: 2 * a + b, pairs }
    }

    fn near(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance, "{a} is not {b}");
    }

    #[test]
    fn elo_and_score_are_inverse() {
        near(elo(expected(37.0)), 37.0, 1e-9);
        near(expected(400.0), 10.0 / 11.0, 1e-12);
        assert_eq!((elo(0.0), elo(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
    }

    #[test]
    fn the_normal_distribution_is_known() {
        for (x, p) in [(0.0, 0.5), (1.0, 0.841_344_746), (-1.96, 0.024_997_895), (3.0, 0.998_650_102)] {
            near(normal_cdf(x), p, 2e-7);
        }
    }

    #[test]
    fn estimates_of_single_games_and_pairs() {
        let single = Tally { wins: 60, draws: 20, losses: 20, pairs: [0; 5] };
        let estimate = single.estimate().unwrap();
        near(estimate.score, 0.7, 1e-12);
        near(estimate.elo, 147.19, 0.01);
        // Deviation sqrt(0.16 / 100) = 0.04.
        near(estimate.error, (elo(0.7 + 1.96 * 0.04) - elo(0.7 - 1.96 * 0.04)) / 2.0, 0.01);
        assert!(estimate.los.unwrap() > 0.999_99);
        // All pairs even: no spread at all.
        let even = tally([0, 0, 50, 0, 0]).estimate().unwrap();
        assert_eq!((even.elo, even.error, even.los), (0.0, 0.0, Some(0.5)));
        let clean = tally([0, 0, 0, 0, 5]).estimate().unwrap();
        assert_eq!((clean.elo, clean.error), (f64::INFINITY, f64::INFINITY));
        assert_eq!(Tally::default().estimate(), None);
        // The score is that of the games, also of one that belongs to no pair; one pair tells nothing of the odds.
        let odd = Tally { wins: 2, draws: 0, losses: 1, pairs: [0, 0, 0, 0, 1] }.estimate().unwrap();
        near(odd.score, 2.0 / 3.0, 1e-12);
        assert_eq!((odd.elo, odd.los), (elo(2.0 / 3.0), None));
        let won = Tally { wins: 1, ..Tally::default() }.estimate().unwrap();
        assert_eq!((won.score, won.error, won.los), (1.0, f64::INFINITY, None));
    }

    /// Figures of fastchess 1.8.2 alpha for the same counts.
    #[test]
    fn estimates_agree_with_another_tool() {
        for (pairs, elo, error, normalized) in
            [([0, 5, 25, 20, 50], 227.56, 49.65, 293.36), ([2, 9, 27, 26, 36], 157.66, 44.90, 194.94)]
        {
            let estimate = tally(pairs).estimate().unwrap();
            near(estimate.elo, elo, 0.01);
            near(estimate.error, error, 0.01);
            near(estimate.normalized, normalized, 0.01);
            near(estimate.normalized_error, 48.15, 0.01);
        }
    }

    #[test]
    fn the_ratio_has_the_sign_of_the_evidence_and_is_symmetric() {
        for model in [Model::Logistic, Model::Normalized] {
            let test = Sprt { elo0: -5.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model };
            let good = test.llr(&tally([10, 40, 100, 80, 30]));
            assert!(good > 1.0, "{good}");
            near(test.llr(&tally([30, 80, 100, 40, 10])), -good, 1e-6);
            near(test.llr(&tally([10, 50, 100, 50, 10])), 0.0, 1e-6);
        }
    }

    /// For small differences the ratio approaches n (s1 - s0) (2 s - s0 - s1) / (2 variance).
    #[test]
    fn the_ratio_agrees_with_its_normal_approximation() {
        let counts = tally([400, 2400, 5000, 2600, 450]);
        let test = Sprt { elo0: 0.0, elo1: 2.0, alpha: 0.05, beta: 0.05, model: Model::Logistic };
        let (variance, number, _) = counts.spread();
        let mean = counts.points() / counts.games() as f64;
        let (s0, s1) = (expected(0.0), expected(2.0));
        let rough = number * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance);
        near(test.llr(&counts), rough, rough.abs() * 0.02);
    }

    #[test]
    fn the_test_ends_at_its_bounds() {
        let test = Sprt::parse("elo0=0,elo1=8").unwrap();
        let (low, high) = test.bounds();
        near(low, -2.944, 0.001);
        near(high, 2.944, 0.001);
        assert_eq!(test.decide(&Tally::default()), None);
        assert_eq!(test.decide(&tally([0, 10, 100, 100, 50])), Some(Decision::H1));
        assert_eq!(test.decide(&tally([50, 100, 100, 10, 0])), Some(Decision::H0));
        for text in [
            "",
            "elo0=0",
            "elo0=5,elo1=5",
            "elo0=0,elo1=x",
            "elo0=0,elo1=5,alpha=0.6",
            "a=b",
            "elo0=0,elo1=nan",
        ] {
            assert!(Sprt::parse(text).is_err(), "{text}");
        }
    }
}
