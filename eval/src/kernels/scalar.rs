//! The reference kernel.

use super::ACTIVATION_MAX;

#[inline]
pub fn update<const H: usize, const A: usize, const R: usize>(
    target: &mut [i16; H],
    source: &[i16; H],
    added: [&[i16; H]; A],
    removed: [&[i16; H]; R],
) {
    for i in 0..H {
        let mut value = source[i];
        for row in added {
            value = value.wrapping_add(row[i]);
        }
        for row in removed {
            value = value.wrapping_sub(row[i]);
        }
        target[i] = value;
    }
}

#[inline]
pub fn accumulate<const H: usize>(values: &mut [i16; H], added: &[&[i16; H]], removed: &[&[i16; H]]) {
    for row in added {
        for i in 0..H {
            values[i] = values[i].wrapping_add(row[i]);
        }
    }
    for row in removed {
        for i in 0..H {
            values[i] = values[i].wrapping_sub(row[i]);
        }
    }
}

#[inline]
pub fn forward<const H: usize>(own: &[i16; H], other: &[i16; H], weights: [&[i16; H]; 2]) -> i64 {
    let mut sum = 0;
    for (values, weights) in [(own, weights[0]), (other, weights[1])] {
        for i in 0..H {
            let value = i32::from(values[i].clamp(0, ACTIVATION_MAX));
            sum += i64::from(value * value * i32::from(weights[i]));
        }
    }
    sum
}
