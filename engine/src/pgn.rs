//! Games in PGN, read one after the other in constant memory.
//!
//! The crate `pgn-reader` splits the text; here its moves are played on a board. Byte order marks, any line ends,
//! comments, variations, annotations, escaped lines, missing tags, missing results and blank lines between moves are
//! all accepted, and so are moves with hyphens, colons and other additions. What is wrong with one game does not touch the
//! next.

use std::fs::File;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::Path;

use movegen::{Board, FenError, Move, NoObserver, PieceType, Wing};
use pgn_reader::shakmaty::{CastlingSide, Color as PgnColor, Role, san::San};
use pgn_reader::{KnownOutcome, Nag, RawComment, RawTag, Reader, SanPlus, Skip, Visitor};

mod line;
mod note;
mod semicolon;
mod words;
mod write;

pub use write::{result_text, start_tags};

use line::{LineCounter, Lines};
use note::Notes;
use semicolon::Semicolons;
use words::{UNREADABLE, Words};

/// Longest game kept, in plies. The longest possible game under the 75-move rule is shorter.
const MAX_PLIES: usize = 20_000;
/// Most tags kept of one game.
const MAX_TAGS: usize = 256;
/// Longest line of a tag in bytes.
const TAG_LINE: usize = 8192;
/// What is wrong with a move that the rules do not allow.
pub const ILLEGAL: &str = "illegal";
/// What is wrong with a word that is no move in any notation that is read.
const NO_MOVE: &str = "no move in English letters";

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameResult {
    /// White won.
    White,
    /// Black won.
    Black,
    /// Nobody won.
    Draw,
}

/// What ended the reading of a game's moves.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FaultKind {
    /// The tag FEN is no position.
    #[error("FEN: {0}")]
    Fen(FenError),
    /// The tag Variant names another game.
    #[error("variant {0}: only chess and Chess960 are read")]
    Variant(String),
    /// A move cannot be played, or more than one move fits.
    #[error("move {number}{} {san}: {why}", if *.black { "..." } else { "." })]
    Move {
        /// Number of the move in the game.
        number: u32,
        /// It is Black's.
        black: bool,
        /// The move as written.
        san: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// More moves than are kept.
    #[error("more than {MAX_PLIES} half-moves")]
    TooLong,
    /// A tag or comment has no end.
    #[error("{0}")]
    Syntax(String),
}

/// One game.
#[derive(Clone, Debug)]
pub struct Game {
    /// Its place in the file, from 1.
    pub number: u64,
    /// Line of the file on which it begins, from 1.
    pub line: u64,
    /// Names and values in order.
    pub tags: Vec<(String, String)>,
    /// The position it starts from.
    pub start: Board,
    /// The moves of the main line; `None` is a pass (`--`, `Z0`).
    pub moves: Vec<Option<Move>>,
    /// The result that stands after the moves, or else in the tag Result.
    pub result: Option<GameResult>,
    /// The first thing wrong: the moves end before it.
    pub fault: Option<FaultKind>,
    /// Comments, glyphs and variations, if they are kept.
    notes: Notes,
}

impl Game {
    fn new(number: u64, line: u64) -> Self {
        Self {
            number,
            line,
            tags: Vec::new(),
            start: Board::startpos(),
            moves: Vec::new(),
            result: None,
            fault: None,
            notes: Notes::default(),
        }
    }

    /// Comments, glyphs and variations as words of PGN, each with the number of moves before it; nothing unless the
    /// reader was told to keep them.
    #[must_use]
    pub fn notes(&self) -> &[(usize, String)] {
        self.notes.words()
    }

    /// The value of a tag.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The result that the tag Result tells.
    #[must_use]
    pub fn tag_result(&self) -> Option<GameResult> {
        match self.tag("Result").map(str::trim) {
            Some("1-0") => Some(GameResult::White),
            Some("0-1") => Some(GameResult::Black),
            Some("1/2-1/2") => Some(GameResult::Draw),
            _ => None,
        }
    }

    /// What the tag Result tells, if another result stands after the moves.
    #[must_use]
    pub fn contradiction(&self) -> Option<GameResult> {
        self.tag_result().filter(|&result| self.result != Some(result))
    }

    /// What is wrong and where, on one line.
    #[must_use]
    pub fn fault_line(&self) -> Option<String> {
        self.fault.as_ref().map(|fault| format!("game {} (line {}): {fault}", self.number, self.line))
    }
}

/// Reads games one after the other. Ends after the first error of the input.
pub struct GameReader<R> {
    reader: Reader<Lines<Words<Semicolons<R>>>>,
    lines: LineCounter,
    collector: Collector,
    ended: bool,
}

impl GameReader<File> {
    /// Reads a file.
    ///
    /// # Errors
    /// When the file cannot be opened or is a folder.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        if file.metadata()?.is_dir() {
            return Err(io::Error::other("is a folder"));
        }
        Ok(Self::new(file))
    }
}

impl<R: Read> GameReader<R> {
    /// Reads anything; it need not be buffered.
    pub fn new(input: R) -> Self {
        let lines = LineCounter::default();
        let text = Lines::new(Words::new(Semicolons::new(input)), lines.clone());
        let reader = Reader::build(text).set_supported_tag_line_length(TAG_LINE).finish();
        Self { reader, lines, collector: Collector::default(), ended: false }
    }

    /// Keeps what stands between the moves: [`Game::notes`].
    #[must_use]
    pub fn with_notes(mut self) -> Self {
        self.collector.keeps_notes = true;
        self
    }
}

impl<R: Read> Iterator for GameReader<R> {
    type Item = io::Result<Game>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(game) = self.collector.ready.pop_front() {
                return Some(Ok(game));
            }
            if self.ended {
                return None;
            }
            let step = self.reader.has_more().and_then(|_| {
                self.collector.line = self.lines.line_at(self.reader.buffer().len());
                self.reader.read_game(&mut self.collector)
            });
            match step {
                Ok(Some(())) => {}
                Ok(None) => {
                    self.ended = true;
                    self.collector.finish();
                }
                Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                    self.collector.syntax_fault(error.to_string());
                }
                Err(error) => {
                    self.ended = true;
                    return Some(Err(error));
                }
            }
        }
    }
}

/// Builds games of what the reader finds.
#[derive(Default)]
struct Collector {
    ready: std::collections::VecDeque<Game>,
    current: Option<Open>,
    count: u64,
    /// Line on which the text being read begins.
    line: u64,
    /// Whether what stands between the moves is kept.
    keeps_notes: bool,
}

/// A game whose end was not seen yet.
struct Open {
    game: Game,
    board: Board,
    has_ended: bool,
}

impl Collector {
    /// Hands the open game out, unless there is nothing to it.
    fn finish(&mut self) {
        let Some(Open { mut game, .. }) = self.current.take() else { return };
        // Text between the games is no game.
        let is_nothing = matches!(game.fault, None | Some(FaultKind::Move { why: NO_MOVE, .. }));
        if game.tags.is_empty() && game.moves.is_empty() && is_nothing {
            return;
        }
        game.result = game.result.or(game.tag_result());
        self.count += 1;
        game.number = self.count;
        self.ready.push_back(game);
    }

    /// Begins a game with these tags.
    fn begin(&mut self, tags: Vec<(String, String)>) {
        self.finish();
        let mut game = Game::new(self.count + 1, self.line);
        game.tags = tags;
        if let Some(fen) = game.tag("FEN") {
            match Board::from_fen(fen) {
                Ok(board) => game.start = board,
                Err(error) => game.fault = Some(FaultKind::Fen(error)),
            }
        }
        if let Some(variant) = game.tag("Variant").filter(|name| !is_chess(name)) {
            game.fault = Some(FaultKind::Variant(variant.escape_debug().collect()));
        }
        let board = game.start.clone();
        self.current = Some(Open { game, board, has_ended: false });
    }

    /// The game that moves belong to.
    fn open(&mut self) -> Option<&mut Open> {
        if self.current.as_ref().is_none_or(|open| open.has_ended) {
            self.begin(Vec::new());
        }
        self.current.as_mut()
    }

    /// The notes of the open game, where they are kept, and its number of moves.
    fn notes(&mut self) -> Option<(&mut Notes, usize)> {
        if !self.keeps_notes {
            return None;
        }
        let game = &mut self.current.as_mut().filter(|open| !open.has_ended)?.game;
        let is_readable = game.fault.is_none();
        let moves = game.moves.len();
        is_readable.then_some((&mut game.notes, moves))
    }

    /// A word that is no move: the end of the moves, or in a variation one to be kept as it is.
    fn unreadable(&mut self, word: &str) {
        let Some(open) = self.current.as_mut().filter(|open| !open.has_ended) else { return };
        if open.game.notes.is_in_variation() {
            open.game.notes.mv(&open.game.start, word);
        } else {
            open.refuse(word.to_owned(), NO_MOVE);
        }
    }

    fn syntax_fault(&mut self, text: String) {
        if let Some(open) = self.open() {
            open.game.fault.get_or_insert(FaultKind::Syntax(text));
            open.has_ended = true;
        }
    }
}

impl Open {
    fn play(&mut self, san: &SanPlus) {
        if self.game.fault.is_some() {
            return;
        }
        if self.game.moves.len() >= MAX_PLIES {
            self.game.fault = Some(FaultKind::TooLong);
            return;
        }
        let step = match san.san {
            San::Null if self.board.in_check() => Err("a pass in check"),
            San::Null => Ok(None),
            ref san => find(&self.board, san).map(Some),
        };
        match step {
            Ok(Some(mv)) => self.board.make_move(mv, &mut NoObserver),
            Ok(None) => self.board.make_null(),
            Err(why) => return self.refuse(san.to_string(), why),
        }
        self.game.moves.extend(step);
    }

    /// The moves end before a word that cannot be played.
    fn refuse(&mut self, san: String, why: &'static str) {
        let black = self.board.side_to_move() == movegen::Color::Black;
        let number = self.board.fullmove_number();
        self.game.fault.get_or_insert(FaultKind::Move { number, black, san, why });
    }
}

/// Whether a tag Variant, in the spelling of any of the usual programs, means chess or Chess960.
fn is_chess(variant: &str) -> bool {
    const NAMES: [&str; 14] = [
        "",
        "chess",
        "standard",
        "normal",
        "regular",
        "classical",
        "orthodox",
        "fromposition",
        "chess960",
        "960",
        "frc",
        "fischerandom",
        "fischerrandom",
        "freestyle",
    ];
    let name: String = variant.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase();
    let name = match name.strip_suffix("chess") {
        Some(short) if !short.is_empty() => short,
        _ => &name,
    };
    NAMES.contains(&name)
}

/// The legal move that a short notation describes.
fn find(board: &Board, san: &San) -> Result<Move, &'static str> {
    let moves = board.legal_moves();
    let one = |fits: &dyn Fn(&Move) -> bool| {
        let mut fitting = moves.iter().filter(|mv| fits(mv));
        match (fitting.next(), fitting.next()) {
            (Some(mv), None) => Ok(*mv),
            (Some(_), Some(_)) => Err("ambiguous"),
            (None, _) => Err(ILLEGAL),
        }
    };
    match *san {
        San::Castle(side) => {
            let wing = if side == CastlingSide::KingSide { Wing::King } else { Wing::Queen };
            one(&|mv| mv.is_castling() && Wing::of(mv.from(), mv.to()) == wing)
        }
        San::Normal { role, file, rank, to, promotion, .. } => {
            let squares = |mv: &Move| {
                file.is_none_or(|file| mv.from().file() as u32 == u32::from(file))
                    && rank.is_none_or(|rank| mv.from().rank() as u32 == u32::from(rank))
                    && mv.to().index() == usize::from(to)
                    && !mv.is_castling()
            };
            let kind = kind(role);
            let promoted = promotion.map(self::kind);
            // A promotion without a letter is to a queen.
            let fits_promotion = |mv: &Move| {
                mv.promotion() == promoted || promoted.is_none() && mv.promotion() == Some(PieceType::Queen)
            };
            let moved = |mv: &Move| board.piece_on(mv.from()).map(movegen::Piece::kind);
            let found = one(&|mv| moved(mv) == Some(kind) && squares(mv) && fits_promotion(mv));
            if found.is_ok() || kind != PieceType::Pawn {
                return found;
            }
            // Plain squares (`g1f3`, `e1g1`) look like a pawn's move.
            let (Some(file), Some(rank)) = (file, rank) else { return found };
            let text = format!("{}{}{to}", file.char(), rank.char());
            board.parse_uci(&text).map_err(|_| ILLEGAL)
        }
        San::Put { .. } | San::Null => Err("not a move of chess"),
    }
}

fn kind(role: Role) -> PieceType {
    match role {
        Role::Pawn => PieceType::Pawn,
        Role::Knight => PieceType::Knight,
        Role::Bishop => PieceType::Bishop,
        Role::Rook => PieceType::Rook,
        Role::Queen => PieceType::Queen,
        Role::King => PieceType::King,
    }
}

impl Visitor for Collector {
    type Tags = Vec<(String, String)>;
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), Self::Tags> {
        ControlFlow::Continue(Vec::new())
    }

    fn tag(&mut self, tags: &mut Self::Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        if tags.len() < MAX_TAGS {
            let name = String::from_utf8_lossy(name).trim().to_owned();
            tags.push((name, value.decode_utf8_lossy().into_owned()));
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Self::Tags) -> ControlFlow<(), ()> {
        // Without tags it goes on with the game before, unless that had a result: a blank line between moves.
        if !tags.is_empty() || self.current.as_ref().is_none_or(|open| open.has_ended) {
            self.begin(tags);
        }
        ControlFlow::Continue(())
    }

    fn san(&mut self, (): &mut (), san: SanPlus) -> ControlFlow<()> {
        if let Some(open) = self.open() {
            if open.game.notes.is_in_variation() {
                open.game.notes.mv(&open.game.start, &san.to_string());
            } else {
                open.play(&san);
            }
        }
        ControlFlow::Continue(())
    }

    fn nag(&mut self, (): &mut (), nag: Nag) -> ControlFlow<()> {
        if let Some((notes, moves)) = self.notes() {
            notes.glyph(moves, nag.0);
        }
        ControlFlow::Continue(())
    }

    fn partial_comment(&mut self, (): &mut (), comment: RawComment<'_>) -> ControlFlow<()> {
        if let Some((notes, _)) = self.notes() {
            notes.part(comment.as_bytes());
        }
        ControlFlow::Continue(())
    }

    fn comment(&mut self, (): &mut (), comment: RawComment<'_>) -> ControlFlow<()> {
        if let Some(word) = comment.as_bytes().strip_prefix(&[UNREADABLE]) {
            self.unreadable(&String::from_utf8_lossy(word));
        } else if let Some((notes, moves)) = self.notes() {
            notes.comment(moves, comment.as_bytes());
        }
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, (): &mut ()) -> ControlFlow<(), Skip> {
        let is_kept = self.notes().is_some_and(|(notes, moves)| notes.open(moves));
        ControlFlow::Continue(Skip(!is_kept))
    }

    fn end_variation(&mut self, (): &mut ()) -> ControlFlow<()> {
        if let Some((notes, moves)) = self.notes() {
            notes.close(moves);
        }
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, (): &mut (), outcome: pgn_reader::Outcome) -> ControlFlow<()> {
        if let Some(open) = self.current.as_mut().filter(|open| !open.game.notes.is_in_variation()) {
            open.game.result = match outcome {
                pgn_reader::Outcome::Known(KnownOutcome::Draw) => Some(GameResult::Draw),
                pgn_reader::Outcome::Known(KnownOutcome::Decisive { winner: PgnColor::White }) => {
                    Some(GameResult::White)
                }
                pgn_reader::Outcome::Known(KnownOutcome::Decisive { winner: PgnColor::Black }) => {
                    Some(GameResult::Black)
                }
                pgn_reader::Outcome::Unknown => None,
            };
            open.has_ended = true;
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (): ()) {
        if let Some((notes, moves)) = self.notes() {
            notes.close_all(moves);
        }
    }
}

#[cfg(test)]
mod tests;
