//! Knowledge of endings with few men, used over any evaluation.
//!
//! An evaluation of material and placement, written or learned, does not know how to make progress against a bare king,
//! nor that a wrong bishop or a king in front of a pawn holds a draw. The rules here are those of any textbook on
//! endings; numbers are centipawns.

use movegen::{Bitboard, Board, Color, File, PieceType, Rank, Square};

use super::{kpk, rook_ending};

/// Endings with more men than this are left to the evaluation.
const MAX_MEN: u32 = 6;
/// Rough values by kind of man, for telling which side is stronger.
const VALUES: [i32; PieceType::NUM] = [100, 320, 330, 500, 950, 0];
/// Lead of the bare king's opponent who can force mate, besides his material.
const WON: i32 = 1000;
/// Largest lead in material that does not win without pawns.
const MINOR_LEAD: i32 = 330;
/// Plies to mate by bishop and knight with the king on a square and the others well placed (what one in twenty random
/// positions with the kings two or three squares apart does not need more than), for a bishop on dark squares: first
/// from the middle to the edge, then along it to the right corner. The hump before the wrong corner is taken off.
#[rustfmt::skip]
const PLIES_TO_CORNER: [i32; Square::NUM] = [
     7, 11, 21, 29, 38, 41, 43, 44,
    11, 21, 31, 39, 45, 46, 46, 43,
    21, 31, 41, 48, 49, 49, 46, 41,
    29, 39, 48, 51, 53, 49, 45, 38,
    38, 45, 49, 53, 51, 48, 39, 29,
    41, 46, 49, 49, 48, 41, 31, 21,
    43, 46, 46, 45, 39, 31, 21, 11,
    44, 43, 41, 38, 29, 21, 11,  7,
];

/// The score of a position given what an evaluation says, both for the side to move.
#[inline]
#[must_use]
pub fn adjust(board: &Board, score: i32) -> i32 {
    if board.occupied().count() <= MAX_MEN { adjust_few(board, score) } else { score }
}

fn adjust_few(board: &Board, score: i32) -> i32 {
    let us = board.side_to_move();
    let view = |color, score: i32| if color == us { score } else { -score };
    for strong in Color::ALL {
        if board.color(!strong) == board.king(!strong).bb() {
            return match bare_king(board, strong, view(strong, score)) {
                // A bare king never stands better.
                Some(lead) => view(strong, lead.max(0)),
                None => score,
            };
        }
    }
    let strong = if score >= 0 { us } else { !us };
    let lead = score.abs();
    view(strong, against_men(board, strong, lead))
}

/// The men of a side other than king and pawns, in rough values.
fn officers(board: &Board, color: Color) -> i32 {
    [PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen]
        .into_iter()
        .map(|kind| VALUES[kind.index()] * board.colored(color, kind).count() as i32)
        .sum()
}

/// The lead of a side whose opponent has nothing but the king. `None` leaves it to the evaluation.
fn bare_king(board: &Board, strong: Color, score: i32) -> Option<i32> {
    let (king, enemy) = (board.king(strong), board.king(!strong));
    let pawns = board.colored(strong, PieceType::Pawn);
    let knights = board.colored(strong, PieceType::Knight);
    let bishops = board.colored(strong, PieceType::Bishop);
    let heavy = board.colored(strong, PieceType::Rook) | board.colored(strong, PieceType::Queen);
    if heavy.any() {
        let material = officers(board, strong) + VALUES[0] * pawns.count() as i32;
        let drive = 20 * edge(enemy) + 20 * (7 - distance(king, enemy)) - 5 * room(board, strong, enemy);
        return Some(WON + material + drive);
    }
    if pawns.any() {
        if is_wrong_corner(board, strong, pawns, bishops, knights) {
            return Some(score / 32);
        }
        if let (Some(pawn), false, true) =
            (pawns.first(), pawns.more_than_one(), (knights | bishops).is_empty())
        {
            let to_move = board.side_to_move() == strong;
            if !kpk::is_win(strong, king, pawn, enemy, to_move) {
                return Some(score / 32);
            }
            let rank = pawn.relative(strong).rank() as i32;
            return Some(WON / 2 + 40 * rank + 5 * (7 - distance(king, pawn)));
        }
        // More than a pawn: won but for accidents, and worth more than the pawn alone.
        return (score > 0).then_some(WON / 2 + 300 + score);
    }
    let (light, dark) = (bishops & Bitboard::LIGHT_SQUARES, bishops & Bitboard::DARK_SQUARES);
    let material = officers(board, strong);
    if light.any() && dark.any() {
        let drive = 60 * edge(enemy) + 60 * corner(enemy) + 40 * (7 - distance(king, enemy));
        return Some(WON + material + drive - 15 * room(board, strong, enemy));
    }
    if bishops.any() && knights.any() {
        // Only a corner of the bishop's colour will do.
        let seen = if light.any() { enemy.flip_file() } else { enemy };
        let drive = 40 * (60 - PLIES_TO_CORNER[seen.index()]) + 40 * (7 - distance(king, enemy));
        return Some(WON + material + drive);
    }
    // Two knights cannot force mate; three can.
    (knights.count() <= 2).then_some(score / 32)
}

/// Whether the pawns stand on one rook's file, the bishop does not reach the corner where they promote, and the bare
/// king does.
fn is_wrong_corner(
    board: &Board,
    strong: Color,
    pawns: Bitboard,
    bishops: Bitboard,
    knights: Bitboard,
) -> bool {
    if knights.any() {
        return false;
    }
    [File::A, File::H].into_iter().any(|file| {
        let corner = Square::new(file, Rank::R8.relative(strong));
        let color = if Bitboard::LIGHT_SQUARES.contains(corner) {
            Bitboard::LIGHT_SQUARES
        } else {
            Bitboard::DARK_SQUARES
        };
        (pawns & !file.bb()).is_empty()
            && (bishops & color).is_empty()
            && distance(board.king(!strong), corner) <= 1
    })
}

/// The lead of a side whose opponent has men besides the king.
fn against_men(board: &Board, strong: Color, lead: i32) -> i32 {
    let weak = !strong;
    let (ours, theirs) = (officers(board, strong), officers(board, weak));
    let pawns = board.colored(strong, PieceType::Pawn);
    let enemy_pawns = board.colored(weak, PieceType::Pawn);
    let (king, enemy) = (board.king(strong), board.king(weak));
    if pawns.is_empty() {
        let queen = board.colored(strong, PieceType::Queen);
        if enemy_pawns.is_empty() && theirs == VALUES[PieceType::Rook.index()] && queen.any() {
            // Queen against rook: the king to the edge, the rook out of its reach.
            let rook = board.colored(weak, PieceType::Rook).first();
            let apart = rook.map_or(0, |rook| distance(rook, enemy).min(4));
            let kings = 25 * (7 - distance(king, enemy)) - 10 * edge(king);
            return 600 + 40 * edge(enemy) + kings + 80 * apart;
        }
        if ours < VALUES[PieceType::Rook.index()] {
            // A minor piece alone does not win.
            return lead / 16;
        }
        if ours - theirs <= MINOR_LEAD && enemy_pawns.is_empty() {
            return lead / 8;
        }
        return lead;
    }
    if let (Some(pawn), false) = (pawns.first(), pawns.more_than_one()) {
        let rook = VALUES[PieceType::Rook.index()];
        let only_rooks = ours == rook
            && theirs == rook
            && board.colored(strong, PieceType::Rook).any()
            && board.colored(weak, PieceType::Rook).any();
        if enemy_pawns.is_empty() && only_rooks {
            return rook_ending::adjust(board, strong, lead);
        }
        let bishops = board.pieces(PieceType::Bishop);
        if enemy_pawns.is_empty()
            && ours == VALUES[PieceType::Bishop.index()]
            && theirs == ours
            && bishops.count() == 2
        {
            return bishop_and_pawn(board, strong, pawn, enemy, lead);
        }
    }
    lead
}

/// Bishop and pawn against bishop: a king in front of the pawn on a square that the bishop does not attack holds, and so
/// mostly do bishops of opposite colours.
fn bishop_and_pawn(board: &Board, strong: Color, pawn: Square, enemy: Square, lead: i32) -> i32 {
    let ours = board.colored(strong, PieceType::Bishop);
    let bishops = board.pieces(PieceType::Bishop);
    let is_light = (ours & Bitboard::LIGHT_SQUARES).any();
    let opposite = (bishops & Bitboard::LIGHT_SQUARES).count() == 1;
    let seen = enemy.relative(strong);
    let in_front = seen.file() == pawn.file() && seen.rank() > pawn.relative(strong).rank();
    let is_safe = Bitboard::LIGHT_SQUARES.contains(enemy) != is_light;
    if in_front && is_safe {
        lead / 32
    } else if opposite {
        lead / 8
    } else {
        lead
    }
}

/// Number of squares that a king can reach, moving any number of times, without crossing those that the other side
/// attacks now.
fn room(board: &Board, strong: Color, enemy: Square) -> i32 {
    let attacked = board.attacked_by(strong);
    let mut reached = enemy.bb();
    loop {
        let left = (reached.0 & !File::A.bb().0) >> 1;
        let right = (reached.0 & !File::H.bb().0) << 1;
        let row = reached.0 | left | right;
        let spread = Bitboard(row | row << 8 | row >> 8) & !attacked | enemy.bb();
        if spread == reached {
            return reached.count() as i32;
        }
        reached = spread;
    }
}

/// King moves between two squares.
fn distance(a: Square, b: Square) -> i32 {
    let files = (a.file() as i32 - b.file() as i32).abs();
    let ranks = (a.rank() as i32 - b.rank() as i32).abs();
    files.max(ranks)
}

/// Steps from the four squares in the middle: 0 there, 6 in a corner.
fn edge(square: Square) -> i32 {
    let outward = |index: i32| (3 - index).max(index - 4);
    outward(square.file() as i32) + outward(square.rank() as i32)
}

/// Nearness of a corner: 7 in one, less for each king move from the nearest.
fn corner(square: Square) -> i32 {
    let inward = |index: i32| index.min(7 - index);
    7 - inward(square.file() as i32).max(inward(square.rank() as i32))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(fen: &str, given: i32) -> i32 {
        adjust(&Board::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}")), given)
    }

    #[test]
    fn sides_and_colours_do_not_matter() {
        for (fen, mirrored) in [
            ("8/8/3k4/8/8/8/8/KBN5 w - - 0 1", "kbn5/8/8/8/8/3K4/8/8 b - - 0 1"),
            ("8/8/3k4/8/8/8/8/KQ6 b - - 0 1", "kq6/8/8/8/8/3K4/8/8 w - - 0 1"),
            ("8/8/3k4/8/3P4/8/8/K7 b - - 0 1", "k7/8/8/3p4/8/3K4/8/8 w - - 0 1"),
            ("3r4/8/3k4/8/3P4/8/8/K2R4 w - - 0 1", "k2r4/8/8/3p4/8/3K4/8/3R4 b - - 0 1"),
        ] {
            for given in [-150, 0, 150] {
                assert_eq!(score(fen, given), score(mirrored, given), "{fen}");
            }
        }
    }

    #[test]
    fn a_bare_king_is_driven_where_it_is_mated() {
        let kings =
            ["8/8/8/3k4/8/8/8/KQR5", "8/8/8/k7/8/8/8/K1QR4"].map(|men| score(&format!("{men} w - - 0 1"), 0));
        assert!(kings[0] > WON && kings[1] > kings[0]);
        // The bishop on a light square wants a light corner.
        let corners = ["k7/8/1K6/8/8/8/8/1BN5", "7k/8/6K1/8/8/8/8/1BN5"]
            .map(|men| score(&format!("{men} w - - 0 1"), 0));
        assert!(corners[0] > corners[1] + 200, "{corners:?}");
        assert!(score("7k/8/8/8/8/8/8/1BB4K b - - 0 1", 0) < -WON);
    }

    #[test]
    fn drawn_endings_are_seen() {
        // Wrong bishop, bare pawn, two knights, king in front of the pawn.
        for (fen, given) in [
            ("k7/8/8/8/P7/8/1K6/2B5 w - - 0 1", 500),
            ("7k/8/8/8/7P/7P/1K6/8 w - - 0 1", 300),
            ("8/8/8/8/3k4/8/3P4/K7 w - - 0 1", 150),
            ("8/8/3k4/8/8/8/8/KNN5 w - - 0 1", 600),
            ("3k4/8/8/3P4/8/8/1b6/KB6 w - - 0 1", 200),
            ("8/8/3k4/8/8/8/1n6/KR6 w - - 0 1", 200),
        ] {
            let adjusted = score(fen, given);
            assert!((0..=given / 4).contains(&adjusted), "{fen}: {adjusted}");
        }
        // The right bishop wins.
        assert!(score("7k/8/8/8/7P/8/1K6/4B3 w - - 0 1", 500) > 500);
    }

    #[test]
    fn more_men_are_left_alone() {
        assert_eq!(score("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 33), 33);
        assert_eq!(score("4k3/pp6/8/8/8/8/PP6/4K3 w - - 0 1", -7), -7);
    }
}
