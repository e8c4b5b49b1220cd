//! Which squares a man attacks. All tables are computed at compile time.
//!
//! Sliding men use plain ("fancy") magic bitboards: the blockers on a man's lines, multiplied by a factor of
//! the square and shifted, index a table of attack sets. Source: L. Kannan, "Magic Move-Bitboard Generation
//! in Computer Chess" (2007); the factors are our own.

mod magic;

use crate::types::{Bitboard, Color, PieceType, Square};

/// The four lines through a square: rank, file, diagonal (a1-h8), anti-diagonal, without the square itself.
const fn lines(square: usize) -> [u64; 4] {
    let (file, rank) = ((square % 8) as i32, (square / 8) as i32);
    let mut lines = [0; 4];
    let mut other = 0;
    while other < 64 {
        let (df, dr) = ((other % 8) as i32 - file, (other / 8) as i32 - rank);
        let bit = 1 << other;
        if other != square {
            if dr == 0 {
                lines[0] |= bit;
            } else if df == 0 {
                lines[1] |= bit;
            } else if df == dr {
                lines[2] |= bit;
            } else if df == -dr {
                lines[3] |= bit;
            }
        }
        other += 1;
    }
    lines
}

/// The squares of a line that a slider reaches. Subtracting the slider's bit from the blockers borrows up to
/// the first of them; on the mirrored board the same is done for the other direction (the o^(o-2r) trick).
const fn slide(slider: u64, occupied: u64, line: u64) -> u64 {
    let up = (occupied & line).wrapping_sub(slider.wrapping_mul(2));
    let down = (occupied & line).reverse_bits().wrapping_sub(slider.reverse_bits().wrapping_mul(2));
    (up ^ down.reverse_bits()) & line
}

/// Computes a rook's (`first` = 0) or a bishop's (`first` = 2) attacks without a table.
const fn slow_attacks(square: usize, occupied: u64, first: usize) -> u64 {
    let lines = lines(square);
    let slider = 1 << square;
    slide(slider, occupied, lines[first]) | slide(slider, occupied, lines[first + 1])
}

/// How one square's entry in the table of sliding attacks is found.
#[derive(Clone, Copy)]
struct Magic {
    /// The squares where a man can block: the lines without the last square of each direction.
    mask: u64,
    factor: u64,
    /// Where the square's part of the table begins.
    offset: u32,
    /// 64 minus the number of bits of the mask.
    shift: u32,
}

impl Magic {
    #[inline(always)]
    const fn index(&self, occupied: u64) -> usize {
        ((occupied & self.mask).wrapping_mul(self.factor) >> self.shift) as usize + self.offset as usize
    }
}

const ROOK_ENTRIES: usize = 102_400;
const BISHOP_ENTRIES: usize = 5_248;

/// The board's rim as far as it does not contain the square's own rank or file.
const fn rim(square: usize) -> u64 {
    let ranks = 0xff00_0000_0000_00ff & !(0xff << (square / 8 * 8));
    let files = 0x8181_8181_8181_8181 & !(0x0101_0101_0101_0101 << (square % 8));
    ranks | files
}

const fn magics(factors: &[u64; 64], first: usize, mut offset: u32) -> [Magic; 64] {
    let mut magics = [Magic { mask: 0, factor: 0, offset: 0, shift: 0 }; 64];
    let mut square = 0;
    while square < 64 {
        let lines = lines(square);
        let mask = (lines[first] | lines[first + 1]) & !rim(square);
        magics[square] = Magic { mask, factor: factors[square], offset, shift: 64 - mask.count_ones() };
        offset += 1 << mask.count_ones();
        square += 1;
    }
    magics
}

static ROOKS: [Magic; 64] = ROOK_INDEX;
static BISHOPS: [Magic; 64] = BISHOP_INDEX;
const ROOK_INDEX: [Magic; 64] = magics(&magic::ROOK_MAGICS, 0, 0);
const BISHOP_INDEX: [Magic; 64] = magics(&magic::BISHOP_MAGICS, 2, ROOK_ENTRIES as u32);

#[expect(long_running_const_eval, reason = "every set of blockers of every square: about a second")]
static SLIDING: [u64; ROOK_ENTRIES + BISHOP_ENTRIES] = {
    let mut table = [0; ROOK_ENTRIES + BISHOP_ENTRIES];
    let mut square = 0;
    while square < 64 {
        let mut first = 0;
        while first <= 2 {
            let magic = if first == 0 { ROOK_INDEX[square] } else { BISHOP_INDEX[square] };
            let lines = lines(square);
            let slider = 1 << square;
            // Every subset of the mask, by the carry-rippler.
            let mut blockers = 0u64;
            loop {
                table[magic.index(blockers)] =
                    slide(slider, blockers, lines[first]) | slide(slider, blockers, lines[first + 1]);
                blockers = blockers.wrapping_sub(magic.mask) & magic.mask;
                if blockers == 0 {
                    break;
                }
            }
            first += 2;
        }
        square += 1;
    }
    table
};

const fn leaper(steps: [(i8, i8); 8], count: usize) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        let mut step = 0;
        while step < count {
            if let Some(to) = Square::ALL[square].try_offset(steps[step].0, steps[step].1) {
                table[square].0 |= 1 << to as u8;
            }
            step += 1;
        }
        square += 1;
    }
    table
}

static KNIGHT: [Bitboard; 64] =
    leaper([(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)], 8);
static KING: [Bitboard; 64] =
    leaper([(1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1), (0, 1)], 8);
static PAWN: [[Bitboard; 64]; 2] = [
    leaper([(-1, 1), (1, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0)], 2),
    leaper([(-1, -1), (1, -1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0)], 2),
];

const fn empty_board(first: usize) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = Bitboard(slow_attacks(square, 0, first));
        square += 1;
    }
    table
}

static ROOK_RAYS: [Bitboard; 64] = empty_board(0);
static BISHOP_RAYS: [Bitboard; 64] = empty_board(2);

/// For each pair of squares on a common line the squares strictly between them, and the whole line.
const fn pair_tables(whole: bool) -> [[Bitboard; 64]; 64] {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut a = 0;
    while a < 64 {
        let lines_a = lines(a);
        let mut index = 0;
        while index < 4 {
            let mut b = 0;
            while b < 64 {
                if lines_a[index] >> b & 1 != 0 {
                    table[a][b] = Bitboard(if whole {
                        lines_a[index] | 1 << a
                    } else {
                        slide(1 << a, 1 << b, lines_a[index]) & slide(1 << b, 1 << a, lines(b)[index])
                    });
                }
                b += 1;
            }
            index += 1;
        }
        a += 1;
    }
    table
}

static BETWEEN: [[Bitboard; 64]; 64] = pair_tables(false);
static LINE: [[Bitboard; 64]; 64] = pair_tables(true);

/// The squares a pawn of `color` attacks (not those it moves to).
#[inline]
pub fn pawn_attacks(color: Color, square: Square) -> Bitboard {
    PAWN[color.index()][square.index()]
}

/// The squares a knight attacks.
#[inline]
pub const fn knight_attacks(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

/// The squares a king attacks.
#[inline]
pub const fn king_attacks(square: Square) -> Bitboard {
    KING[square.index()]
}

/// The squares a bishop attacks with `occupied` squares in its way; the first blocker of each direction is
/// attacked too.
#[inline]
pub fn bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    let index = BISHOPS[square.index()].index(occupied.0);
    debug_assert!(index < SLIDING.len());
    // SAFETY: `index` is the square's offset plus a number below 2 to the bits of its mask, and the table
    // is laid out to hold exactly that many entries for each square.
    Bitboard(unsafe { *SLIDING.get_unchecked(index) })
}

/// The squares a rook attacks with `occupied` squares in its way; the first blocker of each direction is
/// attacked too.
#[inline]
pub fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    let index = ROOKS[square.index()].index(occupied.0);
    debug_assert!(index < SLIDING.len());
    // SAFETY: as in `bishop_attacks`.
    Bitboard(unsafe { *SLIDING.get_unchecked(index) })
}

/// The squares a queen attacks with `occupied` squares in its way.
#[inline]
pub fn queen_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    bishop_attacks(square, occupied) | rook_attacks(square, occupied)
}

/// The squares a man of any kind attacks.
#[inline]
pub fn piece_attacks(kind: PieceType, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        PieceType::Pawn => pawn_attacks(color, square),
        PieceType::Knight => knight_attacks(square),
        PieceType::Bishop => bishop_attacks(square, occupied),
        PieceType::Rook => rook_attacks(square, occupied),
        PieceType::Queen => queen_attacks(square, occupied),
        PieceType::King => king_attacks(square),
    }
}

/// The squares a rook attacks on an empty board.
#[inline]
pub const fn rook_rays(square: Square) -> Bitboard {
    ROOK_RAYS[square.index()]
}

/// The squares a bishop attacks on an empty board.
#[inline]
pub const fn bishop_rays(square: Square) -> Bitboard {
    BISHOP_RAYS[square.index()]
}

/// The squares strictly between two squares of a common rank, file or diagonal; otherwise none.
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The whole rank, file or diagonal through two different squares, both included; none if there is no such.
#[inline]
pub fn line(a: Square, b: Square) -> Bitboard {
    LINE[a.index()][b.index()]
}
