//! Ratings of many players from all their games at once.
//!
//! The model is that of Bradley and Terry with draws as half a win, on the Elo scale: the ratings are those for which
//! the results were likeliest (maximum likelihood, Newton's method). Every player also has one drawn game against a
//! player of rating 0 (<https://www.remi-coulom.fr/Bayesian-Elo/> does alike), so that who won everything has a rating
//! too, and groups that never met are only loosely tied. Errors come from the curvature of the likelihood, scaled by how
//! much the results really spread: draws spread less than the model says.

use std::path::PathBuf;

use clap::Args;
use study::Failure;

use crate::console::line;
use crate::pgn::{GameReader, GameResult};

/// Elo of odds of e to one.
const UNIT: f64 = 400.0 / std::f64::consts::LN_10;
/// Quantile of the normal distribution for bars of 95 %.
const Z95: f64 = 1.959_963_984_540_054;
/// Newton steps, of which a few are enough.
const MOST_STEPS: usize = 200;
/// Longest Newton step, in units of [`UNIT`].
const LONGEST_STEP: f64 = 1.0;
/// The work grows with the third power of the number of players.
const MOST_PLAYERS: usize = 1_000;

/// Arguments of `pgn ratings`.
#[derive(Args)]
pub struct RatingsArgs {
    /// Files of games
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Player whose rating is known (the mean is 0 when there is none)
    #[arg(long, value_name = "NAME=ELO", value_parser = anchor)]
    anchor: Option<(String, f64)>,
}

fn anchor(text: &str) -> Result<(String, f64), String> {
    let (name, elo) = text.rsplit_once('=').ok_or("give NAME=ELO")?;
    match elo.trim().parse::<f64>() {
        Ok(elo) if elo.abs() <= 10_000.0 => Ok((name.trim().to_owned(), elo)),
        _ => Err(format!("'{elo}' is no rating")),
    }
}

/// A game between two players, by their places in the list.
struct Meeting {
    white: usize,
    black: usize,
    /// Points of White: 0, 1/2 or 1.
    points: f64,
}

/// What a player did.
#[derive(Default)]
struct Player {
    name: String,
    games: u64,
    draws: u64,
    points: f64,
}

/// A rating with half the width of its interval of 95 %, both in Elo.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Rating {
    elo: f64,
    error: f64,
}

/// Prints the ratings of all players, best first.
///
/// # Errors
/// When a file cannot be read, or holds no result of two players with names.
pub fn run(args: &RatingsArgs) -> Result<(), Failure> {
    let (mut players, mut meetings, mut unused) = (Vec::<Player>::new(), Vec::new(), 0_u64);
    for file in &args.files {
        let cannot = |error| format!("cannot read '{}': {error}", file.display());
        for game in GameReader::open(file).map_err(cannot)? {
            let game = game.map_err(cannot)?;
            let name = |tag| game.tag(tag).map(str::trim).filter(|name| !name.is_empty() && *name != "?");
            let points = match game.result {
                Some(GameResult::White) => 1.0,
                Some(GameResult::Draw) => 0.5,
                Some(GameResult::Black) => 0.0,
                None => f64::NAN,
            };
            match (name("White"), name("Black")) {
                (Some(white), Some(black)) if white != black && !points.is_nan() => {
                    let white = place(&mut players, white)?;
                    let black = place(&mut players, black)?;
                    players[white].count(points);
                    players[black].count(1.0 - points);
                    meetings.push(Meeting { white, black, points });
                }
                _ => unused += 1,
            }
        }
    }
    if meetings.is_empty() {
        return Err("no result of two players with names".into());
    }
    let anchor = match &args.anchor {
        None => None,
        Some((name, elo)) => {
            let found = players.iter().position(|player| player.name == *name);
            Some((found.ok_or_else(|| format!("nobody is named '{name}'"))?, *elo))
        }
    };
    print(&players, &fit(players.len(), &meetings, anchor));
    if unused > 0 {
        line(format_args!("left out: {unused} without a result or two names"));
    }
    Ok(())
}

/// The player with this name, a new one if need be.
fn place(players: &mut Vec<Player>, name: &str) -> Result<usize, String> {
    if let Some(found) = players.iter().position(|player| player.name == name) {
        return Ok(found);
    }
    if players.len() >= MOST_PLAYERS {
        return Err(format!("more than {MOST_PLAYERS} players"));
    }
    players.push(Player { name: name.to_owned(), ..Player::default() });
    Ok(players.len() - 1)
}

impl Player {
    fn count(&mut self, points: f64) {
        self.games += 1;
        self.draws += u64::from(points == 0.5);
        self.points += points;
    }
}

fn print(players: &[Player], ratings: &[Rating]) {
    let mut rows: Vec<_> = players.iter().zip(ratings).collect();
    rows.sort_by(|a, b| b.1.elo.total_cmp(&a.1.elo));
    let width = players.iter().map(|player| player.name.chars().count()).max().unwrap_or(0).max(6);
    line(format_args!("rank  {:<width$}  rating  error  games   score  drawn", "player"));
    for (index, (player, rating)) in rows.into_iter().enumerate() {
        let share = |part: f64| 100.0 * part / player.games as f64;
        line(format_args!(
            "{:>4}  {:<width$}  {:>6.0}  {:>5.0}  {:>5}  {:>4.1} %  {:>3.0} %",
            index + 1,
            player.name.escape_debug().collect::<String>(),
            rating.elo,
            rating.error,
            player.games,
            share(player.points),
            share(player.draws as f64),
        ));
    }
}

/// The likeliest ratings; `anchor` is a player and its rating.
fn fit(players: usize, meetings: &[Meeting], anchor: Option<(usize, f64)>) -> Vec<Rating> {
    let mut strengths = vec![0.0; players];
    let mut covariance = Vec::new();
    for _ in 0..MOST_STEPS {
        let (slope, curvature) = derivatives(&strengths, meetings);
        covariance = inverse(curvature);
        let step = covariance.iter().map(|row| dot(row, &slope));
        let step: Vec<f64> = step.map(|step| step.clamp(-LONGEST_STEP, LONGEST_STEP)).collect();
        strengths.iter_mut().zip(&step).for_each(|(strength, step)| *strength += step);
        if step.iter().all(|step| step.abs() < 1e-9) {
            break;
        }
    }
    let spread = dispersion(&strengths, meetings);
    // The point of reference is the anchor, or the mean.
    let weight = |player: usize| match anchor {
        Some((fixed, _)) => f64::from(u8::from(player == fixed)),
        None => 1.0 / players as f64,
    };
    let weights: Vec<f64> = (0..players).map(weight).collect();
    let middle = dot(&strengths, &weights);
    let with_reference: Vec<f64> = covariance.iter().map(|row| dot(row, &weights)).collect();
    let of_reference = dot(&with_reference, &weights);
    let rating = |player: usize| {
        let variance = covariance[player][player] - 2.0 * with_reference[player] + of_reference;
        Rating {
            elo: UNIT * (strengths[player] - middle) + anchor.map_or(0.0, |(_, elo)| elo),
            error: Z95 * UNIT * (spread * variance.max(0.0)).sqrt(),
        }
    };
    (0..players).map(rating).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn expected(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

/// The slope of the log-likelihood and its curvature with the sign turned.
fn derivatives(strengths: &[f64], meetings: &[Meeting]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let players = strengths.len();
    let (mut slope, mut curvature) = (vec![0.0; players], vec![vec![0.0; players]; players]);
    for (player, &strength) in strengths.iter().enumerate() {
        let chance = expected(strength);
        slope[player] += 0.5 - chance;
        curvature[player][player] += chance * (1.0 - chance);
    }
    for &Meeting { white, black, points } in meetings {
        let chance = expected(strengths[white] - strengths[black]);
        let weight = chance * (1.0 - chance);
        slope[white] += points - chance;
        slope[black] -= points - chance;
        curvature[white][white] += weight;
        curvature[black][black] += weight;
        curvature[white][black] -= weight;
        curvature[black][white] -= weight;
    }
    (slope, curvature)
}

/// How much the results spread, as a part of what games without draws would.
fn dispersion(strengths: &[f64], meetings: &[Meeting]) -> f64 {
    let (mut found, mut due) = (0.0, 0.0);
    for &Meeting { white, black, points } in meetings {
        let chance = expected(strengths[white] - strengths[black]);
        found += (points - chance).powi(2);
        due += chance * (1.0 - chance);
    }
    found / due
}

/// The inverse of a symmetric positive definite matrix (Gauss and Jordan; no pivoting is needed for these).
fn inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let size = matrix.len();
    let mut result: Vec<Vec<f64>> =
        (0..size).map(|row| (0..size).map(|column| f64::from(u8::from(row == column))).collect()).collect();
    for pivot in 0..size {
        let scale = 1.0 / matrix[pivot][pivot];
        matrix[pivot].iter_mut().chain(&mut result[pivot]).for_each(|value| *value *= scale);
        let (left, right) = (matrix[pivot].clone(), result[pivot].clone());
        for row in (0..size).filter(|&row| row != pivot) {
            let factor = matrix[row][pivot];
            matrix[row].iter_mut().zip(&left).for_each(|(value, above)| *value -= factor * above);
            result[row].iter_mut().zip(&right).for_each(|(value, above)| *value -= factor * above);
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(white: usize, black: usize, [wins, draws, losses]: [usize; 3]) -> Vec<Meeting> {
        let each = |points, count| (0..count).map(move |_| Meeting { white, black, points });
        each(1.0, wins).chain(each(0.5, draws)).chain(each(0.0, losses)).collect()
    }

    #[test]
    fn two_players_differ_by_the_logistic_of_their_score() {
        let ratings = fit(2, &games(0, 1, [6_000, 3_000, 1_000]), None);
        // 75 % are 190.8 Elo; the drawn games of the model take off a little.
        assert!((ratings[0].elo - ratings[1].elo - 190.8).abs() < 0.1, "{ratings:?}");
        assert!((ratings[0].elo + ratings[1].elo).abs() < 1e-6);
        // One game deviates by sqrt(0.1125): of the score of 10,000 by 0.003354, which is 95 % within 6.09 Elo. Each of
        // the two is half of that from the mean.
        assert!((ratings[0].error - 6.09 / 2.0).abs() < 0.02, "{ratings:?}");
        let anchored = fit(2, &games(0, 1, [6_000, 3_000, 1_000]), Some((1, 3_000.0)));
        assert_eq!(anchored[1], Rating { elo: 3_000.0, error: 0.0 });
        assert!((anchored[0].error - 6.09).abs() < 0.04, "{anchored:?}");
    }

    #[test]
    fn who_never_met_is_compared_through_others() {
        let mut all = games(0, 1, [640, 0, 360]);
        all.extend(games(2, 1, [360, 0, 640]));
        let ratings = fit(3, &all, Some((1, 0.0)));
        assert!((ratings[0].elo - 100.0).abs() < 0.5 && (ratings[2].elo + 100.0).abs() < 0.5, "{ratings:?}");
        assert!(ratings[0].error > 15.0 && ratings[0].error < 30.0, "{ratings:?}");
    }

    #[test]
    fn a_clean_score_has_a_rating() {
        let ratings = fit(2, &games(0, 1, [20, 0, 0]), None);
        assert!(ratings[0].elo > 100.0 && ratings[0].elo.is_finite() && ratings[0].error.is_finite());
    }

    #[test]
    fn the_inverse_undoes_the_matrix() {
        let matrix = vec![vec![4.0, 1.0, 0.5], vec![1.0, 3.0, -1.0], vec![0.5, -1.0, 2.0]];
        let inverted = inverse(matrix.clone());
        for (row, values) in matrix.iter().enumerate() {
            // The inverse is symmetric too.
            for (column, inverse) in inverted.iter().enumerate() {
                assert!((dot(values, inverse) - f64::from(u8::from(row == column))).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn anchors_are_read() {
        assert_eq!(anchor("Stockfish 11=3520"), Ok(("Stockfish 11".into(), 3520.0)));
        assert_eq!(anchor("a=b=-5"), Ok(("a=b".into(), -5.0)));
        assert!(["x", "x=", "x=y", "x=inf", "x=1e9"].iter().all(|text| anchor(text).is_err()));
    }
}
