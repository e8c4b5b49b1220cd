//! Strictly legal move generation: check masks and pin lines restrict the targets, so that no move has to
//! be tried. What is done with the moves is up to a [`MoveSink`]: a list, a count, or a step of perft.

use crate::attacks::{
    between, bishop_attacks, king_attacks, knight_attacks, pawn_attacks, queen_attacks, rook_attacks,
};
use crate::position::{KingLines, Position, Side, for_side, forward, forward_left, forward_right};
use crate::types::{Bitboard, Color, Move, MoveFlag, MoveList, PieceType, Rank, Square};

/// Every legal move.
pub(crate) const ALL: u8 = 0;
/// Captures, en passant and all promotions.
pub(crate) const TACTICAL: u8 = 1;
/// The rest, castling included.
pub(crate) const QUIET: u8 = 2;

/// Receives generated moves in groups.
pub trait MoveSink {
    /// A man other than a pawn may go from one square to each of the targets, taking what is there.
    fn piece(&mut self, kind: PieceType, from: Square, targets: Bitboard);
    /// Pawns may reach each of the targets from the square `delta` indices before it.
    fn pawns(&mut self, targets: Bitboard, delta: i8, flag: MoveFlag);
    /// The same for pawns that promote.
    fn promotions(&mut self, targets: Bitboard, delta: i8, capture: bool);
    /// A pawn may take en passant.
    fn en_passant(&mut self, from: Square, to: Square);
    /// The king may castle with the rook.
    fn castling(&mut self, king: Square, rook: Square);
    /// Whether no further moves are wanted.
    #[inline(always)]
    fn is_done(&self) -> bool {
        false
    }
}

/// The square that a pawn came from, as [`MoveSink::pawns`] tells it.
#[inline(always)]
pub const fn origin(to: Square, delta: i8) -> Square {
    Square::masked((to as i8 - delta) as u8)
}

/// Generates the legal moves of the side to move, which must be `S`; `lines` are those of its king.
#[inline(always)]
pub(crate) fn generate<S: Side, const KIND: u8, K: MoveSink>(
    position: &Position,
    lines: &KingLines,
    sink: &mut K,
) {
    let (us, them) = (S::COLOR, S::Opponent::COLOR);
    let own = position.colors[us.index()];
    let enemy = position.colors[them.index()];
    let empty = !(own | enemy);
    let occupied = own | enemy;
    let king = position.king(us);
    let wanted = match KIND {
        TACTICAL => enemy,
        QUIET => empty,
        _ => !own,
    };

    let king_targets = king_attacks(king) & wanted;
    if king_targets.any() {
        sink.piece(PieceType::King, king, position.safe_for_king::<S>(king_targets));
    }
    let mut evasion = Bitboard::FULL;
    if let Some(checker) = lines.checkers.first() {
        if lines.checkers.more_than_one() {
            return;
        }
        evasion = between(king, checker) | lines.checkers;
    } else if KIND != TACTICAL {
        let rooks = position.castling & Rank::R1.relative(us).bb();
        for rook in rooks {
            if position.castling_is_legal::<S>(rook) {
                sink.castling(king, rook);
            }
        }
    }
    let targets = wanted & evasion;
    let (straight_pins, diagonal_pins) = (lines.pin_straight, lines.pin_diagonal);
    let pins = straight_pins | diagonal_pins;

    // A pinned knight can never move.
    for from in position.colored(us, PieceType::Knight) & !pins {
        sink.piece(PieceType::Knight, from, knight_attacks(from) & targets);
    }
    let bishops = position.colored(us, PieceType::Bishop);
    for from in bishops & !pins {
        sink.piece(PieceType::Bishop, from, bishop_attacks(from, occupied) & targets);
    }
    let rooks = position.colored(us, PieceType::Rook);
    for from in rooks & !pins {
        sink.piece(PieceType::Rook, from, rook_attacks(from, occupied) & targets);
    }
    let queens = position.colored(us, PieceType::Queen);
    for from in queens & !pins {
        sink.piece(PieceType::Queen, from, queen_attacks(from, occupied) & targets);
    }
    // A pinned slider keeps to lines of the pin's own direction: of those only the pin line itself meets
    // the squares of any pin.
    if pins.any() {
        for from in bishops & diagonal_pins {
            sink.piece(PieceType::Bishop, from, bishop_attacks(from, occupied) & targets & diagonal_pins);
        }
        for from in rooks & straight_pins {
            sink.piece(PieceType::Rook, from, rook_attacks(from, occupied) & targets & straight_pins);
        }
        for from in queens & diagonal_pins {
            sink.piece(PieceType::Queen, from, bishop_attacks(from, occupied) & targets & diagonal_pins);
        }
        for from in queens & straight_pins {
            sink.piece(PieceType::Queen, from, rook_attacks(from, occupied) & targets & straight_pins);
        }
    }
    if sink.is_done() {
        return;
    }
    generate_pawns::<S, KIND, K>(position, evasion, straight_pins, diagonal_pins, sink);
}

#[inline(always)]
fn generate_pawns<S: Side, const KIND: u8, K: MoveSink>(
    position: &Position,
    evasion: Bitboard,
    straight_pins: Bitboard,
    diagonal_pins: Bitboard,
    sink: &mut K,
) {
    let (us, them) = (S::COLOR, S::Opponent::COLOR);
    let (ahead, left, right) = match us {
        Color::White => (8, 7, 9),
        Color::Black => (-8, -9, -7),
    };
    let empty = !position.occupied();
    let last_rank = Rank::R8.relative(us).bb();
    let pawns = position.colored(us, PieceType::Pawn);

    // Pushes: a pawn pinned on a diagonal has none, one pinned on its file keeps all.
    let free = pawns & !(straight_pins | diagonal_pins);
    let held = pawns & straight_pins;
    let single = (forward::<S>(free) | (forward::<S>(held) & straight_pins)) & empty;
    if KIND != QUIET {
        sink.promotions(single & evasion & last_rank, ahead, false);
    }
    if KIND != TACTICAL {
        let double = forward::<S>(single & Rank::R3.relative(us).bb()) & empty & evasion;
        sink.pawns(single & evasion & !last_rank, ahead, MoveFlag::Quiet);
        sink.pawns(double, 2 * ahead, MoveFlag::DoublePush);
    }
    if KIND == QUIET {
        return;
    }

    // Captures: a pawn pinned on its file has none, one pinned on a diagonal only along it.
    let held = pawns & diagonal_pins;
    let victims = position.colors[them.index()] & evasion;
    let to_left = (forward_left::<S>(free) | (forward_left::<S>(held) & diagonal_pins)) & victims;
    let to_right = (forward_right::<S>(free) | (forward_right::<S>(held) & diagonal_pins)) & victims;
    sink.pawns(to_left & !last_rank, left, MoveFlag::Capture);
    sink.pawns(to_right & !last_rank, right, MoveFlag::Capture);
    if ((to_left | to_right) & last_rank).any() {
        sink.promotions(to_left & last_rank, left, true);
        sink.promotions(to_right & last_rank, right, true);
    }
    if let Some(to) = position.en_passant {
        for from in pawn_attacks(them, to) & pawns {
            if position.en_passant_is_legal::<S>(from, to) {
                sink.en_passant(from, to);
            }
        }
    }
}

/// Collects moves in a list.
pub(crate) struct ListSink<'a> {
    pub list: &'a mut MoveList,
    pub enemy: Bitboard,
}

const PROMOTIONS: [MoveFlag; 4] =
    [MoveFlag::PromoteQueen, MoveFlag::PromoteKnight, MoveFlag::PromoteRook, MoveFlag::PromoteBishop];
const CAPTURE_PROMOTIONS: [MoveFlag; 4] = [
    MoveFlag::CapturePromoteQueen,
    MoveFlag::CapturePromoteKnight,
    MoveFlag::CapturePromoteRook,
    MoveFlag::CapturePromoteBishop,
];

/// The promotions with or without capture, the most useful first.
#[inline(always)]
pub const fn promotion_flags(capture: bool) -> [MoveFlag; 4] {
    if capture { CAPTURE_PROMOTIONS } else { PROMOTIONS }
}

impl MoveSink for ListSink<'_> {
    #[inline(always)]
    fn piece(&mut self, _: PieceType, from: Square, targets: Bitboard) {
        for to in targets & self.enemy {
            self.list.push(Move::new(from, to, MoveFlag::Capture));
        }
        for to in targets & !self.enemy {
            self.list.push(Move::new(from, to, MoveFlag::Quiet));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, delta: i8, flag: MoveFlag) {
        for to in targets {
            self.list.push(Move::new(origin(to, delta), to, flag));
        }
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, delta: i8, capture: bool) {
        for to in targets {
            for flag in promotion_flags(capture) {
                self.list.push(Move::new(origin(to, delta), to, flag));
            }
        }
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        self.list.push(Move::new(from, to, MoveFlag::EnPassant));
    }

    #[inline(always)]
    fn castling(&mut self, king: Square, rook: Square) {
        self.list.push(Move::new(king, rook, MoveFlag::Castling));
    }
}

/// Counts moves without making them up one by one.
#[derive(Default)]
pub(crate) struct CountSink {
    pub count: u64,
}

impl MoveSink for CountSink {
    #[inline(always)]
    fn piece(&mut self, _: PieceType, _: Square, targets: Bitboard) {
        self.count += u64::from(targets.count());
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, _: i8, _: MoveFlag) {
        self.count += u64::from(targets.count());
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, _: i8, _: bool) {
        self.count += 4 * u64::from(targets.count());
    }

    #[inline(always)]
    fn en_passant(&mut self, _: Square, _: Square) {
        self.count += 1;
    }

    #[inline(always)]
    fn castling(&mut self, _: Square, _: Square) {
        self.count += 1;
    }
}

/// Notices whether there is any move.
#[derive(Default)]
struct AnySink {
    found: bool,
}

impl MoveSink for AnySink {
    #[inline(always)]
    fn piece(&mut self, _: PieceType, _: Square, targets: Bitboard) {
        self.found |= targets.any();
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, _: i8, _: MoveFlag) {
        self.found |= targets.any();
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, _: i8, _: bool) {
        self.found |= targets.any();
    }

    #[inline(always)]
    fn en_passant(&mut self, _: Square, _: Square) {
        self.found = true;
    }

    #[inline(always)]
    fn castling(&mut self, _: Square, _: Square) {
        self.found = true;
    }

    #[inline(always)]
    fn is_done(&self) -> bool {
        self.found
    }
}

impl Position {
    /// Whether the side to move, whose king has these lines, has a legal move.
    pub fn has_legal_move(&self, lines: &KingLines) -> bool {
        let mut sink = AnySink::default();
        for_side!(self.side, S => generate::<S, ALL, _>(self, lines, &mut sink));
        sink.found
    }
}
