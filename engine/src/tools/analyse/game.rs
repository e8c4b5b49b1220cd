//! From a game to its report: every position is searched, from the last to the first.

use movegen::{Board, Color, Move, NoObserver, Square};
use search::chess::score::{centipawns, mated_in};
use search::chess::wdl;
use study::{GameReport, LineReport, PlyReport, Side, Verdict, judge};

use super::position::white_score;
use super::seer::{Found, Seer};
use crate::ending::Ending;
use crate::letters::Letters;
use crate::openings;
use crate::pgn::{Game, result_text};

/// Longest line shown, in plies.
const LONGEST_LINE: usize = 10;

/// What is known about a position of the game.
struct Look {
    verdict: Verdict,
    best: Option<Move>,
    line: Vec<Move>,
    depth: u32,
    /// Score from White's view, as text.
    score: String,
    legal_moves: usize,
}

/// Analyses a game; `None` when `is_cancelled` says so meanwhile.
///
/// The positions are searched backwards with the table kept, so that what is found about later moves is known when
/// the earlier ones are judged.
pub fn analyse(
    game: &Game,
    seer: &mut Seer,
    letters: Letters,
    is_cancelled: impl Fn() -> bool,
) -> Option<GameReport> {
    let mut board = game.start.clone();
    let mut plies: Vec<PlyReport> = Vec::with_capacity(game.moves.len());
    for mv in &game.moves {
        plies.push(ply(&board, *mv, letters));
        match mv {
            Some(mv) => board.make_move(*mv, &mut NoObserver),
            None => board.make_null(),
        }
        if let Some(ply) = plies.last_mut() {
            ply.fen = board.fen();
        }
    }
    seer.new_game();
    let mut after = last_look(seer, &board);
    for (mv, ply) in game.moves.iter().zip(&mut plies).rev() {
        if is_cancelled() {
            return None;
        }
        ply.score.clone_from(&after.score);
        ply.win = white_percent(&board, &after.verdict);
        match mv {
            Some(_) => board.unmake_move(),
            None => board.unmake_null(),
        }
        let before = look(seer, &board, Some(&after), mv.is_some());
        if let Some(mv) = *mv {
            let is_obvious = before.legal_moves == 1 || takes_back(&board, mv);
            let is_best = before.best == Some(mv);
            ply.apply(&judge(&before.verdict, &after.verdict, is_best, is_obvious));
            ply.depth = before.depth;
            if ply.mark.is_some() && !is_best {
                ply.best = Some(line(&board, &before, letters));
            }
        }
        after = before;
    }
    // The last search may have been cut short.
    if is_cancelled() {
        return None;
    }
    let opening = openings::find(&game.start, &game.moves);
    let mut report = GameReport {
        kind: "chess",
        number: game.number,
        tags: game.tags.clone(),
        result: result_text(game.result).to_owned(),
        opening: opening.map(|opening| (opening.code.to_owned(), opening.name.to_owned())),
        start: game.start.fen(),
        start_win: white_percent(&board, &after.verdict),
        notes: Vec::new(),
        plies,
        summary: Default::default(),
        turning_points: Vec::new(),
    };
    report.take_notes(game.notes());
    report.summarise();
    Some(report)
}

/// A move as it stands, not judged yet.
fn ply(board: &Board, mv: Option<Move>, letters: Letters) -> PlyReport {
    let square = |square: Square| square.to_string();
    PlyReport {
        number: board.fullmove_number(),
        side: if board.side_to_move() == Color::White { Side::White } else { Side::Black },
        text: mv.map_or("--".to_owned(), |mv| letters.write(&board.san(mv))),
        from: mv.map_or(String::new(), |mv| square(mv.from())),
        to: mv.map_or(String::new(), |mv| square(mv.destination())),
        fen: String::new(),
        score: String::new(),
        win: 50.0,
        loss: 0.0,
        score_loss: 0,
        mark: None,
        depth: 0,
        best: None,
        notes: Vec::new(),
    }
}

/// The last position of a game: drawn if the rules say so there.
fn last_look(seer: &mut Seer, board: &Board) -> Look {
    if matches!(Ending::of(board), Some(Ending::Material | Ending::Repetition | Ending::FiftyMoves)) {
        return Look {
            verdict: Verdict { expectation: 0.5, second: None, score: 0 },
            best: None,
            line: Vec::new(),
            depth: 0,
            score: white_score(0, Color::White),
            legal_moves: 0,
        };
    }
    look(seer, board, None, false)
}

/// Searches a position. Where a single move is legal (and was `played`), it is worth what comes `after`.
fn look(seer: &mut Seer, board: &Board, after: Option<&Look>, played: bool) -> Look {
    let moves = board.legal_moves();
    if let (Some(after), true, [only]) = (after, played, moves.as_slice()) {
        let Verdict { expectation, score, .. } = after.verdict;
        return Look {
            verdict: Verdict { expectation: 1.0 - expectation, second: None, score: -score },
            best: Some(*only),
            line: vec![*only],
            depth: after.depth,
            score: after.score.clone(),
            legal_moves: 1,
        };
    }
    let Some(Found { depth, lines, .. }) = seer.look(board) else {
        let (expectation, score, text) =
            if board.in_check() { (0.0, centipawns(mated_in(0)), "#") } else { (0.5, 0, "0.00") };
        let verdict = Verdict { expectation, second: None, score };
        return Look {
            verdict,
            best: None,
            line: Vec::new(),
            depth: 0,
            score: text.to_owned(),
            legal_moves: 0,
        };
    };
    let (score, line) = lines.first().cloned().unwrap_or_default();
    Look {
        verdict: Verdict {
            expectation: expectation(board, score),
            second: lines.get(1).map(|&(score, _)| expectation(board, score)),
            score: centipawns(score),
        },
        best: line.first().copied(),
        line,
        depth,
        score: white_score(score, board.side_to_move()),
        legal_moves: moves.len(),
    }
}

/// Expected result of a score for the side to move, 0 to 1.
pub fn expectation(board: &Board, score: i32) -> f64 {
    let [win, draw, _] = wdl::chances(score, board);
    (f64::from(win) + f64::from(draw) / 2.0) / 1000.0
}

/// White's expected result in percent, to a tenth.
fn white_percent(board: &Board, verdict: &Verdict) -> f64 {
    let expectation =
        if board.side_to_move() == Color::White { verdict.expectation } else { 1.0 - verdict.expectation };
    (1000.0 * expectation).round() / 10.0
}

/// Whether a move takes the man that has just moved: taking back, or what was left hanging.
fn takes_back(board: &Board, mv: Move) -> bool {
    mv.is_capture() && board.last_move().is_some_and(|last| last.destination() == mv.to())
}

/// What would have been better.
fn line(board: &Board, look: &Look, letters: Letters) -> LineReport {
    let mut board = board.clone();
    let mut line = LineReport { score: look.score.clone(), ..LineReport::default() };
    for &mv in look.line.iter().take(LONGEST_LINE) {
        if !board.is_legal(mv) {
            break;
        }
        line.moves.push(letters.write(&board.san(mv)));
        board.make_move(mv, &mut NoObserver);
        line.fens.push(board.fen());
    }
    line
}
