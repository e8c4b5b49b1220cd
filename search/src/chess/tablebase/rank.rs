//! The root moves by the tables: which of them keep the value of the position, and what they are worth.

use movegen::{Board, Move, NoObserver};

use super::{CURSED, Dtz, TableUse, Wdl};
use crate::chess::score::table_win;

/// Rank of a sure win. Ranks of sure wins after a repetition lie at most a few hundred below.
const SURE: i32 = 2000;
/// Ranks of wins and losses that the fifty-move rule takes away lie nearer to 0 than this.
const CURSED_RANK: i32 = 1000;
/// The fifty-move rule in plies.
const FIFTY: i32 = 100;

/// A root move's place among the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rank {
    /// The move.
    pub mv: Move,
    /// Larger is better; among equals the search decides.
    pub rank: i32,
    /// Score of the move by the tables.
    pub score: i32,
}

/// The root moves as the tables see them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ranking {
    /// Every move that was asked for.
    pub moves: Vec<Rank>,
    /// Positions found in the tables.
    pub hits: u64,
    /// Whether the search is still to look into the tables: not when the distances already tell all.
    pub probe_in_search: bool,
}

impl Ranking {
    /// Ranks moves of a position, by the distance tables or else by the win/draw/loss tables. `None` when the
    /// position, or any of the moves, is not in the tables.
    #[must_use]
    pub fn new(board: &Board, moves: &[Move], usage: &TableUse) -> Option<Self> {
        if moves.is_empty() || !usage.covers(board) {
            return None;
        }
        let hits = moves.len() as u64;
        if let Some(moves) = by_distance(board, moves, usage) {
            return Some(Self { moves, hits, probe_in_search: false });
        }
        let moves = by_value(board, moves, usage)?;
        // A draw or loss needs no further proof; a win has to be made progress with.
        let probe_in_search = moves.iter().any(|m| m.rank > 0);
        Some(Self { moves, hits, probe_in_search })
    }
}

/// The position after a move.
fn after(board: &Board, mv: Move) -> Board {
    let mut after = board.clone();
    after.make_move(mv, &mut NoObserver);
    after
}

fn by_distance(board: &Board, moves: &[Move], usage: &TableUse) -> Option<Vec<Rank>> {
    let clock = i32::from(board.halfmove_clock().min(200));
    let repeated = has_repeated(board);
    let rank = |&mv: &Move| {
        let after = after(board, mv);
        let dtz = distance(&after, usage)?;
        let (rank, score) = judge(dtz, clock, repeated, usage.fifty_moves);
        Some(Rank { mv, rank, score })
    };
    moves.iter().map(rank).collect()
}

/// Distance counted from before the move that led to `after`, for the side that made it.
fn distance(after: &Board, usage: &TableUse) -> Option<Dtz> {
    if after.is_checkmate() {
        return Some(Dtz { plies: 1, rounded: false });
    }
    if after.halfmove_clock() == 0 {
        let plies = match usage.tables.wdl(after)?.flipped() {
            Wdl::Win => 1,
            Wdl::CursedWin => 1 + FIFTY,
            Wdl::Draw => 0,
            Wdl::BlessedLoss => -1 - FIFTY,
            Wdl::Loss => -1,
        };
        return Some(Dtz { plies, rounded: false });
    }
    if after.is_repetition(1) || after.is_insufficient_material() {
        return Some(Dtz { plies: 0, rounded: false });
    }
    let Dtz { plies, rounded } = usage.tables.dtz(after)?;
    Some(Dtz { plies: -plies - plies.signum(), rounded })
}

/// Rank and score of a move with this distance.
fn judge(dtz: Dtz, clock: i32, repeated: bool, fifty_moves: bool) -> (i32, i32) {
    let length = dtz.plies.abs();
    // The clock when the distance has been walked.
    let total = length + clock;
    let is_sure = !fifty_moves || total + i32::from(dtz.rounded) <= FIFTY;
    match dtz.plies.signum() {
        // All sure wins are as good, unless the play has begun to go round in circles.
        1 if is_sure && !repeated => (SURE, table_win(1)),
        1 if is_sure => (SURE - length.min(SURE - CURSED_RANK), table_win(1)),
        1 => ((CURSED_RANK - total).max(1), CURSED),
        // All losses are as bad, unless the fifty-move rule may come to help.
        -1 if is_sure && (!fifty_moves || 2 * length + clock < FIFTY) => (-SURE, -table_win(1)),
        -1 if is_sure => (-SURE + total, -table_win(1)),
        -1 => ((total - CURSED_RANK).min(-1), -CURSED),
        _ => (0, 0),
    }
}

fn by_value(board: &Board, moves: &[Move], usage: &TableUse) -> Option<Vec<Rank>> {
    let rank = |&mv: &Move| {
        let after = after(board, mv);
        let value = if after.is_draw(1) { Wdl::Draw } else { usage.tables.wdl(&after)?.flipped() };
        let rank = match value {
            Wdl::Win => SURE,
            Wdl::CursedWin if usage.fifty_moves => CURSED_RANK / 2,
            Wdl::CursedWin => SURE,
            Wdl::Draw => 0,
            Wdl::BlessedLoss if usage.fifty_moves => -CURSED_RANK / 2,
            Wdl::BlessedLoss | Wdl::Loss => -SURE,
        };
        Some(Rank { mv, rank, score: value.score(1, usage.fifty_moves) })
    };
    moves.iter().map(rank).collect()
}

/// Whether a position has occurred twice since the last capture or pawn move.
fn has_repeated(board: &Board) -> bool {
    let mut board = board.clone();
    for _ in 0..board.known_plies() {
        if board.halfmove_clock() == 0 {
            return false;
        }
        if board.repetition_count() > 0 {
            return true;
        }
        board.unmake_move();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(plies: i32) -> Dtz {
        Dtz { plies, rounded: false }
    }

    #[test]
    fn sure_wins_are_equal_until_the_play_repeats() {
        assert_eq!(judge(exact(3), 0, false, true), judge(exact(40), 30, false, true));
        assert!(judge(exact(3), 0, true, true).0 > judge(exact(5), 0, true, true).0);
        assert!(judge(exact(99), 0, true, true).0 > judge(exact(99), 2, false, true).0);
    }

    #[test]
    fn the_fifty_move_rule_takes_wins_and_losses_away() {
        assert_eq!(judge(exact(60), 40, false, true).1, table_win(1));
        assert_eq!(judge(exact(61), 40, false, true).1, CURSED);
        assert_eq!(judge(Dtz { plies: 60, rounded: true }, 40, false, true).1, CURSED);
        assert_eq!(judge(exact(161), 40, false, false).1, table_win(1));
        assert_eq!(judge(exact(-61), 40, false, true).1, -CURSED);
        assert_eq!(judge(exact(-161), 40, false, false).1, -table_win(1));
        let order = [-3, -49, -99, -101, -700, 0, 700, 101, 99];
        let ranks: Vec<i32> = order.iter().map(|&plies| judge(exact(plies), 0, false, true).0).collect();
        assert!(ranks.is_sorted(), "{ranks:?}");
        assert!(ranks[4] < 0 && ranks[6] > 0);
    }

    #[test]
    fn repetitions_are_seen_in_the_game_so_far() {
        let mut board = Board::from_fen("8/8/4k3/8/8/4K3/8/R7 w - - 0 1").expect("a test position");
        let mut seen = Vec::new();
        for text in ["a1a2", "e6e5", "a2a1", "e5e6", "e3e4"] {
            let mv = board.parse_uci(text).expect("a legal move");
            board.make_move(mv, &mut NoObserver);
            seen.push(has_repeated(&board));
        }
        assert_eq!(seen, [false, false, false, true, true]);
    }
}
