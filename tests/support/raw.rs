//! Runs the engine's binary once: arguments and input in, everything it wrote out.

#![allow(dead_code)]

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The engine of the member that lists the test.
pub const ENGINE: &str = match (option_env!("CARGO_BIN_EXE_dyad"), option_env!("CARGO_BIN_EXE_dyad-draughts"))
{
    (Some(chess), _) => chess,
    (None, Some(draughts)) => draughts,
    (None, None) => panic!("the member has no engine"),
};

/// How long a run may take: only a hung engine takes longer.
const LIVENESS: Duration = Duration::from_secs(180);

/// What a run left.
#[derive(Debug)]
pub struct Run {
    /// The exit status; `None` if a signal ended it.
    pub status: Option<i32>,
    pub output: Vec<u8>,
    pub errors: String,
}

impl Run {
    /// The output as text.
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.output).unwrap()
    }

    /// The last line of the output.
    pub fn last(&self) -> &str {
        self.text().lines().last().unwrap_or_default()
    }

    /// N of a last line `N nodes N nps`.
    pub fn nodes(&self) -> u64 {
        let words: Vec<_> = self.last().split(' ').collect();
        match words[..] {
            [nodes, "nodes", nps, "nps"] => {
                assert!(nps.parse::<u64>().is_ok(), "{}", self.last());
                nodes.parse().unwrap()
            }
            _ => panic!("'{}'", self.last()),
        }
    }
}

/// Runs the engine with the arguments and the bytes as its whole input.
///
/// # Panics
/// If it does not end.
pub fn run(arguments: &[&str], input: impl AsRef<[u8]>) -> Run {
    let mut child = Command::new(ENGINE)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut stderr = child.stderr.take().unwrap();
    let input = input.as_ref().to_vec();
    // An engine that ends before it has read everything closes the pipe.
    let writer = thread::spawn(move || stdin.write_all(&input).is_ok());
    let output = thread::spawn(move || {
        let mut bytes = Vec::new();
        stdout.read_to_end(&mut bytes).unwrap();
        bytes
    });
    let errors = thread::spawn(move || {
        let mut bytes = Vec::new();
        stderr.read_to_end(&mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    });
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status.code();
        }
        if start.elapsed() > LIVENESS {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("{arguments:?} does not end");
        }
        thread::sleep(Duration::from_millis(2));
    };
    writer.join().unwrap();
    Run { status, output: output.join().unwrap(), errors: errors.join().unwrap() }
}

/// The same, and it must end well.
///
/// # Panics
/// If it does not.
pub fn good(arguments: &[&str], input: impl AsRef<[u8]>) -> Run {
    let run = run(arguments, input);
    assert_eq!(run.status, Some(0), "{arguments:?} {run:?}");
    run
}

/// Runs the engine with work that never ends, and interrupts it (Ctrl-C) after its first `lines` lines on standard
/// output; without any, after a moment.
///
/// # Panics
/// If it ends before. A test hangs if the engine does not heed the interrupt.
#[cfg(unix)]
pub fn interrupt(arguments: &[&str], lines: usize) -> Run {
    let mut child = Command::new(ENGINE)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stderr = child.stderr.take().unwrap();
    let errors = thread::spawn(move || {
        let mut text = String::new();
        stderr.read_to_string(&mut text).unwrap();
        text
    });
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut output = Vec::new();
    for _ in 0..lines {
        stdout.read_until(b'\n', &mut output).unwrap();
    }
    if lines == 0 {
        thread::sleep(Duration::from_secs(2));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    stdout.read_to_end(&mut output).unwrap();
    Run { status: child.wait().unwrap().code(), output, errors: errors.join().unwrap() }
}
