//! FEN: what is read, what is refused and why, and that writing brings back the same.

mod reference;

use movegen::{Board, Color, File, PieceType, Wing, perft};
use proptest::prelude::*;
use reference::{random_games, random_setup};

fn read(fen: &str) -> Board {
    Board::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// FEN and what is written for it.
const NORMALISED: [(&str, &str); 32] = [
    // Missing and odd counters
    ("8/8/8/8/8/4k3/8/4K3 w - -", "8/8/8/8/8/4k3/8/4K3 w - - 0 1"),
    ("8/8/8/8/8/4k3/8/4K3 w - - 12", "8/8/8/8/8/4k3/8/4K3 w - - 12 1"),
    ("8/8/8/8/8/4k3/8/4K3 w - - 0 0", "8/8/8/8/8/4k3/8/4K3 w - - 0 1"),
    ("8/8/8/8/8/4k3/8/4K3 b - - -3 -7", "8/8/8/8/8/4k3/8/4K3 b - - 0 1"),
    ("8/8/8/8/8/4k3/8/4K3 w - - 126 300", "8/8/8/8/8/4k3/8/4K3 w - - 126 300"),
    ("8/8/8/8/8/4k3/8/4K3 w - - 65535 65535", "8/8/8/8/8/4k3/8/4K3 w - - 65535 65535"),
    ("8/8/8/8/8/4k3/8/4K3 b - - 65536 4294967296", "8/8/8/8/8/4k3/8/4K3 b - - 65535 1073741824"),
    (
        "8/8/8/8/8/4k3/8/4K3 w - - 99999999999999999999999 99999999999999999999999",
        "8/8/8/8/8/4k3/8/4K3 w - - 65535 1073741824",
    ),
    // White space
    ("  8/8/8/8/8/4k3/8/4K3   w\t-  -  0 1\r\n", "8/8/8/8/8/4k3/8/4K3 w - - 0 1"),
    // Neighbouring gaps
    ("11111111/8/8/8/8/4k3/8/22K111 w - - 0 1", "8/8/8/8/8/4k3/8/4K3 w - - 0 1"),
    // Castling rights without king or rook in place
    (
        "2b1k1nB/1p3p1p/n4b2/1NPp4/P7/8/2r1PPPP/R3KBNR b KQk - 0 14",
        "2b1k1nB/1p3p1p/n4b2/1NPp4/P7/8/2r1PPPP/R3KBNR b KQ - 0 14",
    ),
    ("r3k2r/8/8/8/8/4K3/8/R6R w KQkq - 0 1", "r3k2r/8/8/8/8/4K3/8/R6R w kq - 0 1"),
    ("r3k1nR/8/8/8/8/8/8/r1N1K2R b KQkq - 0 1", "r3k1nR/8/8/8/8/8/8/r1N1K2R b Kq - 0 1"),
    ("4k3/8/8/8/8/8/8/1RR1K3 w ABC - 0 1", "4k3/8/8/8/8/8/8/1RR1K3 w Q - 0 1"),
    // Any order; the rook on the square of the rook of the other wing
    ("r3k2r/8/8/8/8/8/8/R3K2R w qkQK - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"),
    ("r3k2r/8/8/8/8/8/8/R3K2R w haHA - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"),
    ("4k3/8/8/8/8/8/8/1R2K1R1 w KQ - 0 1", "4k3/8/8/8/8/8/8/1R2K1R1 w KQ - 0 1"),
    // Not the outermost rook
    ("4k3/8/8/8/8/8/8/R1R1K1RR w GC - 0 1", "4k3/8/8/8/8/8/8/R1R1K1RR w GC - 0 1"),
    ("4k3/8/8/8/8/8/8/R1R1K1RR w KC - 0 1", "4k3/8/8/8/8/8/8/R1R1K1RR w KC - 0 1"),
    (
        "rkbnrqnb/8/8/pppppppp/PPPPP3/B7/5PPP/1KRNRQNB b Kkq - 1 9",
        "rkbnrqnb/8/8/pppppppp/PPPPP3/B7/5PPP/1KRNRQNB b Kkq - 1 9",
    ),
    (
        "rkbnrqnb/8/8/pppppppp/PPPPP3/B7/5PPP/1KRNRQNB b Eea - 1 9",
        "rkbnrqnb/8/8/pppppppp/PPPPP3/B7/5PPP/1KRNRQNB b Kkq - 1 9",
    ),
    (
        "rkbnrqnb/8/8/pppppppp/PPPPP3/B7/5PPP/1KRNRQNB b Cea - 1 9",
        "rkbnrqnb/8/8/pppppppp/PPPPP3/B7/5PPP/1KRNRQNB b Ckq - 1 9",
    ),
    (
        "nqrnbkrb/pppppppp/8/8/8/8/PPPPPPPP/NQRNBKRB w GCgc - 0 1",
        "nqrnbkrb/pppppppp/8/8/8/8/PPPPPPPP/NQRNBKRB w KQkq - 0 1",
    ),
    // En passant: kept when legal
    ("8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1", "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1"),
    // No pawn attacks the square, wrong side, no pawn has passed, its start or the square is occupied
    (
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
    ),
    (
        "rnbqkbnr/pppppppp/8/8/P7/8/1PPPPPPP/RNBQKBNR w KQkq a3 0 1",
        "rnbqkbnr/pppppppp/8/8/P7/8/1PPPPPPP/RNBQKBNR w KQkq - 0 1",
    ),
    ("4k3/8/8/3P4/8/8/8/4K3 w - e6 0 1", "4k3/8/8/3P4/8/8/8/4K3 w - - 0 1"),
    ("4k3/3p4/8/3pP3/8/8/8/4K3 w - d6 0 1", "4k3/3p4/8/3pP3/8/8/8/4K3 w - - 0 1"),
    ("4k3/8/3n4/3pP3/8/8/8/4K3 w - d6 0 1", "4k3/8/3n4/3pP3/8/8/8/4K3 w - - 0 1"),
    ("4k3/8/8/3pP3/8/8/8/4K3 w - d4 0 1", "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1"),
    // It would leave the king in check, or not answer one
    ("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1", "8/8/8/8/k2Pp2Q/8/8/3K4 b - - 0 1"),
    ("k7/8/8/3pP3/8/7n/5K2/8 w - d6 0 1", "k7/8/8/3pP3/8/7n/5K2/8 w - - 0 1"),
];

#[test]
fn normal_form() {
    for (fen, normal) in NORMALISED {
        assert_eq!(read(fen).fen(), normal, "{fen}");
        assert_eq!(read(normal), read(fen));
        assert_eq!(read(normal).key(), read(fen).key());
    }
}

#[test]
fn faults_are_named() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/fen_faults.txt");
    let text = std::fs::read_to_string(path).expect("tests/data/fen_faults.txt");
    let mut seen = 0;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (message, fen) = line.split_once(';').expect("error ; FEN");
        match Board::from_fen(fen) {
            Err(error) => assert_eq!(error.to_string(), message.trim(), "{fen}"),
            Ok(board) => panic!("{fen} was read as {}", board.fen()),
        }
        seen += 1;
    }
    assert!(seen >= 40);
}

/// Positions that gave other programs trouble, and the number of their legal moves.
#[test]
fn known_troublemakers() {
    for (fen, moves) in [
        ("1q2B2q/2q1B1q1/3qkq2/qrr1rRRQ/3QKQ2/2Q3Q1/1Q2n2Q/Q3n3 w - - 10", 3),
        ("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", 218),
        ("2b1k1nB/1p3p1p/n4b2/1NPp4/P7/8/2r1PPPP/R3KBNR b KQk - 0 14", 38),
        ("k7/8/8/3pP3/8/7n/5K2/8 w - d6 0 1", 7),
        ("5rk1/2p4p/2p4r/3P4/4p1b1/1Q2NqPp/PP3P1K/R4R2 b - -", 36),
        ("nrkb2nr/ppppp1p1/6bp/5p2/BPP1P1P1/P7/3P1P1P/qRK1BQNR w BHbh - 0 3", 28),
        ("r1k1N2R/pp1pbr2/3p4/P7/8/2P2n2/1PBP4/RK6 b q - 4 28", 27),
        ("rk2Q3/1p4p1/1B6/4p3/p5p1/2Kp2P1/PP4P1/R7 b q - 0 34", 0),
    ] {
        assert_eq!(read(fen).legal_moves().len(), moves, "{fen}");
    }
}

#[test]
fn castling_letters_mean_the_same() {
    let [letters, files] = ["KQkq", "GCgc"]
        .map(|castling| read(&format!("nqrnbkrb/pppppppp/8/8/8/8/PPPPPPPP/NQRNBKRB w {castling} - 0 1")));
    assert_eq!(letters, files);
    assert_eq!(perft(&letters, 3), perft(&files, 3));
    assert_eq!(letters.shredder_fen(), "nqrnbkrb/pppppppp/8/8/8/8/PPPPPPPP/NQRNBKRB w GCgc - 0 1");

    let outermost = read("rkbnrqnb/8/8/pppppppp/PPPPP3/B7/5PPP/1KRNRQNB b Kkq - 1 9");
    assert_eq!(outermost.castling().rook_file(Color::White, Wing::King), Some(File::E));
    assert_eq!(outermost.castling().rook_file(Color::White, Wing::Queen), None);
    assert_eq!(outermost.castling().mask(), 0b1101);
}

#[test]
fn classical_or_chess960() {
    assert!(!Board::startpos().is_chess960());
    assert!(!read("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1").is_chess960());
    assert!(!read("1k6/8/8/8/8/8/8/1K6 w - - 0 1").is_chess960());
    assert!(read("4k3/8/8/8/8/8/8/1R2K2R w KQ - 0 1").is_chess960());
    assert!(read("4k3/8/8/8/8/8/8/R2K3R w KQ - 0 1").is_chess960());
    assert!(!read("4k3/8/8/8/8/8/8/R2K3R w - - 0 1").is_chess960());
}

#[test]
fn starting_positions() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(Board::startpos().fen(), start);
    assert_eq!(Board::default(), Board::chess960(518));
    assert_eq!(Board::chess960(0).fen(), "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1");
    assert_eq!(Board::chess960(959).fen(), "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/RKRNNQBB w KQkq - 0 1");
    assert_eq!(Board::chess960(960), Board::chess960(0));
    let mut seen = std::collections::HashSet::new();
    for number in 0..960 {
        let board = Board::chess960(number);
        assert_eq!(read(&board.fen()), board);
        assert_eq!(board.castling().mask(), 0b1111);
        let bishops = board.colored(Color::White, PieceType::Bishop);
        let light = bishops & movegen::Bitboard::LIGHT_SQUARES;
        assert_eq!((bishops.count(), light.count()), (2, 1));
        assert!(seen.insert(board.fen()));
        let mixed = Board::dfrc(number, 959 - number);
        assert_eq!(read(&mixed.shredder_fen()), mixed);
    }
}

#[test]
fn long_games_come_back() {
    let mut board = read("4k3/8/8/8/8/8/8/R3K3 w Q - 65530 1073741820");
    for _ in 0..5 {
        for uci in ["a1b1", "e8d8", "b1a1", "d8e8"] {
            let mv = board.parse_uci(uci).expect("legal");
            board.make_move(mv, &mut movegen::NoObserver);
        }
    }
    assert_eq!(board.halfmove_clock(), u16::MAX);
    assert_eq!(board.fullmove_number(), 1_073_741_830);
    assert!(board.is_fifty_move_draw());
    // The clock has long passed 255 without wrapping.
    assert_eq!(read("4k3/8/8/8/8/8/4P3/4K2R w - - 300 300").halfmove_clock(), 300);
}

#[test]
fn random_positions_come_back() {
    random_games(20, 5000, |board, _| {
        assert_eq!(&read(&board.fen()), board);
        assert_eq!(&read(&board.shredder_fen()), board);
    });
}

#[test]
fn drawing() {
    let drawn = Board::startpos().to_string();
    assert!(drawn.contains("8 | r | n | b | q | k | b | n | r |"), "{drawn}");
    assert!(drawn.contains("Fen: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), "{drawn}");
    assert!(read("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1").to_string().ends_with("Checkers: e2"));
}

/// A valid FEN with a few characters replaced, inserted or removed.
fn mutated() -> impl Strategy<Value = String> {
    let character = prop_oneof![
        4 => proptest::sample::select("pnbrqkPNBRQK12345678/ -wbKQkqABCDEFGHabcdefgh360".chars().collect::<Vec<_>>()),
        1 => any::<char>(),
    ];
    (any::<u64>(), proptest::collection::vec((any::<prop::sample::Index>(), 0..3, character), 1..6)).prop_map(
        |(seed, edits)| {
            let board = random_setup(&mut reference::Random(seed));
            let mut text: Vec<char> = board.fen().chars().collect();
            for (index, kind, character) in edits {
                let at = index.index(text.len());
                match kind {
                    0 => text[at] = character,
                    1 => text.insert(at, character),
                    _ => {
                        text.remove(at);
                    }
                }
            }
            text.into_iter().collect()
        },
    )
}

/// Whatever is accepted can be played on.
fn usable(fen: &str) {
    if let Ok(board) = Board::from_fen(fen) {
        assert!(board.legal_moves().len() <= 218, "{fen}");
        let again = read(&board.fen());
        assert_eq!(again, board, "{fen}");
        assert_eq!(perft(&board, 2), perft(&again, 2), "{fen}");
        let mut board = board;
        for mv in board.legal_moves() {
            assert!(board.is_legal(mv));
            let _ = board.san(mv);
            board.make_move(mv, &mut movegen::NoObserver);
            assert_eq!(board.is_checkmate(), board.in_check() && board.legal_moves().is_empty());
            board.unmake_move();
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(3000) })]

    #[test]
    fn mutated_texts_never_break(fen in mutated()) {
        usable(&fen);
    }

    #[test]
    fn arbitrary_texts_never_break(fen in "\\PC{0,120}") {
        usable(&fen);
    }

    #[test]
    fn arbitrary_boards_never_break(men in "[pnbrqkPNBRQK1-4/]{20,72}", rest in "[wb] (-|[KQkqA-Ha-h]{0,5}) (-|[a-h][1-8]) -?[0-9]{0,6} [0-9]{1,12}") {
        usable(&format!("{men} {rest}"));
    }
}
