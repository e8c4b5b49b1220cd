//! Engines that speak UCI.

use crate::answer::{Answer, Thinker};
use crate::clock::Clock;
use crate::fault::Fault;
use crate::game::{Game, Outcome, Protocol, Side};
use crate::player::{Clocks, Eval, Halt, Link, Player, START_LIMIT, Thought, illegal_in_line};
use crate::spec::EngineSpec;
use std::time::{Duration, Instant};
use uci::info::{BestMove, InfoLine};

/// Words that may begin a line of an engine.
const WORDS: [&str; 8] =
    ["id", "option", "uciok", "readyok", "bestmove", "info", "copyprotection", "registration"];

pub(crate) struct UciPlayer {
    link: Link,
    /// Whether the engine was told that the game is Chess960.
    chess960: Option<bool>,
    has_chess960: bool,
    /// The reply on which it ponders now.
    pondering: Option<String>,
}

impl UciPlayer {
    pub fn start(mut link: Link, spec: &EngineSpec) -> Result<Self, Halt> {
        let until = Instant::now() + START_LIMIT;
        let mut known: Vec<String> = Vec::new();
        link.ask(until, "uci", "uciok", |_, text| {
            known.extend(option_name(text));
            Ok(text.trim() == "uciok")
        })?;
        let mut player = Self { link, chess960: None, has_chess960: false, pondering: None };
        player.has_chess960 = known.iter().any(|name| name.eq_ignore_ascii_case("UCI_Chess960"));
        let ponder = ("Ponder".to_owned(), spec.ponder.to_string());
        let has_ponder = known.iter().any(|name| name.eq_ignore_ascii_case("Ponder"));
        for (name, value) in spec.options.iter().chain(has_ponder.then_some(&ponder)) {
            if !known.iter().any(|other| other.eq_ignore_ascii_case(name)) {
                player.link.warn(format!("has no option '{name}'"));
            }
            player.link.send(format_args!("setoption name {name} value {value}"))?;
        }
        player.synchronise()?;
        Ok(player)
    }

    fn synchronise(&mut self) -> Result<(), Halt> {
        let until = self.link.begin() + START_LIMIT;
        self.link.ask(until, "isready", "readyok", |link, text| {
            let is_answer = text.trim() == "readyok";
            if !is_answer {
                idle_line(link, text);
            }
            Ok(is_answer)
        })
    }
}

/// Complains about a line that comes while nothing is searched.
fn idle_line(link: &mut Link, text: &str) {
    if BestMove::parse(text).is_some() {
        link.warn("answers without being asked");
    } else {
        check_word(link, text);
    }
}

fn check_word(link: &mut Link, text: &str) {
    if text.split_whitespace().next().is_some_and(|word| !WORDS.contains(&word)) {
        link.warn_line("writes", text);
    }
}

impl Thinker for UciPlayer {
    type Info = Option<InfoLine>;

    fn link(&mut self) -> &mut Link {
        &mut self.link
    }

    fn read_answer(
        &mut self,
        until: Option<Instant>,
        info: &mut Option<InfoLine>,
    ) -> Result<Option<Answer>, Halt> {
        while let Some(line) = self.link.line(until)? {
            if let Some(BestMove { best, ponder }) = BestMove::parse(&line.text) {
                return Ok(Some(Answer { at: line.at, mv: best, ponder }));
            }
            match InfoLine::parse(&line.text) {
                Some(new) if new.multipv == 1 => {
                    // A bound is worth less than the last exact score.
                    if new.bound.is_none() || info.is_none() {
                        *info = Some(new);
                    }
                }
                Some(_) => {}
                None => check_word(&mut self.link, &line.text),
            }
        }
        Ok(None)
    }
}

impl<G: Game> Player<G> for UciPlayer {
    fn new_game(&mut self, game: &G, _: Side, _: &Clock) -> Result<(), Halt> {
        let wanted = game.is_chess960();
        if self.chess960.unwrap_or(false) != wanted {
            if wanted && !self.has_chess960 {
                self.link.warn("has no option 'UCI_Chess960'");
            }
            self.link.send(format_args!("setoption name UCI_Chess960 value {wanted}"))?;
            self.chess960 = Some(wanted);
        }
        self.link.send("ucinewgame")?;
        self.synchronise()
    }

    fn think(&mut self, game: &G, clocks: Clocks) -> Result<Thought, Halt> {
        let moves = game.move_texts(Protocol::Uci);
        let began = self.link.begin();
        let expected = self.pondering.take();
        let is_hit = expected.is_some() && expected == moves.last().cloned();
        let mut answered_early = false;
        if expected.is_some() {
            // What it wrote while pondering; an answer must not be among it.
            while let Some(line) = self.link.waiting()? {
                answered_early |= BestMove::parse(&line.text).is_some();
            }
            if answered_early {
                self.link.warn("answers while it should ponder");
            } else if !is_hit {
                self.abandon()?;
            }
        }
        if is_hit && !answered_early {
            self.link.send("ponderhit")?;
        } else {
            while let Some(line) = self.link.waiting()? {
                idle_line(&mut self.link, &line.text);
            }
            self.link.send(position(game, &moves))?;
            self.link.send(format_args!("go{}", limits(game.turn(), clocks)))?;
        }
        let mut info = None;
        let answer = self.answer(clocks, began, &mut info)?;
        let elapsed = answer.elapsed(began);
        let Some(mv) = answer.mv else { return Err(Fault::NoMove.into()) };
        if let Some(text) =
            info.as_ref().and_then(|info: &InfoLine| illegal_in_line(game, Protocol::Uci, &info.pv))
        {
            self.link.warn_line("shows a line with the illegal move", &text);
        }
        if let Some(reply) = &answer.ponder
            && game.parse(Protocol::Uci, &mv).is_ok()
            && illegal_in_line(game, Protocol::Uci, &[mv.clone(), reply.clone()]).is_some()
        {
            self.link.warn_line("expects the illegal reply", reply);
        }
        let eval = info.map(|info| Eval { score: info.score, depth: info.depth, nodes: info.nodes });
        Ok(Thought { mv: Some(mv), elapsed, eval, ponder: answer.ponder, offers_draw: false })
    }

    fn ponder(&mut self, ahead: &G, clocks: Clocks) -> Result<(), Halt> {
        let moves = ahead.move_texts(Protocol::Uci);
        self.link.send(position(ahead, &moves))?;
        self.link.send(format_args!("go ponder{}", limits(ahead.turn(), clocks)))?;
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

fn position<G: Game>(game: &G, moves: &[String]) -> String {
    let mut text = match game.start_text(Protocol::Uci) {
        Some(fen) => format!("position fen {fen}"),
        None => "position startpos".to_owned(),
    };
    if !moves.is_empty() {
        text += " moves ";
        text += &moves.join(" ");
    }
    text
}

/// The parameters of `go` for the side to move.
fn limits(turn: Side, clocks: Clocks) -> String {
    let mut text = String::new();
    let ms = |time: Duration| time.as_millis();
    let (white, black) = match turn {
        Side::White => (clocks.own, clocks.other),
        Side::Black => (clocks.other, clocks.own),
    };
    if let Some(own) = clocks.own.left() {
        // An opponent without a clock has as much time as oneself.
        for (name, clock) in [('w', white), ('b', black)] {
            text += &format!(" {name}time {}", ms(clock.left().unwrap_or(own)));
        }
        if !(white.increment() + black.increment()).is_zero() {
            text += &format!(" winc {} binc {}", ms(white.increment()), ms(black.increment()));
        }
        if let Some(moves) = clocks.own.moves_to_go() {
            text += &format!(" movestogo {moves}");
        }
    }
    let control = clocks.own.control();
    if let Some(time) = control.move_time {
        text += &format!(" movetime {}", ms(time));
    }
    if let Some(nodes) = control.nodes {
        text += &format!(" nodes {nodes}");
    }
    if let Some(depth) = control.depth {
        text += &format!(" depth {depth}");
    }
    text
}

/// The name in a line `option name N type T ...`.
fn option_name(line: &str) -> Option<String> {
    let mut words = line.split_whitespace();
    if words.next() != Some("option") || words.next() != Some("name") {
        return None;
    }
    Some(words.take_while(|word| *word != "type").collect::<Vec<_>>().join(" "))
}
