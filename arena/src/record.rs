//! Games as text: PGN, or PDN with the same shape.

use crate::game::{Game, Side};
use crate::play::{Played, Remark};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use study::today;
use uci::info::Score;

/// Longest line of moves.
const WIDTH: usize = 80;

/// What a record says besides the game.
pub(crate) struct Heading<'a> {
    pub event: &'a str,
    /// Tells this match from others in the same file.
    pub fingerprint: &'a str,
    /// From 1.
    pub number: usize,
    /// From 1.
    pub round: usize,
    /// Names and time controls of White and Black.
    pub sides: [(&'a str, String); 2],
}

/// A game as text with an empty line at its end.
pub(crate) fn write<G: Game>(played: &Played<G>, heading: &Heading) -> String {
    let result = G::result_text(Some(played.end.outcome));
    let [(white, white_time), (black, black_time)] = &heading.sides;
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        // Writing to a String cannot fail.
        let _ = writeln!(text, "[{name} \"{value}\"]");
    };
    tag("Event", heading.event);
    tag("Site", "?");
    tag("Date", &today());
    tag("Round", &heading.round.to_string());
    tag("White", white);
    tag("Black", black);
    tag("Result", result);
    for (name, value) in played.game.record_tags() {
        tag(name, &value);
    }
    tag("PlyCount", &played.game.ply().to_string());
    if white_time == black_time {
        tag("TimeControl", white_time);
    } else {
        tag("WhiteTimeControl", white_time);
        tag("BlackTimeControl", black_time);
    }
    tag("Termination", played.termination);
    tag("MatchGame", &heading.number.to_string());
    tag("Match", heading.fingerprint);
    text.push('\n');
    push_wrapped(&mut text, &words(played, result));
    text.push('\n');
    text
}

/// The moves with their numbers and comments.
fn words<G: Game>(played: &Played<G>, result: &str) -> Vec<String> {
    let mut words = Vec::new();
    let (mut number, mut side) = played.game.first_move();
    let mut is_first = true;
    for (ply, mv) in played.game.record_moves().into_iter().enumerate() {
        match side {
            Side::White => words.push(format!("{number}.")),
            // After a comment the number is due again.
            Side::Black if is_first => words.push(format!("{number}...")),
            Side::Black => {}
        }
        is_first = false;
        words.push(mv);
        let comment = match ply.checked_sub(played.book).and_then(|place| played.remarks.get(place)) {
            Some(remark) => remark_text(remark),
            None => "book".to_owned(),
        };
        words.push(format!("{{{comment}}}"));
        if side == Side::Black {
            number += 1;
        }
        side = side.other();
    }
    let reason = played.end.reason.replace(['{', '}'], " ");
    words.push(format!("{{{reason}}}"));
    words.push(result.to_owned());
    words
}

/// `+0.31/12 0.52s`, the score from the mover's view, `+M5/20 0.10s` for a mate; without a score the time
/// alone.
fn remark_text(remark: &Remark) -> String {
    let time = format!("{:.2}s", remark.elapsed.as_secs_f64());
    match remark.eval {
        Some(eval) => format!("{}/{} {time}", score_text(eval.score), eval.depth),
        None => time,
    }
}

fn score_text(score: Score) -> String {
    match score {
        Score::Cp(score) => format!("{:+.2}", f64::from(score) / 100.0),
        Score::Mate(moves) if moves > 0 => format!("+M{moves}"),
        Score::Mate(moves) => format!("-M{}", moves.unsigned_abs()),
    }
}

fn push_wrapped(text: &mut String, words: &[String]) {
    let mut column = 0;
    // Comments are broken at their blanks like everything else.
    for word in words.iter().flat_map(|word| word.split_whitespace()) {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > WIDTH {
            text.push('\n');
            column = 0;
        }
        if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += length;
    }
    text.push('\n');
}

/// A game found in a file of records.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Found {
    pub number: usize,
    pub white: String,
    pub black: String,
    pub result: String,
    pub fingerprint: String,
}

/// How a record begins.
const BEGIN: &str = "[Event \"";

/// What a file of records holds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Scan {
    /// The whole games.
    pub games: Vec<Found>,
    /// Length in bytes of the part that holds them.
    pub whole: u64,
    /// Behind them stands something that is not the beginning of a record.
    pub has_other: bool,
}

/// Looks through a file of records: a record at the end that was not written completely is left out.
pub(crate) fn scan(path: &Path) -> Result<Scan, String> {
    let fail = |error: std::io::Error| format!("cannot read {}: {error}", path.display());
    let mut reader = BufReader::new(File::open(path).map_err(fail)?);
    let (mut scan, mut game) = (Scan::default(), Found::default());
    let mut offset = 0u64;
    let mut in_moves = false;
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let length = reader.read_until(b'\n', &mut bytes).map_err(fail)?;
        if length == 0 {
            return Ok(scan);
        }
        let text = String::from_utf8_lossy(&bytes);
        if offset == scan.whole {
            scan.has_other = !text.starts_with(BEGIN) && !BEGIN.starts_with(&*text);
        }
        offset += length as u64;
        let line = text.trim_end_matches(['\n', '\r']);
        if let Some((name, value)) = tag(line).filter(|_| !in_moves) {
            match name {
                "White" => game.white = value,
                "Black" => game.black = value,
                "Result" => game.result = value,
                "Match" => game.fingerprint = value,
                "MatchGame" => game.number = value.parse().unwrap_or(0),
                _ => {}
            }
        } else if !line.is_empty() {
            in_moves = true;
        } else if in_moves && text.ends_with('\n') {
            in_moves = false;
            scan.games.push(std::mem::take(&mut game));
            (scan.whole, scan.has_other) = (offset, false);
        }
    }
}

fn tag(line: &str) -> Option<(&str, String)> {
    let (name, rest) = line.strip_prefix('[')?.split_once(' ')?;
    let value = rest.trim().strip_prefix('"')?.strip_suffix("\"]")?;
    Some((name, value.replace("\\\"", "\"").replace("\\\\", "\\")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::Eval;
    use std::time::Duration;

    #[test]
    fn remarks_are_spelled_as_documented() {
        let text = |score, depth| {
            let eval = Some(Eval { score, depth, nodes: 0 });
            remark_text(&Remark { eval, elapsed: Duration::from_millis(520) })
        };
        assert_eq!(text(Score::Cp(31), 12), "+0.31/12 0.52s");
        assert_eq!(text(Score::Cp(0), 1), "+0.00/1 0.52s");
        assert_eq!(text(Score::Mate(5), 20), "+M5/20 0.52s");
        assert_eq!(text(Score::Mate(-2), 20), "-M2/20 0.52s");
        assert_eq!(remark_text(&Remark { eval: None, elapsed: Duration::ZERO }), "0.00s");
    }

    #[test]
    fn what_is_no_record_is_told() {
        let path = std::env::temp_dir().join(format!("dyad-other-{}.pgn", std::process::id()));
        let record = "[Event \"x\"]\n[White \"a\"]\n\n1. e4 *\n\n";
        for (text, games, has_other) in [
            ("Dear diary\n".to_owned(), 0, true),
            ("[Ev".to_owned(), 0, false),
            (format!("{record}[Event \"y\"]\n[Wh"), 1, false),
            (format!("{record}my notes\n"), 1, true),
            (record.to_owned(), 1, false),
        ] {
            std::fs::write(&path, &text).unwrap();
            let scan = scan(&path).unwrap();
            assert_eq!((scan.games.len(), scan.has_other), (games, has_other), "{text}");
        }
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_torn_record_is_left_out() {
        let whole = "[White \"a \\\"b\\\"\"]\n[Black \"c\"]\n[Result \"1-0\"]\n[MatchGame \"7\"]\n\
                     [Match \"x\"]\n\n1. e4 {x} {White mates} 1-0\n\n";
        let path = std::env::temp_dir().join(format!("arena-scan-{}", std::process::id()));
        std::fs::write(&path, format!("{whole}[White \"z\"]\n\n1. e4 1-0\n")).unwrap();
        let Scan { games, whole: length, .. } = scan(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert_eq!(length, whole.len() as u64);
        assert_eq!(games.len(), 1);
        assert_eq!(
            (games[0].number, games[0].white.as_str(), games[0].result.as_str()),
            (7, "a \"b\"", "1-0")
        );
    }
}
