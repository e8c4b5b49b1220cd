//! `bench`: fixed searches whose node count identifies what the engine does.

use crate::cli::print;
use draughts::search::{Request, Shared, Worker, think};
use draughts::{Game, fen};
use search::core::event::Silent;
use search::core::limit::Limits;
use std::time::Instant;
use study::Failure;

/// Depth of each search.
pub const DEPTH: u32 = 15;

/// From the opening to endings with kings.
const POSITIONS: [&str; 14] = [
    "W:W31-50:B1-20",
    "B:W27,28,31-33,35-43,45-49:B1-4,6-9,11-14,16-19,23,24",
    "W:W25,27,28,30,32-38:B12-14,16,18,19,21,23,24,26,8",
    "W:W28,32,33,35-38,42,43,45,48,49:B3,8,13,15-17,19-21,23,24,26",
    "B:W22,28,31-34,37-40,43,44,48:B2,4,6-9,11-15,19,20",
    "W:W22,27,28,31-33,37,38,40,42,45,48:B2,6,11,13-16,18,19,21,25,26",
    "B:W24,29,33,34,38-40,43,45,48:B3,8,9,12-14,17,18,22,25",
    "W:W26,27,32,37,38,42,45:B8,12,13,18,19,24,25",
    "B:W27,33,38,39,43:B13,14,18,22,26",
    "W:W21,33,K47:B5,6,14,K36",
    "W:W15,K28,44:B26,K42,16",
    "B:WK31,39,44:B9,K24,16",
    "W:WK46,K33,28,35:BK5,14",
    "W:WK48,K39,K27:BK5",
];

/// Searches every position with a fresh engine.
///
/// # Errors
/// When one of them cannot be read.
pub fn run(depth: u32) -> Result<(), Failure> {
    let shared = Shared::new(16, 1);
    let mut worker = Worker::default();
    let mut nodes = 0;
    let start = Instant::now();
    for text in POSITIONS {
        let position =
            fen::parse_fen(text).map_err(|error| Failure::work(format_args!("{text}: {error}")))?;
        worker.clear();
        shared.table.clear(1);
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let report = think(&mut worker, &shared, &Request::new(Game::new(position), limits), &Silent);
        nodes += report.nodes;
        let best = report.best.map_or_else(String::new, |mv| mv.to_string());
        print(format_args!("{:>10} nodes {:>7.2} {best}", report.nodes, f64::from(report.score) / 100.0));
    }
    let seconds = start.elapsed().as_secs_f64().max(1e-9);
    print(format_args!("{nodes} nodes {:.0} nps", nodes as f64 / seconds));
    Ok(())
}
