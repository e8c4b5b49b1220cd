//! The form of the conversation: handshake, spelling of lines, what is passed over, and what is never written.

#[path = "support/raw.rs"]
mod raw;
#[path = "support/uci.rs"]
mod support;

use raw::run;
use std::time::Duration;
use support::{Uci, check, node_count};

/// The answer to `uci` up to `uciok`.
fn handshake(engine: &mut Uci) -> Vec<String> {
    engine.send("uci");
    engine.until(|line| line == "uciok")
}

#[test]
fn the_handshake_names_engine_and_author_once() {
    let mut engine = Uci::start();
    let lines = handshake(&mut engine);
    for key in ["id name ", "id author "] {
        let found: Vec<_> = lines.iter().filter_map(|line| line.strip_prefix(key)).collect();
        assert_eq!(found.len(), 1, "{lines:#?}");
        assert!(!found[0].trim().is_empty());
    }
    for line in &lines {
        check::spelling(line).unwrap();
        assert!(["id ", "option name "].iter().any(|key| line.starts_with(key)) || line == "uciok", "{line}");
    }
    engine.quit_silent();
}

#[test]
fn the_answers_are_spelt_to_the_byte() {
    let run = run(&[], b"uci\nisready\nquit\n");
    assert_eq!((run.status, run.errors.as_str()), (Some(0), ""));
    assert!(run.output.starts_with(b"id name "));
    assert!(run.output.ends_with(b"\nuciok\nreadyok\n"));
    assert!(run.output.iter().all(|byte| *byte == b'\n' || (b' '..=b'~').contains(byte)));
    assert!(run.text().lines().all(|line| line == line.trim_end()));
}

#[test]
fn a_repeated_handshake_gets_the_same_answer() {
    let mut engine = Uci::start();
    let first = handshake(&mut engine);
    assert_eq!(handshake(&mut engine), first);
    engine.go("depth 2");
    assert_eq!(handshake(&mut engine), first);
    engine.quit_silent();
}

#[test]
fn quit_directly_after_the_handshake_or_instead_of_it() {
    assert_eq!(run(&[], b"quit\n").output, b"");
    assert_eq!(run(&[], b"uci\nquit\n").status, Some(0));
    assert!(run(&[], b"uci\nquit\n").output.ends_with(b"uciok\n"));
}

#[test]
fn it_plays_without_ever_seeing_the_handshake() {
    let mut engine = Uci::start();
    engine.go("depth 3");
    engine.quit_silent();
}

#[test]
fn the_end_of_the_input_ends_the_engine() {
    for (input, output) in [
        (&b""[..], &b""[..]),
        (b"\n", b""),
        (b"isready", b"readyok\n"),
        (b"isready\nisready", b"readyok\nreadyok\n"),
    ] {
        let run = run(&[], input);
        assert_eq!((run.status, run.errors.as_str()), (Some(0), ""), "{input:?}");
        assert_eq!(run.output, output, "{input:?}");
    }
}

#[test]
fn what_follows_quit_is_not_answered() {
    let run = run(&[], b"isready\nquit\nisready\nuci\n");
    assert_eq!((run.status, run.output.as_slice()), (Some(0), &b"readyok\n"[..]));
}

#[test]
fn the_uci_subcommand_speaks_the_same_language() {
    let plain = run(&[], b"uci\nisready\nquit\n");
    let named = run(&["uci"], b"uci\nisready\nquit\n");
    assert_eq!((named.status, named.output), (Some(0), plain.output));
}

#[test]
fn lines_may_end_in_lf_cr_or_both() {
    for end in ["\n", "\r\n", "\r", "\n\n", "\r\n\r\n", " \t\r\n"] {
        let input =
            ["isready", "position startpos moves e2e4", "isready", "quit"].map(|line| format!("{line}{end}"));
        let run = run(&[], input.concat().as_bytes());
        assert_eq!((run.status, run.text()), (Some(0), "readyok\nreadyok\n"), "line end {end:?}");
    }
}

#[test]
fn runs_of_white_space_and_blank_lines_do_not_matter() {
    let mut engine = Uci::start();
    for line in ["", "   ", "\t", "\r", " \t \r"] {
        engine.send(line);
    }
    engine.sync_silent();
    for line in ["   isready   ", "\tisready\t", "isready\r"] {
        engine.send(line);
        assert_eq!(engine.line(), "readyok");
    }
    engine.setting.board = support::referee("startpos moves e2e4 e7e5");
    engine.send("\t position  startpos\t\tmoves   e2e4 \t e7e5  ");
    engine.assert_same_position();
    engine.start_go("  depth \t 2  ");
    engine.finish();
    engine.quit_silent();
}

#[test]
fn words_before_a_command_are_skipped() {
    let mut engine = Uci::start();
    engine.send("joho debug on");
    engine.send("debug off");
    engine.sync_silent();
    for line in ["xyz isready", "please be isready", "§ isready"] {
        engine.send(line);
        assert_eq!(engine.line(), "readyok", "{line}");
    }
    engine.setting.board = support::referee("startpos moves e2e4");
    engine.send("now position startpos moves e2e4");
    engine.assert_same_position();
    engine.quit_silent();
}

#[test]
fn unknown_lines_are_passed_over() {
    let mut engine = Uci::start();
    for line in [
        "xyzzy",
        "UCIX",
        "ucinewgamex",
        "goo",
        "1",
        "-",
        "%s%n%d",
        "\"",
        "info depth 3",
        "bestmove e2e4",
        "uciok",
        "readyok",
        "id name X",
    ] {
        engine.ignored(line);
    }
    engine.assert_same_position();
    engine.go("depth 1");
    engine.quit_silent();
}

#[test]
fn stray_bytes_do_no_harm() {
    let inputs: [&[u8]; 9] = [
        b"\xEF\xBB\xBFisready\n",
        b"\0isready\0\nisready\n",
        b"\xff\xfe\x80\nisready\n",
        b"setoption name \xff\xfe value \x80\nisready\n",
        b"position startpos moves \xc3\x28 e2e4\nisready\n",
        b"position fen \0\0\0 w - - 0 1\nisready\n",
        "position fen ♔♕♖ w - - 0 1\nisready\n".as_bytes(),
        "isready\u{85}\n\u{2028}\nisready\n".as_bytes(),
        b"\x1b[A\x1b[2J\nisready\n",
    ];
    for input in inputs {
        let run = run(&[], input);
        let shown = String::from_utf8_lossy(input);
        assert_eq!((run.status, run.errors.as_str()), (Some(0), ""), "{shown:?}");
        let text = String::from_utf8_lossy(&run.output);
        assert!(text.lines().any(|line| line == "readyok"), "{shown:?} {text}");
        assert!(
            text.lines().all(|line| line == "readyok" || line.starts_with("info string ")),
            "{shown:?} {text}"
        );
    }
}

#[test]
fn a_byte_order_mark_hides_no_command() {
    let run = run(&[], b"\xEF\xBB\xBFuci\nquit\n");
    assert!(run.output.ends_with(b"uciok\n"));
}

#[test]
fn a_game_of_twenty_thousand_plies_on_one_line() {
    let mut engine = Uci::start();
    let shuffle = " g1f3 g8f6 f3g1 f6g8".repeat(5000);
    engine.position(&format!("startpos moves{shuffle} e2e4"));
    engine.assert_same_position();
    engine.go("depth 3");
    engine.quit_silent();
}

#[test]
fn a_line_of_a_megabyte() {
    let mut engine = Uci::start();
    engine.ignored("x".repeat(1 << 20));
    engine.ignored(format!("position fen {}", "8/".repeat(1 << 19)));
    engine.ignored(format!("setoption name {} value 1", "Hash ".repeat(1 << 16)));
    engine.assert_same_position();
    engine.go("depth 1");
    engine.quit_silent();
}

#[test]
fn a_line_without_end_is_one_message() {
    let mut engine = Uci::start();
    engine.position("startpos moves e2e4");
    engine.send(format_args!("position startpos moves {}", "e2e4 ".repeat(1 << 19)));
    assert_eq!(engine.sync(), ["info string line of more than 1048576 bytes ignored"]);
    engine.assert_same_position();
    engine.quit_silent();
}

#[test]
fn commands_at_the_wrong_time_get_no_answer() {
    let mut engine = Uci::start();
    for line in ["stop", "ponderhit", "stop", "stop"] {
        engine.send(line);
    }
    engine.sync_silent();
    engine.position("startpos");
    engine.send("stop");
    engine.go_and_stop("infinite");
    engine.send("stop");
    engine.send("ponderhit");
    engine.sync_silent();
    engine.go_and_stop("infinite");
    engine.quit_silent();
}

#[test]
fn a_late_stop_does_not_end_the_next_search() {
    let mut engine = Uci::at("startpos");
    engine.start_go("movetime 10");
    engine.finish();
    engine.send("stop");
    engine.go_and_stop("infinite");
    engine.quit_silent();
}

#[test]
fn debug_takes_on_off_and_nonsense() {
    let mut engine = Uci::start();
    for line in ["debug on", "debug off", "debug ON", "debug", "debug maybe", "debug on off", "debug on"] {
        engine.ignored(line);
        engine.go("depth 2");
    }
    engine.quit_silent();
}

#[test]
fn registration_is_not_needed_and_not_asked_for() {
    let mut engine = Uci::start();
    for line in [
        "register later",
        "register name A B code 123",
        "register",
        "registration checking",
        "copyprotection ok",
    ] {
        engine.ignored(line);
    }
    engine.quit_silent();
}

#[test]
fn each_isready_gets_one_readyok() {
    let mut engine = Uci::start();
    for _ in 0..20 {
        engine.send("isready");
    }
    for _ in 0..20 {
        assert_eq!(engine.line(), "readyok");
    }
    engine.quit_silent();
}

#[test]
fn it_never_thinks_unasked() {
    let mut engine = Uci::start();
    engine.send("ucinewgame");
    engine.position("startpos moves e2e4");
    engine.option("Ponder", true);
    engine.option("UCI_AnalyseMode", true);
    assert_eq!(engine.listen(Duration::from_millis(200)), Vec::<String>::new());
    engine.go("depth 3");
    assert_eq!(engine.listen(Duration::from_millis(200)), Vec::<String>::new());
    engine.quit_silent();
}

#[test]
fn isready_waits_for_the_memory_that_was_asked_for() {
    let mut engine = Uci::start();
    engine.option("Hash", 256);
    engine.send("ucinewgame");
    engine.sync_silent();
    engine.position("startpos");
    engine.go("movetime 50");
    engine.quit_silent();
}

#[test]
fn as_a_tournament_runner_talks() {
    // Options before the new game, isready around everything, the clock of one side only.
    let mut engine = Uci::start();
    handshake(&mut engine);
    engine.option("Hash", 8);
    engine.option("Threads", 1);
    engine.sync_silent();
    engine.send("ucinewgame");
    engine.sync_silent();
    engine.position("startpos");
    engine.sync_silent();
    engine.go("wtime 100");
    engine.position("startpos moves e2e4");
    engine.go("btime 100");
    // Another one sends no isready after the new game and options that are not offered.
    engine.send("ucinewgame");
    engine.send("setoption name UCI_Opponent value none none computer Other 1.0");
    engine.position("startpos moves e2e4 e7e5");
    engine.start_go("wtime 300 btime 300 winc 3 binc 3");
    engine.finish();
    engine.quit_silent();
}

#[test]
fn the_console_commands_answer() {
    let mut engine = Uci::at("startpos moves e2e4 c7c5");
    engine.assert_same_position();
    engine.send("eval");
    assert!(engine.sync().iter().any(|line| line.contains("evaluation")));
    engine.send("help");
    assert!(engine.sync().len() > 3);
    for line in ["perft 3", "go perft 3"] {
        engine.send(line);
        let lines = engine.until(|line| line.ends_with(" nps"));
        assert_eq!(node_count(&lines[lines.len() - 1]), movegen::perft(&engine.setting.board, 3));
    }
    engine.send("bench 1");
    let lines = engine.until(|line| line.ends_with(" nps"));
    assert!(node_count(&lines[lines.len() - 1]) > 0);
    engine.assert_same_position();
    engine.quit_silent();
}
