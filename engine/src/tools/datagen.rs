//! `dyad datagen`: plays games against itself and keeps every position's score for training.

pub mod judge;
pub mod selfplay;

use std::path::Path;
use std::time::Duration;

use eval::chess::viriformat;
use indicatif::{ProgressBar, ProgressStyle};
use search::chess::Evaluation;
use search::core::generate::{Progress, generate, open_behind};
use study::{Failure, counted};

use crate::cli::DatagenArgs;
use crate::console;
use selfplay::{SelfPlay, Settings};

/// Generates games.
///
/// # Errors
/// When the file is not one of games or cannot be written.
pub fn run(args: &DatagenArgs) -> Result<(), Failure> {
    let path = &args.out;
    let problem = |what: &str, error: std::io::Error| format!("{what} {}: {error}", path.display());
    let (done, whole_bytes) = existing(path)?;
    if done >= args.games {
        console::line(format_args!("there already: {}", counted(done, "game")));
        return Ok(());
    }
    if done > 0 {
        console::line_aside(format_args!("going on behind {}", counted(done, "game")));
    }
    // After the first Ctrl-C the games that have begun are finished and written.
    let interrupted = study::watch_interrupts();
    let mut file = open_behind(path, whole_bytes).map_err(|error| problem("cannot open", error))?;
    let settings = Settings { seed: args.seed, nodes: args.nodes, chess960_percent: args.chess960 };
    let bar = progress_bar(done, args.games);
    let progress = generate(
        &mut file,
        done,
        args.games,
        args.threads as usize,
        interrupted,
        |_| SelfPlay::new(settings, &Evaluation::built_in()),
        |progress| {
            bar.set_message(text(progress));
            bar.set_position(progress.games);
        },
    )
    .map_err(|error| Failure::Work(problem("cannot write", error)))?;
    bar.finish_and_clear();
    let games = counted(progress.games, "game");
    console::line(format_args!("{games} in {}, {}", path.display(), text(&progress)));
    Ok(())
}

/// Games and bytes of whole games in a file that may not exist yet.
fn existing(path: &Path) -> Result<(u64, u64), String> {
    if !path.exists() {
        return Ok((0, 0));
    }
    let file = viriformat::GameFile::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let (games, bytes) = file.whole_games();
    if games == 0 && !file.is_empty() {
        return Err(format!("{} holds no game: it is left as it is", path.display()));
    }
    Ok((games, bytes))
}

fn progress_bar(done: u64, games: u64) -> ProgressBar {
    let bar = ProgressBar::new(games).with_position(done);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} games, {msg}, {eta} left") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

fn text(progress: &Progress) -> String {
    let [won, drawn, lost] = progress.results;
    format!(
        "{} positions ({:.0}/s), White +{won} ={drawn} -{lost}",
        progress.positions,
        progress.positions_per_second(),
    )
}
