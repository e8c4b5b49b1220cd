//! Output of the command line's tools.

use std::fmt::Display;
use std::io::{ErrorKind, Write};

/// Prints a line. When nobody reads any more (`dyad perft 5 --divide | head`), the program ends quietly.
pub fn line(text: impl Display) {
    let mut output = std::io::stdout().lock();
    match writeln!(output, "{text}").and_then(|()| output.flush()) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(0),
        Err(error) => {
            eprintln!("dyad: cannot write: {error}");
            std::process::exit(1);
        }
    }
}
