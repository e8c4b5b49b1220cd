//! `dyad analyse` on files of games and positions of our own.

#[path = "support/folder.rs"]
mod folder;
#[path = "support/raw.rs"]
mod raw;

use folder::Folder;
#[cfg(unix)]
use raw::interrupt;
use raw::{good, run};

/// A queen is left hanging, a game ends in the fool's mate, one has an illegal move, one starts from a FEN.
const GAMES: &str = "\
[Event \"First\"]
[White \"Anna \\\"A\\\"\"]
[Black \"Boris\"]
[Result \"1-0\"]
[Note \"kept\"]

1. e4 e5 2. Nf3 Qg5 {hanging} 3. Nxg5 d6 1-0

[Event \"Fool's mate\"]

1. f3 e5 2. g4 Qh4# 0-1

[Event \"Broken\"]

1. e4 e5 2. Ke3 1-0

[Event \"Ending\"]
[SetUp \"1\"]
[FEN \"7k/8/5K2/8/8/8/8/6R1 b - - 0 40\"]

40... Kh7 41. Rh1+ Kg8 *
";

#[test]
fn games_are_annotated_in_their_order() {
    let folder = Folder::new("games");
    let (file, out) = (folder.file("in.pgn", GAMES), folder.path("out.pgn"));
    let mut texts = Vec::new();
    for threads in ["1", "3"] {
        let run = good(
            &[
                "analyse",
                "--pgn",
                &file,
                "--nodes",
                "20000",
                "--hash",
                "4",
                "--threads",
                threads,
                "--out",
                &out,
            ],
            "",
        );
        assert!(
            run.errors.contains("in.pgn: game 3 (line 13): move 2. Ke3: illegal; skipped\n"),
            "{}",
            run.errors
        );
        assert!(run.errors.ends_with("3 games with 13 moves analysed, 1 skipped\n"), "{}", run.errors);
        assert!(
            run.text().contains("game 1: Anna \"A\" - Boris, 1-0; C40 King's Knight Opening; 3 moves"),
            "{}",
            run.text()
        );
        assert!(run.text().contains("turning point: 2... Qg5??"), "{}", run.text());
        assert!(!run.text().contains('\x1b'));
        texts.push(folder.read("out.pgn"));
    }
    // The same with any number of threads.
    assert_eq!(texts[0], texts[1]);
    let text = &texts[0];
    for part in [
        "[Event \"First\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"Anna \\\"A\\\"\"]\n",
        "[Note \"kept\"]\n[ECO \"C40\"]\n[Opening \"King's Knight Opening\"]\n",
        "2... Qg5 $4 { [%eval ",
        "2. g4 $4 { [%eval #-1] }",
        "[FEN \"7k/8/5K2/8/8/8/8/6R1 b - - 0 40\"]",
        "40... Kh7 ",
    ] {
        // Moves are broken into lines anywhere.
        assert!(text.contains(part) || text.replace('\n', " ").contains(part), "{part}\n{text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 79), "{text}");
    // What was written is read again and means the same.
    let again = good(&["analyse", "--pgn", &out, "--depth", "2", "--json"], "");
    assert_eq!(again.text().lines().count(), 3);
    assert!(again.errors.ends_with("3 games with 13 moves analysed, 0 skipped\n"), "{}", again.errors);
}

#[test]
fn what_the_file_says_about_the_moves_is_kept() {
    let folder = Folder::new("notes");
    let file = folder.file(
        "in.pgn",
        "[Event \"x\"]\n\n{before} 1. e4 $1 {a\nlong   comment} (1. d4 d5 {deep} (1... Nf6 2. c4 $6) 2. c4) e5?! \
         {b} 2. Nf3 ({only (text)} 2. f4 1-0) Nc6 ; to the end\n$10 (2... f6 {x}\n\n3. Bb5 {end} *\n",
    );
    let (mut from, notes) = (
        file,
        [
            "{ before } 1. e4 ",
            "{ a long comment } (1. d4 d5 { deep } (1... Nf6 2. c4 $6) 2. c4)",
            "$1 ",
            "$6 ",
            "{ b }",
            "({ only (text) } 2. f4)",
            "{ to the end }",
            "$10 ",
            "(2... f6 { x })",
            "{ end }",
        ],
    );
    // Once more from what was written: nothing is lost either.
    for name in ["one.pgn", "two.pgn"] {
        let out = folder.path(name);
        let run = good(&["analyse", "--pgn", &from, "--nodes", "500", "--hash", "4", "--out", &out], "");
        assert!(run.errors.ends_with("1 game with 5 moves analysed, 0 skipped\n"), "{}", run.errors);
        let written = folder.read(name).replace('\n', " ");
        for note in notes {
            assert!(written.contains(note), "{note}\n{written}");
        }
        assert_eq!(written.matches("(1. d4 d5 { deep }").count(), 1, "{written}");
        assert_eq!(written.matches("[%eval").count(), 5, "{written}");
        from = out;
    }
}

/// A word of a mark among the moves: `$4`.
fn marks(text: &str) -> usize {
    text.split_whitespace().filter(|word| ["$1", "$2", "$4", "$6"].contains(word)).count()
}

#[test]
fn a_second_analysis_replaces_the_first() {
    let folder = Folder::new("again");
    let mut from = folder.file("in.pgn", GAMES);
    let mut texts = Vec::new();
    for (name, nodes) in [("one.pgn", "20000"), ("two.pgn", "20000"), ("three.pgn", "3000")] {
        let out = folder.path(name);
        good(&["analyse", "--pgn", &from, "--nodes", nodes, "--hash", "4", "--out", &out], "");
        texts.push(folder.read(name));
        from = out;
    }
    assert!(texts[0].matches("(").count() > 0 && marks(&texts[0]) > 0, "{}", texts[0]);
    assert_eq!(texts[0], texts[1]);
    // No two marks or lines of the engine behind one move.
    let moves = 13;
    assert!(marks(&texts[2]) <= moves && texts[2].matches('(').count() <= moves, "{}", texts[2]);
    assert!(!texts[2].contains(") ("), "{}", texts[2]);
    assert!(texts[2].contains("{ hanging }"), "{}", texts[2]);
}

#[test]
fn a_side_without_a_move_has_no_accuracy() {
    let folder = Folder::new("one-move");
    let file = folder.file("in.pgn", "1. e4 *\n");
    let text = good(&["analyse", "--pgn", &file, "--depth", "2"], "");
    assert!(text.text().contains("[WhiteAccuracy \"") && !text.text().contains("BlackAccuracy"));
}

#[test]
fn no_output_is_an_input() {
    let folder = Folder::new("inputs");
    let (pgn, epd) =
        (folder.file("in.pgn", GAMES), folder.file("in.epd", "7k/5Q2/6K1/8/8/8/8/8 w - - bm Qg7#;\n"));
    let detour = folder.path("./in.pgn");
    let before = [folder.read("in.pgn"), folder.read("in.epd")];
    for arguments in [
        &["analyse", "--pgn", &pgn, "--out", &pgn][..],
        &["analyse", "--pgn", &pgn, "--out", &detour],
        &["analyse", "--pgn", &pgn, "--html", &pgn],
        &["analyse", "--epd", &epd, "--out", &epd],
        &["suite", &epd, "--csv", &epd],
        &[
            "match",
            "--engine",
            "cmd=x",
            "--engine",
            "cmd=y",
            "--each",
            "tc=1",
            "--openings",
            &epd,
            "--out",
            &epd,
        ],
    ] {
        let run = run(arguments, b"");
        assert_eq!((run.status, run.errors.lines().count(), run.text()), (Some(2), 1, ""), "{run:?}");
        assert!(run.errors.contains("is read by the command"), "{arguments:?} {run:?}");
    }
    assert_eq!([folder.read("in.pgn"), folder.read("in.epd")], before);
    assert_eq!(std::fs::read_dir(&*folder).unwrap().count(), 2);
}

#[test]
#[cfg(unix)]
fn an_interrupt_ends_a_search_and_shows_what_was_found() {
    let folder = Folder::new("interrupt");
    let epd = folder.file("in.epd", "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;\n".repeat(3));
    let pgn = folder.file("in.pgn", GAMES);
    // A test that waited for the searches would not end.
    let run = interrupt(&["analyse", "startpos", "--time", "1000000", "--json"], 0);
    let found: serde_json::Value = serde_json::from_str(run.text().trim()).unwrap();
    assert_eq!((run.status, found["lines"].as_array().map(Vec::len)), (Some(130), Some(1)));
    let run = interrupt(&["analyse", "startpos", "--time", "1000000"], 22);
    assert!(run.status == Some(130) && run.text().contains("\nBest move: "), "{run:?}");
    let run = interrupt(&["suite", &epd, "--time", "1000000"], 1);
    assert!(run.status == Some(130) && run.text().ends_with("solved 0 of 0\nstopped early\n"), "{run:?}");
    for (option, file) in [("--epd", &epd), ("--pgn", &pgn)] {
        let out = folder.file("kept", "kept");
        assert_eq!(
            interrupt(&["analyse", option, file, "--time", "1000000", "--out", &out], 0).status,
            Some(130)
        );
        assert_eq!(folder.read("kept"), "kept");
    }
}

#[test]
fn the_report_holds_everything_and_fetches_nothing() {
    let folder = Folder::new("html");
    let (file, html) = (folder.file("in.pgn", GAMES), folder.path("report.html"));
    good(&["analyse", "--pgn", &file, "--nodes", "5000", "--html", &html], "");
    let text = folder.read("report.html");
    assert!(text.starts_with("<!DOCTYPE html>") && text.ends_with("</html>\n"));
    assert_eq!(text.matches("<script type=\"application/json\"").count(), 3);
    assert!(text.contains("\"text\":\"Qh4#\"") && text.contains("default-src 'none'"));
    for part in ["src=\"http", "href=\"http", "url(", "@import", "fetch("] {
        assert!(!text.contains(part), "{part}");
    }
}

#[test]
fn json_has_a_line_for_each_game() {
    let folder = Folder::new("json");
    let file = folder.file("in.pgn", GAMES);
    let run = good(&["analyse", "--pgn", &file, "--nodes", "20000", "--json", "--letters", "de"], "");
    let games: Vec<serde_json::Value> =
        run.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(games.iter().map(|game| game["number"].as_u64().unwrap()).collect::<Vec<_>>(), [1, 2, 4]);
    let ply = &games[0]["plies"][3];
    assert_eq!(
        (ply["text"].as_str(), ply["mark"].as_str(), ply["side"].as_str()),
        (Some("Dg5"), Some("blunder"), Some("black"))
    );
    assert_eq!((ply["from"].as_str(), ply["to"].as_str()), (Some("d8"), Some("g5")));
    assert!(ply["loss"].as_f64().unwrap() > 20.0 && ply["win"].as_f64().unwrap() > 80.0);
    assert!(ply["best"]["moves"].as_array().unwrap().len() == ply["best"]["fens"].as_array().unwrap().len());
    let [white, black] = [0, 1].map(|side| &games[0]["summary"][side]);
    assert_eq!((black["blunders"].as_u64(), white["blunders"].as_u64()), (Some(1), Some(0)));
    assert!(white["accuracy"].as_f64() > black["accuracy"].as_f64());
    // The mate that was allowed, and the mate itself.
    let plies = games[1]["plies"].as_array().unwrap();
    assert_eq!(
        (plies[2]["mark"].as_str(), plies[3]["score"].as_str(), plies[3]["win"].as_f64()),
        (Some("blunder"), Some("#"), Some(0.0))
    );
}

#[test]
fn letters_of_other_languages_are_read_when_told() {
    let folder = Folder::new("letters");
    let file =
        folder.file("de.pgn", "[Event \"Sf3\"]\n\n1. e4 e5 2. Sf3 Sc6 3. Lb5 a6 4. Lxc6 dxc6 5. 0-0 Dd6 *\n");
    let run = good(
        &["analyse", "--pgn", &file, "--depth", "3", "--read-letters", "de", "--letters", "figurine"],
        "",
    );
    // Lines end where they are full, which depends on the scores.
    let text = run.text().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("2. ♘f3 ") && text.contains("5... ♕d6 "), "{}", run.text());
    assert!(run.text().contains("C68") && run.text().contains("[Event \"Sf3\"]"), "{}", run.text());
}

#[test]
fn positions_of_a_file_get_their_scores() {
    let folder = Folder::new("epd");
    let file = folder.file(
        "in.epd",
        "# two positions\n6k1/5ppp/8/8/8/8/8/R6K w - - id \"mate\";\nnonsense\n7k/8/8/8/8/8/8/KQ6 w - - id \"queen\";\n",
    );
    let run = good(&["analyse", "--epd", &file, "--depth", "4", "--threads", "2"], "");
    let lines: Vec<_> = run.text().lines().collect();
    assert_eq!(lines.len(), 2, "{}", run.text());
    assert!(lines[0].starts_with("6k1/5ppp/8/8/8/8/8/R6K w - - id \"mate\"; acd "), "{}", lines[0]);
    assert!(lines[0].ends_with(" dm 1; pv Ra8#;") && lines[1].contains("id \"queen\""), "{lines:?}");
    assert!(run.errors.contains("line 3:"), "{}", run.errors);
    // Scores are centipawns, and what the line said before does not stay beside them. Counters are kept.
    let stale = folder.file(
        "stale.epd",
        "6k1/5ppp/8/8/8/8/8/R6K w - - ce 12; hmvc 3;\n7k/8/8/8/8/8/8/KQ6 w - - 7 50 dm 9;\n\
         rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R b KQkq - dm 5;\n",
    );
    let run = good(&["analyse", "--epd", &stale, "--depth", "4"], "");
    let json = good(&["analyse", "--epd", &stale, "--depth", "4", "--json"], "");
    let lines: Vec<_> = run.text().lines().collect();
    for (line, json) in lines.iter().zip(json.text().lines()) {
        let value: serde_json::Value = serde_json::from_str(json).unwrap();
        let found = &value["lines"][0];
        let expected = match found["mate"].as_i64() {
            Some(mate) => format!("dm {mate};"),
            None => format!("ce {};", found["centipawns"]),
        };
        assert!(line.contains(&expected), "{line}");
        assert_eq!(line.matches(" ce ").count() + line.matches(" dm ").count(), 1, "{line}");
    }
    assert!(lines[0].contains("hmvc 3;") && lines[1].contains("- hmvc 7; fmvn 50; "), "{lines:?}");
    assert!(lines[2].contains(" ce "), "{lines:?}");
    let json = good(&["analyse", "--epd", &file, "--depth", "4", "--json", "--multipv", "2"], "");
    let first: serde_json::Value = serde_json::from_str(json.text().lines().next().unwrap()).unwrap();
    assert_eq!((first["id"].as_str(), first["lines"][0]["mate"].as_i64()), (Some("mate"), Some(1)));
    assert_eq!(first["lines"].as_array().map(Vec::len), Some(2));
}

#[test]
fn a_single_position_as_json() {
    let run = good(&["analyse", "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", "--depth", "4", "--json"], "");
    let value: serde_json::Value = serde_json::from_str(run.text()).unwrap();
    assert_eq!(
        (value["lines"][0]["line"].as_str(), value["state"].as_str()),
        (Some("1. Ra8#"), Some("open"))
    );
    let run = good(&["analyse", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "--json"], "");
    let value: serde_json::Value = serde_json::from_str(run.text()).unwrap();
    assert_eq!(
        (value["state"].as_str(), value["lines"].as_array().map(Vec::len)),
        (Some("stalemate"), Some(0))
    );
}

#[test]
#[cfg(target_os = "linux")]
fn a_game_without_end_ends_the_reading() {
    let run = run(&["analyse", "--pgn", "/dev/zero"], b"");
    assert_eq!(run.status, Some(2));
    assert!(run.errors.contains("more than 16 MiB without the end of a game"), "{}", run.errors);
}

#[test]
fn odd_games_are_analysed_too() {
    let folder = Folder::new("odd");
    let file = folder.file("odd.pgn", "\u{feff}1. e4 -- 2. d4 d5 *\r\n\r\n[White \"nobody\"]\r\n\r\n*\r\n");
    let run = good(&["analyse", "--pgn", &file, "--depth", "2", "--json"], "");
    let games: Vec<serde_json::Value> =
        run.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(games[0]["plies"][1]["text"].as_str(), Some("--"));
    assert_eq!(games[1]["plies"].as_array().map(Vec::len), Some(0));
}

#[test]
fn wrong_use_is_told_in_one_line_and_leaves_files_alone() {
    let folder = Folder::new("wrong");
    let (file, empty) = (folder.file("in.pgn", GAMES), folder.file("empty.pgn", ""));
    let kept = folder.file("kept.pgn", "kept");
    for arguments in [
        &["analyse", "--pgn", &folder.path("none.pgn")][..],
        &["analyse", "--pgn", &folder.path("")],
        &["analyse", "--pgn", &empty, "--out", &kept],
        &["analyse", "--epd", &empty],
        &["analyse", "--pgn", &file, "--epd", &file],
        &["analyse", "--pgn", &file, "startpos"],
        &["analyse", "--pgn", &file, "--html", "/no/such/folder/x.html"],
        &["analyse", "--pgn", &file, "--letters", "xx"],
        &["analyse", "--html", &kept],
        &["analyse", "startpos", "--html", &kept],
        &["analyse", "startpos", "--out", &kept],
        &["analyse", "--out", &kept],
        &["analyse", "startpos", "--read-letters", "de"],
        &["analyse", "--epd", &file, "--html", &folder.path("x.html")],
        &["analyse", "--epd", &file, "--read-letters", "de"],
        &["analyse", "--epd", &file, "--json", "--out", "-"],
        &["analyse", "--pgn", &file, "--json", "--out", "-"],
        &["analyse", "--pgn", &file, "--out", &folder.path("x"), "--html", &folder.path("./x")],
        &["analyse", "--pgn", &file, "--out", &kept, "--html", &kept],
    ] {
        let run = run(arguments, b"");
        assert_eq!(
            (run.status, run.errors.lines().count(), run.text()),
            (Some(2), 1, ""),
            "{arguments:?} {run:?}"
        );
    }
    assert_eq!(folder.read("kept.pgn"), "kept");
    assert_eq!(std::fs::read_dir(&*folder).unwrap().count(), 3);
}
