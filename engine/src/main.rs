//! Dyad, a chess engine: UCI and CECP on standard input and output, and tools for the command line.

mod book;
mod build;
mod cecp;
mod cli;
mod console;
mod ending;
mod epd;
mod input;
mod letters;
mod log_file;
mod openings;
mod options;
mod output;
mod pgn;
mod session;
mod source;
mod tools;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
