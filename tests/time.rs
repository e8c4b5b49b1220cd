//! The time manager: sane budgets for any clock, and whole games that neither lose on time nor waste it.
//! Nothing here depends on how long the test takes: games are simulated on the budgets.

use proptest::prelude::*;
use search::core::limit::{Clock, Limits};
use search::core::time::{GameLength, IterationInfo, LEAST_BUDGET, TimeManager};
use std::time::{Duration, Instant};

const OVERHEAD: Duration = Duration::from_millis(10);
/// An iteration that shows nothing special.
const CALM: IterationInfo =
    IterationInfo { stability: 4, score_drop: 0, node_share: 0.6, single_reply: false };

fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

fn on_clock(remaining: Duration, increment: Duration, moves_to_go: Option<u32>) -> Limits {
    Limits { clock: Some(Clock { remaining, increment, moves_to_go }), ..Limits::default() }
}

fn manager(limits: &Limits) -> TimeManager {
    TimeManager::new(limits, Instant::now(), OVERHEAD, GameLength::chess(20))
}

fn budgets(limits: &Limits) -> (Duration, Duration) {
    let time = manager(limits);
    (time.soft().unwrap(), time.hard().unwrap())
}

proptest! {
    #[test]
    fn budgets_are_ordered_and_fit_on_the_clock(
        remaining in prop_oneof![0..200_u64, any::<u64>()],
        increment in prop_oneof![0..20_u64, any::<u64>()],
        moves_to_go in prop::option::of(prop_oneof![0..3_u32, any::<u32>()]),
        overhead in prop_oneof![0..50_u64, any::<u64>()],
        ply: u32,
        info in (any::<u32>(), any::<i32>(), any::<f64>(), any::<bool>()),
    ) {
        let limits = on_clock(ms(remaining), ms(increment), moves_to_go);
        let length = GameLength::draughts(ply);
        let time = TimeManager::new(&limits, Instant::now(), ms(overhead), length);
        let (soft, hard) = (time.soft().unwrap(), time.hard().unwrap());
        let left = ms(remaining).saturating_sub(ms(overhead));
        prop_assert!(soft <= hard);
        prop_assert!(hard <= left.max(LEAST_BUDGET.min(ms(remaining) / 20)), "{:?}", hard);
        prop_assert!(remaining == 0 || soft > Duration::ZERO);
        let (stability, score_drop, node_share, single_reply) = info;
        let optimum = time.optimum(IterationInfo { stability, score_drop, node_share, single_reply }).unwrap();
        prop_assert!(optimum <= hard);
    }

    #[test]
    fn more_time_never_means_a_smaller_budget(
        remaining in 0..10_000_000_u64,
        increment in 0..100_000_u64,
        moves_to_go in prop::option::of(1..100_u32),
        more in 0..1_000_000_u64,
    ) {
        let (soft, hard) = budgets(&on_clock(ms(remaining), ms(increment), moves_to_go));
        let (more_soft, more_hard) = budgets(&on_clock(ms(remaining + more), ms(increment), moves_to_go));
        prop_assert!(more_soft >= soft && more_hard >= hard);
        let (inc_soft, inc_hard) = budgets(&on_clock(ms(remaining), ms(increment + more), moves_to_go));
        prop_assert!(inc_soft >= soft && inc_hard >= hard);
    }
}

#[test]
fn smallest_and_greatest_clocks() {
    for moves_to_go in [None, Some(0), Some(1), Some(2), Some(u32::MAX)] {
        for increment in [Duration::ZERO, ms(2), ms(1000), Duration::MAX] {
            let (_, hard) = budgets(&on_clock(Duration::ZERO, increment, moves_to_go));
            assert_eq!(hard, Duration::ZERO);
            for remaining in [ms(1), ms(5), OVERHEAD] {
                let (_, hard) = budgets(&on_clock(remaining, increment, moves_to_go));
                assert!(hard <= LEAST_BUDGET && hard <= remaining / 20, "{hard:?}");
            }
            let (_, hard) = budgets(&on_clock(ms(29), increment, moves_to_go));
            assert!(hard <= ms(19), "{hard:?}");
            for remaining in [ms(1 << 40), Duration::MAX] {
                let (soft, hard) = budgets(&on_clock(remaining, increment, moves_to_go));
                assert!(soft > ms(1 << 32) && hard >= soft);
            }
        }
    }
}

#[test]
fn last_move_before_the_control_may_use_the_clock() {
    for increment in [ms(0), ms(10_000)] {
        let (soft, hard) = budgets(&on_clock(ms(10_000), increment, Some(1)));
        assert!(soft >= ms(5000) && hard >= ms(9000) && hard <= ms(9990), "{soft:?} {hard:?}");
    }
    // With more moves to come, no single one eats the clock.
    let (_, hard) = budgets(&on_clock(ms(10_000), ms(0), Some(5)));
    assert!(hard <= ms(5000), "{hard:?}");
    let (_, hard) = budgets(&on_clock(ms(10_000), ms(0), None));
    assert!(hard <= ms(5000), "{hard:?}");
}

#[test]
fn fixed_time_is_used_but_for_the_overhead() {
    for (given, hard) in [(0, 1), (1, 1), (10, 1), (50, 40), (1000, 990)] {
        let time = manager(&Limits { move_time: Some(ms(given)), ..Limits::default() });
        assert_eq!((time.soft(), time.hard()), (None, Some(ms(hard))), "{given}");
        assert_eq!(time.optimum(CALM), Some(ms(hard)));
    }
    let huge = manager(&Limits { move_time: Some(Duration::MAX), ..Limits::default() });
    assert!(huge.hard() > Some(ms(1 << 30)));
    // With a clock beside it, the smaller one counts.
    let both = Limits { move_time: Some(ms(100)), ..on_clock(ms(60_000), ms(0), None) };
    assert_eq!(manager(&both).hard(), Some(ms(90)));
}

#[test]
fn searches_without_time_never_stop_by_it() {
    let unlimited = [
        Limits::default(),
        Limits { infinite: true, move_time: Some(ms(0)), ..on_clock(ms(1), ms(0), None) },
    ];
    for limits in unlimited {
        let time = manager(&limits);
        assert_eq!((time.soft(), time.hard(), time.optimum(CALM)), (None, None, None));
        assert!(!time.is_past_hard() && !time.should_stop_iteration(CALM));
    }
}

#[test]
fn budgets_count_from_the_start_and_from_the_ponder_hit() {
    let long_ago = Instant::now().checked_sub(ms(5000)).unwrap();
    let limits = on_clock(ms(60_000), ms(0), None);
    let mut time = TimeManager::new(&limits, long_ago, OVERHEAD, GameLength::chess(0));
    assert!(time.elapsed() >= ms(5000));
    assert!(time.should_stop_iteration(CALM));
    let (soft, hard) = (time.soft(), time.hard());
    // A minute ahead, so that the test is no race against the clock.
    time.restart(Instant::now() + ms(60_000));
    assert!(!time.should_stop_iteration(CALM) && !time.is_past_hard());
    assert_eq!((time.soft(), time.hard()), (soft, hard));
    time.restart(Instant::now().checked_sub(hard.unwrap()).unwrap());
    assert!(time.is_past_hard());
}

#[test]
fn trouble_takes_time_and_calm_saves_it() {
    let time = manager(&on_clock(ms(60_000), ms(1000), None));
    let optimum = |info| time.optimum(info).unwrap();
    assert!(optimum(IterationInfo { stability: 0, ..CALM }) > optimum(CALM));
    assert!(optimum(IterationInfo { stability: 50, ..CALM }) < optimum(CALM));
    assert!(optimum(IterationInfo { score_drop: 30, ..CALM }) > optimum(CALM));
    assert!(optimum(IterationInfo { score_drop: -30, ..CALM }) < optimum(CALM));
    assert!(optimum(IterationInfo { node_share: 0.2, ..CALM }) > optimum(CALM));
    assert!(optimum(IterationInfo { node_share: 0.95, ..CALM }) < optimum(CALM));
    assert!(optimum(IterationInfo { single_reply: true, ..CALM }) * 5 < optimum(CALM));
    let worst = IterationInfo { stability: 0, score_drop: 1000, node_share: 0.0, single_reply: false };
    assert!(optimum(worst) <= time.hard().unwrap());
}

/// A small generator with a fixed sequence (G. Marsaglia, "Xorshift RNGs", 2003).
struct Random(u64);

impl Random {
    /// A number from 0 to 1.
    fn share(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// What is left on the clock, and what would have been left unused, after each move.
struct Game {
    clock: Duration,
    /// Time per control.
    base: Duration,
    increment: Duration,
    /// Moves per control.
    control: Option<u32>,
    random: Random,
}

impl Game {
    /// Plays move `number` (from 0). `lag` is the longest time that passes outside the engine.
    ///
    /// # Panics
    /// When the flag falls.
    fn play(&mut self, number: u32, lag: Duration) {
        let moves_to_go = self.control.map(|moves| moves - number % moves);
        let limits = on_clock(self.clock, self.increment, moves_to_go);
        let time = TimeManager::new(&limits, Instant::now(), OVERHEAD, GameLength::chess(2 * number));
        let random = &mut self.random;
        let info = IterationInfo {
            stability: (random.share() * 12.0) as u32,
            score_drop: (random.share().powi(3) * 120.0) as i32 - 15,
            node_share: random.share().sqrt(),
            single_reply: random.share() < 0.03,
        };
        // The iteration under way when the optimum is reached is cut off only by the hard budget.
        let hard = time.hard().unwrap();
        let used = time.optimum(info).unwrap().mul_f64(0.7 + 0.9 * random.share()).min(hard);
        // Lag is short most of the time.
        let used = used + lag.mul_f64(random.share().powi(6));
        let left = self.clock.checked_sub(used);
        assert!(left.is_some(), "move {number}: the flag fell, {:?} of {:?}", used, self.clock);
        self.clock = left.unwrap() + self.increment;
        if moves_to_go == Some(1) {
            self.clock += self.base;
        }
    }

    fn new(base: Duration, increment: Duration, control: Option<u32>, seed: u64) -> Self {
        Self { clock: base, base, increment, control, random: Random(seed) }
    }
}

#[test]
fn long_games_with_increment_are_not_lost_on_time() {
    for (base, increment, lag) in
        [(200, 2, 4), (1000, 10, 12), (60_000, 600, 200), (10_000, 100, 100), (2000, 20, 20), (100, 5, 10)]
    {
        let mut unused = Duration::ZERO;
        for seed in 0..200 {
            let mut game = Game::new(ms(base), ms(increment), None, seed + 1);
            for number in 0..300 {
                game.play(number, ms(lag));
                if number == 15 {
                    assert!(game.clock > ms(base) / 4, "{base} ms: spent in the opening: {:?}", game.clock);
                }
                if number == 40 {
                    unused += game.clock / 200;
                }
            }
        }
        // Beyond a cushion of some overheads, most of the time is used by then.
        assert!(unused < ms(base) / 3 + OVERHEAD * 6, "{base} ms: unused after 40 moves: {unused:?}");
    }
}

#[test]
fn long_games_without_increment_are_not_lost_on_time() {
    for seed in 1..200 {
        let mut game = Game::new(ms(60_000), ms(0), None, seed);
        for number in 0..300 {
            game.play(number, ms(2));
            match number {
                15 => assert!(game.clock > ms(15_000), "spent in the opening: {:?}", game.clock),
                60 => assert!(game.clock < ms(20_000), "unused after 60 moves: {:?}", game.clock),
                _ => {}
            }
        }
    }
}

#[test]
fn games_with_time_controls_use_their_time() {
    for (moves, minutes, most) in [(40, 5, 1.5), (1, 1, 4.0), (2, 1, 3.0), (10, 1, 2.0)] {
        for seed in 1..100 {
            let mut game = Game::new(ms(minutes * 60_000), ms(0), Some(moves), seed);
            for number in 0..300 {
                game.play(number, ms(100));
                if (number + 1) % moves == 0 {
                    // The next control's time is in, and what was left of this one must not pile up.
                    assert!(
                        game.clock < game.base.mul_f64(most),
                        "{moves}: after {number}: {:?}",
                        game.clock
                    );
                }
            }
        }
    }
}
