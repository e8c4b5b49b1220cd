//! Searches: results, limits, repeatability.

use draughts::bitbase::Tables;
use draughts::eval::Evaluation;
use draughts::fen::parse_fen;
use draughts::rules::{Frisian, International, Losing};
use draughts::search::score::{DRAW, WIN, distance};
use draughts::search::{Engine, Report, Request, Shared, Worker, think};
use draughts::{Color, Game, Move, Position, Rules, Variant, legal_moves, notation};
use search::core::event::{Collector, Event, Info, Silent, Sink};
use search::core::limit::{Clock, Limits};
use std::sync::Arc;
use std::time::{Duration, Instant};

fn depth(plies: u32) -> Limits {
    Limits { depth: Some(plies), ..Limits::default() }
}

fn search(fen: &str, limits: Limits) -> Report {
    search_as(fen, limits, Variant::International)
}

fn search_as(fen: &str, limits: Limits, variant: Variant) -> Report {
    let mut request = Request::new(Game::new(parse_fen(fen).unwrap()), limits);
    request.variant = variant;
    think(&mut Worker::default(), &Shared::new(4, 1), &request, &Silent)
}

/// Events of a search on `threads` threads.
fn events(threads: usize, request: Request) -> Vec<Event<Move>> {
    let engine = Engine::new(threads, 4);
    let collector = Arc::new(Collector::new());
    engine.start(request, Arc::clone(&collector) as Arc<dyn Sink<Move>>);
    engine.wait();
    collector.take()
}

fn infos(events: &[Event<Move>]) -> Vec<&Info<Move>> {
    events
        .iter()
        .filter_map(|event| match event {
            Event::Info(info) => Some(info),
            _ => None,
        })
        .collect()
}

fn best(events: &[Event<Move>]) -> Option<Move> {
    let answers: Vec<Option<Move>> = events
        .iter()
        .filter_map(|event| match event {
            Event::BestMove { best, .. } => Some(*best),
            _ => None,
        })
        .collect();
    assert_eq!(answers.len(), 1, "one answer for each search");
    answers[0]
}

/// Plies to the end by plain search without any cleverness; `None` beyond `depth`.
fn solve<R: Rules>(position: &Position, depth: i32) -> Option<i32> {
    let moves = legal_moves::<R>(position);
    if moves.is_empty() {
        return Some(if R::LOSING { WIN } else { -WIN });
    }
    if depth == 0 {
        return None;
    }
    let scores: Vec<Option<i32>> = moves
        .iter()
        .map(|&mv| solve::<R>(&position.play::<R>(mv), depth - 1).map(|score| -(score - score.signum())))
        .collect();
    let best = scores.iter().flatten().max().copied();
    match best {
        Some(score) if score > 0 => Some(score),
        _ if scores.iter().all(Option::is_some) => best,
        _ => None,
    }
}

#[test]
fn distances_to_the_end_are_exact() {
    for fen in [
        "W:W28:B22,13",
        "W:WK5,K10:BK46",
        "W:WK48,28:B43,33",
        "B:W50:B1",
        "W:W33,38,39:B24",
        "W:WK46,K33,28,35:BK5,14",
        "B:W31:B26,K3",
        "W:W7,12:B1,21",
    ] {
        let position = parse_fen(fen).unwrap();
        let Some(exact) = solve::<International>(&position, 7) else { continue };
        let report = search(fen, depth(12));
        if report.best.is_some() {
            assert_eq!(distance(report.score), distance(exact), "{fen}");
        }
    }
    let report = search("W:WK5,K10:BK46", depth(10));
    assert_eq!(distance(report.score), Some(3));
    assert_eq!(report.line.len(), 3);
}

#[test]
fn losing_and_breakthrough_have_their_own_ends() {
    // Losing draughts: giving the last man away wins.
    let report = search_as("W:W28:B19,12", depth(9), Variant::Losing);
    let exact = solve::<Losing>(&parse_fen("W:W28:B19,12").unwrap(), 8);
    if let Some(exact) = exact {
        assert_eq!(distance(report.score), distance(exact));
    }
    // Breakthrough: the man that is crowned next move wins at once.
    let report = search_as("W:W7:B20", depth(5), Variant::Breakthrough);
    assert_eq!(distance(report.score), Some(1));
    // Frisian: a capture along a column.
    let report = search_as("W:W33:B23", depth(3), Variant::Frisian);
    assert_eq!(report.best.map(|mv| mv.to_string()), Some("33x13x23".to_owned()));
    assert_eq!(legal_moves::<Frisian>(&parse_fen("W:W33:B23").unwrap()).len(), 1);
}

#[test]
fn combinations_are_found() {
    for (fen, best) in [
        ("W:W11,19,22,28,31,41:B6,9,17,26,30,38,40", "19-14"),
        ("W:W6,11,12,17,30,38,41:B1,3,9,20,29,36,40", "12-8"),
        ("W:W10,11,18,21,32,41,48:B8,9,24,37,39,40,43", "10-5"),
    ] {
        let report = search(fen, depth(17));
        assert_eq!(report.best.map(|mv| mv.to_string()), Some(best.to_owned()), "{fen}");
        assert!(report.score > 50, "{fen}");
    }
}

#[test]
fn the_same_search_gives_the_same_nodes() {
    let fen = "W:W27,28,31-33,37,38,40,42,45,48:B2,6,11,13-16,18,19,21,25,26";
    let first = search(fen, depth(10));
    let again = search(fen, depth(10));
    assert_eq!((first.nodes, first.best, first.score), (again.nodes, again.best, again.score));
    // Also after other searches, once the engine has forgotten them.
    let shared = Shared::new(4, 1);
    let mut worker = Worker::default();
    let request = Request::new(Game::new(parse_fen(fen).unwrap()), depth(10));
    for _ in 0..2 {
        think(&mut worker, &shared, &Request::new(Game::default(), depth(8)), &Silent);
        shared.table.clear(1);
        worker.clear();
        assert_eq!(think(&mut worker, &shared, &request, &Silent).nodes, first.nodes);
    }
}

#[test]
fn node_limits_are_exact_on_one_thread() {
    for limit in [1, 2, 100, 1234, 20_000] {
        let report = search("W:W31-50:B1-20", Limits { nodes: Some(limit), ..Limits::default() });
        assert_eq!(report.nodes, limit);
        assert!(report.best.is_some(), "an answer even after {limit} nodes");
    }
    let events =
        events(2, Request::new(Game::default(), Limits { nodes: Some(20_000), ..Limits::default() }));
    let nodes = infos(&events).last().unwrap().nodes;
    assert!(nodes <= 20_200, "{nodes}");
}

/// Many more threads than cores: helpers may use up all nodes before the main thread has its turn.
#[test]
fn a_node_limit_leaves_an_answer_with_a_score() {
    for _ in 0..10 {
        let request = Request::new(Game::default(), Limits { nodes: Some(3_000), ..Limits::default() });
        let events = events(32, request);
        let last = infos(&events).last().copied().expect("at least one iteration");
        assert!(last.depth >= 1 && last.nodes < 3_000 + 32 * 64 + 3_000, "{}", last.nodes);
        assert!(best(&events).is_some());
    }
}

#[test]
fn depth_limits_are_exact() {
    for threads in [1, 3] {
        for plies in [1, 2, 7] {
            let events = events(threads, Request::new(Game::default(), depth(plies)));
            let depths: Vec<u32> = infos(&events).iter().map(|info| info.depth).collect();
            assert_eq!(depths, (1..=plies).collect::<Vec<_>>());
            assert!(best(&events).is_some());
        }
    }
}

#[test]
fn soft_limits_finish_the_iteration() {
    let report = search("W:W31-50:B1-20", Limits { soft_nodes: Some(2000), ..Limits::default() });
    let same = search("W:W31-50:B1-20", depth(report.depth));
    assert!(report.nodes >= 2000);
    assert_eq!(report.nodes, same.nodes);
}

#[test]
fn lines_are_legal_and_ranked() {
    let mut request = Request::new(Game::default(), depth(8));
    request.lines = 4;
    let events = events(1, request);
    let last: Vec<&Info<Move>> = infos(&events).into_iter().filter(|info| info.depth == 8).collect();
    assert_eq!(last.iter().map(|info| info.multi_pv).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert!(last.windows(2).all(|pair| pair[0].score >= pair[1].score));
    let mut firsts: Vec<Move> = last.iter().map(|info| info.pv[0]).collect();
    firsts.dedup();
    assert_eq!(firsts.len(), 4);
    assert_eq!(best(&events), Some(firsts[0]));
    for info in infos(&events) {
        let mut game = Game::default();
        for &mv in &info.pv {
            assert!(legal_moves::<International>(game.position()).contains(&mv), "{:?}", info.pv);
            game.push::<International>(mv);
        }
    }
}

#[test]
fn many_lines_in_a_position_with_few_moves() {
    let mut request = Request::new(Game::new(parse_fen("W:W28,33:B22,K5").unwrap()), depth(5));
    request.lines = 50;
    let events = events(1, request);
    let moves = legal_moves::<International>(&parse_fen("W:W28,33:B22,K5").unwrap()).len();
    assert_eq!(infos(&events).iter().filter(|info| info.depth == 5).count(), moves);
}

#[test]
fn a_finished_game_has_no_move() {
    for fen in ["B:W50:B", "W:W:B1"] {
        assert_eq!(best(&events(2, Request::new(Game::new(parse_fen(fen).unwrap()), depth(5)))), None);
    }
}

#[test]
fn a_single_reply_is_answered_at_once_in_games_only() {
    let game = Game::new(parse_fen("W:W28,50:B22,1").unwrap());
    let mut request =
        Request::new(game, Limits { move_time: Some(Duration::from_secs(3600)), ..Limits::default() });
    request.quick_reply = true;
    let found = events(1, request.clone());
    assert!(best(&found).is_some());
    assert!(infos(&found).is_empty());
    request.quick_reply = false;
    request.limits = depth(4);
    assert!(!infos(&events(1, request)).is_empty());
}

#[test]
fn a_stop_ends_every_kind_of_search() {
    let endless = |ponder: bool| Limits { infinite: !ponder, ponder, ..Limits::default() };
    for limits in [
        endless(false),
        endless(true),
        Limits { move_time: Some(Duration::from_secs(3600)), ..Limits::default() },
    ] {
        for threads in [1, 2] {
            let engine = Engine::new(threads, 4);
            let collector = Arc::new(Collector::new());
            // A lost position is searched to its end soon: the answer is held back all the same.
            for fen in ["W:W31-50:B1-20", "W:WK5,K10:BK46"] {
                let request = Request::new(Game::new(parse_fen(fen).unwrap()), limits.clone());
                let ends_early = fen.contains("K46") && limits.move_time.is_some();
                engine.start(request, Arc::clone(&collector) as Arc<dyn Sink<Move>>);
                if !ends_early {
                    std::thread::sleep(Duration::from_millis(30));
                    assert!(!engine.is_idle());
                }
                engine.stop();
                engine.wait();
                assert!(best(&collector.take()).is_some());
            }
        }
    }
}

#[test]
fn a_ponder_hit_starts_the_clock() {
    let engine = Engine::new(1, 4);
    let collector = Arc::new(Collector::new());
    let limits = Limits { ponder: true, move_time: Some(Duration::from_millis(50)), ..Limits::default() };
    engine.start(Request::new(Game::default(), limits), Arc::clone(&collector) as Arc<dyn Sink<Move>>);
    std::thread::sleep(Duration::from_millis(100));
    assert!(!engine.is_idle(), "the time does not count before the hit");
    engine.ponder_hit();
    engine.wait();
    assert!(best(&collector.take()).is_some());
}

#[test]
fn clocks_are_kept() {
    for (remaining, increment) in [(0, 0), (1, 0), (30, 2), (200, 10)] {
        let clock = Clock {
            remaining: Duration::from_millis(remaining),
            increment: Duration::from_millis(increment),
            moves_to_go: None,
        };
        let start = Instant::now();
        let found =
            events(1, Request::new(Game::default(), Limits { clock: Some(clock), ..Limits::default() }));
        assert!(best(&found).is_some());
        // Generous: the test machine may be busy. What counts is that the search ends by itself.
        assert!(start.elapsed() < Duration::from_secs(20));
    }
}

#[test]
fn repetitions_and_limits_are_draws() {
    // White is a man down and can hold by repeating; at the third occurrence the game is a draw.
    let mut game = Game::new(parse_fen("W:WK50,31:BK46,20").unwrap());
    for text in ["50-45", "46-41", "45-50", "41-46", "50-45", "46-41", "45-50"] {
        let mv = notation::parse_move::<International>(game.position(), text).unwrap();
        game.push::<International>(mv);
    }
    let shared = Shared::new(4, 1);
    let report = think(&mut Worker::default(), &shared, &Request::new(game.clone(), depth(1)), &Silent);
    let back = notation::parse_move::<International>(game.position(), "41-46").unwrap();
    if report.best == Some(back) {
        assert_eq!(report.score, DRAW);
    }
    // One king against one with a single move left before the limit: nothing but a draw.
    let mut game = Game::new(parse_fen("W:WK46:BK4").unwrap());
    for _ in 0..9 {
        let legal = legal_moves::<International>(game.position());
        let mv = *legal.iter().find(|mv| !game.position().play::<International>(**mv).has_capture()).unwrap();
        game.push::<International>(mv);
    }
    let report = think(&mut Worker::default(), &shared, &Request::new(game, depth(6)), &Silent);
    assert_eq!(report.score, DRAW);
}

/// The game is over when the limit is reached, also where a piece could be taken.
#[test]
fn a_capture_behind_a_limit_comes_too_late() {
    let mut game = Game::new(parse_fen("W:WK46:BK4").unwrap());
    for text in ["46-41", "4-9", "41-46", "9-4"].into_iter().cycle().take(9) {
        let mv = notation::parse_move::<International>(game.position(), text).unwrap();
        game.push::<International>(mv);
    }
    let after = |mv: &Move| game.position().play::<International>(*mv);
    let legal = legal_moves::<International>(game.position());
    assert!(legal.iter().any(|mv| after(mv).has_capture()) && legal.len() > 3);
    let mut request = Request::new(game.clone(), depth(1));
    request.lines = legal.len();
    let mut engine = Engine::new(1, 4);
    // Without tables, which would look at the moves that hold the draw alone.
    engine.set_tables(Arc::new(Tables::load(None, 0).0));
    let collector = Arc::new(Collector::new());
    engine.start(request, Arc::clone(&collector) as Arc<dyn Sink<Move>>);
    engine.wait();
    let events = collector.take();
    let scores: Vec<i32> = infos(&events).iter().map(|info| info.score).collect();
    assert_eq!(scores, vec![DRAW; legal.len()]);
}

#[test]
fn the_evaluation_is_the_same_for_both_sides() {
    let evaluation = Evaluation::default();
    // The sides are alike; only the right to move is worth a little.
    assert!(evaluation.evaluate(&Position::start()).abs() < 10);
    let mut position = Position::start();
    for ply in 0..80 {
        let turned = Position::new(
            [position.pieces(Color::Black).flip(), position.pieces(Color::White).flip()],
            position.all_kings().flip(),
            !position.turn(),
        )
        .unwrap();
        assert_eq!(evaluation.evaluate(&turned), evaluation.evaluate(&position), "ply {ply}");
        let legal = legal_moves::<International>(&position);
        let Some(&mv) = legal.get(ply * 5 % legal.len().max(1)) else { break };
        position = position.play::<International>(mv);
    }
}
