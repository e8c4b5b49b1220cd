//! Staged move ordering: hash move, winning captures, quiet moves, losing captures.
//!
//! Moves are generated only when their stage is reached and taken one by one by selection
//! (<https://www.chessprogramming.org/Move_Ordering>).

use arrayvec::ArrayVec;
use movegen::{Bitboard, Board, Move, MoveList, Piece, PieceType, SEE_VALUES, piece_attacks};

use super::history::{Context, History, captured_kind};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Hint,
    GenerateTactical,
    GoodTactical,
    GenerateQuiet,
    Quiet,
    BadTactical,
    Done,
}

#[derive(Clone, Copy)]
struct Scored {
    mv: Move,
    score: i32,
}

/// Most moves that a legal position can have is 218.
const CAPACITY: usize = 256;
const KILLER_BONUS: i32 = 12_000;
const COUNTER_BONUS: i32 = 8_000;
/// For a check by a knight, bishop, rook or queen...
const CHECK_BONUS: i32 = 9_000;
/// ...that does not lose more than this.
const CHECK_RISK: i32 = -75;
/// For a minor piece that leaves a square where it is attacked by a man of less value; more for a rook or queen.
const ESCAPE_BONUS: i32 = 8_000;
/// For going to such a square.
const EXPOSED_PENALTY: i32 = 8_000;

/// Hands out the legal moves of one position, best first by what is known.
pub struct MovePicker {
    stage: Stage,
    hint: Option<Move>,
    killer: Option<Move>,
    counter: Option<Move>,
    /// Captures must reach this exchange value to count as good; `None` takes it from their history.
    threshold: Option<i32>,
    skip_quiets: bool,
    tactical_only: bool,
    moves: ArrayVec<Scored, CAPACITY>,
    next: usize,
    bad: ArrayVec<Move, CAPACITY>,
    next_bad: usize,
}

impl MovePicker {
    /// All moves. `hint` must be legal in the position.
    pub fn new(hint: Option<Move>, killer: Option<Move>, counter: Option<Move>) -> Self {
        Self {
            stage: if hint.is_some() { Stage::Hint } else { Stage::GenerateTactical },
            hint,
            killer,
            counter,
            threshold: None,
            skip_quiets: false,
            tactical_only: false,
            moves: ArrayVec::new(),
            next: 0,
            bad: ArrayVec::new(),
            next_bad: 0,
        }
    }

    /// Captures and promotions whose exchange value reaches `threshold` only.
    pub fn tactical(hint: Option<Move>, threshold: i32) -> Self {
        let hint = hint.filter(|mv| mv.is_tactical());
        Self { threshold: Some(threshold), tactical_only: true, ..Self::new(hint, None, None) }
    }

    /// Leaves out the remaining quiet moves.
    pub fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// The next move, or `None` at the end.
    pub fn next(&mut self, board: &Board, history: &History, ctx: &Context) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Hint => {
                    self.stage = Stage::GenerateTactical;
                    return self.hint;
                }
                Stage::GenerateTactical => {
                    let mut list = MoveList::new();
                    board.tactical_moves(&mut list);
                    for mv in list {
                        if let Some(piece) = board.piece_on(mv.from())
                            && Some(mv) != self.hint
                        {
                            self.moves.push(Scored { mv, score: tactical_score(board, history, mv, piece) });
                        }
                    }
                    self.stage = Stage::GoodTactical;
                }
                Stage::GoodTactical => {
                    while let Some(Scored { mv, score }) = self.select() {
                        let threshold = self.threshold.unwrap_or(-score / 32);
                        if board.see_ge(mv, threshold) {
                            return Some(mv);
                        }
                        self.bad.push(mv);
                    }
                    self.stage = if self.tactical_only { Stage::Done } else { Stage::GenerateQuiet };
                }
                Stage::GenerateQuiet => {
                    self.moves.clear();
                    self.next = 0;
                    if !self.skip_quiets {
                        self.generate_quiets(board, history, ctx);
                    }
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => {
                    if !self.skip_quiets
                        && let Some(Scored { mv, .. }) = self.select()
                    {
                        return Some(mv);
                    }
                    self.stage = Stage::BadTactical;
                }
                Stage::BadTactical => {
                    if let Some(&mv) = self.bad.get(self.next_bad) {
                        self.next_bad += 1;
                        return Some(mv);
                    }
                    self.stage = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }

    fn generate_quiets(&mut self, board: &Board, history: &History, ctx: &Context) {
        let danger = Danger::new(board);
        let checks = check_squares(board);
        let mut list = MoveList::new();
        board.quiet_moves(&mut list);
        let table = history.quiet_table(board, ctx);
        for mv in list {
            let Some(piece) = board.piece_on(mv.from()) else { continue };
            if Some(mv) == self.hint {
                continue;
            }
            let mut score = table.score(mv, piece);
            if Some(mv) == self.killer {
                score += KILLER_BONUS;
            } else if Some(mv) == self.counter {
                score += COUNTER_BONUS;
            }
            score += danger.score(mv, piece.kind());
            if checks[piece.kind().index()].contains(mv.to()) && board.see_ge(mv, CHECK_RISK) {
                score += CHECK_BONUS;
            }
            self.moves.push(Scored { mv, score });
        }
    }

    /// Swaps the best remaining move to the front and takes it.
    fn select(&mut self) -> Option<Scored> {
        let rest = self.moves.get_mut(self.next..)?;
        let mut best = 0;
        let mut highest = rest.first()?.score;
        for (index, candidate) in rest.iter().enumerate().skip(1) {
            if candidate.score > highest {
                (best, highest) = (index, candidate.score);
            }
        }
        rest.swap(0, best);
        self.next += 1;
        rest.first().copied()
    }
}

/// Squares where men of less value attack, for each kind of piece.
struct Danger {
    to_minor: Bitboard,
    to_rook: Bitboard,
    to_queen: Bitboard,
}

impl Danger {
    /// For the pieces of the side to move.
    fn new(board: &Board) -> Self {
        let threats = |kind| board.threats_by(!board.side_to_move(), kind);
        let to_minor = threats(PieceType::Pawn);
        let to_rook = to_minor | threats(PieceType::Knight) | threats(PieceType::Bishop);
        Self { to_minor, to_rook, to_queen: to_rook | threats(PieceType::Rook) }
    }

    /// What the move of a piece is worth for its safety.
    #[inline]
    fn score(&self, mv: Move, kind: PieceType) -> i32 {
        let (squares, escape) = match kind {
            PieceType::Knight | PieceType::Bishop => (self.to_minor, ESCAPE_BONUS),
            PieceType::Rook => (self.to_rook, ESCAPE_BONUS * 3 / 2),
            PieceType::Queen => (self.to_queen, ESCAPE_BONUS * 2),
            PieceType::Pawn | PieceType::King => return 0,
        };
        escape * i32::from(squares.contains(mv.from()))
            - EXPOSED_PENALTY * i32::from(squares.contains(mv.to()))
    }
}

/// Squares from which a piece of each kind attacks the enemy king; pawns and kings are left out.
fn check_squares(board: &Board) -> [Bitboard; PieceType::NUM] {
    let (us, occupied) = (board.side_to_move(), board.occupied());
    let from = |kind| piece_attacks(kind, us, board.king(!us), occupied);
    let mut squares = [Bitboard::EMPTY; PieceType::NUM];
    for kind in [PieceType::Knight, PieceType::Bishop, PieceType::Rook] {
        squares[kind.index()] = from(kind);
    }
    squares[PieceType::Queen.index()] = squares[PieceType::Bishop.index()] | squares[PieceType::Rook.index()];
    squares
}

fn tactical_score(board: &Board, history: &History, mv: Move, piece: Piece) -> i32 {
    let victim = if mv.is_capture() { SEE_VALUES[captured_kind(board, mv).index()] } else { 0 };
    let promoted =
        mv.promotion().map_or(0, |kind| SEE_VALUES[kind.index()] - SEE_VALUES[PieceType::Queen.index()] / 2);
    16 * victim + 8 * promoted + history.capture_score(board, mv, piece)
}
