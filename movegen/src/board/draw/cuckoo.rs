//! The key differences of all reversible moves in a cuckoo hash table, made at compile time.

use super::zobrist;
use crate::attacks::{bishop_rays, king_attacks, knight_attacks, rook_rays};
use crate::types::{Bitboard, Piece, PieceType, Square};

const SIZE: usize = 8192;

#[derive(Clone, Copy)]
struct Entry {
    /// The change of the key by the move; 0 marks a free place.
    key: u64,
    squares: (Square, Square),
}

const FREE: Entry = Entry { key: 0, squares: (Square::A1, Square::A1) };

const fn first_place(key: u64) -> usize {
    key as usize % SIZE
}

const fn second_place(key: u64) -> usize {
    (key >> 16) as usize % SIZE
}

/// The squares a man other than a pawn reaches on an empty board.
const fn reach(kind: PieceType, square: Square) -> Bitboard {
    match kind {
        PieceType::Pawn => Bitboard::EMPTY,
        PieceType::Knight => knight_attacks(square),
        PieceType::Bishop => bishop_rays(square),
        PieceType::Rook => rook_rays(square),
        PieceType::Queen => Bitboard(bishop_rays(square).0 | rook_rays(square).0),
        PieceType::King => king_attacks(square),
    }
}

/// Puts an entry in its first place, sends away what was there to its other place, and so on.
const fn insert(table: &mut [Entry; SIZE], mut entry: Entry) {
    let mut place = first_place(entry.key);
    while entry.key != 0 {
        let evicted = table[place];
        table[place] = entry;
        entry = evicted;
        let first = first_place(entry.key);
        place = if place == first { second_place(entry.key) } else { first };
    }
}

static TABLE: [Entry; SIZE] = {
    let mut table = [FREE; SIZE];
    let mut index = 0;
    while index < Piece::NUM * Square::NUM * Square::NUM {
        let piece = Piece::ALL[index / (Square::NUM * Square::NUM)];
        let from = Square::ALL[index / Square::NUM % Square::NUM];
        let to = Square::ALL[index % Square::NUM];
        if (from as u8) < to as u8 && reach(piece.kind(), from).contains(to) {
            let key = zobrist::man(piece, from) ^ zobrist::man(piece, to) ^ zobrist::black_to_move();
            insert(&mut table, Entry { key, squares: (from, to) });
        }
        index += 1;
    }
    table
};

/// The two squares of the reversible move that changes the key by `difference`.
#[inline]
pub(super) fn find(difference: u64) -> Option<(Square, Square)> {
    [first_place(difference), second_place(difference)]
        .into_iter()
        .map(|place| TABLE[place])
        .find(|entry| entry.key == difference)
        .map(|entry| entry.squares)
}
