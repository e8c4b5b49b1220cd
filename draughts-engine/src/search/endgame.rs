//! Endgame tables in the search: cut-offs in the tree, and the choice at the root.
//!
//! Tables know nothing of the limits of moves (FMJD Annex 1, articles 6.2 to 6.4). A table win is
//! therefore believed only while the counts are young; near a limit the search goes on, which knows the limits.

use super::Search;
use super::engine::Request;
use super::root::RootMove;
use super::score::{DRAW, TABLE_WIN, WIN};
use crate::bitbase::{Code, Tables, Value};
use crate::game::DrawRules;
use crate::position::Ending;
use crate::rules::International;
use crate::{Position, Rules, Variant, legal_moves};

/// Quiet plies by kings after which a table win is not believed any more.
const YOUNG: u32 = 16;
/// Moves of the line that is shown with a table's answer.
const SHOWN: usize = 8;

/// What the tables say at the root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Advice {
    /// Search; in the tree ask tables of at most so many pieces.
    Search(u32),
    /// Every move's result is known and decided, and the moves are in order.
    Known,
}

impl<R: Rules> Search<'_, R> {
    /// The score of a position without a capture by the tables.
    #[inline]
    pub(super) fn table_score(&self, position: &Position, ply: usize) -> Option<i32> {
        if count(position) > self.probed {
            return None;
        }
        let score = match self.shared.tables.probe(position)? {
            Value::Draw => return Some(DRAW),
            Value::Win => TABLE_WIN - ply as i32,
            Value::Loss => ply as i32 - TABLE_WIN,
        };
        let (ending, age) = position.ending();
        let young = if ending == Ending::None { position.quiet_plies() <= YOUNG } else { age <= 1 };
        young.then_some(score)
    }
}

#[inline]
fn count(position: &Position) -> u32 {
    (!position.empty()).count()
}

/// Asks the tables about the moves at the root. Where all results are known, moves that give away a win
/// or a draw are dropped, and if the game is decided within its limits the order, scores and lines are
/// set: the winner hurries, the loser delays.
pub(super) fn advise(tables: &Tables, request: &Request, roots: &mut Vec<RootMove>) -> Advice {
    let position = request.game.position();
    // A handicapped engine may lose its way in an ending, too.
    if request.variant != Variant::International || request.noise != 0 {
        return Advice::Search(0);
    }
    let pieces = count(position);
    if pieces > tables.pieces() {
        return Advice::Search(tables.pieces());
    }
    // Positions with the material of the root are told apart by search, the tables would call them equal.
    let search = Advice::Search(pieces - 1);
    let next: Vec<Position> = roots.iter().map(|root| position.play::<International>(root.mv)).collect();
    let codes: Option<Vec<Code>> = next.iter().map(|next| tables.code(next).and_then(Code::before)).collect();
    let Some(codes) = codes else {
        let values: Option<Vec<Value>> = next.iter().map(|next| tables.value(next)).collect();
        if let Some(values) = values
            && request.lines == 1
        {
            // Values of the opponent's.
            let worst =
                [Value::Loss, Value::Draw, Value::Win].into_iter().find(|value| values.contains(value));
            keep(roots, |index| Some(values[index]) == worst);
        }
        return search;
    };
    let Some(best) = codes.iter().copied().max_by_key(|code| code.rank()) else { return search };
    if best.plies().is_some_and(|plies| is_in_time(position, &request.game.draws, plies)) {
        for ((root, code), next) in roots.iter_mut().zip(&codes).zip(&next) {
            root.score = match (code.value(), code.plies()) {
                (Value::Win, Some(plies)) => WIN - plies as i32,
                (Value::Loss, Some(plies)) => plies as i32 - WIN,
                _ => DRAW,
            };
            if *code == best {
                root.line.truncate(1);
                extend(tables, *next, &mut root.line);
            }
        }
        roots.sort_by_key(|root| std::cmp::Reverse(root.score));
        return Advice::Known;
    }
    if request.lines == 1 && best.value() != Value::Loss {
        let is_best = |code: Code| code == best;
        keep(roots, |index| is_best(codes[index]));
    }
    search
}

fn keep(roots: &mut Vec<RootMove>, is_kept: impl Fn(usize) -> bool) {
    let mut index = 0;
    roots.retain(|_| {
        index += 1;
        is_kept(index - 1)
    });
}

/// Whether a game that ends after `plies` ends before a limit of moves makes it a draw. Moves of men are
/// taken to keep the count of king moves low.
fn is_in_time(position: &Position, draws: &DrawRules, plies: u32) -> bool {
    let (ending, age) = position.ending();
    let limit = draws.limit(ending);
    let men = count(position) - position.all_kings().count();
    age.saturating_add(plies) <= limit && (men > 0 || position.quiet_plies() + plies <= 2 * draws.kings_only)
}

/// Adds the best moves of both sides.
fn extend(tables: &Tables, mut position: Position, line: &mut super::Line) {
    while line.len() < SHOWN {
        let next = |&mv: &crate::Move| position.play::<International>(mv);
        let rank = |mv: &crate::Move| tables.code(&next(mv)).and_then(Code::before).map(Code::rank);
        let Some(mv) = legal_moves::<International>(&position).into_iter().max_by_key(rank) else { return };
        line.push(mv);
        position = next(&mv);
    }
}
