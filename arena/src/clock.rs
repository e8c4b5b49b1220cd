//! Time controls and clocks.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// Longest time that is accepted: about 30 years.
const MAX_SECONDS: f64 = 1e9;

/// A part of a game with its own time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Period {
    /// Moves to be made in it; `None` for all the rest.
    pub moves: Option<u32>,
    /// Time for them; what an earlier period left over is added.
    pub time: Duration,
    /// Added after each move.
    pub increment: Duration,
    /// Free time of each move: the clock runs only after it, and nothing of it is saved.
    pub delay: Duration,
}

/// What limits an engine's thinking. Everything given holds at once.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TimeControl {
    /// The periods of the clock, the last of which is repeated if it has a number of moves; empty without a
    /// clock.
    pub periods: Vec<Period>,
    /// Time of each move.
    pub move_time: Option<Duration>,
    /// Nodes of each move.
    pub nodes: Option<u64>,
    /// Depth of each move in plies.
    pub depth: Option<u32>,
}

impl TimeControl {
    /// Whether nothing is limited.
    pub fn is_unlimited(&self) -> bool {
        self.periods.is_empty() && self.move_time.is_none() && self.nodes.is_none() && self.depth.is_none()
    }

    /// Sets the clock from a text as in `tc=`: periods with commas between them, each
    /// `[MOVES/]TIME[+INCREMENT][~DELAY]`, times in seconds or `MINUTES:SECONDS`; `inf` is no clock.
    ///
    /// # Errors
    /// Names the part that cannot be read.
    pub fn set_clock(&mut self, text: &str) -> Result<(), String> {
        self.periods = if matches!(text, "inf" | "infinite") {
            Vec::new()
        } else {
            text.split(',').map(str::parse).collect::<Result<_, _>>()?
        };
        Ok(())
    }
}

impl FromStr for Period {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => {
                let moves = moves.parse().ok().filter(|&moves| moves > 0);
                (Some(moves.ok_or_else(|| format!("'{text}': no number of moves before the '/'"))?), rest)
            }
            None => (None, text),
        };
        let (rest, delay) = rest.split_once('~').unwrap_or((rest, "0"));
        let (time, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let period =
            Self { moves, time: seconds(time)?, increment: seconds(increment)?, delay: seconds(delay)? };
        if (period.time + period.increment + period.delay).is_zero() {
            return Err(format!("'{text}' leaves no time at all"));
        }
        Ok(period)
    }
}

impl fmt::Display for TimeControl {
    /// The clock as the tag TimeControl of a record.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |time: Duration| time.as_secs_f64();
        let mut parts = Vec::new();
        for period in &self.periods {
            let mut text = period.moves.map_or_else(String::new, |moves| format!("{moves}/"));
            text += &number(period.time).to_string();
            if !period.increment.is_zero() {
                text += &format!("+{}", number(period.increment));
            }
            if !period.delay.is_zero() {
                text += &format!("~{}", number(period.delay));
            }
            parts.push(text);
        }
        parts.extend(self.move_time.map(|time| format!("st={}", number(time))));
        parts.extend(self.nodes.map(|nodes| format!("nodes={nodes}")));
        parts.extend(self.depth.map(|depth| format!("depth={depth}")));
        f.write_str(&if parts.is_empty() { "-".to_owned() } else { parts.join(":") })
    }
}

/// Reads a time in seconds or `minutes:seconds`.
///
/// # Errors
/// When it is not a number from 0 to 1e9 seconds.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let number = |text: &str| text.parse::<f64>().ok().filter(|number| (0.0..=MAX_SECONDS).contains(number));
    let value = match text.split_once(':') {
        Some((minutes, seconds)) => number(minutes).zip(number(seconds)).map(|(m, s)| m * 60.0 + s),
        None => number(text),
    };
    value
        .filter(|value| *value <= MAX_SECONDS)
        .map(Duration::from_secs_f64)
        .ok_or_else(|| format!("'{text}' is not a time in seconds"))
}

/// The clock of one side during a game.
#[derive(Clone, Debug)]
pub struct Clock {
    control: TimeControl,
    period: usize,
    /// Moves made in the period.
    made: u32,
    left: Duration,
}

/// A move took longer than the clock allows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Overstepped(
    /// By how much.
    pub Duration,
);

impl Clock {
    /// A clock at the start of a game.
    pub fn new(control: TimeControl) -> Self {
        let left = control.periods.first().map_or(Duration::ZERO, |period| period.time);
        Self { control, period: 0, made: 0, left }
    }

    fn now(&self) -> Option<&Period> {
        self.control.periods.get(self.period)
    }

    /// What the engine is limited by.
    pub fn control(&self) -> &TimeControl {
        &self.control
    }

    /// The time on the clock with the delay that is free; `None` without a clock.
    pub fn left(&self) -> Option<Duration> {
        self.now().map(|period| self.left + period.delay)
    }

    /// The increment of this period.
    pub fn increment(&self) -> Duration {
        self.now().map_or(Duration::ZERO, |period| period.increment)
    }

    /// Moves to the end of the period; `None` when it lasts to the end of the game.
    pub fn moves_to_go(&self) -> Option<u32> {
        Some(self.now()?.moves?.saturating_sub(self.made).max(1))
    }

    /// The longest that the next move may take; `None` when nothing but nodes or depth limits it.
    pub fn allowed(&self) -> Option<Duration> {
        match (self.left(), self.control.move_time) {
            (Some(left), Some(time)) => Some(left.min(time)),
            (left, time) => left.or(time),
        }
    }

    /// Takes a move's time off. Up to `margin` too much is forgiven.
    ///
    /// # Errors
    /// When the flag has fallen, or a single move took longer than it may.
    pub fn spend(&mut self, time: Duration, margin: Duration) -> Result<(), Overstepped> {
        if let Some(allowed) = self.allowed().filter(|&allowed| time > allowed + margin) {
            return Err(Overstepped(time - allowed));
        }
        let Some(&period) = self.now() else { return Ok(()) };
        self.left = self.left.saturating_sub(time.saturating_sub(period.delay)) + period.increment;
        self.made += 1;
        if period.moves.is_some_and(|moves| self.made >= moves) {
            self.made = 0;
            self.period = (self.period + 1).min(self.control.periods.len() - 1);
            self.left += self.now().map_or(Duration::ZERO, |period| period.time);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn control(text: &str) -> TimeControl {
        let mut control = TimeControl::default();
        control.set_clock(text).unwrap();
        control
    }

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn controls_are_read_and_written() {
        for text in ["2+0.02", "40/60", "40/5400,20/3600,900+30", "60~2", "0.5+0.01", "-"] {
            let control = control(if text == "-" { "inf" } else { text });
            assert_eq!(control.to_string(), text.replace(',', ":"));
        }
        assert_eq!(control("1:30+1"), control("90+1"));
        for text in ["", "x", "0/5", "-1", "5+x", "nan", "1e99", "0", "40/", "inf+1"] {
            assert!(TimeControl::default().set_clock(text).is_err(), "{text}");
        }
    }

    #[test]
    fn increments_are_added_after_the_move_and_saved() {
        let mut clock = Clock::new(control("1+0.5"));
        assert_eq!(clock.allowed(), Some(ms(1000)));
        clock.spend(ms(400), Duration::ZERO).unwrap();
        assert_eq!(clock.left(), Some(ms(1100)));
        assert_eq!(clock.moves_to_go(), None);
        assert_eq!(clock.spend(ms(1101), Duration::ZERO), Err(Overstepped(ms(1))));
        clock.spend(ms(1101), ms(1)).unwrap();
        assert_eq!(clock.left(), Some(ms(500)));
    }

    #[test]
    fn periods_follow_each_other_and_the_last_is_repeated() {
        let mut clock = Clock::new(control("2/10,1/5"));
        assert_eq!(clock.moves_to_go(), Some(2));
        clock.spend(ms(4000), Duration::ZERO).unwrap();
        assert_eq!((clock.moves_to_go(), clock.left()), (Some(1), Some(ms(6000))));
        clock.spend(ms(1000), Duration::ZERO).unwrap();
        assert_eq!((clock.moves_to_go(), clock.left()), (Some(1), Some(ms(10_000))));
        clock.spend(ms(1000), Duration::ZERO).unwrap();
        assert_eq!(clock.left(), Some(ms(14_000)));
    }

    #[test]
    fn a_delay_is_free_and_not_saved() {
        let mut clock = Clock::new(control("1~0.5"));
        assert_eq!(clock.allowed(), Some(ms(1500)));
        clock.spend(ms(300), Duration::ZERO).unwrap();
        assert_eq!(clock.allowed(), Some(ms(1500)));
        clock.spend(ms(700), Duration::ZERO).unwrap();
        assert_eq!(clock.allowed(), Some(ms(1300)));
    }

    #[test]
    fn a_time_of_each_move_is_not_saved_up() {
        let mut clock = Clock::new(TimeControl { move_time: Some(ms(100)), ..TimeControl::default() });
        clock.spend(ms(10), Duration::ZERO).unwrap();
        assert_eq!(clock.allowed(), Some(ms(100)));
        assert!(clock.spend(ms(101), Duration::ZERO).is_err());
    }
}
