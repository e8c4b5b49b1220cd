//! Games in PGN, read one after the other in constant memory.
//!
//! The crate `pgn-reader` splits the text; here its moves are played on a board. Byte order marks, any line ends,
//! comments, variations, annotations, escaped lines, missing tags, missing results and blank lines between moves are
//! all accepted. What is wrong with one game does not touch the next. A word that is no move at all is skipped; the
//! moves after it then rarely fit and are told as the fault.

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
mod write;

pub use write::{result_text, start_tags};

use line::{LineCounter, Lines};
use note::Notes;
use semicolon::Semicolons;

/// Longest game kept, in plies. The longest possible game under the 75-move rule is shorter.
const MAX_PLIES: usize = 20_000;
/// Most tags kept of one game.
const MAX_TAGS: usize = 256;
/// Longest line of a tag in bytes.
const TAG_LINE: usize = 8192;

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

    /// What is wrong and where, on one line.
    #[must_use]
    pub fn fault_line(&self) -> Option<String> {
        self.fault.as_ref().map(|fault| format!("game {} (line {}): {fault}", self.number, self.line))
    }
}

/// Reads games one after the other. Ends after the first error of the input.
pub struct GameReader<R> {
    reader: Reader<Lines<Semicolons<R>>>,
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
        let text = Lines::new(Semicolons::new(input), lines.clone());
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
        if game.tags.is_empty() && game.moves.is_empty() && game.fault.is_none() {
            return;
        }
        if game.result.is_none() {
            game.result = match game.tag("Result").map(str::trim) {
                Some("1-0") => Some(GameResult::White),
                Some("0-1") => Some(GameResult::Black),
                Some("1/2-1/2") => Some(GameResult::Draw),
                _ => None,
            };
        }
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
            Err(why) => {
                let black = self.board.side_to_move() == movegen::Color::Black;
                let (number, san) = (self.board.fullmove_number(), san.to_string());
                self.game.fault = Some(FaultKind::Move { number, black, san, why });
                return;
            }
        }
        self.game.moves.extend(step);
    }
}

/// The legal move that a short notation describes.
fn find(board: &Board, san: &San) -> Result<Move, &'static str> {
    let moves = board.legal_moves();
    let one = |fits: &dyn Fn(&Move) -> bool| {
        let mut fitting = moves.iter().filter(|mv| fits(mv));
        match (fitting.next(), fitting.next()) {
            (Some(mv), None) => Ok(*mv),
            (Some(_), Some(_)) => Err("ambiguous"),
            (None, _) => Err("illegal"),
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
            board.parse_uci(&text).map_err(|_| "illegal")
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
        if let Some((notes, moves)) = self.notes() {
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
mod tests {
    use super::*;

    fn games(text: &[u8]) -> Vec<Game> {
        GameReader::new(text).map(|game| game.expect("a slice can be read")).collect()
    }

    fn line(game: &Game) -> String {
        let spell = |mv: &Option<Move>| mv.map_or("--".to_string(), |mv| mv.uci(false).to_string());
        game.moves.iter().map(spell).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn marks_line_ends_comments_and_variations_are_read_over() {
        let text = b"\xef\xbb\xbf[White \"White vs 1...c5\"]\r\n[Result \"1-0\"]\r\n\r\n1. e4 $1 {a\r\n\r\n} e5!? (1... c5 \
            (1... d5 {)}) 2. Nf3) ; rest e4\r\n2.Nf3\r\n% escaped Nf6\r\nNc6 1-0\r\n\r\n[White \"B\"]\r\n\r\n1. d4 *\r\n";
        for text in [text.to_vec(), text.iter().copied().filter(|&byte| byte != b'\r').collect()] {
            let games = games(&text);
            assert_eq!(games.len(), 2);
            assert_eq!(line(&games[0]), "e2e4 e7e5 g1f3 b8c6");
            assert_eq!(games[0].tag("White"), Some("White vs 1...c5"));
            assert_eq!(games[0].result, Some(GameResult::White));
            assert_eq!((games[0].line, games[1].line, games[1].number), (1, 11, 2));
            assert_eq!((line(&games[1]).as_str(), games[1].result), ("d2d4", None));
        }
        let old: Vec<u8> = text.iter().copied().filter(|&byte| byte != b'\n').collect();
        assert_eq!(line(&games(&old)[0]), "e2e4 e7e5 g1f3 b8c6");
    }

    #[test]
    fn games_without_tags_results_or_lines_between_are_told_apart() {
        assert_eq!(games(b"").len(), 0);
        assert_eq!(games(b"\n\n  \n% x\n").len(), 0);
        let running = games(b"1. e4\n\ne5 2. Nf3\n\n2... Nc6");
        assert_eq!((running.len(), line(&running[0]).as_str()), (1, "e2e4 e7e5 g1f3 b8c6"));
        let glued = games(b"1. e4 1-0 1. d4 d5 1/2-1/2\n1. c4 0-1");
        assert_eq!(glued.iter().map(line).collect::<Vec<_>>(), ["e2e4", "d2d4 d7d5", "c2c4"]);
        assert_eq!(glued[1].result, Some(GameResult::Draw));
        let tag_only = games(b"[Event \"x\"]\n[Result \"0-1\"]\n");
        assert_eq!((tag_only.len(), tag_only[0].result), (1, Some(GameResult::Black)));
    }

    #[test]
    fn other_spellings_are_understood() {
        let text = "1. e2e4 e7e5 2. g1f3 b8c6 3. Bf1b5 Nf6 4. e1g1 Nxe4 5. Re1 Nd6 *";
        let game = &games(text.as_bytes())[0];
        assert_eq!(game.fault, None);
        assert_eq!(line(game), "e2e4 e7e5 g1f3 b8c6 f1b5 g8f6 e1g1 f6e4 f1e1 e4d6");
        let castling = games(b"[FEN \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\"]\n\n1. 0-0 O-O-O 1/2-1/2");
        assert_eq!(line(&castling[0]), "e1g1 e8c8");
        let mate = games(b"[FEN \"R7/8/8/8/3N4/1BB5/pr6/kb2K2R w K - 0 1\"]\n1. Bxa2 Bxa2 2. O-O# 1-0");
        assert_eq!((line(&mate[0]).as_str(), &mate[0].fault), ("b3a2 b1a2 e1g1", &None));
        let pass = games(b"1. e4 Z0 2. d4 d5 *");
        assert_eq!(line(&pass[0]), "e2e4 -- d2d4 d7d5");
    }

    #[test]
    fn faults_are_told_with_their_place_and_end_the_moves() {
        let text =
            b"[Event \"a\"]\n\n1. e4 e5 2. Ke3 Nf6 1-0\n\n[Event \"b\"]\n[FEN \"nonsense\"]\n\n1. e4 1-0\n\n\
            [Event \"c\"]\n\n1. d4 {no end";
        let games = games(text);
        assert_eq!(games.len(), 3);
        assert_eq!(games[0].fault_line().as_deref(), Some("game 1 (line 1): move 2. Ke3: illegal"));
        assert_eq!(line(&games[0]), "e2e4 e7e5");
        assert!(games[1].fault_line().is_some_and(|text| text.starts_with("game 2 (line 5): FEN: ")));
        assert_eq!(games[2].fault_line().as_deref(), Some("game 3 (line 10): unterminated comment"));
        assert_eq!(line(&games[2]), "d2d4");
    }

    #[test]
    fn hostile_texts_end_and_do_not_grow() {
        let mut endless = b"1. ".to_vec();
        for _ in 0..6000 {
            endless.extend_from_slice(b"Nf3 Nf6 Ng1 Ng8 ");
        }
        assert_eq!(games(&endless)[0].fault, Some(FaultKind::TooLong));
        let mut tag = b"[Event \"".to_vec();
        tag.resize(100_000, b'x');
        tag.extend_from_slice(b"\"]\n\n1. e4 *\n\n[Event \"b\"]\n\n1. c4 *\n");
        let read = games(&tag);
        assert!(read[0].fault.is_some());
        assert_eq!(read.last().map(line).as_deref(), Some("c2c4"));
        let alphabet = b"[]\"\\{}();%$ \r\n.eN4f310-/2*O=#\xc2\xbd\xef";
        let mut state = 7_u64;
        let mut letter = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            alphabet[(state >> 33) as usize % alphabet.len()]
        };
        for _ in 0..300 {
            let bytes: Vec<u8> = (0..400).map(|_| letter()).collect();
            assert!(games(&bytes).iter().all(|game| game.moves.len() <= 400));
        }
    }
}
