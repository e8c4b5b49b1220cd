//! `datagen` and `data`: make and look at training games.

use crate::cli::{evaluation, print, read_openings};
use clap::{Args, Subcommand};
use draughts::data::{DataError, GameResult, Reader, Record, resume};
use draughts::selfplay::{Plan, Player};
use search::core::generate::{self, Progress, generate};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::Duration;
use study::{Failure, counted, refuse_inputs};

/// What `datagen` is told.
#[derive(Args)]
pub struct Datagen {
    /// Games in the file at the end, those already there included.
    #[arg(long)]
    games: u64,
    /// Nodes after which no new iteration begins, for each move.
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Threads; each plays games of its own.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Number that decides the openings.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// File with one FEN a line: half of the games begin there.
    #[arg(long)]
    openings: Option<PathBuf>,
    /// Network to play with, as `train` writes it, or `<material>`; that of the program if absent.
    #[arg(long)]
    eval: Option<PathBuf>,
    /// File to append to.
    #[arg(long)]
    out: PathBuf,
}

/// What `data` is told.
#[derive(Subcommand)]
pub enum Data {
    /// Replay every game and check it.
    Check {
        /// The file.
        file: PathBuf,
    },
    /// Print how many games, positions and results there are.
    Stats {
        /// The file.
        file: PathBuf,
    },
}

/// Games and positions of a run, by result.
#[derive(Default)]
struct Tally {
    games: [u64; 3],
    positions: u64,
}

impl Tally {
    fn add(&mut self, record: &Record) {
        self.games[record.result as usize] += 1;
        self.positions += record.plies.len() as u64;
    }
}

/// Plays until the file has the games that are asked for.
///
/// # Errors
/// When a file cannot be used.
pub fn datagen(arguments: &Datagen) -> Result<(), Failure> {
    let inputs = [arguments.openings.as_deref(), arguments.eval.as_deref()];
    refuse_inputs([arguments.out.as_path()], inputs.into_iter().flatten())?;
    let openings = arguments.openings.as_deref().map(read_openings).transpose()?.unwrap_or_default();
    let evaluation = evaluation(arguments.eval.as_deref())?;
    let (file, stock) =
        resume(&arguments.out).map_err(|error| format!("{}: {error}", arguments.out.display()))?;
    if stock.games > 0 || stock.cut > 0 {
        let (games, positions) = (counted(stock.games, "game"), counted(stock.positions, "position"));
        let cut = counted(stock.cut, "byte");
        eprintln!("there already: {games} with {positions}, {cut} of an unfinished one cut off");
    }
    let plan = Plan { nodes: arguments.nodes, seed: arguments.seed, openings };
    // After the first Ctrl-C the games that have begun are finished and written.
    let interrupted = study::watch_interrupts();
    let mut shown = Duration::ZERO;
    let done = file.into_inner().map_err(std::io::IntoInnerError::into_error).and_then(|mut file| {
        generate(
            &mut file,
            stock.games,
            arguments.games,
            usize::from(arguments.threads),
            interrupted,
            |_| Seat { player: Player::new(evaluation.clone()), plan: &plan },
            |progress| {
                if progress.elapsed >= shown + SHOW_EVERY {
                    shown = progress.elapsed;
                    show(progress);
                }
            },
        )
    });
    let failed = |error| Failure::work(format_args!("{}: {error}", arguments.out.display()));
    show(&done.map_err(failed)?);
    Ok(())
}

/// Time between two lines of progress.
const SHOW_EVERY: Duration = Duration::from_secs(10);

/// One thread's place at the board.
struct Seat<'a> {
    player: Player,
    plan: &'a Plan,
}

impl generate::Player for Seat<'_> {
    fn play(&mut self, number: u64) -> generate::Record {
        let record = self.player.play(self.plan, number);
        generate::Record {
            bytes: record.to_bytes(),
            positions: record.plies.len() as u64,
            result: record.result as i8 - GameResult::Draw as i8,
        }
    }
}

fn show(progress: &Progress) {
    let [wins, draws, losses] = progress.results;
    eprintln!(
        "{}, {}, {:.0} positions/s, +{wins} ={draws} -{losses}",
        counted(progress.games, "game"),
        counted(progress.positions, "position"),
        progress.positions_per_second(),
    );
}

/// Runs `data check` or `data stats`.
///
/// # Errors
/// When the file cannot be used, or a check finds a fault.
pub fn data(command: &Data) -> Result<(), Failure> {
    match command {
        Data::Check { file } => check(file).map_err(|error| {
            let message = format!("{}: {error}", file.display());
            if matches!(error, DataError::Io(_)) { Failure::Usage(message) } else { Failure::Work(message) }
        }),
        Data::Stats { file } => Ok(stats(file).map_err(|error| format!("{}: {error}", file.display()))?),
    }
}

fn check(path: &Path) -> Result<(), DataError> {
    let mut tally = Tally::default();
    for record in Reader::open(path)? {
        let record = record?;
        record.replay()?;
        tally.add(&record);
    }
    let (games, positions) = (tally.games.iter().sum(), tally.positions);
    print(format_args!("{}, {}: good", counted(games, "game"), counted(positions, "position")));
    Ok(())
}

fn stats(path: &Path) -> Result<(), DataError> {
    let mut tally = Tally::default();
    let (mut adjudicated, mut longest, mut captures, mut squares) = (0u64, 0, 0u64, 0.0);
    let mut starts = HashSet::new();
    let mut distinct = HashSet::new();
    let mut pieces = [0u64; 41];
    let mut with_kings = 0u64;
    for record in Reader::open(path)? {
        let record = record?;
        tally.add(&record);
        adjudicated += u64::from(record.adjudicated);
        longest = longest.max(record.plies.len());
        starts.insert(record.start.key());
        for (position, mv, score) in record.replay()? {
            distinct.insert(position.key());
            captures += u64::from(mv.is_capture());
            with_kings += u64::from(!position.all_kings().is_empty());
            pieces[50 - position.empty().count() as usize] += 1;
            squares += f64::from(score.clamp(-800, 800)).powi(2);
        }
    }
    let games: u64 = tally.games.iter().sum();
    let positions = tally.positions.max(1) as f64;
    let share = |count: u64| 100.0 * count as f64 / positions;
    let [losses, draws, wins] = tally.games;
    print(format_args!(
        "games        {games} (White +{wins} ={draws} -{losses}), {adjudicated} ended by score"
    ));
    print(format_args!("starts       {} different", starts.len()));
    print(format_args!("positions    {}, {} different", tally.positions, distinct.len()));
    print(format_args!("length       {:.1} plies, at most {longest}", positions / games.max(1) as f64));
    print(format_args!("captures     {:.1} % of the moves", share(captures)));
    print(format_args!("kings        in {:.1} % of the positions", share(with_kings)));
    print(format_args!(
        "score        {:.0} hundredths of a man (root mean square)",
        (squares / positions).sqrt()
    ));
    for (first, last) in [(2, 6), (7, 12), (13, 20), (21, 30), (31, 40)] {
        let count = pieces[first..=last].iter().sum();
        print(format_args!("pieces       {first:2}-{last:2}: {:.1} %", share(count)));
    }
    Ok(())
}

/// The result's discriminant is what the tally counts by.
const _: () = assert!(GameResult::Loss as usize == 0 && GameResult::Win as usize == 2);
