//! Engines that speak the Chess Engine Communication Protocol (xboard), version 2.

use crate::answer::{Answer, Thinker};
use crate::clock::Clock;
use crate::fault::{Fault, shown};
use crate::game::{Game, Outcome, Protocol, Side};
use crate::player::{Clocks, Eval, Halt, Link, Player, START_LIMIT, Thought};
use crate::spec::EngineSpec;
use std::time::{Duration, Instant};
use uci::info::Score;

/// How long an engine that names no features is waited for: the protocol says two seconds.
const FEATURE_LIMIT: Duration = Duration::from_secs(2);
/// From this score on the protocol counts moves to mate.
const MATE: i64 = 100_000;

/// What the engine says it can do.
#[derive(Clone, Debug, Default)]
struct Features {
    ping: bool,
    setboard: bool,
    usermove: bool,
    draw: bool,
    memory: bool,
    smp: bool,
    colors: bool,
    reuse: bool,
    time: bool,
    variants: String,
    options: Vec<String>,
}

pub(crate) struct CecpPlayer {
    link: Link,
    features: Features,
    ponder: bool,
    pings: u32,
    games: u32,
    /// Moves that the engine knows, and whether it waits in force mode.
    known: usize,
    is_forced: bool,
    /// The moves to go when the level was last set, to see a new period begin.
    level_moves: Option<u32>,
    /// The last move of the engine itself, as it was sent.
    has_offer: bool,
}

/// What a line means to the one who waits for a move.
enum Word {
    Move(String),
    Resign,
    OfferDraw,
    /// A result in the engine's words.
    Claim(String),
    /// A move that the engine calls illegal.
    Illegal(String),
    Thinking(Eval),
    Pong(u32),
    Other,
}

impl CecpPlayer {
    pub fn start(mut link: Link, spec: &EngineSpec) -> Result<Self, Halt> {
        link.send("xboard")?;
        link.send("protover 2")?;
        let mut features = Features { reuse: true, time: true, colors: true, ..Features::default() };
        let mut until = Instant::now() + FEATURE_LIMIT;
        let mut is_done = false;
        while !is_done {
            let Some(line) = link.line(Some(until))? else { break };
            let Some(rest) = line.text.trim().strip_prefix("feature ") else { continue };
            for (name, value) in pairs(rest) {
                match (name.as_str(), value.as_str()) {
                    // It needs longer; done=1 will follow.
                    ("done", "0") => until = Instant::now() + START_LIMIT,
                    ("done", _) => is_done = true,
                    _ => {
                        let answer = if features.take(&name, &value) { "accepted" } else { "rejected" };
                        link.send(format_args!("{answer} {name}"))?;
                    }
                }
            }
        }
        let mut player = Self {
            link,
            features,
            ponder: spec.ponder,
            pings: 0,
            games: 0,
            known: 0,
            is_forced: true,
            level_moves: None,
            has_offer: false,
        };
        for (name, value) in &spec.options {
            player.set_option(name, value)?;
        }
        player.synchronise("start")?;
        Ok(player)
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), Halt> {
        let is_known = self.features.options.iter().any(|other| other.eq_ignore_ascii_case(name));
        match name.to_ascii_lowercase().as_str() {
            "hash" if !is_known && self.features.memory => self.link.send(format_args!("memory {value}")),
            "threads" if !is_known && self.features.smp => self.link.send(format_args!("cores {value}")),
            _ => {
                if !is_known {
                    self.link.warn(format!("has no option '{name}'"));
                }
                self.link.send(format_args!("option {name}={value}"))
            }
        }
    }

    /// Waits until the engine has done all that it was told. Without the feature there is nothing to wait for.
    fn synchronise(&mut self, what: &str) -> Result<(), Halt> {
        if !self.features.ping {
            return Ok(());
        }
        self.pings += 1;
        let until = Instant::now() + START_LIMIT;
        let (command, awaited) = (format!("ping {}", self.pings), format!("pong after {what}"));
        self.link.ask(until, command, &awaited, |_, text| match read(text) {
            Word::Pong(number) => Ok(number == self.pings),
            Word::Illegal(text) => Err(calls_illegal(&text).into()),
            _ => Ok(false),
        })
    }

    fn send_level(&mut self, clock: &Clock) -> Result<(), Halt> {
        let control = clock.control();
        if let Some(time) = control.move_time {
            self.link.send(format_args!("st {}", time.as_secs_f64()))?;
        } else if let Some(left) = clock.left() {
            let moves = clock.moves_to_go();
            let seconds = left.as_secs();
            self.link.send(format_args!(
                "level {} {}:{:02} {}",
                moves.unwrap_or(0),
                seconds / 60,
                seconds % 60,
                clock.increment().as_secs_f64()
            ))?;
            self.level_moves = moves;
        }
        Ok(())
    }

    fn send_move(&mut self, text: &str) -> Result<(), Halt> {
        if self.features.usermove {
            self.link.send(format_args!("usermove {text}"))
        } else {
            self.link.send(text)
        }
    }

    /// Tells the clocks, in hundredths of a second.
    fn send_times(&mut self, clocks: Clocks) -> Result<(), Halt> {
        if !self.features.time {
            return Ok(());
        }
        if let Some(own) = clocks.own.left() {
            self.link.send(format_args!("time {}", own.as_millis() / 10))?;
            let other = clocks.other.left().unwrap_or(own);
            self.link.send(format_args!("otim {}", other.as_millis() / 10))?;
        }
        Ok(())
    }
}

fn calls_illegal(mv: &str) -> Fault {
    Fault::FalseClaim(format!("calls the legal move {mv} illegal"))
}

/// What an engine said while it thought.
#[derive(Default)]
pub(crate) struct Said {
    eval: Option<Eval>,
    offers_draw: bool,
}

impl Thinker for CecpPlayer {
    type Info = Said;

    const STOP: &str = "?";

    fn link(&mut self) -> &mut Link {
        &mut self.link
    }

    fn read_answer(&mut self, until: Option<Instant>, said: &mut Said) -> Result<Option<Answer>, Halt> {
        while let Some(line) = self.link.line(until)? {
            let mv = match read(&line.text) {
                Word::Move(text) => Some(text),
                Word::Resign => None,
                Word::Claim(text) => return Err(Fault::FalseClaim(text).into()),
                Word::Illegal(text) => return Err(calls_illegal(&text).into()),
                Word::OfferDraw => {
                    said.offers_draw = true;
                    continue;
                }
                Word::Thinking(new) => {
                    said.eval = Some(new);
                    continue;
                }
                Word::Pong(_) | Word::Other => continue,
            };
            return Ok(Some(Answer { at: line.at, mv, ponder: None }));
        }
        Ok(None)
    }
}

impl<G: Game> Player<G> for CecpPlayer {
    fn new_game(&mut self, game: &G, _: Side, clock: &Clock) -> Result<(), Halt> {
        self.games += 1;
        if self.games > 1 && !self.features.reuse {
            self.link.warn("wants a new process for every game (restart=on)");
        }
        self.has_offer = false;
        self.link.begin();
        self.link.send("new")?;
        if game.is_chess960() {
            if !self.features.variants.split(',').any(|name| name.trim() == "fischerandom") {
                return Err(Fault::Protocol("it does not play fischerandom".to_owned()).into());
            }
            self.link.send("variant fischerandom")?;
        }
        self.send_level(clock)?;
        if let Some(depth) = clock.control().depth {
            self.link.send(format_args!("sd {depth}"))?;
        }
        self.link.send("post")?;
        self.link.send(if self.ponder { "hard" } else { "easy" })?;
        self.link.send("force")?;
        self.is_forced = true;
        if let Some(fen) = game.start_text(Protocol::Cecp) {
            if !self.features.setboard {
                let what = "it has no setboard and cannot play from this position";
                return Err(Fault::Protocol(what.to_owned()).into());
            }
            self.link.send(format_args!("setboard {fen}"))?;
        }
        let moves = game.move_texts(Protocol::Cecp);
        for mv in &moves {
            self.send_move(mv)?;
        }
        self.known = moves.len();
        self.synchronise("new")
    }

    fn think(&mut self, game: &G, clocks: Clocks) -> Result<Thought, Halt> {
        // What it said about the game before; a result is wrong, since the game goes on.
        while let Some(line) = self.link.waiting()? {
            match read(&line.text) {
                Word::Claim(text) => return Err(Fault::FalseClaim(text).into()),
                Word::Resign => {
                    let elapsed = Duration::ZERO;
                    return Ok(Thought { mv: None, elapsed, eval: None, ponder: None, offers_draw: false });
                }
                Word::OfferDraw => self.has_offer = true,
                Word::Move(text) => self.link.warn_line("moves out of turn:", &text),
                _ => {}
            }
        }
        let moves = game.move_texts(Protocol::Cecp);
        let is_new_period = match (self.level_moves, clocks.own.moves_to_go()) {
            (Some(before), Some(now)) => now > before,
            (Some(_), None) => true,
            _ => false,
        };
        if is_new_period {
            self.send_level(clocks.own)?;
        }
        let new: Vec<String> = moves.iter().skip(self.known).cloned().collect();
        if self.is_forced {
            for mv in &new {
                self.send_move(mv)?;
            }
            // Without the feature ping an engine may still be busy with the opening here.
            self.send_times(clocks)?;
        }
        let began = self.link.begin();
        if self.is_forced {
            self.link.send("go")?;
            self.is_forced = false;
        } else {
            self.send_times(clocks)?;
            for mv in &new {
                self.send_move(mv)?;
            }
        }
        let mut said = Said { eval: None, offers_draw: std::mem::take(&mut self.has_offer) };
        let answer = self.answer(clocks, began, &mut said)?;
        self.known = moves.len() + 1;
        let (elapsed, Said { eval, offers_draw }) = (answer.elapsed(began), said);
        Ok(Thought { mv: answer.mv, elapsed, eval, ponder: None, offers_draw })
    }

    fn ponder(&mut self, _: &G, _: Clocks) -> Result<(), Halt> {
        // It does so by itself after `hard`.
        Ok(())
    }

    fn offer_draw(&mut self) -> Result<(), Halt> {
        if self.features.draw { self.link.send("draw") } else { Ok(()) }
    }

    fn finish(&mut self, _: &G, outcome: Option<Outcome>, reason: &str) -> Result<(), Halt> {
        let result = match outcome {
            Some(Outcome::Win(crate::game::Side::White)) => "1-0",
            Some(Outcome::Win(crate::game::Side::Black)) => "0-1",
            Some(Outcome::Draw) => "1/2-1/2",
            None => "*",
        };
        self.link.send(format_args!("result {result} {{{}}}", shown(reason)))?;
        self.link.send("force")?;
        self.is_forced = true;
        self.link.begin();
        self.synchronise("result")
    }

    fn take_warnings(&mut self) -> Vec<String> {
        self.link.take_warnings()
    }
}

impl Features {
    /// Takes note of a feature; whether it is one that is understood.
    fn take(&mut self, name: &str, value: &str) -> bool {
        let is_on = value != "0";
        match name {
            "ping" => self.ping = is_on,
            "setboard" => self.setboard = is_on,
            "usermove" => self.usermove = is_on,
            "draw" => self.draw = is_on,
            "memory" => self.memory = is_on,
            "smp" => self.smp = is_on,
            "colors" => self.colors = is_on,
            "reuse" => self.reuse = is_on,
            "time" => self.time = is_on,
            "variants" => value.clone_into(&mut self.variants),
            "option" => {
                let name = value.split(" -").next().unwrap_or_default().trim();
                self.options.push(name.to_owned());
            }
            // Coordinates are understood by everybody.
            "san" => return !is_on,
            "myname" | "playother" | "sigint" | "sigterm" | "analyze" | "name" | "debug" | "nps" | "ics"
            | "pause" | "egt" | "exclude" | "setscore" | "highlight" => {}
            _ => return false,
        }
        true
    }
}

/// `name=value` pairs, values in quotes where they hold blanks.
fn pairs(text: &str) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    let mut rest = text.trim_start();
    while let Some((name, after)) = rest.split_once('=') {
        let (value, next) = match after.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => after.split_once(char::is_whitespace).unwrap_or((after, "")),
        };
        pairs.push((name.trim().to_owned(), value.to_owned()));
        rest = next.trim_start();
    }
    pairs
}

fn read(line: &str) -> Word {
    let text = line.trim();
    let mut words = text.split_whitespace();
    let first = words.next().unwrap_or_default();
    match first {
        "move" => words.next().map_or(Word::Other, |mv| Word::Move(mv.to_owned())),
        "My" if text.starts_with("My move is") => {
            text.split(':').nth(1).map_or(Word::Other, |mv| Word::Move(mv.trim().to_owned()))
        }
        "resign" | "tellics" if text == "resign" || text == "tellics resign" => Word::Resign,
        "offer" => Word::OfferDraw,
        "1-0" | "0-1" | "1/2-1/2" => {
            if text.to_ascii_lowercase().contains("resign") {
                Word::Resign
            } else {
                Word::Claim(shown(text))
            }
        }
        "Illegal" if text.to_ascii_lowercase().starts_with("illegal move") => {
            let (_, mv) = text.split_once(':').unwrap_or((text, text));
            Word::Illegal(shown(mv.trim()))
        }
        "pong" => words.next().and_then(|number| number.parse().ok()).map_or(Word::Other, Word::Pong),
        _ => thinking(text).map_or(Word::Other, Word::Thinking),
    }
}

/// `ply score time nodes pv`.
fn thinking(text: &str) -> Option<Eval> {
    let mut words = text.split_whitespace();
    // Some write marks behind the depth: `12.`, `12&`.
    let depth = words.next()?.trim_end_matches(|c: char| !c.is_ascii_digit()).parse().ok()?;
    let score: i64 = words.next()?.parse().ok()?;
    let _time: i64 = words.next()?.parse().ok()?;
    let nodes = words.next()?.parse().ok()?;
    let score = if score.abs() >= MATE {
        let moves = i32::try_from(score.abs() - MATE).unwrap_or(i32::MAX).max(1);
        Score::Mate(if score > 0 { moves } else { -moves })
    } else {
        Score::Cp(i32::try_from(score).ok()?)
    };
    Some(Eval { score, depth, nodes })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_read_with_quotes() {
        assert_eq!(
            pairs("ping=1 myname=\"A b\" option=\"X -spin 1 0 2\" done=1"),
            [("ping", "1"), ("myname", "A b"), ("option", "X -spin 1 0 2"), ("done", "1")]
                .map(|(a, b)| (a.to_owned(), b.to_owned()))
        );
        assert!(pairs("nothing").is_empty());
        assert_eq!(pairs("a=\"open").len(), 1);
    }

    #[test]
    fn lines_are_understood() {
        assert!(matches!(read("move e2e4"), Word::Move(mv) if mv == "e2e4"));
        assert!(matches!(read("My move is: e4"), Word::Move(mv) if mv == "e4"));
        assert!(matches!(read("resign"), Word::Resign));
        assert!(matches!(read("0-1 {White resigns}"), Word::Resign));
        assert!(matches!(read("1-0 {White mates}"), Word::Claim(_)));
        assert!(matches!(read("Illegal move (no): e2e5"), Word::Illegal(mv) if mv == "e2e5"));
        assert!(matches!(read("# move e2e4"), Word::Other));
        assert!(matches!(read("pong 3"), Word::Pong(3)));
        let eval = |score, depth, nodes| Some(Eval { score, depth, nodes });
        assert_eq!(thinking("12 31 52 1000 e4 e5"), eval(Score::Cp(31), 12, 1000));
        assert_eq!(thinking(" 9. -100003 5 77\tNf3"), eval(Score::Mate(-3), 9, 77));
        assert_eq!(thinking("1. e4 e5"), None);
    }
}
