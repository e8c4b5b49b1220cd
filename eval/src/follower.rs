//! Accumulators that follow from one position to the next by what differs between them.

use std::sync::Arc;

use arrayvec::ArrayVec;

use crate::feature::OneView;
use crate::kernels::Kernel;
use crate::network::{Network, Row, bits};

/// Pieces of one position that another has not: no game has more than 40.
const MAX_CHANGES: usize = 40;

/// Evaluates positions one after the other, each by what differs from the one before: for searches whose positions
/// are not made and unmade on one board. A search that makes moves on a board uses [`crate::AccumulatorStack`].
pub struct Follower<F: OneView, const HIDDEN: usize, const OUTPUTS: usize> {
    network: Arc<Network<F, HIDDEN, OUTPUTS>>,
    kernel: Kernel,
    /// By perspective.
    values: [Row<HIDDEN>; 2],
    /// The pieces that the values stand for.
    pieces: F::Planes,
}

impl<F: OneView, const HIDDEN: usize, const OUTPUTS: usize> Follower<F, HIDDEN, OUTPUTS> {
    /// At an empty board, with the fastest kernel of this CPU.
    pub fn new(network: Arc<Network<F, HIDDEN, OUTPUTS>>) -> Self {
        let values = [*network.bias(); 2];
        Self { network, kernel: Kernel::best(), values, pieces: F::Planes::default() }
    }

    /// The network in use.
    pub fn network(&self) -> &Arc<Network<F, HIDDEN, OUTPUTS>> {
        &self.network
    }

    /// The evaluation of a position, in centipawns for the side to move.
    #[inline]
    pub fn evaluate(&mut self, position: &F::Position) -> i32 {
        self.follow(F::pieces(position));
        let own = F::side_to_move(position);
        let bucket = self.network.features().output_bucket(position);
        self.network.output(self.kernel, &self.values[own], &self.values[1 - own], bucket)
    }

    fn follow(&mut self, pieces: F::Planes) {
        let network = &*self.network;
        let mut added: [ArrayVec<&[i16; HIDDEN], MAX_CHANGES>; 2] = Default::default();
        let mut removed: [ArrayVec<&[i16; HIDDEN], MAX_CHANGES>; 2] = Default::default();
        for (piece, (&new, &old)) in pieces.as_ref().iter().zip(self.pieces.as_ref()).enumerate() {
            for (rows, squares) in [(&mut added, new & !old), (&mut removed, old & !new)] {
                for square in bits(squares) {
                    for (perspective, rows) in rows.iter_mut().enumerate() {
                        rows.push(network.row(F::row_of(perspective, piece, square)));
                    }
                }
            }
        }
        for ((values, added), removed) in self.values.iter_mut().zip(&added).zip(&removed) {
            self.kernel.accumulate(&mut values.0, added, removed);
        }
        self.pieces = pieces;
    }
}
