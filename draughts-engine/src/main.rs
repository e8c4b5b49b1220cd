//! The executable `dyad-draughts`.

mod cli;
mod tool;

fn main() -> std::process::ExitCode {
    cli::run()
}
