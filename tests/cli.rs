//! The command line: what the sub-commands print and how wrong arguments are answered.

#[path = "support/folder.rs"]
mod folder;
#[path = "support/raw.rs"]
mod raw;

use folder::Folder;
use raw::{Run, run};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// Runs it without input; it must end well.
fn good(arguments: &[&str]) -> Run {
    let run = run(arguments, b"");
    assert_eq!((run.status, run.errors.as_str()), (Some(0), ""), "{arguments:?} {}", run.text());
    run
}

/// Runs it without input; it must end well, and may say something on the error stream.
fn good_data(arguments: &[&str]) {
    let run = run(arguments, b"");
    assert_eq!(run.status, Some(0), "{arguments:?} {run:?}");
}

/// Runs it with wrong arguments: one line on the error stream that holds `part`, status 2, no output.
fn bad(arguments: &[&str], part: &str) {
    let run = run(arguments, b"");
    assert_eq!(run.status, Some(2), "{arguments:?} {run:?}");
    assert_eq!(run.errors.lines().count(), 1, "{arguments:?} {}", run.errors);
    assert!(run.errors.ends_with('\n') && run.errors.contains(part), "{arguments:?} {}", run.errors);
    assert_eq!(run.text(), "", "{arguments:?}");
}

#[test]
fn perft_counts_known_values() {
    assert_eq!(good(&["perft", "5"]).nodes(), 4_865_609);
    assert_eq!(good(&["perft", "1"]).nodes(), 20);
    for (fen, depth, count) in [
        (KIWIPETE, "4", 4_085_603),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", "5", 674_624),
        ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", "4", 422_333),
        ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", "4", 2_103_487),
        ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", "4", 3_894_594),
    ] {
        assert_eq!(good(&["perft", depth, "--fen", fen]).nodes(), count, "{fen}");
        assert_eq!(good(&["perft", depth, "--threads", "1", "--fen", fen]).nodes(), count, "{fen}");
    }
}

#[test]
fn perft_of_nothing_is_one_position() {
    assert_eq!(good(&["perft", "0"]).nodes(), 1);
}

#[test]
fn perft_divides() {
    let run = good(&["perft", "4", "--fen", KIWIPETE, "--divide"]);
    let total = run.nodes();
    let mut moves = 0;
    let mut sum = 0;
    for line in run.text().lines() {
        if let Some((mv, count)) = line.split_once(": ") {
            assert!((4..=5).contains(&mv.len()), "{line}");
            moves += 1;
            sum += count.parse::<u64>().unwrap();
        }
    }
    assert_eq!((moves, sum), (48, total));
    assert!(run.text().contains("e1g1: "));
    let run = good(&["perft", "2", "--fen", KIWIPETE, "--divide", "--chess960"]);
    assert!(run.text().contains("e1h1: ") && !run.text().contains("e1g1: "));
    assert_eq!(run.nodes(), 2039);
}

#[test]
fn perft_of_a_960_position() {
    for fen in [
        "nqrnbkrb/pppppppp/8/8/8/8/PPPPPPPP/NQRNBKRB w KQkq - 0 1",
        "nqrnbkrb/pppppppp/8/8/8/8/PPPPPPPP/NQRNBKRB w GCgc - 0 1",
    ] {
        let board = movegen::Board::from_fen(fen).unwrap();
        assert_eq!(good(&["perft", "3", "--chess960", "--fen", fen]).nodes(), movegen::perft(&board, 3));
    }
}

#[test]
fn bench_counts_the_same_nodes_each_time() {
    let counts: Vec<_> =
        [&["bench", "5"][..], &["bench", "--depth", "5"], &["bench", "5", "--threads", "1", "--hash", "16"]]
            .iter()
            .map(|arguments| good(arguments).nodes())
            .collect();
    assert!(counts[0] > 1000);
    assert!(counts.iter().all(|count| *count == counts[0]), "{counts:?}");
    assert!(good(&["bench", "4", "--threads", "2"]).nodes() > 0);
}

#[test]
fn eval_prints_a_value_with_its_sign_from_the_mover() {
    let value = |fen: &str| -> f64 {
        let run = good(&["eval", fen]);
        let line = run.text().lines().find(|line| line.starts_with("Static evaluation")).unwrap();
        let (_, values) = line.split_once(": ").unwrap();
        values.split_whitespace().next().unwrap().parse().unwrap()
    };
    assert!(value("startpos").abs() < 1.0);
    assert!(value("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1") > 3.0);
    assert!(value("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1") > 3.0);
    assert!(value("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR b KQkq - 0 1") < -3.0);
    good(&["eval"]);
}

#[test]
fn eval_of_finished_games_does_not_fail() {
    for fen in [
        "R5k1/5ppp/8/8/8/8/8/7K b - - 0 1",
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        "8/8/4k3/8/8/4K3/8/8 w - - 0 1",
    ] {
        good(&["eval", fen]);
        good(&["analyse", fen, "--depth", "4"]);
    }
}

#[test]
fn analyse_draws_the_board_and_names_the_best_move() {
    let run = good(&["analyse", "startpos", "--depth", "8"]);
    let text = run.text();
    assert!(text.contains("| r | n | b | q | k | b | n | r |"), "{text}");
    assert!(text.lines().any(|line| line.trim_start().starts_with("8/")), "{text}");
    let best = run.last().strip_prefix("Best move: ").unwrap();
    assert!(movegen::Board::startpos().parse_san(best).is_ok(), "{best}");
    // Piped: no control characters.
    assert!(run.output.iter().all(|byte| *byte == b'\n' || *byte >= b' '), "{text}");
}

#[test]
fn analyse_finds_a_mate_and_writes_it_in_san() {
    for arguments in [
        &["analyse", "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", "--depth", "6"][..],
        &["analyse", "--nodes", "5000", "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"],
        &["analyse", "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", "--time", "0.2", "--hash", "1", "--threads", "2"],
        &["analyse", "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", "--depth", "5", "--multipv", "3"],
    ] {
        assert_eq!(good(arguments).last(), "Best move: Ra8#", "{arguments:?}");
    }
}

#[test]
fn wrong_arguments_get_one_line_and_status_two() {
    bad(&["--nope"], "--nope");
    bad(&["frobnicate"], "frobnicate");
    bad(&["perft"], "DEPTH");
    bad(&["perft", "x"], "'x'");
    bad(&["perft", "-1"], "-1");
    bad(&["perft", "3", "4"], "'4'");
    bad(&["perft", "99999999999"], "99999999999");
    bad(&["perft", "3", "--fen"], "--fen");
    bad(&["perft", "3", "--fen", "nonsense"], "nonsense");
    bad(&["perft", "3", "--fen", "4k3/8/8/8/8/8/8/8 w - - 0 1"], "king");
    bad(&["perft", "3", "--threads", "0"], "0");
    bad(&["perft", "3", "--threads", "many"], "many");
    bad(&["bench", "--depth", "0"], "0");
    bad(&["bench", "deep"], "deep");
    bad(&["bench", "--hash", "-1"], "-1");
    bad(&["bench", "--threads"], "--threads");
    bad(&["eval", "nonsense"], "nonsense");
    bad(&["eval", "startpos", "startpos"], "startpos");
    bad(&["analyse", "nonsense"], "nonsense");
    bad(&["analyse", "startpos", "--depth", "abc"], "abc");
    bad(&["analyse", "startpos", "--time", "soon"], "soon");
    bad(&["analyse", "startpos", "--multipv", "0"], "0");
    bad(&["analyse", "startpos", "--nope", "1"], "--nope");
    bad(&["uci", "now"], "now");
    bad(&["analyse", "startpos", "--depth", "-1"], "-1 is not in 1..=240");
    bad(&["analyse", "games.pgn"], "--pgn");
    bad(&["analyse", "suite.EPD"], "--epd");
    for (command, names) in [
        ("book", "make, show, merge, check"),
        ("data", "stats"),
        ("pgn", "check, ratings"),
        ("syzygy", "probe"),
    ] {
        bad(&[command], "requires a subcommand");
        bad(&[command], names);
    }
}

#[test]
fn players_are_rated_by_all_their_games() {
    let folder = Folder::new("ratings");
    let game =
        |white, black, result| format!("[White \"{white}\"]\n[Black \"{black}\"]\n\n1. e4 {result}\n\n");
    let mut text = game("?", "b", "1-0") + &game("a", "b", "*");
    for _ in 0..30 {
        text += &(game("a", "b", "1-0") + &game("b", "a", "1/2-1/2"));
    }
    let first = folder.file("first.pgn", &text);
    let second =
        folder.file("second.pgn", game("c c", "a", "1-0").repeat(5) + &game("a", "c c", "1-0").repeat(5));
    let run = good(&["pgn", "ratings", &first, &second, "--anchor", "b=2000"]);
    let rows: Vec<Vec<&str>> = run.text().lines().map(|line| line.split_whitespace().collect()).collect();
    let row = |name: &str| rows.iter().find(|row| row.get(1) == Some(&name)).expect("a row");
    // 75 % are 191 Elo, less the drawn game that everybody has.
    let elo: f64 = row("a")[2].parse().expect("a number");
    assert!((2150.0..=2191.0).contains(&elo), "{}", run.text());
    assert_eq!((row("b")[2], row("b")[3], row("b")[4], row("b")[5]), ("2000", "0", "60", "25.0"));
    assert!(run.text().ends_with("left out: 2 without a result or two names\n"), "{}", run.text());
    bad(&["pgn", "ratings", &first, "--anchor", "nobody=1"], "nobody");
    bad(&["pgn", "ratings", &first, "--anchor", "b"], "NAME=ELO");
    bad(&["pgn", "ratings", &folder.file("empty.pgn", "")], "no result");
}

#[test]
fn faults_that_are_found_are_status_one() {
    let folder = Folder::new("faults");
    let (book, games) = (folder.file("a.bin", [7; 32]), folder.path("games.vf"));
    good_data(&["datagen", "--games", "1", "--nodes", "50", "--out", &games]);
    let mut torn = std::fs::read(&games).unwrap();
    torn.pop();
    let torn = folder.file("torn.vf", torn);
    for (arguments, status) in [
        (&["book", "check", &book][..], 1),
        (&["book", "check", "/no/such/book"], 2),
        (&["data", "check", &torn], 1),
        (&["data", "check", "/no/such/file"], 2),
        (&["analyse", "--pgn", "/no/such/file"], 2),
    ] {
        let run = run(arguments, b"");
        assert_eq!((run.status, run.errors.lines().count()), (Some(status), 1), "{arguments:?} {run:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_failed_output_is_status_one() {
    use std::process::{Command, Stdio};
    for arguments in
        [&["--help"][..], &["perft", "--help"], &["perft", "2"], &["man"], &["completions", "bash"]]
    {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_dyad"))
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(full)
            .output()
            .unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), errors.lines().count()), (Some(1), 1), "{arguments:?} {errors}");
        assert!(errors.starts_with("dyad: cannot write: "), "{errors}");
    }
}

#[test]
fn help_and_version() {
    let run = good(&["--help"]);
    for command in ["bench", "perft", "eval", "analyse", "uci"] {
        assert!(run.text().contains(command), "{command}");
        let help = good(&[command, "--help"]);
        assert!(help.text().contains("Usage: "), "{command}");
        assert!(good(&["help", command]).text().contains("Usage: "), "{command}");
    }
    let version = format!("dyad {}", env!("CARGO_PKG_VERSION"));
    assert_eq!(good(&["-V"]).text().trim_end(), version);
    let long = good(&["--version"]);
    let lines: Vec<_> = long.text().lines().collect();
    assert_eq!(lines[0], version);
    for (line, name) in lines[1..].iter().zip(["build:", "net:", "target:"]) {
        assert!(line.strip_prefix(name).is_some_and(|rest| rest.trim().len() > 2), "{line}");
    }
    assert_eq!(lines.len(), 4);
}

#[test]
fn a_closed_output_ends_it_quietly() {
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_dyad"))
        .args(["perft", "3", "--divide"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(!errors.contains("panicked"), "{errors}");
}

#[test]
fn a_closed_output_costs_no_file() {
    use std::process::{Command, Stdio};
    let folder = Folder::new("closed-output");
    let games = folder.file("games.pgn", "1. e4 e5 2. Nf3 Nc6 *\n\n".repeat(3));
    let positions = folder.file("suite.epd", "7k/5Q2/6K1/8/8/8/8/8 w - - bm Qg7#;\n".repeat(3));
    let (html, csv, out) = (folder.path("a.html"), folder.path("b.csv"), folder.path("c.epd"));
    for arguments in [
        &["analyse", "--pgn", &games, "--nodes", "50", "--html", &html, "--json"][..],
        &["suite", &positions, "--nodes", "50", "--csv", &csv],
        &["analyse", "--epd", &positions, "--nodes", "50", "--out", &out, "--json"],
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_dyad"))
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        assert_eq!(child.wait().unwrap().code(), Some(0), "{arguments:?}");
    }
    assert_eq!(folder.read("a.html").matches("class=\"game\"").count(), 3);
    assert_eq!((folder.read("b.csv").lines().count(), folder.read("c.epd").lines().count()), (4, 3));
    // No parts stay behind.
    assert_eq!(std::fs::read_dir(&*folder).unwrap().count(), 5);
}

#[test]
fn files_of_no_games_are_told() {
    let folder = Folder::new("no-games");
    let (games, empty) = (folder.path("games.vf"), folder.file("empty.vf", ""));
    good_data(&["datagen", "--games", "2", "--nodes", "50", "--out", &games]);
    let whole = std::fs::read(&games).unwrap();
    let torn = folder.file("torn.vf", [&whole[..], &whole[..40]].concat());
    let out = folder.path("out.vf");
    bad(&["data", "merge", &games, &empty, "--out", &out], "empty.vf holds no game");
    bad(&["data", "shuffle", &empty, "--out", &out], "empty.vf holds no game");
    assert!(!std::path::Path::new(&out).exists());
    for arguments in
        [&["data", "merge", &torn, &games, "--out", &out][..], &["data", "shuffle", &torn, "--out", &out]]
    {
        let run = run(arguments, b"");
        assert_eq!(run.status, Some(0), "{run:?}");
        assert!(run.errors.contains("torn.vf: 40 bytes of an unfinished game left out"), "{}", run.errors);
        std::fs::remove_file(&out).unwrap();
    }
    let (pgn, book) = (folder.file("games.pgn", "1. e4 e5 *\n"), folder.path("a.bin"));
    bad(&["book", "make", &pgn, "--out", &book], "no book is written: 1 game left out of 1");
    bad(&["book", "make", &pgn, "--scoring", "count", "--out", &book], "no book is written");
    assert!(!std::path::Path::new(&book).exists());
    // Neither they nor parts of them stay behind.
    assert_eq!(std::fs::read_dir(&*folder).unwrap().count(), 4);
}

#[test]
fn completions_and_manual_pages_name_the_commands() {
    for (shell, part) in [("bash", "_dyad()"), ("zsh", "#compdef dyad"), ("fish", "complete -c dyad")] {
        let text = good(&["completions", shell]);
        assert!(text.text().contains(part) && text.text().contains("multipv"), "{shell}");
    }
    let page = good(&["man"]);
    assert!(page.text().contains(".TH dyad 1") && page.text().contains("analyse"), "{}", page.text());
    bad(&["completions", "dos"], "dos");
    let folder = std::env::temp_dir().join(format!("dyad-man-{}", std::process::id()));
    good(&["man", "--out", folder.to_str().unwrap()]);
    assert!(folder.join("dyad.1").exists() && folder.join("dyad-suite.1").exists());
    std::fs::remove_dir_all(folder).unwrap();
}

/// The positions of `info string genfens` lines.
fn openings(run: &Run) -> Vec<String> {
    run.text()
        .lines()
        .map(|line| line.strip_prefix("info string genfens ").unwrap_or_else(|| panic!("{line}")).to_owned())
        .collect()
}

#[test]
fn genfens_makes_repeatable_openings_for_openbench() {
    let first = openings(&good(&["genfens 8 seed 5 book None", "quit"]));
    assert_eq!(first.len(), 8);
    for fen in &first {
        let board = movegen::Board::from_fen(fen).unwrap();
        assert!(board.has_legal_move() && board.ply_count() >= 8 && fen.split(' ').count() == 6, "{fen}");
    }
    assert_eq!(first, openings(&good(&["genfens 8 seed 5 book None"])));
    assert_ne!(first, openings(&good(&["genfens 8 seed 6 book NONE", "quit"])));
    let file = std::env::temp_dir().join(format!("dyad-genfens-{}.epd", std::process::id()));
    std::fs::write(&file, "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - bm e4; id \"x\";\n\n").unwrap();
    let name = file.to_str().unwrap();
    for fen in openings(&good(&[&format!("genfens 3 seed 1 book {name}"), "quit"])) {
        assert!(fen.to_lowercase().matches('p').count() > 8 && !fen.contains(['r', 'R']), "{fen}");
    }
    std::fs::remove_file(&file).unwrap();
    bad(&[&format!("genfens 3 seed 1 book {name}"), "quit"], name);
    bad(&["genfens 3 seed 1 book None frc"], "genfens does not know 'frc'");
    bad(&["genfens"], "genfens takes a number");
}

#[test]
fn a_log_file_gets_every_line() {
    let file = std::env::temp_dir().join(format!("dyad-log-{}.txt", std::process::id()));
    let name = file.to_str().unwrap();
    for (input, wanted, more) in [
        (&b"isready\nposition startpos\ngo depth 1\n"[..], "input: isready", false),
        (b"debug on\nposition startpos\ngo depth 1\n", "input: go depth 1", true),
        (b"xboard\nping 77\n", "output: pong 77", false),
    ] {
        let run = run(&["--log", name], input);
        assert_eq!((run.status, run.errors.as_str()), (Some(0), ""));
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(text.contains(wanted), "{text}");
        assert_eq!(text.contains("under Limits"), more, "{text}");
        std::fs::remove_file(&file).unwrap();
    }
    bad(&["--log", "/nowhere/at/all"], "/nowhere/at/all");
}
