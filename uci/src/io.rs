//! Lines in and lines out.

use std::fmt::Display;
use std::io::{BufRead, ErrorKind, Result, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// The UTF-8 byte order mark.
const BOM: &[u8] = b"\xEF\xBB\xBF";

/// What is kept of a line of the other side of a protocol, in bytes: room for a game of 200,000 moves.
pub const LINE_LIMIT: usize = 1 << 20;

/// Reads lines that end in LF, CR or CRLF and may be of any length (unless a limit is set) and any bytes: what is not UTF-8 becomes
/// U+FFFD, a byte order mark at the very beginning is skipped. A line is handed out as soon as its end has
/// arrived, also when that is a lone CR.
#[derive(Debug)]
pub struct LineReader<R> {
    input: R,
    /// The last line ended in CR: an LF that comes next belongs to it.
    is_after_cr: bool,
    is_at_start: bool,
    /// Bytes kept of a line.
    limit: usize,
    is_cut: bool,
}

impl<R: BufRead> LineReader<R> {
    /// Reads from `input`.
    pub fn new(input: R) -> Self {
        Self::with_limit(input, usize::MAX)
    }

    /// Reads from `input` and keeps no more than `limit` bytes of a line.
    pub fn with_limit(input: R, limit: usize) -> Self {
        Self { input, is_after_cr: false, is_at_start: true, limit, is_cut: false }
    }

    /// Whether the last line was longer than what is kept of it.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// The next line without its end; `None` at the end of input. A last line may lack its end.
    ///
    /// # Errors
    /// When reading fails; interrupted reads are tried again.
    pub fn read_line(&mut self) -> Result<Option<String>> {
        let mut line = Vec::new();
        let mut has_line = false;
        self.is_cut = false;
        loop {
            let buffer = match self.input.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let Some(&first) = buffer.first() else { break };
            if std::mem::take(&mut self.is_after_cr) && first == b'\n' {
                self.input.consume(1);
                continue;
            }
            has_line = true;
            let end = buffer.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let (part, rest) = buffer.split_at_checked(end.unwrap_or(buffer.len())).unwrap_or((buffer, &[]));
            let room = self.limit.saturating_sub(line.len());
            self.is_cut |= part.len() > room;
            line.extend(part.iter().take(room));
            self.is_after_cr = rest.first() == Some(&b'\r');
            let used = part.len() + usize::from(end.is_some());
            self.input.consume(used);
            if end.is_some() {
                break;
            }
        }
        let is_first = has_line && std::mem::take(&mut self.is_at_start);
        let text = line.strip_prefix(BOM).filter(|_| is_first).unwrap_or(&line);
        Ok(has_line.then(|| String::from_utf8_lossy(text).into_owned()))
    }
}

impl<R: BufRead> Iterator for LineReader<R> {
    type Item = Result<String>;

    fn next(&mut self) -> Option<Result<String>> {
        self.read_line().transpose()
    }
}

/// The one place where output leaves the program: whole lines, written and flushed under a lock, so that
/// lines of different threads never mix. When the other side is gone, output is dropped without a fuss;
/// [`is_broken`](Self::is_broken) tells.
pub struct Writer {
    output: Mutex<Box<dyn Write + Send>>,
    is_broken: AtomicBool,
}

impl Writer {
    /// Writes to `output`.
    pub fn new(output: impl Write + Send + 'static) -> Self {
        Self { output: Mutex::new(Box::new(output)), is_broken: AtomicBool::new(false) }
    }

    /// Writes to the standard output.
    pub fn stdout() -> Self {
        Self::new(std::io::stdout())
    }

    /// Writes `text` and a line end. Text of several lines comes out in one piece.
    pub fn line(&self, text: impl Display) {
        self.line_after(|| (), text);
    }

    /// Calls `announce`, then writes a line, and no other line comes between the two: who hears the announcement
    /// cannot write before this line is out, and who reads the line can be sure that the announcement was made.
    /// `announce` must not write itself.
    pub fn line_after(&self, announce: impl FnOnce(), text: impl Display) {
        // Formatted before the lock is taken, and written by a single call.
        let text = format!("{text}\n");
        log::debug!("output: {}", text.trim_end());
        let mut output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        announce();
        if output.write_all(text.as_bytes()).and_then(|()| output.flush()).is_err() {
            self.is_broken.store(true, Ordering::Relaxed);
        }
    }

    /// Whether something could not be written.
    pub fn is_broken(&self) -> bool {
        self.is_broken.load(Ordering::Relaxed)
    }
}
