//! The hand-written evaluation: the first teacher of the networks.
//!
//! Tapered (middlegame, endgame) sums of material, placement, mobility, pawn structure, threats and king
//! safety, in centipawns from the point of view of the side to move. The weights are our own estimates,
//! written as short per-rank and per-file rows so that they can be read and doubted.
//!
//! Terms follow the usual vocabulary (<https://www.chessprogramming.org/Evaluation>).

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use movegen::{
    Bitboard, Board, Color, File, PieceType, Square, bishop_attacks, king_attacks, knight_attacks,
    rook_attacks,
};

/// A pair of middlegame and endgame values in centipawns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tapered {
    /// Value with all pieces on the board.
    pub middle: i32,
    /// Value with bare kings and pawns.
    pub end: i32,
}

const fn t(middle: i32, end: i32) -> Tapered {
    Tapered { middle, end }
}

impl Add for Tapered {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        t(self.middle + other.middle, self.end + other.end)
    }
}
impl Sub for Tapered {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        t(self.middle - other.middle, self.end - other.end)
    }
}
impl Neg for Tapered {
    type Output = Self;
    fn neg(self) -> Self {
        t(-self.middle, -self.end)
    }
}
impl Mul<i32> for Tapered {
    type Output = Self;
    fn mul(self, factor: i32) -> Self {
        t(self.middle * factor, self.end * factor)
    }
}
impl AddAssign for Tapered {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}
impl SubAssign for Tapered {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

/// Material by piece kind, pawn to king.
const MATERIAL: [Tapered; 6] = [t(84, 108), t(335, 312), t(352, 330), t(485, 565), t(1010, 1040), t(0, 0)];
/// Game phase carried by a piece of each kind; 24 with all pieces on the board.
const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];
const FULL_PHASE: i32 = 24;

/// Placement by rank, seen from the owner's side: pawn, knight, bishop, rook, queen, king.
const BY_RANK: [[Tapered; 8]; 6] = [
    [t(0, 0), t(-4, -6), t(-2, -6), t(6, 0), t(14, 14), t(30, 44), t(48, 90), t(0, 0)],
    [t(-22, -18), t(-8, -8), t(2, 0), t(8, 8), t(16, 12), t(20, 4), t(4, -6), t(-30, -20)],
    [t(-10, -6), t(4, -4), t(6, 2), t(6, 4), t(6, 4), t(8, 2), t(-6, 0), t(-16, -2)],
    [t(0, -6), t(-10, -6), t(-10, -4), t(-8, 2), t(-2, 6), t(6, 8), t(18, 12), t(10, 8)],
    [t(0, -24), t(4, -16), t(0, -4), t(-4, 10), t(-4, 18), t(4, 16), t(-4, 14), t(0, 4)],
    [t(18, -30), t(4, -12), t(-20, 2), t(-40, 12), t(-50, 18), t(-50, 20), t(-50, 10), t(-50, -14)],
];
/// Placement by distance of the file from the edge (a/h, b/g, c/f, d/e).
const BY_FILE: [[Tapered; 4]; 6] = [
    [t(-10, 2), t(-2, 2), t(-2, 0), t(12, -4)],
    [t(-20, -12), t(-4, -4), t(6, 4), t(10, 8)],
    [t(-6, -4), t(4, 0), t(2, 2), t(6, 4)],
    [t(-6, 0), t(-2, 0), t(4, 2), t(8, 0)],
    [t(-4, -10), t(0, -2), t(2, 4), t(2, 8)],
    [t(16, -16), t(20, -2), t(-8, 6), t(-20, 10)],
];

/// Mobility: value of one more reachable square than the usual number for the kind.
const MOBILITY_STEP: [Tapered; 6] = [t(0, 0), t(5, 5), t(5, 6), t(3, 6), t(2, 5), t(0, 0)];
const MOBILITY_USUAL: [i32; 6] = [0, 4, 6, 7, 13, 0];

const BISHOP_PAIR: Tapered = t(26, 52);
const ROOK_OPEN_FILE: Tapered = t(32, 8);
const ROOK_HALF_OPEN_FILE: Tapered = t(14, 8);
const KNIGHT_OUTPOST: Tapered = t(24, 16);
const BISHOP_OUTPOST: Tapered = t(12, 8);

const DOUBLED: Tapered = t(-6, -20);
const ISOLATED: Tapered = t(-10, -10);
const BACKWARD: Tapered = t(-6, -8);
/// Pawns side by side or defended by a pawn, by rank.
const CONNECTED: [Tapered; 8] =
    [t(0, 0), t(4, 0), t(7, 3), t(10, 6), t(20, 18), t(40, 40), t(70, 60), t(0, 0)];
/// Passed pawn by rank, before the king and path terms.
const PASSED: [Tapered; 8] =
    [t(0, 0), t(0, 8), t(0, 14), t(6, 34), t(26, 62), t(62, 108), t(110, 170), t(0, 0)];
/// Passed pawn whose next square is free, by rank.
const PASSED_FREE: [i32; 8] = [0, 0, 2, 6, 14, 28, 50, 0];
/// Endgame value per step of king distance to the square in front of a passed pawn, by rank.
const PASSED_KING: [i32; 8] = [0, 0, 1, 3, 6, 9, 10, 0];

const PAWN_THREAT: Tapered = t(50, 34);
const MINOR_THREAT: Tapered = t(34, 28);
const ROOK_THREAT: Tapered = t(40, 18);
const HANGING: Tapered = t(22, 20);

/// Weight of one attacker of the king zone, by kind.
const KING_ATTACKER: [i32; 6] = [0, 22, 20, 26, 34, 0];
const KING_RING_ATTACK: i32 = 10;
const SAFE_CHECK: [i32; 6] = [0, 38, 26, 46, 38, 0];
const WEAK_RING_SQUARE: i32 = 14;
const NO_QUEEN_RELIEF: i32 = 90;
const SHELTER_PAWN: [i32; 4] = [-16, 14, 8, 2];
const OPEN_FILE_AT_KING: i32 = -22;

const TEMPO: i32 = 16;

/// Attack maps gathered in one pass and used by the later terms.
struct Attacks {
    by_kind: [Bitboard; 6],
    all: Bitboard,
    twice: Bitboard,
    king_danger: i32,
    king_attackers: i32,
}

/// Evaluates `board` in centipawns from the point of view of the side to move.
#[must_use]
pub fn evaluate(board: &Board) -> i32 {
    let mut score = Tapered::default();
    let mut phase = 0;
    let pawn_cover =
        [Color::White, Color::Black].map(|c| pawn_attack_set(board.colored(c, PieceType::Pawn), c));
    let (white_score, white) = pieces(board, Color::White, &pawn_cover);
    let (black_score, black) = pieces(board, Color::Black, &pawn_cover);
    score += white_score - black_score;
    score += pawns(board, Color::White) - pawns(board, Color::Black);
    score += threats(board, Color::White, &white, &black) - threats(board, Color::Black, &black, &white);
    score +=
        king_safety(board, Color::White, &white, &black) - king_safety(board, Color::Black, &black, &white);
    for kind in PieceType::ALL {
        phase += PHASE[kind.index()] * board.pieces(kind).count() as i32;
    }
    let phase = phase.min(FULL_PHASE);
    let end = score.end * winning_chances(board, score.end) / 64;
    let value = (score.middle * phase + end * (FULL_PHASE - phase)) / FULL_PHASE;
    let value = if board.side_to_move() == Color::White { value } else { -value };
    value + TEMPO
}

/// Squares attacked by a set of pawns.
fn pawn_attack_set(pawns: Bitboard, color: Color) -> Bitboard {
    let up = forward(pawns, color).0;
    Bitboard(((up & !File::A.bb().0) >> 1) | ((up & !File::H.bb().0) << 1))
}

/// The set moved one rank forward.
fn forward(set: Bitboard, color: Color) -> Bitboard {
    match color {
        Color::White => Bitboard(set.0 << 8),
        Color::Black => Bitboard(set.0 >> 8),
    }
}

/// All squares in front of the set on the same files.
fn front_span(set: Bitboard, color: Color) -> Bitboard {
    let mut span = forward(set, color);
    for _ in 0..5 {
        span |= forward(span, color);
    }
    span
}

/// The neighbouring files' squares of a set.
fn beside(set: Bitboard) -> Bitboard {
    Bitboard(((set.0 & !File::A.bb().0) >> 1) | ((set.0 & !File::H.bb().0) << 1))
}

fn distance(a: Square, b: Square) -> i32 {
    let files = (a.file().index() as i32 - b.file().index() as i32).abs();
    let ranks = (a.rank().index() as i32 - b.rank().index() as i32).abs();
    files.max(ranks)
}

fn king_ring(king: Square, color: Color) -> Bitboard {
    let ring = king_attacks(king) | king.bb();
    ring | forward(ring, color)
}

/// Material, placement and mobility of one side, with its attack maps.
fn pieces(board: &Board, us: Color, pawn_cover: &[Bitboard; 2]) -> (Tapered, Attacks) {
    let them = !us;
    let own_pawns = board.colored(us, PieceType::Pawn);
    let enemy_pawns = board.colored(them, PieceType::Pawn);
    let occupied = board.occupied();
    let king = board.king(us);
    let enemy_ring = king_ring(board.king(them), them);
    let area =
        !(board.colored(us, PieceType::King) | own_pawns & blocked(board, us) | pawn_cover[them.index()]);
    let outposts = pawn_cover[us.index()] & !front_attack_span(enemy_pawns, them) & enemy_half(us);

    let mut score = Tapered::default();
    let mut maps = Attacks {
        by_kind: [Bitboard::EMPTY; 6],
        all: king_attacks(king),
        twice: king_attacks(king) & pawn_cover[us.index()],
        king_danger: 0,
        king_attackers: 0,
    };
    maps.by_kind[PieceType::King.index()] = king_attacks(king);
    maps.by_kind[PieceType::Pawn.index()] = pawn_cover[us.index()];
    maps.all |= pawn_cover[us.index()];

    for kind in PieceType::ALL {
        let k = kind.index();
        for square in board.colored(us, kind) {
            let seen = square.relative(us);
            let file = seen.file().index();
            score += MATERIAL[k] + BY_RANK[k][seen.rank().index()] + BY_FILE[k][file.min(7 - file)];
            let attacks = match kind {
                PieceType::Knight => knight_attacks(square),
                PieceType::Bishop => bishop_attacks(square, occupied ^ board.pieces(PieceType::Queen)),
                PieceType::Rook => rook_attacks(
                    square,
                    occupied ^ board.pieces(PieceType::Queen) ^ board.colored(us, PieceType::Rook),
                ),
                PieceType::Queen => bishop_attacks(square, occupied) | rook_attacks(square, occupied),
                PieceType::Pawn | PieceType::King => continue,
            };
            maps.twice |= maps.all & attacks;
            maps.all |= attacks;
            maps.by_kind[k] |= attacks;
            let mobility = (attacks & area).count() as i32;
            score += MOBILITY_STEP[k] * (mobility - MOBILITY_USUAL[k]);
            let on_ring = (attacks & enemy_ring).count() as i32;
            if on_ring > 0 {
                maps.king_attackers += 1;
                maps.king_danger += KING_ATTACKER[k] + KING_RING_ATTACK * on_ring;
            }
            match kind {
                PieceType::Knight if outposts.contains(square) => score += KNIGHT_OUTPOST,
                PieceType::Bishop if outposts.contains(square) => score += BISHOP_OUTPOST,
                PieceType::Rook => {
                    let file = square.file().bb();
                    if (file & own_pawns).is_empty() {
                        let open = (file & enemy_pawns).is_empty();
                        score += if open { ROOK_OPEN_FILE } else { ROOK_HALF_OPEN_FILE };
                    }
                }
                _ => {}
            }
        }
    }
    if board.colored(us, PieceType::Bishop).more_than_one() {
        score += BISHOP_PAIR;
    }
    (score, maps)
}

/// Own pawns that cannot advance because a piece stands in front of them.
fn blocked(board: &Board, us: Color) -> Bitboard {
    forward(forward(board.occupied(), !us) & board.colored(us, PieceType::Pawn), us) & board.occupied()
        | (forward(board.occupied(), !us) & board.colored(us, PieceType::Pawn))
}

fn enemy_half(us: Color) -> Bitboard {
    match us {
        Color::White => Bitboard(0x0000_FFFF_FF00_0000),
        Color::Black => Bitboard(0x0000_00FF_FFFF_0000),
    }
}

/// Squares that the pawns attack now or could attack after advancing.
fn front_attack_span(pawns: Bitboard, color: Color) -> Bitboard {
    beside(front_span(pawns, color))
}

fn pawns(board: &Board, us: Color) -> Tapered {
    let them = !us;
    let own = board.colored(us, PieceType::Pawn);
    let enemy = board.colored(them, PieceType::Pawn);
    let own_cover = pawn_attack_set(own, us);
    let enemy_span = front_span(enemy, them);
    let stoppers = enemy_span | beside(enemy_span) | enemy;
    let mut score = Tapered::default();

    score += DOUBLED * (own & front_span(own, us)).count() as i32;
    for square in own {
        let rank = square.relative(us).rank().index();
        let file = square.file().bb();
        let neighbours = beside(file) & own;
        let phalanx = beside(square.bb()) & own;
        if neighbours.is_empty() {
            score += ISOLATED;
        } else if phalanx.any() || own_cover.contains(square) {
            score += CONNECTED[rank];
        } else {
            let behind = front_span(neighbours, us) | neighbours;
            let stop_attacked = pawn_attack_set(enemy, them) & forward(square.bb(), us);
            if (behind & square.bb()).is_empty() && stop_attacked.any() {
                score += BACKWARD;
            }
        }
        let passed = !stoppers.contains(square) && (front_span(square.bb(), us) & own).is_empty();
        if passed {
            score += PASSED[rank];
            let stop = forward(square.bb(), us);
            if (stop & board.occupied()).is_empty() {
                score += t(PASSED_FREE[rank] / 2, PASSED_FREE[rank]);
            }
            if let Some(stop) = stop.first() {
                let own_king = distance(board.king(us), stop).min(5);
                let enemy_king = distance(board.king(them), stop).min(5);
                score.end += PASSED_KING[rank] * (2 * enemy_king - own_king);
            }
        }
    }
    score
}

fn threats(board: &Board, us: Color, own: &Attacks, enemy: &Attacks) -> Tapered {
    let them = !us;
    let officers = board.color(them) & !board.pieces(PieceType::Pawn) & !board.pieces(PieceType::King);
    let majors = board.colored(them, PieceType::Rook) | board.colored(them, PieceType::Queen);
    let by = |kind: PieceType| own.by_kind[kind.index()];
    let minor = by(PieceType::Knight) | by(PieceType::Bishop);
    let mut score = PAWN_THREAT * (by(PieceType::Pawn) & officers).count() as i32;
    score += MINOR_THREAT * (minor & majors).count() as i32;
    score += ROOK_THREAT * (by(PieceType::Rook) & board.colored(them, PieceType::Queen)).count() as i32;
    let undefended = board.color(them) & !board.pieces(PieceType::King) & !enemy.all;
    score += HANGING * (own.all & undefended).count() as i32;
    score
}

/// Safety of the king of `us`: shelter minus the danger from the attackers, which grows faster than linearly.
fn king_safety(board: &Board, us: Color, own: &Attacks, enemy: &Attacks) -> Tapered {
    let them = !us;
    let king = board.king(us);
    let own_pawns = board.colored(us, PieceType::Pawn);
    let mut shelter = 0;
    let centre = king.file().index().clamp(1, 6);
    for file in [centre - 1, centre, centre + 1] {
        let file_bb = Bitboard(File::A.bb().0 << file);
        let in_front = file_bb & own_pawns & (front_span(king_rank(king), us) | king_rank(king));
        let nearest = in_front.into_iter().map(|s| distance_in_ranks(s, king)).min();
        shelter += match nearest {
            Some(steps) if (1..=3).contains(&steps) => SHELTER_PAWN[steps as usize],
            Some(_) => 0,
            None => SHELTER_PAWN[0],
        };
        if (file_bb & board.pieces(PieceType::Pawn)).is_empty() {
            shelter += OPEN_FILE_AT_KING;
        }
    }

    let ring = king_ring(king, us);
    let weak = enemy.all
        & !own.twice
        & (!own.all | own.by_kind[PieceType::King.index()] | own.by_kind[PieceType::Queen.index()]);
    let mut danger = enemy.king_danger;
    danger += WEAK_RING_SQUARE * (ring & weak).count() as i32;
    let safe = !board.color(them) & (!own.all | (weak & enemy.twice));
    let diagonal = bishop_attacks(king, board.occupied());
    let straight = rook_attacks(king, board.occupied());
    for (kind, lines) in [
        (PieceType::Knight, knight_attacks(king)),
        (PieceType::Bishop, diagonal),
        (PieceType::Rook, straight),
        (PieceType::Queen, diagonal | straight),
    ] {
        if (lines & safe & enemy.by_kind[kind.index()]).any() {
            danger += SAFE_CHECK[kind.index()];
        }
    }
    if board.colored(them, PieceType::Queen).is_empty() {
        danger -= NO_QUEEN_RELIEF;
    }
    if enemy.king_attackers < 2 {
        danger /= 3;
    }
    let danger = danger.max(0);
    t(shelter - danger * danger / 420, -danger / 8)
}

fn king_rank(king: Square) -> Bitboard {
    king.rank().bb()
}

fn distance_in_ranks(a: Square, b: Square) -> i32 {
    (a.rank().index() as i32 - b.rank().index() as i32).abs()
}

/// How much of an endgame advantage can be won, in 64ths.
///
/// Without pawns an advantage of less than a rook rarely wins; opposite-coloured bishops draw many endings.
fn winning_chances(board: &Board, end: i32) -> i32 {
    let strong = if end >= 0 { Color::White } else { Color::Black };
    let officers = |c: Color| {
        [PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen]
            .map(|kind| MATERIAL[kind.index()].end * board.colored(c, kind).count() as i32)
            .iter()
            .sum::<i32>()
    };
    let pawns = board.colored(strong, PieceType::Pawn).count() as i32;
    if pawns == 0 {
        let lead = officers(strong) - officers(!strong);
        return if lead <= MATERIAL[PieceType::Bishop.index()].end { 8 } else { 64 };
    }
    let bishops = board.pieces(PieceType::Bishop);
    let only_bishops = officers(Color::White) == MATERIAL[2].end && officers(Color::Black) == MATERIAL[2].end;
    const LIGHT: Bitboard = Bitboard(0x55AA_55AA_55AA_55AA);
    if only_bishops && bishops.count() == 2 && (bishops & LIGHT).count() == 1 {
        return (18 + 4 * pawns).min(64);
    }
    (40 + 6 * pawns).min(64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(fen: &str) -> i32 {
        evaluate(&Board::from_fen(fen).expect("test position"))
    }

    #[test]
    fn is_symmetric_between_the_colours() {
        for (white, black) in [
            (
                "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                "r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R b KQkq - 0 1",
            ),
            ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", "8/4p1p1/8/1r3P1K/kp5R/3P4/2P5/8 b - - 0 1"),
        ] {
            assert_eq!(score(white), score(black), "{white}");
        }
    }

    #[test]
    fn start_position_is_worth_the_tempo() {
        assert_eq!(evaluate(&Board::startpos()), TEMPO);
    }

    #[test]
    fn a_queen_more_is_winning_and_a_bishop_alone_is_not() {
        assert!(score("3qk3/8/8/8/8/8/8/4K3 w - - 0 1") < -700);
        assert!(score("4kb2/8/8/8/8/8/8/4K3 b - - 0 1").abs() < 120);
    }
}
