//! Staged move ordering: hash move, winning captures, quiet moves, losing captures.
//!
//! Moves are generated only when their stage is reached and taken one by one by selection
//! (<https://www.chessprogramming.org/Move_Ordering>).

use arrayvec::ArrayVec;
use movegen::{
    Bitboard, Board, Move, MoveFlag, MoveSink, Piece, PieceType, SEE_VALUES, Square, Threats, origin,
    promotion_flags,
};

use super::history::{Context, History, QuietTable};

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

/// Most moves that a legal position can have is 218.
const CAPACITY: usize = 256;
/// Keys that are compared at once: as many as the processor holds in one register.
const BLOCK: usize = 8;
/// Key of a move that was taken, and of no move: below all others.
const TAKEN: i32 = i32::MIN;
const LAST_PLACE: i32 = CAPACITY as i32 - 1;

/// Moves with their scores, taken one by one, best first.
struct Ranking {
    /// A move's score in the upper 24 bits and below it how far its place is from the last one: the largest key
    /// belongs to the first of the best moves. Filled up with [`TAKEN`] to whole blocks.
    keys: ArrayVec<i32, CAPACITY>,
    moves: ArrayVec<Move, CAPACITY>,
    /// Moves taken; they stand in front.
    taken: usize,
}

impl Ranking {
    const fn new() -> Self {
        Self { keys: ArrayVec::new_const(), moves: ArrayVec::new_const(), taken: 0 }
    }

    fn clear(&mut self) {
        self.keys.clear();
        self.moves.clear();
        self.taken = 0;
    }

    /// Adds a move. Scores are held in 24 bits.
    #[inline]
    fn push(&mut self, mv: Move, score: i32) {
        debug_assert!(score.abs() < 1 << 23);
        self.keys.push((score << 8) + LAST_PLACE - self.moves.len() as i32);
        self.moves.push(mv);
    }

    /// To be called when all moves are added.
    fn seal(&mut self) {
        while !self.keys.len().is_multiple_of(BLOCK) {
            self.keys.push(TAKEN);
        }
    }

    /// Takes the best move that is left. The first of those left moves to its place.
    #[inline]
    fn take(&mut self) -> Option<(Move, i32)> {
        let first = *self.moves.get(self.taken)?;
        let mut highest = [TAKEN; BLOCK];
        for block in self.keys.as_chunks::<BLOCK>().0.iter().skip(self.taken / BLOCK) {
            for (highest, &key) in highest.iter_mut().zip(block) {
                *highest = key.max(*highest);
            }
        }
        let key = highest.into_iter().fold(TAKEN, i32::max);
        let distance = key & LAST_PLACE;
        let place = (LAST_PLACE - distance) as usize;
        let best = std::mem::replace(&mut self.moves[place], first);
        self.keys[place] = self.keys[self.taken] & !LAST_PLACE | distance;
        self.keys[self.taken] = TAKEN;
        self.taken += 1;
        Some((best, key >> 8))
    }
}

/// Weight of the value of a captured man against the histories.
const CAPTURE_WEIGHT: i32 = 16;
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
    moves: Ranking,
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
            moves: Ranking::new(),
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
                    self.generate_tactical(board, history);
                    self.stage = Stage::GoodTactical;
                }
                Stage::GoodTactical => {
                    while let Some((mv, score)) = self.moves.take() {
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
                    if !self.skip_quiets {
                        self.generate_quiets(board, history, ctx);
                    }
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => {
                    if !self.skip_quiets
                        && let Some((mv, _)) = self.moves.take()
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

    #[inline(never)]
    fn generate_tactical(&mut self, board: &Board, history: &History) {
        board.generate_tactical(&mut TacticalSink {
            hint: self.hint,
            board,
            history,
            ranking: &mut self.moves,
        });
        self.moves.seal();
    }

    #[inline(never)]
    fn generate_quiets(&mut self, board: &Board, history: &History, ctx: &Context) {
        board.generate_quiet(&mut QuietSink {
            hint: self.hint,
            killer: self.killer,
            counter: self.counter,
            board,
            table: history.quiet_table(board, ctx),
            ctx,
            ranking: &mut self.moves,
        });
        self.moves.seal();
    }
}

/// Adds the quiet moves of a position to a ranking. What the moves of one man share is looked up once.
struct QuietSink<'a> {
    hint: Option<Move>,
    killer: Option<Move>,
    counter: Option<Move>,
    board: &'a Board,
    table: QuietTable<'a>,
    ctx: &'a Context,
    ranking: &'a mut Ranking,
}

impl QuietSink<'_> {
    #[inline]
    fn push(&mut self, mv: Move, mut score: i32) {
        if Some(mv) == self.hint {
            return;
        }
        if Some(mv) == self.killer {
            score += KILLER_BONUS;
        } else if Some(mv) == self.counter {
            score += COUNTER_BONUS;
        }
        self.ranking.push(mv, score);
    }
}

impl MoveSink for QuietSink<'_> {
    #[inline]
    fn piece(&mut self, kind: PieceType, from: Square, targets: Bitboard) {
        let row = self.table.row(Piece::new(self.board.side_to_move(), kind), from);
        let (exposed, escape) = danger(&self.ctx.threats, kind);
        let base = escape * i32::from(exposed.contains(from));
        let checks = self.ctx.checks.of(kind);
        for to in targets {
            let mv = Move::new(from, to, MoveFlag::Quiet);
            let mut score = base + row.score(to) - EXPOSED_PENALTY * i32::from(exposed.contains(to));
            if checks.contains(to) && self.board.see_ge(mv, CHECK_RISK) {
                score += CHECK_BONUS;
            }
            self.push(mv, score);
        }
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, delta: i8, flag: MoveFlag) {
        let pawn = Piece::new(self.board.side_to_move(), PieceType::Pawn);
        for to in targets {
            let from = origin(to, delta);
            self.push(Move::new(from, to, flag), self.table.row(pawn, from).score(to));
        }
    }

    #[inline]
    fn castling(&mut self, king: Square, rook: Square) {
        let piece = Piece::new(self.board.side_to_move(), PieceType::King);
        let score = self.table.row(piece, king).score(rook);
        self.push(Move::new(king, rook, MoveFlag::Castling), score);
    }

    // Captures and promotions are not quiet.
    fn promotions(&mut self, _: Bitboard, _: i8, _: bool) {}
    fn en_passant(&mut self, _: Square, _: Square) {}
}

/// Squares where a man of this kind is attacked by men of less value, and the bonus for leaving them.
#[inline]
fn danger(threats: &Threats, kind: PieceType) -> (Bitboard, i32) {
    match kind {
        PieceType::Knight | PieceType::Bishop => (threats.by_pawns, ESCAPE_BONUS),
        PieceType::Rook => (threats.by_minors, ESCAPE_BONUS * 3 / 2),
        PieceType::Queen => (threats.by_rooks, ESCAPE_BONUS * 2),
        PieceType::Pawn | PieceType::King => (Bitboard::EMPTY, 0),
    }
}

/// Adds the captures and promotions of a position to a ranking, by what they win and what became of them elsewhere.
struct TacticalSink<'a> {
    hint: Option<Move>,
    board: &'a Board,
    history: &'a History,
    ranking: &'a mut Ranking,
}

impl TacticalSink<'_> {
    #[inline]
    fn push(&mut self, mv: Move, piece: Piece, victim: PieceType, gain: i32) {
        if Some(mv) != self.hint {
            let score = self.history.capture_row(piece)[mv.to().index()][victim.index()];
            self.ranking.push(mv, gain + i32::from(score));
        }
    }

    #[inline]
    fn capture(&mut self, from: Square, to: Square, piece: Piece) {
        let victim = self.board.piece_on(to).map_or(PieceType::Pawn, Piece::kind);
        let gain = CAPTURE_WEIGHT * SEE_VALUES[victim.index()];
        self.push(Move::new(from, to, MoveFlag::Capture), piece, victim, gain);
    }

    #[inline]
    fn pawn(&self) -> Piece {
        Piece::new(self.board.side_to_move(), PieceType::Pawn)
    }
}

impl MoveSink for TacticalSink<'_> {
    #[inline]
    fn piece(&mut self, kind: PieceType, from: Square, targets: Bitboard) {
        let piece = Piece::new(self.board.side_to_move(), kind);
        for to in targets {
            self.capture(from, to, piece);
        }
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, delta: i8, _: MoveFlag) {
        for to in targets {
            self.capture(origin(to, delta), to, self.pawn());
        }
    }

    #[inline]
    fn en_passant(&mut self, from: Square, to: Square) {
        let gain = CAPTURE_WEIGHT * SEE_VALUES[PieceType::Pawn.index()];
        self.push(Move::new(from, to, MoveFlag::EnPassant), self.pawn(), PieceType::Pawn, gain);
    }

    fn promotions(&mut self, targets: Bitboard, delta: i8, capture: bool) {
        for to in targets {
            let victim = self.board.piece_on(to).map(Piece::kind);
            let taken = victim.map_or(0, |kind| CAPTURE_WEIGHT * SEE_VALUES[kind.index()]);
            for flag in promotion_flags(capture) {
                let promoted = flag.promotion().map_or(0, |kind| SEE_VALUES[kind.index()]);
                let gain = taken + 8 * (promoted - SEE_VALUES[PieceType::Queen.index()] / 2);
                let mv = Move::new(origin(to, delta), to, flag);
                self.push(mv, self.pawn(), victim.unwrap_or(PieceType::Pawn), gain);
            }
        }
    }

    // Castling is quiet.
    fn castling(&mut self, _: Square, _: Square) {}
}
