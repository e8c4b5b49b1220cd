//! CECP as a protocol: start-up, settings, errors, order of answers, ends.

#[path = "support/cecp.rs"]
mod support;

use std::time::Duration;
use support::{Cecp, is_thinking};

/// A position with many replies, and a time that no test waits for.
const SLOW: &[&str] = &["level 0 60 0"];

#[test]
fn the_first_line_chooses_the_protocol() {
    let mut engine = Cecp::bare(&[]);
    engine.send("xboard");
    engine.silent();
    assert!(engine.quit().is_empty());
    let mut engine = Cecp::bare(&["cecp"]);
    engine.silent();
    assert!(engine.quit().is_empty());
    let mut engine = Cecp::bare(&[]);
    engine.send_all(&["isready", "xboard"]);
    assert_eq!(engine.line(), "readyok");
    assert!(engine.quit().is_empty());
    for arguments in [&[][..], &["cecp"]] {
        assert!(Cecp::bare(arguments).close().is_empty());
    }
}

#[test]
fn features_come_in_one_piece_and_again_when_asked() {
    let mut engine = Cecp::bare(&[]);
    engine.send("xboard");
    for version in [2, 3, 1000] {
        engine.send(format_args!("protover {version}"));
        let lines = engine.before("feature done=1");
        assert!(lines.iter().all(|line| line.starts_with("feature ")), "{lines:#?}");
        for wanted in [
            "ping=1",
            "setboard=1",
            "playother=1",
            "san=0",
            "usermove=1",
            "time=1",
            "draw=1",
            "sigint=0",
            "sigterm=0",
            "reuse=1",
            "analyze=1",
            "variants=\"normal,fischerandom\"",
            "colors=0",
            "name=1",
            "nps=1",
            "debug=1",
            "memory=1",
            "smp=1",
            "exclude=1",
            "pause=1",
            "setscore=0",
        ] {
            let count = lines.iter().filter(|line| **line == format!("feature {wanted}")).count();
            assert_eq!(count, 1, "{wanted} in {lines:#?}");
        }
        assert!(lines.iter().any(|line| line.starts_with("feature myname=\"Dyad ")), "{lines:#?}");
    }
    engine.silent();
}

#[test]
fn every_option_of_uci_is_a_feature() {
    let mut engine = Cecp::bare(&[]);
    engine.send("uci");
    let uci: Vec<String> = engine.before("uciok");
    let names: Vec<&str> = uci
        .iter()
        .filter_map(|line| line.strip_prefix("option name "))
        .filter_map(|line| line.split_once(" type "))
        .map(|(name, _)| name)
        .collect();
    assert!(names.len() > 10);
    let mut engine = Cecp::bare(&[]);
    engine.send_all(&["xboard", "protover 2"]);
    let features = engine.before("feature done=1");
    for name in names {
        let start = format!("feature option=\"{name} -");
        assert_eq!(features.iter().filter(|line| line.starts_with(&start)).count(), 1, "{name}");
    }
}

#[test]
fn what_means_nothing_is_silent() {
    let mut engine = Cecp::start();
    engine.send_all(&[
        "variant normal",
        "accepted ping",
        "accepted foo",
        "rejected bar",
        "rejected option \"Hash -spin 16 1 2\"",
        "rejected usermove",
        "random",
        "computer",
        "name Somebody Else",
        "rating 0 0",
        "rating 2500 2400",
        "ics freechess.org",
        "hover e2",
        "lift e2",
        "put e4",
        "partner",
        "hard",
        "easy",
        "post",
        "nopost",
        "xboard",
        "otim 5",
        "?",
        ".",
        "result * {}",
        "result",
        "",
        "   ",
        "pause",
        "resume",
        "white",
        "black",
        "nps 0",
        "sd 0",
        "level 40 25+5 0",
        "st 0",
    ]);
    engine.silent();
}

#[test]
fn errors_are_told_apart() {
    let mut engine = Cecp::start();
    engine.ask("xyzzy", &["Error (unknown command): xyzzy"]);
    engine.ask("fritz", &["Error (unknown command): fritz"]);
    engine.ask("uci", &["Error (unknown command): uci"]);
    engine.ask("usermove nothing", &["Error (expected a move): usermove nothing"]);
    engine.ask("exit", &["Error (command not legal now): exit"]);
    engine.ask("undo", &["Error (command not legal now): undo"]);
    engine.ask("remove", &["Error (command not legal now): remove"]);
    engine.ask("playother", &["Error (command not legal now): playother"]);
    engine.ask("variant atomic", &["Error (unsupported variant): atomic"]);
    engine.ask("usermove e2e5", &["Illegal move: e2e5"]);
    engine.ask("e7e5", &["Illegal move: e7e5"]);
    engine.ask("option NoSuch=3", &["Error (no option named 'NoSuch'): option"]);
    engine.ask(
        "option Hash=many",
        &["Error (option Hash takes a whole number from 1 to 1048576, not 'many'): option"],
    );
    engine.send("analyze");
    engine.ask("go", &["Error (command not legal now): go"]);
    engine.send("exit");
    engine.silent();
}

#[test]
fn garbage_does_no_harm() {
    let mut engine = Cecp::start();
    engine.send("\u{0}\u{1}\u{feff}\u{fffd}");
    engine.send("usermove \u{1F600}");
    engine.send("a".repeat(1_000_000));
    engine.send(format_args!("setboard {}", "8/".repeat(100_000)));
    engine.send("new");
    let lines = engine.answers();
    assert_eq!(lines.len(), 4, "{}", lines.len());
    assert!(lines.iter().all(|line| line.len() < 300));
    engine.ask("e2e9", &["Error (unknown command): e2e9"]);
}

#[test]
fn a_line_without_end_is_one_error() {
    let mut engine = Cecp::start();
    engine.send(format_args!("setboard {}", "8/".repeat(1 << 20)));
    let begin: String = format!("setboard {}", "8/".repeat(40)).chars().take(40).collect();
    assert_eq!(engine.answers(), [format!("Error (line too long): {begin}")]);
    engine.ask("e2e9", &["Error (unknown command): e2e9"]);
}

#[test]
fn pings_are_answered_in_order() {
    let mut engine = Cecp::with(SLOW);
    engine.send_all(&["ping 1", "ping 4294967295", "ping 0007"]);
    assert_eq!([engine.line(), engine.line(), engine.line()], ["pong 1", "pong 4294967295", "pong 0007"]);
    // While thinking only after the move.
    engine.send_all(&["usermove e2e4", "ping 8", "ping 9"]);
    assert!(engine.listen(Duration::from_millis(100)).is_empty());
    engine.send("?");
    assert!(engine.line().starts_with("move "));
    assert_eq!([engine.line(), engine.line()], ["pong 8", "pong 9"]);
    // A search that is given up frees them.
    engine.send_all(&["new", "usermove e2e4", "ping 10", "force"]);
    assert_eq!(engine.line(), "pong 10");
    // An analysis and pondering go on.
    engine.send_all(&["analyze", "post"]);
    assert_eq!(engine.answers().len(), 0);
    engine.thinking();
    engine.ask("exit", &[]);
}

#[test]
fn all_in_one_write() {
    let mut engine = Cecp::bare(&[]);
    engine.send_all(&[
        "xboard",
        "protover 2",
        "new",
        "level 40 0:30 0",
        "post",
        "hard",
        "usermove e2e4",
        "?",
        "ping 1",
        "ping 2",
    ]);
    engine.before("feature done=1");
    let lines = engine.before("pong 1");
    let moves: Vec<_> = lines.iter().filter(|line| line.starts_with("move ")).collect();
    assert_eq!(moves.len(), 1, "{lines:#?}");
    assert_eq!(lines.last(), Some(moves[0]), "nothing after the move before the pong");
    let lines = engine.before("pong 2");
    assert!(lines.is_empty(), "{lines:#?}");
    // Moves sent ahead are taken one after the other, each with its answer.
    let mut engine = Cecp::start();
    engine.send_all(&[
        "level 0 60 0",
        "sd 1",
        "usermove e2e4",
        "usermove h2h5",
        "xyzzy",
        "usermove h2h3",
        "ping 1",
    ]);
    let lines = engine.before("pong 1");
    let kinds: Vec<_> = lines.iter().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(kinds, ["move", "Illegal", "Error", "move"], "{lines:#?}");
}

#[test]
fn commands_behind_a_move_that_waits_do_not_wait_long() {
    for last in ["force", "new", "result 1-0 {x}", "setboard 8/8/4k3/8/8/4K3/8/8 w - - 0 1", "?", "undo"] {
        let mut engine = Cecp::with(&["level 0 60 0", "usermove e2e4", "usermove h2h3"]);
        engine.send_all(&[last, "ping 1"]);
        let lines = engine.before("pong 1");
        let moves = lines.iter().filter(|line| line.starts_with("move ")).count();
        assert_eq!(moves, if last == "?" { 2 } else { 1 }, "{last}: {lines:#?}");
    }
}

#[test]
fn quit_and_the_end_of_input_end_it_in_every_state() {
    let states: &[&[&str]] = &[
        &[],
        &["force"],
        &["level 0 60 0", "usermove e2e4"],
        &["level 0 60 0", "usermove e2e4", "usermove d2d4"],
        &["hard", "sd 1", "usermove e2e4", "?"],
        &["post", "analyze"],
        &["edit", "#"],
        &["level 0 60 0", "usermove e2e4", "pause"],
        &["setboard nothing"],
        &["cores 4", "analyze"],
    ];
    for state in states {
        for quits in [true, false] {
            let engine = Cecp::with(state);
            let lines = if quits { engine.quit() } else { engine.close() };
            let wrong: Vec<_> = lines
                .iter()
                .filter(|line| {
                    !is_thinking(line) && !line.starts_with("move ") && !line.starts_with("Hint: ")
                })
                .filter(|line| !line.starts_with("tellusererror "))
                .collect();
            assert!(wrong.is_empty(), "{state:?}: {wrong:#?}");
        }
    }
}

#[test]
fn settings_in_every_state() {
    let settings = [
        "memory 1",
        "memory 64",
        "memory 0",
        "memory -5",
        "cores 2",
        "cores 0",
        "cores 1",
        "option Hash=8",
        "option Clear Hash",
        "option MultiPV=3",
        "option MultiPV=1",
        "option UCI_ShowWDL=1",
        "option Ponder=0",
        "egtpath nalimov /nowhere",
        "egtpath gaviota",
        "egtpath syzygy",
        "option UCI_Opponent=none none human X",
    ];
    for state in [&["force"][..], &["post", "analyze"], &["hard", "sd 6", "usermove e2e4", "ping 99"]] {
        let mut engine = Cecp::with(state);
        if state[0] == "hard" {
            engine.before("pong 99");
        }
        for setting in settings {
            engine.send(setting);
            let lines = engine.answers();
            assert!(lines.is_empty(), "{state:?} {setting}: {lines:#?}");
        }
    }
    // While thinking they wait for the move; one that is wrong is told then.
    let mut engine = Cecp::with(&["level 0 60 0", "usermove e2e4"]);
    engine.send_all(&settings);
    engine.send_all(&["option NoSuch", "?", "ping 1"]);
    let lines = engine.before("pong 1");
    assert!(lines[0].starts_with("move "), "{lines:#?}");
    assert_eq!(lines[1..], ["Error (no option named 'NoSuch'): option"]);
    // What was adjusted is told to those who want to know.
    let mut engine = Cecp::with(&["accepted debug"]);
    engine.ask("cores 0", &["# option Threads: 0 is out of range, using 1"]);
    engine.send("rejected debug");
    engine.ask("cores 0", &[]);
}

#[test]
fn the_book_is_shown_and_played() {
    // One entry of the Polyglot format: the start position, e2e4, weight 1.
    let entry: [u8; 16] = [0x46, 0x3b, 0x96, 0x18, 0x16, 0x91, 0xfc, 0x9c, 0x03, 0x1c, 0, 1, 0, 0, 0, 0];
    let file = std::env::temp_dir().join(format!("dyad-cecp-{}.bin", std::process::id()));
    std::fs::write(&file, entry).unwrap();
    let mut engine =
        Cecp::with(&["hard", "option OwnBook=1", &format!("option BookFile={}", file.display())]);
    engine.send("bk");
    assert_eq!(engine.sync(), [" e4       100%", ""]);
    for commands in [&["go"][..], &["new", "go"], &["new", "force", "playother", "force", "go"]] {
        engine.send_all(commands);
        assert_eq!(engine.moved(), "e2e4");
        engine.send("bk");
        assert_eq!(engine.sync().len(), 2);
    }
    // Several moves ahead, the first from the book.
    engine.send_all(&["new", "sd 1", "go", "usermove e7e5", "usermove e7e6"]);
    let lines = engine.answers();
    let kinds: Vec<_> = lines.iter().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(kinds, ["move", "move", "Illegal"], "{lines:#?}");
    engine.send_all(&["new", "force", "exclude e2e4", "sd 1", "go"]);
    assert_ne!(engine.moved(), "e2e4");
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn book_and_hint() {
    let mut engine = Cecp::start();
    engine.send("bk");
    let lines = engine.sync();
    assert!(lines.len() >= 2 && lines.last().unwrap().is_empty(), "{lines:#?}");
    assert!(lines[..lines.len() - 1].iter().all(|line| line.starts_with(' ')), "{lines:#?}");
    for state in [&["force"][..], &["analyze"], &[]] {
        let mut engine = Cecp::with(state);
        let mut hints = Vec::new();
        // An analysis may not have a move yet.
        while hints.is_empty() {
            engine.send("hint");
            hints = engine.answers();
        }
        assert!(hints.len() == 1 && hints[0].starts_with("Hint: "), "{hints:#?}");
    }
    // Nothing to suggest.
    let mut engine = Cecp::with(&["force", "setboard 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"]);
    engine.ask("hint", &[]);
    engine.send("setboard nonsense");
    engine.answers();
    engine.ask("hint", &[]);
    let mut engine = Cecp::with(&["level 0 60 0", "usermove e2e4", "hint"]);
    assert!(engine.listen(Duration::from_millis(60)).is_empty());
    engine.send("?");
    engine.moved();
}
