//! A progress bar for work that takes longer than a second.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Shorter work shows no bar.
const PATIENCE: Duration = Duration::from_secs(1);

/// How far a piece of work is, on standard error when that is a terminal.
pub struct Progress {
    bar: ProgressBar,
    start: Instant,
    shown: bool,
    total: Option<u64>,
    unit: &'static str,
}

impl Progress {
    /// Work on `total` of something (`unit`), or on an unknown number.
    #[must_use]
    pub fn new(total: Option<u64>, unit: &'static str) -> Self {
        Self { bar: ProgressBar::hidden(), start: Instant::now(), shown: false, total, unit }
    }

    /// So much is done; `message` says what came of it.
    pub fn set(&mut self, done: u64, message: String) {
        if !self.shown && self.start.elapsed() > PATIENCE {
            self.shown = true;
            self.bar = match self.total {
                Some(total) => ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr()),
                None => ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr()),
            };
            let template = match self.total {
                Some(_) => format!("{{bar:30}} {{pos}}/{{len}} {}  {{msg}}  {{eta}} left", self.unit),
                None => format!("{{spinner}} {{pos}} {}  {{msg}}  {{elapsed}}", self.unit),
            };
            if let Ok(style) = ProgressStyle::with_template(&template) {
                self.bar.set_style(style);
            }
            self.bar.enable_steady_tick(Duration::from_millis(500));
        }
        if self.shown {
            self.bar.set_message(message);
            self.bar.set_position(done);
        }
    }

    /// Prints something above the bar.
    pub fn print(&self, action: impl FnOnce()) {
        self.bar.suspend(action);
    }

    /// Removes the bar.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
