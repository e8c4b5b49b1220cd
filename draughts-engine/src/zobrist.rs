//! Position keys.

use crate::{Color, Kind, Square};

struct Tables {
    pieces: [[[u64; 64]; 2]; 2],
    black_to_move: u64,
    king_walks: [[[u64; 4]; 64]; 2],
}

static TABLES: Tables = tables();

/// SplitMix64 (Steele, Lea, Flood, 2014).
const fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (*state ^ (*state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

const fn tables() -> Tables {
    let mut state = 0x0D1A_D0D2_A067_7500;
    let mut tables = Tables { pieces: [[[0; 64]; 2]; 2], black_to_move: 0, king_walks: [[[0; 4]; 64]; 2] };
    tables.black_to_move = next(&mut state);
    let mut color = 0;
    while color < 2 {
        let mut bit = 0;
        while bit < 54 {
            tables.pieces[color][0][bit] = next(&mut state);
            tables.pieces[color][1][bit] = next(&mut state);
            let mut walk = 1;
            while walk < 4 {
                tables.king_walks[color][bit][walk] = next(&mut state);
                walk += 1;
            }
            bit += 1;
        }
        color += 1;
    }
    tables
}

/// Number of a piece on a square.
#[inline]
pub(crate) fn piece(color: Color, kind: Kind, square: Square) -> u64 {
    TABLES.pieces[color.index()][kind as usize][square.bit()]
}

/// Number that is part of the key when Black is to move.
#[inline]
pub(crate) fn black_to_move() -> u64 {
    TABLES.black_to_move
}

/// Frisian only: number of a king that has made `walk` (0 to 3) quiet moves in a row.
#[inline]
pub(crate) fn king_walk(color: Color, square: Square, walk: u8) -> u64 {
    TABLES.king_walks[color.index()][square.bit()][usize::from(walk & 3)]
}
