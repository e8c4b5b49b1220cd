//! The engine with its settings: what every protocol needs to have a move searched.

use crate::bitbase::Tables;
use crate::book::Book;
use crate::eval::Evaluation;
use crate::param::Settings;
use crate::search::{Engine, Request};
use crate::{Game, Move, Variant};
use search::core::limit::Limits;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What a search is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// A move in a game.
    Play,
    /// The opponent's time.
    Ponder,
    /// Insight: full strength and no instant answers.
    Analyse,
}

/// An engine and the settings it obeys.
pub struct Machine {
    /// The searching side.
    pub engine: Engine,
    settings: Settings,
    book: Book,
}

impl Default for Machine {
    fn default() -> Self {
        let settings = Settings::default();
        Self {
            engine: Engine::new(settings.threads, settings.hash),
            settings,
            book: Book::built_in().clone(),
        }
    }
}

impl Machine {
    /// The settings in force.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Sets a parameter, after the running search.
    ///
    /// # Errors
    /// When there is none of this name, the value does not fit, or the system has less to give than was
    /// asked for: then what it gave is in force. With a network that cannot be read the old one stays, with a
    /// book that cannot be read there is none, and of endgame tables those that can be read are used.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let old = self.settings.clone();
        // A file that is named again may be another one by now.
        let is_named = |file: &str| name.eq_ignore_ascii_case(file) && !value.trim().is_empty();
        self.settings.set(name, value).map_err(|error| error.to_string())?;
        if self.settings.threads != old.threads {
            self.engine.set_threads(self.settings.threads);
            let got = self.engine.threads();
            if got < self.settings.threads {
                self.settings.threads = got;
                return Err(format!("the system has only {got} threads to give"));
            }
        }
        if self.settings.hash != old.hash {
            self.engine.set_mebibytes(self.settings.hash);
            let got = self.engine.mebibytes();
            if got < self.settings.hash {
                self.settings.hash = got.max(1);
                return Err(format!("the system has only {got} MB to give"));
            }
        }
        if self.settings.variant != old.variant {
            self.engine.new_game();
        }
        if (self.settings.bb_size, &self.settings.bb_path) != (old.bb_size, &old.bb_path)
            || is_named("bb-path")
        {
            self.load_tables()?;
        }
        if self.settings.eval_file != old.eval_file || is_named("eval-file") {
            let evaluation = match self.settings.eval_file.as_str() {
                "" => Ok(Evaluation::default()),
                path => Evaluation::load(Path::new(path)).map_err(|error| format!("{path}: {error}")),
            };
            let evaluation = evaluation.inspect_err(|_| self.settings.eval_file = old.eval_file)?;
            self.engine.set_evaluation(evaluation);
        }
        if self.settings.book_file != old.book_file || is_named("book-file") {
            self.book = Book::default();
            self.book = match self.settings.book_file.as_str() {
                "" => Book::built_in().clone(),
                path => Book::load(Path::new(path))
                    .map_err(|error| format!("no book is used: {path}: {error}"))?,
            };
        }
        Ok(())
    }

    /// Takes the endgame tables that the settings name.
    ///
    /// # Errors
    /// When some cannot be used; the others are.
    fn load_tables(&mut self) -> Result<(), String> {
        let folder = Some(self.settings.bb_path.as_str()).filter(|path| !path.is_empty());
        let (tables, problems) = Tables::load(folder.map(Path::new), self.settings.bb_size);
        self.engine.set_tables(Arc::new(tables));
        let Some(first) = problems.first() else { return Ok(()) };
        let more = problems.len() - 1;
        let rest = if more > 0 { format!(" (and {more} more)") } else { String::new() };
        Err(format!("endgame tables not used: {first}{rest}"))
    }

    /// A move from the book, if it may be asked and knows one, and the best answer if it knows that too.
    /// Moves that are about as good as the best change by chance.
    pub fn book_move(&self, game: &Game) -> Option<(Move, Option<Move>)> {
        let settings = &self.settings;
        if !settings.book
            || settings.variant != Variant::International
            || game.moves().len() >= settings.book_ply
        {
            return None;
        }
        let random = RandomState::new().build_hasher().finish();
        self.book.choose(game.position(), settings.book_margin, random)
    }

    /// A request for a search of the game's position, counting time from `start`.
    pub fn request(
        &self,
        mut game: Game,
        purpose: Purpose,
        mut limits: Limits,
        start: Instant,
        overhead: Duration,
    ) -> Request {
        game.draws = self.settings.draws();
        limits.ponder = purpose == Purpose::Ponder;
        let mut noise = 0;
        if purpose != Purpose::Analyse
            && let Some((nodes, blur)) = self.settings.handicap()
        {
            limits.nodes = Some(limits.nodes.map_or(nodes, |limit| limit.min(nodes)));
            noise = blur;
        }
        Request {
            game,
            variant: self.settings.variant,
            limits,
            lines: self.settings.lines,
            quick_reply: purpose == Purpose::Play,
            overhead,
            start,
            noise,
        }
    }
}
