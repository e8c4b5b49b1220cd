//! Completions for shells and manual pages, made from the command line itself.

use std::path::PathBuf;

use clap::{Args, Command};
use clap_complete::Shell;

use crate::console::Console;

/// Arguments of `completions`.
#[derive(Args)]
pub struct CompletionArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Arguments of `man`.
#[derive(Args)]
pub struct ManArgs {
    /// Write a page for the program and one for each of its commands into this folder
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

/// Prints the completions of a program.
pub fn completions(mut command: Command, args: &CompletionArgs, console: Console) {
    let name = command.get_name().to_owned();
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut command, name, &mut text);
    console.text(&text);
}

/// Prints the manual page of a program, or writes all of them into a folder.
///
/// # Errors
/// When something cannot be written.
pub fn man(command: Command, args: &ManArgs, console: Console) -> Result<(), String> {
    if let Some(folder) = &args.out {
        return std::fs::create_dir_all(folder)
            .and_then(|()| clap_mangen::generate_to(command, folder))
            .map_err(|error| format!("{}: {error}", folder.display()));
    }
    let mut text = Vec::new();
    clap_mangen::Man::new(command).render(&mut text).map_err(|error| error.to_string())?;
    console.text(&text);
    Ok(())
}
