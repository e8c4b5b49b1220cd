//! Lines of the Hub protocol, version 2 (F. Letouzey): `command name=value name="a value" flag`.

use crate::error::shown;
use std::fmt;
use thiserror::Error;

/// Why a line cannot be taken apart.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum LineError {
    /// A quote is opened and not closed.
    #[error("unclosed quote")]
    UnclosedQuote,
    /// An equals sign without a name before or a value behind it.
    #[error("'=' without a name or a value")]
    LoneEquals,
    /// A value where a name should be.
    #[error("value without a name: '{0}'")]
    LoneValue(String),
}

/// A line taken apart: command and arguments, those without value being flags.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The first word.
    pub command: String,
    /// The others in their order.
    pub arguments: Vec<(String, Option<String>)>,
}

enum Token {
    Word(String),
    Quoted(String),
    Equals,
}

fn tokens(line: &str) -> Result<Vec<Token>, LineError> {
    let mut found = Vec::new();
    let mut rest = line.trim_start_matches(is_blank);
    while let Some(first) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix('=') {
            found.push(Token::Equals);
            rest = after;
        } else if let Some(after) = rest.strip_prefix('"') {
            let (text, after) = after.split_once('"').ok_or(LineError::UnclosedQuote)?;
            found.push(Token::Quoted(text.to_owned()));
            rest = after;
        } else {
            let end = rest.find(|c| is_blank(c) || c == '=' || c == '"');
            let (word, after) = rest.split_at_checked(end.unwrap_or(rest.len())).unwrap_or((rest, ""));
            debug_assert!(word.starts_with(first));
            found.push(Token::Word(word.to_owned()));
            rest = after;
        }
        rest = rest.trim_start_matches(is_blank);
    }
    Ok(found)
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || c.is_control() || c == '\u{feff}'
}

impl Line {
    /// Takes a line apart; `None` for a blank one.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn parse(line: &str) -> Result<Option<Self>, LineError> {
        let mut tokens = tokens(line)?.into_iter().peekable();
        let command = match tokens.next() {
            None => return Ok(None),
            Some(Token::Word(word)) => word,
            Some(Token::Quoted(text)) => return Err(LineError::LoneValue(shown(&text))),
            Some(Token::Equals) => return Err(LineError::LoneEquals),
        };
        let mut arguments = Vec::new();
        while let Some(token) = tokens.next() {
            let name = match token {
                Token::Word(word) => word,
                Token::Quoted(text) => return Err(LineError::LoneValue(shown(&text))),
                Token::Equals => return Err(LineError::LoneEquals),
            };
            let value = if tokens.next_if(|token| matches!(token, Token::Equals)).is_some() {
                match tokens.next() {
                    Some(Token::Word(text) | Token::Quoted(text)) => Some(text),
                    Some(Token::Equals) | None => return Err(LineError::LoneEquals),
                }
            } else {
                None
            };
            arguments.push((name, value));
        }
        Ok(Some(Self { command, arguments }))
    }

    /// The value of an argument; the last one counts.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.arguments.iter().rev().find(|(other, _)| other == name)?.1.as_deref()
    }

    /// Whether there is an argument, with or without value.
    pub fn has(&self, name: &str) -> bool {
        self.arguments.iter().any(|(other, _)| other == name)
    }
}

/// Writes a value, quoted where the grammar needs it. There is no escape: a quote becomes an apostrophe.
pub struct Value<'a>(pub &'a str);

impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let needs_quotes =
            self.0.is_empty() || self.0.contains(|c: char| is_blank(c) || c == '=' || c == '"');
        if !needs_quotes {
            return f.write_str(self.0);
        }
        let text: String = self.0.chars().map(|c| if c == '"' { '\'' } else { c }).collect();
        write!(f, "\"{}\"", text.replace(is_blank, " "))
    }
}
