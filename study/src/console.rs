//! Standard output of the command line's tools.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};
use std::process::exit;

/// Standard output of a program, whose name stands before its complaints. A failed output ends the program with
/// status 1 and one line on standard error; a reader that has gone away ends it quietly.
#[derive(Clone, Copy, Debug)]
pub struct Console<'a> {
    program: &'a str,
}

impl<'a> Console<'a> {
    /// The output of `program`.
    #[must_use]
    pub const fn new(program: &'a str) -> Self {
        Self { program }
    }

    /// The program's name.
    #[must_use]
    pub const fn program(self) -> &'a str {
        self.program
    }

    /// Prints a line. When nobody reads any more (`dyad perft 5 --divide | head`), the program ends quietly, unless
    /// it writes files beside: then it goes on with those.
    pub fn line(self, text: impl Display) {
        if !self.is_read(writeln!(io::stdout(), "{text}")) && !crate::is_writing() {
            exit(0);
        }
    }

    /// Prints a line of work that goes on whether anybody reads it or not.
    pub fn line_aside(self, text: impl Display) {
        self.is_read(writeln!(io::stdout(), "{text}"));
    }

    /// Prints text that brings its own line ends.
    pub fn text(self, text: &[u8]) {
        self.is_read(io::stdout().write_all(text));
    }

    /// Prints the help or the version that was asked for.
    pub fn help(self, help: &clap::Error) {
        self.is_read(help.print());
    }

    /// One line about a fault on standard error.
    pub fn complain(self, message: impl Display) {
        eprintln!("{}: {message}", self.program);
    }

    /// Whether somebody still reads what was `written`.
    fn is_read(self, written: io::Result<()>) -> bool {
        match written.and_then(|()| io::stdout().flush()) {
            Ok(()) => true,
            Err(error) if error.kind() == ErrorKind::BrokenPipe => false,
            Err(error) => {
                self.complain(format_args!("cannot write: {error}"));
                crate::remove_parts();
                exit(1);
            }
        }
    }
}
