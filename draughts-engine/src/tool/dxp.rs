//! `dxp`: games over a network connection.

use crate::cli::{position, print_aside, read_openings};
use clap::{Args, ValueEnum};
use draughts::dxp::frame::Frames;
use draughts::dxp::session::{End, Event, Plan, Played, Role, Session};
use draughts::dxp::{PORT, Reason};
use draughts::machine::Machine;
use draughts::pdn::{PdnGame, PdnResult};
use draughts::{Color, Position, Variant};
use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;
use study::{Failure, refuse_inputs};
use uci::io::Writer;

/// What `dxp` is told.
#[derive(Args)]
pub struct Dxp {
    /// Wait for a program to connect (the default).
    #[arg(long, conflicts_with = "connect")]
    listen: bool,
    /// Connect to a program that waits.
    #[arg(long)]
    connect: bool,
    /// Address to listen on or to connect to.
    #[arg(long, default_value = "127.0.0.1")]
    host: String,
    /// Port; 0 takes a free one when listening.
    #[arg(long, default_value_t = PORT)]
    port: u16,
    /// Who asks for games; without it, the side that connects.
    #[arg(long, value_enum)]
    role: Option<Asks>,
    /// Games to play; without it one when this side asks, else any number.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    games: Option<u32>,
    /// The engine's colour, when this side asks.
    #[arg(long, value_enum, default_value_t = Side::Alternate)]
    colour: Side,
    /// Minutes on each clock, 0 to 999, when this side asks; 0 without a clock.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(0..=999))]
    minutes: u32,
    /// Moves within that time, 0 to 999, when this side asks; 0 for the whole game.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=999))]
    moves: u32,
    /// Position to begin from, when this side asks.
    #[arg(long, value_parser = position, conflicts_with = "openings")]
    fen: Option<Position>,
    /// File with one FEN a line to begin from in turn, when this side asks.
    #[arg(long)]
    openings: Option<PathBuf>,
    /// Seconds for each move, whatever the clock says.
    #[arg(long, value_parser = study::seconds)]
    time: Option<Duration>,
    /// Hub parameter, such as `threads=2`, `hash=256` or `ponder=true`; may be repeated.
    #[arg(long, value_name = "NAME=VALUE")]
    param: Vec<String>,
    /// Name told to the other side.
    #[arg(long, default_value = "Dyad Draughts")]
    name: String,
    /// Seconds that the other side may be silent when no clock says more.
    #[arg(long, default_value_t = 600, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    patience: u64,
    /// File to append the games to.
    #[arg(long)]
    pdn: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Asks {
    Initiator,
    Follower,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Side {
    White,
    Black,
    Alternate,
}

/// A program that sends faster than it is listened to waits while so many messages are unread.
const MOST_WAITING: usize = 1000;
/// A program that does not read for so long is gone.
const WRITE_TIMEOUT: Duration = Duration::from_secs(20);

/// Plays until the games are played or, when connected out, the connection ends.
///
/// # Errors
/// When a file cannot be used, a connection fails, or games could not be written.
pub fn dxp(arguments: &Dxp) -> Result<(), Failure> {
    refuse_inputs(arguments.pdn.as_deref(), arguments.openings.as_deref())?;
    let plan = plan(arguments)?;
    let mut machine = Machine::default();
    for text in &arguments.param {
        let Some((name, value)) = text.split_once('=') else {
            return Err(format!("--param '{text}' is not NAME=VALUE").into());
        };
        machine.set(name.trim(), value.trim())?;
    }
    if arguments.pdn.is_some() && machine.settings().variant != Variant::International {
        return Err("--pdn is for international draughts".into());
    }
    // Better to know before the games than after them.
    if let Some(path) = &arguments.pdn {
        open(path).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    let pdn = arguments.pdn.clone();
    let mut host = Host { machine, plan, pdn, log: Writer::stdout(), number: 1, unwritten: 0 };
    let address = (arguments.host.as_str(), arguments.port);
    let done = if arguments.connect { host.connect(address) } else { host.listen(address) };
    match (done, &arguments.pdn) {
        (Err(message), _) => Err(Failure::Work(message)),
        (Ok(()), Some(path)) if host.unwritten > 0 => {
            let reason = format!("{} of the games are not in {}", host.unwritten, path.display());
            Err(Failure::Work(reason))
        }
        (Ok(()), _) => Ok(()),
    }
}

fn plan(arguments: &Dxp) -> Result<Plan, String> {
    let openings = match (&arguments.openings, arguments.fen) {
        (Some(path), _) => read_openings(path)?,
        (None, position) => position.into_iter().collect(),
    };
    let role = match arguments.role {
        Some(Asks::Initiator) => Role::Initiator,
        Some(Asks::Follower) => Role::Follower,
        None if arguments.connect => Role::Initiator,
        None => Role::Follower,
    };
    Ok(Plan {
        name: arguments.name.clone(),
        role,
        games: arguments.games.or((role == Role::Initiator).then_some(1)),
        colour: match arguments.colour {
            Side::White => Some(Color::White),
            Side::Black => Some(Color::Black),
            Side::Alternate => None,
        },
        minutes: arguments.minutes,
        moves: arguments.moves,
        openings,
        move_time: arguments.time,
        patience: Duration::from_secs(arguments.patience),
    })
}

/// What lasts from connection to connection.
struct Host {
    machine: Machine,
    plan: Plan,
    pdn: Option<PathBuf>,
    log: Writer,
    /// Number of the next game.
    number: u32,
    /// Games that could not be written.
    unwritten: u32,
}

impl Host {
    fn connect(&mut self, address: (&str, u16)) -> Result<(), String> {
        let (host, port) = address;
        let stream = TcpStream::connect(address)
            .map_err(|error| format!("cannot connect to {host}:{port}: {error}"))?;
        print_aside(format_args!("connected to {host}:{port}"));
        match self.serve(&stream) {
            End::Done => Ok(()),
            End::Closed if self.plan.games.is_none() => Ok(()),
            End::Closed => Err("the other side closed the connection".to_owned()),
            End::Lost(why) => Err(why),
        }
    }

    fn listen(&mut self, address: (&str, u16)) -> Result<(), String> {
        let (host, port) = address;
        let wrong = |error: std::io::Error| format!("cannot listen on {host}:{port}: {error}");
        let listener = TcpListener::bind(address).map_err(wrong)?;
        print_aside(format_args!("listening on {}", listener.local_addr().map_err(wrong)?));
        while self.plan.games.is_none_or(|games| self.number <= games) {
            let stream = match listener.accept() {
                Ok((stream, peer)) => {
                    print_aside(format_args!("connection from {peer}"));
                    stream
                }
                // Nobody's fault: the other side was faster to go, or the system is short of something.
                Err(error) => {
                    print_aside(format_args!("no connection: {error}"));
                    thread::sleep(Duration::from_millis(100));
                    continue;
                }
            };
            match self.serve(&stream) {
                End::Done | End::Closed => print_aside("connection closed"),
                End::Lost(why) => print_aside(format_args!("connection lost: {why}")),
            }
        }
        Ok(())
    }

    /// Plays over one connection.
    fn serve(&mut self, stream: &TcpStream) -> End {
        let lost = |error: std::io::Error| End::Lost(error.to_string());
        let reading = match prepare(stream) {
            Ok(reading) => reading,
            Err(error) => return lost(error),
        };
        let (sender, events) = channel();
        let waiting = Arc::new(AtomicUsize::new(0));
        let (to_session, counter) = (sender.clone(), Arc::clone(&waiting));
        let reader =
            thread::Builder::new().name("dxp".to_owned()).spawn(move || read(reading, &to_session, &counter));
        let reader = match reader {
            Ok(reader) => reader,
            Err(error) => return lost(error),
        };
        let (pdn, log, number) = (&self.pdn, &self.log, &mut self.number);
        let (name, unwritten) = (&self.plan.name, &mut self.unwritten);
        let mut session =
            Session::new(&mut self.machine, &self.plan, stream, (sender, events), &waiting, log);
        let end = session.run(*number, |played| {
            report(log, *number, &played);
            if let Some(path) = pdn
                && let Err(error) = append(path, *number, name, &played)
            {
                *unwritten += 1;
                log.line(format_args!("cannot write {}: {error}", path.display()));
            }
            *number += 1;
        });
        // The session's end of the queue is gone: the reader ends with the connection.
        drop(session);
        waiting.store(0, Ordering::Relaxed);
        let _ = stream.shutdown(Shutdown::Both);
        let _ = reader.join();
        end
    }
}

/// Makes a connection fit for small and urgent messages; the copy is for [`read`].
pub fn prepare(stream: &TcpStream) -> std::io::Result<TcpStream> {
    stream.set_nodelay(true)?;
    stream.set_write_timeout(Some(WRITE_TIMEOUT))?;
    stream.try_clone()
}

/// Reads messages until the connection ends or nobody listens any more.
pub fn read(mut stream: TcpStream, events: &Sender<Event>, waiting: &AtomicUsize) {
    let mut frames = Frames::default();
    let mut buffer = [0; 4096];
    let mut is_heard = true;
    while is_heard {
        match stream.read(&mut buffer) {
            Ok(0) => {
                let _ = events.send(Event::Closed(None));
                return;
            }
            Ok(count) => frames.push(&buffer[..count], |message| {
                waiting.fetch_add(1, Ordering::Relaxed);
                is_heard &= events.send(Event::Message(message)).is_ok();
            }),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => {
                let _ = events.send(Event::Closed(Some(error.to_string())));
                return;
            }
        }
        while is_heard && waiting.load(Ordering::Relaxed) > MOST_WAITING {
            thread::sleep(Duration::from_millis(1));
        }
    }
}

fn report(log: &Writer, number: u32, played: &Played) {
    let (result, plies) = (result(played), played.game.moves().len());
    let Played { colour, opponent, why, .. } = played;
    let colour = colour.to_string().to_lowercase();
    log.line(format_args!("game {number}: {result} as {colour} against {opponent}, {plies} plies: {why}"));
}

fn result(played: &Played) -> PdnResult {
    match (played.reason, played.colour) {
        (Reason::Unknown, _) => PdnResult::Unknown,
        (Reason::Draw, _) => PdnResult::Draw,
        (Reason::Won, Color::White) | (Reason::Lost, Color::Black) => PdnResult::White,
        (Reason::Won, Color::Black) | (Reason::Lost, Color::White) => PdnResult::Black,
    }
}

fn open(path: &Path) -> std::io::Result<File> {
    File::options().create(true).append(true).open(path)
}

/// Adds a game to a file, in one piece; `name` is the engine's.
fn append(path: &Path, number: u32, name: &str, played: &Played) -> std::io::Result<()> {
    let (own, other) = (name.to_owned(), played.opponent.clone());
    let (white, black) = if played.colour == Color::White { (own, other) } else { (other, own) };
    let tags = vec![
        ("Event".to_owned(), "DXP".to_owned()),
        ("Round".to_owned(), number.to_string()),
        ("White".to_owned(), white),
        ("Black".to_owned(), black),
    ];
    let mut game = PdnGame::new(tags, played.game.clone(), result(played));
    game.comments.push((played.game.moves().len(), played.why.clone()));
    open(path)?.write_all(format!("{game}\n").as_bytes())
}
