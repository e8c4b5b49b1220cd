//! A network in memory, of sizes known when compiling.

use std::path::Path;

use crate::feature::FeatureSet;
use crate::kernels::{ACTIVATION_MAX, Kernel};
use crate::netfile::{self, Header, NetFileError, Weights};

/// Quantised 1.0 of the first layer: also the upper end of the activation.
pub const QUANT_INPUT: i32 = ACTIVATION_MAX as i32;
/// The largest magnitude that an evaluation can have, in centipawns: below every score that means a decided
/// game.
const MAX_EVALUATION: f64 = 20_000.0;

/// Why a network cannot be used for a game.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    /// The file itself is at fault.
    #[error(transparent)]
    File(#[from] NetFileError),
    /// A network for other inputs, for example for the other game.
    #[error("network has architecture '{found}', expected '{expected}'")]
    Architecture {
        /// What this build needs.
        expected: &'static str,
        /// What the file says.
        found: String,
    },
    /// A network of another size than this build has kernels for.
    #[error("network has {found} {what}, expected {expected}")]
    Size {
        /// Which size.
        what: &'static str,
        /// What this build needs.
        expected: usize,
        /// What the file says.
        found: usize,
    },
    /// The game-specific table makes no sense.
    #[error("network has an invalid input table")]
    Table,
}

/// One row of 16-bit values, aligned to a cache line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Row<const HIDDEN: usize>(
    /// The values.
    pub [i16; HIDDEN],
);

impl<const HIDDEN: usize> Row<HIDDEN> {
    /// All values 0.
    pub const ZERO: Self = Self([0; HIDDEN]);
}

/// A quantised network: `inputs -> HIDDEN` twice (one accumulator for each perspective), squared clipped ReLU,
/// then one of `OUTPUTS` output neurons.
pub struct Network<F, const HIDDEN: usize, const OUTPUTS: usize> {
    features: F,
    header: Header,
    rows: Box<[Row<HIDDEN>]>,
    bias: Row<HIDDEN>,
    output: Box<[[Row<HIDDEN>; 2]]>,
    /// Centipawns.
    output_bias: [f64; OUTPUTS],
    /// Centipawns for each unit of the kernels' sum.
    output_scale: f64,
}

impl<F: FeatureSet, const HIDDEN: usize, const OUTPUTS: usize> Network<F, HIDDEN, OUTPUTS> {
    /// Reads a network from a file.
    ///
    /// # Errors
    ///
    /// See [`NetworkError`]; nothing of the process changes on error.
    pub fn load(path: &Path) -> Result<Self, NetworkError> {
        let (header, weights) = netfile::read(path)?;
        Self::new(header, &weights)
    }

    /// Reads a network from the bytes of its file.
    ///
    /// # Errors
    ///
    /// See [`NetworkError`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        let (header, weights) = netfile::decode(bytes)?;
        Self::new(header, &weights)
    }

    /// Builds a network from its parts.
    ///
    /// # Errors
    ///
    /// When architecture, sizes or table do not fit this type.
    pub fn new(header: Header, weights: &Weights) -> Result<Self, NetworkError> {
        if header.architecture != F::ARCHITECTURE {
            return Err(NetworkError::Architecture { expected: F::ARCHITECTURE, found: header.architecture });
        }
        let features = F::from_table(&header.table).ok_or(NetworkError::Table)?;
        for (what, expected, found) in [
            ("hidden values", HIDDEN, header.hidden as usize),
            ("outputs", OUTPUTS, header.outputs as usize),
            ("inputs", features.inputs(), header.inputs as usize),
            ("first-layer weights", features.inputs() * HIDDEN, weights.features.len()),
            ("biases", HIDDEN, weights.bias.len()),
            ("output weights", OUTPUTS * 2 * HIDDEN, weights.output.len()),
            ("output biases", OUTPUTS, weights.output_bias.len()),
        ] {
            if expected != found {
                return Err(NetworkError::Size { what, expected, found });
            }
        }
        let rows: Vec<Row<HIDDEN>> = weights.features.as_chunks().0.iter().map(|&row| Row(row)).collect();
        let halves: Vec<Row<HIDDEN>> = weights.output.as_chunks().0.iter().map(|&row| Row(row)).collect();
        let mut bias = Row::ZERO;
        bias.0.copy_from_slice(&weights.bias);
        let output_scale =
            f64::from(header.scale) / f64::from(QUANT_INPUT * QUANT_INPUT * header.output_unit);
        // Biases are in units of 255 * output unit, sums in units of 255 times that.
        let mut output_bias = [0.0; OUTPUTS];
        for (to, from) in output_bias.iter_mut().zip(&weights.output_bias) {
            *to = f64::from(*from) * f64::from(QUANT_INPUT) * output_scale;
        }
        Ok(Self {
            features,
            header,
            rows: rows.into_boxed_slice(),
            bias,
            output: halves.as_chunks().0.into(),
            output_bias,
            output_scale,
        })
    }

    /// The game's inputs as this network numbers them.
    pub fn features(&self) -> &F {
        &self.features
    }

    /// Sizes, scale and name.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The accumulator of an empty board.
    pub fn bias(&self) -> &Row<HIDDEN> {
        &self.bias
    }

    /// One row of the first layer.
    #[inline]
    pub fn row(&self, index: usize) -> &[i16; HIDDEN] {
        &self.rows[index].0
    }

    /// The evaluation, in centipawns for the side whose accumulator is `own`.
    #[inline]
    pub fn output(&self, kernel: Kernel, own: &Row<HIDDEN>, other: &Row<HIDDEN>, bucket: usize) -> i32 {
        let weights = &self.output[bucket];
        let sum = kernel.forward(&own.0, &other.0, [&weights[0].0, &weights[1].0]);
        // Sums are far below 2^53, and one multiplication and one addition give the same on every CPU.
        let score = sum as f64 * self.output_scale + self.output_bias[bucket];
        score.clamp(-MAX_EVALUATION, MAX_EVALUATION) as i32
    }

    /// Computes one accumulator from nothing.
    pub fn refresh(&self, kernel: Kernel, position: &F::Position, perspective: usize) -> Row<HIDDEN> {
        let view = self.features.view(position, perspective);
        let base = self.features.base(view);
        let planes = self.features.planes(position, perspective, view);
        let mut values = self.bias;
        for (plane, &squares) in planes.as_ref().iter().enumerate() {
            for square in bits(squares) {
                let row = self.row(base + plane * F::STRIDE + square);
                kernel.accumulate(&mut values.0, &[row], &[]);
            }
        }
        values
    }

    /// Evaluates a position from nothing, in centipawns for the side to move.
    ///
    /// For tools and tests; a search uses [`crate::AccumulatorStack`].
    pub fn evaluate(&self, position: &F::Position) -> i32 {
        let kernel = Kernel::best();
        let own = F::side_to_move(position);
        let accumulators = [0, 1].map(|perspective| self.refresh(kernel, position, perspective));
        let bucket = self.features.output_bucket(position);
        self.output(kernel, &accumulators[own], &accumulators[1 - own], bucket)
    }
}

/// Numbers of the bits that are set.
#[inline]
pub(crate) fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let bit = set.trailing_zeros() as usize;
            set &= set - 1;
            bit
        })
    })
}
