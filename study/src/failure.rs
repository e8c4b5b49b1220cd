//! Why a tool of the command line failed, and the exit status that says so.

use std::fmt::Display;
use std::process::ExitCode;

use crate::console::Console;

/// Why a tool failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The command line or an input file cannot be used: status 2. A bare message means this.
    Usage(String),
    /// The work itself failed, or found faults: status 1.
    Work(String),
}

impl Failure {
    /// Failed work.
    pub fn work(reason: impl Display) -> Self {
        Self::Work(reason.to_string())
    }

    /// Says it in one line on standard error; the exit status.
    #[must_use]
    pub fn report(&self, console: Console) -> ExitCode {
        let (message, status) = match self {
            Self::Usage(message) => (message, 2),
            Self::Work(message) => (message, 1),
        };
        console.complain(message);
        ExitCode::from(status)
    }
}

impl From<String> for Failure {
    fn from(message: String) -> Self {
        Self::Usage(message)
    }
}

impl From<&str> for Failure {
    fn from(message: &str) -> Self {
        Self::Usage(message.to_owned())
    }
}

/// The exit status of a tool, its own or that of its failure, which is reported.
pub fn exit_code(result: Result<u8, Failure>, console: Console) -> ExitCode {
    match result {
        Err(failure) => failure.report(console),
        // What a shell gives for SIGINT.
        Ok(0) if crate::interrupted() => ExitCode::from(130),
        Ok(status) => ExitCode::from(status),
    }
}
