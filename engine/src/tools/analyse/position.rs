//! `dyad analyse`: thinks about one position and shows the lines as a table.

use std::fmt::Write as _;
use std::io::{IsTerminal, Write as _};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use movegen::{Board, Color, Move, NoObserver};
use search::chess::score::{centipawns, is_win, mate_distance};
use search::chess::{Request, Searcher, wdl};
use search::core::event::{Event, Info, ScoreBound, Sink};
use search::core::limit::Limits;
use study::{interrupted, refuse_file_name, watch_interrupts};

use super::AnalyseArgs;
use super::seer::{Found, Seer};
use crate::cli::position;
use crate::console;
use crate::letters::Letters;

/// Thinking time when no limit is given.
const DEFAULT_TIME: Duration = Duration::from_secs(3);
const HEADER: &str = " depth   score    win%  draw%  loss%     time       nodes  line";

/// Analyses a position, until an interrupt, and prints what was found.
///
/// # Errors
/// When the position cannot be read.
pub fn run(args: &AnalyseArgs) -> Result<(), String> {
    refuse_file_name(&args.position, &[("pgn", "--pgn"), ("epd", "--epd")])?;
    let board = position(&args.position)?;
    watch_interrupts();
    let limits = args.limits(Limits { move_time: Some(DEFAULT_TIME), ..Limits::default() });
    let multi_pv = args.multipv.unwrap_or(1) as usize;
    if args.json {
        let mut seer = Seer::new(args.threads as usize, args.hash as usize, limits, multi_pv);
        let found = seer.look(&board);
        console::line(json(&board, found.as_ref(), args.letters));
        return Ok(());
    }
    console::line(format_args!("{board}\n"));
    let mut request = Request::new(board.clone(), limits);
    request.multi_pv = multi_pv;
    let table = Arc::new(Table {
        lines: request.multi_pv.clamp(1, board.legal_moves().len().max(1)),
        board: board.clone(),
        letters: args.letters,
        is_terminal: std::io::stdout().is_terminal(),
        state: Mutex::default(),
    });
    console::line(HEADER);
    let mut searcher = Searcher::new(args.threads as usize, args.hash as usize);
    let sink: Arc<dyn Sink<Move>> = table.clone();
    let outcome = searcher.search_until(request, sink, interrupted);
    table.finish();
    match outcome.and_then(|outcome| outcome.best) {
        Some(best) => console::line(format_args!("\nBest move: {}", args.letters.write(&board.san(best)))),
        None if board.in_check() => console::line("\nCheckmate."),
        None => console::line("\nStalemate."),
    }
    Ok(())
}

/// The table: redrawn in place on a terminal; elsewhere one row per finished iteration, and what the last one found
/// before it was stopped.
struct Table {
    lines: usize,
    board: Board,
    letters: Letters,
    is_terminal: bool,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    rows: Vec<String>,
    drawn: usize,
    /// The newest row of the iteration in progress, not printed.
    pending: Option<String>,
}

impl Sink<Move> for Table {
    fn emit(&self, event: Event<Move>) {
        let Event::Info(info) = event else { return };
        let row = self.row(&info);
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if info.bound.is_some() && !self.is_terminal {
            state.pending = Some(row);
            return;
        }
        state.pending = None;
        if self.is_terminal {
            let index = info.multi_pv - 1;
            if state.rows.len() <= index {
                state.rows.resize(index + 1, String::new());
            }
            state.rows[index] = row;
            state.redraw();
        } else if state.rows.last() != Some(&row) {
            console::line(&row);
            state.rows = vec![row];
        }
    }
}

impl Table {
    fn row(&self, info: &Info<Move>) -> String {
        let [win, draw, loss] = wdl::chances(info.score, &self.board).map(|n| f64::from(n) / 10.0);
        let bound = match info.bound {
            Some(ScoreBound::Lower) => "+",
            Some(ScoreBound::Upper) => "-",
            None => "",
        };
        let number = if self.lines > 1 { format!("({}) ", info.multi_pv) } else { String::new() };
        format!(
            "{:>6}{:>9} {win:>6.1} {draw:>6.1} {loss:>6.1} {:>8} {:>11}  {number}{}",
            format!("{}/{}", info.depth, info.sel_depth),
            format!("{}{bound}", score_text(info.score)),
            format!("{:.2} s", info.elapsed.as_secs_f64()),
            info.nodes,
            san_line(&self.board, &info.pv, self.letters),
        )
    }

    fn finish(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.drawn = 0;
        if let Some(row) = state.pending.take() {
            console::line(row);
        }
    }
}

impl State {
    /// Goes back to the first row and writes all rows anew, each cut to the width of the terminal.
    fn redraw(&mut self) {
        let width = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok()).unwrap_or(118);
        let mut text = String::new();
        if self.drawn > 0 {
            let _ = write!(text, "\x1b[{}A", self.drawn);
        }
        for row in &self.rows {
            let _ = writeln!(text, "\x1b[2K{}", row.chars().take(width).collect::<String>());
        }
        self.drawn = self.rows.len();
        let mut out = std::io::stdout().lock();
        // A closed terminal is no reason to stop thinking.
        let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    }
}

/// A score for people: pawns, or the distance to mate.
pub fn score_text(score: i32) -> String {
    side_score(score, 1)
}

/// The same for a score that is seen by `mover`, from White's view. The distance is counted before the sign is turned,
/// since a mate in one and being mated next move are not one score with two signs.
pub fn white_score(score: i32, mover: Color) -> String {
    side_score(score, if mover == Color::White { 1 } else { -1 })
}

fn side_score(score: i32, sign: i32) -> String {
    match mate_distance(score) {
        Some(moves) if is_win(score) == (sign > 0) => format!("#{}", moves.abs()),
        Some(moves) => format!("#-{}", moves.abs()),
        None => format!("{:+.2}", f64::from(sign * centipawns(score)) / 100.0),
    }
}

/// A variation with move numbers, up to the first move that is not legal.
pub fn san_line(board: &Board, pv: &[Move], letters: Letters) -> String {
    let mut board = board.clone();
    let mut text = String::new();
    for (index, &mv) in pv.iter().enumerate() {
        if !board.is_legal(mv) {
            break;
        }
        let number = board.fullmove_number();
        let is_white = board.side_to_move() == Color::White;
        if index > 0 {
            text.push(' ');
        }
        if is_white {
            let _ = write!(text, "{number}. ");
        } else if index == 0 {
            let _ = write!(text, "{number}... ");
        }
        text.push_str(&letters.write(&board.san(mv)));
        board.make_move(mv, &mut NoObserver);
    }
    text
}

/// What a search found, for other programs: scores are seen by the side to move.
pub fn json(board: &Board, found: Option<&Found>, letters: Letters) -> serde_json::Value {
    let lines = found.map_or(&[][..], |found| &found.lines);
    let line = |(score, pv): &(i32, Vec<Move>)| {
        let [win, draw, loss] = wdl::chances(*score, board);
        let mate = mate_distance(*score);
        serde_json::json!({
            "centipawns": mate.is_none().then(|| centipawns(*score)),
            "mate": mate,
            "wdl": [win, draw, loss],
            "uci": pv.iter().map(|mv| mv.uci(board.is_chess960()).to_string()).collect::<Vec<_>>(),
            "line": san_line(board, pv, letters),
        })
    };
    serde_json::json!({
        "fen": board.fen(),
        "state": match (board.has_legal_move(), board.in_check()) {
            (true, _) => "open",
            (false, true) => "checkmate",
            (false, false) => "stalemate",
        },
        "depth": found.map(|found| found.depth),
        "nodes": found.map(|found| found.nodes),
        "lines": lines.iter().map(line).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use search::chess::score::{mate_in, mated_in};
    use search::chess::wdl::PAWN;

    #[test]
    fn scores_are_turned_to_white() {
        for (score, white, black) in [
            (mate_in(1), "#1", "#-1"),
            (mate_in(4), "#2", "#-2"),
            (mated_in(0), "#-0", "#0"),
            (mated_in(2), "#-1", "#1"),
            (PAWN, "+1.00", "-1.00"),
        ] {
            assert_eq!(white_score(score, Color::White), white);
            assert_eq!(white_score(score, Color::Black), black);
            assert_eq!(score_text(score), white);
        }
    }
}
