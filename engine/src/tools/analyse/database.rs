//! `dyad analyse --pgn`: the games of a file, several at a time, in their order and in constant memory.

use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::path::Path;

use study::{
    GameReport, HtmlReport, OutFile, Progress, Style, in_order, interrupted, summary_text, watch_interrupts,
};

use super::seer::Seer;
use super::{AnalyseArgs, GAME_LINES, annotate, game};
use crate::console;
use crate::letters::{Letters, Translator};
use crate::pgn::{Game, GameReader};

/// Where a text goes: a file that appears when it is whole, or standard output.
pub enum Target {
    /// A file.
    File(OutFile),
    /// Standard output.
    Output,
}

impl Target {
    /// `-` is standard output.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn create(path: &Path) -> Result<Self, String> {
        if path.as_os_str() == "-" { Ok(Self::output()) } else { OutFile::create(path).map(Self::File) }
    }

    /// Standard output.
    pub fn output() -> Self {
        Self::Output
    }

    /// Writes a text.
    ///
    /// # Errors
    /// When that fails, with the name of the file. A reader of standard output that has gone away ends the program.
    pub fn write_text(&mut self, text: &str) -> Result<(), String> {
        match self {
            Self::File(file) => file
                .write_all(text.as_bytes())
                .map_err(|error| format!("cannot write {}: {error}", file.path().display())),
            Self::Output => {
                console::line(text.strip_suffix('\n').unwrap_or(text));
                Ok(())
            }
        }
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// When that fails.
    pub fn finish(self) -> Result<(), String> {
        match self {
            Self::File(file) => file.finish(),
            Self::Output => Ok(()),
        }
    }
}

/// The outputs of a run.
struct Outputs {
    pgn: Option<Target>,
    html: Option<HtmlReport<OutFile>>,
    json: bool,
    /// The summary of each game goes to standard error, since the games are on standard output.
    is_output_taken: bool,
    style: Style,
}

impl Outputs {
    fn open(args: &AnalyseArgs, title: &str) -> Result<Self, String> {
        let pgn = match &args.out {
            Some(path) => Some(Target::create(path)?),
            None if args.json || args.html.is_some() => None,
            None => Some(Target::output()),
        };
        let html = args.html.as_deref().map(OutFile::create).transpose()?;
        let html = html.map(|file| HtmlReport::new(file, title)).transpose();
        Ok(Self {
            is_output_taken: args.json || matches!(pgn, Some(Target::Output)),
            pgn,
            html: html.map_err(|error| format!("cannot write the report: {error}"))?,
            json: args.json,
            style: Style::of_output(),
        })
    }

    fn add(&mut self, report: &GameReport) -> Result<(), String> {
        if let Some(target) = &mut self.pgn {
            target.write_text(&annotate::pgn(report))?;
        }
        if let Some(html) = &mut self.html {
            html.push(report).map_err(|error| format!("cannot write the report: {error}"))?;
        }
        if self.json {
            let json =
                serde_json::to_string(report).map_err(|error| format!("cannot write JSON: {error}"))?;
            console::line(json);
        }
        if !self.is_output_taken {
            console::line(summary_text(report, self.style).trim_end());
        } else if !self.json && io::stderr().is_terminal() {
            eprintln!("{}", summary_text(report, Style::plain()).trim_end());
        }
        Ok(())
    }

    fn finish(self) -> Result<(), String> {
        if let Some(pgn) = self.pgn {
            pgn.finish()?;
        }
        if let Some(html) = self.html {
            html.finish().map_err(|error| format!("cannot write the report: {error}"))?.finish()?;
        }
        Ok(())
    }
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
pub fn run(args: &AnalyseArgs, path: &Path) -> Result<(), String> {
    let games = open(path, args.read_letters)?;
    let title = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut outputs = Outputs::open(args, &title)?;
    watch_interrupts();
    let lines = args.multipv.unwrap_or(GAME_LINES) as usize;
    let (mut done, mut bad, mut moves) = (0u64, 0u64, 0u64);
    let mut progress = Progress::new(None, "games");
    in_order(
        games,
        args.threads as usize,
        || Seer::new(1, args.hash as usize, args.file_limits(), lines),
        |seer, game| match game {
            Ok(game) => match game.fault_line() {
                Some(fault) => Outcome::Bad(fault),
                None => game::analyse(&game, seer, args.letters, interrupted)
                    .map_or(Outcome::Cancelled, |report| Outcome::Done(Box::new(report))),
            },
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
                    progress.print(|| eprintln!("dyad: {}: {fault}; skipped", path.display()));
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

/// The games of a file, read in the letters of a language.
fn open(path: &Path, letters: Letters) -> Result<impl Iterator<Item = io::Result<Game>> + Send, String> {
    let problem = |error: io::Error| format!("{}: {error}", path.display());
    let file = File::open(path).map_err(problem)?;
    if file.metadata().map_err(problem)?.is_dir() {
        return Err(format!("{} is a folder", path.display()));
    }
    let text: Box<dyn Read + Send> =
        if letters == Letters::En { Box::new(file) } else { Box::new(Translator::new(file, letters)) };
    Ok(GameReader::new(text))
}
