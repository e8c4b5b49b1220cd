//! The chess inputs: piece and square relative to the perspective, for each bucket of the own king, with the
//! board mirrored so that the own king stands on the files a to d.

use movegen::{Board, Color, PieceType};

use crate::feature::FeatureSet;

/// Inputs of one king bucket: two colours, six kinds of piece, 64 squares.
const BUCKET_INPUTS: usize = 2 * 6 * 64;
/// XOR that mirrors a square at the line between the files d and e.
const MIRROR: usize = 7;
/// XOR that turns a square of White's view into that of Black's.
const FLIP: usize = 56;

/// A named layout of king buckets.
///
/// More buckets tell more about the king's safety and need more data: each should see tens of millions of
/// positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KingBuckets {
    /// No difference by king square.
    One,
    /// The own first rank, and the rest.
    Two,
    /// Corner side and centre of the first rank, the second rank, and the rest.
    Four,
}

impl KingBuckets {
    /// The layout with this number of buckets.
    pub fn from_count(count: usize) -> Option<Self> {
        match count {
            1 => Some(Self::One),
            2 => Some(Self::Two),
            4 => Some(Self::Four),
            _ => None,
        }
    }

    /// Bucket of the files a to d of each rank, first rank first.
    fn layout(self) -> [[u8; 4]; 8] {
        match self {
            Self::One => [[0; 4]; 8],
            Self::Two => [[0; 4], [1; 4], [1; 4], [1; 4], [1; 4], [1; 4], [1; 4], [1; 4]],
            Self::Four => [[0, 0, 1, 1], [2; 4], [3; 4], [3; 4], [3; 4], [3; 4], [3; 4], [3; 4]],
        }
    }
}

/// The chess inputs with a table of king buckets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChessFeatures {
    /// Bucket of each square of the own king, seen from its own side; symmetric in the files.
    table: [u8; 64],
    buckets: usize,
}

/// How a perspective looks at a chess board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    bucket: u8,
    mirrored: bool,
}

impl ChessFeatures {
    /// Inputs with one of the named layouts.
    pub fn new(layout: KingBuckets) -> Self {
        let layout = layout.layout();
        let table: [u8; 64] = std::array::from_fn(|square| {
            let file = square % 8;
            layout[square / 8][file.min(MIRROR - file)]
        });
        Self::from_valid_table(table)
    }

    fn from_valid_table(table: [u8; 64]) -> Self {
        let highest = table.iter().copied().max().unwrap_or(0);
        Self { table, buckets: usize::from(highest) + 1 }
    }

    /// The view of a side whose king stands on `king` (a1 = 0, h8 = 63); `perspective` is 0 for White.
    #[inline]
    pub fn view_of_king(&self, perspective: usize, king: usize) -> View {
        let square = if perspective == 0 { king } else { king ^ FLIP };
        View { bucket: self.table[square], mirrored: square % 8 >= 4 }
    }

    /// The row of a piece (colour * 6 + kind) on a square.
    #[inline]
    pub fn row_of(view: View, perspective: usize, piece: usize, square: usize) -> usize {
        let plane = if perspective == 0 { piece } else { (piece + 6) % 12 };
        let mut square = square;
        if perspective != 0 {
            square ^= FLIP;
        }
        if view.mirrored {
            square ^= MIRROR;
        }
        usize::from(view.bucket) * BUCKET_INPUTS + plane * 64 + square
    }

    /// Output for a number of pieces on the board, kings included.
    #[inline]
    pub fn bucket_of_count(pieces: usize) -> usize {
        (pieces.saturating_sub(2) / 4).min(super::OUTPUTS - 1)
    }
}

impl FeatureSet for ChessFeatures {
    type Position = Board;
    type View = View;
    type Planes = [u64; 12];

    const ARCHITECTURE: &'static str = "chess-768-mirrored-screlu";
    const STRIDE: usize = 64;

    fn from_table(table: &[u8; 64]) -> Option<Self> {
        let symmetric = (0..64).all(|square| table[square] == table[square ^ MIRROR]);
        let features = Self::from_valid_table(*table);
        // 32 squares on four files cannot have more buckets than that.
        (symmetric && features.buckets <= 32).then_some(features)
    }

    fn table(&self) -> [u8; 64] {
        self.table
    }

    fn inputs(&self) -> usize {
        self.buckets * BUCKET_INPUTS
    }

    fn views(&self) -> usize {
        2 * self.buckets
    }

    #[inline]
    fn side_to_move(position: &Board) -> usize {
        position.side_to_move().index()
    }

    #[inline]
    fn output_bucket(&self, position: &Board) -> usize {
        Self::bucket_of_count(position.occupied().count() as usize)
    }

    #[inline]
    fn view(&self, position: &Board, perspective: usize) -> View {
        self.view_of_king(perspective, position.king(Color::ALL[perspective]).index())
    }

    #[inline]
    fn view_index(&self, view: View) -> usize {
        usize::from(view.bucket) * 2 + usize::from(view.mirrored)
    }

    #[inline]
    fn base(&self, view: View) -> usize {
        usize::from(view.bucket) * BUCKET_INPUTS
    }

    #[inline]
    fn planes(&self, position: &Board, perspective: usize, view: View) -> [u64; 12] {
        let own = Color::ALL[perspective];
        std::array::from_fn(|plane| {
            let color = if plane < 6 { own } else { !own };
            let mut squares = position.colored(color, PieceType::ALL[plane % 6]).0;
            if perspective != 0 {
                squares = squares.swap_bytes();
            }
            if view.mirrored {
                // Reversing the bits of each byte: reverse all, then restore the order of the bytes.
                squares = squares.reverse_bits().swap_bytes();
            }
            squares
        })
    }

    #[inline]
    fn row(&self, view: View, perspective: usize, piece: u8, square: u8) -> usize {
        Self::row_of(view, perspective, usize::from(piece), usize::from(square))
    }
}
