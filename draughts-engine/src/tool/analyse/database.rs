//! `dyad-draughts analyse --pdn`: the games of a file, several at a time, in their order and in constant memory.

use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::Path;

use draughts::pdn::{Entry, Reader};
use study::{
    GameReport, HtmlReport, OutFile, Progress, Style, annotated, in_order, interrupted, summary_text,
    watch_interrupts,
};

use super::Analyse;
use super::game::{self, Seer};
use crate::cli::print;

/// The outputs of a run.
struct Outputs {
    /// The annotated games; standard output when there is no file.
    pdn: Option<Option<OutFile>>,
    html: Option<HtmlReport<OutFile>>,
    json: bool,
    style: Style,
}

impl Outputs {
    fn open(arguments: &Analyse, title: &str) -> Result<Self, String> {
        let pdn = match &arguments.out {
            Some(path) if path.as_os_str() == "-" => Some(None),
            Some(path) => Some(Some(OutFile::create(path)?)),
            None if arguments.json || arguments.html.is_some() => None,
            None => Some(None),
        };
        let html = arguments.html.as_deref().map(OutFile::create).transpose()?;
        let html = html.map(|file| HtmlReport::new(file, title)).transpose();
        let html = html.map_err(|error| format!("cannot write the report: {error}"))?;
        Ok(Self { pdn, html, json: arguments.json, style: Style::of_output() })
    }

    fn add(&mut self, report: &GameReport) -> Result<(), String> {
        match &mut self.pdn {
            Some(Some(file)) => file
                .write_all(text(report).as_bytes())
                .map_err(|error| format!("cannot write {}: {error}", file.path().display()))?,
            Some(None) => print(text(report).trim_end_matches('\n').to_owned() + "\n"),
            None => {}
        }
        if let Some(html) = &mut self.html {
            html.push(report).map_err(|error| format!("cannot write the report: {error}"))?;
        }
        if self.json {
            print(serde_json::to_string(report).map_err(|error| format!("cannot write JSON: {error}"))?);
        } else if !matches!(self.pdn, Some(None)) {
            print(summary_text(report, self.style).trim_end());
        }
        Ok(())
    }

    fn finish(self) -> Result<(), String> {
        if let Some(Some(file)) = self.pdn {
            file.finish()?;
        }
        match self.html {
            Some(html) => {
                html.finish().map_err(|error| format!("cannot write the report: {error}"))?.finish()
            }
            None => Ok(()),
        }
    }
}

/// The game as PDN with an empty line behind it.
fn text(report: &GameReport) -> String {
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

/// What came of a game.
enum Outcome {
    Done(Box<GameReport>),
    Bad(String),
    Cancelled,
}

/// Analyses the games of a file.
///
/// # Errors
/// When a file cannot be read or written, or holds no game that can be analysed.
pub fn run(arguments: &Analyse, path: &Path) -> Result<(), String> {
    let problem = |error: io::Error| format!("{}: {error}", path.display());
    let file = File::open(path).map_err(problem)?;
    if file.metadata().map_err(problem)?.is_dir() {
        return Err(format!("{} is a folder", path.display()));
    }
    let tables = arguments.tables();
    let games = Reader::new(BufReader::with_capacity(1 << 16, file));
    let title = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut outputs = Outputs::open(arguments, &title)?;
    watch_interrupts();
    let (mut done, mut bad, mut moves) = (0u64, 0u64, 0u64);
    let mut progress = Progress::new(None, "games");
    in_order(
        games,
        usize::from(arguments.threads),
        || Seer::new(arguments.hash as usize, arguments.file_limits(), tables.clone()),
        |seer, entry| match entry {
            Ok(Entry { number, line, game: Err(fault) }) => {
                let text = fault.to_string();
                let reason = text.strip_prefix(&format!("game {number}")).unwrap_or(&text);
                Outcome::Bad(format!("game {number} (line {line}){reason}"))
            }
            Ok(Entry { number, game: Ok(game), .. }) => {
                game::analyse(&game, number as u64, seer, interrupted)
                    .map_or(Outcome::Cancelled, |report| Outcome::Done(Box::new(report)))
            }
            Err(error) => Outcome::Bad(error.to_string()),
        },
        interrupted,
        |outcome| {
            match outcome {
                Outcome::Done(report) => {
                    done += 1;
                    moves += report.plies.len() as u64;
                    let mut result = Ok(());
                    progress.print(|| result = outputs.add(&report));
                    result?;
                }
                Outcome::Bad(fault) => {
                    bad += 1;
                    progress.print(|| eprintln!("dyad-draughts: {}: {fault}; skipped", path.display()));
                }
                Outcome::Cancelled => {}
            }
            progress.set(done, format!("{moves} moves, {bad} skipped"));
            Ok::<(), String>(())
        },
    )?;
    progress.finish();
    if done == 0 && !interrupted() {
        return Err(format!("{} holds no game that can be analysed", path.display()));
    }
    // Stopped before anything was finished: a file that was there stays.
    if done > 0 {
        outputs.finish()?;
    }
    let stopped = if interrupted() { ", stopped early" } else { "" };
    eprintln!("{done} games with {moves} moves analysed, {bad} skipped{stopped}");
    Ok(())
}
