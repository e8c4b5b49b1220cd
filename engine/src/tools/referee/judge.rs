//! What the laws say about a game that was played (FIDE Laws of Chess; numbers of articles of 2023).

use clap::ValueEnum;
use movegen::{Board, Color, Move, NoObserver, PieceType};

use super::helpmate::{Answer, can_mate};
use crate::pgn::{Game, GameResult, result_text};

/// The edition of the laws, by the year from which it was in force.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, ValueEnum)]
pub enum Edition {
    /// From July 2009.
    #[value(name = "2009")]
    Y2009,
    /// From July 2014: the fifth repetition and 75 moves end a game.
    #[value(name = "2014")]
    Y2014,
    /// From 2018.
    #[value(name = "2018")]
    Y2018,
    /// From 2023: a resignation is a draw where the opponent cannot mate.
    #[value(name = "2023")]
    Y2023,
}

impl Edition {
    fn has_automatic_draws(self) -> bool {
        self >= Self::Y2014
    }

    /// Which illegal move of a player loses the game, and what the ones before cost.
    pub fn illegal_move(self) -> &'static str {
        match self {
            Self::Y2009 => "two minutes to the opponent for the first and second, the third loses",
            _ => "two minutes to the opponent for the first, the second loses (rapid and blitz: one minute)",
        }
    }
}

/// A moment of the game: the position before the move with this number of half-moves made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Moment {
    /// Half-moves played before.
    pub ply: usize,
    /// `27. Rd8#` for the move that led there; `the start` at the beginning.
    pub after: String,
}

/// A draw that could be claimed (9.2, 9.3).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// When.
    pub moment: Moment,
    /// Who was to move, and could claim.
    pub by: Color,
    /// For the third repetition or for fifty moves.
    pub rule: Rule,
    /// Moves that had to be declared first; empty when the position on the board sufficed.
    pub declared: Vec<String>,
}

/// The rules under which a draw can be claimed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// 9.2.
    ThirdRepetition,
    /// 9.3.
    FiftyMoves,
}

/// An end that needs nobody's word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ended {
    /// When.
    pub moment: Moment,
    /// By which law.
    pub law: &'static str,
    /// Who won, if anybody.
    pub winner: Option<Color>,
}

/// What a flag fall of one side means (6.9).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flag {
    /// Up to this moment the opponent wins: the last one from which a mate is proved; `None` when there is no such.
    pub loses_until: Option<Moment>,
    /// From this moment on it is a draw, with the proof.
    pub draws_from: Option<(Moment, String)>,
    /// Positions looked at where neither was proved.
    pub undetermined: Option<usize>,
    /// A helpmate from the last moment that loses.
    pub helpmate: Vec<String>,
}

/// All that the laws say about a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Judgement {
    /// Half-moves that could be played.
    pub plies: usize,
    /// What cannot be played.
    pub illegal: Option<String>,
    /// Passes, which are no moves.
    pub passes: Vec<Moment>,
    /// Draws that could be claimed.
    pub claims: Vec<Claim>,
    /// The first end by law.
    pub end: Option<Ended>,
    /// Half-moves played after it.
    pub played_on: usize,
    /// What a flag fall of White and of Black means.
    pub flags: [Flag; 2],
    /// Why the result cannot be right.
    pub wrong_result: Option<String>,
    /// Why nothing can be said of the result.
    pub unjudged_result: Option<&'static str>,
}

/// Judges a game. `limit` bounds each search for a helpmate in positions.
pub fn judge(game: &Game, edition: Edition, limit: usize) -> Judgement {
    let mut names = vec!["the start".to_owned()];
    let mut passes = Vec::new();
    let mut board = game.start.clone();
    let mut claims = Vec::new();
    let mut end = None;
    note(&mut board, 0, &names[0], edition, &mut claims, &mut end);
    for (ply, mv) in game.moves.iter().enumerate() {
        names.push(name(&board, *mv));
        match mv {
            Some(mv) => board.make_move(*mv, &mut NoObserver),
            None => {
                board.make_null();
                passes.push(Moment { ply: ply + 1, after: names[ply + 1].clone() });
            }
        }
        note(&mut board, ply + 1, &names[ply + 1], edition, &mut claims, &mut end);
    }
    let moment = |ply: usize| Moment { ply, after: names[ply].clone() };
    let [for_white, for_black] = [Color::White, Color::Black].map(|winner| chances(game, winner, limit));
    let dead =
        for_white.unwinnable_from.zip(for_black.unwinnable_from).map(|(white, black)| white.max(black));
    if let Some(ply) = dead.filter(|&ply| end.as_ref().is_none_or(|end: &Ended| ply < end.moment.ply)) {
        end = Some(Ended { moment: moment(ply), law: "dead position (5.2.2)", winner: None });
    }
    let plies = game.moves.len();
    let played_on = end.as_ref().map_or(0, |end| plies - end.moment.ply);
    let wrong_result = wrong_result(game, end.as_ref(), edition, &for_white, &for_black, plies);
    let flag = |chances: &Chances| Flag {
        loses_until: chances.winnable_until.map(moment),
        draws_from: chances.unwinnable_from.map(|ply| (moment(ply), chances.reason.clone())),
        undetermined: chances.undetermined,
        helpmate: chances
            .winnable_until
            .map_or_else(Vec::new, |ply| line(board_after(game, ply), &chances.helpmate)),
    };
    // White's flag gives Black the win.
    let flags = [flag(&for_black), flag(&for_white)];
    let illegal = game.fault.as_ref().map(ToString::to_string);
    let unjudged_result =
        (illegal.is_some() && end.is_none()).then_some("the game cannot be read to its end");
    Judgement { plies, illegal, passes, claims, end, played_on, flags, wrong_result, unjudged_result }
}

/// Takes note of claims and ends in a position.
fn note(
    board: &mut Board,
    ply: usize,
    after: &str,
    edition: Edition,
    claims: &mut Vec<Claim>,
    end: &mut Option<Ended>,
) {
    let moment = || Moment { ply, after: after.to_owned() };
    let seen = board.repetition_count() + 1;
    let law = if board.is_checkmate() {
        Some(("checkmate (5.1.1)", Some(!board.side_to_move())))
    } else if board.is_stalemate() {
        Some(("stalemate (5.2.1)", None))
    } else if edition.has_automatic_draws() && seen >= 5 {
        Some(("fifth repetition (9.6.1)", None))
    } else if edition.has_automatic_draws() && board.halfmove_clock() >= 150 {
        Some(("75 moves without capture or pawn move (9.6.2)", None))
    } else {
        None
    };
    if end.is_none()
        && let Some((law, winner)) = law
    {
        *end = Some(Ended { moment: moment(), law, winner });
    }
    if end.is_some() {
        return;
    }
    let by = board.side_to_move();
    let mut repeats = Vec::new();
    let mut quiet = Vec::new();
    let clock = board.halfmove_clock();
    // A position can come again only after four reversible half-moves.
    if clock >= 3 {
        for mv in board.legal_moves() {
            let is_pawn = board.piece_on(mv.from()).is_some_and(|man| man.kind() == PieceType::Pawn);
            if mv.is_capture() || is_pawn {
                continue;
            }
            if clock >= 99 {
                quiet.push(board.san(mv));
            }
            board.make_move(mv, &mut NoObserver);
            let is_third = board.repetition_count() >= 2;
            board.unmake_move();
            if is_third {
                repeats.push(board.san(mv));
            }
        }
    }
    for (rule, is_on_board, declared) in
        [(Rule::ThirdRepetition, seen >= 3, repeats), (Rule::FiftyMoves, clock >= 100, quiet)]
    {
        if is_on_board || !declared.is_empty() {
            let declared = if is_on_board { Vec::new() } else { declared };
            claims.push(Claim { moment: moment(), by, rule, declared });
        }
    }
}

/// `27. Rd8#` or `27... Kg8`.
fn name(board: &Board, mv: Option<Move>) -> String {
    let dots = if board.side_to_move() == Color::White { "." } else { "..." };
    let text = mv.map_or_else(|| "--".to_owned(), |mv| board.san(mv));
    format!("{}{dots} {text}", board.fullmove_number())
}

/// The position after some half-moves. Kept for no moment: long games have too many.
fn board_after(game: &Game, plies: usize) -> Board {
    let mut board = game.start.clone();
    for mv in game.moves.iter().take(plies) {
        match mv {
            Some(mv) => board.make_move(*mv, &mut NoObserver),
            None => board.make_null(),
        }
    }
    board
}

fn line(mut board: Board, moves: &[Move]) -> Vec<String> {
    let mut texts = Vec::new();
    for &mv in moves {
        texts.push(name(&board, Some(mv)));
        board.make_move(mv, &mut NoObserver);
    }
    texts
}

/// Until when a side could mate. As long as it could at some moment it could at every earlier one, by way of the
/// game itself; so both moments are found by halving.
struct Chances {
    winnable_until: Option<usize>,
    helpmate: Vec<Move>,
    unwinnable_from: Option<usize>,
    reason: String,
    undetermined: Option<usize>,
}

fn chances(game: &Game, winner: Color, limit: usize) -> Chances {
    let mut found = Chances {
        winnable_until: None,
        helpmate: Vec::new(),
        unwinnable_from: None,
        reason: String::new(),
        undetermined: None,
    };
    // Moments below `low` are winnable, those from `high` on are not.
    let (mut low, mut high) = (0, game.moves.len() + 1);
    let mut next = game.moves.len();
    while low < high {
        match can_mate(&board_after(game, next), winner, limit) {
            Answer::Winnable(line) => {
                (found.winnable_until, found.helpmate) = (Some(next), line);
                low = next + 1;
            }
            Answer::Unwinnable(reason) => {
                (found.unwinnable_from, found.reason) = (Some(next), reason);
                high = next;
            }
            Answer::Undetermined(count) => {
                found.undetermined = Some(count);
                // What lies after is not known; what lies before may be.
                high = next;
            }
        }
        next = low + (high - low) / 2;
    }
    found
}

/// Why the result cannot be right, if it cannot.
fn wrong_result(
    game: &Game,
    end: Option<&Ended>,
    edition: Edition,
    for_white: &Chances,
    for_black: &Chances,
    plies: usize,
) -> Option<String> {
    let wanted = |end: &Ended| match end.winner {
        Some(Color::White) => GameResult::White,
        Some(Color::Black) => GameResult::Black,
        None => GameResult::Draw,
    };
    if let Some(end) = end {
        let wanted = wanted(end);
        return (game.result != Some(wanted)).then(|| {
            format!("{} after {}: the result is {}", end.law, end.moment.after, result_text(Some(wanted)))
        });
    }
    if game.fault.is_some() {
        return None;
    }
    let (side, chances) = match game.result? {
        GameResult::White => ("White", for_white),
        GameResult::Black => ("Black", for_black),
        GameResult::Draw => return None,
    };
    let cannot = chances.unwinnable_from.is_some_and(|ply| ply <= plies);
    let how = if edition >= Edition::Y2023 { "a flag fall or resignation" } else { "a flag fall" };
    cannot.then(|| format!("{side} cannot mate by any series of legal moves: {how} is a draw"))
}
