//! Every command in every state: idle, searching, pondering, done but held back.

#[path = "support/uci.rs"]
mod support;

use std::time::Duration;
use support::{HOLD, Random, Uci, node_count};

const BACK_RANK: &str = "fen 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1";

/// States in which a `bestmove` is owed, each with a position and a `go` that stays in it.
const BUSY: [(&str, &str); 8] = [
    ("startpos", "infinite"),
    ("startpos", "ponder wtime 60000 btime 60000"),
    ("startpos", "movetime 60000"),
    ("startpos", "wtime 6000000 btime 6000000"),
    // Done, but held back.
    (BACK_RANK, "infinite"),
    ("startpos", "ponder depth 1"),
    ("startpos moves f2f3 e7e5 g2g4 d8h4", "infinite"),
    ("fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "ponder wtime 100 btime 100"),
];

#[test]
fn isready_is_answered_at_once_and_disturbs_nothing() {
    for (position, limits) in BUSY {
        let mut engine = Uci::at(position);
        engine.start_go(limits);
        let mut lines = Vec::new();
        for _ in 0..5 {
            lines.extend(engine.hold(Duration::from_millis(10)));
        }
        engine.stop(lines);
        engine.quit_silent();
    }
}

#[test]
fn the_handshake_is_answered_during_a_search() {
    for (position, limits) in BUSY {
        let mut engine = Uci::at(position);
        engine.start_go(limits);
        engine.send("uci");
        let mut lines = engine.until(|line| line == "uciok");
        lines.retain(|line| line.starts_with("info "));
        lines.extend(engine.hold(Duration::from_millis(10)));
        engine.stop(lines);
        engine.quit_silent();
    }
}

#[test]
fn quit_ends_it_in_every_state() {
    for (position, limits) in BUSY {
        for wait in [0, 30] {
            let mut engine = Uci::at(position);
            engine.start_go(limits);
            engine.listen(Duration::from_millis(wait));
            engine.quit();
        }
        let mut engine = Uci::at(position);
        engine.start_go(limits);
        engine.send("stop");
        engine.quit();
    }
    for line in [
        "setoption name Hash value 128",
        "ucinewgame",
        "setoption name Threads value 8",
        "go depth 1",
        "go nodes 1",
    ] {
        let mut engine = Uci::start();
        engine.send(line);
        engine.quit();
    }
}

#[test]
fn the_end_of_the_input_ends_it_in_every_state() {
    for (position, limits) in BUSY {
        for wait in [0, 30] {
            let mut engine = Uci::at(position);
            engine.start_go(limits);
            engine.listen(Duration::from_millis(wait));
            engine.close();
        }
    }
    let mut engine = Uci::start();
    engine.send("uci");
    engine.close();
}

#[test]
fn long_counts_and_benchmarks_do_not_stand_in_the_way_of_quit() {
    for line in ["go perft 12", "perft 12", "bench 30"] {
        let mut engine = Uci::start();
        engine.send(line);
        engine.listen(Duration::from_millis(30));
        engine.quit();
        let mut engine = Uci::start();
        engine.send(line);
        engine.close();
    }
}

#[test]
fn a_count_gives_way_to_what_comes_after_it() {
    let mut engine = Uci::at("startpos");
    engine.send("go perft 3");
    engine.start_go("depth 2");
    let lines = engine.until(|line| line.starts_with("bestmove"));
    let end = lines.iter().position(|line| line.ends_with(" nps")).unwrap();
    assert_eq!(node_count(&lines[end]), 8902);
    engine.judge(&lines[end + 1..]);
    engine.quit_silent();
}

#[test]
fn with_its_last_line_the_engine_is_idle() {
    // What comes next is done before `isready` is answered, and refused never.
    let mut engine = Uci::start();
    let jobs = [
        ("go nodes 50", "bestmove"),
        ("go depth 1", "bestmove"),
        ("go perft 2", "400 nodes"),
        ("perft 1", "20 nodes"),
    ];
    for (index, (line, last)) in jobs.into_iter().cycle().take(120).enumerate() {
        engine.position("startpos");
        engine.send(line);
        engine.until(|line| line.starts_with(last));
        engine.position(["startpos moves e2e4", "startpos moves d2d4 d7d5"][index % 2]);
        engine.send("d");
        let lines = engine.sync();
        let fen = lines.iter().find_map(|line| line.strip_prefix("Fen: "));
        assert_eq!(fen, Some(engine.setting.board.fen().as_str()), "after {line}: {lines:#?}");
    }
    engine.quit_silent();
}

#[test]
fn stop_directly_after_go() {
    let mut engine = Uci::at("startpos");
    for index in 0..60 {
        engine.start_go(["infinite", "ponder", "wtime 600000 btime 600000", ""][index % 4]);
        engine.send("stop");
        engine.finish();
        engine.sync_silent();
    }
    engine.quit_silent();
}

#[test]
fn stop_in_a_race_with_the_natural_end() {
    let mut engine = Uci::at("startpos");
    let mut random = Random(7);
    for _ in 0..80 {
        let nodes = 1 + random.below(3000);
        engine.start_go(&format!("nodes {nodes}"));
        if random.below(2) == 0 {
            std::thread::sleep(Duration::from_micros(random.below(1500) as u64));
        }
        engine.send("stop");
        let mut lines = engine.sync();
        if !lines.iter().any(|line| line.starts_with("bestmove")) {
            lines.extend(engine.until(|line| line.starts_with("bestmove")));
        }
        engine.judge(&lines);
        engine.sync_silent();
    }
    engine.quit_silent();
}

#[test]
fn several_stops_give_one_move() {
    for (position, limits) in BUSY {
        let mut engine = Uci::at(position);
        engine.start_go(limits);
        for _ in 0..4 {
            engine.send("stop");
        }
        engine.finish();
        engine.send("stop");
        engine.sync_silent();
        engine.go("depth 1");
        engine.quit_silent();
    }
}

#[test]
fn ponderhit_in_an_ordinary_search_changes_nothing() {
    let mut engine = Uci::at("startpos");
    engine.start_go("infinite");
    engine.send("ponderhit");
    let lines = engine.hold(HOLD);
    engine.stop(lines);
    engine.start_go("nodes 20000");
    engine.send("ponderhit");
    engine.finish();
    engine.send("ponderhit");
    engine.sync_silent();
    engine.quit_silent();
}

#[test]
fn a_ponder_search_becomes_an_ordinary_one() {
    let mut engine = Uci::at("startpos moves e2e4 e7e5");
    for limits in [
        "ponder movetime 60",
        "ponder wtime 300 btime 300",
        "ponder depth 3",
        "ponder nodes 3000",
        "depth 4 ponder",
        "wtime 300 btime 300 movestogo 2 ponder",
        "ponder wtime -5 btime -5",
    ] {
        for wait in [Duration::ZERO, HOLD] {
            engine.start_go(limits);
            let mut lines = engine.hold(wait);
            engine.send("ponderhit");
            lines.extend(engine.until(|line| line.starts_with("bestmove")));
            engine.judge(&lines);
            engine.sync_silent();
        }
    }
    engine.quit_silent();
}

#[test]
fn a_ponder_search_without_limits_stays_endless_after_ponderhit() {
    let mut engine = Uci::at("startpos");
    for limits in ["ponder", "ponder infinite"] {
        engine.start_go(limits);
        engine.send("ponderhit");
        let lines = engine.hold(HOLD);
        engine.stop(lines);
    }
    engine.quit_silent();
}

#[test]
fn nothing_is_said_before_ponderhit_even_when_all_is_over() {
    // Mate in one; drawn; one reply; no reply.
    for position in [
        "fen 6k1/5ppp/8/8/8/8/8/R6K b - - 0 1 moves g8h8",
        "fen 8/8/4k3/8/8/4K3/8/8 w - - 0 1",
        "fen 1r6/8/8/8/8/8/2k5/K7 w - - 0 1",
        "startpos moves f2f3 e7e5 g2g4 d8h4",
    ] {
        for (limits, end) in [
            ("ponder wtime 5000 btime 6000", "stop"),
            ("ponder wtime 5000 btime 6000", "ponderhit"),
            ("ponder movetime 1", "stop"),
            ("ponder movetime 1", "ponderhit"),
            ("ponder depth 2", "ponderhit"),
        ] {
            let mut engine = Uci::at(position);
            engine.start_go(limits);
            let mut lines = engine.hold(HOLD);
            engine.send(end);
            lines.extend(engine.until(|line| line.starts_with("bestmove")));
            engine.judge(&lines);
            engine.sync_silent();
            engine.quit_silent();
        }
    }
}

#[test]
fn stop_after_ponderhit() {
    let mut engine = Uci::at("startpos");
    for _ in 0..10 {
        engine.start_go("ponder wtime 600000 btime 600000");
        engine.send("ponderhit");
        engine.send("stop");
        engine.finish();
        engine.sync_silent();
        engine.start_go("ponder wtime 600000 btime 600000");
        engine.send("stop");
        engine.send("ponderhit");
        engine.finish();
        engine.sync_silent();
    }
    engine.quit_silent();
}

#[test]
fn a_second_go_loses_no_move() {
    // It is either refused with a message or answered after the first.
    for (position, limits) in BUSY {
        let mut engine = Uci::at(position);
        engine.start_go(limits);
        engine.send("go depth 1");
        let mut lines = engine.sync();
        let refusals = lines.iter().filter(|line| line.starts_with("info string ")).count();
        engine.send("stop");
        while lines.iter().filter(|line| line.starts_with("bestmove")).count() + refusals < 2 {
            lines.push(engine.line());
        }
        engine.sync_silent();
        engine.go("depth 2");
        engine.quit_silent();
    }
}

#[test]
fn a_go_right_behind_a_short_one() {
    let mut engine = Uci::at("startpos");
    let mut owed = 0;
    for _ in 0..20 {
        engine.send("go nodes 2000");
        engine.send("go depth 2");
        owed += 2;
    }
    let mut lines = Vec::new();
    while owed > 0 {
        let line = engine.line();
        owed -= usize::from(line.starts_with("bestmove") || line.starts_with("info string "));
        lines.push(line);
    }
    engine.sync_silent();
    engine.quit_silent();
}

#[test]
fn isready_is_answered_while_a_second_go_waits() {
    let mut engine = Uci::at("startpos");
    engine.start_go("movetime 60000");
    engine.send("go depth 2");
    let mut lines = engine.hold(HOLD);
    let refusals = lines.iter().filter(|line| line.starts_with("info string ")).count();
    engine.send("stop");
    while lines.iter().filter(|line| line.starts_with("bestmove")).count() + refusals < 2 {
        lines.push(engine.line());
    }
    engine.sync_silent();
    engine.quit_silent();
}

/// Reads until so many searches have been answered, and sees that none was refused and no further answer comes.
fn answers(engine: &mut Uci, count: usize) {
    let mut lines = Vec::new();
    for _ in 0..count {
        lines.extend(engine.until(|line| line.starts_with("bestmove")));
    }
    lines.extend(engine.hold(HOLD));
    let is_refused = lines.iter().any(|line| line.starts_with("info string"));
    assert!(!is_refused, "{lines:#?}{}", engine.transcript());
}

#[test]
fn what_ends_a_search_that_waits_is_kept_for_it() {
    // Each stop belongs to the search sent before it, whether that runs already or not.
    let mut engine = Uci::at("startpos");
    engine.start_go("infinite");
    engine.listen(HOLD);
    engine.send(
        "stop\nposition startpos moves e2e4\ngo infinite\nstop\nposition startpos moves e2e4 e7e5\ngo infinite\nstop",
    );
    answers(&mut engine, 3);
    engine.send("go infinite\nstop\nposition startpos moves e2e4\ngo ponder movetime 50\nponderhit");
    answers(&mut engine, 2);
    engine.send("go movetime 300\ngo infinite\nstop");
    answers(&mut engine, 2);
    engine.send("go movetime 300\ngo infinite\ngo ponder\nstop");
    answers(&mut engine, 3);
    // A stop that has done its work leaves the next search alone.
    engine.send("go infinite\nstop\nstop\nponderhit\ngo infinite");
    answers(&mut engine, 1);
    engine.send("stop");
    answers(&mut engine, 1);
    engine.quit_silent();
}

#[test]
fn a_ponder_search_without_limits_refuses_another_after_the_hit() {
    let mut engine = Uci::at("startpos");
    engine.start_go("ponder");
    engine.send("ponderhit\ngo depth 1");
    let refusal = engine.until(|line| line.contains("send stop first"));
    engine.send("stop");
    let mut lines: Vec<String> =
        refusal.into_iter().filter(|line| !line.starts_with("info string")).collect();
    lines.extend(engine.until(|line| line.starts_with("bestmove")));
    engine.judge(&lines);
    engine.quit_silent();
}

#[test]
fn stop_ends_a_count_and_is_told_when_it_cannot_end_a_benchmark() {
    let mut engine = Uci::at("startpos");
    engine.send("perft 12");
    engine.listen(HOLD);
    engine.send("stop");
    engine.until(|line| line == "info string perft stopped before its end");
    assert_eq!(engine.perft(3), 8902);
    engine.send("bench 30");
    engine.listen(HOLD);
    engine.send("stop");
    engine.until(|line| line.starts_with("info string the benchmark cannot be stopped"));
    engine.quit();
}

#[test]
fn a_count_too_deep_is_refused() {
    let mut engine = Uci::at("startpos");
    for line in ["perft 99999999999", "go perft 70000", "perft 31"] {
        engine.send(line);
        engine.until(|line| line.starts_with("info string perft takes a depth from 0 to 30"));
    }
    engine.quit_silent();
}

#[test]
fn a_position_sent_during_a_search_does_not_disturb_it() {
    for (position, limits) in BUSY {
        let mut engine = Uci::at(position);
        engine.start_go(limits);
        engine.send("position fen 8/8/4k3/8/8/4K3/4R3/8 w - - 0 1");
        engine.send("position fen nonsense");
        engine.send("ucinewgame");
        let mut lines = engine.hold(Duration::from_millis(30));
        engine.send("stop");
        lines.extend(engine.until(|line| line.starts_with("bestmove")));
        // The driver judges the moves by the first position.
        engine.judge(&lines);
        // Messages about the refusal may come when the search is over.
        assert!(engine.sync().iter().all(|line| line.starts_with("info string ")));
        engine.send("ucinewgame");
        engine.position("startpos moves d2d4");
        engine.assert_same_position();
        engine.go("depth 2");
        engine.quit_silent();
    }
}

#[test]
fn options_set_during_a_search_hold_for_the_next() {
    let mut engine = Uci::at("startpos");
    for limits in ["infinite", "ponder wtime 60000 btime 60000", "movetime 60000"] {
        engine.start_go(limits);
        let before = engine.setting.clone();
        engine.option("MultiPV", 3);
        engine.option("UCI_ShowWDL", true);
        for line in [
            "Hash value 8",
            "Threads value 2",
            "Clear Hash",
            "Move Overhead value 20",
            "Nonsense value 3",
            "Hash value x",
        ] {
            engine.send(format_args!("setoption name {line}"));
        }
        let mut lines = engine.hold(Duration::from_millis(50));
        engine.send("stop");
        lines.extend(engine.until(|line| line.starts_with("bestmove")));
        // Messages about the wrong ones may come later, when they are acted on.
        let after = std::mem::replace(&mut engine.setting, before);
        engine.judge(&lines);
        engine.setting = after;
        engine.sync();
        engine.go("depth 4");
        engine.option("MultiPV", 1);
        engine.option("UCI_ShowWDL", false);
        engine.option("Threads", 1);
        engine.go("depth 4");
    }
    engine.quit_silent();
}

#[test]
fn the_notation_does_not_change_within_a_search() {
    let mut engine = Uci::at("fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    engine.start_go("searchmoves e1g1 infinite");
    engine.send("setoption name UCI_Chess960 value true");
    let lines = engine.hold(HOLD);
    assert_eq!(engine.stop(lines).best_text, "e1g1");
    engine.setting.chess960 = true;
    assert_eq!(engine.go("searchmoves e1h1 depth 3").best_text, "e1h1");
    engine.quit_silent();
}

#[test]
fn console_commands_during_a_search_break_nothing() {
    let mut engine = Uci::at("startpos");
    engine.start_go("infinite");
    for line in
        ["d", "eval", "help", "perft 2", "go perft 2", "bench 1", "debug on", "register later", "xyzzy", ""]
    {
        engine.send(line);
    }
    engine.send("isready");
    let mut lines = engine.until(|line| line == "readyok");
    assert!(!lines.iter().any(|line| line.starts_with("bestmove")));
    engine.send("stop");
    lines.extend(engine.until(|line| line.starts_with("bestmove")));
    lines.retain(|line| line.starts_with("info ") || line.starts_with("bestmove"));
    engine.judge(&lines);
    // What waited is done now; after that it is as before.
    engine.listen(HOLD);
    engine.send("stop");
    engine.send("debug off");
    engine.sync();
    engine.start_go("depth 2");
    let mut lines = engine.until(|line| line.starts_with("bestmove"));
    lines.retain(|line| line.starts_with("info ") || line.starts_with("bestmove"));
    engine.judge(&lines);
    engine.quit();
}

#[test]
fn a_finished_game_waits_and_uses_no_processor() {
    for (position, limits) in [
        ("startpos moves f2f3 e7e5 g2g4 d8h4", "infinite"),
        ("fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "ponder wtime 100 btime 100"),
    ] {
        let mut engine = Uci::at(position);
        engine.sync_silent();
        let before = engine.processor_time();
        engine.start_go(limits);
        let lines = engine.hold(Duration::from_millis(500));
        let used = engine.processor_time() - before;
        assert!(used < Duration::from_millis(200), "{used:?} of 500 ms");
        assert!(lines.len() < 10, "it goes on writing");
        let search = engine.stop(lines);
        assert_eq!(search.best_text, "(none)");
        engine.quit_silent();
    }
}

#[test]
fn a_new_game_between_searches_of_every_kind() {
    let mut engine = Uci::start();
    for limits in ["depth 5", "nodes 2000", "movetime 10", "wtime 50 btime 50"] {
        engine.send("ucinewgame");
        engine.go(limits);
        engine.position("startpos moves e2e4");
        engine.send("ucinewgame");
        engine.position("startpos moves e2e4 e7e5");
        engine.go(limits);
        engine.send("ucinewgame");
        engine.send("ucinewgame");
        engine.position("startpos");
    }
    engine.quit_silent();
}

#[test]
fn all_of_it_with_several_threads() {
    let mut engine = Uci::start();
    engine.option("Threads", 3);
    engine.position("startpos");
    for _ in 0..15 {
        engine.start_go("infinite");
        engine.send("stop");
        engine.finish();
        engine.start_go("ponder movetime 5");
        engine.send("ponderhit");
        engine.finish();
        engine.sync_silent();
    }
    engine.start_go("infinite");
    engine.send("setoption name Hash value 4");
    engine.send("setoption name Threads value 2");
    let lines = engine.hold(HOLD);
    engine.stop(lines);
    engine.go("depth 5");
    engine.start_go("infinite");
    engine.quit();
}
