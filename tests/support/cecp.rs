//! Drives the engine's binary over pipes under CECP.

// Each test binary uses a part of the driver.
#![allow(dead_code)]

use movegen::{Board, Move, NoObserver};
use std::fmt::Display;
use std::io::Read;
use std::process::Command;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use uci::client::EngineProcess;

/// How long anything at all may take: only a hung engine takes longer, even on an overloaded machine.
pub const LIVENESS: Duration = Duration::from_secs(60);

/// A running engine.
pub struct Cecp {
    process: EngineProcess,
    errors: Option<JoinHandle<String>>,
    sent: Vec<String>,
    pings: u32,
}

impl Cecp {
    /// Starts the engine; nothing is sent to it.
    pub fn bare(arguments: &[&str]) -> Self {
        let (mut reader, writer) = std::io::pipe().unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_dyad"));
        command.args(arguments).stderr(writer);
        let process = EngineProcess::start(command).unwrap();
        let errors = thread::spawn(move || {
            let mut text = Vec::new();
            reader.read_to_end(&mut text).unwrap();
            String::from_utf8_lossy(&text).into_owned()
        });
        Self { process, errors: Some(errors), sent: Vec::new(), pings: 0 }
    }

    /// Starts the engine as a GUI does, with the features read.
    pub fn start() -> Self {
        let mut engine = Self::bare(&[]);
        engine.send("xboard");
        engine.send("protover 2");
        engine.until("feature done=1");
        engine.send("new");
        engine
    }

    /// The same with commands sent at once.
    pub fn with(commands: &[&str]) -> Self {
        let mut engine = Self::start();
        engine.send_all(commands);
        engine
    }

    pub fn send(&mut self, line: impl Display) {
        let line = line.to_string();
        self.sent.push(line.clone());
        if self.process.send(&line).is_err() {
            self.fail("the engine is gone");
        }
    }

    /// Sends lines in one go.
    pub fn send_all(&mut self, lines: &[&str]) {
        self.send(lines.join("\n"));
    }

    /// The next line.
    pub fn line(&mut self) -> String {
        match self.process.read_line(LIVENESS) {
            Ok(line) => line.text,
            Err(error) => self.fail(format_args!("no line: {error}")),
        }
    }

    /// All lines before the given one.
    pub fn until(&mut self, last: &str) -> Vec<String> {
        match self.process.read_until(LIVENESS, |line| line == last) {
            Ok(mut lines) => {
                lines.pop();
                lines.into_iter().map(|line| line.text).collect()
            }
            Err(error) => self.fail(format_args!("'{last}' did not come: {error}")),
        }
    }

    /// Sends `ping` and returns what comes before the `pong`: when the engine thinks, its move is part of it.
    pub fn sync(&mut self) -> Vec<String> {
        self.pings += 1;
        let number = self.pings;
        self.send(format_args!("ping {number}"));
        self.until(&format!("pong {number}"))
    }

    /// The same without lines of thinking.
    pub fn answers(&mut self) -> Vec<String> {
        self.sync().into_iter().filter(|line| !is_thinking(line)).collect()
    }

    /// Nothing may have come.
    pub fn silent(&mut self) {
        let lines = self.answers();
        assert!(lines.is_empty(), "unexpected: {lines:#?}{}", self.transcript());
    }

    /// Exactly these lines must have come, thinking left out.
    pub fn expect(&mut self, lines: &[&str]) {
        let found = self.answers();
        assert_eq!(found, lines, "{}", self.transcript());
    }

    /// A line must be answered with exactly these.
    pub fn ask(&mut self, line: &str, lines: &[&str]) {
        self.send(line);
        self.expect(lines);
    }

    /// The engine is thinking: its move, and nothing else.
    pub fn moved(&mut self) -> String {
        let lines = self.answers();
        match &lines[..] {
            [line] if line.starts_with("move ") => line["move ".len()..].to_owned(),
            _ => panic!("not one move: {lines:#?}{}", self.transcript()),
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

    /// Reads up to a line of thinking, and returns it.
    pub fn thinking(&mut self) -> Thinking {
        loop {
            let line = self.line();
            if is_thinking(&line) {
                return Thinking::read(&line);
            }
        }
    }

    /// Memory in use, in kibibytes.
    pub fn memory(&self) -> u64 {
        let text = std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).unwrap();
        let line = text.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    }

    /// Ends the input instead of sending `quit`.
    pub fn close(mut self) -> Vec<String> {
        self.process.close_input();
        self.end()
    }

    /// Sends `quit`: the process ends with status 0 and nothing on its error stream.
    pub fn quit(mut self) -> Vec<String> {
        self.send("quit");
        self.end()
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
        let sent: Vec<_> = self.sent.iter().map(|line| line.chars().take(400).collect::<String>()).collect();
        format!("\nsent:\n  {}", sent.join("\n  "))
    }
}

/// Whether a line shows the engine's thinking.
pub fn is_thinking(line: &str) -> bool {
    line.starts_with(|c: char| c.is_ascii_digit())
        && !line.starts_with("1-0")
        && !line.starts_with("0-1")
        && !line.starts_with("1/2")
}

/// A line of thinking.
#[derive(Clone, Debug)]
pub struct Thinking {
    pub depth: u32,
    pub score: i32,
    pub time: u64,
    pub nodes: u64,
    pub moves: Vec<String>,
}

impl Thinking {
    /// Reads a line, and asserts its form.
    pub fn read(line: &str) -> Self {
        let (numbers, moves) = line.split_once('\t').unwrap_or_else(|| panic!("no tab: {line:?}"));
        let words: Vec<&str> = numbers.split(' ').collect();
        let [depth, score, time, nodes, seldepth, speed, hits] = words[..] else {
            panic!("not seven numbers: {line:?}")
        };
        for number in [seldepth, speed, hits] {
            assert!(number.parse::<u64>().is_ok(), "{line:?}");
        }
        let moves = moves.strip_suffix(['?', '!']).unwrap_or(moves);
        assert!(!moves.is_empty() && moves.split(' ').all(|mv| mv.len() >= 3), "{line:?}");
        Self {
            depth: depth.parse().unwrap(),
            score: score.parse().unwrap(),
            time: time.parse().unwrap(),
            nodes: nodes.parse().unwrap(),
            moves: moves.split(' ').map(str::to_owned).collect(),
        }
    }
}

/// Reads a move as CECP spells it.
pub fn read_move(board: &Board, text: &str) -> Option<Move> {
    if text.starts_with('O') { board.parse_san(text).ok() } else { board.parse_uci(text).ok() }
}

/// Makes a move of the engine, which must be legal.
pub fn play(board: &mut Board, text: &str) {
    let mv = read_move(board, text).unwrap_or_else(|| panic!("illegal move {text} in {}", board.fen()));
    board.make_move(mv, &mut NoObserver);
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
