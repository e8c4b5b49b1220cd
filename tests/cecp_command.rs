//! The grammar of CECP.

use std::time::Duration;
use uci::cecp::{Command, Edit, Feature, Level, OptionFeature, RootMoves, Status, Thinking, mate_score};
use uci::info::Bound;
use uci::option::{OptionKind, OptionSpec};

fn parse(line: &str) -> Command {
    Command::parse(line).unwrap_or_else(|error| panic!("{line}: {error}")).unwrap()
}

fn error(line: &str) -> String {
    match Command::parse(line) {
        Err(error) => error.to_string(),
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn commands_are_read_with_any_blanks() {
    assert_eq!(parse("  xboard\t"), Command::Xboard);
    assert_eq!(parse("protover 3\r"), Command::ProtocolVersion(3));
    assert_eq!(parse("ping  0042"), Command::Ping("0042".into()));
    assert_eq!(parse("result 1/2-1/2 {Draw  agreed}"), Command::Result("1/2-1/2 {Draw  agreed}".into()));
    assert_eq!(parse("time -150"), Command::Time(-150));
    assert_eq!(parse("rating 2000 1500"), Command::Rating(2000, 1500));
    assert_eq!(parse("exclude all"), Command::Exclude(RootMoves::All));
    assert_eq!(parse("include e2e4"), Command::Include(RootMoves::One("e2e4".into())));
    assert_eq!(parse("?"), Command::MoveNow);
    assert_eq!(parse("."), Command::Status);
    for blank in ["", "  ", "\t\r"] {
        assert_eq!(Command::parse(blank), Ok(None));
    }
}

#[test]
fn moves_are_known_by_their_form() {
    for mv in [
        "e2e4", "a7a8q", "a7a8Q", "e1g1", "O-O", "O-O-O", "0-0", "o-o-o", "@@@@", "Nf3", "exd5", "e4",
        "Nbd7", "R1a3", "Qh4xe1", "e8=Q+", "bxa1=N#", "Kb1!", "e2-e4",
    ] {
        assert_eq!(parse(mv), Command::Move(mv.into()), "{mv}");
        assert_eq!(parse(&format!("usermove {mv}")), Command::Move(mv.into()), "{mv}");
    }
    for word in ["xyzzy", "e2e9", "i2i4", "e2e4e5", "fritz", "reset", "ponder", "O-O-O-O", "é2e4", "1", "a"]
    {
        assert_eq!(error(word), format!("Error (unknown command): {word}"));
        assert_eq!(error(&format!("usermove {word}")), format!("Error (expected a move): usermove {word}"));
    }
}

#[test]
fn missing_arguments_are_named() {
    for line in
        ["ping", "ping x", "time", "otim soon", "sd", "cores", "memory -", "protover", "nps", "rating 1"]
    {
        assert_eq!(error(line), format!("Error (expected a number): {line}"));
    }
    for line in [
        "st",
        "st soon",
        "level",
        "level 40",
        "level 40 x 1",
        "level 40 5 x",
        "level 40 5:x 1",
        "usermove",
        "exclude",
        "include everything",
        "option",
        "option =3",
        "variant",
        "egtpath",
    ] {
        assert!(error(line).starts_with("Error (expected ") && error(line).ends_with(line), "{line}");
    }
    // What is quoted is never longer than a line should be.
    assert!(error(&"word ".repeat(100_000)).len() < 200);
}

#[test]
fn time_controls() {
    let level = |moves, milliseconds, increment| {
        let (base, increment) = (Duration::from_millis(milliseconds), Duration::from_millis(increment));
        Command::Level(Level { moves, base, increment })
    };
    for (line, wanted) in [
        ("level 40 5 0", level(40, 300_000, 0)),
        ("level 40 0:30 0", level(40, 30_000, 0)),
        ("level 0 2 12", level(0, 120_000, 12_000)),
        ("level 0 0 1", level(0, 0, 1000)),
        ("level 0 0:00 0.05", level(0, 0, 50)),
        ("level 1 0:03 0", level(1, 3000, 0)),
        ("level 40 25+5 0", level(40, 1_500_000, 0)),
        ("level 40 5", level(40, 300_000, 0)),
        ("level 0 0.5 1.5s", level(0, 30_000, 1500)),
        ("level -3 -5 -1", level(0, 0, 0)),
    ] {
        assert_eq!(parse(line), wanted, "{line}");
    }
    assert_eq!(parse("st 2.5"), Command::MoveTime(Duration::from_millis(2500)));
    assert_eq!(parse("st -1"), Command::MoveTime(Duration::ZERO));
    let Command::MoveTime(longest) = parse("st 99999999999999999999999") else { panic!() };
    assert!(longest > Duration::from_secs(1 << 28));
}

#[test]
fn options_may_have_blanks_in_name_and_value() {
    let option = |line| match parse(line) {
        Command::Option { name, value } => (name, value),
        other => panic!("{other:?}"),
    };
    assert_eq!(option("option Clear Hash"), ("Clear Hash".into(), None));
    assert_eq!(option("option Move  Overhead=30"), ("Move Overhead".into(), Some("30".into())));
    assert_eq!(option("option EvalFile=/a b/c=d"), ("EvalFile".into(), Some("/a b/c=d".into())));
    assert_eq!(option("option X="), ("X".into(), Some(String::new())));
    let Command::TablePath { kind, path } = parse("egtpath syzygy /a b;/c") else { panic!() };
    assert_eq!((kind.as_str(), path.as_str()), ("syzygy", "/a b;/c"));
}

#[test]
fn editing() {
    let edit = |line| Edit::parse(line).unwrap().unwrap();
    assert_eq!(edit("#"), Edit::Clear);
    assert_eq!(edit(" c "), Edit::SwitchColor);
    assert_eq!(edit("Pa4"), Edit::Put { man: Some('P'), file: 0, rank: 3 });
    assert_eq!(edit("xh8"), Edit::Put { man: None, file: 7, rank: 7 });
    assert_eq!(edit("."), Edit::End);
    assert_eq!(edit("quit"), Edit::Quit);
    assert_eq!(Edit::parse(""), Ok(None));
    for line in ["pa4", "Pa9", "Pi1", "P", "Pa44", "e2e4", "Za1", "é"] {
        assert_eq!(Edit::parse(line).unwrap_err().to_string(), format!("Error (unknown command): {line}"));
    }
}

#[test]
fn lines_of_output() {
    let mut line = Thinking {
        depth: 9,
        score: 156,
        time: Duration::from_millis(10_849),
        nodes: 48_000,
        sel_depth: 14,
        speed: 4424,
        table_hits: 0,
        moves: vec!["g1f3".into(), "b8c6".into()],
        bound: None,
    };
    assert_eq!(line.to_string(), "9 156 1084 48000 14 4424 0\tg1f3 b8c6");
    line.bound = Some(Bound::Upper);
    assert!(line.to_string().ends_with("b8c6?"));
    line.bound = Some(Bound::Lower);
    assert!(line.to_string().ends_with("b8c6!"));
    assert_eq!([1, 12, -1, -12].map(mate_score), [100_001, 100_012, -100_001, -100_012]);
    let status = Status { nodes: 5, depth: 3, moves_left: 7, moves: 20, ..Status::default() };
    assert_eq!(status.to_string(), "stat01: 0 5 3 7 20");
    let status = Status { time: Duration::from_secs(2), current: Some("e2e4".into()), ..status };
    assert_eq!(status.to_string(), "stat01: 200 5 3 7 20 e2e4");
}

#[test]
fn options_as_features() {
    assert_eq!(Feature::Text("myname", "A \"b\"").to_string(), "feature myname=\"A 'b'\"");
    for (name, kind, wanted) in [
        ("Ponder", OptionKind::Check { default: true }, "Ponder -check 1"),
        ("Clear Hash", OptionKind::Button, "Clear Hash -button"),
        ("Hash", OptionKind::Spin { default: 16, min: 1, max: 64 }, "Hash -spin 16 1 64"),
        (
            "Style",
            OptionKind::Combo { default: "calm", choices: vec!["wild", "calm"] },
            "Style -combo wild /// *calm",
        ),
        ("EvalFile", OptionKind::String { default: "<x>".into() }, "EvalFile -file <x>"),
        ("SyzygyPath", OptionKind::String { default: String::new() }, "SyzygyPath -path "),
        ("About", OptionKind::String { default: "a b".into() }, "About -string a b"),
    ] {
        let spec = OptionSpec { name, kind };
        assert_eq!(OptionFeature(&spec).to_string(), format!("feature option=\"{wanted}\""));
    }
}
