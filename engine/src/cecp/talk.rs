//! Questions and answers that do not change the game: features, settings, hints, the state of an analysis.

use std::fmt::Display;
use std::sync::Arc;
use std::time::Instant;

use movegen::Move;
use search::core::event::Silent;
use search::core::limit::Limits;
use uci::cecp::{Feature, OptionFeature, Status};
use uci::error::CecpError;
use uci::option::OptionKind;

use super::sink::{lock, spell};
use super::{Activity, CecpSession, Mode, Setting};
use crate::options::Message;

/// The option for the directories of endgame tables.
pub(super) const TABLE_PATH: &str = "SyzygyPath";
/// Nodes of a search for a hint: some milliseconds.
const HINT_NODES: u64 = 20_000;

/// What is known of the opponent.
#[derive(Default)]
pub(super) struct Opponent {
    pub name: String,
    pub rating: i64,
    pub is_computer: bool,
}

impl Display for Opponent {
    /// As the option UCI_Opponent has it: title, rating, kind, name.
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let kind = if self.is_computer { "computer" } else { "human" };
        match self.rating {
            1.. => write!(f, "none {} {kind} {}", self.rating, self.name),
            _ => write!(f, "none none {kind} {}", self.name),
        }
    }
}

impl CecpSession {
    /// Lists the features, in one piece.
    pub(super) fn introduce(&mut self) {
        let name = format!("Dyad {}", env!("CARGO_PKG_VERSION"));
        let mut lines = vec![
            Feature::Number("done", 0).to_string(),
            Feature::Text("myname", &name).to_string(),
            Feature::Text("variants", "normal,fischerandom").to_string(),
        ];
        let numbers = [
            ("ping", 1),
            ("setboard", 1),
            ("playother", 1),
            ("san", 0),
            ("usermove", 1),
            ("time", 1),
            ("draw", 1),
            ("sigint", 0),
            ("sigterm", 0),
            ("reuse", 1),
            ("analyze", 1),
            ("colors", 0),
            ("ics", 0),
            ("name", 1),
            ("pause", 1),
            ("nps", 1),
            ("debug", 1),
            ("memory", 1),
            ("smp", 1),
            ("exclude", 1),
            ("setscore", 0),
        ];
        lines.extend(numbers.iter().map(|&(name, value)| Feature::Number(name, value).to_string()));
        if self.options.spec(TABLE_PATH).is_some() {
            lines.push(Feature::Text("egt", "syzygy").to_string());
        }
        lines.extend(self.options.specs().map(|spec| OptionFeature(spec).to_string()));
        lines.push(Feature::Number("done", 1).to_string());
        self.writer.line(lines.join("\n"));
    }

    /// A line for debugging, where that is welcome.
    pub(super) fn remark(&self, text: impl Display) {
        log::info!("{text}");
        if self.debug {
            self.writer.line(format_args!("# {text}"));
        }
    }

    /// Passes on what options and the book have to say: faults to everybody.
    pub(super) fn pass_on_messages(&mut self) {
        for message in self.engine.take_messages() {
            match message {
                Message::Note(text) => self.remark(text),
                Message::Fault(text) => self.writer.line(format_args!("telluser {text}")),
            }
        }
    }

    /// Changes an option now, or after the engine's move. A search in the opponent's time begins anew.
    pub(super) fn set_option(&mut self, setting: Setting) {
        if self.activity == Activity::Thinking || self.is_interrupted {
            self.settings.push(setting);
            return;
        }
        let expected = self.expected;
        self.abandon();
        self.apply_option(&setting);
        self.expected = expected;
        self.start_analysing();
        self.start_pondering();
    }

    /// Changes an option while no search runs.
    pub(super) fn apply_option(&mut self, setting: &Setting) {
        let name = &setting.name;
        let is_check =
            self.options.spec(name).is_some_and(|spec| matches!(spec.kind, OptionKind::Check { .. }));
        let value = match setting.value.as_deref() {
            Some("1") if is_check => Some("true"),
            Some("0") if is_check => Some("false"),
            other => other,
        };
        match self.options.set(&mut self.engine, name, value) {
            Ok(None) => {}
            Ok(Some(notice)) => self.remark(notice),
            Err(error) => self.writer.line(CecpError::Option(error)),
        }
        if setting.is_automatic {
            for message in self.engine.take_messages() {
                self.remark(message);
            }
        }
        self.pass_on_messages();
    }

    /// Answers when all before is done: after the move while thinking, else at once.
    pub(super) fn ping(&mut self, number: String) {
        if self.activity == Activity::Thinking || self.is_interrupted {
            self.pings.push(number);
        } else {
            self.pong(&number);
        }
    }

    pub(super) fn pong(&self, number: &str) {
        self.writer.line(format_args!("pong {number}"));
    }

    pub(super) fn say_hint(&self, mv: Move) {
        self.writer.line(format_args!("Hint: {}", spell(mv, self.chess960)));
    }

    /// Suggests a move, except while the engine is to move itself.
    pub(super) fn hint(&mut self) {
        if self.activity == Activity::Thinking || self.is_interrupted || self.is_void {
            return;
        }
        let hint = match self.activity {
            Activity::Pondering(expected) => Some(expected),
            Activity::Analysing => {
                let info = lock(&self.progress).info.clone();
                info.and_then(|info| info.pv.first().copied())
            }
            _ => self.expected.or_else(|| self.suggestion()),
        };
        if let Some(mv) = hint {
            self.say_hint(mv);
        }
    }

    /// The best move by a short search, which must not meet another one.
    pub(super) fn suggestion(&mut self) -> Option<Move> {
        let limits = Limits { nodes: Some(HINT_NODES), ..Limits::default() };
        let request = self.engine.request(self.board.clone(), limits, Instant::now());
        self.engine.searcher.search(request, Arc::new(Silent))?.best
    }

    /// Lists the moves of the book, the heaviest first.
    pub(super) fn show_book(&self) {
        let mut moves = self.engine.book_moves(&self.board);
        moves.sort_by_key(|(_, entry)| std::cmp::Reverse(entry.weight));
        let all: u64 = moves.iter().map(|(_, entry)| u64::from(entry.weight)).sum();
        let mut text = String::new();
        for (mv, entry) in &moves {
            let share = u64::from(entry.weight) * 100 / all.max(1);
            text.push_str(&format!(" {:<8} {share:>3}%\n", self.board.san(*mv)));
        }
        if moves.is_empty() {
            text.push_str(" The book has no move here.\n");
        }
        self.writer.line(text);
    }

    /// How far the analysis is.
    pub(super) fn tell_status(&self) {
        if self.mode != Mode::Analyze {
            return;
        }
        let mut status = Status::default();
        if self.activity == Activity::Analysing {
            let progress = lock(&self.progress);
            status.time = self.started.elapsed();
            status.moves = self.candidates().len();
            if let Some(info) = &progress.info {
                (status.nodes, status.depth) = (info.nodes, info.depth);
            }
            if let Some((depth, mv, number)) = progress.current {
                status.depth = depth;
                status.moves_left = status.moves.saturating_sub(number);
                status.current = Some(spell(mv, self.chess960));
            }
        }
        self.writer.line(status);
    }

    /// Learns something of the opponent.
    pub(super) fn meet(&mut self, learn: impl FnOnce(&mut Opponent)) {
        learn(&mut self.opponent);
        let setting = Setting::new("UCI_Opponent", Some(self.opponent.to_string()));
        if self.activity == Activity::Idle {
            self.apply_option(&setting);
        } else {
            self.settings.push(setting);
        }
    }
}
