//! `play`: a game in the terminal.

use super::analyse::score_text;
use super::board::draw;
use crate::cli::{failure, print};
use clap::{Args, ValueEnum};
use draughts::param::Settings;
use draughts::rules::International;
use draughts::search::{Engine, Request};
use draughts::{Color, Game, Move, Position, legal_moves, notation};
use search::core::event::{Collector, Event, Sink};
use search::core::limit::Limits;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;
use uci::io::LineReader;

/// What `play` is told.
#[derive(Args)]
pub struct Play {
    /// The colour you play.
    #[arg(long, value_enum, default_value_t = You::White)]
    colour: You,
    /// Strength of the engine, 1 to 10.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u8).range(1..=10))]
    level: u8,
    /// Seconds that the engine may think about a move.
    #[arg(long, default_value_t = 1.0)]
    time: f64,
    /// Position to begin from.
    #[arg(long, value_parser = crate::cli::position, default_value = "start", hide_default_value = true)]
    fen: Position,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum You {
    White,
    Black,
}

const HELP: &str = "\
Type a move: from and to, as in 32-28; a capture as in 28x19, with the captured squares behind it
where several captures share start and end. Other words: moves (list the legal ones), hint, undo,
board, help, quit. White plays up the board, from 31-50 towards 1.";

/// Plays until the game ends, `quit`, or the end of input.
pub fn play(arguments: &Play) -> ExitCode {
    let you = if arguments.colour == You::White { Color::White } else { Color::Black };
    let settings = Settings { level: usize::from(arguments.level), ..Settings::default() };
    let seconds = if arguments.time.is_nan() { 0.0 } else { arguments.time.clamp(0.001, 1e6) };
    let mut table = Table {
        engine: Engine::new(settings.threads, settings.hash),
        settings,
        game: Game::new(arguments.fen),
        you,
        time: Duration::from_secs_f64(seconds),
    };
    print(HELP);
    match table.play() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failure(format_args!("cannot read: {error}"), 1),
    }
}

struct Table {
    engine: Engine,
    settings: Settings,
    game: Game,
    you: Color,
    time: Duration,
}

impl Table {
    fn play(&mut self) -> std::io::Result<()> {
        let mut input = LineReader::new(std::io::stdin().lock());
        loop {
            if let Some(outcome) = self.game.outcome::<International>() {
                print(format_args!("{}\nThe game is over: {outcome}", draw(self.game.position())));
                return Ok(());
            }
            if self.game.position().turn() != self.you {
                if let Some((mv, score)) = self.think(false) {
                    let text = self.short(mv);
                    self.game.push::<International>(mv);
                    print(format_args!("I play {text} ({})", score_text(score)));
                }
                continue;
            }
            print(format_args!("{}. Your move?", draw(self.game.position())));
            loop {
                let Some(line) = input.read_line()? else { return Ok(()) };
                match self.answer(line.trim()) {
                    Next::Ask => {}
                    Next::Turn => break,
                    Next::Quit => return Ok(()),
                }
            }
        }
    }

    fn answer(&mut self, line: &str) -> Next {
        match line.to_ascii_lowercase().as_str() {
            "" => {}
            "quit" | "exit" => return Next::Quit,
            "help" | "?" => print(HELP),
            "board" => print(draw(self.game.position())),
            "moves" => {
                let legal = legal_moves::<International>(self.game.position());
                let texts: Vec<String> = legal.iter().map(|&mv| notation::short(mv, &legal)).collect();
                print(texts.join("  "));
            }
            "hint" => {
                if let Some((mv, score)) = self.think(true) {
                    print(format_args!("I would play {} ({})", self.short(mv), score_text(score)));
                }
            }
            "undo" => {
                // Your last move and the answer to it.
                if self.game.moves().len() < 2 {
                    print("There is no move of yours to take back.");
                } else {
                    self.game.pop();
                    self.game.pop();
                    return Next::Turn;
                }
            }
            _ => match notation::parse_move::<International>(self.game.position(), line) {
                Ok(mv) => {
                    self.game.push::<International>(mv);
                    return Next::Turn;
                }
                Err(error) => print(format_args!("{error} (help tells how to write a move)")),
            },
        }
        Next::Ask
    }

    /// The engine's move and score; at full strength for a hint.
    fn think(&self, hint: bool) -> Option<(Move, i32)> {
        let mut limits = Limits { move_time: Some(self.time), ..Limits::default() };
        let mut noise = 0;
        if let Some((nodes, blur)) = self.settings.handicap().filter(|_| !hint) {
            limits.nodes = Some(nodes);
            noise = blur;
        }
        let mut request = Request::new(self.game.clone(), limits);
        request.noise = noise;
        let collector = Arc::new(Collector::new());
        self.engine.start(request, Arc::clone(&collector) as Arc<dyn Sink<Move>>);
        self.engine.wait();
        let events = collector.take();
        let score = events.iter().rev().find_map(|event| match event {
            Event::Info(info) => Some(info.score),
            _ => None,
        });
        events.iter().find_map(|event| match event {
            Event::BestMove { best, .. } => best.map(|mv| (mv, score.unwrap_or_default())),
            _ => None,
        })
    }

    fn short(&self, mv: Move) -> String {
        notation::short(mv, &legal_moves::<International>(self.game.position()))
    }
}

/// What follows an input line.
enum Next {
    Ask,
    Turn,
    Quit,
}
