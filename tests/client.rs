//! The engine client against a child that behaves and misbehaves. The child is this very test program, run
//! again with its `engine` test switched on.

use std::io::{BufReader, Write};
use std::process::Command;
use std::time::Duration;
use uci::client::EngineProcess;
use uci::error::ClientError;
use uci::io::LineReader;

/// Nothing here takes this long unless it hangs.
const LONG: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_millis(30);

fn start() -> EngineProcess {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "engine", "--ignored", "--nocapture"]);
    let engine = EngineProcess::start(command).unwrap();
    // The test harness says hello first.
    engine.read_until(LONG, |line| line == "hello").unwrap();
    engine
}

/// The child: not a test, and only run by [`start`].
#[test]
#[ignore = "the child process of the other tests"]
fn engine() {
    println!("\nhello");
    for line in LineReader::new(BufReader::new(std::io::stdin())) {
        let line = line.unwrap();
        match line.as_str() {
            "quit" => std::process::exit(7),
            "hang" => std::thread::sleep(LONG),
            "flood" => (0..100_000).for_each(|number| println!("line {number}")),
            "bytes" => std::io::stdout().write_all(b"\xFF\xFE\r\n").unwrap(),
            _ => println!("got {}", line.len()),
        }
    }
    println!("end of input");
    std::process::exit(0);
}

#[test]
fn lines_go_there_and_back_in_order() {
    let engine = start();
    for length in [1, 10, 1000, 300_000] {
        engine.send("x".repeat(length)).unwrap();
    }
    let lines = engine.read_until(LONG, |line| line == "got 300000").unwrap();
    assert_eq!(lines.len(), 4);
    assert!(lines.is_sorted_by_key(|line| line.at));
    engine.send("bytes").unwrap();
    assert_eq!(engine.read_line(LONG).unwrap().text, "\u{fffd}\u{fffd}");
}

#[test]
fn a_silent_engine_is_a_timeout_and_can_be_asked_again() {
    let engine = start();
    assert!(matches!(engine.read_line(SHORT), Err(ClientError::Timeout)));
    engine.send("abc").unwrap();
    assert_eq!(engine.read_line(LONG).unwrap().text, "got 3");
}

#[test]
fn a_deaf_engine_does_not_block_the_sender() {
    let mut engine = start();
    engine.send("hang").unwrap();
    // Far more than a pipe holds.
    engine.send("x".repeat(4 << 20)).unwrap();
    assert!(matches!(engine.read_line(SHORT), Err(ClientError::Timeout)));
    assert!(matches!(engine.wait(SHORT), Err(ClientError::Timeout)));
    engine.kill();
    assert!(engine.exit_status().is_some_and(|status| !status.success()));
    assert!(matches!(engine.read_line(LONG), Err(ClientError::Closed)));
}

#[test]
fn a_chatty_engine_loses_no_line() {
    let engine = start();
    engine.send("flood").unwrap();
    for number in 0..100_000 {
        assert_eq!(engine.read_line(LONG).unwrap().text, format!("line {number}"));
    }
}

#[test]
fn the_end_of_the_process_is_seen() {
    let mut engine = start();
    assert_eq!(engine.exit_status(), None);
    engine.send("quit").unwrap();
    assert_eq!(engine.wait(LONG).unwrap().code(), Some(7));
    assert!(matches!(engine.read_until(LONG, |_| false), Err(ClientError::Closed)));
}

#[test]
fn the_end_of_input_is_passed_on() {
    let mut engine = start();
    engine.send("abcd").unwrap();
    engine.close_input();
    assert!(matches!(engine.send("more"), Err(ClientError::Closed)));
    let lines = engine.read_until(LONG, |line| line == "end of input").unwrap();
    assert_eq!(lines[0].text, "got 4");
    assert!(engine.wait(LONG).unwrap().success());
}

#[test]
fn a_program_that_is_not_there_is_named() {
    let error = EngineProcess::start(Command::new("/nowhere/engine")).unwrap_err();
    assert!(error.to_string().starts_with("cannot start /nowhere/engine: "), "{error}");
}
