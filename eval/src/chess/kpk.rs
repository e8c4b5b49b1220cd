//! King and pawn against king: every position solved, once, when the first one is asked for.
//!
//! The pawn's side is taken as White with the pawn on the files a to d; the rest follows by mirrors. What is not known
//! as won yet is looked at again and again until nothing changes: then it is drawn.

use std::sync::LazyLock;

use movegen::{Color, File, PieceType, Square, king_attacks, pawn_attacks, queen_attacks};

/// Positions: side to move, 24 squares of the pawn, 64 of each king.
const SIZE: usize = 2 * 24 * 64 * 64;

/// One bit for each position, set when the pawn's side wins.
static WINS: LazyLock<Box<[u64]>> = LazyLock::new(solve);

/// Whether the pawn's side wins. `strong` owns the pawn; `to_move` tells whether it is its turn. The position must be
/// legal.
#[must_use]
pub fn is_win(strong: Color, king: Square, pawn: Square, enemy: Square, to_move: bool) -> bool {
    let mirror = pawn.file() as usize > File::D as usize;
    let turn = |square: Square| {
        let square = square.relative(strong);
        if mirror { square.flip_file() } else { square }
    };
    let index = index(to_move, turn(king), turn(pawn), turn(enemy));
    WINS.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 == 1)
}

/// Place of a position; the pawn stands on the files a to d and the ranks 2 to 7.
fn index(white: bool, king: Square, pawn: Square, enemy: Square) -> usize {
    let pawn = (pawn.rank() as usize - 1) * 4 + pawn.file() as usize;
    ((usize::from(white) * 24 + pawn) * 64 + king.index()) * 64 + enemy.index()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    /// Cannot occur.
    None,
    /// Not known yet.
    Open,
    /// Won for the pawn's side.
    Win,
}

fn squares() -> impl Iterator<Item = Square> {
    (0..64).filter_map(Square::from_index)
}

/// Every position, with the pawn's side as White.
fn positions() -> impl Iterator<Item = (bool, Square, Square, Square)> {
    let pawns = squares().filter(|pawn| pawn.file() <= File::D && (8..56).contains(&pawn.index()));
    pawns.flat_map(|pawn| {
        squares().flat_map(move |king| {
            squares().flat_map(move |enemy| [true, false].map(|white| (white, king, pawn, enemy)))
        })
    })
}

fn solve() -> Box<[u64]> {
    let mut values = vec![Value::None; SIZE];
    for (white, king, pawn, enemy) in positions() {
        let is_possible = king != pawn
            && king != enemy
            && enemy != pawn
            && !king_attacks(king).contains(enemy)
            && !(white && pawn_attacks(Color::White, pawn).contains(enemy));
        if is_possible {
            values[index(white, king, pawn, enemy)] = Value::Open;
        }
    }
    loop {
        let mut changed = false;
        for (white, king, pawn, enemy) in positions() {
            let place = index(white, king, pawn, enemy);
            if values[place] == Value::Open
                && if white {
                    white_wins(&values, king, pawn, enemy)
                } else {
                    black_loses(&values, king, pawn, enemy)
                }
            {
                values[place] = Value::Win;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    let word = |part: &[Value]| {
        part.iter().enumerate().fold(0, |word, (bit, &value)| word | u64::from(value == Value::Win) << bit)
    };
    values.chunks(64).map(word).collect()
}

/// Whether White, to move, has a move to a position known as won, or a promotion that wins.
fn white_wins(values: &[Value], king: Square, pawn: Square, enemy: Square) -> bool {
    let is_won = |king, pawn| values[index(false, king, pawn, enemy)] == Value::Win;
    if king_attacks(king).into_iter().any(|to| to != pawn && is_won(to, pawn)) {
        return true;
    }
    let Some(ahead) = pawn.try_offset(0, 1).filter(|&to| to != king && to != enemy) else { return false };
    if ahead.index() >= 56 {
        return promotes(king, ahead, enemy);
    }
    if is_won(king, ahead) {
        return true;
    }
    let second = pawn.try_offset(0, 2).filter(|&to| pawn.index() < 16 && to != king && to != enemy);
    second.is_some_and(|to| is_won(king, to))
}

/// Whether a new queen or rook wins: it is not taken at once, and does not give stalemate as both.
fn promotes(king: Square, queen: Square, enemy: Square) -> bool {
    let guarded = king_attacks(king).contains(queen);
    if king_attacks(enemy).contains(queen) && !guarded {
        return false;
    }
    // Against a bare king some promotion always wins where the new man stays: a queen, or a rook where the queen would
    // give stalemate.
    let occupied = king.bb() | enemy.bb();
    let flights = king_attacks(enemy) & !king_attacks(king);
    let attacked = |by: PieceType| match by {
        PieceType::Queen => queen_attacks(queen, occupied & !enemy.bb()),
        _ => movegen::rook_attacks(queen, occupied & !enemy.bb()),
    };
    [PieceType::Queen, PieceType::Rook].into_iter().any(|kind| {
        let set = attacked(kind);
        let is_check = set.contains(enemy);
        let can_move = flights.into_iter().any(|to| !set.contains(to) && (to != queen || !guarded));
        is_check || can_move
    })
}

/// Whether Black, to move, has only moves to positions known as won for White. Stalemate and taking the pawn draw.
fn black_loses(values: &[Value], king: Square, pawn: Square, enemy: Square) -> bool {
    let guarded = king_attacks(king);
    let attacked = guarded | pawn_attacks(Color::White, pawn);
    let mut can_move = false;
    for to in king_attacks(enemy) {
        if attacked.contains(to) {
            continue;
        }
        can_move = true;
        if to == pawn || values[index(true, king, pawn, to)] != Value::Win {
            return false;
        }
    }
    can_move
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wins(strong: Color, king: &str, pawn: &str, enemy: &str, to_move: bool) -> bool {
        let square = |text: &str| text.parse().expect("a square");
        is_win(strong, square(king), square(pawn), square(enemy), to_move)
    }

    #[test]
    fn textbook_positions() {
        use Color::{Black, White};
        // Opposition, with and without the move.
        assert!(wins(White, "e6", "e5", "e8", true) && wins(White, "e6", "e5", "e8", false));
        assert!(!wins(White, "e4", "e3", "e6", true) && wins(White, "e4", "e3", "e6", false));
        // The rook's pawn.
        assert!(!wins(White, "a6", "a5", "a8", true) && !wins(White, "b6", "a6", "b8", false));
        // The rule of the square.
        assert!(wins(White, "a1", "h5", "d5", true) && !wins(White, "a1", "h5", "e5", true));
        // The same for Black and on the other wing.
        assert!(!wins(Black, "d5", "d6", "d3", true) && wins(Black, "d5", "d6", "d3", false));
        assert!(!wins(White, "h6", "h5", "h8", true));
        // A rook where a queen would give stalemate.
        assert!(wins(White, "c6", "c7", "a7", true));
    }
}
