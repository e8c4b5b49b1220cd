//! `dyad perft`: counts move paths.

use std::time::Instant;

use movegen::{Board, divide_until, perft_parallel};

use crate::cli::{PerftArgs, position};
use crate::console;

/// Runs perft and prints the count.
///
/// # Errors
/// When the position cannot be read.
pub fn run(args: &PerftArgs) -> Result<(), String> {
    let board = position(args.fen.as_deref().unwrap_or("startpos"))?;
    let threads = args.threads.unwrap_or(0) as usize;
    let chess960 = args.chess960 || board.is_chess960();
    if args.divide {
        divide(&board, args.depth, chess960, threads, &|| false, console::line)?;
    } else {
        let start = Instant::now();
        let nodes = perft_parallel(&board, args.depth, threads).map_err(|error| error.to_string())?;
        console::line(format_args!("{}", total(nodes, start)));
    }
    Ok(())
}

/// Prints the count behind each legal move and the sum. `threads` 0 means one for each processor.
///
/// # Errors
/// When the threads cannot be started, or `is_cancelled` says that nobody waits for the count any more.
pub fn divide(
    board: &Board,
    depth: u32,
    chess960: bool,
    threads: usize,
    is_cancelled: &(dyn Fn() -> bool + Sync),
    mut line: impl FnMut(String),
) -> Result<(), String> {
    let start = Instant::now();
    let counts = divide_until(board, depth, threads, is_cancelled).map_err(|error| error.to_string())?;
    let counts = counts.ok_or("perft stopped before its end")?;
    for (mv, count) in &counts {
        line(format!("{}: {count}", mv.uci(chess960)));
    }
    let nodes = if depth == 0 { 1 } else { counts.iter().map(|(_, count)| count).sum() };
    line(total(nodes, start));
    Ok(())
}

fn total(nodes: u64, start: Instant) -> String {
    let micros = start.elapsed().as_micros().max(1);
    format!("{nodes} nodes {} nps", u128::from(nodes) * 1_000_000 / micros)
}
