//! Ctrl-C as a wish to end soon.

use std::sync::atomic::{AtomicBool, Ordering};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// From now on the first Ctrl-C (or a termination signal) only sets a mark, see [`interrupted`]; the second ends the
/// process with status 130. Returns the mark, for work that takes one.
pub fn watch_interrupts() -> &'static AtomicBool {
    // Without the handler Ctrl-C ends the process at once: less is kept, nothing is wrong.
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            crate::output::remove_parts();
            std::process::exit(130);
        }
    });
    &INTERRUPTED
}

/// Whether the person wants the work to end.
#[must_use]
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}
