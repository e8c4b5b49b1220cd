//! The engine's clock as CECP tells it.

use std::time::Duration;

use search::core::limit::{Clock, Limits};
use uci::cecp::Level;

/// The control before any is told: five minutes for the game.
const DEFAULT_BASE: Duration = Duration::from_secs(300);
/// A pondering search goes on in its own time only while the clock shows at least this part of what was expected.
const EXPECTED_SHARE: f64 = 0.9;

/// Time control, clock, and the limits that do not depend on them.
#[derive(Clone, Debug)]
pub struct GameClock {
    level: Level,
    /// Plies of the game when the control was told: its moves are counted from there.
    level_ply: usize,
    /// Time on the engine's clock, kept by the engine itself between the GUI's readings.
    remaining: Duration,
    /// A fixed time for each move takes the place of the clock.
    move_time: Option<Duration>,
    /// Greatest depth in plies.
    depth: Option<u32>,
    /// Time of the present move that was used before a pause.
    used: Duration,
}

impl Default for GameClock {
    fn default() -> Self {
        let level = Level { moves: 0, base: DEFAULT_BASE, increment: Duration::ZERO };
        Self {
            level,
            level_ply: 0,
            remaining: level.base,
            move_time: None,
            depth: None,
            used: Duration::ZERO,
        }
    }
}

impl GameClock {
    /// A new game with the same control, be it a clock or a fixed time; the limit of depth goes.
    pub fn reset(&mut self) {
        let move_time = self.move_time;
        self.set_level(self.level, 0);
        self.move_time = move_time;
        self.depth = None;
    }

    /// The moves of the game are counted from here again: a position was set up.
    pub fn restart_moves(&mut self) {
        self.level_ply = 0;
        self.used = Duration::ZERO;
    }

    /// Takes a new control after so many plies of the game; ends a fixed time for each move.
    pub fn set_level(&mut self, level: Level, plies: usize) {
        self.level = level;
        self.level_ply = plies;
        // A control of increments only begins with the first of them on the clock.
        self.remaining = if level.base.is_zero() { level.increment } else { level.base };
        self.used = Duration::ZERO;
        self.move_time = None;
    }

    /// Takes a fixed time for each move in place of the clock.
    pub fn set_move_time(&mut self, time: Duration) {
        self.move_time = Some(time);
    }

    /// Takes the greatest depth; 0 and less are none.
    pub fn set_depth(&mut self, depth: i64) {
        self.depth = (depth > 0).then(|| u32::try_from(depth).unwrap_or(u32::MAX));
    }

    /// The GUI reads the engine's clock, in hundredths of a second; a negative clock has run out.
    pub fn set_remaining(&mut self, centiseconds: i64) {
        let centiseconds = u64::try_from(centiseconds).unwrap_or(0);
        self.remaining = Duration::from_millis(centiseconds.saturating_mul(10));
        self.used = Duration::ZERO;
    }

    /// Notes that this much of the time of the present move is used already.
    pub fn use_up(&mut self, time: Duration) {
        self.used = self.used.saturating_add(time);
    }

    /// Moves of the side to move since the control was told, after so many plies of the game.
    fn moves_made(&self, plies: usize) -> usize {
        plies.saturating_sub(self.level_ply) / 2
    }

    /// The limits of a move after so many plies.
    pub fn limits(&self, plies: usize) -> Limits {
        let depth = self.depth;
        if let Some(time) = self.move_time {
            return Limits { move_time: Some(time.saturating_sub(self.used)), depth, ..Limits::default() };
        }
        let moves = self.level.moves;
        let moves_to_go = (moves > 0).then(|| {
            let made = self.moves_made(plies) as u64 % u64::from(moves);
            moves - u32::try_from(made).unwrap_or(0)
        });
        let clock = Clock {
            remaining: self.remaining.saturating_sub(self.used),
            increment: self.level.increment,
            moves_to_go,
        };
        Limits { clock: Some(clock), depth, ..Limits::default() }
    }

    /// Notes the engine's move, made after so many plies, which took this long (what was used before a pause not
    /// counted).
    pub fn moved(&mut self, plies: usize, time: Duration) {
        let time = time.saturating_add(std::mem::take(&mut self.used));
        self.remaining = self.remaining.saturating_sub(time).saturating_add(self.level.increment);
        let made = self.moves_made(plies) as u64 + 1;
        if self.level.moves > 0 && made.is_multiple_of(u64::from(self.level.moves)) {
            self.remaining = self.remaining.saturating_add(self.level.base);
        }
    }
}

/// Whether a search that was started under `expected` may go on under `now`.
pub fn agree(expected: &Limits, now: &Limits) -> bool {
    let rest = |limits: &Limits| {
        let clock = limits.clock.map(|clock| (clock.increment, clock.moves_to_go));
        (limits.depth, limits.move_time, clock)
    };
    let remaining = |limits: &Limits| limits.clock.map_or(0.0, |clock| clock.remaining.as_secs_f64());
    rest(expected) == rest(now) && remaining(now) >= EXPECTED_SHARE * remaining(expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(n: u64) -> Duration {
        Duration::from_secs(n)
    }

    fn level(moves: u32, base: u64, increment: u64) -> Level {
        Level { moves, base: seconds(base), increment: seconds(increment) }
    }

    fn left(clock: &GameClock, plies: usize) -> (Duration, Option<u32>) {
        let clock = clock.limits(plies).clock.unwrap();
        (clock.remaining, clock.moves_to_go)
    }

    #[test]
    fn moves_are_counted_to_the_control() {
        let mut clock = GameClock::default();
        clock.set_level(level(40, 300, 0), 0);
        assert_eq!(left(&clock, 1), (seconds(300), Some(40)));
        assert_eq!(left(&clock, 79), (seconds(300), Some(1)));
        clock.moved(79, seconds(100));
        assert_eq!(left(&clock, 81), (seconds(500), Some(40)));
    }

    #[test]
    fn a_control_told_in_the_game_counts_from_there() {
        let mut clock = GameClock::default();
        clock.set_level(level(40, 60, 0), 0);
        clock.set_level(level(1, 3, 0), 78);
        clock.set_remaining(300);
        assert_eq!(left(&clock, 78), (seconds(3), Some(1)));
        clock.set_level(level(5, 100, 2), 77);
        assert_eq!(left(&clock, 78), (seconds(100), Some(5)));
        clock.moved(78, seconds(10));
        assert_eq!(left(&clock, 80), (seconds(92), Some(4)));
    }

    #[test]
    fn clock_and_fixed_time_take_each_others_place() {
        let mut clock = GameClock::default();
        clock.set_level(level(0, 60, 0), 0);
        clock.set_move_time(seconds(2));
        clock.set_depth(3);
        let limits = clock.limits(0);
        assert_eq!((limits.move_time, limits.clock, limits.depth), (Some(seconds(2)), None, Some(3)));
        clock.set_level(level(0, 5, 0), 0);
        let limits = clock.limits(0);
        assert_eq!((limits.move_time, limits.depth), (None, Some(3)));
        clock.reset();
        assert_eq!(clock.limits(0).depth, None);
        clock.set_move_time(seconds(2));
        clock.reset();
        assert_eq!(clock.limits(0).move_time, Some(seconds(2)));
    }

    #[test]
    fn time_used_before_a_pause_is_taken_off_once() {
        let mut clock = GameClock::default();
        clock.set_level(level(0, 60, 0), 0);
        clock.use_up(seconds(10));
        assert_eq!(left(&clock, 0).0, seconds(50));
        clock.moved(0, seconds(5));
        assert_eq!(left(&clock, 2).0, seconds(45));
    }

    #[test]
    fn a_clock_that_lost_time_ends_the_agreement() {
        let mut clock = GameClock::default();
        let expected = clock.limits(3);
        assert!(agree(&expected, &clock.limits(3)));
        clock.set_remaining(28_000);
        assert!(agree(&expected, &clock.limits(3)));
        clock.set_remaining(1_000);
        assert!(!agree(&expected, &clock.limits(3)));
        clock.set_move_time(seconds(1));
        assert!(!agree(&expected, &clock.limits(3)));
    }
}
