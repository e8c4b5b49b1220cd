//! The match: workers, processes, files and reports.

use crate::cli::{MatchArgs, Order};
use crate::clock::TimeControl;
use crate::fault::Fault;
use crate::game::{Game, Opening, Outcome, Side};
use crate::play::{Conduct, Played, Seat, play};
use crate::player::{Halt, Player, start};
use crate::record::{self, Heading};
use crate::report::Standings;
use crate::schedule::{Fixture, Schedule, shuffled};
use crate::spec::EngineSpec;
use serde_json::json;
use std::collections::HashMap;
use std::fmt::Display;
use std::fs::{File, OpenOptions};
use std::io::{BufReader, IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use study::{counted, refuse_inputs};
use uci::io::LineReader;

/// How often a process that fails to start is tried again in the course of a match.
const STARTS: usize = 3;
/// Openings with faults that are named one by one.
const NAMED_FAULTS: usize = 5;
/// Exit status after an interruption: what a shell gives for SIGINT.
const INTERRUPTED: u8 = 130;

/// Plays the match that the arguments describe and returns the exit status: 0 when it was played to its
/// end, 1 when an engine did something wrong in a strict match, 130 when it was interrupted. `out` gets
/// each line of output.
///
/// # Errors
/// When the arguments make no sense, a file cannot be read or written, or an engine does not start.
pub fn run<G: Game>(args: &MatchArgs, out: &mut (dyn FnMut(&str) + Send)) -> Result<u8, String> {
    let specs = args.specs(G::PROTOCOLS)?;
    refuse_inputs(args.out.as_deref(), args.openings.as_deref())?;
    let openings = openings::<G>(args)?;
    if args.start > openings.len() as u64 {
        return Err(format!("--start {}: there is no more than {}", args.start, counted_openings(&openings)));
    }
    if let Some(warning) = repetition(args, &specs, &openings) {
        eprintln!("{warning}");
    }
    let schedule = Schedule::new(specs.len(), args.games as usize, args.gauntlet);
    let order = match args.order {
        Order::Sequential => (0..openings.len()).collect(),
        Order::Random => shuffled(openings.len(), args.seed),
    };
    let fingerprint = fingerprint(args, &specs, &openings);
    let mut ledger = Ledger {
        standings: Standings::new(&specs, &schedule, args.sprt),
        pairs: HashMap::new(),
        done: vec![false; schedule.len()],
        next: 0,
        file: None,
        error: None,
        is_strict_failure: false,
        drawn_lines: 0,
        out,
    };
    if let Some(path) = &args.out {
        ledger.open::<G>(path, args.resume, &schedule, &specs, &fingerprint)?;
    }
    let called_off = Arc::new(AtomicBool::new(false));
    let interrupted = Arc::new(AtomicBool::new(false));
    let (calls_off, marks) = (called_off.clone(), interrupted.clone());
    ctrlc::set_handler(move || {
        // The second time somebody does not want to wait for the engines.
        if marks.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(INTERRUPTED));
        }
        calls_off.store(true, Ordering::Relaxed);
    })
    .map_err(|error| format!("cannot watch for interruptions: {error}"))?;
    let hall = Hall {
        args,
        specs,
        openings,
        order,
        schedule,
        fingerprint,
        called_off,
        is_terminal: !args.json && std::io::stdout().is_terminal(),
        ledger: Mutex::new(ledger),
    };
    std::thread::scope(|scope| {
        for _ in 0..usize::from(args.concurrency).min(hall.schedule.len()) {
            scope.spawn(|| {
                if let Err(error) = hall.work::<G>() {
                    hall.ledger().error.get_or_insert(error);
                    hall.called_off.store(true, Ordering::Relaxed);
                }
            });
        }
    });
    hall.conclude(interrupted.load(Ordering::Relaxed))
}

/// What all workers share.
struct Hall<'a> {
    args: &'a MatchArgs,
    specs: Vec<EngineSpec>,
    openings: Vec<Opening>,
    /// Numbers of openings in the order of their use.
    order: Vec<usize>,
    schedule: Schedule,
    fingerprint: String,
    called_off: Arc<AtomicBool>,
    is_terminal: bool,
    ledger: Mutex<Ledger<'a>>,
}

/// What one worker at a time changes.
struct Ledger<'a> {
    standings: Standings,
    /// Half points of the first engine of a pairing in the pairs that are half played.
    pairs: HashMap<(usize, usize), u8>,
    /// Games that need not be played any more.
    done: Vec<bool>,
    next: usize,
    file: Option<File>,
    /// Why the match cannot go on.
    error: Option<String>,
    is_strict_failure: bool,
    /// Lines of the table on the terminal.
    drawn_lines: usize,
    out: &'a mut (dyn FnMut(&str) + Send),
}

impl Ledger<'_> {
    /// Opens the file for the games, and takes over those that it holds already.
    fn open<G: Game>(
        &mut self,
        path: &Path,
        resume: bool,
        schedule: &Schedule,
        specs: &[EngineSpec],
        fingerprint: &str,
    ) -> Result<(), String> {
        let shown = path.display();
        let fail = |error: std::io::Error| format!("cannot write {shown}: {error}");
        let file = OpenOptions::new().create(true).append(true).open(path).map_err(fail)?;
        if file.metadata().map_err(fail)?.len() > 0 {
            if !resume {
                return Err(format!("{shown} holds games already: --resume goes on with their match"));
            }
            let scan = record::scan(path)?;
            if scan.has_other {
                return Err(format!(
                    "{shown} holds something that is no record of a match, and stays as it is"
                ));
            }
            for found in scan.games {
                let name = |engine: usize| specs.get(engine).map(|spec| spec.name.as_str());
                let outcome = G::parse_result(&found.result);
                let fixture = found.number.checked_sub(1).and_then(|number| schedule.fixture(number));
                let fits = |fixture: &Fixture| {
                    name(fixture.white) == Some(&found.white) && name(fixture.black) == Some(&found.black)
                };
                match (fixture.filter(fits), outcome) {
                    (Some(fixture), Some(outcome)) if found.fingerprint == fingerprint => {
                        if !self.done.get(fixture.number).copied().unwrap_or(true) {
                            self.count(&fixture, schedule, outcome);
                        }
                    }
                    _ => return Err(format!("{shown} holds games of another match")),
                }
            }
            file.set_len(scan.whole).map_err(fail)?;
        }
        self.file = Some(file);
        Ok(())
    }

    fn count(&mut self, fixture: &Fixture, schedule: &Schedule, outcome: Outcome) {
        if let Some(done) = self.done.get_mut(fixture.number) {
            *done = true;
        }
        self.standings.played += 1;
        let first = schedule.pairings.get(fixture.pairing).map(|pairing| pairing.0);
        let side = if first == Some(fixture.white) { Side::White } else { Side::Black };
        let half_points = outcome.half_points(side);
        let pair = match self.pairs.remove(&(fixture.round, fixture.pairing)) {
            Some(other) => Some(other + half_points),
            None => {
                self.pairs.insert((fixture.round, fixture.pairing), half_points);
                None
            }
        };
        if let Some(tally) = self.standings.tally_mut(fixture.pairing) {
            tally.add_game(half_points);
            if let Some(pair) = pair {
                tally.add_pair(pair);
            }
        }
    }

    /// What takes the table off the terminal, if it is there.
    fn erase(&mut self) -> String {
        match std::mem::take(&mut self.drawn_lines) {
            0 => String::new(),
            // The cursor may stand behind an echo of Ctrl-C.
            lines => format!("\r\x1b[{lines}A\x1b[J"),
        }
    }

    fn line(&mut self, text: impl Display) {
        (self.out)(&text.to_string());
    }
}

/// The engines of a worker that run.
type Players<G> = HashMap<usize, Box<dyn Player<G>>>;

impl<'a> Hall<'a> {
    fn ledger(&self) -> MutexGuard<'_, Ledger<'a>> {
        // A worker that panicked leaves nothing half done that matters more than the games.
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next(&self) -> Option<Fixture> {
        let mut ledger = self.ledger();
        loop {
            let number = ledger.next;
            let fixture = self.schedule.fixture(number)?;
            ledger.next += 1;
            if !ledger.done.get(number).copied().unwrap_or(true) {
                return Some(fixture);
            }
        }
    }

    fn opening<G: Game>(&self, round: usize) -> Result<G, String> {
        let first = self.args.start as usize - 1;
        let place = (first.wrapping_add(round)).checked_rem(self.order.len());
        let opening = place.and_then(|place| self.openings.get(*self.order.get(place)?));
        G::set_up(opening.ok_or("there is no opening")?)
    }

    /// Plays games until there are none left.
    fn work<G: Game>(&self) -> Result<(), String> {
        let mut players: Players<G> = HashMap::new();
        while let Some(fixture) = self.next() {
            if self.called_off.load(Ordering::Relaxed) {
                break;
            }
            players.retain(|engine, _| [fixture.white, fixture.black].contains(engine));
            let (Some(white), Some(black)) = (self.specs.get(fixture.white), self.specs.get(fixture.black))
            else {
                break;
            };
            let Some(mut one) = self.player(&mut players, fixture.white, white)? else { break };
            let Some(mut two) = self.player(&mut players, fixture.black, black)? else { break };
            let conduct = Conduct { adjudication: self.args.adjudication(), stall: self.args.stall };
            let seats = (Seat::new(one.as_mut(), white), Seat::new(two.as_mut(), black));
            let game = self.opening(fixture.round)?;
            let Some(played) = play(game, seats.0, seats.1, conduct) else { break };
            let warnings = [one.take_warnings(), two.take_warnings()];
            self.record(&fixture, &played, &warnings)?;
            let faults: Vec<_> = played.fault.iter().chain(&played.late).collect();
            for (side, engine, spec, player) in
                [(Side::White, fixture.white, white, one), (Side::Black, fixture.black, black, two)]
            {
                let is_broken = faults.iter().any(|(other, fault)| *other == side && fault.needs_restart());
                if !is_broken && !spec.restart {
                    players.insert(engine, player);
                }
            }
        }
        Ok(())
    }

    /// An engine that runs, started if need be; `None` when the match was called off.
    fn player<G: Game>(
        &self,
        players: &mut Players<G>,
        engine: usize,
        spec: &EngineSpec,
    ) -> Result<Option<Box<dyn Player<G>>>, String> {
        if let Some(player) = players.remove(&engine) {
            return Ok(Some(player));
        }
        let tries = if self.ledger().standings.played == 0 { 1 } else { STARTS };
        let mut reason = String::new();
        for _ in 0..tries {
            match start(spec, &self.called_off) {
                Ok(player) => return Ok(Some(player)),
                Err(Halt::Interrupted) => return Ok(None),
                Err(Halt::Fault(fault)) => reason = fault.to_string(),
            }
        }
        Err(format!("engine {} does not start: it {reason}", spec.name))
    }

    /// Counts, writes and reports a game.
    fn record<G: Game>(
        &self,
        fixture: &Fixture,
        played: &Played<G>,
        warnings: &[Vec<String>; 2],
    ) -> Result<(), String> {
        let engine = |side| if side == Side::White { fixture.white } else { fixture.black };
        let name = |side| self.specs.get(engine(side)).map_or("", |spec| spec.name.as_str());
        let control =
            |side| self.specs.get(engine(side)).map_or_else(String::new, |spec| spec.control.to_string());
        let heading = Heading {
            event: &self.args.event,
            fingerprint: &self.fingerprint,
            number: fixture.number + 1,
            round: fixture.round + 1,
            sides: [Side::White, Side::Black].map(|side| (name(side), control(side))),
        };
        let text = record::write(played, &heading);
        let mut ledger = self.ledger();
        if let Some(file) = &mut ledger.file {
            file.write_all(text.as_bytes())
                .and_then(|()| file.flush())
                .map_err(|error| format!("cannot write the games: {error}"))?;
        }
        ledger.count(fixture, &self.schedule, played.end.outcome);
        let faults: Vec<&(Side, Fault)> = played.fault.iter().chain(&played.late).collect();
        for (side, fault) in &faults {
            ledger.standings.add_fault(engine(*side), fault.kind());
        }
        for (side, texts) in [Side::White, Side::Black].into_iter().zip(warnings) {
            texts.iter().for_each(|text| ledger.standings.add_warning(engine(side), text));
        }
        let result = G::result_text(Some(played.end.outcome));
        let (white, black) = (name(Side::White), name(Side::Black));
        let line = if self.args.json {
            let fault = played.fault.as_ref().map(|(side, fault)| {
                json!({"engine": name(*side), "kind": fault.kind(), "text": fault.to_string()})
            });
            json!({
                "game": fixture.number + 1, "round": fixture.round + 1, "white": white, "black": black,
                "result": result, "reason": played.end.reason, "termination": played.termination,
                "plies": played.game.ply(), "fault": fault,
            })
            .to_string()
        } else {
            let (played_games, total) = (ledger.standings.played, ledger.standings.total);
            let (plies, reason) = (played.game.ply(), &played.end.reason);
            format!("{played_games}/{total}  {white} - {black}  {result}  {reason}  ({plies} plies)")
        };
        self.report(&mut ledger, &line);
        if self.args.strict && (!faults.is_empty() || warnings.iter().any(|texts| !texts.is_empty())) {
            ledger.is_strict_failure = true;
            self.called_off.store(true, Ordering::Relaxed);
        }
        if ledger.standings.decision().is_some() {
            self.called_off.store(true, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Shows a game and, now and then, the table; on a terminal the table stays below the games.
    fn report(&self, ledger: &mut Ledger, line: &str) {
        if self.is_terminal {
            let up = ledger.erase();
            let table = ledger.standings.table();
            ledger.drawn_lines = table.lines().count() + 1;
            // Lines that are too long are cut: one that went on below itself could not be counted.
            ledger.line(format_args!("{up}{line}\n\n\x1b[?7l{}\x1b[?7h", table.trim_end()));
            return;
        }
        ledger.line(line);
        let is_due = ledger.standings.played.is_multiple_of(self.args.every as usize);
        if !self.args.json && is_due && ledger.standings.played < ledger.standings.total {
            let table = ledger.standings.table();
            ledger.line(format_args!("\n{table}"));
        }
    }

    /// The last word.
    fn conclude(self, interrupted: bool) -> Result<u8, String> {
        let mut ledger = self.ledger.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = ledger.error.take() {
            return Err(error);
        }
        if self.args.json {
            let summary = json!({"summary": ledger.standings.json(), "interrupted": interrupted});
            ledger.line(summary);
        } else {
            let (up, table) = (ledger.erase(), ledger.standings.table());
            ledger.line(format_args!("{up}\n{}", table.trim_end()));
        }
        if interrupted {
            if !self.args.json {
                let hint = if self.args.out.is_some() { "; --resume goes on" } else { "" };
                ledger.line(format_args!("interrupted{hint}"));
            }
            return Ok(INTERRUPTED);
        }
        Ok(u8::from(ledger.is_strict_failure))
    }
}

/// The openings of the match; at least one. Those with faults are named and left out.
fn openings<G: Game>(args: &MatchArgs) -> Result<Vec<Opening>, String> {
    let Some(path) = &args.openings else { return Ok(vec![Opening::default()]) };
    let is_games = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(G::GAME_FILE));
    let all = if is_games { G::read_games(path, args.plies)? } else { read_positions(path)? };
    let mut good = Vec::with_capacity(all.len());
    let mut faults = 0;
    for opening in all {
        let fault = match (&opening.fault, G::set_up(&opening)) {
            (Some(fault), _) => Some(fault.clone()),
            (None, Err(fault)) => Some(fault),
            (None, Ok(game)) => game.end().map(|end| format!("the game is over: {}", end.reason)),
        };
        match fault {
            None => good.push(opening),
            Some(fault) => {
                faults += 1;
                if faults <= NAMED_FAULTS {
                    eprintln!("{}, {}: {fault}: left out", path.display(), opening.place);
                }
            }
        }
    }
    if faults > NAMED_FAULTS {
        eprintln!("{}: {faults} openings left out", path.display());
    }
    if good.is_empty() {
        return Err(format!("{} holds no opening that can be used", path.display()));
    }
    Ok(good)
}

fn counted_openings(openings: &[Opening]) -> String {
    counted(openings.len() as u64, "opening")
}

/// A warning where more games are to be played than openings and colours make different ones: engines with fixed limits
/// answer the same position with the same move.
fn repetition(args: &MatchArgs, specs: &[EngineSpec], openings: &[Opening]) -> Option<String> {
    let is_fixed = |spec: &EngineSpec| spec.control.periods.is_empty() && spec.control.move_time.is_none();
    let repeats = args.games as usize > 2 * openings.len() && specs.iter().all(is_fixed);
    repeats.then(|| {
        let games = counted(args.games.into(), "game");
        let openings = counted_openings(openings);
        format!(
            "warning: {games} of {openings} with fixed nodes or depth: games will repeat (see --openings)"
        )
    })
}

/// One position a line; blank lines and those with `#` in front are skipped.
fn read_positions(path: &Path) -> Result<Vec<Opening>, String> {
    let fail = |error: std::io::Error| format!("cannot read {}: {error}", path.display());
    let mut openings = Vec::new();
    for (number, line) in LineReader::new(BufReader::new(File::open(path).map_err(fail)?)).enumerate() {
        let line = line.map_err(fail)?;
        let text = line.trim();
        if !text.is_empty() && !text.starts_with('#') {
            let place = format!("line {}", number + 1);
            openings.push(Opening { start: Some(text.to_owned()), place, ..Opening::default() });
        }
    }
    Ok(openings)
}

/// A number that stands for everything that decides who plays what (FNV-1a), in hexadecimal.
fn fingerprint(args: &MatchArgs, specs: &[EngineSpec], openings: &[Opening]) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |text: &str| {
        for byte in text.bytes().chain([0]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    for EngineSpec { name, program, arguments, protocol, control, margin, ponder, options, .. } in specs {
        let control: &TimeControl = control;
        let margin: Duration = *margin;
        add(&format!(
            "{name} {program:?} {arguments:?} {protocol} {control} {margin:?} {ponder} {options:?}"
        ));
    }
    for opening in openings {
        add(opening.start.as_deref().unwrap_or_default());
        opening.moves.iter().for_each(|mv| add(mv));
    }
    add(&format!(
        "{:?} {} {} {} {:?}",
        args.order,
        args.seed,
        args.start,
        args.gauntlet,
        args.adjudication()
    ));
    format!("{hash:016x}")
}
