//! Whole games of the engine against itself over pipes, with a referee: every move legal, one answer for each
//! `go`, and a result by the rules. The clock is kept, but what is asserted of it is generous: a loaded machine
//! may stop any process for a while.

#[path = "support/uci.rs"]
mod support;

use movegen::{Board, Color, Move, NoObserver};
use std::time::{Duration, Instant};
use support::{Random, Uci};

/// A game longer than this proves nothing more.
const MOST_PLIES: usize = 250;

/// How much longer than its clock a side may think before it counts as hung.
const GRACE: Duration = Duration::from_secs(20);

/// How the sides are told to think.
#[derive(Clone, Copy)]
enum Pace {
    /// Main time and increment in milliseconds.
    Clock(i64, i64),
    /// As [`Pace::Clock`], and they think in the other's time.
    Ponder(i64, i64),
    Nodes(u32),
}

/// How a game ended.
#[derive(Debug, PartialEq, Eq)]
enum End {
    Checkmate,
    Stalemate,
    FiftyMoves,
    Repetition,
    Material,
    TooLong,
}

/// Whether the game is over.
fn end(board: &Board) -> Option<End> {
    if board.is_checkmate() {
        Some(End::Checkmate)
    } else if board.is_stalemate() {
        Some(End::Stalemate)
    } else if board.is_fifty_move_draw() {
        Some(End::FiftyMoves)
    } else if board.repetition_count() >= 2 {
        Some(End::Repetition)
    } else if board.is_insufficient_material() {
        Some(End::Material)
    } else {
        None
    }
}

/// A game in progress.
struct Game {
    start: String,
    chess960: bool,
    pace: Pace,
    board: Board,
    moves: Vec<Move>,
    /// Milliseconds left, by colour.
    clocks: [i64; 2],
    /// What each side thinks about in the other's time, by colour.
    pondering: [Option<Move>; 2],
}

impl Game {
    fn new(board: Board, chess960: bool, pace: Pace) -> Self {
        let clock = match pace {
            Pace::Clock(time, _) | Pace::Ponder(time, _) => time,
            Pace::Nodes(_) => 0,
        };
        let start = board.fen();
        Self { start, chess960, pace, board, moves: Vec::new(), clocks: [clock; 2], pondering: [None; 2] }
    }

    fn play(&mut self, mv: Move) {
        assert!(self.board.is_legal(mv));
        self.board.make_move(mv, &mut NoObserver);
        self.moves.push(mv);
    }

    /// What follows the word `position`, with more moves than were played.
    fn position(&self, more: &[Move]) -> String {
        let mut text = format!("fen {}", self.start);
        if self.moves.len() + more.len() > 0 {
            text.push_str(" moves");
        }
        for mv in self.moves.iter().chain(more) {
            text.push_str(&format!(" {}", mv.uci(self.chess960)));
        }
        text
    }

    fn limits(&self) -> String {
        let [white, black] = self.clocks;
        match self.pace {
            Pace::Clock(_, increment) | Pace::Ponder(_, increment) => {
                format!("wtime {white} btime {black} winc {increment} binc {increment}")
            }
            Pace::Nodes(nodes) => format!("nodes {nodes}"),
        }
    }

    /// Lets the side to move answer and plays its move.
    fn step(&mut self, engine: &mut Uci) {
        let side = self.board.side_to_move();
        let guess = self.pondering[side.index()].take();
        let start = Instant::now();
        if let Some(guess) = guess {
            if self.moves.last() == Some(&guess) {
                engine.send("ponderhit");
            } else {
                engine.send("stop");
                engine.finish();
                engine.sync_silent();
                engine.position(&self.position(&[]));
                engine.start_go(&self.limits());
            }
        } else {
            engine.position(&self.position(&[]));
            engine.sync_silent();
            engine.start_go(&self.limits());
        }
        let search = engine.finish();
        engine.sync_silent();
        self.stop_clock(side, start.elapsed());
        let mv = search.best.unwrap();
        self.play(mv);
        if let (Pace::Ponder(..), Some(reply)) = (self.pace, search.ponder)
            && end(&self.board).is_none()
        {
            engine.position(&self.position(&[reply]));
            engine.start_go(&format!("ponder {}", self.limits()));
            self.pondering[side.index()] = Some(reply);
        }
    }

    /// Takes the time used off the clock. Where the machine was late, the clock goes on from a little.
    fn stop_clock(&mut self, side: Color, used: Duration) {
        if let Pace::Clock(_, increment) | Pace::Ponder(_, increment) = self.pace {
            let clock = &mut self.clocks[side.index()];
            let left = Duration::from_millis(*clock as u64);
            assert!(used < left + GRACE, "{used:?} with {left:?} left");
            *clock = (*clock - used.as_millis() as i64).max(5) + increment;
        }
    }
}

/// Plays a game from some random moves after the start position given.
fn play(start: Board, chess960: bool, pace: Pace, seed: u64) -> End {
    let mut random = Random(seed);
    let mut board = start;
    for _ in 0..6 {
        let mv = *random.pick(&board.legal_moves());
        board.make_move(mv, &mut NoObserver);
    }
    let fen = board.fen();
    let mut game = Game::new(Board::from_fen(&fen).unwrap(), chess960, pace);
    let mut engines = [Uci::start(), Uci::start()];
    for engine in &mut engines {
        engine.send("uci");
        engine.until(|line| line == "uciok");
        engine.option("Hash", 4);
        if chess960 {
            engine.option("UCI_Chess960", true);
        }
        engine.send("ucinewgame");
        engine.sync_silent();
    }
    let end = loop {
        if let Some(end) = end(&game.board) {
            break end;
        }
        if game.moves.len() >= MOST_PLIES {
            break End::TooLong;
        }
        game.step(&mut engines[game.board.side_to_move().index()]);
    };
    let pondering = game.pondering;
    for (mut engine, guess) in engines.into_iter().zip(pondering) {
        if guess.is_some() {
            engine.send("stop");
            engine.finish();
        }
        engine.quit_silent();
    }
    println!("{end:?} after {} plies from {fen}", game.moves.len());
    // Someone is mated, or the rules end it: nothing is left hanging.
    assert!(game.moves.len() > 4, "{end:?} from {fen}");
    end
}

#[test]
fn a_game_on_the_clock() {
    play(Board::startpos(), false, Pace::Clock(1000, 10), 11);
}

#[test]
fn a_960_game_on_the_clock() {
    play(Board::chess960(271), true, Pace::Clock(1000, 10), 12);
}

#[test]
fn a_game_by_nodes_comes_to_its_end_and_is_played_again_the_same() {
    let first = play(Board::startpos(), false, Pace::Nodes(800), 13);
    assert_eq!(play(Board::startpos(), false, Pace::Nodes(800), 13), first);
}

#[test]
fn a_960_game_by_nodes() {
    play(Board::chess960(777), true, Pace::Nodes(1500), 14);
}

#[test]
fn a_game_with_thinking_in_the_other_sides_time() {
    play(Board::startpos(), false, Pace::Ponder(500, 5), 15);
}
