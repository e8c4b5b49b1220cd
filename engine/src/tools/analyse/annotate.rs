//! An analysed game as PGN.

use study::{GameReport, annotated};

/// The tags that every game has (PGN standard, section 8.1.1), in their order.
const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];
/// Tags that the analysis sets.
const OWN: [&str; 3] = ["Annotator", "WhiteAccuracy", "BlackAccuracy"];

/// The game as PGN with an empty line behind it.
pub fn pgn(game: &GameReport) -> String {
    let mut tags = Vec::new();
    let mut tag = |name: &str, value: &str| tags.push((name.to_owned(), value.to_owned()));
    for name in ROSTER {
        let unknown = if name == "Date" { "????.??.??" } else { "?" };
        tag(name, if name == "Result" { &game.result } else { game.tag(name).unwrap_or(unknown) });
    }
    let is_one_of = |names: &[&str], name: &str| names.iter().any(|own| name.eq_ignore_ascii_case(own));
    for (name, value) in &game.tags {
        let is_replaced = game.opening.is_some() && is_one_of(&["ECO", "Opening"], name);
        if !is_one_of(&ROSTER, name) && !is_one_of(&OWN, name) && !is_replaced {
            tag(name, value);
        }
    }
    if let Some((code, name)) = &game.opening {
        tag("ECO", code);
        tag("Opening", name);
    }
    let [annotator, accuracies @ ..] = OWN;
    tag(annotator, concat!("Dyad ", env!("CARGO_PKG_VERSION")));
    for (name, summary) in accuracies.into_iter().zip(&game.summary).filter(|(_, side)| side.moves > 0) {
        tag(name, &format!("{:.1}", summary.accuracy));
    }
    annotated(game, &tags)
}
