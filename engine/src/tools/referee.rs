//! `dyad referee`: judges whole games by the laws.

pub mod helpmate;
mod judge;

use std::path::PathBuf;

use clap::Args;
use movegen::Color;
use serde_json::{Value, json};

use crate::console;
use crate::pgn::{FaultKind, Game, GameReader, ILLEGAL, result_text};
use judge::{Claim, Edition, Flag, Judgement, Rule, judge};

/// Moves with which a draw could be claimed that are shown by name.
const NAMED_MOVES: usize = 4;

/// Arguments of `referee`.
#[derive(Args)]
pub struct RefereeArgs {
    /// File of games (PGN)
    file: PathBuf,
    /// Edition of the laws
    #[arg(long, value_enum, default_value = "2023")]
    laws: Edition,
    /// Positions looked at in each search for a helpmate
    #[arg(long, default_value_t = helpmate::LIMIT, value_parser = clap::value_parser!(u32).range(1..))]
    positions: u32,
    /// Print one JSON object for each game
    #[arg(long)]
    json: bool,
}

/// Judges every game of a file.
///
/// # Errors
/// When the file cannot be read or holds no game.
pub fn run(args: &RefereeArgs) -> Result<(), String> {
    let fail = |error: std::io::Error| format!("cannot read {}: {error}", args.file.display());
    let mut games = 0;
    for game in GameReader::open(&args.file).map_err(fail)? {
        let game = game.map_err(fail)?;
        let judgement = judge(&game, args.laws, args.positions as usize);
        if args.json {
            console::line(as_json(&game, &judgement));
        } else {
            console::line(as_text(&game, &judgement, args.laws));
        }
        games += 1;
    }
    if games == 0 { Err(format!("{}: holds no game", args.file.display())) } else { Ok(()) }
}

const fn color_name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

fn rule_name(rule: Rule) -> &'static str {
    match rule {
        Rule::ThirdRepetition => "third repetition",
        Rule::FiftyMoves => "fifty moves",
    }
}

fn claim_text(claim: &Claim) -> String {
    let who = color_name(claim.by);
    let how = match claim.declared.as_slice() {
        [] => "on the board".to_owned(),
        moves if moves.len() <= NAMED_MOVES => format!("with {}", moves.join(", ")),
        moves => {
            let named = moves.iter().take(NAMED_MOVES).map(String::as_str).collect::<Vec<_>>().join(", ");
            format!("with {named} or {} other moves", moves.len() - NAMED_MOVES)
        }
    };
    format!("after {}, {who} could claim the {}, {how}", claim.moment.after, rule_name(claim.rule))
}

/// Claims for one reason that follow each other without a gap become one line.
fn claim_lines(claims: &[Claim]) -> Vec<String> {
    let mut lines = Vec::new();
    for rule in [Rule::ThirdRepetition, Rule::FiftyMoves] {
        let of_rule: Vec<&Claim> = claims.iter().filter(|claim| claim.rule == rule).collect();
        for run in of_rule.chunk_by(|a, b| b.moment.ply == a.moment.ply + 1) {
            if let [first, _, _, .., last] = run {
                let count = run.len();
                lines.push(format!(
                    "{}; and so on, {count} times up to {}",
                    claim_text(first),
                    last.moment.after
                ));
            } else {
                lines.extend(run.iter().map(|claim| claim_text(claim)));
            }
        }
    }
    lines
}

fn flag_text(side: Color, flag: &Flag) -> String {
    let (who, other) = (color_name(side), color_name(!side));
    let mut parts = Vec::new();
    match (&flag.loses_until, &flag.draws_from) {
        (Some(_), None) if flag.undetermined.is_none() => parts.push("loses at any move".to_owned()),
        (Some(moment), _) => parts.push(format!("loses up to {}", moment.after)),
        (None, _) => {}
    }
    if let Some((moment, reason)) = &flag.draws_from {
        parts.push(format!("draws from {} on, since {other} cannot mate ({reason})", moment.after));
    }
    if let Some(count) = flag.undetermined {
        parts.push(format!("otherwise undetermined ({count} positions looked at)"));
    }
    format!("{who}'s flag: {}", parts.join("; "))
}

fn as_text(game: &Game, judgement: &Judgement, edition: Edition) -> String {
    let player = |name| game.tag(name).unwrap_or("?");
    let result = result_text(game.result);
    let mut lines = vec![format!(
        "Game {} (line {}): {} - {}, {result}",
        game.number,
        game.line,
        player("White"),
        player("Black")
    )];
    lines.push(format!("{} half-moves are legal", judgement.plies));
    if let Some(fault) = &judgement.illegal {
        let cost = match game.fault {
            Some(FaultKind::Move { why: ILLEGAL, .. }) => format!(" ({})", edition.illegal_move()),
            _ => String::new(),
        };
        lines.push(format!("then {fault}{cost}"));
    }
    lines.extend(judgement.passes.iter().map(|moment| format!("{} is no move", moment.after)));
    lines.extend(claim_lines(&judgement.claims));
    if let Some(end) = &judgement.end {
        lines.push(format!("ended after {}: {}", end.moment.after, end.law));
        if judgement.played_on > 0 {
            lines.push(format!("{} half-moves were played after the end", judgement.played_on));
        }
    }
    for (side, flag) in Color::ALL.into_iter().zip(&judgement.flags) {
        lines.push(flag_text(side, flag));
    }
    if let Some(told) = game.contradiction() {
        lines
            .push(format!("the tag Result tells {}, the end of the moves {result}", result_text(Some(told))));
    }
    lines.push(match (&judgement.wrong_result, judgement.unjudged_result) {
        (Some(why), _) => format!("the result {result} is wrong: {why}"),
        (None, Some(why)) => format!("the result {result} cannot be judged: {why}"),
        (None, None) => format!("the result {result} agrees with the laws"),
    });
    lines.join("\n  ")
}

fn as_json(game: &Game, judgement: &Judgement) -> Value {
    let flag = |flag: &Flag| {
        json!({
            "loses_until_ply": flag.loses_until.as_ref().map(|moment| moment.ply),
            "draws_from_ply": flag.draws_from.as_ref().map(|(moment, _)| moment.ply),
            "reason": flag.draws_from.as_ref().map(|(_, reason)| reason),
            "undetermined_positions": flag.undetermined,
            "helpmate": flag.helpmate,
        })
    };
    let claims: Vec<Value> = judgement
        .claims
        .iter()
        .map(|claim| {
            json!({
                "ply": claim.moment.ply, "after": claim.moment.after, "by": color_name(claim.by),
                "rule": rule_name(claim.rule), "declared": claim.declared,
            })
        })
        .collect();
    let end = judgement.end.as_ref().map(|end| {
        json!({
            "ply": end.moment.ply, "after": end.moment.after, "law": end.law,
            "winner": end.winner.map(color_name),
        })
    });
    let [white, black] = &judgement.flags;
    json!({
        "game": game.number, "line": game.line, "white": game.tag("White"), "black": game.tag("Black"),
        "result": result_text(game.result), "plies": judgement.plies, "illegal": judgement.illegal,
        "passes": judgement.passes.iter().map(|moment| moment.ply).collect::<Vec<_>>(),
        "claims": claims, "end": end, "played_on": judgement.played_on,
        "white_flag": flag(white), "black_flag": flag(black), "wrong_result": judgement.wrong_result,
        "unjudged_result": judgement.unjudged_result,
        "tag_result": game.contradiction().map(|told| result_text(Some(told))),
    })
}
