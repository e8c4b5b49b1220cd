//! Counts of move sequences, and what must hold at every node on the way.

use draughts::generate::generate_captures;
use draughts::rules::{Breakthrough, International};
use draughts::{Move, MoveList, Position, Rules, Variant, fen, legal_moves, notation, perft, with_rules};

const COUNTS: &str = include_str!("data/draughts-perft.txt");

/// Variant, position and counts of each line of the data.
fn suite() -> impl Iterator<Item = (Variant, Position, Vec<u64>)> {
    COUNTS.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let parts: Vec<&str> = line.split('|').map(str::trim).collect();
        let counts = parts[2].split(' ').map(|count| count.parse().unwrap()).collect();
        (parts[0].parse().unwrap(), fen::parse_fen(parts[1]).unwrap(), counts)
    })
}

#[test]
fn counts_agree_with_the_published_ones() {
    for (variant, position, counts) in suite() {
        for (depth, &count) in (1..).zip(&counts) {
            let found = with_rules!(variant, R => perft::perft::<R>(&position, depth));
            assert_eq!(found, count, "{variant} {} depth {depth}", fen::to_fen(&position));
        }
    }
}

#[test]
fn counting_pairs_gives_what_playing_every_move_gives() {
    for (variant, position, counts) in suite() {
        let depth = counts.iter().take_while(|&&count| count < 200_000).count() as u32;
        let plain = with_rules!(variant, R => perft::plain::<R>(&position, depth));
        assert_eq!(plain, counts[depth as usize - 1], "{variant} {}", fen::to_fen(&position));
    }
}

#[test]
fn divide_sums_to_the_count_on_any_number_of_threads() {
    for threads in [1, 2, 3] {
        let moves = perft::divide::<International>(&Position::start(), 7, threads).unwrap();
        assert_eq!(moves.len(), 9);
        assert_eq!(moves.iter().map(|&(_, count)| count).sum::<u64>(), 1_049_442);
    }
    let finished = fen::parse_fen("B:W50:B").unwrap();
    assert_eq!(perft::divide::<International>(&finished, 5, 2).unwrap(), []);
}

#[test]
fn depth_zero_is_one_leaf() {
    assert_eq!(perft::perft::<International>(&Position::start(), 0), 1);
}

/// Walks the tree and checks each node.
fn walk<R: Rules>(position: &Position, depth: u32) {
    assert_eq!(position.key(), position.computed_key(), "key of {}", fen::to_fen(position));
    assert_eq!(fen::parse_fen(&fen::to_fen(position)).map(|read| read.pieces(read.turn())), {
        Ok(position.pieces(position.turn()))
    });
    let moves = legal_moves::<R>(position);
    let mut captures = MoveList::new();
    generate_captures::<R>(position, &mut captures);
    if !R::FRISIAN {
        assert_eq!(position.has_capture(), !captures.is_empty(), "{}", fen::to_fen(position));
    }
    for (n, &mv) in moves.iter().enumerate() {
        assert!(!moves[..n].contains(&mv), "{mv} twice in {}", fen::to_fen(position));
        assert_eq!(notation::parse_move::<R>(position, &mv.to_string()), Ok(mv));
        assert_eq!(notation::parse_move::<R>(position, &notation::short(mv, &moves)), Ok(mv));
        assert!(resolved(&moves, mv), "hint of {mv}");
        let next = position.play::<R>(mv);
        assert_eq!(next.turn(), !position.turn());
        if depth > 0 {
            walk::<R>(&next, depth - 1);
        }
    }
}

fn resolved(moves: &[Move], mv: Move) -> bool {
    mv.hint() != 0 && moves.iter().any(|other| other.hint() == mv.hint())
}

#[test]
fn keys_notation_and_capture_tests_hold_at_every_node() {
    for (variant, position, counts) in suite() {
        let depth = counts.iter().take_while(|&&count| count < 3_000).count() as u32;
        with_rules!(variant, R => walk::<R>(&position, depth.saturating_sub(1)));
    }
}

#[test]
fn both_sides_play_by_the_same_rules() {
    // The position turned by half a turn with colours exchanged has the same counts.
    for (variant, position, counts) in suite() {
        let pieces = [position.pieces(draughts::Color::Black), position.pieces(draughts::Color::White)];
        let turned =
            Position::new(pieces.map(|set| set.flip()), position.all_kings().flip(), !position.turn())
                .unwrap();
        let depth = counts.iter().take_while(|&&count| count < 100_000).count() as u32;
        let found = with_rules!(variant, R => perft::perft::<R>(&turned, depth));
        assert_eq!(found, counts[depth as usize - 1], "{variant} {}", fen::to_fen(&turned));
    }
}

#[test]
fn breakthrough_ends_with_the_first_king() {
    let position = fen::parse_fen("W:W31:BK1,20").unwrap();
    assert!(legal_moves::<Breakthrough>(&position).is_empty());
    assert!(!legal_moves::<International>(&position).is_empty());
}
