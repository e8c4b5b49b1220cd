//! The board: games, positions, moves.

use movegen::{Board, Color, FenError, Move, MoveError, NoObserver, SanError};
use uci::cecp::RootMoves;
use uci::error::{CecpError, shown};

use super::clock::agree;
use super::{Activity, CecpSession, Mode};

/// The null move.
const NULL: &str = "@@@@";

impl CecpSession {
    /// A new game: the start position, the engine has Black. An analysis goes on with it.
    pub(super) fn new_game(&mut self) {
        self.abandon();
        self.engine.searcher.new_game();
        self.engine.game_nodes_per_second = None;
        self.clock.reset();
        self.chess960 = false;
        self.is_paused = false;
        self.draw_offered = false;
        self.last_score = None;
        self.hopeless = 0;
        if self.mode != Mode::Analyze {
            self.mode = Mode::Play(Color::Black);
        }
        self.set_up(Ok(Board::startpos()));
    }

    /// Only before the first move of a game.
    pub(super) fn set_variant(&mut self, name: &str) -> Result<(), CecpError> {
        let chess960 = match name {
            "normal" => false,
            "fischerandom" => true,
            _ => return Err(CecpError::Variant(shown(name))),
        };
        if self.plies > 0 || self.activity == Activity::Thinking {
            return Err(CecpError::NotNow("variant"));
        }
        self.chess960 = chess960;
        Ok(())
    }

    /// Takes a position, or notes that there is none. It is searched in an analysis only; a game waits for what
    /// comes next.
    pub(super) fn set_up(&mut self, board: Result<Board, FenError>) {
        self.abandon();
        match board {
            Ok(board) => {
                self.board = board;
                self.is_void = false;
            }
            Err(error) => {
                self.is_void = true;
                self.writer.line(format_args!("tellusererror Illegal position ({error})"));
            }
        }
        self.plies = 0;
        self.clock.restart_moves();
        self.expected = None;
        self.excluded.clear();
        self.start_analysing();
    }

    /// `white` and `black`: the turn goes to that side, the engine plays the other.
    pub(super) fn set_side(&mut self, side: Color) {
        self.abandon();
        if self.board.side_to_move() != side && !self.board.in_check() && !self.is_void {
            self.board.make_null();
            self.count_ply();
        }
        if self.mode != Mode::Analyze {
            self.mode = Mode::Play(!side);
        }
        self.start_analysing();
    }

    fn count_ply(&mut self) {
        self.plies += 1;
        self.expected = None;
        self.excluded.clear();
    }

    /// Makes a legal move on the board.
    pub(super) fn make(&mut self, mv: Move) {
        self.board.make_move(mv, &mut NoObserver);
        self.count_ply();
    }

    /// Takes back so many plies. In a game the engine then waits for a move or `go`.
    pub(super) fn take_back(&mut self, count: usize, command: &'static str) -> Result<(), CecpError> {
        if self.is_void || self.plies < count {
            return Err(CecpError::NotNow(command));
        }
        self.abandon();
        for _ in 0..count {
            self.board.unmake_move();
        }
        self.plies -= count;
        self.expected = None;
        self.excluded.clear();
        self.draw_offered = false;
        self.start_analysing();
        Ok(())
    }

    /// Reads a move of the present position: coordinates, castling with letters, algebraic notation.
    fn read_move(&self, text: &str) -> Result<Move, CecpError> {
        let refused = |reason| Err(CecpError::RefusedMove { reason, text: text.to_owned() });
        if self.is_void {
            return refused("there is no legal position");
        }
        match self.board.parse_uci(text) {
            Ok(mv) => Ok(mv),
            Err(MoveError::Illegal) => Err(CecpError::IllegalMove(text.to_owned())),
            Err(MoveError::Malformed) => match self.board.parse_san(text) {
                Ok(mv) => Ok(mv),
                Err(SanError::Ambiguous) => refused("it is ambiguous"),
                Err(_) => Err(CecpError::IllegalMove(text.to_owned())),
            },
        }
    }

    /// A move of the user: the opponent's in a game, any side's otherwise.
    pub(super) fn user_move(&mut self, text: &str) -> Result<(), CecpError> {
        if self.is_interrupted {
            let reason = "the engine is to move";
            return Err(CecpError::RefusedMove { reason, text: text.to_owned() });
        }
        if text == NULL && !self.is_void {
            if self.board.in_check() {
                return Err(CecpError::IllegalMove(text.to_owned()));
            }
            self.abandon();
            self.board.make_null();
            self.count_ply();
        } else {
            let mv = self.read_move(text)?;
            if self.activity == Activity::Pondering(mv) && self.is_hit() {
                self.make(mv);
                self.claim_draw();
                self.continue_pondered();
                return Ok(());
            }
            self.abandon();
            self.make(mv);
        }
        match self.mode {
            Mode::Force => {}
            Mode::Analyze => self.start_analysing(),
            Mode::Play(_) => {
                // Also where the engine had not been told to move its own side: then the user did.
                self.mode = Mode::Play(self.board.side_to_move());
                self.think();
            }
        }
        Ok(())
    }

    /// Whether the pondering search may go on under what the clock says now.
    fn is_hit(&self) -> bool {
        agree(&self.ponder_limits, &self.clock.limits(self.plies + 1))
    }

    /// Takes root moves out of the search, or back in.
    pub(super) fn exclude(&mut self, moves: &RootMoves, is_out: bool) -> Result<(), CecpError> {
        let command = if is_out { "exclude" } else { "include" };
        if self.is_void || self.activity == Activity::Thinking || self.is_interrupted {
            return Err(CecpError::NotNow(command));
        }
        let excluded = match moves {
            RootMoves::All if is_out => self.board.legal_moves().into_iter().collect(),
            RootMoves::All => Vec::new(),
            RootMoves::One(text) => {
                let mv = self.read_move(text)?;
                let mut excluded = self.excluded.clone();
                excluded.retain(|&other| other != mv);
                if is_out {
                    excluded.push(mv);
                }
                excluded
            }
        };
        if self.activity == Activity::Analysing {
            self.abandon();
        }
        self.excluded = excluded;
        self.start_analysing();
        Ok(())
    }

    /// The moves of the present position that are not excluded.
    pub(super) fn candidates(&self) -> Vec<Move> {
        self.board.legal_moves().into_iter().filter(|mv| !self.excluded.contains(mv)).collect()
    }
}
