//! The neural network of draughts: what its inputs are and how large it is. The rest is shared with chess (crate
//! `eval`).

use crate::{Color, Position};
use eval::{FeatureSet, OneView};

/// Values of each accumulator.
pub const HIDDEN: usize = 256;
/// Outputs, chosen by the number of pieces.
pub const OUTPUTS: usize = 8;

/// A draughts network.
pub type Network = eval::Network<DraughtsFeatures, HIDDEN, OUTPUTS>;
/// Evaluates the positions of a search with a network, one after the other.
pub type Follower = eval::Follower<DraughtsFeatures, HIDDEN, OUTPUTS>;

/// Men and kings by square, as each side sees the board: its men move towards row 0.
///
/// Planes: own men, own kings, the other side's men, its kings. Squares are bit positions of a [`crate::Bitboard`].
#[derive(Clone, Copy, Debug, Default)]
pub struct DraughtsFeatures;

/// Kinds of piece of both sides.
const PLANES: usize = 4;
/// Bits of a board, with the ghosts between the rows.
const BITS: usize = 54;

impl DraughtsFeatures {
    /// The output for so many pieces.
    pub fn bucket(pieces: u32) -> usize {
        (pieces.saturating_sub(1) as usize * OUTPUTS / 40).min(OUTPUTS - 1)
    }
}

impl FeatureSet for DraughtsFeatures {
    type Position = Position;
    type View = ();
    type Planes = [u64; PLANES];

    const ARCHITECTURE: &'static str = "draughts-216";
    const STRIDE: usize = BITS;

    fn from_table(table: &[u8; 64]) -> Option<Self> {
        table.iter().all(|&byte| byte == 0).then_some(Self)
    }

    fn table(&self) -> [u8; 64] {
        [0; 64]
    }

    fn inputs(&self) -> usize {
        PLANES * BITS
    }

    fn views(&self) -> usize {
        1
    }

    #[inline]
    fn side_to_move(position: &Position) -> usize {
        position.turn().index()
    }

    #[inline]
    fn output_bucket(&self, position: &Position) -> usize {
        Self::bucket((position.pieces(Color::White) | position.pieces(Color::Black)).count())
    }

    #[inline]
    fn view(&self, _: &Position, _: usize) {}

    #[inline]
    fn view_index(&self, (): ()) -> usize {
        0
    }

    #[inline]
    fn base(&self, (): ()) -> usize {
        0
    }

    #[inline]
    fn planes(&self, position: &Position, perspective: usize, (): ()) -> [u64; PLANES] {
        let color = Color::ALL[perspective];
        [position.men(color), position.kings(color), position.men(!color), position.kings(!color)]
            .map(|set| if color == Color::White { set } else { set.flip() }.bits())
    }

    fn row(&self, (): (), perspective: usize, piece: u8, square: u8) -> usize {
        Self::row_of(perspective, piece.into(), square.into())
    }
}

impl OneView for DraughtsFeatures {
    /// White men, White kings, Black men, Black kings.
    #[inline]
    fn pieces(position: &Position) -> [u64; PLANES] {
        let [white, black] =
            Color::ALL.map(|color| [position.men(color).bits(), position.kings(color).bits()]);
        [white[0], white[1], black[0], black[1]]
    }

    #[inline]
    fn row_of(perspective: usize, piece: usize, square: usize) -> usize {
        // The other side's planes come second, and Black looks at the board turned by half a turn.
        if perspective == 0 { piece * BITS + square } else { (piece ^ 2) * BITS + (BITS - 1 - square) }
    }
}
