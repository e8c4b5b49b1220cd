//! Drives the engine's binary over pipes and judges all that it says, with movegen as referee.
//!
//! The driver keeps the options and the position that it has sent itself, so that every search can be held
//! against the rules of the protocol: see [`check`] for what is asserted of each line.

// Each test binary uses a part of the driver.
#![allow(dead_code, unused_imports)]

#[path = "check.rs"]
pub mod check;
#[path = "client.rs"]
mod client;
#[path = "random.rs"]
mod random;

pub use client::{Client, LIVENESS};
pub use random::Random;

pub use check::{Bound, Info, Score, Search};

use movegen::{Board, Move, NoObserver};
use std::fmt::Display;
use std::ops::{Deref, DerefMut};
use std::time::{Duration, Instant};

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
    client: Client,
    pub setting: Setting,
}

impl Deref for Uci {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

impl DerefMut for Uci {
    fn deref_mut(&mut self) -> &mut Client {
        &mut self.client
    }
}

impl Uci {
    /// Starts the engine; nothing is sent to it.
    pub fn start() -> Self {
        Self { client: Client::start(binary(), &[]), setting: Setting::default() }
    }

    /// Starts the engine and puts a position (what follows the word `position`) on its board.
    pub fn at(position: &str) -> Self {
        let mut engine = Self::start();
        engine.position(position);
        engine
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

    /// Sends `isready` and returns what comes before the `readyok`.
    pub fn sync(&mut self) -> Vec<String> {
        self.send("isready");
        self.before("readyok")
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

    /// See [`Client::close`].
    pub fn close(self) -> Vec<String> {
        self.client.close()
    }

    /// See [`Client::quit`].
    pub fn quit(self) -> Vec<String> {
        self.client.quit()
    }

    /// Sends `quit` when nothing is going on: nothing more is written.
    pub fn quit_silent(mut self) {
        self.sync_silent();
        let lines = self.quit();
        assert!(lines.is_empty(), "unexpected at the end: {lines:#?}");
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
