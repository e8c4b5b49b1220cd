//! CECP's searches: limits and clocks, thinking output, analysis, pondering, pausing, excluded moves, memory.

#[path = "support/cecp.rs"]
mod support;

use movegen::Board;
use std::time::Duration;
use support::{Cecp, Thinking, is_thinking, play, read_move};

const BACK_RANK: &str = "setboard 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1";

fn thoughts(lines: &[String]) -> Vec<Thinking> {
    lines.iter().filter(|line| is_thinking(line)).map(|line| Thinking::read(line)).collect()
}

#[test]
fn mates_and_lines_of_thinking() {
    let mut engine = Cecp::with(&["post", BACK_RANK, "sd 6", "go"]);
    let lines = engine.sync();
    let thoughts = thoughts(&lines);
    assert_eq!(thoughts.last().unwrap().score, 100_001, "{lines:#?}");
    assert_eq!(lines[lines.len() - 2..], ["move a1a8", "1-0 {White mates}"]);
    assert!(thoughts.windows(2).all(|pair| pair[0].depth <= pair[1].depth && pair[0].nodes <= pair[1].nodes));
    let mut engine = Cecp::with(&["post", "setboard 7k/8/5K2/6Q1/8/8/8/8 b - - 0 1", "sd 6", "go"]);
    assert_eq!(thoughts_of(&mut engine).last().unwrap().score, -100_001);
    // Nothing is shown without `post`, and nothing more after `nopost`.
    let mut engine = Cecp::with(&["sd 6", "usermove e2e4"]);
    assert_eq!(engine.sync().len(), 1);
    engine.send_all(&["post", "usermove h2h3"]);
    assert!(engine.sync().len() > 3);
    engine.send_all(&["nopost", "usermove h3h4"]);
    assert_eq!(engine.sync().len(), 1);
}

fn thoughts_of(engine: &mut Cecp) -> Vec<Thinking> {
    thoughts(&engine.sync())
}

#[test]
fn depth_is_a_cap_until_the_next_game() {
    let mut engine = Cecp::with(&["post", "sd 3", "st 60", "usermove e2e4"]);
    let thoughts = thoughts_of(&mut engine);
    assert!(thoughts.iter().all(|thought| thought.depth <= 3) && thoughts.last().unwrap().depth == 3);
    engine.send_all(&["new", "nps 100000", "st 1", "usermove e2e4"]);
    assert!(thoughts_of(&mut engine).last().unwrap().depth > 3);
    engine.send_all(&["new", "sd 0", "nps 100000", "st 1", "usermove e2e4"]);
    assert!(thoughts_of(&mut engine).last().unwrap().depth > 3);
}

#[test]
fn the_time_control_holds_in_the_next_game() {
    // A thousand nodes to the second.
    let nodes = |setting| {
        let mut engine = Cecp::with(&["post", setting, "new", "nps 1000", "usermove e2e4"]);
        thoughts_of(&mut engine).last().unwrap().nodes
    };
    assert!(nodes("st 200") > 60_000);
    assert!(nodes("level 0 60 0") > 60_000);
    // Without one it is five minutes for the game: no move takes a fifth of it.
    assert!((1000..60_000).contains(&nodes("easy")));
}

#[test]
fn every_clock_leads_to_a_move() {
    for setting in [
        &["level 40 1 0", "level 1 0:03 0", "time 5"][..],
        &["time 5997", "otim 4688", "sd 6"],
        &["level 0 0 1", "sd 5"],
        &["level 0 0:00 0.05"],
        &["level 0 0 0"],
        &["st 0"],
        &["st 0.01"],
        &["st 60", "level 0 0:01 0", "time 10"],
        &["level 0 60 0", "st 0.05"],
        &["time -300", "otim -300"],
        &["time -99999999999999999999"],
        &["level 40 0:01 0", "time 0"],
        &["nps 100000", "st 0.05"],
        &["nps 1", "level 40 5 0"],
        &["sd 1", "time 99999999999999999999", "level 4294967296 99999999 99999999"],
        &["option NodesTime=100", "level 0 0:10 0"],
    ] {
        let mut engine = Cecp::with(setting);
        engine.send("usermove e2e4");
        let mut board = Board::startpos();
        play(&mut board, "e2e4");
        play(&mut board, &engine.moved());
    }
}

#[test]
fn nodes_as_time_are_repeatable() {
    let mut seen = Vec::new();
    for _ in 0..2 {
        let mut engine = Cecp::with(&["post", "nps 50000", "st 1", "usermove e2e4"]);
        let mut nodes = thoughts_of(&mut engine).last().unwrap().nodes;
        assert!(nodes <= 50_000, "{nodes}");
        engine.send_all(&["level 0 0:30 0.1", "usermove d2d4"]);
        nodes += thoughts_of(&mut engine).last().unwrap().nodes;
        seen.push(nodes);
    }
    assert_eq!(seen[0], seen[1]);
}

#[test]
fn move_now_is_obeyed_at_once() {
    let mut engine = Cecp::with(&["level 0 600 0", "post", "usermove e2e4", "?"]);
    let lines = engine.sync();
    assert_eq!(lines.iter().filter(|line| line.starts_with("move ")).count(), 1, "{lines:#?}");
    engine.ask("?", &[]);
    engine.send_all(&["force", "?"]);
    engine.silent();
}

#[test]
fn analysis_follows_the_board() {
    let mut engine = Cecp::with(&["post", "analyze"]);
    let mut board = Board::startpos();
    for mv in ["e2e4", "e7e5", "g1f3"] {
        engine.send(format_args!("usermove {mv}"));
        play(&mut board, mv);
        // Lines of the position before may come until the ping is answered.
        let lines = engine.sync();
        assert!(lines.iter().all(|line| is_thinking(line)), "{lines:#?}");
        let first = engine.thinking().moves[0].clone();
        assert!(read_move(&board, &first).is_some(), "{first} in {}", board.fen());
    }
    engine.ask("usermove e2e4", &["Illegal move: e2e4"]);
    engine.send("undo");
    engine.sync();
    board.unmake_move();
    let first = engine.thinking().moves[0].clone();
    assert!(read_move(&board, &first).is_some());
    // The state at any time.
    engine.send(".");
    let lines = engine.answers();
    let status: Vec<_> = lines[0].split(' ').collect();
    assert!(lines.len() == 1 && status[0] == "stat01:" && status.len() >= 6, "{lines:#?}");
    assert!(status[1..6].iter().all(|word| word.parse::<u64>().is_ok()), "{lines:#?}");
    assert_eq!(status[5], board.legal_move_count().to_string());
    // A position whose analysis does not end before the answer to the ping.
    let open = "setboard r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
    for command in ["new", open, "edit\n.", "memory 8", "cores 2", "option MultiPV=2"] {
        engine.send(command);
        assert!(engine.answers().is_empty(), "{command}");
        engine.thinking();
    }
    engine.send("new");
    engine.sync();
    // No move ever.
    let lines = engine.listen(Duration::from_millis(200));
    assert!(lines.iter().all(|line| is_thinking(line)), "{lines:#?}");
    engine.ask("exit", &[]);
    assert!(engine.listen(Duration::from_millis(50)).is_empty());
    // It left to the state in which neither side is played.
    engine.ask("usermove e2e4", &[]);
    engine.ask(".", &[]);
}

#[test]
fn analysis_of_a_finished_game_is_quiet() {
    for fen in ["7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"] {
        let mut engine = Cecp::with(&["post", "force", &format!("setboard {fen}"), "analyze"]);
        engine.silent();
        engine.ask(".", &["stat01: 0 0 0 0 0"]);
        engine.ask("hint", &[]);
        engine.ask("usermove h8g8", &["Illegal move: h8g8"]);
        engine.send(BACK_RANK);
        engine.thinking();
        // The search has nothing left to find: its state can be asked for all the same.
        engine.listen(Duration::from_millis(50));
        engine.send(".");
        let lines = engine.answers();
        assert!(lines.len() == 1 && lines[0].starts_with("stat01: "), "{lines:#?}");
        engine.send("setboard nonsense");
        assert_eq!(engine.answers().len(), 1);
        engine.ask(".", &["stat01: 0 0 0 0 0"]);
    }
}

#[test]
fn excluded_moves_are_not_searched() {
    let mut engine = Cecp::with(&["post", BACK_RANK, "analyze"]);
    assert_eq!(engine.thinking().moves[0].len(), 4);
    engine.send("exclude a1a8");
    engine.sync();
    let lines = engine.listen(Duration::from_millis(60));
    assert!(thoughts(&lines).iter().all(|thought| thought.moves[0] != "a1a8"), "{lines:#?}");
    engine.ask("exclude a1h8", &["Illegal move: a1h8"]);
    engine.ask("exclude nothing", &["Error (expected a move): exclude nothing"]);
    engine.send_all(&["exclude all", "include h1g1"]);
    engine.sync();
    assert_eq!(engine.thinking().moves[0], "h1g1");
    engine.send("exclude all");
    engine.sync();
    assert!(engine.listen(Duration::from_millis(50)).is_empty());
    engine.send("include all");
    engine.thinking();
    // A new position has all its moves.
    engine.send_all(&["exclude a1a8", "usermove h1g1", "undo", "exit", "sd 5", "go"]);
    let lines = engine.answers();
    assert_eq!(lines, ["move a1a8", "1-0 {White mates}"]);
}

/// Lets it make a move and reads the one it expects.
fn expected(engine: &mut Cecp) -> (Board, String) {
    let mut board = Board::startpos();
    engine.send_all(&["hard", "post", "sd 8", "usermove e2e4"]);
    play(&mut board, "e2e4");
    let lines = engine.until_hint();
    let mv = lines.iter().find_map(|line| line.strip_prefix("move ")).unwrap();
    play(&mut board, mv);
    let hint = lines.last().unwrap().strip_prefix("Hint: ").unwrap().to_owned();
    assert!(read_move(&board, &hint).is_some(), "{hint}");
    (board, hint)
}

impl Cecp {
    fn until_hint(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self.line();
            let is_hint = line.starts_with("Hint: ");
            lines.push(line);
            if is_hint {
                return lines;
            }
        }
    }
}

#[test]
fn ponder_hits_and_misses() {
    for hits in [true, false] {
        let mut engine = Cecp::start();
        let (mut board, hint) = expected(&mut engine);
        // Pondering answers at once and goes on.
        assert!(engine.answers().is_empty());
        engine.ask("hint", &[&format!("Hint: {hint}")]);
        let hint = read_move(&board, &hint).unwrap();
        let mv = if hits { hint } else { *board.legal_moves().iter().find(|&&mv| mv != hint).unwrap() };
        engine.ask("usermove a1a8", &["Illegal move: a1a8"]);
        engine.send_all(&["time 29000", "otim 29000", &format!("usermove {}", mv.uci(false))]);
        board.make_move(mv, &mut movegen::NoObserver);
        let lines = engine.sync();
        let moves: Vec<_> = lines.iter().filter_map(|line| line.strip_prefix("move ")).collect();
        assert_eq!(moves.len(), 1, "{lines:#?}");
        play(&mut board, moves[0]);
    }
}

#[test]
fn pondering_ends_quietly() {
    for end in
        ["easy", "force", "new", "result 1-0 {x}", "remove", "undo", "analyze", "pause", "setboard x", "edit"]
    {
        let mut engine = Cecp::start();
        expected(&mut engine);
        engine.send_all(&["nopost", end]);
        if end == "edit" {
            engine.send(".");
        }
        let lines = engine.answers();
        assert!(lines.iter().all(|line| line.starts_with("tellusererror")), "{end}: {lines:#?}");
        assert!(engine.listen(Duration::from_millis(50)).is_empty(), "{end}");
    }
    // `easy` does not end the game.
    let mut engine = Cecp::start();
    let (_, hint) = expected(&mut engine);
    engine.send_all(&["easy", "nopost", &format!("usermove {hint}")]);
    engine.moved();
}

#[test]
fn a_clock_that_ran_down_meanwhile_is_heeded() {
    let mut engine = Cecp::with(&["level 0 600 0"]);
    let (_, hint) = expected(&mut engine);
    engine.send_all(&["sd 0", "time 20", &format!("usermove {hint}")]);
    let lines = engine.sync();
    assert_eq!(lines.iter().filter(|line| line.starts_with("move ")).count(), 1);
}

#[test]
fn pausing_freezes_it() {
    let mut engine = Cecp::with(&["level 0 600 0", "usermove e2e4", "pause"]);
    assert!(engine.listen(Duration::from_millis(100)).is_empty());
    engine.send("usermove d2d4");
    assert_eq!(engine.line(), "Illegal move (the engine is to move): d2d4");
    engine.send_all(&["?", "ping 1"]);
    assert!(engine.listen(Duration::from_millis(60)).is_empty());
    engine.send_all(&["resume", "?"]);
    let lines = engine.before("pong 1");
    assert!(lines.len() == 1 && lines[0].starts_with("move "), "{lines:#?}");
    engine.send_all(&["post", "analyze", "pause"]);
    engine.sync();
    assert!(engine.listen(Duration::from_millis(60)).is_empty());
    engine.send("resume");
    engine.thinking();
    engine.send_all(&["nopost", "exit"]);
    engine.sync();
    engine.send_all(&["pause", "resume", "pause", "go"]);
    assert!(engine.listen(Duration::from_millis(60)).is_empty());
    // A new game ends the pause.
    engine.send_all(&["new", "sd 1", "usermove e2e4"]);
    engine.moved();
}

#[test]
fn memory_stays_as_it_is() {
    let mut engine = Cecp::with(&["memory 4", "sd 2", "hard"]);
    let mut after_first = 0;
    for round in 0..400 {
        engine.send_all(&["usermove e2e4", "?", "ping 1"]);
        engine.before("pong 1");
        engine.send_all(&["analyze", "usermove d2d4", "exit", "new"]);
        engine.sync();
        if round == 50 {
            after_first = engine.memory();
        }
    }
    let last = engine.memory();
    assert!(last < after_first + 4096, "{after_first} KiB grew to {last} KiB");
}
