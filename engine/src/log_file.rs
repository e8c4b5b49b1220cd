//! The log: standard error as the environment variable RUST_LOG asks for, or a file.
//!
//! A file gets every line in and out; `debug on` of UCI adds what the searches are asked for.

use std::fs::OpenOptions;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use env_logger::{Builder, Target};
use log::LevelFilter;

/// Whether a file is written.
static IS_FILE: AtomicBool = AtomicBool::new(false);

/// Begins to log; a file is appended to.
///
/// # Errors
/// When the file cannot be written.
pub fn begin(file: Option<&Path>) -> Result<(), String> {
    let Some(path) = file else {
        env_logger::init();
        return Ok(());
    };
    let file = OpenOptions::new()
        .create(true)
        .append(true)
        .open(path)
        .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    Builder::new().filter_level(LevelFilter::Trace).target(Target::Pipe(Box::new(file))).init();
    IS_FILE.store(true, Ordering::Relaxed);
    set_verbose(false);
    Ok(())
}

/// Whether a log file says more than the lines in and out.
pub fn set_verbose(is_on: bool) {
    if IS_FILE.load(Ordering::Relaxed) {
        log::set_max_level(if is_on { LevelFilter::Trace } else { LevelFilter::Debug });
    }
}
