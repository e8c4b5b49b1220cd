//! The command line of the real program.

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn run(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_dyad-draughts"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Output of a run that must succeed.
fn good(arguments: &[&str], input: &str) -> String {
    let output = run(arguments, input);
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

/// `N nodes N nps`
fn nodes(line: &str) -> u64 {
    let words: Vec<&str> = line.split(' ').collect();
    assert_eq!((words.len(), words[1], words[3]), (4, "nodes", "nps"), "{line}");
    assert!(words[2].parse::<u64>().is_ok(), "{line}");
    words[0].parse().unwrap()
}

#[test]
fn perft_counts_and_divides() {
    let out = good(&["perft", "5"], "");
    assert_eq!(nodes(out.trim_end()), 27117);
    let out = good(&["perft", "4", "--divide", "--threads", "2"], "");
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 10);
    let sum: u64 =
        lines[..9].iter().map(|line| line.rsplit_once(": ").unwrap().1.parse::<u64>().unwrap()).sum();
    assert_eq!((sum, nodes(lines[9])), (4265, 4265));
    let out = good(&["perft", "5", "--variant", "frisian", "--fen", "W:W31-50:B1-20"], "");
    assert_eq!(nodes(out.trim_end()), 21265);
    assert_eq!(nodes(good(&["perft", "0"], "").trim_end()), 1);
    assert_eq!(nodes(good(&["perft", "3", "--fen", "B:W50:B"], "").trim_end()), 0);
}

#[test]
fn bench_is_the_same_every_time() {
    let last = |out: &str| nodes(out.lines().last().unwrap());
    let first = last(&good(&["bench", "7"], ""));
    assert!(first > 1000);
    assert_eq!(last(&good(&["bench", "7"], "")), first);
}

#[test]
fn wrong_use_is_one_line_and_status_2() {
    for arguments in [
        &["perft"][..],
        &["perft", "x"],
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
        let output = run(arguments, "");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let errors = text(&output.stderr);
        assert_eq!(errors.lines().count(), 1, "{arguments:?}: {errors}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}

#[test]
fn help_and_version_are_no_errors() {
    assert!(good(&["--help"], "").contains("perft"));
    assert!(good(&["perft", "--help"], "").contains("--divide"));
    assert!(good(&["--version"], "").starts_with("dyad-draughts "));
}

#[test]
fn without_a_command_the_protocol_is_spoken() {
    for arguments in [&[][..], &["hub"]] {
        let out = good(arguments, "hub\ninit\nquit\n");
        assert!(out.starts_with("id name=\"Dyad Draughts\""));
        assert!(out.ends_with("ready\n"));
    }
    assert_eq!(good(&[], ""), "");
}

#[test]
fn positions_are_drawn_and_judged() {
    let out = good(&["eval", "start"], "");
    assert_eq!(out.lines().count(), 12);
    // The sides are alike; only the right to move is worth a little.
    let words: Vec<&str> = out.split_whitespace().collect();
    let place = words.iter().position(|&word| word == "evaluation").expect("the evaluation is named");
    let score: f64 = words[place + 1].parse().expect("a number of men");
    assert!(score.abs() < 0.1, "{score}");
    let out = good(&["analyse", "W:WK5,K10:BK46", "--depth", "9"], "");
    assert!(out.contains("win in 3") && out.contains("best move "), "{out}");
    let out = good(&["analyse", "B:W50:B"], "");
    assert!(out.contains("no legal move"));
    let out = good(&["analyse", "start", "--depth", "4", "--lines", "3", "--threads", "2"], "");
    assert_eq!(out.lines().filter(|line| line.starts_with("  4  ")).count(), 3);
}

#[test]
fn a_game_can_be_played_in_the_terminal() {
    let out = good(
        &["play", "--level", "1", "--time", "0.05"],
        "help\nmoves\n99-1\nundo\nhint\n32-28\nboard\nundo\n33-29\nquit\n",
    );
    assert!(out.contains("31-26  32-27"));
    assert!(out.contains("'99-1' is not a move"));
    assert!(out.contains("no move of yours"));
    assert_eq!(out.matches("I play ").count(), 2);
    assert_eq!(out.matches("I would play ").count(), 1);
    let out = good(&["play", "--fen", "W:WK5,K10:BK46", "--time", "0.1"], "10-28\n");
    assert!(out.contains("I play 46"));
    let out = good(&["play", "--colour", "black", "--fen", "W:WK46:B41", "--time", "0.1"], "");
    assert!(out.contains("The game is over: 2-0"), "{out}");
}
