//! `dyad analyse --epd`: the positions of a file, each with what was found written behind it.

use std::path::Path;

use movegen::Move;
use search::chess::score::{centipawns, mate_distance};
use study::{
    Failure, Progress, Target, counted, in_order, interrupted, refuse_inputs, refuse_output, watch_interrupts,
};

use super::AnalyseArgs;
use super::position::json;
use super::seer::{Found, Seer};
use crate::console;
use crate::epd::Epd;
use crate::source::Lines;

/// Longest line written, in plies.
const LONGEST_LINE: usize = 16;

/// Analyses the positions of a file, until an interrupt.
///
/// # Errors
/// When a file cannot be read or written, or holds no position.
pub fn run(args: &AnalyseArgs, path: &Path) -> Result<(), Failure> {
    refuse_inputs(args.out.as_deref(), [path])?;
    if args.json {
        refuse_output(args.out.as_deref())?;
    }
    let lines = Lines::open(path)?;
    let print = |line: &str| console::line(line);
    let mut target = match &args.out {
        Some(out) => Some(Target::create(out, print)?),
        None if args.json => None,
        None => Some(Target::Output(print)),
    };
    watch_interrupts();
    let (mut done, mut bad) = (0u64, 0u64);
    let mut progress = Progress::new(None, "positions");
    in_order(
        lines,
        args.threads as usize,
        || Seer::new(1, args.hash as usize, args.file_limits(), args.multipv.unwrap_or(1) as usize),
        |seer, line| {
            let (number, text) = line?;
            let epd = Epd::parse(&text).map_err(|error| format!("line {number}: {error}"))?;
            Ok(epd.and_then(|epd| {
                seer.new_game();
                let found = seer.look(&epd.board);
                // A search that was cut short is no result.
                (!interrupted()).then_some((epd, found))
            }))
        },
        interrupted,
        |result: Result<Option<(Epd, Option<Found>)>, String>| {
            match result {
                Ok(None) => return Ok(()),
                Ok(Some((mut epd, found))) => {
                    done += 1;
                    if args.json {
                        let mut value = json(&epd.board, found.as_ref(), args.letters);
                        value["id"] = epd.id().into();
                        console::line(value);
                    }
                    if let Some(found) = &found {
                        annotate(&mut epd, found);
                    }
                    if let Some(target) = &mut target {
                        target.write_text(&format!("{}\n", epd.text()))?;
                    }
                }
                Err(message) => {
                    bad += 1;
                    progress.print(|| eprintln!("dyad: {}: {message}", path.display()));
                }
            }
            progress.set(done, String::new());
            Ok(())
        },
    )
    .map_err(Failure::Work)?;
    progress.finish();
    if done == 0 && !interrupted() {
        return Err(format!("{} holds no position", path.display()).into());
    }
    if let Some(target) = target.filter(|_| done > 0) {
        target.finish().map_err(Failure::Work)?;
    }
    if bad > 0 || interrupted() {
        let stopped = if interrupted() { ", stopped early" } else { "" };
        let (positions, lines) = (counted(done, "position"), counted(bad, "line"));
        eprintln!("dyad: {positions} analysed, {lines} skipped{stopped}");
    }
    Ok(())
}

/// Writes what was found as operations of the standard: depth, nodes, score or distance to mate, line.
fn annotate(epd: &mut Epd, found: &Found) {
    let Some((score, pv)) = found.lines.first() else { return };
    epd.set("acd", vec![found.depth.to_string()]);
    epd.set("acn", vec![found.nodes.to_string()]);
    // What the line said of the score before would contradict it.
    match mate_distance(*score) {
        Some(distance) => {
            epd.remove("ce");
            epd.set("dm", vec![distance.to_string()]);
        }
        None => {
            epd.remove("dm");
            epd.set("ce", vec![centipawns(*score).to_string()]);
        }
    }
    let moves = san_moves(epd, pv);
    epd.set("pv", moves);
}

fn san_moves(epd: &Epd, pv: &[Move]) -> Vec<String> {
    let mut board = epd.board.clone();
    let mut texts = Vec::new();
    for &mv in pv.iter().take(LONGEST_LINE) {
        if !board.is_legal(mv) {
            break;
        }
        texts.push(board.san(mv));
        board.make_move(mv, &mut movegen::NoObserver);
    }
    texts
}
