//! The command line.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, CommandFactory, Parser, Subcommand};
use movegen::Board;
use study::{Failure, exit_code, read_arguments};

use crate::book::make::Scoring;
use crate::console::CONSOLE;
use crate::input::{self, Protocol};
use crate::log_file;
use crate::tools;

/// Plays and analyses chess. Without a sub-command it speaks UCI, the protocol of chess programs, or CECP when the
/// first line is `xboard`.
#[derive(Parser)]
#[command(name = "dyad", version, long_version = crate::build::version(), about, long_about = None, after_help = EXAMPLES)]
struct Cli {
    /// Append every line in and out to this file
    #[arg(long, global = true, value_name = "FILE")]
    log: Option<PathBuf>,
    #[command(subcommand)]
    command: Option<Command>,
}

const EXAMPLES: &str = "\
Examples:
  dyad                                    speak UCI, or CECP if asked (what a chess program starts)
  dyad analyse startpos --time 5          think five seconds about the start position
  dyad analyse 'FEN' --depth 20 --multipv 3
  dyad analyse --pgn games.pgn --out annotated.pgn --html report.html
  dyad suite wac.epd --time 1             solve a test suite
  dyad perft 6 --divide                   count move paths
  dyad bench                              search a fixed set of positions";

#[derive(Subcommand)]
enum Command {
    /// Speak UCI (the default)
    Uci,
    /// Speak CECP, the protocol of xboard and WinBoard (also chosen by a first line `xboard`)
    Cecp,
    /// Search a fixed set of positions; the node count identifies the build's behaviour
    Bench(BenchArgs),
    /// Count the legal move paths of a given length
    Perft(PerftArgs),
    /// Show the static evaluation of a position
    Eval(PositionArgs),
    /// Think about a position, the positions of an EPD file or the games of a PGN file
    Analyse(tools::analyse::AnalyseArgs),
    /// Solve the positions of a test suite (EPD) and count
    Suite(tools::suite::SuiteArgs),
    /// Judge whole games by the laws: claims, ends, flag falls, results
    Referee(tools::referee::RefereeArgs),
    /// Let engines play against each other: UCI and CECP, clocks, openings, Elo, SPRT
    Match(Box<arena::MatchArgs>),
    /// Play against the engine in the terminal
    Play(tools::play::PlayArgs),
    /// Print the completions for a shell
    Completions(study::CompletionArgs),
    /// Print the manual page
    Man(study::ManArgs),
    /// Play games against itself and keep them as training data
    Datagen(DatagenArgs),
    /// Tune the search by games of the engine against itself (docs/tuning.md)
    #[cfg(feature = "tune")]
    Tune(search::core::tune::TuneArgs),
    /// Look at or rearrange training data
    #[command(subcommand)]
    Data(DataCommand),
    /// Look at games in PGN
    #[command(subcommand)]
    Pgn(PgnCommand),
    /// Make, show, merge and check opening books
    #[command(subcommand)]
    Book(BookCommand),
    /// Ask Syzygy endgame tables
    #[command(subcommand)]
    Syzygy(SyzygyCommand),
}

/// Arguments of `bench`.
#[derive(Args, Clone)]
pub struct BenchArgs {
    /// Depth in plies for each position
    #[arg(long, value_parser = study::bench_depth())]
    pub depth: Option<u32>,
    /// The same without the option's name
    #[arg(value_name = "DEPTH", conflicts_with = "depth", value_parser = study::bench_depth())]
    pub plain_depth: Option<u32>,
    /// Number of searching threads
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=i64::from(options_max_threads())))]
    pub threads: u32,
    /// Size of the transposition table in MiB
    #[arg(long, default_value_t = 16, value_name = "MB", value_parser = study::hash())]
    pub hash: u32,
}

/// Arguments of `perft`.
#[derive(Args)]
pub struct PerftArgs {
    /// Length of the paths in plies
    #[arg(value_parser = study::perft_depth())]
    pub depth: u32,
    /// Position to start from; the start position when missing
    #[arg(long)]
    pub fen: Option<String>,
    /// Spell castling the Chess960 way (king takes rook)
    #[arg(long)]
    pub chess960: bool,
    /// Number of threads; all processors when missing
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: Option<u32>,
    /// Show the count of each first move
    #[arg(long)]
    pub divide: bool,
}

/// A position on the command line.
#[derive(Args)]
pub struct PositionArgs {
    /// A FEN in quotes, or `startpos`
    #[arg(value_name = "FEN|startpos", default_value = "startpos")]
    pub position: String,
}

/// Arguments of `datagen`.
#[derive(Args)]
pub struct DatagenArgs {
    /// Number of games that the file shall hold
    #[arg(long)]
    pub games: u64,
    /// Nodes per move; the iteration in progress is finished
    #[arg(long, default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub nodes: u64,
    /// Number of games at a time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: u32,
    /// Seed of the random openings: use another one for every file
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Games from Chess960 starts, in percent
    #[arg(long, default_value_t = 25, value_name = "PERCENT", value_parser = clap::value_parser!(u8).range(0..=100))]
    pub chess960: u8,
    /// File to append to (viriformat)
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// What can be done with training data.
#[derive(Subcommand)]
pub enum DataCommand {
    /// Replay every game and report the first faults
    Check {
        /// File of games
        file: PathBuf,
    },
    /// Count games, positions, results and scores
    Stats {
        /// File of games
        file: PathBuf,
    },
    /// Fit the chances of win, draw and loss to the scores and results of games
    Wdl {
        /// File of games
        file: PathBuf,
    },
    /// Put games of several files into one, evenly mixed, in constant memory
    Merge {
        /// Files of games
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// File to write
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Write the games of a file in random order
    Shuffle {
        /// File of games
        file: PathBuf,
        /// File to write
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// Seed of the order
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
}

/// What can be done with games in PGN.
#[derive(Subcommand)]
pub enum PgnCommand {
    /// Play through every game and report faults and totals
    Check {
        /// File of games
        file: PathBuf,
    },
    /// Rate the players by all their games
    Ratings(tools::pgn::ratings::RatingsArgs),
}

/// What can be done with opening books (Polyglot format).
#[derive(Subcommand)]
pub enum BookCommand {
    /// Make a book of games
    Make(MakeArgs),
    /// Show the moves of a position
    Show {
        #[command(flatten)]
        position: PositionArgs,
        /// The book
        #[arg(long, value_name = "FILE")]
        book: PathBuf,
    },
    /// Put several books into one; weights of the same move are added up
    Merge {
        /// The books
        #[arg(required = true)]
        books: Vec<PathBuf>,
        /// File to write
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Look for faults in a book
    Check {
        /// The book
        book: PathBuf,
    },
}

/// Arguments of `book make`.
#[derive(Args)]
pub struct MakeArgs {
    /// Files of games in PGN
    #[arg(required = true)]
    pub games: Vec<PathBuf>,
    /// File to write
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Half-moves of each game to take
    #[arg(long, default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub plies: u32,
    /// Games that must have a move
    #[arg(long, default_value_t = 3, value_name = "GAMES", value_parser = clap::value_parser!(u32).range(1..))]
    pub min_games: u32,
    /// What the weight of a move is: two points for a win and one for a draw, or the number of games
    #[arg(long, value_enum, default_value_t = Scoring::Result)]
    pub scoring: Scoring,
    /// Side whose moves are taken
    #[arg(long, value_enum, default_value_t = BookSide::Both)]
    pub color: BookSide,
    /// Memory for counting in MiB; what does not fit is put aside on the disk
    #[arg(long, default_value_t = 512, value_name = "MB", value_parser = study::hash())]
    pub memory: u32,
}

/// The side for which a book is made.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum BookSide {
    /// White
    White,
    /// Black
    Black,
    /// Both sides
    Both,
}

/// What can be done with endgame tables.
#[derive(Subcommand)]
pub enum SyzygyCommand {
    /// Show value and distance of positions
    Probe {
        /// Folders of tables, as in the option SyzygyPath
        #[arg(long, value_name = "FOLDERS")]
        path: String,
        /// FENs in quotes; without any they are read from standard input, one a line
        #[arg(value_name = "FEN")]
        positions: Vec<String>,
    },
    /// Measure the speed of value probes over the positions on standard input
    Speed {
        /// Folders of tables, as in the option SyzygyPath
        #[arg(long, value_name = "FOLDERS")]
        path: String,
        /// Time to measure
        #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=3600))]
        seconds: u64,
    },
}

const fn options_max_threads() -> u32 {
    crate::options::MAX_THREADS as u32
}

/// Reads a position given on the command line.
pub fn position(text: &str) -> Result<Board, String> {
    if text.eq_ignore_ascii_case("startpos") {
        return Ok(Board::startpos());
    }
    Board::from_fen(text).map_err(|error| format!("'{text}': {error}"))
}

/// Runs the program.
pub fn run() -> ExitCode {
    let arguments: Vec<String> =
        std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect();
    if tools::genfens::is_wanted(&arguments) {
        return tools::genfens::run(&arguments).map_or_else(fail, |()| ExitCode::SUCCESS);
    }
    let cli: Cli = match read_arguments(CONSOLE) {
        Ok(cli) => cli,
        Err(status) => return status,
    };
    if let Err(error) = log_file::begin(cli.log.as_deref()) {
        return fail(error);
    }
    exit_code(run_command(cli.command.as_ref()), CONSOLE)
}

/// Does what the sub-command says; without one it speaks a protocol. Returns the exit status.
fn run_command(command: Option<&Command>) -> Result<u8, Failure> {
    match command {
        None => input::run(None),
        Some(Command::Uci) => input::run(Some(Protocol::Uci)),
        Some(Command::Cecp) => input::run(Some(Protocol::Cecp)),
        Some(Command::Bench(args)) => tools::bench::run(args),
        Some(Command::Perft(args)) => tools::perft::run(args)?,
        Some(Command::Eval(args)) => tools::eval::run(&position(&args.position)?),
        Some(Command::Analyse(args)) => tools::analyse::run(args)?,
        Some(Command::Suite(args)) => tools::suite::run(args)?,
        Some(Command::Referee(args)) => tools::referee::run(args)?,
        Some(Command::Match(args)) => return Ok(tools::matches::run(args)?),
        Some(Command::Play(args)) => tools::play::run(args)?,
        Some(Command::Completions(args)) => study::completions(Cli::command(), args, CONSOLE),
        Some(Command::Man(args)) => study::man(Cli::command(), args, CONSOLE)?,
        Some(Command::Datagen(args)) => tools::datagen::run(args)?,
        #[cfg(feature = "tune")]
        Some(Command::Tune(args)) => tools::tune::run(args)?,
        Some(Command::Data(command)) => tools::data::run(command)?,
        Some(Command::Pgn(command)) => tools::pgn::run(command)?,
        Some(Command::Book(command)) => tools::book::run(command)?,
        Some(Command::Syzygy(command)) => tools::syzygy::run(command)?,
    }
    Ok(0)
}

/// A wrong argument: one line on standard error, exit status 2.
fn fail(message: String) -> ExitCode {
    Failure::Usage(message).report(CONSOLE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
