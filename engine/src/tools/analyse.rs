//! `dyad analyse`: thinks about a position, the positions of a file, or every move of the games of a file.

mod annotate;
mod database;
mod game;
mod position;
mod positions;
mod seer;

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use search::core::limit::Limits;
use study::Failure;

use crate::letters::Letters;

pub use position::white_score;

/// Nodes for each position of a file when no limit is given: the result is the same every time then.
const DEFAULT_NODES: u64 = 200_000;
/// Best lines for each position of a game: the second tells whether a move was the only good one.
const GAME_LINES: u32 = 2;

/// Arguments of `analyse`.
#[derive(Args)]
pub struct AnalyseArgs {
    /// A FEN in quotes, or `startpos`
    #[arg(value_name = "FEN|startpos", default_value = "startpos", conflicts_with_all = ["pgn", "epd"])]
    pub position: String,
    /// Analyse the games of this file
    #[arg(long, value_name = "FILE", group = "file", conflicts_with = "epd")]
    pub pgn: Option<PathBuf>,
    /// Analyse the positions of this file
    #[arg(long, value_name = "FILE", group = "file")]
    pub epd: Option<PathBuf>,
    /// Stop at this depth in plies
    #[arg(long, value_parser = study::depth())]
    pub depth: Option<u32>,
    /// Stop after this many nodes (200000 for the positions of a file when no limit is given)
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Stop after this many seconds (3 for a single position when no limit is given)
    #[arg(long, value_parser = study::seconds)]
    pub time: Option<Duration>,
    /// Number of best lines (1; 2 for games)
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=256))]
    pub multipv: Option<u32>,
    /// Number of searching threads, or of games or positions of a file at a time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: u32,
    /// Size of the transposition table in MiB; each thread has its own when a file is analysed
    #[arg(long, default_value_t = 64, value_name = "MB", value_parser = study::hash())]
    pub hash: u32,
    /// Write the annotated games or positions here; `-` is standard output
    #[arg(long, value_name = "FILE", requires = "file", conflicts_with = "position")]
    pub out: Option<PathBuf>,
    /// Write a report for a browser here
    #[arg(long, value_name = "FILE", requires = "pgn", conflicts_with_all = ["epd", "position"])]
    pub html: Option<PathBuf>,
    /// Print the results as JSON, one line for each game or position
    #[arg(long)]
    pub json: bool,
    /// Letters of the men in what is written
    #[arg(long, value_enum, default_value_t)]
    pub letters: Letters,
    /// Letters of the men in the games that are read; English ones are understood too where they differ
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "LETTERS",
        requires = "pgn",
        conflicts_with_all = ["epd", "position"]
    )]
    pub read_letters: Letters,
}

impl AnalyseArgs {
    /// The limits of each search, `default` when none is given.
    fn limits(&self, default: Limits) -> Limits {
        let limits =
            Limits { depth: self.depth, nodes: self.nodes, move_time: self.time, ..Limits::default() };
        if limits == Limits::default() { default } else { limits }
    }

    fn file_limits(&self) -> Limits {
        self.limits(Limits { nodes: Some(DEFAULT_NODES), ..Limits::default() })
    }
}

/// Analyses what the arguments name.
///
/// # Errors
/// When something cannot be read or written, or a file holds nothing to analyse.
pub fn run(args: &AnalyseArgs) -> Result<(), Failure> {
    match (&args.pgn, &args.epd) {
        (Some(path), _) => database::run(args, path),
        (None, Some(path)) => positions::run(args, path),
        (None, None) => Ok(position::run(args)?),
    }
}
