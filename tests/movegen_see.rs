//! Static exchange evaluation against a plain recursive one and a table of positions.

mod reference;

use movegen::{
    Bitboard, Board, Color, Move, PieceType, SEE_VALUES, Square, bishop_attacks, line, rook_attacks,
};
use reference::random_games;

fn value(kind: PieceType) -> i32 {
    SEE_VALUES[kind.index()]
}

/// What the side to move gains at best by taking on `to`, where a man of value `standing` stands.
fn gain(board: &Board, side: Color, to: Square, standing: i32, occupied: Bitboard) -> i32 {
    let attackers = board.attackers_to(to, occupied) & occupied;
    let king = board.king(side);
    let may_take = |from: Square| {
        if !board.pinned(side).contains(from) || line(king, from).contains(to) {
            return true;
        }
        let without = occupied ^ from.bb();
        let straight = board.colored(!side, PieceType::Rook) | board.colored(!side, PieceType::Queen);
        let diagonal = board.colored(!side, PieceType::Bishop) | board.colored(!side, PieceType::Queen);
        let pinning = (rook_attacks(king, without) & straight) | (bishop_attacks(king, without) & diagonal);
        (pinning & line(king, from) & occupied).is_empty()
    };
    for kind in PieceType::ALL {
        let own = board.colored(side, kind) & attackers;
        let Some(from) = own.into_iter().find(|from| may_take(*from)) else { continue };
        if kind == PieceType::King {
            return if (attackers & board.color(!side)).is_empty() { standing } else { 0 };
        }
        return (standing - gain(board, !side, to, value(kind), occupied ^ from.bb())).max(0);
    }
    0
}

/// The value of a move with the best exchange after it.
fn exchange(board: &Board, mv: Move) -> i32 {
    if mv.is_castling() {
        return 0;
    }
    let kind = |square| board.piece_on(square).map(movegen::Piece::kind);
    let mover = kind(mv.from()).expect("a man moves");
    let mut occupied = (board.occupied() ^ mv.from().bb()) | mv.to().bb();
    let mut first = kind(mv.to()).map_or(0, value);
    if mv.is_en_passant() {
        first = value(PieceType::Pawn);
        occupied ^= Square::new(mv.to().file(), mv.from().rank()).bb();
    }
    let arrived = mv.promotion().unwrap_or(mover);
    first += value(arrived) - value(mover);
    first - gain(board, !board.side_to_move(), mv.to(), value(arrived), occupied)
}

#[test]
fn agrees_with_the_plain_exchange() {
    let (mut compared, mut pinned) = (0, 0);
    random_games(40, 6000, |board, _| {
        for mv in board.legal_moves() {
            let exact = exchange(board, mv);
            for threshold in [exact - 1, exact, exact + 1, -300, -100, 0, 1, 100, 300, 500] {
                assert_eq!(
                    board.see_ge(mv, threshold),
                    exact >= threshold,
                    "{mv:?} is worth {exact}, asked for {threshold}, in {}",
                    board.fen()
                );
                compared += 1;
            }
            pinned += usize::from(board.pinned(!board.side_to_move()).any());
        }
    });
    assert!(compared > 500_000 && pinned > 5_000, "{compared}, {pinned}");
}

#[test]
fn table() {
    for (fen, san, worth) in [
        // Nothing, a free pawn, a protected one
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "Ra7", 0),
        ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "Rxe5", 100),
        ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "Nxe5", -200),
        // A quiet move to an attacked square
        ("4k3/8/3p4/8/8/2N5/8/4K3 w - - 0 1", "Ne4", 0),
        ("4k3/8/3p4/8/8/3N4/8/4K3 w - - 0 1", "Nc5", -300),
        // Rooks behind each other
        ("4k3/8/8/3r4/8/8/3R4/3RK3 w - - 0 1", "Rxd5", 500),
        ("3rk3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "Rxd5", -400),
        ("3rk3/8/8/3p4/8/3R4/3R4/3RK3 w - - 0 1", "Rxd5", 100),
        // En passant and promotion
        ("8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1", "exd3", 100),
        ("8/8/8/2k5/3Pp3/8/4P3/4K3 b - d3 0 1", "exd3", 0),
        ("4k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b8=Q", 800),
        ("r3k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b8=Q", -100),
        ("r3k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "bxa8=Q", 1300),
        // The king takes what is unprotected, not what is protected
        ("4k3/4P3/8/8/8/8/8/4K3 b - - 0 1", "Kxe7", 100),
        ("3rk3/4P3/8/8/8/8/8/4RK2 w - - 0 1", "exd8=Q", 400),
        ("3rk3/4P3/8/6B1/8/8/8/5K2 w - - 0 1", "exd8=Q", 1300),
        // A pinned man does not protect
        ("4k3/8/4n3/8/8/8/1B2R3/4K3 w - - 0 1", "Bd4", 0),
        ("4k3/8/8/2p5/8/4n3/5B2/4K3 w - - 0 1", "Bxe3", 300),
        ("4k3/8/4n3/8/3p4/8/1B2R3/4K3 w - - 0 1", "Bxd4", 100),
        ("4k3/8/4n3/8/3p4/8/1B3R2/4K3 w - - 0 1", "Bxd4", -200),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O", 0),
    ] {
        let board = Board::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        let mv = board.parse_san(san).unwrap_or_else(|error| panic!("{san} in {fen}: {error}"));
        assert!(board.see_ge(mv, worth), "{san} in {fen} should be worth {worth}");
        assert!(!board.see_ge(mv, worth + 1), "{san} in {fen} should be worth only {worth}");
    }
}
