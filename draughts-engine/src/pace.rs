//! Output at a pace that every client can follow.
//!
//! Some clients wait with `select()` before they read a line, although their own buffer already holds
//! further ones: lines that arrive together make them wait for ever. So lines are written some time
//! apart. Of search lines that come faster only the newest is kept, and the answer waits for a moment.

use std::fmt::Display;
use std::sync::{Mutex, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};
use uci::io::Writer;

/// Time for a client to take a line before the next one comes.
const GAP: Duration = Duration::from_millis(2);
/// The same before an answer, which is not followed by a line that would make up for it.
const ANSWER_GAP: Duration = Duration::from_millis(8);
/// How long an answer may be held back, after a search line that was.
pub const MOST_DELAY: Duration = GAP.saturating_add(ANSWER_GAP);
/// Search lines come at least this far apart.
const INFO_GAP: Duration = Duration::from_millis(8);

/// Writes lines with gaps between them: all lines of a program go through the same one.
pub struct Pacer {
    writer: Writer,
    state: Mutex<State>,
}

struct State {
    last: Option<Instant>,
    /// The newest search line that came too early.
    held: Option<String>,
}

impl Pacer {
    /// Paces what is written to `writer`.
    pub fn new(writer: Writer) -> Self {
        Self { writer, state: Mutex::new(State { last: None, held: None }) }
    }

    /// Whether something could not be written.
    pub fn is_broken(&self) -> bool {
        self.writer.is_broken()
    }

    /// Writes a search line, or keeps it back until the next one or the answer.
    pub fn info(&self, line: impl Display) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.last.is_some_and(|last| last.elapsed() < INFO_GAP) {
            state.held = Some(line.to_string());
        } else {
            state.held = None;
            self.write(&mut state, Duration::ZERO, line);
        }
    }

    /// Writes a line that may not be lost.
    pub fn line(&self, line: impl Display) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        self.write(&mut state, GAP, line);
    }

    /// Writes the answer to a search, after a search line that was kept back.
    pub fn answer(&self, line: impl Display) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(held) = state.held.take() {
            self.write(&mut state, GAP, held);
        }
        self.write(&mut state, ANSWER_GAP, line);
    }

    fn write(&self, state: &mut State, gap: Duration, line: impl Display) {
        if let Some(last) = state.last {
            sleep(gap.saturating_sub(last.elapsed()));
        }
        self.writer.line(line);
        state.last = Some(Instant::now());
    }
}
