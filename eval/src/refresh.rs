//! Accumulators of views that a search comes back to.

use arrayvec::ArrayVec;

use crate::feature::FeatureSet;
use crate::kernels::Kernel;
use crate::network::{Network, Row, bits};

/// Rows that differ between two positions of one view: no game has more than 40 pieces.
const MAX_ROWS: usize = 40;

/// The last accumulator computed for one view of one perspective, and the pieces it stands for.
#[derive(Clone)]
struct Cached<P, const HIDDEN: usize> {
    values: Row<HIDDEN>,
    planes: P,
}

/// The last accumulator of every view of both perspectives (L. Finny, Koivisto, 2022).
pub struct RefreshCache<F: FeatureSet, const HIDDEN: usize> {
    /// By perspective, then view.
    cached: Vec<Cached<F::Planes, HIDDEN>>,
}

impl<F: FeatureSet, const HIDDEN: usize> RefreshCache<F, HIDDEN> {
    /// A cache of empty boards.
    pub fn new<const OUTPUTS: usize>(network: &Network<F, HIDDEN, OUTPUTS>) -> Self {
        let empty = Cached { values: *network.bias(), planes: F::Planes::default() };
        Self { cached: vec![empty; 2 * network.features().views()] }
    }

    /// The accumulator of a position, computed from the last one of the same view. `network` must be the one the
    /// cache was made for.
    #[inline]
    pub fn accumulator<const OUTPUTS: usize>(
        &mut self,
        network: &Network<F, HIDDEN, OUTPUTS>,
        kernel: Kernel,
        position: &F::Position,
        perspective: usize,
    ) -> &Row<HIDDEN> {
        let features = network.features();
        let view = features.view(position, perspective);
        let base = features.base(view);
        let planes = features.planes(position, perspective, view);
        let cached = &mut self.cached[perspective * features.views() + features.view_index(view)];

        let mut added: ArrayVec<&[i16; HIDDEN], MAX_ROWS> = ArrayVec::new();
        let mut removed: ArrayVec<&[i16; HIDDEN], MAX_ROWS> = ArrayVec::new();
        for (plane, (&new, &old)) in planes.as_ref().iter().zip(cached.planes.as_ref()).enumerate() {
            let first = base + plane * F::STRIDE;
            for square in bits(new & !old) {
                added.push(network.row(first + square));
            }
            for square in bits(old & !new) {
                removed.push(network.row(first + square));
            }
        }
        kernel.accumulate(&mut cached.values.0, &added, &removed);
        cached.planes = planes;
        &cached.values
    }
}
