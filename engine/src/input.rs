//! Lines in: the reading thread that feeds a session, and the choice of the protocol.

use std::io::BufReader;
use std::sync::mpsc::{Receiver, Sender, channel};

use movegen::Move;
use uci::error::shown;
use uci::io::{LINE_LIMIT, LineReader};

use crate::{cecp, session};

/// What a session waits for.
pub enum Input {
    /// A line of the GUI.
    Line(String),
    /// The beginning of a line that is longer than [`LINE_LIMIT`].
    TooLong(String),
    /// The search has said all but its best move.
    Finished,
    /// A search's answer, for a session that judges it before it is printed.
    Answer {
        /// Number of the search, which may have been given up in the meantime.
        search: u64,
        /// The move to play.
        best: Option<Move>,
        /// The reply to ponder on.
        ponder: Option<Move>,
    },
    /// End of input.
    End,
}

/// Whether a session goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// It does.
    Continue,
    /// The process is to end.
    Quit,
}

/// A protocol's session: it takes what comes in order and never blocks while a search runs.
pub trait Session {
    /// Takes one input.
    fn handle(&mut self, input: Input) -> Flow;
}

/// The protocols of a chess engine.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// The Universal Chess Interface.
    Uci,
    /// The Chess Engine Communication Protocol.
    Cecp,
}

/// Speaks a protocol on standard input and output until `quit` or the end of input; without one given, the first
/// line decides: `xboard` begins CECP, anything else UCI.
pub fn run(protocol: Option<Protocol>) -> ! {
    let (sender, receiver) = channel();
    let lines = sender.clone();
    std::thread::spawn(move || {
        let mut reader = LineReader::with_limit(BufReader::new(std::io::stdin()), LINE_LIMIT);
        while let Ok(Some(line)) = reader.read_line() {
            log::debug!("input: {line}");
            let input = if reader.is_cut() { Input::TooLong(shown(&line)) } else { Input::Line(line) };
            if lines.send(input).is_err() {
                return;
            }
        }
        // The session may be gone already.
        let _ = lines.send(Input::End);
    });
    serve(protocol, sender, &receiver)
}

fn serve(protocol: Option<Protocol>, sender: Sender<Input>, receiver: &Receiver<Input>) -> ! {
    let first = receiver.recv().unwrap_or(Input::End);
    let is_xboard = matches!(&first, Input::Line(line) if line.trim() == "xboard");
    let protocol = protocol.unwrap_or(if is_xboard { Protocol::Cecp } else { Protocol::Uci });
    let mut session: Box<dyn Session> = match protocol {
        Protocol::Uci => Box::new(session::UciSession::new(sender)),
        Protocol::Cecp => Box::new(cecp::CecpSession::new(sender)),
    };
    let mut input = first;
    while session.handle(input) == Flow::Continue {
        input = receiver.recv().unwrap_or(Input::End);
    }
    // Searching threads may be deep in their work: the process ends without waiting for them, which dropping the
    // session would do.
    std::process::exit(0)
}
