//! Chess960: castling as it is read and written, rights in every spelling, positions that other engines took
//! wrongly.

#[path = "support/uci.rs"]
mod support;

use support::{Score, Uci, board, referee};

/// An engine that plays Chess960, with a position on its board.
fn at(fen: &str) -> Uci {
    let mut engine = Uci::start();
    engine.option("UCI_Chess960", true);
    engine.position(&format!("fen {fen}"));
    engine.assert_same_position();
    engine
}

/// The legal moves in the engine's spelling.
fn moves(fen: &str) -> Vec<String> {
    let mut engine = at(fen);
    let moves = engine.moves();
    engine.go("depth 3");
    engine.quit_silent();
    moves
}

#[test]
fn no_move_ends_where_it_begins() {
    let fen = "nrkb2nr/ppppp1p1/6bp/5p2/BPP1P1P1/P7/3P1P1P/qRK1BQNR w BHbh - 0 3";
    assert_eq!(moves(fen).len(), 28);
    let mut engine = Uci::at(&format!("fen {fen}"));
    let moves = engine.moves();
    assert_eq!(moves.len(), 28);
    assert!(moves.iter().all(|mv| mv[..2] != mv[2..4]), "{moves:?}");
    engine.go("depth 4");
    engine.quit_silent();
}

#[test]
fn rights_by_side_and_by_file_mean_the_same() {
    let mut engine = at("nqrnbkrb/pppppppp/8/8/8/8/PPPPPPPP/NQRNBKRB w KQkq - 0 1");
    let (fen, count, moves) = (engine.fen(), engine.perft(4), engine.moves());
    for rights in ["GCgc", "gcGC", "KQgc", "GCkq", "qkQK"] {
        engine.position(&format!("fen nqrnbkrb/pppppppp/8/8/8/8/PPPPPPPP/NQRNBKRB w {rights} - 0 1"));
        assert_eq!((engine.fen(), engine.moves()), (fen.clone(), moves.clone()), "{rights}");
    }
    assert_eq!(engine.perft(4), count);
    engine.quit_silent();
}

#[test]
fn the_letter_k_means_the_outermost_rook() {
    let one = "rkbnrqnb/8/8/pppppppp/PPPPP3/B7/5PPP/1KRNRQNB b Kkq - 1 9";
    let other = "rkbnrqnb/8/8/pppppppp/PPPPP3/B7/5PPP/1KRNRQNB b Eea - 1 9";
    let (mut first, mut second) = (at(one), at(other));
    assert_eq!(first.fen(), second.fen());
    assert_eq!(first.perft(3), second.perft(3));
    first.quit_silent();
    second.quit_silent();
    // The inner rook has the right: written by its file, and it castles, not the outer one.
    let mut inner = at("4k3/8/8/8/8/8/8/R1R1K1RR w GC - 0 1");
    assert_eq!(inner.fen(), "4k3/8/8/8/8/8/8/R1R1K1RR w GC - 0 1");
    let moves = inner.moves();
    assert!(moves.contains(&"e1g1".to_owned()) && moves.contains(&"e1c1".to_owned()), "{moves:?}");
    assert!(!moves.contains(&"e1h1".to_owned()) && !moves.contains(&"e1a1".to_owned()), "{moves:?}");
    inner.quit_silent();
}

#[test]
fn castling_towards_the_corner_where_the_rook_gives_check_from_afar() {
    let found = moves("r1k1N2R/pp1pbr2/3p4/P7/8/2P2n2/1PBP4/RK6 b q - 4 28");
    assert_eq!(found.len(), 27);
    assert!(found.contains(&"c8a8".to_owned()), "{found:?}");
}

#[test]
fn no_castling_out_of_mate() {
    let mut engine = at("rk2Q3/1p4p1/1B6/4p3/p5p1/2Kp2P1/PP4P1/R7 b q - 0 34");
    assert!(engine.moves().is_empty());
    let search = engine.go("depth 3");
    assert_eq!((search.best_text.as_str(), search.score()), ("(none)", Score::Mate(0)));
    engine.quit_silent();
}

#[test]
fn king_and_rook_side_by_side_change_places() {
    let mut engine = at("2Rnb1kr/5ppp/8/q3p3/p3P3/4P3/6PP/1Q3BKR b Kk - 0 15");
    engine.position("fen 2Rnb1kr/5ppp/8/q3p3/p3P3/4P3/6PP/1Q3BKR b Kk - 0 15 moves g8h8");
    engine.assert_same_position();
    assert!(engine.fen().starts_with("2Rnbrk1/5ppp/"), "{}", engine.fen());
    engine.go("depth 3");
    engine.quit_silent();
}

#[test]
fn a_king_step_and_castling_to_the_same_square_differ() {
    let fen = "rk2nq1r/pppb2pp/4pb2/3p1pB1/3P4/5N2/PPP1PPPP/RK1BN1QR b KQkq - 5 9";
    let mut engine = at(fen);
    engine.position(&format!("fen {fen} moves b8c8"));
    engine.assert_same_position();
    assert!(engine.fen().starts_with("r1k1nq1r/"), "{}", engine.fen());
    engine.position(&format!("fen {fen} moves b8a8"));
    engine.assert_same_position();
    assert!(engine.fen().starts_with("2krnq1r/"), "{}", engine.fen());
    engine.quit_silent();
}

#[test]
fn every_kind_of_castling() {
    // FEN, castling, board after it.
    for (fen, mv, after) in [
        // The king stays where it is: the rook jumps over it.
        ("4k3/8/8/8/8/8/8/R1K5 w Q - 0 1", "c1a1", "2KR4"),
        ("4k3/8/8/8/8/8/8/6KR w K - 0 1", "g1h1", "5RK1"),
        // The rook stays where it is.
        ("4k3/8/8/8/8/8/8/3R1K2 w Q - 0 1", "f1d1", "2KR4"),
        ("4k3/8/8/8/8/8/8/4KR2 w K - 0 1", "e1f1", "5RK1"),
        // They change places.
        ("4k3/8/8/8/8/8/8/2RK4 w Q - 0 1", "d1c1", "2KR4"),
        ("4k3/8/8/8/8/8/8/5KR1 w K - 0 1", "f1g1", "5RK1"),
        // Far and near.
        ("4k3/8/8/8/8/8/8/RK6 w Q - 0 1", "b1a1", "2KR4"),
        ("4k3/8/8/8/8/8/8/1K5R w K - 0 1", "b1h1", "5RK1"),
        ("4k3/8/8/8/8/8/8/R5K1 w Q - 0 1", "g1a1", "2KR4"),
        ("4k3/8/8/8/8/8/8/1KR5 w K - 0 1", "b1c1", "5RK1"),
    ] {
        let mut engine = at(fen);
        assert!(engine.moves().contains(&mv.to_owned()), "{fen} {mv}: {:?}", engine.moves());
        assert_eq!(engine.go(&format!("depth 2 searchmoves {mv}")).best_text, mv);
        engine.position(&format!("fen {fen} moves {mv}"));
        assert!(engine.fen().contains(&format!("/{after} b")), "{fen} {mv}: {}", engine.fen());
        engine.quit_silent();
    }
}

#[test]
fn castling_that_is_not_allowed() {
    for (fen, mv) in [
        // The rook that castles is pinned to the king that ends behind it.
        ("4k3/8/8/8/8/8/8/qRK5 w Q - 0 1", "c1b1"),
        ("4k3/8/8/8/8/8/8/rR1K4 w B - 0 1", "d1b1"),
        // A man in the way of the king, of the rook.
        ("4k3/8/8/8/8/8/8/RBK5 w Q - 0 1", "c1a1"),
        ("4k3/8/8/8/8/8/8/RKN5 w Q - 0 1", "b1a1"),
        ("4k3/8/8/8/8/8/8/RK1N4 w Q - 0 1", "b1a1"),
        // Through an attacked square, out of check.
        ("4k1r1/8/8/8/8/8/8/1K5R w K - 0 1", "b1h1"),
        ("3rk3/8/8/8/8/8/8/1K5R w K - 0 1", "b1h1"),
        ("1r2k3/8/8/8/8/8/8/1K5R w K - 0 1", "b1h1"),
    ] {
        let found = moves(fen);
        let castles =
            |text: &String| text == mv && board(fen, &[]).parse_uci(text).is_ok_and(|mv| mv.is_castling());
        assert!(!found.iter().any(castles), "{fen} {mv}: {found:?}");
    }
}

#[test]
fn the_notation_follows_the_option() {
    let position = "fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let mut engine = Uci::at(position);
    for (chess960, short, long) in [(false, "e1g1", "e1c1"), (true, "e1h1", "e1a1"), (false, "e1g1", "e1c1")]
    {
        engine.option("UCI_Chess960", chess960);
        engine.position(position);
        let moves = engine.moves();
        for mv in [short, long] {
            assert!(moves.contains(&mv.to_owned()), "{moves:?}");
            assert_eq!(engine.go(&format!("depth 2 searchmoves {mv}")).best_text, mv);
        }
        assert_eq!(moves.len(), 26);
    }
    engine.quit_silent();
}

#[test]
fn a_game_from_another_start_position() {
    let start = "bqnrkbrn/pppppppp/8/8/8/8/PPPPPPPP/BQNRKBRN w GDgd - 0 1";
    let mut engine = at(start);
    let mut line = String::new();
    let mut position = referee(&format!("fen {start}"));
    for _ in 0..30 {
        let search = engine.go("nodes 1000");
        let Some(best) = search.best else { break };
        line.push(' ');
        line.push_str(&search.best_text);
        position.make_move(best, &mut movegen::NoObserver);
        engine.position(&format!("fen {start} moves{line}"));
        assert_eq!(engine.fen(), position.fen());
    }
    engine.quit_silent();
}
