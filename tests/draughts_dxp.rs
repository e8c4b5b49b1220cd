//! DamExchange: the grammar of messages, and the real program over sockets in all its roles.

#[path = "support/random.rs"]
mod random;

use draughts::dxp::frame::Frames;
use draughts::dxp::{Answer, BackAnswer, DxpError, LONGEST, Message, Reason, Request};
use draughts::rules::International;
use draughts::{Bitboard, Color, Game, Move, Position, Square, fen, legal_moves};
use proptest::prelude::*;
use random::Random;
use std::collections::VecDeque;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use uci::client::EngineProcess;

const LONG: Duration = Duration::from_secs(60);

fn square(number: u8) -> Square {
    Square::new(number).unwrap()
}

fn squares(numbers: &[u8]) -> Bitboard {
    numbers.iter().map(|&number| square(number)).collect()
}

#[test]
fn messages_are_read_and_written() {
    let start = fen::parse_fen("B:W27,K50:BK1,14").unwrap();
    let request = |follower, minutes, moves, start| {
        let name = "Tornado voor Windows 4.0".to_owned();
        Message::Request(Request { name, follower, minutes, moves, start })
    };
    let mut board = "e".repeat(50);
    for (number, letter) in [(1, "Z"), (14, "z"), (27, "w"), (50, "W")] {
        board.replace_range(number - 1..number, letter);
    }
    let capture = Move { from: square(25), to: square(4), captured: squares(&[12, 20, 23]) };
    let quiet = Move { from: square(32), to: square(28), captured: Bitboard::EMPTY };
    for (text, message) in [
        (
            "R01Tornado voor Windows 4.0        W060065A".to_owned(),
            request(Color::White, 60, 65, Position::start()),
        ),
        (format!("R01Tornado voor Windows 4.0        Z005000BZ{board}"), request(Color::Black, 5, 0, start)),
        (
            format!("A{:32}0", "Moby Dam"),
            Message::Accept { name: "Moby Dam".to_owned(), answer: Answer::Accepted },
        ),
        (format!("A{:32}3", ""), Message::Accept { name: String::new(), answer: Answer::NoGames }),
        ("M0012250403122023".to_owned(), Message::Move { seconds: 12, mv: capture }),
        ("M9999322800".to_owned(), Message::Move { seconds: 9999, mv: quiet }),
        ("E00".to_owned(), Message::End { reason: Reason::Unknown, quits: false }),
        ("E31".to_owned(), Message::End { reason: Reason::Won, quits: true }),
        ("CWhat about 35?".to_owned(), Message::Chat("What about 35?".to_owned())),
        ("B005Z".to_owned(), Message::Back { number: 5, turn: Color::Black }),
        ("K1".to_owned(), Message::BackAnswer(BackAnswer::Unsupported)),
    ] {
        assert_eq!(Message::parse(text.as_bytes()).as_ref(), Ok(&message), "{text}");
        assert_eq!(message.to_string(), text);
    }
    // Victims in another order, letters in another case, and something behind the message.
    let same = Message::parse(b"M001225040323201299");
    assert_eq!(same, Ok(Message::Move { seconds: 12, mv: capture }));
    // Numbers and texts that do not fit are cut.
    assert_eq!(Message::Move { seconds: 12345, mv: quiet }.to_string(), "M9999322800");
    let long = Message::Chat("\u{e9}".repeat(500)).to_string();
    assert_eq!((long.len(), long.as_str()), (LONGEST, format!("C{}", "?".repeat(126)).as_str()));
}

#[test]
fn wrong_messages_are_named() {
    let e = |text: &str| Message::parse(text.as_bytes()).unwrap_err();
    assert_eq!(e(""), DxpError::Empty);
    assert_eq!(e("x"), DxpError::Kind('x'));
    assert_eq!(e(&"C".repeat(128)), DxpError::TooLong);
    let request = |rest: &str| format!("R01{:32}{rest}", "x");
    for text in [
        "M",
        "M0001",
        "M000132280",
        "M000132280119".trim_end_matches('9'),
        "E",
        "E1",
        "A",
        "K",
        "B12",
        "R01",
        &request("W060065"),
        &request("W060065BWeee"),
    ] {
        assert!(matches!(e(text), DxpError::TooShort(_)), "{text}: {}", e(text));
    }
    for text in [
        "M00a1322800",
        "M0001002800",
        "M0001325100",
        "M00013228022323",
        "M0001 -2800",
        "E40",
        "E02",
        "K3",
        "B001X",
        "Rxx",
        &format!("A{:32}9", "x"),
        &request("X060065A"),
        &request("W060065C"),
        &request(&format!("W060065BW{}", "q".repeat(50))),
    ] {
        assert!(matches!(e(text), DxpError::Field(..)), "{text}: {}", e(text));
    }
    assert_eq!(e("R02"), DxpError::Version(2));
    let crowned = request(&format!("W060065BWw{}", "e".repeat(49)));
    assert!(matches!(e(&crowned), DxpError::Position(_)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// Wherever a stream is cut, the same messages come out, and no bytes make the reader fail.
    #[test]
    fn streams_may_be_cut_anywhere(
        bytes in prop::collection::vec(prop_oneof![Just(0u8), Just(b'C'), Just(b'M'), Just(b'0'), any::<u8>()], 0..600),
        cuts in prop::collection::vec(0usize..600, 0..20),
    ) {
        let mut whole = Vec::new();
        Frames::default().push(&bytes, |message| whole.push(message));
        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(bytes.len())).collect();
        cuts.extend([0, bytes.len()]);
        cuts.sort_unstable();
        let (mut frames, mut parts) = (Frames::default(), Vec::new());
        for pair in cuts.windows(2) {
            frames.push(&bytes[pair[0]..pair[1]], |message| parts.push(message));
        }
        prop_assert_eq!(&whole, &parts);
        prop_assert_eq!(whole.len(), bytes.iter().filter(|&&byte| byte == 0).count());
        for message in whole.into_iter().flatten() {
            prop_assert_eq!(Message::parse(message.to_string().as_bytes()).is_ok(), true);
        }
    }
}

#[test]
fn messages_that_are_too_long_end_at_their_nul() {
    let mut bytes = vec![b'C'; 100_000];
    bytes.extend(b"\0E00\0");
    let mut messages = Vec::new();
    Frames::default().push(&bytes, |message| messages.push(message));
    let end = Message::End { reason: Reason::Unknown, quits: false };
    assert_eq!(messages, [Err(DxpError::TooLong), Ok(end)]);
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dyad-draughts"));
    command.args(["dxp", "--param", "hash=1"]).args(arguments).stderr(Stdio::inherit());
    if !arguments.contains(&"--time") {
        command.args(["--time", "0.01"]);
    }
    command
}

/// A program that listens, and its port.
fn listening(arguments: &[&str]) -> (EngineProcess, u16) {
    let engine = EngineProcess::start(command(&[&["--port", "0"], arguments].concat())).unwrap();
    let line = engine.read_line(LONG).unwrap().text;
    let port = line.strip_prefix("listening on 127.0.0.1:").expect("loopback unless told otherwise");
    let port = port.parse().unwrap();
    (engine, port)
}

fn line(engine: &EngineProcess, part: &str) -> String {
    let lines = engine.read_until(LONG, |line| line.contains(part));
    lines.unwrap_or_else(|error| panic!("no line with '{part}': {error}")).pop().unwrap().text
}

/// The test's side of a connection.
struct Peer {
    stream: TcpStream,
    frames: Frames,
    messages: VecDeque<Message>,
}

impl Peer {
    fn new(stream: TcpStream) -> Self {
        stream.set_read_timeout(Some(LONG)).unwrap();
        stream.set_nodelay(true).unwrap();
        Self { stream, frames: Frames::default(), messages: VecDeque::new() }
    }

    fn to(port: u16) -> Self {
        Self::new(TcpStream::connect(("127.0.0.1", port)).unwrap())
    }

    fn send(&mut self, message: &Message) {
        self.bytes(format!("{message}\0").as_bytes());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).unwrap();
    }

    /// The next message; the program itself never sends anything wrong. `None` when the connection is over.
    fn receive(&mut self) -> Option<Message> {
        while self.messages.is_empty() {
            let mut buffer = [0; 1024];
            let count = self.stream.read(&mut buffer).ok()?;
            if count == 0 {
                return None;
            }
            let messages = &mut self.messages;
            self.frames.push(&buffer[..count], |message| messages.push_back(message.unwrap()));
        }
        self.messages.pop_front()
    }

    /// The next message that is no chat.
    fn reply(&mut self) -> Option<Message> {
        loop {
            match self.receive()? {
                Message::Chat(_) => {}
                message => return Some(message),
            }
        }
    }

    fn ask(&mut self, follower: Color, start: Position) -> Message {
        let name = "test".to_owned();
        self.send(&Message::Request(Request { name, follower, minutes: 1, moves: 0, start }));
        self.reply().expect("an answer")
    }

    fn begin(&mut self, follower: Color) {
        let answer = self.ask(follower, Position::start());
        let name = "Dyad Draughts".to_owned();
        assert_eq!(answer, Message::Accept { name, answer: Answer::Accepted });
    }

    /// Plays random moves, checks those of the program, and sees the game end as it must.
    fn play(&mut self, mut game: Game, own: Color, random: &mut Random) -> Reason {
        loop {
            let over = game.outcome::<International>();
            if over.is_none() && game.position().turn() == own {
                let moves = legal_moves::<International>(game.position());
                let mv = moves[random.below(moves.len())];
                self.send(&Message::Move { seconds: 0, mv });
                game.push::<International>(mv);
                continue;
            }
            match (self.reply(), over) {
                (Some(Message::Move { mv, .. }), None) => {
                    assert!(legal_moves::<International>(game.position()).contains(&mv), "{mv}");
                    game.push::<International>(mv);
                }
                (Some(Message::End { reason, quits }), Some(outcome)) => {
                    let expected = match outcome {
                        draughts::Outcome::Win(color) if color == own => Reason::Lost,
                        draughts::Outcome::Win(_) => Reason::Won,
                        _ => Reason::Draw,
                    };
                    assert_eq!(reason, expected);
                    self.send(&Message::End { reason: reason.reversed(), quits });
                    return reason;
                }
                other => panic!("{other:?} after {} moves", game.moves().len()),
            }
        }
    }
}

#[test]
fn a_listening_follower_plays_games_with_both_colours() {
    let (mut engine, port) = listening(&["--games", "3"]);
    let mut peer = Peer::to(port);
    let mut random = Random(1);
    for own in [Color::White, Color::Black] {
        peer.begin(!own);
        assert_eq!(peer.play(Game::default(), own, &mut random), Reason::Won);
        assert!(line(&engine, "game ").contains("against test"));
        assert!(line(&engine, "game ").ends_with("no legal move"));
    }
    // From a position with the move on the other side.
    let start = fen::parse_fen("B:WK46,31,37:BK5,10,15").unwrap();
    assert!(matches!(peer.ask(Color::White, start), Message::Accept { answer: Answer::Accepted, .. }));
    peer.play(Game::new(start), Color::Black, &mut random);
    assert!(engine.wait(LONG).unwrap().success());
}

#[test]
fn a_fixed_time_is_used_whole() {
    // Also beside the minute of the clock that the request tells.
    let (_engine, port) = listening(&["--time", "0.3", "--param", "book=false"]);
    let mut peer = Peer::to(port);
    let start = Instant::now();
    peer.begin(Color::White);
    assert!(matches!(peer.reply(), Some(Message::Move { .. })));
    let used = start.elapsed();
    assert!(used >= Duration::from_millis(299), "{used:?}");
}

#[test]
fn a_connecting_initiator_asks_for_what_it_is_told() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    let mut engine = EngineProcess::start(command(&[
        "--connect",
        "--port",
        &port,
        "--games",
        "3",
        "--minutes",
        "7",
        "--moves",
        "75",
    ]))
    .unwrap();
    let mut peer = Peer::new(listener.accept().unwrap().0);
    let mut random = Random(2);
    for own in [Color::Black, Color::White, Color::Black] {
        let Some(Message::Request(request)) = peer.reply() else { panic!("a request") };
        assert_eq!((request.follower, request.minutes, request.moves), (own, 7, 75));
        assert_eq!((request.name.as_str(), request.start), ("Dyad Draughts", Position::start()));
        peer.send(&Message::Accept { name: "test".to_owned(), answer: Answer::Accepted });
        assert_eq!(peer.play(Game::default(), own, &mut random), Reason::Won);
    }
    assert_eq!(peer.reply(), None);
    assert!(engine.wait(LONG).unwrap().success());
}

#[test]
fn a_listening_initiator_and_a_connecting_follower_play_each_other() {
    let pdn = std::env::temp_dir().join(format!("dyad-dxp-{}.pdn", std::process::id()));
    let file = pdn.to_str().unwrap();
    let arguments =
        ["--role", "initiator", "--games", "2", "--fen", "W:WK46,K37:BK5", "--pdn", file, "--minutes", "0"];
    let (mut one, port) = listening(&arguments);
    let mut two = EngineProcess::start(command(&[
        "--connect",
        "--port",
        &port.to_string(),
        "--role",
        "follower",
        "--param",
        "ponder=true",
    ]))
    .unwrap();
    for number in 1..=2 {
        let lines = [&one, &two].map(|engine| line(engine, " plies: "));
        let result = |text: &str| text.split(' ').nth(2).unwrap().to_owned();
        assert!(lines[0].starts_with(&format!("game {number}: ")), "{}", lines[0]);
        assert_eq!(result(&lines[0]), result(&lines[1]), "{lines:?}");
    }
    assert!(one.wait(LONG).unwrap().success());
    assert!(two.wait(LONG).unwrap().success());
    let text = std::fs::read_to_string(&pdn).unwrap();
    std::fs::remove_file(&pdn).unwrap();
    let games = draughts::pdn::parse(&text);
    assert_eq!(games.len(), 2);
    for game in games {
        let game = game.unwrap();
        assert!(game.game.outcome::<International>().is_some());
    }
}

#[test]
fn requests_that_cannot_be_met_are_refused() {
    let (_engine, port) = listening(&[]);
    let mut peer = Peer::to(port);
    let refused = |peer: &mut Peer, text: String| {
        peer.bytes(format!("{text}\0").as_bytes());
        match peer.reply() {
            Some(Message::Accept { answer, .. }) => answer,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(refused(&mut peer, format!("R02{:32}W005000A", "x")), Answer::Version);
    assert_eq!(refused(&mut peer, format!("R01{:32}W005000", "x")), Answer::Game);
    assert_eq!(refused(&mut peer, format!("R01{:32}W005000BW{}", "x", "w".repeat(50))), Answer::Game);
    peer.begin(Color::Black);
    assert_eq!(refused(&mut peer, format!("R01{:32}W005000A", "x")), Answer::Game);
    // The game goes on.
    let mv = legal_moves::<International>(&Position::start())[0];
    peer.send(&Message::Move { seconds: 0, mv });
    assert!(matches!(peer.reply(), Some(Message::Move { .. })));
    // A game without pieces for the side to move is over at once.
    peer.send(&Message::End { reason: Reason::Unknown, quits: false });
    assert_eq!(peer.reply(), Some(Message::End { reason: Reason::Unknown, quits: false }));
    let over = fen::parse_fen("B:W50:B").unwrap();
    assert!(matches!(peer.ask(Color::White, over), Message::Accept { answer: Answer::Accepted, .. }));
    assert_eq!(peer.reply(), Some(Message::End { reason: Reason::Won, quits: false }));
}

#[test]
fn an_illegal_or_damaged_move_ends_the_game_and_not_the_program() {
    let (engine, port) = listening(&[]);
    let mut peer = Peer::to(port);
    for wrong in ["M0000311400", "M0000020700", "M00003228012", "M0000", "Mxxxxxxxxxx", "M0000990099"] {
        peer.begin(Color::Black);
        peer.bytes(format!("{wrong}\0").as_bytes());
        assert!(matches!(peer.receive(), Some(Message::Chat(_))), "{wrong}");
        assert_eq!(peer.receive(), Some(Message::End { reason: Reason::Unknown, quits: false }));
        peer.send(&Message::End { reason: Reason::Unknown, quits: false });
        assert!(line(&engine, "plies:").contains(" * as black"));
    }
    peer.begin(Color::White);
}

#[test]
fn a_broken_connection_leaves_the_program_ready_for_the_next() {
    let (engine, port) = listening(&["--param", "ponder=true", "--time", "5"]);
    // Before anything, in the middle of a message, while the program thinks, while it waits.
    drop(Peer::to(port));
    line(&engine, "connection closed");
    Peer::to(port).bytes(b"R01 half a mess");
    line(&engine, "connection closed");
    Peer::to(port).begin(Color::White);
    line(&engine, "connection lost");
    Peer::to(port).begin(Color::Black);
    line(&engine, "connection lost");
    let mut peer = Peer::to(port);
    peer.begin(Color::Black);
    // And when the user gives up, in order.
    peer.send(&Message::End { reason: Reason::Lost, quits: true });
    assert_eq!(peer.reply(), Some(Message::End { reason: Reason::Won, quits: true }));
    assert_eq!(peer.reply(), None);
}

#[test]
fn moves_can_be_taken_back() {
    let (_engine, port) = listening(&["--param", "ponder=true"]);
    let mut peer = Peer::to(port);
    peer.begin(Color::Black);
    let moves = legal_moves::<International>(&Position::start());
    for &mv in &moves[..3] {
        peer.send(&Message::Move { seconds: 0, mv });
        let Some(Message::Move { mv: reply, .. }) = peer.reply() else { panic!("a move") };
        let next = Position::start().play::<International>(mv);
        assert!(legal_moves::<International>(&next).contains(&reply));
        peer.send(&Message::Back { number: 1, turn: Color::White });
        assert_eq!(peer.reply(), Some(Message::BackAnswer(BackAnswer::Done)));
    }
    for (number, turn) in [(0, Color::White), (0, Color::Black), (2, Color::White), (999, Color::Black)] {
        peer.send(&Message::Back { number, turn });
        assert_eq!(peer.reply(), Some(Message::BackAnswer(BackAnswer::Unsupported)));
    }
    // Back to the program's own move: it moves again.
    peer.send(&Message::Move { seconds: 0, mv: moves[0] });
    assert!(matches!(peer.reply(), Some(Message::Move { .. })));
    peer.send(&Message::Back { number: 1, turn: Color::Black });
    assert_eq!(peer.reply(), Some(Message::BackAnswer(BackAnswer::Done)));
    assert!(matches!(peer.reply(), Some(Message::Move { .. })));
}

#[test]
fn games_are_kept_under_the_name_that_was_told() {
    let file = std::env::temp_dir().join(format!("dyad-dxp-name-{}.pdn", std::process::id()));
    let path = file.to_str().unwrap();
    let (mut engine, port) = listening(&["--games", "1", "--pdn", path, "--name", "Somebody"]);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "", "the file is there before anybody connects");
    let mut peer = Peer::to(port);
    assert!(matches!(peer.ask(Color::Black, Position::start()), Message::Accept { .. }));
    peer.send(&Message::End { reason: Reason::Lost, quits: true });
    assert!(engine.wait(LONG).unwrap().success());
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    assert!(text.contains("[White \"test\"]\n[Black \"Somebody\"]"), "{text}");
}

/// A device that can be opened and takes nothing.
#[cfg(target_os = "linux")]
#[test]
fn a_game_that_cannot_be_written_is_a_failure_at_the_end() {
    let (mut engine, port) = listening(&["--games", "1", "--pdn", "/dev/full"]);
    let mut peer = Peer::to(port);
    peer.begin(Color::Black);
    peer.send(&Message::End { reason: Reason::Lost, quits: true });
    assert!(line(&engine, "cannot write").contains("/dev/full"));
    assert_eq!(engine.wait(LONG).unwrap().code(), Some(1));
}

#[test]
fn a_refusal_or_a_closed_door_is_one_line_and_a_status() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    let run = |arguments: &[&str]| {
        let child = command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let accepts = arguments.contains(&"--connect") && arguments.contains(&port.as_str());
        if accepts {
            let mut peer = Peer::new(listener.accept().unwrap().0);
            assert!(matches!(peer.reply(), Some(Message::Request(_))));
            peer.send(&Message::Accept { name: "test".to_owned(), answer: Answer::NoGames });
            assert_eq!(peer.reply(), None);
        }
        let output = child.wait_with_output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(errors.lines().count(), 1, "{arguments:?}: {errors}");
        output.status.code()
    };
    assert_eq!(run(&["--connect", "--port", &port]), Some(1));
    assert_eq!(run(&["--listen", "--port", &port]), Some(1), "the port is taken");
    assert_eq!(run(&["--connect", "--port", "1"]), Some(1), "nobody listens");
    assert_eq!(run(&["--connect", "--openings", "/nonexistent"]), Some(2));
    let empty = std::env::temp_dir().join(format!("dyad-dxp-empty-{}", std::process::id()));
    std::fs::write(&empty, "\n").unwrap();
    assert_eq!(run(&["--connect", "--openings", empty.to_str().unwrap()]), Some(2), "no position");
    std::fs::remove_file(&empty).unwrap();
    assert_eq!(run(&["--pdn", "/nonexistent/games.pdn"]), Some(2), "nowhere to write");
    assert_eq!(run(&["--listen", "--connect"]), Some(2));
    assert_eq!(run(&["--port", "99999"]), Some(2));
    assert_eq!(run(&["--param", "threads"]), Some(2));
    assert_eq!(run(&["--param", "threads=0"]), Some(2));
    assert_eq!(run(&["--fen", "x"]), Some(2));
    assert_eq!(run(&["--pdn", "x", "--param", "variant=frisian"]), Some(2));
}

/// Bytes that are a message, nearly one, or none at all.
fn something(random: &mut Random, game: &mut Game) -> Vec<u8> {
    let legal = legal_moves::<International>(game.position());
    let mut bytes = match random.below(14) {
        0 => format!("R01{:32}Z001000A", "x").into_bytes(),
        1 => format!("R{:02}{:32}W{:03}{:03}A", random.below(3), "x", random.below(3), random.below(3))
            .into_bytes(),
        2 => {
            let board: String =
                (0..50).map(|_| ["w", "z", "W", "Z", "e", "e", "e"][random.below(7)]).collect();
            format!("R01{:32}W001000BZ{board}", "x").into_bytes()
        }
        3..=6 if !legal.is_empty() => {
            let mv = legal[random.below(legal.len())];
            game.push::<International>(mv);
            Message::Move { seconds: 1, mv }.to_string().into_bytes()
        }
        7 => format!("E{}{}", random.below(5), random.below(12) / 11).into_bytes(),
        8 => format!("B{:03}{}", random.below(9), ["W", "Z"][random.below(2)]).into_bytes(),
        9 => format!("K{}", random.below(4)).into_bytes(),
        10 => format!("A{:32}{}", "x", random.below(5)).into_bytes(),
        11 => vec![b'C'; random.below(400)],
        12 => format!(
            "M{:04}{:02}{:02}{:02}",
            random.below(9999),
            random.below(52),
            random.below(52),
            random.below(99)
        )
        .into_bytes(),
        _ => (0..random.below(200)).map(|_| random.below(256) as u8).collect(),
    };
    if random.below(5) == 0 && !bytes.is_empty() {
        let place = random.below(bytes.len());
        bytes[place] = random.below(256) as u8;
    }
    if random.below(8) == 0 {
        bytes.truncate(random.below(bytes.len() + 1));
    }
    if random.below(20) != 0 {
        bytes.push(0);
    }
    bytes
}

/// Random messages, right and wrong, cut anywhere, on connections that are left at any time; after each
/// the program must still play with whoever comes next.
#[test]
fn no_stream_of_bytes_harms_the_program() {
    let (mut engine, port) = listening(&["--time", "0.001", "--param", "ponder=true"]);
    for seed in 0..60 {
        let mut random = Random(1000 + seed);
        let mut peer = Peer::to(port);
        let mut game = Game::default();
        let mut stream = Vec::new();
        for _ in 0..random.below(60) {
            stream.extend(something(&mut random, &mut game));
        }
        while !stream.is_empty() {
            let rest = stream.split_off((1 + random.below(300)).min(stream.len()));
            // The program may have closed the connection.
            if peer.stream.write_all(&stream).is_err() {
                break;
            }
            stream = rest;
            if random.below(4) == 0 {
                peer.stream.set_read_timeout(Some(Duration::from_millis(5))).unwrap();
                let _ = peer.receive();
            }
        }
        assert!(engine.exit_status().is_none(), "seed {seed}");
        drop(peer);
        let mut peer = Peer::to(port);
        peer.begin(Color::White);
        assert!(matches!(peer.reply(), Some(Message::Move { .. })), "seed {seed}");
        peer.send(&Message::End { reason: Reason::Unknown, quits: true });
        assert!(matches!(peer.reply(), Some(Message::End { .. })), "seed {seed}");
    }
}
