//! The executable `dyad-draughts`.

mod cli;

fn main() -> std::process::ExitCode {
    cli::run()
}
