//! Clocks of a game between a person and the engine.

use std::time::Duration;

/// A clock: time for the whole game and what each move adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Time left.
    pub remaining: Duration,
    /// Added after each move.
    pub increment: Duration,
}

/// Reads a clock: minutes and seconds added for each move.
///
/// # Errors
/// When the text is none.
pub fn parse_clock(text: &str) -> Result<Clock, String> {
    let (minutes, increment) = text.split_once('+').unwrap_or((text, "0"));
    let number = |text: &str, most: f64| {
        let number: Option<f64> = text.trim().parse().ok();
        number.filter(|number| (0.0..=most).contains(number)).ok_or("not minutes+seconds, such as 5+3")
    };
    let remaining = Duration::from_secs_f64(60.0 * number(minutes, 1e5)?);
    if remaining.is_zero() {
        return Err("a clock without time".into());
    }
    Ok(Clock { remaining, increment: Duration::from_secs_f64(number(increment, 1e5)?) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_minutes_and_seconds() {
        let read =
            |text| parse_clock(text).map(|clock| (clock.remaining.as_secs(), clock.increment.as_secs()));
        assert_eq!(read("5+3"), Ok((300, 3)));
        assert_eq!(read("0.5"), Ok((30, 0)));
        for text in ["", "0", "-1+2", "x", "5+", "1e99", "nan", "5+3+1"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
