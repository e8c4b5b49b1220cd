//! The chess searcher: Lazy SMP over a principal variation search.

mod alphabeta;
pub mod bench;
pub mod evaluator;
pub mod handicap;
mod history;
mod moveloop;
mod movepick;
mod node;
pub mod params;
mod prune;
mod qsearch;
mod reduction;
mod root;
pub mod score;
mod searcher;
mod stack;
pub mod tablebase;
mod update;
pub mod wdl;
mod worker;

pub use evaluator::{Evaluation, Evaluator};
pub use handicap::Handicap;
pub use searcher::{Searcher, SoloSearcher};
pub use worker::{Outcome, Request};
