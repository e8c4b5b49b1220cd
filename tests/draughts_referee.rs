//! `dyad-draughts referee`: one hand-made game for each rule.

#[path = "support/folder.rs"]
mod folder;
#[path = "support/raw.rs"]
mod raw;

use folder::Folder;
use raw::{good, run};

fn judge(name: &str, fen: Option<&str>, moves: &str, rest: &[&str]) -> String {
    let folder = Folder::new(name);
    let fen = fen.map_or_else(String::new, |fen| format!("[FEN \"{fen}\"]\n"));
    let tags = format!("[White \"a\"]\n[Black \"b\"]\n[GameType \"20\"]\n{fen}");
    let file = folder.file("game.pdn", format!("{tags}\n{moves}\n"));
    let run = good(&[&["referee", &file], rest].concat(), "");
    assert_eq!(run.errors, "", "{name}");
    run.text().to_owned()
}

fn has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "'{part}' is not in\n{text}");
    }
}

#[test]
fn illegal_moves_are_named() {
    let out = judge("illegal", None, "1. 32-28 19-23 2. 33-29 20-25 2-0", &[]);
    has(
        &out,
        &[
            "Game 1: a - b, 2-0",
            "2 half-moves are legal",
            "then game 1, after 2 moves: '33-29' is not legal here",
            "the result 2-0 cannot be judged: the game cannot be read to its end",
        ],
    );
    for fen in ["W:W5", "W:Wxx:B1"] {
        has(&judge("fen", Some(fen), "1. 32-28 2-0", &[]), &["then game 1: FEN", "2-0 cannot be judged"]);
    }
    let out = judge("kind", None, "1. 32-28 2-0", &["--json"]);
    has(&out, &["\"unjudged_result\":null", "\"wrong_result\":null"]);
    let out = judge("json", None, "1. 32-27 32-27 2-0", &["--json"]);
    has(&out, &["\"unjudged_result\":\"the game cannot", "\"wrong_result\":null"]);
}

#[test]
fn who_has_no_move_has_lost() {
    // The last black man is taken.
    let fen = Some("W:W28:B22");
    has(&judge("won", fen, "1. 28x17 2-0", &[]), &["ended after 1. 28x17: Black has no move", "agrees"]);
    has(
        &judge("wrong", fen, "1. 28x17 1-1", &[]),
        &["the result 1-1 is wrong: Black has no move: the result is 2-0"],
    );
    has(
        &judge("json", fen, "1. 28x17 0-2", &["--json"]),
        &["\"end\":{\"ply\":1,\"winner\":\"White\"}", "the result is 2-0"],
    );
}

/// Kings that go to and fro far from each other: `count` half-moves of White's and Black's squares in turn.
fn to_and_fro(white: &[&str], black: &[&str], count: usize) -> String {
    (0..count).map(|half| if half % 2 == 0 { white } else { black }[half / 2 % 2].to_owned() + " ").collect()
}

#[test]
fn third_repetition_is_found_when_it_is_first_due() {
    let moves = to_and_fro(&["46-41", "41-46"], &["5-10", "10-5"], 12) + "1-1";
    let out = judge("third", Some("W:WK46,31,32,33:BK5,20,19"), &moves, &[]);
    // The start is there again after four and after eight half-moves.
    has(&out, &["after 4... 10-5, a draw was due: third repetition (6.1)", "the result 1-1 agrees"]);
}

#[test]
fn counted_moves_in_endings() {
    // One king against one: five moves each.
    let moves = to_and_fro(&["46-41", "41-46"], &["4-9", "9-4"], 12) + "1-1";
    let out = judge("two", Some("W:WK46:BK4"), &moves, &[]);
    has(&out, &["after 5... 4-9, a draw was due: 5 moves with two pieces or one against a king (6.4)"]);
    // Three kings against one: 16, or 10 by the older text.
    let moves = to_and_fro(&["46-41", "41-46"], &["4-9", "9-4"], 34) + "1-1";
    let three = Some("W:WK46,K47,K48:BK4");
    let out = judge("three", three, &moves, &[]);
    has(&out, &["after 16... 9-4, a draw was due: moves with three pieces against a king (6.3)"]);
    has(
        &judge("threeold", three, &moves, &["--old-rules"]),
        &["after 10... 9-4, a draw was due: moves with three"],
    );
    // Kings alone: 25.
    let moves = to_and_fro(&["46-41", "41-46"], &["4-9", "9-4"], 52) + "1-1";
    let out = judge("kings", Some("W:WK46,32:BK4,19"), &moves, &[]);
    has(&out, &["after 25... 4-9, a draw was due: 25 moves with kings alone and no capture (6.2)"]);
}

/// A draw by rule is no claim: the game is over when it is due.
#[test]
fn a_win_behind_a_draw_by_rule_is_wrong() {
    let shuffle = to_and_fro(&["46-41", "41-46"], &["4-9", "9-4"], 12);
    let two = Some("W:WK46:BK4");
    for result in ["2-0", "0-2", "0-0", "*"] {
        let out = judge("late", two, &format!("{shuffle}{result}"), &[]);
        let wrong = format!(
            "the result {result} is wrong: a draw was due: third repetition (6.1): the result is 1-1"
        );
        has(&out, &[&wrong]);
    }
    // An illegal move behind it changes nothing, nor does a win.
    has(&judge("end", two, &format!("{shuffle}99-1 1-1"), &[]), &["the result 1-1 agrees"]);
    let out = judge("after", two, &format!("{shuffle}46-5 4-10 5x14 2-0"), &[]);
    has(&out, &["Black has no move", "the result 2-0 is wrong: a draw was due"]);
    // Before it is due any result can be right.
    let short = to_and_fro(&["46-41", "41-46"], &["4-9", "9-4"], 6) + "2-0";
    has(&judge("before", two, &short, &[]), &["the result 2-0 agrees"]);
}

#[test]
fn wrong_files_are_one_line() {
    let run = run(&["referee", "/nowhere/x.pdn"], "");
    assert_eq!((run.status, run.errors.lines().count()), (Some(2), 1));
}
