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
/// The same where a fixed time for the move leaves room: a client on a busy machine needs it.
const WIDE_GAP: Duration = Duration::from_millis(50);
/// No search line comes in the last part of a fixed time, one in so many: no more than the wide gap.
const QUIET_SHARE: u32 = 8;
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
    /// When the answer to the search is due at the latest.
    due: Option<Instant>,
    /// So long before it no search line is written.
    quiet: Duration,
}

impl State {
    /// Whether a search line now could delay an answer beyond the time when it is due, or come too shortly before it.
    fn is_answer_near(&self) -> bool {
        self.due.is_some_and(|due| Instant::now() + self.quiet > due)
    }

    /// Time between the line before an answer and the answer.
    fn answer_gap(&self) -> Duration {
        let rest = self.due.map(|due| due.saturating_duration_since(Instant::now()));
        rest.unwrap_or_default().clamp(ANSWER_GAP, WIDE_GAP)
    }
}

impl Pacer {
    /// Paces what is written to `writer`.
    pub fn new(writer: Writer) -> Self {
        Self { writer, state: Mutex::new(State { last: None, held: None, due: None, quiet: MOST_DELAY }) }
    }

    /// Whether something could not be written.
    pub fn is_broken(&self) -> bool {
        self.writer.is_broken()
    }

    /// A search begins, whose answer is due then: search lines that could delay it are left out.
    pub fn begin(&self, due: Option<Instant>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let time = due.map(|due| due.saturating_duration_since(Instant::now())).unwrap_or_default();
        state.quiet = (time / QUIET_SHARE).clamp(MOST_DELAY, WIDE_GAP);
        state.due = due;
    }

    /// Writes a search line, or keeps it back until the next one or the answer.
    pub fn info(&self, line: impl Display) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.is_answer_near() || state.last.is_some_and(|last| last.elapsed() < INFO_GAP) {
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
        if let Some(held) = state.held.take()
            && !state.is_answer_near()
        {
            self.write(&mut state, GAP, held);
        }
        let gap = state.answer_gap();
        self.write(&mut state, gap, line);
    }

    fn write(&self, state: &mut State, gap: Duration, line: impl Display) {
        if let Some(last) = state.last {
            sleep(gap.saturating_sub(last.elapsed()));
        }
        self.writer.line(line);
        state.last = Some(Instant::now());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{self, Write};
    use std::sync::Arc;

    #[derive(Clone, Default)]
    struct Page(Arc<Mutex<Vec<u8>>>);

    impl Write for Page {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// What a busy machine may add.
    const LATE: Duration = Duration::from_secs(2);

    /// What is written when two search lines and an answer come at once.
    fn written(due: Option<Instant>) -> String {
        let page = Page::default();
        let pacer = Pacer::new(Writer::new(page.clone()));
        pacer.begin(due);
        pacer.info("first");
        pacer.info("second");
        pacer.answer("done");
        let bytes = page.0.lock().unwrap().clone();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn the_answer_waits_longer_where_a_fixed_time_leaves_room() {
        for (time, least, most) in [(None, 8, 50), (Some(5000), 50, 5000), (Some(30), 8, 50)] {
            let pacer = Pacer::new(Writer::new(Page::default()));
            let start = Instant::now();
            pacer.begin(time.map(|time| start + Duration::from_millis(time)));
            pacer.info("line");
            pacer.answer("done");
            let used = start.elapsed();
            assert!(used >= Duration::from_millis(least), "{time:?}: {used:?}");
            assert!(used < Duration::from_millis(most) + LATE, "{time:?}: {used:?}");
        }
    }

    #[test]
    fn lines_that_would_delay_a_due_answer_are_left_out() {
        assert_eq!(written(None), "first\nsecond\ndone\n");
        assert_eq!(written(Some(Instant::now() + Duration::from_secs(60))), "first\nsecond\ndone\n");
        assert_eq!(written(Some(Instant::now())), "done\n");
    }
}
