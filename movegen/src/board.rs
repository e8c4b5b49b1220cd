//! The board of a game: men, rights, keys, clocks and the positions before.

mod draw;
mod fen;
mod make;
mod san;
mod start;
mod uci;
mod validate;
mod zobrist;

use std::fmt;

use crate::attacks::{king_attacks, piece_attacks};
use crate::position::{KingLines, Position, for_side, forward_left, forward_right};
use crate::types::{Bitboard, CastlingRights, Color, File, Move, Piece, PieceType, Rank, Square, Wing};

pub use fen::FenError;
pub use make::IllegalMove;
pub use san::SanError;
pub use uci::MoveError;
use zobrist::Keys;

/// What make copies and unmake brings back, besides the men.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct State {
    keys: Keys,
    /// Checks and pins against the side to move.
    lines: KingLines,
    /// For each king the men that alone stand between it and an enemy slider.
    blockers: [Bitboard; Color::NUM],
    /// Plies since the last capture or pawn move.
    halfmove: u16,
    /// Plies since the last null move or the first position.
    plies_since_null: u16,
    /// The man the last move took.
    captured: Option<Piece>,
    /// The last move, if there was one and it was not a null move.
    last_move: Option<Move>,
}

/// A former position of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Past {
    position: Position,
    state: State,
}

/// What a colour attacks, own men's squares (protection) included, by the least valuable man that does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Threats {
    /// Squares attacked by pawns.
    pub by_pawns: Bitboard,
    /// Squares attacked by pawns, knights or bishops.
    pub by_minors: Bitboard,
    /// Squares attacked by any of these or rooks.
    pub by_rooks: Bitboard,
    /// Squares attacked by any man.
    pub all: Bitboard,
}

/// A position of chess or Chess960 with the game that led to it.
///
/// Invariants: one king on each side, the side not to move is not in check, no pawns on the first and last
/// rank, at most 16 men a side with no more promoted men than missing pawns.
#[derive(Clone, Debug)]
pub struct Board {
    position: Position,
    mailbox: [Option<Piece>; Square::NUM],
    state: State,
    history: Vec<Past>,
    /// Plies since the first move of the game, derived from FEN's move number.
    ply: u32,
}

impl Board {
    /// Wraps a position that has been validated.
    fn from_position(mut position: Position, halfmove: u16, fullmove: u32) -> Self {
        for_side!(position.side, S => position.drop_illegal_en_passant::<S>());
        let mut mailbox = [None; Square::NUM];
        for color in Color::ALL {
            for kind in PieceType::ALL {
                for square in position.colored(color, kind) {
                    mailbox[square.index()] = Some(Piece::new(color, kind));
                }
            }
        }
        let state = State {
            keys: Keys::of(&position),
            lines: for_side!(position.side, S => position.king_lines::<S>()),
            blockers: [position.blockers(Color::White), position.blockers(Color::Black)],
            halfmove,
            plies_since_null: 0,
            captured: None,
            last_move: None,
        };
        let ply = (fullmove - 1).saturating_mul(2).saturating_add(position.side.index() as u32);
        Self { position, mailbox, state, history: Vec::new(), ply }
    }

    pub(crate) fn position(&self) -> &Position {
        &self.position
    }

    pub(crate) fn king_lines(&self) -> &KingLines {
        &self.state.lines
    }

    pub(crate) fn blockers(&self, color: Color) -> Bitboard {
        self.state.blockers[color.index()]
    }

    /// Whose turn it is.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.position.side
    }

    /// The man on a square.
    #[inline]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.mailbox[square.index()]
    }

    /// All men of a kind.
    #[inline]
    pub fn pieces(&self, kind: PieceType) -> Bitboard {
        self.position.pieces[kind.index()]
    }

    /// All men of a colour.
    #[inline]
    pub fn color(&self, color: Color) -> Bitboard {
        self.position.colors[color.index()]
    }

    /// The men of a colour and kind.
    #[inline]
    pub fn colored(&self, color: Color, kind: PieceType) -> Bitboard {
        self.position.colored(color, kind)
    }

    /// All men.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.position.occupied()
    }

    /// The square of a king.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        self.position.king(color)
    }

    /// The men that give check to the side to move.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.state.lines.checkers
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.checkers().any()
    }

    /// The men of a colour that may only move along the line to their own king.
    #[inline]
    pub fn pinned(&self, color: Color) -> Bitboard {
        self.blockers(color) & self.color(color)
    }

    /// The square where a pawn may take en passant; only given when such a capture is legal.
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        self.position.en_passant
    }

    /// The castlings allowed by right.
    pub fn castling(&self) -> CastlingRights {
        let mut rights = CastlingRights::NONE;
        for color in Color::ALL {
            let king = self.king(color);
            for rook in self.position.castling & Rank::R1.relative(color).bb() {
                rights.set(color, Wing::of(king, rook), Some(rook.file()));
            }
        }
        rights
    }

    /// Whether castling needs the rules of Chess960: a king or rook with the right to castle does not stand
    /// where it does in the classical starting position.
    pub fn is_chess960(&self) -> bool {
        Color::ALL.into_iter().any(|color| {
            let rooks = self.position.castling & Rank::R1.relative(color).bb();
            rooks.any()
                && (self.king(color).file() != File::E || (rooks & !(File::A.bb() | File::H.bb())).any())
        })
    }

    /// Plies since the last capture or pawn move, at most 65535.
    #[inline]
    pub fn halfmove_clock(&self) -> u16 {
        self.state.halfmove
    }

    /// The number of the move about to be played, from 1; it goes up after Black's move.
    #[inline]
    pub fn fullmove_number(&self) -> u32 {
        self.ply / 2 + 1
    }

    /// Plies since the first move of the game, as the move number of the FEN tells.
    #[inline]
    pub fn ply_count(&self) -> u32 {
        self.ply
    }

    /// Number of moves that can be taken back.
    #[inline]
    pub fn known_plies(&self) -> usize {
        self.history.len()
    }

    /// Zobrist key of the position: men, side to move, castling rights, en passant (when legal).
    #[inline]
    pub fn key(&self) -> u64 {
        self.state.keys.key
    }

    /// Key of the pawns alone.
    #[inline]
    pub fn pawn_key(&self) -> u64 {
        self.state.keys.pawn
    }

    /// Key of a colour's men other than pawns, the king included.
    #[inline]
    pub fn non_pawn_key(&self, color: Color) -> u64 {
        self.state.keys.non_pawn[color.index()]
    }

    /// Key of both sides' knights, bishops and kings.
    #[inline]
    pub fn minor_key(&self) -> u64 {
        self.state.keys.minor
    }

    /// The man that the last move took.
    #[inline]
    pub fn last_captured(&self) -> Option<Piece> {
        self.state.captured
    }

    /// The last move; `None` at the first position and after a null move.
    #[inline]
    pub fn last_move(&self) -> Option<Move> {
        self.state.last_move
    }

    /// Whether a colour has anything besides king and pawns.
    #[inline]
    pub fn has_non_pawn_material(&self, color: Color) -> bool {
        let light = self.pieces(PieceType::Pawn) | self.pieces(PieceType::King);
        (self.color(color) & !light).any()
    }

    /// Men of both colours that attack a square, if the lines are blocked by `occupied`.
    #[inline]
    pub fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        self.position.attackers_to(square, occupied)
    }

    /// The squares attacked by the pawns of a colour.
    #[inline]
    pub fn pawn_threats(&self, color: Color) -> Bitboard {
        let pawns = self.colored(color, PieceType::Pawn);
        for_side!(color, S => forward_left::<S>(pawns) | forward_right::<S>(pawns))
    }

    /// What a colour attacks, by the least valuable man.
    pub fn threats(&self, color: Color) -> Threats {
        let occupied = self.occupied();
        let add = |set, kind| {
            let men = self.colored(color, kind).into_iter();
            men.fold(set, |set, from| set | piece_attacks(kind, color, from, occupied))
        };
        let by_pawns = self.pawn_threats(color);
        let by_minors = add(add(by_pawns, PieceType::Knight), PieceType::Bishop);
        let by_rooks = add(by_minors, PieceType::Rook);
        let all = add(by_rooks, PieceType::Queen) | king_attacks(self.king(color));
        Threats { by_pawns, by_minors, by_rooks, all }
    }

    /// The squares attacked by any man of a colour, own men's squares (protection) included.
    pub fn attacked_by(&self, color: Color) -> Bitboard {
        self.threats(color).all
    }
}

impl PartialEq for Board {
    /// The same position, clocks and move number; how it came about is not compared.
    fn eq(&self, other: &Self) -> bool {
        self.position == other.position
            && self.state.halfmove == other.state.halfmove
            && self.ply == other.ply
    }
}

impl Eq for Board {}

impl Default for Board {
    fn default() -> Self {
        Self::startpos()
    }
}

impl fmt::Display for Board {
    /// Draws the board with White below, and the FEN and key under it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rule = "  +---+---+---+---+---+---+---+---+";
        writeln!(f, "{rule}")?;
        for rank in Rank::ALL.into_iter().rev() {
            write!(f, "{} |", rank.to_char())?;
            for file in File::ALL {
                let man = self.piece_on(Square::new(file, rank)).map_or(' ', Piece::to_char);
                write!(f, " {man} |")?;
            }
            writeln!(f, "\n{rule}")?;
        }
        writeln!(f, "    a   b   c   d   e   f   g   h\n")?;
        writeln!(f, "Fen: {}", self.fen())?;
        write!(f, "Key: {:016X}", self.key())?;
        if self.in_check() {
            write!(f, "\nCheckers:")?;
            for square in self.checkers() {
                write!(f, " {square}")?;
            }
        }
        Ok(())
    }
}
