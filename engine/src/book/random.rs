//! Chance for the choice among book moves.

use std::hash::{BuildHasher, RandomState};

/// Random numbers (SplitMix64, <https://prng.di.unimi.it/splitmix64.c>, public domain).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Default for Random {
    /// Starts anywhere.
    fn default() -> Self {
        Self(RandomState::new().hash_one(std::process::id()))
    }
}

impl Random {
    /// Starts from a seed, for repeatable choices.
    #[cfg(test)]
    pub fn seeded(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `bound`; 0 when that is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^= mixed >> 31;
        ((u128::from(mixed) * u128::from(bound)) >> 64) as u64
    }
}
