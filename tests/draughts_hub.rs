//! The Hub protocol: grammar, session, and whole games with the real program.

#[path = "support/folder.rs"]
mod folder;
#[path = "support/hub.rs"]
mod support;

use draughts::book::Book;
use draughts::hub::{Command, HubError, Level, Mode, Value};
use draughts::param::Settings;
use draughts::rules::International;
use draughts::session::Session;
use draughts::{Game, fen, legal_moves, notation};
use folder::Folder;
use proptest::prelude::*;
use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use support::Hub;
use uci::hub::LineError;
use uci::io::Writer;

fn parse(line: &str) -> Option<Command> {
    Command::parse(line).unwrap()
}

#[test]
fn commands_are_read_in_every_spelling() {
    assert_eq!(parse("hub"), Some(Command::Hub));
    assert_eq!(parse("  go   think "), Some(Command::Go(Mode::Think)));
    assert_eq!(parse("go"), Some(Command::Go(Mode::Think)));
    assert_eq!(parse("go analyze handicap=3"), Some(Command::Go(Mode::Analyze)));
    assert_eq!(parse("\u{feff}ping\r"), Some(Command::Ping));
    for line in [
        "set-param name=threads value=2",
        "set-param name = threads value= \"2\"",
        "set-param value=2 name=threads x",
    ] {
        let expected = Command::SetParam { name: "threads".into(), value: "2".into() };
        assert_eq!(parse(line), Some(expected), "{line}");
    }
    let moves = vec!["32-28".to_owned(), "19x23".to_owned()];
    let pos = |position: &str, moves| Some(Command::Pos { position: position.into(), moves });
    assert_eq!(parse("pos pos=start moves=\"32-28  19x23\""), pos("start", moves));
    assert_eq!(parse("pos start"), pos("start", vec![]));
    assert_eq!(parse("pos pos=\"W:W31-50:B1-20\" moves=\"\""), pos("W:W31-50:B1-20", vec![]));
    for ignored in ["", "   ", "xyzzy", "xyzzy a=b \"\"=", "PING"] {
        if ignored.contains("\"\"=") {
            assert!(Command::parse(ignored).is_err());
        } else {
            assert_eq!(parse(ignored), None, "{ignored}");
        }
    }
}

#[test]
fn levels_add_up() {
    let Some(Command::Level(mut level)) = parse("level depth=12 nodes=1000 move-time=0.5 ply=3 handicap=0")
    else {
        panic!("a level")
    };
    let Some(Command::Level(more)) = parse("level moves=40 time=60.5 inc=1 infinite depth=9") else {
        panic!("a level")
    };
    level.add(more);
    let expected = Level {
        depth: Some(9),
        nodes: Some(1000),
        move_time: Some(Duration::from_millis(500)),
        moves: Some(40),
        time: Some(Duration::from_millis(60_500)),
        increment: Some(Duration::from_secs(1)),
        infinite: true,
    };
    assert_eq!(level, expected);
    let Some(Command::Level(level)) = parse("level time=-3 nodes=1e3 depth=4.0 move-time=1e300") else {
        panic!("a level")
    };
    assert_eq!(level.time, Some(Duration::ZERO));
    assert_eq!((level.nodes, level.depth), (Some(1000), Some(4)));
    assert!(level.move_time.unwrap() > Duration::from_secs(1 << 30));
}

#[test]
fn wrong_lines_are_named() {
    assert_eq!(Command::parse("pos pos=\"Wbb"), Err(LineError::UnclosedQuote.into()));
    for line in ["=", "pos =", "pos = x", "pos pos=", "pos pos= =", "level depth==3", "=pos"] {
        assert_eq!(Command::parse(line), Err(LineError::LoneEquals.into()), "{line}");
    }
    assert_eq!(Command::parse("pos \"x\""), Err(LineError::LoneValue("x".into()).into()));
    assert_eq!(Command::parse("pos"), Err(HubError::Missing("pos", "pos")));
    assert_eq!(Command::parse("set-param name=threads"), Err(HubError::Missing("set-param", "value")));
    assert_eq!(Command::parse("level depth"), Err(HubError::Missing("level", "depth")));
    for line in [
        "level depth=abc",
        "level depth=-1",
        "level nodes=nan",
        "level time=x",
        "level move-time=NaN",
        "level inc=\"\"",
    ] {
        assert!(matches!(Command::parse(line), Err(HubError::Number(..))), "{line}");
    }
    assert_eq!(Command::parse("go fast"), Err(HubError::Mode("fast".into())));
}

#[test]
fn values_are_quoted_where_needed() {
    for (text, written) in [
        ("a", "a"),
        ("", "\"\""),
        ("a b", "\"a b\""),
        ("a=b", "\"a=b\""),
        ("a\"b", "\"a'b\""),
        ("a\nb", "\"a b\""),
    ] {
        assert_eq!(Value(text).to_string(), written);
    }
}

#[test]
fn parameters_have_ranges() {
    let mut settings = Settings::default();
    for (name, value) in [
        ("threads", "0"),
        ("threads", "1025"),
        ("threads", "two"),
        ("hash", "0"),
        ("hash", "-1"),
        ("tt-size", "99"),
        ("ponder", "maybe"),
        ("variant", "chess"),
        ("level", "11"),
        ("three-to-one-moves", "12"),
        ("xyzzy", "1"),
    ] {
        assert!(settings.set(name, value).is_err(), "{name}={value}");
        assert_eq!(settings, Settings::default());
    }
    settings.set("Variant", "frisian").unwrap();
    settings.set("tt-size", "20").unwrap();
    settings.set("ponder", "true").unwrap();
    settings.set("three-to-one-moves", "10").unwrap();
    assert_eq!(settings.hash, 11);
    assert_eq!(settings.draws().three_to_one, 10);
    let text = settings.declarations();
    assert!(
        text.contains(
            "param name=variant value=frisian type=enum values=\"normal killer bt losing frisian\""
        )
    );
    assert!(text.contains("param name=ponder value=true type=bool"));
    assert!(text.lines().all(|line| line.starts_with("param name=")));
    assert_eq!(settings.handicap(), None);
    settings.set("level", "1").unwrap();
    assert!(settings.handicap().is_some());
}

/// What a session writes.
#[derive(Clone, Default)]
struct Output(Arc<Mutex<Vec<u8>>>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn converse(input: &str) -> String {
    let output = Output::default();
    Session::new(Writer::new(output.clone())).run(input.as_bytes()).unwrap();
    let bytes = output.0.lock().unwrap().clone();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn errors_leave_the_state_as_it_was() {
    let wrong = [
        "pos pos=Wxyz",
        "pos pos=start moves=\"32-28 32-28\"",
        "pos pos=\"W:W4:B49\"",
        "pos pos=W\"unclosed",
        "=",
        "level depth=abc",
        "set-param name=threads value=9999",
        "set-param name=nothing value=1",
        "go sideways",
    ];
    // The position and the limit set before stay in force.
    let input = format!(
        "hub\ninit\npos pos=start moves=\"32-28 19-23\"\nlevel depth=1\n{}\ngo think\n",
        wrong.join("\n")
    );
    let output = Output::default();
    let mut session = Session::new(Writer::new(output.clone()));
    for line in input.lines() {
        assert!(session.line(line).is_continue());
    }
    // `new-game` waits for the search.
    assert!(session.line("stop").is_continue());
    assert!(session.line("new-game").is_continue());
    let text = String::from_utf8(output.0.lock().unwrap().clone()).unwrap();
    assert_eq!(text.lines().filter(|line| line.starts_with("error message=")).count(), wrong.len());
    assert!(text.lines().any(|line| line.starts_with("done move=28x19x23")), "{text}");
}

/// When the lines of a session begin and end to be written.
#[derive(Clone, Default)]
struct Times(Arc<Mutex<Vec<Instant>>>);

impl Write for Times {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().push(Instant::now());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A gap is slept through, so it can be longer and never shorter.
#[test]
fn no_two_lines_are_written_together() {
    let times = Times::default();
    let mut session = Session::new(Writer::new(times.clone()));
    let lines = ["ping", "ping", "hub", "init", "=", "ping", "pos start", "go think", "ping"];
    let more = ["set-param name=book value=false", "level depth=1", "go think", "ping", "stop", "init"];
    for line in lines.into_iter().chain(more) {
        assert!(session.line(line).is_continue());
    }
    let times = times.0.lock().unwrap();
    assert!(times.len() > 25, "{} lines", times.len());
    for (n, pair) in times.windows(2).enumerate() {
        let gap = pair[1] - pair[0];
        // The first search lines come when there is no line before them to wait for.
        assert!(gap >= Duration::from_millis(2), "line {}: {gap:?}", n + 2);
    }
}

#[test]
fn a_line_without_end_is_one_error_and_takes_no_memory() {
    let long = "x".repeat(3 << 20);
    let text = converse(&format!("init\npos pos=start moves={long}\n{long}\nping\nquit\n"));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "ready");
    for line in &lines[1..3] {
        assert!(line.starts_with("error message=\"line of more than 1048576 bytes"), "{line}");
    }
    assert_eq!(lines[3..], ["pong"]);
}

/// A pipe that nobody writes to, a device without end, a folder.
#[cfg(unix)]
#[test]
fn networks_that_are_no_file_are_refused() {
    let folder = Folder::new("networks");
    let pipe = folder.path("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut engine = Hub::with(&["hash=1"]);
    for path in [pipe.as_str(), "/dev/zero", folder.to_str().unwrap()] {
        let said = engine.said(format_args!("set-param name=eval-file value=\"{path}\""));
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(said[0].contains("not a regular file"), "{said:?}");
    }
}

#[test]
fn a_file_that_is_named_again_is_read_again() {
    let folder = Folder::new("again");
    let mut engine = Hub::with(&["hash=1"]);
    let network = include_bytes!("../draughts-engine/nets/draughts.nnue").to_vec();
    for (parameter, contents) in [("book-file", Book::built_in().to_bytes()), ("eval-file", network)] {
        let path = folder.path(parameter);
        let set = format!("set-param name={parameter} value=\"{path}\"");
        for bytes in [&b""[..], b"broken"] {
            std::fs::write(&path, bytes).unwrap();
            for _ in 0..2 {
                let said = engine.said(&set);
                assert!(said.len() == 1 && said[0].starts_with("error message="), "{said:?}");
            }
        }
        std::fs::write(&path, &contents).unwrap();
        for _ in 0..2 {
            assert!(engine.said(&set).is_empty(), "{parameter}");
        }
        std::fs::write(&path, b"broken").unwrap();
        assert_eq!(engine.said(&set).len(), 1, "{parameter}");
    }
    let tables = folder.path("tables");
    let set = format!("set-param name=bb-path value=\"{tables}\"");
    for _ in 0..2 {
        assert_eq!(engine.said(&set).len(), 1);
    }
    std::fs::create_dir(&tables).unwrap();
    assert!(engine.said(&set).is_empty());
}

#[test]
fn the_introduction_has_its_order() {
    let text = converse("hub\nset-param name=hash value=8\ninit\nping\nquit\nping\n");
    let words: Vec<&str> = text.lines().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(words[0], "id");
    let params = words.iter().filter(|&&word| word == "param").count();
    assert_eq!(words[1..=params], vec!["param"; params]);
    assert_eq!(words[params + 1..], ["wait", "ready", "pong"]);
}

#[test]
fn a_search_answers_pings_and_refuses_the_rest() {
    let mut engine = Hub::start();
    for line in ["hub", "init", "pos pos=start", "level infinite", "go think", "ping"] {
        engine.send(line);
    }
    engine.before("pong");
    engine.send("pos pos=start");
    engine.until(|line| line.starts_with("error message="));
    // What follows a stop waits for the answer.
    engine.send("stop");
    engine.send("pos pos=start moves=32-28");
    assert!(engine.done().starts_with("done move="));
    engine.send("level depth=3\ngo think");
    let lines = engine.search();
    assert!(lines.iter().all(|line| !line.starts_with("error")));
}

#[test]
fn info_lines_have_the_fields_in_order() {
    let mut engine = Hub::start();
    engine.send("hub\ninit\npos pos=start\nlevel depth=6\ngo analyze");
    let lines = engine.search();
    let infos: Vec<&String> = lines.iter().filter(|line| line.starts_with("info")).collect();
    // Lines that come too fast give way to newer ones, never the last.
    assert!(infos.last().unwrap().starts_with("info depth=6 "));
    for info in infos {
        let (fields, pv) = info.split_once(" pv=\"").unwrap();
        let names: Vec<&str> =
            fields.split(' ').skip(1).map(|field| field.split_once('=').unwrap().0).collect();
        assert_eq!(names, ["depth", "mean-depth", "score", "nodes", "time", "nps"]);
        for field in fields.split(' ').skip(1) {
            assert!(field.split_once('=').unwrap().1.parse::<f64>().is_ok(), "{field}");
        }
        let mut game = Game::default();
        for text in pv.trim_end_matches('"').split(' ') {
            let mv = notation::parse_move::<International>(game.position(), text).unwrap();
            game.push::<International>(mv);
        }
    }
}

#[test]
fn wins_are_told_by_their_distance_and_a_finished_game_by_done_alone() {
    let mut engine = Hub::start();
    engine.send("hub\ninit\npos pos=\"W:WK5,K10:BK46\"\nlevel depth=9\ngo think");
    let lines = engine.search();
    assert!(lines.iter().any(|line| line.contains(" score=99.97 ")));
    engine.send("pos pos=\"B:W50:B\"\nlevel depth=9\ngo think");
    assert_eq!(engine.done(), "done");
}

#[test]
fn pondering_waits_for_the_hit_or_the_stop() {
    let mut engine = Hub::start();
    for end in ["ponder-hit", "stop"] {
        engine.send("init\npos pos=start moves=32-28\nlevel move-time=0.05\ngo ponder");
        std::thread::sleep(Duration::from_millis(120));
        let lines = engine.said("");
        assert!(lines.iter().all(|line| !line.starts_with("done")), "no answer before the {end}");
        engine.send(end);
        assert!(engine.done().starts_with("done move="));
    }
}

#[test]
fn the_end_of_input_and_quit_end_the_program_at_once() {
    for searching in [false, true] {
        for quit in [false, true] {
            let mut engine = Hub::start();
            engine.send("hub\ninit");
            if searching {
                engine.send("level infinite\ngo think");
            }
            if quit {
                engine.quit();
            } else {
                engine.close();
            }
        }
    }
}

/// Two programs play each other; every move is checked by the rules here.
#[test]
fn whole_games_are_played_by_the_rules() {
    let mut engines = ["threads=1", "threads=2"].map(|threads| Hub::with(&["hash=4", threads]));
    for level in ["nodes=300", "depth=3", "time=0.3 inc=0.001", "moves=5 time=0.2"] {
        let mut game = Game::default();
        engines.iter_mut().for_each(|engine| engine.send("new-game"));
        while game.outcome::<International>().is_none() && game.moves().len() < 300 {
            let engine = &mut engines[game.moves().len() % 2];
            let moves: Vec<String> = game.moves().iter().map(ToString::to_string).collect();
            let start = fen::to_hub(game.start());
            engine
                .send(format_args!("pos pos={start} moves=\"{}\"\nlevel {level}\ngo think", moves.join(" ")));
            let answer = engine.done();
            let text = answer.split_whitespace().find_map(|word| word.strip_prefix("move=")).unwrap();
            let mv = notation::parse_move::<International>(game.position(), text).unwrap();
            if let Some(text) = answer.split_whitespace().find_map(|word| word.strip_prefix("ponder=")) {
                let next = game.position().play::<International>(mv);
                assert!(notation::parse_move::<International>(&next, text).is_ok(), "{answer}");
            }
            game.push::<International>(mv);
        }
        assert!(
            game.outcome::<International>().is_some()
                || legal_moves::<International>(game.position()).len() > 1
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn no_line_makes_the_grammar_fail(line in "(hub|pos|level|go|set-param|[ -~]{0,8})( |=|\"|[a-z-]{1,9}|[0-9.e-]{1,6}|\\PC){0,20}") {
        let _ = Command::parse(&line);
    }
}
