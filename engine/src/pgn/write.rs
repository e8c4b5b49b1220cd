//! What all games that are written have in common.

use movegen::Board;

use super::GameResult;

/// How the result of a game is written.
pub const fn result_text(result: Option<GameResult>) -> &'static str {
    match result {
        Some(GameResult::White) => "1-0",
        Some(GameResult::Black) => "0-1",
        Some(GameResult::Draw) => "1/2-1/2",
        None => "*",
    }
}

/// The tags that say where a game begins, none for the usual start position. Chess960 is named, and its castling
/// rights are written by the files of the rooks, which every program understands.
pub fn start_tags(start: &Board) -> Vec<(&'static str, String)> {
    let mut tags = Vec::new();
    let is_chess960 = start.is_chess960();
    if is_chess960 {
        tags.push(("Variant", "Chess960".to_owned()));
    }
    if *start != Board::startpos() {
        tags.push(("SetUp", "1".to_owned()));
        tags.push(("FEN", if is_chess960 { start.shredder_fen() } else { start.fen() }));
    }
    tags
}
