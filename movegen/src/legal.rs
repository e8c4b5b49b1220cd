//! Questions about legal moves.

use crate::attacks::{
    between, bishop_attacks, king_attacks, knight_attacks, line, pawn_attacks, piece_attacks, rook_attacks,
};
use crate::board::Board;
use crate::generate::{ALL, CountSink, ListSink, MoveSink, QUIET, TACTICAL, generate};
use crate::position::{Side, for_side, forward, passed_pawn};
use crate::types::{Bitboard, Color, Move, MoveFlag, MoveList, Piece, PieceType, Rank, Square, Wing};

/// Squares from which a man of each kind would attack the enemy king, as the men stand before the move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CheckSquares([Bitboard; PieceType::NUM]);

impl CheckSquares {
    /// Those of a kind of man; none for the king.
    #[inline]
    pub fn of(&self, kind: PieceType) -> Bitboard {
        self.0[kind.index()]
    }
}

impl Board {
    #[inline]
    fn list<const KIND: u8>(&self, list: &mut MoveList) {
        let enemy = self.color(!self.side_to_move());
        let mut sink = ListSink { list, enemy };
        for_side!(self.side_to_move(), S => {
            generate::<S, KIND, _>(self.position(), self.king_lines(), &mut sink);
        });
    }

    /// All legal moves.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.list::<ALL>(&mut list);
        list
    }

    /// Appends the legal captures, en passant included, and all legal promotions.
    pub fn tactical_moves(&self, list: &mut MoveList) {
        self.list::<TACTICAL>(list);
    }

    /// Appends the legal moves that are neither captures nor promotions, castling included.
    pub fn quiet_moves(&self, list: &mut MoveList) {
        self.list::<QUIET>(list);
    }

    /// Gives the moves of [`tactical_moves`](Self::tactical_moves) to a sink, in the same order.
    #[inline]
    pub fn generate_tactical<K: MoveSink>(&self, sink: &mut K) {
        for_side!(self.side_to_move(), S => {
            generate::<S, TACTICAL, _>(self.position(), self.king_lines(), sink);
        });
    }

    /// Gives the moves of [`quiet_moves`](Self::quiet_moves) to a sink, in the same order.
    #[inline]
    pub fn generate_quiet<K: MoveSink>(&self, sink: &mut K) {
        for_side!(self.side_to_move(), S => {
            generate::<S, QUIET, _>(self.position(), self.king_lines(), sink);
        });
    }

    /// The number of legal moves, without making them up.
    pub fn legal_move_count(&self) -> usize {
        let mut sink = CountSink::default();
        for_side!(self.side_to_move(), S => {
            generate::<S, ALL, _>(self.position(), self.king_lines(), &mut sink);
        });
        sink.count as usize
    }

    /// Whether the side to move has a legal move.
    pub fn has_legal_move(&self) -> bool {
        self.position().has_legal_move(self.king_lines())
    }

    /// Whether the side to move is mated.
    pub fn is_checkmate(&self) -> bool {
        self.in_check() && !self.has_legal_move()
    }

    /// Whether the side to move is not in check and has no move.
    pub fn is_stalemate(&self) -> bool {
        !self.in_check() && !self.has_legal_move()
    }

    /// Whether a move, which may come from another position or be made of arbitrary bits, is legal here.
    /// Its flag must fit too.
    pub fn is_legal(&self, mv: Move) -> bool {
        let us = self.side_to_move();
        match self.piece_on(mv.from()) {
            Some(piece) if piece.color() == us => {
                for_side!(us, S => self.is_legal_of::<S>(mv, piece.kind()))
            }
            _ => false,
        }
    }

    fn is_legal_of<S: Side>(&self, mv: Move, kind: PieceType) -> bool {
        let (from, to, flag) = (mv.from(), mv.to(), mv.flag());
        let own = self.color(S::COLOR);
        let enemy = self.color(S::Opponent::COLOR);
        if flag == MoveFlag::Castling {
            return kind == PieceType::King
                && !self.in_check()
                && (self.position().castling & own).contains(to)
                && self.position().castling_is_legal::<S>(to);
        }
        let takes_at_target = flag.is_capture() && flag != MoveFlag::EnPassant;
        if own.contains(to) || enemy.contains(to) != takes_at_target {
            return false;
        }
        let plain = matches!(flag, MoveFlag::Quiet | MoveFlag::Capture);
        match kind {
            PieceType::King => {
                return plain
                    && king_attacks(from).contains(to)
                    && self.position().safe_for_king::<S>(to.bb()).any();
            }
            PieceType::Pawn if flag == MoveFlag::EnPassant => {
                return self.en_passant() == Some(to)
                    && pawn_attacks(S::COLOR, from).contains(to)
                    && self.position().en_passant_is_legal::<S>(from, to);
            }
            PieceType::Pawn => {
                let promotes = to.rank() == Rank::R8.relative(S::COLOR);
                if flag.promotion().is_some() != promotes || !self.pawn_reaches::<S>(from, to, flag) {
                    return false;
                }
            }
            _ => {
                if !plain || !piece_attacks(kind, S::COLOR, from, self.occupied()).contains(to) {
                    return false;
                }
            }
        }
        let king = self.king(S::COLOR);
        if let Some(checker) = self.checkers().first() {
            let evasion = between(king, checker) | checker.bb();
            if self.checkers().more_than_one() || !evasion.contains(to) {
                return false;
            }
        }
        !self.blockers(S::COLOR).contains(from) || line(king, from).contains(to)
    }

    /// Whether a pawn moves like this, given that the target is occupied if and only if the flag says so.
    fn pawn_reaches<S: Side>(&self, from: Square, to: Square, flag: MoveFlag) -> bool {
        if flag.is_capture() {
            return pawn_attacks(S::COLOR, from).contains(to);
        }
        let one = forward::<S>(from.bb());
        if flag == MoveFlag::DoublePush {
            return from.rank() == Rank::R2.relative(S::COLOR)
                && (one & self.occupied()).is_empty()
                && forward::<S>(one).contains(to);
        }
        one.contains(to)
    }

    /// Whether a legal move attacks the enemy king, by the moved man or by one behind it.
    pub fn gives_check(&self, mv: Move) -> bool {
        let us = self.side_to_move();
        let (from, to) = (mv.from(), mv.to());
        let king = self.king(!us);
        if mv.is_castling() || mv.is_en_passant() {
            return self.special_gives_check(mv, us, king);
        }
        let Some(kind) = mv.promotion().or(self.piece_on(from).map(Piece::kind)) else { return false };
        let occupied = (self.occupied() ^ from.bb()) | to.bb();
        if piece_attacks(kind, us, to, occupied).contains(king) {
            return true;
        }
        self.blockers(!us).contains(from) && !line(king, from).contains(to)
    }

    /// Where the men of the side to move would give check.
    pub fn check_squares(&self) -> CheckSquares {
        let (us, occupied) = (self.side_to_move(), self.occupied());
        let king = self.king(!us);
        let (bishop, rook) = (bishop_attacks(king, occupied), rook_attacks(king, occupied));
        let (pawn, knight) = (pawn_attacks(!us, king), knight_attacks(king));
        CheckSquares([pawn, knight, bishop, rook, bishop | rook, Bitboard::EMPTY])
    }

    /// The same as [`gives_check`](Self::gives_check) for a move of a man of this kind, with the check squares of this
    /// position at hand.
    #[inline]
    pub fn gives_check_on(&self, squares: &CheckSquares, mv: Move, kind: PieceType) -> bool {
        // These change more squares than the lines to the king allow for: a pawn may promote on the line it leaves.
        if mv.is_castling() || mv.is_en_passant() || mv.is_promotion() {
            return self.gives_check(mv);
        }
        let enemy = !self.side_to_move();
        squares.of(kind).contains(mv.to())
            || (self.blockers(enemy).contains(mv.from())
                && !line(self.king(enemy), mv.from()).contains(mv.to()))
    }

    /// The same for moves that change more than two squares.
    fn special_gives_check(&self, mv: Move, us: Color, king: Square) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let (mut occupied, mut straight) = (self.occupied(), self.position().straight(us));
        let diagonal = self.position().diagonal(us);
        if mv.is_castling() {
            let wing = Wing::of(from, to);
            let (king_to, rook_to) = (wing.king_target(us).bb(), wing.rook_target(us).bb());
            occupied = (occupied ^ from.bb() ^ to.bb()) | king_to | rook_to;
            straight = (straight ^ to.bb()) | rook_to;
        } else {
            if pawn_attacks(us, to).contains(king) {
                return true;
            }
            occupied = (occupied ^ from.bb() ^ passed_pawn(to).bb()) | to.bb();
        }
        let attackers: Bitboard =
            (rook_attacks(king, occupied) & straight) | (bishop_attacks(king, occupied) & diagonal);
        attackers.any()
    }
}
