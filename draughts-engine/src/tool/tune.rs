//! `tune`: tunes the search's parameters by games of the engine against itself (docs/tuning.md).

use crate::cli::{print, read_openings};
use ::eval::random::Random;
use draughts::data::GameResult;
use draughts::eval::Evaluation;
use draughts::rules::International;
use draughts::search::params::TUNABLES;
use draughts::selfplay::{FAIR, Judge, LONGEST, Plan, Player, opening, result_of};
use draughts::{Color, Game, Position};
use search::core::tune::{self, Contest, TuneArgs};

/// Openings in a row that may be unfair before one is taken as it is: a file may hold no fair one.
const MOST_OPENINGS: usize = 1000;

/// Tunes, and prints what was found.
pub fn run(arguments: &TuneArgs) -> Result<(), String> {
    let openings = arguments.openings.as_deref().map(read_openings).transpose()?.unwrap_or_default();
    let plan = Plan { nodes: arguments.nodes, seed: arguments.seed, openings };
    tune::command(arguments, TUNABLES, study::watch_interrupts(), || Match::new(&plan), print)
}

/// The games of one thread.
struct Match<'a> {
    plan: &'a Plan,
    opener: Player,
    /// The one with the raised values and the other.
    players: [Player; 2],
}

impl<'a> Match<'a> {
    fn new(plan: &'a Plan) -> Self {
        let player = || Player::new(Evaluation::default());
        Self { plan, opener: player(), players: [player(), player()] }
    }

    /// The opening of pair `number`; its random numbers are others than those of the trial.
    fn opening(&mut self, number: u64) -> Position {
        let mut random = Random::new(self.plan.seed, 2 * number + 1);
        let mut start = opening(self.plan, &mut random);
        for _ in 0..MOST_OPENINGS {
            self.opener.new_game();
            let report = self.opener.think(&Game::new(start), self.plan.nodes);
            if report.best.is_some() && report.score.abs() <= FAIR {
                break;
            }
            start = opening(self.plan, &mut random);
        }
        start
    }

    /// A game; the first player has White in the one of two. Returns the result for White: 1, 0 or -1.
    fn game(&mut self, start: Position, first_is_white: bool) -> i32 {
        for player in &mut self.players {
            player.new_game();
        }
        let mut game = Game::new(start);
        let mut judge = Judge::default();
        let mut last = 0;
        let result = loop {
            if let Some(outcome) = game.outcome::<International>() {
                break result_of(outcome);
            }
            if game.moves().len() >= LONGEST {
                break GameResult::Draw;
            }
            let turn = game.position().turn();
            let player = &mut self.players[usize::from((turn == Color::White) != first_is_white)];
            let report = player.think(&game, self.plan.nodes);
            let Some(mv) = report.best else { break GameResult::Draw };
            // An instant answer has no score of its own: the game goes on as before.
            let score = if report.depth > 0 { report.score } else { -last };
            last = score;
            game.push::<International>(mv);
            if let Some(result) = judge.judge(turn, score) {
                break result;
            }
        };
        result as i32 - GameResult::Draw as i32
    }
}

impl Contest for Match<'_> {
    fn play(&mut self, number: u64, plus: &[i32], minus: &[i32]) -> i32 {
        let start = self.opening(number);
        for (player, values) in self.players.iter_mut().zip([plus, minus]) {
            player.set_parameters(values);
        }
        self.game(start, true) - self.game(start, false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use draughts::search::params::defaults;
    use draughts::search::{Request, Shared, Worker, think};
    use search::core::event::Silent;
    use search::core::limit::Limits;

    fn extreme() -> Vec<i32> {
        TUNABLES.iter().map(|tunable| tunable.max).collect()
    }

    #[test]
    fn workers_of_one_thread_keep_their_own_parameters() {
        let limits = Limits { depth: Some(11), ..Limits::default() };
        let request = Request::new(Game::new(Position::start()), limits);
        let mut seats = [defaults(), extreme(), defaults(), extreme()].map(|values| {
            let mut worker = Worker::default();
            worker.set_parameters(&values);
            (worker, Shared::new(1, 1))
        });
        let nodes = seats.each_mut().map(|(worker, shared)| think(worker, shared, &request, &Silent).nodes);
        assert_eq!((nodes[0], nodes[1]), (nodes[2], nodes[3]));
        assert_ne!(nodes[0], nodes[1]);
    }

    #[test]
    fn equal_sets_end_even_and_swapped_sets_swap_the_points() {
        let plan = Plan { nodes: 400, seed: 5, openings: Vec::new() };
        let mut contest = Match::new(&plan);
        let (even, extreme) = (defaults(), extreme());
        assert_eq!(contest.play(1, &even, &even), 0);
        assert_eq!(contest.play(2, &extreme, &extreme), 0);
        let points: Vec<i32> = (1..=4).map(|number| contest.play(number, &even, &extreme)).collect();
        let mut fresh = Match::new(&plan);
        let swapped: Vec<i32> = (1..=4).map(|number| -fresh.play(number, &extreme, &even)).collect();
        assert_eq!(points, swapped);
        assert!(points.iter().all(|points| points.abs() <= 2), "{points:?}");
    }

    #[test]
    fn a_lost_opening_of_a_file_is_lost_for_both_sets() {
        // Black has no move.
        let lost = draughts::fen::parse_fen("B:W46:B").expect("a position");
        let plan = Plan { nodes: 50, seed: 5, openings: Vec::new() };
        let mut contest = Match::new(&plan);
        assert_eq!((contest.game(lost, true), contest.game(lost, false)), (1, 1));
    }
}
