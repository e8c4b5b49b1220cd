//! Drives the engine's binary over pipes and judges all that it says, with movegen as referee.
//!
//! The driver keeps the options and the position that it has sent itself, so that every search can be held
//! against the rules of the protocol: see [`check`] for what is asserted of each line.

// Each test binary uses a part of the driver.
#![allow(dead_code, unused_imports)]

#[path = "check.rs"]
pub mod check;

pub use check::{Bound, Info, Score, Search};

use movegen::{Board, Move, NoObserver};
use std::fmt::Display;
use std::io::Read;
use std::process::Command;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use uci::client::EngineProcess;

/// How long anything at all may take: only a hung engine takes longer, even on an overloaded machine.
pub const LIVENESS: Duration = Duration::from_secs(30);

/// The classical start position.
pub const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The path of the engine.
pub fn binary() -> &'static str {
    env!("CARGO_BIN_EXE_dyad")
}

/// What the test knows of the engine's state: a search is judged by it.
#[derive(Clone)]
pub struct Setting {
    pub board: Board,
    pub chess960: bool,
    pub show_wdl: bool,
    pub multipv: usize,
    /// Root moves the search is restricted to, when it is.
    pub search_moves: Option<Vec<Move>>,
}

impl Default for Setting {
    fn default() -> Self {
        Self { board: board(START, &[]), chess960: false, show_wdl: false, multipv: 1, search_moves: None }
    }
}

/// A running engine.
pub struct Uci {
    process: EngineProcess,
    errors: Option<JoinHandle<String>>,
    pub setting: Setting,
    /// All that was sent, for messages.
    sent: Vec<String>,
}

impl Uci {
    /// Starts the engine; nothing is sent to it.
    pub fn start() -> Self {
        let (mut reader, writer) = std::io::pipe().unwrap();
        let mut command = Command::new(binary());
        command.stderr(writer);
        let process = EngineProcess::start(command).unwrap();
        let errors = thread::spawn(move || {
            let mut text = Vec::new();
            reader.read_to_end(&mut text).unwrap();
            String::from_utf8_lossy(&text).into_owned()
        });
        Self { process, errors: Some(errors), setting: Setting::default(), sent: Vec::new() }
    }

    /// Starts the engine and puts a position (what follows the word `position`) on its board.
    pub fn at(position: &str) -> Self {
        let mut engine = Self::start();
        engine.position(position);
        engine
    }

    /// Sends a line that changes nothing of what the driver keeps track of.
    pub fn send(&mut self, line: impl Display) {
        let line = line.to_string();
        self.sent.push(line.clone());
        if self.process.send(&line).is_err() {
            self.fail("the engine is gone");
        }
    }

    /// Sends `position …` and follows it. The position must be a right one.
    pub fn position(&mut self, position: &str) {
        self.send(format_args!("position {position}"));
        self.setting.board = referee(position);
    }

    /// Sends an option and follows it.
    pub fn option(&mut self, name: &str, value: impl Display) {
        let value = value.to_string();
        self.send(format_args!("setoption name {name} value {value}"));
        match name {
            "UCI_Chess960" => self.setting.chess960 = value == "true",
            "UCI_ShowWDL" => self.setting.show_wdl = value == "true",
            "MultiPV" => self.setting.multipv = value.parse().unwrap(),
            _ => {}
        }
    }

    /// The next line.
    pub fn line(&mut self) -> String {
        match self.process.read_line(LIVENESS) {
            Ok(line) => line.text,
            Err(error) => self.fail(format_args!("no line: {error}")),
        }
    }

    /// All lines up to one that fulfils `is_last`, which is the last.
    pub fn until(&mut self, is_last: impl FnMut(&str) -> bool) -> Vec<String> {
        match self.process.read_until(LIVENESS, is_last) {
            Ok(lines) => lines.into_iter().map(|line| line.text).collect(),
            Err(error) => self.fail(format_args!("the awaited line did not come: {error}")),
        }
    }

    /// What the engine writes in the given time.
    pub fn listen(&mut self, time: Duration) -> Vec<String> {
        let end = Instant::now() + time;
        let mut lines = Vec::new();
        while let Ok(line) = self.process.read_line(end.saturating_duration_since(Instant::now())) {
            lines.push(line.text);
        }
        lines
    }

    /// Sends `isready` and returns what comes before the `readyok`.
    pub fn sync(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.until(|line| line == "readyok");
        lines.pop();
        lines
    }

    /// Sends `isready`; nothing but `readyok` may come.
    pub fn sync_silent(&mut self) {
        let lines = self.sync();
        assert!(lines.is_empty(), "unexpected: {lines:#?}{}", self.transcript());
    }

    /// Sends a line after which, by the next `isready`, at least one `info string` and nothing else must come;
    /// returns the texts.
    pub fn noted(&mut self, line: impl Display) -> Vec<String> {
        self.send(line);
        let lines = self.sync();
        assert!(!lines.is_empty(), "no message{}", self.transcript());
        lines
            .iter()
            .map(|line| match line.strip_prefix("info string ") {
                Some(text) => text.to_owned(),
                None => panic!("not a message: '{line}'{}", self.transcript()),
            })
            .collect()
    }

    /// Sends a line that the engine may pass over quietly or comment on, but not more.
    pub fn ignored(&mut self, line: impl Display) {
        self.send(line);
        let lines = self.sync();
        let only_messages = lines.iter().all(|line| line.starts_with("info string "));
        assert!(only_messages, "more than messages: {lines:#?}{}", self.transcript());
    }

    /// Sends `go …` without waiting for anything.
    pub fn start_go(&mut self, limits: &str) {
        let list: Vec<Move> = limits
            .split_whitespace()
            .skip_while(|word| *word != "searchmoves")
            .filter_map(|word| self.setting.board.parse_uci(word).ok())
            .collect();
        self.setting.search_moves = (!list.is_empty()).then_some(list);
        self.send(format!("go {limits}").trim_end());
    }

    /// Collects a search up to its `bestmove` and judges it.
    pub fn finish(&mut self) -> Search {
        let lines = self.until(|line| line.starts_with("bestmove"));
        self.judge(&lines)
    }

    /// Judges the lines of a whole search.
    pub fn judge(&self, lines: &[String]) -> Search {
        match check::search(&self.setting, lines) {
            Ok(search) => search,
            Err(fault) => {
                panic!(
                    "{fault}\nin the search of {}\n{}{}",
                    self.setting.board.fen(),
                    lines.join("\n"),
                    self.transcript()
                )
            }
        }
    }

    /// Sends `go …`, which must end by itself with one `bestmove`, and judges the search.
    pub fn go(&mut self, limits: &str) -> Search {
        self.start_go(limits);
        let search = self.finish();
        self.sync_silent();
        search
    }

    /// Sends `go …` that must not end by itself: it is watched for a while, then stopped; exactly one
    /// `bestmove` comes.
    pub fn go_and_stop(&mut self, limits: &str) -> Search {
        self.start_go(limits);
        let mut lines = self.hold(HOLD);
        self.send("stop");
        lines.extend(self.until(|line| line.starts_with("bestmove")));
        self.sync_silent();
        self.judge(&lines)
    }

    /// Sees that the search that is running does not end within the given time; returns its lines so far.
    pub fn hold(&mut self, time: Duration) -> Vec<String> {
        let mut lines = self.listen(time);
        lines.extend(self.sync());
        let ended = lines.iter().any(|line| line.starts_with("bestmove"));
        assert!(!ended, "ended by itself: {lines:#?}{}", self.transcript());
        lines
    }

    /// Sends `stop` and collects the rest of a search of which `lines` are already read.
    pub fn stop(&mut self, mut lines: Vec<String>) -> Search {
        self.send("stop");
        lines.extend(self.until(|line| line.starts_with("bestmove")));
        self.sync_silent();
        self.judge(&lines)
    }

    /// The legal moves the engine finds in its position, in its own notation, sorted: `go perft 1`.
    pub fn moves(&mut self) -> Vec<String> {
        self.send("go perft 1");
        let lines = self.until(|line| line.ends_with(" nps"));
        let mut moves: Vec<String> =
            lines.iter().filter_map(|line| line.strip_suffix(": 1")).map(str::to_owned).collect();
        moves.sort();
        moves
    }

    /// The number of move paths that the engine counts.
    pub fn perft(&mut self, depth: u32) -> u64 {
        self.send(format_args!("go perft {depth}"));
        let lines = self.until(|line| line.ends_with(" nps"));
        node_count(&lines[lines.len() - 1])
    }

    /// The FEN of the position on the engine's board: its command `d`.
    pub fn fen(&mut self) -> String {
        self.send("d");
        let start = Instant::now();
        loop {
            let lines = self.sync();
            if let Some(fen) = lines.iter().find_map(|line| line.strip_prefix("Fen: ")) {
                // The rest of the picture.
                self.sync();
                return fen.to_owned();
            }
            if start.elapsed() > LIVENESS {
                self.fail("no board is shown");
            }
        }
    }

    /// Sees that the engine has the position that it was sent.
    pub fn assert_same_position(&mut self) {
        let fen = self.fen();
        assert_eq!(fen, self.setting.board.fen(), "{}", self.transcript());
    }

    /// The processor time that the engine has used, where the system tells (proc(5)); none elsewhere.
    pub fn processor_time(&self) -> Duration {
        let Ok(text) = std::fs::read_to_string(format!("/proc/{}/stat", self.process.id())) else {
            return Duration::ZERO;
        };
        // The name, in brackets, may hold blanks. Fields 14 and 15 are user and system time in ticks.
        let (_, rest) = text.rsplit_once(") ").unwrap();
        let ticks: u64 = rest.split(' ').skip(11).take(2).map(|field| field.parse::<u64>().unwrap()).sum();
        Duration::from_millis(ticks * 10)
    }

    /// Ends the input instead of sending `quit`; the rest must be as after [`Uci::quit`].
    pub fn close(mut self) -> Vec<String> {
        self.process.close_input();
        self.end()
    }

    /// Sends `quit`: the process ends with status 0 and nothing on its error stream. Returns what it still
    /// wrote.
    pub fn quit(mut self) -> Vec<String> {
        self.send("quit");
        self.end()
    }

    /// Sends `quit` when nothing is going on: nothing more is written.
    pub fn quit_silent(mut self) {
        self.sync_silent();
        let lines = self.quit();
        assert!(lines.is_empty(), "unexpected at the end: {lines:#?}");
    }

    fn end(&mut self) -> Vec<String> {
        let status = match self.process.wait(LIVENESS) {
            Ok(status) => status,
            Err(error) => self.fail(format_args!("the engine does not end: {error}")),
        };
        let errors = self.errors.take().unwrap().join().unwrap();
        assert!(errors.is_empty(), "on the error stream: {errors}{}", self.transcript());
        assert_eq!(status.code(), Some(0), "{}", self.transcript());
        let mut lines = Vec::new();
        while let Ok(line) = self.process.read_line(LIVENESS) {
            lines.push(line.text);
        }
        lines
    }

    /// Ends the test because of something that did not come: with what the engine wrote on its error stream.
    pub fn fail(&mut self, fault: impl Display) -> ! {
        self.process.kill();
        let errors = self.errors.take().map(|errors| errors.join().unwrap()).unwrap_or_default();
        panic!("{fault}{}\non the error stream: {errors}", self.transcript());
    }

    /// The commands sent, for the message of a failed assertion.
    pub fn transcript(&self) -> String {
        let sent: Vec<_> = self.sent.iter().map(|line| line.chars().take(300).collect::<String>()).collect();
        format!("\nsent:\n  {}", sent.join("\n  "))
    }
}

/// How long a search that must not end by itself is watched.
pub const HOLD: Duration = Duration::from_millis(150);

/// The position that follows the word `position`, by the referee.
pub fn referee(position: &str) -> Board {
    let (setup, moves) = position.split_once(" moves").unwrap_or((position, ""));
    let fen = setup.strip_prefix("fen ").unwrap_or(START);
    assert!(fen != START || setup == "startpos" || setup.contains(START), "{position}");
    board(fen, &moves.split_whitespace().collect::<Vec<_>>())
}

/// The position after moves in UCI notation.
pub fn board(fen: &str, moves: &[&str]) -> Board {
    let mut board = Board::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    for text in moves {
        let mv = board.parse_uci(text).unwrap_or_else(|error| panic!("{fen} {text}: {error}"));
        board.make_move(mv, &mut NoObserver);
    }
    board
}

/// N of a line `N nodes N nps`.
pub fn node_count(line: &str) -> u64 {
    let words: Vec<_> = line.split(' ').collect();
    match words[..] {
        [nodes, "nodes", nps, "nps"] => {
            assert!(nps.parse::<u64>().is_ok(), "{line}");
            nodes.parse().unwrap_or_else(|_| panic!("{line}"))
        }
        _ => panic!("not 'N nodes N nps': {line}"),
    }
}

/// Small reproducible random numbers (Marsaglia's xorshift).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() >> 11) as usize % bound
    }

    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}
