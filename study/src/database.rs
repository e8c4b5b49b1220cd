//! The games of a file, several at a time, in their order and in constant memory: what is the same whichever game
//! they are of.

use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

use crate::arguments::counted;
use crate::failure::Failure;
use crate::html::HtmlReport;
use crate::interrupt::{interrupted, watch_interrupts};
use crate::ordered::in_order;
use crate::output::{OutFile, refuse_inputs};
use crate::progress::Progress;
use crate::report::GameReport;
use crate::summary::summary_text;
use crate::terminal::Style;

/// Where a text goes: a file that appears when it is whole, or standard output.
#[derive(Debug)]
pub enum Target {
    /// A file.
    File(OutFile),
    /// Standard output, by a function that prints a line.
    Output(fn(&str)),
}

impl Target {
    /// `-` is standard output, for which `print` prints a line.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn create(path: &Path, print: fn(&str)) -> Result<Self, String> {
        if path.as_os_str() == "-" { Ok(Self::Output(print)) } else { OutFile::create(path).map(Self::File) }
    }

    /// Writes a text that ends with a line.
    ///
    /// # Errors
    /// When the file cannot be written, with its name.
    pub fn write_text(&mut self, text: &str) -> Result<(), String> {
        match self {
            Self::File(file) => file
                .write_all(text.as_bytes())
                .map_err(|error| format!("cannot write {}: {error}", file.path().display())),
            Self::Output(print) => {
                print(text.strip_suffix('\n').unwrap_or(text));
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
            Self::Output(_) => Ok(()),
        }
    }
}

/// Refuses standard output as the place of a text where JSON is printed there.
///
/// # Errors
/// When `out` is `-`.
pub fn refuse_output(out: Option<&Path>) -> Result<(), String> {
    match out {
        Some(path) if path.as_os_str() == "-" => {
            Err("--json and --out - would mix on standard output".into())
        }
        _ => Ok(()),
    }
}

/// Whether two names are those of one file, which may not exist yet.
fn is_same_place(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| {
        let whole = || Some(path.parent()?.join(".").canonicalize().ok()?.join(path.file_name()?));
        path.canonicalize().ok().or_else(whole).unwrap_or_else(|| path.to_owned())
    };
    place(one) == place(other)
}

/// Who analyses the games of one kind of file.
pub trait Analyst: Sync {
    /// A game as the file's reader gives it.
    type Game: Send;
    /// What each thread keeps from game to game.
    type Seer;

    /// Makes what a thread keeps.
    fn seer(&self) -> Self::Seer;

    /// Analyses a game; `None` when an interrupt cut it short.
    ///
    /// # Errors
    /// Which game cannot be analysed and why.
    fn analyse(&self, seer: &mut Self::Seer, game: Self::Game) -> Result<Option<GameReport>, String>;

    /// The analysed game in the format of the file, with an empty line behind it.
    fn annotate(&self, report: &GameReport) -> String;
}

/// What is wanted of the games of a file, and of which program.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// File for the annotated games, `-` for standard output; where they go when nothing else is asked for.
    pub out: Option<&'a Path>,
    /// File for a report for a browser.
    pub html: Option<&'a Path>,
    /// Whether the results are printed as JSON.
    pub json: bool,
    /// Whether summaries are shown on a terminal at standard error while the games go to standard output.
    pub summaries_aside: bool,
    /// Games at a time.
    pub threads: usize,
    /// The program's name, for its messages.
    pub program: &'static str,
    /// Prints a line on standard output.
    pub print: fn(&str),
}

/// The outputs of a run.
struct Outputs<'a> {
    games: Option<Target>,
    html: Option<HtmlReport<OutFile>>,
    wanted: Wanted<'a>,
    style: Style,
}

impl<'a> Outputs<'a> {
    fn open(wanted: Wanted<'a>, title: &str) -> Result<Self, String> {
        if let (Some(out), Some(html)) = (wanted.out, wanted.html)
            && is_same_place(out, html)
        {
            return Err(format!("{} cannot hold both the games and the report", out.display()));
        }
        if wanted.json {
            refuse_output(wanted.out)?;
        }
        let games = match wanted.out {
            Some(path) => Some(Target::create(path, wanted.print)?),
            None if wanted.json || wanted.html.is_some() => None,
            None => Some(Target::Output(wanted.print)),
        };
        let html = wanted.html.map(OutFile::create).transpose()?;
        let html = html.map(|file| HtmlReport::new(file, title)).transpose();
        let html = html.map_err(|error| format!("cannot write the report: {error}"))?;
        Ok(Self { games, html, wanted, style: Style::of_output() })
    }

    fn add(&mut self, report: &GameReport, annotate: impl Fn(&GameReport) -> String) -> Result<(), String> {
        if let Some(target) = &mut self.games {
            target.write_text(&annotate(report))?;
        }
        if let Some(html) = &mut self.html {
            html.push(report).map_err(|error| format!("cannot write the report: {error}"))?;
        }
        if self.wanted.json {
            let json =
                serde_json::to_string(report).map_err(|error| format!("cannot write JSON: {error}"))?;
            (self.wanted.print)(&json);
        } else if !matches!(self.games, Some(Target::Output(_))) {
            (self.wanted.print)(summary_text(report, self.style).trim_end());
        } else if self.wanted.summaries_aside && io::stderr().is_terminal() {
            eprintln!("{}", summary_text(report, Style::plain()).trim_end());
        }
        Ok(())
    }

    fn finish(self) -> Result<(), String> {
        if let Some(games) = self.games {
            games.finish()?;
        }
        if let Some(html) = self.html {
            html.finish().map_err(|error| format!("cannot write the report: {error}"))?.finish()?;
        }
        Ok(())
    }
}

/// Opens a file of games.
///
/// # Errors
/// When it cannot be read, is a folder, or is one of the files that are to be written.
pub fn open_games(path: &Path, wanted: &Wanted) -> Result<File, String> {
    refuse_inputs([wanted.out, wanted.html].into_iter().flatten(), [path])?;
    let problem = |error: io::Error| format!("{}: {error}", path.display());
    let file = File::open(path).map_err(problem)?;
    if file.metadata().map_err(problem)?.is_dir() {
        return Err(format!("{} is a folder", path.display()));
    }
    Ok(file)
}

/// Analyses the games of the file `path`, until an interrupt.
///
/// # Errors
/// When an output cannot be written, or there is no game that can be analysed.
pub fn analyse_games<A: Analyst>(
    analyst: &A,
    games: impl Iterator<Item = A::Game> + Send,
    path: &Path,
    wanted: Wanted,
) -> Result<(), Failure> {
    let title = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut outputs = Outputs::open(wanted, &title)?;
    watch_interrupts();
    let (mut done, mut bad, mut moves) = (0u64, 0u64, 0u64);
    let mut progress = Progress::new(None, "games");
    in_order(
        games,
        wanted.threads,
        || analyst.seer(),
        |seer, game| analyst.analyse(seer, game).map(|report| report.map(Box::new)),
        interrupted,
        |outcome| {
            match outcome {
                Ok(Some(report)) => {
                    done += 1;
                    moves += report.plies.len() as u64;
                    let mut result = Ok(());
                    progress.print(|| result = outputs.add(&report, |report| analyst.annotate(report)));
                    result?;
                }
                Err(fault) => {
                    bad += 1;
                    progress.print(|| eprintln!("{}: {}: {fault}; skipped", wanted.program, path.display()));
                }
                Ok(None) => {}
            }
            progress.set(done, format!("{}, {bad} skipped", counted(moves, "move")));
            Ok(())
        },
    )
    .map_err(Failure::Work)?;
    progress.finish();
    if done == 0 && !interrupted() {
        return Err(format!("{} holds no game that can be analysed", path.display()).into());
    }
    // Stopped before anything was finished: a file that was there stays.
    if done > 0 {
        outputs.finish().map_err(Failure::Work)?;
    }
    let stopped = if interrupted() { ", stopped early" } else { "" };
    let (games, moves) = (counted(done, "game"), counted(moves, "move"));
    eprintln!("{games} with {moves} analysed, {bad} skipped{stopped}");
    Ok(())
}
