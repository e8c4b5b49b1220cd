use super::{Color, File, Rank, Square};

/// The two directions of castling.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Wing {
    /// With the rook to the right of the king (towards the h-file): the king ends on g, the rook on f.
    King,
    /// With the rook to the left: the king ends on c, the rook on d.
    Queen,
}

impl Wing {
    /// How many wings there are.
    pub const NUM: usize = 2;
    /// Both wings, the king's first.
    pub const ALL: [Self; Self::NUM] = [Self::King, Self::Queen];

    /// The wing on which a rook stands, seen from its king on the same rank.
    #[inline]
    pub fn of(king: Square, rook: Square) -> Self {
        if rook > king { Self::King } else { Self::Queen }
    }

    /// Where the king ends.
    #[inline]
    pub const fn king_target(self, color: Color) -> Square {
        let file = match self {
            Self::King => File::G,
            Self::Queen => File::C,
        };
        Square::new(file, Rank::R1.relative(color))
    }

    /// Where the rook ends.
    #[inline]
    pub const fn rook_target(self, color: Color) -> Square {
        let file = match self {
            Self::King => File::F,
            Self::Queen => File::D,
        };
        Square::new(file, Rank::R1.relative(color))
    }
}

/// Which castlings are still allowed by right (neither king nor rook has moved), with the rook's file for
/// each, as Chess960 needs it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct CastlingRights {
    rooks: [[Option<File>; Wing::NUM]; Color::NUM],
}

impl CastlingRights {
    /// No castling.
    pub const NONE: Self = Self { rooks: [[None; Wing::NUM]; Color::NUM] };

    /// The file of the rook, if that castling is still allowed.
    #[inline]
    pub const fn rook_file(self, color: Color, wing: Wing) -> Option<File> {
        self.rooks[color.index()][wing as usize]
    }

    /// The square of the rook, if that castling is still allowed.
    #[inline]
    pub fn rook(self, color: Color, wing: Wing) -> Option<Square> {
        self.rook_file(color, wing).map(|file| Square::new(file, Rank::R1.relative(color)))
    }

    /// Whether that castling is still allowed.
    #[inline]
    pub const fn has(self, color: Color, wing: Wing) -> bool {
        self.rook_file(color, wing).is_some()
    }

    /// Whether no castling is allowed any more.
    pub fn is_empty(self) -> bool {
        self == Self::NONE
    }

    /// One bit for each right: White's king and queen wing (1, 2), Black's (4, 8).
    pub fn mask(self) -> u8 {
        let mut mask = 0;
        for color in Color::ALL {
            for wing in Wing::ALL {
                mask |= u8::from(self.has(color, wing)) << (2 * color.index() + wing as usize);
            }
        }
        mask
    }

    pub(crate) fn set(&mut self, color: Color, wing: Wing, rook: Option<File>) {
        self.rooks[color.index()][wing as usize] = rook;
    }
}
