//! Static exchange evaluation: what a series of captures on one square is worth.

use crate::attacks::{bishop_attacks, line, rook_attacks};
use crate::board::Board;
use crate::types::{Bitboard, Color, Move, Piece, PieceType, Square};

/// What the men are worth in exchanges, in hundredths of a pawn, by [`PieceType::index`]. The king can
/// neither be taken nor given up.
pub const SEE_VALUES: [i32; PieceType::NUM] = [100, 300, 300, 500, 900, 0];

const fn value(kind: PieceType) -> i32 {
    SEE_VALUES[kind.index()]
}

impl Board {
    /// Whether a legal move, with the best captures on its target square by both sides after it, gains at
    /// least `threshold` (in the unit of [`SEE_VALUES`]).
    ///
    /// Both sides take with their least valuable man and may stop at any time. Men pinned before the
    /// exchange take part only along the line of the pin, as long as the pinning man stands. Pawns that take
    /// on the last rank are not promoted, except by the first move.
    pub fn see_ge(&self, mv: Move, threshold: i32) -> bool {
        if mv.is_castling() {
            return threshold <= 0;
        }
        let (from, to) = (mv.from(), mv.to());
        let Some(mover) = self.piece_on(from).map(Piece::kind) else { return threshold <= 0 };
        let mut occupied = (self.occupied() ^ from.bb()) | to.bb();
        let mut gain = self.piece_on(to).map_or(0, |taken| value(taken.kind()));
        if mv.is_en_passant() {
            gain = value(PieceType::Pawn);
            occupied ^= crate::position::passed_pawn(to).bb();
        }
        let arrived = mv.promotion().unwrap_or(mover);
        gain += value(arrived) - value(mover);

        // From here on `balance` is what the side that has just moved has beyond its need, if its man on the
        // target is lost; not negative means that it may stop and has won.
        let mut balance = gain - threshold;
        if balance < 0 {
            return false;
        }
        balance -= value(arrived);
        if balance >= 0 {
            return true;
        }
        let us = self.side_to_move();
        let mut side = !us;
        let mut attackers = self.attackers_to(to, occupied) & occupied;
        loop {
            let mut own = attackers & self.color(side);
            if (own & self.blockers(side)).any() {
                own = self.free_attackers(own, side, to, occupied);
            }
            if own.is_empty() {
                break;
            }
            let kind = self.least_valuable(own);
            if kind == PieceType::King {
                // It may only take what nobody protects, and then the exchange is over.
                if (attackers & self.color(!side)).is_empty() {
                    side = !side;
                }
                break;
            }
            occupied ^= (own & self.pieces(kind)).lowest().bb();
            balance = -balance - 1 - value(kind);
            side = !side;
            if balance >= 0 {
                break;
            }
            if matches!(kind, PieceType::Pawn | PieceType::Bishop | PieceType::Queen) {
                attackers |= bishop_attacks(to, occupied)
                    & (self.pieces(PieceType::Bishop) | self.pieces(PieceType::Queen));
            }
            if matches!(kind, PieceType::Rook | PieceType::Queen) {
                attackers |= rook_attacks(to, occupied)
                    & (self.pieces(PieceType::Rook) | self.pieces(PieceType::Queen));
            }
            attackers &= occupied;
        }
        // The side whose turn it is now has nothing more to win.
        side != us
    }

    /// The kind of the least valuable man of a set that is not empty.
    #[inline]
    fn least_valuable(&self, men: Bitboard) -> PieceType {
        for kind in PieceType::ALL {
            if (men & self.pieces(kind)).any() {
                return kind;
            }
        }
        PieceType::King
    }

    /// Drops the men that would leave a line on which their king is attacked.
    #[cold]
    fn free_attackers(&self, own: Bitboard, side: Color, to: Square, occupied: Bitboard) -> Bitboard {
        let mut free = own;
        let king = self.king(side);
        for man in own & self.blockers(side) {
            let pin = line(king, man);
            if pin.contains(to) {
                continue;
            }
            let without = occupied ^ man.bb();
            let pinning = (rook_attacks(king, without) & self.position().straight(!side))
                | (bishop_attacks(king, without) & self.position().diagonal(!side));
            if (pinning & pin & occupied).any() {
                free ^= man.bb();
            }
        }
        free
    }
}
