//! The engine's options: data for the protocols, handlers that apply them.

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use eval::random::Random;
use movegen::{Board, Move};
use search::chess::evaluator::{EMBEDDED, HAND_WRITTEN};
use search::chess::handicap::{MAX_ELO, MIN_ELO};
use search::chess::tablebase::{MAX_MEN, TableUse, Tables};
use search::chess::{Evaluation, Handicap, Request, Searcher};
use search::core::limit::Limits;
use search::core::time::{GameLength, TimeManager};
use uci::option::{OptionKind, OptionTable, Value};

use crate::book::{Book, Entry, Variety};

/// Most searching threads.
pub const MAX_THREADS: i64 = 1024;
/// Largest transposition table in MiB.
pub const MAX_HASH: i64 = 1 << 20;
/// Default size of the transposition table in MiB.
pub const DEFAULT_HASH: i64 = 16;
/// Default time in milliseconds kept back for the way between program and engine.
pub const DEFAULT_OVERHEAD: i64 = 10;
/// Default number of moves of a game that may come from the book.
const DEFAULT_BOOK_MOVES: i64 = 255;
/// Most lines of a MultiPV search.
const MAX_LINES: i64 = 256;

/// What the options or the book have to say to a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// All is well.
    Note(String),
    /// Something is not as it was wanted.
    Fault(String),
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Note(text) | Self::Fault(text)) = self;
        f.write_str(text)
    }
}

/// What the options set, together with the searcher they act on.
pub struct Engine {
    /// The searcher; `Hash`, `Threads` and `Clear Hash` change it at once, so no search may run then.
    pub searcher: Searcher,
    /// Number of best lines.
    pub multi_pv: usize,
    /// Castling is printed as king takes rook.
    pub chess960: bool,
    /// Win, draw and loss chances are printed.
    pub show_wdl: bool,
    /// Time lost per move outside of the engine.
    pub overhead: Duration,
    /// Nodes that count as a second of time, when time is counted in nodes.
    pub nodes_per_second: Option<u64>,
    /// The same for the present game only, before all else.
    pub game_nodes_per_second: Option<u64>,
    /// Under CECP, resign when the score stays this many centipawns below zero; 0 for never.
    pub resign_score: i32,
    limit_strength: bool,
    elo: u32,
    tables: Option<Arc<Tables>>,
    probe_depth: i32,
    probe_limit: u32,
    fifty_moves: bool,
    own_book: bool,
    book: Option<Book>,
    book_plies: u32,
    variety: Variety,
    random: Random,
    analyse_mode: bool,
    messages: Vec<Message>,
}

impl Default for Engine {
    fn default() -> Self {
        Self {
            searcher: Searcher::new(1, DEFAULT_HASH as usize),
            multi_pv: 1,
            chess960: false,
            show_wdl: false,
            overhead: Duration::from_millis(DEFAULT_OVERHEAD as u64),
            nodes_per_second: None,
            game_nodes_per_second: None,
            resign_score: 0,
            limit_strength: false,
            elo: MAX_ELO,
            tables: None,
            probe_depth: 1,
            probe_limit: MAX_MEN,
            fifty_moves: true,
            own_book: false,
            book: None,
            book_plies: 2 * DEFAULT_BOOK_MOVES as u32,
            variety: Variety::Weighted,
            random: Random::anywhere(),
            analyse_mode: false,
            messages: Vec::new(),
        }
    }
}

impl Engine {
    /// The limit of playing strength in force.
    pub fn handicap(&self) -> Option<Handicap> {
        self.limit_strength.then(|| Handicap::from_elo(self.elo))
    }

    /// The endgame tables to use; none while the strength is limited.
    pub fn tables(&self) -> Option<TableUse> {
        let tables = self.tables.as_ref().filter(|_| !self.limit_strength && self.probe_limit > 0)?;
        Some(TableUse {
            tables: Arc::clone(tables),
            probe_depth: self.probe_depth,
            probe_limit: self.probe_limit,
            fifty_moves: self.fifty_moves,
        })
    }

    /// What options set since the last call have to say to a person.
    pub fn take_messages(&mut self) -> Vec<Message> {
        std::mem::take(&mut self.messages)
    }

    /// The move of the opening book to play, with what to say of it. `allowed` restricts the choice unless it is
    /// empty.
    pub fn book_move(&mut self, board: &Board, allowed: &[Move]) -> Option<(Move, String)> {
        if !self.own_book || self.analyse_mode {
            return None;
        }
        if board.ply_count() >= self.book_plies || board.is_chess960() {
            return None;
        }
        match self.book.as_ref()?.choose(board, allowed, self.variety, &mut self.random) {
            Ok(found) => found
                .map(|(mv, entry)| (mv, format!("book move {} of weight {}", board.san(mv), entry.weight))),
            Err(error) => {
                let text = format!("the book cannot be read and is no longer used: {error}");
                self.messages.push(Message::Fault(text));
                self.book = None;
                None
            }
        }
    }

    /// The moves of the opening book in this position, whether they are to be played or not; none without a book.
    pub fn book_moves(&self, board: &Board) -> Vec<(Move, Entry)> {
        self.book.as_ref().and_then(|book| book.moves(board).ok()).unwrap_or_default()
    }

    /// Takes a book into use; without a name there is none.
    fn set_book(&mut self, name: &str) -> Result<(), String> {
        self.book = None;
        if !name.is_empty() {
            let book =
                Book::open(Path::new(name)).map_err(|error| format!("{name}: {error}; no book is used"))?;
            self.messages.extend(book.size_fault().map(Message::Fault));
            self.book = Some(book);
        }
        Ok(())
    }

    /// Takes the tables of a list of folders into use.
    fn set_tables(&mut self, list: &str) {
        // Scores by other tables must not stay behind.
        self.searcher.clear_hash();
        self.tables = None;
        if !list.is_empty() {
            let (tables, found) = Tables::find(list);
            let is_good = found.faults.is_empty() && tables.max_men() > 0;
            let message = if is_good { Message::Note } else { Message::Fault };
            self.messages.push(message(found.to_string()));
            self.tables = (tables.max_men() > 0).then(|| Arc::new(tables));
        }
    }

    /// Nodes that count as a second of time now; `None` when the real time counts.
    pub fn node_rate(&self) -> Option<u64> {
        self.game_nodes_per_second.or(self.nodes_per_second)
    }

    /// A search under these limits with all that the options say of it; its time counts from `start`.
    pub fn request(&self, board: Board, mut limits: Limits, start: Instant) -> Request {
        let ply = board.ply_count();
        if let Some(rate) = self.node_rate() {
            count_in_nodes(&mut limits, rate, ply);
        }
        log::trace!("search {} under {limits:?}", board.fen());
        let mut request = Request::new(board, limits);
        request.start = start;
        request.multi_pv = self.multi_pv;
        request.overhead = self.overhead;
        request.handicap = self.handicap();
        request.tables = self.tables();
        request
    }
}

/// Turns limits of time into limits of nodes, `rate` of them to the second: a search that does not depend on the
/// machine's speed. The budgets are those of the clock, without what the iterations show.
fn count_in_nodes(limits: &mut Limits, rate: u64, ply: u32) {
    let budgets = TimeManager::new(limits, Instant::now(), Duration::ZERO, GameLength::chess(ply));
    let nodes = |time: Duration| ((time.as_secs_f64() * rate as f64) as u64).max(1);
    if let Some(hard) = budgets.hard() {
        limits.nodes = Some(nodes(hard).min(limits.nodes.unwrap_or(u64::MAX)));
    }
    if let Some(soft) = budgets.soft() {
        limits.soft_nodes = Some(nodes(soft));
    }
    limits.clock = None;
    limits.move_time = None;
}

/// What the engine says about itself.
pub fn about() -> String {
    format!("Dyad {} by the Dyad authors, GPL-3.0-or-later", env!("CARGO_PKG_VERSION"))
}

/// Name of the evaluation in use at the start.
fn evaluation_name() -> String {
    match Evaluation::built_in() {
        Evaluation::HandWritten => HAND_WRITTEN.to_string(),
        Evaluation::Network(_) => EMBEDDED.to_string(),
    }
}

fn check(default: bool) -> OptionKind {
    OptionKind::Check { default }
}

fn spin(default: i64, min: i64, max: i64) -> OptionKind {
    OptionKind::Spin { default, min, max }
}

/// Ignores a value: for options that only inform the engine.
fn accept(_: &mut Engine, _: Value) -> Result<(), String> {
    Ok(())
}

/// All options.
pub fn table() -> OptionTable<Engine> {
    OptionTable::<Engine>::new()
        .with("Hash", spin(DEFAULT_HASH, 1, MAX_HASH), |engine, value| {
            let Value::Spin(mib) = value else { return Ok(()) };
            let got = engine.searcher.set_hash(mib as usize);
            if got as i64 == mib { Ok(()) } else { Err(format!("no memory for {mib} MiB, using {got} MiB")) }
        })
        .with("Threads", spin(1, 1, MAX_THREADS), |engine, value| {
            let Value::Spin(wanted) = value else { return Ok(()) };
            let got = engine.searcher.set_threads(wanted as usize);
            if got as i64 == wanted { Ok(()) } else { Err(format!("only {got} threads could be started")) }
        })
        .with("Clear Hash", OptionKind::Button, |engine, _| {
            engine.searcher.clear_hash();
            Ok(())
        })
        .with("Ponder", check(false), accept)
        .with("MultiPV", spin(1, 1, MAX_LINES), |engine, value| {
            if let Value::Spin(lines) = value {
                engine.multi_pv = lines as usize;
            }
            Ok(())
        })
        .with("Move Overhead", spin(DEFAULT_OVERHEAD, 0, 10_000), |engine, value| {
            if let Value::Spin(ms) = value {
                engine.overhead = Duration::from_millis(ms as u64);
            }
            Ok(())
        })
        .with("EvalFile", OptionKind::String { default: evaluation_name() }, |engine, value| {
            let Value::String(name) = value else { return Ok(()) };
            let evaluation = Evaluation::from_name(&name).map_err(|error| format!("{name}: {error}"))?;
            engine.searcher.set_evaluation(evaluation);
            Ok(())
        })
        .with("OwnBook", check(false), |engine, value| {
            engine.own_book = value == Value::Check(true);
            Ok(())
        })
        .with("BookFile", OptionKind::String { default: String::new() }, |engine, value| {
            let Value::String(name) = value else { return Ok(()) };
            engine.set_book(&name)
        })
        .with("BookDepth", spin(DEFAULT_BOOK_MOVES, 0, 1000), |engine, value| {
            if let Value::Spin(moves) = value {
                engine.book_plies = 2 * moves as u32;
            }
            Ok(())
        })
        .with(
            "BookVariety",
            OptionKind::Combo { default: "weighted", choices: Variety::NAMES.to_vec() },
            |engine, value| {
                if let Value::Combo(name) = value {
                    engine.variety = Variety::from_name(name);
                }
                Ok(())
            },
        )
        .with("SyzygyPath", OptionKind::String { default: String::new() }, |engine, value| {
            if let Value::String(list) = value {
                engine.set_tables(&list);
            }
            Ok(())
        })
        .with("SyzygyProbeDepth", spin(1, 1, 100), |engine, value| {
            if let Value::Spin(depth) = value {
                engine.probe_depth = depth as i32;
            }
            Ok(())
        })
        .with("Syzygy50MoveRule", check(true), |engine, value| {
            engine.fifty_moves = value == Value::Check(true);
            engine.searcher.clear_hash();
            Ok(())
        })
        .with("SyzygyProbeLimit", spin(i64::from(MAX_MEN), 0, i64::from(MAX_MEN)), |engine, value| {
            if let Value::Spin(men) = value {
                engine.probe_limit = men as u32;
            }
            Ok(())
        })
        .with("UCI_Chess960", check(false), |engine, value| {
            engine.chess960 = value == Value::Check(true);
            Ok(())
        })
        .with("UCI_ShowWDL", check(false), |engine, value| {
            engine.show_wdl = value == Value::Check(true);
            Ok(())
        })
        .with("UCI_AnalyseMode", check(false), |engine, value| {
            engine.analyse_mode = value == Value::Check(true);
            Ok(())
        })
        .with("UCI_LimitStrength", check(false), |engine, value| {
            engine.limit_strength = value == Value::Check(true);
            Ok(())
        })
        .with("UCI_Elo", spin(i64::from(MAX_ELO), i64::from(MIN_ELO), i64::from(MAX_ELO)), |engine, value| {
            if let Value::Spin(elo) = value {
                engine.elo = elo as u32;
            }
            Ok(())
        })
        .with("NodesTime", spin(0, 0, 1_000_000), |engine, value| {
            if let Value::Spin(per_ms) = value {
                engine.nodes_per_second = (per_ms > 0).then(|| per_ms.unsigned_abs() * 1000);
            }
            Ok(())
        })
        .with("ResignScore", spin(0, 0, 20_000), |engine, value| {
            if let Value::Spin(score) = value {
                engine.resign_score = score as i32;
            }
            Ok(())
        })
        .with("UCI_Opponent", OptionKind::String { default: String::new() }, |_, value| {
            if let Value::String(opponent) = value {
                log::info!("the opponent is {opponent}");
            }
            Ok(())
        })
        .with("UCI_EngineAbout", OptionKind::String { default: about() }, accept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_sound() {
        assert_eq!(table().check(), Ok(()));
    }

    #[test]
    fn strength_is_limited_only_when_asked() {
        let (table, mut engine) = (table(), Engine::default());
        assert!(table.set(&mut engine, "uci_elo", Some("1200")).is_ok());
        assert_eq!(engine.handicap(), None);
        assert!(table.set(&mut engine, "UCI_LimitStrength", Some("TRUE")).is_ok());
        assert_eq!(engine.handicap(), Some(Handicap::from_elo(1200)));
    }
}
