//! AVX2: 16 values in a register.
//!
//! Every function here is unsafe to call from code compiled without AVX2.

use std::arch::x86_64::*;

use super::ACTIVATION_MAX;
use super::rows::rows;

rows! {
    features: "avx2",
    register: __m256i,
    lanes: 16,
    // Half of what the CPU has leaves room for the loads.
    held: 8,
    load: _mm256_loadu_si256,
    store: _mm256_storeu_si256,
    zero: _mm256_setzero_si256(),
    add: _mm256_add_epi16,
    sub: _mm256_sub_epi16,
}

#[inline]
#[target_feature(enable = "avx2")]
pub fn forward<const H: usize>(own: &[i16; H], other: &[i16; H], weights: [&[i16; H]; 2]) -> i64 {
    let zero = _mm256_setzero_si256();
    let top = _mm256_set1_epi16(ACTIVATION_MAX);
    let mut sums = [zero; 4];
    for (half, (values, weights)) in [(own, weights[0]), (other, weights[1])].into_iter().enumerate() {
        for at in (0..H).step_by(2 * LANES) {
            for part in 0..2 {
                let at = at + part * LANES;
                let value = _mm256_min_epi16(_mm256_max_epi16(load(values, at), zero), top);
                let product = _mm256_mullo_epi16(value, load(weights, at));
                let sum = &mut sums[half * 2 + part];
                *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(product, value));
            }
        }
    }
    let sum = _mm256_add_epi32(_mm256_add_epi32(sums[0], sums[1]), _mm256_add_epi32(sums[2], sums[3]));
    horizontal_sum(sum)
}

/// Sum of the eight 32-bit lanes in 64 bits.
#[inline]
#[target_feature(enable = "avx2")]
fn horizontal_sum(lanes: __m256i) -> i64 {
    let low = _mm256_cvtepi32_epi64(_mm256_castsi256_si128(lanes));
    let high = _mm256_cvtepi32_epi64(_mm256_extracti128_si256::<1>(lanes));
    let four = _mm256_add_epi64(low, high);
    let two = _mm_add_epi64(_mm256_castsi256_si128(four), _mm256_extracti128_si256::<1>(four));
    _mm_cvtsi128_si64(two) + _mm_extract_epi64::<1>(two)
}
