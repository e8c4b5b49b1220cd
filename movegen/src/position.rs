//! The men and the rights: what the rules of movement need, and nothing else. Perft copies it for every
//! move; [`Board`](crate::Board) wraps it with a mailbox, keys and a history.

use crate::attacks::{
    between, bishop_attacks, bishop_rays, king_attacks, knight_attacks, pawn_attacks, rook_attacks, rook_rays,
};
use crate::types::{Bitboard, Color, MoveFlag, Piece, PieceType, Rank, Square, Wing};

/// A side to move known at compile time.
pub(crate) trait Side {
    const COLOR: Color;
    type Opponent: Side;
}

pub(crate) struct White;
pub(crate) struct Black;

impl Side for White {
    const COLOR: Color = Color::White;
    type Opponent = Black;
}

impl Side for Black {
    const COLOR: Color = Color::Black;
    type Opponent = White;
}

/// Runs code with a side known at run time as a type.
macro_rules! for_side {
    ($side:expr, $Side:ident => $code:expr) => {
        match $side {
            $crate::types::Color::White => {
                type $Side = $crate::position::White;
                $code
            }
            $crate::types::Color::Black => {
                type $Side = $crate::position::Black;
                $code
            }
        }
    };
}
pub(crate) use for_side;

/// The set moved one rank ahead from the point of view of the side.
#[inline(always)]
pub(crate) const fn forward<S: Side>(set: Bitboard) -> Bitboard {
    match S::COLOR {
        Color::White => Bitboard(set.0 << 8),
        Color::Black => Bitboard(set.0 >> 8),
    }
}

const NOT_A: u64 = !0x0101_0101_0101_0101;
const NOT_H: u64 = !0x8080_8080_8080_8080;

/// The squares that pawns on `set` attack towards the a-file.
#[inline(always)]
pub(crate) const fn forward_left<S: Side>(set: Bitboard) -> Bitboard {
    match S::COLOR {
        Color::White => Bitboard((set.0 & NOT_A) << 7),
        Color::Black => Bitboard((set.0 & NOT_A) >> 9),
    }
}

/// The squares that pawns on `set` attack towards the h-file.
#[inline(always)]
pub(crate) const fn forward_right<S: Side>(set: Bitboard) -> Bitboard {
    match S::COLOR {
        Color::White => Bitboard((set.0 & NOT_H) << 9),
        Color::Black => Bitboard((set.0 & NOT_H) >> 7),
    }
}

/// Hears what [`Position::apply`] changes. The kind of a taken man is left to the recorder, since only a
/// mailbox knows it cheaply.
pub(crate) trait Recorder {
    fn take(&mut self, square: Square);
    fn remove(&mut self, piece: Piece, square: Square);
    fn add(&mut self, piece: Piece, square: Square);
    fn shift(&mut self, piece: Piece, from: Square, to: Square);
}

/// Records nothing.
pub(crate) struct Unrecorded;

impl Recorder for Unrecorded {
    #[inline(always)]
    fn take(&mut self, _: Square) {}
    #[inline(always)]
    fn remove(&mut self, _: Piece, _: Square) {}
    #[inline(always)]
    fn add(&mut self, _: Piece, _: Square) {}
    #[inline(always)]
    fn shift(&mut self, _: Piece, _: Square, _: Square) {}
}

/// Who attacks a king, and which men may not leave the lines to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct KingLines {
    /// Enemy men that give check.
    pub checkers: Bitboard,
    /// For each own man pinned on a rank or file: the squares from beside the king to the pinning man.
    pub pin_straight: Bitboard,
    /// The same for diagonals.
    pub pin_diagonal: Bitboard,
    /// Men of either colour that alone stand between the king and an enemy slider.
    pub blockers: Bitboard,
}

impl KingLines {
    /// Adds what a slider does from which an empty board would lead to the king along `path`.
    #[inline(always)]
    fn add<const STRAIGHT: bool>(
        &mut self,
        slider: Square,
        path: Bitboard,
        occupied: Bitboard,
        own: Bitboard,
    ) {
        let between = path & occupied;
        if between.is_empty() {
            self.checkers |= slider.bb();
        } else if !between.more_than_one() {
            self.blockers |= between;
            if (between & own).any() {
                let pin = if STRAIGHT { &mut self.pin_straight } else { &mut self.pin_diagonal };
                *pin |= path | slider.bb();
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Position {
    pub pieces: [Bitboard; PieceType::NUM],
    pub colors: [Bitboard; Color::NUM],
    /// The rooks that may still castle (their kings have not moved either).
    pub castling: Bitboard,
    pub side: Color,
    /// The square a pawn has just passed, if a pawn of the side to move attacks it.
    pub en_passant: Option<Square>,
}

impl Position {
    /// A board without men.
    pub const EMPTY: Self = Self {
        pieces: [Bitboard::EMPTY; PieceType::NUM],
        colors: [Bitboard::EMPTY; Color::NUM],
        castling: Bitboard::EMPTY,
        side: Color::White,
        en_passant: None,
    };

    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    #[inline(always)]
    pub fn colored(&self, color: Color, kind: PieceType) -> Bitboard {
        self.colors[color.index()] & self.pieces[kind.index()]
    }

    /// The men of a colour that move along ranks and files.
    #[inline(always)]
    pub fn straight(&self, color: Color) -> Bitboard {
        (self.pieces[PieceType::Rook.index()] | self.pieces[PieceType::Queen.index()])
            & self.colors[color.index()]
    }

    /// The men of a colour that move along diagonals.
    #[inline(always)]
    pub fn diagonal(&self, color: Color) -> Bitboard {
        (self.pieces[PieceType::Bishop.index()] | self.pieces[PieceType::Queen.index()])
            & self.colors[color.index()]
    }

    #[inline(always)]
    pub fn king(&self, color: Color) -> Square {
        self.colored(color, PieceType::King).lowest()
    }

    /// Men of both colours that attack a square, with only `occupied` blocking lines.
    #[inline]
    pub fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let [pawns, knights, bishops, rooks, queens, kings] = self.pieces;
        let white_pawns = pawns & self.colors[Color::White.index()];
        let black_pawns = pawns & self.colors[Color::Black.index()];
        (pawn_attacks(Color::Black, square) & white_pawns)
            | (pawn_attacks(Color::White, square) & black_pawns)
            | (knight_attacks(square) & knights)
            | (king_attacks(square) & kings)
            | (bishop_attacks(square, occupied) & (bishops | queens))
            | (rook_attacks(square, occupied) & (rooks | queens))
    }

    /// Checks and pins against the king of the side.
    #[inline(always)]
    pub fn king_lines<S: Side>(&self) -> KingLines {
        let (us, them) = (S::COLOR, S::Opponent::COLOR);
        let king = self.king(us);
        let own = self.colors[us.index()];
        let occupied = self.occupied();
        let mut lines = KingLines {
            checkers: (knight_attacks(king) & self.colored(them, PieceType::Knight))
                | (pawn_attacks(us, king) & self.colored(them, PieceType::Pawn)),
            ..KingLines::default()
        };
        for slider in rook_rays(king) & self.straight(them) {
            lines.add::<true>(slider, between(king, slider), occupied, own);
        }
        for slider in bishop_rays(king) & self.diagonal(them) {
            lines.add::<false>(slider, between(king, slider), occupied, own);
        }
        lines
    }

    /// [`KingLines::blockers`] of either king.
    #[inline]
    pub fn blockers(&self, color: Color) -> Bitboard {
        let king = self.king(color);
        let occupied = self.occupied();
        let sliders = (rook_rays(king) & self.straight(!color)) | (bishop_rays(king) & self.diagonal(!color));
        let mut blockers = Bitboard::EMPTY;
        for slider in sliders {
            let path = between(king, slider) & occupied;
            if !path.more_than_one() {
                blockers |= path;
            }
        }
        blockers
    }

    /// Those of `targets` where the king of the side would not be attacked. The king itself does not
    /// shield a square behind it.
    #[inline(always)]
    pub fn safe_for_king<S: Side>(&self, mut targets: Bitboard) -> Bitboard {
        let them = S::Opponent::COLOR;
        let pawns = self.colored(them, PieceType::Pawn);
        targets &= !(forward_left::<S::Opponent>(pawns)
            | forward_right::<S::Opponent>(pawns)
            | king_attacks(self.king(them)));
        if targets.is_empty() {
            return targets;
        }
        for knight in self.colored(them, PieceType::Knight) {
            targets &= !knight_attacks(knight);
        }
        let occupied = self.occupied() ^ self.king(S::COLOR).bb();
        let (straight, diagonal) = (self.straight(them), self.diagonal(them));
        for target in targets {
            if ((rook_rays(target) & straight).any() && (rook_attacks(target, occupied) & straight).any())
                || ((bishop_rays(target) & diagonal).any()
                    && (bishop_attacks(target, occupied) & diagonal).any())
            {
                targets ^= target.bb();
            }
        }
        targets
    }

    /// Whether taking en passant from `from` leaves the own king safe: two men leave their squares at once,
    /// which no pin covers.
    pub fn en_passant_is_legal<S: Side>(&self, from: Square, to: Square) -> bool {
        let taken = passed_pawn(to).bb();
        let occupied = (self.occupied() ^ from.bb() ^ taken) | to.bb();
        let attackers = self.attackers_to(self.king(S::COLOR), occupied);
        (attackers & self.colors[S::Opponent::COLOR.index()] & !taken).is_empty()
    }

    /// Forgets the en passant square unless a pawn may really take there.
    pub fn drop_illegal_en_passant<S: Side>(&mut self) {
        if let Some(to) = self.en_passant {
            let takers = pawn_attacks(S::Opponent::COLOR, to) & self.colored(S::COLOR, PieceType::Pawn);
            if !takers.into_iter().any(|from| self.en_passant_is_legal::<S>(from, to)) {
                self.en_passant = None;
            }
        }
    }

    /// Whether the side, not in check, may castle with the rook (which has the right to) now: nothing in
    /// the way of either man, and the king neither passes nor reaches an attacked square (FIDE 3.8.2, and
    /// Guideline II for Chess960).
    #[inline(always)]
    pub fn castling_is_legal<S: Side>(&self, rook: Square) -> bool {
        let king = self.king(S::COLOR);
        let occupied = self.occupied();
        // They always pass each other, so this is a necessary condition that usually decides.
        if (between(king, rook) & occupied).any() {
            return false;
        }
        let wing = Wing::of(king, rook);
        let (king_to, rook_to) = (wing.king_target(S::COLOR), wing.rook_target(S::COLOR));
        let king_path = between(king, king_to) | king_to.bb();
        let rook_path = between(rook, rook_to) | rook_to.bb();
        if ((king_path | rook_path) & (occupied ^ king.bb() ^ rook.bb())).any() {
            return false;
        }
        let king_path = king_path & !king.bb();
        if self.safe_for_king::<S>(king_path) != king_path {
            return false;
        }
        // In Chess960 the rook may have shielded its king's target along the back rank.
        let after = (occupied ^ king.bb() ^ rook.bb()) | rook_to.bb();
        (rook_attacks(king_to, after) & self.straight(S::Opponent::COLOR)).is_empty()
    }

    /// Plays a legal move of a man of this kind. Tells the recorder about each man in an order in which
    /// every step is possible.
    #[inline(always)]
    pub fn apply<S: Side, R: Recorder>(
        &mut self,
        from: Square,
        to: Square,
        flag: MoveFlag,
        kind: PieceType,
        recorder: &mut R,
    ) {
        let us = S::COLOR;
        self.en_passant = None;
        self.side = S::Opponent::COLOR;
        if flag as u8 == MoveFlag::Castling as u8 {
            self.apply_castling::<S, R>(from, to, recorder);
            return;
        }
        if flag.is_capture() {
            let taken = if flag as u8 == MoveFlag::EnPassant as u8 { passed_pawn(to) } else { to };
            recorder.take(taken);
            for set in &mut self.pieces {
                *set &= !taken.bb();
            }
            self.colors[S::Opponent::COLOR.index()] ^= taken.bb();
        }
        let both = from.bb() | to.bb();
        self.colors[us.index()] ^= both;
        if let Some(promoted) = flag.promotion() {
            self.pieces[PieceType::Pawn.index()] ^= from.bb();
            self.pieces[promoted.index()] ^= to.bb();
            recorder.remove(Piece::new(us, PieceType::Pawn), from);
            recorder.add(Piece::new(us, promoted), to);
        } else {
            self.pieces[kind.index()] ^= both;
            recorder.shift(Piece::new(us, kind), from, to);
        }
        self.castling &= !both;
        if kind as u8 == PieceType::King as u8 {
            self.castling &= !Rank::R1.relative(us).bb();
        }
        if flag as u8 == MoveFlag::DoublePush as u8 {
            let passed = passed_pawn(to);
            if (pawn_attacks(us, passed) & self.colored(S::Opponent::COLOR, PieceType::Pawn)).any() {
                self.en_passant = Some(passed);
            }
        }
    }

    fn apply_castling<S: Side, R: Recorder>(&mut self, king: Square, rook: Square, recorder: &mut R) {
        let us = S::COLOR;
        let wing = Wing::of(king, rook);
        let (king_to, rook_to) = (wing.king_target(us), wing.rook_target(us));
        let (king_piece, rook_piece) = (Piece::new(us, PieceType::King), Piece::new(us, PieceType::Rook));
        // Each square is toggled by its own: the four may coincide in Chess960.
        let (kings, rooks) = (king.bb() ^ king_to.bb(), rook.bb() ^ rook_to.bb());
        self.pieces[PieceType::King.index()] ^= kings;
        self.pieces[PieceType::Rook.index()] ^= rooks;
        self.colors[us.index()] ^= kings ^ rooks;
        self.castling &= !Rank::R1.relative(us).bb();
        recorder.remove(rook_piece, rook);
        if king != king_to {
            recorder.shift(king_piece, king, king_to);
        }
        recorder.add(rook_piece, rook_to);
    }
}

/// Between the square a pawn has passed and the square where it stands after a double push, either way.
#[inline(always)]
pub(crate) const fn passed_pawn(square: Square) -> Square {
    Square::masked(square as u8 ^ 8)
}
