//! `genfens`: balanced openings for games that OpenBench lets many machines play.
//!
//! OpenBench starts the engine with UCI commands as arguments, `dyad "genfens N seed S book B" "quit"`, and reads
//! lines `info string genfens FEN`. The openings are those of `datagen`: random moves, then a short search that
//! refuses what is lost for one side.

use std::path::Path;

use eval::random::Random;
use movegen::Board;
use search::chess::Evaluation;
use uci::command::{Command, GenFens};
use uci::info::InfoString;

use super::datagen::selfplay::{SelfPlay, Settings};
use crate::console;
use crate::epd::Epd;
use crate::options::{Engine, table};
use crate::source::Lines;

/// Nodes of the search that judges an opening.
const NODES: u64 = 2000;
/// Openings from one book in a row that may be unfit before the book is given up.
const MOST_STARTS: usize = 10_000;

/// Whether the program was started with UCI commands as arguments.
pub fn is_wanted(arguments: &[String]) -> bool {
    arguments.iter().any(|argument| argument.split_whitespace().next() == Some("genfens"))
}

/// Obeys UCI commands given as arguments, as far as they belong to this job.
///
/// # Errors
/// When a command is wrong, or the book cannot be used.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let (mut engine, options) = (Engine::default(), table());
    for argument in arguments {
        match Command::parse(argument).map_err(|error| error.to_string())? {
            Some(Command::SetOption { name, value }) => {
                options.set(&mut engine, &name, value.as_deref()).map_err(|error| error.to_string())?;
            }
            Some(Command::GenFens(wanted)) => {
                generate(&wanted, engine.searcher.evaluation(), &|| false, &mut |line| {
                    console::line(line);
                })?;
            }
            Some(Command::Quit) => return Ok(()),
            _ => return Err(format!("'{argument}' cannot be done beside genfens")),
        }
    }
    Ok(())
}

/// Makes openings until `is_cancelled` says so; each is a line `info string genfens FEN`. The extra word `chess960` and a number give the share
/// of Chess960 starts in percent, where no book is given.
///
/// # Errors
/// When the book cannot be used or an extra word is not known.
pub fn generate(
    wanted: &GenFens,
    evaluation: &Evaluation,
    is_cancelled: &dyn Fn() -> bool,
    say: &mut dyn FnMut(String),
) -> Result<(), String> {
    let chess960_percent = match &wanted.extra[..] {
        [] => 0,
        [word, share] if word == "chess960" => {
            share.parse().ok().filter(|&share| share <= 100).ok_or("chess960 takes a share from 0 to 100")?
        }
        extra => return Err(format!("genfens does not know '{}'", extra.join(" "))),
    };
    let book = wanted.book.as_deref().map(|name| read_book(Path::new(name))).transpose()?;
    let settings = Settings { seed: wanted.seed, nodes: NODES, chess960_percent };
    let mut player = SelfPlay::new(settings, evaluation);
    for number in (0..wanted.count).take_while(|_| !is_cancelled()) {
        let mut random = Random::new(wanted.seed, number);
        let mut starts = 0;
        let board = player.opening_from(&mut random, |random| match &book {
            // A book of lost positions only would never yield an opening.
            Some(book) if starts < MOST_STARTS => {
                starts += 1;
                book[random.below(book.len() as u64) as usize].clone()
            }
            _ => settings.start(random),
        });
        say(InfoString(format_args!("genfens {}", board.fen())).to_string());
    }
    Ok(())
}

/// Reads a book of positions, one a line, as FEN or EPD ([`Epd::parse`]); there is at least one.
///
/// # Errors
/// When the file cannot be read, a line is no position, or there is none.
pub fn read_book(path: &Path) -> Result<Vec<Board>, String> {
    let mut boards = Vec::new();
    for line in Lines::open(path)? {
        let (number, text) = line.map_err(|error| format!("{}, {error}", path.display()))?;
        let epd = Epd::parse(&text).map_err(|error| format!("{}, line {number}: {error}", path.display()))?;
        boards.extend(epd.map(|epd| epd.board));
    }
    if boards.is_empty() { Err(format!("{} holds no position", path.display())) } else { Ok(boards) }
}
