//! NEON: eight values in a register.
//!
//! Every function here is unsafe to call from code compiled without NEON.

use std::arch::aarch64::*;

use super::ACTIVATION_MAX;

const LANES: usize = 8;
/// Registers held across the rows of [`accumulate`].
const HELD: usize = 16;

#[inline]
#[target_feature(enable = "neon")]
fn load<const H: usize>(values: &[i16; H], at: usize) -> int16x8_t {
    debug_assert!(at + LANES <= H);
    // SAFETY: callers stay below H, a multiple of LANES; the load needs the alignment of i16 only.
    unsafe { vld1q_s16(values.as_ptr().add(at)) }
}

#[inline]
#[target_feature(enable = "neon")]
fn store<const H: usize>(values: &mut [i16; H], at: usize, register: int16x8_t) {
    debug_assert!(at + LANES <= H);
    // SAFETY: as for `load`.
    unsafe { vst1q_s16(values.as_mut_ptr().add(at), register) }
}

#[inline]
#[target_feature(enable = "neon")]
pub fn update<const H: usize, const A: usize, const R: usize>(
    target: &mut [i16; H],
    source: &[i16; H],
    added: [&[i16; H]; A],
    removed: [&[i16; H]; R],
) {
    for at in (0..H).step_by(LANES) {
        let mut value = load(source, at);
        for row in added {
            value = vaddq_s16(value, load(row, at));
        }
        for row in removed {
            value = vsubq_s16(value, load(row, at));
        }
        store(target, at, value);
    }
}

#[inline]
#[target_feature(enable = "neon")]
pub fn accumulate<const H: usize>(values: &mut [i16; H], added: &[&[i16; H]], removed: &[&[i16; H]]) {
    for start in (0..H).step_by(LANES * HELD) {
        let held = HELD.min((H - start) / LANES);
        let mut registers = [vdupq_n_s16(0); HELD];
        for (i, register) in registers[..held].iter_mut().enumerate() {
            *register = load(values, start + i * LANES);
        }
        for row in added {
            for (i, register) in registers[..held].iter_mut().enumerate() {
                *register = vaddq_s16(*register, load(row, start + i * LANES));
            }
        }
        for row in removed {
            for (i, register) in registers[..held].iter_mut().enumerate() {
                *register = vsubq_s16(*register, load(row, start + i * LANES));
            }
        }
        for (i, register) in registers[..held].iter().enumerate() {
            store(values, start + i * LANES, *register);
        }
    }
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
