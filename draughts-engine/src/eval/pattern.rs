//! Patterns: what the men on a region of the board look like, as a number.
//!
//! A region is [`ROWS`] rows high and three squares wide. Each of its squares is empty, holds a man of the
//! side that looks, or a man of the other side, so a region has 3^(3 · rows) states, and a table gives each a
//! weight (pattern evaluation: M. Buro, Logistello, 1997; for draughts: F. Letouzey, Scan, 2015).
//!
//! Each side looks at the regions that begin in its own half and a little beyond. What it sees counts for it,
//! what the other side sees counts against it: the evaluation is the same for both sides by construction.

/// Rows of a region.
pub const ROWS: usize = 4;
/// Region columns: squares 1 to 3, 2 to 4 and 3 to 5 of each row.
const COLUMNS: usize = 3;
/// The first rows at which regions begin, as the side that looks counts them; its men move towards row 0.
const FIRST: usize = (10 - ROWS).div_ceil(2);
/// Number of first rows.
const STARTS: usize = 10 - ROWS - FIRST + 1;
/// Regions that a side looks at.
pub const REGIONS: usize = STARTS * COLUMNS;
/// States of a region.
pub const STATES: usize = 27usize.pow(ROWS as u32);

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

/// Calls `see` with the index, below [`REGIONS`] · [`STATES`], of the state of each region for a side with men
/// `own` against men `other`, both as that side sees the board.
#[inline(always)]
pub fn patterns(own: u64, other: u64, mut see: impl FnMut(usize)) {
    let code = |row: usize| {
        let shift = 5 * row + row / 2;
        ROW[(own >> shift & 31 | (other >> shift & 31) << 5) as usize]
    };
    let rows: [u64; 10 - FIRST] = std::array::from_fn(|row| code(FIRST + row));
    for start in 0..STARTS {
        let packed = rows[start..start + ROWS].iter().fold(0, |packed, row| packed * 27 + row);
        for column in 0..COLUMNS {
            let state = (packed >> (LANE * column as u32) & MASK) as usize;
            see((start * COLUMNS + column) * STATES + state);
        }
    }
}

/// A place where one man can be told: a region, and what it adds to the region's state when it stands there.
#[derive(Clone, Copy)]
pub struct Cell {
    /// The region.
    pub region: usize,
    /// The weight of the square in the region's number: a power of three.
    pub power: usize,
}

/// One cell for each square of the rows that regions cover, by bit position of the square.
pub fn cell(bit: usize) -> Option<Cell> {
    let row = (0..10).find(|row| (5 * row + row / 2..5 * row + row / 2 + 5).contains(&bit))?;
    let square = bit - (5 * row + row / 2);
    let start = row.checked_sub(FIRST)?.min(STARTS - 1);
    let column = square.min(COLUMNS - 1);
    let below = ROWS - 1 - (row - FIRST - start);
    let region = start * COLUMNS + column;
    Some(Cell { region, power: 27usize.pow(below as u32) * 3usize.pow((2 - (square - column)) as u32) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Bitboard;

    fn seen(own: u64, other: u64) -> Vec<usize> {
        let mut all = Vec::new();
        patterns(own, other, |index| all.push(index));
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

    #[test]
    fn a_cell_tells_one_man() {
        let empty = seen(0, 0);
        for row in FIRST..10 {
            for square in 0..5 {
                let bit = 5 * row + row / 2 + square;
                let cell = cell(bit).expect("a square of a region");
                let own = seen(1 << bit, 0);
                let other = seen(0, 1 << bit);
                assert_eq!(own[cell.region] - empty[cell.region], cell.power);
                assert_eq!(other[cell.region] - empty[cell.region], 2 * cell.power);
            }
        }
        assert!(cell(0).is_none());
    }
}
