//! `go` with clocks of every kind: whatever they show, one legal move comes. How well the time is used is not
//! judged here.

#[path = "support/uci.rs"]
mod support;

use support::Uci;

#[test]
fn the_opponents_clock_may_be_negative() {
    let mut engine = Uci::at("startpos moves e2e4 e7e5");
    engine.go("wtime 2000 btime -170000 winc 20 binc 20");
    engine.quit_silent();
}

#[test]
fn an_overdrawn_clock_still_gives_a_move() {
    let mut engine = Uci::at("startpos");
    engine.go("wtime -25 btime 3000 winc 80 binc 80");
    engine.go("wtime -25 btime 3000");
    engine.go("wtime 0 btime 0");
    engine.go("wtime 0 btime 0 winc 0 binc 0 movestogo 1");
    engine.go("wtime -9223372036854775808 btime -1");
    engine.position("startpos moves e2e4");
    engine.go("wtime 3000 btime -1 winc 80 binc 80");
    engine.go("wtime 3000 btime -1");
    engine.quit_silent();
}

#[test]
fn a_clock_below_the_overhead() {
    let mut engine = Uci::at("startpos");
    for overhead in [0, 10, 1000, 10_000] {
        engine.option("Move Overhead", overhead);
        for time in [1, 5, 10, 29, 50] {
            engine.go(&format!("wtime {time} btime {time}"));
            engine.go(&format!("wtime {time} btime {time} winc 1 binc 1"));
        }
        engine.go("movetime 5");
    }
    engine.quit_silent();
}

#[test]
fn the_clock_of_one_side_only() {
    let mut engine = Uci::at("startpos");
    engine.go("wtime 100");
    engine.go("wtime 100 winc 1");
    engine.position("startpos moves e2e4");
    engine.go("btime 100");
    engine.quit_silent();
}

#[test]
fn the_other_sides_clock_only_must_not_lose_the_move() {
    // Whether this is a limit is not said anywhere: it ends by itself or at `stop`.
    let mut engine = Uci::at("startpos");
    for limits in
        ["btime 100", "btime 100 binc 10", "winc 10", "binc 10", "movestogo 5", "winc 10 movestogo 5"]
    {
        engine.start_go(limits);
        engine.send("stop");
        engine.finish();
        engine.sync_silent();
    }
    engine.quit_silent();
}

#[test]
fn huge_clocks_are_stopped_by_hand() {
    let mut engine = Uci::at("startpos");
    for time in ["2147483648", "1099511627776", "9223372036854775807", "99999999999999999999999999"] {
        engine.go_and_stop(&format!("wtime {time} btime {time}"));
        engine.go_and_stop(&format!("wtime {time} btime {time} winc {time} binc {time}"));
        engine.go_and_stop(&format!("wtime {time} btime {time} movestogo 1"));
        engine.go_and_stop(&format!("movetime {time}"));
    }
    engine.quit_silent();
}

#[test]
fn the_increment_may_exceed_the_clock() {
    let mut engine = Uci::at("startpos");
    engine.go("wtime 50 btime 50 winc 100000 binc 100000");
    engine.go("wtime 1 btime 1 winc 9223372036854775807 binc 9223372036854775807");
    engine.quit_silent();
}

#[test]
fn odd_increments_and_moves_to_go() {
    let mut engine = Uci::at("startpos");
    for words in [
        "winc -5 binc -5",
        "winc -9223372036854775808",
        "movestogo 0",
        "movestogo -3",
        "movestogo 1",
        "movestogo 1 winc 10 binc 10",
        "movestogo 2",
        "movestogo 40",
        "movestogo 9223372036854775807",
        "movestogo 1 movestogo 40",
    ] {
        engine.go(&format!("wtime 60 btime 60 {words}"));
    }
    engine.quit_silent();
}

#[test]
fn a_clock_that_counts_down_to_nothing() {
    let mut engine = Uci::at("startpos");
    for time in (0..40).rev() {
        engine.start_go(&format!("wtime {time} btime {time} winc 2 binc 2"));
        engine.finish();
    }
    engine.quit_silent();
}

#[test]
fn a_forced_move_and_a_finished_game_under_a_clock() {
    for position in [
        "fen 1r6/8/8/8/8/8/2k5/K7 w - - 0 1",
        "startpos moves f2f3 e7e5 g2g4 d8h4",
        "fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    ] {
        let mut engine = Uci::at(position);
        engine.go("wtime 2000 btime 2000 winc 10 binc 10");
        engine.go("wtime 20 btime 20");
        engine.quit_silent();
    }
}

#[test]
fn two_threads_under_a_clock() {
    let mut engine = Uci::start();
    engine.option("Threads", 2);
    engine.position("startpos");
    for limits in ["wtime 200 btime 200", "wtime 1 btime 1", "movetime 20", "wtime -5 btime 7 movestogo 1"] {
        engine.go(limits);
    }
    engine.quit_silent();
}
