//! Races around thinking in the opponent's time, and torture of the Hub protocol, on the real program.

#[path = "support/random.rs"]
mod random;
#[path = "support/hub.rs"]
mod support;

use draughts::rules::International;
use draughts::{Game, Position, legal_moves, notation};
use random::Random;
use std::thread::sleep;
use std::time::Duration;
use support::Hub;

fn start() -> Hub {
    Hub::with(&["hash=1", "book=false"])
}

/// No answer, and no second one, before `end`; exactly one after it.
fn one_answer(engine: &mut Hub, go: &str, wait: Duration, end: &str) -> String {
    let mut early = engine.said(go);
    sleep(wait);
    early.extend(engine.said(""));
    assert!(
        early.iter().all(|line| !line.starts_with("done") && !line.starts_with("error")),
        "{go}: {early:?}"
    );
    engine.send(end);
    let answer = engine.done();
    let late = engine.said("");
    assert_eq!(late, [""; 0], "{go}, {end}");
    answer
}

#[test]
fn a_hit_or_a_stop_after_the_win_was_found_is_answered_once() {
    let mut engine = start();
    for end in ["ponder-hit", "stop", "ponder-hit\nstop", "stop\nponder-hit", "ponder-hit\nponder-hit"] {
        let go = "pos pos=\"W:WK5,K10:BK46\"\nlevel time=60\ngo ponder";
        let answer = one_answer(&mut engine, go, Duration::from_millis(60), end);
        assert!(answer.starts_with("done move="), "{answer}");
    }
}

#[test]
fn limits_that_are_used_up_are_answered_at_the_hit_and_not_before() {
    let mut engine = start();
    let start = "pos pos=start moves=32-28";
    for level in [
        "level move-time=0.02",
        "level move-time=0",
        "level time=0",
        "level time=-1",
        "level time=0.03 inc=0",
        "level moves=1 time=0.03",
        "level depth=1",
        "level nodes=1",
        "level nodes=50 depth=40 move-time=9",
    ] {
        for wait in [0, 50] {
            let go = format!("{start}\n{level}\ngo ponder");
            let answer = one_answer(&mut engine, &go, Duration::from_millis(wait), "ponder-hit");
            let mv = answer.split_whitespace().find_map(|word| word.strip_prefix("move=")).unwrap();
            let mut position = Position::start();
            position = position
                .play::<International>(notation::parse_move::<International>(&position, "32-28").unwrap());
            assert!(notation::parse_move::<International>(&position, mv).is_ok(), "{answer}");
        }
    }
}

#[test]
fn a_single_reply_and_an_end_wait_for_nobody_but_the_protocol() {
    let mut engine = start();
    // One legal move: no instant answer in the opponent's time.
    let forced = "pos pos=\"W:W28,50:B22\"\nlevel move-time=0.01\ngo ponder";
    assert_eq!(
        one_answer(&mut engine, forced, Duration::from_millis(20), "ponder-hit"),
        "done move=28x17x22"
    );
    // No legal move: there is nothing to wait for, and the hit that follows harms nothing.
    engine.send("pos pos=\"B:W50:B\"\nlevel move-time=0.01\ngo ponder");
    assert_eq!(engine.done(), "done");
    assert_eq!(engine.said("ponder-hit\nstop"), [""; 0]);
}

#[test]
fn a_reply_that_ends_the_game_is_not_expected() {
    let mut engine = start();
    // Black takes the last man: nothing is left to think about in Black's time.
    let go = "pos pos=\"W:W46:B36\"\nlevel depth=4\ngo ponder";
    assert_eq!(one_answer(&mut engine, go, Duration::from_millis(20), "ponder-hit"), "done move=46-41");
    let go = "pos pos=\"W:W46,K5:B36\"\nlevel depth=4\ngo ponder";
    let answer = one_answer(&mut engine, go, Duration::from_millis(20), "ponder-hit");
    assert!(answer.contains(" ponder="), "{answer}");
}

#[test]
fn a_stop_while_pondering_frees_the_engine_for_the_real_position() {
    let mut engine = start();
    for wait in [0, 1, 5, 20] {
        engine.send("pos pos=start moves=\"32-28 19-23\"\nlevel time=30\ngo ponder");
        sleep(Duration::from_millis(wait));
        // All in one go, as a client does whose opponent played another move.
        engine.send("stop\npos pos=start moves=\"32-28 17-22\"\nlevel depth=3\ngo think");
        assert!(engine.done().starts_with("done move="));
        assert!(engine.done().starts_with("done move=28x17x22"));
        assert_eq!(engine.said(""), [""; 0]);
    }
}

#[test]
fn a_hit_without_pondering_means_nothing() {
    let mut engine = start();
    assert_eq!(engine.said("ponder-hit"), [""; 0]);
    engine.send("pos pos=start\nlevel depth=4\ngo think\nponder-hit");
    assert!(engine.done().starts_with("done move="));
    // The next search in the opponent's time still waits.
    let go = "pos pos=start\nlevel depth=2\ngo ponder";
    assert!(one_answer(&mut engine, go, Duration::from_millis(20), "ponder-hit").starts_with("done move="));
}

/// A right position with up to 30 random moves.
fn position(random: &mut Random) -> String {
    let mut game = Game::default();
    for _ in 0..random.below(30) {
        let moves = legal_moves::<International>(game.position());
        if moves.is_empty() {
            break;
        }
        game.push::<International>(moves[random.below(moves.len())]);
    }
    let moves: Vec<String> = game.moves().iter().map(ToString::to_string).collect();
    format!("pos pos=start moves=\"{}\"", moves.join(" "))
}

/// A line that is wrong, or is right and asks for nothing that is counted.
fn noise(random: &mut Random) -> String {
    let line = match random.below(5) {
        0 => position(random),
        1 => format!(
            "level {}",
            random.pick(&["depth=2", "nodes=9", "move-time=0.001", "time=0", "inc=x", "infinite"])
        ),
        _ => random
            .pick(&[
                "hub",
                "",
                "xyzzy a=b",
                "set-param name=multi-pv value=2",
                "set-param name=multi-pv value=1",
                "set-param name=level value=3",
                "set-param name=level value=10",
                "set-param name=book-margin value=50",
                "set-param name=nothing value=1",
                "pos pos=\"W:WK5,K10:BK46\"",
                "pos pos=\"B:W50:B\"",
                "pos pos=start moves=\"32-28 32-28\"",
                "pos pos=Wxyz",
                "go sideways",
                "=",
                "level depth=abc",
                "new-game",
                "init",
            ])
            .to_string(),
    };
    let mut bytes: Vec<char> = line.chars().collect();
    if random.below(4) == 0 && !bytes.is_empty() {
        let place = random.below(bytes.len());
        bytes[place] = ['"', '=', ' ', 'x', '9', '\u{e9}', '\0'][random.below(7)];
    }
    let line: String = bytes.into_iter().collect();
    // Damage must not make it a line that is counted.
    let counted = ["go", "ping", "stop", "ponder-hit", "quit"];
    match line.split_whitespace().next() {
        Some(first) if counted.iter().any(|word| first.starts_with(word)) && line != "go sideways" => {
            String::new()
        }
        _ => line,
    }
}

/// Random commands in random states: every search is answered once, every ping once, and the program lives.
#[test]
fn no_sequence_of_commands_loses_or_adds_an_answer() {
    for seed in 0..12 {
        let mut random = Random(seed);
        let mut engine = start();
        for _ in 0..60 {
            let mut lines: Vec<String> = (0..random.below(4)).map(|_| noise(&mut random)).collect();
            // A search that starts for sure, and is ended for sure.
            lines.push(format!("new-game\n{}", position(&mut random)));
            let mode = *random.pick(&["think", "ponder", "analyze", "think infinite"]);
            let level = random.pick(&[
                "depth=3",
                "nodes=500",
                "move-time=0.003",
                "time=0.01 inc=0.001",
                "moves=2 time=0.02",
            ]);
            lines.push(format!("level {level}{}", if mode.ends_with("infinite") { " infinite" } else { "" }));
            lines.push(format!("go {}", mode.split(' ').next().unwrap()));
            for _ in 0..random.below(3) {
                lines.push(
                    random
                        .pick(&[
                            "ping",
                            "hub",
                            "xyzzy",
                            "pos pos=Wx",
                            "set-param name=level value=10",
                            "go think",
                        ])
                        .to_string(),
                );
            }
            match mode {
                "think" | "analyze" if random.below(2) == 0 => {}
                "ponder" => lines
                    .push(random.pick(&["ponder-hit", "stop", "ponder-hit\nstop", "stop\nstop"]).to_string()),
                _ => lines.push("stop".to_owned()),
            }
            let pings = lines.iter().filter(|line| *line == "ping").count();
            // A second search in the batch starts only if the first has already answered.
            let extra = lines.iter().filter(|line| *line == "go think").count()
                - usize::from(mode == "think" || mode == "think infinite");
            engine.send(lines.join("\n"));
            let mut answers = engine.search();
            // Whatever else was started is stopped and answered before the last pong.
            engine.send("stop\nnew-game\nping");
            let mut pongs = answers.iter().filter(|line| *line == "pong").count();
            while pongs < pings + 1 {
                let line = engine.line();
                pongs += usize::from(line == "pong");
                answers.push(line);
            }
            let dones = answers.iter().filter(|line| line.starts_with("done")).count();
            assert!((1..=1 + extra).contains(&dones), "seed {seed}: {dones} answers{}", engine.transcript());
            assert_eq!(pongs, pings + 1);
            let words = ["done", "info", "pong", "error", "id", "param", "wait", "ready"];
            assert!(answers.iter().all(|line| words.contains(&line.split(' ').next().unwrap())));
        }
        engine.quit();
    }
}
