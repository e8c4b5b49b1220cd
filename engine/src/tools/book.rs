//! `dyad book`: opening books made, shown, merged and checked.

use std::path::Path;
use std::time::Duration;

use indicatif::ProgressBar;
use movegen::Color;
use study::{Failure, counted};

use crate::book::make::{Maker, Settings};
use crate::book::{Book, check, merge};
use crate::cli::{BookCommand, BookSide, MakeArgs, position};
use crate::console::line;
use crate::pgn::GameReader;

/// Faults of games that are told one by one.
const TOLD_FAULTS: u64 = 10;
/// Time between two looks of the progress line.
const TICK: Duration = Duration::from_millis(200);

/// Runs one of the jobs.
///
/// # Errors
/// One line: what cannot be read or written, or what is wrong with a book that was checked.
pub fn run(command: &BookCommand) -> Result<(), Failure> {
    match command {
        BookCommand::Make(args) => make(args),
        BookCommand::Show { position, book } => Ok(show(&position.position, book)?),
        BookCommand::Merge { books, out } => {
            refuse_existing(out)?;
            let entries = merge::merge(books, out)?;
            if entries == 0 {
                return Err("no book is written: there is no entry".into());
            }
            line(format_args!("{} written to {}", entries_text(entries), out.display()));
            Ok(())
        }
        BookCommand::Check { book } => {
            let report = check::check(book).map_err(|error| format!("'{}': {error}", book.display()))?;
            line(&report);
            if report.is_sound() {
                Ok(())
            } else {
                Err(Failure::work(format_args!("'{}' has faults", book.display())))
            }
        }
    }
}

fn entries_text(entries: u64) -> String {
    if entries == 1 { "1 entry".to_owned() } else { format!("{entries} entries") }
}

fn refuse_existing(out: &Path) -> Result<(), String> {
    if out.exists() { Err(format!("'{}' exists already", out.display())) } else { Ok(()) }
}

fn make(args: &MakeArgs) -> Result<(), Failure> {
    refuse_existing(&args.out)?;
    let settings = Settings {
        plies: args.plies as usize,
        min_games: args.min_games,
        scoring: args.scoring,
        color: match args.color {
            BookSide::Both => None,
            BookSide::White => Some(Color::White),
            BookSide::Black => Some(Color::Black),
        },
        capacity: Settings::capacity(args.memory as usize),
    };
    let cannot_write = |error| Failure::work(format_args!("cannot write '{}': {error}", args.out.display()));
    let mut maker = Maker::new(settings, &args.out);
    let bar = ProgressBar::new_spinner();
    bar.enable_steady_tick(TICK);
    let (mut games, mut taken, mut faults) = (0_u64, 0_u64, 0_u64);
    for path in &args.games {
        let cannot_read = |error| format!("cannot read '{}': {error}", path.display());
        for game in GameReader::open(path).map_err(cannot_read)? {
            let game = game.map_err(cannot_read)?;
            games += 1;
            if let Some(fault) = game.fault_line() {
                faults += 1;
                if faults <= TOLD_FAULTS {
                    bar.suspend(|| eprintln!("dyad: {}: {fault}", path.display()));
                }
            }
            taken += u64::from(maker.add(&game).map_err(cannot_write)?);
            if games.is_multiple_of(1000) {
                bar.set_message(format!("{games} games"));
            }
        }
    }
    let entries = maker.finish().map_err(cannot_write)?;
    bar.finish_and_clear();
    if entries == 0 {
        return Err(format!(
            "no book is written: {} left out of {games}, {} with a fault, and no move was played in {} of the others",
            counted(games - taken, "game"),
            faults,
            args.min_games
        )
        .into());
    }
    line(format_args!(
        "{} of {} written to {}; {} left out, {faults} with a fault",
        entries_text(entries),
        counted(taken, "game"),
        args.out.display(),
        counted(games - taken, "game")
    ));
    Ok(())
}

fn show(text: &str, path: &Path) -> Result<(), String> {
    let board = position(text)?;
    let cannot = |error| format!("'{}': {error}", path.display());
    let book = Book::open(path).map_err(cannot)?;
    if let Some(fault) = book.size_fault() {
        eprintln!("dyad: {fault}");
    }
    let moves = book.moves(&board).map_err(cannot)?;
    let total: u64 = moves.iter().map(|(_, entry)| u64::from(entry.weight)).sum();
    let count = counted(moves.len() as u64, "move");
    line(format_args!("key {:016x}, {count}", crate::book::key::of(&board)));
    for (mv, entry) in moves {
        let share = 100.0 * f64::from(entry.weight) / total.max(1) as f64;
        line(format_args!(
            "{:8} weight {:5} {share:5.1} % learn {}",
            board.san(mv),
            entry.weight,
            entry.learn
        ));
    }
    Ok(())
}
