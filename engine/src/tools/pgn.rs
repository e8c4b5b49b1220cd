//! `dyad pgn`: what files of games hold.

pub mod ratings;

use std::path::Path;

use study::{Failure, counted};

use crate::cli::PgnCommand;
use crate::console::line;
use crate::pgn::{GameReader, GameResult, result_text};

/// Runs one of the jobs.
///
/// # Errors
/// When the file cannot be read or holds no game.
pub fn run(command: &PgnCommand) -> Result<(), Failure> {
    match command {
        PgnCommand::Check { file } => Ok(check(file)?),
        PgnCommand::Ratings(args) => ratings::run(args),
    }
}

/// Plays through all games of a file.
fn check(file: &Path) -> Result<(), String> {
    let cannot = |error| format!("cannot read '{}': {error}", file.display());
    let (mut games, mut plies, mut faults, mut unfinished) = (0_u64, 0_u64, 0_u64, 0_u64);
    let mut results = [0_u64; 3];
    for game in GameReader::open(file).map_err(cannot)? {
        let game = game.map_err(cannot)?;
        games += 1;
        plies += game.moves.len() as u64;
        match game.result {
            Some(GameResult::White) => results[0] += 1,
            Some(GameResult::Draw) => results[1] += 1,
            Some(GameResult::Black) => results[2] += 1,
            None => unfinished += 1,
        }
        if let Some(told) = game.contradiction() {
            let (told, end) = (result_text(Some(told)), result_text(game.result));
            let place = format_args!("game {} (line {})", game.number, game.line);
            line(format_args!("{place}: the tag Result tells {told}, the end of the moves {end}"));
        }
        let fault = game.fault_line();
        faults += u64::from(fault.is_some() || game.contradiction().is_some());
        fault.into_iter().for_each(line);
    }
    let [white, draws, black] = results;
    line(format_args!(
        "{}, {}; {white} won by White, {draws} drawn, {black} won by Black, {unfinished} without result; {faults} \
         faulty",
        counted(games, "game"),
        counted(plies, "half-move")
    ));
    if games == 0 { Err(format!("{}: holds no game", file.display())) } else { Ok(()) }
}
