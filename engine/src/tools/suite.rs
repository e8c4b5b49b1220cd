//! `dyad suite`: solves the positions of a test suite and counts.

mod goal;

use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use movegen::Move;
use search::chess::{Request, Searcher};
use search::core::event::{Collector, Event, Info, Sink};
use search::core::limit::Limits;
use study::{Failure, OutFile, Progress, Style, in_order, interrupted, refuse_inputs, watch_interrupts};

use super::analyse::white_score;
use crate::console;
use crate::epd::Epd;
use crate::source::Lines;
use goal::Goal;

/// Thinking time for a position when no limit is given.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// Arguments of `suite`.
#[derive(Args)]
pub struct SuiteArgs {
    /// File of positions with best moves (bm), moves to avoid (am), mates (dm) or scored moves (c0, c7 to c9)
    file: PathBuf,
    /// Stop after this many nodes
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Stop at this depth in plies
    #[arg(long, value_parser = study::depth())]
    depth: Option<u32>,
    /// Stop after this many seconds (1 when no limit is given)
    #[arg(long, value_parser = study::seconds)]
    time: Option<Duration>,
    /// Number of searching threads for each position
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
    /// Number of positions at a time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    jobs: u32,
    /// Size of each transposition table in MiB
    #[arg(long, default_value_t = 64, value_name = "MB", value_parser = study::hash())]
    hash: u32,
    /// Write the results as comma-separated values
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Show the sum only
    #[arg(long)]
    quiet: bool,
}

impl SuiteArgs {
    fn limits(&self) -> Limits {
        let limits =
            Limits { depth: self.depth, nodes: self.nodes, move_time: self.time, ..Limits::default() };
        if limits == Limits::default() {
            return Limits { move_time: Some(DEFAULT_TIME), ..limits };
        }
        limits
    }
}

/// What came of a position.
struct Solution {
    line: u64,
    id: String,
    fen: String,
    wanted: String,
    best: String,
    score: String,
    is_solved: bool,
    /// Points and most points, in a scored suite.
    points: Option<(u32, u32)>,
    depth: u32,
    /// Depth and time from which on the answer was right.
    since: Option<(u32, Duration)>,
    nodes: u64,
    elapsed: Duration,
}

/// A line of the suite: a solution, nothing, or what is wrong with it.
type Outcome = Result<Option<Solution>, String>;

/// Solves a suite, until an interrupt.
///
/// # Errors
/// When the file cannot be read or holds no position with a task.
pub fn run(args: &SuiteArgs) -> Result<(), Failure> {
    refuse_inputs(args.csv.as_deref(), [args.file.as_path()])?;
    let lines = Lines::open(&args.file)?;
    let mut csv = args.csv.as_deref().map(Csv::create).transpose()?;
    watch_interrupts();
    let limits = args.limits();
    let style = Style::of_output();
    let mut sum = Sum::default();
    let mut progress = Progress::new(None, "positions");
    let start = Instant::now();
    if !args.quiet {
        console::line(
            "       points  move       wanted               score  depth  right from       nodes  position",
        );
    }
    in_order(
        lines,
        args.jobs as usize,
        || Searcher::new(args.threads as usize, args.hash as usize),
        |searcher, line| match line {
            Ok((number, text)) => solve(searcher, number, &text, &limits),
            Err(error) => Err(error),
        },
        interrupted,
        |outcome: Outcome| {
            match outcome {
                Ok(None) => {}
                Ok(Some(solution)) => {
                    sum.add(&solution);
                    if !args.quiet {
                        progress.print(|| console::line(solution.row(style)));
                    }
                    if let Some(csv) = &mut csv {
                        csv.push(&solution)?;
                    }
                }
                Err(message) => {
                    sum.bad += 1;
                    progress.print(|| eprintln!("dyad: {}: {message}", args.file.display()));
                }
            }
            progress.set(sum.positions, format!("{} solved", sum.solved));
            Ok(())
        },
    )
    .map_err(Failure::Work)?;
    progress.finish();
    if let Some(csv) = csv {
        csv.file.finish().map_err(Failure::Work)?;
    }
    if sum.positions == 0 && !interrupted() {
        let file = args.file.display();
        return Err(format!("{file} holds no position with a task (bm, am, dm or scores)").into());
    }
    sum.print(start.elapsed());
    if interrupted() {
        console::line("stopped early");
    }
    Ok(())
}

fn solve(searcher: &mut Searcher, line: u64, text: &str, limits: &Limits) -> Outcome {
    let at_line = |message: String| format!("line {line}: {message}");
    let Some(epd) = Epd::parse(text).map_err(at_line)? else { return Ok(None) };
    let goal = Goal::of(&epd).map_err(at_line)?;
    let mut request = Request::new(epd.board.clone(), limits.clone());
    request.limits.mate = goal.mate_limit();
    searcher.new_game();
    let collector = Arc::new(Collector::new());
    let sink: Arc<dyn Sink<Move>> = collector.clone();
    let start = Instant::now();
    request.start = start;
    let Some(found) = searcher.search_until(request, sink, interrupted) else {
        return Err(at_line("the search found nothing".into()));
    };
    // A search that was cut short is no answer.
    if interrupted() {
        return Ok(None);
    }
    let elapsed = start.elapsed();
    let mut since = None;
    for event in collector.take() {
        let Event::Info(Info { depth, multi_pv: 1, score, bound: None, elapsed, pv, .. }) = event else {
            continue;
        };
        let Some(&mv) = pv.first() else { continue };
        since = goal.is_met(mv, score).then(|| since.unwrap_or((depth, elapsed)));
    }
    let is_solved = found.best.is_some_and(|mv| goal.is_met(mv, found.score));
    Ok(Some(Solution {
        line,
        id: epd.id(),
        fen: epd.board.fen(),
        wanted: goal.text(&epd.board),
        best: found.best.map(|mv| epd.board.san(mv)).unwrap_or_default(),
        score: white_score(found.score, epd.board.side_to_move()),
        is_solved,
        points: goal.points(found.best),
        depth: found.depth,
        since: since.filter(|_| is_solved),
        nodes: found.nodes,
        elapsed,
    }))
}

impl Solution {
    fn row(&self, style: Style) -> String {
        let sign = if self.is_solved { style.paint("32", "+") } else { style.paint("31", "-") };
        let points = self.points.map_or(String::new(), |(got, most)| format!("{got}/{most}"));
        let since =
            self.since.map_or(String::new(), |(depth, time)| format!("{depth}, {:.2} s", time.as_secs_f64()));
        let name = if self.id.is_empty() { &self.fen } else { &self.id };
        format!(
            "{:>4} {sign} {points:>6}  {:<10} {:<20} {:>6} {:>6} {since:>11} {:>11}  {name}",
            self.line, self.best, self.wanted, self.score, self.depth, self.nodes
        )
    }
}

/// What a suite comes to.
#[derive(Default)]
struct Sum {
    positions: u64,
    solved: u64,
    bad: u64,
    points: u64,
    most_points: u64,
    nodes: u64,
    /// Times from which on the answers were right.
    times: Vec<Duration>,
}

impl Sum {
    fn add(&mut self, solution: &Solution) {
        self.positions += 1;
        self.solved += u64::from(solution.is_solved);
        self.nodes += solution.nodes;
        if let Some((points, most)) = solution.points {
            self.points += u64::from(points);
            self.most_points += u64::from(most);
        }
        self.times.extend(solution.since.map(|(_, time)| time));
    }

    fn print(&mut self, elapsed: Duration) {
        if self.bad > 0 {
            console::line(format_args!("lines that could not be used: {}", self.bad));
        }
        let seconds = elapsed.as_secs_f64();
        let mut text = format!("{} nodes in {seconds:.1} s", self.nodes);
        self.times.sort_unstable();
        if let (Some(median), Some(last)) = (self.times.get(self.times.len() / 2), self.times.last()) {
            let _ = write!(text, "; right from {:.2} s (median), ", median.as_secs_f64());
            let _ = write!(text, "{:.2} s (last)", last.as_secs_f64());
        }
        console::line(text);
        if self.most_points > 0 {
            let share = 100.0 * self.points as f64 / self.most_points as f64;
            console::line(format_args!("points {} of {} ({share:.1} %)", self.points, self.most_points));
        }
        console::line(format_args!("solved {} of {}", self.solved, self.positions));
    }
}

/// The results as a table for other programs (RFC 4180).
struct Csv {
    file: OutFile,
}

impl Csv {
    fn create(path: &std::path::Path) -> Result<Self, String> {
        let mut csv = Self { file: OutFile::create(path)? };
        csv.write(&[
            "line",
            "id",
            "fen",
            "solved",
            "points",
            "most_points",
            "move",
            "wanted",
            "score",
            "depth",
            "nodes",
            "seconds",
            "solved_depth",
            "solved_seconds",
        ])?;
        Ok(csv)
    }

    fn push(&mut self, solution: &Solution) -> Result<(), String> {
        let (points, most) = solution.points.unzip();
        let (depth, time) = solution.since.unzip();
        let number = |number: Option<u32>| number.map_or(String::new(), |number| number.to_string());
        let seconds = |time: Duration| format!("{:.3}", time.as_secs_f64());
        let numbers = [
            solution.line.to_string(),
            number(points),
            number(most),
            solution.depth.to_string(),
            solution.nodes.to_string(),
            seconds(solution.elapsed),
            number(depth),
            time.map(seconds).unwrap_or_default(),
        ];
        let [line, points, most, searched, nodes, elapsed, depth, time] =
            numbers.each_ref().map(String::as_str);
        let solved = if solution.is_solved { "1" } else { "0" };
        let Solution { id, fen, best, wanted, score, .. } = solution;
        let fields =
            [line, id, fen, solved, points, most, best, wanted, score, searched, nodes, elapsed, depth, time];
        self.write(&fields)
    }

    fn write(&mut self, fields: &[&str]) -> Result<(), String> {
        let quoted = |field: &&str| {
            if field.contains([',', '"', '\n']) {
                format!("\"{}\"", field.replace('"', "\"\""))
            } else {
                (*field).to_owned()
            }
        };
        let row = fields.iter().map(quoted).collect::<Vec<_>>().join(",");
        writeln!(self.file, "{row}")
            .map_err(|error| format!("cannot write {}: {error}", self.file.path().display()))
    }
}
