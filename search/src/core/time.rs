//! How long to think about a move.
//!
//! Two budgets: the *soft* one is what the move should take, looked at after each iteration and stretched or
//! shrunk by what the iterations showed; the *hard* one is never exceeded, looked at every few thousand
//! nodes. Both come from the clock alone and are fixed when the search starts.
//!
//! With a clock of `remaining` and an increment `inc` per move, and after the overhead (the time that
//! passes between the engine and the clock) is taken off:
//!
//! ```text
//! moves   = moves expected until the game or the control ends
//! reserve = overheads that may still be lost: see `reserve`
//! thrift  = remaining / (remaining + reserve)
//! soft    = thrift * (remaining / moves + INCREMENT_SHARE * inc)
//! hard    = HARD_FACTOR * soft, at most thrift * (HARD_SHARE * remaining + HARD_INCREMENT_SHARE * inc),
//!           and more when few moves are left until the control
//! ```
//!
//! The thrift is near 1 on any decent clock. When little is left it keeps a cushion of some overheads on the
//! clock, so that a delay is survived and a game of any length can be finished.

use super::limit::{Clock, Limits};
use std::time::{Duration, Instant};

/// Part of each increment that the move may use at once. Less than one, so that the clock grows a little
/// when nothing is happening and the base share stays alive in long games.
pub const INCREMENT_SHARE: f64 = 0.75;
/// Overheads that the reserve holds against delays.
pub const RESERVED_OVERHEADS: f64 = 10.0;
/// What is lost on a usual move, as a part of the overhead, which is the most that is lost on any...
pub const USUAL_LOSS: f64 = 0.2;
/// ...and for so many moves the reserve holds what the increment does not bring back of it.
pub const RESERVED_MOVES: f64 = 300.0;
/// The hard budget in soft budgets, before its bounds.
pub const HARD_FACTOR: f64 = 5.0;
/// The greatest part of the remaining time that one move may take while many moves follow on the same
/// clock...
pub const HARD_SHARE: f64 = 0.35;
/// ...and the part of the increment that may come on top, since the clock gets it back after the move...
pub const HARD_INCREMENT_SHARE: f64 = 0.5;
/// ...but never more than this part of the remaining time, so that the clock survives a delay.
pub const HARD_SHARE_MOST: f64 = 0.6;
/// With a time control ahead, the parts above may grow to this divided by the moves to go...
pub const HARD_SHARE_CONTROL: f64 = 1.2;
/// ...up to this part, for the last move before the control. The clock is never used beyond it.
pub const HARD_SHARE_LAST: f64 = 0.95;
/// The soft budget's greatest part of the remaining time, also for the last move before a time control.
pub const SOFT_SHARE_LAST: f64 = 0.75;
/// More moves to go than this are planned for as if they were this many: few games last as long.
pub const MOST_MOVES: u32 = 60;
/// A budget from a clock is never shorter, unless the clock itself has no more than [`LEAST_SHARE`] times
/// this: enough for a few iterations.
pub const LEAST_BUDGET: Duration = Duration::from_micros(200);
/// The least budget is never a greater part of the clock than one in this many.
pub const LEAST_SHARE: u32 = 20;
/// The budget for a fixed time that the overhead would swallow.
pub const LEAST_MOVE_TIME: Duration = Duration::from_millis(1);
/// Clock readings are cut to this before anything is computed: ten years.
const LONGEST: Duration = Duration::from_secs(10 * 365 * 24 * 3600);

/// Soft budget factor by the number of iterations for which the best move has not changed; the last one
/// holds for all greater numbers.
pub const STABILITY_FACTORS: [f64; 8] = [1.7, 1.35, 1.15, 1.05, 0.98, 0.92, 0.88, 0.85];
/// What a fall of the score adds to the factor, per centipawn...
pub const DROP_WEIGHT: f64 = 0.008;
/// ...up to this fall; a rise takes a quarter of the same away, up to a quarter of this rise.
pub const GREATEST_DROP: f64 = 80.0;
/// Factor when no node, or every node, went into the best move; linear in between.
pub const NODE_SHARE_FACTORS: (f64, f64) = (1.8, 0.55);
/// Factor when there is only one move to choose from.
pub const SINGLE_REPLY_FACTOR: f64 = 0.08;

/// How long games of this kind last: the plan for a clock without a next time control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameLength {
    /// Half-moves played in this game so far.
    pub ply: u32,
    /// Moves of one side for which the time is planned at the start.
    pub typical_moves: u32,
    /// Moves of one side that are always expected to follow, however long the game has been.
    pub least_moves: u32,
}

impl GameLength {
    /// A game of chess that has lasted `ply` half-moves.
    pub fn chess(ply: u32) -> Self {
        Self { ply, typical_moves: 32, least_moves: 20 }
    }

    /// A game of international draughts that has lasted `ply` half-moves.
    pub fn draughts(ply: u32) -> Self {
        Self { ply, typical_moves: 40, least_moves: 18 }
    }

    /// Moves of one side that are expected to follow.
    fn moves_left(self) -> u32 {
        self.typical_moves.saturating_sub(self.ply / 2).max(self.least_moves).max(1)
    }
}

/// What an iteration showed about the root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IterationInfo {
    /// Iterations for which the best move has stayed the same; 0 when it has just changed.
    pub stability: u32,
    /// How far the score fell since earlier iterations, in centipawns; negative when it rose.
    pub score_drop: i32,
    /// Share of all nodes that went into the best root move, 0 to 1.
    pub node_share: f64,
    /// Whether the root has a single move.
    pub single_reply: bool,
}

/// The time budgets of one search. It knows nothing of pondering: while a search ponders, its owner does not
/// ask, and calls [`restart`](Self::restart) at the ponder hit.
#[derive(Clone, Debug)]
pub struct TimeManager {
    start: Instant,
    soft: Option<Duration>,
    hard: Option<Duration>,
}

impl TimeManager {
    /// Budgets for a search under `limits` that began at `start`. `overhead` is the time that may pass
    /// between the engine's answer and the stop of its clock. An infinite search has no budget.
    pub fn new(limits: &Limits, start: Instant, overhead: Duration, length: GameLength) -> Self {
        if limits.infinite {
            return Self { start, soft: None, hard: None };
        }
        let clock = limits.clock.map(|clock| budgets(clock, overhead, length));
        let fixed =
            limits.move_time.map(|time| time.min(LONGEST).saturating_sub(overhead).max(LEAST_MOVE_TIME));
        let hard = match (clock, fixed) {
            (Some((_, hard)), Some(fixed)) => Some(hard.min(fixed)),
            (clock, fixed) => clock.map(|(_, hard)| hard).or(fixed),
        };
        Self { start, soft: clock.map(|(soft, _)| soft), hard }
    }

    /// Counts the budgets from `start`: from the ponder hit, the clock of which is that of the `go`.
    pub fn restart(&mut self, start: Instant) {
        self.start = start;
    }

    /// What the move should take, before scaling. `None` without a clock.
    pub fn soft(&self) -> Option<Duration> {
        self.soft
    }

    /// What the move may take at most. `None` when time does not limit the search.
    pub fn hard(&self) -> Option<Duration> {
        self.hard
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Whether the hard budget is used up and the search must end at once.
    pub fn is_past_hard(&self) -> bool {
        self.hard.is_some_and(|hard| self.elapsed() >= hard)
    }

    /// Whether no further iteration should start after one that showed `info`.
    pub fn should_stop_iteration(&self, info: IterationInfo) -> bool {
        self.optimum(info).is_some_and(|optimum| self.elapsed() >= optimum)
    }

    /// The soft budget scaled by what the last iteration showed, at most the hard one. `None` when time does
    /// not limit the search; without a clock, the hard budget.
    pub fn optimum(&self, info: IterationInfo) -> Option<Duration> {
        let hard = self.hard?;
        let Some(soft) = self.soft else { return Some(hard) };
        Some(
            Duration::try_from_secs_f64(soft.as_secs_f64() * factor(info))
                .map_or(hard, |time| time.min(hard)),
        )
    }
}

/// How many soft budgets the move deserves.
fn factor(info: IterationInfo) -> f64 {
    if info.single_reply {
        return SINGLE_REPLY_FACTOR;
    }
    let place = (info.stability as usize).min(STABILITY_FACTORS.len() - 1);
    let stability = STABILITY_FACTORS[place];
    let fall = f64::from(info.score_drop).clamp(-GREATEST_DROP / 4.0, GREATEST_DROP);
    let drop = 1.0 + DROP_WEIGHT * if fall < 0.0 { fall / 4.0 } else { fall };
    let (none, all) = NODE_SHARE_FACTORS;
    // A share that is not a number (no nodes at all) counts as an even one.
    let share = if info.node_share.is_nan() { 0.5 } else { info.node_share.clamp(0.0, 1.0) };
    stability * drop * (none + (all - none) * share)
}

/// Seconds that delays may still cost, now and in the moves to come: `moves` of them before the time control
/// if there is one, or any number.
fn reserve(overhead: f64, increment: f64, moves_to_go: Option<f64>) -> f64 {
    match moves_to_go {
        Some(moves) => overhead * RESERVED_OVERHEADS.min(moves - 1.0),
        None => overhead * RESERVED_OVERHEADS + RESERVED_MOVES * (USUAL_LOSS * overhead - increment).max(0.0),
    }
}

/// Soft and hard budget for a clock.
fn budgets(clock: Clock, overhead: Duration, length: GameLength) -> (Duration, Duration) {
    let remaining = clock.remaining.min(LONGEST).saturating_sub(overhead).as_secs_f64();
    let increment = clock.increment.min(LONGEST).as_secs_f64();
    let overhead = overhead.min(LONGEST).as_secs_f64();
    let moves_to_go =
        clock.moves_to_go.filter(|&moves| moves > 0).map(|moves| f64::from(moves.min(MOST_MOVES)));
    let moves = moves_to_go.unwrap_or(length.moves_left().into());
    // The fewer moves the time must last for, the more of it one of them may take.
    let control_share = moves_to_go.map_or(0.0, |moves| (HARD_SHARE_CONTROL / moves).min(HARD_SHARE_LAST));

    let thrift = if remaining > 0.0 {
        remaining / (remaining + reserve(overhead, increment, moves_to_go))
    } else {
        0.0
    };
    let soft = thrift * (remaining / moves + INCREMENT_SHARE * increment);
    let bound = HARD_SHARE.max(control_share) * remaining + HARD_INCREMENT_SHARE * increment;
    let bound = thrift * bound.min(HARD_SHARE_MOST.max(control_share) * remaining);
    let hard = (HARD_FACTOR * soft).min(bound);
    let soft = soft.min(SOFT_SHARE_LAST * remaining).min(hard);

    let least = LEAST_BUDGET.min(clock.remaining / LEAST_SHARE);
    let duration = |seconds| Duration::try_from_secs_f64(seconds).unwrap_or(LONGEST).max(least);
    (duration(soft), duration(hard))
}
