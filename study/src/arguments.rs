//! Arguments of the command line: how they are read, and the values that tools of both engines take.

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use clap::builder::RangedI64ValueParser;
use clap::{Arg, Command, CommandFactory, FromArgMatches};

use crate::console::Console;
use crate::failure::Failure;

/// Longest paths that perft counts, in plies: far beyond what anybody can wait for.
pub const PERFT_MAX_DEPTH: u32 = 30;

/// Reads the arguments of the program.
///
/// # Errors
/// The exit status, when there is nothing left to do: the help was printed, or one line says what is wrong.
pub fn read_arguments<C: CommandFactory + FromArgMatches>(console: Console) -> Result<C, ExitCode> {
    let mut command = prepared(C::command());
    let matches = command.try_get_matches_from_mut(std::env::args_os());
    let read = matches.and_then(|mut matches| {
        C::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command))
    });
    read.map_err(|error| {
        if error.use_stderr() {
            return Failure::Usage(one_line(&error.to_string(), console)).report(console);
        }
        console.help(&error);
        ExitCode::SUCCESS
    })
}

/// The command with all below it: a negative number is a value, whose range can be told, and a missing sub-command is
/// an error, which names those that there are.
fn prepared(command: Command) -> Command {
    let command = if command.has_subcommands() { command.arg_required_else_help(false) } else { command };
    command.mut_args(with_negative_numbers).mut_subcommands(prepared)
}

fn with_negative_numbers(arg: Arg) -> Arg {
    if arg.get_action().takes_values() { arg.allow_negative_numbers(true) } else { arg }
}

/// The first paragraph of clap's message without its label, as one line.
fn one_line(message: &str, console: Console) -> String {
    let paragraph = message.split("\n\n").next().unwrap_or(message);
    let joined = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
    format!("{} (see '{} --help')", joined.trim_start_matches("error: "), console.program())
}

/// Reads a positive number of seconds.
///
/// # Errors
/// When it is none, or lies outside of what a search can be given.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let value: f64 = text.parse().map_err(|_| "not a number of seconds".to_string())?;
    if !(0.001..=1.0e7).contains(&value) {
        return Err("not between 0.001 and 10000000 seconds".into());
    }
    Ok(Duration::from_secs_f64(value))
}

/// Depth of a search in plies.
#[must_use]
pub fn depth() -> RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..=240)
}

/// Depth of the searches of a benchmark in plies.
#[must_use]
pub fn bench_depth() -> RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..=100)
}

/// Length in plies of the paths that perft counts.
#[must_use]
pub fn perft_depth() -> RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(0..=i64::from(PERFT_MAX_DEPTH))
}

/// Size of a transposition table in MiB.
#[must_use]
pub fn hash() -> RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..=1_048_576)
}

/// Refuses the name of a file where a position is expected, and names the option for such a file. `kinds` are endings
/// of names with their options.
///
/// # Errors
/// When the text has one of the endings.
pub fn refuse_file_name(text: &str, kinds: &[(&str, &str)]) -> Result<(), String> {
    let ending = Path::new(text).extension().and_then(|ending| ending.to_str());
    let kind = ending.and_then(|ending| kinds.iter().find(|(kind, _)| ending.eq_ignore_ascii_case(kind)));
    kind.map_or(Ok(()), |(_, option)| Err(format!("'{text}' is no position: for a file there is {option}")))
}

/// A number of things with their name: `1 game`, `2 games`.
#[must_use]
pub fn counted(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_must_be_positive_and_finite() {
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        for text in ["0", "-1", "nan", "inf", "1e300", "abc", ""] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }

    #[test]
    fn files_are_no_positions() {
        let kinds = [("pgn", "--pgn")];
        assert!(refuse_file_name("a/games.PGN", &kinds).is_err_and(|error| error.ends_with("--pgn")));
        for text in ["startpos", "8/8/8/8/8/8/8/K1k5 w - - 0 1", "a.epd", ".pgn"] {
            assert_eq!(refuse_file_name(text, &kinds), Ok(()), "{text}");
        }
    }

    #[test]
    fn one_is_singular() {
        assert_eq!([0, 1, 2].map(|number| counted(number, "game")), ["0 games", "1 game", "2 games"]);
    }
}
