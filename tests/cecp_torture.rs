//! Short CECP sessions of random commands in random states, from fixed seeds. Whatever comes, the engine says what
//! the protocol allows and no more, and ends with status 0 and a silent error stream.

#[path = "support/cecp.rs"]
mod support;

use movegen::Board;
use std::time::{Duration, Instant};
use support::{Cecp, LIVENESS, Random, is_thinking, read_move};

/// Sessions of one test, as far as its time allows.
const SESSIONS: u64 = 150;
/// Sessions that are held however slow the machine.
const LEAST_SESSIONS: u64 = 10;
const TIME: Duration = Duration::from_secs(6);

/// Holds sessions of consecutive seeds. `DYAD_TORTURE` sets their number, without a limit of time.
fn hold(first_seed: u64, session: fn(&mut Random)) {
    let wanted = std::env::var("DYAD_TORTURE").ok().and_then(|text| text.parse().ok());
    let start = Instant::now();
    for index in 0..wanted.unwrap_or(SESSIONS) {
        if wanted.is_none() && index >= LEAST_SESSIONS && start.elapsed() > TIME {
            break;
        }
        let seed = first_seed + index;
        eprintln!("seed {seed}");
        session(&mut Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15)));
    }
}

const FENS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
    "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "8/8/4k3/8/8/4K3/8/8 w - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 98 60",
    "rk2nq1r/pppb2pp/4pb2/3p1pB1/3P4/5N2/PPP1PPPP/RK1BN1QR b KQkq - 5 9",
    "4k3/8/8/8/8/8/8/8 w - - 0 1",
    "rubbish",
];

/// A line that is right in some state, or in none.
fn line(random: &mut Random) -> String {
    let square = |random: &mut Random| {
        format!("{}{}", random.pick(&["a", "b", "d", "e", "g", "h"]), 1 + random.below(8))
    };
    match random.below(46) {
        0..=6 => format!("usermove {}{}", square(random), square(random)),
        7 => (*random.pick(&["O-O", "usermove O-O-O", "e4", "usermove Nf3", "@@@@", "usermove a7a8q", "d5"]))
            .into(),
        8 => "new".into(),
        9 => "force".into(),
        10 | 11 => "go".into(),
        12 => "?".into(),
        13 => format!("setboard {}", random.pick(FENS)),
        14 => "undo".into(),
        15 => "remove".into(),
        16 => "analyze".into(),
        17 => "exit".into(),
        18 => ".".into(),
        19 => "hint".into(),
        20 => "bk".into(),
        21 => (*random.pick(&["pause", "resume", "resume"])).into(),
        22 => (*random.pick(&["hard", "easy"])).into(),
        23 => (*random.pick(&["post", "nopost"])).into(),
        24 => format!(
            "level {} 0:{:02} {}",
            random.below(3) * 20,
            random.below(2),
            random.pick(&["0", "0.01", "x", "1e9"])
        ),
        25 => format!("st {}", random.pick(&["0", "0.01", "0.002", "-1", "", "y"])),
        26 => format!("sd {}", random.pick(&["0", "1", "3", "5", "999999999999", ""])),
        27 => format!("time {}", random.pick(&["1", "5", "-4", "20", "z"])),
        28 => format!("otim {}", random.below(100)),
        29 => (*random.pick(&["white", "black", "playother", "random", "computer"])).into(),
        30 => {
            (*random.pick(&["draw", "result 1-0 {x}", "result", "name X Y", "rating 1 2", "rating"])).into()
        }
        31 => (*random.pick(&["memory 1", "memory 3", "memory x", "cores 1", "cores 2", "cores 3"])).into(),
        32 => (*random.pick(&[
            "option Hash=2",
            "option MultiPV=2",
            "option MultiPV=1",
            "option Clear Hash",
            "option",
            "option UCI_LimitStrength=1",
            "option UCI_LimitStrength=0",
            "option Nonsense=2",
            "option ResignScore=300",
        ]))
        .into(),
        33 => format!("exclude {}{}", square(random), square(random)),
        34 => {
            (*random.pick(&["exclude all", "include all", "include e2e4", "exclude", "exclude d2d4"])).into()
        }
        35 => (*random.pick(&["variant fischerandom", "variant normal", "variant atomic", "variant"])).into(),
        36 => (*random.pick(&["accepted debug", "rejected debug", "accepted ping", "protover 2", "xboard"]))
            .into(),
        37 => (*random.pick(&[
            "xyzzy",
            "",
            "   ",
            "\u{0}\u{7f}",
            "\u{fffd}",
            "uci",
            "usermove",
            "ping",
            "ping x",
        ]))
        .into(),
        38 => (*random.pick(&["nps 1000", "nps 0", "nps -1", "egtpath syzygy /nowhere", "egtpath nalimov"]))
            .into(),
        39 => format!(
            "edit\n{}\n.",
            random.pick(&["#", "#\nKe1\nc\nKe8\nPa7", "xd1\nc\nxd8", "Zz9\nquark", ""])
        ),
        _ => format!("usermove {}{}", random.pick(&["e2", "d2", "g1", "e7", "d7", "g8"]), square(random)),
    }
}

/// Whether a line is one that the engine may write at all.
fn is_known(line: &str) -> bool {
    line.is_empty()
        || is_thinking(line)
        || [
            "move ",
            "pong ",
            "Hint: ",
            "Illegal move",
            "Error (",
            "tellusererror ",
            "telluser ",
            "stat01: ",
            "feature ",
            "offer draw",
            "resign",
            "# ",
            "1-0 {",
            "0-1 {",
            "1/2-1/2 {",
            " ",
        ]
        .iter()
        .any(|start| line.starts_with(start))
}

/// Gives whatever runs an end and returns all lines up to it.
fn settle(engine: &mut Cecp, number: usize) -> Vec<String> {
    // A pause is lifted and a search told to move; one that a waiting line starts then needs another word.
    engine.send_all(&["resume", "?", &format!("ping {number}")]);
    let pong = format!("pong {number}");
    let start = Instant::now();
    let mut lines = Vec::new();
    loop {
        let some = engine.listen(Duration::from_millis(20));
        let is_done = some.contains(&pong);
        lines.extend(some);
        if is_done {
            return lines;
        }
        if start.elapsed() > LIVENESS {
            engine.fail(format_args!("no {pong}: {lines:#?}"));
        }
        engine.send("?");
    }
}

fn begin(random: &mut Random) -> Cecp {
    let mut engine = Cecp::bare(&[]);
    engine.send("xboard");
    if random.below(4) > 0 {
        engine.send("protover 2");
        engine.before("feature done=1");
    }
    engine.send_all(&["new", "memory 1", "level 0 0:01 0"]);
    engine
}

fn finish(engine: Cecp, random: &mut Random) {
    let lines = if random.below(2) == 0 { engine.quit() } else { engine.close() };
    assert!(lines.iter().all(|line| is_known(line)), "{lines:#?}");
}

/// Any lines. For each there may be one error at most, one move at most, and so on.
fn wild(random: &mut Random) {
    let mut engine = begin(random);
    for round in 0..1 + random.below(6) {
        let sent: Vec<String> = (0..1 + random.below(12)).map(|_| line(random)).collect();
        let together = random.below(2) == 0;
        if together {
            engine.send(sent.join("\n"));
        } else {
            for line in &sent {
                engine.send(line);
                if random.below(4) == 0 {
                    std::thread::sleep(Duration::from_micros(random.below(3000) as u64));
                }
            }
        }
        let lines = settle(&mut engine, round + 1);
        let sent: Vec<&str> = sent.iter().flat_map(|line| line.split('\n')).collect();
        for line in &lines {
            assert!(is_known(line), "{line:?}{}", engine.transcript());
        }
        let count = |starts: &[&str]| {
            lines.iter().filter(|line| starts.iter().any(|start| line.starts_with(start))).count()
        };
        let sent_count = |words: &[&str]| {
            sent.iter().filter(|line| words.contains(&line.split(' ').next().unwrap_or_default())).count()
        };
        // Lines of earlier rounds may have left an open pause or an unanswered move: one more at most.
        let moves = count(&["move ", "resign"]);
        let calls = sent
            .iter()
            .filter(|line| {
                let word = line.split(' ').next().unwrap_or_default();
                matches!(word, "usermove" | "go" | "O-O" | "e4" | "d5" | "@@@@")
            })
            .count();
        assert!(moves <= calls + 1, "{moves} moves for {calls}: {lines:#?}{}", engine.transcript());
        assert!(count(&["Illegal move", "Error ("]) <= sent.len() + 1, "{lines:#?}{}", engine.transcript());
        assert_eq!(count(&["pong "]), 1, "{lines:#?}{}", engine.transcript());
        assert!(count(&["stat01: "]) <= sent_count(&["."]), "{lines:#?}{}", engine.transcript());
        assert!(count(&["feature done=1"]) <= sent_count(&["protover"]), "{lines:#?}");
    }
    finish(engine, random);
}

/// A game with a referee: right and wrong moves, both sides, taking back, all in step. Every line is foreseen.
fn refereed(random: &mut Random) {
    let mut engine = begin(random);
    engine.send_all(&["easy", "nopost", "sd 2", "force"]);
    engine.answers();
    let mut board = Board::startpos();
    let mut plies = 0;
    for _ in 0..10 + random.below(60) {
        match random.below(10) {
            0..=4 => {
                let moves = board.legal_moves();
                if moves.is_empty() {
                    continue;
                }
                let mv = moves[random.below(moves.len())];
                let text = match random.below(3) {
                    0 => board.san(mv),
                    _ => mv.uci(false).to_string(),
                };
                engine.ask(&format!("usermove {text}"), &[]);
                board.make_move(mv, &mut movegen::NoObserver);
                plies += 1;
            }
            5 => {
                let text = "a1a1";
                engine.ask(text, &[&format!("Illegal move: {text}")]);
            }
            6 if plies > 0 => {
                engine.ask("undo", &[]);
                board.unmake_move();
                plies -= 1;
            }
            6 => engine.ask("undo", &["Error (command not legal now): undo"]),
            7 => {
                engine.send_all(&["analyze", "exit"]);
                engine.silent();
            }
            _ => {
                let has_moves = board.has_legal_move();
                engine.send("go");
                let lines = engine.answers();
                let moves: Vec<_> = lines.iter().filter_map(|line| line.strip_prefix("move ")).collect();
                assert_eq!(moves.len(), usize::from(has_moves), "{lines:#?}{}", engine.transcript());
                for text in moves {
                    let mv = read_move(&board, text).unwrap_or_else(|| panic!("{text} in {}", board.fen()));
                    board.make_move(mv, &mut movegen::NoObserver);
                    plies += 1;
                }
                if !has_moves {
                    assert!(lines.len() == 1 && lines[0].contains('{'), "{lines:#?}");
                }
                engine.ask("force", &[]);
            }
        }
    }
    finish(engine, random);
}

#[test]
fn any_commands_in_any_order() {
    hold(1, wild);
}

#[test]
fn any_commands_in_another_order() {
    hold(50_001, wild);
}

#[test]
fn games_with_a_referee() {
    hold(100_001, refereed);
}
