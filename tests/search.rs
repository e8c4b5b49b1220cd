//! The chess searcher through its own interface: limits, reproducibility, variations, draws, threads.

use std::sync::Arc;
use std::time::Duration;

use movegen::{Board, Move, NoObserver};
use search::chess::score::{mate_in, mated_in};
use search::chess::{Outcome, Request, Searcher};
use search::core::event::{Collector, Event, Info};
use search::core::limit::{Clock, Limits};

fn board(fen: &str) -> Board {
    Board::from_fen(fen).expect("a test position")
}

fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

/// Runs a search to its end and returns what it said.
fn run(searcher: &mut Searcher, request: Request) -> (Outcome, Vec<Info<Move>>) {
    let collector = Arc::new(Collector::new());
    let outcome = searcher.search(request, collector.clone()).expect("an outcome");
    let mut infos = Vec::new();
    let mut answers = 0;
    for event in collector.take() {
        match event {
            Event::Info(info) => {
                assert_eq!(answers, 0, "nothing may follow the best move");
                infos.push(info);
            }
            Event::BestMove { best, .. } => {
                answers += 1;
                assert_eq!(best, outcome.best);
            }
            Event::CurrentMove { .. } | Event::Message(_) => {}
        }
    }
    assert_eq!(answers, 1, "one best move for each search");
    (outcome, infos)
}

fn assert_line_is_legal(board: &Board, line: &[Move]) -> Board {
    let mut board = board.clone();
    for &mv in line {
        assert!(board.is_legal(mv), "{mv:?} in {}", board.fen());
        board.make_move(mv, &mut NoObserver);
    }
    board
}

#[test]
fn node_limits_are_exact_with_one_thread() {
    let mut searcher = Searcher::new(1, 4);
    for limit in [1, 2, 100, 511, 512, 513, 5_000, 20_001] {
        let (outcome, infos) = run(&mut searcher, Request::new(Board::startpos(), nodes(limit)));
        assert_eq!(outcome.nodes, limit);
        let last = infos.last().expect("at least one line with a score");
        assert_eq!((last.nodes, last.pv.first().copied()), (limit, outcome.best));
    }
}

#[test]
fn several_threads_keep_to_the_common_node_limit() {
    let mut searcher = Searcher::new(4, 4);
    let (outcome, _) = run(&mut searcher, Request::new(Board::startpos(), nodes(50_000)));
    assert!((50_000..55_000).contains(&outcome.nodes), "{}", outcome.nodes);
}

#[test]
fn a_new_game_repeats_the_same_search() {
    let mut searcher = Searcher::new(1, 4);
    let position = board("r3r1k1/pp3ppp/2pq1n2/3p1b2/3P4/1QN1PN2/PP3PPP/2R2RK1 b - - 7 15");
    let first = run(&mut searcher, Request::new(position.clone(), depth(8))).0;
    run(&mut searcher, Request::new(Board::startpos(), depth(6)));
    searcher.new_game();
    assert_eq!(run(&mut searcher, Request::new(position.clone(), depth(8))).0, first);
    // Another size of the table and other threads in between leave no trace either.
    searcher.set_threads(3);
    searcher.set_hash(8);
    run(&mut searcher, Request::new(position.clone(), depth(6)));
    searcher.set_threads(1);
    searcher.set_hash(4);
    searcher.new_game();
    assert_eq!(run(&mut searcher, Request::new(position, depth(8))).0, first);
}

#[test]
fn mates_are_found_with_their_whole_line() {
    let cases = [
        ("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", 1),
        ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", 1),
        ("r5k1/5ppp/8/8/8/8/4QPPP/4R1K1 w - - 0 1", 2),
        ("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", 1),
    ];
    let mut searcher = Searcher::new(1, 4);
    for (fen, moves) in cases {
        let position = board(fen);
        let (outcome, infos) = run(&mut searcher, Request::new(position.clone(), depth(8)));
        let plies = 2 * moves - 1;
        assert_eq!(outcome.score, mate_in(plies), "{fen}");
        assert_eq!(outcome.pv.len(), plies, "{fen}");
        assert!(assert_line_is_legal(&position, &outcome.pv).is_checkmate(), "{fen}");
        assert!(infos.windows(2).all(|pair| pair[0].depth <= pair[1].depth));
    }
}

#[test]
fn a_longer_mate_than_the_one_asked_for_does_not_end_the_search() {
    let mut searcher = Searcher::new(1, 4);
    let found = |searcher: &mut Searcher, mate| {
        let limits =
            Limits { mate, depth: Some(18), move_time: Some(Duration::from_secs(600)), ..Limits::default() };
        run(searcher, Request::new(board("7k/8/5K2/8/8/8/8/6R1 w - - 0 1"), limits)).0
    };
    let outcome = found(&mut searcher, Some(1));
    assert_eq!((outcome.score, outcome.depth), (mate_in(3), 18));
    assert!(found(&mut searcher, None).depth < 18);
    assert!(found(&mut searcher, Some(2)).depth < 18);
}

#[test]
fn a_side_that_is_mated_next_move_says_so() {
    let mut searcher = Searcher::new(1, 4);
    let position = board("3rr1k1/5pp1/p4P1p/P7/8/6bP/6P1/7K w - - 0 37");
    let outcome = run(&mut searcher, Request::new(position.clone(), depth(10))).0;
    assert_eq!(outcome.score, mated_in(2));
    assert!(assert_line_is_legal(&position, &outcome.pv).is_checkmate());
}

#[test]
fn several_lines_are_distinct_sorted_and_legal() {
    let mut searcher = Searcher::new(1, 4);
    let position = board("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3");
    let mut request = Request::new(position.clone(), depth(7));
    request.multi_pv = 5;
    let (_, infos) = run(&mut searcher, request);
    let last: Vec<_> = infos.iter().rev().take(5).rev().collect();
    assert_eq!(last.iter().map(|info| info.multi_pv).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
    assert!(last.windows(2).all(|pair| pair[0].score >= pair[1].score && pair[0].depth == pair[1].depth));
    let mut moves: Vec<_> = last.iter().filter_map(|info| info.pv.first()).collect();
    moves.sort();
    moves.dedup();
    assert_eq!(moves.len(), 5);
    for info in last {
        assert_line_is_legal(&position, &info.pv);
    }
}

#[test]
fn only_the_wanted_moves_are_searched() {
    let mut searcher = Searcher::new(2, 4);
    let mut request = Request::new(Board::startpos(), depth(5));
    request.search_moves =
        ["a2a3", "h2h4"].map(|mv| Board::startpos().parse_uci(mv).expect("legal")).to_vec();
    request.multi_pv = 4;
    let wanted = request.search_moves.clone();
    let (outcome, infos) = run(&mut searcher, request);
    assert!(outcome.best.is_some_and(|mv| wanted.contains(&mv)));
    assert!(infos.iter().all(|info| info.multi_pv <= 2 && wanted.contains(&info.pv[0])));
}

#[test]
fn mate_on_the_hundredth_ply_comes_before_the_draw() {
    let mut searcher = Searcher::new(1, 4);
    let mating = board("8/8/2p5/3b1K1k/4p3/4PpR1/5P2/8 w - - 99 113");
    assert_eq!(run(&mut searcher, Request::new(mating, depth(6))).0.score, mate_in(1));
    // A pawn move starts the count anew; without one every move draws.
    let winning = board("8/8/4k3/8/8/3K4/4P2R/8 w - - 99 113");
    let score = run(&mut searcher, Request::new(winning, depth(6))).0.score;
    assert!(score > 100, "the pawn move keeps the win: {score}");
    let drawn = board("8/8/4k3/8/8/4K3/7R/8 w - - 99 113");
    let score = run(&mut searcher, Request::new(drawn, depth(6))).0.score;
    assert!(score.abs() <= 1, "{score}");
}

#[test]
fn a_losing_side_takes_the_repetition() {
    // Black threatens mate and cannot be mated, but the queen gives check for ever.
    let mut searcher = Searcher::new(1, 4);
    let position = board("3Q4/5pkp/8/8/8/7P/qr4PK/8 w - - 0 1");
    let score = run(&mut searcher, Request::new(position, depth(10))).0.score;
    assert!(score.abs() <= 1, "{score}");
}

#[test]
fn no_legal_move_gives_no_best_move() {
    let mut searcher = Searcher::new(2, 4);
    for (fen, score) in [
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", mated_in(0)),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0),
    ] {
        let (outcome, infos) = run(&mut searcher, Request::new(board(fen), depth(5)));
        assert_eq!((outcome.best, outcome.score, infos.len()), (None, score, 1));
    }
}

#[test]
fn an_infinite_search_waits_for_stop_and_a_pondering_one_for_the_hit() {
    let mut searcher = Searcher::new(2, 4);
    let mated = board("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1");
    for ponder in [false, true] {
        let collector = Arc::new(Collector::new());
        let limits = Limits { depth: Some(3), infinite: !ponder, ponder, ..Limits::default() };
        searcher.start(Request::new(mated.clone(), limits), collector.clone());
        std::thread::sleep(Duration::from_millis(100));
        assert!(searcher.is_searching());
        let answered = |events: &[Event<Move>]| events.iter().any(|e| matches!(e, Event::BestMove { .. }));
        assert!(!answered(&collector.take()));
        if ponder {
            searcher.ponder_hit();
        } else {
            searcher.stop();
        }
        searcher.wait();
        assert!(answered(&collector.take()));
    }
}

#[test]
fn clocks_that_have_run_out_still_give_a_move() {
    let mut searcher = Searcher::new(1, 4);
    for remaining in [0, 1, 29] {
        let clock = Clock { remaining: Duration::from_millis(remaining), ..Clock::default() };
        let mut request = Request::new(Board::startpos(), Limits { clock: Some(clock), ..Limits::default() });
        request.overhead = Duration::from_millis(10);
        assert!(run(&mut searcher, request).0.best.is_some());
    }
}

#[test]
fn threads_come_and_go_between_searches() {
    let mut searcher = Searcher::new(1, 1);
    for threads in [8, 2, 16, 1, 3] {
        assert_eq!(searcher.set_threads(threads), threads);
        let (outcome, _) = run(&mut searcher, Request::new(Board::startpos(), depth(6)));
        assert!(outcome.depth >= 1 && outcome.best.is_some());
    }
}
