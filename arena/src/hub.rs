//! Engines that speak Hub, version 2.

use crate::answer::{Answer, Thinker};
use crate::clock::Clock;
use crate::fault::{Fault, shown};
use crate::game::{Game, Outcome, Protocol, Side};
use crate::player::{Clocks, Eval, Halt, Link, Player, START_LIMIT, Thought, illegal_in_line};
use crate::spec::EngineSpec;
use std::time::{Duration, Instant};
use uci::hub::{Line, Value};
use uci::info::Score;

pub(crate) struct HubPlayer {
    link: Link,
    /// The reply on which the engine ponders now.
    pondering: Option<String>,
}

/// What an engine said about its search.
#[derive(Default)]
pub(crate) struct Info {
    eval: Option<Eval>,
    pv: Vec<String>,
}

impl HubPlayer {
    pub fn start(mut link: Link, spec: &EngineSpec) -> Result<Self, Halt> {
        let until = Instant::now() + START_LIMIT;
        let mut known: Vec<String> = Vec::new();
        link.ask(until, "hub", "wait", |_, text| {
            let line = Line::parse(text).ok().flatten();
            if let Some(line) = line.as_ref().filter(|line| line.command == "param") {
                known.extend(line.value("name").map(str::to_owned));
            }
            Ok(line.is_some_and(|line| line.command == "wait"))
        })?;
        for (name, value) in &spec.options {
            if !known.contains(name) {
                link.warn(format!("has no parameter '{name}'"));
            }
            link.send(format_args!("set-param name={} value={}", Value(name), Value(value)))?;
        }
        link.ask(until, "init", "ready", |link, text| Ok(is_answer(link, text, "ready")))?;
        Ok(Self { link, pondering: None })
    }

    /// Waits until the engine has done all that it was told.
    fn synchronise(&mut self) -> Result<(), Halt> {
        let until = self.link.begin() + START_LIMIT;
        self.link.ask(until, "ping", "pong", |link, text| Ok(is_answer(link, text, "pong")))
    }

    fn go<G: Game>(&mut self, game: &G, moves: &[String], clock: &Clock, mode: &str) -> Result<(), Halt> {
        // Hub has no word for the ordinary position.
        let start = game.start_text(Protocol::Hub).unwrap_or_else(|| "start".to_owned());
        let mut position = format!("pos pos={start}");
        if !moves.is_empty() {
            position += &format!(" moves=\"{}\"", moves.join(" "));
        }
        self.link.send(position)?;
        self.link.send(level(clock))?;
        self.link.send(format_args!("go {mode}"))
    }
}

/// Whether a line is the awaited one; complains about one that should not come while nothing is searched.
fn is_answer(link: &mut Link, text: &str, awaited: &str) -> bool {
    let Ok(Some(line)) = Line::parse(text) else { return false };
    match line.command.as_str() {
        "done" => link.warn("answers without being asked"),
        "error" => link.warn_line("writes", text),
        command => return command == awaited,
    }
    false
}

impl Thinker for HubPlayer {
    type Info = Info;

    fn link(&mut self) -> &mut Link {
        &mut self.link
    }

    fn read_answer(&mut self, until: Option<Instant>, info: &mut Info) -> Result<Option<Answer>, Halt> {
        while let Some(line) = self.link.line(until)? {
            let parsed = match Line::parse(&line.text) {
                Ok(Some(parsed)) => parsed,
                Ok(None) => continue,
                Err(_) => {
                    self.link.warn_line("writes", &line.text);
                    continue;
                }
            };
            match parsed.command.as_str() {
                "done" => {
                    let [mv, ponder] = ["move", "ponder"].map(|name| parsed.value(name).map(str::to_owned));
                    return Ok(Some(Answer { at: line.at, mv, ponder }));
                }
                "info" => read_info(&parsed, info),
                "error" => {
                    return Err(Fault::Protocol(format!("it writes '{}'", shown(&line.text))).into());
                }
                "pong" | "param" | "id" => {}
                _ => self.link.warn_line("writes", &line.text),
            }
        }
        Ok(None)
    }
}

impl<G: Game> Player<G> for HubPlayer {
    fn new_game(&mut self, _: &G, _: Side, _: &Clock) -> Result<(), Halt> {
        self.link.send("new-game")?;
        self.synchronise()
    }

    fn think(&mut self, game: &G, clocks: Clocks) -> Result<Thought, Halt> {
        let moves = game.move_texts(Protocol::Hub);
        let began = self.link.begin();
        let expected = self.pondering.take();
        let is_hit = expected.is_some() && expected == moves.last().cloned();
        let mut answered_early = false;
        while let Some(line) = self.link.waiting()? {
            let is_answer =
                Line::parse(&line.text).is_ok_and(|line| line.is_some_and(|line| line.command == "done"));
            if is_answer {
                answered_early = true;
                self.link.warn("answers without being asked");
            }
        }
        if expected.is_some() && is_hit && !answered_early {
            self.link.send("ponder-hit")?;
        } else {
            if expected.is_some() && !answered_early {
                self.abandon()?;
            }
            self.go(game, &moves, clocks.own, "think")?;
        }
        let mut info = Info::default();
        let answer = self.answer(clocks, began, &mut info)?;
        let elapsed = answer.elapsed(began);
        let Some(mv) = answer.mv else { return Err(Fault::NoMove.into()) };
        if let Some(text) = illegal_in_line(game, Protocol::Hub, &info.pv) {
            self.link.warn_line("shows a line with the illegal move", &text);
        }
        Ok(Thought { mv: Some(mv), elapsed, eval: info.eval, ponder: answer.ponder, offers_draw: false })
    }

    fn ponder(&mut self, ahead: &G, clocks: Clocks) -> Result<(), Halt> {
        let moves = ahead.move_texts(Protocol::Hub);
        self.go(ahead, &moves, clocks.own, "ponder")?;
        self.pondering = moves.last().cloned();
        Ok(())
    }

    fn finish(&mut self, _: &G, _: Option<Outcome>, _: &str) -> Result<(), Halt> {
        if self.pondering.take().is_some() { self.abandon() } else { Ok(()) }
    }

    fn take_warnings(&mut self) -> Vec<String> {
        self.link.take_warnings()
    }
}

/// The limits of a search. Hub adds the increment before each move and we after it, so what is on the
/// clock is told without it.
fn level(clock: &Clock) -> String {
    let seconds = |time: Duration| format!("{:.3}", time.as_secs_f64());
    let control = clock.control();
    let mut text = "level".to_owned();
    if let Some(depth) = control.depth {
        text += &format!(" depth={depth}");
    }
    if let Some(nodes) = control.nodes {
        text += &format!(" nodes={nodes}");
    }
    if let Some(time) = control.move_time {
        text += &format!(" move-time={}", seconds(time));
    }
    if let Some(left) = clock.left() {
        if let Some(moves) = clock.moves_to_go() {
            text += &format!(" moves={moves}");
        }
        let increment = clock.increment().min(left);
        text += &format!(" time={}", seconds(left - increment));
        if !increment.is_zero() {
            text += &format!(" inc={}", seconds(increment));
        }
    }
    text
}

/// Takes over what a line says; a line without score leaves the last one.
fn read_info(line: &Line, info: &mut Info) {
    let number = |name: &str| line.value(name).and_then(|text| text.parse::<f64>().ok());
    let Some(score) = number("score").filter(|score| score.is_finite()) else { return };
    // Casts of floats saturate.
    let depth = number("depth").unwrap_or(0.0) as u32;
    let nodes = number("nodes").unwrap_or(0.0) as u64;
    info.eval = Some(Eval { score: read_score(score), depth, nodes });
    if let Some(pv) = line.value("pv") {
        info.pv = pv.split_whitespace().map(str::to_owned).collect();
    }
}

/// Scores above 90 stand for wins in (100 - score) * 100 plies.
fn read_score(score: f64) -> Score {
    if score.abs() <= 90.0 {
        return Score::Cp((score * 100.0).round() as i32);
    }
    let plies = ((100.0 - score.abs()) * 100.0).round().max(1.0) as i32;
    let moves = plies.saturating_add(1) / 2;
    Score::Mate(if score > 0.0 { moves } else { -moves })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::TimeControl;

    #[test]
    fn levels_name_every_limit() {
        let mut control = TimeControl { depth: Some(9), nodes: Some(1000), ..TimeControl::default() };
        control.set_clock("20/60+1").unwrap();
        assert_eq!(level(&Clock::new(control)), "level depth=9 nodes=1000 moves=20 time=59.000 inc=1.000");
    }

    #[test]
    fn scores_of_wins_count_moves() {
        assert_eq!(read_score(1.25), Score::Cp(125));
        assert_eq!(read_score(99.95), Score::Mate(3));
        assert_eq!(read_score(-99.98), Score::Mate(-1));
    }
}
