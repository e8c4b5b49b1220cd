//! Output of the command line's tools.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};

/// Prints a line. When nobody reads any more (`dyad perft 5 --divide | head`), the program ends quietly, unless it
/// writes files beside: then it goes on with those.
pub fn line(text: impl Display) {
    if !is_read(text) && !study::is_writing() {
        std::process::exit(0);
    }
}

/// Prints a line of work that goes on whether anybody reads it or not.
pub fn line_aside(text: impl Display) {
    is_read(text);
}

/// Prints a line; whether somebody still reads.
fn is_read(text: impl Display) -> bool {
    let mut output = io::stdout().lock();
    match writeln!(output, "{text}").and_then(|()| output.flush()) {
        Ok(()) => true,
        Err(error) if error.kind() == ErrorKind::BrokenPipe => false,
        Err(error) => {
            eprintln!("dyad: cannot write: {error}");
            study::remove_parts();
            std::process::exit(1);
        }
    }
}
