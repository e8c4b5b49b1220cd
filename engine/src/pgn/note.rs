//! What stands between the moves of a game: comments, glyphs and variations, kept as words of PGN.

use movegen::{Board, Color};

/// Most bytes kept of one game; what comes after them is left out.
const MOST: usize = 1 << 20;
/// Variations kept inside each other; deeper ones are left out.
const DEEPEST: usize = 100;

/// The notes of a game while it is read. Moves of variations are kept as they are written, and numbered anew.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    /// The words, each with the number of moves of the game before it.
    words: Vec<(usize, String)>,
    /// Bytes of all words.
    size: usize,
    /// Whether there was more than is kept.
    is_full: bool,
    /// The beginning of a comment that comes in parts, which may end inside a letter.
    comment: Vec<u8>,
    /// The variation being read, and the moves before the next one on each of its levels.
    variation: String,
    levels: Vec<usize>,
    /// Whether a variation that is left out is being read over.
    is_skipping: bool,
    /// Whether a number is due before a move of Black.
    needs_number: bool,
}

impl Notes {
    /// The words, each with the number of moves of the game before it.
    pub fn words(&self) -> &[(usize, String)] {
        &self.words
    }

    /// Whether a variation is being read.
    pub fn is_in_variation(&self) -> bool {
        !self.levels.is_empty()
    }

    /// Whether so many bytes more are kept. Once some were not, none are: a line with moves missing in the middle is
    /// worth less than a short one.
    fn has_room(&mut self, more: usize) -> bool {
        self.is_full |= self.size + self.variation.len() + self.comment.len() + more > MOST;
        !self.is_full
    }

    fn add(&mut self, moves: usize, word: String) {
        if !self.has_room(word.len() + 1) {
            return;
        }
        if self.is_in_variation() {
            self.space();
            self.variation += &word;
        } else {
            self.size += word.len();
            self.words.push((moves, word));
        }
    }

    fn space(&mut self) {
        if !self.variation.is_empty() && !self.variation.ends_with('(') {
            self.variation.push(' ');
        }
    }

    /// A glyph after so many moves of the game.
    pub fn glyph(&mut self, moves: usize, number: u8) {
        self.add(moves, format!("${number}"));
    }

    /// A part of a comment.
    pub fn part(&mut self, text: &[u8]) {
        if self.has_room(text.len()) {
            self.comment.extend_from_slice(text);
        }
    }

    /// The rest of a comment.
    pub fn comment(&mut self, moves: usize, text: &[u8]) {
        self.part(text);
        let comment = std::mem::take(&mut self.comment);
        let comment = String::from_utf8_lossy(&comment);
        let words: Vec<&str> = comment.split_whitespace().collect();
        if !words.is_empty() {
            self.add(moves, format!("{{ {} }}", words.join(" ")));
            self.needs_number = true;
        }
    }

    /// A variation begins: instead of the last move. Returns whether it is kept; of one that is not, only the end
    /// may come.
    pub fn open(&mut self, moves: usize) -> bool {
        if self.levels.len() >= DEEPEST || !self.has_room(2) {
            self.is_skipping = true;
            return false;
        }
        let before = self.levels.last().copied().unwrap_or(moves).saturating_sub(1);
        self.space();
        self.variation.push('(');
        self.levels.push(before);
        self.needs_number = true;
        true
    }

    /// A move of a variation of a game that began with a position.
    pub fn mv(&mut self, start: &Board, san: &str) {
        let Some(level) = self.levels.last_mut() else { return };
        let plies = *level + usize::from(start.side_to_move() == Color::Black);
        *level += 1;
        let number = (start.fullmove_number() as usize).saturating_add(plies / 2);
        let is_black = plies % 2 == 1;
        let word = match (is_black, std::mem::take(&mut self.needs_number)) {
            (false, _) => format!("{number}. {san}"),
            (true, true) => format!("{number}... {san}"),
            (true, false) => san.to_owned(),
        };
        self.add(0, word);
    }

    /// A variation ends; one that is empty leaves nothing.
    pub fn close(&mut self, moves: usize) {
        if std::mem::take(&mut self.is_skipping) || self.levels.pop().is_none() {
            return;
        }
        if self.variation.ends_with('(') {
            self.variation.pop();
            self.variation.truncate(self.variation.trim_end().len());
        } else {
            self.variation.push(')');
        }
        self.needs_number = true;
        if self.levels.is_empty() && !self.variation.is_empty() {
            let variation = std::mem::take(&mut self.variation);
            self.size += variation.len();
            self.words.push((moves, variation));
        }
    }

    /// The text ends: so do the variations that are not closed.
    pub fn close_all(&mut self, moves: usize) {
        self.comment.clear();
        self.is_skipping = false;
        while self.is_in_variation() {
            self.close(moves);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_deep_or_too_much_is_left_out_and_the_rest_stays_well_formed() {
        let start = Board::startpos();
        let mut notes = Notes::default();
        for _ in 0..DEEPEST {
            assert!(notes.open(1));
            notes.mv(&start, "d4");
        }
        assert!(!notes.open(1));
        for _ in 0..=DEEPEST {
            assert!(notes.is_in_variation());
            notes.close(1);
        }
        assert!(!notes.is_in_variation());
        let text = &notes.words()[0].1;
        assert_eq!([text.matches('(').count(), text.matches(')').count()], [DEEPEST; 2]);

        assert!(notes.open(3));
        notes.mv(&start, "Nf3");
        notes.comment(3, &vec![b'x'; MOST]);
        notes.mv(&start, "e5");
        notes.close(3);
        notes.comment(3, b"late");
        notes.close_all(3);
        assert_eq!(notes.words()[1..], [(3, "(2. Nf3)".to_owned())]);
    }

    #[test]
    fn empty_variations_vanish_and_letters_in_two_parts_are_kept() {
        let mut notes = Notes::default();
        assert!(notes.open(1) && notes.open(1));
        notes.close(1);
        notes.close(1);
        notes.close(1);
        let letter = "é".as_bytes();
        notes.part(&letter[..1]);
        notes.comment(1, &letter[1..]);
        assert_eq!(notes.words(), [(1, "{ é }".to_owned())]);
    }
}
