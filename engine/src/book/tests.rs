//! Books: keys, entries, choice, making, merging, checking, damage.

use std::fs;
use std::path::PathBuf;

use movegen::{Board, NoObserver};

use super::check::check;
use super::make::{Maker, Scoring, Settings};
use super::merge::merge;
use super::*;
use crate::pgn::GameReader;

/// A folder of its own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("dyad-book-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir(&path).expect("a folder for the test");
        Self(path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn after(moves: &str) -> Board {
    let mut board = Board::startpos();
    for text in moves.split_whitespace() {
        let mv = board.parse_uci(text).expect("a legal move");
        board.make_move(mv, &mut NoObserver);
    }
    board
}

const SETTINGS: Settings =
    Settings { plies: 40, min_games: 1, scoring: Scoring::Result, color: None, capacity: 1000 };

fn make(folder: &Folder, name: &str, games: &str, settings: Settings) -> PathBuf {
    let path = folder.file(name);
    let mut maker = Maker::new(settings, &path);
    for game in GameReader::new(games.as_bytes()) {
        maker.add(&game.expect("a game")).expect("a place to write");
    }
    maker.finish().expect("a book");
    path
}

/// Moves with weights of a position, as `e2e4:5`.
fn moves(path: &Path, board: &Board) -> Vec<String> {
    let book = Book::open(path).expect("a book");
    let moves = book.moves(board).expect("moves");
    moves.iter().map(|(mv, entry)| format!("{}:{}", mv.uci(false), entry.weight)).collect()
}

const GAMES: &str =
    "1. e4 e5 2. Nf3 1-0\n\n1. e4 c5 1/2-1/2\n\n1. d4 d5 0-1\n\n1. e4 e5 2. Nf3 Nc6 1-0\n\n1. c4 *\n";

#[test]
fn keys_are_those_of_the_format() {
    // The positions published with the format.
    for (moves, key) in [
        ("", 0x463b_9618_1691_fc9c),
        ("e2e4", 0x823c_9b50_fd11_4196),
        ("e2e4 d7d5", 0x0756_b944_61c5_0fb0),
        ("e2e4 d7d5 e4e5", 0x662f_afb9_65db_29d4),
        ("e2e4 d7d5 e4e5 f7f5", 0x22a4_8b5a_8e47_ff78),
        ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a_607c_a3f2_42c1),
        ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fd_d303_c946_bdd9),
        ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c81_23ea_7b06_7637),
        ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f_9b82_9b27_9560),
    ] {
        assert_eq!(key::of(&after(moves)), key, "{moves}");
    }
}

#[test]
fn a_passed_pawn_counts_wherever_an_enemy_pawn_stands_beside_it() {
    // The capture is not legal (the pawn is pinned), but the format does not ask.
    let mut board = Board::from_fen("8/8/8/8/k1p4R/8/3P4/4K3 w - - 0 1").expect("a position");
    let plain = Board::from_fen("8/8/8/8/k1pP3R/8/8/4K3 b - - 0 1").expect("a position");
    let mv = board.parse_uci("d2d4").expect("a legal move");
    board.make_move(mv, &mut NoObserver);
    assert_eq!(board.en_passant(), None);
    assert_ne!(key::of(&board), key::of(&plain));
}

#[test]
fn castling_is_told_from_the_rooks_move() {
    let entry = |from: usize, to: usize| Entry { key: 0, mv: (to | from << 6) as u16, weight: 1, learn: 0 };
    let rook = Board::from_fen("1r1qr1k1/1b2bp1n/p2p2pB/1pnPp2p/P1p1P3/R1P2NNP/1PBQ1PP1/4R1K1 w - - 0 1")
        .expect("a position");
    assert_eq!(entry(4, 0).on(&rook).map(|mv| mv.uci(false).to_string()).as_deref(), Some("e1a1"));
    assert!(entry(4, 0).on(&rook).is_some_and(|mv| !mv.is_castling()));
    let king = Board::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").expect("a position");
    for (to, text) in [(7, "e1g1"), (6, "e1g1"), (0, "e1c1"), (2, "e1c1")] {
        let mv = entry(4, to).on(&king).expect("castling");
        assert!(mv.is_castling());
        assert_eq!(mv.uci(false).to_string(), text);
        assert_eq!(
            entry(4, to.max(if to > 4 { 7 } else { 0 })).on(&king).map(entry::code),
            Some(entry::code(mv))
        );
    }
    let without = Board::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1").expect("a position");
    assert_eq!(entry(4, 7).on(&without), None);
    let promotion = Board::from_fen("8/P6k/8/8/8/8/8/K7 w - - 0 1").expect("a position");
    for mv in promotion.legal_moves() {
        let coded = Entry { key: 0, mv: entry::code(mv), weight: 1, learn: 0 };
        assert_eq!(coded.on(&promotion), Some(mv));
        assert_eq!(Entry::from_bytes(coded.to_bytes()), coded);
    }
}

#[test]
fn games_become_weights() {
    let folder = Folder::new("make");
    let start = Board::startpos();
    let by_result = make(&folder, "result.bin", GAMES, SETTINGS);
    assert_eq!(moves(&by_result, &start), ["e2e4:5"]);
    assert_eq!(moves(&by_result, &after("d2d4")), ["d7d5:2"]);
    // A draw gives a point, a loss none.
    assert_eq!(moves(&by_result, &after("e2e4")), ["c7c5:1"]);
    let by_count = make(&folder, "count.bin", GAMES, Settings { scoring: Scoring::Count, ..SETTINGS });
    assert_eq!(moves(&by_count, &start), ["e2e4:3", "c2c4:1", "d2d4:1"]);
    let often = Settings { min_games: 2, scoring: Scoring::Count, ..SETTINGS };
    assert_eq!(moves(&make(&folder, "often.bin", GAMES, often), &after("e2e4")), ["e7e5:2"]);
    let white = Settings { color: Some(movegen::Color::White), scoring: Scoring::Count, ..SETTINGS };
    assert_eq!(moves(&make(&folder, "white.bin", GAMES, white), &after("e2e4")), [""; 0]);
    let short = Settings { plies: 1, scoring: Scoring::Count, ..SETTINGS };
    assert_eq!(Book::open(&make(&folder, "short.bin", GAMES, short)).expect("a book").len(), 3);
}

#[test]
fn counts_put_aside_give_the_same_book() {
    let folder = Folder::new("aside");
    let whole = make(&folder, "whole.bin", GAMES, SETTINGS);
    for capacity in [1, 2, 3] {
        let parts = make(&folder, &format!("{capacity}.bin"), GAMES, Settings { capacity, ..SETTINGS });
        assert_eq!(fs::read(&parts).expect("a book"), fs::read(&whole).expect("a book"), "{capacity}");
    }
    // Nothing else is left in the folder.
    assert_eq!(fs::read_dir(&folder.0).expect("a folder").count(), 4);
}

#[test]
fn merged_weights_add_up_and_fit() {
    let folder = Folder::new("merge");
    let book = make(&folder, "a.bin", GAMES, Settings { scoring: Scoring::Count, ..SETTINGS });
    let out = folder.file("b.bin");
    assert_eq!(merge(&[book.clone(), book.clone()], &out), Ok(Book::open(&book).expect("a book").len()));
    assert_eq!(moves(&out, &Board::startpos()), ["e2e4:6", "c2c4:2", "d2d4:2"]);
    assert!(check(&out).expect("a report").is_sound());
    // Weights that add up to too much are brought into range together.
    let key = key::of(&Board::startpos());
    let heavy: Vec<u8> = [("e2e4", u16::MAX), ("d2d4", 1)]
        .into_iter()
        .flat_map(|(text, weight)| {
            let mv = entry::code(Board::startpos().parse_uci(text).expect("a legal move"));
            Entry { key, mv, weight, learn: 0 }.to_bytes()
        })
        .collect();
    let path = folder.file("heavy.bin");
    fs::write(&path, heavy).expect("a file");
    let out = folder.file("c.bin");
    assert_eq!(merge(&[path.clone(), path], &out), Ok(2));
    assert_eq!(moves(&out, &Board::startpos()), ["e2e4:65535", "d2d4:1"]);
}

#[test]
fn moves_are_chosen_as_asked() {
    let folder = Folder::new("choose");
    let path = make(&folder, "a.bin", GAMES, Settings { scoring: Scoring::Count, ..SETTINGS });
    let book = Book::open(&path).expect("a book");
    let start = Board::startpos();
    let mut random = Random::seeded(5);
    let mut count = |variety| {
        let mut counts = [0; 3];
        for _ in 0..3000 {
            let (mv, _) = book.choose(&start, &[], variety, &mut random).expect("readable").expect("a move");
            counts[["e2e4", "c2c4", "d2d4"]
                .iter()
                .position(|text| *text == mv.uci(false).to_string())
                .expect("a move of the book")] += 1;
        }
        counts
    };
    assert_eq!(count(Variety::Best), [3000, 0, 0]);
    let weighted = count(Variety::Weighted);
    assert!((1650..=1950).contains(&weighted[0]) && weighted[1] > 450 && weighted[2] > 450, "{weighted:?}");
    assert!(count(Variety::Uniform).iter().all(|n| (850..=1150).contains(n)));
    let only = [start.parse_uci("d2d4").expect("a legal move")];
    let (mv, _) = book.choose(&start, &only, Variety::Best, &mut random).expect("readable").expect("a move");
    assert_eq!(mv, only[0]);
    assert_eq!(book.choose(&after("a2a3"), &[], Variety::Best, &mut random).expect("readable"), None);
}

#[test]
fn damaged_books_are_told_and_harmless() {
    let folder = Folder::new("damage");
    let path = make(&folder, "a.bin", GAMES, SETTINGS);
    let bytes = fs::read(&path).expect("a book");
    let damaged = folder.file("d.bin");
    fs::write(&damaged, b"").expect("a file");
    assert!(Book::open(&damaged).is_err_and(|error| error.to_string() == "holds no entry"));
    fs::write(&damaged, &bytes[..15]).expect("a file");
    assert!(Book::open(&damaged).is_err());
    assert!(Book::open(&folder.0).is_err() && Book::open(&folder.file("missing.bin")).is_err());
    // What follows the last whole entry is ignored.
    let mut longer = bytes.clone();
    longer.extend_from_slice(b"rest");
    fs::write(&damaged, &longer).expect("a file");
    assert!(Book::open(&damaged).expect("a book").size_fault().is_some());
    assert_eq!(moves(&damaged, &Board::startpos()), ["e2e4:5"]);
    assert_eq!(check(&damaged).expect("a report").tail, 4);
    // Entries upside down.
    let reversed: Vec<u8> = bytes.chunks(SIZE).rev().flatten().copied().collect();
    fs::write(&damaged, &reversed).expect("a file");
    assert!(check(&damaged).expect("a report").unsorted > 0);
    let out = folder.file("e.bin");
    assert!(merge(std::slice::from_ref(&damaged), &out).is_err_and(|error| error.contains("not sorted")));
    assert!(!out.exists() && !folder.file("e.bin.part").exists());
    // Any bit may be wrong: moves stay legal.
    let mut random = Random::seeded(9);
    for _ in 0..500 {
        let mut flipped = bytes.clone();
        let place = random.below(flipped.len() as u64) as usize;
        flipped[place] ^= 1 << random.below(8);
        fs::write(&damaged, &flipped).expect("a file");
        for line in ["", "e2e4", "d2d4", "e2e4 e7e5"] {
            let board = after(line);
            for (mv, _) in Book::open(&damaged).expect("a book").moves(&board).expect("readable") {
                assert!(board.is_legal(mv));
            }
        }
        check(&damaged).expect("a report");
    }
}
