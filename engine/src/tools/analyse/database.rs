//! `dyad analyse --pgn`: the games of a file.

use std::io::{self, Read};
use std::path::Path;

use study::{Analyst, Failure, GameReport, Wanted, analyse_games, interrupted, open_games};

use super::seer::Seer;
use super::{AnalyseArgs, GAME_LINES, annotate, game};
use crate::console;
use crate::letters::{Letters, Translator};
use crate::pgn::{Game, GameReader};

impl Analyst for AnalyseArgs {
    type Game = io::Result<Game>;
    type Seer = Seer;

    fn seer(&self) -> Seer {
        let lines = self.multipv.unwrap_or(GAME_LINES) as usize;
        Seer::new(1, self.hash as usize, self.file_limits(), lines)
    }

    fn analyse(&self, seer: &mut Seer, game: io::Result<Game>) -> Result<Option<GameReport>, String> {
        let game = game.map_err(|error| error.to_string())?;
        match game.fault_line() {
            Some(fault) => Err(fault),
            None => Ok(game::analyse(&game, seer, self.letters, interrupted)),
        }
    }

    fn annotate(&self, report: &GameReport) -> String {
        annotate::pgn(report)
    }
}

/// Analyses the games of a file.
///
/// # Errors
/// When a file cannot be read or written, or holds no game that can be analysed.
pub fn run(args: &AnalyseArgs, path: &Path) -> Result<(), Failure> {
    let wanted = Wanted {
        out: args.out.as_deref(),
        html: args.html.as_deref(),
        json: args.json,
        summaries_aside: true,
        threads: args.threads as usize,
        program: "dyad",
        print: |line| console::line(line),
    };
    let file = open_games(path, &wanted)?;
    let letters = args.read_letters;
    let text: Box<dyn Read + Send> =
        if letters == Letters::En { Box::new(file) } else { Box::new(Translator::new(file, letters)) };
    analyse_games(args, GameReader::new(text).with_notes(), path, wanted)
}
