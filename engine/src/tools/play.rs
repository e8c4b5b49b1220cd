//! `dyad play`: a person plays against the engine in the terminal.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use movegen::{Board, Color, File, Move, NoObserver, Piece, Rank, Square};
use search::chess::handicap::{MAX_ELO, MIN_ELO};
use search::chess::score::centipawns;
use search::chess::{Handicap, Request, Searcher};
use search::core::event::Silent;
use search::core::limit::Limits;
use study::{Clock, Ending, Opponent, Pace, Seat, Settings, Side, Style, Turn, play, today};

use super::analyse::white_score;
use crate::cli::position;
use crate::ending;
use crate::letters::Letters;
use crate::pgn::start_tags;

/// Time that passes between the engine and its clock.
const OVERHEAD: Duration = Duration::from_millis(20);

/// Arguments of `play`.
#[derive(Args)]
pub struct PlayArgs {
    /// The colour you play
    #[arg(long, visible_alias = "color", value_enum, default_value_t = Side::White)]
    colour: Side,
    /// Strength of the engine in Elo, from 1000 to 2800; full strength when missing
    #[arg(long, value_name = "ELO", value_parser = clap::value_parser!(u32).range(i64::from(MIN_ELO)..=i64::from(MAX_ELO)))]
    level: Option<u32>,
    /// Seconds for each move of the engine
    #[arg(long, value_parser = study::seconds, default_value = "1")]
    time: Duration,
    /// Play with clocks: minutes for the game and seconds added for each move, such as 5+3
    #[arg(long, value_name = "MIN+SEC", value_parser = study::parse_clock)]
    clock: Option<Clock>,
    /// Position to begin from
    #[arg(long, default_value = "startpos", hide_default_value = true)]
    fen: String,
    /// Draw the board with letters instead of figures
    #[arg(long)]
    ascii: bool,
    /// Letters of the men in moves
    #[arg(long, value_enum, default_value_t)]
    letters: Letters,
    /// Write the game to this PGN file, a new one, after every move
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Number of searching threads
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
    /// Size of the transposition table in MiB
    #[arg(long, default_value_t = 64, value_name = "MB", value_parser = study::hash())]
    hash: u32,
}

const HELP: &str = "\
Type a move as in Nf3, exd5, O-O, e8=Q or by its squares as in g1f3.";

/// Plays a game.
///
/// # Errors
/// When the position cannot be read or the file for the game not be written.
pub fn run(args: &PlayArgs) -> Result<(), String> {
    let board = position(&args.fen)?;
    let mut table = Table {
        start: board.clone(),
        board,
        moves: Vec::new(),
        letters: args.letters,
        style: Style::of_output(),
    };
    let mut thinker =
        Thinker { searcher: Searcher::new(args.threads as usize, args.hash as usize), level: args.level };
    let settings = Settings {
        you: args.colour,
        ascii: args.ascii,
        clock: args.clock,
        time: args.time,
        save: args.save.clone(),
        help: HELP,
    };
    play(&mut table, &mut thinker, settings)
}

/// The game.
struct Table {
    start: Board,
    board: Board,
    moves: Vec<Move>,
    letters: Letters,
    style: Style,
}

struct Thinker {
    searcher: Searcher,
    level: Option<u32>,
}

const fn side(color: Color) -> Side {
    match color {
        Color::White => Side::White,
        Color::Black => Side::Black,
    }
}

/// The figure of a man (Unicode, Chess Symbols).
const fn figure(piece: Piece) -> char {
    match piece {
        Piece::WhiteKing => '♔',
        Piece::WhiteQueen => '♕',
        Piece::WhiteRook => '♖',
        Piece::WhiteBishop => '♗',
        Piece::WhiteKnight => '♘',
        Piece::WhitePawn => '♙',
        Piece::BlackKing => '♚',
        Piece::BlackQueen => '♛',
        Piece::BlackRook => '♜',
        Piece::BlackBishop => '♝',
        Piece::BlackKnight => '♞',
        Piece::BlackPawn => '♟',
    }
}

impl Table {
    fn text(&self, mv: Move) -> String {
        self.letters.write(&self.board.san(mv))
    }

    fn cell(&self, square: Square, ascii: bool) -> String {
        let piece = self.board.piece_on(square);
        let is_dark = (square.file().index() + square.rank().index()).is_multiple_of(2);
        let letter = match piece {
            Some(piece) if ascii => piece.to_char(),
            Some(piece) => figure(piece),
            None if is_dark && !self.style.has_colour() => '.',
            None => ' ',
        };
        let is_last = self.moves.last().is_some_and(|mv| [mv.from(), mv.destination()].contains(&square));
        let ground = match (is_last, is_dark) {
            (true, _) => "30;48;5;186",
            (false, true) => "30;48;5;137",
            (false, false) => "30;48;5;223",
        };
        self.style.paint(ground, &format!("{letter} "))
    }
}

impl Seat for Table {
    const RESULTS: [&str; 3] = ["1-0", "0-1", "1/2-1/2"];

    fn side_to_move(&self) -> Side {
        side(self.board.side_to_move())
    }

    fn board(&self, below: Side, ascii: bool) -> String {
        let is_white_below = below == Side::White;
        let turned = |index: usize| if is_white_below { index } else { 7 - index };
        let mut text = String::new();
        for row in (0..8).rev() {
            let Some(&rank) = Rank::ALL.get(turned(row)) else { continue };
            text.push_str(&format!("  {} ", rank.to_char()));
            for column in 0..8 {
                let Some(&file) = File::ALL.get(turned(column)) else { continue };
                text.push_str(&self.cell(Square::new(file, rank), ascii));
            }
            text.push('\n');
        }
        text.push_str(if is_white_below { "    a b c d e f g h" } else { "    h g f e d c b a" });
        let who = if self.board.side_to_move() == Color::White { "White" } else { "Black" };
        let check = if self.board.in_check() { ", in check" } else { "" };
        text.push_str(&format!("\n  {who} to move{check}"));
        text
    }

    fn fen(&self) -> String {
        self.board.fen()
    }

    fn ending(&self) -> Option<Ending> {
        let (reason, result) = match ending::Ending::of(&self.board)? {
            ending::Ending::Mate(winner) => ("checkmate", self.lost_by(side(!winner))),
            ending::Ending::Stalemate => ("stalemate", self.drawn()),
            ending::Ending::Material => ("nobody can give mate", self.drawn()),
            ending::Ending::Repetition => ("third repetition", self.drawn()),
            ending::Ending::FiftyMoves => ("fifty moves without a capture or pawn move", self.drawn()),
        };
        Some(Ending { reason: reason.into(), result })
    }

    fn moves(&self) -> Vec<String> {
        let mut texts: Vec<String> = self.board.legal_moves().into_iter().map(|mv| self.text(mv)).collect();
        texts.sort_unstable();
        texts
    }

    fn plies(&self) -> usize {
        self.moves.len()
    }

    fn make(&mut self, text: &str) -> Result<String, String> {
        let english = self.letters.read(text);
        let mv =
            self.board.parse_san(&english).or_else(|error| self.board.parse_uci(text).map_err(|_| error));
        let mv = mv.map_err(|error| format!("'{}': {error}", text.chars().take(40).collect::<String>()))?;
        let written = self.text(mv);
        self.board.make_move(mv, &mut NoObserver);
        self.moves.push(mv);
        Ok(written)
    }

    fn take_back(&mut self) -> bool {
        let had = self.moves.pop().is_some();
        if had {
            self.board.unmake_move();
        }
        had
    }

    fn record(&self, white: &str, black: &str, result: &str) -> String {
        let mut text = format!(
            "[Event \"Game in a terminal\"]\n[Site \"?\"]\n[Date \"{}\"]\n[Round \"-\"]\n[White \"{white}\"]\n\
             [Black \"{black}\"]\n[Result \"{result}\"]\n",
            today()
        );
        for (name, value) in start_tags(&self.start) {
            text.push_str(&format!("[{name} \"{value}\"]\n"));
        }
        text.push('\n');
        let mut board = self.start.clone();
        let mut column = 0;
        let mut words = Vec::new();
        for (index, &mv) in self.moves.iter().enumerate() {
            match board.side_to_move() {
                Color::White => words.push(format!("{}.", board.fullmove_number())),
                Color::Black if index == 0 => words.push(format!("{}...", board.fullmove_number())),
                Color::Black => {}
            }
            words.push(board.san(mv));
            board.make_move(mv, &mut NoObserver);
        }
        words.push(result.to_owned());
        for word in words {
            if column > 0 && column + 1 + word.len() > 79 {
                text.push('\n');
                column = 0;
            } else if column > 0 {
                text.push(' ');
                column += 1;
            }
            text.push_str(&word);
            column += word.len();
        }
        text.push('\n');
        text
    }

    fn lost_on_time(&self, loser: Side) -> String {
        let winner = if loser == Side::White { Color::Black } else { Color::White };
        if ending::can_win(&self.board, winner) { self.lost_by(loser) } else { self.drawn() }
    }
}

impl Opponent<Table> for Thinker {
    fn think(&mut self, table: &Table, pace: Pace, is_hint: bool) -> Option<Turn> {
        let (limits, overhead) = match pace {
            Pace::Fixed(time) => (Limits::of_time(time), Duration::ZERO),
            Pace::Clock(Clock { remaining, increment }) => (Limits::of_clock(remaining, increment), OVERHEAD),
        };
        let mut request = Request::new(table.board.clone(), limits);
        request.overhead = overhead;
        request.handicap = self.level.filter(|_| !is_hint).map(Handicap::from_elo);
        let found = self.searcher.search(request, Arc::new(Silent))?;
        let best = found.best?;
        Some(Turn {
            text: table.text(best),
            score: format!("{} for White", white_score(found.score, table.board.side_to_move())),
            points: centipawns(found.score),
        })
    }

    fn set_level(&mut self, text: &str) -> Result<(), String> {
        if text.eq_ignore_ascii_case("max") {
            self.level = None;
        } else {
            let level = text.parse().ok().filter(|level| (MIN_ELO..=MAX_ELO).contains(level));
            self.level = Some(level.ok_or(format!("a strength from {MIN_ELO} to {MAX_ELO} Elo, or max"))?);
        }
        Ok(())
    }

    fn name(&self) -> String {
        let level = self.level.map_or(String::new(), |elo| format!(" ({elo} Elo)"));
        format!("Dyad {}{level}", env!("CARGO_PKG_VERSION"))
    }
}
