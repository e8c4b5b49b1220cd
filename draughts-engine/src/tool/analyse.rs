//! `eval` and `analyse`: what the engine thinks of a position.

use super::board::draw;
use crate::cli::{evaluation, failure, print};
use clap::Args;
use draughts::bitbase::Tables;
use draughts::bitbase::slice::MOST_PIECES;
use draughts::search::score::distance;
use draughts::search::{Engine, Request};
use draughts::{Game, Move, Position, Variant, fen, legal_moves, notation, with_rules};
use search::core::event::{Event, Info};
use search::core::limit::Limits;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

/// What `analyse` is told.
#[derive(Args)]
pub struct Analyse {
    /// `start`, a FEN such as `W:W31-50:B1-20`, or a Hub position.
    #[arg(value_parser = crate::cli::position)]
    position: Position,
    /// Seconds to think.
    #[arg(long, default_value_t = 2.0)]
    time: f64,
    /// Plies to search.
    #[arg(long)]
    depth: Option<u32>,
    /// Best moves to show.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64))]
    lines: u16,
    /// Threads.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Table size in mebibytes.
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,
    /// Rules: normal, killer, bt, losing or frisian.
    #[arg(long, default_value_t)]
    variant: Variant,
    /// Folder of endgame tables.
    #[arg(long)]
    bb_path: Option<PathBuf>,
}

/// Draws a position and gives its static evaluation.
pub fn eval(position: &Position, weights: Option<&Path>) -> ExitCode {
    let evaluation = match evaluation(weights) {
        Ok(evaluation) => evaluation,
        Err(message) => return failure(message, 1),
    };
    print(draw(position));
    let score = evaluation.evaluate(position);
    print(format_args!("  evaluation {:+.2} men for the side to move", f64::from(score) / 100.0));
    ExitCode::SUCCESS
}

/// Draws a position and searches it, showing each iteration.
pub fn analyse(arguments: &Analyse) -> ExitCode {
    let position = arguments.position;
    print(format_args!("{}\n  {}", draw(&position), fen::to_fen(&position)));
    let seconds = if arguments.time.is_nan() { 0.0 } else { arguments.time.clamp(0.0, 1e9) };
    let limits = Limits {
        depth: arguments.depth,
        move_time: arguments.depth.is_none().then(|| Duration::from_secs_f64(seconds)),
        ..Limits::default()
    };
    let mut request = Request::new(Game::new(position), limits);
    request.variant = arguments.variant;
    request.lines = usize::from(arguments.lines);
    let variant = arguments.variant;
    let sink = move |event: Event<Move>| match event {
        Event::Info(info) if info.bound.is_none() => print(info_line(&position, variant, &info)),
        Event::BestMove { best: None, .. } => print("  no legal move: the game is over"),
        Event::BestMove { best: Some(best), .. } => {
            print(format_args!("  best move {}", in_short(&position, variant, &[best])));
        }
        _ => {}
    };
    let mut engine = Engine::new(usize::from(arguments.threads), arguments.hash as usize);
    if let Some(folder) = &arguments.bb_path {
        let (tables, problems) = Tables::load(Some(folder), MOST_PIECES);
        for problem in problems {
            eprintln!("dyad-draughts: not used: {problem}");
        }
        engine.set_tables(Arc::new(tables));
    }
    engine.start(request, Arc::new(sink));
    engine.wait();
    ExitCode::SUCCESS
}

fn info_line(position: &Position, variant: Variant, info: &Info<Move>) -> String {
    format!(
        "{:3}  {:>10}  {:>11} nodes  {:8.3} s  {}",
        info.depth,
        score_text(info.score),
        info.nodes,
        info.elapsed.as_secs_f64(),
        in_short(position, variant, &info.pv)
    )
}

/// `+0.52`, or the distance to the end of the game.
pub fn score_text(score: i32) -> String {
    match distance(score) {
        Some(plies) if plies > 0 => format!("win in {plies}"),
        Some(plies) => format!("loss in {}", -plies),
        None => format!("{:+.2}", f64::from(score) / 100.0),
    }
}

/// Moves in the short notation, each in its position.
fn in_short(position: &Position, variant: Variant, moves: &[Move]) -> String {
    with_rules!(variant, R => {
        let mut position = *position;
        let mut words = Vec::new();
        for &mv in moves {
            words.push(notation::short(mv, &legal_moves::<R>(&position)));
            position = position.play::<R>(mv);
        }
        words.join(" ")
    })
}
