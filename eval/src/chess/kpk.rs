//! King and pawn against king: every position solved, once, when the first one is asked for.
//!
//! The pawn's side is taken as White with the pawn on the files a to d; the rest follows by mirrors. What is not known
//! as won yet is looked at again and again until nothing changes: then it is drawn. All squares of the bare king are
//! looked at together, as one set, so that solving takes about a millisecond: it happens in the middle of a search.

use std::sync::LazyLock;

use movegen::{Bitboard, Color, File, PieceType, Square, king_attacks, pawn_attacks, queen_attacks};

/// Places of the pawn and its king: 24 squares and 64.
const PLACES: usize = 24 * 64;

/// The squares of the bare king where the pawn's side wins: for each [`place`] with Black to move, then with White to
/// move.
static WINS: LazyLock<Box<[Bitboard]>> = LazyLock::new(solve);

/// Whether the pawn's side wins. `strong` owns the pawn; `to_move` tells whether it is its turn. The position must be
/// legal.
#[must_use]
pub fn is_win(strong: Color, king: Square, pawn: Square, enemy: Square, to_move: bool) -> bool {
    let mirror = pawn.file() as usize > File::D as usize;
    let turn = |square: Square| {
        let square = square.relative(strong);
        if mirror { square.flip_file() } else { square }
    };
    let index = usize::from(to_move) * PLACES + place(turn(pawn), turn(king));
    WINS.get(index).is_some_and(|enemies| enemies.contains(turn(enemy)))
}

/// Number of a place of pawn and king; the pawn stands on the files a to d and the ranks 2 to 7.
fn place(pawn: Square, king: Square) -> usize {
    let pawn = (pawn.rank() as usize - 1) * 4 + pawn.file() as usize;
    pawn * 64 + king.index()
}

fn squares() -> impl Iterator<Item = Square> {
    (0..64).filter_map(Square::from_index)
}

/// Every place of the pawn and its king.
fn places() -> impl Iterator<Item = (Square, Square)> {
    let pawns = squares().filter(|pawn| pawn.file() <= File::D && (8..56).contains(&pawn.index()));
    pawns.flat_map(|pawn| squares().filter(move |&king| king != pawn).map(move |king| (pawn, king)))
}

fn solve() -> Box<[Bitboard]> {
    // Where White wins, with Black to move and with White to move.
    let (mut lost, mut won) = (vec![Bitboard::EMPTY; PLACES], vec![Bitboard::EMPTY; PLACES]);
    for (pawn, king) in places() {
        if let Some(ahead) = pawn.try_offset(0, 1).filter(|&to| to.index() >= 56 && to != king) {
            won[place(pawn, king)] = (possible(pawn, king) & !pawn_attacks(Color::White, pawn) & !ahead.bb())
                .into_iter()
                .filter(|&enemy| promotes(king, ahead, enemy))
                .collect();
        }
    }
    loop {
        let mut changed = false;
        for (pawn, king) in places() {
            let place = place(pawn, king);
            let more = white_wins(&lost, pawn, king) & !won[place];
            won[place] |= more;
            let losing = black_loses(won[place], pawn, king);
            changed |= more.any() || losing != lost[place];
            lost[place] = losing;
        }
        if !changed {
            return [lost, won].concat().into_boxed_slice();
        }
    }
}

/// Where the bare king may stand with Black to move. With White to move the pawn must not attack it either.
fn possible(pawn: Square, king: Square) -> Bitboard {
    !(king_attacks(king) | king.bb() | pawn.bb())
}

/// Where White, to move, has a move to a position known as won; promotions are left out. A man moving onto another
/// needs no test: no such position is won.
fn white_wins(lost: &[Bitboard], pawn: Square, king: Square) -> Bitboard {
    let mut wins = Bitboard::EMPTY;
    for to in king_attacks(king) & !pawn.bb() {
        wins |= lost[place(pawn, to)];
    }
    if let Some(ahead) = pawn.try_offset(0, 1).filter(|&to| to.index() < 56 && to != king) {
        wins |= lost[place(ahead, king)];
        if pawn.index() < 16
            && let Some(second) = pawn.try_offset(0, 2)
        {
            wins |= lost[place(second, king)] & !ahead.bb();
        }
    }
    wins & possible(pawn, king) & !pawn_attacks(Color::White, pawn)
}

/// Where Black, to move, has only moves to the squares `won` that are known as won for White. Stalemate and taking the
/// pawn draw.
fn black_loses(won: Bitboard, pawn: Square, king: Square) -> Bitboard {
    let free = !(king_attacks(king) | pawn_attacks(Color::White, pawn));
    possible(pawn, king) & beside(free) & !beside(free & !won)
}

/// The squares a king's step away from any of the set.
fn beside(set: Bitboard) -> Bitboard {
    let sides = (set & !File::A.bb()) >> 1 | (set & !File::H.bb()) << 1;
    let row = set | sides;
    sides | row << 8 | row >> 8
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
