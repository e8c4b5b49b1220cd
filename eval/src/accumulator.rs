//! Accumulators that follow a search: one entry for each ply, computed only when an evaluation needs it.

use std::sync::Arc;

use arrayvec::ArrayVec;

use crate::feature::FeatureSet;
use crate::kernels::Kernel;
use crate::network::{Network, Row};
use crate::refresh::RefreshCache;

/// Plies for which there is room from the start; deeper lines make the stack grow.
const INITIAL_PLIES: usize = 256;
/// Pieces that one move may add or remove before the entry is computed by refresh instead. A chess move
/// changes two and two at most; a draughts capture of up to seven men stays below.
const MAX_CHANGES: usize = 8;

/// A piece that appeared on or vanished from a square, both numbered as the game's [`FeatureSet`] does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The piece.
    pub piece: u8,
    /// The square.
    pub square: u8,
}

/// What the move that led to an entry changed.
#[derive(Clone, Default)]
struct Delta {
    added: ArrayVec<Change, MAX_CHANGES>,
    removed: ArrayVec<Change, MAX_CHANGES>,
    /// For each perspective: its view may have changed, so the parent's values are of no use.
    refresh: [bool; 2],
}

#[derive(Clone)]
struct Entry<const HIDDEN: usize> {
    values: [Row<HIDDEN>; 2],
    computed: [bool; 2],
    delta: Delta,
}

impl<const HIDDEN: usize> Entry<HIDDEN> {
    fn new() -> Self {
        Self { values: [Row::ZERO; 2], computed: [false; 2], delta: Delta::default() }
    }
}

/// The accumulators along the line that a search is looking at.
///
/// Call [`AccumulatorStack::push`] before a move is made, report its changes, and call
/// [`AccumulatorStack::pop`] when it is taken back. A null move changes no piece and needs neither. Nothing is
/// computed before [`AccumulatorStack::evaluate`], which updates from the nearest computed ancestor or, when
/// the view has changed since, from a cache with one entry for each view.
pub struct AccumulatorStack<F: FeatureSet, const HIDDEN: usize, const OUTPUTS: usize> {
    network: Arc<Network<F, HIDDEN, OUTPUTS>>,
    kernel: Kernel,
    entries: Vec<Entry<HIDDEN>>,
    top: usize,
    cache: RefreshCache<F, HIDDEN>,
}

impl<F: FeatureSet, const HIDDEN: usize, const OUTPUTS: usize> AccumulatorStack<F, HIDDEN, OUTPUTS> {
    /// A stack at its root, with the fastest kernel of this CPU.
    pub fn new(network: Arc<Network<F, HIDDEN, OUTPUTS>>) -> Self {
        Self::with_kernel(network, Kernel::best())
    }

    /// A stack at its root that uses a given kernel, for tests and benchmarks.
    pub fn with_kernel(network: Arc<Network<F, HIDDEN, OUTPUTS>>, kernel: Kernel) -> Self {
        let cache = RefreshCache::new(&network);
        Self { network, kernel, entries: vec![Entry::new(); INITIAL_PLIES], top: 0, cache }
    }

    /// The network in use.
    pub fn network(&self) -> &Arc<Network<F, HIDDEN, OUTPUTS>> {
        &self.network
    }

    /// Goes back to the root for a new position. The refresh cache stays: it holds whole positions.
    pub fn reset(&mut self) {
        self.top = 0;
        self.entries[0].computed = [false; 2];
    }

    /// Begins a new ply; changes reported from now on belong to it.
    #[inline]
    pub fn push(&mut self) {
        self.top += 1;
        if self.top == self.entries.len() {
            self.entries.push(Entry::new());
        }
        let entry = &mut self.entries[self.top];
        entry.computed = [false; 2];
        entry.delta.added.clear();
        entry.delta.removed.clear();
        entry.delta.refresh = [false; 2];
    }

    /// Takes the last ply back.
    ///
    /// # Panics
    ///
    /// At the root.
    #[inline]
    pub fn pop(&mut self) {
        assert!(self.top > 0, "pop at the root of the accumulator stack");
        self.top -= 1;
    }

    /// Plies since the root.
    #[inline]
    pub fn ply(&self) -> usize {
        self.top
    }

    /// Reports a piece that the move puts on a square.
    #[inline]
    pub fn add(&mut self, change: Change) {
        let delta = &mut self.entries[self.top].delta;
        if delta.added.try_push(change).is_err() {
            delta.refresh = [true; 2];
        }
    }

    /// Reports a piece that the move takes from a square.
    #[inline]
    pub fn remove(&mut self, change: Change) {
        let delta = &mut self.entries[self.top].delta;
        if delta.removed.try_push(change).is_err() {
            delta.refresh = [true; 2];
        }
    }

    /// Reports that the move changes the view of a perspective (0 or 1).
    #[inline]
    pub fn change_view(&mut self, perspective: usize) {
        self.entries[self.top].delta.refresh[perspective] = true;
    }

    /// The evaluation of the current ply's position, in centipawns for the side to move.
    #[inline]
    pub fn evaluate(&mut self, position: &F::Position) -> i32 {
        self.materialise(position, 0);
        self.materialise(position, 1);
        let own = F::side_to_move(position);
        let bucket = self.network.features().output_bucket(position);
        let values = &self.entries[self.top].values;
        self.network.output(self.kernel, &values[own], &values[1 - own], bucket)
    }

    /// The accumulators of the current ply, computed if need be.
    pub fn accumulators(&mut self, position: &F::Position) -> &[Row<HIDDEN>; 2] {
        self.materialise(position, 0);
        self.materialise(position, 1);
        &self.entries[self.top].values
    }

    #[inline]
    fn materialise(&mut self, position: &F::Position, perspective: usize) {
        let mut from = self.top;
        while !self.entries[from].computed[perspective] {
            if from == 0 || self.entries[from].delta.refresh[perspective] {
                self.refresh(position, perspective);
                return;
            }
            from -= 1;
        }
        if from == self.top {
            return;
        }
        // No view change lies between, so the current view holds for all these plies.
        let view = self.network.features().view(position, perspective);
        for ply in from + 1..=self.top {
            self.step(ply, perspective, view);
        }
    }

    /// Computes one ply from the ply before.
    #[inline]
    fn step(&mut self, ply: usize, perspective: usize, view: F::View) {
        let (before, after) = self.entries.split_at_mut(ply);
        let source = &before[ply - 1].values[perspective].0;
        let Entry { values, computed, delta } = &mut after[0];
        let target = &mut values[perspective].0;
        let network = &*self.network;
        let row = |change: &Change| {
            network.row(network.features().row(view, perspective, change.piece, change.square))
        };
        match (delta.added.as_slice(), delta.removed.as_slice()) {
            ([a], [r]) => self.kernel.update(target, source, [row(a)], [row(r)]),
            ([a], [r, s]) => self.kernel.update(target, source, [row(a)], [row(r), row(s)]),
            ([a, b], [r, s]) => self.kernel.update(target, source, [row(a), row(b)], [row(r), row(s)]),
            (added, removed) => {
                let added: ArrayVec<_, MAX_CHANGES> = added.iter().map(row).collect();
                let removed: ArrayVec<_, MAX_CHANGES> = removed.iter().map(row).collect();
                *target = *source;
                self.kernel.accumulate(target, &added, &removed);
            }
        }
        computed[perspective] = true;
    }

    /// Computes the current ply from the cached accumulator of its view.
    fn refresh(&mut self, position: &F::Position, perspective: usize) {
        let entry = &mut self.entries[self.top];
        entry.values[perspective] =
            *self.cache.accumulator(&self.network, self.kernel, position, perspective);
        entry.computed[perspective] = true;
    }
}
