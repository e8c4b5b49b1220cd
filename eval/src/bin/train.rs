//! `dyad-train`: trains chess networks from self-play games and shows what a network file holds.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use eval::chess::{HIDDEN, KingBuckets, Network};
use eval::netfile;
use eval::train::chess::ChessGame;
use eval::train::{Config, Filter, Options, TemporalDifference, run};

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
    #[command(flatten)]
    options: Options,
    /// King buckets: 1, 2 or 4.
    #[arg(long, default_value_t = 1)]
    king_buckets: usize,
    /// Share of the game result in the target, 0 to 1.
    #[arg(long, default_value_t = Config::default().result_share)]
    result_share: f32,
    /// What counts of the value of the next ply (TD(λ)), 0 to 1, instead of the result's share.
    #[arg(long, requires = "scale", conflicts_with = "result_share")]
    lambda: Option<f32>,
    /// Centipawns k of sigmoid(score / k); fitted on the data when absent.
    #[arg(long)]
    scale: Option<f32>,
    /// Leave out positions before this ply.
    #[arg(long, default_value_t = Filter::default().min_ply)]
    min_ply: u32,
    /// Leave out positions scored at or beyond this many centipawns.
    #[arg(long, default_value_t = Filter::default().max_score)]
    max_score: i32,
    /// Keep positions in check.
    #[arg(long)]
    keep_check: bool,
    /// Keep positions whose best move is a capture or promotion.
    #[arg(long)]
    keep_tactical: bool,
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
    let values = args.lambda.zip(args.scale).map(|(lambda, scale)| TemporalDifference::new(lambda, scale));
    let values = values.transpose().map_err(|error| error.to_string())?;
    let game = ChessGame::new(layout).with_values(values);
    let config = Config {
        // The values are mixed of scores and results already.
        result_share: if args.lambda.is_some() { 1.0 } else { args.result_share },
        scale: args.scale,
        filter: Filter {
            min_ply: args.min_ply,
            max_score: args.max_score,
            skip_check: !args.keep_check,
            skip_tactical: !args.keep_tactical,
        },
        ..args.options.config(HIDDEN)
    };
    let summary = run(&game, &config).map_err(|error| error.to_string())?;
    println!("wrote {}, {:.0} positions/s", summary.network.display(), summary.positions_per_second);
    Ok(())
}

fn info(file: &Path) -> Result<(), String> {
    let (header, _) = netfile::read(file).map_err(|error| error.to_string())?;
    println!("name          {}", header.name);
    println!("architecture  {}", header.architecture);
    println!("sizes         ({} -> {})x2 -> {}", header.inputs, header.hidden, header.outputs);
    println!("scale         {} cp", header.scale);
    println!("output unit   {}", header.output_unit);
    Ok(())
}

fn evaluate(file: &Path, fen: Option<&str>) -> Result<(), String> {
    let network = Network::load(file).map_err(|error| error.to_string())?;
    let board = match fen {
        Some(fen) => movegen::Board::from_fen(fen).map_err(|error| error.to_string())?,
        None => movegen::Board::startpos(),
    };
    println!("{} cp for the side to move", network.evaluate(&board));
    Ok(())
}
