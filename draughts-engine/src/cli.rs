//! The command line: sub-commands, their arguments and exit statuses (0 done, 1 the work failed, 2 wrong use).

use crate::tool::{analyse, bench, bitbase, book, data, dxp, matches, play, referee, suite, train};
use clap::{Args, CommandFactory, Parser, Subcommand};
use draughts::eval::Evaluation;
use draughts::session::Session;
use draughts::{Position, Variant, fen, perft, with_rules};
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;
use study::{Console, Failure, exit_code, read_arguments};
use uci::io::Writer;

/// Standard output of the program.
pub const CONSOLE: Console<'static> = Console::new("dyad-draughts");

/// Dyad draughts plays 10x10 international draughts.
#[derive(Parser)]
#[command(name = "dyad-draughts", version, long_version = version())]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Speak the Hub protocol on standard input and output; so does the program without a command.
    Hub,
    /// Count the sequences of legal moves of a length: a test of the rules and of their speed.
    Perft(Perft),
    /// Search fixed positions to a fixed depth; the number of nodes tells whether the search is the same.
    Bench {
        /// Plies.
        #[arg(default_value_t = bench::DEPTH, value_parser = study::bench_depth())]
        depth: u32,
    },
    /// Draw a position and give its static evaluation.
    Eval {
        /// `start`, a FEN such as `W:W31-50:B1-20`, or a Hub position.
        #[arg(value_parser = position)]
        position: Position,
        /// Network, as `train` writes it, or `<material>`; that of the program if absent.
        #[arg(long)]
        eval: Option<PathBuf>,
    },
    /// Search a position, or every position of the games of a PDN file.
    Analyse(analyse::Analyse),
    /// Play against the engine in the terminal.
    Play(play::Play),
    /// Judge whole games by the rules: legality, draws by rule, results.
    Referee(referee::Referee),
    /// Let engines play against each other: Hub, clocks, openings, Elo, SPRT.
    Match(Box<arena::MatchArgs>),
    /// Solve the positions of a test suite and count.
    Suite(suite::Suite),
    /// Make and look at opening books.
    #[command(subcommand)]
    Book(book::Command),
    /// Play over a network connection with the DamExchange protocol.
    Dxp(dxp::Dxp),
    /// Print the completions for a shell.
    Completions(study::CompletionArgs),
    /// Print the manual page.
    Man(study::ManArgs),
    /// Let the engine play against itself and store the games for training.
    Datagen(data::Datagen),
    /// Fit a network to stored games.
    Train(Box<train::Train>),
    /// Tune the search by games of the engine against itself (docs/tuning.md).
    #[cfg(feature = "tune")]
    Tune(search::core::tune::TuneArgs),
    /// Look at stored games.
    #[command(subcommand)]
    Data(data::Data),
    /// Make, prove and ask endgame tables.
    #[command(subcommand)]
    Bitbase(bitbase::Bitbase),
}

#[derive(Args)]
struct Perft {
    /// Number of plies, at most 30.
    #[arg(value_parser = study::perft_depth())]
    depth: u32,
    /// Position to begin from (`W:W31-50:B1-20`, a Hub position or `start`).
    #[arg(long, value_parser = position, default_value = "start", hide_default_value = true)]
    fen: Position,
    /// Rules: normal, killer, bt, losing or frisian.
    #[arg(long, default_value_t)]
    variant: Variant,
    /// Threads.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Show the count of each move.
    #[arg(long)]
    divide: bool,
}

pub fn position(text: &str) -> Result<Position, String> {
    fen::parse_any(text).map_err(|error| error.to_string())
}

/// The positions of a file, one on each line that is not empty.
pub fn read_openings(path: &Path) -> Result<Vec<Position>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let wrong = |n, error| format!("{}, line {n}: {error}", path.display());
    let positions = lines.map(|(n, line)| position(line).map_err(|error| wrong(n, error)));
    let positions = positions.collect::<Result<Vec<_>, _>>()?;
    if positions.is_empty() { Err(format!("{}: no position", path.display())) } else { Ok(positions) }
}

/// Runs the command that the arguments name.
pub fn run() -> ExitCode {
    match read_arguments::<Cli>(CONSOLE) {
        Ok(cli) => exit_code(run_command(cli.command.unwrap_or(Command::Hub)), CONSOLE),
        Err(status) => status,
    }
}

/// Does what the sub-command says; returns the exit status.
fn run_command(command: Command) -> Result<u8, Failure> {
    match command {
        Command::Hub => run_hub()?,
        Command::Perft(arguments) => run_perft(&arguments)?,
        Command::Bench { depth } => bench::run(depth)?,
        Command::Eval { position, eval } => analyse::eval(&position, eval.as_deref())?,
        Command::Analyse(arguments) => analyse::analyse(&arguments)?,
        Command::Play(arguments) => play::play(&arguments)?,
        Command::Referee(arguments) => referee::run(&arguments)?,
        Command::Match(arguments) => return Ok(matches::run(&arguments)?),
        Command::Suite(arguments) => suite::suite(&arguments)?,
        Command::Book(command) => book::book(&command)?,
        Command::Dxp(arguments) => dxp::dxp(&arguments)?,
        Command::Completions(arguments) => study::completions(Cli::command(), &arguments, CONSOLE),
        Command::Man(arguments) => study::man(Cli::command(), &arguments, CONSOLE)?,
        Command::Datagen(arguments) => data::datagen(&arguments)?,
        Command::Train(arguments) => train::train(*arguments)?,
        #[cfg(feature = "tune")]
        Command::Tune(arguments) => crate::tool::tune::run(&arguments)?,
        Command::Data(command) => data::data(&command)?,
        Command::Bitbase(command) => bitbase::bitbase(&command)?,
    }
    Ok(0)
}

/// The evaluation of a file, or of the program.
pub fn evaluation(file: Option<&Path>) -> Result<Evaluation, String> {
    match file {
        Some(path) => Evaluation::load(path).map_err(|error| format!("{}: {error}", path.display())),
        None => Ok(Evaluation::default()),
    }
}

/// Version, sources, evaluation and target, one on each line.
fn version() -> String {
    format!(
        "{}\nbuild:  {} ({})\nnet:    built-in {}\ntarget: {}",
        env!("CARGO_PKG_VERSION"),
        env!("BUILD_COMMIT"),
        env!("BUILD_PROFILE"),
        Evaluation::default().name(),
        env!("BUILD_TARGET"),
    )
}

/// Prints a line, see [`Console::line`].
pub fn print(line: impl Display) {
    CONSOLE.line(line);
}

/// Prints a line of work that goes on whether anybody reads it or not.
pub fn print_aside(line: impl Display) {
    CONSOLE.line_aside(line);
}

fn run_hub() -> Result<(), Failure> {
    let session = Session::new(Writer::stdout()).run(std::io::stdin().lock());
    session.map_err(|error| Failure::work(format_args!("cannot read: {error}")))
}

fn run_perft(arguments: &Perft) -> Result<(), Failure> {
    let threads = usize::from(arguments.threads);
    let start = Instant::now();
    let counts =
        with_rules!(arguments.variant, R => perft::divide::<R>(&arguments.fen, arguments.depth, threads));
    let counts = counts.map_err(Failure::work)?;
    let seconds = start.elapsed().as_secs_f64().max(1e-9);
    if arguments.divide {
        for (mv, count) in &counts {
            print(format_args!("{mv}: {count}"));
        }
    }
    let nodes = if arguments.depth == 0 { 1 } else { counts.iter().map(|&(_, count)| count).sum::<u64>() };
    print(format_args!("{nodes} nodes {:.0} nps", nodes as f64 / seconds));
    Ok(())
}
