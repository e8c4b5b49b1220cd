//! `eval` and `analyse`: what the engine thinks of a position.

mod database;
mod game;

use super::board::draw;
use crate::cli::{evaluation, print};
use clap::Args;
use draughts::bitbase::Tables;
use draughts::bitbase::slice::MOST_PIECES;
use draughts::search::score::distance;
use draughts::search::{Engine, Request};
use draughts::{Game, Move, Position, Variant, fen, legal_moves, notation, with_rules};
use search::core::event::{Collector, Event, Info, Sink};
use search::core::limit::Limits;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use study::{Failure, interrupted, refuse_file_name, watch_interrupts};

/// Thinking time for a single position when no limit is given.
const DEFAULT_TIME: Duration = Duration::from_secs(2);
/// Nodes for each position of a file when no limit is given: the result is the same every time then.
const DEFAULT_NODES: u64 = 200_000;

/// What `analyse` is told.
#[derive(Args)]
pub struct Analyse {
    /// `start`, a FEN such as `W:W31-50:B1-20`, or a Hub position.
    #[arg(value_parser = position, required_unless_present = "pdn", conflicts_with = "pdn")]
    position: Option<Position>,
    /// Analyse the games of this file.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["lines", "variant"])]
    pdn: Option<PathBuf>,
    /// Seconds to think about a position (2 for a single one when no limit is given).
    #[arg(long, value_parser = study::seconds)]
    time: Option<Duration>,
    /// Plies to search.
    #[arg(long, value_parser = study::depth())]
    depth: Option<u32>,
    /// Nodes to search (200000 for the positions of a file when no limit is given).
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Best moves to show.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64))]
    lines: u16,
    /// Threads, or games of a file at a time.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Table size in mebibytes; each thread has its own when a file is analysed.
    #[arg(long, default_value_t = 64, value_name = "MB", value_parser = study::hash())]
    hash: u32,
    /// Rules: normal, killer, bt, losing or frisian.
    #[arg(long, default_value_t)]
    variant: Variant,
    /// Folder of endgame tables.
    #[arg(long)]
    bb_path: Option<PathBuf>,
    /// Write the annotated games here; `-` is standard output.
    #[arg(long, value_name = "FILE", requires = "pdn", conflicts_with = "position")]
    out: Option<PathBuf>,
    /// Write a report for a browser here.
    #[arg(long, value_name = "FILE", requires = "pdn", conflicts_with = "position")]
    html: Option<PathBuf>,
    /// Print the results as JSON, one line for each game or position.
    #[arg(long)]
    json: bool,
}

impl Analyse {
    fn limits(&self, default: Limits) -> Limits {
        let limits =
            Limits { depth: self.depth, nodes: self.nodes, move_time: self.time, ..Limits::default() };
        if limits == Limits::default() { default } else { limits }
    }

    /// The endgame tables that are wanted, if any are.
    fn tables(&self) -> Option<Arc<Tables>> {
        let (tables, problems) = Tables::load(Some(self.bb_path.as_ref()?), MOST_PIECES);
        for problem in problems {
            eprintln!("dyad-draughts: not used: {problem}");
        }
        Some(Arc::new(tables))
    }

    fn file_limits(&self) -> Limits {
        self.limits(Limits { nodes: Some(DEFAULT_NODES), ..Limits::default() })
    }
}

/// A position, and not the name of a file of games.
fn position(text: &str) -> Result<Position, String> {
    refuse_file_name(text, &[("pdn", "--pdn")])?;
    crate::cli::position(text)
}

/// Draws a position and gives its static evaluation.
///
/// # Errors
/// When the network cannot be used.
pub fn eval(position: &Position, network: Option<&Path>) -> Result<(), Failure> {
    let evaluation = evaluation(network)?;
    print(draw(position));
    let score = evaluation.evaluate(position);
    print(format_args!("  evaluation {:+.2} men for the side to move", f64::from(score) / 100.0));
    Ok(())
}

/// Analyses the games of a file, or draws a position and searches it, showing each iteration; an
/// interrupt ends that.
///
/// # Errors
/// When a file cannot be used.
pub fn analyse(arguments: &Analyse) -> Result<(), Failure> {
    if let Some(path) = &arguments.pdn {
        return database::run(arguments, path);
    }
    let position = arguments.position.ok_or("a position or --pdn is needed")?;
    watch_interrupts();
    if !arguments.json {
        print(format_args!("{}\n  {}", draw(&position), fen::to_fen(&position)));
    }
    let limits = arguments.limits(Limits { move_time: Some(DEFAULT_TIME), ..Limits::default() });
    let mut request = Request::new(Game::new(position), limits);
    request.variant = arguments.variant;
    request.lines = usize::from(arguments.lines);
    let variant = arguments.variant;
    let mut engine = Engine::new(usize::from(arguments.threads), arguments.hash as usize);
    if let Some(tables) = arguments.tables() {
        engine.set_tables(tables);
    }
    if arguments.json {
        let collector = Arc::new(Collector::new());
        engine.start(request, Arc::clone(&collector) as Arc<dyn Sink<Move>>);
        engine.wait_until(interrupted);
        print(json(&position, variant, &collector.take()));
        return Ok(());
    }
    let sink = move |event: Event<Move>| match event {
        Event::Info(info) if info.bound.is_none() => print(info_line(&position, variant, &info)),
        Event::BestMove { best: None, .. } => print("  no legal move: the game is over"),
        Event::BestMove { best: Some(best), .. } => {
            print(format_args!("  best move {}", in_short(&position, variant, &[best])));
        }
        _ => {}
    };
    engine.start(request, Arc::new(sink));
    engine.wait_until(interrupted);
    Ok(())
}

/// What a search found, for other programs: scores are seen by the side to move.
fn json(position: &Position, variant: Variant, events: &[Event<Move>]) -> serde_json::Value {
    let mut lines = std::collections::BTreeMap::new();
    for event in events {
        if let Event::Info(info) = event
            && info.bound.is_none()
        {
            lines.insert(info.multi_pv, info);
        }
    }
    let line = |info: &&Info<Move>| {
        let end = distance(info.score);
        serde_json::json!({
            "score": if end.is_none() { Some(info.score) } else { None },
            "end": end,
            "line": in_short(position, variant, &info.pv),
            "moves": info.pv.iter().map(ToString::to_string).collect::<Vec<_>>(),
        })
    };
    serde_json::json!({
        "fen": fen::to_fen(position),
        "depth": lines.get(&1).map(|info| info.depth),
        "nodes": lines.get(&1).map(|info| info.nodes),
        "lines": lines.values().map(line).collect::<Vec<_>>(),
    })
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
