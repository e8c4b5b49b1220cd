//! The own clock of a game.

use search::core::limit::{Clock, Limits};
use std::time::Duration;

/// What is left on the clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Rest {
    time: Duration,
    /// Moves until time is granted again; 0 when the time is for the whole game.
    moves: u32,
}

/// The own clock. The protocol has no increment; after `moves` moves the time is granted again.
pub(super) struct OwnClock {
    budget: Duration,
    moves: u32,
    rest: Rest,
    /// What was left before each own move.
    before: Vec<Rest>,
}

impl OwnClock {
    /// A clock of so many minutes, 0 for none, for so many moves, 0 for the whole game.
    pub(super) fn new(minutes: u32, moves: u32) -> Self {
        let budget = Duration::from_secs(u64::from(minutes) * 60);
        Self { budget, moves, rest: Rest { time: budget, moves }, before: Vec::new() }
    }

    /// The time that is granted at once.
    pub(super) fn budget(&self) -> Duration {
        self.budget
    }

    /// The limits of a search: those of the clock and `move_time`; a second where there is neither. The search will
    /// keep back `overhead` for the clock's sake; a fixed time, which nobody measures, is used whole.
    pub(super) fn limits(&self, move_time: Option<Duration>, overhead: Duration) -> Limits {
        let clock = (!self.budget.is_zero()).then_some(Clock {
            remaining: self.rest.time,
            increment: Duration::ZERO,
            moves_to_go: (self.moves > 0).then_some(self.rest.moves),
        });
        let move_time = move_time.or(clock.is_none().then_some(Duration::from_secs(1)));
        let move_time = move_time.map(|time| time.saturating_add(overhead));
        Limits { clock, move_time, ..Limits::default() }
    }

    /// Takes off the time of an own move.
    pub(super) fn spend(&mut self, time: Duration) {
        self.before.push(self.rest);
        self.rest.time = self.rest.time.saturating_sub(time);
        if self.moves > 0 {
            self.rest.moves -= 1;
            if self.rest.moves == 0 {
                self.rest.moves = self.moves;
                self.rest.time += self.budget;
            }
        }
    }

    /// Goes back to when this side had made so many moves.
    pub(super) fn take_back(&mut self, made: usize) {
        if let Some(&rest) = self.before.get(made) {
            self.rest = rest;
            self.before.truncate(made);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_back_gives_back_time_and_moves() {
        let mut clock = OwnClock::new(1, 3);
        let rests = [10, 20, 5, 7].map(|seconds| {
            let rest = clock.rest;
            clock.spend(Duration::from_secs(seconds));
            rest
        });
        assert_eq!(clock.rest, Rest { time: Duration::from_secs(120 - 42), moves: 2 });
        clock.take_back(4);
        assert_eq!(clock.rest, Rest { time: Duration::from_secs(120 - 42), moves: 2 });
        for made in [3, 1, 0] {
            clock.take_back(made);
            assert_eq!(clock.rest, rests[made]);
            let limits = clock.limits(None, Duration::ZERO).clock;
            assert_eq!(limits.map(|clock| clock.moves_to_go), Some(Some(rests[made].moves)));
        }
        clock.spend(Duration::from_secs(1));
        assert_eq!(clock.rest, Rest { time: Duration::from_secs(59), moves: 2 });
    }
}
