//! `dyad match`: chess for the arena.

use std::path::Path;

use arena::{End, Game, MatchArgs, Opening, Outcome, Protocol, Side};
use movegen::{Board, Color, Move, NoObserver, Wing};

use crate::console;
use crate::ending::{Ending, can_win};
use crate::epd::Epd;
use crate::pgn::{GameReader, GameResult, result_text, start_tags};

/// Plays a match.
///
/// # Errors
/// When the arguments make no sense, a file cannot be used, or an engine does not start.
pub fn run(args: &MatchArgs) -> Result<u8, String> {
    let keeps_games = args.out.is_some();
    let mut print = |line: &str| if keeps_games { console::line_aside(line) } else { console::line(line) };
    arena::run::<ChessGame>(args, &mut print)
}

/// A game of chess or Chess960.
#[derive(Clone)]
pub struct ChessGame {
    start: Board,
    board: Board,
    moves: Vec<Move>,
    chess960: bool,
}

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

impl ChessGame {
    /// A move as CECP writes it: coordinates, and letters for castling in Chess960.
    fn cecp(&self, mv: Move) -> String {
        if self.chess960 && mv.is_castling() {
            return match Wing::of(mv.from(), mv.to()) {
                Wing::King => "O-O".to_owned(),
                Wing::Queen => "O-O-O".to_owned(),
            };
        }
        mv.uci(false).to_string()
    }
}

impl Game for ChessGame {
    type Move = Move;

    const PROTOCOLS: &'static [Protocol] = &[Protocol::Uci, Protocol::Cecp];
    const GAME_FILE: &'static str = "pgn";

    fn set_up(opening: &Opening) -> Result<Self, String> {
        let start = match &opening.start {
            Some(text) => Epd::parse(text)?.ok_or("there is no position")?.board,
            None => Board::startpos(),
        };
        let chess960 = start.is_chess960();
        let mut game = Self { board: start.clone(), start, moves: Vec::new(), chess960 };
        for text in &opening.moves {
            let mv = game.board.parse_san(text).map_err(|error| format!("{text}: {error}"))?;
            game.play(mv);
        }
        Ok(game)
    }

    fn read_games(path: &Path, plies: usize) -> Result<Vec<Opening>, String> {
        let fail = |error: std::io::Error| format!("cannot read {}: {error}", path.display());
        let mut openings = Vec::new();
        for game in GameReader::open(path).map_err(fail)? {
            let game = game.map_err(fail)?;
            let place = format!("game {} (line {})", game.number, game.line);
            // A game that is wrong further on than it is used will do; a pass ends what can be used.
            let moves: Vec<Move> = game.moves.iter().copied().map_while(|mv| mv).take(plies).collect();
            if let Some(fault) = game.fault.as_ref().filter(|_| moves.len() < plies) {
                openings.push(Opening { place, fault: Some(fault.to_string()), ..Opening::default() });
                continue;
            }
            let mut board = game.start.clone();
            let mut texts = Vec::with_capacity(moves.len());
            for mv in moves {
                texts.push(board.san(mv));
                board.make_move(mv, &mut NoObserver);
            }
            let start = (game.start != Board::startpos()).then(|| game.start.shredder_fen());
            openings.push(Opening { start, moves: texts, place, fault: None });
        }
        Ok(openings)
    }

    fn turn(&self) -> Side {
        side(self.board.side_to_move())
    }

    fn ply(&self) -> usize {
        self.moves.len()
    }

    fn start_text(&self, _: Protocol) -> Option<String> {
        let is_ordinary = self.start == Board::startpos();
        (!is_ordinary).then(|| if self.chess960 { self.start.shredder_fen() } else { self.start.fen() })
    }

    fn move_texts(&self, protocol: Protocol) -> Vec<String> {
        let text = |mv: &Move| match protocol {
            Protocol::Cecp => self.cecp(*mv),
            _ => mv.uci(self.chess960).to_string(),
        };
        self.moves.iter().map(text).collect()
    }

    fn is_chess960(&self) -> bool {
        self.chess960
    }

    fn parse(&self, protocol: Protocol, text: &str) -> Result<Move, String> {
        match (self.board.parse_uci(text), protocol) {
            (Ok(mv), _) => Ok(mv),
            // Engines of the older protocol may write as people do.
            (Err(error), Protocol::Cecp) => self.board.parse_san(text).map_err(|_| error.to_string()),
            (Err(error), _) => Err(error.to_string()),
        }
    }

    fn play(&mut self, mv: Move) {
        self.board.make_move(mv, &mut NoObserver);
        self.moves.push(mv);
    }

    fn end(&self) -> Option<End> {
        let (outcome, reason) = match Ending::of(&self.board)? {
            Ending::Mate(winner) => (Outcome::Win(side(winner)), format!("{} mates", side(winner))),
            Ending::Stalemate => (Outcome::Draw, "stalemate".to_owned()),
            Ending::Material => (Outcome::Draw, "insufficient material".to_owned()),
            Ending::Repetition => (Outcome::Draw, "third repetition".to_owned()),
            Ending::FiftyMoves => (Outcome::Draw, "fifty moves".to_owned()),
        };
        Some(End { outcome, reason })
    }

    fn can_win(&self, side: Side) -> bool {
        can_win(&self.board, color(side))
    }

    fn record_tags(&self) -> Vec<(&'static str, String)> {
        start_tags(&self.start)
    }

    fn record_moves(&self) -> Vec<String> {
        let mut board = self.start.clone();
        let mut texts = Vec::with_capacity(self.moves.len());
        for &mv in &self.moves {
            texts.push(board.san(mv));
            board.make_move(mv, &mut NoObserver);
        }
        texts
    }

    fn first_move(&self) -> (u32, Side) {
        (self.start.fullmove_number(), side(self.start.side_to_move()))
    }

    fn result_text(outcome: Option<Outcome>) -> &'static str {
        result_text(outcome.map(|outcome| match outcome {
            Outcome::Win(Side::White) => GameResult::White,
            Outcome::Win(Side::Black) => GameResult::Black,
            Outcome::Draw => GameResult::Draw,
        }))
    }
}
