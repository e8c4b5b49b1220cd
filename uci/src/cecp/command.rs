//! What the GUI says.

use crate::error::CecpError;
use crate::token::Tokens;
use std::time::Duration;

/// No time of a protocol is longer: ten years. Keeps arithmetic with times from overflowing.
const LONGEST: f64 = 10.0 * 365.0 * 24.0 * 3600.0;

/// A line from the GUI. Numbers are as they were sent, negative and huge ones included; a number that does not
/// fit becomes the nearest one that does.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// `xboard`: this protocol is spoken.
    Xboard,
    /// `protover N`: list the features.
    ProtocolVersion(i64),
    /// `accepted F`: the GUI knows a feature.
    Accepted(String),
    /// `rejected F`: the GUI does not know a feature.
    Rejected(String),
    /// `new`: a new game, the engine has Black.
    New,
    /// `variant V`: the game is of another kind.
    Variant(String),
    /// `force`: play neither side.
    Force,
    /// `go`: play the side to move.
    Go,
    /// `playother`: play the side that is not to move.
    PlayOther,
    /// `white`: White is to move, the engine has Black. Obsolete.
    White,
    /// `black`: Black is to move, the engine has White. Obsolete.
    Black,
    /// `usermove M`, or `M` alone: a move, in whatever notation.
    Move(String),
    /// `?`: move at once.
    MoveNow,
    /// `ping N`: answer when all before is done. The number is to be sent back as it came.
    Ping(String),
    /// `draw`: the opponent offers a draw.
    Draw,
    /// `result R {...}`: the game is over.
    Result(String),
    /// `setboard F`: a position. Its content is not looked at here.
    SetBoard(String),
    /// `edit`: what follows are [`Edit`] commands.
    Edit,
    /// `undo`: take back one ply.
    Undo,
    /// `remove`: take back two plies.
    Remove,
    /// `hint`: suggest a move.
    Hint,
    /// `bk`: show the book.
    Book,
    /// `pause`: freeze.
    Pause,
    /// `resume`: go on.
    Resume,
    /// `quit`: end the program.
    Quit,
    /// `level M B I`: a clock.
    Level(Level),
    /// `st T`: a fixed time for each move.
    MoveTime(Duration),
    /// `sd D`: a greatest depth in plies.
    Depth(i64),
    /// `nps R`: time is counted in nodes, so many to the second.
    NodeRate(i64),
    /// `time N`: the engine's clock in hundredths of a second.
    Time(i64),
    /// `otim N`: the opponent's clock in hundredths of a second.
    OpponentTime(i64),
    /// `hard`: think in the opponent's time.
    Hard,
    /// `easy`: do not.
    Easy,
    /// `post`: show the thinking.
    Post,
    /// `nopost`: do not.
    NoPost,
    /// `memory N`: mebibytes for tables.
    Memory(i64),
    /// `cores N`: searching threads.
    Cores(i64),
    /// `egtpath T P`: where endgame tables of a type lie.
    TablePath {
        /// Type of the tables.
        kind: String,
        /// Directories, with inner blanks as they are.
        path: String,
    },
    /// `option N[=V]`: an option of the engine.
    Option {
        /// Name, with single blanks inside.
        name: String,
        /// Everything behind the first `=`; `None` without one.
        value: Option<String>,
    },
    /// `exclude M`: do not look at a move.
    Exclude(RootMoves),
    /// `include M`: look at it again.
    Include(RootMoves),
    /// `analyze`: analyse until told to leave.
    Analyze,
    /// `exit`: leave the analysis.
    Exit,
    /// `.`: tell how far the analysis is.
    Status,
    /// `name X`: the opponent's name.
    Name(String),
    /// `computer`: the opponent is a program.
    Computer,
    /// `rating A B`: the engine's and the opponent's rating.
    Rating(i64, i64),
    /// Known, and of no meaning for this engine: `random`, `ics`, `bk` of other protocols and the like.
    NoOperation,
}

/// A time control.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Level {
    /// Moves until the next control; 0 when the time is for the whole game.
    pub moves: u32,
    /// Time for them.
    pub base: Duration,
    /// Time added after each move.
    pub increment: Duration,
}

/// Which root moves a command is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RootMoves {
    /// `all`.
    All,
    /// One move, in whatever notation.
    One(String),
}

impl Command {
    /// Reads one line; `None` for a blank one.
    ///
    /// # Errors
    /// When the line is no command and does not look like a move, or when a command lacks what it needs. The
    /// error's text is the answer that the protocol asks for.
    pub fn parse(line: &str) -> Result<Option<Self>, CecpError> {
        let mut tokens = Tokens::new(line);
        let Some(word) = tokens.next() else { return Ok(None) };
        let mut arguments = Arguments { line, tokens };
        let command = match word {
            "xboard" => Self::Xboard,
            "protover" => Self::ProtocolVersion(arguments.number()?),
            "accepted" => Self::Accepted(arguments.rest()),
            "rejected" => Self::Rejected(arguments.rest()),
            "new" => Self::New,
            "variant" => Self::Variant(arguments.word("the name of a variant")?),
            "force" => Self::Force,
            "go" => Self::Go,
            "playother" => Self::PlayOther,
            "white" => Self::White,
            "black" => Self::Black,
            "usermove" => Self::Move(arguments.user_move()?),
            "?" => Self::MoveNow,
            "ping" => {
                arguments.clone().number()?;
                Self::Ping(arguments.word("a number")?)
            }
            "draw" => Self::Draw,
            "result" => Self::Result(arguments.rest()),
            "setboard" => Self::SetBoard(arguments.rest()),
            "edit" => Self::Edit,
            "undo" => Self::Undo,
            "remove" => Self::Remove,
            "hint" => Self::Hint,
            "bk" => Self::Book,
            "pause" => Self::Pause,
            "resume" => Self::Resume,
            "quit" => Self::Quit,
            "level" => Self::Level(arguments.level()?),
            "st" => Self::MoveTime(arguments.seconds()?),
            "sd" => Self::Depth(arguments.number()?),
            "nps" => Self::NodeRate(arguments.number()?),
            "time" => Self::Time(arguments.number()?),
            "otim" => Self::OpponentTime(arguments.number()?),
            "hard" => Self::Hard,
            "easy" => Self::Easy,
            "post" => Self::Post,
            "nopost" => Self::NoPost,
            "memory" => Self::Memory(arguments.number()?),
            "cores" => Self::Cores(arguments.number()?),
            "egtpath" => {
                let kind = arguments.word("a type of tables")?;
                Self::TablePath { kind, path: arguments.rest() }
            }
            "option" => arguments.option()?,
            "exclude" => Self::Exclude(arguments.root_moves()?),
            "include" => Self::Include(arguments.root_moves()?),
            "analyze" | "analyse" => Self::Analyze,
            "exit" => Self::Exit,
            "." => Self::Status,
            "name" => Self::Name(arguments.rest()),
            "computer" => Self::Computer,
            "rating" => Self::Rating(arguments.number()?, arguments.number()?),
            "random" | "ics" | "hover" | "lift" | "put" | "partner" | "holding" | "setscore" => {
                Self::NoOperation
            }
            word if is_move_like(word) => Self::Move(word.to_owned()),
            _ => return Err(CecpError::Unknown(excerpt(line))),
        };
        Ok(Some(command))
    }
}

/// What stands behind the command word.
#[derive(Clone)]
struct Arguments<'a> {
    line: &'a str,
    tokens: Tokens<'a>,
}

impl Arguments<'_> {
    fn missing(&self, what: &'static str) -> CecpError {
        CecpError::Argument { expected: what, line: excerpt(self.line) }
    }

    fn number(&mut self) -> Result<i64, CecpError> {
        self.tokens.number().ok_or_else(|| self.missing("a number"))
    }

    fn word(&mut self, what: &'static str) -> Result<String, CecpError> {
        self.tokens.next().map(str::to_owned).ok_or_else(|| self.missing(what))
    }

    fn rest(&self) -> String {
        self.tokens.rest().to_owned()
    }

    fn user_move(&mut self) -> Result<String, CecpError> {
        let word = self.word("a move")?;
        if is_move_like(&word) { Ok(word) } else { Err(self.missing("a move")) }
    }

    fn root_moves(&mut self) -> Result<RootMoves, CecpError> {
        match self.user_move() {
            Ok(mv) => Ok(RootMoves::One(mv)),
            Err(_) if Tokens::new(self.line).nth(1) == Some("all") => Ok(RootMoves::All),
            Err(error) => Err(error),
        }
    }

    fn seconds(&mut self) -> Result<Duration, CecpError> {
        let word = self.tokens.next().unwrap_or_default();
        let time = decimal(word).ok_or_else(|| self.missing("a number of seconds"))?;
        Ok(duration(time))
    }

    /// `level MPS BASE INC`: the base in minutes or as `minutes:seconds`, the increment in seconds. What stands
    /// behind a number, as in `25+5`, is passed over; a missing increment is none.
    fn level(&mut self) -> Result<Level, CecpError> {
        let moves = self.number()?.max(0);
        let word = self.tokens.next().unwrap_or_default();
        let (minutes, seconds) = word.split_once(':').unwrap_or((word, "0"));
        let wrong = || self.missing("moves, minutes and an increment");
        let minutes = decimal(minutes).ok_or_else(wrong)?;
        let seconds = decimal(seconds).ok_or_else(wrong)?;
        let increment = self.tokens.next().map_or(Some(0.0), decimal);
        let increment = increment.ok_or_else(|| self.missing("moves, minutes and an increment"))?;
        Ok(Level {
            moves: u32::try_from(moves).unwrap_or(u32::MAX),
            base: duration(minutes * 60.0 + seconds),
            increment: duration(increment),
        })
    }

    fn option(&mut self) -> Result<Command, CecpError> {
        let rest = self.tokens.rest();
        let (name, value) = match rest.split_once('=') {
            Some((name, value)) => (name, Some(value.trim().to_owned())),
            None => (rest, None),
        };
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        if name.is_empty() {
            return Err(self.missing("the name of an option"));
        }
        Ok(Command::Option { name, value })
    }
}

/// Reads the number with an optional sign and decimals at the beginning of a word.
fn decimal(word: &str) -> Option<f64> {
    let end = word
        .char_indices()
        .find(|&(place, c)| !(c.is_ascii_digit() || c == '.' || (place == 0 && matches!(c, '-' | '+'))))
        .map_or(word.len(), |(place, _)| place);
    word.get(..end)?.parse().ok()
}

/// So many seconds; negative times have run out.
fn duration(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds.clamp(0.0, LONGEST)).unwrap_or_default()
}

/// The beginning of a line with single blanks, for an answer that quotes it.
fn excerpt(line: &str) -> String {
    const MOST: usize = 80;
    Tokens::new(line).collect::<Vec<_>>().join(" ").chars().take(MOST).collect()
}

/// Whether a word has the form of a move: coordinates (`e2e4`, `e7e8q`), castling with letters or digits, the
/// null move `@@@@`, or algebraic notation, each maybe with check signs and comments. It need not make sense.
fn is_move_like(word: &str) -> bool {
    let word = word.trim_end_matches(['+', '#', '!', '?']);
    if word == "@@@@" || matches!(word, "O-O" | "O-O-O" | "o-o" | "o-o-o" | "0-0" | "0-0-0") {
        return true;
    }
    let (word, has_promotion) = match word.strip_suffix(['q', 'r', 'b', 'n', 'Q', 'R', 'B', 'N', 'k', 'K']) {
        Some(rest) => (rest.strip_suffix('=').unwrap_or(rest), true),
        None => (word, false),
    };
    let word = word.strip_prefix(['K', 'Q', 'R', 'B', 'N', 'P']).filter(|_| !has_promotion).unwrap_or(word);
    let is_file = |c: char| ('a'..='h').contains(&c);
    let is_rank = |c: char| ('1'..='8').contains(&c);
    let squares: Vec<char> = word.chars().filter(|&c| !matches!(c, 'x' | '-')).take(5).collect();
    match squares[..] {
        [file, rank] => is_file(file) && is_rank(rank),
        [from, file, rank] => (is_file(from) || is_rank(from)) && is_file(file) && is_rank(rank),
        [a, b, c, d] => is_file(a) && is_rank(b) && is_file(c) && is_rank(d),
        _ => false,
    }
}

/// A line while a position is edited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edit {
    /// `#`: take all men off.
    Clear,
    /// `c`: the other colour from here on.
    SwitchColor,
    /// `Pa4`: put a man; `xa4`: take one off.
    Put {
        /// Letter of the man in upper case; `None` takes the square's man off.
        man: Option<char>,
        /// File from 0 (a) to 7 (h).
        file: u8,
        /// Rank from 0 (1) to 7 (8).
        rank: u8,
    },
    /// `.`: the position is complete.
    End,
    /// `quit`: end the program.
    Quit,
}

impl Edit {
    /// Reads one line; `None` for a blank one.
    ///
    /// # Errors
    /// When the line is none of these.
    pub fn parse(line: &str) -> Result<Option<Self>, CecpError> {
        let mut tokens = Tokens::new(line);
        let Some(word) = tokens.next() else { return Ok(None) };
        let letters: Vec<char> = word.chars().take(4).collect();
        let edit = match (word, &letters[..]) {
            ("#", _) => Self::Clear,
            ("c", _) => Self::SwitchColor,
            (".", _) => Self::End,
            ("quit", _) => Self::Quit,
            (_, &[man, file @ 'a'..='h', rank @ '1'..='8']) => Self::Put {
                man: match man {
                    'P' | 'N' | 'B' | 'R' | 'Q' | 'K' => Some(man),
                    'x' => None,
                    _ => return Err(CecpError::Unknown(excerpt(line))),
                },
                file: file as u8 - b'a',
                rank: rank as u8 - b'1',
            },
            _ => return Err(CecpError::Unknown(excerpt(line))),
        };
        Ok(Some(edit))
    }
}
