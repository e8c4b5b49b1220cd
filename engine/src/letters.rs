//! The letters of the men in the languages of readers.

use std::io::{self, Read};

use clap::ValueEnum;

/// A set of letters for king, queen, rook, bishop and knight (PGN standard, section 8.2.3.2, and FIDE's handbook).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Letters {
    /// English: K Q R B N
    #[default]
    En,
    /// Czech: K D V S J
    Cs,
    /// Danish: K D T L S
    Da,
    /// German: K D T L S
    De,
    /// Spanish: R D T A C
    Es,
    /// Estonian: K L V O R
    Et,
    /// Finnish: K D T L R
    Fi,
    /// French: R D T F C
    Fr,
    /// Hungarian: K V B F H
    Hu,
    /// Icelandic: K D H B R
    Is,
    /// Italian: R D T A C
    It,
    /// Dutch: K D T L P
    Nl,
    /// Norwegian: K D T L S
    No,
    /// Polish: K H W G S
    Pl,
    /// Portuguese: R D T B C
    Pt,
    /// Romanian: R D T N C
    Ro,
    /// Russian: Кр Ф Л С К
    Ru,
    /// Swedish: K D T L S
    Sv,
    /// Ukrainian: Кр Ф Т С К
    Uk,
    /// Chess figures: ♔ ♕ ♖ ♗ ♘
    Figurine,
}

/// The same men in English.
const ENGLISH: [char; 5] = ['K', 'Q', 'R', 'B', 'N'];

impl Letters {
    const fn men(self) -> [&'static str; 5] {
        match self {
            Self::En => ["K", "Q", "R", "B", "N"],
            Self::Cs => ["K", "D", "V", "S", "J"],
            Self::Da | Self::De | Self::No | Self::Sv => ["K", "D", "T", "L", "S"],
            Self::Es | Self::It => ["R", "D", "T", "A", "C"],
            Self::Et => ["K", "L", "V", "O", "R"],
            Self::Fi => ["K", "D", "T", "L", "R"],
            Self::Fr => ["R", "D", "T", "F", "C"],
            Self::Hu => ["K", "V", "B", "F", "H"],
            Self::Is => ["K", "D", "H", "B", "R"],
            Self::Nl => ["K", "D", "T", "L", "P"],
            Self::Pl => ["K", "H", "W", "G", "S"],
            Self::Pt => ["R", "D", "T", "B", "C"],
            Self::Ro => ["R", "D", "T", "N", "C"],
            Self::Ru => ["Кр", "Ф", "Л", "С", "К"],
            Self::Uk => ["Кр", "Ф", "Т", "С", "К"],
            Self::Figurine => ["♔", "♕", "♖", "♗", "♘"],
        }
    }

    /// A move in English notation with the letters of this language.
    pub fn write(self, san: &str) -> String {
        if self == Self::En {
            return san.to_owned();
        }
        let mut text = String::with_capacity(san.len() + 2);
        for letter in san.chars() {
            match ENGLISH.iter().position(|&man| man == letter) {
                Some(man) => text.push_str(self.men()[man]),
                None => text.push(letter),
            }
        }
        text
    }

    /// A word in this language in English: a letter counts at the beginning, behind `=` and behind the last rank.
    /// A word without such letters stays as it is, so that English moves are understood too where they differ.
    pub fn read(self, word: &str) -> String {
        // Castling is written alike everywhere, also where O is a man.
        if self == Self::En || word.starts_with("O-O") {
            return word.to_owned();
        }
        let mut text = String::with_capacity(word.len());
        let mut rest = word;
        while let Some(letter) = rest.chars().next() {
            let is_place = text.is_empty() || text.ends_with(['=', '1', '8']);
            let fitting = (0..5).filter(|&man| is_place && rest.starts_with(self.spelling(man, rest)));
            match fitting.max_by_key(|&man| self.spelling(man, rest).len()) {
                Some(man) => {
                    text.push(ENGLISH[man]);
                    rest = &rest[self.spelling(man, rest).len()..];
                }
                None => {
                    text.push(letter);
                    rest = &rest[letter.len_utf8()..];
                }
            }
        }
        text
    }

    /// How a man is spelt at the beginning of a text; figures may be white or black.
    fn spelling(self, man: usize, text: &str) -> &'static str {
        const BLACK: [&str; 5] = ["♚", "♛", "♜", "♝", "♞"];
        if self == Self::Figurine && text.starts_with(BLACK[man]) { BLACK[man] } else { self.men()[man] }
    }
}

/// Longest word that can be a move, in bytes.
const LONGEST_WORD: usize = 40;

/// Where in a PGN text a byte lies.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Moves,
    Tag,
    Comment,
    LineComment,
}

/// Reads a PGN text and hands its moves out in English letters; everything else stays as it is.
pub struct Translator<R> {
    inner: R,
    letters: Letters,
    place: Place,
    is_line_start: bool,
    word: Vec<u8>,
    output: Vec<u8>,
    handed_out: usize,
    buffer: Vec<u8>,
}

impl<R: Read> Translator<R> {
    /// Translates from these letters.
    pub fn new(inner: R, letters: Letters) -> Self {
        Self {
            inner,
            letters,
            place: Place::Moves,
            is_line_start: true,
            word: Vec::new(),
            output: Vec::new(),
            handed_out: 0,
            buffer: vec![0; 1 << 16],
        }
    }

    fn push(&mut self, byte: u8) {
        let is_line_end = matches!(byte, b'\n' | b'\r');
        match self.place {
            Place::Comment if byte == b'}' => self.place = Place::Moves,
            Place::Tag | Place::LineComment if is_line_end => self.place = Place::Moves,
            Place::Moves if byte == b'%' && self.is_line_start => self.place = Place::LineComment,
            Place::Moves => {
                let is_end = byte.is_ascii_whitespace() || b"{}();[].,$!?".contains(&byte);
                if !is_end && self.word.len() < LONGEST_WORD {
                    self.is_line_start = false;
                    self.word.push(byte);
                    return;
                }
                self.end_word();
                match byte {
                    b'{' => self.place = Place::Comment,
                    b';' => self.place = Place::LineComment,
                    b'[' => self.place = Place::Tag,
                    _ => {}
                }
            }
            _ => {}
        }
        self.is_line_start = is_line_end;
        self.output.push(byte);
    }

    fn end_word(&mut self) {
        match std::str::from_utf8(&self.word) {
            Ok(word) if !word.is_empty() => self.output.extend_from_slice(self.letters.read(word).as_bytes()),
            _ => self.output.extend_from_slice(&self.word),
        }
        self.word.clear();
    }
}

impl<R: Read> Read for Translator<R> {
    fn read(&mut self, target: &mut [u8]) -> io::Result<usize> {
        while self.handed_out == self.output.len() {
            self.output.clear();
            self.handed_out = 0;
            let mut buffer = std::mem::take(&mut self.buffer);
            let count = self.inner.read(&mut buffer);
            if let Ok(count) = count {
                buffer.iter().take(count).for_each(|&byte| self.push(byte));
            }
            self.buffer = buffer;
            if count? == 0 {
                self.end_word();
                break;
            }
        }
        let ready = self.output.get(self.handed_out..).unwrap_or_default();
        let count = ready.len().min(target.len());
        let (Some(from), Some(to)) = (ready.get(..count), target.get_mut(..count)) else { return Ok(0) };
        to.copy_from_slice(from);
        self.handed_out += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_change_their_letters_and_nothing_else() {
        for (letters, written) in [
            (Letters::De, "Sf3 Lxb5+ e8=D# Td1 Kd2 O-O-O exd5"),
            (Letters::Fr, "Cf3 Fxb5+ e8=D# Td1 Rd2 O-O-O exd5"),
            (Letters::Ru, "Кf3 Сxb5+ e8=Ф# Лd1 Крd2 O-O-O exd5"),
            (Letters::Figurine, "♘f3 ♗xb5+ e8=♕# ♖d1 ♔d2 O-O-O exd5"),
            (Letters::Et, "Rf3 Oxb5+ e8=L# Vd1 Kd2 O-O-O exd5"),
        ] {
            let english = "Nf3 Bxb5+ e8=Q# Rd1 Kd2 O-O-O exd5";
            assert_eq!(letters.write(english), written, "{letters:?}");
            let read: Vec<String> = written.split(' ').map(|word| letters.read(word)).collect();
            assert_eq!(read.join(" "), english, "{letters:?}");
        }
        assert_eq!(Letters::Figurine.read("♞f6"), "Nf6");
        assert_eq!(Letters::De.read("e8D+"), "e8Q+");
        // English where it differs.
        assert_eq!(Letters::De.read("Nf3"), "Nf3");
    }

    #[test]
    fn every_set_of_letters_is_read_back() {
        for &letters in Letters::value_variants() {
            for man in ENGLISH {
                for san in [format!("{man}d4"), format!("{man}xd4+"), format!("e8={man}")] {
                    assert_eq!(letters.read(&letters.write(&san)), san, "{letters:?}");
                }
            }
        }
    }

    #[test]
    fn texts_are_translated_outside_of_tags_and_comments() {
        let text = "[White \"Sf3 ]\"]\n\n1.Sf3 {Sf3 (Lb5)} Sf6 ; Sf6\n% Sf6\n2. Lb5!? (2. Dd3 a1D) Tg8 1-0\n";
        let wanted =
            "[White \"Sf3 ]\"]\n\n1.Nf3 {Sf3 (Lb5)} Nf6 ; Sf6\n% Sf6\n2. Bb5!? (2. Qd3 a1Q) Rg8 1-0\n";
        struct Slow<'a>(&'a [u8]);
        impl Read for Slow<'_> {
            fn read(&mut self, target: &mut [u8]) -> io::Result<usize> {
                let (Some((&first, rest)), Some(place)) = (self.0.split_first(), target.first_mut()) else {
                    return Ok(0);
                };
                *place = first;
                self.0 = rest;
                Ok(1)
            }
        }
        let mut out = String::new();
        assert!(Translator::new(Slow(text.as_bytes()), Letters::De).read_to_string(&mut out).is_ok());
        assert_eq!(out, wanted);
        let mut out = String::new();
        assert!(Translator::new("1. Кf3 ♞".as_bytes(), Letters::Ru).read_to_string(&mut out).is_ok());
        assert_eq!(out, "1. Nf3 ♞");
    }
}
