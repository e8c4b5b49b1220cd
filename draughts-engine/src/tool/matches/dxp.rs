//! Engines that speak DamExchange, over a connection that they or this side make.
//!
//! This side asks for the games, so the engine follows: it gets the position, its colour and its clock with the
//! request, and must do without everything that the protocol does not know: parameters, increments, scores, and a
//! word that stops a search.

use super::{DraughtsGame, color};
use crate::tool::dxp::{prepare, read};
use arena::clock::Clock;
use arena::fault::Fault;
use arena::player::{Clocks, Halt, Player, SLICE, START_LIMIT, STOP_LIMIT, Thought, check_flood};
use arena::spec::EngineSpec;
use arena::{Outcome, Side};
use draughts::Move;
use draughts::dxp::session::{Event, GAP};
use draughts::dxp::{Answer, BackAnswer, DxpError, Message, Reason, Request};
use std::io::{ErrorKind, Write};
use std::net::{Shutdown, TcpListener, TcpStream, ToSocketAddrs};
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How often a program that does not listen yet is tried, and one that shall connect is looked for.
const POLL: Duration = Duration::from_millis(20);
/// The time that a program gets to end by itself.
const PARTING: Duration = Duration::from_millis(300);

/// An engine at the end of a connection.
pub struct DxpPlayer {
    spec: EngineSpec,
    called_off: Arc<AtomicBool>,
    process: Process,
    /// `None` between connections.
    connection: Option<Connection>,
    warnings: Vec<String>,
    /// Messages since the last command to think, and when that was.
    messages: u64,
    since: Instant,
    game: Option<Talk>,
}

/// What the engine knows of the game.
#[derive(Clone, Copy)]
struct Talk {
    side: Side,
    /// Moves that need not be sent any more.
    plies: usize,
    /// Whether it has ended the game itself.
    ended: bool,
}

/// The engine's process, if this side started it; killed at last.
struct Process(Option<Child>);

impl Process {
    /// How it ended; `None` while it runs.
    fn status(&mut self) -> Option<String> {
        self.0.as_mut()?.try_wait().ok().flatten().map(|status| status.to_string())
    }

    /// Waits a moment for its end.
    fn wait(&mut self, time: Duration) -> Option<String> {
        let began = Instant::now();
        loop {
            match self.status() {
                None if self.0.is_some() && began.elapsed() < time => thread::sleep(POLL),
                status => return status,
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // For many programs the end of their input is the end.
        drop(self.0.as_mut().and_then(|child| child.stdin.take()));
        if self.wait(PARTING).is_none()
            && let Some(child) = &mut self.0
        {
            // Both fail only for a process that is gone, which is what is wanted.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// A connection, its messages being read by a thread.
struct Connection {
    stream: TcpStream,
    events: Receiver<Event>,
    waiting: Arc<AtomicUsize>,
    /// When a message was last sent.
    sent: Option<Instant>,
}

impl Connection {
    fn new(stream: TcpStream) -> std::io::Result<Self> {
        stream.set_nonblocking(false)?;
        let reading = prepare(&stream)?;
        let (sender, events) = channel();
        let waiting = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&waiting);
        thread::Builder::new().name("dxp".to_owned()).spawn(move || read(reading, &sender, &counter))?;
        Ok(Self { stream, events, waiting, sent: None })
    }

    fn send(&mut self, message: &Message) -> std::io::Result<()> {
        if let Some(last) = self.sent {
            thread::sleep(GAP.saturating_sub(last.elapsed()));
        }
        log::debug!("dxp: sent {message}");
        self.stream.write_all(format!("{message}\0").as_bytes())?;
        self.sent = Some(Instant::now());
        self.stream.flush()
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // Without this end of the queue the reader ends with its next message, and waits for nobody.
        self.events = channel().1;
        self.waiting.store(0, Ordering::Relaxed);
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

impl DxpPlayer {
    /// Starts the engine if the description has a command, and connects.
    pub fn start(spec: &EngineSpec, called_off: &Arc<AtomicBool>) -> Result<Self, Halt> {
        let mut player = Self {
            spec: spec.clone(),
            called_off: Arc::clone(called_off),
            process: Process(None),
            connection: None,
            warnings: Vec::new(),
            messages: 0,
            since: Instant::now(),
            game: None,
        };
        player.connect()?;
        Ok(player)
    }

    /// Makes the connection, and starts the process unless it runs already.
    fn connect(&mut self) -> Result<(), Halt> {
        let lost = |error: std::io::Error| Fault::Crash(format!("no connection: {error}"));
        let host = self.spec.host.clone();
        let address = (host.as_str(), self.spec.port.unwrap_or(0));
        let is_free = self.spec.port.is_none();
        // A port that nobody else uses is found by listening on it.
        let listener =
            if self.spec.listen || is_free { Some(TcpListener::bind(address).map_err(lost)?) } else { None };
        let port = match &listener {
            Some(listener) => listener.local_addr().map_err(lost)?.port(),
            None => address.1,
        };
        let listener = listener.filter(|_| self.spec.listen);
        // A process that has lost its connection but runs is not known to have kept its port.
        if !self.spec.program.as_os_str().is_empty() {
            self.process = Process(None);
            let mut command = self.spec.command_with_port(port);
            // Programs with a command line of their own would end where their input ends.
            command.stdin(Stdio::piped()).stdout(Stdio::null());
            self.process = Process(Some(command.spawn().map_err(|error| {
                Fault::Crash(format!("cannot start {}: {error}", self.spec.program.display()))
            })?));
        }
        let has_time = self.process.0.is_some() || self.spec.listen;
        let until = Instant::now() + if has_time { START_LIMIT } else { STOP_LIMIT };
        let stream = loop {
            let attempt = match &listener {
                Some(listener) => {
                    listener.set_nonblocking(true).and_then(|()| listener.accept()).map(|(stream, _)| stream)
                }
                None => dial(&host, port),
            };
            match attempt {
                Ok(stream) => break stream,
                Err(error) => {
                    if let Some(status) = self.process.status() {
                        return Err(Fault::Crash(status).into());
                    }
                    if Instant::now() >= until {
                        let is_waiting = error.kind() == ErrorKind::WouldBlock;
                        let why = if is_waiting { "nobody connects".to_owned() } else { error.to_string() };
                        return Err(Fault::Hang(format!("no connection at {host}:{port}: {why}")).into());
                    }
                }
            }
            self.check_called_off()?;
            thread::sleep(POLL);
        };
        self.connection = Some(Connection::new(stream).map_err(lost)?);
        Ok(())
    }

    fn check_called_off(&self) -> Result<(), Halt> {
        if self.called_off.load(Ordering::Relaxed) { Err(Halt::Interrupted) } else { Ok(()) }
    }

    fn warn(&mut self, text: impl Into<String>) {
        let text = text.into();
        if self.warnings.len() < 100 && !self.warnings.contains(&text) {
            self.warnings.push(text);
        }
    }

    fn send(&mut self, message: &Message) -> Result<(), Halt> {
        match self.connection.as_mut().map(|connection| connection.send(message)) {
            Some(Ok(())) => Ok(()),
            Some(Err(error)) => Err(self.lost(&error.to_string()).into()),
            None => Err(self.lost("closed").into()),
        }
    }

    /// The connection is broken.
    fn lost(&mut self, why: &str) -> Fault {
        self.connection = None;
        Fault::Crash(match self.process.wait(PARTING) {
            Some(status) => format!("connection lost, {status}"),
            None => format!("connection lost: {why}"),
        })
    }

    /// The next message; `None` when there was none until then.
    fn message(&mut self, until: Instant) -> Result<Option<Result<Message, DxpError>>, Halt> {
        loop {
            self.check_called_off()?;
            let left = until.saturating_duration_since(Instant::now());
            let Some(connection) = &self.connection else { return Err(self.lost("closed").into()) };
            match connection.events.recv_timeout(left.min(SLICE)) {
                Ok(Event::Message(message)) => {
                    connection.waiting.fetch_sub(1, Ordering::Relaxed);
                    self.messages += 1;
                    check_flood(self.messages, self.since)?;
                    return Ok(Some(message));
                }
                Ok(Event::Closed(why)) => {
                    let why = why.unwrap_or_else(|| "closed".to_owned());
                    return Err(self.lost(&why).into());
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.lost("closed").into()),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Ok(None),
                Ok(Event::Best { .. }) | Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Answers a message that is not what is waited for.
    fn other(&mut self, message: Result<Message, DxpError>) -> Result<(), Halt> {
        match message {
            Ok(Message::Chat(_)) => Ok(()),
            Ok(Message::Back { .. }) => {
                self.warn("asks to take moves back");
                self.send(&Message::BackAnswer(BackAnswer::Unsupported))
            }
            Ok(Message::Request(_)) => {
                self.warn("asks for a game");
                self.send(&Message::Accept { name: String::new(), answer: Answer::Game })
            }
            Ok(message) => {
                self.warn(format!("sends '{message}' without being asked"));
                Ok(())
            }
            Err(error) => {
                self.warn(format!("sends what is no message ({error})"));
                Ok(())
            }
        }
    }

    /// Sends the opponent's move, if the engine does not know it.
    fn tell(&mut self, game: &DraughtsGame, talk: &mut Talk) -> Result<(), Halt> {
        let moves = game.0.moves();
        if let Some(&mv) = moves.last().filter(|_| moves.len() > talk.plies) {
            let seconds = u32::try_from(self.since.elapsed().as_secs()).unwrap_or(u32::MAX);
            self.send(&Message::Move { seconds, mv })?;
            talk.plies = moves.len();
        }
        Ok(())
    }

    /// Waits for a move; `None` when the engine gives up.
    fn answer(&mut self, talk: &mut Talk, until: Instant) -> Result<Option<Answered>, Halt> {
        while let Some(message) = self.message(until)? {
            match message {
                Ok(Message::Move { mv, .. }) => {
                    talk.plies += 1;
                    return Ok(Some(Answered::Move(mv)));
                }
                Ok(Message::End { reason, quits }) => {
                    talk.ended = true;
                    self.send(&Message::End { reason: reason.reversed(), quits: false })?;
                    if quits {
                        self.connection = None;
                    }
                    let claim = match reason {
                        Reason::Lost => return Ok(Some(Answered::GivesUp)),
                        Reason::Draw => Fault::FalseClaim("a draw".to_owned()),
                        Reason::Won => Fault::FalseClaim("a win".to_owned()),
                        Reason::Unknown => Fault::Protocol("it breaks off the game".to_owned()),
                    };
                    return Err(claim.into());
                }
                // Nothing else could come in its place.
                Err(error @ (DxpError::TooShort("move") | DxpError::Field("move", ..))) => {
                    return Err(Fault::Protocol(error.to_string()).into());
                }
                other => self.other(other)?,
            }
        }
        Ok(None)
    }

    /// Asks for the game and waits for the answer.
    fn request(&mut self, request: Request) -> Result<(), Halt> {
        self.send(&Message::Request(request))?;
        let until = Instant::now() + START_LIMIT;
        while let Some(message) = self.message(until)? {
            match message {
                Ok(Message::Accept { answer: Answer::Accepted, .. }) => return Ok(()),
                Ok(Message::Accept { answer, .. }) => {
                    let what = match answer {
                        Answer::Version => "the version of the protocol",
                        Answer::NoGames => "any game",
                        Answer::Game | Answer::Accepted => "the game",
                    };
                    return Err(Fault::Protocol(format!("it refuses {what}")).into());
                }
                // They may belong to the last game.
                Ok(Message::End { .. } | Message::Move { .. }) => {}
                other => self.other(other)?,
            }
        }
        Err(Fault::Hang("no answer to the request for a game".to_owned()).into())
    }

    /// Whether the connection can still be used.
    fn is_connected(&mut self) -> Result<bool, Halt> {
        while self.connection.is_some() {
            match self.message(Instant::now()) {
                Ok(None) => return Ok(true),
                Ok(Some(Ok(Message::End { quits: true, .. }))) => self.connection = None,
                Ok(Some(_)) | Err(Halt::Fault(Fault::Crash(_))) => {}
                Err(halt) => return Err(halt),
            }
        }
        Ok(false)
    }
}

/// What comes when a move is waited for.
enum Answered {
    Move(Move),
    GivesUp,
}

fn dial(host: &str, port: u16) -> std::io::Result<TcpStream> {
    let mut last = ErrorKind::NotFound.into();
    for address in (host, port).to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, STOP_LIMIT) {
            Ok(stream) => return Ok(stream),
            Err(error) => last = error,
        }
    }
    Err(last)
}

impl Player<DraughtsGame> for DxpPlayer {
    fn new_game(&mut self, game: &DraughtsGame, side: Side, _: &Clock) -> Result<(), Halt> {
        (self.messages, self.since) = (0, Instant::now());
        // Programs may end the connection after a game.
        if !self.is_connected()? {
            self.connect()?;
        }
        let (minutes, moves) = self.spec.minutes_and_moves().unwrap_or((0, 0));
        let start = *game.0.position();
        let name = "Dyad match".to_owned();
        self.request(Request { name, follower: color(side), minutes, moves, start })?;
        self.game = Some(Talk { side, plies: game.0.moves().len(), ended: false });
        self.since = Instant::now();
        Ok(())
    }

    fn think(&mut self, game: &DraughtsGame, clocks: Clocks) -> Result<Thought, Halt> {
        let Some(mut talk) = self.game else {
            return Err(Fault::Protocol("there is no game".to_owned()).into());
        };
        self.messages = 0;
        self.tell(game, &mut talk)?;
        let began = Instant::now();
        self.since = began;
        let until = clocks.deadline(began).unwrap_or(began + START_LIMIT);
        let mut answered = self.answer(&mut talk, until);
        let elapsed = began.elapsed();
        self.game = Some(talk);
        if matches!(answered, Ok(None)) {
            // No message tells an engine to stop; it is known to live if it moves or gives up yet.
            answered = self.answer(&mut talk, Instant::now() + STOP_LIMIT);
            self.game = Some(talk);
            return Err(match answered {
                Ok(answered) => clocks.late(answered.map(|_| began.elapsed())).into(),
                Err(halt) => halt,
            });
        }
        self.since = Instant::now();
        let mv = match answered? {
            Some(Answered::Move(mv)) => Some(mv.to_string()),
            Some(Answered::GivesUp) | None => None,
        };
        Ok(Thought { mv, elapsed, eval: None, ponder: None, offers_draw: false })
    }

    fn ponder(&mut self, _: &DraughtsGame, _: Clocks) -> Result<(), Halt> {
        // Whether it thinks on the opponent's time is the engine's own business.
        Ok(())
    }

    fn finish(&mut self, game: &DraughtsGame, outcome: Option<Outcome>, _: &str) -> Result<(), Halt> {
        let Some(mut talk) = self.game.take() else { return Ok(()) };
        if talk.ended {
            return Ok(());
        }
        self.tell(game, &mut talk)?;
        // Seen from this side, which sits in the opponent's place.
        let reason = match outcome {
            Some(Outcome::Win(side)) if side == talk.side => Reason::Lost,
            Some(Outcome::Win(_)) => Reason::Won,
            Some(Outcome::Draw) => Reason::Draw,
            None => Reason::Unknown,
        };
        (self.messages, self.since) = (0, Instant::now());
        self.send(&Message::End { reason, quits: false })?;
        let until = Instant::now() + STOP_LIMIT;
        while let Some(message) = self.message(until)? {
            match message {
                Ok(Message::End { quits, .. }) => {
                    if quits {
                        self.connection = None;
                    }
                    return Ok(());
                }
                // It may have been on the way.
                Ok(Message::Move { .. }) => {}
                other => self.other(other)?,
            }
        }
        Err(Fault::Hang("no answer to the end of the game".to_owned()).into())
    }

    fn take_warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }
}

impl Drop for DxpPlayer {
    fn drop(&mut self) {
        let is_playing = self.game.is_some_and(|talk| !talk.ended);
        if let Some(connection) = &mut self.connection
            && is_playing
        {
            // Whether it hears of it makes no difference any more.
            let _ = connection.send(&Message::End { reason: Reason::Unknown, quits: true });
        }
        self.connection = None;
    }
}
