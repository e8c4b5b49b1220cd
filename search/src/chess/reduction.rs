//! Base reductions of late moves by depth and move number.

use super::params;

const SIZE: usize = 64;

/// Reductions in 1024ths of a ply, growing with the logarithms of depth and move number.
#[derive(Clone)]
pub struct Reductions(Box<[[i32; SIZE]; SIZE]>);

impl Default for Reductions {
    fn default() -> Self {
        let mut table = Box::new([[0; SIZE]; SIZE]);
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (number, value) in row.iter_mut().enumerate().skip(1) {
                let product = (depth as f64).ln() * (number as f64).ln();
                *value = params::reduction_base() + (f64::from(params::reduction_quiet()) * product) as i32;
            }
        }
        Self(table)
    }
}

impl Reductions {
    /// Reduction in 1024ths of a ply for the move with this number (from 1) at this depth.
    #[inline]
    pub fn get(&self, depth: i32, number: usize) -> i32 {
        self.0[(depth.max(0) as usize).min(SIZE - 1)][number.min(SIZE - 1)]
    }
}
