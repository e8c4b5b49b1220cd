//! The other side of a protocol: engines run as child processes.

use crate::error::ClientError;
use crate::io::{LINE_LIMIT, LineReader};
use std::fmt::Display;
use std::io::{BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// How often a process that should end is looked at.
const POLL: Duration = Duration::from_millis(2);

/// Lines that wait to be read. An engine that writes more is held up by its pipe until somebody reads, so a flood
/// costs no memory.
const WAITING_LINES: usize = 4096;

/// A line an engine wrote, and when it arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The line without its end, and without what exceeds a mebibyte.
    pub text: String,
    /// When its last byte was read, by a thread that does nothing else.
    pub at: Instant,
}

/// A running engine. One thread reads its output and one writes its input, so neither a silent nor a deaf
/// engine can block its user. The process is killed when this is dropped.
#[derive(Debug)]
pub struct EngineProcess {
    child: Child,
    /// `None` once the input is closed.
    input: Option<Sender<String>>,
    output: Receiver<Line>,
}

impl EngineProcess {
    /// Starts `command` with pipes for its input and output; its error stream goes where the command says.
    ///
    /// # Errors
    /// When the process or a thread for it cannot be started.
    pub fn start(mut command: Command) -> Result<Self, ClientError> {
        let program = command.get_program().to_string_lossy().into_owned();
        let refused = |source| ClientError::Start { program: program.clone(), source };
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(refused)?;
        let (input, lines_in) = channel();
        let (lines_out, output) = sync_channel(WAITING_LINES);
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        // From here on the child is killed if anything fails.
        let engine = Self { child, input: Some(input), output };
        if let (Some(stdin), Some(stdout)) = (stdin, stdout) {
            let spawn = |name: &str, work: Box<dyn FnOnce() + Send>| {
                thread::Builder::new().name(format!("{name} {program}")).spawn(work).map_err(refused)
            };
            spawn("to", Box::new(move || write_lines(stdin, &lines_in)))?;
            spawn("from", Box::new(move || read_lines(stdout, &lines_out)))?;
        }
        Ok(engine)
    }

    /// Sends one line. Never blocks: a line that the engine does not take waits in memory.
    ///
    /// # Errors
    /// When the engine's input is closed.
    pub fn send(&self, line: impl Display) -> Result<(), ClientError> {
        let line = format!("{line}\n");
        log::trace!("to {}: {}", self.id(), line.trim_end());
        self.input.as_ref().ok_or(ClientError::Closed)?.send(line).map_err(|_| ClientError::Closed)
    }

    /// Closes the engine's input once all lines are written: it sees the end of its input.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// The next line, waiting up to `timeout` for it.
    ///
    /// # Errors
    /// When none came in time, or none will come any more.
    pub fn read_line(&self, timeout: Duration) -> Result<Line, ClientError> {
        let line = self.output.recv_timeout(timeout).map_err(|error| match error {
            RecvTimeoutError::Timeout => ClientError::Timeout,
            RecvTimeoutError::Disconnected => ClientError::Closed,
        })?;
        log::trace!("from {}: {}", self.id(), line.text);
        Ok(line)
    }

    /// Reads lines until one fulfils `is_last`, which is the last one returned. `timeout` is for all of them
    /// together.
    ///
    /// # Errors
    /// When no such line came in time, or none will come any more.
    pub fn read_until(
        &self,
        timeout: Duration,
        mut is_last: impl FnMut(&str) -> bool,
    ) -> Result<Vec<Line>, ClientError> {
        let start = Instant::now();
        let mut lines = Vec::new();
        loop {
            let line = self.read_line(timeout.saturating_sub(start.elapsed()))?;
            let is_end = is_last(&line.text);
            lines.push(line);
            if is_end {
                return Ok(lines);
            }
        }
    }

    /// The number the system gave the process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// How the process ended; `None` while it runs.
    pub fn exit_status(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().ok().flatten()
    }

    /// Waits up to `timeout` for the process to end.
    ///
    /// # Errors
    /// When it has not ended by then.
    pub fn wait(&mut self, timeout: Duration) -> Result<ExitStatus, ClientError> {
        let start = Instant::now();
        loop {
            if let Some(status) = self.exit_status() {
                return Ok(status);
            }
            let left = timeout.saturating_sub(start.elapsed());
            if left.is_zero() {
                return Err(ClientError::Timeout);
            }
            thread::sleep(left.min(POLL));
        }
    }

    /// Kills the process, unless it has ended.
    pub fn kill(&mut self) {
        // Both fail only for a process that is gone, which is what is wanted.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Writes what is sent until the sender is dropped or the engine is gone; then the pipe is closed.
fn write_lines(mut stdin: ChildStdin, lines: &Receiver<String>) {
    for line in lines {
        if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

/// Passes on what the engine writes until it closes its output or nobody listens.
fn read_lines(stdout: ChildStdout, lines: &SyncSender<Line>) {
    for text in LineReader::with_limit(BufReader::new(stdout), LINE_LIMIT).map_while(Result::ok) {
        if lines.send(Line { text, at: Instant::now() }).is_err() {
            return;
        }
    }
}
