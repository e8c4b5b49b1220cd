use std::fmt;
use std::num::NonZeroU16;

use arrayvec::ArrayVec;

use super::{Color, File, PieceType, Square, Wing};

/// What a move is besides its two squares.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum MoveFlag {
    /// A move to an empty square, none of the others.
    Quiet = 0,
    /// A pawn's first move over two squares.
    DoublePush = 1,
    /// Castling; the move's target is the square of the own rook.
    Castling = 2,
    /// A capture, neither en passant nor with promotion.
    Capture = 4,
    /// A pawn takes a pawn that has just passed.
    EnPassant = 5,
    /// Promotion to a knight.
    PromoteKnight = 8,
    /// Promotion to a bishop.
    PromoteBishop = 9,
    /// Promotion to a rook.
    PromoteRook = 10,
    /// Promotion to a queen.
    PromoteQueen = 11,
    /// Capture with promotion to a knight.
    CapturePromoteKnight = 12,
    /// Capture with promotion to a bishop.
    CapturePromoteBishop = 13,
    /// Capture with promotion to a rook.
    CapturePromoteRook = 14,
    /// Capture with promotion to a queen.
    CapturePromoteQueen = 15,
}

impl MoveFlag {
    /// The flag of a 4-bit code; `None` for the codes 3, 6, 7 and anything above 15.
    #[inline]
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::Quiet,
            1 => Self::DoublePush,
            2 => Self::Castling,
            4 => Self::Capture,
            5 => Self::EnPassant,
            8 => Self::PromoteKnight,
            9 => Self::PromoteBishop,
            10 => Self::PromoteRook,
            11 => Self::PromoteQueen,
            12 => Self::CapturePromoteKnight,
            13 => Self::CapturePromoteBishop,
            14 => Self::CapturePromoteRook,
            15 => Self::CapturePromoteQueen,
            _ => return None,
        })
    }

    /// Whether a man is taken.
    #[inline]
    pub const fn is_capture(self) -> bool {
        self as u8 & 4 != 0
    }

    /// What the pawn becomes.
    #[inline]
    pub const fn promotion(self) -> Option<PieceType> {
        if self as u8 & 8 == 0 {
            return None;
        }
        Some(match self as u8 & 3 {
            0 => PieceType::Knight,
            1 => PieceType::Bishop,
            2 => PieceType::Rook,
            _ => PieceType::Queen,
        })
    }
}

/// A move in 16 bits: from (6 bits), to (6 bits), [`MoveFlag`] (4 bits). `Option<Move>` has the same size.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Move(NonZeroU16);

/// A list that holds the moves of any position: the most a position with at most 16 men a side, promoted
/// men within the number of missing pawns, can have is 218.
pub type MoveList = ArrayVec<Move, 256>;

impl Move {
    /// Puts a move together.
    ///
    /// # Panics
    /// If `from` and `to` are both a1 and the flag is quiet: the one combination that is all zeros.
    #[inline]
    pub const fn new(from: Square, to: Square, flag: MoveFlag) -> Self {
        let bits = from as u16 | (to as u16) << 6 | (flag as u16) << 12;
        match NonZeroU16::new(bits) {
            Some(bits) => Self(bits),
            None => panic!("a move from a1 to a1"),
        }
    }

    /// The inverse of [`Move::to_bits`], for moves kept as a number; `None` for 0 and for undefined flags.
    /// The move need not be possible anywhere.
    #[inline]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        if MoveFlag::from_code((bits >> 12) as u8).is_none() {
            return None;
        }
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Self(bits)),
            None => None,
        }
    }

    /// The 16 bits.
    #[inline]
    pub const fn to_bits(self) -> u16 {
        self.0.get()
    }

    /// Where the man comes from.
    #[inline]
    pub const fn from(self) -> Square {
        Square::masked(self.to_bits() as u8)
    }

    /// Where it goes; for castling the square of the own rook.
    #[inline]
    pub const fn to(self) -> Square {
        Square::masked((self.to_bits() >> 6) as u8)
    }

    /// The flag.
    #[inline]
    pub const fn flag(self) -> MoveFlag {
        match MoveFlag::from_code((self.to_bits() >> 12) as u8) {
            Some(flag) => flag,
            // No constructor lets another code in.
            None => MoveFlag::Quiet,
        }
    }

    /// Whether it takes a man (en passant and promotions included).
    #[inline]
    pub const fn is_capture(self) -> bool {
        self.to_bits() & 0x4000 != 0
    }

    /// Whether a pawn promotes (captures included).
    #[inline]
    pub const fn is_promotion(self) -> bool {
        self.to_bits() & 0x8000 != 0
    }

    /// What the pawn becomes.
    #[inline]
    pub const fn promotion(self) -> Option<PieceType> {
        self.flag().promotion()
    }

    /// Whether it is castling.
    #[inline]
    pub const fn is_castling(self) -> bool {
        self.to_bits() >> 12 == MoveFlag::Castling as u16
    }

    /// Whether it is a capture en passant.
    #[inline]
    pub const fn is_en_passant(self) -> bool {
        self.to_bits() >> 12 == MoveFlag::EnPassant as u16
    }

    /// Whether it is a capture or a promotion.
    #[inline]
    pub const fn is_tactical(self) -> bool {
        self.to_bits() & 0xc000 != 0
    }

    /// Whether it is neither a capture nor a promotion.
    #[inline]
    pub const fn is_quiet(self) -> bool {
        !self.is_tactical()
    }

    /// The move in UCI notation. With `chess960` castling is the king's square and the rook's (`e1h1`),
    /// otherwise the king's two squares (`e1g1`) - unless king and rook do not stand on their classical
    /// squares, where only the former can be understood.
    pub fn uci(self, chess960: bool) -> UciMove {
        UciMove { mv: self, chess960 }
    }

    /// Where the king ends, for castling, and where any other man ends.
    #[inline]
    pub fn destination(self) -> Square {
        if !self.is_castling() {
            return self.to();
        }
        let color = if self.from().index() < 8 { Color::White } else { Color::Black };
        Wing::of(self.from(), self.to()).king_target(color)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({:?})", self.uci(true), self.flag())
    }
}

/// Prints a move in UCI notation; made by [`Move::uci`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UciMove {
    mv: Move,
    chess960: bool,
}

impl fmt::Display for UciMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (from, to) = (self.mv.from(), self.mv.to());
        let classical = from.file() == File::E && matches!(to.file(), File::A | File::H);
        let to = if !self.chess960 && classical { self.mv.destination() } else { to };
        write!(f, "{from}{to}")?;
        if let Some(kind) = self.mv.promotion() {
            write!(f, "{}", kind.to_char().to_ascii_lowercase())?;
        }
        Ok(())
    }
}
