//! A searcher for one position after another.

use std::sync::Arc;
use std::time::Instant;

use movegen::{Board, Move};
use search::chess::{Request, Searcher};
use search::core::event::{Collector, Event, Sink};
use search::core::limit::Limits;
use study::interrupted;

/// Searches positions under the same limits.
pub struct Seer {
    searcher: Searcher,
    limits: Limits,
    lines: usize,
}

/// What a search found.
pub struct Found {
    /// Last finished iteration in plies.
    pub depth: u32,
    /// Nodes searched.
    pub nodes: u64,
    /// Scores seen by the side to move and lines, the best first; at least one.
    pub lines: Vec<(i32, Vec<Move>)>,
}

impl Seer {
    /// A searcher with `threads` threads, a table of `hash` MiB and `lines` best lines.
    pub fn new(threads: usize, hash: usize, limits: Limits, lines: usize) -> Self {
        Self { searcher: Searcher::new(threads, hash), limits, lines }
    }

    /// Forgets everything learned, so that the next game is analysed as if it were the first.
    pub fn new_game(&mut self) {
        self.searcher.new_game();
    }

    /// Searches a position, until an interrupt; `None` when there is no legal move.
    pub fn look(&mut self, board: &Board) -> Option<Found> {
        if !board.has_legal_move() {
            return None;
        }
        let mut request = Request::new(board.clone(), self.limits.clone());
        request.multi_pv = self.lines;
        request.start = Instant::now();
        let collector = Arc::new(Collector::new());
        let sink: Arc<dyn Sink<Move>> = collector.clone();
        let outcome = self.searcher.search_until(request, sink, interrupted)?;
        let best = outcome.best?;
        let pv = if outcome.pv.first() == Some(&best) { outcome.pv } else { vec![best] };
        let mut lines = vec![(outcome.score, pv)];
        // The newest of each further line, as far as it begins with a move of its own.
        let mut others: Vec<Option<(i32, Vec<Move>)>> = vec![None; self.lines.saturating_sub(1)];
        for event in collector.take() {
            let Event::Info(info) = event else { continue };
            if info.bound.is_none()
                && let Some(slot) = info.multi_pv.checked_sub(2).and_then(|index| others.get_mut(index))
            {
                *slot = Some((info.score, info.pv));
            }
        }
        for (score, pv) in others.into_iter().flatten() {
            if !pv.is_empty() && lines.iter().all(|(_, line)| line.first() != pv.first()) {
                lines.push((score, pv));
            }
        }
        Some(Found { depth: outcome.depth, nodes: outcome.nodes, lines })
    }
}
