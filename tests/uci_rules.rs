//! The rules of the game in the scores: mate, stalemate, fifty moves, repetition, material; and what `wdl`
//! says.

#[path = "support/uci.rs"]
mod support;

use support::{Bound, Score, Uci};

/// A drawn score may be dithered a little.
fn is_draw(score: Score) -> bool {
    matches!(score, Score::Cp(-5..=5))
}

#[test]
fn a_mated_root() {
    for position in [
        "startpos moves f2f3 e7e5 g2g4 d8h4",
        "fen R5k1/5ppp/8/8/8/8/8/7K b - - 0 1",
        // Mate with the clock run out: mate was first.
        "fen R5k1/5ppp/8/8/8/8/8/7K b - - 100 90",
        "fen 6k1/5ppp/8/8/8/8/8/R6K w - - 99 90 moves a1a8",
    ] {
        let mut engine = Uci::at(position);
        for limits in ["depth 5", "nodes 100", "movetime 10", "wtime 100 btime 100", "mate 2"] {
            let search = engine.go(limits);
            assert_eq!(
                (search.score(), search.best_text.as_str()),
                (Score::Mate(0), "(none)"),
                "{position} {limits}"
            );
        }
        let search = engine.go_and_stop("infinite");
        assert_eq!((search.score(), search.best_text.as_str()), (Score::Mate(0), "(none)"));
        engine.quit_silent();
    }
}

#[test]
fn a_stalemated_root() {
    for position in ["fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "fen 8/8/8/8/8/5k2/5p2/5K2 w - - 12 80"] {
        let mut engine = Uci::at(position);
        for limits in ["depth 5", "nodes 100", "movetime 10", "wtime 100 btime 100"] {
            let search = engine.go(limits);
            assert_eq!(
                (search.score(), search.best_text.as_str()),
                (Score::Cp(0), "(none)"),
                "{position} {limits}"
            );
        }
        engine.quit_silent();
    }
}

#[test]
fn a_game_that_is_drawn_by_rule_still_gets_a_move() {
    for (position, most) in [
        // The fifty moves are over; bare kings; a minor piece only.
        ("fen 4kr2/8/8/8/8/8/8/3RK3 b - - 100 1", 5),
        ("fen 4kr2/8/8/8/8/8/8/3RK3 b - - 140 1", 5),
        ("fen 8/8/4k3/8/8/4K3/8/8 w - - 0 1", 5),
        ("fen 8/8/4k3/8/8/4K3/4B3/8 w - - 0 1", 5),
        ("fen 8/8/4k3/n7/8/4K3/8/8 w - - 0 1", 5),
        // The third time; what other moves are worth.
        ("startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", 200),
    ] {
        let mut engine = Uci::at(position);
        let score = engine.go("depth 5").score();
        assert!(score.cp().abs() <= most, "{position} {score:?}");
        engine.go("nodes 1");
        engine.go("wtime 100 btime 100");
        engine.quit_silent();
    }
}

#[test]
fn bare_kings_and_a_single_minor_are_drawn() {
    for position in [
        "fen 8/8/4k3/8/8/4K3/8/8 w - - 0 1",
        "fen 8/8/4k3/8/8/4K3/4B3/8 w - - 0 1",
        "fen 8/8/4k3/n7/8/4K3/8/8 b - - 0 1",
        "fen 8/8/4k1b1/8/8/4K3/4B3/8 w - - 0 1",
    ] {
        let mut engine = Uci::at(position);
        let search = engine.go("depth 8");
        assert!(is_draw(search.score()), "{position} {:?}", search.score());
        engine.quit_silent();
    }
}

#[test]
fn mate_on_the_last_ply_before_the_limit_counts() {
    let mut engine = Uci::at("fen 8/8/2p5/3b1K1k/4p3/4PpR1/5P2/8 w - - 99 113");
    let search = engine.go("depth 6");
    assert_eq!((search.score(), search.best_text.as_str()), (Score::Mate(1), "g3h3"));
    // Mate in two on plies 99 and, after the reply, 100; one ply later the draw comes first.
    engine.position("fen 7k/8/8/8/8/8/R7/1R5K w - - 97 90");
    assert_eq!(engine.go("depth 8").score(), Score::Mate(2));
    engine.position("fen 7k/8/8/8/8/8/R7/1R5K w - - 98 90");
    let score = engine.go("depth 8").score();
    assert!(is_draw(score), "{score:?}");
    engine.position("fen 7k/8/8/8/8/8/R7/1R5K w - - 99 90");
    let score = engine.go("depth 8").score();
    assert!(is_draw(score), "{score:?}");
    engine.quit_silent();
}

#[test]
fn a_pawn_move_or_capture_restarts_the_fifty_moves() {
    // The rook and the king have one move left; the pawn resets the clock and goes on to win.
    let mut engine = Uci::at("fen 7k/8/8/8/8/4P3/R7/1R5K w - - 99 90");
    let search = engine.go("depth 10");
    assert_eq!(search.best_text, "e3e4");
    assert!(search.score().cp() > 300, "{:?}", search.score());
    // The capture of the last man but the kings and rooks.
    engine.position("fen 7k/8/8/8/8/p7/R7/1R5K w - - 99 90");
    let search = engine.go("depth 10");
    assert_eq!(search.best_text, "a2a3");
    assert!(search.score().cp() > 300, "{:?}", search.score());
    engine.quit_silent();
}

#[test]
fn the_game_before_the_root_counts_for_repetition() {
    // White, a rook up, has been in this position twice: going there again is a draw, other moves win.
    let shuffle = "h1g1 h8g8 g1h1 g8h8 h1g1 h8g8";
    let mut engine = Uci::at(&format!("fen 7k/7p/8/8/8/8/R6P/7K w - - 0 1 moves {shuffle}"));
    let search = engine.go("depth 9");
    assert_ne!(search.best_text, "g1h1");
    assert!(search.score().cp() > 200, "{:?}", search.score());
    // When it is the only move allowed, it is a draw.
    engine.position(&format!("fen 7k/7p/8/8/8/8/R6P/7K w - - 0 1 moves {shuffle} g1h1 g8h8 h1g1 h8g8"));
    let search = engine.go("depth 6 searchmoves g1h1");
    assert!(is_draw(search.score()), "{:?}", search.score());
    engine.quit_silent();
}

#[test]
fn the_losing_side_goes_for_the_repetition() {
    // Black, a rook down, can reach the third occurrence at once.
    let mut engine = Uci::at("fen 7k/7p/8/8/8/8/R6P/7K w - - 0 1 moves h1g1 h8g8 g1h1 g8h8 h1g1 h8g8 g1h1");
    let search = engine.go("depth 8");
    assert_eq!(search.best_text, "g8h8");
    assert!(is_draw(search.score()), "{:?}", search.score());
    engine.quit_silent();
}

#[test]
fn a_knight_shuffle_makes_no_phantom_mate() {
    let mut engine = Uci::at("startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8");
    let search = engine.go("depth 6");
    assert!(matches!(search.score(), Score::Cp(-200..=200)), "{:?}", search.score());
    engine.position("fen r1bqkbnr/pppppppp/2n5/8/8/2N5/PPPPPPPP/R1BQKBNR w KQkq - 118 70");
    let search = engine.go("depth 6");
    assert!(matches!(search.score(), Score::Cp(-200..=200)), "{:?}", search.score());
    engine.quit_silent();
}

#[test]
fn a_perpetual_check_is_a_draw() {
    // Black threatens mate and is a rook up; the queen checks on e8 and h5 for ever.
    let mut engine = Uci::at("fen 6k1/6p1/8/7Q/8/1q6/r5PP/7K w - - 0 1");
    let search = engine.go("depth 10");
    assert_eq!(search.best_text, "h5e8");
    assert!(is_draw(search.score()), "{:?}", search.score());
    engine.quit_silent();
}

#[test]
fn scores_are_from_the_movers_view() {
    let mut engine = Uci::at("fen 6k1/5ppp/8/8/8/8/8/R6K b - - 0 1 moves g8h8");
    assert_eq!(engine.go("depth 6").score(), Score::Mate(1));
    // The side that is mated sees a negative number of moves.
    engine.position("fen 7k/8/8/8/8/8/R7/1R5K w - - 0 1 moves a2a7");
    assert_eq!(engine.go("depth 6").score(), Score::Mate(-1));
    engine.position("fen 1r5k/r7/8/8/8/8/8/7K b - - 0 1");
    assert_eq!(engine.go("nodes 30000").score(), Score::Mate(2));
    for (position, sign) in [
        ("fen 4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", 1),
        ("fen 4k3/8/8/8/8/8/8/Q3K3 b - - 0 1", -1),
        ("fen q3k3/8/8/8/8/8/8/4K3 b - - 0 1", 1),
        ("fen q3k3/8/8/8/8/8/8/4K3 w - - 0 1", -1),
    ] {
        engine.position(position);
        let score = engine.go("depth 6").score();
        assert!(score.cp() * sign > 200, "{position} {score:?}");
    }
    engine.quit_silent();
}

#[test]
fn win_draw_loss_is_off_until_asked_for() {
    let mut engine = Uci::at("startpos");
    // The driver checks presence, sum and agreement with the score.
    engine.go("depth 6");
    for on in [true, false, true] {
        engine.option("UCI_ShowWDL", on);
        let search = engine.go("depth 6");
        assert_eq!(search.last().wdl.is_some(), on);
    }
    engine.option("MultiPV", 3);
    for position in [
        "startpos",
        "startpos moves f2f3 e7e5 g2g4 d8h4",
        "fen 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1",
        "fen 7k/8/8/8/8/8/R7/1R5K w - - 0 1 moves a2a7",
        "fen 4k3/8/8/8/8/8/8/QQQ1K3 b - - 0 1",
        "fen 8/8/4k3/8/8/4K3/8/8 w - - 0 1",
        "fen 3rr1k1/5pp1/p4P1p/P7/8/6bP/6P1/7K w - - 0 37",
    ] {
        engine.position(position);
        engine.go("depth 7");
    }
    engine.position("fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    let [win, _, loss] = engine.go("depth 2").last().wdl.unwrap();
    assert_eq!(win, loss);
    engine.quit_silent();
}

#[test]
fn win_draw_loss_changes_sides_with_the_mover() {
    let mut engine = Uci::start();
    engine.option("UCI_ShowWDL", true);
    engine.position("fen r1bqkbnr/pppppppp/2n5/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1");
    let [win, _, loss] = engine.go("depth 5").last().wdl.unwrap();
    assert!(win < loss);
    engine.position("fen r1bqkbnr/pppppppp/2n5/8/8/8/PPPPPPPP/RNB1KBNR b KQkq - 0 1");
    let [win, _, loss] = engine.go("depth 5").last().wdl.unwrap();
    assert!(win > loss);
    engine.quit_silent();
}

#[test]
fn no_evaluation_looks_like_a_mate() {
    // Far apart in material, the king of the weaker side well hidden.
    let mut engine = Uci::at("fen 6k1/pppppppp/8/8/8/8/QQQQQQQQ/7K b - - 0 1");
    engine.go("depth 1");
    engine.position("fen qqqqqqqk/8/8/8/8/8/PPPPPPPP/K7 w - - 0 1");
    for limits in ["depth 1", "nodes 1", "nodes 2000"] {
        engine.go(limits);
    }
    engine.quit_silent();
}

#[test]
fn the_last_line_of_a_finished_depth_is_exact() {
    for position in ["startpos", "fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"] {
        let mut engine = Uci::at(position);
        for depth in [1, 4, 8] {
            assert_eq!(engine.go(&format!("depth {depth}")).last().bound, Bound::Exact);
        }
        engine.quit_silent();
    }
}
