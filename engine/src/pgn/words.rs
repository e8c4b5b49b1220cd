//! Words of the movetext that the reader would pass over in silence: moves of other notations are written as the reader
//! knows them, and what is no move is handed on as a comment that says so.

use std::io::{self, Read};

use pgn_reader::SanPlus;

/// Begins a comment that holds a word which is no move.
pub const UNREADABLE: u8 = 1;

/// Bytes read at a time.
const CHUNK: usize = 1 << 14;
/// Longest word looked at in bytes; of longer ones, which are no moves, the beginning is handed on.
const LONGEST: usize = 64;
/// Passes, as different programs write them.
const PASSES: [&str; 6] = ["--", "Z0", "@@@@", "0000", "null", "pass"];
/// Words that tell of a move and are none.
const REMARKS: [&str; 9] = ["e.p.", "ep", "ch", "dbl", "mate", "N", "TN", "D", "RR"];

/// Reads text in which `;` begins no comment (see `Semicolons`), with every word of the movetext either one that the
/// reader understands or a comment that begins with [`UNREADABLE`]. Line ends stay where they are.
pub struct Words<R> {
    inner: R,
    place: Place,
    /// The word being read, outside of tags and comments.
    word: Vec<u8>,
    chunk: Vec<u8>,
    written: Vec<u8>,
    /// Bytes of `written` that were handed out.
    done: usize,
}

/// Where in the text the next byte stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// At the start of a line, after blanks or the byte order mark at most.
    Start,
    Text,
    Comment,
    /// In a line with a tag, or one that is to be skipped.
    Line,
}

impl<R: Read> Words<R> {
    /// Reads `inner`.
    pub fn new(inner: R) -> Self {
        let chunk = vec![0; CHUNK];
        Self { inner, place: Place::Start, word: Vec::new(), chunk, written: Vec::new(), done: 0 }
    }
}

impl<R> Words<R> {
    fn pass(&mut self, byte: u8) {
        let is_word = match self.place {
            Place::Comment | Place::Line => false,
            Place::Start => !ends_word(byte) && !b"[%\xef\xbb\xbf".contains(&byte),
            Place::Text => !ends_word(byte),
        };
        if is_word {
            self.place = Place::Text;
            // The rest of a word without end goes on as blanks, so that who reads can tell that there is no end.
            if self.word.len() <= LONGEST {
                self.word.push(byte);
            } else {
                self.written.push(b' ');
            }
            return;
        }
        if !self.word.is_empty() {
            write_word(&std::mem::take(&mut self.word), &mut self.written);
        }
        self.place = match (self.place, byte) {
            (Place::Comment, b'}') => Place::Text,
            (Place::Comment, _) => Place::Comment,
            (_, b'\n' | b'\r') => Place::Start,
            (Place::Line, _) | (Place::Start, b'[' | b'%') => Place::Line,
            (_, b'{') => Place::Comment,
            (Place::Start, b' ' | b'\t' | b'\xef' | b'\xbb' | b'\xbf') => Place::Start,
            _ => Place::Text,
        };
        self.written.push(byte);
    }
}

fn ends_word(byte: u8) -> bool {
    byte.is_ascii_whitespace() || b"(){}!?$*".contains(&byte)
}

/// Writes a word as the reader knows it.
fn write_word(word: &[u8], out: &mut Vec<u8>) {
    if SanPlus::from_ascii(word).is_ok() {
        out.extend(word);
        return;
    }
    let Some(text) = std::str::from_utf8(word).ok().filter(|text| text.len() <= LONGEST) else {
        return write_unreadable(word, out);
    };
    if PASSES.contains(&text) {
        out.extend(b"--");
        return;
    }
    // Numbers of moves, and results or castling with noughts, which begin with a digit.
    let rest = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    if rest.len() < text.len() && (rest.is_empty() || rest.starts_with(['-', '/'])) || text.starts_with('½')
    {
        out.extend(word);
        return;
    }
    let move_text = rest.trim_start_matches(['.', '…']);
    if move_text.len() < text.len() {
        out.extend(&word[..text.len() - move_text.len()]);
        if !move_text.is_empty() {
            out.push(b' ');
            write_word(move_text.as_bytes(), out);
        }
        return;
    }
    let is_remark = REMARKS.contains(&text.trim_end_matches('.')) || REMARKS.contains(&text);
    if is_remark || !text.contains(char::is_alphanumeric) {
        return;
    }
    match plain(text) {
        Some(san) => out.extend(san.as_bytes()),
        None => write_unreadable(word, out),
    }
}

fn write_unreadable(word: &[u8], out: &mut Vec<u8>) {
    out.extend([b'{', UNREADABLE]);
    out.extend(&word[..word.len().min(LONGEST)]);
    out.push(b'}');
}

/// A move without what other notations add to it, and with the sign of a promotion: `Ng1-f3`, `exd6e.p.`, `N:f3`,
/// `Qxf7++`, `Nf3+/-`, `e8Q`.
fn plain(text: &str) -> Option<String> {
    let head = text.trim_end_matches(['+', '-', '#', '=', '/', '±', '∓', '∞', '.', ',', ':', '†', '‡']);
    let head = head.strip_suffix("e.p").or_else(|| head.strip_suffix("ep")).unwrap_or(head);
    let is_castling = head.starts_with(['O', 'o', '0']);
    let mut san = if is_castling { head.to_owned() } else { head.replace('-', "").replace([':', '×'], "x") };
    if !is_castling && san.ends_with(['N', 'B', 'R', 'Q']) && !san.contains('=') {
        san.insert(san.len() - 1, '=');
    }
    SanPlus::from_ascii(san.as_bytes()).is_ok().then_some(san)
}

impl<R: Read> Read for Words<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.done == self.written.len() {
            self.written.clear();
            self.done = 0;
            let mut chunk = std::mem::take(&mut self.chunk);
            let count = self.inner.read(&mut chunk);
            if let Ok(count) = count {
                chunk[..count].iter().for_each(|&byte| self.pass(byte));
            }
            self.chunk = chunk;
            if count? == 0 {
                if self.word.is_empty() {
                    return Ok(0);
                }
                write_word(&std::mem::take(&mut self.word), &mut self.written);
            }
        }
        let count = buffer.len().min(self.written.len() - self.done);
        buffer[..count].copy_from_slice(&self.written[self.done..self.done + count]);
        self.done += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        let mut whole = String::new();
        Words::new(text.as_bytes()).read_to_string(&mut whole).unwrap();
        let (mut by_byte, mut byte) = (Vec::new(), [0]);
        let mut reader = Words::new(text.as_bytes());
        while reader.read(&mut byte).unwrap() > 0 {
            by_byte.extend(byte);
        }
        assert_eq!(by_byte, whole.as_bytes());
        whole
    }

    #[test]
    fn what_the_reader_knows_stays() {
        for text in [
            "\u{feff}[White \"Sf6\"]\r\n% Sf6\r\n\r\n1. e4 e5 2. Nf3 $1 {Sf6 !} Nc6!? (2... d6 3. d4) 1/2-1/2\n",
            "1. 0-0 O-O-O+ e8=Q# Raxb1+ R1a2 e2e4 -- * 1-0 0-1 ½-½",
        ] {
            assert_eq!(read(text), text);
        }
        assert_eq!(read("1.e4 e5 2...Nf6 3.O-O"), "1. e4 e5 2... Nf6 3. O-O");
    }

    #[test]
    fn other_notations_are_written_as_moves() {
        let text = "Ng1-f3 e2-e4 exd6e.p. N:f3 Qxf7++ Nf3+/- e7-e8Q exd8N+ O-O+- Z0 @@@@ 0000 Nf3, Nf3\u{b1}";
        let wanted = "Ng1f3 e2e4 exd6 Nxf3 Qxf7 Nf3 e7e8=Q exd8=N O-O Z0 -- -- Nf3 Nf3";
        assert_eq!(read(text), wanted);
        assert_eq!(read("e4 +/- N e.p. ep. ∞ e5"), "e4     e5".replace("     ", "      "));
    }

    #[test]
    fn what_is_no_move_is_told() {
        for word in ["Sf6", "P-K4", "Кf6", "hello", "Cxf3+", "<diagram>", "O-O-O-O", "e9"] {
            assert_eq!(read(&format!("1. e4 {word} 2. d4")), format!("1. e4 {{\u{1}{word}}} 2. d4"));
            assert_eq!(read(&format!("1.{word}")), format!("1. {{\u{1}{word}}}"));
        }
        let long = "x".repeat(1000);
        assert_eq!(read(&format!("{long} e4")).trim_start(), format!("{{\u{1}{}}} e4", &long[..LONGEST]));
    }
}
