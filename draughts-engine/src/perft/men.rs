//! Counting while both sides have only men.
//!
//! A step is a shift, so a few shifts and population counts tell the number of moves of a position, and
//! even the number of move pairs: if no move of ours gives the other side a capture, the number of its
//! replies after a move is the number it has now, plus the men that can step onto the square we left,
//! less those that could step onto the square we take. Moves that allow a capture, positions with
//! captures and crownings are played out.

use super::plain;
use crate::generate::captures_of_men;
use crate::position::crowning_row;
use crate::rules::International;
use crate::{Bitboard, Color, MoveList, Position};

/// Counts the leaves below a position without kings.
pub(super) fn perft(position: &Position, depth: u32) -> u64 {
    let own = position.pieces(position.turn()).0;
    let other = position.pieces(!position.turn()).0;
    match position.turn() {
        Color::White => count::<true>(own, other, depth),
        Color::Black => count::<false>(own, other, depth),
    }
}

/// Forward to the left of White's view (right of Black's) for the side `W`.
#[inline(always)]
fn ahead_a<const W: bool>(squares: u64) -> u64 {
    if W { squares >> 6 } else { squares << 6 }
}

#[inline(always)]
fn ahead_b<const W: bool>(squares: u64) -> u64 {
    if W { squares >> 5 } else { squares << 5 }
}

#[inline(always)]
fn back_a<const W: bool>(squares: u64) -> u64 {
    if W { squares << 6 } else { squares >> 6 }
}

#[inline(always)]
fn back_b<const W: bool>(squares: u64) -> u64 {
    if W { squares << 5 } else { squares >> 5 }
}

/// Where the pieces of `own` land by jumping over one of `other`, for each direction of `SHIFTS`,
/// if `free` are the squares that they may land on.
#[inline(always)]
fn landings(own: u64, other: u64, free: u64) -> [u64; 4] {
    [
        ((own >> 6) & other) >> 6 & free,
        ((own >> 5) & other) >> 5 & free,
        ((own << 6) & other) << 6 & free,
        ((own << 5) & other) << 5 & free,
    ]
}

#[inline(always)]
fn any(sets: [u64; 4]) -> u64 {
    sets[0] | sets[1] | sets[2] | sets[3]
}

/// Number of legal moves of the side `W`.
#[inline(always)]
fn moves<const W: bool>(own: u64, other: u64) -> u64 {
    let empty = Bitboard::ALL.0 & !(own | other);
    let jumps = landings(own, other, empty);
    if any(jumps) == 0 {
        let steps = (ahead_a::<W>(own) & empty).count_ones() + (ahead_b::<W>(own) & empty).count_ones();
        return u64::from(steps);
    }
    captures(own, other, empty, jumps)
}

/// Number of legal captures when `jumps` are the landing squares of the first jumps.
#[inline(always)]
fn captures(own: u64, other: u64, empty: u64, jumps: [u64; 4]) -> u64 {
    let [a, b, c, d] = jumps;
    // A second jump in each direction, except straight back.
    let second = (((a | b | d) >> 6 & other) >> 6 & empty)
        | (((a | b | c) >> 5 & other) >> 5 & empty)
        | (((b | c | d) << 6 & other) << 6 & empty)
        | (((a | c | d) << 5 & other) << 5 & empty);
    if second == 0 {
        return u64::from(a.count_ones() + b.count_ones() + c.count_ones() + d.count_ones());
    }
    long_captures(own, other)
}

#[inline(never)]
fn long_captures(own: u64, other: u64) -> u64 {
    let mut list = MoveList::new();
    captures_of_men::<International>(own, other, &mut list);
    list.len() as u64
}

/// The leaves below a position, the side `W` to move.
fn count<const W: bool>(own: u64, other: u64, depth: u32) -> u64 {
    if depth == 1 {
        return moves::<W>(own, other);
    }
    let empty = Bitboard::ALL.0 & !(own | other);
    if any(landings(own, other, empty)) != 0 {
        let mut list = MoveList::new();
        captures_of_men::<International>(own, other, &mut list);
        return list
            .iter()
            .map(|mv| {
                child::<W>(own ^ (1 << mv.from.bit()) | 1 << mv.to.bit(), other & !mv.captured.0, depth)
            })
            .sum();
    }
    if depth == 2 {
        return pairs::<W>(own, other, empty);
    }
    let (steps_a, steps_b) = (ahead_a::<W>(own) & empty, ahead_b::<W>(own) & empty);
    let play = |from: u64, to: u64| child::<W>(own ^ from ^ to, other, depth);
    let a: u64 = each(steps_a).map(|to| play(back_a::<W>(to), to)).sum();
    let b: u64 = each(steps_b).map(|to| play(back_b::<W>(to), to)).sum();
    a + b
}

/// The squares of a set, each as a set.
#[inline(always)]
fn each(mut squares: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let square = squares & squares.wrapping_neg();
        squares ^= square;
        (square != 0).then_some(square)
    })
}

/// The leaves below the position after a move of the side `W`.
#[inline(always)]
fn child<const W: bool>(own: u64, other: u64, depth: u32) -> u64 {
    let color = if W { Color::White } else { Color::Black };
    let crowned = own & crowning_row(color).0;
    if crowned != 0 {
        return crowning(color, own, other, crowned, depth - 1);
    }
    if W { count::<false>(other, own, depth - 1) } else { count::<true>(other, own, depth - 1) }
}

/// The leaves below a position with a new king of `color`, the other side to move.
#[inline(never)]
fn crowning(color: Color, own: u64, other: u64, crowned: u64, depth: u32) -> u64 {
    let mut pieces = [Bitboard(own), Bitboard(other)];
    if color == Color::Black {
        pieces.swap(0, 1);
    }
    plain::<International>(&Position::assemble(pieces, Bitboard(crowned), !color), depth)
}

/// Number of pairs of a quiet move of the side `W` and a reply, where `W` has no capture.
#[inline(always)]
fn pairs<const W: bool>(own: u64, other: u64, empty: u64) -> u64 {
    let color = if W { Color::White } else { Color::Black };
    let reply = |from: u64, to: u64| {
        let own = own ^ from ^ to;
        if W { moves::<false>(other, own) } else { moves::<true>(other, own) }
    };
    let (mut to_a, mut to_b) = (ahead_a::<W>(own) & empty, ahead_b::<W>(own) & empty);

    let crown = crowning_row(color).0;
    let mut total = 0;
    if (to_a | to_b) & crown != 0 {
        let crowning = |from: u64, to: u64| crowning(color, own ^ from ^ to, other, to, 1);
        total += each(to_a & crown).map(|to| crowning(back_a::<W>(to), to)).sum::<u64>();
        total += each(to_b & crown).map(|to| crowning(back_b::<W>(to), to)).sum::<u64>();
        to_a &= !crown;
        to_b &= !crown;
    }

    // The other side threatens a capture already: most moves leave it standing.
    if any(landings(other, own, empty)) != 0 {
        total += each(to_a).map(|to| reply(back_a::<W>(to), to)).sum::<u64>();
        total += each(to_b).map(|to| reply(back_b::<W>(to), to)).sum::<u64>();
        return total;
    }

    // Leaving one of these squares opens the landing square of a jump over our man beside it.
    let needed = any(landings(other, own, own));
    // A man arriving here is jumped over: straight ahead there is a piece of the other side (and the
    // square behind is the one it left), or one stands across from an empty square.
    let (other_a, other_b) = (back_a::<W>(other), back_b::<W>(other));
    let across_a = (other_a & ahead_a::<W>(empty)) | (ahead_a::<W>(other) & back_a::<W>(empty));
    let across_b = (other_b & ahead_b::<W>(empty)) | (ahead_b::<W>(other) & back_b::<W>(empty));
    let (from_a, from_b) = (back_a::<W>(to_a), back_b::<W>(to_b));
    let lost_a = from_a & (needed | back_a::<W>(other_a | across_b));
    let lost_b = from_b & (needed | back_b::<W>(other_b | across_a));
    total += each(lost_a).map(|from| reply(from, ahead_a::<W>(from))).sum::<u64>();
    total += each(lost_b).map(|from| reply(from, ahead_b::<W>(from))).sum::<u64>();

    // The other side steps backwards from our view: onto a square from the two squares ahead of it.
    let (quiet_a, quiet_b) = (from_a & !lost_a, from_b & !lost_b);
    let steps_now = (other_a & empty).count_ones() + (other_b & empty).count_ones();
    let gained = (quiet_a & other_a).count_ones()
        + (quiet_a & other_b).count_ones()
        + (quiet_b & other_a).count_ones()
        + (quiet_b & other_b).count_ones();
    // Straight ahead of the new square nothing stands, or the move would be among the lost ones.
    let closed =
        (ahead_a::<W>(quiet_a) & other_b).count_ones() + (ahead_b::<W>(quiet_b) & other_a).count_ones();
    let now = (quiet_a.count_ones() + quiet_b.count_ones()) * steps_now;
    total + u64::from(now + gained - closed)
}
