//! `match`: international draughts for the arena.

mod dxp;

use crate::cli::CONSOLE;
use arena::player::{Halt, Player};
use arena::spec::EngineSpec;
use arena::{End, Game as ArenaGame, MatchArgs, Opening, Outcome as Result20, Protocol, Side};
use draughts::rules::International;
use draughts::{Color, Game, Move, Outcome, Position, fen, notation, pdn};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Plays a match; returns the exit status.
///
/// # Errors
/// When the arguments make no sense, a file cannot be used, or an engine does not start.
pub fn run(args: &MatchArgs) -> Result<u8, String> {
    let keeps_games = args.out.is_some();
    let mut print = |line: &str| if keeps_games { CONSOLE.line_aside(line) } else { CONSOLE.line(line) };
    arena::run::<DraughtsGame>(args, &mut print)
}

/// A game of international draughts.
#[derive(Clone)]
struct DraughtsGame(Game);

const fn side(color: Color) -> Side {
    match color {
        Color::White => Side::White,
        Color::Black => Side::Black,
    }
}

const fn color(side: Side) -> Color {
    match side {
        Side::White => Color::White,
        Side::Black => Color::Black,
    }
}

impl ArenaGame for DraughtsGame {
    type Move = Move;

    const PROTOCOLS: &'static [Protocol] = &[Protocol::Hub, Protocol::Dxp];
    const GAME_FILE: &'static str = "pdn";

    fn set_up(opening: &Opening) -> Result<Self, String> {
        let start = match &opening.start {
            Some(text) => fen::parse_any(text).map_err(|error| error.to_string())?,
            None => Position::start(),
        };
        let mut game = Game::new(start);
        for text in &opening.moves {
            let mv = notation::parse_move::<International>(game.position(), text)
                .map_err(|error| error.to_string())?;
            game.push::<International>(mv);
        }
        Ok(Self(game))
    }

    fn read_games(path: &Path, plies: usize) -> Result<Vec<Opening>, String> {
        let bytes =
            std::fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        let mut openings = Vec::new();
        for (number, game) in pdn::parse(&pdn::decode(&bytes)).into_iter().enumerate() {
            let place = format!("game {}", number + 1);
            openings.push(match game {
                Ok(pdn::PdnGame { game, .. }) => Opening {
                    start: (*game.start() != Position::start()).then(|| fen::to_fen(game.start())),
                    moves: game.moves().iter().take(plies).map(Move::to_string).collect(),
                    place,
                    fault: None,
                },
                Err(error) => {
                    let text = error.to_string();
                    let fault =
                        text.strip_prefix(&place).unwrap_or(&text).trim_start_matches([',', ':', ' ']);
                    Opening { fault: Some(fault.to_owned()), place, ..Opening::default() }
                }
            });
        }
        Ok(openings)
    }

    fn start_dxp(spec: &EngineSpec, called_off: &Arc<AtomicBool>) -> Result<Box<dyn Player<Self>>, Halt> {
        Ok(Box::new(dxp::DxpPlayer::start(spec, called_off)?))
    }

    fn turn(&self) -> Side {
        side(self.0.position().turn())
    }

    fn ply(&self) -> usize {
        self.0.moves().len()
    }

    fn start_text(&self, _: Protocol) -> Option<String> {
        // Every engine knows the long form, not every one the word for the ordinary position.
        Some(fen::to_hub(self.0.start()))
    }

    fn move_texts(&self, _: Protocol) -> Vec<String> {
        self.0.moves().iter().map(Move::to_string).collect()
    }

    fn parse(&self, _: Protocol, text: &str) -> Result<Move, String> {
        notation::parse_move::<International>(self.0.position(), text).map_err(|error| error.to_string())
    }

    fn play(&mut self, mv: Move) {
        self.0.push::<International>(mv);
    }

    fn end(&self) -> Option<End> {
        let (outcome, reason) = match self.0.outcome::<International>()? {
            Outcome::Win(winner) => {
                let loser = side(!winner);
                (Result20::Win(side(winner)), format!("{loser} has no move"))
            }
            Outcome::Repetition => (Result20::Draw, "third repetition".to_owned()),
            Outcome::MoveLimit => (Result20::Draw, "moves without progress".to_owned()),
        };
        Some(End { outcome, reason })
    }

    fn can_win(&self, side: Side) -> bool {
        let color = color(side);
        let position = self.0.position();
        !(position.men(color) | position.kings(color)).is_empty()
    }

    fn record_tags(&self) -> Vec<(&'static str, String)> {
        let mut tags = vec![("GameType", "20".to_owned())];
        if *self.0.start() != Position::start() {
            tags.push(("FEN", fen::to_fen(self.0.start())));
        }
        tags
    }

    fn record_moves(&self) -> Vec<String> {
        let moves = self.0.moves().iter().zip(self.0.positions());
        moves.map(|(&mv, position)| pdn::written(mv, position)).collect()
    }

    fn first_move(&self) -> (u32, Side) {
        (1, side(self.0.start().turn()))
    }

    fn result_text(outcome: Option<Result20>) -> &'static str {
        match outcome {
            Some(Result20::Win(Side::White)) => "2-0",
            Some(Result20::Win(Side::Black)) => "0-2",
            Some(Result20::Draw) => "1-1",
            None => "*",
        }
    }
}
