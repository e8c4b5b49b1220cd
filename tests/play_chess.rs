//! `dyad play`: games in the terminal, with the person's part typed in advance.

#[path = "support/client.rs"]
mod client;
#[path = "support/raw.rs"]
mod raw;

use client::Client;
use raw::run;
use std::time::Duration;

fn game(arguments: &[&str], lines: &str) -> String {
    let run = run(&[&["play", "--time", "0.01", "--hash", "1"][..], arguments].concat(), lines.as_bytes());
    assert_eq!((run.status, run.errors.as_str()), (Some(0), ""), "{}", run.text());
    run.text().to_owned()
}

#[test]
fn a_move_is_answered_and_the_end_of_input_ends_the_game() {
    let text = game(&[], "e4\n");
    assert!(text.contains("\n  1 ♖ ♘ ♗ ♕ ♔ ♗ ♘ ♖ \n    a b c d e f g h\n  White to move\n"), "{text}");
    assert_eq!(text.matches("I play ").count(), 1, "{text}");
    // Squares will do, and letters for the board.
    let text = game(&["--ascii"], "g1f3\nboard\nquit\n");
    assert!(text.contains("R N B Q K B . R") && text.contains("I play "), "{text}");
    assert!(!text.contains('♔') && !text.contains('\x1b'));
}

#[test]
fn mate_ends_the_game() {
    let text = game(&["--fen", "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"], "Ra8\n");
    assert!(text.ends_with("The game is over: 1-0 (checkmate)\n"), "{text}");
    let text = game(&["--fen", "7k/8/5KQ1/8/8/8/8/8 b - - 0 1"], "resign\n");
    assert!(text.contains("The game is over: 1/2-1/2 (stalemate)") || text.contains("I play "), "{text}");
}

#[test]
fn words_are_obeyed_and_nonsense_is_told() {
    let text = game(
        &[],
        "moves\nfen\nhint\nlevel 1200\nlevel 17\nclock\nsave\nhello\nundo\nKe2\nflip\ngame\n\nquit\n",
    );
    for part in [
        "Na3  Nc3  Nf3",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "I would play ",
        "(1200 Elo) now.",
        "'17' is not a strength from 1000 to 2800 Elo, or max",
        "There is no clock.",
        "save needs the name of a file",
        "'hello': not a move in algebraic notation (help tells how to write a move)",
        "There is no move of yours to take back.",
        "'Ke2': illegal move",
        "h g f e d c b a",
        "[White \"You\"]",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

#[test]
fn moves_are_taken_back_and_sides_changed() {
    let text = game(&[], "e4\nundo\nfen\nswitch\nfen\nquit\n");
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(text.matches(start).count(), 1, "{text}");
    // After the change the engine moves for White.
    assert_eq!(text.matches("I play ").count(), 2, "{text}");
    assert!(text.contains("\n    h g f e d c b a\n  Black to move\n"), "{text}");
}

#[test]
fn the_game_is_saved_after_every_move() {
    let path = std::env::temp_dir().join(format!("dyad-play-{}.pgn", std::process::id()));
    let file = path.to_str().unwrap();
    game(&["--save", file], "d4\nresign\n");
    let saved = std::fs::read_to_string(&path).unwrap();
    assert!(saved.contains("[White \"You\"]") && saved.contains("[Result \"0-1\"]"), "{saved}");
    assert!(saved.contains("\n\n1. d4 ") && saved.ends_with(" 0-1\n"), "{saved}");
    // A game that is there already is not lost, whichever way it is asked for; its own file is written again.
    let run = run(&["play", "--save", file], b"");
    assert_eq!((run.status, run.errors.lines().count()), (Some(2), 1), "{}", run.text());
    let other = format!("{file}.word");
    let text = game(&[], &format!("save {file}\nd4\nsave {other}\nsave {other}\nquit\n"));
    assert!(text.contains(&format!("{file} exists already")), "{text}");
    assert_eq!(text.matches(&format!("The game is in {other}.")).count(), 2, "{text}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), saved);
    std::fs::remove_file(other).unwrap();
    std::fs::remove_file(&path).unwrap();
    game(&["--save", file, "--colour", "black", "--fen", "7k/8/8/8/8/8/8/RK6 b - - 0 30"], "Kg7\n");
    let saved = std::fs::read_to_string(&path).unwrap();
    assert!(
        saved.contains("[FEN \"7k/8/8/8/8/8/8/RK6 b - - 0 30\"]") && saved.contains("30... Kg7 31. "),
        "{saved}"
    );
    std::fs::remove_file(path).unwrap();
    let run = raw::run(&["play", "--save", "/no/such/folder/x.pgn"], b"");
    assert_eq!((run.status, run.errors.lines().count()), (Some(2), 1));
}

#[test]
fn draws_are_agreed_when_the_engine_is_not_better() {
    let text = game(&[], "draw\nquit\n");
    assert!(text.contains("I play on."), "{text}");
    // A wall of pawns: nothing happens in twenty plies, and whoever has the rook is better.
    let walk = "Kc1\nKd1\nKe1\nKf1\nKg1\nKh1\nKh2\nKg2\nKf2\nKe2\ndraw\nquit\n";
    let text = game(&["--fen", "8/k7/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/8/RK6 w - - 0 1"], walk);
    assert!(text.ends_with("The game is over: 1/2-1/2 (drawn by agreement)\n"), "{text}");
    let text = game(&["--fen", "r7/k7/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/8/1K6 w - - 0 1"], walk);
    assert!(text.contains("I play on."), "{text}");
}

#[test]
fn a_clock_runs_and_its_flag_falls() {
    let text = game(&["--clock", "1+1"], "e4\nclock\nquit\n");
    assert!(text.contains("White 0:0") && text.contains("Black 0:0"), "{text}");
    let run = run(&["play", "--clock", "soon"], b"");
    assert_eq!((run.status, run.errors.lines().count()), (Some(2), 1));
}

#[test]
fn the_time_before_an_undo_or_a_change_of_sides_is_gone() {
    let arguments = ["play", "--time", "0.01", "--hash", "1", "--level", "1000", "--clock", "1"];
    for (word, side) in [("undo", "White "), ("switch", "White ")] {
        let mut person = Client::start(raw::ENGINE, &arguments);
        person.send("e4");
        let seconds = |person: &mut Client| -> u32 {
            let lines = person.until(|line| line == "Your move?");
            let clocks = lines.iter().rev().find(|line| line.starts_with("White 0:")).unwrap();
            let time = &clocks[clocks.find(side).unwrap() + side.len()..];
            time.split([':', ' ']).take(3).fold(0, |sum, part| sum * 60 + part.parse::<u32>().unwrap())
        };
        seconds(&mut person);
        let before = seconds(&mut person);
        std::thread::sleep(Duration::from_millis(1100));
        person.send(word);
        assert!(seconds(&mut person) < before, "{word}{}", person.transcript());
        person.quit();
    }
}

#[test]
fn a_flag_costs_nothing_where_the_other_side_cannot_mate() {
    let mut person = Client::start(
        raw::ENGINE,
        &["play", "--hash", "1", "--clock", "0.001", "--fen", "7k/8/8/8/5n2/8/8/KQ6 w - - 0 1"],
    );
    person.until(|line| line == "The game is over: 1/2-1/2 (your time is over)");
    person.close();
}

#[test]
fn a_game_of_chess960_says_so() {
    let text = game(&["--fen", "bnrbkqrn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKQRN w KQkq - 0 1"], "game\nquit\n");
    let fen = "bnrbkqrn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKQRN w GCgc - 0 1";
    assert!(text.contains("[Variant \"Chess960\"]\n[SetUp \"1\"]\n"), "{text}");
    assert!(text.contains(&format!("[FEN \"{fen}\"]")), "{text}");
}

#[test]
fn letters_of_other_languages_are_read_and_written() {
    let text = game(&["--letters", "de"], "Sf3\nmoves\nquit\n");
    assert!(text.contains("I play ") && text.contains("Sc3"), "{text}");
}
