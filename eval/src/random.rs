//! Random numbers that stay the same over versions of libraries: SplitMix64 (Steele, Lea and Flood 2014).

use std::hash::{BuildHasher, RandomState};

/// A small deterministic generator.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The generator of the published sequence for a seed.
    #[must_use]
    pub const fn seeded(seed: u64) -> Self {
        Self { state: seed }
    }

    /// A generator that starts anywhere, for play that need not be repeated.
    #[must_use]
    pub fn anywhere() -> Self {
        Self::seeded(RandomState::new().hash_one(std::process::id()))
    }

    /// A generator for one purpose: different `stream` numbers of one seed are independent.
    pub fn new(seed: u64, stream: u64) -> Self {
        let mut random = Self::seeded(seed);
        random.state = random.next_u64() ^ stream.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        random.next_u64();
        random
    }

    /// The next 64 bits.
    pub const fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Uniform in 0 to `bound` (exclusive; 0 when that is 0), by multiplication (Lemire); the bias below 2^-32 does not matter
    /// here.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next_u64()) * u128::from(bound)) >> 64) as u64
    }

    /// Uniform in ±`limit`.
    pub fn symmetric(&mut self, limit: f32) -> f32 {
        let unit = (self.next_u64() >> 40) as f32 / (1u32 << 24) as f32;
        (2.0 * unit - 1.0) * limit
    }
}
