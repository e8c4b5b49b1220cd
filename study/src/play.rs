//! A game against the engine in a terminal: the conversation, whichever game is played.

use std::fmt::{Display, Write as _};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use uci::io::LineReader;

use crate::clock::Clock;
use crate::output::OutFile;
use crate::report::Side;

/// Plies before which the engine takes no draw.
const EARLIEST_DRAW: usize = 20;
/// The engine takes a draw unless it stands better by more than this, in hundredths of a pawn or man.
const DRAW_MARGIN: i32 = 10;
/// Longest time for a hint.
const HINT_TIME: Duration = Duration::from_secs(1);

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// In words.
    pub reason: String,
    /// As it is written in game files.
    pub result: String,
}

/// A move of the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The move.
    pub text: String,
    /// What the engine thinks of it, in words.
    pub score: String,
    /// The same seen by the side to move, in hundredths of a pawn or man.
    pub points: i32,
}

/// How long the engine may think about a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// As it likes, with so much on its clock.
    Clock(Clock),
    /// For a fixed time.
    Fixed(Duration),
}

/// The game and the engine behind it.
pub trait Seat {
    /// How the results are written: White wins, Black wins, a draw.
    const RESULTS: [&str; 3];

    /// Whose turn it is.
    fn side_to_move(&self) -> Side;
    /// The board, with the side below whose view is asked for.
    fn board(&self, below: Side, ascii: bool) -> String;
    /// The position as a FEN.
    fn fen(&self) -> String;
    /// The end, if the game is over by its rules.
    fn ending(&self) -> Option<Ending>;
    /// The legal moves.
    fn moves(&self) -> Vec<String>;
    /// Number of moves made.
    fn plies(&self) -> usize;
    /// Reads a move and makes it; says how it is written.
    ///
    /// # Errors
    /// Why it is no move here.
    fn make(&mut self, text: &str) -> Result<String, String>;
    /// Takes the last move back; `false` if there is none.
    fn take_back(&mut self) -> bool;
    /// The game as a file's text.
    fn record(&self, white: &str, black: &str, result: &str) -> String;
    /// The result when `loser` gives up.
    fn lost_by(&self, loser: Side) -> String {
        let [white, black, _] = Self::RESULTS;
        if loser == Side::White { black } else { white }.to_owned()
    }
    /// The result when `loser` oversteps the time.
    fn lost_on_time(&self, loser: Side) -> String {
        self.lost_by(loser)
    }
    /// The result of a draw.
    fn drawn(&self) -> String {
        let [.., draw] = Self::RESULTS;
        draw.to_owned()
    }
}

/// Who thinks for the other side.
pub trait Opponent<S: Seat> {
    /// What it would play. At full strength for a hint.
    fn think(&mut self, seat: &S, pace: Pace, is_hint: bool) -> Option<Turn>;
    /// Changes its strength.
    ///
    /// # Errors
    /// What would be a strength.
    fn set_level(&mut self, text: &str) -> Result<(), String>;
    /// Its name with its strength.
    fn name(&self) -> String;
}

/// How a game is to be played.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The person's side.
    pub you: Side,
    /// Letters instead of figures.
    pub ascii: bool,
    /// Clocks of White and Black.
    pub clock: Option<Clock>,
    /// Time for each move of the engine where there is no clock.
    pub time: Duration,
    /// File that holds the game after every move.
    pub save: Option<PathBuf>,
    /// How moves are written, for the help.
    pub help: &'static str,
}

const COMMANDS: &str = "\
Other words: moves (list the legal ones), hint, undo, level N, board, flip, switch (change sides),
clock, fen, game (the moves so far), save FILE, draw, resign, help, quit.";

enum Next {
    Ask,
    Go,
    Over(Ending),
    Quit,
}

struct Conversation<'a, S: Seat, O: Opponent<S>> {
    seat: &'a mut S,
    opponent: &'a mut O,
    settings: Settings,
    below: Side,
    clocks: [Clock; 2],
    /// Since when the side to move thinks.
    since: Instant,
    /// Files that this game was written to.
    written: Vec<PathBuf>,
}

/// Plays until the game ends, `quit` or the end of input; true when nothing went wrong.
///
/// # Errors
/// When the file for the game exists already or cannot be written at the beginning.
pub fn play<S: Seat, O: Opponent<S>>(
    seat: &mut S,
    opponent: &mut O,
    settings: Settings,
) -> Result<(), String> {
    let zero = Clock { remaining: Duration::ZERO, increment: Duration::ZERO };
    let mut conversation = Conversation {
        below: settings.you,
        clocks: [settings.clock.unwrap_or(zero); 2],
        since: Instant::now(),
        written: Vec::new(),
        seat,
        opponent,
        settings,
    };
    if let Some(path) = conversation.settings.save.clone() {
        conversation.save(&path, "*")?;
    }
    say(format_args!("{}\n{COMMANDS}", conversation.settings.help));
    let ending = conversation.run(&lines_of_input());
    let result = ending.as_ref().map_or("*", |ending| ending.result.as_str());
    if let Some(ending) = &ending {
        say(format_args!("{}\nThe game is over: {} ({})", conversation.draw(), ending.result, ending.reason));
    }
    conversation.keep(result);
    Ok(())
}

/// Reads standard input in a thread of its own, so that a flag can fall while the person thinks.
fn lines_of_input() -> Receiver<String> {
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        let mut input = LineReader::new(io::stdin().lock());
        while let Ok(Some(line)) = input.read_line() {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    lines
}

/// Prints a line; nobody needs to be there to read it.
fn say(text: impl Display) {
    let mut output = io::stdout().lock();
    let _ = writeln!(output, "{text}").and_then(|()| output.flush());
}

impl<S: Seat, O: Opponent<S>> Conversation<'_, S, O> {
    /// The end of the game; `None` if it was left unfinished.
    fn run(&mut self, lines: &Receiver<String>) -> Option<Ending> {
        loop {
            if let Some(ending) = self.seat.ending() {
                return Some(ending);
            }
            self.since = Instant::now();
            if self.seat.side_to_move() != self.settings.you {
                if let Some(ending) = self.reply() {
                    return Some(ending);
                }
                continue;
            }
            say(format_args!("{}\n{}Your move?", self.draw(), self.clock_text()));
            loop {
                let line = match self.settings.clock {
                    None => lines.recv().map_err(|_| RecvTimeoutError::Disconnected),
                    Some(_) => lines.recv_timeout(self.left(self.settings.you)),
                };
                let next = match line {
                    Ok(line) => self.answer(line.trim()),
                    Err(RecvTimeoutError::Disconnected) => Next::Quit,
                    Err(RecvTimeoutError::Timeout) => Next::Over(self.flag(self.settings.you)),
                };
                match next {
                    Next::Ask => {}
                    Next::Go => break,
                    Next::Over(ending) => return Some(ending),
                    Next::Quit => return None,
                }
            }
        }
    }

    /// The engine's move.
    fn reply(&mut self) -> Option<Ending> {
        let side = self.seat.side_to_move();
        let pace = match self.settings.clock {
            Some(_) => Pace::Clock(self.clocks[side.index()]),
            None => Pace::Fixed(self.settings.time),
        };
        let Some(turn) = self.opponent.think(self.seat, pace, false) else {
            return Some(Ending { reason: "the engine gives up".into(), result: self.seat.lost_by(side) });
        };
        if let Some(ending) = self.stop_clock(side) {
            return Some(ending);
        }
        match self.seat.make(&turn.text) {
            Ok(text) => say(format_args!("I play {text} ({})", turn.score)),
            Err(reason) => {
                return Some(Ending {
                    reason: format!("the engine wanted to play {}: {reason}", turn.text),
                    result: self.seat.lost_by(side),
                });
            }
        }
        self.keep("*");
        None
    }

    /// What the engine would play in the person's place.
    fn hint(&mut self) -> Option<Turn> {
        self.opponent.think(self.seat, Pace::Fixed(self.settings.time.min(HINT_TIME)), true)
    }

    fn answer(&mut self, line: &str) -> Next {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word.to_ascii_lowercase().as_str() {
            "" => {}
            "quit" | "exit" => return Next::Quit,
            "help" | "?" => say(format_args!("{}\n{COMMANDS}", self.settings.help)),
            "board" => say(self.draw()),
            "fen" => say(self.seat.fen()),
            "moves" => say(self.seat.moves().join("  ")),
            "clock" if self.settings.clock.is_none() => say("There is no clock."),
            "clock" => say(self.clock_text().trim_end()),
            "game" | "pgn" | "pdn" => say(self.text("*")),
            "flip" => {
                self.below = self.below.other();
                say(self.draw());
            }
            "switch" => {
                if let Some(ending) = self.use_time(self.settings.you) {
                    return Next::Over(ending);
                }
                self.settings.you = self.settings.you.other();
                self.below = self.settings.you;
                return Next::Go;
            }
            "level" => match self.opponent.set_level(rest) {
                Ok(()) => say(format_args!("I am {} now.", self.opponent.name())),
                Err(expected) => say(format_args!("'{}' is not {expected}", shown(rest))),
            },
            "hint" => match self.hint() {
                Some(turn) => say(format_args!("I would play {} ({})", turn.text, turn.score)),
                None => say("I have no idea."),
            },
            "undo" => return self.undo(),
            "save" if rest.is_empty() => say("save needs the name of a file"),
            "save" => match self.save(Path::new(rest), "*") {
                Ok(()) => say(format_args!("The game is in {rest}.")),
                Err(message) => say(message),
            },
            "resign" => {
                let result = self.seat.lost_by(self.settings.you);
                return Next::Over(Ending { reason: "you resign".into(), result });
            }
            "draw" => return self.offer(),
            _ => match self.seat.make(line) {
                Ok(_) => {
                    let ending = self.stop_clock(self.settings.you);
                    self.keep("*");
                    return ending.map_or(Next::Go, Next::Over);
                }
                Err(error) => say(format_args!("{error} (help tells how to write a move)")),
            },
        }
        Next::Ask
    }

    /// Takes back the person's last move and the answer to it.
    fn undo(&mut self) -> Next {
        if self.seat.plies() < 2 {
            say("There is no move of yours to take back.");
            return Next::Ask;
        }
        if let Some(ending) = self.use_time(self.settings.you) {
            return Next::Over(ending);
        }
        self.seat.take_back();
        self.seat.take_back();
        self.keep("*");
        Next::Go
    }

    /// Offers the engine a draw.
    fn offer(&mut self) -> Next {
        let accepts =
            self.seat.plies() >= EARLIEST_DRAW && self.hint().is_some_and(|turn| turn.points >= -DRAW_MARGIN);
        if accepts {
            return Next::Over(Ending { reason: "drawn by agreement".into(), result: self.seat.drawn() });
        }
        say("I play on.");
        Next::Ask
    }

    fn left(&self, side: Side) -> Duration {
        let clock = self.clocks[side.index()];
        if side == self.seat.side_to_move() {
            clock.remaining.saturating_sub(self.since.elapsed())
        } else {
            clock.remaining
        }
    }

    fn flag(&self, side: Side) -> Ending {
        let who = if side == self.settings.you { "your" } else { "my" };
        Ending { reason: format!("{who} time is over"), result: self.seat.lost_on_time(side) }
    }

    /// The side has moved: its clock stops. The end, if that was too late.
    fn stop_clock(&mut self, side: Side) -> Option<Ending> {
        let ending = self.use_time(side);
        let clock = &mut self.clocks[side.index()];
        clock.remaining = clock.remaining.saturating_add(clock.increment);
        ending
    }

    /// Takes the time since the side's turn began off its clock. The end, if there was not so much.
    fn use_time(&mut self, side: Side) -> Option<Ending> {
        self.settings.clock?;
        let used = self.since.elapsed();
        let clock = &mut self.clocks[side.index()];
        let is_over = used > clock.remaining;
        clock.remaining = clock.remaining.saturating_sub(used);
        is_over.then(|| self.flag(side))
    }

    /// A line with both clocks, or nothing.
    fn clock_text(&self) -> String {
        if self.settings.clock.is_none() {
            return String::new();
        }
        let text = |side| {
            let seconds = self.left(side).as_secs();
            format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
        };
        format!("White {}   Black {}\n", text(Side::White), text(Side::Black))
    }

    fn draw(&self) -> String {
        self.seat.board(self.below, self.settings.ascii)
    }

    fn text(&self, result: &str) -> String {
        let engine = self.opponent.name();
        match self.settings.you {
            Side::White => self.seat.record("You", &engine, result),
            Side::Black => self.seat.record(&engine, "You", result),
        }
    }

    /// Writes the game into a file; one that was there before this game stays as it is.
    fn save(&mut self, path: &Path, result: &str) -> Result<(), String> {
        let is_own = self.written.iter().any(|written| written == path);
        if path.is_file() && !is_own {
            return Err(format!("{} exists already", path.display()));
        }
        let mut file = OutFile::create(path)?;
        file.write_all(self.text(result).as_bytes())
            .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        file.finish()?;
        if !is_own {
            self.written.push(path.to_owned());
        }
        Ok(())
    }

    /// Writes the game into the file of the settings.
    fn keep(&mut self, result: &str) {
        if let Some(Err(message)) = self.settings.save.clone().map(|path| self.save(&path, result)) {
            say(message);
        }
    }
}

/// The beginning of a text that somebody typed.
fn shown(text: &str) -> String {
    let mut shown = String::new();
    for letter in text.chars().take(40) {
        // Writing to a String cannot fail.
        let _ = write!(shown, "{}", letter.escape_debug());
    }
    shown
}
