//! Elementary endings without tables: what is won is won inside the fifty moves, what is drawn is held.

use movegen::{Board, NoObserver, PieceType};
use search::chess::{Evaluation, Request, SoloSearcher};
use search::core::limit::Limits;

/// Nodes of a move.
const NODES: u64 = 4000;

/// Plays the engine against itself; returns the last position.
fn play(fen: &str, plies: usize) -> Board {
    let mut board = Board::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    let mut searcher = SoloSearcher::new(4, &Evaluation::HandWritten);
    for _ in 0..plies {
        if !board.has_legal_move() || board.is_fifty_move_draw() || board.repetition_count() >= 2 {
            break;
        }
        let limits = Limits { nodes: Some(NODES), ..Limits::default() };
        let outcome = searcher.search(Request::new(board.clone(), limits)).expect("an outcome");
        board.make_move(outcome.best.expect("a move"), &mut NoObserver);
    }
    board
}

#[test]
fn won_endings_are_won() {
    for fen in [
        "8/8/8/3k4/8/8/8/KQ6 w - - 0 1",
        "8/8/8/3K4/8/8/8/kq6 b - - 0 1",
        "8/8/8/4k3/8/8/8/KR6 w - - 0 1",
        "8/8/4K3/8/3k4/8/5r2/8 b - - 0 1",
        "8/8/8/3k4/8/8/8/K1BB4 w - - 0 1",
        "8/8/8/3k4/8/8/4PK2/8 w - - 0 1",
        "8/8/8/8/1p1k4/8/8/3K4 b - - 0 1",
        "8/8/3k4/8/8/8/8/KBN5 w - - 0 1",
    ] {
        let end = play(fen, 140);
        assert!(end.is_checkmate(), "{fen} ended in {}", end.fen());
    }
}

#[test]
fn drawn_endings_are_held() {
    for fen in [
        // A bare pawn, a rook's pawn with the wrong bishop, bishops of opposite colours with the king in front.
        "4k3/8/8/8/4P3/8/4K3/8 w - - 0 1",
        "8/k7/8/8/P7/8/1K6/2B5 w - - 0 1",
        "8/3k4/8/3P4/2K5/8/1b6/5B2 b - - 0 1",
        // Philidor's position.
        "4k3/7R/r7/3KP3/8/8/8/8 w - - 0 1",
    ] {
        let end = play(fen, 80);
        assert!(!end.is_checkmate(), "{fen} ended in {}", end.fen());
        assert!(end.pieces(PieceType::Queen).is_empty(), "{fen} ended in {}", end.fen());
    }
}
