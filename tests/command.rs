//! The UCI grammar on sane, odd and hostile lines.

use proptest::prelude::*;
use uci::command::{Command, GenFens, GoParams, Setup};
use uci::error::CommandError;

fn parsed(line: &str) -> Option<Command> {
    Command::parse(line).unwrap_or_else(|error| panic!("'{line}': {error}"))
}

fn go(line: &str) -> GoParams {
    match parsed(line) {
        Some(Command::Go(params)) => params,
        other => panic!("'{line}' is {other:?}"),
    }
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

fn genfens(count: u64, seed: u64, book: Option<&str>, extra: &str) -> Command {
    Command::GenFens(GenFens { count, seed, book: book.map(str::to_owned), extra: words(extra) })
}

#[test]
fn openings_need_a_count() {
    for line in ["genfens", "genfens x", "genfens 3 seed", "genfens 3 seed x", "genfens 3 book"] {
        assert_eq!(Command::parse(line), Err(CommandError::GenFens), "{line}");
    }
    assert_eq!(parsed("genfens -3 seed -1"), Some(genfens(0, u64::MAX, None, "")));
}

#[test]
fn plain_commands() {
    for (line, command) in [
        ("uci", Command::Uci),
        ("debug on", Command::Debug(true)),
        ("debug off", Command::Debug(false)),
        ("isready", Command::IsReady),
        ("ucinewgame", Command::UciNewGame),
        ("stop", Command::Stop),
        ("ponderhit", Command::PonderHit),
        ("quit", Command::Quit),
        ("register later", Command::Register),
        ("register name A B code 1", Command::Register),
        ("d", Command::Display),
        ("eval", Command::Eval),
        ("bench", Command::Bench(Vec::new())),
        ("genfens 16 seed 42 book None", genfens(16, 42, None, "")),
        ("genfens 1 seed 7 book Books/a.epd chess960 50", genfens(1, 7, Some("Books/a.epd"), "chess960 50")),
        ("bench 13 x", Command::Bench(words("13 x"))),
        ("perft 5", Command::Perft(5)),
        ("go perft 5", Command::Perft(5)),
        ("perft -1", Command::Perft(0)),
        ("perft 99999999999999999999", Command::Perft(u32::MAX)),
        ("help", Command::Help),
    ] {
        assert_eq!(parsed(line), Some(command), "{line}");
    }
}

#[test]
fn blanks_and_strange_characters_around_words() {
    for line in ["   isready   ", "\tisready\t", "isready\r", "\0isready\0", "\u{feff}isready", "isready now"]
    {
        assert_eq!(parsed(line), Some(Command::IsReady), "{line:?}");
    }
    let expected = parsed("position startpos moves e2e4 e7e5");
    assert_eq!(parsed(" position\t startpos  \tmoves e2e4   e7e5 \r"), expected);
}

#[test]
fn unknown_words_in_front_are_skipped() {
    assert_eq!(parsed("joho debug on"), Some(Command::Debug(true)));
    assert_eq!(parsed("xyz isready"), Some(Command::IsReady));
    assert_eq!(parsed("a b c go depth 3"), parsed("go depth 3"));
    // The words for people count at the beginning only.
    for line in
        ["", "   ", "\r", "joho", "setoptions name UCI_Elo d", "please help", "UCI", "xyz bench", "\u{fffd}"]
    {
        assert_eq!(parsed(line), None, "{line:?}");
    }
}

#[test]
fn options() {
    for (line, name, value) in [
        ("setoption name Hash value 32", "Hash", Some("32")),
        ("setoption name Clear Hash", "Clear Hash", None),
        ("setoption   name   Move Overhead   value   50", "Move Overhead", Some("50")),
        ("setoption name Move \t Overhead value 50", "Move Overhead", Some("50")),
        ("setoption name SyzygyPath value /tmp/my  tables/a b ", "SyzygyPath", Some("/tmp/my  tables/a b")),
        (
            "setoption name SyzygyPath value C:\\a;D:\\value value",
            "SyzygyPath",
            Some("C:\\a;D:\\value value"),
        ),
        ("setoption name A value", "A", Some("")),
        ("setoption name A value <empty>", "A", Some("<empty>")),
        ("setoption name A value name B", "A", Some("name B")),
        ("setoption name name value value", "name", Some("value")),
        ("setoption name Valued value x", "Valued", Some("x")),
    ] {
        let expected = Command::SetOption { name: name.to_owned(), value: value.map(str::to_owned) };
        assert_eq!(parsed(line), Some(expected), "{line}");
    }
}

#[test]
fn positions() {
    let position = |setup, moves| Some(Command::Position { setup, moves: words(moves) });
    assert_eq!(parsed("position startpos"), position(Setup::Startpos, ""));
    assert_eq!(parsed("position startpos moves"), position(Setup::Startpos, ""));
    assert_eq!(parsed("position startpos moves e2e4 moves"), position(Setup::Startpos, "e2e4 moves"));
    assert_eq!(parsed("position startpos e7e5 moves e2e4"), position(Setup::Startpos, "e2e4"));
    let fen = "5rk1/2p4p/2p4r/3P4/4p1b1/1Q2NqPp/PP3P1K/R4R2 b - -";
    assert_eq!(parsed(&format!("position fen {fen} moves")), position(Setup::Fen(fen.to_owned()), ""));
    assert_eq!(
        parsed("position fen  8/8/8/8/8/8/8/K1k5   w - -  0 1  moves a1a2\tc1c2"),
        position(Setup::Fen("8/8/8/8/8/8/8/K1k5 w - - 0 1".to_owned()), "a1a2 c1c2")
    );
}

#[test]
fn a_game_of_any_length() {
    let moves = vec!["e2e4".to_owned(); 100_000];
    let command = Command::Position { setup: Setup::Startpos, moves };
    assert_eq!(parsed(&command.to_string()), Some(command));
}

#[test]
fn go_parameters() {
    assert_eq!(go("go"), GoParams::default());
    assert_eq!(go("go infinite"), GoParams { infinite: true, ..GoParams::default() });
    assert_eq!(
        go("go ponder wtime 60000 btime -170000 winc 2000 binc -1 movestogo 0"),
        GoParams {
            ponder: true,
            white_time: Some(60_000),
            black_time: Some(-170_000),
            white_increment: Some(2000),
            black_increment: Some(-1),
            moves_to_go: Some(0),
            ..GoParams::default()
        }
    );
    assert_eq!(
        go("go depth 20 movetime 100 nodes 5000 mate 3"),
        GoParams {
            depth: Some(20),
            move_time: Some(100),
            nodes: Some(5000),
            mate: Some(3),
            ..GoParams::default()
        }
    );
}

#[test]
fn go_with_odd_numbers() {
    assert_eq!(go("go wtime 1099511627776").white_time, Some(1 << 40));
    assert_eq!(go("go wtime 99999999999999999999").white_time, Some(i64::MAX));
    assert_eq!(go("go wtime -99999999999999999999").white_time, Some(i64::MIN));
    assert_eq!(go("go movetime 12.7").move_time, Some(12));
    assert_eq!(go("go nodes -5").nodes, Some(0));
    assert_eq!(go("go depth 1 depth 7").depth, Some(7));
    assert_eq!(go("go unknown 5"), GoParams::default());
    // A missing or senseless number: the word is ignored, and the next one is not swallowed.
    let without = |word: &str, found: &str| GoParams {
        faults: vec![CommandError::Limit(word.to_owned(), found.to_owned())],
        ..GoParams::default()
    };
    for word in ["wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "mate", "movetime", "perft"]
    {
        assert_eq!(go(&format!("go {word}")), without(word, ""));
        assert_eq!(go(&format!("go {word} x 5")), without(word, "x"));
    }
    assert_eq!(go("go depth movetime 100"), GoParams { move_time: Some(100), ..without("depth", "") });
    assert_eq!(go("go movestogo wtime 5"), GoParams { white_time: Some(5), ..without("movestogo", "") });
    assert_eq!(go("go depth 7 depth x"), GoParams { depth: Some(7), ..without("depth", "x") });
}

#[test]
fn search_moves_end_at_the_next_key_word() {
    for line in [
        "go searchmoves e2e4 d2d4 depth 5",
        "go depth 5 searchmoves e2e4 d2d4",
        "go searchmoves e2e4 depth 5 searchmoves d2d4",
    ] {
        let params = go(line);
        assert_eq!((params.search_moves, params.depth), (words("e2e4 d2d4"), Some(5)), "{line}");
    }
    assert_eq!(go("go searchmoves e2e4 infinite xyz").search_moves, words("e2e4"));
    assert_eq!(go("go searchmoves").search_moves, words(""));
}

#[test]
fn faults_name_the_culprit() {
    for (line, error) in [
        ("debug", CommandError::DebugMode(String::new())),
        ("debug maybe", CommandError::DebugMode("maybe".to_owned())),
        ("setoption", CommandError::OptionName),
        ("setoption name", CommandError::OptionName),
        ("setoption name value 5", CommandError::OptionName),
        ("setoption Hash value 5", CommandError::OptionName),
        ("position", CommandError::Setup(String::new())),
        ("position e2e4", CommandError::Setup("e2e4".to_owned())),
        ("position fen", CommandError::Fen),
        ("position fen moves e2e4", CommandError::Fen),
        ("perft", CommandError::PerftDepth(String::new())),
        ("perft deep", CommandError::PerftDepth("deep".to_owned())),
    ] {
        let found = Command::parse(line).unwrap_err();
        assert_eq!(found, error, "{line}");
        assert!(!found.to_string().contains('\n'));
    }
}

fn any_go() -> impl Strategy<Value = GoParams> {
    let times = prop::array::uniform4(prop::option::of(any::<i64>()));
    let counts = prop::array::uniform4(prop::option::of(any::<i64>()));
    let moves = prop::collection::vec("[a-h][1-8][a-h][1-8]q?", 0..5);
    (times, counts, prop::option::of(0..=i64::MAX as u64), any::<[bool; 2]>(), moves).prop_map(
        |(times, counts, nodes, [ponder, infinite], search_moves)| GoParams {
            search_moves,
            ponder,
            infinite,
            white_time: times[0],
            black_time: times[1],
            white_increment: times[2],
            black_increment: times[3],
            moves_to_go: counts[0],
            depth: counts[1],
            nodes,
            mate: counts[2],
            move_time: counts[3],
            faults: Vec::new(),
        },
    )
}

/// Lines made of the words of the grammar in any order: they reach deeper than random characters.
fn word_salad() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        prop::sample::select(words(
            "uci debug on off isready setoption name value register ucinewgame position startpos fen moves go \
             searchmoves ponder wtime btime winc binc movestogo depth nodes mate movetime infinite perft stop \
             ponderhit quit d eval bench help e2e4 -1 0 99999999999999999999 <empty> 8/8/8/8/8/8/8/8 w - \u{feff}"
        )),
        any::<i64>().prop_map(|number| number.to_string()),
        any::<String>(),
    ];
    (prop::collection::vec(word, 0..12), prop::sample::select(vec![" ", "  ", "\t", "\0", "\r"]))
        .prop_map(|(words, blank)| words.join(blank))
}

proptest! {
    #[test]
    fn go_is_read_back(params in any_go()) {
        let command = Command::Go(params);
        prop_assert_eq!(Command::parse(&command.to_string()), Ok(Some(command)));
    }

    #[test]
    fn no_bytes_cause_a_panic(bytes: Vec<u8>) {
        let _ = Command::parse(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn what_is_understood_is_read_back(line in word_salad()) {
        if let Ok(Some(command)) = Command::parse(&line) {
            prop_assert_eq!(Command::parse(&command.to_string()), Ok(Some(command)));
        }
    }
}
