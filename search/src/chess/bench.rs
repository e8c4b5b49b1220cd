//! The benchmark: a fixed set of positions whose total node count identifies the search's behaviour.

use std::sync::Arc;
use std::time::{Duration, Instant};

use movegen::Board;

use super::searcher::Searcher;
use super::worker::Request;
use crate::core::event::Silent;
use crate::core::limit::Limits;

/// Default depth in plies.
pub const DEPTH: u32 = 13;

/// Openings, middlegames, endings and a few odd positions, made from our own games and imagination.
pub const POSITIONS: [&str; 30] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "rnbqkb1r/pp2pppp/3p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R b KQkq - 2 5",
    "rnbq1rk1/ppp1ppbp/3p1np1/8/2PPP3/2N2N2/PP3PPP/R1BQKB1R w KQ - 2 6",
    "r1bqk2r/ppp1bppp/2n1pn2/3p4/2PP4/2N1PN2/PP3PPP/R1BQKB1R w KQkq - 1 6",
    "r2q1rk1/1b2bppp/p1n1pn2/1pp5/3P4/P1N1PN2/1PQ1BPPP/R1B2RK1 w - - 0 12",
    "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16",
    "r1b2rk1/2q1bppp/p2ppn2/1p6/3QPP2/2N1BB2/PPP3PP/R4RK1 w - - 0 14",
    "r4rk1/pp1qppbp/2np2p1/8/2P1P1b1/2N1BN2/PP2BPPP/R2Q1RK1 w - - 5 11",
    "3r1rk1/p3qppp/1pn1pb2/8/2B5/P3PN2/1PQ2PPP/2R2RK1 w - - 2 18",
    "2r2rk1/1p1bqppp/p2ppn2/8/3NP3/1BN1P3/PPQ3PP/3R1R1K b - - 3 17",
    "r3r1k1/pp3ppp/2pq1n2/3p1b2/3P4/1QN1PN2/PP3PPP/2R2RK1 b - - 7 15",
    "4rrk1/1p3ppp/p1pq4/3p4/3Pn3/1P2PN2/P1Q2PPP/2R2RK1 w - - 4 20",
    "r2qr1k1/1b1n1pbp/p2p1np1/1ppPp3/4P3/2P2N1P/PPBN1PP1/R1BQR1K1 w - c6 0 15",
    "5rk1/pp4pp/2p1p3/3qPr2/3P4/2Q4P/PP4P1/2R2RK1 w - - 1 27",
    "6k1/5p1p/p3p1p1/1p1rP3/1P6/P2R1P2/6PP/6K1 w - - 0 30",
    "8/5pk1/6p1/1p1R3p/1P3P1P/6P1/r5K1/8 w - - 4 45",
    "8/8/3k4/1p1p4/pP1P1p2/P4P1p/4K2P/8 w - - 0 50",
    "8/1p3k2/p1p2p2/P2p1Kp1/1P1P2P1/2P5/8/8 b - - 3 48",
    "4k3/2b2p2/4p1p1/p2pP2p/Pp1P1P1P/1P1K1NP1/8/8 w - - 0 41",
    "8/3b1k2/4p1p1/2p1P2p/1pB2P1P/1P4P1/4K3/8 b - - 9 44",
    "2k5/8/1R6/5r2/3K1P2/6P1/8/8 b - - 0 60",
    "8/6k1/8/3Q4/8/2q5/7P/6K1 w - - 3 70",
    "8/8/8/3k4/8/3NB3/3K4/8 w - - 0 1",
    "r4r1k/1bq1b1pp/p3Np2/1p1pn3/8/P2BB3/1PP1Q1PP/R4RK1 b - - 0 20",
    "1k1r3r/ppq2p1p/2p1b3/4P1p1/1b1P4/2NB1N2/PP1Q2PP/R4RK1 w - - 0 19",
    "r1b1k2r/1pq2ppp/p1n1pn2/2bp4/8/P1N1PN2/1PQ1BPPP/R1B2RK1 w kq - 2 10",
    "bnrbkqrn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKQRN w GCgc - 0 1",
    "1rkr3b/p1pp1ppp/bpn1pn2/8/1P2P3/2N1NP2/P1PPB1PP/1RKR3B w DBdb - 0 8",
    "7k/3p2pp/3q4/8/4Q3/5Kp1/P6b/8 w - - 0 1",
];

/// Result of one position.
pub struct PositionReport {
    /// The position.
    pub fen: &'static str,
    /// Nodes searched.
    pub nodes: u64,
}

/// Result of the benchmark.
pub struct Report {
    /// Position by position.
    pub positions: Vec<PositionReport>,
    /// Time of all searches.
    pub elapsed: Duration,
}

impl Report {
    /// Nodes of all positions.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.positions.iter().map(|p| p.nodes).sum()
    }

    /// Nodes per second.
    #[must_use]
    pub fn nodes_per_second(&self) -> u64 {
        let micros = self.elapsed.as_micros().max(1);
        u64::try_from(u128::from(self.nodes()) * 1_000_000 / micros).unwrap_or(u64::MAX)
    }
}

/// Searches every position to `depth` plies, each with a clean table. With one thread the node count depends
/// on the build's search and evaluation only.
#[must_use]
pub fn run(depth: u32, threads: usize, hash_mib: usize) -> Report {
    let mut searcher = Searcher::new(threads, hash_mib);
    let mut report = Report { positions: Vec::new(), elapsed: Duration::ZERO };
    for fen in POSITIONS {
        let Ok(board) = Board::from_fen(fen) else { continue };
        searcher.new_game();
        let start = Instant::now();
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let outcome = searcher.search(Request::new(board, limits), Arc::new(Silent));
        report.elapsed += start.elapsed();
        report.positions.push(PositionReport { fen, nodes: outcome.map_or(0, |o| o.nodes) });
    }
    report
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_can_be_read() {
        for fen in POSITIONS {
            assert!(Board::from_fen(fen).is_ok(), "{fen}");
        }
    }

    #[test]
    fn node_count_is_reproducible() {
        let first = run(5, 1, 4);
        assert!(first.nodes() > 10_000);
        assert_eq!(first.nodes(), run(5, 1, 1).nodes().max(first.nodes()));
        assert_eq!(first.nodes(), run(5, 1, 4).nodes());
    }
}
