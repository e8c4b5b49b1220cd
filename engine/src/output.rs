//! From search events to lines of UCI.

use std::sync::Arc;
use std::sync::mpsc::Sender;

use movegen::{Board, Move};
use search::chess::score::{centipawns, mate_distance};
use search::chess::wdl;
use search::core::event::{Event, Info, ScoreBound, Sink};
use uci::info::{BestMove, Bound, CurrMove, InfoLine, InfoString, Score};
use uci::io::Writer;

use crate::input::Input;

/// Prints the events of one search.
pub struct UciSink {
    /// Where the lines go.
    pub writer: Arc<Writer>,
    /// Told before the best move is printed, so that the session knows that the search is over before any
    /// answer to the move can arrive.
    pub finished: Sender<Input>,
    /// Root position.
    pub board: Board,
    /// Castling is printed as king takes rook.
    pub chess960: bool,
    /// Win, draw and loss chances are printed.
    pub show_wdl: bool,
}

impl Sink<Move> for UciSink {
    fn emit(&self, event: Event<Move>) {
        match event {
            Event::Info(info) => {
                self.writer.line(info_line(&info, &self.board, self.chess960, self.show_wdl));
            }
            Event::CurrentMove { depth, mv, number } => {
                self.writer.line(CurrMove { depth, mv: mv.uci(self.chess960).to_string(), number });
            }
            Event::BestMove { best, ponder } => {
                let spell = |mv: Move| mv.uci(self.chess960).to_string();
                let answer = BestMove { best: best.map(spell), ponder: ponder.map(spell) };
                // The session may be gone already; then nobody waits for the news.
                self.writer.line_after(|| drop(self.finished.send(Input::Finished)), answer);
            }
            Event::Message(text) => self.writer.line(InfoString(text)),
        }
    }
}

/// A search score as UCI spells it.
pub fn uci_score(score: i32) -> Score {
    mate_distance(score).map_or(Score::Cp(centipawns(score)), Score::Mate)
}

/// One `info` line.
pub fn info_line(info: &Info<Move>, board: &Board, chess960: bool, show_wdl: bool) -> InfoLine {
    InfoLine {
        depth: info.depth,
        seldepth: info.sel_depth,
        multipv: info.multi_pv,
        score: uci_score(info.score),
        bound: info.bound.map(|bound| match bound {
            ScoreBound::Lower => Bound::Lower,
            ScoreBound::Upper => Bound::Upper,
        }),
        // Depth 0 means that the game is over: mate or stalemate.
        wdl: show_wdl.then(|| match (info.depth, info.score) {
            (0, 0) => [0, 1000, 0],
            (_, score) => wdl::chances(score, board),
        }),
        nodes: info.nodes,
        nps: info.nps,
        hashfull: info.hashfull,
        tbhits: info.tb_hits,
        time_ms: u64::try_from(info.elapsed.as_millis()).unwrap_or(u64::MAX),
        pv: info.pv.iter().map(|mv| mv.uci(chess960).to_string()).collect(),
    }
}
