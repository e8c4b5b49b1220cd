//! The commands of the Universal Chess Interface (R. Huber and S. Meyer-Kahlen, April 2006), and a few
//! words for people at a terminal.

use crate::error::CommandError;
use crate::token::Tokens;
use std::fmt;

/// A line from the GUI.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `uci`: name yourself and list the options.
    Uci,
    /// `debug on|off`: send additional information.
    Debug(bool),
    /// `isready`: answer when everything before this is done.
    IsReady,
    /// `setoption name N [value V]`.
    SetOption {
        /// Name, with single blanks inside.
        name: String,
        /// Everything behind `value`, without blanks at the ends; `None` without that word.
        value: Option<String>,
    },
    /// `ucinewgame`: what follows belongs to another game.
    UciNewGame,
    /// `position startpos|fen F [moves ...]`.
    Position {
        /// The position before the moves.
        setup: Setup,
        /// The moves played from it, in the order played.
        moves: Vec<String>,
    },
    /// `go ...`: search.
    Go(GoParams),
    /// `stop`: end the search and answer.
    Stop,
    /// `ponderhit`: the expected move was played.
    PonderHit,
    /// `quit`: end the program.
    Quit,
    /// `register ...`: meaningless for a free engine.
    Register,
    /// `d`: draw the board. Not part of UCI.
    Display,
    /// `eval`: explain the static evaluation. Not part of UCI.
    Eval,
    /// `bench ...`: run the benchmark, with its arguments. Not part of UCI.
    Bench(Vec<String>),
    /// `perft N` or `go perft N`: count the move paths of length N. Not part of UCI.
    Perft(u32),
    /// `genfens N seed S book B ...`: make openings, for OpenBench. Not part of UCI.
    GenFens(GenFens),
    /// `help`: list the commands. Not part of UCI.
    Help,
}

/// What comes with `genfens`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GenFens {
    /// How many openings.
    pub count: u64,
    /// Seed of the random choices.
    pub seed: u64,
    /// File of positions to begin with; `None` (also when that is written) for the start position.
    pub book: Option<String>,
    /// What stands behind.
    pub extra: Vec<String>,
}

/// The position a game starts from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setup {
    /// The usual start position.
    Startpos,
    /// A FEN, with single blanks between its fields. Its content is not looked at here.
    Fen(String),
}

/// What comes with `go`. Times are milliseconds as the GUI sent them, negative ones included. A field is
/// `None` when its word is missing, or is followed by no number, which is one of the faults.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoParams {
    /// Moves to choose from; empty for all.
    pub search_moves: Vec<String>,
    /// Search in the opponent's time.
    pub ponder: bool,
    /// Search until stopped.
    pub infinite: bool,
    /// White's clock, in milliseconds.
    pub white_time: Option<i64>,
    /// Black's clock, in milliseconds.
    pub black_time: Option<i64>,
    /// White's increment per move, in milliseconds.
    pub white_increment: Option<i64>,
    /// Black's increment per move, in milliseconds.
    pub black_increment: Option<i64>,
    /// Moves to the next time control.
    pub moves_to_go: Option<i64>,
    /// Greatest depth in plies.
    pub depth: Option<i64>,
    /// Greatest number of nodes; negative numbers become 0.
    pub nodes: Option<u64>,
    /// Look for a mate in so many moves.
    pub mate: Option<i64>,
    /// Time for this move, in milliseconds.
    pub move_time: Option<i64>,
    /// Limits without a number, which are ignored ([`CommandError::Limit`]).
    pub faults: Vec<CommandError>,
}

impl Command {
    /// Reads one line.
    ///
    /// Words in front of the first known one are skipped, as the protocol asks (`joho debug on`); `Ok(None)`
    /// means that there is no known word. The words that are not part of UCI only count at the beginning,
    /// where no program puts them by accident.
    ///
    /// # Errors
    /// When a known word is followed by something that makes no sense; the GUI would expect the line to be
    /// ignored then.
    pub fn parse(line: &str) -> Result<Option<Self>, CommandError> {
        let mut tokens = Tokens::new(line);
        let mut is_first = true;
        while let Some(word) = tokens.next() {
            let command = match word {
                "uci" => Self::Uci,
                "debug" => parse_debug(&mut tokens)?,
                "isready" => Self::IsReady,
                "setoption" => parse_option(tokens)?,
                "ucinewgame" => Self::UciNewGame,
                "position" => parse_position(tokens)?,
                "go" => parse_go(tokens),
                "stop" => Self::Stop,
                "ponderhit" => Self::PonderHit,
                "quit" => Self::Quit,
                "register" => Self::Register,
                "d" if is_first => Self::Display,
                "eval" if is_first => Self::Eval,
                "bench" if is_first => Self::Bench(tokens.map(str::to_owned).collect()),
                "perft" if is_first => parse_perft(&mut tokens)?,
                "genfens" if is_first => parse_genfens(tokens)?,
                "help" if is_first => Self::Help,
                _ => {
                    is_first = false;
                    continue;
                }
            };
            return Ok(Some(command));
        }
        Ok(None)
    }
}

fn parse_debug(tokens: &mut Tokens) -> Result<Command, CommandError> {
    match tokens.next() {
        Some("on") => Ok(Command::Debug(true)),
        Some("off") => Ok(Command::Debug(false)),
        other => Err(CommandError::DebugMode(other.unwrap_or_default().to_owned())),
    }
}

fn parse_option(mut tokens: Tokens) -> Result<Command, CommandError> {
    if tokens.next() != Some("name") {
        return Err(CommandError::OptionName);
    }
    let has_value = tokens.clone().any(|word| word == "value");
    let name = join(tokens.until("value"));
    if name.is_empty() {
        return Err(CommandError::OptionName);
    }
    // The value may be a path: blanks inside it are kept as they are.
    Ok(Command::SetOption { name, value: has_value.then(|| tokens.rest().to_owned()) })
}

fn parse_position(mut tokens: Tokens) -> Result<Command, CommandError> {
    let setup = match tokens.next() {
        Some("startpos") => {
            tokens.until("moves").for_each(drop);
            Setup::Startpos
        }
        Some("fen") => {
            let fen = join(tokens.until("moves"));
            if fen.is_empty() {
                return Err(CommandError::Fen);
            }
            Setup::Fen(fen)
        }
        other => return Err(CommandError::Setup(other.unwrap_or_default().to_owned())),
    };
    Ok(Command::Position { setup, moves: tokens.map(str::to_owned).collect() })
}

fn parse_perft(tokens: &mut Tokens) -> Result<Command, CommandError> {
    match tokens.number() {
        Some(depth) => Ok(Command::Perft(plies(depth))),
        None => Err(CommandError::PerftDepth(tokens.next().unwrap_or_default().to_owned())),
    }
}

fn plies(number: i64) -> u32 {
    u32::try_from(number.max(0)).unwrap_or(u32::MAX)
}

fn parse_genfens(mut tokens: Tokens) -> Result<Command, CommandError> {
    let count = tokens.number().ok_or(CommandError::GenFens)?.max(0).unsigned_abs();
    let (mut seed, mut book, mut extra) = (0, None, Vec::new());
    while let Some(word) = tokens.next() {
        match word {
            "seed" => seed = tokens.number().ok_or(CommandError::GenFens)?.cast_unsigned(),
            "book" => {
                let name = tokens.next().ok_or(CommandError::GenFens)?;
                book = (!name.eq_ignore_ascii_case("none")).then(|| name.to_owned());
            }
            _ => extra.push(word.to_owned()),
        }
    }
    Ok(Command::GenFens(GenFens { count, seed, book, extra }))
}

/// The words of `go`.
const GO_WORDS: [&str; 13] = [
    "searchmoves",
    "ponder",
    "infinite",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "perft",
];

/// The number behind the word of a limit. Without one it is a fault, and the word that stands there instead is left to
/// be read.
fn limit(tokens: &mut Tokens, word: &str, faults: &mut Vec<CommandError>) -> Option<i64> {
    let number = tokens.number();
    if number.is_none() {
        let found = tokens.peek().filter(|found| !GO_WORDS.contains(found)).unwrap_or_default();
        faults.push(CommandError::Limit(word.to_owned(), found.to_owned()));
    }
    number
}

fn parse_go(mut tokens: Tokens) -> Command {
    let (mut go, mut faults) = (GoParams::default(), Vec::new());
    let mut is_listing_moves = false;
    while let Some(word) = tokens.next() {
        let was_listing_moves = std::mem::replace(&mut is_listing_moves, false);
        match word {
            "searchmoves" => is_listing_moves = true,
            "ponder" => go.ponder = true,
            "infinite" => go.infinite = true,
            "wtime" => go.white_time = limit(&mut tokens, word, &mut faults).or(go.white_time),
            "btime" => go.black_time = limit(&mut tokens, word, &mut faults).or(go.black_time),
            "winc" => go.white_increment = limit(&mut tokens, word, &mut faults).or(go.white_increment),
            "binc" => go.black_increment = limit(&mut tokens, word, &mut faults).or(go.black_increment),
            "movestogo" => go.moves_to_go = limit(&mut tokens, word, &mut faults).or(go.moves_to_go),
            "depth" => go.depth = limit(&mut tokens, word, &mut faults).or(go.depth),
            "nodes" => {
                let nodes = limit(&mut tokens, word, &mut faults);
                go.nodes = nodes.map(|nodes| nodes.max(0).unsigned_abs()).or(go.nodes);
            }
            "mate" => go.mate = limit(&mut tokens, word, &mut faults).or(go.mate),
            "movetime" => go.move_time = limit(&mut tokens, word, &mut faults).or(go.move_time),
            "perft" => {
                if let Some(depth) = limit(&mut tokens, word, &mut faults) {
                    return Command::Perft(plies(depth));
                }
            }
            // Unknown words are skipped, unless they stand in the list of moves.
            _ => {
                is_listing_moves = was_listing_moves;
                if is_listing_moves {
                    go.search_moves.push(word.to_owned());
                }
            }
        }
    }
    Command::Go(GoParams { faults, ..go })
}

fn join<'a>(words: impl Iterator<Item = &'a str>) -> String {
    words.fold(String::new(), |mut text, word| {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(word);
        text
    })
}

impl fmt::Display for Command {
    /// Writes the line as a GUI would send it; [`Command::parse`] reads it back.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Uci => f.write_str("uci"),
            Self::Debug(is_on) => write!(f, "debug {}", if *is_on { "on" } else { "off" }),
            Self::IsReady => f.write_str("isready"),
            Self::SetOption { name, value } => {
                write!(f, "setoption name {name}")?;
                value.iter().try_for_each(|value| write!(f, " value {value}"))
            }
            Self::UciNewGame => f.write_str("ucinewgame"),
            Self::Position { setup, moves } => {
                match setup {
                    Setup::Startpos => f.write_str("position startpos")?,
                    Setup::Fen(fen) => write!(f, "position fen {fen}")?,
                }
                if !moves.is_empty() {
                    f.write_str(" moves")?;
                }
                moves.iter().try_for_each(|mv| write!(f, " {mv}"))
            }
            Self::Go(go) => write!(f, "go{go}"),
            Self::Stop => f.write_str("stop"),
            Self::PonderHit => f.write_str("ponderhit"),
            Self::Quit => f.write_str("quit"),
            Self::Register => f.write_str("register later"),
            Self::Display => f.write_str("d"),
            Self::Eval => f.write_str("eval"),
            Self::Bench(arguments) => {
                f.write_str("bench")?;
                arguments.iter().try_for_each(|argument| write!(f, " {argument}"))
            }
            Self::Perft(depth) => write!(f, "perft {depth}"),
            Self::GenFens(GenFens { count, seed, book, extra }) => {
                let book = book.as_deref().unwrap_or("None");
                write!(f, "genfens {count} seed {seed} book {book}")?;
                extra.iter().try_for_each(|word| write!(f, " {word}"))
            }
            Self::Help => f.write_str("help"),
        }
    }
}

impl fmt::Display for GoParams {
    /// Writes what stands behind the `go`, each word with a blank in front of it.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.ponder {
            f.write_str(" ponder")?;
        }
        if self.infinite {
            f.write_str(" infinite")?;
        }
        for (word, value) in [
            ("wtime", self.white_time),
            ("btime", self.black_time),
            ("winc", self.white_increment),
            ("binc", self.black_increment),
            ("movestogo", self.moves_to_go),
            ("depth", self.depth),
            ("mate", self.mate),
            ("movetime", self.move_time),
        ] {
            if let Some(value) = value {
                write!(f, " {word} {value}")?;
            }
        }
        if let Some(nodes) = self.nodes {
            write!(f, " nodes {nodes}")?;
        }
        if !self.search_moves.is_empty() {
            f.write_str(" searchmoves")?;
        }
        self.search_moves.iter().try_for_each(|mv| write!(f, " {mv}"))?;
        // Last, since a word that is no number may be one of the others.
        for fault in &self.faults {
            if let CommandError::Limit(word, found) = fault {
                write!(f, " {word}")?;
                if !found.is_empty() {
                    write!(f, " {found}")?;
                }
            }
        }
        Ok(())
    }
}
