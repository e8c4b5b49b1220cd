//! Searches: the engine's own moves, pondering, analysis, and what is said with a move.

use std::sync::Arc;
use std::time::{Duration, Instant};

use movegen::{Board, Color, Move};
use search::chess::score::{centipawns, from_centipawns};
use search::core::limit::Limits;
use uci::error::CecpError;

use super::sink::{CecpSink, SharedProgress, lock, spell};
use super::{Activity, CecpSession, Mode};
use crate::ending::Ending;

/// A draw is accepted when the engine's own score is below this many centipawns...
const WORSE: i32 = -30;
/// ... or, from the move on whose number this is, when it is not above that many.
const LATE: u32 = 40;
const EVEN: i32 = 10;
/// Moves in a row whose score must call for resigning.
const HOPELESS_MOVES: u32 = 3;

/// A game that is over by the rules: result and reason.
fn over(board: &Board) -> Option<&'static str> {
    Ending::of(board).map(|ending| match ending {
        Ending::Mate(Color::White) => "1-0 {White mates}",
        Ending::Mate(Color::Black) => "0-1 {Black mates}",
        Ending::Stalemate => "1/2-1/2 {Stalemate}",
        Ending::Material => "1/2-1/2 {Insufficient material}",
        Ending::Repetition => "1/2-1/2 {Draw by repetition}",
        Ending::FiftyMoves => "1/2-1/2 {50-move rule}",
    })
}

/// Whether the laws let a player claim a draw.
fn is_claimable(board: &Board) -> bool {
    board.is_fifty_move_draw() || board.repetition_count() >= 2
}

impl CecpSession {
    /// Ends whatever search is running, without its answer. What had to wait for its end happens, except for a move
    /// of the opponent.
    pub(super) fn abandon(&mut self) {
        self.halt();
        self.is_interrupted = false;
        self.settle();
    }

    /// Ends whatever search is running, without its answer.
    fn halt(&mut self) {
        if self.activity != Activity::Idle {
            self.engine.searcher.stop();
            self.engine.searcher.wait();
            self.activity = Activity::Idle;
        }
    }

    /// Makes the settings and answers the pings that waited for the end of a search.
    fn settle(&mut self) {
        for setting in std::mem::take(&mut self.settings) {
            self.apply_option(&setting);
        }
        for number in std::mem::take(&mut self.pings) {
            self.pong(&number);
        }
    }

    fn launch(&mut self, activity: Activity, board: Board, limits: Limits, moves: Vec<Move>) {
        self.search += 1;
        self.started = Instant::now();
        self.progress = SharedProgress::default();
        self.activity = activity;
        let mut request = self.engine.request(board, limits, self.started);
        request.search_moves = moves;
        let sink = CecpSink {
            writer: Arc::clone(&self.writer),
            session: self.inputs.clone(),
            search: self.search,
            progress: Arc::clone(&self.progress),
            post: Arc::clone(&self.post),
            chess960: self.chess960,
        };
        self.engine.searcher.start(request, Arc::new(sink));
    }

    /// `go`: plays the side to move from here on.
    pub(super) fn go(&mut self) -> Result<(), CecpError> {
        if self.activity == Activity::Thinking || self.is_interrupted {
            return Ok(());
        }
        if self.is_void || self.mode == Mode::Analyze {
            return Err(CecpError::NotNow("go"));
        }
        self.abandon();
        self.mode = Mode::Play(self.board.side_to_move());
        self.think();
        Ok(())
    }

    /// `playother`: plays the side that is not to move from here on.
    pub(super) fn play_other(&mut self) -> Result<(), CecpError> {
        if self.is_void || self.mode != Mode::Force {
            return Err(CecpError::NotNow("playother"));
        }
        self.mode = Mode::Play(!self.board.side_to_move());
        if self.ponder {
            self.expected = self.suggestion();
            self.start_pondering();
        }
        Ok(())
    }

    /// Begins to think about the engine's move, unless there is none. A draw that is true on the board is claimed,
    /// but who does not take the claim gets a move all the same.
    pub(super) fn think(&mut self) {
        if let Some(result) = over(&self.board) {
            self.writer.line(result);
        }
        if !self.board.has_legal_move() {
            return;
        }
        if self.is_paused {
            self.is_interrupted = true;
        } else if !self.play_from_book() {
            self.start_thinking();
        }
    }

    /// Plays a move of the book, if it has one to be played.
    fn play_from_book(&mut self) -> bool {
        let allowed = if self.excluded.is_empty() { Vec::new() } else { self.candidates() };
        let found = self.engine.book_move(&self.board, &allowed);
        self.pass_on_messages();
        let Some((mv, text)) = found else { return false };
        self.remark(text);
        self.started = Instant::now();
        self.progress = SharedProgress::default();
        self.play(Some(mv), None);
        true
    }

    /// Claims a draw that is true on the board, where moves are left to play.
    pub(super) fn claim_draw(&self) {
        if let Some(result) = over(&self.board) {
            self.writer.line(result);
        }
    }

    fn start_thinking(&mut self) {
        let moves = if self.excluded.is_empty() { Vec::new() } else { self.candidates() };
        let limits = self.clock.limits(self.plies);
        self.launch(Activity::Thinking, self.board.clone(), limits, moves);
    }

    /// Analyses the position, in that mode.
    pub(super) fn start_analysing(&mut self) {
        let is_wanted = self.mode == Mode::Analyze && self.activity == Activity::Idle;
        if !is_wanted || self.is_paused || self.is_void || self.editor.is_some() {
            return;
        }
        let moves = self.candidates();
        if !moves.is_empty() {
            let limits = Limits { infinite: true, ..Limits::default() };
            self.launch(Activity::Analysing, self.board.clone(), limits, moves);
        }
    }

    /// Thinks in the opponent's time, when that is wanted and a reply is expected.
    pub(super) fn start_pondering(&mut self) {
        let is_opponents_turn =
            matches!(self.mode, Mode::Play(side) if side != self.board.side_to_move()) && !self.is_void;
        let is_free = self.activity == Activity::Idle && !self.is_paused && self.editor.is_none();
        let Some(expected) = self.expected.filter(|_| self.ponder && is_opponents_turn && is_free) else {
            return;
        };
        let mut board = self.board.clone();
        if board.try_move(expected).is_err() || !board.has_legal_move() {
            return;
        }
        if self.post.load(std::sync::atomic::Ordering::Relaxed) {
            self.say_hint(expected);
        }
        self.ponder_limits = self.clock.limits(self.plies + 1);
        let limits = Limits { ponder: true, ..self.ponder_limits.clone() };
        self.launch(Activity::Pondering(expected), board, limits, Vec::new());
    }

    /// The expected move has come: the pondering search goes on in the engine's own time.
    pub(super) fn continue_pondered(&mut self) {
        self.started = Instant::now();
        self.activity = Activity::Thinking;
        self.engine.searcher.ponder_hit();
    }

    /// Freezes the search. A move being thought about is found later, with the time that is left for it.
    pub(super) fn pause(&mut self) {
        if self.activity == Activity::Thinking {
            self.clock.use_up(self.time_used());
            self.is_interrupted = true;
        }
        self.halt();
        self.is_paused = true;
    }

    /// Goes on after [`pause`](Self::pause).
    pub(super) fn resume(&mut self) {
        self.is_paused = false;
        if std::mem::take(&mut self.is_interrupted) {
            self.start_thinking();
        } else {
            self.settle();
            self.start_analysing();
            self.start_pondering();
        }
    }

    /// Time that the present search has taken, as the engine's clock counts it.
    fn time_used(&self) -> Duration {
        match self.engine.node_rate() {
            Some(rate) => {
                let nodes = lock(&self.progress).info.as_ref().map_or(0, |info| info.nodes);
                Duration::try_from_secs_f64(nodes as f64 / rate as f64).unwrap_or_default()
            }
            None => self.started.elapsed(),
        }
    }

    /// The search has found the engine's move.
    pub(super) fn play(&mut self, best: Option<Move>, ponder: Option<Move>) {
        let time = self.time_used();
        // The search has said its last word, but its threads may not be back yet.
        self.halt();
        self.last_score = lock(&self.progress).info.as_ref().map(|info| info.score);
        if self.is_hopeless() {
            self.mode = Mode::Force;
            self.writer.line("resign");
        } else if let Some(best) = best.filter(|&mv| self.board.is_legal(mv)) {
            self.clock.moved(self.plies, time);
            let text = spell(best, self.chess960);
            let accepts = std::mem::take(&mut self.draw_offered) && self.accepts_draw();
            self.make(best);
            let offer = if accepts || is_claimable(&self.board) { "offer draw\n" } else { "" };
            self.writer.line(format_args!("{offer}move {text}"));
            if let Some(result) = over(&self.board) {
                self.writer.line(result);
            }
            self.expected = ponder.filter(|&mv| self.board.is_legal(mv));
        }
        self.settle();
        for line in std::mem::take(&mut self.waiting) {
            self.line(line);
        }
        self.start_pondering();
    }

    /// Whether to give the game up: only when told that it may, and the score has been bad enough for some moves.
    fn is_hopeless(&mut self) -> bool {
        let limit = from_centipawns(self.engine.resign_score);
        let is_bad = limit > 0 && self.last_score.is_some_and(|score| score <= -limit);
        self.hopeless = if is_bad { self.hopeless + 1 } else { 0 };
        self.hopeless >= HOPELESS_MOVES
    }

    fn accepts_draw(&self) -> bool {
        let is_late = self.board.fullmove_number() >= LATE;
        let is_enough = |score| score < WORSE || score <= EVEN && is_late;
        self.last_score.is_some_and(|score| is_enough(centipawns(score)))
    }

    /// The opponent offers a draw: answered at once in the opponent's time, else with the engine's move.
    pub(super) fn consider_draw(&mut self) {
        let Mode::Play(side) = self.mode else { return };
        if self.activity == Activity::Thinking || self.is_interrupted {
            self.draw_offered = true;
        } else if side != self.board.side_to_move() && !self.is_void {
            if self.accepts_draw() {
                self.writer.line("offer draw");
            } else {
                self.draw_offered = true;
            }
        }
    }
}
