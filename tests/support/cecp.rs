//! Drives the engine's binary over pipes under CECP.

// Each test binary uses a part of the driver.
#![allow(dead_code, unused_imports)]

#[path = "client.rs"]
mod client;
#[path = "random.rs"]
mod random;

pub use client::{Client, LIVENESS};
pub use random::Random;

use movegen::{Board, Move, NoObserver};
use std::ops::{Deref, DerefMut};

/// A running engine.
pub struct Cecp {
    client: Client,
    pings: u32,
}

impl Deref for Cecp {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

impl DerefMut for Cecp {
    fn deref_mut(&mut self) -> &mut Client {
        &mut self.client
    }
}

impl Cecp {
    /// Starts the engine; nothing is sent to it.
    pub fn bare(arguments: &[&str]) -> Self {
        Self { client: Client::start(env!("CARGO_BIN_EXE_dyad"), arguments), pings: 0 }
    }

    /// Starts the engine as a GUI does, with the features read.
    pub fn start() -> Self {
        let mut engine = Self::bare(&[]);
        engine.send("xboard");
        engine.send("protover 2");
        engine.before("feature done=1");
        engine.send("new");
        engine
    }

    /// The same with commands sent at once.
    pub fn with(commands: &[&str]) -> Self {
        let mut engine = Self::start();
        engine.send_all(commands);
        engine
    }

    /// Sends lines in one go.
    pub fn send_all(&mut self, lines: &[&str]) {
        self.send(lines.join("\n"));
    }

    /// Sends `ping` and returns what comes before the `pong`: when the engine thinks, its move is part of it.
    pub fn sync(&mut self) -> Vec<String> {
        self.pings += 1;
        let number = self.pings;
        self.send(format_args!("ping {number}"));
        self.before(&format!("pong {number}"))
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

    /// Reads up to a line of thinking, and returns it.
    pub fn thinking(&mut self) -> Thinking {
        loop {
            let line = self.line();
            if is_thinking(&line) {
                return Thinking::read(&line);
            }
        }
    }

    /// See [`Client::close`].
    pub fn close(self) -> Vec<String> {
        self.client.close()
    }

    /// See [`Client::quit`].
    pub fn quit(self) -> Vec<String> {
        self.client.quit()
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
