//! `book`: build, look at and check opening books.

use crate::cli::{position, print};
use clap::{Args, Subcommand};
use draughts::book::build::{Builder, Shape};
use draughts::book::{Book, BookError};
use draughts::rules::International;
use draughts::{Position, legal_moves, notation};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use study::{Failure, counted};

/// What `book` is told.
#[derive(Subcommand)]
pub enum Command {
    /// Make a book by the engine's own searches, or go on with one that is there.
    Build(Build),
    /// Show what a book says about a position.
    Show {
        /// `start`, a FEN or a Hub position.
        #[arg(value_parser = position, default_value = "start")]
        position: Position,
        /// Moves from there, such as `32-28,19-23`.
        #[arg(long, value_delimiter = ',')]
        moves: Vec<String>,
        /// The book; without it, the one in the program.
        #[arg(long)]
        file: Option<PathBuf>,
        /// Hundredths of a man that a move may be worse than the best and still be played.
        #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(i32).range(0..=1000))]
        margin: i32,
    },
    /// Check a book: its form, its lines, its scores.
    Check {
        /// The book; without it, the one in the program.
        file: Option<PathBuf>,
    },
}

/// What `book build` is told.
#[derive(Args)]
pub struct Build {
    /// The file. A book that is there already grows on.
    #[arg(long)]
    out: PathBuf,
    /// Positions in the book at the end.
    #[arg(long, default_value_t = 4000)]
    positions: usize,
    /// Nodes for each position.
    #[arg(long, default_value_t = 200_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Threads.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
}

/// Time between two lines of progress, each with the book saved.
const SAVE_EVERY: Duration = Duration::from_secs(20);

/// Runs a sub-command of `book`.
///
/// # Errors
/// When a book cannot be read or written, or a check finds faults.
pub fn book(command: &Command) -> Result<(), Failure> {
    match command {
        Command::Build(arguments) => build(arguments),
        Command::Show { position, moves, file, margin } => {
            Ok(show(position, moves, file.as_deref(), *margin)?)
        }
        Command::Check { file } => check(file.as_deref()),
    }
}

fn open(file: Option<&Path>) -> Result<Book, String> {
    file.map_or_else(|| Ok(Book::built_in().clone()), |path| Book::load(path).map_err(named(path)))
}

fn named<E: std::fmt::Display>(path: &Path) -> impl Fn(E) -> String {
    move |error| format!("{}: {error}", path.display())
}

fn build(arguments: &Build) -> Result<(), Failure> {
    let path = arguments.out.as_path();
    let old = if path.exists() { Book::load(path).map_err(named(path))? } else { Book::default() };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(usize::from(arguments.threads)).build();
    let pool = pool.map_err(Failure::work)?;
    let mut builder = Builder::new(&old, arguments.nodes).map_err(named(path))?;
    let cannot_write = |error| Failure::Work(named(path)(error));
    // After the first Ctrl-C the book is saved and the program ends.
    study::watch_interrupts();
    let (begin, before) = (Instant::now(), builder.shape().positions);
    let mut saved = begin;
    while builder.shape().positions < arguments.positions && !study::interrupted() {
        if !pool.install(|| builder.grow()) {
            break;
        }
        if saved.elapsed() >= SAVE_EVERY {
            saved = Instant::now();
            builder.book().save(path).map_err(cannot_write)?;
            let shape = builder.shape();
            let rate = (shape.positions - before) as f64 / begin.elapsed().as_secs_f64();
            let left = arguments.positions.saturating_sub(shape.positions) as f64 / rate.max(1e-3);
            eprintln!("{}; {rate:.1} positions/s, about {left:.0} s left", describe(&shape));
        }
    }
    builder.book().save(path).map_err(cannot_write)?;
    print(describe(&builder.shape()));
    Ok(())
}

fn describe(shape: &Shape) -> String {
    format!(
        "{}, {} with all their moves, longest line {} plies, start {:+.2}",
        counted(shape.positions as u64, "position"),
        shape.expanded,
        shape.longest,
        f64::from(shape.score) / 100.0
    )
}

fn show(start: &Position, moves: &[String], file: Option<&Path>, margin: i32) -> Result<(), String> {
    let book = open(file)?;
    let mut position = *start;
    for text in moves {
        let mv = notation::parse_move::<International>(&position, text).map_err(|error| error.to_string())?;
        position = position.play::<International>(mv);
    }
    match book.score(&position) {
        None => print("not in the book"),
        Some(score) => print(format_args!("{:+.2} for the side to move", f64::from(score) / 100.0)),
    }
    let legal = legal_moves::<International>(&position);
    let choices = book.choices(&position, margin);
    let total: u64 = choices.iter().map(|choice| choice.1).sum();
    for (mv, score) in book.moves(&position) {
        let weight = choices.iter().find(|choice| choice.0 == mv).map_or(0, |choice| choice.1);
        print(format_args!(
            "{:<8} {:+.2} {:>5.1} %",
            notation::short(mv, &legal),
            f64::from(score) / 100.0,
            100.0 * weight as f64 / total.max(1) as f64
        ));
    }
    Ok(())
}

fn check(file: Option<&Path>) -> Result<(), Failure> {
    let name = file.unwrap_or_else(|| Path::new("the book in the program"));
    let book = file.map_or_else(|| Ok(Book::built_in().clone()), Book::load);
    let fault = |error: BookError| match error {
        BookError::Io(_) | BookError::NotAFile => Failure::Usage(named(name)(error)),
        fault => Failure::Work(named(name)(fault)),
    };
    let book = book.map_err(fault)?;
    let builder = Builder::new(&book, 1).map_err(fault)?;
    print(format_args!("{}: good", describe(&builder.shape())));
    Ok(())
}
