//! The CECP session. It shares searcher, options and time management with UCI; only the grammar, the board's
//! bookkeeping and the order of answers are its own.
//!
//! A search is given up by stopping it and waiting for its end, which takes no longer than a node or two, so that
//! every command finds the session in a settled state. Only one thing has to wait while the engine thinks about
//! its own move: a move of the opponent, and with it everything that follows. A command behind it that would end
//! or change the game lets the engine move at once, so that nothing waits long.

mod clock;
mod edit;
mod game;
mod play;
mod sink;
mod talk;

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::time::Instant;

use movegen::{Board, Color, Move};
use search::core::limit::Limits;
use uci::cecp::{Command, Edit};
use uci::error::CecpError;
use uci::io::Writer;
use uci::option::OptionTable;

use crate::input::{Flow, Input, Session};
use crate::options::{Engine, table};
use clock::GameClock;
use edit::Editor;
use sink::SharedProgress;
use talk::Opponent;

/// What the engine is there for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// It only keeps the board.
    Force,
    /// It plays this side.
    Play(Color),
    /// It analyses whatever is on the board.
    Analyze,
}

/// What the searcher does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Activity {
    Idle,
    /// It looks for the engine's move.
    Thinking,
    /// It expects this move of the opponent.
    Pondering(Move),
    Analysing,
}

/// A change of an option.
struct Setting {
    name: String,
    value: Option<String>,
    /// The GUI tells it of itself, and it may be a path that nobody chose: its faults are for debugging only.
    is_automatic: bool,
}

impl Setting {
    fn new(name: impl Into<String>, value: Option<String>) -> Self {
        Self { name: name.into(), value, is_automatic: false }
    }
}

/// A CECP session.
pub struct CecpSession {
    engine: Engine,
    options: OptionTable<Engine>,
    writer: Arc<Writer>,
    inputs: Sender<Input>,
    board: Board,
    /// Plies that can be taken back.
    plies: usize,
    /// The last position that was sent breaks the rules: there is none to play on.
    is_void: bool,
    chess960: bool,
    mode: Mode,
    activity: Activity,
    /// Number of the search that is running, or was the last.
    search: u64,
    /// When it began to count.
    started: Instant,
    progress: SharedProgress,
    /// Limits that a pondering search goes on under.
    ponder_limits: Limits,
    clock: GameClock,
    ponder: bool,
    post: Arc<AtomicBool>,
    is_paused: bool,
    /// The engine was thinking when it was paused.
    is_interrupted: bool,
    /// The opponent's expected move.
    expected: Option<Move>,
    /// Root moves not to be looked at in the present position.
    excluded: Vec<Move>,
    draw_offered: bool,
    /// Score of the engine's last move from its own view.
    last_score: Option<i32>,
    /// Moves of the engine in a row whose score called for resigning.
    hopeless: u32,
    opponent: Opponent,
    /// Lines for debugging are welcome.
    debug: bool,
    editor: Option<Editor>,
    /// Lines that wait for the engine's move.
    waiting: VecDeque<String>,
    /// Settings that wait for the end of a search.
    settings: Vec<Setting>,
    /// Pings that wait for the engine's move.
    pings: Vec<String>,
}

impl CecpSession {
    /// A session that tells itself of the searches' answers through `inputs`.
    pub fn new(inputs: Sender<Input>) -> Self {
        Self {
            engine: Engine::default(),
            options: table(),
            writer: Arc::new(Writer::stdout()),
            inputs,
            board: Board::startpos(),
            plies: 0,
            is_void: false,
            chess960: false,
            mode: Mode::Play(Color::Black),
            activity: Activity::Idle,
            search: 0,
            started: Instant::now(),
            progress: SharedProgress::default(),
            ponder_limits: Limits::default(),
            clock: GameClock::default(),
            ponder: false,
            post: Arc::new(AtomicBool::new(false)),
            is_paused: false,
            is_interrupted: false,
            expected: None,
            excluded: Vec::new(),
            draw_offered: false,
            last_score: None,
            hopeless: 0,
            opponent: Opponent::default(),
            debug: false,
            editor: None,
            waiting: VecDeque::new(),
            settings: Vec::new(),
            pings: Vec::new(),
        }
    }

    /// Takes a line now, or behind those that wait for the engine's move.
    fn line(&mut self, line: String) {
        if self.waiting.is_empty() {
            self.obey(line);
            return;
        }
        if Command::parse(&line).is_ok_and(|command| command.as_ref().is_some_and(cuts_short)) {
            self.engine.searcher.stop();
        }
        self.waiting.push_back(line);
    }

    fn obey(&mut self, line: String) {
        let done = match self.editor.take() {
            Some(editor) => self.edit(editor, &line),
            None => match Command::parse(&line) {
                Ok(Some(Command::Move(_))) if self.activity == Activity::Thinking => {
                    self.waiting.push_back(line);
                    Ok(())
                }
                Ok(Some(command)) => self.execute(command),
                Ok(None) => Ok(()),
                Err(error) => Err(error),
            },
        };
        if let Err(error) = done {
            self.writer.line(error);
        }
    }

    fn edit(&mut self, mut editor: Editor, line: &str) -> Result<(), CecpError> {
        let edit = Edit::parse(line);
        if matches!(edit, Ok(Some(Edit::End))) {
            self.set_up(editor.board());
            return Ok(());
        }
        if let Ok(Some(edit)) = edit {
            editor.apply(edit);
        }
        self.editor = Some(editor);
        edit.map(drop)
    }

    fn execute(&mut self, command: Command) -> Result<(), CecpError> {
        match command {
            Command::Xboard | Command::Quit | Command::NoOperation | Command::OpponentTime(_) => {}
            Command::ProtocolVersion(_) => self.introduce(),
            Command::Accepted(feature) => self.debug |= feature == "debug",
            Command::Rejected(feature) => self.debug &= feature != "debug",
            Command::New => self.new_game(),
            Command::Variant(name) => return self.set_variant(&name),
            Command::Force => self.force(),
            Command::Go => return self.go(),
            Command::PlayOther => return self.play_other(),
            Command::White => self.set_side(Color::White),
            Command::Black => self.set_side(Color::Black),
            Command::Move(text) => return self.user_move(&text),
            Command::MoveNow => {
                if self.activity == Activity::Thinking {
                    self.engine.searcher.stop();
                }
            }
            Command::Ping(number) => self.ping(number),
            Command::Draw => self.consider_draw(),
            Command::Result(_) => {
                if self.mode != Mode::Analyze {
                    self.force();
                }
            }
            Command::SetBoard(fen) => self.set_up(Board::from_fen(&fen)),
            Command::Edit => {
                self.abandon();
                self.editor = Some(Editor::new(&self.board));
            }
            Command::Undo => return self.take_back(1, "undo"),
            Command::Remove => return self.take_back(2, "remove"),
            Command::Hint => self.hint(),
            Command::Book => self.show_book(),
            Command::Pause => self.pause(),
            Command::Resume => self.resume(),
            Command::Level(level) => self.clock.set_level(level, self.plies),
            Command::MoveTime(time) => self.clock.set_move_time(time),
            Command::Depth(depth) => self.clock.set_depth(depth),
            Command::NodeRate(rate) => {
                self.engine.game_nodes_per_second = u64::try_from(rate).ok().filter(|&rate| rate > 0);
            }
            Command::Time(centiseconds) => self.clock.set_remaining(centiseconds),
            Command::Hard => {
                self.ponder = true;
                self.start_pondering();
            }
            Command::Easy => {
                self.ponder = false;
                if matches!(self.activity, Activity::Pondering(_)) {
                    self.abandon();
                }
            }
            Command::Post => self.post.store(true, Ordering::Relaxed),
            Command::NoPost => self.post.store(false, Ordering::Relaxed),
            Command::Memory(mib) => self.set_option(Setting::new("Hash", Some(mib.to_string()))),
            Command::Cores(cores) => self.set_option(Setting::new("Threads", Some(cores.to_string()))),
            Command::TablePath { kind, path } => {
                if kind.eq_ignore_ascii_case("syzygy") && self.options.spec(talk::TABLE_PATH).is_some() {
                    let setting = Setting::new(talk::TABLE_PATH, Some(path));
                    self.set_option(Setting { is_automatic: true, ..setting });
                }
            }
            Command::Option { name, value } => self.set_option(Setting::new(name, value)),
            Command::Exclude(moves) => return self.exclude(&moves, true),
            Command::Include(moves) => return self.exclude(&moves, false),
            Command::Analyze => {
                if self.mode != Mode::Analyze {
                    self.abandon();
                    self.mode = Mode::Analyze;
                    self.start_analysing();
                }
            }
            Command::Exit if self.mode == Mode::Analyze => self.force(),
            Command::Exit => return Err(CecpError::NotNow("exit")),
            Command::Status => self.tell_status(),
            Command::Name(name) => self.meet(|opponent| opponent.name = name),
            Command::Computer => self.meet(|opponent| opponent.is_computer = true),
            Command::Rating(_, rating) => self.meet(|opponent| opponent.rating = rating),
        }
        Ok(())
    }

    fn force(&mut self) {
        self.abandon();
        self.is_paused = false;
        self.mode = Mode::Force;
    }
}

impl Session for CecpSession {
    fn handle(&mut self, input: Input) -> Flow {
        match input {
            Input::End => return Flow::Quit,
            Input::Finished => {}
            Input::Answer { search, best, ponder } => {
                if search == self.search && self.activity == Activity::Thinking {
                    self.play(best, ponder);
                }
            }
            Input::TooLong(begin) => self.writer.line(CecpError::TooLong(begin)),
            Input::Line(line) => {
                if line.split_whitespace().next() == Some("quit") {
                    return Flow::Quit;
                }
                self.line(line);
            }
        }
        Flow::Continue
    }
}

/// Whether a command that waits for the engine's move is reason to make that move at once.
fn cuts_short(command: &Command) -> bool {
    matches!(
        command,
        Command::MoveNow
            | Command::New
            | Command::Force
            | Command::Result(_)
            | Command::SetBoard(_)
            | Command::Edit
            | Command::Undo
            | Command::Remove
            | Command::Analyze
            | Command::Pause
            | Command::White
            | Command::Black
    )
}
