//! `dyad-draughts analyse --pdn`: the games of a file.

use std::io::{self, BufReader};
use std::path::Path;
use std::sync::Arc;

use draughts::bitbase::Tables;
use draughts::pdn::{Entry, Reader};
use study::{Analyst, Failure, GameReport, Wanted, analyse_games, annotated, interrupted, open_games};

use super::Analyse;
use super::game::{self, Seer};
use crate::cli::print;

/// The arguments with the endgame tables that they name.
struct WithTables<'a> {
    arguments: &'a Analyse,
    tables: Option<Arc<Tables>>,
}

impl Analyst for WithTables<'_> {
    type Game = io::Result<Entry>;
    type Seer = Seer;

    fn seer(&self) -> Seer {
        Seer::new(self.arguments.hash as usize, self.arguments.file_limits(), self.tables.clone())
    }

    fn analyse(&self, seer: &mut Seer, entry: io::Result<Entry>) -> Result<Option<GameReport>, String> {
        let Entry { number, line, game } = entry.map_err(|error| error.to_string())?;
        match game {
            Err(fault) => {
                let text = fault.to_string();
                let reason = text.strip_prefix(&format!("game {number}")).unwrap_or(&text);
                Err(format!("game {number} (line {line}){reason}"))
            }
            Ok(game) => Ok(game::analyse(&game, number as u64, seer, interrupted)),
        }
    }

    fn annotate(&self, report: &GameReport) -> String {
        let mut tags: Vec<(String, String)> = report.tags.clone();
        tags.retain(|(name, _)| {
            !["Result", "FEN", "GameType", "Annotator"].iter().any(|own| name.eq_ignore_ascii_case(own))
        });
        let mut own = vec![("Result", report.result.clone()), ("GameType", "20".to_owned())];
        if report.start != draughts::fen::to_fen(&draughts::Position::start()) {
            own.push(("FEN", report.start.clone()));
        }
        own.push(("Annotator", concat!("Dyad draughts ", env!("CARGO_PKG_VERSION")).to_owned()));
        tags.extend(own.into_iter().map(|(name, value)| (name.to_owned(), value)));
        annotated(report, &tags)
    }
}

/// Analyses the games of a file.
///
/// # Errors
/// When a file cannot be read or written, or holds no game that can be analysed.
pub fn run(arguments: &Analyse, path: &Path) -> Result<(), Failure> {
    let wanted = Wanted {
        out: arguments.out.as_deref(),
        html: arguments.html.as_deref(),
        json: arguments.json,
        summaries_aside: false,
        threads: usize::from(arguments.threads),
        program: "dyad-draughts",
        print: |line| print(line),
    };
    let file = open_games(path, &wanted)?;
    let analyst = WithTables { arguments, tables: arguments.tables() };
    analyse_games(&analyst, Reader::new(BufReader::with_capacity(1 << 16, file)), path, wanted)
}
