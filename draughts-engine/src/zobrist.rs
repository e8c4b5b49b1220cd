//! Position keys.

use ::eval::random::Random;

use crate::{Color, Kind, Square};

struct Tables {
    pieces: [[[u64; 64]; 2]; 2],
    black_to_move: u64,
    king_walks: [[[u64; 4]; 64]; 2],
}

static TABLES: Tables = tables();

const fn tables() -> Tables {
    let mut random = Random::seeded(0x0D1A_D0D2_A067_7500);
    let mut tables = Tables { pieces: [[[0; 64]; 2]; 2], black_to_move: 0, king_walks: [[[0; 4]; 64]; 2] };
    tables.black_to_move = random.next_u64();
    let mut color = 0;
    while color < 2 {
        let mut bit = 0;
        while bit < 54 {
            tables.pieces[color][0][bit] = random.next_u64();
            tables.pieces[color][1][bit] = random.next_u64();
            let mut walk = 1;
            while walk < 4 {
                tables.king_walks[color][bit][walk] = random.next_u64();
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
