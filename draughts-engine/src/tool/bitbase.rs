//! `bitbase`: making, proving and asking endgame tables.

use super::board::draw;
use crate::cli::{print, print_aside};
use clap::{Args, Subcommand};
use draughts::bitbase::build::{self, Event};
use draughts::bitbase::slice::MOST_PIECES;
use draughts::bitbase::solve::Totals;
use draughts::bitbase::{Code, Tables, Value, verify};
use draughts::rules::International;
use draughts::{Position, legal_moves, notation};
use indicatif::{ProgressBar, ProgressStyle};
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;
use study::Failure;

/// The commands about tables.
#[derive(Subcommand)]
pub enum Bitbase {
    /// Make the tables of 2 to N pieces; files that are there are kept, so a run can be interrupted.
    Generate(Generate),
    /// Prove that every position's value and distance follow from those of its successors.
    Verify(Verify),
    /// Show what the tables know of a position and of each move.
    Show(Show),
}

/// What `generate` is told.
#[derive(Args)]
pub struct Generate {
    /// The greatest number of pieces.
    #[arg(long, value_parser = clap::value_parser!(u32).range(2..=i64::from(MOST_PIECES)))]
    pieces: u32,
    /// Folder for the tables.
    #[arg(long)]
    out: PathBuf,
    /// Threads.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
}

/// What `verify` is told.
#[derive(Args)]
pub struct Verify {
    /// Folder of the tables.
    #[arg(long)]
    path: PathBuf,
    /// Threads.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
}

/// What `show` is told.
#[derive(Args)]
pub struct Show {
    /// A FEN such as `W:WK3,25:BK50`, or a Hub position.
    #[arg(value_parser = crate::cli::position)]
    position: Position,
    /// Folder of the tables; without it only those inside the program are asked.
    #[arg(long)]
    path: Option<PathBuf>,
}

/// Runs a command about tables.
///
/// # Errors
/// When tables cannot be made, are wrong, or are not there.
pub fn bitbase(command: &Bitbase) -> Result<(), Failure> {
    match command {
        Bitbase::Generate(arguments) => {
            let bar = Bar::new(build::work(arguments.pieces));
            let run = || build::generate(&arguments.out, arguments.pieces, &|event| bar.tell(event));
            finish(arguments.threads, &bar, run, |()| String::new())
        }
        Bitbase::Verify(arguments) => {
            refuse_without_tables(&arguments.path)?;
            let bar = Bar::new(build::work(verify::pieces_in(&arguments.path)));
            let run = || verify::verify(&arguments.path, &|event| bar.tell(event));
            finish(arguments.threads, &bar, run, |pieces| {
                format!("all positions with up to {pieces} pieces agree with their successors")
            })
        }
        Bitbase::Show(arguments) => show(arguments),
    }
}

fn finish<T: Send, E: Display + Send>(
    threads: u16,
    bar: &Bar,
    run: impl FnOnce() -> Result<T, E> + Send,
    last: impl FnOnce(T) -> String,
) -> Result<(), Failure> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(usize::from(threads)).build();
    let pool = pool.map_err(Failure::work)?;
    match pool.install(run) {
        Ok(result) => {
            bar.end();
            let last = last(result);
            if !last.is_empty() {
                print(last);
            }
            Ok(())
        }
        Err(error) => {
            bar.bar.finish_and_clear();
            Err(Failure::work(error))
        }
    }
}

/// Progress, and the lines about slices.
struct Bar {
    bar: ProgressBar,
    sums: Mutex<Vec<(u32, Totals, [u64; 2])>>,
}

impl Bar {
    fn new(work: u64) -> Self {
        let bar = ProgressBar::new(work);
        if let Ok(style) =
            ProgressStyle::with_template("{bar:30} {percent}% {human_pos} positions, {eta} to go, {msg}")
        {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_secs(1));
        bar.suspend(|| print_aside(HEAD));
        Self { bar, sums: Mutex::default() }
    }

    fn tell(&self, event: Event) {
        match event {
            Event::Progress(count) => self.bar.inc(count),
            Event::Slice { slice, totals, bytes, time } => {
                let time = time.map_or("kept".to_owned(), |time| format!("{:.1}", time.as_secs_f64()));
                let line = format!("{} {time:>8}", row(slice, &totals, bytes));
                self.bar.suspend(|| print_aside(line));
                self.bar.set_message(format!("slice {slice} done"));
                let mut sums = self.sums.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                match sums.iter_mut().find(|(pieces, ..)| *pieces == slice.pieces()) {
                    Some((_, sum, length)) => {
                        *sum = sum.plus(totals);
                        length.iter_mut().zip(bytes).for_each(|(sum, bytes)| *sum += bytes);
                    }
                    None => sums.push((slice.pieces(), totals, bytes)),
                }
            }
        }
    }

    /// The sums by number of pieces.
    fn end(&self) {
        self.bar.finish_and_clear();
        for (pieces, totals, bytes) in
            self.sums.lock().unwrap_or_else(std::sync::PoisonError::into_inner).iter()
        {
            print_aside(row(format_args!("all {pieces}"), totals, *bytes));
        }
    }
}

const HEAD: &str =
    "slice     positions          won        drawn         lost plies    values distances  seconds";

fn row(name: impl Display, totals: &Totals, bytes: [u64; 2]) -> String {
    format!(
        "{:5} {:>13} {:>12} {:>12} {:>12} {:>5} {:>9} {:>9}",
        name.to_string(),
        totals.positions(),
        totals.wins,
        totals.draws,
        totals.losses,
        totals.longest,
        bytes[0],
        bytes[1]
    )
}

/// Refuses a folder that cannot be read or holds no table.
fn refuse_without_tables(folder: &Path) -> Result<(), Failure> {
    std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    if verify::pieces_in(folder) == 0 {
        return Err(format!("{} holds no tables", folder.display()).into());
    }
    Ok(())
}

fn show(arguments: &Show) -> Result<(), Failure> {
    if let Some(folder) = &arguments.path {
        refuse_without_tables(folder)?;
    }
    let (tables, problems) = Tables::load(arguments.path.as_deref(), MOST_PIECES);
    for problem in problems {
        eprintln!("dyad-draughts: {problem}");
    }
    let position = &arguments.position;
    print(draw(position));
    let Some(text) = text_of(&tables, position) else {
        return Err(Failure::work("no table for this position"));
    };
    print(format_args!("  {text} for the side to move, without limits of moves"));
    let moves = legal_moves::<International>(position);
    let mut lines: Vec<(i32, String)> = Vec::new();
    for &mv in &moves {
        let next = position.play::<International>(mv);
        let code = tables.code(&next).and_then(Code::before);
        let text = match (code, tables.value(&next)) {
            (Some(code), _) => describe(code),
            (None, Some(Value::Win)) => "loss".to_owned(),
            (None, Some(Value::Draw)) => "draw".to_owned(),
            (None, Some(Value::Loss)) => "win".to_owned(),
            (None, None) => "unknown".to_owned(),
        };
        lines.push((
            code.map_or(0, |code| -code.rank()),
            format!("  {:8} {text}", notation::short(mv, &moves)),
        ));
    }
    lines.sort();
    lines.into_iter().for_each(|(_, line)| print(line));
    Ok(())
}

fn text_of(tables: &Tables, position: &Position) -> Option<String> {
    if let Some(code) = tables.code(position) {
        return Some(describe(code));
    }
    tables.value(position).map(|value| match value {
        Value::Win => "win".to_owned(),
        Value::Draw => "draw".to_owned(),
        Value::Loss => "loss".to_owned(),
    })
}

fn describe(code: Code) -> String {
    match (code.value(), code.plies()) {
        (Value::Win, Some(plies)) => format!("win in {plies}"),
        (_, Some(plies)) => format!("loss in {plies}"),
        (_, None) => "draw".to_owned(),
    }
}
