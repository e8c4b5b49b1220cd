//! `position`: FEN as programs write it, right and wrong, and lists of moves.

#[path = "support/uci.rs"]
mod support;

use movegen::{Board, perft};
use support::{Uci, referee};

const BEFORE: &str = "startpos moves d2d4 g8f6";

/// Sends a position that must be refused with a message; the one before stays and can be searched.
fn refused(fen: &str) {
    let mut engine = Uci::at(BEFORE);
    engine.noted(format_args!("position fen {fen}"));
    engine.assert_same_position();
    engine.go("depth 1");
    engine.quit_silent();
}

/// The position of a FEN as the engine takes it, searched a little; its moves are the referee's.
fn accepted(fen: &str, moves: usize) -> Uci {
    let mut engine = Uci::at(&format!("fen {fen}"));
    engine.assert_same_position();
    assert_eq!(engine.moves().len(), moves, "{fen}");
    engine.go("depth 4");
    engine
}

#[test]
fn kings_are_one_a_side() {
    for board in [
        "4k3/8/8/8/8/8/8/8",
        "8/8/8/8/8/8/8/4K3",
        "8/8/8/8/8/8/8/8",
        "4k3/8/8/8/8/8/8/K3K2K",
        "kk6/8/8/8/8/8/8/4K3",
    ] {
        for side in ["w", "b"] {
            refused(&format!("{board} {side} - - 0 1"));
        }
    }
}

#[test]
fn a_king_that_could_be_taken() {
    refused("5k1r/2q3p1/p3p2p/1B3p1Q/n4P2/6P1/bbP2N1P/1K1RR3 b - - 0 1");
    refused("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1");
    refused("8/8/8/3kK3/8/8/8/8 w - - 0 1");
}

#[test]
fn too_many_men_and_pawns_where_none_can_stand() {
    refused("rnbqkbnr/pppppppp/8/8/8/P7/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    refused("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNP w - - 0 1");
    refused("p3k3/8/8/8/8/8/8/4K3 w - - 0 1");
    refused("QQQQQQQQ/QQQQQQQQ/QQ6/8/8/8/8/k6K w - - 0 1");
}

#[test]
fn boards_of_the_wrong_shape() {
    for fen in [
        "",
        "w",
        "x",
        "8/8/8/8/8/8/8 w - - 0 1",
        "8/8/8/8/8/8/8/8/8 w - - 0 1",
        "4k3/8/8/9/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/7/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8p/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/0/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/x7/8/8/8/4K3 w - - 0 1",
        "4k3//8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3",
        "4k3/8/8/8/8/8/8/4K3 x - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w X - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - z9 0 1",
    ] {
        refused(fen);
    }
}

#[test]
fn lines_without_a_position() {
    let mut engine = Uci::at(BEFORE);
    for line in [
        "position",
        "position fen",
        "position moves e2e4",
        "position e2e4",
        "position start",
        "position fen moves e2e4",
    ] {
        engine.ignored(line);
        engine.assert_same_position();
    }
    engine.go("depth 1");
    engine.quit_silent();
}

#[test]
fn counters_may_be_missing() {
    // Black to move; the word `moves` follows with nothing after it.
    let mut engine = Uci::at("fen 5rk1/2p4p/2p4r/3P4/4p1b1/1Q2NqPp/PP3P1K/R4R2 b - - moves");
    engine.assert_same_position();
    assert_eq!(engine.moves().len(), 36);
    engine.go("depth 2");
    engine.position("fen 5rk1/2p4p/2p4r/3P4/4p1b1/1Q2NqPp/PP3P1K/R4R2 b - - 3 moves g8h8");
    engine.assert_same_position();
    engine.position("fen 5rk1/2p4p/2p4r/3P4/4p1b1/1Q2NqPp/PP3P1K/R4R2 b - -");
    engine.assert_same_position();
    engine.quit_silent();
}

#[test]
fn move_number_zero_is_one() {
    let mut engine = accepted("6R1/2p1qr1k/1p1p1r1p/p3p3/2P1P3/2P3Q1/PP3P2/2K3R1 w - - 0 0", 40);
    assert!(engine.fen().ends_with(" 0 1"));
    engine.quit_silent();
}

#[test]
fn counters_beyond_all_bounds_do_not_wrap() {
    for counters in [
        "126 300",
        "100 1",
        "65535 65535",
        "65536 65536",
        "4294967296 4294967296",
        "-1 -1",
        "99999999999999999999 99999999999999999999",
    ] {
        let mut engine =
            Uci::at(&format!("fen 4k3/8/8/8/8/8/4P3/4K2R w - - {counters} moves h1h2 e8e7 h2h1 e7e8"));
        engine.assert_same_position();
        engine.go("depth 4");
        engine.position(&format!("fen 4k3/8/8/8/8/8/4P3/4K2R w - - {counters} moves e2e4"));
        engine.assert_same_position();
        assert!(engine.go("depth 4").best.is_some());
        engine.quit_silent();
    }
}

#[test]
fn a_right_without_its_rook_is_dropped() {
    // The man on h8 is White's bishop.
    let mut engine = accepted("2b1k1nB/1p3p1p/n4b2/1NPp4/P7/8/2r1PPPP/R3KBNR b KQk - 0 14", 38);
    assert!(engine.moves().iter().all(|mv| mv != "e8g8" && mv != "e8h8"));
    engine.go("depth 8");
    engine.quit_silent();
    accepted("r3k1nR/8/8/8/8/8/8/r1N1K2R b KQkq - 0 1", 23).quit_silent();
}

#[test]
fn an_en_passant_square_that_does_not_answer_the_check() {
    let mut engine = accepted("k7/8/8/3pP3/8/7n/5K2/8 w - d6 0 1", 7);
    assert!(!engine.moves().contains(&"e5d6".to_owned()));
    engine.go("depth 10");
    engine.quit_silent();
}

#[test]
fn an_en_passant_square_of_the_own_pawn_is_no_capture() {
    let mut engine = Uci::at("fen rnbqkbnr/pppppppp/8/8/P7/8/1PPPPPPP/RNBQKBNR w KQkq a3 0 1");
    let moves = engine.moves();
    assert_eq!(moves, {
        let board = referee("fen rnbqkbnr/pppppppp/8/8/P7/8/1PPPPPPP/RNBQKBNR w KQkq - 0 1");
        let mut moves: Vec<_> = board.legal_moves().iter().map(|mv| mv.uci(false).to_string()).collect();
        moves.sort();
        moves
    });
    engine.go("depth 2");
    engine.quit_silent();
}

#[test]
fn an_en_passant_capture_and_its_pins() {
    // Both pawns leave the rank of king and rook; the pawn is pinned on a file; the capture is the only move.
    let mut engine = Uci::at("fen 8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1");
    assert!(!engine.moves().contains(&"e5d6".to_owned()));
    engine.position("fen 4r3/8/8/3pP3/8/8/8/k3K3 w - d6 0 1");
    assert!(!engine.moves().contains(&"e5d6".to_owned()));
    engine.position("startpos moves e2e4 a7a6 e4e5 d7d5");
    assert!(engine.moves().contains(&"e5d6".to_owned()));
    engine.position("startpos moves e2e4 a7a6 e4e5 d7d5 g1f3 a6a5");
    assert!(!engine.moves().contains(&"e5d6".to_owned()));
    engine.quit_silent();
}

#[test]
fn an_illegal_move_in_the_list_ends_it() {
    // Castling through to a square that is none of its own.
    let position = "fen r4rk1/1R5p/3p1q2/p1pP4/P7/7P/6P1/1R1Q3K b - - 0 24";
    let mut engine = Uci::at(position);
    let text = engine.noted(format_args!("position {position} moves b8e8"));
    assert!(text.iter().any(|text| text.contains("b8e8")), "{text:?}");
    engine.assert_same_position();
    engine.go("depth 2");
    for (moves, good) in [
        ("e2e4 e7e5 e4e5 g8f6", "startpos moves e2e4 e7e5"),
        ("e2e5", "startpos"),
        ("e2e4 e2e4", "startpos moves e2e4"),
        ("e2e4 0000 d2d4", "startpos moves e2e4"),
        ("e2e4 e7e5 xyz g1f3", "startpos moves e2e4 e7e5"),
        ("e2e4 (none)", "startpos moves e2e4"),
        ("e2e4q", "startpos"),
        ("e1g1", "startpos"),
        ("e2", "startpos"),
        ("e2e4e7e5", "startpos"),
        ("z9z9", "startpos"),
        ("Nf3", "startpos"),
        ("e2e4 e7e5 startpos d2d4", "startpos moves e2e4 e7e5"),
    ] {
        engine.noted(format_args!("position startpos moves {moves}"));
        engine.setting.board = referee(good);
        engine.assert_same_position();
        engine.go("depth 1");
    }
    engine.quit_silent();
}

#[test]
fn promotion_letters_of_either_case() {
    let mut engine = Uci::at("fen 8/P6k/8/8/8/8/8/K7 w - - 0 1 moves a7a8n");
    engine.assert_same_position();
    for (letter, piece) in [('Q', 'q'), ('R', 'r'), ('B', 'b'), ('N', 'n')] {
        engine.setting.board = referee(&format!("fen 8/P6k/8/8/8/8/8/K7 w - - 0 1 moves a7a8{piece}"));
        engine.send(format_args!("position fen 8/P6k/8/8/8/8/8/K7 w - - 0 1 moves a7a8{letter}"));
        engine.assert_same_position();
    }
    // Without the letter it is no move.
    engine.noted("position fen 8/P6k/8/8/8/8/8/K7 w - - 0 1 moves a7a8");
    engine.quit_silent();
}

#[test]
fn castling_in_both_spellings() {
    let before = "fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves";
    let mut engine = Uci::start();
    for (one, other) in [("e1g1 e8c8", "e1h1 e8a8"), ("e1c1 e8g8", "e1a1 e8h8")] {
        for (moves, chess960) in [(one, false), (other, false), (one, true), (other, true)] {
            engine.option("UCI_Chess960", chess960);
            engine.send(format_args!("position {before} {moves}"));
            engine.setting.board = referee(&format!("{before} {one}"));
            engine.assert_same_position();
            engine.go("depth 2");
        }
    }
    engine.quit_silent();
}

#[test]
fn castling_in_check_through_check_and_with_the_rook_attacked() {
    for (fen, can) in [
        ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", true),
        // The rook, and the square next to it, may be attacked.
        ("r3k3/8/8/8/8/8/8/R3K3 w Q - 0 1", true),
        ("1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1", true),
        ("2r1k3/8/8/8/8/8/8/R3K3 w Q - 0 1", false),
        ("3rk3/8/8/8/8/8/8/R3K3 w Q - 0 1", false),
        ("1k2r3/8/8/8/8/8/8/R3K3 w Q - 0 1", false),
        ("4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1", false),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", false),
    ] {
        let mut engine = Uci::at(&format!("fen {fen}"));
        assert_eq!(engine.moves().contains(&"e1c1".to_owned()), can, "{fen}");
        engine.quit_silent();
    }
}

#[test]
fn the_null_reply_then_a_new_position() {
    // Mate, then back to a game.
    let mut engine = Uci::at("fen 5k2/5r2/1p3QBp/2b4P/5P2/5K2/P5P1/8 w - - 6 54 moves f6f7");
    assert_eq!(engine.go("depth 12").best_text, "(none)");
    engine.position("startpos");
    engine.go("depth 2");
    engine.quit_silent();
}

#[test]
fn the_whole_game_is_sent_each_time() {
    let game = "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6 c1g5 e7e6 f2f4 f8e7 d1f3 d8c7 e1c1 b8d7";
    let moves: Vec<_> = game.split(' ').collect();
    let mut engine = Uci::start();
    for count in 0..=moves.len() {
        engine.position(format!("startpos moves {}", moves[..count].join(" ")).trim_end());
        engine.go("nodes 300");
    }
    engine.assert_same_position();
    // Back to the start without a new game.
    engine.position("startpos");
    engine.assert_same_position();
    engine.quit_silent();
}

#[test]
fn path_counts_of_known_positions() {
    let mut engine = Uci::start();
    for (position, depth, count) in [
        ("startpos", 4, 197_281),
        ("fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3, 97_862),
        ("fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4, 43_238),
        ("fen r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 3, 9_467),
        ("fen rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 3, 62_379),
    ] {
        engine.position(position);
        assert_eq!(engine.perft(depth), count, "{position}");
    }
    engine.quit_silent();
}

#[test]
fn start_positions_of_every_960_and_one_counts_agree() {
    let mut engine = Uci::start();
    engine.option("UCI_Chess960", true);
    for number in (0..960).step_by(37) {
        let board = Board::chess960(number);
        for fen in [board.fen(), board.shredder_fen()] {
            engine.position(&format!("fen {fen}"));
            engine.assert_same_position();
            assert_eq!(engine.perft(2), perft(&board, 2));
        }
        engine.go("nodes 200");
    }
    engine.quit_silent();
}
