//! `dyad syzygy`: what endgame tables say, and how fast.

use std::io::BufRead;
use std::time::{Duration, Instant};

use movegen::Board;
use search::chess::tablebase::{Tables, Wdl};

use crate::cli::{SyzygyCommand, position};
use crate::console::line;

/// Runs one of the jobs.
///
/// # Errors
/// When there are no tables, or a position cannot be read.
pub fn run(command: &SyzygyCommand) -> Result<(), String> {
    match command {
        SyzygyCommand::Probe { path, positions } => {
            let tables = find(path)?;
            if positions.is_empty() {
                for text in std::io::stdin().lock().lines() {
                    let text = text.map_err(|error| format!("cannot read: {error}"))?;
                    if !text.trim().is_empty() {
                        probe(&tables, text.trim())?;
                    }
                }
            }
            for text in positions {
                probe(&tables, text)?;
            }
            Ok(())
        }
        SyzygyCommand::Speed { path, seconds } => {
            let boards = std::io::stdin()
                .lock()
                .lines()
                .map(|text| position(text.map_err(|error| format!("cannot read: {error}"))?.trim()))
                .collect::<Result<Vec<Board>, String>>()?;
            speed(&find(path)?, &boards, Duration::from_secs(*seconds))
        }
    }
}

fn find(path: &str) -> Result<Tables, String> {
    let (tables, found) = Tables::find(path);
    if found.wdl == 0 {
        return Err(found.to_string());
    }
    if !found.faults.is_empty() {
        eprintln!("dyad: {found}");
    }
    Ok(tables)
}

fn name(wdl: Wdl) -> &'static str {
    match wdl {
        Wdl::Loss => "loss",
        Wdl::BlessedLoss => "blessed-loss",
        Wdl::Draw => "draw",
        Wdl::CursedWin => "cursed-win",
        Wdl::Win => "win",
    }
}

fn probe(tables: &Tables, text: &str) -> Result<(), String> {
    let board = position(text)?;
    let wdl = tables.wdl(&board).map_or("unknown".to_string(), |wdl| name(wdl).to_string());
    let dtz = tables.dtz(&board).map_or("unknown".to_string(), |dtz| dtz.plies.to_string());
    line(format_args!("{wdl} dtz {dtz} {}", board.fen()));
    for complaint in tables.take_complaints() {
        eprintln!("dyad: {complaint}");
    }
    Ok(())
}

fn speed(tables: &Tables, boards: &[Board], time: Duration) -> Result<(), String> {
    // The first round opens the files.
    let known = boards.iter().filter(|board| tables.wdl(board).is_some()).count();
    if known == 0 {
        return Err("none of the positions is in the tables".into());
    }
    let start = Instant::now();
    let mut probes = 0_u64;
    while start.elapsed() < time {
        probes += boards.iter().filter_map(|board| tables.wdl(board)).count() as u64;
    }
    let rate = probes as f64 / start.elapsed().as_secs_f64();
    line(format_args!("{known} positions, {probes} WDL probes, {rate:.0} a second"));
    Ok(())
}
