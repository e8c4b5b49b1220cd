//! The target: what an output should be for a position with this score and result.

use super::error::TrainError;

/// The logistic function.
#[inline]
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// The target of a position: its score as an expected result, mixed with the result of its game.
#[inline]
pub fn blend(score: i16, result: f32, scale: f32, result_share: f32) -> f32 {
    result_share * result + (1.0 - result_share) * sigmoid(f32::from(score) / scale)
}

/// What is to be expected in each position of a game as the rest of the game shows it (temporal differences, TD(λ):
/// R. Sutton, 1988).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TemporalDifference {
    lambda: f32,
    scale: f32,
}

impl TemporalDifference {
    /// `lambda` is what counts of the value of the next ply, 0 (the score alone) to 1 (the result alone); `scale` the
    /// centipawns (draughts: hundredths of a man) `k` of `sigmoid(score / k)`.
    ///
    /// # Errors
    ///
    /// [`TrainError::Config`] when `lambda` lies outside its range; that of `k` is checked with the other settings.
    pub fn new(lambda: f32, scale: f32) -> Result<Self, TrainError> {
        if !(0.0..=1.0).contains(&lambda) {
            return Err(TrainError::Config("lambda must lie in 0 to 1".to_owned()));
        }
        Ok(Self { lambda, scale })
    }

    /// The value of each ply, 0 to 1: `(1 − λ) · sigmoid(score / k) + λ · value of the next ply`, with the result of the
    /// game behind the last. Scores, result and values are those of one side.
    pub fn values(self, scores: impl DoubleEndedIterator<Item = i16>, result: f32) -> Vec<f32> {
        let mut value = result;
        let mut values: Vec<f32> = scores
            .rev()
            .map(|score| {
                value = blend(score, value, self.scale, self.lambda);
                value
            })
            .collect();
        values.reverse();
        values
    }
}

/// Finds the centipawns `k` for which `sigmoid(score / k)` tells the results best (least squares), by golden
/// section between 50 and 2,000. `pairs` are scores and results for one side.
pub fn fit_scale(pairs: &[(i16, f32)]) -> f32 {
    let error = |k: f64| -> f64 {
        pairs
            .iter()
            .map(|&(score, result)| {
                let expected = 1.0 / (1.0 + (-f64::from(score) / k).exp());
                (expected - f64::from(result)).powi(2)
            })
            .sum()
    };
    let ratio = (5f64.sqrt() - 1.0) / 2.0;
    // On a logarithmic axis, where the error is close to symmetric.
    let (mut low, mut high) = (50f64.ln(), 2000f64.ln());
    let (mut left, mut right) = (high - ratio * (high - low), low + ratio * (high - low));
    let (mut at_left, mut at_right) = (error(left.exp()), error(right.exp()));
    while high - low > 0.002 {
        if at_left < at_right {
            (high, right, at_right) = (right, left, at_left);
            left = high - ratio * (high - low);
            at_left = error(left.exp());
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = low + ratio * (high - low);
            at_right = error(right.exp());
        }
    }
    f64::midpoint(low, high).exp() as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fitted_scale_is_that_of_the_data() {
        for k in [120.0f32, 350.0, 900.0] {
            let pairs: Vec<(i16, f32)> =
                (-200..=200).map(|i| (i * 5, sigmoid(f32::from(i * 5) / k))).collect();
            let fitted = fit_scale(&pairs);
            assert!((fitted / k - 1.0).abs() < 0.01, "{fitted} for {k}");
        }
    }

    #[test]
    fn what_comes_later_counts_less_by_lambda() {
        let td = |lambda| TemporalDifference::new(lambda, 100.0).expect("in range");
        let scores = [40i16, -30, 250];
        let [a, b, c] = scores.map(|score| sigmoid(f32::from(score) / 100.0));
        let half = td(0.5).values(scores.into_iter(), 1.0);
        let expected = [a / 2.0 + b / 4.0 + c / 8.0 + 0.125, b / 2.0 + c / 4.0 + 0.25, c / 2.0 + 0.5];
        for (value, expected) in half.iter().zip(expected) {
            assert!((value - expected).abs() < 1e-6, "{half:?}");
        }
        assert_eq!(td(0.0).values(scores.into_iter(), 1.0), [a, b, c]);
        assert_eq!(td(1.0).values(scores.into_iter(), 0.5), [0.5; 3]);
        assert!(td(0.5).values(std::iter::empty(), 1.0).is_empty());
        for lambda in [-0.1, 1.1, f32::NAN] {
            assert!(matches!(TemporalDifference::new(lambda, 100.0), Err(TrainError::Config(_))));
        }
    }

    #[test]
    fn blending_mixes_score_and_result() {
        assert_eq!(blend(0, 1.0, 400.0, 0.0), 0.5);
        assert_eq!(blend(0, 1.0, 400.0, 1.0), 1.0);
        assert!((blend(400, 0.0, 400.0, 0.25) - 0.75 * sigmoid(1.0)).abs() < 1e-6);
    }
}
