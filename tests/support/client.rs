//! Drives a program over pipes, whatever it speaks, and tells what was said when it does not do as it should.

// Each test binary uses a part of the driver.
#![allow(dead_code)]

use std::fmt::Display;
use std::io::Read;
use std::process::Command;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use uci::client::EngineProcess;

/// How long anything at all may take: only a hung engine takes longer, even on an overloaded machine.
pub const LIVENESS: Duration = Duration::from_secs(60);

/// A running program.
pub struct Client {
    process: EngineProcess,
    errors: Option<JoinHandle<String>>,
    /// All that was sent, for messages.
    sent: Vec<String>,
}

impl Client {
    /// Starts the program; nothing is sent to it.
    pub fn start(program: &str, arguments: &[&str]) -> Self {
        let (mut reader, writer) = std::io::pipe().unwrap();
        let mut command = Command::new(program);
        command.args(arguments).stderr(writer);
        let process = EngineProcess::start(command).unwrap();
        let errors = thread::spawn(move || {
            let mut text = Vec::new();
            reader.read_to_end(&mut text).unwrap();
            String::from_utf8_lossy(&text).into_owned()
        });
        Self { process, errors: Some(errors), sent: Vec::new() }
    }

    /// Sends one line, or several in one go.
    pub fn send(&mut self, line: impl Display) {
        let line = line.to_string();
        self.sent.push(line.clone());
        if self.process.send(&line).is_err() {
            self.fail("the engine is gone");
        }
    }

    /// The next line.
    pub fn line(&mut self) -> String {
        match self.process.read_line(LIVENESS) {
            Ok(line) => line.text,
            Err(error) => self.fail(format_args!("no line: {error}")),
        }
    }

    /// All lines up to one that fulfils `is_last`, which is the last.
    pub fn until(&mut self, is_last: impl FnMut(&str) -> bool) -> Vec<String> {
        match self.process.read_until(LIVENESS, is_last) {
            Ok(lines) => lines.into_iter().map(|line| line.text).collect(),
            Err(error) => self.fail(format_args!("the awaited line did not come: {error}")),
        }
    }

    /// All lines before the given one, which is read too.
    pub fn before(&mut self, last: &str) -> Vec<String> {
        match self.process.read_until(LIVENESS, |line| line == last) {
            Ok(mut lines) => {
                lines.pop();
                lines.into_iter().map(|line| line.text).collect()
            }
            Err(error) => self.fail(format_args!("'{last}' did not come: {error}")),
        }
    }

    /// What the engine writes in the given time.
    pub fn listen(&mut self, time: Duration) -> Vec<String> {
        let end = Instant::now() + time;
        let mut lines = Vec::new();
        while let Ok(line) = self.process.read_line(end.saturating_duration_since(Instant::now())) {
            lines.push(line.text);
        }
        lines
    }

    /// Memory in use, in kibibytes (proc(5)).
    pub fn memory(&self) -> u64 {
        let text = std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).unwrap();
        let line = text.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    }

    /// The processor time that the engine has used, where the system tells (proc(5)); none elsewhere.
    pub fn processor_time(&self) -> Duration {
        let Ok(text) = std::fs::read_to_string(format!("/proc/{}/stat", self.process.id())) else {
            return Duration::ZERO;
        };
        // The name, in brackets, may hold blanks. Fields 14 and 15 are user and system time in ticks.
        let (_, rest) = text.rsplit_once(") ").unwrap();
        let ticks: u64 = rest.split(' ').skip(11).take(2).map(|field| field.parse::<u64>().unwrap()).sum();
        Duration::from_millis(ticks * 10)
    }

    /// Ends the input instead of sending `quit`; the rest must be as after [`Client::quit`].
    pub fn close(mut self) -> Vec<String> {
        self.process.close_input();
        self.end()
    }

    /// Sends `quit`: the process ends with status 0 and nothing on its error stream. Returns what it still
    /// wrote.
    pub fn quit(mut self) -> Vec<String> {
        self.send("quit");
        self.end()
    }

    fn end(&mut self) -> Vec<String> {
        let status = match self.process.wait(LIVENESS) {
            Ok(status) => status,
            Err(error) => self.fail(format_args!("the engine does not end: {error}")),
        };
        let errors = self.errors.take().unwrap().join().unwrap();
        assert!(errors.is_empty(), "on the error stream: {errors}{}", self.transcript());
        assert_eq!(status.code(), Some(0), "{}", self.transcript());
        let mut lines = Vec::new();
        while let Ok(line) = self.process.read_line(LIVENESS) {
            lines.push(line.text);
        }
        lines
    }

    /// Ends the test because of something that did not come: with what the engine wrote on its error stream.
    pub fn fail(&mut self, fault: impl Display) -> ! {
        self.process.kill();
        let errors = self.errors.take().map(|errors| errors.join().unwrap()).unwrap_or_default();
        panic!("{fault}{}\non the error stream: {errors}", self.transcript());
    }

    /// The commands sent, for the message of a failed assertion.
    pub fn transcript(&self) -> String {
        let sent: Vec<_> = self.sent.iter().map(|line| line.chars().take(400).collect::<String>()).collect();
        format!("\nsent:\n  {}", sent.join("\n  "))
    }
}
