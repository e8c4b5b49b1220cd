//! AVX-512 (F and BW): 32 values in a register; [`vnni`] fuses the multiply-add of the forward pass.
//!
//! Every function here is unsafe to call from code compiled without these features.

use std::arch::x86_64::*;

use super::ACTIVATION_MAX;
use super::rows::rows;

rows! {
    features: "avx512f,avx512bw",
    register: __m512i,
    lanes: 32,
    // Half of what the CPU has leaves room for the loads.
    held: 16,
    load: _mm512_loadu_si512,
    store: _mm512_storeu_si512,
    zero: _mm512_setzero_si512(),
    add: _mm512_add_epi16,
    sub: _mm512_sub_epi16,
}

/// `clamp(value, 0, 255)` and its product with the weight, both as 16-bit lanes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn activate<const H: usize>(values: &[i16; H], weights: &[i16; H], at: usize) -> (__m512i, __m512i) {
    let top = _mm512_set1_epi16(ACTIVATION_MAX);
    let value = _mm512_min_epi16(_mm512_max_epi16(load(values, at), _mm512_setzero_si512()), top);
    (value, _mm512_mullo_epi16(value, load(weights, at)))
}

/// Sum of the sixteen 32-bit lanes in 64 bits.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn horizontal_sum(lanes: __m512i) -> i64 {
    let low = _mm512_cvtepi32_epi64(_mm512_castsi512_si256(lanes));
    let high = _mm512_cvtepi32_epi64(_mm512_extracti64x4_epi64::<1>(lanes));
    _mm512_reduce_add_epi64(_mm512_add_epi64(low, high))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub fn forward<const H: usize>(own: &[i16; H], other: &[i16; H], weights: [&[i16; H]; 2]) -> i64 {
    let mut sums = [_mm512_setzero_si512(); 2];
    for (half, (values, weights)) in [(own, weights[0]), (other, weights[1])].into_iter().enumerate() {
        for at in (0..H).step_by(LANES) {
            let (value, product) = activate(values, weights, at);
            sums[half] = _mm512_add_epi32(sums[half], _mm512_madd_epi16(product, value));
        }
    }
    horizontal_sum(_mm512_add_epi32(sums[0], sums[1]))
}

/// The same with the fused multiply-add of AVX-512 VNNI.
pub mod vnni {
    use super::*;

    pub use super::{accumulate, update};

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
    pub fn forward<const H: usize>(own: &[i16; H], other: &[i16; H], weights: [&[i16; H]; 2]) -> i64 {
        let mut sums = [_mm512_setzero_si512(); 2];
        for (half, (values, weights)) in [(own, weights[0]), (other, weights[1])].into_iter().enumerate() {
            for at in (0..H).step_by(LANES) {
                let (value, product) = activate(values, weights, at);
                sums[half] = _mm512_dpwssd_epi32(sums[half], product, value);
            }
        }
        horizontal_sum(_mm512_add_epi32(sums[0], sums[1]))
    }
}
