//! An engine at the board, whatever it speaks.

use crate::clock::Clock;
use crate::fault::{Fault, shown};
use crate::game::{Game, Outcome, Protocol, Side};
use crate::spec::EngineSpec;
use std::fmt::Display;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use uci::client::{EngineProcess, Line};
use uci::error::ClientError;
use uci::info::Score;

/// How long a wait goes on before it looks whether the match was called off.
pub const SLICE: Duration = Duration::from_millis(100);
/// How long an engine may take to say who it is, to load what it needs and to get ready.
pub const START_LIMIT: Duration = Duration::from_secs(60);
/// How long an engine may take to obey a command to stop after its time is up.
pub const STOP_LIMIT: Duration = Duration::from_secs(5);
/// Lines that an engine may write in one move, and in each second of it.
const FLOOD: (u64, u64) = (20_000, 10_000);

/// Refuses more lines or messages since a moment than anything could read.
///
/// # Errors
/// When they are a flood.
pub fn check_flood(lines: u64, since: Instant) -> Result<(), Fault> {
    let allowed = FLOOD.0.saturating_add(FLOOD.1.saturating_mul(since.elapsed().as_secs()));
    if lines > allowed { Err(Fault::Flood(lines)) } else { Ok(()) }
}

/// Why an engine gave no move.
#[derive(Debug)]
pub enum Halt {
    /// The engine is to blame.
    Fault(Fault),
    /// The match was called off.
    Interrupted,
}

impl From<Fault> for Halt {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// What an engine says about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Eval {
    /// From the side to move; [`Score::Mate`] counts moves.
    pub score: Score,
    /// In plies.
    pub depth: u32,
    /// Nodes searched, if it says.
    pub nodes: u64,
}

/// An engine's answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Thought {
    /// The move as written; `None` when it resigns.
    pub mv: Option<String>,
    /// From the moment it was told to think to the arrival of its answer.
    pub elapsed: Duration,
    /// Its last word about the position.
    pub eval: Option<Eval>,
    /// The reply that it expects.
    pub ponder: Option<String>,
    /// Whether it offers a draw with the move.
    pub offers_draw: bool,
}

/// The clocks when an engine is to move.
#[derive(Clone, Copy)]
pub struct Clocks<'a> {
    /// Of the side to move.
    pub own: &'a Clock,
    /// Of its opponent.
    pub other: &'a Clock,
    /// Overstepped time that is forgiven.
    pub margin: Duration,
    /// Longest thinking time where no clock limits it.
    pub stall: Duration,
}

impl Clocks<'_> {
    /// When waiting for the engine's move makes no sense any more.
    pub fn deadline(&self, began: Instant) -> Option<Instant> {
        began.checked_add(self.own.allowed().map_or(self.stall, |allowed| allowed + self.margin))
    }

    /// What an engine that has not answered by then did wrong, given when it answered a command to stop.
    pub fn late(&self, answered: Option<Duration>) -> Fault {
        match (answered, self.own.allowed()) {
            (Some(elapsed), Some(allowed)) => Fault::Time(elapsed.saturating_sub(allowed)),
            (Some(_), None) => Fault::Hang(format!("no move within {:?}", self.stall)),
            (None, _) => Fault::Hang("no move in time, and none when told to stop".to_owned()),
        }
    }
}

/// An engine at the board.
pub trait Player<G: Game>: Send {
    /// Gets ready for a game that begins with these moves and is to be played for a side.
    ///
    /// # Errors
    /// When the engine does not get ready.
    fn new_game(&mut self, game: &G, side: Side, clock: &Clock) -> Result<(), Halt>;

    /// Asks for a move.
    ///
    /// # Errors
    /// When there is none.
    fn think(&mut self, game: &G, clocks: Clocks) -> Result<Thought, Halt>;

    /// Lets it think on the opponent's time; the last move of `ahead` is the reply that it expects.
    ///
    /// # Errors
    /// When it cannot be told.
    fn ponder(&mut self, ahead: &G, clocks: Clocks) -> Result<(), Halt>;

    /// Tells it that the opponent offers a draw.
    ///
    /// # Errors
    /// When it cannot be told.
    fn offer_draw(&mut self) -> Result<(), Halt> {
        Ok(())
    }

    /// Tells it that the game, now with its last move, is over; it must not think any longer afterwards.
    ///
    /// # Errors
    /// When it goes on, or is gone.
    fn finish(&mut self, game: &G, outcome: Option<Outcome>, reason: &str) -> Result<(), Halt>;

    /// What it did wrong since the last call without ending the game by it.
    fn take_warnings(&mut self) -> Vec<String>;
}

/// Starts an engine.
pub(crate) fn start<G: Game>(
    spec: &EngineSpec,
    called_off: &Arc<AtomicBool>,
) -> Result<Box<dyn Player<G>>, Halt> {
    let link = || Link::start(spec, called_off);
    Ok(match spec.protocol {
        Protocol::Uci => Box::new(crate::uci_player::UciPlayer::start(link()?, spec)?),
        Protocol::Cecp => Box::new(crate::cecp::CecpPlayer::start(link()?, spec)?),
        Protocol::Hub => Box::new(crate::hub::HubPlayer::start(link()?, spec)?),
        Protocol::Dxp => G::start_dxp(spec, called_off)?,
    })
}

/// A process and what was noticed about it.
pub(crate) struct Link {
    process: EngineProcess,
    called_off: Arc<AtomicBool>,
    /// Lines since the last command to think, and when that was.
    lines: u64,
    since: Instant,
    warnings: Vec<String>,
}

impl Link {
    fn start(spec: &EngineSpec, called_off: &Arc<AtomicBool>) -> Result<Self, Halt> {
        let process =
            EngineProcess::start(spec.command()).map_err(|error| Fault::Crash(error.to_string()))?;
        Ok(Self {
            process,
            called_off: called_off.clone(),
            lines: 0,
            since: Instant::now(),
            warnings: Vec::new(),
        })
    }

    pub fn send(&mut self, line: impl Display) -> Result<(), Halt> {
        self.process.send(line).map_err(|_| self.crash().into())
    }

    /// Begins to count lines and time anew.
    pub fn begin(&mut self) -> Instant {
        self.lines = 0;
        self.since = Instant::now();
        self.since
    }

    /// The next line; `None` when there was none until then.
    pub fn line(&mut self, until: Option<Instant>) -> Result<Option<Line>, Halt> {
        loop {
            if self.called_off.load(Ordering::Relaxed) {
                return Err(Halt::Interrupted);
            }
            let left = until.map_or(SLICE, |until| until.saturating_duration_since(Instant::now()));
            match self.process.read_line(left.min(SLICE)) {
                Ok(line) => {
                    self.lines += 1;
                    check_flood(self.lines, self.since)?;
                    return Ok(Some(line));
                }
                Err(ClientError::Timeout) if left.is_zero() => return Ok(None),
                Err(ClientError::Timeout) => {}
                Err(ClientError::Closed | ClientError::Start { .. }) => return Err(self.crash().into()),
            }
        }
    }

    /// The next line before an engine must be ready.
    fn answer(&mut self, until: Instant, awaited: &str) -> Result<Line, Halt> {
        match self.line(Some(until))? {
            Some(line) => Ok(line),
            None => Err(Fault::Hang(format!("no {awaited}")).into()),
        }
    }

    /// Sends a command and reads up to the line that `is_answer` takes for the awaited one.
    pub fn ask(
        &mut self,
        until: Instant,
        command: impl Display,
        awaited: &str,
        mut is_answer: impl FnMut(&mut Self, &str) -> Result<bool, Halt>,
    ) -> Result<(), Halt> {
        self.send(command)?;
        loop {
            let line = self.answer(until, awaited)?;
            if is_answer(self, &line.text)? {
                return Ok(());
            }
        }
    }

    /// A line that has arrived already.
    pub fn waiting(&mut self) -> Result<Option<Line>, Halt> {
        self.line(Some(Instant::now()))
    }

    pub fn warn(&mut self, text: impl Into<String>) {
        let text = text.into();
        // The same complaint about every move says nothing new.
        if self.warnings.len() < 100 && !self.warnings.contains(&text) {
            self.warnings.push(text);
        }
    }

    pub fn warn_line(&mut self, what: &str, line: &str) {
        self.warn(format!("{what} '{}'", shown(line)));
    }

    pub fn take_warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }

    fn crash(&mut self) -> Fault {
        Fault::Crash(match self.process.wait(Duration::from_millis(500)) {
            Ok(status) => status.to_string(),
            Err(_) => "it closed its output".to_owned(),
        })
    }

    /// Asks the process to end and gives it a moment before it is killed.
    pub fn quit(&mut self) {
        if self.process.send("quit").is_ok() {
            self.process.close_input();
            let _ = self.process.wait(Duration::from_millis(300));
        }
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.quit();
    }
}

/// The first move of a line that cannot be played.
pub(crate) fn illegal_in_line<G: Game>(game: &G, protocol: Protocol, line: &[String]) -> Option<String> {
    let mut game = game.clone();
    for text in line {
        match game.parse(protocol, text) {
            Ok(mv) => game.play(mv),
            Err(_) => return Some(text.clone()),
        }
    }
    None
}
