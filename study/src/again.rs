//! A game that was analysed before: what that analysis wrote into it, which a new one replaces.

use crate::report::PlyReport;

/// Whether the `Annotator` of a game is this program.
pub fn is_own(annotator: &str) -> bool {
    annotator.starts_with("Dyad ")
}

/// Takes the former analysis of a move out of its notes: the better line, the glyph that belongs to it, the score in
/// words. Scores as `[%eval]` give way wherever they come from. A `!` may be anybody's: it goes when the new analysis
/// thinks otherwise.
pub fn drop_former(ply: &mut PlyReport) {
    let had_line = ply.notes.iter().any(|word| is_own_line(word));
    let is_marked = ply.mark.is_some();
    let first_glyph = ply.notes.iter().position(|word| word.starts_with('$'));
    let mut place = 0;
    ply.notes.retain(|word| {
        let is_first = Some(place) == first_glyph;
        place += 1;
        let is_own_glyph = is_first
            && match word.as_str() {
                "$1" => is_marked,
                "$2" | "$4" | "$6" => had_line,
                _ => false,
            };
        !is_own_glyph && !is_own_line(word) && !is_own_comment(word)
    });
}

/// Whether a variation begins with a move and its score, as those of an analysis do.
fn is_own_line(word: &str) -> bool {
    let mut parts = word.split_whitespace();
    let is_numbered = parts.next().is_some_and(|part| part.starts_with('(') && part.ends_with('.'));
    let has_comment = parts.nth(1) == Some("{");
    let score: Vec<&str> = parts.take_while(|part| !part.starts_with('}')).collect();
    is_numbered && has_comment && is_score(&score)
}

/// Whether a comment is a score in words and nothing else.
fn is_own_comment(word: &str) -> bool {
    let text = word.strip_prefix('{').and_then(|text| text.strip_suffix('}'));
    let parts: Vec<&str> = text.unwrap_or_default().split_whitespace().collect();
    parts.len() == 3 && is_score(&parts)
}

/// `+0.35`, `#-3`, `win in 5`.
fn is_score(parts: &[&str]) -> bool {
    match parts {
        ["win" | "loss", "in", plies] => plies.parse::<u32>().is_ok(),
        [score] => match score.strip_prefix('#') {
            Some(moves) => moves.parse::<i32>().is_ok(),
            None => score.contains('.') && score.parse::<f64>().is_ok(),
        },
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_an_analysis_are_told_from_others() {
        for own in ["(2... Nf6 { +0.35 } 3. d4)", "(1. g4 { #-3 })", "(7. 31-27\n{ win in 5 } 18-23)"] {
            assert!(is_own_line(own), "{own}");
        }
        for other in [
            "(2... Nf6 { better } 3. d4)",
            "(2... Nf6 3. d4 { +0.35 })",
            "({ +0.35 } 2... Nf6)",
            "(2... Nf6 { +0.35 says the book })",
            "{ +0.35 }",
            "$1",
            "",
        ] {
            assert!(!is_own_line(other), "{other}");
        }
        assert!(is_own_comment("{ loss in 12 }"));
        for other in ["{ +0.35 }", "{ win in time }", "{}", "$1", "(1. e4 { win in 5 })"] {
            assert!(!is_own_comment(other), "{other}");
        }
    }
}
