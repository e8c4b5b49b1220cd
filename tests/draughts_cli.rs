//! The command line of the real program.

#[path = "support/raw.rs"]
mod raw;

use raw::{good, run};

#[test]
fn perft_counts_and_divides() {
    let out = good(&["perft", "5"], "");
    assert_eq!(out.nodes(), 27117);
    let out = good(&["perft", "4", "--divide", "--threads", "2"], "");
    let lines: Vec<&str> = out.text().lines().collect();
    assert_eq!(lines.len(), 10);
    let sum: u64 =
        lines[..9].iter().map(|line| line.rsplit_once(": ").unwrap().1.parse::<u64>().unwrap()).sum();
    assert_eq!((sum, out.nodes()), (4265, 4265));
    let out = good(&["perft", "5", "--variant", "frisian", "--fen", "W:W31-50:B1-20"], "");
    assert_eq!(out.nodes(), 21265);
    assert_eq!(good(&["perft", "0"], "").nodes(), 1);
    assert_eq!(good(&["perft", "3", "--fen", "B:W50:B"], "").nodes(), 0);
}

#[test]
fn bench_is_the_same_every_time() {
    let first = good(&["bench", "7"], "").nodes();
    assert!(first > 1000);
    assert_eq!(good(&["bench", "7"], "").nodes(), first);
}

#[test]
fn wrong_use_is_one_line_and_status_2() {
    for arguments in [
        &["perft"][..],
        &["perft", "x"],
        &["perft", "31"],
        &["perft", "-1"],
        &["bench", "0"],
        &["book"],
        &["bitbase"],
        &["eval", "start", "--eval", "/no/such/network"],
        &["perft", "4000000000"],
        &["perft", "5", "--fen", "W:W99:B1"],
        &["perft", "5", "--variant", "chess"],
        &["perft", "5", "--threads", "0"],
        &["eval", "Wxx"],
        &["analyse"],
        &["play", "--level", "11"],
        &["xyzzy"],
        &["--xyzzy"],
        &["hub", "extra"],
    ] {
        let run = run(arguments, "");
        assert_eq!(run.status, Some(2), "{arguments:?}");
        assert_eq!(run.errors.lines().count(), 1, "{arguments:?}: {}", run.errors);
        assert!(run.output.is_empty(), "{arguments:?}");
    }
}

#[test]
fn a_missing_sub_command_is_named() {
    for (command, names) in
        [("book", "build, show, check"), ("data", "check, stats"), ("bitbase", "generate")]
    {
        let errors = run(&[command], "").errors;
        assert!(errors.contains("requires a subcommand") && errors.contains(names), "{errors}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_failed_output_is_status_one() {
    use std::process::{Command, Stdio};
    let games = std::env::temp_dir().join(format!("dyad-full-{}.pdn", std::process::id()));
    std::fs::write(&games, "1. 32-28 *\n").unwrap();
    for arguments in [
        &["--help"][..],
        &["perft", "2"],
        &["perft", "2", "--divide"],
        &["bench", "1"],
        &["eval", "start"],
        &["analyse", "start", "--depth", "2"],
        &["analyse", "start", "--depth", "2", "--json"],
        &["referee", games.to_str().unwrap()],
        &["book", "show"],
        &["bitbase", "show", "W:WK5:B45"],
        &["man"],
    ] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output =
            Command::new(raw::ENGINE).args(arguments).stdin(Stdio::null()).stdout(full).output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), errors.lines().count()), (Some(1), 1), "{arguments:?} {errors}");
        assert!(errors.starts_with("dyad-draughts: cannot write: "), "{errors}");
    }
    std::fs::remove_file(games).unwrap();
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    use std::process::{Command, Stdio};
    let mut child = Command::new(raw::ENGINE)
        .args(["perft", "3", "--divide"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn help_and_version_are_no_errors() {
    assert!(good(&["--help"], "").text().contains("perft"));
    assert!(good(&["perft", "--help"], "").text().contains("--divide"));
    assert!(good(&["--version"], "").text().starts_with("dyad-draughts "));
}

#[test]
fn without_a_command_the_protocol_is_spoken() {
    for arguments in [&[][..], &["hub"]] {
        let run = good(arguments, "hub\ninit\nquit\n");
        let out = run.text();
        assert!(out.starts_with("id name=\"Dyad Draughts\""));
        assert!(out.ends_with("ready\n"));
    }
    assert_eq!(good(&[], "").text(), "");
}

#[test]
fn positions_are_drawn_and_judged() {
    let run = good(&["eval", "start"], "");
    let out = run.text();
    assert_eq!(out.lines().count(), 12);
    // The sides are alike; only the right to move is worth a little.
    let words: Vec<&str> = out.split_whitespace().collect();
    let place = words.iter().position(|&word| word == "evaluation").expect("the evaluation is named");
    let score: f64 = words[place + 1].parse().expect("a number of men");
    assert!(score.abs() < 0.1, "{score}");
    let run = good(&["analyse", "W:WK5,K10:BK46", "--depth", "9"], "");
    let out = run.text();
    assert!(out.contains("win in 3") && out.contains("best move "), "{out}");
    let run = good(&["analyse", "B:W50:B"], "");
    let out = run.text();
    assert!(out.contains("no legal move"));
    let run = good(&["analyse", "start", "--depth", "4", "--lines", "3", "--threads", "2"], "");
    let out = run.text();
    assert_eq!(out.lines().filter(|line| line.starts_with("  4  ")).count(), 3);
}

#[test]
fn a_game_can_be_played_in_the_terminal() {
    let run = good(
        &["play", "--level", "1", "--time", "0.05"],
        "help\nmoves\n99-1\nundo\nhint\n32-28\nboard\nundo\n33-29\nquit\n",
    );
    let out = run.text();
    assert!(out.contains("31-26  32-27"));
    assert!(out.contains("'99-1' is not a move"));
    assert!(out.contains("no move of yours"));
    assert_eq!(out.matches("I play ").count(), 2);
    assert_eq!(out.matches("I would play ").count(), 1);
    let run = good(&["play", "--fen", "W:WK5,K10:BK46", "--time", "0.1"], "10-28\n");
    let out = run.text();
    assert!(out.contains("I play 46"));
    let run = good(&["play", "--colour", "black", "--fen", "W:WK46:B41", "--time", "0.1"], "");
    let out = run.text();
    assert!(out.contains("The game is over: 2-0"), "{out}");
}

#[test]
fn a_single_reply_is_played_without_thinking_about_it() {
    let fen = ["--fen", "W:W28,50:B22,1", "--colour", "black"];
    let run = good(&[&["play", "--time", "3600"], &fen[..]].concat(), "quit\n");
    let out = run.text();
    assert!(out.contains("I play 28x17 (at once)"), "{out}");
    // A hint is asked for the score.
    let run = good(&["play", "--time", "0.05", "--fen", "W:W28,50:B22,1"], "hint\nquit\n");
    let out = run.text();
    assert!(out.contains("I would play 28x17 (") && !out.contains("at once"), "{out}");
}
