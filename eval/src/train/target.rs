//! The target: what an output should be for a position with this score and result.

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
    fn blending_mixes_score_and_result() {
        assert_eq!(blend(0, 1.0, 400.0, 0.0), 0.5);
        assert_eq!(blend(0, 1.0, 400.0, 1.0), 1.0);
        assert!((blend(400, 0.0, 400.0, 0.25) - 0.75 * sigmoid(1.0)).abs() < 1e-6);
    }
}
