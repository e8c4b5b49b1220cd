//! `dyad-train`: trains chess networks from self-play games and shows what a network file holds.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand, ValueEnum};
use eval::chess::{KingBuckets, Network};
use eval::netfile;
use eval::train::chess::ChessGame;
use eval::train::{Config, Filter, Schedule, run};

/// Trains Dyad's chess networks.
#[derive(Parser)]
#[command(name = "dyad-train", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Train a network on games in viriformat.
    Train(Box<TrainArgs>),
    /// Check a network file and show its header.
    Info {
        /// The network file.
        file: PathBuf,
    },
    /// Evaluate a position with a chess network.
    Evaluate {
        /// The network file.
        file: PathBuf,
        /// The position as FEN; the classical start by default.
        fen: Option<String>,
    },
}

#[derive(Args)]
struct TrainArgs {
    /// Data files; all positions are shuffled together.
    #[arg(required = true)]
    data: Vec<PathBuf>,
    /// The network to write (.nnue); checkpoint, losses and loss curve are written beside it.
    #[arg(long)]
    out: PathBuf,
    /// Text kept in the network file; the output file's stem by default.
    #[arg(long)]
    name: Option<String>,
    /// Values of each accumulator.
    #[arg(long, default_value_t = 256)]
    hidden: usize,
    /// King buckets: 1, 2 or 4.
    #[arg(long, default_value_t = 1)]
    king_buckets: usize,
    /// Passes over the data.
    #[arg(long, default_value_t = 20)]
    epochs: u32,
    /// Positions for each optimiser step.
    #[arg(long, default_value_t = 16_384)]
    batch: usize,
    /// Highest learning rate.
    #[arg(long, default_value_t = 0.001)]
    learning_rate: f32,
    /// Final learning rate as a share of the highest.
    #[arg(long, default_value_t = 0.01)]
    final_rate: f32,
    /// How the learning rate falls.
    #[arg(long, value_enum, default_value_t = ScheduleArg::Cosine)]
    schedule: ScheduleArg,
    /// Steps of rising learning rate at the start.
    #[arg(long, default_value_t = 200)]
    warm_up: u64,
    /// Weight decay.
    #[arg(long, default_value_t = 0.01)]
    decay: f32,
    /// Share of the game result in the target, 0 to 1.
    #[arg(long, default_value_t = 0.1)]
    result_share: f32,
    /// Centipawns k of sigmoid(score / k); fitted on the data when absent.
    #[arg(long)]
    scale: Option<f32>,
    /// Thousandths of the games that are held out of training.
    #[arg(long, default_value_t = 10)]
    held_out: u32,
    /// Leave out positions before this ply.
    #[arg(long, default_value_t = 16)]
    min_ply: u32,
    /// Leave out positions scored at or beyond this many centipawns.
    #[arg(long, default_value_t = 10_000)]
    max_score: i32,
    /// Keep positions in check.
    #[arg(long)]
    keep_check: bool,
    /// Keep positions whose best move is a capture or promotion.
    #[arg(long)]
    keep_tactical: bool,
    /// Seed of weights, shuffles and held-out games.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads; all cores by default. The result does not depend on it.
    #[arg(long)]
    threads: Option<usize>,
    /// Go on from the checkpoint beside the output, if there is one.
    #[arg(long)]
    resume: bool,
    /// Stop after this many epochs in all, to be resumed later.
    #[arg(long)]
    stop_after: Option<u32>,
    /// No progress on the terminal.
    #[arg(long, short)]
    quiet: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum ScheduleArg {
    /// Half a cosine.
    Cosine,
    /// A tenth after two thirds of the run.
    Step,
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Train(args) => train(*args),
        Command::Info { file } => info(&file),
        Command::Evaluate { file, fen } => evaluate(&file, fen.as_deref()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("dyad-train: {message}");
            ExitCode::FAILURE
        }
    }
}

fn train(args: TrainArgs) -> Result<(), String> {
    let layout = KingBuckets::from_count(args.king_buckets).ok_or("king buckets must be 1, 2 or 4")?;
    let stem = args.out.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let default = Config::default();
    let config = Config {
        data: args.data,
        name: args.name.unwrap_or(stem),
        out: args.out,
        hidden: args.hidden,
        epochs: args.epochs,
        batch: args.batch,
        learning_rate: args.learning_rate,
        final_rate: args.final_rate,
        schedule: match args.schedule {
            ScheduleArg::Cosine => Schedule::Cosine,
            ScheduleArg::Step => Schedule::Step,
        },
        warm_up: args.warm_up,
        decay: args.decay,
        result_share: args.result_share,
        scale: args.scale,
        held_out: args.held_out,
        filter: Filter {
            min_ply: args.min_ply,
            max_score: args.max_score,
            skip_check: !args.keep_check,
            skip_tactical: !args.keep_tactical,
        },
        seed: args.seed,
        threads: args.threads.unwrap_or(default.threads),
        resume: args.resume,
        stop_after: args.stop_after,
        progress: !args.quiet,
    };
    let summary = run(&ChessGame::new(layout), &config).map_err(|error| error.to_string())?;
    println!("wrote {}, {:.0} positions/s", summary.network.display(), summary.positions_per_second);
    Ok(())
}

fn info(file: &std::path::Path) -> Result<(), String> {
    let (header, _) = netfile::read(file).map_err(|error| error.to_string())?;
    println!("name          {}", header.name);
    println!("architecture  {}", header.architecture);
    println!("sizes         ({} -> {})x2 -> {}", header.inputs, header.hidden, header.outputs);
    println!("scale         {} cp", header.scale);
    println!("output unit   {}", header.output_unit);
    Ok(())
}

fn evaluate(file: &std::path::Path, fen: Option<&str>) -> Result<(), String> {
    let network = Network::load(file).map_err(|error| error.to_string())?;
    let board = match fen {
        Some(fen) => movegen::Board::from_fen(fen).map_err(|error| error.to_string())?,
        None => movegen::Board::startpos(),
    };
    println!("{} cp for the side to move", network.evaluate(&board));
    Ok(())
}
