//! `go` and its limits besides the clock.

#[path = "support/uci.rs"]
mod support;

use support::{HOLD, Score, Uci};

const KIWIPETE: &str = "fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const BACK_RANK: &str = "fen 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1";

#[test]
fn without_a_position_it_searches_the_start_position() {
    let mut engine = Uci::start();
    engine.go("depth 2");
    engine.quit_silent();
}

#[test]
fn go_without_limits_is_endless() {
    let mut engine = Uci::at("startpos");
    engine.go_and_stop("");
    engine.go_and_stop("infinite");
    engine.quit_silent();
}

/// Sends `go …` and returns the lines up to its move.
fn answer(engine: &mut Uci, limits: &str) -> Vec<String> {
    engine.start_go(limits);
    let lines = engine.until(|line| line.starts_with("bestmove"));
    engine.sync_silent();
    lines
}

fn faults(lines: &[String]) -> Vec<&str> {
    lines.iter().filter_map(|line| line.strip_prefix("info string ")).collect()
}

#[test]
fn a_limit_without_its_number_is_told_and_ignored() {
    let mut engine = Uci::at("startpos");
    for word in ["mate", "depth", "nodes", "movetime", "wtime", "btime", "winc", "binc", "movestogo", "perft"]
    {
        for found in ["", "abc"] {
            let lines = answer(&mut engine, format!("{word} {found}").trim_end());
            let fault = format!("go {word} takes a number, not '{found}': the limit is ignored");
            assert_eq!(faults(&lines), [fault]);
            assert_eq!(engine.judge(&lines).last().depth, 1, "{word} {found}");
        }
    }
    // The other limits hold, also that of no limit.
    let lines = answer(&mut engine, "movetime x depth 3 nodes");
    assert_eq!((faults(&lines).len(), engine.judge(&lines).last().depth), (2, 3));
    for limits in ["infinite movetime x", "ponder wtime x", "searchmoves"] {
        engine.go_and_stop(limits);
    }
    engine.quit_silent();
}

#[test]
fn unknown_words_are_skipped() {
    let mut engine = Uci::at("startpos");
    for limits in
        ["foo depth 2", "depth 2 foo", "foo 7 bar depth 2 baz 12", "DEPTH depth 2", "moves e2e4 depth 2"]
    {
        let search = engine.go(limits);
        assert!(search.last().depth <= 2, "{limits}");
    }
    engine.quit_silent();
}

#[test]
fn depth_is_kept_to() {
    let mut engine = Uci::at(KIWIPETE);
    for depth in 1..=5 {
        let search = engine.go(&format!("depth {depth}"));
        assert_eq!(search.last().depth, depth);
    }
    engine.quit_silent();
}

#[test]
fn depth_zero_and_below_is_depth_one() {
    let mut engine = Uci::at(KIWIPETE);
    for limits in ["depth 0", "depth -1", "depth -99999999999999999999"] {
        assert_eq!(engine.go(limits).last().depth, 1, "{limits}");
    }
    engine.quit_silent();
}

#[test]
fn a_huge_depth_runs_until_stopped() {
    let mut engine = Uci::at("startpos");
    for limits in ["depth 1000", "depth 2147483648", "depth 99999999999999999999999"] {
        engine.go_and_stop(limits);
    }
    engine.quit_silent();
}

#[test]
fn a_huge_depth_ends_where_everything_is_seen() {
    // A mate, a draw by the material, stalemate at the root.
    for position in [BACK_RANK, "fen 8/8/4k3/8/8/4K3/8/8 w - - 0 1", "fen 8/8/8/8/8/5k2/5p2/5K2 w - - 0 1"] {
        let mut engine = Uci::at(position);
        engine.go("depth 1000");
        engine.quit_silent();
    }
}

#[test]
fn a_lost_position_ends_at_its_depth() {
    let mut engine = Uci::at("fen 3rr1k1/5pp1/p4P1p/P7/8/6bP/6P1/7K w - - 0 37");
    engine.go("depth 4");
    let search = engine.go("depth 60 nodes 3000000");
    assert!(matches!(search.score(), Score::Mate(moves) if moves < 0), "{:?}", search.score());
    engine.quit_silent();
}

#[test]
fn even_the_smallest_limit_gives_a_legal_move() {
    let positions = [
        "startpos",
        KIWIPETE,
        // In check, one way out or two.
        "fen 4k3/8/8/8/8/8/4r3/4K3 w - - 0 1",
        "fen 6k1/5ppp/8/8/8/8/8/R6K b - - 0 1 moves g8f8 a1a8",
        // A double check.
        "fen 4k3/8/3N4/8/8/8/4R3/K7 b - - 0 1",
        // One legal move.
        "fen 1r6/8/8/8/8/8/2k5/K7 w - - 0 1",
        // All moves promote.
        "fen 8/P7/8/8/8/1r6/2k5/K7 w - - 0 1",
    ];
    for position in positions {
        let mut engine = Uci::at(position);
        for limits in [
            "nodes 0",
            "nodes 1",
            "nodes 2",
            "nodes 7",
            "depth 0",
            "depth 1",
            "movetime 0",
            "movetime 1",
            "movetime -1",
        ] {
            engine.go(limits);
        }
        engine.quit_silent();
    }
}

#[test]
fn a_position_of_many_queens_does_not_explode() {
    let mut engine = Uci::at("fen 1q2B2q/2q1B1q1/3qkq2/qrr1rRRQ/3QKQ2/2Q3Q1/1Q2n2Q/Q3n3 w - - 10");
    assert_eq!(engine.moves().len(), 3);
    for limits in ["nodes 1", "nodes 1000", "movetime 50", "depth 2 nodes 50000"] {
        engine.go(limits);
    }
    engine.quit_silent();
}

#[test]
fn two_hundred_and_eighteen_moves() {
    let mut engine = Uci::at("fen R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1");
    assert_eq!(engine.moves().len(), 218);
    engine.option("MultiPV", 256);
    let search = engine.go("depth 1");
    assert_eq!(search.block().len(), 218);
    engine.quit_silent();
}

#[test]
fn nodes_are_kept_to_exactly() {
    let mut engine = Uci::at(KIWIPETE);
    for nodes in [1, 2, 100, 1000, 4097, 20_000] {
        let search = engine.go(&format!("nodes {nodes}"));
        assert!(search.nodes() <= nodes, "{} of {nodes}", search.nodes());
        assert!(search.nodes() * 2 > nodes, "{} of {nodes}", search.nodes());
    }
    engine.quit_silent();
}

#[test]
fn the_same_search_after_a_new_game_visits_the_same_nodes() {
    let mut engine = Uci::at(KIWIPETE);
    for limits in ["nodes 30000", "depth 7"] {
        let mut seen = Vec::new();
        for _ in 0..2 {
            engine.send("ucinewgame");
            engine.position(KIWIPETE);
            let search = engine.go(limits);
            let path: Vec<_> =
                search.infos.iter().map(|info| (info.depth, info.nodes, info.pv.clone())).collect();
            seen.push((search.best, search.ponder, path));
        }
        assert_eq!(seen[0], seen[1], "{limits}");
    }
    // Another process agrees.
    let mut other = Uci::at(KIWIPETE);
    let search = other.go("depth 7");
    engine.send("ucinewgame");
    engine.position(KIWIPETE);
    assert_eq!(engine.go("depth 7").nodes(), search.nodes());
    other.quit_silent();
    engine.quit_silent();
}

#[test]
fn a_mate_that_is_asked_for_and_there_ends_the_search() {
    let mut engine = Uci::at(BACK_RANK);
    let search = engine.go("mate 1");
    assert_eq!((search.score(), search.best_text.as_str()), (Score::Mate(1), "a1a8"));
    engine.position("fen 4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 1 16");
    let search = engine.go("mate 2");
    assert_eq!((search.score(), search.best_text.as_str()), (Score::Mate(2), "b3b8"));
    engine.quit_silent();
}

#[test]
fn a_mate_that_is_not_there_obeys_other_limits() {
    let mut engine = Uci::at("startpos");
    engine.go("mate 1 depth 4");
    engine.go("mate 3 nodes 5000");
    engine.go("movetime 30 mate 5");
    engine.go_and_stop("mate 2");
    engine.go_and_stop("mate 99999999999");
    for limits in ["mate 0", "mate -1"] {
        engine.start_go(&format!("{limits} nodes 3000"));
        engine.finish();
    }
    engine.quit_silent();
}

#[test]
fn movetime_ends_by_itself() {
    let mut engine = Uci::at("fen rnbqkb1r/ppp1pppp/5n2/3p4/4P3/3P4/PPP2PPP/RNBQKBNR w KQkq d6 0 3");
    for time in [1, 2, 10, 50, 300] {
        engine.go(&format!("movetime {time}"));
    }
    engine.quit_silent();
}

#[test]
fn a_search_of_seconds_tells_its_progress_in_order() {
    // Bounds and current moves are only written after a while.
    let mut engine = Uci::at("startpos");
    engine.go("movetime 1800");
    engine.option("MultiPV", 3);
    engine.position(KIWIPETE);
    engine.go("movetime 1500");
    engine.quit_silent();
}

#[test]
fn the_first_limit_reached_counts() {
    let mut engine = Uci::at(KIWIPETE);
    assert!(engine.go("depth 2 movetime 20000").last().depth <= 2);
    assert!(engine.go("movetime 20000 depth 2 nodes 100000000").last().depth <= 2);
    assert!(engine.go("nodes 500 depth 100 wtime 600000 btime 600000").nodes() <= 500);
    engine.go("depth 100 movetime 20");
    engine.go("depth 100 nodes 100000000 wtime 20 btime 20");
    engine.go("movestogo 40 binc 10 nodes 1000 btime 10000 depth 50 winc 10 wtime 10000");
    engine.quit_silent();
}

#[test]
fn infinite_holds_back_its_result() {
    // Mate in one, one legal reply, a drawn root, a mated root, a stalemated root.
    let positions = [
        BACK_RANK,
        "fen 1r6/8/8/8/8/8/2k5/K7 w - - 0 1",
        "fen 8/8/4k3/8/8/4K3/8/8 w - - 0 1",
        "startpos moves f2f3 e7e5 g2g4 d8h4",
        "fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        "fen 4kr2/8/8/8/8/8/8/3RK3 b - - 100 1",
    ];
    for position in positions {
        for limits in ["infinite", "ponder", "ponder depth 1", "ponder nodes 1", "ponder movetime 1"] {
            let mut engine = Uci::at(position);
            engine.go_and_stop(limits);
            engine.quit_silent();
        }
    }
}

#[test]
fn infinite_beside_other_limits_loses_no_move() {
    let mut engine = Uci::at("startpos");
    for limits in [
        "infinite depth 2",
        "depth 2 infinite",
        "infinite nodes 10",
        "infinite movetime 10",
        "wtime 10 btime 10 infinite",
    ] {
        engine.start_go(limits);
        let mut lines = engine.listen(HOLD);
        engine.send("stop");
        lines.extend(engine.sync());
        while !lines.iter().any(|line| line.starts_with("bestmove")) {
            lines.push(engine.line());
        }
        engine.sync_silent();
        engine.judge(&lines);
    }
    engine.quit_silent();
}

#[test]
fn searchmoves_in_every_place_of_the_line() {
    let mut engine = Uci::at("startpos");
    for limits in [
        "searchmoves a2a3 depth 3",
        "depth 3 searchmoves a2a3",
        "depth 3 searchmoves a2a3 h2h4 movetime 20000",
        "searchmoves h2h3 nodes 2000 depth 30",
        "searchmoves a2a3 a2a3 a2a3 depth 3",
        "nodes 2000 searchmoves g1h3 b1a3",
        "searchmoves a2a4 wtime 50 btime 50",
    ] {
        // The driver checks that the best move is in the list.
        engine.go(limits);
    }
    engine.quit_silent();
}

#[test]
fn the_worst_moves_are_searched_when_asked() {
    // Every move of the list loses the queen.
    let mut engine = Uci::at("fen 3qk3/8/8/8/8/8/3Q4/3RK3 w - - 0 1");
    for mv in ["d2d7", "d2h6", "d2a5"] {
        assert_eq!(engine.go(&format!("searchmoves {mv} depth 4")).best_text, mv);
    }
    engine.quit_silent();
}

#[test]
fn searchmoves_knows_castling_promotions_and_en_passant() {
    let mut engine = Uci::at(KIWIPETE);
    for mv in ["e1g1", "e1c1"] {
        assert_eq!(engine.go(&format!("depth 2 searchmoves {mv}")).best_text, mv);
    }
    assert_eq!(engine.go("depth 2 searchmoves e1h1").best_text, "e1g1");
    engine.position("fen 8/P6k/8/8/8/8/8/K7 w - - 0 1");
    for mv in ["a7a8q", "a7a8r", "a7a8b", "a7a8n"] {
        assert_eq!(engine.go(&format!("depth 2 searchmoves {mv}")).best_text, mv);
    }
    engine.position("startpos moves e2e4 a7a6 e4e5 d7d5");
    assert_eq!(engine.go("depth 2 searchmoves e5d6").best_text, "e5d6");
    engine.option("UCI_Chess960", true);
    engine.position(KIWIPETE);
    for mv in ["e1h1", "e1a1"] {
        assert_eq!(engine.go(&format!("depth 2 searchmoves {mv}")).best_text, mv);
    }
    engine.quit_silent();
}

#[test]
fn searchmoves_that_cannot_be_played_are_dropped() {
    let mut engine = Uci::at("startpos");
    for limits in [
        "searchmoves e2e5 a2a3 depth 2",
        "searchmoves a2a3 e7e5 xyz depth 2",
        "searchmoves 0000 a2a3 depth 2",
    ] {
        let lines = {
            engine.start_go(limits);
            engine.until(|line| line.starts_with("bestmove"))
        };
        assert_eq!(engine.judge(&lines).best_text, "a2a3", "{limits}");
    }
    // None of them can be played: all moves are searched.
    for limits in [
        "searchmoves e2e5 depth 2",
        "searchmoves e7e5 d7d5 depth 2",
        "searchmoves 0000 depth 2",
        "searchmoves depth 2",
    ] {
        engine.start_go(limits);
        engine.finish();
    }
    engine.quit_silent();
}

#[test]
fn searchmoves_of_one_search_do_not_bind_the_next() {
    let mut engine = Uci::at(BACK_RANK);
    assert_eq!(engine.go("searchmoves h1g1 depth 4").best_text, "h1g1");
    let search = engine.go("depth 4");
    assert_eq!((search.best_text.as_str(), search.score()), ("a1a8", Score::Mate(1)));
    engine.quit_silent();
}

#[test]
fn several_variations() {
    let mut engine = Uci::at(KIWIPETE);
    for count in [2, 5, 256] {
        engine.option("MultiPV", count);
        // The driver checks number, order and difference of the lines.
        engine.go("depth 3");
        engine.go("nodes 3000");
    }
    engine.option("MultiPV", 1);
    engine.go("depth 3");
    engine.quit_silent();
}

#[test]
fn more_variations_than_moves() {
    let mut engine = Uci::start();
    engine.option("MultiPV", 5);
    for (position, moves) in [
        // Lost, three moves; in check, one move.
        ("fen 7k/8/8/8/8/2q5/8/K7 w - - 0 1", None),
        ("fen 3rr1k1/5pp1/p4P1p/P7/8/6bP/6P1/7K w - - 0 37", None),
        ("startpos", Some("searchmoves e2e4 d2d4")),
        ("startpos", Some("searchmoves e2e4")),
        ("startpos", Some("searchmoves e2e4 e2e4 d2d4")),
    ] {
        engine.position(position);
        engine.go(&format!("depth 5 {}", moves.unwrap_or_default()));
    }
    engine.quit_silent();
}

#[test]
fn several_variations_of_a_won_ending_near_the_fifty_move_limit() {
    let mut engine = Uci::start();
    engine.option("MultiPV", 6);
    engine.position("fen 3k4/8/4KP2/8/8/8/8/8 w - - 1 132");
    let search = engine.go("nodes 100000");
    assert!(search.score().cp() > 200, "{:?}", search.score());
    engine.quit_silent();
}

#[test]
fn many_short_searches_in_a_row() {
    let mut engine = Uci::at("startpos");
    for index in 0..200 {
        engine.start_go(["nodes 10", "depth 1", "movetime 1", "wtime 1 btime 1"][index % 4]);
        engine.finish();
    }
    engine.quit_silent();
}
