//! The Hub session: what each command does.

use crate::hub::{Command, DoneLine, ErrorLine, InfoLine, Level, Mode};
use crate::machine::{Machine, Purpose};
use crate::pace::{MOST_DELAY, Pacer};
use crate::param;
use crate::{Game, Move, fen, notation, with_rules};
use search::core::event::Event;
use search::core::limit::{Clock, Limits};
use std::io::BufRead;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use uci::error::LineTooLong;
use uci::io::{LINE_LIMIT, LineReader, Writer};

/// Time for an answer to reach the other side, which stops our clock then.
const WAY: Duration = Duration::from_millis(3);
/// The same and what the answer may be held back before, for a clock: nobody knows when its answer is due.
const OVERHEAD: Duration = MOST_DELAY.saturating_add(WAY);

/// A conversation with a GUI.
pub struct Session {
    machine: Machine,
    game: Game,
    level: Level,
    /// Every line goes through it.
    output: Arc<Pacer>,
    /// A search has not answered yet.
    is_searching: Arc<AtomicBool>,
    /// It was told to stop.
    is_stopping: bool,
}

impl Session {
    /// A session that writes to `writer`.
    pub fn new(writer: Writer) -> Self {
        Self {
            machine: Machine::default(),
            game: Game::default(),
            level: Level::default(),
            output: Arc::new(Pacer::new(writer)),
            is_searching: Arc::new(AtomicBool::new(false)),
            is_stopping: false,
        }
    }

    /// Reads and obeys lines until `quit` or the end of input.
    ///
    /// # Errors
    /// When reading fails.
    pub fn run(&mut self, input: impl BufRead) -> std::io::Result<()> {
        let mut lines = LineReader::with_limit(input, LINE_LIMIT);
        while let Some(line) = lines.read_line()? {
            if lines.is_cut() {
                self.error(LineTooLong.to_string());
            } else if self.line(&line).is_break() {
                break;
            }
            if self.output.is_broken() {
                break;
            }
        }
        self.machine.engine.stop();
        Ok(())
    }

    /// Obeys one line; breaks on `quit`.
    pub fn line(&mut self, line: &str) -> ControlFlow<()> {
        match Command::parse(line) {
            Ok(None) => {}
            Ok(Some(Command::Quit)) => return ControlFlow::Break(()),
            Ok(Some(command)) => {
                if let Err(message) = self.obey(command) {
                    self.error(message);
                }
            }
            Err(error) => self.error(error.to_string()),
        }
        ControlFlow::Continue(())
    }

    fn error(&self, message: String) {
        self.output.line(ErrorLine(message));
    }

    fn obey(&mut self, command: Command) -> Result<(), String> {
        match command {
            Command::Ping => self.output.line("pong"),
            Command::Stop => {
                self.machine.engine.stop();
                self.is_stopping = true;
            }
            Command::PonderHit => self.machine.engine.ponder_hit(),
            Command::Quit => {}
            Command::Hub => {
                self.output.line(param::identity());
                self.machine.settings().declarations().lines().for_each(|line| self.output.line(line));
                self.output.line("wait");
            }
            command => {
                self.settle()?;
                self.change(command)?;
            }
        }
        Ok(())
    }

    /// Waits for a search that has answered or was told to; refuses while another one runs.
    fn settle(&mut self) -> Result<(), String> {
        if self.is_searching.load(Ordering::Acquire) && !self.is_stopping {
            return Err("not during a search: stop it first".to_owned());
        }
        self.machine.engine.wait();
        self.is_stopping = false;
        Ok(())
    }

    /// The commands that need a resting engine.
    fn change(&mut self, command: Command) -> Result<(), String> {
        match command {
            Command::SetParam { name, value } => self.set(&name, &value)?,
            Command::Init => self.output.line("ready"),
            Command::NewGame => {
                self.machine.engine.new_game();
                self.game = Game::default();
                self.level = Level::default();
            }
            Command::Pos { position, moves } => self.game = self.read_game(&position, &moves)?,
            Command::Level(level) => self.level.add(level),
            Command::Go(mode) => self.go(mode),
            Command::Hub | Command::Stop | Command::PonderHit | Command::Ping | Command::Quit => {}
        }
        Ok(())
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let variant = self.machine.settings().variant;
        let done = self.machine.set(name, value);
        if self.machine.settings().variant != variant {
            self.game = Game::default();
        }
        done
    }

    fn read_game(&self, position: &str, moves: &[String]) -> Result<Game, String> {
        let start = fen::parse_any(position).map_err(|error| format!("pos: {error}"))?;
        let mut game = Game::new(start);
        with_rules!(self.machine.settings().variant, R => {
            for (n, text) in (1..).zip(moves) {
                let mv = notation::parse_move::<R>(game.position(), text)
                    .map_err(|error| format!("pos: move {n}: {error}"))?;
                game.push::<R>(mv);
            }
        });
        Ok(game)
    }

    fn go(&mut self, mode: Mode) {
        let start = Instant::now();
        let level = std::mem::take(&mut self.level);
        let mut limits = limits(&level);
        limits.infinite = level.infinite || (mode == Mode::Analyze && limits == Limits::default());
        let purpose = match mode {
            Mode::Think => Purpose::Play,
            Mode::Ponder => Purpose::Ponder,
            Mode::Analyze => Purpose::Analyse,
        };
        if purpose == Purpose::Play
            && !limits.infinite
            && let Some((mv, reply)) = self.machine.book_move(&self.game)
        {
            let ponder = reply.map(|mv| mv.to_string());
            self.output.answer(DoneLine { best: Some(mv.to_string()), ponder });
            return;
        }
        let due = limits.move_time.filter(|_| purpose == Purpose::Play && limits.clock.is_none());
        self.output.begin(due.and_then(|time| start.checked_add(time)));
        let overhead = if due.is_some() { WAY } else { OVERHEAD };
        let request = self.machine.request(self.game.clone(), purpose, limits, start, overhead);
        self.is_searching.store(true, Ordering::Release);
        let (output, is_searching) = (Arc::clone(&self.output), Arc::clone(&self.is_searching));
        let ranked = self.machine.settings().lines > 1;
        let leaves = self.machine.engine.leaves();
        let sink = move |event: Event<Move>| match event {
            Event::Info(info) => {
                let line = InfoLine {
                    depth: info.depth,
                    mean_depth: leaves.mean_ply(),
                    score: info.score,
                    nodes: info.nodes,
                    time: info.elapsed,
                    nps: info.nps,
                    pv: info.pv.iter().map(Move::to_string).collect(),
                    rank: ranked.then_some(info.multi_pv),
                };
                // Lines of different rank do not replace each other.
                if ranked { output.line(line) } else { output.info(line) }
            }
            Event::BestMove { best, ponder } => {
                // Before the line is out, or a quick client would be refused its next command.
                is_searching.store(false, Ordering::Release);
                let text = |mv: Move| mv.to_string();
                output.answer(DoneLine { best: best.map(text), ponder: ponder.map(text) });
            }
            Event::CurrentMove { .. } | Event::Message(_) => {}
        };
        self.machine.engine.start(request, Arc::new(sink));
    }
}

fn limits(level: &Level) -> Limits {
    let clock = level.time.map(|time| {
        let increment = level.increment.unwrap_or_default();
        // The protocol's clock does not contain the increment of this move yet.
        Clock { remaining: time.saturating_add(increment), increment, moves_to_go: level.moves }
    });
    Limits { depth: level.depth, nodes: level.nodes, move_time: level.move_time, clock, ..Limits::default() }
}
