//! Patterns: what the men on a region of the board look like, as a number.
//!
//! A region is [`ROWS`] rows high and three squares wide. Each of its squares is empty, holds a man of the
//! side that looks, or a man of the other side, so a region has 3^(3 · rows) states, and a table gives each a
//! weight (pattern evaluation: M. Buro, Logistello, 1997; for draughts: F. Letouzey, Scan, 2015).
//!
//! Each side looks at the regions that begin in its own half and a little beyond. What it sees counts for it,
//! what the other side sees counts against it: the evaluation is the same for both sides by construction.
//!
//! Most of the states of a region are never seen in training. So smaller parts of the regions, of two and three
//! rows, are learnt beside them; what a part is worth is shared by all states of the region that hold it.

/// Rows of a region.
pub const ROWS: usize = 4;
/// Region columns: squares 1 to 3, 2 to 4 and 3 to 5 of each row.
const COLUMNS: usize = 3;
/// The first rows at which regions begin, as the side that looks counts them; its men move towards row 0.
const FIRST: usize = (10 - ROWS).div_ceil(2);
/// Number of first rows.
const STARTS: usize = starts(ROWS);
/// Regions that a side looks at.
pub const REGIONS: usize = STARTS * COLUMNS;
/// States of a region.
pub const STATES: usize = states(ROWS);

/// Number of first rows of parts of so many rows.
const fn starts(rows: usize) -> usize {
    10 - rows - FIRST + 1
}

/// States of a part of so many rows.
pub const fn states(rows: usize) -> usize {
    27usize.pow(rows as u32)
}

/// States of all parts of so many rows together.
pub const fn all_states(rows: usize) -> usize {
    starts(rows) * COLUMNS * states(rows)
}

/// Bits of a lane in a packed number of three columns: 27^4 states fit.
const LANE: u32 = 21;
const MASK: u64 = (1 << LANE) - 1;

/// The three columns of a row as numbers to base three, one a lane; indexed by the row's own men and, five
/// bits higher, the other side's. A square of both sides does not exist.
static ROW: [u64; 1024] = rows();

const fn rows() -> [u64; 1024] {
    let mut table = [0; 1024];
    let mut row = 0;
    while row < 1024 {
        let mut column = 0;
        while column < COLUMNS {
            let mut code = 0;
            let mut square = column;
            while square < column + 3 {
                code = code * 3 + (row >> square & 1) as u64 + 2 * (row >> (square + 5) & 1) as u64;
                square += 1;
            }
            table[row] |= code << (LANE * column as u32);
            column += 1;
        }
        row += 1;
    }
    table
}

/// Calls `see` with the index, below [`all_states`]`(N)`, of the state of each part of `N` rows for a side with men
/// `own` against men `other`, both as that side sees the board.
#[inline(always)]
pub fn patterns<const N: usize>(own: u64, other: u64, mut see: impl FnMut(usize)) {
    let code = |row: usize| {
        let shift = 5 * row + row / 2;
        ROW[(own >> shift & 31 | (other >> shift & 31) << 5) as usize]
    };
    let rows: [u64; 10 - FIRST] = std::array::from_fn(|row| code(FIRST + row));
    for start in 0..starts(N) {
        let packed = rows[start..start + N].iter().fold(0, |packed, row| packed * 27 + row);
        for column in 0..COLUMNS {
            let state = (packed >> (LANE * column as u32) & MASK) as usize;
            see((start * COLUMNS + column) * states(N) + state);
        }
    }
}

/// The parts of `rows` rows that belong to a part (or region) of one row more with the number `index`: the index of
/// their first state, and what the larger part's state is to be divided by; the rest modulo the states of the smaller
/// part is its state. Every part belongs to one.
pub fn parts(index: usize, rows: usize) -> impl Iterator<Item = (usize, usize)> {
    let (start, column) = (index / COLUMNS, index % COLUMNS);
    let last = usize::from(start + 1 == starts(rows + 1));
    (0..=last).map(move |down| (((start + down) * COLUMNS + column) * states(rows), states(1 - down)))
}

/// The part of two rows in which one man can be told, and what he adds to its state when he stands there, by bit
/// position of his square. None for the rows that no part covers.
pub fn cell(bit: usize) -> Option<(usize, usize)> {
    let row = (0..10).find(|row| (5 * row + row / 2..5 * row + row / 2 + 5).contains(&bit))?;
    let square = bit - (5 * row + row / 2);
    let start = row.checked_sub(FIRST)?.min(starts(2) - 1);
    let column = square.min(COLUMNS - 1);
    let below = 1 - (row - FIRST - start);
    Some((start * COLUMNS + column, states(below) * 3usize.pow((2 - (square - column)) as u32)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Bitboard;

    fn seen(own: u64, other: u64) -> Vec<usize> {
        let mut all = Vec::new();
        patterns::<ROWS>(own, other, |index| all.push(index));
        all
    }

    #[test]
    fn every_region_has_one_state() {
        let all = seen(Bitboard::row(9).bits() | Bitboard::row(8).bits(), Bitboard::row(4).bits());
        assert_eq!(all.len(), REGIONS);
        for (region, &index) in all.iter().enumerate() {
            assert_eq!(index / STATES, region);
        }
    }

    fn seen_parts<const N: usize>(own: u64, other: u64) -> Vec<usize> {
        let mut all = Vec::new();
        patterns::<N>(own, other, |index| all.push(index));
        all.sort_unstable();
        all
    }

    #[test]
    fn every_part_belongs_to_one_larger_part() {
        let (own, other) = (Bitboard::row(8).bits() | 1 << 34, Bitboard::row(5).bits() | 1 << 24);
        let split = |larger: Vec<usize>, rows: usize| {
            let mut all: Vec<usize> = larger
                .into_iter()
                .flat_map(|at| {
                    let state = at % states(rows + 1);
                    parts(at / states(rows + 1), rows)
                        .map(move |(first, divisor)| first + state / divisor % states(rows))
                })
                .collect();
            all.sort_unstable();
            all
        };
        assert_eq!(split(seen(own, other), 3), seen_parts::<3>(own, other));
        assert_eq!(split(seen_parts::<3>(own, other), 2), seen_parts::<2>(own, other));
        assert_eq!(seen_parts::<2>(own, other).len() * states(2), all_states(2));
    }

    #[test]
    fn a_cell_tells_one_man() {
        let state = |own, other, part| {
            let mut found = None;
            patterns::<2>(own, other, |at| {
                if at / states(2) == part {
                    found = Some(at % states(2));
                }
            });
            found
        };
        for row in FIRST..10 {
            for square in 0..5 {
                let bit = 5 * row + row / 2 + square;
                let (part, power) = cell(bit).expect("a square of a part");
                assert_eq!(state(0, 0, part), Some(0));
                assert_eq!(state(1 << bit, 0, part), Some(power));
                assert_eq!(state(0, 1 << bit, part), Some(2 * power));
            }
        }
        assert!(cell(0).is_none());
    }
}
