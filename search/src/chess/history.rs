//! Statistics of what worked elsewhere in the tree: they order moves and steer reductions.
//!
//! All counters follow the "gravity" update, which keeps them within a bound and makes surprising results
//! count more (<https://www.chessprogramming.org/History_Heuristic>). Correction histories remember how far
//! the static evaluation was off for positions with the same features
//! (<https://www.chessprogramming.org/Static_Evaluation_Correction_History>).

use movegen::{Bitboard, Board, CheckSquares, Color, Move, Piece, PieceType, Square, Threats};

use super::stack::NO_CONTINUATION;

/// Bound of a move counter.
pub const MAX_HISTORY: i32 = 16_384;
/// Bound of a correction counter.
const MAX_CORRECTION: i32 = 1_024;
const CORRECTION_SIZE: usize = 16_384;
const PAWN_SIZE: usize = 512;

/// By target square and whether that is attacked.
type To = [[i16; 2]; Square::NUM];
/// By piece and target square.
type PieceTo = [[i16; Square::NUM]; Piece::NUM];

/// All counters of one worker.
pub struct History {
    /// Quiet moves by colour, whether the origin is attacked, origin and target.
    quiet: Box<[[[To; Square::NUM]; 2]; 2]>,
    /// Captures by moving piece, target and captured kind.
    capture: Box<[[[i16; PieceType::NUM]; Square::NUM]; Piece::NUM]>,
    /// Moves by an earlier move's piece and target, then by piece and target.
    continuation: Box<[PieceTo; NO_CONTINUATION + 1]>,
    /// Quiet moves by pawn structure.
    pawn: Box<[PieceTo; PAWN_SIZE]>,
    /// The quiet move that refuted a move of that piece to that square.
    counter: Box<[[Option<Move>; Square::NUM]; Piece::NUM]>,
    correction_pawn: Box<[[i16; CORRECTION_SIZE]; 2]>,
    correction_minor: Box<[[i16; CORRECTION_SIZE]; 2]>,
    correction_officers: Box<[[[i16; CORRECTION_SIZE]; 2]; 2]>,
    correction_continuation: Box<[PieceTo; NO_CONTINUATION + 1]>,
}

/// A boxed array made without a detour over the thread's stack.
fn boxed<T: Clone, const N: usize>(value: T) -> Box<[T; N]> {
    match vec![value; N].into_boxed_slice().try_into() {
        Ok(array) => array,
        Err(_) => unreachable!("the vector has N elements"),
    }
}

impl Default for History {
    fn default() -> Self {
        Self {
            quiet: boxed([[[[0; 2]; Square::NUM]; Square::NUM]; 2]),
            capture: boxed([[0; PieceType::NUM]; Square::NUM]),
            continuation: boxed([[0; Square::NUM]; Piece::NUM]),
            pawn: boxed([[0; Square::NUM]; Piece::NUM]),
            counter: boxed([None; Square::NUM]),
            correction_pawn: boxed([0; CORRECTION_SIZE]),
            correction_minor: boxed([0; CORRECTION_SIZE]),
            correction_officers: boxed([[0; CORRECTION_SIZE]; 2]),
            correction_continuation: boxed([[0; Square::NUM]; Piece::NUM]),
        }
    }
}

#[inline]
fn gravity(counter: &mut i16, bonus: i32, bound: i32) {
    let bonus = bonus.clamp(-bound, bound);
    let value = i32::from(*counter);
    *counter = (value + bonus - value * bonus.abs() / bound) as i16;
}

/// Index into the continuation tables of a move of `piece` to `target`.
#[inline]
pub fn continuation_index(piece: Piece, target: Square) -> usize {
    piece.index() * Square::NUM + target.index()
}

/// Where the side to move stands when its moves are judged.
#[derive(Clone, Copy, Debug)]
pub struct Context {
    /// What the opponent attacks.
    pub threats: Threats,
    /// Where the side to move gives check.
    pub checks: CheckSquares,
    /// Continuation indices of the moves 1, 2, 4 and 6 plies ago.
    pub continuations: [usize; 4],
}

impl Default for Context {
    fn default() -> Self {
        Self {
            threats: Threats::default(),
            checks: CheckSquares::default(),
            continuations: [NO_CONTINUATION; 4],
        }
    }
}

/// The counters that the quiet moves of one position share.
pub struct QuietTable<'a> {
    own: &'a [[To; Square::NUM]; 2],
    pawn: &'a PieceTo,
    continuations: [&'a PieceTo; 4],
    threats: Bitboard,
}

/// The counters that the quiet moves of one man share, by target.
pub struct QuietRow<'a> {
    own: &'a To,
    pawn: &'a [i16; Square::NUM],
    continuations: [&'a [i16; Square::NUM]; 4],
    threats: Bitboard,
}

impl<'a> QuietTable<'a> {
    /// What is known of the moves of a man.
    #[inline]
    pub fn row(&self, piece: Piece, from: Square) -> QuietRow<'a> {
        QuietRow {
            own: &self.own[usize::from(self.threats.contains(from))][from.index()],
            pawn: &self.pawn[piece.index()],
            continuations: self.continuations.map(|table| &table[piece.index()]),
            threats: self.threats,
        }
    }
}

impl QuietRow<'_> {
    /// Sum of what is known of the move to a square.
    #[inline]
    pub fn score(&self, to: Square) -> i32 {
        let own = self.own[to.index()][usize::from(self.threats.contains(to))];
        let [c1, c2, c4, c6] = self.continuations.map(|row| i32::from(row[to.index()]));
        i32::from(own) + i32::from(self.pawn[to.index()]) + c1 + c2 + c4 / 2 + c6 / 2
    }
}

/// Weight of each continuation in updates, in 1024ths.
const CONTINUATION_UPDATE: [i32; 4] = [1024, 900, 500, 400];

impl History {
    /// Forgets everything.
    pub fn clear(&mut self) {
        // Named one by one, so that a new field cannot be forgotten here.
        let Self {
            quiet,
            capture,
            continuation,
            pawn,
            counter,
            correction_pawn,
            correction_minor,
            correction_officers,
            correction_continuation,
        } = self;
        quiet.fill([[[[0; 2]; Square::NUM]; Square::NUM]; 2]);
        capture.fill([[0; PieceType::NUM]; Square::NUM]);
        continuation.fill([[0; Square::NUM]; Piece::NUM]);
        pawn.fill([[0; Square::NUM]; Piece::NUM]);
        counter.fill([None; Square::NUM]);
        correction_pawn.fill([0; CORRECTION_SIZE]);
        correction_minor.fill([0; CORRECTION_SIZE]);
        correction_officers.fill([[0; CORRECTION_SIZE]; 2]);
        correction_continuation.fill([[0; Square::NUM]; Piece::NUM]);
    }

    /// What is known of the quiet moves of a position, for ordering.
    #[inline]
    pub fn quiet_table(&self, board: &Board, ctx: &Context) -> QuietTable<'_> {
        QuietTable {
            own: &self.quiet[board.side_to_move().index()],
            pawn: &self.pawn[board.pawn_key() as usize % PAWN_SIZE],
            continuations: ctx.continuations.map(|index| &self.continuation[index]),
            threats: ctx.threats.all,
        }
    }

    /// What is known of a quiet move, for reductions.
    #[inline]
    pub fn quiet_trust(&self, board: &Board, mv: Move, piece: Piece, ctx: &Context) -> i32 {
        let to = mv.to();
        let own = self.quiet[board.side_to_move().index()][usize::from(ctx.threats.all.contains(mv.from()))]
            [mv.from().index()][to.index()][usize::from(ctx.threats.all.contains(to))];
        let entry = |i: usize| i32::from(self.continuation[ctx.continuations[i]][piece.index()][to.index()]);
        i32::from(own) + entry(0) + entry(1)
    }

    /// What is known of the captures and promotions of a man, by target and captured kind.
    #[inline]
    pub fn capture_row(&self, piece: Piece) -> &[[i16; PieceType::NUM]; Square::NUM] {
        &self.capture[piece.index()]
    }

    /// What is known of a capture or promotion.
    #[inline]
    pub fn capture_score(&self, board: &Board, mv: Move, piece: Piece) -> i32 {
        i32::from(self.capture[piece.index()][mv.to().index()][captured_kind(board, mv).index()])
    }

    /// Rewards or punishes a quiet move.
    pub fn update_quiet(&mut self, board: &Board, mv: Move, piece: Piece, ctx: &Context, bonus: i32) {
        let to = mv.to();
        self.update_own(board.side_to_move(), ctx.threats.all, mv, bonus);
        let pawn = &mut self.pawn[board.pawn_key() as usize % PAWN_SIZE][piece.index()][to.index()];
        gravity(pawn, bonus, MAX_HISTORY);
        self.update_continuations(continuation_index(piece, to), ctx, bonus);
    }

    /// Rewards or punishes a quiet move of `us` by its squares only, with the squares that the other side attacked.
    pub fn update_own(&mut self, us: Color, threats: Bitboard, mv: Move, bonus: i32) {
        let (from, to) = (mv.from(), mv.to());
        let own = &mut self.quiet[us.index()][usize::from(threats.contains(from))][from.index()][to.index()]
            [usize::from(threats.contains(to))];
        gravity(own, bonus, MAX_HISTORY);
    }

    /// Rewards or punishes the move with continuation index `mv` as the answer to the moves before it.
    pub fn update_continuations(&mut self, mv: usize, ctx: &Context, bonus: i32) {
        if mv == NO_CONTINUATION {
            return;
        }
        for (index, weight) in ctx.continuations.into_iter().zip(CONTINUATION_UPDATE) {
            if index != NO_CONTINUATION {
                let counter = &mut self.continuation[index][mv / Square::NUM][mv % Square::NUM];
                gravity(counter, bonus * weight / 1024, MAX_HISTORY);
            }
        }
    }

    /// Rewards or punishes a capture or promotion.
    pub fn update_capture(&mut self, board: &Board, mv: Move, piece: Piece, bonus: i32) {
        let counter = &mut self.capture[piece.index()][mv.to().index()][captured_kind(board, mv).index()];
        gravity(counter, bonus, MAX_HISTORY);
    }

    /// The quiet move that last refuted the opponent's move with this continuation index.
    #[inline]
    pub fn counter_move(&self, continuation: usize) -> Option<Move> {
        let piece = self.counter.get(continuation / Square::NUM)?;
        piece[continuation % Square::NUM]
    }

    /// Remembers the refutation of the move with this continuation index.
    pub fn set_counter_move(&mut self, continuation: usize, mv: Move) {
        if let Some(piece) = self.counter.get_mut(continuation / Square::NUM) {
            piece[continuation % Square::NUM] = Some(mv);
        }
    }

    /// What to add to the static evaluation.
    #[inline]
    pub fn correction(&self, board: &Board, continuations: [usize; 2]) -> i32 {
        let us = board.side_to_move().index();
        let slot = |key: u64| key as usize % CORRECTION_SIZE;
        let pawn = i32::from(self.correction_pawn[us][slot(board.pawn_key())]);
        let minor = i32::from(self.correction_minor[us][slot(board.minor_key())]);
        let officers = i32::from(self.correction_officers[us][0][slot(board.non_pawn_key(Color::White))])
            + i32::from(self.correction_officers[us][1][slot(board.non_pawn_key(Color::Black))]);
        let continuation = self.continuation_correction(continuations);
        (pawn * 10 + minor * 7 + officers * 8 + continuation * 8) / 128
    }

    fn continuation_correction(&self, continuations: [usize; 2]) -> i32 {
        let [last, before] = continuations;
        if last == NO_CONTINUATION || before == NO_CONTINUATION {
            return 0;
        }
        i32::from(self.correction_continuation[before][last / Square::NUM][last % Square::NUM])
    }

    /// Moves the corrections of this position towards `error` (search result minus static evaluation).
    pub fn update_correction(&mut self, board: &Board, continuations: [usize; 2], depth: i32, error: i32) {
        let bonus = (error * depth / 8).clamp(-MAX_CORRECTION / 4, MAX_CORRECTION / 4);
        let us = board.side_to_move().index();
        let slot = |key: u64| key as usize % CORRECTION_SIZE;
        gravity(&mut self.correction_pawn[us][slot(board.pawn_key())], bonus, MAX_CORRECTION);
        gravity(&mut self.correction_minor[us][slot(board.minor_key())], bonus, MAX_CORRECTION);
        for color in Color::ALL {
            let slot = slot(board.non_pawn_key(color));
            gravity(&mut self.correction_officers[us][color.index()][slot], bonus, MAX_CORRECTION);
        }
        let [last, before] = continuations;
        if last != NO_CONTINUATION && before != NO_CONTINUATION {
            let counter = &mut self.correction_continuation[before][last / Square::NUM][last % Square::NUM];
            gravity(counter, bonus, MAX_CORRECTION);
        }
    }
}

/// Kind of the piece that a tactical move takes; a quiet promotion and en passant count as taking a pawn.
#[inline]
pub fn captured_kind(board: &Board, mv: Move) -> PieceType {
    if mv.is_en_passant() {
        return PieceType::Pawn;
    }
    board.piece_on(mv.to()).map_or(PieceType::Pawn, Piece::kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_stay_within_their_bound() {
        let mut counter = 0;
        for _ in 0..1_000 {
            gravity(&mut counter, 5_000, MAX_HISTORY);
        }
        assert!(i32::from(counter) <= MAX_HISTORY && i32::from(counter) > MAX_HISTORY * 9 / 10);
        for _ in 0..1_000 {
            gravity(&mut counter, -50_000, MAX_HISTORY);
        }
        assert_eq!(i32::from(counter), -MAX_HISTORY);
    }
}
