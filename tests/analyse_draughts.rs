//! `dyad-draughts analyse` on games of our own, and the other tools for people.

#[path = "support/folder.rs"]
mod folder;
#[path = "support/raw.rs"]
mod raw;

use draughts::pdn::{self, PdnGame, PdnResult};
use draughts::rules::International;
use draughts::{Game, Move, fen, legal_moves};
use folder::Folder;
use raw::run;

/// A man is given away, one game is broken, one starts from a FEN and ends with a side without a move.
const GAMES: &str = "\
[Event \"First\"]
[White \"Anna\"]
[Black \"Boris\"]

1. 32-28 19-23 2. 28x19 14x23 3. 37-32 23-29 4. 34x23 18x29 5. 33x24 20x29 2-0

[Event \"Broken\"]

1. 32-28 19-24 2. 28-11 *

[Event \"End\"]
[FEN \"W:W7:B45\"]

1. 7-1 45-50 2. 1-6 1-1
";

#[test]
fn games_are_annotated_reported_and_given_as_json() {
    let folder = Folder::new("games");
    let (file, out, html) = (folder.file("in.pdn", GAMES), folder.path("out.pdn"), folder.path("out.html"));
    let output = run(
        &[
            "analyse",
            "--pdn",
            &file,
            "--nodes",
            "5000",
            "--hash",
            "4",
            "--threads",
            "2",
            "--out",
            &out,
            "--html",
            &html,
            "--json",
        ],
        "",
    );
    let errors = &output.errors;
    assert!(output.status == Some(0), "{errors}");
    assert!(
        errors.contains("in.pdn: game 2 (line 7), after 2 moves: '28-11' is not legal here; skipped\n"),
        "{errors}"
    );
    assert!(errors.ends_with("2 games with 13 moves analysed, 1 skipped\n"), "{errors}");
    let games: Vec<serde_json::Value> =
        output.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(games.iter().map(|game| game["number"].as_u64().unwrap()).collect::<Vec<_>>(), [1, 3]);
    assert_eq!(games[0]["plies"][2]["text"].as_str(), Some("28x19"));
    assert_eq!((games[0]["kind"].as_str(), games[1]["start"].as_str()), (Some("draughts"), Some("W:W7:B45")));
    let written = std::fs::read_to_string(&out).unwrap();
    assert!(
        written.contains("[Annotator \"Dyad draughts ") && written.contains("1. 32-28 { [%eval "),
        "{written}"
    );
    assert!(
        written.contains("[FEN \"W:W7:B45\"]") && written.lines().all(|line| line.len() <= 79),
        "{written}"
    );
    // What was written is read again.
    let again = run(&["analyse", "--pdn", &out, "--depth", "2", "--json"], "");
    assert!(again.errors.ends_with("2 games with 13 moves analysed, 0 skipped\n"), "{}", again.errors);
    let html = std::fs::read_to_string(&html).unwrap();
    assert_eq!(html.matches("<script type=\"application/json\"").count(), 2);
}

#[test]
fn what_the_file_says_about_the_moves_is_kept() {
    let folder = Folder::new("notes");
    let file = folder.file(
        "in.pdn",
        "[Event \"x\"]\n\n{before} 1. 32-28! {first} (1. 31-27 18-23\n(1... 20-24 {x} 2. 33-29)) 19-23 $6 ; to the \
         end\n2. 28x19 14x23 *\n",
    );
    let out = folder.path("out.pdn");
    let run = run(&["analyse", "--pdn", &file, "--nodes", "500", "--hash", "4", "--out", &out], "");
    assert_eq!(run.status, Some(0), "{}", run.errors);
    let written = folder.read("out.pdn").replace('\n', " ");
    for note in [
        "{ before } 1. 32-28 ",
        " $1 ",
        "{ first } (1. 31-27 18-23 (1... 20-24 {x} 2. 33-29))",
        " $6 ",
        "{ to the end }",
        "[%eval ",
    ] {
        assert!(written.contains(note), "{note}\n{written}");
    }
}

#[test]
fn a_lost_man_is_a_blunder() {
    let folder = Folder::new("blunder");
    // 31-27 gives a man for nothing in an ending of few men.
    let file =
        folder.file("in.pdn", "[FEN \"W:W31,36,46,47:B16,17,6,7\"]\n\n1. 31-27 17-21 2. 27-22 21-27 *\n");
    let output = run(&["analyse", "--pdn", &file, "--nodes", "50000"], "");
    assert!(output.status == Some(0));
    let written = output.text();
    assert!(written.contains("31-27") && written.contains("%eval"), "{written}");
    let json = run(&["analyse", "--pdn", &file, "--nodes", "50000", "--json"], "");
    let game: serde_json::Value = serde_json::from_str(json.text().trim()).unwrap();
    let summary = &game["summary"];
    assert!(
        (0..2).all(|side| (0.0..=100.0).contains(&summary[side]["accuracy"].as_f64().unwrap())),
        "{summary}"
    );
    assert!(
        game["plies"]
            .as_array()
            .unwrap()
            .iter()
            .all(|ply| (0.0..=100.0).contains(&ply["win"].as_f64().unwrap()))
    );
}

/// Where start and end do not tell a capture, its whole path is written, as in PDN.
#[test]
fn ambiguous_captures_are_written_with_their_path() {
    let mut game = Game::new(fen::parse_fen("W:WK46:B17,27,31,41").unwrap());
    let legal = legal_moves::<International>(game.position());
    let twins =
        |mv: &&Move| legal.iter().filter(|other| (other.from, other.to) == (mv.from, mv.to)).count() > 1;
    let mv = *legal.iter().find(twins).expect("two captures with the same ends");
    let text = pdn::written(mv, game.position());
    assert!(text.matches('x').count() > 1, "{text}");
    game.push::<International>(mv);
    let source = PdnGame::new(Vec::new(), game, PdnResult::Unknown).to_string();
    let folder = Folder::new("path");
    let file = folder.file("in.pdn", source);
    let output = run(&["analyse", "--pdn", &file, "--nodes", "500", "--json"], "");
    let report: serde_json::Value = serde_json::from_str(output.text().trim()).unwrap();
    assert_eq!(report["plies"][0]["text"].as_str(), Some(text.as_str()));
}

#[test]
fn wrong_use_is_told_in_one_line() {
    let folder = Folder::new("wrong");
    let (file, empty) = (folder.file("in.pdn", GAMES), folder.file("empty.pdn", ""));
    for arguments in [
        &["analyse", "--pdn", &folder.path("none.pdn")][..],
        &["analyse", "--pdn", &empty],
        &["analyse", "--pdn", &folder.path("")],
        &["analyse", "--pdn", &file, "--html", "/no/such/folder/x.html"],
        &["analyse", "--html", "x.html"],
        &["analyse", "--pdn", &file, "start"],
        &["play", "--clock", "now"],
        &["analyse", "start", "--html", "x.html"],
        &["analyse", "start", "--out", "x.pdn"],
        &["analyse", "games.pdn"],
        &["analyse", "--pdn", &file, "--out", &file],
        &["analyse", "--pdn", &file, "--html", &file],
        &["analyse", "start", "--time", "nan"],
        &["analyse", "start", "--time", "1e300"],
        &["analyse", "start", "--time", "-1"],
        &["analyse", "start", "--depth", "0"],
        &["analyse", "start", "--hash", "99999999"],
        &["suite", &file, "--time", "0"],
        &["play", "--time", "inf"],
        &["suite", &empty],
        &["suite", "/no/such/file"],
    ] {
        let output = run(arguments, "");
        assert_eq!(output.status, Some(2), "{arguments:?}");
        assert_eq!(output.errors.lines().count(), 1, "{arguments:?} {}", output.errors);
    }
}

#[test]
fn a_second_analysis_replaces_the_first() {
    let folder = Folder::new("again");
    let mut from = folder.file("in.pdn", GAMES);
    let mut texts = Vec::new();
    for name in ["one.pdn", "two.pdn"] {
        let out = folder.path(name);
        let run = run(&["analyse", "--pdn", &from, "--nodes", "5000", "--hash", "4", "--out", &out], "");
        assert_eq!(run.status, Some(0), "{}", run.errors);
        texts.push(folder.read(name));
        from = out;
    }
    assert_eq!(texts[0], texts[1]);
}

#[test]
#[cfg(unix)]
fn an_interrupted_search_shows_what_was_found() {
    for (arguments, part) in [
        (&["analyse", "start", "--time", "1000000"][..], "best move "),
        (&["analyse", "start", "--time", "1000000", "--json"], "\"lines\":[{"),
    ] {
        let run = raw::interrupt(arguments, 0);
        assert!(run.status == Some(130) && run.text().contains(part), "{run:?}");
    }
}

#[test]
fn a_single_position_as_json() {
    let output = run(&["analyse", "W:W7:B45", "--depth", "5", "--json"], "");
    let value: serde_json::Value = serde_json::from_str(output.text().trim()).unwrap();
    assert_eq!(value["fen"].as_str(), Some("W:W7:B45"));
    assert!(!value["lines"].as_array().unwrap().is_empty(), "{value}");
}

#[test]
fn a_game_is_played_with_all_the_words() {
    let folder = Folder::new("play");
    let file = folder.path("game.pdn");
    let lines = "moves\nhint\nlevel 3\nlevel 11\nclock\nfen\n32-28\nundo\nfen\nflip\nhello\ndraw\nresign\n";
    let output = run(&["play", "--time", "0.01", "--save", &file], lines);
    let said = output.text();
    assert!(output.status == Some(0), "{said}");
    for part in [
        "31-26",
        "I would play ",
        "(level 3) now.",
        "'11' is not a level from 1 to 10",
        "There is no clock.",
        "\nW:W31",
        "I play ",
        "'hello' is not a move",
        "I play on.",
        "The game is over: 0-2 (you resign)",
        "⛂",
    ] {
        assert!(said.contains(part), "{part}\n{said}");
    }
    let saved = std::fs::read_to_string(&file).unwrap();
    assert!(saved.contains("[White \"You\"]") && saved.contains("[Result \"0-2\"]"), "{saved}");
    let output =
        run(&["play", "--time", "0.01", "--ascii", "--colour", "black", "--clock", "1+1"], "board\nquit\n");
    let said = output.text();
    assert!(said.contains("I play ") && said.contains("w") && !said.contains('⛀'), "{said}");
}

#[test]
fn completions_manual_page_and_version() {
    let output = |arguments: &[&str]| run(arguments, "").text().to_owned();
    assert!(output(&["completions", "bash"]).contains("dyad-draughts"));
    assert!(output(&["man"]).contains(".TH dyad-draughts 1"));
    assert_eq!(output(&["--version"]).lines().count(), 4);
}

#[test]
#[cfg(unix)]
fn an_interrupted_analysis_ends_with_status_130() {
    let folder = Folder::new("interrupted");
    let file = folder.file("many.pdn", "1. 32-28 19-23 2. 28x19 14x23 *\n\n".repeat(20_000));
    let run = raw::interrupt(&["analyse", "--pdn", &file, "--nodes", "20000"], 1);
    assert_eq!(run.status, Some(130), "{}", run.errors);
    assert!(run.errors.ends_with(", stopped early\n"), "{}", run.errors);
}
