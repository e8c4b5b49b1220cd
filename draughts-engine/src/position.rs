//! Positions: the pieces, the side to move and what the draw rules need to know.

use crate::bitboard::{RAYS, nearest, shift};
use crate::{Bitboard, Color, Move, Rules, Square, zobrist};

/// Man or king.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// A man.
    Man,
    /// A king.
    King,
}

/// Material for which a shorter limit of moves holds (FMJD Annex 1, article 6).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// None of the endings below.
    None,
    /// Three pieces, one of them a king at least, against one king: article 6.3.
    ThreeToOne,
    /// Two pieces or one, one of them a king at least, against one king: article 6.4.
    TwoToOne,
}

/// Frisian: the king that last moved quietly, and how often in a row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct KingWalk {
    /// Where it stands; meaningful when `length` is not 0.
    square: Option<Square>,
    /// Quiet moves in a row, 0 to 3.
    length: u8,
}

/// A position. It is never changed: a move gives a new one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    pieces: [Bitboard; 2],
    kings: Bitboard,
    key: u64,
    turn: Color,
    /// Plies in a row by kings without a capture, saturating.
    quiet: u8,
    /// Plies since the present ending began, saturating.
    ending_age: u8,
    ending: Ending,
    walks: [KingWalk; 2],
}

/// A set of pieces is not a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PositionError {
    /// A side has more than 20 pieces.
    #[error("{0} has {1} pieces (at most 20)")]
    TooMany(Color, u32),
    /// A man stands where it would have been crowned.
    #[error("{0} man on its crowning row: {1}")]
    UncrownedMan(Color, Square),
    /// Two pieces on a square.
    #[error("two pieces on square {0}")]
    Occupied(Square),
}

impl Position {
    /// The start of a game.
    pub fn start() -> Self {
        let black = Bitboard(0x0000_0000_003F_FBFF & Bitboard::ALL.0);
        Self::assemble([black.flip(), black], Bitboard::EMPTY, Color::White)
    }

    /// A position from its pieces; the counters of the draw rules start at 0.
    ///
    /// # Errors
    /// When a side has more than 20 pieces, two pieces share a square, or a man stands on the row where
    /// it would have become a king. A side without pieces is allowed: it has lost.
    pub fn new(pieces: [Bitboard; 2], kings: Bitboard, turn: Color) -> Result<Self, PositionError> {
        if let Some(square) = (pieces[0] & pieces[1]).into_iter().next() {
            return Err(PositionError::Occupied(square));
        }
        for color in Color::ALL {
            let own = pieces[color.index()];
            if own.count() > 20 {
                return Err(PositionError::TooMany(color, own.count()));
            }
            if let Some(square) = (own & !kings & crowning_row(color)).into_iter().next() {
                return Err(PositionError::UncrownedMan(color, square));
            }
        }
        Ok(Self::assemble(pieces, kings & (pieces[0] | pieces[1]), turn))
    }

    pub(crate) fn assemble(pieces: [Bitboard; 2], kings: Bitboard, turn: Color) -> Self {
        let mut position = Self {
            pieces,
            kings,
            key: 0,
            turn,
            quiet: 0,
            ending_age: 0,
            ending: ending(pieces, kings),
            walks: [KingWalk::default(); 2],
        };
        position.key = position.computed_key();
        position
    }

    /// The same pieces and side to move, with nothing played before: the counters are at 0.
    #[must_use]
    pub fn fresh(&self) -> Self {
        Self::assemble(self.pieces, self.kings, self.turn)
    }

    /// All pieces of a side.
    #[inline]
    pub const fn pieces(&self, color: Color) -> Bitboard {
        self.pieces[color.index()]
    }

    /// The men of a side.
    #[inline]
    pub fn men(&self, color: Color) -> Bitboard {
        self.pieces[color.index()] & !self.kings
    }

    /// The kings of a side.
    #[inline]
    pub fn kings(&self, color: Color) -> Bitboard {
        self.pieces[color.index()] & self.kings
    }

    /// The kings of both sides.
    #[inline]
    pub const fn all_kings(&self) -> Bitboard {
        self.kings
    }

    /// The empty squares.
    #[inline]
    pub fn empty(&self) -> Bitboard {
        !(self.pieces[0] | self.pieces[1])
    }

    /// The side to move.
    #[inline]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// A 64-bit key of pieces, side to move and, in Frisian, walking kings. Equal positions have equal
    /// keys; the counters of the draw rules are not part of it.
    #[inline]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// Plies in a row, by both sides, that were king moves without a capture.
    #[inline]
    pub const fn quiet_plies(&self) -> u32 {
        self.quiet as u32
    }

    /// The ending the position belongs to, and the plies played since it began.
    #[inline]
    pub const fn ending(&self) -> (Ending, u32) {
        (self.ending, self.ending_age as u32)
    }

    /// The piece on a square.
    pub fn piece_at(&self, square: Square) -> Option<(Color, Kind)> {
        let color = Color::ALL.into_iter().find(|color| self.pieces[color.index()].has(square))?;
        Some((color, if self.kings.has(square) { Kind::King } else { Kind::Man }))
    }

    /// The key computed from nothing; [`key`](Self::key) is the same, kept up to date move by move.
    pub fn computed_key(&self) -> u64 {
        let mut key = if self.turn == Color::Black { zobrist::black_to_move() } else { 0 };
        for color in Color::ALL {
            for square in self.men(color) {
                key ^= zobrist::piece(color, Kind::Man, square);
            }
            for square in self.kings(color) {
                key ^= zobrist::piece(color, Kind::King, square);
            }
            key ^= self.walk_key(color);
        }
        key
    }

    /// The position after a legal move.
    #[inline]
    #[must_use]
    pub fn play<R: Rules>(&self, mv: Move) -> Self {
        let mut next = *self;
        let (own, other) = (self.turn, !self.turn);
        let (from, to) = (Bitboard::from(mv.from), Bitboard::from(mv.to));
        let kind = if self.kings.has(mv.from) { Kind::King } else { Kind::Man };

        let pieces = &mut next.pieces[own.index()];
        *pieces = (*pieces & !from) | to;
        next.key ^= zobrist::piece(own, kind, mv.from) ^ zobrist::black_to_move();

        // Only where the move ends is a man crowned: passing the row in a capture is not enough
        // (FMJD Annex 1, article 4).
        let crowned = kind == Kind::Man && crowning_row(own).has(mv.to);
        let new_kind = if crowned { Kind::King } else { kind };
        next.key ^= zobrist::piece(own, new_kind, mv.to);
        if new_kind == Kind::King {
            next.kings = (next.kings & !from) | to;
        }

        if mv.is_capture() {
            for square in mv.captured {
                let victim = if self.kings.has(square) { Kind::King } else { Kind::Man };
                next.key ^= zobrist::piece(other, victim, square);
            }
            next.pieces[other.index()] &= !mv.captured;
            next.kings &= !mv.captured;
        }

        next.quiet = if kind == Kind::King && !mv.is_capture() { self.quiet.saturating_add(1) } else { 0 };
        if mv.is_capture() || crowned {
            next.ending = ending(next.pieces, next.kings);
        }
        let lasts = next.ending == self.ending && next.ending != Ending::None;
        next.ending_age = if lasts { self.ending_age.saturating_add(1) } else { 0 };
        if R::FRISIAN {
            next.update_walks(self, mv, kind);
        }
        next.turn = other;
        next
    }

    fn update_walks(&mut self, before: &Self, mv: Move, kind: Kind) {
        let own = self.turn;
        self.key ^= before.walk_key(own) ^ before.walk_key(!own);
        let old = before.walks[own.index()];
        let counts = kind == Kind::King && !mv.is_capture() && !self.men(own).is_empty();
        self.walks[own.index()] = match old.square {
            _ if !counts => KingWalk::default(),
            Some(square) if square == mv.from => {
                KingWalk { square: Some(mv.to), length: (old.length + 1).min(3) }
            }
            _ => KingWalk { square: Some(mv.to), length: 1 },
        };
        // A captured walker, or a side without men, has nothing to count.
        let theirs = &mut self.walks[(!own).index()];
        if theirs.square.is_some_and(|square| mv.captured.has(square)) {
            *theirs = KingWalk::default();
        }
        if self.men(!own).is_empty() {
            self.walks[(!own).index()] = KingWalk::default();
        }
        self.key ^= self.walk_key(own) ^ self.walk_key(!own);
    }

    fn walk_key(&self, color: Color) -> u64 {
        let walk = self.walks[color.index()];
        walk.square.map_or(0, |square| zobrist::king_walk(color, square, walk.length))
    }

    /// Frisian: the king of the side to move that has made three quiet moves in a row and must wait for
    /// another piece to move.
    pub(crate) fn resting_king(&self) -> Bitboard {
        let walk = self.walks[self.turn.index()];
        walk.square.filter(|_| walk.length >= 3).map_or(Bitboard::EMPTY, Bitboard::from)
    }

    /// Whether the side to move has a capture along a diagonal.
    #[inline]
    pub fn has_capture(&self) -> bool {
        has_jump(self.pieces[self.turn.index()].0, self.pieces[(!self.turn).index()].0, self.kings.0)
    }
}

/// The row where a side's men become kings.
#[inline]
pub const fn crowning_row(color: Color) -> Bitboard {
    match color {
        Color::White => Bitboard::row(0),
        Color::Black => Bitboard::row(9),
    }
}

fn ending(pieces: [Bitboard; 2], kings: Bitboard) -> Ending {
    let class = |strong: Bitboard, lone: Bitboard| {
        if lone.count() != 1 || (lone & kings).is_empty() || (strong & kings).is_empty() {
            return Ending::None;
        }
        match strong.count() {
            3 => Ending::ThreeToOne,
            1 | 2 => Ending::TwoToOne,
            _ => Ending::None,
        }
    };
    match class(pieces[0], pieces[1]) {
        Ending::None => class(pieces[1], pieces[0]),
        found => found,
    }
}

/// Whether a piece of `own` can jump over one of `other`: all men at once by shifts, kings along rays.
#[inline]
pub(crate) fn has_jump(own: u64, other: u64, kings: u64) -> bool {
    let empty = Bitboard::ALL.0 & !(own | other);
    let jumps = (((own >> 6) & other) >> 6 & empty)
        | (((own >> 5) & other) >> 5 & empty)
        | (((own << 6) & other) << 6 & empty)
        | (((own << 5) & other) << 5 & empty);
    jumps != 0 || (own & kings != 0 && king_has_jump(own & kings, other, empty))
}

fn king_has_jump(kings: u64, other: u64, empty: u64) -> bool {
    Bitboard(kings).into_iter().any(|king| {
        (0..4).any(|direction| {
            let blockers = RAYS[direction][king.bit()] & !empty;
            if blockers == 0 {
                return false;
            }
            let first = 1u64 << nearest(direction, blockers);
            first & other != 0 && shift(first, direction) & empty != 0
        })
    })
}
