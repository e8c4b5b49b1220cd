//! What a person does with games, whichever game it is: judging moves by what they cost, reports as text, JSON and
//! HTML, many games at a time in their order, a game against the engine in a terminal.
//!
//! Nothing in here knows the rules of chess or of draughts; positions and moves come as texts.

mod again;
mod annotate;
mod arguments;
mod clock;
mod console;
mod database;
mod date;
mod failure;
mod html;
mod interrupt;
mod judgement;
mod ordered;
mod output;
mod play;
mod progress;
mod report;
mod shell;
mod summary;
mod terminal;

pub use annotate::annotated;
pub use arguments::{
    PERFT_MAX_DEPTH, bench_depth, counted, depth, hash, perft_depth, read_arguments, refuse_file_name,
    seconds,
};
pub use clock::{Clock, parse_clock};
pub use console::Console;
pub use database::{Analyst, Target, Wanted, analyse_games, open_games, refuse_output};
pub use date::today;
pub use failure::{Failure, exit_code};
pub use html::HtmlReport;
pub use interrupt::{interrupted, watch_interrupts};
pub use judgement::{Judgement, Mark, Verdict, accuracy, judge};
pub use ordered::in_order;
pub use output::{OutFile, is_writing, refuse_inputs, remove_parts};
pub use play::{Ending, Opponent, Pace, Seat, Settings, Turn, play};
pub use progress::Progress;
pub use report::{GameReport, LineReport, PlyReport, Side, SideSummary};
pub use shell::{CompletionArgs, ManArgs, completions, man};
pub use summary::summary_text;
pub use terminal::{Style, bar, graph, win_bar};
