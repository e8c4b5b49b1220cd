//! NEON: eight values in a register.
//!
//! Every function here is unsafe to call from code compiled without NEON.

use std::arch::aarch64::*;

use super::ACTIVATION_MAX;
use super::rows::rows;

rows! {
    features: "neon",
    register: int16x8_t,
    lanes: 8,
    // Half of what the CPU has leaves room for the loads.
    held: 16,
    load: vld1q_s16,
    store: vst1q_s16,
    zero: vdupq_n_s16(0),
    add: vaddq_s16,
    sub: vsubq_s16,
}

#[inline]
#[target_feature(enable = "neon")]
pub fn forward<const H: usize>(own: &[i16; H], other: &[i16; H], weights: [&[i16; H]; 2]) -> i64 {
    let zero = vdupq_n_s16(0);
    let top = vdupq_n_s16(ACTIVATION_MAX);
    let mut sums = [vdupq_n_s32(0); 4];
    for (half, (values, weights)) in [(own, weights[0]), (other, weights[1])].into_iter().enumerate() {
        for at in (0..H).step_by(LANES) {
            let value = vminq_s16(vmaxq_s16(load(values, at), zero), top);
            let product = vmulq_s16(value, load(weights, at));
            let low = half * 2;
            sums[low] = vmlal_s16(sums[low], vget_low_s16(product), vget_low_s16(value));
            sums[low + 1] = vmlal_high_s16(sums[low + 1], product, value);
        }
    }
    sums.into_iter().map(|sum| vaddlvq_s32(sum)).sum()
}
