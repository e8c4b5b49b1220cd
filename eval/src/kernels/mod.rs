//! The inner loops of inference, one implementation for each instruction set, all bit-identical.
//!
//! A [`Kernel`] is chosen once ([`Kernel::best`]) and handed down, so that the inner loops hold no detection.
//! Integer arithmetic makes the results independent of the order of summation; the tests compare every
//! kernel that the CPU has with the scalar one.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod rows;
mod scalar;

/// Upper end of the clipped activation, in quantised units: 1.0 is 255.
pub const ACTIVATION_MAX: i16 = 255;

/// Largest magnitude of an output weight: `255 * 127` still fits in 16 bits, which lets the kernels compute
/// `v * v * w` as a 16-bit product followed by a widening multiply-add.
pub const OUTPUT_WEIGHT_MAX: i16 = 127;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    Scalar,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Avx512Vnni,
    #[cfg(target_arch = "aarch64")]
    Neon,
}

/// An instruction set that this CPU has.
///
/// Values come only from [`Kernel::best`], [`Kernel::available`] and [`Kernel::SCALAR`], so a kernel whose
/// instructions are missing cannot be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kernel(Level);

/// Calls `$name` of the module of the kernel's level.
macro_rules! dispatch {
    ($self:expr, $name:ident($($arg:expr),*)) => {
        match $self.0 {
            Level::Scalar => scalar::$name($($arg),*),
            // SAFETY: a `Kernel` of this level is only built after its CPU features were detected.
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => unsafe { avx2::$name($($arg),*) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => unsafe { avx512::$name($($arg),*) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Level::Avx512Vnni => unsafe { avx512::vnni::$name($($arg),*) },
            // SAFETY: as above.
            #[cfg(target_arch = "aarch64")]
            Level::Neon => unsafe { neon::$name($($arg),*) },
        }
    };
}

impl Kernel {
    /// Plain Rust, on every CPU: the reference.
    pub const SCALAR: Self = Self(Level::Scalar);

    /// All kernels that this CPU can run, the slowest (scalar) first.
    pub fn available() -> Vec<Self> {
        let mut kernels = vec![Self::SCALAR];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") {
                kernels.push(Self(Level::Avx2));
            }
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw") {
                kernels.push(Self(Level::Avx512));
                if is_x86_feature_detected!("avx512vnni") {
                    kernels.push(Self(Level::Avx512Vnni));
                }
            }
        }
        #[cfg(target_arch = "aarch64")]
        if std::arch::is_aarch64_feature_detected!("neon") {
            kernels.push(Self(Level::Neon));
        }
        kernels
    }

    /// The fastest kernel that this CPU can run.
    pub fn best() -> Self {
        Self::available().last().copied().unwrap_or(Self::SCALAR)
    }

    /// Short name for messages and benchmarks.
    pub fn name(self) -> &'static str {
        match self.0 {
            Level::Scalar => "scalar",
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => "avx512",
            #[cfg(target_arch = "x86_64")]
            Level::Avx512Vnni => "avx512-vnni",
            #[cfg(target_arch = "aarch64")]
            Level::Neon => "neon",
        }
    }

    /// `target = source + sum(added) - sum(removed)`, wrapping, for a number of rows known when compiling.
    #[inline]
    pub fn update<const H: usize, const A: usize, const R: usize>(
        self,
        target: &mut [i16; H],
        source: &[i16; H],
        added: [&[i16; H]; A],
        removed: [&[i16; H]; R],
    ) {
        const { check_width(H) };
        dispatch!(self, update(target, source, added, removed));
    }

    /// `values += sum(added) - sum(removed)`, wrapping, for any number of rows.
    #[inline]
    pub fn accumulate<const H: usize>(
        self,
        values: &mut [i16; H],
        added: &[&[i16; H]],
        removed: &[&[i16; H]],
    ) {
        const { check_width(H) };
        dispatch!(self, accumulate(values, added, removed));
    }

    /// The output neuron before its bias: the sum over both halves of `clamp(value, 0, 255)^2 * weight`.
    ///
    /// Weights must lie within ±[`OUTPUT_WEIGHT_MAX`], which the network file's loader checks.
    #[inline]
    pub fn forward<const H: usize>(self, own: &[i16; H], other: &[i16; H], weights: [&[i16; H]; 2]) -> i64 {
        const { check_width(H) };
        dispatch!(self, forward(own, other, weights))
    }
}

/// Every kernel works in blocks of 32 values; with at most 1,024 of them, eight 32-bit lanes cannot overflow
/// (256 products of at most 255 * 255 * 127 each).
const fn check_width(width: usize) {
    assert!(width > 0 && width.is_multiple_of(32) && width <= 1024, "width: a multiple of 32 up to 1,024");
}
