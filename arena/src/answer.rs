//! Waiting for the move of an engine that thinks when it is told and can be stopped, whatever it speaks.

use crate::fault::Fault;
use crate::player::{Clocks, Halt, Link, STOP_LIMIT};
use std::time::{Duration, Instant};

/// The answer to a command to think.
pub(crate) struct Answer {
    /// When it arrived.
    pub at: Instant,
    /// The move as written, if there is one.
    pub mv: Option<String>,
    /// The reply that the engine expects.
    pub ponder: Option<String>,
}

impl Answer {
    /// How long it took.
    pub fn elapsed(&self, began: Instant) -> Duration {
        self.at.saturating_duration_since(began)
    }
}

/// An engine that answers every command to think once.
pub(crate) trait Thinker {
    /// What the engine says about its search meanwhile.
    type Info: Default;

    /// The command to answer at once.
    const STOP: &str = "stop";

    /// The engine's process.
    fn link(&mut self) -> &mut Link;

    /// Reads up to the answer; `None` when it does not come in time.
    fn read_answer(&mut self, until: Option<Instant>, info: &mut Self::Info) -> Result<Option<Answer>, Halt>;

    /// The answer to a search on a clock. One that comes too late is a fault, and is waited for no longer than it
    /// takes to see that the engine can be stopped.
    fn answer(&mut self, clocks: Clocks, began: Instant, info: &mut Self::Info) -> Result<Answer, Halt> {
        if let Some(answer) = self.read_answer(clocks.deadline(began), info)? {
            return Ok(answer);
        }
        let late = self.stop(info)?;
        Err(clocks.late(late.map(|answer| answer.elapsed(began))).into())
    }

    /// Ends a search whose answer nobody wants.
    fn abandon(&mut self) -> Result<(), Halt> {
        match self.stop(&mut Self::Info::default())? {
            Some(_) => Ok(()),
            None => Err(Fault::Hang("it does not stop pondering".to_owned()).into()),
        }
    }

    /// Tells the engine to answer at once, and reads what it answers.
    fn stop(&mut self, info: &mut Self::Info) -> Result<Option<Answer>, Halt> {
        self.link().send(Self::STOP)?;
        self.read_answer(Some(Instant::now() + STOP_LIMIT), info)
    }
}
