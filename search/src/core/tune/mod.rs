//! Tuning by simultaneous perturbation (SPSA): the method, the file that a run goes on from, the driver of many
//! threads. What a contest between two sets of values is, the engine says.

#[cfg(feature = "tune")]
mod command;
mod run;
mod spsa;
mod state;

#[cfg(feature = "tune")]
pub use command::{TuneArgs, command};
pub use run::{Contest, Progress, run};
pub use spsa::{Plan, Spsa, Trial};
pub use state::{load, save};
