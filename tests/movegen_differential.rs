//! The rules against two other implementations, `shakmaty` and `cozy-chess`, at positions of random games
//! and random set-ups, Chess960 and double Chess960 included.

mod reference;

use movegen::{Board, Wing};
use reference::random_games;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position};

/// Moves as text, sorted; castling as king takes rook.
fn own_moves(board: &Board) -> Vec<String> {
    let mut moves: Vec<String> = board.legal_moves().iter().map(|mv| mv.uci(true).to_string()).collect();
    moves.sort();
    moves
}

fn shakmaty_moves(position: &Chess) -> Vec<String> {
    let mut moves: Vec<String> =
        position.legal_moves().iter().map(|mv| mv.to_uci(CastlingMode::Chess960).to_string()).collect();
    moves.sort();
    moves
}

fn cozy_moves(board: &cozy_chess::Board) -> Vec<String> {
    let mut moves = Vec::new();
    board.generate_moves(|set| {
        moves.extend(set.into_iter().map(|mv| mv.to_string()));
        false
    });
    moves.sort();
    moves
}

#[test]
fn same_moves_as_shakmaty() {
    let (mut compared, mut refused, mut castlings) = (0, 0, 0);
    random_games(10, 25_000, |board, _| {
        let fen: Fen = board.fen().parse().expect("a FEN");
        // Refuses positions that cannot arise, such as some double checks of random set-ups.
        let Ok(position) = fen.into_position::<Chess>(CastlingMode::Chess960) else {
            refused += 1;
            return;
        };
        assert_eq!(own_moves(board), shakmaty_moves(&position), "{}", board.fen());
        assert_eq!(board.is_insufficient_material(), position.is_insufficient_material(), "{}", board.fen());
        assert_eq!(board.is_checkmate(), position.is_checkmate(), "{}", board.fen());
        assert_eq!(board.is_stalemate(), position.is_stalemate(), "{}", board.fen());
        let again = Fen::from_position(&position, EnPassantMode::Legal);
        assert_eq!(again.to_string(), board.fen());
        castlings += board.legal_moves().iter().filter(|mv| mv.is_castling()).count();
        compared += 1;
    });
    assert!(compared > 10 * refused, "{compared} compared, {refused} refused");
    assert!(castlings > 100, "{castlings} castlings");
}

#[test]
fn same_moves_as_cozy_chess() {
    let (mut compared, mut refused) = (0, 0);
    random_games(11, 25_000, |board, _| {
        let Ok(other) = cozy_chess::Board::from_fen(&board.shredder_fen(), true) else {
            refused += 1;
            return;
        };
        assert_eq!(own_moves(board), cozy_moves(&other), "{}", board.fen());
        assert_eq!(board.checkers().0, other.checkers().0);
        let us = board.side_to_move();
        assert_eq!((board.pinned(us)).0, other.pinned().0 & board.color(us).0);
        compared += 1;
    });
    assert!(compared > 4 * refused, "{compared} compared, {refused} refused");
}

#[test]
fn games_stay_in_step() {
    let mut random = reference::Random(12);
    for _ in 0..150 {
        let mut board = Board::dfrc(random.below(960) as u16, random.below(960) as u16);
        let fen: Fen = board.fen().parse().expect("a FEN");
        let mut theirs: Chess = fen.into_position(CastlingMode::Chess960).expect("a starting position");
        let mut cozy = cozy_chess::Board::from_fen(&board.shredder_fen(), true).expect("a starting position");
        for _ in 0..150 {
            let moves = board.legal_moves();
            assert_eq!(own_moves(&board), shakmaty_moves(&theirs), "{}", board.fen());
            assert_eq!(own_moves(&board), cozy_moves(&cozy), "{}", board.fen());
            if moves.is_empty() {
                break;
            }
            let mv = moves[random.below(moves.len())];
            let text = mv.uci(true).to_string();
            let parsed: shakmaty::uci::UciMove = text.parse().expect("UCI");
            theirs = theirs.clone().play(parsed.to_move(&theirs).expect("legal")).expect("legal");
            cozy.play(text.parse().expect("UCI"));
            board.make_move(mv, &mut movegen::NoObserver);
        }
        // The games end with castled kings, lost rights and clocks that must agree too.
        let fen = Fen::from_position(&theirs, EnPassantMode::Legal).to_string();
        assert_eq!(board.fen(), fen);
        for color in movegen::Color::ALL {
            let side = if color == movegen::Color::White {
                cozy_chess::Color::White
            } else {
                cozy_chess::Color::Black
            };
            let rights = cozy.castle_rights(side);
            let files = [Wing::King, Wing::Queen]
                .map(|wing| board.castling().rook_file(color, wing).map(|file| file as u8));
            assert_eq!(files, [rights.short.map(|file| file as u8), rights.long.map(|file| file as u8)]);
        }
    }
}
