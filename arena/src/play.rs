//! One game between two engines.

use crate::adjudicate::{Adjudication, Watch};
use crate::clock::Clock;
use crate::fault::{Fault, shown};
use crate::game::{End, Game, Outcome, Side};
use crate::player::{Clocks, Eval, Halt, Player};
use crate::spec::EngineSpec;
use std::time::Duration;

/// What the record says about a move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Remark {
    pub eval: Option<Eval>,
    pub elapsed: Duration,
}

/// A finished game.
pub(crate) struct Played<G> {
    pub game: G,
    /// Moves that came from the opening.
    pub book: usize,
    /// One for each move after the opening.
    pub remarks: Vec<Remark>,
    pub end: End,
    /// The tag Termination.
    pub termination: &'static str,
    /// Who ended it by a fault, and what it was.
    pub fault: Option<(Side, Fault)>,
    /// Faults after the end, which change nothing in the result.
    pub late: Vec<(Side, Fault)>,
}

/// An engine in a game.
pub(crate) struct Seat<'a, G: Game> {
    pub player: &'a mut dyn Player<G>,
    pub spec: &'a EngineSpec,
    pub clock: Clock,
}

impl<'a, G: Game> Seat<'a, G> {
    pub fn new(player: &'a mut dyn Player<G>, spec: &'a EngineSpec) -> Self {
        Self { player, spec, clock: Clock::new(spec.control.clone()) }
    }
}

/// How every game is played.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conduct {
    pub adjudication: Adjudication,
    /// Longest thinking time where no clock limits it.
    pub stall: Duration,
}

struct Table<'a, G: Game> {
    game: G,
    white: Seat<'a, G>,
    black: Seat<'a, G>,
    conduct: Conduct,
    remarks: Vec<Remark>,
    /// Who offered a draw with the last move.
    offer: Option<Side>,
}

enum Stop {
    /// By the laws, by agreement or adjudication.
    End(End, &'static str),
    /// By a fault of a side.
    Fault(Side, Fault),
    /// The match was called off.
    Interrupted,
}

impl Stop {
    fn from_halt(side: Side, halt: Halt) -> Self {
        match halt {
            Halt::Fault(fault) => Self::Fault(side, fault),
            Halt::Interrupted => Self::Interrupted,
        }
    }
}

/// Plays a game from an opening; `None` when the match was called off before its end.
pub(crate) fn play<'a, G: Game>(
    game: G,
    white: Seat<'a, G>,
    black: Seat<'a, G>,
    conduct: Conduct,
) -> Option<Played<G>> {
    let book = game.ply();
    let mut table = Table { game, white, black, conduct, remarks: Vec::new(), offer: None };
    let stop = match table.run() {
        Err(stop) => stop,
        Ok(never) => match never {},
    };
    let (end, termination, fault) = match stop {
        Stop::End(end, termination) => (end, termination, None),
        Stop::Fault(side, fault) => {
            let end = table.forfeit(side, &fault);
            (end, fault.termination(), Some((side, fault)))
        }
        Stop::Interrupted => return None,
    };
    let mut late = Vec::new();
    for side in [Side::White, Side::Black] {
        // A process that is to be replaced is told nothing any more.
        if fault.as_ref().is_some_and(|(other, fault)| *other == side && fault.needs_restart()) {
            continue;
        }
        let game = table.game.clone();
        match table.seat(side).player.finish(&game, Some(end.outcome), &end.reason) {
            Ok(()) => {}
            Err(Halt::Fault(fault)) => late.push((side, fault)),
            Err(Halt::Interrupted) => return None,
        }
    }
    Some(Played { game: table.game, book, remarks: table.remarks, end, termination, fault, late })
}

impl<'a, G: Game> Table<'a, G> {
    fn seat(&mut self, side: Side) -> &mut Seat<'a, G> {
        match side {
            Side::White => &mut self.white,
            Side::Black => &mut self.black,
        }
    }

    /// The result when a side does what it may not do.
    fn forfeit(&self, side: Side, fault: &Fault) -> End {
        let by_law = matches!(fault, Fault::Time(_) | Fault::IllegalMove { .. });
        if by_law && !self.game.can_win(side.other()) {
            let reason = format!("{side} {fault}, but {} cannot win", side.other());
            return End { outcome: Outcome::Draw, reason };
        }
        End { outcome: Outcome::Win(side.other()), reason: format!("{side} {fault}") }
    }

    fn run(&mut self) -> Result<std::convert::Infallible, Stop> {
        for side in [Side::White, Side::Black] {
            let game = self.game.clone();
            let seat = self.seat(side);
            let clock = seat.clock.clone();
            seat.player.new_game(&game, side, &clock).map_err(|halt| Stop::from_halt(side, halt))?;
        }
        let mut watch = Watch::new(self.conduct.adjudication);
        loop {
            if let Some(end) = self.game.end() {
                return Err(Stop::End(end, "normal"));
            }
            let side = self.game.turn();
            let remark = self.step(side).map_err(|stop| self.claimed(stop))?;
            if self.game.end().is_some() {
                continue;
            }
            let plies = u32::try_from(self.game.ply()).unwrap_or(u32::MAX);
            if let Some(end) = watch.after_move(side, remark.eval, plies) {
                return Err(Stop::End(end, "adjudication"));
            }
        }
    }

    /// Passes a stop on; a resignation where the opponent cannot win is a draw.
    fn claimed(&self, stop: Stop) -> Stop {
        match stop {
            Stop::End(End { outcome: Outcome::Win(winner), reason }, termination)
                if !self.game.can_win(winner) =>
            {
                let reason = format!("{reason}, but {winner} cannot win");
                Stop::End(End { outcome: Outcome::Draw, reason }, termination)
            }
            other => other,
        }
    }

    /// One move.
    fn step(&mut self, side: Side) -> Result<Remark, Stop> {
        let (mover, other) = match side {
            Side::White => (&mut self.white, &mut self.black),
            Side::Black => (&mut self.black, &mut self.white),
        };
        let halted = |halt| Stop::from_halt(side, halt);
        let (margin, stall) = (mover.spec.margin, self.conduct.stall);
        let clocks = Clocks { own: &mover.clock, other: &other.clock, margin, stall };
        let thought = mover.player.think(&self.game, clocks).map_err(halted)?;
        mover.clock.spend(thought.elapsed, margin).map_err(|over| Stop::Fault(side, Fault::Time(over.0)))?;
        let Some(text) = thought.mv else {
            let reason = format!("{side} resigns");
            return Err(Stop::End(End { outcome: Outcome::Win(side.other()), reason }, "normal"));
        };
        let protocol = mover.spec.protocol;
        let mv = self
            .game
            .parse(protocol, &text)
            .map_err(|why| Stop::Fault(side, Fault::IllegalMove { text: shown(&text), why }))?;
        self.game.play(mv);
        let remark = Remark { eval: thought.eval, elapsed: thought.elapsed };
        self.remarks.push(remark);
        if self.game.end().is_some() {
            return Ok(remark);
        }
        if thought.offers_draw {
            if self.offer == Some(side.other()) {
                let reason = "draw agreed".to_owned();
                return Err(Stop::End(End { outcome: Outcome::Draw, reason }, "normal"));
            }
            other.player.offer_draw().map_err(|halt| Stop::from_halt(side.other(), halt))?;
        }
        self.offer = thought.offers_draw.then_some(side);
        if mover.spec.ponder
            && let Some(reply) = thought.ponder
            && let Ok(reply) = self.game.parse(protocol, &reply)
        {
            let mut ahead = self.game.clone();
            ahead.play(reply);
            if ahead.end().is_none() {
                let clocks = Clocks { own: &mover.clock, other: &other.clock, margin, stall };
                mover.player.ponder(&ahead, clocks).map_err(halted)?;
            }
        }
        Ok(remark)
    }
}
