//! `play`: a game in the terminal.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use draughts::param::{FULL_LEVEL, Settings};
use draughts::pdn::{PdnGame, PdnResult};
use draughts::rules::International;
use draughts::search::{Engine, Request};
use draughts::{Color, Game, Move, Outcome, Position, fen, legal_moves, notation};
use search::core::event::{Collector, Event, Sink};
use search::core::limit::Limits;
use study::{Clock, Ending, Failure, Opponent, Pace, Seat, Side, Style, Turn, today};

use super::analyse::score_text;
use super::board::draw_for;

/// Time that passes between the engine and its clock.
const OVERHEAD: Duration = Duration::from_millis(20);

/// What `play` is told.
#[derive(Args)]
pub struct Play {
    /// The colour you play.
    #[arg(long, visible_alias = "color", value_enum, default_value_t = Side::White)]
    colour: Side,
    /// Strength of the engine, 1 to 10.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u8).range(1..=10))]
    level: u8,
    /// Seconds that the engine may think about a move.
    #[arg(long, value_parser = study::seconds, default_value = "1")]
    time: Duration,
    /// Play with clocks: minutes for the game and seconds added for each move, such as 5+3.
    #[arg(long, value_name = "MIN+SEC", value_parser = study::parse_clock)]
    clock: Option<Clock>,
    /// Position to begin from.
    #[arg(long, value_parser = crate::cli::position, default_value = "start", hide_default_value = true)]
    fen: Position,
    /// Draw the board with letters instead of figures.
    #[arg(long)]
    ascii: bool,
    /// Write the game to this PDN file after every move.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
}

const HELP: &str = "\
Type a move: from and to, as in 32-28; a capture as in 28x19, with the captured squares behind it
where several captures share start and end. White plays up the board, from 31-50 towards 1.";

/// Plays until the game ends, `quit`, or the end of input.
///
/// # Errors
/// When the file for the game cannot be written.
pub fn play(arguments: &Play) -> Result<(), Failure> {
    let settings = Settings { level: usize::from(arguments.level), ..Settings::default() };
    let mut thinker = Thinker { engine: Engine::new(settings.threads, settings.hash), settings };
    let mut table = Table { game: Game::new(arguments.fen), style: Style::of_output() };
    let settings = study::Settings {
        you: arguments.colour,
        ascii: arguments.ascii,
        clock: arguments.clock,
        time: arguments.time,
        save: arguments.save.clone(),
        help: HELP,
    };
    Ok(study::play(&mut table, &mut thinker, settings)?)
}

/// The game.
struct Table {
    game: Game,
    style: Style,
}

struct Thinker {
    engine: Engine,
    settings: Settings,
}

impl Table {
    fn short(&self, mv: Move) -> String {
        notation::short(mv, &legal_moves::<International>(self.game.position()))
    }
}

impl Seat for Table {
    const RESULTS: [&str; 3] = ["2-0", "0-2", "1-1"];

    fn side_to_move(&self) -> Side {
        match self.game.position().turn() {
            Color::White => Side::White,
            Color::Black => Side::Black,
        }
    }

    fn board(&self, below: Side, ascii: bool) -> String {
        draw_for(self.game.position(), below == Side::Black, ascii, self.style)
    }

    fn fen(&self) -> String {
        fen::to_fen(self.game.position())
    }

    fn ending(&self) -> Option<Ending> {
        let outcome = self.game.outcome::<International>()?;
        let reason = match outcome {
            Outcome::Win(winner) => format!("{} has no move", !winner),
            Outcome::Repetition => "third repetition".to_owned(),
            Outcome::MoveLimit => "too many moves without progress".to_owned(),
        };
        Some(Ending { reason, result: outcome.to_string() })
    }

    fn moves(&self) -> Vec<String> {
        let legal = legal_moves::<International>(self.game.position());
        legal.iter().map(|&mv| notation::short(mv, &legal)).collect()
    }

    fn plies(&self) -> usize {
        self.game.moves().len()
    }

    fn make(&mut self, text: &str) -> Result<String, String> {
        let mv = notation::parse_move::<International>(self.game.position(), text)
            .map_err(|error| error.to_string())?;
        let written = self.short(mv);
        self.game.push::<International>(mv);
        Ok(written)
    }

    fn take_back(&mut self) -> bool {
        self.game.pop().is_some()
    }

    fn record(&self, white: &str, black: &str, result: &str) -> String {
        let tag = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let tags = vec![
            tag("Event", "Game in a terminal"),
            tag("Date", &today()),
            tag("White", white),
            tag("Black", black),
        ];
        let result = match result {
            "2-0" => PdnResult::White,
            "0-2" => PdnResult::Black,
            "1-1" => PdnResult::Draw,
            _ => PdnResult::Unknown,
        };
        PdnGame::new(tags, self.game.clone(), result).to_string()
    }
}

impl Opponent<Table> for Thinker {
    fn think(&mut self, table: &Table, pace: Pace, is_hint: bool) -> Option<Turn> {
        let (mut limits, overhead) = match pace {
            Pace::Fixed(time) => (Limits::of_time(time), Duration::ZERO),
            Pace::Clock(Clock { remaining, increment }) => (Limits::of_clock(remaining, increment), OVERHEAD),
        };
        let mut noise = 0;
        if let Some((nodes, blur)) = self.settings.handicap().filter(|_| !is_hint) {
            limits.nodes = Some(nodes);
            noise = blur;
        }
        let mut request = Request::new(table.game.clone(), limits);
        request.noise = noise;
        request.quick_reply = !is_hint;
        request.overhead = overhead;
        let collector = Arc::new(Collector::new());
        self.engine.start(request, Arc::clone(&collector) as Arc<dyn Sink<Move>>);
        self.engine.wait();
        let events = collector.take();
        let score = events.iter().rev().find_map(|event| match event {
            Event::Info(info) => Some(info.score),
            _ => None,
        });
        let points = score.unwrap_or_default();
        // A single legal move is not searched.
        let score = score.map_or_else(|| "at once".to_owned(), score_text);
        events.iter().find_map(|event| match event {
            Event::BestMove { best, .. } => {
                best.map(|mv| Turn { text: table.short(mv), score: score.clone(), points })
            }
            _ => None,
        })
    }

    fn set_level(&mut self, text: &str) -> Result<(), String> {
        let level = text.parse().ok().filter(|level| (1..=FULL_LEVEL).contains(level));
        self.settings.level = level.ok_or(format!("a level from 1 to {FULL_LEVEL}"))?;
        Ok(())
    }

    fn name(&self) -> String {
        format!("Dyad draughts {} (level {})", env!("CARGO_PKG_VERSION"), self.settings.level)
    }
}
