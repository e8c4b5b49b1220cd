//! Zobrist keys: a random number for each fact of a position, all combined by XOR.

use crate::position::Position;
use crate::types::{Bitboard, Color, Piece, PieceType, Square};

struct Randoms {
    men: [[u64; Square::NUM]; Piece::NUM],
    /// By the square of a rook that may castle.
    castling: [u64; Square::NUM],
    /// By the file of the pawn that may be taken.
    en_passant: [u64; 8],
    black_to_move: u64,
}

/// `SplitMix64` (Steele, Lea, Flood 2014): the next state and its output.
const fn split_mix(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (state, z ^ (z >> 31))
}

static RANDOMS: Randoms = {
    let mut randoms = Randoms {
        men: [[0; Square::NUM]; Piece::NUM],
        castling: [0; Square::NUM],
        en_passant: [0; 8],
        black_to_move: 0,
    };
    let mut state = 0x4479_6164;
    let mut index = 0;
    while index < Piece::NUM * Square::NUM {
        (state, randoms.men[index / Square::NUM][index % Square::NUM]) = split_mix(state);
        index += 1;
    }
    index = 0;
    while index < Square::NUM {
        (state, randoms.castling[index]) = split_mix(state);
        index += 1;
    }
    index = 0;
    while index < 8 {
        (state, randoms.en_passant[index]) = split_mix(state);
        index += 1;
    }
    (_, randoms.black_to_move) = split_mix(state);
    randoms
};

#[inline]
pub(super) const fn man(piece: Piece, square: Square) -> u64 {
    RANDOMS.men[piece.index()][square.index()]
}

#[inline]
pub(super) fn castling(rooks: Bitboard) -> u64 {
    rooks.into_iter().fold(0, |key, rook| key ^ RANDOMS.castling[rook.index()])
}

#[inline]
pub(super) fn en_passant(square: Option<Square>) -> u64 {
    square.map_or(0, |square| RANDOMS.en_passant[square.index() % 8])
}

#[inline]
pub(super) const fn black_to_move() -> u64 {
    RANDOMS.black_to_move
}

/// The keys of a position and of parts of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Keys {
    pub key: u64,
    pub pawn: u64,
    pub non_pawn: [u64; Color::NUM],
    pub minor: u64,
}

impl Keys {
    /// Computes them from nothing.
    pub fn of(position: &Position) -> Self {
        let mut keys = Self::default();
        for color in Color::ALL {
            for kind in PieceType::ALL {
                for square in position.colored(color, kind) {
                    keys.toggle(Piece::new(color, kind), square);
                }
            }
        }
        keys.key ^= castling(position.castling) ^ en_passant(position.en_passant);
        if position.side == Color::Black {
            keys.key ^= black_to_move();
        }
        keys
    }

    /// Adds a man, or removes it.
    #[inline]
    pub fn toggle(&mut self, piece: Piece, square: Square) {
        self.change(piece, man(piece, square));
    }

    /// Moves a man.
    #[inline]
    pub fn shift(&mut self, piece: Piece, from: Square, to: Square) {
        self.change(piece, man(piece, from) ^ man(piece, to));
    }

    #[inline]
    fn change(&mut self, piece: Piece, random: u64) {
        self.key ^= random;
        match piece.kind() {
            PieceType::Pawn => self.pawn ^= random,
            PieceType::Knight | PieceType::Bishop | PieceType::King => {
                self.non_pawn[piece.color().index()] ^= random;
                self.minor ^= random;
            }
            PieceType::Rook | PieceType::Queen => self.non_pawn[piece.color().index()] ^= random,
        }
    }
}
