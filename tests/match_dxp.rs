//! `dyad-draughts match` with engines at the end of a network connection. Those that misbehave are this very test
//! program, run again with one of its ignored tests switched on.

use draughts::dxp::frame::Frames;
use draughts::dxp::{Answer, Message, Reason};
use draughts::rules::International;
use draughts::{Game, legal_moves, pdn};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

const ENGINE: &str = env!("CARGO_BIN_EXE_dyad-draughts");

/// What an engine does when it is its turn.
#[derive(Clone, Copy, PartialEq)]
enum Habit {
    /// Plays the first legal move.
    Good,
    Crash,
    /// Closes the connection and lives on.
    Close,
    Illegal,
    /// Sends half a move.
    Torn,
    Silent,
    Slow,
    Flood,
    Ends(Reason),
    /// Chats, wants to go back and to play another game, and then moves.
    Chatter,
    /// Refuses all games.
    Refuses,
    /// Wants no further game, each time.
    OneGame,
}

fn send(mut stream: &TcpStream, message: &str) {
    let _ = stream.write_all(format!("{message}\0").as_bytes());
}

/// Waits on the port that its arguments name and answers.
fn be_dxp(habit: Habit) -> ! {
    let port: u16 = std::env::args().find_map(|argument| argument.parse().ok()).unwrap();
    let listener = TcpListener::bind(("127.0.0.1", port)).unwrap();
    loop {
        let (stream, _) = listener.accept().unwrap();
        serve(&stream, habit);
    }
}

fn serve(mut stream: &TcpStream, habit: Habit) {
    let mut frames = Frames::default();
    let mut table = None;
    let mut buffer = [0; 512];
    loop {
        let count = stream.read(&mut buffer).unwrap_or(0);
        if count == 0 {
            return;
        }
        let mut messages = Vec::new();
        frames.push(&buffer[..count], |message| messages.push(message.unwrap()));
        for message in messages {
            match message {
                Message::Request(request) => {
                    let answer = if habit == Habit::Refuses { Answer::NoGames } else { Answer::Accepted };
                    send(stream, &Message::Accept { name: "x".to_owned(), answer }.to_string());
                    table = Some((Game::new(request.start), request.follower));
                }
                Message::Move { mv, .. } => table.as_mut().unwrap().0.push::<International>(mv),
                Message::End { reason, .. } => {
                    table = None;
                    let quits = habit == Habit::OneGame;
                    send(stream, &Message::End { reason: reason.reversed(), quits }.to_string());
                    if quits {
                        return;
                    }
                }
                _ => {}
            }
        }
        let Some((game, own)) = &mut table else { continue };
        let moves = legal_moves::<International>(game.position());
        if game.position().turn() != *own || moves.is_empty() {
            continue;
        }
        match habit {
            Habit::Crash => std::process::exit(4),
            Habit::Close => return,
            Habit::Illegal => send(stream, "M0000015000"),
            Habit::Torn => send(stream, "M000"),
            Habit::Silent => continue,
            Habit::Slow => std::thread::sleep(Duration::from_millis(700)),
            Habit::Flood => while stream.write_all(b"Cspam\0").is_ok() {},
            Habit::Ends(reason) => {
                send(stream, &Message::End { reason, quits: false }.to_string());
                table = None;
                continue;
            }
            Habit::Chatter => ["Chello", "B001W", "nonsense"].iter().for_each(|text| send(stream, text)),
            Habit::Good | Habit::Refuses | Habit::OneGame => {}
        }
        send(stream, &Message::Move { seconds: 0, mv: moves[0] }.to_string());
        game.push::<International>(moves[0]);
    }
}

/// The children: no tests, and only run by the others.
macro_rules! engines {
    ($($name:ident => $habit:expr;)*) => {
        $(
            #[test]
            #[ignore = "an engine of the other tests"]
            fn $name() {
                be_dxp($habit)
            }
        )*
    };
}

engines! {
    engine_good => Habit::Good;
    engine_crash => Habit::Crash;
    engine_close => Habit::Close;
    engine_illegal => Habit::Illegal;
    engine_torn => Habit::Torn;
    engine_silent => Habit::Silent;
    engine_slow => Habit::Slow;
    engine_flood => Habit::Flood;
    engine_resigns => Habit::Ends(Reason::Lost);
    engine_claims => Habit::Ends(Reason::Won);
    engine_breaks => Habit::Ends(Reason::Unknown);
    engine_chatter => Habit::Chatter;
    engine_refuses => Habit::Refuses;
    engine_onegame => Habit::OneGame;
}

/// A match between engines of this file.
fn play(engines: &[&str], rest: &[&str]) -> Output {
    let mut command = Command::new(ENGINE);
    command.arg("match");
    for name in engines {
        command.arg("--engine").arg(format!("cmd={}", std::env::current_exe().unwrap().display()));
        command.arg(format!("args=--exact engine_{name} --ignored --nocapture {{port}}"));
        command.args([format!("name={name}"), "proto=dxp".to_owned()]);
    }
    command.args(rest).output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

fn file(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("dyad-dxp-{}-{name}", std::process::id()));
    let _ = std::fs::remove_file(&path);
    path
}

/// Killed in the end, however the test ends.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn every_misbehaviour_is_named() {
    for (name, limit, result, part) in [
        ("crash", "tc=1:00", "2-0", "Black crashes (connection lost, exit status: 4)"),
        ("close", "tc=1:00", "2-0", "Black crashes (connection lost: closed)"),
        ("illegal", "tc=1:00", "2-0", "Black plays an illegal move (1-50: "),
        ("torn", "tc=1:00", "2-0", "Black breaks the protocol (move message too short)"),
        ("silent", "st=0.1", "2-0", "Black hangs"),
        ("slow", "st=0.1", "2-0", "Black loses on time"),
        ("flood", "tc=1:00", "2-0", "Black floods its output"),
        ("resigns", "tc=1:00", "2-0", "Black resigns"),
        ("claims", "tc=1:00", "2-0", "Black makes a false claim (a win)"),
        ("breaks", "tc=1:00", "2-0", "Black breaks the protocol (it breaks off the game)"),
        ("refuses", "tc=1:00", "2-0", "Black breaks the protocol (it refuses any game)"),
        ("chatter", "tc=1:00", "1-1", "adjudication"),
    ] {
        let output = play(&["good", name], &["--each", limit, "--games", "1", "--max-moves", "3"]);
        assert_eq!(output.status.code(), Some(0), "{name}: {}", text(&output.stderr));
        let line = text(&output.stdout).lines().next().unwrap();
        assert!(line.contains(part) && line.contains(&format!("  {result}  ")), "{name}: {line}");
        if name == "chatter" {
            for warning in ["chatter asks to take moves back", "chatter sends what is no message"] {
                assert!(text(&output.stdout).contains(warning), "{}", text(&output.stdout));
            }
        }
    }
}

#[test]
fn a_lost_connection_is_made_again() {
    for (name, losses) in [("close", 4), ("onegame", 0)] {
        let output = play(&["good", name], &["--each", "tc=1:00", "--games", "4", "--max-moves", "3"]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let games = text(&output.stdout);
        assert_eq!(games.matches(" plies)").count(), 4, "{games}");
        assert_eq!(games.matches("connection lost").count(), losses, "{games}");
    }
}

#[test]
fn engines_that_cannot_be_reached_end_the_match() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let output = Command::new(ENGINE)
        .args(["match", "--engine", "proto=dxp", &format!("port={free}"), "tc=1:00"])
        .args(["--engine", &format!("cmd={ENGINE}"), "args=hub", "depth=1"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let errors = text(&output.stderr);
    assert!(errors.contains(&format!("engine 127.0.0.1:{free} does not start")), "{errors}");
    assert_eq!(errors.lines().count(), 1, "{errors}");
}

#[test]
fn whole_games_are_played_between_hub_and_every_kind_of_connection() {
    let mut server = Server(
        Command::new(ENGINE)
            .args(["dxp", "--port", "0", "--time", "0.005", "--param", "hash=1"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap(),
    );
    let mut lines = BufReader::new(server.0.stdout.take().unwrap());
    let mut line = String::new();
    lines.read_line(&mut line).unwrap();
    let port = line.trim().rsplit_once(':').unwrap().1.to_owned();
    // What it says later is not read, and must not hold it up.
    std::thread::spawn(move || std::io::copy(&mut lines, &mut std::io::sink()));
    let (openings, out) = (file("ballots.fen"), file("games.pdn"));
    std::fs::write(&openings, "W:W31-50:B1-20\nB:W28,31-32,34-50:B1-20\n").unwrap();
    let dxp = "--time 0.005 --param hash=1 --port {port}";
    let mut command = Command::new(ENGINE);
    command.args(["match", "--gauntlet", "--games", "2", "--strict", "--openings"]).arg(&openings);
    command.arg("--out").arg(&out).args(["--each", "option.hash=1", "timemargin=2000", "tc=2:00", "ponder"]);
    command.args(["--engine", &format!("cmd={ENGINE}"), "args=hub", "name=hub", "nodes=200"]);
    command.args(["--engine", &format!("cmd={ENGINE}"), "proto=dxp", "name=waits"]);
    command.arg(format!("args=dxp {dxp}"));
    command.args(["--engine", &format!("cmd={ENGINE}"), "proto=dxp", "listen", "name=connects"]);
    command.arg(format!("args=dxp --connect --role follower {dxp}"));
    command.args(["--engine", "proto=dxp", &format!("port={port}"), "name=remote"]);
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}{}", text(&output.stdout), text(&output.stderr));
    let records = std::fs::read(&out).unwrap();
    let games = pdn::parse(&pdn::decode(&records));
    assert_eq!(games.len(), 6);
    for game in games {
        let game = game.unwrap();
        let end = game.game.outcome::<International>();
        assert!(
            end.is_some_and(|end| end.to_string() == game.result.to_string()),
            "{}",
            text(&output.stdout)
        );
    }
    for path in [openings, out] {
        std::fs::remove_file(path).unwrap();
    }
}
