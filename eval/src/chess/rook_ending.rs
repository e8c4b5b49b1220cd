//! Rook and pawn against rook: the defences and the win that every textbook on endings teaches.
//!
//! What is known to hold is worth a small part of what the evaluation says, and the better the defence the smaller:
//! the defender steers for it and the attacker for something else.

use movegen::{Board, Color, File, PieceType, Rank, Square};

/// Lead of the side that has built the bridge's position, besides what the evaluation says.
const BRIDGE: i32 = 500;

/// The men as the pawn's side sees them, moving up the board.
struct Men {
    king: Square,
    rook: Square,
    pawn: Square,
    enemy: Square,
    guard: Square,
}

/// The lead of the side that has the only pawn of a position with a rook on each side, given what the evaluation says.
pub(super) fn adjust(board: &Board, strong: Color, lead: i32) -> i32 {
    let first = |color, kind| board.colored(color, kind).first().map(|square| square.relative(strong));
    let (Some(rook), Some(guard), Some(pawn)) =
        (first(strong, PieceType::Rook), first(!strong, PieceType::Rook), first(strong, PieceType::Pawn))
    else {
        return lead;
    };
    let king = board.king(strong).relative(strong);
    let enemy = board.king(!strong).relative(strong);
    let men = Men { king, rook, pawn, enemy, guard };
    if men.is_bridge() {
        return BRIDGE + lead;
    }
    lead / men.defence()
}

impl Men {
    /// What the lead is divided by.
    fn defence(&self) -> i32 {
        let aside = files(self.enemy, self.pawn);
        let is_ahead = self.enemy.rank() > self.pawn.rank();
        let is_rook_pawn = matches!(self.pawn.file(), File::A | File::H);
        if self.is_third_rank() {
            32
        } else if self.is_vancura() || self.is_behind() {
            16
        } else if self.is_back_rank() {
            12
        } else if self.is_short_side() {
            6
        } else if aside == 0 && is_ahead && self.pawn.rank() < Rank::R7 {
            4
        } else if aside == 1
            && is_ahead
            && (is_rook_pawn || self.pawn.rank() <= Rank::R5 || self.king.rank() < Rank::R6)
        {
            3
        } else {
            1
        }
    }

    /// Philidor's defence: the king near the queening square, the rook keeps the other king from the third rank as long
    /// as the pawn does not stand there.
    fn is_third_rank(&self) -> bool {
        self.is_king_near()
            && self.pawn.rank() <= Rank::R5
            && self.king.rank() <= Rank::R5
            && self.guard.rank() == Rank::R6
    }

    /// The pawn or the king has gone to the third rank: there is no shelter from checks from behind.
    fn is_behind(&self) -> bool {
        let is_far = self.guard.rank() <= Rank::R2;
        let is_on_file = files(self.guard, self.pawn) == 0 && self.guard.rank() < Rank::R4;
        self.is_king_near()
            && files(self.enemy, self.pawn) == 0
            && self.pawn.rank() <= Rank::R6
            && (is_far || is_on_file)
    }

    /// The rook waits on its back rank: enough against the pawns of the two outer files.
    fn is_back_rank(&self) -> bool {
        let is_outer = matches!(self.pawn.file(), File::A | File::B | File::G | File::H);
        is_outer && self.is_king_near() && self.pawn.rank() <= Rank::R6 && self.guard.rank() == Rank::R8
    }

    /// The king on the side with fewer files, the rook with room for checks on the other or behind the pawn.
    fn is_short_side(&self) -> bool {
        let right = self.pawn.file() >= File::E;
        let is_short =
            self.enemy.file() != self.pawn.file() && (self.enemy.file() > self.pawn.file()) == right;
        let is_long = files(self.guard, self.pawn) >= 3 && (self.guard.file() < self.pawn.file()) == right;
        let is_behind = files(self.guard, self.pawn) == 0 && self.guard.rank() < self.pawn.rank();
        is_short
            && files(self.enemy, self.pawn) <= 2
            && self.enemy.rank() >= Rank::R7
            && self.pawn.rank() <= Rank::R6
            && (is_long || is_behind)
    }

    /// Vancura's defence: the rook attacks a rook's pawn from the side, whose own rook stands in front of it, and the king
    /// waits where that rook cannot win it by a check. From the seventh rank the rook drives the king off that rank, but
    /// has no such check there.
    fn is_vancura(&self) -> bool {
        let is_safe =
            self.enemy.rank() == Rank::R7 || self.enemy.rank() >= Rank::R6 && self.rook.rank() == Rank::R7;
        // Checks from the side need room, unless the king that would have to be checked is far away.
        let has_room = files(self.guard, self.pawn) >= 3 || files(self.king, self.pawn) >= 4;
        matches!(self.pawn.file(), File::A | File::H)
            && files(self.rook, self.pawn) == 0
            && self.rook.rank() > self.pawn.rank()
            && self.pawn.rank() <= Rank::R6
            && self.guard.rank() == self.pawn.rank()
            && has_room
            && files(self.enemy, self.pawn) >= 6
            && is_safe
    }

    /// Lucena's position: the king on the queening square in front of its pawn, the other king cut off; the rook will
    /// shelter the king from checks.
    fn is_bridge(&self) -> bool {
        !matches!(self.pawn.file(), File::A | File::H)
            && self.pawn.rank() == Rank::R7
            && self.king.rank() == Rank::R8
            && files(self.king, self.pawn) == 0
            && files(self.enemy, self.pawn) >= 2
    }

    /// Whether the defender's king stands on its first two ranks on the pawn's file or next to it, in front of it.
    fn is_king_near(&self) -> bool {
        files(self.enemy, self.pawn) <= 1
            && self.enemy.rank() >= Rank::R7
            && self.enemy.rank() > self.pawn.rank()
    }
}

/// Files between two squares.
fn files(a: Square, b: Square) -> i32 {
    (a.file() as i32 - b.file() as i32).abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lead(fen: &str, strong: Color) -> i32 {
        let board = Board::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        adjust(&board, strong, 320)
    }

    #[test]
    fn textbook_defences_are_near_a_draw() {
        for (fen, strong, most) in [
            ("4k3/7R/r7/3KP3/8/8/8/8 w - - 0 1", Color::White, 10),
            ("8/8/8/8/3kp3/R7/7r/4K3 b - - 0 1", Color::Black, 10),
            ("4k3/7R/4P3/4K3/8/8/8/r7 w - - 0 1", Color::White, 20),
            ("r5k1/1R6/6K1/6P1/8/8/8/8 w - - 0 1", Color::White, 27),
            ("5k2/7R/4K3/4P3/8/8/8/r7 b - - 0 1", Color::White, 54),
            ("R7/6k1/P4r2/1K6/8/8/8/8 b - - 0 1", Color::White, 20),
            ("8/8/8/8/6k1/p4R2/6K1/r7 w - - 0 1", Color::Black, 20),
            ("6k1/R7/P4r2/1K6/8/8/8/8 b - - 0 1", Color::White, 20),
            ("8/R7/P3r1k1/8/8/5K2/8/8 w - - 0 1", Color::White, 20),
            ("R7/6k1/Pr6/8/5K2/8/8/8 b - - 0 1", Color::White, 20),
        ] {
            assert!((0..=most).contains(&lead(fen, strong)), "{fen}: {}", lead(fen, strong));
        }
    }

    #[test]
    fn a_bridge_is_worth_more_than_the_evaluation_says() {
        assert_eq!(lead("3K4/3P1k2/8/8/8/8/2r5/4R3 w - - 0 1", Color::White), BRIDGE + 320);
        assert_eq!(lead("4r3/2R5/8/8/8/8/3p1K2/3k4 b - - 0 1", Color::Black), BRIDGE + 320);
        // The other king is not cut off.
        assert_eq!(lead("3K4/3P4/4k3/8/8/8/2r5/5R2 w - - 0 1", Color::White), 320);
    }

    #[test]
    fn a_king_far_from_the_pawn_does_not_hold() {
        assert_eq!(lead("8/7k/8/3KP3/8/8/r7/5R2 w - - 0 1", Color::White), 320);
    }

    #[test]
    fn vancuras_king_must_not_be_in_the_way_of_a_check() {
        assert_eq!(lead("R7/8/P4rk1/1K6/8/8/8/8 w - - 0 1", Color::White), 320);
        // Nor is there room for checks.
        assert_eq!(lead("R7/6k1/P1r5/8/1K6/8/8/8 w - - 0 1", Color::White), 320);
    }
}
