//! Games over a connection: who moves, who thinks, and what ends a game.
//!
//! Messages of the other side and results of searches arrive as [`Event`]s in one queue, which the session
//! takes in order. It knows a place to write to and no more of the connection, so tests can play both sides.

use super::clock::OwnClock;
use super::{Answer, BackAnswer, DxpError, Message, Reason, Request};
use crate::machine::{Machine, Purpose};
use crate::{Color, Game, Move, Outcome, Position, legal_moves, with_rules};
use search::core::event;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};
use uci::io::Writer;

/// Time between the decision and the moment when the other side has the move.
const OVERHEAD: Duration = Duration::from_millis(20);
/// Time to answer a request or the end of a game.
const MANNERS: Duration = Duration::from_secs(30);
/// Time between two messages. Programs are known that read what has arrived and take it for one message.
pub const GAP: Duration = Duration::from_millis(50);
/// So many messages that make no sense end the connection: the other side does not speak DXP.
const MOST_FAULTS: u32 = 50;

/// What arrives.
pub enum Event {
    /// A message of the other side, or what is wrong with it.
    Message(Result<Message, DxpError>),
    /// The connection is over; why, if it was not closed in order.
    Closed(Option<String>),
    /// The search of this number has ended.
    Best {
        /// Searches count from 1.
        search: u64,
        /// The move to play.
        best: Option<Move>,
        /// The expected reply.
        ponder: Option<Move>,
    },
}

/// Who asks for a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// This side asks.
    Initiator,
    /// The other side asks.
    Follower,
}

/// What is played and how.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Name told to the other side.
    pub name: String,
    /// Who asks.
    pub role: Role,
    /// Number of games, then the session ends; `None` for any number.
    pub games: Option<u32>,
    /// Initiator: the own colour; `None` alternates, White first.
    pub colour: Option<Color>,
    /// Initiator: minutes for `moves` moves; 0 without a clock.
    pub minutes: u32,
    /// Initiator: moves within that time; 0 for the whole game.
    pub moves: u32,
    /// Initiator: where games begin, each with both colours when they alternate; empty for the usual start.
    pub openings: Vec<Position>,
    /// Time for a move, whatever the clock says. Without it and without a clock a move gets a second.
    pub move_time: Option<Duration>,
    /// How long the other side may be silent between games or without a clock.
    pub patience: Duration,
}

/// A game that was played.
pub struct Played {
    /// Own colour.
    pub colour: Color,
    /// The opponent's name.
    pub opponent: String,
    /// The moves.
    pub game: Game,
    /// How it ended, from the own side.
    pub reason: Reason,
    /// The same in words.
    pub why: String,
}

/// Why a connection is over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// All games are played, or one side wants no more.
    Done,
    /// The other side closed the connection between games.
    Closed,
    /// Something went wrong.
    Lost(String),
}

/// A game in progress.
struct Table {
    game: Game,
    own: Color,
    opponent: String,
    clock: OwnClock,
    /// When the side to move began to think.
    since: Instant,
    /// The search whose answer is awaited.
    search: Option<u64>,
    /// The move that this search supposes the opponent to play.
    pondered: Option<Move>,
}

/// A session over one connection.
pub struct Session<'a, W> {
    machine: &'a mut Machine,
    plan: &'a Plan,
    /// Where messages go.
    peer: W,
    events: Receiver<Event>,
    /// For the searches' results.
    sender: Sender<Event>,
    /// Messages of the other side that wait in the queue.
    waiting: &'a AtomicUsize,
    /// Lines for the user.
    log: &'a Writer,
    faults: u32,
    /// Number of the newest search.
    searches: u64,
    /// When a message was last sent.
    sent: Option<Instant>,
}

impl<'a, W: Write> Session<'a, W> {
    /// A session that writes to `peer` and hears of it through a queue, both ends of which it gets: its
    /// searches answer there too. `waiting` is raised by whoever puts a message in, and lowered here.
    pub fn new(
        machine: &'a mut Machine,
        plan: &'a Plan,
        peer: W,
        (sender, events): (Sender<Event>, Receiver<Event>),
        waiting: &'a AtomicUsize,
        log: &'a Writer,
    ) -> Self {
        Self { machine, plan, peer, events, sender, waiting, log, faults: 0, searches: 0, sent: None }
    }

    /// Plays games, the first of them number `number` counted from 1, and hands each to `finished`, which
    /// keeps the count.
    pub fn run(&mut self, mut number: u32, mut finished: impl FnMut(Played)) -> End {
        loop {
            if self.plan.games.is_some_and(|games| number > games) {
                return End::Done;
            }
            let table = match self.plan.role {
                Role::Initiator => self.initiate(number),
                Role::Follower => self.follow(),
            };
            let mut table = match table {
                Ok(table) => table,
                Err(end) => return end,
            };
            self.log.line(format_args!(
                "game {number}: {} against {}",
                table.own.to_string().to_lowercase(),
                table.opponent
            ));
            let (reason, why, end) = self.play(&mut table, number);
            self.stop(&mut table);
            let Table { game, own: colour, opponent, .. } = table;
            finished(Played { colour, opponent, game, reason, why });
            number += 1;
            if let Some(end) = end {
                return end;
            }
        }
    }

    /// Asks for a game.
    fn initiate(&mut self, number: u32) -> Result<Table, End> {
        let plan = self.plan;
        let index = number as usize - 1;
        let own = plan.colour.unwrap_or(if index.is_multiple_of(2) { Color::White } else { Color::Black });
        let opening = if plan.colour.is_some() { index } else { index / 2 };
        let start = match plan.openings.len() {
            0 => Position::start(),
            count => plan.openings[opening % count],
        };
        let request = Request {
            name: plan.name.clone(),
            follower: !own,
            minutes: plan.minutes,
            moves: plan.moves,
            start,
        };
        self.send(&Message::Request(request.clone()))?;
        let deadline = Instant::now() + MANNERS;
        loop {
            match self.message(deadline)? {
                Ok(Message::Accept { name, answer: Answer::Accepted }) => {
                    return Ok(self.table(&request, own, name));
                }
                Ok(Message::Accept { answer, .. }) => {
                    let why = match answer {
                        Answer::Version => "the version of the protocol",
                        Answer::Game | Answer::Accepted => "this game",
                        Answer::NoGames => "any game",
                    };
                    return Err(End::Lost(format!("the other side refuses {why}")));
                }
                Ok(Message::Request(_)) => self.answer(Answer::NoGames)?,
                Ok(Message::Chat(text)) => self.log.line(format_args!("chat: {text}")),
                // It may belong to the last game.
                Ok(Message::End { .. } | Message::Move { .. }) => {}
                Ok(Message::Back { .. }) => self.send(&Message::BackAnswer(BackAnswer::Unsupported))?,
                Ok(Message::BackAnswer(_)) => self.fault("nothing was asked back")?,
                Err(error) => self.fault(&error.to_string())?,
            }
        }
    }

    /// Waits for a game that can be played.
    fn follow(&mut self) -> Result<Table, End> {
        loop {
            match self.message(Instant::now() + self.plan.patience)? {
                Ok(Message::Request(request)) => {
                    self.answer(Answer::Accepted)?;
                    let name = request.name.clone();
                    return Ok(self.table(&request, request.follower, name));
                }
                Ok(Message::Chat(text)) => self.log.line(format_args!("chat: {text}")),
                Ok(Message::End { .. }) => {}
                Ok(Message::Back { .. }) => self.send(&Message::BackAnswer(BackAnswer::Unsupported))?,
                Ok(_) => self.fault("there is no game yet")?,
                Err(error) => {
                    self.fault(&error.to_string())?;
                    self.refuse(&error)?;
                }
            }
        }
    }

    /// Answers a request that cannot be read.
    fn refuse(&mut self, error: &DxpError) -> Result<(), End> {
        match error {
            DxpError::Version(_) => self.answer(Answer::Version),
            DxpError::TooShort("request") | DxpError::Field("request", ..) | DxpError::Position(_) => {
                self.answer(Answer::Game)
            }
            _ => Ok(()),
        }
    }

    fn answer(&mut self, answer: Answer) -> Result<(), End> {
        let name = self.plan.name.clone();
        self.send(&Message::Accept { name, answer })
    }

    fn table(&mut self, request: &Request, own: Color, opponent: String) -> Table {
        self.machine.engine.stop();
        self.machine.engine.new_game();
        let mut game = Game::new(request.start);
        game.draws = self.machine.settings().draws();
        Table {
            game,
            own,
            opponent: if opponent.is_empty() { "?".to_owned() } else { opponent },
            clock: OwnClock::new(request.minutes, request.moves),
            since: Instant::now(),
            search: None,
            pondered: None,
        }
    }

    /// Plays a game to its end: the result, and the end of the connection if that is over too.
    fn play(&mut self, table: &mut Table, number: u32) -> (Reason, String, Option<End>) {
        match self.moves(table, number) {
            Ok((reason, why, quits)) => (reason, why, quits.then_some(End::Done)),
            Err(end) => {
                let why = match &end {
                    End::Lost(why) => why.clone(),
                    End::Done | End::Closed => "the other side closed the connection".to_owned(),
                };
                (Reason::Unknown, why.clone(), Some(End::Lost(why)))
            }
        }
    }

    fn moves(&mut self, table: &mut Table, number: u32) -> Result<(Reason, String, bool), End> {
        loop {
            if let Some(outcome) = self.outcome(&table.game) {
                let (reason, why) = judge(outcome, table.own);
                return self.conclude(table, reason, why.to_owned(), number);
            }
            if table.game.position().turn() == table.own && table.search.is_none() {
                table.since = Instant::now();
                if let Some((mv, reply)) = self.machine.book_move(&table.game) {
                    self.make(table, mv, reply)?;
                    continue;
                }
                self.think(table, table.game.clone(), Purpose::Play);
            }
            let message = match self.event(self.deadline(table))? {
                Event::Best { search, best, ponder } if table.search == Some(search) => {
                    table.search = None;
                    match best {
                        Some(mv) => self.make(table, mv, ponder)?,
                        None => {
                            let why = "the search found no move".to_owned();
                            return self.conclude(table, Reason::Unknown, why, number);
                        }
                    }
                    continue;
                }
                Event::Message(message) => message,
                Event::Best { .. } | Event::Closed(_) => continue,
            };
            match message {
                Ok(Message::Move { mv, .. }) if table.game.position().turn() != table.own => {
                    if !self.receive(table, mv) {
                        let why = format!("the opponent's move {mv} is illegal");
                        return self.broken_off(table, why, number);
                    }
                }
                Ok(Message::Move { mv, .. }) => self.fault(&format!("it is not your turn for {mv}"))?,
                Ok(Message::End { reason, quits }) => {
                    let own = reason.reversed();
                    let quits = quits || self.is_last(number);
                    self.send(&Message::End { reason: own, quits })?;
                    let why = match own {
                        Reason::Won => "the opponent gives up",
                        Reason::Lost => "the opponent claims a win",
                        Reason::Draw => "the opponent claims a draw",
                        Reason::Unknown => "the opponent breaks off",
                    };
                    return Ok((own, why.to_owned(), quits));
                }
                Ok(Message::Chat(text)) => self.log.line(format_args!("chat: {text}")),
                Ok(Message::Back { number, turn }) => self.take_back(table, number, turn)?,
                Ok(Message::Request(_)) => {
                    self.fault("a game is being played")?;
                    self.answer(Answer::Game)?;
                }
                Ok(Message::Accept { .. } | Message::BackAnswer(_)) => self.fault("nothing was asked")?,
                // Without this move both sides would wait for ever.
                Err(error @ (DxpError::TooShort("move") | DxpError::Field("move", ..))) => {
                    return self.broken_off(table, error.to_string(), number);
                }
                Err(error) => {
                    self.fault(&error.to_string())?;
                    self.refuse(&error)?;
                }
            }
        }
    }

    /// The end by the rules, if it is reached.
    fn outcome(&self, game: &Game) -> Option<Outcome> {
        with_rules!(self.machine.settings().variant, R => game.outcome::<R>())
    }

    /// Plays and sends the own move, then thinks in the opponent's time if that is allowed.
    fn make(&mut self, table: &mut Table, mv: Move, ponder: Option<Move>) -> Result<(), End> {
        let time = table.since.elapsed();
        table.clock.spend(time);
        self.send(&Message::Move { seconds: time.as_secs_f64().round() as u32, mv })?;
        table.since = Instant::now();
        with_rules!(self.machine.settings().variant, R => table.game.push::<R>(mv));
        if let Some(reply) = ponder
            && self.machine.settings().ponder
            && self.outcome(&table.game).is_none()
        {
            let mut game = table.game.clone();
            with_rules!(self.machine.settings().variant, R => game.push::<R>(reply));
            // Where the game would be over there is nothing to think about.
            if self.outcome(&game).is_none() {
                self.think(table, game, Purpose::Ponder);
                table.pondered = Some(reply);
            }
        }
        Ok(())
    }

    /// Takes the opponent's move; `false` when it is illegal.
    fn receive(&mut self, table: &mut Table, mv: Move) -> bool {
        let is_legal = with_rules!(self.machine.settings().variant, R => {
            let is_legal = legal_moves::<R>(table.game.position()).contains(&mv);
            if is_legal {
                table.game.push::<R>(mv);
            }
            is_legal
        });
        if !is_legal {
            return false;
        }
        if table.pondered.take() == Some(mv) {
            table.since = Instant::now();
            self.machine.engine.ponder_hit();
        } else {
            self.stop(table);
        }
        true
    }

    fn think(&mut self, table: &mut Table, game: Game, purpose: Purpose) {
        self.searches += 1;
        let search = self.searches;
        table.search = Some(search);
        let limits = table.clock.limits(self.plan.move_time, OVERHEAD);
        let request = self.machine.request(game, purpose, limits, Instant::now(), OVERHEAD);
        let sender = self.sender.clone();
        let sink = move |event: event::Event<Move>| {
            if let event::Event::BestMove { best, ponder } = event {
                // The session may be over: then nobody wants to know.
                let _ = sender.send(Event::Best { search, best, ponder });
            }
        };
        self.machine.engine.start(request, Arc::new(sink));
    }

    /// Forgets the running search.
    fn stop(&mut self, table: &mut Table) {
        table.pondered = None;
        if table.search.take().is_some() {
            self.machine.engine.stop();
        }
    }

    /// Goes back to the position before the move `number` of the side `turn`, if the game has been there.
    fn take_back(&mut self, table: &mut Table, number: u32, turn: Color) -> Result<(), End> {
        let first = usize::from(table.game.start().turn() == Color::Black);
        let ply = (number as usize * 2 + usize::from(turn == Color::Black)).checked_sub(2 + first);
        let Some(ply) = ply.filter(|&ply| ply <= table.game.moves().len()) else {
            return self.send(&Message::BackAnswer(BackAnswer::Unsupported));
        };
        self.stop(table);
        while table.game.moves().len() > ply {
            table.game.pop();
        }
        let is_first = table.game.start().turn() == table.own;
        table.clock.take_back(if is_first { ply.div_ceil(2) } else { ply / 2 });
        table.since = Instant::now();
        self.log.line(format_args!("taken back to move {number}"));
        self.send(&Message::BackAnswer(BackAnswer::Done))
    }

    /// Ends a game that cannot go on, and tells the other side why.
    fn broken_off(
        &mut self,
        table: &mut Table,
        why: String,
        number: u32,
    ) -> Result<(Reason, String, bool), End> {
        self.send(&Message::Chat(why.clone()))?;
        self.conclude(table, Reason::Unknown, why, number)
    }

    /// Tells the end of the game and waits for the answer. Whether either side wants to quit is the last
    /// part of the result.
    fn conclude(
        &mut self,
        table: &mut Table,
        reason: Reason,
        why: String,
        number: u32,
    ) -> Result<(Reason, String, bool), End> {
        self.stop(table);
        let last = self.is_last(number);
        let sent = self.send(&Message::End { reason, quits: last });
        let deadline = Instant::now() + MANNERS;
        let quits = loop {
            match sent.clone().and_then(|()| self.message(deadline)) {
                Ok(Ok(Message::End { quits, .. })) => break last || quits,
                Ok(Ok(Message::Chat(text))) => self.log.line(format_args!("chat: {text}")),
                // They may have been on the way.
                Ok(_) => {}
                // The game has its result nevertheless.
                Err(_) => break true,
            }
        };
        Ok((reason, why, quits))
    }

    fn is_last(&self, number: u32) -> bool {
        self.plan.games.is_some_and(|games| number >= games)
    }

    /// Until when the opponent must have said something; never while it is waiting for a move.
    fn deadline(&self, table: &Table) -> Option<Instant> {
        let is_waited_for = table.game.position().turn() != table.own;
        is_waited_for.then(|| table.since + self.plan.patience.max(table.clock.budget() + MANNERS))
    }

    /// Notes that the other side said something that makes no sense.
    fn fault(&mut self, what: &str) -> Result<(), End> {
        self.log.line(format_args!("ignored: {what}"));
        self.faults += 1;
        if self.faults >= MOST_FAULTS {
            return Err(End::Lost("the other side does not speak the protocol".to_owned()));
        }
        self.send(&Message::Chat(what.to_owned()))
    }

    fn send(&mut self, message: &Message) -> Result<(), End> {
        log::debug!("dxp: sent {message}");
        if let Some(last) = self.sent {
            std::thread::sleep(GAP.saturating_sub(last.elapsed()));
        }
        let bytes = format!("{message}\0");
        self.sent = Some(Instant::now());
        let sent = self.peer.write_all(bytes.as_bytes()).and_then(|()| self.peer.flush());
        sent.map_err(|error| End::Lost(format!("cannot send: {error}")))
    }

    fn event(&mut self, deadline: Option<Instant>) -> Result<Event, End> {
        let event = match deadline {
            Some(deadline) => self.events.recv_timeout(deadline.saturating_duration_since(Instant::now())),
            None => self.events.recv().map_err(RecvTimeoutError::from),
        };
        match event {
            Ok(Event::Closed(None)) => Err(End::Closed),
            Ok(Event::Closed(Some(why))) => Err(End::Lost(why)),
            Ok(event) => {
                if matches!(event, Event::Message(_)) {
                    self.waiting.fetch_sub(1, Ordering::Relaxed);
                }
                Ok(event)
            }
            Err(RecvTimeoutError::Timeout) => Err(End::Lost("the other side is silent".to_owned())),
            Err(RecvTimeoutError::Disconnected) => Err(End::Closed),
        }
    }

    /// The next message; what searches say is dropped.
    fn message(&mut self, deadline: Instant) -> Result<Result<Message, DxpError>, End> {
        loop {
            if let Event::Message(message) = self.event(Some(deadline))? {
                return Ok(message);
            }
        }
    }
}

/// What an outcome is for the side `own`, also in words.
fn judge(outcome: Outcome, own: Color) -> (Reason, &'static str) {
    match outcome {
        Outcome::Win(color) if color == own => (Reason::Won, "no legal move"),
        Outcome::Win(_) => (Reason::Lost, "no legal move"),
        Outcome::Repetition => (Reason::Draw, "the position stands for the third time"),
        Outcome::MoveLimit => (Reason::Draw, "moves without progress"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::International;
    use std::sync::mpsc::channel;

    #[test]
    fn the_other_side_may_be_silent_while_a_move_is_thought_about() {
        let plan = Plan {
            name: "own".to_owned(),
            role: Role::Follower,
            games: None,
            colour: None,
            minutes: 0,
            moves: 0,
            openings: Vec::new(),
            move_time: Some(Duration::from_secs(4000)),
            patience: Duration::from_secs(100),
        };
        let (mut machine, waiting, log) =
            (Machine::default(), AtomicUsize::new(0), Writer::new(std::io::sink()));
        let mut session = Session::new(&mut machine, &plan, Vec::new(), channel(), &waiting, &log);
        for minutes in [0, 5] {
            let start = Position::start();
            let request =
                Request { name: "other".to_owned(), follower: Color::White, minutes, moves: 0, start };
            let mut table = session.table(&request, Color::White, request.name.clone());
            assert_eq!(session.deadline(&table), None);
            table.game.push::<International>(legal_moves::<International>(&start)[0]);
            let patience = Duration::from_secs(if minutes == 0 { 100 } else { 330 });
            assert_eq!(session.deadline(&table), Some(table.since + patience));
        }
    }
}
