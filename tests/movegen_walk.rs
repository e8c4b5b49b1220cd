//! Properties of the board at every position of walks through the game tree and of random games.

mod reference;

use movegen::{
    Bitboard, Board, Color, Move, MoveList, MoveObserver, NoObserver, Piece, PieceType, Square, line, perft,
};
use reference::{Plain, random_games};

/// Positions in which every rule comes up within three plies.
const WALKS: [&str; 9] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 3 20",
    "rnbqkb1r/pp1p1pp1/7p/2pPpn2/4P3/8/PPP2PPP/RNBQKBNR w KQkq e6 0 7",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "2r1kr2/8/8/8/8/8/8/1R2K1R1 w GBfc - 0 1",
    "1rk1r3/pp4pp/8/2pP4/8/8/PP4PP/RK2R3 w EAeb c6 0 1",
    "rk2r3/8/1P6/8/8/6p1/8/6KR b qk - 12 30",
    "3k4/3p4/8/K1P4r/8/8/8/8 b - - 99 80",
];

/// Rebuilds the men from what it is told, and notes the key.
#[derive(Clone, PartialEq, Debug)]
struct Listener([Option<Piece>; 64], u64);

impl Listener {
    fn of(board: &Board) -> Self {
        Self(Square::ALL.map(|square| board.piece_on(square)), board.key())
    }
}

impl MoveObserver for Listener {
    fn piece_added(&mut self, piece: Piece, square: Square) {
        assert_eq!(self.0[square.index()].replace(piece), None, "added on an occupied square");
    }

    fn piece_removed(&mut self, piece: Piece, square: Square) {
        assert_eq!(self.0[square.index()].take(), Some(piece), "removed another man");
    }

    fn piece_moved(&mut self, piece: Piece, from: Square, to: Square) {
        assert_ne!(from, to);
        self.piece_removed(piece, from);
        self.piece_added(piece, to);
    }

    fn key_known(&mut self, key: u64) {
        self.1 = key;
    }
}

/// What is kept in step equals what is computed from nothing.
fn check_state(board: &Board) {
    for kind in PieceType::ALL {
        for color in Color::ALL {
            let set: Bitboard = Square::ALL
                .into_iter()
                .filter(|square| board.piece_on(*square) == Some(Piece::new(color, kind)))
                .collect();
            assert_eq!(board.colored(color, kind), set, "{board}");
        }
    }
    for fen in [board.fen(), board.shredder_fen()] {
        let fresh = Board::from_fen(&fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(&fresh, board, "{fen}");
        assert_eq!(fresh.fen(), board.fen());
        assert_eq!(fresh.key(), board.key(), "{fen}");
        assert_eq!(fresh.pawn_key(), board.pawn_key(), "{fen}");
        assert_eq!(fresh.minor_key(), board.minor_key(), "{fen}");
        assert_eq!(fresh.checkers(), board.checkers(), "{fen}");
        assert_eq!(fresh.castling(), board.castling(), "{fen}");
        for color in Color::ALL {
            assert_eq!(fresh.non_pawn_key(color), board.non_pawn_key(color), "{fen}");
            assert_eq!(fresh.pinned(color), board.pinned(color), "{fen}");
        }
    }
}

/// Checks, pins and attacks against the slow rules.
fn check_attacks(board: &Board, plain: &Plain) {
    let us = board.side_to_move();
    let checkers: Bitboard = plain.attackers(board.king(us), !us).into_iter().collect();
    assert_eq!(board.checkers(), checkers, "{board}");
    assert_eq!(board.in_check(), plain.in_check(us));
    for color in Color::ALL {
        let mut attacked = Bitboard::EMPTY;
        let threats = board.threats(color);
        for kind in PieceType::ALL {
            for from in board.colored(color, kind) {
                attacked |= plain.reach(Piece::new(color, kind), from).into_iter().collect();
            }
            // The kinds come by rising value.
            match kind {
                PieceType::Pawn => assert_eq!(threats.by_pawns, attacked, "{board}"),
                PieceType::Bishop => assert_eq!(threats.by_minors, attacked, "{board}"),
                PieceType::Rook => assert_eq!(threats.by_rooks, attacked, "{board}"),
                PieceType::King => assert_eq!(threats.all, attacked, "{board}"),
                PieceType::Knight | PieceType::Queen => {}
            }
        }
        assert_eq!(board.attacked_by(color), attacked, "{board}");
        let king = board.king(color);
        for man in board.color(color) {
            let mut without = plain.clone();
            without.men[man.index()] = None;
            let exposed =
                man != king && without.attackers(king, !color).len() > plain.attackers(king, !color).len();
            assert_eq!(board.pinned(color).contains(man), exposed, "{man} in {board}");
        }
    }
}

/// The generators agree with the slow rules and with each other.
fn check_moves(board: &Board, plain: &Plain) -> Vec<Move> {
    let mut moves: Vec<Move> = board.legal_moves().into_iter().collect();
    moves.sort();
    assert_eq!(moves, plain.legal(), "{board}");
    let (mut tactical, mut quiet) = (MoveList::new(), MoveList::new());
    board.tactical_moves(&mut tactical);
    board.quiet_moves(&mut quiet);
    assert!(tactical.iter().all(|mv| mv.is_tactical()) && quiet.iter().all(|mv| mv.is_quiet()), "{board}");
    let mut both: Vec<Move> = tactical.into_iter().chain(quiet).collect();
    both.sort();
    assert_eq!(both, moves, "{board}");
    assert_eq!(board.legal_move_count(), moves.len());
    assert_eq!(perft(board, 1), moves.len() as u64);
    assert_eq!(board.has_legal_move(), !moves.is_empty());
    assert_eq!(board.is_checkmate(), moves.is_empty() && board.in_check());
    assert_eq!(board.is_stalemate(), moves.is_empty() && !board.in_check());
    moves
}

/// What is said about a move before it is played holds after it.
fn check_move(board: &Board, next: &Board, mv: Move) {
    assert_eq!(board.gives_check(mv), next.in_check(), "{mv:?} in {board}");
    let kind = board.piece_on(mv.from()).map(Piece::kind).unwrap();
    assert_eq!(board.gives_check_on(&board.check_squares(), mv, kind), next.in_check(), "{mv:?} in {board}");
    assert_eq!(next.last_move(), Some(mv));
    let taken = if mv.is_en_passant() {
        Some(Piece::new(next.side_to_move(), PieceType::Pawn))
    } else if mv.is_castling() {
        None
    } else {
        board.piece_on(mv.to())
    };
    assert_eq!(next.last_captured(), taken);
    assert_eq!(mv.is_capture(), taken.is_some());
    let reset = taken.is_some() || board.piece_on(mv.from()).map(Piece::kind) == Some(PieceType::Pawn);
    assert_eq!(next.halfmove_clock(), if reset { 0 } else { board.halfmove_clock() + 1 });
    assert_eq!(next.ply_count(), board.ply_count() + 1);
}

fn walk(board: &mut Board, depth: u32) -> u64 {
    let plain = Plain::of(board);
    check_state(board);
    let moves = check_moves(board, &plain);
    if depth == 0 {
        return 1;
    }
    check_attacks(board, &plain);
    let before = format!("{board:?}");
    let mut nodes = 0;
    for mv in moves {
        let old = board.clone();
        let mut listener = Listener::of(board);
        board.make_move(mv, &mut listener);
        assert_eq!(listener, Listener::of(board), "{mv:?} in {old}");
        assert_eq!(listener.0, plain.after(mv).men, "{mv:?} in {old}");
        check_move(&old, board, mv);
        nodes += walk(board, depth - 1);
        board.unmake_move();
        assert_eq!(format!("{board:?}"), before, "after taking back {mv:?}");
    }
    nodes
}

#[test]
fn invariants_hold_on_walks() {
    for fen in WALKS {
        let mut board = Board::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        let depth = if board.legal_moves().len() > 20 { 2 } else { 3 };
        assert_eq!(walk(&mut board, depth), perft(&board, depth), "{fen}");
    }
}

#[test]
fn invariants_hold_in_random_games() {
    let mut positions = 0;
    random_games(1, 4000, |board, _| {
        let plain = Plain::of(board);
        check_state(board);
        check_attacks(board, &plain);
        for mv in check_moves(board, &plain) {
            let mut next = board.clone();
            next.make_move(mv, &mut NoObserver);
            check_move(board, &next, mv);
        }
        positions += 1;
    });
    assert!(positions >= 4000);
}

#[test]
fn null_moves_are_taken_back() {
    random_games(2, 2000, |board, _| {
        if board.in_check() {
            return;
        }
        let before = format!("{board:?}");
        let key = board.key_after_null();
        board.make_null();
        assert_eq!(board.key(), key);
        assert_eq!(board.en_passant(), None);
        assert!(!board.in_check());
        assert_eq!(board.last_move(), None);
        let fresh = Board::from_fen(&board.fen()).expect("valid after a null move");
        assert_eq!(fresh.key(), key);
        assert_eq!(fresh.legal_moves(), board.legal_moves());
        assert_eq!(fresh.pinned(Color::White), board.pinned(Color::White));
        assert_eq!(fresh.pinned(Color::Black), board.pinned(Color::Black));
        board.unmake_null();
        assert_eq!(format!("{board:?}"), before);
    });
}

#[test]
fn legality_of_all_bit_patterns() {
    let mut nth = 0;
    random_games(3, 4000, |board, _| {
        nth += 1;
        if nth % 20 != 0 {
            return;
        }
        let mut legal: Vec<u16> = board.legal_moves().into_iter().map(Move::to_bits).collect();
        legal.sort_unstable();
        let accepted: Vec<u16> = (0..=u16::MAX)
            .filter(|bits| Move::from_bits(*bits).is_some_and(|mv| board.is_legal(mv)))
            .collect();
        assert_eq!(accepted, legal, "{board}");
    });
}

#[test]
fn illegal_moves_are_refused() {
    let mut board = Board::startpos();
    let before = format!("{board:?}");
    let illegal = Move::from_bits(0x4000 | 12 | 28 << 6).expect("e2xe4");
    assert!(board.try_move(illegal).is_err());
    assert_eq!(format!("{board:?}"), before);
    let legal = board.parse_uci("e2e4").expect("legal");
    assert!(board.try_move(legal).is_ok());
    board.unmake_move();
    assert_eq!(format!("{board:?}"), before);
    board.unmake_move();
    assert_eq!(format!("{board:?}"), before, "nothing to take back");
}

#[test]
fn pinned_men_keep_to_their_line() {
    random_games(4, 3000, |board, _| {
        let us = board.side_to_move();
        let king = board.king(us);
        for mv in board.legal_moves() {
            if board.pinned(us).contains(mv.from()) && !mv.is_castling() {
                assert!(line(king, mv.from()).contains(mv.to()), "{mv:?} in {board}");
            }
        }
    });
}
