//! Draws: repetition, the fifty-move rule, lack of material.

mod reference;

use movegen::{Board, Move, NoObserver};
use reference::Random;

fn read(fen: &str) -> Board {
    Board::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn play(board: &mut Board, moves: &str) {
    for text in moves.split(' ') {
        let mv = board.parse_uci(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        board.make_move(mv, &mut NoObserver);
    }
}

const SHUFFLE: &str = "g1f3 g8f6 f3g1 f6g8";

#[test]
fn repetition_in_the_game() {
    let mut board = Board::startpos();
    assert_eq!(board.repetition_count(), 0);
    play(&mut board, SHUFFLE);
    assert_eq!(board.repetition_count(), 1);
    // At the root and before, two earlier occurrences are needed; within the search one.
    assert!(!board.is_repetition(0));
    assert!(!board.is_repetition(4));
    assert!(board.is_repetition(5));
    play(&mut board, SHUFFLE);
    assert_eq!(board.repetition_count(), 2);
    assert!(board.is_repetition(0));
    assert!(board.is_draw(0));
    play(&mut board, "e2e4");
    assert_eq!(board.repetition_count(), 0);
    assert!(!board.is_repetition(100));
}

#[test]
fn lost_rights_make_a_difference() {
    // The right to take en passant existed only the first time.
    let mut board = read("4k2n/8/8/8/4p3/8/3P4/4K2N w - - 0 1");
    play(&mut board, "d2d4");
    assert!(board.en_passant().is_some());
    play(&mut board, "h8g6 h1g3 g6h8 g3h1");
    assert_eq!(board.repetition_count(), 0);
    play(&mut board, "h8g6 h1g3 g6h8 g3h1");
    assert_eq!(board.repetition_count(), 1);

    // An en passant square without a legal capture makes none.
    let mut board = read("4k2n/8/8/8/8/8/3P4/4K2N w - - 0 1");
    play(&mut board, "d2d4 h8g6 h1g3 g6h8 g3h1");
    assert_eq!(board.repetition_count(), 1);

    // The rook has moved: castling is no longer the same.
    let mut board = read("r3k3/8/8/8/8/8/8/R3K3 w Qq - 0 1");
    play(&mut board, "a1b1 e8f8 b1a1 f8e8");
    assert_eq!(board.repetition_count(), 0);
    play(&mut board, "a1b1 e8f8 b1a1 f8e8");
    assert_eq!(board.repetition_count(), 1);
}

#[test]
fn null_moves_end_repetition() {
    let mut board = Board::startpos();
    play(&mut board, "g1f3 g8f6");
    board.make_null();
    play(&mut board, "f6g8 f3g1");
    board.make_null();
    play(&mut board, SHUFFLE);
    assert_eq!(board.repetition_count(), 1, "only since the null move");
}

#[test]
fn fifty_moves() {
    let mut board = read("8/8/2p5/3b1K1k/4p3/4PpR1/5P2/8 w - - 99 113");
    assert!(!board.is_fifty_move_draw());
    play(&mut board, "g3h3");
    assert_eq!(board.halfmove_clock(), 100);
    assert!(board.is_checkmate());
    assert!(!board.is_fifty_move_draw(), "mate comes first");
    assert!(!board.is_draw(1));
    board.unmake_move();
    play(&mut board, "g3g1");
    assert!(board.is_fifty_move_draw());
    assert!(board.is_draw(1));
    assert!(read("4kr2/8/8/8/8/8/8/3RK3 b - - 100 1").is_fifty_move_draw());
    assert!(!read("4kr2/8/8/8/8/8/8/3RK3 b - - 99 1").is_fifty_move_draw());
    let mut board = read("4k3/8/8/8/8/8/4P3/4K2R w - - 126 300");
    play(&mut board, "h1h2 e8e7 h2h1 e7e8");
    assert_eq!(board.halfmove_clock(), 130);
    assert!(board.is_draw(0));
    play(&mut board, "e2e4");
    assert_eq!(board.halfmove_clock(), 0);
}

#[test]
fn material() {
    for (fen, insufficient) in [
        ("8/8/4k3/8/8/4K3/8/8 w - - 0 1", true),
        ("8/8/4k3/8/8/4KN2/8/8 w - - 0 1", true),
        ("8/8/4k3/8/8/4Kb2/8/8 w - - 0 1", true),
        ("8/8/4k3/2b5/8/4KB2/8/8 w - - 0 1", false),
        ("8/8/4k3/1b6/8/4KB2/8/8 w - - 0 1", true),
        ("8/8/4k3/8/8/4KB2/3B4/8 w - - 0 1", false),
        ("B7/1B6/2B1k3/8/8/4K3/8/8 w - - 0 1", true),
        ("B7/1B6/2B1k3/7b/8/4K3/8/8 w - - 0 1", true),
        ("8/8/4k3/8/8/4KN2/8/7N w - - 0 1", false),
        ("8/8/4kn2/8/8/4KN2/8/8 w - - 0 1", false),
        ("8/8/4kb2/8/8/4KN2/8/8 w - - 0 1", false),
        ("8/8/4k3/8/8/4K3/4P3/8 w - - 0 1", false),
        ("8/8/4k3/8/8/4K3/7R/8 w - - 0 1", false),
        ("8/8/4k3/8/8/4K3/7q/8 w - - 0 1", false),
    ] {
        let board = read(fen);
        assert_eq!(board.is_insufficient_material(), insufficient, "{fen}");
        assert_eq!(board.is_draw(0), insufficient, "{fen}");
    }
}

#[test]
fn stalemate_and_mate() {
    let stalemate = read("k7/8/KQ6/8/8/8/8/8 b - - 0 1");
    assert!(stalemate.is_stalemate() && !stalemate.is_checkmate());
    let mate = read("7k/5KQ1/8/8/8/8/8/8 b - - 0 1");
    assert!(mate.is_checkmate() && !mate.is_stalemate());
}

/// Whether a move leads to a repetition, found by trying them all.
fn has_repeating_move(board: &mut Board, ply_from_root: usize) -> bool {
    board.legal_moves().into_iter().any(|mv| {
        board.make_move(mv, &mut NoObserver);
        let repeats = board.is_repetition(ply_from_root + 1);
        board.unmake_move();
        repeats
    })
}

#[test]
fn upcoming_repetition_is_seen() {
    let mut random = Random(30);
    let (mut found, mut positions) = (0, 0);
    for start in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/pp4pp/8/8/8/8/PP4PP/R3K2R w KQkq - 0 1",
        "4k3/1q6/8/2n5/5B2/8/6R1/4K3 w - - 0 1",
        "k7/8/8/8/8/8/8/K6R w - - 0 1",
    ] {
        for _ in 0..40 {
            let mut board = read(start);
            let mut played: Vec<Move> = Vec::new();
            for ply in 0..60 {
                for root in [0, ply / 2, ply] {
                    let expected = has_repeating_move(&mut board, root);
                    assert_eq!(board.has_upcoming_repetition(root), expected, "{root} plies in {board}");
                    found += usize::from(expected);
                    positions += 1;
                }
                // Going back where one came from makes repetitions frequent.
                let moves = board.legal_moves();
                let back = played.iter().rev().nth(1).and_then(|mv| {
                    moves.iter().copied().find(|back| back.from() == mv.to() && back.to() == mv.from())
                });
                let Some(mv) = (match back {
                    Some(back) if random.below(2) == 0 => Some(back),
                    _ if moves.is_empty() => None,
                    _ => Some(moves[random.below(moves.len())]),
                }) else {
                    break;
                };
                played.push(mv);
                board.make_move(mv, &mut NoObserver);
            }
        }
    }
    assert!(found * 20 > positions && found * 2 < positions, "{found} of {positions}");
}
