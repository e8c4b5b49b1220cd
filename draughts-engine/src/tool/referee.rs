//! `referee`: judges whole games by the rules (FMJD Annex 1).

use crate::cli::print;
use clap::Args;
use draughts::game::DrawRules;
use draughts::pdn::{self, PartialGame, PdnGame, PdnResult};
use draughts::position::Ending;
use draughts::rules::{International, THREE_TO_ONE, THREE_TO_ONE_OLD};
use draughts::{Color, Game, legal_moves};
use serde_json::json;
use std::path::PathBuf;
use study::Failure;

/// What `referee` is told.
#[derive(Args)]
pub struct Referee {
    /// File of games (PDN).
    file: PathBuf,
    /// Take the older text of the rules: 10 moves with three pieces against a king, instead of 16.
    #[arg(long)]
    old_rules: bool,
    /// Print one JSON object for each game.
    #[arg(long)]
    json: bool,
}

/// A draw by rule, when it was first due.
struct Due {
    /// Half-moves made by then.
    ply: usize,
    rule: &'static str,
}

/// What the rules say about a game.
struct Judgement {
    draws: Vec<Due>,
    /// Who won on the board, and after how many half-moves.
    win: Option<(usize, Color)>,
    result: Finding,
}

/// What there is to say about the result.
enum Finding {
    /// It can be right.
    Agrees,
    /// It cannot; why.
    Wrong(String),
    /// The game cannot be followed to its end; why.
    Unknown(String),
}

/// Judges every game of a file.
///
/// # Errors
/// When it cannot be read.
pub fn run(args: &Referee) -> Result<(), Failure> {
    let cannot = |error| format!("cannot read {}: {error}", args.file.display());
    let bytes = std::fs::read(&args.file).map_err(cannot)?;
    let rules = DrawRules {
        three_to_one: if args.old_rules { THREE_TO_ONE_OLD } else { THREE_TO_ONE },
        ..DrawRules::default()
    };
    let games = pdn::parse_partial(&pdn::decode(&bytes));
    if games.is_empty() && !args.json {
        print("no games");
    }
    for (number, game) in games.iter().enumerate() {
        let judgement = judge(game, rules);
        if args.json {
            print(as_json(number + 1, game, &judgement));
        } else {
            print(as_text(number + 1, game, &judgement));
        }
    }
    Ok(())
}

/// Plays the game again and looks at every position.
fn judge(partial: &PartialGame, rules: DrawRules) -> Judgement {
    let read = &partial.read;
    let mut game = Game::new(*read.game.start());
    let mut judgement = Judgement { draws: Vec::new(), win: None, result: Finding::Agrees };
    let mut moves = read.game.moves().iter();
    loop {
        let position = game.position();
        let ply = game.moves().len();
        if legal_moves::<International>(position).is_empty() {
            // A win completed on the last move of a limit stands.
            judgement.win = Some((ply, !position.turn()));
        } else {
            let (ending, age) = position.ending();
            for (rule, is_due) in [
                ("third repetition (6.1)", game.repetitions() >= 3),
                (
                    "25 moves with kings alone and no capture (6.2)",
                    position.quiet_plies() >= 2 * rules.kings_only,
                ),
                (
                    "moves with three pieces against a king (6.3)",
                    ending == Ending::ThreeToOne && age >= 2 * rules.three_to_one,
                ),
                (
                    "5 moves with two pieces or one against a king (6.4)",
                    ending == Ending::TwoToOne && age >= 2 * rules.two_to_one,
                ),
            ] {
                if is_due && !judgement.draws.iter().any(|due| due.rule == rule) {
                    judgement.draws.push(Due { ply, rule });
                }
            }
        }
        match moves.next() {
            Some(&mv) => game.push::<International>(mv),
            None => break,
        }
    }
    // A draw by rule ends the game: what was played after it does not count.
    let wanted = match (judgement.draws.first(), judgement.win) {
        (Some(due), _) => Some((PdnResult::Draw, format!("a draw was due: {}", due.rule))),
        (None, Some((_, winner))) => {
            let result = if winner == Color::White { PdnResult::White } else { PdnResult::Black };
            Some((result, format!("{} has no move", name(!winner))))
        }
        (None, None) => None,
    };
    judgement.result = match (wanted, &partial.fault) {
        (Some((wanted, _)), _) if wanted == read.result => Finding::Agrees,
        (Some((wanted, why)), _) => Finding::Wrong(format!("{why}: the result is {wanted}")),
        (None, Some(_)) => Finding::Unknown("the game cannot be read to its end".to_owned()),
        (None, None) => Finding::Agrees,
    };
    judgement
}

const fn name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// `27. 32-28` for the move that led to a position.
fn moment(read: &PdnGame, ply: usize) -> String {
    let Some(before) = ply.checked_sub(1) else { return "the start".to_owned() };
    let game = &read.game;
    let (Some(&mv), Some(position)) = (game.moves().get(before), game.positions().get(before)) else {
        return format!("{ply} half-moves");
    };
    let first = usize::from(game.start().turn() == Color::Black);
    let dots = if position.turn() == Color::White { "." } else { "..." };
    format!("{}{dots} {}", (before + first) / 2 + 1, pdn::written(mv, position))
}

fn as_text(number: usize, game: &PartialGame, judgement: &Judgement) -> String {
    let read = &game.read;
    let player = |name| read.tag(name).unwrap_or("?");
    let mut lines = vec![
        format!("Game {number}: {} - {}, {}", player("White"), player("Black"), read.result),
        format!("{} half-moves are legal", read.game.moves().len()),
    ];
    if let Some(fault) = &game.fault {
        lines.push(format!("then {fault}"));
    }
    for due in &judgement.draws {
        lines.push(format!("after {}, a draw was due: {}", moment(read, due.ply), due.rule));
    }
    if let Some((ply, winner)) = judgement.win {
        lines.push(format!("ended after {}: {} has no move", moment(read, ply), name(!winner)));
    }
    let result = read.result;
    lines.push(match &judgement.result {
        Finding::Wrong(why) => format!("the result {result} is wrong: {why}"),
        Finding::Unknown(why) => format!("the result {result} cannot be judged: {why}"),
        Finding::Agrees => format!("the result {result} agrees with the rules"),
    });
    lines.join("\n  ")
}

fn as_json(number: usize, game: &PartialGame, judgement: &Judgement) -> String {
    let read = &game.read;
    let draws: Vec<_> = judgement
        .draws
        .iter()
        .map(|due| json!({"ply": due.ply, "after": moment(read, due.ply), "rule": due.rule}))
        .collect();
    let (wrong, unjudged) = match &judgement.result {
        Finding::Agrees => (None, None),
        Finding::Wrong(why) => (Some(why), None),
        Finding::Unknown(why) => (None, Some(why)),
    };
    json!({
        "game": number, "white": read.tag("White"), "black": read.tag("Black"),
        "result": read.result.to_string(), "plies": read.game.moves().len(),
        "illegal": game.fault.as_ref().map(ToString::to_string), "draws": draws,
        "end": judgement.win.map(|(ply, winner)| json!({"ply": ply, "winner": name(winner)})),
        "wrong_result": wrong, "unjudged_result": unjudged,
    })
    .to_string()
}
