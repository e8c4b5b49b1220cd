//! `dyad tune`: tunes the search's parameters by games of the engine against itself (docs/tuning.md).

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clap::Args;
use eval::random::Random;
use movegen::{Board, Color, NoObserver};
use search::chess::params::TUNABLES;
use search::chess::{Evaluation, Outcome, SoloSearcher};
use search::core::tune::{self, Contest, Plan, Progress, Spsa};

use super::datagen::judge::{Judge, Terms, by_rule};
use super::datagen::selfplay::{HASH_MIB, SelfPlay, Settings, think};
use super::genfens::read_book;
use crate::console;

/// When scores end a game. Both sides must agree, since they are asked in turn.
const TERMS: Terms = Terms { won: 700, won_plies: 6, drawn: 10, drawn_plies: 10, drawn_from: 60 };
/// Time between two lines of progress.
const SHOW_EVERY: Duration = Duration::from_secs(10);

/// Arguments of `tune`.
#[derive(Args)]
pub struct TuneArgs {
    /// Pairs of games of the whole run; the gains depend on it
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub pairs: u64,
    /// Nodes per move; the iteration in progress is finished
    #[arg(long, default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub nodes: u64,
    /// Number of games at a time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: u32,
    /// Seed of openings and directions
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Parameters to tune, separated by commas; all when missing
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    pub parameters: Vec<String>,
    /// File of openings, a FEN or EPD on each line; random moves when missing
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
    /// File to keep the state of the run in; the run goes on where an existing one ends
    #[arg(long, value_name = "FILE")]
    pub state: Option<PathBuf>,
    /// Gain of the last pair: the part of a step that one point moves
    #[arg(long, default_value_t = 0.002, value_parser = positive)]
    pub rate: f64,
    /// Distance of the values tried at the end, in steps
    #[arg(long, default_value_t = 1.0, value_parser = positive)]
    pub width: f64,
    /// Spall's A as a part of the run
    #[arg(long, default_value_t = 0.1, value_parser = positive)]
    pub stability: f64,
    /// Spall's alpha: how fast the gains fall
    #[arg(long, default_value_t = 0.602, value_parser = positive)]
    pub alpha: f64,
    /// Spall's gamma: how fast the distance falls
    #[arg(long, default_value_t = 0.101, value_parser = positive)]
    pub gamma: f64,
}

/// Reads a constant of the method.
fn positive(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "not a number".to_string())?;
    if (1e-6..=100.0).contains(&value) { Ok(value) } else { Err("not between 0.000001 and 100".into()) }
}

/// Set by the first Ctrl-C: pairs that have begun are finished and the state is written.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Tunes, and prints what was found.
///
/// # Errors
/// When a file cannot be used or a parameter is not known.
pub fn run(args: &TuneArgs) -> Result<(), String> {
    let plan = Plan {
        pairs: args.pairs,
        seed: args.seed,
        nodes: args.nodes,
        rate: args.rate,
        width: args.width,
        stability: args.stability,
        alpha: args.alpha,
        gamma: args.gamma,
    };
    let mut spsa = Spsa::new(plan, TUNABLES, &args.parameters)?;
    let openings = args.openings.as_deref().map(read_book).transpose()?;
    if let Some(path) = args.state.as_deref().filter(|path| path.exists()) {
        tune::load(&mut spsa, path)?;
        eprintln!("going on behind {} pairs", spsa.done());
    }
    let evaluation = Evaluation::built_in();
    // Without the handler Ctrl-C ends the process at once, which costs up to a minute of play.
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    let mut shown = Duration::ZERO;
    let played = tune::run(
        &mut spsa,
        args.state.as_deref(),
        args.threads as usize,
        &INTERRUPTED,
        || Match::new(args.seed, args.nodes, openings.as_deref(), &evaluation),
        |progress| {
            if progress.elapsed >= shown + SHOW_EVERY {
                shown = progress.elapsed;
                eprintln!("{}", text(progress, args.pairs));
            }
        },
    );
    console::line(spsa.report());
    console::line(spsa.source());
    let state = args.state.as_deref().unwrap_or_else(|| std::path::Path::new("the state"));
    let progress = played.map_err(|error| format!("cannot write {}: {error}", state.display()))?;
    eprintln!("{}", text(&progress, args.pairs));
    Ok(())
}

fn text(progress: &Progress, pairs: u64) -> String {
    let [lost, drawn, won] = progress.results;
    format!(
        "{}/{pairs} pairs, {:.2} pairs/s, raised values +{won} ={drawn} -{lost}",
        progress.pairs,
        progress.pairs_per_second()
    )
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
            players: [0; 2].map(|_| SoloSearcher::new(HASH_MIB, evaluation)),
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

    #[test]
    fn constants_of_the_method_are_positive() {
        assert_eq!(positive("0.002"), Ok(0.002));
        for text in ["0", "-1", "nan", "inf", "1e9", "x", ""] {
            assert!(positive(text).is_err(), "{text}");
        }
    }
}
