//! The attack tables against rays walked step by step, and the search for the magic factors repeated.

use movegen::{
    Bitboard, Color, Square, between, bishop_attacks, bishop_rays, king_attacks, knight_attacks, line,
    pawn_attacks, queen_attacks, rook_attacks, rook_rays,
};

#[path = "../movegen/src/attacks/magic.rs"]
mod magic;

const STRAIGHT: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: [(i8, i8); 4] = [(1, 1), (-1, 1), (1, -1), (-1, -1)];

fn walk(from: Square, steps: &[(i8, i8)], occupied: Bitboard) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    for &(df, dr) in steps {
        let mut square = from;
        while let Some(next) = square.try_offset(df, dr) {
            set |= next.bb();
            square = next;
            if occupied.contains(next) {
                break;
            }
        }
    }
    set
}

fn steps(from: Square, steps: &[(i8, i8)]) -> Bitboard {
    steps.iter().filter_map(|&(df, dr)| from.try_offset(df, dr)).collect()
}

/// The squares where a blocker matters: not the last of a ray.
fn mask(from: Square, rays: &[(i8, i8)]) -> Bitboard {
    walk(from, rays, Bitboard::EMPTY)
        .into_iter()
        .filter(|square| {
            let ray = rays.iter().find(|&&ray| walk(from, &[ray], Bitboard::EMPTY).contains(*square));
            ray.is_some_and(|&(df, dr)| square.try_offset(df, dr).is_some())
        })
        .collect()
}

fn subsets(mask: u64) -> impl Iterator<Item = u64> {
    let mut next = Some(0u64);
    std::iter::from_fn(move || {
        let subset = next?;
        let following = subset.wrapping_sub(mask) & mask;
        next = (following != 0).then_some(following);
        Some(subset)
    })
}

#[test]
fn sliding_attacks_for_every_set_of_blockers() {
    for from in Square::ALL {
        for blockers in subsets(mask(from, &STRAIGHT).0).map(Bitboard) {
            assert_eq!(rook_attacks(from, blockers), walk(from, &STRAIGHT, blockers), "{from} {blockers:?}");
        }
        for blockers in subsets(mask(from, &DIAGONAL).0).map(Bitboard) {
            assert_eq!(
                bishop_attacks(from, blockers),
                walk(from, &DIAGONAL, blockers),
                "{from} {blockers:?}"
            );
        }
        let full = Bitboard::FULL;
        assert_eq!(rook_attacks(from, full), steps(from, &STRAIGHT));
        assert_eq!(bishop_attacks(from, full), steps(from, &DIAGONAL));
        assert_eq!(queen_attacks(from, full), king_attacks(from));
        assert_eq!(rook_rays(from), rook_attacks(from, Bitboard::EMPTY));
        assert_eq!(bishop_rays(from), bishop_attacks(from, Bitboard::EMPTY));
    }
}

#[test]
fn leaping_attacks() {
    let jumps = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
    for from in Square::ALL {
        assert_eq!(knight_attacks(from), steps(from, &jumps));
        assert_eq!(king_attacks(from), steps(from, &[STRAIGHT, DIAGONAL].concat()));
        assert_eq!(pawn_attacks(Color::White, from), steps(from, &[(-1, 1), (1, 1)]));
        assert_eq!(pawn_attacks(Color::Black, from), steps(from, &[(-1, -1), (1, -1)]));
    }
}

#[test]
fn lines_of_pairs() {
    for a in Square::ALL {
        for b in Square::ALL {
            let mut expected = (Bitboard::EMPTY, Bitboard::EMPTY);
            for ray in [STRAIGHT, DIAGONAL].concat() {
                if walk(a, &[ray], Bitboard::EMPTY).contains(b) {
                    let back = (-ray.0, -ray.1);
                    expected.0 = walk(a, &[ray], b.bb()) & !b.bb();
                    expected.1 = walk(a, &[ray, back], Bitboard::EMPTY) | a.bb();
                }
            }
            assert_eq!((between(a, b), line(a, b)), expected, "{a} {b}");
        }
    }
}

/// `SplitMix64`.
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Tries sparse random factors until one sends no two sets of blockers with different attacks to the same
/// index of as many bits as the mask has.
fn find_magic(from: Square, rays: &[(i8, i8)]) -> u64 {
    const SEED: u64 = 0x4479_6164_0000_0000;
    let mask = mask(from, rays).0;
    let bits = mask.count_ones();
    let attacks: Vec<(u64, u64)> =
        subsets(mask).map(|blockers| (blockers, walk(from, rays, Bitboard(blockers)).0)).collect();
    // Each entry remembers the attempt that wrote it, so that the table need not be cleared.
    let mut table = vec![(0u32, 0u64); 1 << bits];
    let mut state = SEED ^ from.index() as u64;
    for attempt in 1.. {
        let factor = random(&mut state) & random(&mut state) & random(&mut state);
        // Too few bits in the top byte never work; this saves most of the attempts.
        if (mask.wrapping_mul(factor) >> 56).count_ones() < 6 {
            continue;
        }
        let works = attacks.iter().all(|&(blockers, attack)| {
            let entry = &mut table[(blockers.wrapping_mul(factor) >> (64 - bits)) as usize];
            if entry.0 != attempt {
                *entry = (attempt, attack);
            }
            entry.1 == attack
        });
        if works {
            return factor;
        }
    }
    unreachable!("the search ends only with a factor")
}

#[test]
fn magic_factors_are_found_again() {
    for from in Square::ALL {
        assert_eq!(magic::ROOK_MAGICS[from.index()], find_magic(from, &STRAIGHT), "rook {from}");
        assert_eq!(magic::BISHOP_MAGICS[from.index()], find_magic(from, &DIAGONAL), "bishop {from}");
    }
}
