//! The UCI session: one loop that takes commands in order and never blocks while a search runs.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use movegen::{Board, Color};
use search::chess::bench;
use search::core::limit::{Clock, Limits};
use study::PERFT_MAX_DEPTH;
use uci::command::{Command, GoParams, Setup};
use uci::error::LineTooLong;
use uci::info::{BestMove, Id, InfoString};
use uci::io::Writer;
use uci::option::OptionTable;

use crate::input::{Flow, Input, Session};
use crate::options::{Engine, table};
use crate::output::UciSink;
use crate::tools;

const HELP: &str = "\
Dyad speaks the Universal Chess Interface. A chess program sends these commands; you may type them too:
  position startpos moves e2e4     set up a position (or: position fen FEN)
  go movetime 1000                 think (also: depth N, nodes N, wtime/btime MS, infinite, ponder, mate N)
  stop                             end the search
  setoption name Hash value 64     change an option; 'uci' lists them
  d, eval, perft N, bench          show the board, its evaluation, count moves, run the benchmark
  quit                             leave
Started with a sub-command Dyad does other jobs: see 'dyad --help'.";

/// State of the search as the session sees it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Activity {
    Idle,
    /// A search that ends by itself.
    Bounded,
    /// A search that only `stop` or `ponderhit` ends.
    Unbounded,
}

/// A long job beside the session.
struct Job {
    /// Set when it shall end.
    is_cancelled: Arc<AtomicBool>,
    /// It looks at that.
    can_end: bool,
}

/// A UCI session.
pub struct UciSession {
    engine: Engine,
    options: OptionTable<Engine>,
    board: Board,
    writer: Arc<Writer>,
    inputs: Sender<Input>,
    activity: Activity,
    /// Limits of a pondering search, to know whether it ends by itself after the ponder hit.
    ponder_infinite: bool,
    /// Commands that wait for the end of the search, with what ends those among them that are searches.
    waiting: VecDeque<Command>,
    /// The long job that runs in the place of a search.
    job: Option<Job>,
    debug: bool,
}

impl Session for UciSession {
    fn handle(&mut self, input: Input) -> Flow {
        match input {
            Input::End => Flow::Quit,
            Input::Finished | Input::Answer { .. } => {
                self.engine.searcher.wait();
                self.activity = Activity::Idle;
                self.job = None;
                self.go_on();
                Flow::Continue
            }
            Input::TooLong(_) => {
                self.say(LineTooLong);
                Flow::Continue
            }
            Input::Line(line) => {
                match Command::parse(&line) {
                    Ok(Some(Command::Quit)) => return Flow::Quit,
                    Ok(Some(command)) => self.dispatch(command),
                    Ok(None) => {
                        if self.debug && !line.trim().is_empty() {
                            self.say(format_args!("unknown command: {}", line.trim()));
                        }
                    }
                    Err(error) => self.say(error),
                }
                Flow::Continue
            }
        }
    }
}

impl UciSession {
    /// A session that tells itself of the ends of searches through `inputs`.
    pub fn new(inputs: Sender<Input>) -> Self {
        Self {
            engine: Engine::default(),
            options: table(),
            board: Board::startpos(),
            writer: Arc::new(Writer::stdout()),
            inputs,
            activity: Activity::Idle,
            ponder_infinite: false,
            waiting: VecDeque::new(),
            job: None,
            debug: false,
        }
    }

    fn say(&self, text: impl std::fmt::Display) {
        self.writer.line(InfoString(text));
    }

    /// Executes a command now, or after the running search.
    fn dispatch(&mut self, command: Command) {
        match command {
            Command::Stop => {
                self.stop();
                if self.is_search_waiting() {
                    self.waiting.push_back(Command::Stop);
                }
            }
            Command::PonderHit if self.activity == Activity::Unbounded => self.ponder_hit(),
            Command::PonderHit => {
                if self.is_search_waiting() {
                    self.waiting.push_back(Command::PonderHit);
                }
            }
            Command::IsReady if self.activity != Activity::Idle => self.writer.line("readyok"),
            Command::Uci => self.introduce(),
            Command::Debug(on) => {
                self.debug = on;
                crate::log_file::set_verbose(on);
            }
            Command::Register | Command::Quit => {}
            Command::Help => self.writer.line(HELP),
            command if self.activity == Activity::Idle => self.execute(command),
            Command::Go(_) | Command::Position { .. } | Command::UciNewGame
                if self.activity == Activity::Unbounded =>
            {
                self.say("a search is running: send stop first, the command is ignored");
            }
            command => self.waiting.push_back(command),
        }
    }

    fn is_search_waiting(&self) -> bool {
        self.waiting.iter().any(|command| matches!(command, Command::Go(_)))
    }

    /// Executes the commands that waited, up to the next search and what was sent behind it to end it.
    fn go_on(&mut self) {
        loop {
            match self.waiting.front() {
                Some(Command::Stop) => self.stop(),
                Some(Command::PonderHit) => self.ponder_hit(),
                Some(_) if self.activity == Activity::Idle => {}
                _ => break,
            }
            if let Some(command) = self.waiting.pop_front()
                && !matches!(command, Command::Stop | Command::PonderHit)
            {
                self.execute(command);
            }
            // A search behind which another one waits would keep the stop of that one from ever being reached.
            if self.activity == Activity::Unbounded && self.waiting.contains(&Command::Stop) {
                self.stop();
            }
        }
    }

    /// Executes a command while no search runs.
    fn execute(&mut self, command: Command) {
        match command {
            Command::IsReady => self.writer.line("readyok"),
            Command::SetOption { name, value } => {
                match self.options.set(&mut self.engine, &name, value.as_deref()) {
                    Ok(None) => {}
                    Ok(Some(notice)) => self.say(notice),
                    Err(error) => self.say(error),
                }
                for message in self.engine.take_messages() {
                    self.say(message);
                }
            }
            Command::UciNewGame => self.engine.searcher.new_game(),
            Command::Position { setup, moves } => self.set_position(&setup, &moves),
            Command::Go(params) => self.go(&params),
            Command::Display => self.writer.line(&self.board),
            Command::Eval => {
                self.writer.line(tools::eval::report(&self.board, self.engine.searcher.evaluation()));
            }
            Command::Bench(args) => self.bench(&args),
            Command::GenFens(wanted) => {
                let evaluation = self.engine.searcher.evaluation().clone();
                self.work(true, move |say, is_cancelled| {
                    let made = tools::genfens::generate(&wanted, &evaluation, is_cancelled, &mut *say);
                    if let Err(error) = made {
                        say(InfoString(error).to_string());
                    }
                });
            }
            Command::Perft(depth) if depth > PERFT_MAX_DEPTH => {
                self.say(format_args!("perft takes a depth from 0 to {PERFT_MAX_DEPTH}, not {depth}"));
            }
            Command::Perft(depth) => {
                let (board, chess960) = (self.board.clone(), self.engine.chess960);
                self.work(true, move |say, is_cancelled| {
                    let counted = tools::perft::divide(&board, depth, chess960, 0, is_cancelled, &mut *say);
                    if let Err(error) = counted {
                        say(InfoString(error).to_string());
                    }
                });
            }
            other => self.dispatch(other),
        }
    }

    fn introduce(&self) {
        let id = Id {
            name: format!("Dyad {}", env!("CARGO_PKG_VERSION")),
            author: "the Dyad authors".to_string(),
        };
        self.writer.line(format_args!("{id}\n{}\nuciok", self.options));
    }

    fn set_position(&mut self, setup: &Setup, moves: &[String]) {
        let mut board = match setup {
            Setup::Startpos => Board::startpos(),
            Setup::Fen(fen) => match Board::from_fen(fen) {
                Ok(board) => board,
                Err(error) => {
                    self.say(format_args!("position refused, the former one stays: {error}"));
                    return;
                }
            },
        };
        for (index, text) in moves.iter().enumerate() {
            match board.parse_uci(text) {
                Ok(mv) => board.make_move(mv, &mut movegen::NoObserver),
                Err(error) => {
                    self.say(format_args!("move {} ({text}) and what follows ignored: {error}", index + 1));
                    break;
                }
            }
        }
        self.board = board;
    }

    fn go(&mut self, params: &GoParams) {
        let start = Instant::now();
        for fault in &params.faults {
            self.say(fault);
        }
        let mut request = self.engine.request(self.board.clone(), self.limits(params), start);
        for text in &params.search_moves {
            match self.board.parse_uci(text) {
                Ok(mv) => request.search_moves.push(mv),
                Err(error) => self.say(format_args!("searchmoves: {text} ignored: {error}")),
            }
        }
        // The answer to an infinite or pondering search is wanted later: there the search itself holds it back.
        if !request.limits.infinite && !request.limits.ponder && self.play_from_book(&request.search_moves) {
            return;
        }
        self.ponder_infinite = request.limits.infinite;
        self.activity = if request.limits.ponder || request.limits.infinite {
            Activity::Unbounded
        } else {
            Activity::Bounded
        };
        let sink = UciSink {
            writer: Arc::clone(&self.writer),
            finished: self.inputs.clone(),
            board: self.board.clone(),
            chess960: self.engine.chess960,
            show_wdl: self.engine.show_wdl,
        };
        self.engine.searcher.start(request, Arc::new(sink));
    }

    /// Answers with a move of the book, if it has one.
    fn play_from_book(&mut self, allowed: &[movegen::Move]) -> bool {
        let found = self.engine.book_move(&self.board, allowed);
        for message in self.engine.take_messages() {
            self.say(message);
        }
        let Some((mv, text)) = found else { return false };
        self.say(text);
        let best = Some(mv.uci(self.engine.chess960).to_string());
        self.writer.line(BestMove { best, ponder: None });
        true
    }

    /// The limits of `go`; without any, the search is infinite, also after a ponder hit. Where limits were given and
    /// none can be used, nobody may be there to stop it: it is the shortest one then.
    fn limits(&self, params: &GoParams) -> Limits {
        let (time, increment) = match self.board.side_to_move() {
            Color::White => (params.white_time, params.white_increment),
            Color::Black => (params.black_time, params.black_increment),
        };
        // A clock for the other side only (some programs send that) is taken for both.
        let time = time.or(params.white_time).or(params.black_time);
        let count = |n: i64| u32::try_from(n.max(0)).unwrap_or(u32::MAX);
        let mut limits = Limits {
            depth: params.depth.map(|depth| count(depth).max(1)),
            nodes: params.nodes,
            mate: params.mate.filter(|&n| n > 0).map(count),
            move_time: params.move_time.map(milliseconds),
            clock: time.map(|time| Clock {
                remaining: milliseconds(time),
                increment: milliseconds(increment.unwrap_or(0)),
                moves_to_go: params.moves_to_go.filter(|&n| n > 0).map(count),
            }),
            infinite: params.infinite,
            ponder: params.ponder,
            ..Limits::default()
        };
        let unlimited = Limits { infinite: false, ponder: false, ..limits.clone() } == Limits::default();
        if unlimited && !limits.infinite && !params.faults.is_empty() {
            limits.depth = Some(1);
        } else {
            limits.infinite |= unlimited;
        }
        limits
    }

    fn stop(&mut self) {
        if self.activity != Activity::Idle {
            self.engine.searcher.stop();
            // It ends now: what comes next waits instead of being refused.
            self.activity = Activity::Bounded;
        }
        if let Some(job) = &self.job {
            job.is_cancelled.store(true, Ordering::Relaxed);
            if !job.can_end {
                self.say("the benchmark cannot be stopped, it ends by itself");
            }
        }
    }

    fn ponder_hit(&mut self) {
        if self.activity == Activity::Unbounded {
            self.engine.searcher.ponder_hit();
            if !self.ponder_infinite {
                self.activity = Activity::Bounded;
            }
        }
    }

    fn bench(&mut self, args: &[String]) {
        let depth = args.first().and_then(|text| text.parse().ok()).unwrap_or(bench::DEPTH);
        self.work(false, move |say, _| tools::bench::print(&bench::run(depth.clamp(1, 100), 1, 16), say));
    }

    /// Runs a long job beside the session, which goes on reading; the job counts as a search that ends by itself.
    /// The job is given what prints its lines, and what tells whether a `stop` has come, at which it looks if it
    /// `can_end`. Its last line is held back until the session is told of the end, so
    /// that no answer to it can overtake the news, and what the session does next cannot overtake the line.
    fn work(
        &mut self,
        can_end: bool,
        job: impl FnOnce(&mut dyn FnMut(String), &(dyn Fn() -> bool + Sync)) + Send + 'static,
    ) {
        let (writer, inputs) = (Arc::clone(&self.writer), self.inputs.clone());
        let is_cancelled = Arc::new(AtomicBool::new(false));
        self.job = Some(Job { is_cancelled: Arc::clone(&is_cancelled), can_end });
        self.activity = Activity::Bounded;
        std::thread::spawn(move || {
            let mut held: Option<String> = None;
            let mut say = |line| {
                if let Some(line) = held.replace(line) {
                    writer.line(line);
                }
            };
            job(&mut say, &|| is_cancelled.load(Ordering::Relaxed));
            // The session may be gone already.
            let tell = || drop(inputs.send(Input::Finished));
            match held {
                Some(line) => writer.line_after(tell, line),
                None => tell(),
            }
        });
    }
}

/// A protocol's time in milliseconds; negative clocks have run out.
fn milliseconds(time: i64) -> Duration {
    Duration::from_millis(u64::try_from(time).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negative_times_have_run_out() {
        assert_eq!(milliseconds(-5), Duration::ZERO);
        assert_eq!(milliseconds(i64::MAX), Duration::from_millis(i64::MAX as u64));
    }
}
