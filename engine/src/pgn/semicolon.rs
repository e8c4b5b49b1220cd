//! Comments behind semicolons, which the reader passes over, as comments in braces, which it hands on.

use std::io::{self, BufRead, BufReader, Read};

/// Reads text with `; ...` up to the end of a line turned into `{ ...}`. Line ends stay where they are.
pub struct Semicolons<R> {
    inner: BufReader<R>,
    place: Place,
    /// The end of a line that comes after a brace.
    due: Option<u8>,
}

/// Where in the text the next byte stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// At the start of a line, after blanks or the byte order mark at most.
    Start,
    Text,
    /// In a comment in braces.
    Braces,
    /// In a comment behind a semicolon.
    Semicolon,
    /// In a line with a tag, or one that is to be skipped: a semicolon means nothing there.
    Line,
}

impl<R: Read> Semicolons<R> {
    /// Reads `inner`.
    pub fn new(inner: R) -> Self {
        Self { inner: BufReader::new(inner), place: Place::Start, due: None }
    }
}

impl Place {
    /// Goes on past a byte, and returns what takes its place.
    fn pass(&mut self, byte: u8) -> u8 {
        let (next, written) = match (*self, byte) {
            (Self::Semicolon, b'\n' | b'\r') => (Self::Start, b'}'),
            // It would end the comment.
            (Self::Semicolon, b'}') => (Self::Semicolon, b')'),
            (Self::Braces, b'}') => (Self::Text, byte),
            (Self::Semicolon | Self::Braces, _) => (*self, byte),
            (_, b'\n' | b'\r') => (Self::Start, byte),
            (Self::Line, _) | (Self::Start, b' ' | b'\t' | b'\xef' | b'\xbb' | b'\xbf') => (*self, byte),
            (Self::Start, b'[' | b'%') => (Self::Line, byte),
            (_, b'{') => (Self::Braces, byte),
            (_, b';') => (Self::Semicolon, b'{'),
            _ => (Self::Text, byte),
        };
        *self = next;
        written
    }
}

impl<R: Read> Read for Semicolons<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Self { inner, place, due } = self;
        let Some(first) = buffer.first_mut() else { return Ok(0) };
        if let Some(byte) = due.take() {
            *first = byte;
            return Ok(1);
        }
        let text = inner.fill_buf()?;
        if text.is_empty() && *place == Place::Semicolon {
            *first = place.pass(b'\n');
            return Ok(1);
        }
        let mut count = 0;
        for (slot, &byte) in buffer.iter_mut().zip(text) {
            let was_comment = *place == Place::Semicolon;
            *slot = place.pass(byte);
            count += 1;
            if was_comment && *place == Place::Start {
                *due = Some(byte);
                break;
            }
        }
        inner.consume(count);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn semicolons_become_braces_outside_of_tags_braces_and_skipped_lines() {
        let text = "\u{feff}[A \"x;y\"] ; z\r\n\r\n; one } and {\r\n1. e4 {a;\nb} ;two\n% c;d\n;\n;three";
        let wanted =
            "\u{feff}[A \"x;y\"] ; z\r\n\r\n{ one ) and {}\r\n1. e4 {a;\nb} {two}\n% c;d\n{}\n{three}";
        let mut whole = String::new();
        Semicolons::new(text.as_bytes()).read_to_string(&mut whole).unwrap();
        assert_eq!(whole, wanted);
        let (mut by_byte, mut byte) = (Vec::new(), [0]);
        let mut reader = Semicolons::new(text.as_bytes());
        while reader.read(&mut byte).unwrap() > 0 {
            by_byte.extend(byte);
        }
        assert_eq!(by_byte, wanted.as_bytes());
    }
}
