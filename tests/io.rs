//! Lines of any bytes and length, and a writer that never mixes or panics.

use proptest::prelude::*;
use std::io::{BufRead, BufReader, Cursor, Error, ErrorKind, Read, Result, Write};
use std::sync::{Arc, Mutex};
use std::thread;
use uci::io::{LineReader, Writer};

fn lines(input: &[u8]) -> Vec<String> {
    LineReader::new(input).map(Result::unwrap).collect()
}

#[test]
fn lines_end_in_lf_cr_or_crlf() {
    assert_eq!(lines(b"a\nb\r\nc\rd"), ["a", "b", "c", "d"]);
    assert_eq!(lines(b"a\r\n\r\nb\n\nc\r\rd\n"), ["a", "", "b", "", "c", "", "d"]);
    assert_eq!(lines(b"\n\r"), ["", ""]);
    assert_eq!(lines(b"\r\n"), [""]);
    assert_eq!(lines(b""), [""; 0]);
}

#[test]
fn bytes_that_are_not_text_are_kept_as_replacements() {
    assert_eq!(lines(b"a\xFFb\0c\n\xC3\x28\n"), ["a\u{fffd}b\0c", "\u{fffd}("]);
    assert_eq!(lines(b"\xEF\xBB\xBFuci\n\xEF\xBB\xBFuci\n"), ["uci", "\u{feff}uci"]);
    assert_eq!(lines(b"\xEF\xBB\n"), ["\u{fffd}"]);
}

#[test]
fn a_line_may_be_megabytes_long() {
    let mut input = vec![b'x'; 5 << 20];
    input.push(b'\n');
    input.extend_from_slice(b"next");
    let lines = lines(&input);
    assert_eq!((lines[0].len(), lines[1].as_str()), (5 << 20, "next"));
}

#[test]
fn of_a_line_beyond_the_limit_the_beginning_is_kept_and_told_as_such() {
    for capacity in [1, 3, 100] {
        let input = &b"1234\r\n12345\n\n1234567890"[..];
        let mut reader = LineReader::with_limit(BufReader::with_capacity(capacity, input), 4);
        let mut found = Vec::new();
        while let Some(line) = reader.read_line().unwrap() {
            found.push((line, reader.is_cut()));
        }
        let line = |text: &str, is_cut| (text.to_owned(), is_cut);
        assert_eq!(found, [line("1234", false), line("1234", true), line("", false), line("1234", true)]);
    }
}

/// Gives one byte at a time, then fails the test if it is asked for more than it was to give.
struct Drip(Cursor<&'static [u8]>);

impl Read for Drip {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let count = self.0.read(&mut buffer[..1])?;
        assert!(count == 1, "read past the end of the line");
        Ok(count)
    }
}

#[test]
fn a_line_is_handed_out_when_its_end_arrives() {
    for input in ["isready\n", "isready\r"] {
        let mut reader = LineReader::new(BufReader::new(Drip(Cursor::new(input.as_bytes()))));
        assert_eq!(reader.read_line().unwrap().as_deref(), Some("isready"));
    }
}

/// Interrupted once, then fails.
struct Failing(u32);

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> Result<usize> {
        self.0 += 1;
        Err(Error::from(if self.0 == 1 { ErrorKind::Interrupted } else { ErrorKind::TimedOut }))
    }
}

#[test]
fn interruptions_are_tried_again_and_errors_passed_on() {
    let mut reader = LineReader::new(BufReader::new(Failing(0)));
    assert_eq!(reader.read_line().unwrap_err().kind(), ErrorKind::TimedOut);
}

/// A buffer that its owner can look into.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

#[test]
fn lines_of_many_threads_do_not_mix() {
    let output = Shared::default();
    let writer = Writer::new(output.clone());
    thread::scope(|scope| {
        for name in ["a", "b", "c", "d"] {
            let writer = &writer;
            scope.spawn(move || {
                for number in 0..500 {
                    writer.line(format_args!("{name} {number}\n{name} {number}"));
                }
            });
        }
    });
    let bytes = output.0.lock().unwrap().clone();
    let lines: Vec<_> = bytes.lines().map(Result::unwrap).collect();
    assert_eq!(lines.len(), 4000);
    assert!(lines.chunks(2).all(|pair| pair[0] == pair[1]));
    assert!(!writer.is_broken());
}

struct Broken;

impl Write for Broken {
    fn write(&mut self, _: &[u8]) -> Result<usize> {
        Err(Error::from(ErrorKind::BrokenPipe))
    }

    fn flush(&mut self) -> Result<()> {
        Err(Error::from(ErrorKind::BrokenPipe))
    }
}

#[test]
fn a_broken_pipe_is_noticed_quietly() {
    let writer = Writer::new(Broken);
    writer.line("bestmove e2e4");
    writer.line("bestmove e2e4");
    assert!(writer.is_broken());
}

proptest! {
    #[test]
    fn any_bytes_in_any_portions_give_the_same_lines(bytes: Vec<u8>, capacity in 1..9_usize) {
        let portioned: Vec<_> = LineReader::new(BufReader::with_capacity(capacity, bytes.as_slice()))
            .map(Result::unwrap)
            .collect();
        prop_assert_eq!(portioned, lines(&bytes));
    }

    #[test]
    fn lines_are_read_back(texts in prop::collection::vec("[^\r\n]*", 0..10), end in "\n|\r|\r\n") {
        let input: String = texts.iter().flat_map(|text| [text.as_str(), end.as_str()]).collect();
        let first = |text: &String| text.strip_prefix('\u{feff}').unwrap_or(text).to_owned();
        let expected: Vec<_> =
            texts.iter().enumerate().map(|(place, text)| if place == 0 { first(text) } else { text.clone() }).collect();
        prop_assert_eq!(lines(input.as_bytes()), expected);
    }
}
