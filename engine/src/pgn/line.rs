//! Line ends of any kind, and on which line a place of the text lies.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::{Arc, Mutex, PoisonError};

use study::interrupted;

/// Longest text of a game in bytes, with all its comments and what stands before it.
const LONGEST_GAME: u64 = 16 << 20;

/// Counts the lines that went through a [`Lines`]. Clones share the count.
#[derive(Clone, Default)]
pub struct LineCounter(Arc<Mutex<Count>>);

#[derive(Default)]
struct Count {
    /// Bytes handed out.
    bytes: u64,
    /// Places of line ends that were not asked for yet.
    ends: VecDeque<u64>,
    /// Line ends before those.
    passed: u64,
    /// The last place that was asked for: there a game begins.
    game: u64,
}

impl LineCounter {
    /// The line, from 1, of the place that lies `unread` bytes before the end of what was handed out. Places must
    /// not be asked for in falling order.
    pub fn line_at(&self, unread: usize) -> u64 {
        let mut count = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let place = count.bytes.saturating_sub(unread as u64);
        count.game = place;
        while count.ends.front().is_some_and(|&end| end < place) {
            count.ends.pop_front();
            count.passed += 1;
        }
        count.passed + 1
    }

    /// Whether the present game has gone on for too long.
    fn is_too_long(&self) -> bool {
        let count = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        count.bytes - count.game > LONGEST_GAME
    }

    fn add(&self, bytes: &[u8]) {
        let mut count = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let start = count.bytes;
        let ends = bytes.iter().enumerate().filter(|&(_, &byte)| byte == b'\n');
        count.ends.extend(ends.map(|(place, _)| start + place as u64));
        count.bytes += bytes.len() as u64;
    }
}

/// Reads text and makes every line end (CR LF, a lone CR) a line feed. Fails when a game is longer than
/// [`LONGEST_GAME`] or the person wishes the work to end, so that no text without end keeps the reader.
pub struct Lines<R> {
    inner: R,
    counter: LineCounter,
    /// The last byte read was a carriage return, handed out as a line feed already.
    after_return: bool,
}

impl<R> Lines<R> {
    /// Reads `inner` and tells `counter`.
    pub fn new(inner: R, counter: LineCounter) -> Self {
        Self { inner, counter, after_return: false }
    }
}

impl<R: Read> Read for Lines<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if interrupted() {
            return Err(io::Error::other("interrupted"));
        }
        if self.counter.is_too_long() {
            return Err(io::Error::other(format!(
                "more than {} MiB without the end of a game",
                LONGEST_GAME >> 20
            )));
        }
        loop {
            let count = match self.inner.read(buffer) {
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let mut kept = 0;
            for place in 0..count {
                let byte = buffer[place];
                if !(byte == b'\n' && self.after_return) {
                    buffer[kept] = if byte == b'\r' { b'\n' } else { byte };
                    kept += 1;
                }
                self.after_return = byte == b'\r';
            }
            self.counter.add(&buffer[..kept]);
            if kept > 0 || count == 0 {
                return Ok(kept);
            }
        }
    }
}
