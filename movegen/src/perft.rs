//! Perft: the number of move sequences of a given length. The last ply is counted, not played.

use rayon::prelude::*;

use crate::board::Board;
use crate::generate::{ALL, CountSink, MoveSink, generate, origin, promotion_flags};
use crate::position::{Position, Side, Unrecorded, for_side};
use crate::types::{Bitboard, Move, MoveFlag, Piece, PieceType, Square};

/// Plays each move on a copy and goes on below it.
struct PerftSink<'a, S> {
    position: &'a Position,
    /// Plies below the moves received, at least 1.
    depth: u32,
    nodes: u64,
    side: std::marker::PhantomData<S>,
}

impl<S: Side> PerftSink<'_, S> {
    #[inline(always)]
    fn play(&mut self, from: Square, to: Square, flag: MoveFlag, kind: PieceType) {
        let mut child = *self.position;
        child.apply::<S, _>(from, to, flag, kind, &mut Unrecorded);
        self.nodes += count::<S::Opponent>(&child, self.depth);
    }
}

impl<S: Side> MoveSink for PerftSink<'_, S> {
    #[inline(always)]
    fn piece(&mut self, kind: PieceType, from: Square, targets: Bitboard) {
        let enemy = self.position.colors[S::Opponent::COLOR.index()];
        for to in targets & !enemy {
            self.play(from, to, MoveFlag::Quiet, kind);
        }
        for to in targets & enemy {
            self.play(from, to, MoveFlag::Capture, kind);
        }
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, delta: i8, flag: MoveFlag) {
        for to in targets {
            self.play(origin(to, delta), to, flag, PieceType::Pawn);
        }
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, delta: i8, capture: bool) {
        for to in targets {
            for flag in promotion_flags(capture) {
                self.play(origin(to, delta), to, flag, PieceType::Pawn);
            }
        }
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        self.play(from, to, MoveFlag::EnPassant, PieceType::Pawn);
    }

    #[inline(always)]
    fn castling(&mut self, king: Square, rook: Square) {
        self.play(king, rook, MoveFlag::Castling, PieceType::King);
    }
}

/// Perft of a position with `S` to move, `depth` at least 1.
fn count<S: Side>(position: &Position, depth: u32) -> u64 {
    let lines = position.king_lines::<S>();
    if depth == 1 {
        let mut sink = CountSink::default();
        generate::<S, ALL, _>(position, &lines, &mut sink);
        return sink.count;
    }
    let mut sink = PerftSink::<S> { position, depth: depth - 1, nodes: 0, side: std::marker::PhantomData };
    generate::<S, ALL, _>(position, &lines, &mut sink);
    sink.nodes
}

fn count_position(position: &Position, depth: u32) -> u64 {
    if depth == 0 { 1 } else { for_side!(position.side, S => count::<S>(position, depth)) }
}

/// The number of sequences of `depth` legal moves from the position; 1 for depth 0.
pub fn perft(board: &Board, depth: u32) -> u64 {
    count_position(board.position(), depth)
}

/// The position after a legal move.
fn after(board: &Board, position: &Position, mv: Move) -> Position {
    let kind = board.piece_on(mv.from()).map_or(PieceType::Pawn, Piece::kind);
    let mut child = *position;
    for_side!(position.side, S => {
        child.apply::<S, _>(mv.from(), mv.to(), mv.flag(), kind, &mut Unrecorded);
    });
    child
}

/// Each legal move with the perft below it: the sum is the perft of `depth`. Empty for depth 0.
pub fn divide(board: &Board, depth: u32) -> Vec<(Move, u64)> {
    let Some(below) = depth.checked_sub(1) else { return Vec::new() };
    let moves = board.legal_moves();
    moves.into_iter().map(|mv| (mv, count_position(&after(board, board.position(), mv), below))).collect()
}

/// Below this depth a count is over before anybody could wish it ended, and before threads have started.
const SHALLOW: u32 = 4;

/// The perft of the position on the board; `None` when `is_cancelled` says so in between.
fn count_until(board: &mut Board, depth: u32, is_cancelled: &(impl Fn() -> bool + ?Sized)) -> Option<u64> {
    if is_cancelled() {
        return None;
    }
    if depth < SHALLOW {
        return Some(perft(board, depth));
    }
    let mut nodes = 0;
    for mv in board.legal_moves() {
        board.make_move(mv, &mut crate::NoObserver);
        let below = count_until(board, depth - 1, is_cancelled);
        board.unmake_move();
        nodes += below?;
    }
    Some(nodes)
}

/// As [`divide`], with the work shared out among threads (0: one for each core), until `is_cancelled` says that
/// nobody waits for it any more: `None` then.
///
/// # Errors
/// If the threads cannot be started.
pub fn divide_until(
    board: &Board,
    depth: u32,
    threads: usize,
    is_cancelled: &(impl Fn() -> bool + Sync + ?Sized),
) -> Result<Option<Vec<(Move, u64)>>, rayon::ThreadPoolBuildError> {
    if depth < SHALLOW {
        return Ok(Some(divide(board, depth)));
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let roots = board.legal_moves();
    // Split two plies deep, so that one large branch does not keep a single thread busy at the end.
    let mut tasks = Vec::new();
    for (index, &mv) in roots.iter().enumerate() {
        let mut child = board.clone();
        child.make_move(mv, &mut crate::NoObserver);
        tasks.extend(child.legal_moves().into_iter().map(|reply| (index, mv, reply)));
    }
    let count = |(index, mv, reply)| {
        let mut board = board.clone();
        board.make_move(mv, &mut crate::NoObserver);
        board.make_move(reply, &mut crate::NoObserver);
        count_until(&mut board, depth - 2, is_cancelled).map(|nodes| (index, nodes))
    };
    let counts: Option<Vec<_>> = pool.install(|| tasks.into_par_iter().map(count).collect());
    Ok(counts.map(|counts| {
        let mut divided: Vec<_> = roots.into_iter().map(|mv| (mv, 0)).collect();
        for (index, nodes) in counts {
            divided[index].1 += nodes;
        }
        divided
    }))
}

/// As [`divide`], with the work shared out among threads (0: one for each core).
///
/// # Errors
/// If the threads cannot be started.
pub fn divide_parallel(
    board: &Board,
    depth: u32,
    threads: usize,
) -> Result<Vec<(Move, u64)>, rayon::ThreadPoolBuildError> {
    Ok(divide_until(board, depth, threads, &|| false)?.unwrap_or_default())
}

/// As [`perft`], with the work shared out among threads (0: one for each core).
///
/// # Errors
/// If the threads cannot be started.
pub fn perft_parallel(board: &Board, depth: u32, threads: usize) -> Result<u64, rayon::ThreadPoolBuildError> {
    if depth == 0 {
        return Ok(1);
    }
    Ok(divide_parallel(board, depth, threads)?.into_iter().map(|(_, nodes)| nodes).sum())
}
