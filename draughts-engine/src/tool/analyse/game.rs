//! From a game to its report: every position is searched, from the last to the first.

use std::sync::Arc;

use draughts::bitbase::Tables;
use draughts::pdn::{self, PdnGame};
use draughts::rules::International;
use draughts::search::score::WIN;
use draughts::search::{Engine, Request};
use draughts::{Color, Game, Move, Position, fen, legal_moves};
use search::core::event::{Collector, Event, Sink};
use search::core::limit::Limits;
use study::{GameReport, LineReport, PlyReport, Side, Verdict, interrupted, judge};

use super::score_text;

/// Hundredths of a man for which the expected result rises from one half to 73 %: fitted to the results of games of
/// the engine against itself.
const SCALE: f64 = 100.0;
/// Longest line shown, in plies.
const LONGEST_LINE: usize = 10;
/// Best lines looked for: the second tells whether a move was the only good one.
const LINES: usize = 2;

/// Searches positions under the same limits.
pub struct Seer {
    engine: Engine,
    limits: Limits,
}

/// What is known about a position of the game.
#[derive(Clone)]
struct Look {
    verdict: Verdict,
    line: Vec<Move>,
    depth: u32,
    legal_moves: usize,
}

impl Seer {
    /// A searcher with one thread, a table of `hash` MiB and perhaps endgame tables.
    pub fn new(hash: usize, limits: Limits, tables: Option<Arc<Tables>>) -> Self {
        let mut engine = Engine::new(1, hash);
        if let Some(tables) = tables {
            engine.set_tables(tables);
        }
        Self { engine, limits }
    }

    /// Searches the position of a game, until an interrupt. `after` is what is known about the next one, if a move was played here.
    fn look(&mut self, game: &Game, after: Option<&Look>) -> Look {
        let moves = legal_moves::<International>(game.position());
        let verdict = |expectation, score| Verdict { expectation, second: None, score };
        match (moves.as_slice(), after) {
            ([], _) => {
                return Look { verdict: verdict(0.0, -WIN), line: Vec::new(), depth: 0, legal_moves: 0 };
            }
            ([only], Some(after)) => {
                let Verdict { expectation, score, .. } = after.verdict;
                return Look {
                    verdict: verdict(1.0 - expectation, -score),
                    line: vec![*only],
                    depth: after.depth,
                    legal_moves: 1,
                };
            }
            _ => {}
        }
        let mut request = Request::new(game.clone(), self.limits.clone());
        request.lines = LINES;
        let collector = Arc::new(Collector::new());
        self.engine.start(request, Arc::clone(&collector) as Arc<dyn Sink<Move>>);
        self.engine.wait_until(interrupted);
        let (mut lines, mut best) = ([const { None }; LINES], None);
        for event in collector.take() {
            match event {
                Event::Info(info) if info.bound.is_none() => {
                    if let Some(slot) = info.multi_pv.checked_sub(1).and_then(|index| lines.get_mut(index)) {
                        *slot = Some(info);
                    }
                }
                Event::BestMove { best: mv, .. } => best = mv,
                _ => {}
            }
        }
        let [first, second] = lines;
        let first = first.filter(|info| info.pv.first().copied() == best || best.is_none());
        let score = first.as_ref().map_or(0, |info| info.score);
        let other = second.filter(|info| info.pv.first().copied() != best);
        Look {
            verdict: Verdict {
                expectation: expectation(score),
                second: other.map(|info| expectation(info.score)),
                score,
            },
            depth: first.as_ref().map_or(0, |info| info.depth),
            line: first.map_or_else(|| best.into_iter().collect(), |info| info.pv),
            legal_moves: moves.len(),
        }
    }
}

/// Expected result of a score, 0 to 1.
fn expectation(score: i32) -> f64 {
    1.0 / (1.0 + (-f64::from(score) / SCALE).exp())
}

const fn side(color: Color) -> Side {
    match color {
        Color::White => Side::White,
        Color::Black => Side::Black,
    }
}

/// Score from White's view as text.
fn white_score(look: &Look, position: &Position) -> String {
    if look.legal_moves == 0 {
        return "#".to_owned();
    }
    let score = look.verdict.score;
    score_text(if position.turn() == Color::White { score } else { -score })
}

/// White's expected result in percent, to a tenth.
fn white_percent(look: &Look, position: &Position) -> f64 {
    let expectation = look.verdict.expectation;
    let white = if position.turn() == Color::White { expectation } else { 1.0 - expectation };
    (1000.0 * white).round() / 10.0
}

/// Analyses a game; `None` when `is_cancelled` says so meanwhile.
///
/// The positions are searched backwards with the table kept, so that what is found about later moves is known when
/// the earlier ones are judged.
pub fn analyse(
    source: &PdnGame,
    number: u64,
    seer: &mut Seer,
    is_cancelled: impl Fn() -> bool,
) -> Option<GameReport> {
    seer.engine.new_game();
    let mut game = source.game.clone();
    let mut after = match game.outcome::<International>() {
        // A draw by the rules; a side without a move is seen by the search.
        Some(outcome) if !matches!(outcome, draughts::Outcome::Win(_)) => Look {
            verdict: Verdict { expectation: 0.5, second: None, score: 0 },
            line: Vec::new(),
            depth: 0,
            legal_moves: 1,
        },
        _ => seer.look(&game, None),
    };
    let mut plies = Vec::with_capacity(game.moves().len());
    let first = usize::from(game.start().turn() == Color::Black);
    while let Some(&mv) = game.moves().last() {
        if is_cancelled() {
            return None;
        }
        let position = *game.position();
        game.pop();
        let before = seer.look(&game, Some(&after));
        let is_best = before.line.first() == Some(&mv);
        let mut ply = PlyReport {
            number: u32::try_from((game.moves().len() + first) / 2 + 1).unwrap_or(u32::MAX),
            side: side(game.position().turn()),
            text: pdn::written(mv, game.position()),
            from: mv.from.to_string(),
            to: mv.to.to_string(),
            fen: fen::to_fen(&position),
            score: white_score(&after, &position),
            win: white_percent(&after, &position),
            loss: 0.0,
            score_loss: 0,
            mark: None,
            depth: before.depth,
            best: None,
            notes: Vec::new(),
        };
        ply.apply(&judge(&before.verdict, &after.verdict, is_best, before.legal_moves == 1));
        if ply.mark.is_some() && !is_best {
            ply.best = Some(line(game.position(), &before));
        }
        plies.push(ply);
        after = before;
    }
    // The last search may have been cut short.
    if is_cancelled() {
        return None;
    }
    plies.reverse();
    let mut report = GameReport {
        kind: "draughts",
        number,
        tags: source.tags.clone(),
        result: source.result.to_string(),
        opening: None,
        start: fen::to_fen(game.start()),
        start_win: white_percent(&after, game.start()),
        notes: Vec::new(),
        plies,
        summary: Default::default(),
        turning_points: Vec::new(),
    };
    report.take_notes(&source.notes);
    report.summarise();
    Some(report)
}

/// What would have been better.
fn line(position: &Position, look: &Look) -> LineReport {
    let mut report = LineReport { score: white_score(look, position), ..LineReport::default() };
    let mut position = *position;
    for &mv in look.line.iter().take(LONGEST_LINE) {
        if !legal_moves::<International>(&position).contains(&mv) {
            break;
        }
        report.moves.push(pdn::written(mv, &position));
        position = position.play::<International>(mv);
        report.fens.push(fen::to_fen(&position));
    }
    report
}
