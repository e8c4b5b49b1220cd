//! The words of a text of games.

/// A part of the text.
pub(super) enum Token<'a> {
    /// Name and value of a tag.
    Tag(String, String),
    /// The text of a comment.
    Comment(String),
    /// A glyph (`$1`) or a variation, as PDN writes it.
    Note(String),
    /// A move or a result, without number and marks.
    Word(&'a str),
}

/// Takes a text apart.
pub(super) struct Scanner<'a> {
    text: &'a str,
    rest: &'a str,
    /// What follows the word before it.
    glyph: Option<String>,
    /// Where braces are that nothing closes, once that is asked.
    unclosed: Option<Vec<usize>>,
}

impl<'a> Scanner<'a> {
    /// A scanner at the beginning of `text`.
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, rest: text, glyph: None, unclosed: None }
    }

    /// The next part; `None` at the end.
    pub(super) fn next(&mut self) -> Option<Token<'a>> {
        loop {
            if let Some(glyph) = self.glyph.take() {
                return Some(Token::Note(glyph));
            }
            self.rest = self.rest.trim_start();
            match self.rest.chars().next()? {
                '[' => return Some(self.tag()),
                '{' => return Some(Token::Comment(self.nested('{', '}'))),
                '(' => {
                    let text = self.nested('(', ')');
                    let words: Vec<&str> = text.split_whitespace().collect();
                    // Where a bracket is missing it would swallow what follows.
                    if !words.is_empty() && is_balanced(&text) {
                        return Some(Token::Note(format!("({})", words.join(" "))));
                    }
                }
                ';' => {
                    let (line, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
                    self.rest = rest;
                    return Some(Token::Comment(line[1..].trim().to_owned()));
                }
                // An escaped line, as in PGN; and closing brackets of nothing.
                '%' => self.rest = self.rest.split_once('\n').map_or("", |(_, rest)| rest),
                '}' | ')' | ']' => self.rest = &self.rest[1..],
                _ => {
                    // A glyph may hang on a move.
                    let is_end = |(at, c): (usize, char)| {
                        c.is_whitespace() || "[]{}();".contains(c) || (c == '$' && at > 0)
                    };
                    let end = self.rest.char_indices().find(|&place| is_end(place));
                    let (word, rest) = self.rest.split_at(end.map_or(self.rest.len(), |(at, _)| at));
                    self.rest = rest;
                    self.glyph = glyph(word);
                    if let Some(word) = strip_marks(word) {
                        return Some(Token::Word(word));
                    }
                }
            }
        }
    }

    /// `[Name "value"]`; a backslash protects a quote in the value.
    fn tag(&mut self) -> Token<'a> {
        let inner = &self.rest[1..];
        let name_end = inner.find(|c: char| c.is_whitespace() || c == '"' || c == ']').unwrap_or(inner.len());
        let (name, mut rest) = inner.split_at(name_end);
        let mut value = String::new();
        rest = rest.trim_start();
        if let Some(quoted) = rest.strip_prefix('"') {
            let mut escaped = false;
            let mut end = quoted.len();
            for (at, c) in quoted.char_indices() {
                match c {
                    '"' if !escaped => {
                        end = at + 1;
                        break;
                    }
                    // A value never goes over the end of its line: the closing quote is missing.
                    '\n' => {
                        end = at;
                        break;
                    }
                    '\\' if !escaped => escaped = true,
                    c => {
                        value.push(c);
                        escaped = false;
                    }
                }
            }
            rest = &quoted[end..];
        }
        let line_end = rest.find('\n').unwrap_or(rest.len());
        self.rest = match rest[..line_end].find(']') {
            Some(at) => &rest[at + 1..],
            None => &rest[line_end..],
        };
        Token::Tag(name.to_owned(), value.trim().to_owned())
    }

    /// The text between brackets that may nest. Where a bracket is not closed, comments are taken as not
    /// nesting; a variation goes on to the end.
    fn nested(&mut self, open: char, close: char) -> String {
        if open == '{' && !self.is_closed() {
            let (text, rest) = self.rest.split_once(close).unwrap_or((self.rest, ""));
            self.rest = rest;
            return text.get(1..).unwrap_or_default().trim().to_owned();
        }
        let mut depth = 0usize;
        let mut comment = 0usize;
        for (at, c) in self.rest.char_indices() {
            // Inside a variation, brackets in comments do not count.
            if open == '(' && (c == '{' || (c == '}' && comment > 0)) {
                comment = if c == '{' { comment + 1 } else { comment - 1 };
            } else if c == open && comment == 0 {
                depth += 1;
            } else if c == close && comment == 0 {
                depth -= 1;
                if depth == 0 {
                    let text = self.rest[1..at].trim().to_owned();
                    self.rest = &self.rest[at + 1..];
                    return text;
                }
            }
        }
        std::mem::take(&mut self.rest).get(1..).unwrap_or_default().trim().to_owned()
    }

    /// Whether the comment that begins here is closed. All of them are looked at together: to look from each brace
    /// to the end would take for ever where many are not closed.
    fn is_closed(&mut self) -> bool {
        let text = self.text;
        let unclosed = self.unclosed.get_or_insert_with(|| {
            let mut open = Vec::new();
            for (at, byte) in text.bytes().enumerate() {
                match byte {
                    b'{' => open.push(at),
                    b'}' => {
                        open.pop();
                    }
                    _ => {}
                }
            }
            open
        });
        unclosed.binary_search(&(text.len() - self.rest.len())).is_err()
    }
}

/// The glyph that a word is, or ends in as a mark.
fn glyph(word: &str) -> Option<String> {
    if let Some(number) = word.strip_prefix('$') {
        return number.parse::<u8>().ok().map(|number| format!("${number}"));
    }
    let marks = ["!", "?", "!!", "??", "!?", "?!"];
    let (_, mark) = word.split_at(word.trim_end_matches(['!', '?']).len());
    (1..).zip(marks).find(|&(_, known)| mark == known).map(|(number, _)| format!("${number}"))
}

/// Whether every bracket outside comments is closed, and every comment.
fn is_balanced(text: &str) -> bool {
    let (mut depth, mut comment) = (0i32, 0i32);
    for c in text.chars() {
        match c {
            '{' => comment += 1,
            '}' => comment -= 1,
            '(' if comment == 0 => depth += 1,
            ')' if comment == 0 => depth -= 1,
            _ => {}
        }
        if depth < 0 || comment < 0 {
            return false;
        }
    }
    depth == 0 && comment == 0
}

/// The move or result of a word, without move number and marks; `None` when nothing else is there.
fn strip_marks(word: &str) -> Option<&str> {
    if word == "*" {
        return Some(word);
    }
    if word.starts_with('$') {
        return None;
    }
    // `12.`, `12...`, `12.32-28`, `...`
    let word = match word.rfind('.') {
        Some(dot) if word[..dot].chars().all(|c| c.is_ascii_digit() || c == '.') => &word[dot + 1..],
        _ => word,
    };
    // The strength mark `*` looks like the open result, but hangs on a move.
    let word = word.trim_end_matches(['!', '?', '*', '+', '#', '=', '.']);
    // A number without its dot is a move number; `=` and the like are nothing.
    let is_move = word.contains(|c: char| "-x:X*".contains(c))
        || (word.len() == 4 && word.bytes().all(|b| b.is_ascii_digit()))
        || word.contains(|c: char| c.is_ascii_alphabetic());
    is_move.then_some(word)
}
