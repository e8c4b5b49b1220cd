//! `dyad bench`: the fixed set of positions.

use search::chess::bench::{self, Report};

use crate::cli::BenchArgs;
use crate::console;

/// Runs the benchmark and prints it.
pub fn run(args: &BenchArgs) {
    let depth = args.depth.or(args.plain_depth).unwrap_or(bench::DEPTH);
    let report = bench::run(depth, args.threads as usize, args.hash as usize);
    print(&report, console::line);
}

/// Prints a line for each position and the sum, whose last words are `N nodes N nps`.
pub fn print(report: &Report, mut line: impl FnMut(String)) {
    for position in &report.positions {
        line(format!("{:>12} nodes  {}", position.nodes, position.fen));
    }
    line(format!("{} nodes {} nps", report.nodes(), report.nodes_per_second()));
}
