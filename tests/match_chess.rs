//! `dyad match` with engines that behave and misbehave. The engines are this very test program, run again with
//! one of its ignored tests switched on.

#[path = "support/raw.rs"]
mod raw;

use movegen::{Board, NoObserver};
use raw::{Run, run};
use std::io::{BufReader, Write};
use std::path::PathBuf;
use std::time::Duration;
use uci::io::LineReader;

/// What an engine does when it is told to think.
#[derive(Clone, Copy, PartialEq)]
enum Habit {
    Good,
    Crash,
    Hang,
    Slow,
    /// Takes its time with every move.
    Steady,
    Illegal,
    NoMove,
    Flood,
    LongLine,
    /// Shows a line that cannot be played, and writes what is no UCI.
    Chatter,
    /// Thinks that it is lost.
    Sad,
    /// Answers `uci` with the end of its process.
    Stillborn,
}

fn say(text: impl std::fmt::Display) {
    let mut out = std::io::stdout();
    if writeln!(out, "{text}").and_then(|()| out.flush()).is_err() {
        std::process::exit(0);
    }
}

/// The first legal move in the order of the alphabet.
fn first_move(board: &Board) -> String {
    board.legal_moves().iter().map(|mv| mv.uci(false).to_string()).min().unwrap()
}

fn board_of(line: &str) -> Board {
    let (setup, moves) = line.split_once(" moves ").unwrap_or((line, ""));
    let mut board = match setup.strip_prefix("position fen ") {
        Some(fen) => Board::from_fen(fen).unwrap(),
        None => Board::startpos(),
    };
    for mv in moves.split_whitespace() {
        board.make_move(board.parse_uci(mv).unwrap(), &mut NoObserver);
    }
    board
}

fn be_uci(habit: Habit) -> ! {
    // The test harness may have begun a line.
    say("");
    let mut board = Board::startpos();
    for line in LineReader::new(BufReader::new(std::io::stdin())) {
        let line = line.unwrap();
        match line.split(' ').next().unwrap() {
            "uci" if habit == Habit::Stillborn => std::process::exit(9),
            "uci" => say("id name x\nid author y\noption name Hash type spin default 1 min 1 max 9\nuciok"),
            "isready" => say("readyok"),
            "position" => board = board_of(&line),
            "quit" => break,
            "go" => {
                let mv = first_move(&board);
                match habit {
                    Habit::Crash => std::process::exit(3),
                    Habit::Hang => std::thread::sleep(Duration::from_secs(600)),
                    Habit::Slow => std::thread::sleep(Duration::from_millis(700)),
                    Habit::Steady => std::thread::sleep(Duration::from_millis(20)),
                    Habit::Illegal => say("bestmove e1e8"),
                    Habit::NoMove => say("bestmove (none)"),
                    Habit::Flood => loop {
                        say("info depth 1 score cp 1 pv a1a1");
                    },
                    Habit::LongLine => loop {
                        let _ = std::io::stdout().write_all(&[b'x'; 4096]);
                    },
                    Habit::Chatter => say("hello\ninfo depth 1 score cp 5 pv e2e4 e2e4"),
                    Habit::Sad => say("info depth 3 score cp -900 nodes 5"),
                    Habit::Good | Habit::Stillborn => say("info depth 3 score cp 12 nodes 5"),
                }
                say(format_args!("bestmove {mv}"));
            }
            _ => {}
        }
    }
    std::process::exit(0);
}

/// An engine of the older protocol; `claim` is what it says instead of a move.
fn be_cecp(claim: Option<&str>) -> ! {
    say("");
    let mut board = Board::startpos();
    let mut forced = false;
    for line in LineReader::new(BufReader::new(std::io::stdin())) {
        let line = line.unwrap();
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        let mut think = false;
        match word {
            "protover" => {
                say("feature ping=1 setboard=1 usermove=1 done=0\nfeature myname=\"c d\" memory=1 done=1");
            }
            "new" => board = Board::startpos(),
            "setboard" => board = Board::from_fen(rest).unwrap(),
            "force" => forced = true,
            "ping" => say(format_args!("pong {rest}")),
            "usermove" => {
                board.make_move(board.parse_uci(rest).unwrap(), &mut NoObserver);
                think = !forced;
            }
            "go" => (forced, think) = (false, true),
            "quit" => break,
            _ => {}
        }
        if think && board.has_legal_move() {
            if let Some(claim) = claim {
                say(claim);
            }
            let mv = first_move(&board);
            board.make_move(board.parse_uci(&mv).unwrap(), &mut NoObserver);
            say(format_args!("3 -15 1 77 {mv}\nmove {mv}"));
        }
    }
    std::process::exit(0);
}

/// The children: no tests, and only run by the others.
macro_rules! engines {
    ($($name:ident => $code:expr;)*) => {
        $(
            #[test]
            #[ignore = "an engine of the other tests"]
            fn $name() {
                $code
            }
        )*
    };
}

engines! {
    engine_good => be_uci(Habit::Good);
    engine_crash => be_uci(Habit::Crash);
    engine_hang => be_uci(Habit::Hang);
    engine_slow => be_uci(Habit::Slow);
    engine_steady => be_uci(Habit::Steady);
    engine_illegal => be_uci(Habit::Illegal);
    engine_nomove => be_uci(Habit::NoMove);
    engine_flood => be_uci(Habit::Flood);
    engine_longline => be_uci(Habit::LongLine);
    engine_chatter => be_uci(Habit::Chatter);
    engine_sad => be_uci(Habit::Sad);
    engine_stillborn => be_uci(Habit::Stillborn);
    engine_cecp => be_cecp(None);
    engine_claims => be_cecp(Some("1/2-1/2 {Draw by repetition}"));
    engine_complains => be_cecp(Some("Illegal move: e2e4"));
    engine_resigns => be_cecp(Some("resign"));
}

/// Runs a match between engines of this file; each is a name and what else is said about it.
fn play(engines: &[(&str, &str)], rest: &[&str]) -> Run {
    let words = words(engines, rest);
    run(&words.iter().map(String::as_str).collect::<Vec<_>>(), b"")
}

fn words(engines: &[(&str, &str)], rest: &[&str]) -> Vec<String> {
    let program = format!("cmd={}", std::env::current_exe().unwrap().display());
    let mut words = vec!["match".to_owned()];
    for (name, more) in engines {
        words.extend(["--engine".to_owned(), program.clone(), format!("name={name}")]);
        words.push(format!("args=--exact engine_{name} --ignored --nocapture"));
        words.extend(more.split_whitespace().map(str::to_owned));
    }
    words.extend(rest.iter().map(|&word| word.to_owned()));
    words
}

const CECP: &str = "proto=cecp";

/// One game with the engine as Black, who then moves after a good White: the line of the game.
fn against_good(name: &str, more: &str, limit: &str) -> String {
    let run =
        play(&[("good", ""), (name, more)], &["--each", limit, "--games", "1", "--json", "--max-moves", "4"]);
    assert_eq!((run.status, run.errors.as_str()), (Some(0), ""), "{name}: {}", run.text());
    let lines: Vec<&str> = run.text().lines().collect();
    assert_eq!(lines.len(), 2, "{name}: {}", run.text());
    assert!(lines[1].contains("\"summary\""), "{}", lines[1]);
    lines[0].to_owned()
}

fn file(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("dyad-match-{}-{name}", std::process::id()));
    let _ = std::fs::remove_file(&path);
    path
}

#[test]
fn every_misbehaviour_is_named_and_loses() {
    for (name, more, limit, kind, part) in [
        ("crash", "", "tc=10", "crash", "Black crashes (exit status: 3)"),
        ("slow", "", "st=0.2", "time", "Black loses on time (by 0."),
        ("illegal", "", "tc=10", "illegal move", "e1e8: illegal move"),
        ("nomove", "", "tc=10", "no move", "finds no move where there is one"),
        ("flood", "", "tc=20", "flood", "floods its output"),
        ("claims", CECP, "tc=10", "false claim", "Draw by repetition"),
        ("complains", CECP, "tc=10", "false claim", "calls the legal move e2e4 illegal"),
    ] {
        let line = against_good(name, more, limit);
        assert!(line.contains(&format!("\"kind\":\"{kind}\"")), "{name}: {line}");
        assert!(line.contains(part), "{name}: {line}");
        assert!(line.contains("\"result\":\"1-0\""), "{name}: {line}");
    }
}

#[test]
fn an_engine_that_hangs_or_never_ends_its_line_is_given_up() {
    for name in ["hang", "longline"] {
        let line = against_good(name, "", "st=0.1");
        assert!(line.contains("\"kind\":\"hang\"") && line.contains("\"result\":\"1-0\""), "{line}");
    }
}

#[test]
fn a_flag_fall_is_a_draw_where_no_series_of_legal_moves_mates() {
    for (fen, result) in [
        // Pawns that block each other for ever; a knight alone; a knight that a pawn can help.
        ("4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1", "1/2-1/2"),
        ("7k/q7/8/8/8/8/8/5N1K w - - 0 1", "1/2-1/2"),
        ("7k/7p/8/8/8/8/8/5N1K w - - 0 1", "1-0"),
    ] {
        let openings = file("flag.epd");
        std::fs::write(&openings, fen).unwrap();
        let rest = ["--each", "st=0.2", "--games", "1", "--json", "--openings"];
        let run =
            play(&[("good", ""), ("slow", "")], &[&rest[..], &[&openings.display().to_string()]].concat());
        let line = run.text().lines().next().unwrap();
        assert!(line.contains(&format!("\"result\":\"{result}\"")), "{fen}: {line}");
        assert!(line.contains("Black loses on time"), "{line}");
        assert_eq!(line.contains("but White cannot win"), result != "1-0", "{line}");
        std::fs::remove_file(openings).unwrap();
    }
}

#[test]
fn a_crash_does_not_end_the_match() {
    let run = play(&[("good", ""), ("crash", "")], &["--each", "tc=10", "--games", "4"]);
    assert_eq!(run.status, Some(0));
    assert!(run.text().contains("faults of crash: 4 x crash"), "{}", run.text());
    assert!(run.text().contains("[0, 0, 0, 0, 2]"), "{}", run.text());
}

#[test]
fn an_engine_that_does_not_start_ends_the_match() {
    let run = play(&[("good", ""), ("stillborn", "")], &["--each", "tc=10"]);
    assert_eq!(run.status, Some(2));
    assert!(
        run.errors.contains("engine stillborn does not start: it crashes (exit status: 9)"),
        "{}",
        run.errors
    );
    assert_eq!(run.errors.lines().count(), 1);
}

#[test]
fn strict_matches_end_at_the_first_fault() {
    let limits = ["--each", "tc=10", "--games", "2", "--max-moves", "3"];
    let strict: Vec<&str> = limits.iter().copied().chain(["--strict"]).collect();
    let run = play(&[("good", ""), ("chatter", "")], &strict);
    assert_eq!(run.status, Some(1), "{}", run.text());
    assert!(run.text().contains("chatter writes 'hello'"), "{}", run.text());
    assert!(run.text().contains("chatter shows a line with the illegal move 'e2e4'"), "{}", run.text());
    assert_eq!(play(&[("good", ""), ("chatter", "")], &limits).status, Some(0));
    let run = play(&[("good", ""), ("good", "name=twin option.Nonsense=1")], &strict);
    assert_eq!(run.status, Some(1), "{}", run.text());
    assert!(run.text().contains("twin has no option 'Nonsense'"), "{}", run.text());
    let clean = play(&[("good", "option.Hash=2"), ("good", "name=twin")], &strict);
    assert_eq!(clean.status, Some(0), "{}", clean.text());
}

#[test]
fn both_protocols_play_whole_games_from_openings() {
    let (openings, out) = (file("both.epd"), file("both.pgn"));
    std::fs::write(
        &openings,
        "# a comment\nrnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq -; bm d5;\nnonsense\n\
         4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n",
    )
    .unwrap();
    let (openings_text, out_text) = (openings.display().to_string(), out.display().to_string());
    let rest = ["--each", "tc=30+0.1", "--games", "4", "--openings", &openings_text, "--out", &out_text];
    let run = play(&[("good", ""), ("cecp", "proto=cecp tc=20/10")], &rest);
    assert_eq!(run.status, Some(0), "{}", run.text());
    assert!(run.errors.contains("line 3: ") && run.errors.ends_with("left out\n"), "{}", run.errors);
    assert!(!run.text().contains("faults"), "{}", run.text());
    let games = std::fs::read_to_string(&out).unwrap();
    assert_eq!(games.matches("[MatchGame \"").count(), 4);
    assert_eq!(games.matches("\n1... ").count(), 2, "{games}");
    assert!(games.contains("[WhiteTimeControl \"30+0.1\"]\n[BlackTimeControl \"20/10\"]"), "{games}");
    assert!(games.contains("{+0.12/3 0.0"), "{games}");
    assert!(games.contains("{-0.15/3 0.0"), "{games}");
    for path in [openings, out] {
        std::fs::remove_file(path).unwrap();
    }
}

#[test]
fn an_interrupted_match_is_resumed() {
    let out = file("resume.pgn");
    let out_text = out.display().to_string();
    let rest = ["--each", "tc=30", "--games", "4", "--max-moves", "6", "--out", &out_text];
    let engines = [("good", ""), ("sad", "")];
    let first = play(&engines, &rest);
    assert_eq!(first.status, Some(0));
    let whole = std::fs::read_to_string(&out).unwrap();
    // Without --resume nothing is overwritten.
    let again = play(&engines, &rest);
    assert_eq!((again.status, again.errors.contains("--resume")), (Some(2), true));
    assert_eq!(std::fs::read_to_string(&out).unwrap(), whole);
    // The third record is torn.
    let third = whole.match_indices("[Event ").nth(2).unwrap().0;
    std::fs::write(&out, &whole[..third + 150]).unwrap();
    let resume: Vec<&str> = rest.iter().copied().chain(["--resume"]).collect();
    let second = play(&engines, &resume);
    assert_eq!(second.status, Some(0), "{}", second.errors);
    assert_eq!(second.text().matches(" plies)").count(), 2, "{}", second.text());
    let games = std::fs::read_to_string(&out).unwrap();
    for number in 1..=4 {
        assert_eq!(games.matches(&format!("[MatchGame \"{number}\"]")).count(), 1);
    }
    let table = |run: &Run| run.text().split("engine ").last().unwrap().to_owned();
    assert_eq!(table(&second), table(&first));
    // What is no record of a match is not touched.
    let diary = file("diary.pgn");
    std::fs::write(&diary, "Dear diary,\n").unwrap();
    let diary_text = diary.display().to_string();
    let wrong: Vec<&str> =
        resume.iter().map(|&word| if word == out_text { diary_text.as_str() } else { word }).collect();
    let refused = play(&engines, &wrong);
    assert_eq!((refused.status, refused.errors.contains("no record")), (Some(2), true), "{}", refused.errors);
    assert_eq!(std::fs::read_to_string(&diary).unwrap(), "Dear diary,\n");
    std::fs::remove_file(diary).unwrap();
    // Another match does not fit.
    let other = play(&[("good", ""), ("cecp", CECP)], &resume);
    assert_eq!(other.status, Some(2));
    assert!(other.errors.contains("another match"), "{}", other.errors);
    std::fs::remove_file(out).unwrap();
}

#[test]
#[cfg(unix)]
fn after_ctrl_c_finished_games_are_kept_and_the_others_are_played_later() {
    let out = file("interrupted.pgn");
    let out_text = out.display().to_string();
    let rest = ["--each", "tc=30", "--games", "6", "--max-moves", "5", "--out", &out_text, "--resume"];
    let engines = [("steady", ""), ("steady", "name=twin")];
    let words = words(&engines, &rest);
    // In the middle of the second game.
    let run = raw::interrupt(&words.iter().map(AsRef::as_ref).collect::<Vec<&str>>(), 1);
    let text = run.text();
    assert!(text.starts_with("1/6  steady - twin"), "{text}");
    assert_eq!(run.status, Some(130), "{text}");
    assert!(text.ends_with("interrupted; --resume goes on\n") && !text.contains("faults"), "{text}");
    let finished = text.matches(" plies)").count();
    let games = std::fs::read_to_string(&out).unwrap();
    assert_eq!(games.matches("[MatchGame \"").count(), finished);
    assert!(finished < 6, "{text}");
    let second = play(&engines, &rest);
    assert_eq!(second.status, Some(0), "{}", second.errors);
    assert_eq!(second.text().matches(" plies)").count(), 6 - finished, "{}", second.text());
    let games = std::fs::read_to_string(&out).unwrap();
    for number in 1..=6 {
        assert_eq!(games.matches(&format!("[MatchGame \"{number}\"]")).count(), 1);
    }
    std::fs::remove_file(out).unwrap();
}

#[test]
fn lost_games_are_adjudicated_and_engines_may_resign() {
    let rest = ["--each", "tc=30", "--games", "1", "--json", "--resign", "movecount=3,score=500"];
    let run = play(&[("good", ""), ("sad", "")], &rest);
    let line = run.text().lines().next().unwrap();
    assert!(line.contains("\"plies\":6") && line.contains("Black is lost by adjudication"), "{line}");
    assert!(against_good("resigns", CECP, "tc=10").contains("Black resigns"));
}

#[test]
fn everybody_plays_everybody_at_the_same_time() {
    let engines = [("good", "name=a"), ("good", "name=b"), ("sad", ""), ("cecp", CECP)];
    let rest = ["--each", "tc=60", "--games", "2", "--max-moves", "3", "--concurrency", "3"];
    let run = play(&engines, &rest);
    assert_eq!(run.status, Some(0), "{}", run.errors);
    assert_eq!(run.text().matches(" plies)").count(), 12, "{}", run.text());
    let last = run.text().split("engine ").last().unwrap().to_owned();
    assert_eq!(last.lines().filter(|line| line.split_whitespace().nth(1) == Some("6")).count(), 4, "{last}");
}

#[test]
fn the_engine_itself_keeps_to_the_protocol_and_ponders() {
    let engine = format!("cmd={}", env!("CARGO_BIN_EXE_dyad"));
    let run = run(
        &[
            "match",
            "--engine",
            &engine,
            "name=a",
            "nodes=300",
            "--engine",
            &engine,
            "name=b",
            "nodes=200",
            "ponder",
            "--each",
            "option.Hash=1",
            "--games",
            "2",
            "--max-moves",
            "12",
            "--strict",
        ],
        b"",
    );
    assert_eq!((run.status, run.errors.as_str()), (Some(0), ""), "{}", run.text());
}

#[test]
fn games_that_will_repeat_are_announced() {
    for (limit, games, is_told) in [("nodes=9", "3", true), ("nodes=9", "2", false), ("tc=9", "3", false)] {
        let words =
            ["match", "--engine", "cmd=/no/x", "--engine", "cmd=y", "--each", limit, "--games", games];
        let errors = run(&words, b"").errors;
        let warnings = errors.lines().filter(|line| line.contains("games will repeat")).count();
        assert_eq!(warnings, usize::from(is_told), "{limit} {games}: {errors}");
    }
}

#[test]
fn faults_of_openings_are_told_plainly() {
    let openings = file("faults.pgn");
    std::fs::write(&openings, "1. e4 e5 2. Ke3 *\n").unwrap();
    let name = openings.display().to_string();
    let words = ["match", "--engine", "cmd=x", "--engine", "cmd=y", "--each", "tc=1", "--openings", &name];
    let run = run(&words, b"");
    assert!(run.errors.contains("game 1 (line 1): move 2. Ke3: illegal: left out\n"), "{}", run.errors);
    assert_eq!(run.status, Some(2));
    std::fs::remove_file(openings).unwrap();
}

#[test]
fn wrong_arguments_are_one_line() {
    let good: &[&str] = &["--engine", "cmd=x", "--engine", "cmd=y"];
    for (rest, part) in [
        (&["--each", "tc=x"][..], "'x' is not a time"),
        (&[], "no limit"),
        (&["--each", "tc=1", "--sprt", "elo0=5,elo1=1"], "elo0 must be less"),
        (&["--each", "tc=1", "--resume"], "--out"),
        (&["--each", "tc=1", "--openings", "/nowhere/x.epd"], "cannot read /nowhere/x.epd"),
        (&["--each", "tc=1", "proto=hub"], "not a protocol of this game"),
        (&["--each", "tc=1", "--draw", "score=x"], "score=x"),
        (&["--each", "tc=1", "--start", "2"], "--start 2: there is no more than 1 opening"),
        (&["--each", "tc=1"], "engine x does not start"),
    ] {
        let words: Vec<&str> = ["match"].iter().chain(good).chain(rest).copied().collect();
        let run = run(&words, b"");
        assert_eq!(run.status, Some(2), "{rest:?}: {}", run.text());
        assert_eq!(run.errors.lines().count(), 1, "{rest:?}: {}", run.errors);
        assert!(run.errors.contains(part), "{rest:?}: {}", run.errors);
    }
    assert_eq!(run(&["match", "--engine", "cmd=x", "--each", "tc=1"], b"").status, Some(2));
}
