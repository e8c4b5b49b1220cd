//! Counting the leaves of the tree of legal moves.

mod men;

use crate::{Move, MoveList, Position, Rules, Variant, generate::generate, legal_moves};
use rayon::prelude::*;

/// Number of move sequences of length `depth` plies. The moves of the last ply are counted, not
/// played; while there is no king on the board the counting of [`men`] is used, which also does the
/// last ply but one without playing its moves where nothing can be captured.
///
/// [`men`]: self
pub fn perft<R: Rules>(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if R::VARIANT == Variant::International && position.all_kings().is_empty() {
        return men::perft(position, depth);
    }
    plain::<R>(position, depth)
}

/// Like [`perft`], by the move generator alone: each move but those of the last ply is generated and
/// played.
pub fn plain<R: Rules>(position: &Position, depth: u32) -> u64 {
    let mut list = MoveList::new();
    generate::<R>(position, &mut list);
    if depth <= 1 {
        return if depth == 0 { 1 } else { list.len() as u64 };
    }
    list.iter().map(|&mv| plain::<R>(&position.play::<R>(mv), depth - 1)).sum()
}

/// [`perft`] for each legal move, on `threads` threads. The work is split two plies deep.
///
/// # Errors
/// When the threads cannot be started.
pub fn divide<R: Rules>(
    position: &Position,
    depth: u32,
    threads: usize,
) -> Result<Vec<(Move, u64)>, rayon::ThreadPoolBuildError> {
    let moves = legal_moves::<R>(position);
    if depth <= 1 {
        return Ok(moves.iter().map(|&mv| (mv, 1)).collect());
    }
    let count = |mv: Move| {
        let child = position.play::<R>(mv);
        if depth < 4 {
            return perft::<R>(&child, depth - 1);
        }
        let replies = legal_moves::<R>(&child);
        replies.par_iter().map(|&reply| perft::<R>(&child.play::<R>(reply), depth - 2)).sum()
    };
    if threads <= 1 {
        return Ok(moves.iter().map(|&mv| (mv, perft::<R>(&position.play::<R>(mv), depth - 1))).collect());
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    Ok(pool.install(|| moves.par_iter().map(|&mv| (mv, count(mv))).collect()))
}
