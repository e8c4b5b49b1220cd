//! Short sessions of random commands in random states, from fixed seeds. Whatever comes, the engine answers
//! each `go` it takes with one `bestmove`, writes nothing malformed, and ends with status 0 and a silent error
//! stream.

#[path = "support/script.rs"]
mod script;
#[path = "support/uci.rs"]
mod support;

use script::{bad_position, command, damaged, harmless, limits, position};
use std::time::{Duration, Instant};
use support::{LIVENESS, Random, Setting, Uci, check, referee};

/// Sessions of one test, as far as its time allows.
const SESSIONS: u64 = 100;

/// Sessions that are held however slow the machine.
const LEAST_SESSIONS: u64 = 15;

/// The time of one test.
const TIME: Duration = Duration::from_secs(7);

/// Holds sessions of consecutive seeds.
fn hold(first_seed: u64, session: fn(&mut Random)) {
    let start = Instant::now();
    for index in 0..SESSIONS {
        if index >= LEAST_SESSIONS && start.elapsed() > TIME {
            break;
        }
        let seed = first_seed + index;
        eprintln!("seed {seed}");
        session(&mut Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15)));
    }
}

/// What has come since the last search was settled.
struct Watch {
    engine: Uci,
    lines: Vec<String>,
    /// The settings under which searches were accepted whose `bestmove` is still to come or in `lines`.
    owed: Vec<Setting>,
}

impl Watch {
    fn new() -> Self {
        Self { engine: Uci::start(), lines: Vec::new(), owed: Vec::new() }
    }

    /// Waits for the engine and keeps what it wrote; returns whether it refused something because it was
    /// busy.
    fn sync(&mut self) -> bool {
        let lines = self.engine.sync();
        let is_refusal =
            |line: &String| line.starts_with("info string ") && line.contains("a search is running");
        let was_refused = lines.iter().any(is_refusal);
        self.lines.extend(lines);
        was_refused
    }

    /// Sends a line and finds out whether it was refused, which is said in a message at once.
    fn is_taken(&mut self, line: &str) -> bool {
        self.sync();
        self.engine.send(line);
        !self.sync()
    }

    fn moves_made(&self) -> usize {
        self.lines.iter().filter(|line| line.starts_with("bestmove")).count()
    }

    /// Waits until all searches are answered, with `stop` when asked for; no more answers may come.
    fn settle(&mut self, stop: bool) {
        let start = Instant::now();
        while self.moves_made() < self.owed.len() {
            if stop {
                self.engine.send("stop");
            }
            self.sync();
            if start.elapsed() > LIVENESS {
                let (made, owed) = (self.moves_made(), self.owed.len());
                self.engine.fail(format_args!("{made} of {owed} searches are answered: {:#?}", self.lines));
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        self.sync();
        assert_eq!(self.moves_made(), self.owed.len(), "{:#?}{}", self.lines, self.engine.transcript());
        for line in &self.lines {
            assert!(line.is_empty() || line == line.trim_end(), "{line:?}");
        }
    }

    /// Judges each settled search by its setting.
    fn judge(&mut self) {
        let mut lines =
            self.lines.drain(..).filter(|line| line.starts_with("info ") || line.starts_with("bestmove"));
        for setting in self.owed.drain(..) {
            let mut search = Vec::new();
            for line in lines.by_ref() {
                let is_end = line.starts_with("bestmove");
                search.push(line);
                if is_end {
                    break;
                }
            }
            if let Err(fault) = check::search(&setting, &search) {
                let fen = setting.board.fen();
                panic!("{fault}\nin the search of {fen}\n{}{}", search.join("\n"), self.engine.transcript());
            }
        }
    }

    /// Ends the session by `quit` or the end of the input, maybe in the midst of a search.
    fn end(mut self, random: &mut Random) {
        let is_busy = random.below(3) == 0;
        if is_busy {
            self.engine.send("position startpos");
            self.engine.send("go infinite");
        }
        let lines = if random.below(2) == 0 { self.engine.quit() } else { self.engine.close() };
        let moves = lines.iter().filter(|line| line.starts_with("bestmove")).count();
        assert!(moves <= usize::from(is_busy), "{lines:#?}");
    }
}

/// Right commands, with the positions and settings followed and every search judged.
fn judged(random: &mut Random) {
    let mut watch = Watch::new();
    for _ in 0..2 + random.below(6) {
        for _ in 0..random.below(5) {
            watch.engine.sync();
            match random.below(8) {
                0 | 1 => watch.engine.position(&position(random)),
                2 => {
                    watch.engine.ignored(format_args!("position {}", bad_position(random)));
                }
                3 => {
                    watch.engine.ignored("position startpos moves d2d4 d2d4 e7e5");
                    watch.engine.setting.board = referee("startpos moves d2d4");
                }
                4 => watch.engine.option("MultiPV", 1 + random.below(4)),
                5 => watch.engine.option("UCI_ShowWDL", random.below(2) == 0),
                6 => watch.engine.option("UCI_Chess960", random.below(2) == 0),
                _ => watch.engine.send(harmless(random)),
            }
        }
        if random.below(4) == 0 {
            watch.engine.send("ucinewgame");
            watch.engine.position(&position(random));
        }
        watch.engine.sync();
        let (text, mut ends) = limits(random, &watch.engine.setting);
        watch.engine.start_go(&text);
        watch.owed.push(watch.engine.setting.clone());
        let is_ponder = text.contains("ponder");
        for _ in 0..random.below(4) {
            match random.below(6) {
                0 => {
                    let (text, ends_too) = limits(random, &watch.engine.setting);
                    watch.sync();
                    watch.engine.start_go(&text);
                    if !watch.sync() {
                        watch.owed.push(watch.engine.setting.clone());
                        ends &= ends_too;
                    }
                }
                1 => {
                    let next = position(random);
                    if watch.is_taken(&format!("position {next}")) {
                        watch.engine.setting.board = referee(&next);
                    }
                }
                2 => std::thread::sleep(Duration::from_micros(random.below(4000) as u64)),
                _ => watch.engine.send(harmless(random)),
            }
        }
        if is_ponder && random.below(2) == 0 {
            watch.engine.send("ponderhit");
        }
        watch.settle(!ends || random.below(2) == 0);
        watch.judge();
    }
    watch.end(random);
}

/// Damaged commands; only the number of answers and the form of the lines are judged.
fn wild(random: &mut Random) {
    let mut watch = Watch::new();
    for _ in 0..2 + random.below(5) {
        for _ in 0..1 + random.below(8) {
            let line = damaged(random, &watch.engine.setting);
            match command(&line) {
                Some("go") => {
                    if watch.is_taken(&line) {
                        watch.owed.push(Setting::default());
                    }
                }
                _ => watch.engine.send(line),
            }
            if random.below(3) == 0 {
                watch.engine.send(harmless(random));
            }
        }
        watch.settle(true);
        // The position may be anything by now: a search of it must end.
        if watch.is_taken(&format!("go nodes {}", random.below(1000))) {
            watch.owed.push(Setting::default());
        }
        watch.settle(random.below(2) == 0);
        for line in
            watch.lines.iter().filter(|line| line.starts_with("info ") || line.starts_with("bestmove"))
        {
            check::spelling(line).unwrap_or_else(|fault| panic!("{fault}{}", watch.engine.transcript()));
        }
        watch.lines.clear();
        watch.owed.clear();
    }
    watch.end(random);
}

#[test]
fn right_commands_in_random_order() {
    hold(1, judged);
}

#[test]
fn right_commands_in_another_random_order() {
    hold(10_001, judged);
}

#[test]
fn damaged_commands() {
    hold(20_001, wild);
}

#[test]
fn other_damaged_commands() {
    hold(30_001, wild);
}
