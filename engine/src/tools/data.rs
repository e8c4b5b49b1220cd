//! `dyad data`: checks, counts, merges and shuffles files of training games.

use std::io::Write;
use std::path::{Path, PathBuf};

use eval::chess::viriformat::{GameFile, RawGame, replay};
use eval::random::Random;
use search::chess::score::is_decisive;
use study::{Failure, OutFile, counted};

use crate::cli::DataCommand;
use crate::console;

/// Faults that are told one by one; the others are only counted.
const SHOWN_FAULTS: u64 = 20;

/// Does what the command says.
///
/// # Errors
/// When a file cannot be read or written, or holds faults.
pub fn run(command: &DataCommand) -> Result<(), Failure> {
    match command {
        DataCommand::Check { file } => check(file),
        DataCommand::Stats { file } => Ok(stats(file)?),
        DataCommand::Wdl { file } => Ok(super::wdl::run(file)?),
        DataCommand::Merge { files, out } => merge(files, out),
        DataCommand::Shuffle { file, out, seed } => shuffle(file, out, *seed),
    }
}

fn open(path: &Path) -> Result<GameFile, String> {
    GameFile::open(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// Replays every game by the rules and compares its end with the result where the rules decide it.
fn check(path: &Path) -> Result<(), Failure> {
    let file = open(path)?;
    let (mut games, mut positions, mut faults) = (0u64, 0u64, 0u64);
    for game in file.games() {
        games += 1;
        let mut seen = 0;
        let fault = match replay(&game, |_| seen += 1) {
            Ok((last, result)) if last.is_checkmate() => {
                let winner = u8::from(last.side_to_move() == movegen::Color::Black) * 2;
                (result != winner).then(|| "the result is not that of the mate on the board".to_string())
            }
            Ok((last, result)) => {
                (last.is_stalemate() && result != 1).then(|| "a stalemate is no draw".into())
            }
            Err(fault) => Some(fault),
        };
        positions += seen;
        if let Some(fault) = fault {
            faults += 1;
            if faults <= SHOWN_FAULTS {
                console::line(format_args!("game {games}: {fault}"));
            }
        }
    }
    let torn = file.len() - file.whole_games().1;
    console::line(format_args!(
        "{}, {}, {}, {} of an unfinished game",
        counted(games, "game"),
        counted(positions, "position"),
        counted(faults, "fault"),
        counted(torn, "byte")
    ));
    match faults + torn {
        0 => Ok(()),
        _ => Err(Failure::work(format_args!("{}: damaged", path.display()))),
    }
}

/// Prints what the games look like.
fn stats(path: &Path) -> Result<(), String> {
    let file = open(path)?;
    let mut stats = Stats::default();
    for (number, game) in file.games().enumerate() {
        stats.add(&game).map_err(|fault| format!("{}: game {}: {fault}", path.display(), number + 1))?;
    }
    stats.print();
    Ok(())
}

#[derive(Default)]
struct Stats {
    games: u64,
    positions: u64,
    results: [u64; 3],
    chess960: u64,
    in_check: u64,
    tactical: u64,
    decisive: u64,
    /// Positions by pieces on the board, in the groups of `PIECE_GROUPS`.
    by_pieces: [u64; 5],
    /// Positions by absolute score in units of the search: below 50, 100, 200, 400, 800, 1600, any.
    by_score: [u64; 7],
}

/// Least and greatest number of pieces of a group.
const PIECE_GROUPS: [(u32, u32); 5] = [(2, 7), (8, 13), (14, 19), (20, 25), (26, 32)];
const SCORE_STEPS: [u16; 6] = [50, 100, 200, 400, 800, 1600];

impl Stats {
    fn add(&mut self, game: &RawGame) -> Result<(), String> {
        let mut first = true;
        let (_, result) = replay(game, |ply| {
            if std::mem::take(&mut first) {
                self.chess960 += u64::from(ply.board.is_chess960());
            }
            self.positions += 1;
            self.in_check += u64::from(ply.board.in_check());
            self.tactical += u64::from(ply.mv.is_tactical());
            self.decisive += u64::from(is_decisive(i32::from(ply.score)));
            let pieces = ply.board.occupied().count();
            if let Some(group) = PIECE_GROUPS.iter().position(|&(low, high)| (low..=high).contains(&pieces)) {
                self.by_pieces[group] += 1;
            }
            let score = ply.score.unsigned_abs();
            self.by_score[SCORE_STEPS.iter().position(|&step| score < step).unwrap_or(6)] += 1;
        })?;
        self.games += 1;
        self.results[usize::from(2 - result)] += 1;
        Ok(())
    }

    fn print(&self) {
        let percent = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
        console::line(format_args!("games        {:>12}", self.games));
        for (name, count) in ["White wins", "draws", "Black wins"].iter().zip(self.results) {
            console::line(format_args!("  {name:<10} {count:>12}  {:>5.1} %", percent(count, self.games)));
        }
        console::line(format_args!(
            "  Chess960   {:>12}  {:>5.1} %",
            self.chess960,
            percent(self.chess960, self.games)
        ));
        console::line(format_args!("positions    {:>12}", self.positions));
        console::line(format_args!(
            "  per game   {:>12.1}",
            self.positions as f64 / self.games.max(1) as f64
        ));
        for (name, count) in
            [("in check", self.in_check), ("tactical", self.tactical), ("mate score", self.decisive)]
        {
            console::line(format_args!(
                "  {name:<10} {count:>12}  {:>5.1} %",
                percent(count, self.positions)
            ));
        }
        for (index, count) in self.by_score.iter().enumerate() {
            let name = SCORE_STEPS.get(index).map_or_else(|| "more".into(), |step| format!("< {step}"));
            console::line(format_args!(
                "  {name:<10} {count:>12}  {:>5.1} %",
                percent(*count, self.positions)
            ));
        }
        for ((low, high), count) in PIECE_GROUPS.into_iter().zip(self.by_pieces) {
            let name = format!("{low}-{high} men");
            console::line(format_args!(
                "  {name:<10} {count:>12}  {:>5.1} %",
                percent(count, self.positions)
            ));
        }
    }
}

/// Writes a new file, which appears when it is whole.
fn write_file(out: &Path, write: impl FnOnce(&mut OutFile) -> std::io::Result<()>) -> Result<(), Failure> {
    if out.exists() {
        return Err(format!("{} exists already", out.display()).into());
    }
    let mut file = OutFile::create(out)?;
    write(&mut file).map_err(|error| Failure::work(format_args!("{}: {error}", out.display())))?;
    file.finish().map_err(Failure::Work)
}

/// Opens a file whose games are to be taken: there is one at least. What is left of an unfinished game behind them is
/// told.
fn open_source(path: &Path) -> Result<GameFile, String> {
    let file = open(path)?;
    let (games, whole) = file.whole_games();
    if games == 0 {
        return Err(format!("{} holds no game", path.display()));
    }
    let torn = file.len() - whole;
    if torn > 0 {
        let torn = counted(torn, "byte");
        eprintln!("dyad: {}: {torn} of an unfinished game left out", path.display());
    }
    Ok(file)
}

/// Interleaves the games of several files in proportion to their numbers.
fn merge(paths: &[PathBuf], out: &Path) -> Result<(), Failure> {
    let files = paths.iter().map(|path| open_source(path)).collect::<Result<Vec<_>, _>>()?;
    let mut sources: Vec<_> = files.iter().map(|file| (file.games(), file.whole_games().0, 0u64)).collect();
    let mut games = 0u64;
    write_file(out, |writer| {
        // Always from the file of which the smallest part has been written.
        while let Some(place) = (0..sources.len()).min_by(|&a, &b| {
            let ((_, games_a, done_a), (_, games_b, done_b)) = (&sources[a], &sources[b]);
            (u128::from(*done_a) * u128::from(*games_b)).cmp(&(u128::from(*done_b) * u128::from(*games_a)))
        }) {
            match sources[place].0.next() {
                Some(game) => {
                    writer.write_all(game.bytes())?;
                    sources[place].2 += 1;
                    games += 1;
                }
                None => drop(sources.remove(place)),
            }
        }
        Ok(())
    })?;
    console::line(format_args!("{} in {}", counted(games, "game"), out.display()));
    Ok(())
}

/// Writes the games in random order. Only their places are held in memory.
fn shuffle(path: &Path, out: &Path, seed: u64) -> Result<(), Failure> {
    let file = open_source(path)?;
    let mut games: Vec<RawGame> = file.games().collect();
    let mut random = Random::new(seed, 0);
    for last in (1..games.len()).rev() {
        games.swap(last, random.below(last as u64 + 1) as usize);
    }
    write_file(out, |writer| games.iter().try_for_each(|game| writer.write_all(game.bytes())))?;
    console::line(format_args!("{} in {}", counted(games.len() as u64, "game"), out.display()));
    Ok(())
}
