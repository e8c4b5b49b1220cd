//! `dyad tune`: tunes the search's parameters by games of the engine against itself (docs/tuning.md).

use eval::random::Random;
use movegen::{Board, Color, NoObserver};
use search::chess::params::TUNABLES;
use search::chess::{Evaluation, Outcome, SoloSearcher};
use search::core::tune::{self, Contest, TuneArgs};

use super::datagen::judge::{Judge, Terms, by_rule};
use super::datagen::selfplay::{SelfPlay, Settings, hash_mib, think};
use super::genfens::read_book;
use crate::console;

/// When scores end a game. Both sides must agree, since they are asked in turn.
const TERMS: Terms = Terms { won: 500, won_plies: 4, drawn: 12, drawn_plies: 8, drawn_from: 50 };

/// Tunes, and prints what was found.
///
/// # Errors
/// When a file cannot be used or a parameter is not known.
pub fn run(args: &TuneArgs) -> Result<(), String> {
    let openings = args.openings.as_deref().map(read_book).transpose()?;
    let evaluation = Evaluation::built_in();
    let make = || Match::new(args.seed, args.nodes, openings.as_deref(), &evaluation);
    tune::command(args, TUNABLES, study::watch_interrupts(), make, console::line)
}

/// The games of one thread.
struct Match<'a> {
    seed: u64,
    nodes: u64,
    openings: Option<&'a [Board]>,
    opener: SelfPlay,
    /// The one with the raised values and the other.
    players: [SoloSearcher; 2],
}

impl<'a> Match<'a> {
    fn new(seed: u64, nodes: u64, openings: Option<&'a [Board]>, evaluation: &Evaluation) -> Self {
        let settings = Settings { seed, nodes, chess960_percent: 0 };
        Self {
            seed,
            nodes,
            openings,
            opener: SelfPlay::new(settings, evaluation),
            players: [0; 2].map(|_| SoloSearcher::new(hash_mib(nodes), evaluation)),
        }
    }

    /// The opening of pair `number`; its random numbers are others than those of the trial.
    fn opening(&mut self, number: u64) -> Board {
        let mut random = Random::new(self.seed, 2 * number + 1);
        match self.openings {
            Some([]) | None => self.opener.opening(&mut random),
            Some(openings) => openings[random.below(openings.len() as u64) as usize].clone(),
        }
    }

    /// A game; the first player has White in the one of two. Returns the result for White.
    fn game(&mut self, opening: &Board, first_is_white: bool) -> i8 {
        for player in &mut self.players {
            player.new_game();
        }
        let mut board = opening.clone();
        let mut judge = Judge::new(TERMS, false);
        let mut judged = None;
        loop {
            // The rules come before the scores: a winning side may have given stalemate.
            if let Some(result) = by_rule(&board).or(judged) {
                return result;
            }
            let is_white = board.side_to_move() == Color::White;
            let player = &mut self.players[usize::from(is_white != first_is_white)];
            let Some(Outcome { best: Some(mv), score, .. }) = think(player, &board, self.nodes) else {
                return 0;
            };
            board.make_move(mv, &mut NoObserver);
            judged = judge.judge(if is_white { score } else { -score });
        }
    }
}

impl Contest for Match<'_> {
    fn play(&mut self, number: u64, plus: &[i32], minus: &[i32]) -> i32 {
        let opening = self.opening(number);
        for (player, values) in self.players.iter_mut().zip([plus, minus]) {
            player.set_parameters(values);
        }
        i32::from(self.game(&opening, true)) - i32::from(self.game(&opening, false))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use search::chess::params::defaults;

    #[test]
    fn equal_sets_end_even_and_a_pair_can_be_repeated() {
        let evaluation = Evaluation::built_in();
        let mut contest = Match::new(5, 60, None, &evaluation);
        let even = defaults();
        for number in 1..=3 {
            assert_eq!(contest.play(number, &even, &even), 0, "pair {number}");
        }
        let extreme: Vec<i32> = TUNABLES.iter().map(|tunable| tunable.min).collect();
        let play = |contest: &mut Match<'_>| -> Vec<i32> {
            (1..=6).map(|number| contest.play(number, &even, &extreme)).collect()
        };
        let points = play(&mut contest);
        assert_eq!(points, play(&mut Match::new(5, 60, None, &evaluation)));
        assert!(points.iter().any(|&points| points != 0), "{points:?}");
    }

    #[test]
    fn openings_of_a_file_are_used_even_when_the_game_is_over_there() {
        let mate = Board::from_fen("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1").expect("a position");
        let mut contest = Match::new(5, 60, Some(std::slice::from_ref(&mate)), &Evaluation::HandWritten);
        assert_eq!(contest.opening(3), mate);
        assert_eq!((contest.game(&mate, true), contest.game(&mate, false)), (1, 1));
        assert_eq!(contest.play(1, &defaults(), &defaults()), 0);
    }
}
