//! Words of a line.

/// Walks through the words of a line. Blanks, tabs and control characters (a NUL, a stray CR) separate
/// words; so does a byte order mark, which some tools put in front of what they send.
#[derive(Clone, Debug)]
pub(crate) struct Tokens<'a> {
    rest: &'a str,
}

/// Whether `c` stands between words.
fn is_separator(c: char) -> bool {
    c.is_whitespace() || c.is_control() || c == '\u{feff}'
}

impl<'a> Tokens<'a> {
    pub(crate) fn new(line: &'a str) -> Self {
        Self { rest: line.trim_matches(is_separator) }
    }

    /// What was not walked through yet, with its inner blanks as they are and none at its ends.
    pub(crate) fn rest(&self) -> &'a str {
        self.rest
    }

    pub(crate) fn peek(&self) -> Option<&'a str> {
        self.clone().next()
    }

    /// Takes words up to and including `end`; that word is taken but not returned.
    pub(crate) fn until<'b>(&'b mut self, end: &'b str) -> impl Iterator<Item = &'a str> + 'b {
        self.take_while(move |word| *word != end)
    }

    /// The next word as a number; a word that is none stays where it is.
    pub(crate) fn number(&mut self) -> Option<i64> {
        let value = number(self.peek()?)?;
        self.next();
        Some(value)
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let (word, rest) = self.rest.split_once(is_separator).unwrap_or((self.rest, ""));
        self.rest = rest.trim_start_matches(is_separator);
        (!word.is_empty()).then_some(word)
    }
}

/// Reads a whole number with an optional sign. What does not fit into 64 bits becomes the nearest number
/// that does; decimals after a point, as some programs send them, are cut off.
pub(crate) fn number(word: &str) -> Option<i64> {
    let (whole, decimals) = word.split_once('.').unwrap_or((word, "0"));
    let (is_negative, digits) = match whole.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, whole.strip_prefix('+').unwrap_or(whole)),
    };
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_digits(digits) || !is_digits(decimals) {
        return None;
    }
    // Only digits are left, so a number that cannot be read is one that is too big.
    Some(match (digits.parse::<i64>(), is_negative) {
        (Ok(value), false) => value,
        (Ok(value), true) => -value,
        (Err(_), false) => i64::MAX,
        (Err(_), true) => i64::MIN,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_separated_by_anything_blank() {
        let words: Vec<_> = Tokens::new("\u{feff} \t a\0b\r  c\u{a0}d \u{1b}").collect();
        assert_eq!(words, ["a", "b", "c", "d"]);
        assert_eq!(Tokens::new(" \0\t").next(), None);
    }

    #[test]
    fn rest_keeps_inner_blanks() {
        let mut tokens = Tokens::new("  value   a  b\tc  ");
        assert_eq!(tokens.peek(), Some("value"));
        assert_eq!(tokens.next(), Some("value"));
        assert_eq!(tokens.rest(), "a  b\tc");
    }

    #[test]
    fn numbers_saturate_and_text_is_none() {
        for (text, value) in [
            ("0", Some(0)),
            ("-170000", Some(-170_000)),
            ("+5", Some(5)),
            ("007", Some(7)),
            ("1099511627776", Some(1 << 40)),
            ("99999999999999999999", Some(i64::MAX)),
            ("-99999999999999999999", Some(i64::MIN)),
            ("1500.75", Some(1500)),
            ("-0", Some(0)),
            ("", None),
            ("-", None),
            ("+-1", None),
            ("1.", None),
            (".5", None),
            ("1e3", None),
            ("64MB", None),
            ("٣", None),
        ] {
            assert_eq!(number(text), value, "{text}");
        }
    }
}
