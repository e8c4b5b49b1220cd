//! From search events to lines of CECP.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use movegen::{Move, Wing};
use search::chess::score::{centipawns, mate_distance};
use search::core::event::{Event, Info, ScoreBound, Sink};
use uci::cecp::{Thinking, mate_score};
use uci::info::Bound;
use uci::io::Writer;

use crate::input::Input;

/// A move as CECP spells it: coordinates, and castling with letters in Chess960, where coordinates could mean
/// another move.
pub fn spell(mv: Move, chess960: bool) -> String {
    match Wing::of(mv.from(), mv.to()) {
        Wing::King if chess960 && mv.is_castling() => "O-O".to_string(),
        Wing::Queen if chess960 && mv.is_castling() => "O-O-O".to_string(),
        _ => mv.uci(false).to_string(),
    }
}

/// What is known of a search in progress.
#[derive(Default)]
pub struct Progress {
    /// The last line of the best variation.
    pub info: Option<Info<Move>>,
    /// Depth, move and place of the root move being searched.
    pub current: Option<(u32, Move, usize)>,
}

/// Progress shared between the searching threads and the session.
pub type SharedProgress = Arc<Mutex<Progress>>;

/// Looks at it, whatever happened to others who did.
pub fn lock(progress: &SharedProgress) -> MutexGuard<'_, Progress> {
    progress.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes the events of one search.
pub struct CecpSink {
    /// Where the lines go.
    pub writer: Arc<Writer>,
    /// Where the answer goes.
    pub session: Sender<Input>,
    /// Number of the search.
    pub search: u64,
    /// What the session may ask about.
    pub progress: SharedProgress,
    /// Whether the thinking is shown; may change while the search runs.
    pub post: Arc<AtomicBool>,
    /// Castling is spelled with letters.
    pub chess960: bool,
}

impl Sink<Move> for CecpSink {
    fn emit(&self, event: Event<Move>) {
        match event {
            Event::Info(info) => {
                if self.post.load(Ordering::Relaxed) {
                    self.writer.line(thinking(&info, self.chess960));
                }
                if info.multi_pv == 1 {
                    lock(&self.progress).info = Some(info);
                }
            }
            Event::CurrentMove { depth, mv, number } => {
                lock(&self.progress).current = Some((depth, mv, number));
            }
            Event::BestMove { best, ponder } => {
                // The session may be gone already; then nobody waits for the answer.
                let _ = self.session.send(Input::Answer { search: self.search, best, ponder });
            }
            Event::Message(text) => log::info!("{text}"),
        }
    }
}

/// One line of thinking.
fn thinking(info: &Info<Move>, chess960: bool) -> Thinking {
    Thinking {
        depth: info.depth,
        score: mate_distance(info.score).map_or(centipawns(info.score), mate_score),
        time: info.elapsed,
        nodes: info.nodes,
        sel_depth: info.sel_depth,
        speed: info.nps,
        table_hits: info.tb_hits,
        moves: info.pv.iter().map(|&mv| spell(mv, chess960)).collect(),
        bound: info.bound.map(|bound| match bound {
            ScoreBound::Lower => Bound::Lower,
            ScoreBound::Upper => Bound::Upper,
        }),
    }
}
