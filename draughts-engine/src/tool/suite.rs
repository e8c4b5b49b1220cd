//! `suite`: solves the positions of a test suite and counts.

use super::analyse::score_text;
use crate::cli::print;
use clap::Args;
use draughts::rules::International;
use draughts::search::{Engine, Request};
use draughts::{Game, Move, Position, fen, legal_moves, notation};
use search::core::event::{Collector, Event, Info, Sink};
use search::core::limit::Limits;
use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use study::{Failure, interrupted, watch_interrupts};
use uci::io::LineReader;

/// What `suite` is told.
#[derive(Args)]
pub struct Suite {
    /// File of positions, each a FEN, `;`, and its best moves: `W:W31-50:B1-20 ;bm 32-28 33-28 ;id name`.
    file: PathBuf,
    /// Stop after this many nodes.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Stop at this depth in plies.
    #[arg(long, value_parser = study::depth())]
    depth: Option<u32>,
    /// Stop after this many seconds (1 when no limit is given).
    #[arg(long, value_parser = study::seconds)]
    time: Option<Duration>,
    /// Searching threads.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Size of the transposition table in MiB.
    #[arg(long, default_value_t = 64, value_name = "MB", value_parser = study::hash())]
    hash: u32,
    /// Show the sum only.
    #[arg(long)]
    quiet: bool,
}

/// A position and its best moves.
struct Problem {
    position: Position,
    best: Vec<Move>,
    name: String,
}

impl Problem {
    /// `None` for an empty line and a comment.
    fn parse(line: &str) -> Result<Option<Self>, String> {
        let mut parts = line.split(';').map(str::trim);
        let text = parts.next().unwrap_or_default();
        if text.is_empty() || text.starts_with('#') {
            return Ok(None);
        }
        let position = fen::parse_any(text).map_err(|error| error.to_string())?;
        let (mut best, mut name) = (Vec::new(), fen::to_fen(&position));
        for part in parts {
            match part.split_once(' ') {
                Some(("bm", moves)) => {
                    for text in moves.split_whitespace() {
                        let mv = notation::parse_move::<International>(&position, text);
                        best.push(mv.map_err(|error| error.to_string())?);
                    }
                }
                Some(("id", id)) => name = id.trim_matches('"').to_owned(),
                _ => {}
            }
        }
        if best.is_empty() {
            return Err("no best move (bm)".to_owned());
        }
        Ok(Some(Self { position, best, name }))
    }
}

/// What came of all problems.
#[derive(Default)]
struct Sum {
    positions: u64,
    solved: u64,
    bad: u64,
    nodes: u64,
    /// Times from which on the answers were right.
    times: Vec<Duration>,
}

/// Solves a suite, until an interrupt.
///
/// # Errors
/// When the file cannot be read or holds no position with a best move.
pub fn suite(arguments: &Suite) -> Result<(), Failure> {
    let named = |error: std::io::Error| format!("{}: {error}", arguments.file.display());
    let file = File::open(&arguments.file).map_err(named)?;
    let mut limits = Limits {
        nodes: arguments.nodes,
        depth: arguments.depth,
        move_time: arguments.time,
        ..Limits::default()
    };
    if limits == Limits::default() {
        limits.move_time = Some(Duration::from_secs(1));
    }
    let mut engine = Engine::new(usize::from(arguments.threads), arguments.hash as usize);
    watch_interrupts();
    let mut sum = Sum::default();
    let begin = Instant::now();
    if !arguments.quiet {
        print("       move       wanted                    score  depth  right from       nodes  position");
    }
    for (number, line) in (1u64..).zip(LineReader::new(BufReader::new(file))) {
        match Problem::parse(&line.map_err(named)?) {
            Ok(None) => {}
            Ok(Some(problem)) => {
                let row = solve(&mut engine, &problem, &limits, &mut sum);
                if let Some(row) = row.filter(|_| !arguments.quiet) {
                    print(format_args!("{number:>4} {row}"));
                }
            }
            Err(message) => {
                sum.bad += 1;
                eprintln!("dyad-draughts: {}: line {number}: {message}", arguments.file.display());
            }
        }
        if interrupted() {
            break;
        }
    }
    if sum.positions == 0 && !interrupted() {
        return Err(format!("{} holds no position with a best move", arguments.file.display()).into());
    }
    sum.print(begin.elapsed());
    if interrupted() {
        print("stopped early");
    }
    Ok(())
}

/// Solves a position with a fresh engine; the row without its number, `None` when an interrupt cut the search short.
fn solve(engine: &mut Engine, problem: &Problem, limits: &Limits, sum: &mut Sum) -> Option<String> {
    engine.new_game();
    let request = Request::new(Game::new(problem.position), limits.clone());
    let collector = Arc::new(Collector::new());
    engine.start(request, Arc::clone(&collector) as Arc<dyn Sink<Move>>);
    engine.wait_until(interrupted);
    if interrupted() {
        return None;
    }
    let (mut found, mut since, mut score, mut reached) = (None, None, 0, 0);
    for event in collector.take() {
        match event {
            Event::Info(Info { depth, score: new, bound: None, elapsed, pv, .. }) => {
                (score, reached) = (new, depth);
                let is_right = pv.first().is_some_and(|mv| problem.best.contains(mv));
                since = is_right.then(|| since.unwrap_or((depth, elapsed)));
            }
            Event::BestMove { best, .. } => found = best,
            _ => {}
        }
    }
    let is_solved = found.is_some_and(|mv| problem.best.contains(&mv));
    sum.positions += 1;
    sum.solved += u64::from(is_solved);
    sum.nodes += engine.nodes();
    let since = since.filter(|_| is_solved);
    sum.times.extend(since.map(|(_, time)| time));
    let since = since.map_or(String::new(), |(depth, time)| format!("{depth}, {:.2} s", time.as_secs_f64()));
    let legal = legal_moves::<International>(&problem.position);
    let short = |mv: &Move| notation::short(*mv, &legal);
    Some(format!(
        "{} {:<10} {:<20} {:>10} {reached:>6} {since:>11} {:>11}  {}",
        if is_solved { '+' } else { '-' },
        found.as_ref().map_or(String::new(), short),
        problem.best.iter().map(short).collect::<Vec<_>>().join(" "),
        score_text(score),
        engine.nodes(),
        problem.name
    ))
}

impl Sum {
    fn print(&mut self, elapsed: Duration) {
        if self.bad > 0 {
            print(format_args!("lines that could not be used: {}", self.bad));
        }
        let mut text = format!("{} nodes in {:.1} s", self.nodes, elapsed.as_secs_f64());
        self.times.sort_unstable();
        if let (Some(median), Some(last)) = (self.times.get(self.times.len() / 2), self.times.last()) {
            let (median, last) = (median.as_secs_f64(), last.as_secs_f64());
            text += &format!("; right from {median:.2} s (median), {last:.2} s (last)");
        }
        print(text);
        print(format_args!("solved {} of {}", self.solved, self.positions));
    }
}
