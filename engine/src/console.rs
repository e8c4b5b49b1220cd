//! Output of the command line's tools.

use std::fmt::Display;

use study::Console;

/// Standard output of the program.
pub const CONSOLE: Console<'static> = Console::new("dyad");

/// Prints a line, see [`Console::line`].
pub fn line(text: impl Display) {
    CONSOLE.line(text);
}

/// Prints a line of work that goes on whether anybody reads it or not.
pub fn line_aside(text: impl Display) {
    CONSOLE.line_aside(text);
}
