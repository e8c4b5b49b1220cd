//! Pondering under UCI: the races between the search's own end, `ponderhit` and `stop`.

#[path = "support/uci.rs"]
mod support;

use std::time::Duration;
use support::{HOLD, Uci};

/// White mates at once, and has a mate in two as well; Black's only moves lose.
const MATED_SOON: &str = "fen 6k1/5ppp/8/8/8/8/8/R6K b - - 0 1 moves g8h8";

#[test]
fn a_hit_after_the_mate_was_found_is_answered() {
    for limits in
        ["ponder wtime 600000 btime 600000", "ponder depth 3", "ponder nodes 50", "ponder mate 1 wtime 9000"]
    {
        let mut engine = Uci::at(MATED_SOON);
        engine.start_go(limits);
        // The search has nothing left to do, and may say nothing of its move.
        let mut lines = engine.hold(HOLD);
        engine.send("ponderhit");
        lines.extend(engine.until(|line| line.starts_with("bestmove")));
        assert_eq!(engine.judge(&lines).best_text, "a1a8");
        engine.sync_silent();
        engine.quit_silent();
    }
}

#[test]
fn a_stop_while_pondering_is_answered_once() {
    for position in ["startpos moves e2e4", MATED_SOON] {
        let mut engine = Uci::at(position);
        for wait in [0, 1, 20, 100] {
            engine.start_go("ponder wtime 60000 btime 60000");
            let lines = engine.listen(Duration::from_millis(wait));
            engine.stop(lines);
            // What comes too late is ignored.
            engine.send("ponderhit");
            engine.sync_silent();
        }
        engine.quit_silent();
    }
}

#[test]
fn hit_and_stop_at_once_are_answered_once() {
    let mut engine = Uci::at("startpos moves e2e4 e7e5");
    for order in [["ponderhit", "stop"], ["stop", "ponderhit"], ["ponderhit", "ponderhit\nstop"]] {
        for limits in ["ponder", "ponder wtime 60000 btime 60000", "ponder movetime 60000", "ponder depth 1"]
        {
            engine.start_go(limits);
            for command in order {
                engine.send(command);
            }
            engine.finish();
            engine.sync_silent();
        }
    }
    engine.quit_silent();
}

#[test]
fn a_fixed_time_is_kept_silent_until_the_hit() {
    let mut engine = Uci::at("startpos moves e2e4 e7e5");
    engine.start_go("ponder movetime 20");
    let mut lines = engine.hold(HOLD);
    engine.send("ponderhit");
    lines.extend(engine.until(|line| line.starts_with("bestmove")));
    engine.judge(&lines);
    engine.quit_silent();
}

#[test]
fn pondering_again_and_again() {
    let mut engine = Uci::at("startpos moves d2d4");
    for round in 0..40 {
        engine.start_go("ponder wtime 30 btime 30");
        engine.send(if round % 3 == 0 { "stop" } else { "ponderhit" });
        engine.finish();
    }
    engine.quit_silent();
}
