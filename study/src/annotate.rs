//! An analysed game in the format of game files: scores as comments, marks as glyphs, better lines as variations.

use std::fmt::Write as _;

use crate::report::{GameReport, LineReport, PlyReport, Side};

/// Longest line of moves in characters (PGN standard, section 4.3).
const WIDTH: usize = 79;
/// How a score in a comment begins.
const EVAL: &str = "[%eval ";

/// The game with these tags and an empty line behind it.
#[must_use]
pub fn annotated(game: &GameReport, tags: &[(String, String)]) -> String {
    let mut text = String::new();
    for (name, value) in tags {
        tag(&mut text, name, value);
    }
    text.push('\n');
    wrap(&mut text, &words(game));
    text.push('\n');
    text
}

fn tag(text: &mut String, name: &str, value: &str) {
    let value: String = value
        .chars()
        .filter(|letter| !letter.is_control())
        .flat_map(|letter| matches!(letter, '"' | '\\').then_some('\\').into_iter().chain([letter]))
        .collect();
    // Writing to a String cannot fail.
    let _ = writeln!(text, "[{name} \"{value}\"]");
}

fn words(game: &GameReport) -> Vec<String> {
    let mut words = game.notes.clone();
    for ply in &game.plies {
        // Every move has a comment behind it, after which Black's move needs its number again (PGN standard,
        // section 8.2.2.2).
        words.extend(number(ply.number, ply.side, false));
        words.push(ply.text.clone());
        if let Some(mark) = ply.mark {
            words.push(format!("${}", mark.nag()));
        }
        // What the file says stands beside it: glyphs with the move, all else behind the score.
        let own = words.last().cloned();
        let (glyphs, others): (Vec<_>, Vec<_>) = ply.notes.iter().partition(|word| word.starts_with('$'));
        words.extend(glyphs.into_iter().filter(|glyph| Some(*glyph) != own.as_ref()).cloned());
        let score = comment(ply);
        // Two scores behind one move would contradict each other.
        let is_scored = score.as_ref().is_some_and(|score| score.contains(EVAL));
        words.extend(score);
        let kept = others.into_iter().map(|word| if is_scored { without_eval(word) } else { word.clone() });
        words.extend(kept.filter(|word| !word.is_empty()));
        if let Some(best) = &ply.best {
            variation(&mut words, ply, best);
        }
    }
    words.push(game.result.clone());
    words
}

/// `12.` before a move of White, `12...` before one of Black that does not follow White's directly.
fn number(number: u32, side: Side, is_continued: bool) -> Option<String> {
    match side {
        Side::White => Some(format!("{number}.")),
        Side::Black if is_continued => None,
        Side::Black => Some(format!("{number}...")),
    }
}

/// The score from White's view the way that most programs read it: `[%eval 0.35]`, `[%eval #-3]`; as it is where it
/// is in words. Nothing behind the last move of a game that is over.
fn comment(ply: &PlyReport) -> Option<String> {
    let score = ply.score.trim_start_matches('+');
    match score.chars().next() {
        _ if score == "#" => None,
        None => None,
        Some('#' | '-' | '0'..='9') => Some(format!("{{ {EVAL}{score}] }}")),
        Some(_) => Some(format!("{{ {score} }}")),
    }
}

/// A comment without the scores that a program wrote into it, nothing if that was all; other words as they are.
fn without_eval(word: &str) -> String {
    if !word.starts_with('{') {
        return word.to_owned();
    }
    // A line may end inside of the score.
    let mut text = word.split_whitespace().collect::<Vec<_>>().join(" ");
    while let Some(start) = text.find(EVAL)
        && let Some(length) = text[start..].find(']')
    {
        text.replace_range(start..=start + length, "");
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    if words == ["{", "}"] { String::new() } else { words.join(" ") }
}

/// The better line, instead of the move.
fn variation(words: &mut Vec<String>, ply: &PlyReport, best: &LineReport) {
    let (mut move_number, mut side) = (ply.number, ply.side);
    let first = words.len();
    for (index, text) in best.moves.iter().enumerate() {
        words.extend(number(move_number, side, index > 1));
        words.push(text.clone());
        if index == 0 {
            words.push(format!("{{ {} }}", best.score));
        }
        (move_number, side) = match side {
            Side::White => (move_number, Side::Black),
            Side::Black => (move_number.saturating_add(1), Side::White),
        };
    }
    if words.len() > first {
        if let Some(word) = words.get_mut(first) {
            word.insert(0, '(');
        }
        if let Some(last) = words.last_mut() {
            last.push(')');
        }
    }
}

/// Puts words into lines; what stands in a comment may be broken at its blanks.
fn wrap(text: &mut String, words: &[String]) {
    let mut column = 0;
    for part in words.iter().flat_map(|word| word.split(' ')) {
        let length = part.chars().count();
        if column > 0 && column + 1 + length > WIDTH {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(part);
        column += length;
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_scores_leave_comments_and_nothing_else_does() {
        for (word, kept) in [
            ("{ [%eval 0.2] }", ""),
            ("{\n[%eval\n0.2] }", ""),
            ("{ [%eval 0.2,12] good [%clk 0:01:00] [%eval #-3] }", "{ good [%clk 0:01:00] }"),
            ("{ [%eval 0.2 }", "{ [%eval 0.2 }"),
            ("(1. d4 { [%eval 0.1] } d5)", "(1. d4 { [%eval 0.1] } d5)"),
            ("$1", "$1"),
        ] {
            assert_eq!(without_eval(word), kept);
        }
    }
}
