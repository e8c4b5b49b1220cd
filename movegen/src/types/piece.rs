use super::Color;

/// The kind of a man, without its colour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum PieceType {
    /// Pawn
    Pawn,
    /// Knight
    Knight,
    /// Bishop
    Bishop,
    /// Rook
    Rook,
    /// Queen
    Queen,
    /// King
    King,
}

impl PieceType {
    /// How many kinds there are.
    pub const NUM: usize = 6;
    /// All kinds, pawn first, king last.
    pub const ALL: [Self; Self::NUM] =
        [Self::Pawn, Self::Knight, Self::Bishop, Self::Rook, Self::Queen, Self::King];

    /// 0 for a pawn to 5 for a king.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The English letter in upper case, as in SAN; `P` for a pawn.
    pub const fn to_char(self) -> char {
        match self {
            Self::Pawn => 'P',
            Self::Knight => 'N',
            Self::Bishop => 'B',
            Self::Rook => 'R',
            Self::Queen => 'Q',
            Self::King => 'K',
        }
    }

    /// Reads an English letter in either case.
    pub const fn from_char(letter: char) -> Option<Self> {
        Some(match letter.to_ascii_uppercase() {
            'P' => Self::Pawn,
            'N' => Self::Knight,
            'B' => Self::Bishop,
            'R' => Self::Rook,
            'Q' => Self::Queen,
            'K' => Self::King,
            _ => return None,
        })
    }
}

/// A man of a colour. `Option<Piece>` is one byte.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Piece {
    WhitePawn,
    WhiteKnight,
    WhiteBishop,
    WhiteRook,
    WhiteQueen,
    WhiteKing,
    BlackPawn,
    BlackKnight,
    BlackBishop,
    BlackRook,
    BlackQueen,
    BlackKing,
}

impl Piece {
    /// How many coloured men there are.
    pub const NUM: usize = 12;
    /// All of them, in the order of [`Piece::index`].
    pub const ALL: [Self; Self::NUM] = [
        Self::WhitePawn,
        Self::WhiteKnight,
        Self::WhiteBishop,
        Self::WhiteRook,
        Self::WhiteQueen,
        Self::WhiteKing,
        Self::BlackPawn,
        Self::BlackKnight,
        Self::BlackBishop,
        Self::BlackRook,
        Self::BlackQueen,
        Self::BlackKing,
    ];

    /// The man of this colour and kind.
    #[inline]
    pub const fn new(color: Color, kind: PieceType) -> Self {
        Self::ALL[color.index() * PieceType::NUM + kind.index()]
    }

    /// Its colour.
    #[inline]
    pub const fn color(self) -> Color {
        if (self as u8) < PieceType::NUM as u8 { Color::White } else { Color::Black }
    }

    /// Its kind.
    #[inline]
    pub const fn kind(self) -> PieceType {
        /// A look-up is quicker than a division.
        const KINDS: [PieceType; Piece::NUM] = {
            let mut kinds = [PieceType::Pawn; Piece::NUM];
            let mut index = 0;
            while index < Piece::NUM {
                kinds[index] = PieceType::ALL[index % PieceType::NUM];
                index += 1;
            }
            kinds
        };
        KINDS[self.index()]
    }

    /// `colour * 6 + kind`, below [`Piece::NUM`].
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The FEN letter: upper case for White.
    pub const fn to_char(self) -> char {
        let letter = self.kind().to_char();
        match self.color() {
            Color::White => letter,
            Color::Black => letter.to_ascii_lowercase(),
        }
    }

    /// Reads a FEN letter.
    pub const fn from_char(letter: char) -> Option<Self> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        match PieceType::from_char(letter) {
            Some(kind) => Some(Self::new(color, kind)),
            None => None,
        }
    }
}
