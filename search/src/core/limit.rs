//! What a search may use: the limits of one `go`.

use std::time::Duration;

/// The limits of one search. The default has none: such a search runs until it is stopped or until its
/// own greatest depth. Where several limits are given, whichever comes first ends the search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Greatest iteration to finish, in plies.
    pub depth: Option<u32>,
    /// Nodes of all threads together; with one thread the search stops at exactly this count.
    pub nodes: Option<u64>,
    /// No new iteration starts once this many nodes are searched. Gives reproducible searches that are
    /// never cut inside an iteration, as the training data generator needs.
    pub soft_nodes: Option<u64>,
    /// Stop once a win in this many moves (of the winner) is proven.
    pub mate: Option<u32>,
    /// Fixed time for this move, before the move overhead is taken off.
    pub move_time: Option<Duration>,
    /// The clock of the side to move.
    pub clock: Option<Clock>,
    /// Hold the answer until the search is stopped, whatever is found.
    pub infinite: bool,
    /// The search starts in the opponent's time: no limit of time counts before the ponder hit.
    pub ponder: bool,
}

impl Limits {
    /// A fixed time and nothing else.
    #[must_use]
    pub fn of_time(time: Duration) -> Self {
        Self { move_time: Some(time), ..Self::default() }
    }

    /// A clock for the rest of the game and nothing else.
    #[must_use]
    pub fn of_clock(remaining: Duration, increment: Duration) -> Self {
        Self { clock: Some(Clock { remaining, increment, moves_to_go: None }), ..Self::default() }
    }
}

/// The clock of the side to move. Negative readings of a protocol are to be given as zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// Time left until the flag falls.
    pub remaining: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves until the next time control, this one included. `None` means that the time must last for
    /// the rest of the game. Zero is read as `None`.
    pub moves_to_go: Option<u32>,
}
