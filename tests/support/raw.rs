//! Runs the engine's binary once: arguments and input in, everything it wrote out.

#![allow(dead_code)]

use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How long a run may take: only a hung engine takes longer.
const LIVENESS: Duration = Duration::from_secs(60);

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
}

/// Runs the engine with the arguments and the bytes as its whole input.
///
/// # Panics
/// If it does not end.
pub fn run(arguments: &[&str], input: &[u8]) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_dyad"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut stderr = child.stderr.take().unwrap();
    let input = input.to_vec();
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
