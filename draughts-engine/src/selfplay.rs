//! Games of the engine against itself, for training.

use crate::data::{GameResult, Ply, Record, encode};
use crate::eval::Evaluation;
use crate::rules::International;
use crate::search::score::{WIN, is_decided};
use crate::search::{Report, Request, Shared, Worker, think};
use crate::{Color, Game, Outcome, Position, legal_moves};
use ::eval::random::Random;
use search::core::event::Silent;
use search::core::limit::Limits;

/// How games are played.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Nodes after which no new iteration begins.
    pub nodes: u64,
    /// Decides the openings.
    pub seed: u64,
    /// Positions that half of the games begin from, before a few random moves.
    pub openings: Vec<Position>,
}

/// Random moves at the start of a game without opening: this many to twice as many.
const RANDOM_PLIES: u64 = 5;
/// An opening is kept when the first search finds it within this, in hundredths of a man.
pub const FAIR: i32 = 120;
/// A game is won when the score has been this good...
const WON: i32 = 450;
/// ...for this many plies.
const WON_PLIES: u32 = 10;
/// A game is drawn when, from this ply on, ...
const DRAWN_FROM: usize = 100;
/// ...the score has been within this...
const DRAWN: i32 = 8;
/// ...for this many plies.
const DRAWN_PLIES: u32 = 24;
/// No game is longer, in plies; such a game is a draw.
pub const LONGEST: usize = 320;

/// A thread's means to play games.
pub struct Player {
    worker: Worker,
    shared: Shared,
}

impl Default for Player {
    fn default() -> Self {
        Self::new(Evaluation::default())
    }
}

impl Player {
    /// A player with this evaluation.
    pub fn new(evaluation: Evaluation) -> Self {
        let mut shared = Shared::new(8, 1);
        shared.evaluation = evaluation;
        Self { worker: Worker::default(), shared }
    }

    /// Makes ready for a new game.
    pub fn new_game(&mut self) {
        self.worker.clear();
        self.shared.table.clear(1);
    }

    /// Changes the values of the tunable parameters, in the order of `TUNABLES`.
    #[cfg(feature = "tune")]
    pub fn set_parameters(&mut self, values: &[i32]) {
        self.worker.set_parameters(values);
    }

    /// Searches for a move with about so many nodes: no new iteration begins behind them. A single legal move is
    /// not searched; the depth is 0 then.
    pub fn think(&mut self, game: &Game, nodes: u64) -> Report {
        let limits =
            Limits { soft_nodes: Some(nodes), nodes: Some(nodes.saturating_mul(8)), ..Limits::default() };
        let mut request = Request::new(game.clone(), limits);
        request.quick_reply = true;
        think(&mut self.worker, &self.shared, &request, &Silent)
    }

    /// Plays game number `number` of a plan: the same number gives the same game.
    pub fn play(&mut self, plan: &Plan, number: u64) -> Record {
        let mut random = Random::new(plan.seed, number);
        loop {
            let start = opening(plan, &mut random);
            self.new_game();
            if let Some(record) = self.play_from(start, plan) {
                return record;
            }
        }
    }

    /// `None` when the opening is unfair or the game is over before it has begun.
    fn play_from(&mut self, start: Position, plan: &Plan) -> Option<Record> {
        let mut game = Game::new(start);
        let mut plies = Vec::new();
        let mut judge = Judge::default();
        let (result, adjudicated) = loop {
            if let Some(outcome) = game.outcome::<International>() {
                break (result_of(outcome), false);
            }
            if plies.len() >= LONGEST {
                break (GameResult::Draw, true);
            }
            let report = self.think(&game, plan.nodes);
            let mv = report.best?;
            // An instant answer has no score of its own: the game goes on as before.
            let score = if report.depth > 0 { report.score } else { last_score(&plies) };
            if plies.is_empty() && score.abs() > FAIR {
                return None;
            }
            let turn = game.position().turn();
            let Some(code) = encode(mv, &legal_moves::<International>(game.position())) else {
                break (GameResult::Draw, true);
            };
            plies.push(Ply { code, score: score.clamp(-WIN, WIN) as i16 });
            game.push::<International>(mv);
            if let Some(result) = judge.judge(turn, score) {
                break (result, true);
            }
        };
        (!plies.is_empty()).then_some(Record { start, plies, result, adjudicated })
    }
}

/// Ends games that the scores have decided.
#[derive(Default)]
pub struct Judge {
    plies: usize,
    /// Plies in a row that `leader` has been winning.
    won: u32,
    leader: Option<Color>,
    drawn: u32,
}

impl Judge {
    /// The result, once the score has been clear for long enough. `turn` made the move that was scored so.
    pub fn judge(&mut self, turn: Color, score: i32) -> Option<GameResult> {
        self.plies += 1;
        let ahead = if score > 0 { turn } else { !turn };
        self.won = match self.leader {
            _ if score.abs() < WON => 0,
            Some(color) if color == ahead => self.won + 1,
            _ => 1,
        };
        self.leader = (score.abs() >= WON).then_some(ahead);
        self.drawn = if score.abs() <= DRAWN && self.plies >= DRAWN_FROM { self.drawn + 1 } else { 0 };
        if is_decided(score) || self.won >= WON_PLIES {
            return Some(if ahead == Color::White { GameResult::Win } else { GameResult::Loss });
        }
        (self.drawn >= DRAWN_PLIES).then_some(GameResult::Draw)
    }
}

fn last_score(plies: &[Ply]) -> i32 {
    plies.last().map_or(0, |ply| -i32::from(ply.score))
}

/// The result of a game that is over by the rules.
pub fn result_of(outcome: Outcome) -> GameResult {
    match outcome {
        Outcome::Win(Color::White) => GameResult::Win,
        Outcome::Win(Color::Black) => GameResult::Loss,
        Outcome::Repetition | Outcome::MoveLimit => GameResult::Draw,
    }
}

/// The start of a game: a few random moves from the initial position or from one of the plan.
pub fn opening(plan: &Plan, random: &mut Random) -> Position {
    let (mut position, plies) = if !plan.openings.is_empty() && random.below(2) == 0 {
        (plan.openings[random.below(plan.openings.len() as u64) as usize], random.below(5))
    } else {
        (Position::start(), RANDOM_PLIES + random.below(RANDOM_PLIES + 1))
    };
    for _ in 0..plies {
        let moves = legal_moves::<International>(&position);
        if moves.is_empty() {
            break;
        }
        position = position.play::<International>(moves[random.below(moves.len() as u64) as usize]);
    }
    position.fresh()
}
