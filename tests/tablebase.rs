//! Syzygy tables through the searcher's own interface: values, distances, damaged files.

#[path = "support/folder.rs"]
mod folder;
#[path = "support/random.rs"]
mod random;

use std::fs;
use std::path::Path;

use eval::chess::kpk;
use folder::Folder;
use movegen::{Board, Color, File, NoObserver, Square};
use random::Random;
use search::chess::tablebase::{Ranking, TableUse, Tables, Wdl};

/// The tables with three men that the tests carry: KQvK, KRvK, KBvK, KNvK, KPvK.
const TABLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/syzygy");

fn board(fen: &str) -> Board {
    Board::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn tables() -> Tables {
    let (tables, found) = Tables::find(TABLES);
    assert_eq!((found.wdl, found.dtz, found.men, found.faults.len()), (5, 5, 3, 0));
    tables
}

/// A copy of the tables.
fn copy(name: &str) -> Folder {
    let folder = Folder::new(name);
    for entry in fs::read_dir(TABLES).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), folder.join(entry.file_name())).unwrap();
    }
    folder
}

fn find(folder: &Folder) -> (Tables, search::chess::tablebase::Found) {
    Tables::find(&folder.display().to_string())
}

/// Changes a bit behind the mark of the kind of file, at most `reach` bytes behind it.
fn flip(path: &Path, place: usize, reach: usize, bits: u8) {
    let mut bytes = fs::read(path).unwrap();
    let place = 4 + place % reach.min(bytes.len() - 4);
    bytes[place] ^= bits;
    fs::write(path, bytes).unwrap();
}

#[test]
fn values_and_distances_are_those_of_an_independent_prober() {
    // Values by python-chess.
    let known = [
        (Wdl::Draw, 0, "8/8/8/8/8/1p6/K7/7k w"),
        (Wdl::Win, 19, "8/8/8/1k6/8/8/K5P1/8 w"),
        (Wdl::Win, 31, "8/8/8/8/8/2k5/1R6/K7 w"),
        (Wdl::Win, 19, "8/8/8/5k2/8/8/1Q6/K7 w"),
        (Wdl::Loss, -14, "8/8/8/8/8/4rk2/K7/8 w"),
        (Wdl::Loss, -10, "8/4k3/8/1K4p1/8/8/8/8 w"),
        (Wdl::Loss, -24, "7r/3K4/8/8/5k2/8/8/8 w"),
        (Wdl::Win, 13, "6k1/K7/8/8/8/8/1Q6/8 w"),
        (Wdl::Win, 1, "8/8/3K4/8/8/6kp/8/8 b"),
        (Wdl::Loss, -22, "4r3/6k1/8/6K1/8/8/8/8 w"),
        (Wdl::Draw, 0, "2K5/8/5k2/8/5P2/8/8/8 b"),
        (Wdl::Loss, -28, "5K2/8/8/8/5R2/8/8/1k6 b"),
        (Wdl::Loss, -2, "8/K7/8/5p2/8/8/8/7k w"),
        (Wdl::Win, 1, "8/8/1k6/8/8/5K2/1p6/8 b"),
        (Wdl::Win, 1, "8/1K6/8/5p2/7k/8/8/8 b"),
        (Wdl::Win, 1, "8/2P4k/8/8/K7/8/8/8 w"),
        (Wdl::Loss, -2, "8/8/8/8/7k/P7/8/K7 b"),
        (Wdl::Win, 1, "8/8/8/8/1K6/4P3/k7/8 w"),
        (Wdl::Draw, 0, "7K/8/3k4/8/8/8/3P4/8 w"),
        (Wdl::Loss, -12, "8/8/8/6k1/4Q3/8/5K2/8 b"),
        (Wdl::Loss, -16, "8/1Q2k3/K7/8/8/8/8/8 b"),
        (Wdl::Win, 7, "8/3k4/6K1/8/8/2q5/8/8 b"),
    ];
    let tables = tables();
    for (wdl, dtz, fen) in known {
        let board = board(&format!("{fen} - - 0 1"));
        assert_eq!(tables.wdl(&board), Some(wdl), "{fen}");
        assert_eq!(tables.dtz(&board).map(|dtz| dtz.plies), Some(dtz), "{fen}");
    }
    assert!(tables.take_complaints().is_empty());
}

#[test]
fn what_the_tables_cannot_know_is_left_alone() {
    let tables = tables();
    for fen in [
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        "3k4/8/8/8/8/8/4R3/4K2R w - - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ] {
        assert_eq!((tables.wdl(&board(fen)), tables.dtz(&board(fen))), (None, None), "{fen}");
    }
    assert!(tables.take_complaints().is_empty());
}

#[test]
fn the_root_is_ranked_by_distance_and_won_inside_the_fifty_moves() {
    let usage = TableUse { tables: tables().into(), probe_depth: 1, probe_limit: 7, fifty_moves: true };
    for (fen, rest) in [
        ("8/8/8/4k3/8/8/8/KR6 w - - 0 1", 40),
        ("8/8/8/4k3/8/8/8/KR6 w - - 60 90", 40),
        ("8/8/8/3k4/8/8/4PK2/8 w - - 0 1", 100),
        ("k7/8/8/8/8/8/8/KQ6 w - - 70 90", 30),
    ] {
        let mut board = board(fen);
        let strong = board.side_to_move();
        let mut plies = 0;
        while !board.is_checkmate() {
            assert!(plies < rest && !board.is_fifty_move_draw(), "{fen} {}", board.fen());
            let moves: Vec<_> = board.legal_moves().into_iter().collect();
            let ranking = Ranking::new(&board, &moves, &usage).expect("in the tables");
            assert!(!ranking.probe_in_search && ranking.hits > 0);
            let best = ranking.moves.iter().max_by_key(|m| m.rank).unwrap();
            // The strong side by distance, the weak side anyhow: the last of its moves.
            let mv = if board.side_to_move() == strong {
                assert!(best.rank > 1000, "{fen} {}", board.fen());
                let after = |mv| {
                    let mut after = board.clone();
                    after.make_move(mv, &mut NoObserver);
                    let plies = usage.tables.dtz(&after).map_or(0, |dtz| dtz.plies);
                    (after.is_checkmate(), after.halfmove_clock() == 0, plies)
                };
                let top = ranking.moves.iter().filter(|m| m.rank == best.rank);
                top.max_by_key(|m| after(m.mv)).unwrap().mv
            } else {
                moves[moves.len() - 1]
            };
            board.make_move(mv, &mut NoObserver);
            plies += 1;
        }
    }
}

#[test]
fn moves_that_give_the_win_away_are_ranked_below() {
    let usage = TableUse { tables: tables().into(), probe_depth: 1, probe_limit: 7, fifty_moves: true };
    // Some moves of the king win, pushing the pawn draws.
    let board = board("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1");
    let moves: Vec<_> = board.legal_moves().into_iter().collect();
    let ranking = Ranking::new(&board, &moves, &usage).unwrap();
    for m in &ranking.moves {
        let by_table = {
            let mut after = board.clone();
            after.make_move(m.mv, &mut NoObserver);
            usage.tables.wdl(&after) == Some(Wdl::Loss)
        };
        assert_eq!(m.rank > 0, by_table, "{:?}", m.mv);
    }
    assert!(ranking.moves.iter().any(|m| m.rank > 0) && ranking.moves.iter().any(|m| m.rank <= 0));
    // Without distances the values still rank.
    let folder = copy("no-dtz");
    for name in ["KQvK", "KRvK", "KBvK", "KNvK", "KPvK"] {
        fs::remove_file(folder.join(format!("{name}.rtbz"))).unwrap();
    }
    let (tables, found) = find(&folder);
    assert_eq!((found.wdl, found.dtz), (5, 0));
    let usage = TableUse { tables: tables.into(), ..usage };
    let by_value = Ranking::new(&board, &moves, &usage).unwrap();
    assert!(by_value.probe_in_search);
    for (a, b) in ranking.moves.iter().zip(&by_value.moves) {
        assert_eq!((a.mv, a.rank.signum(), a.score), (b.mv, b.rank.signum(), b.score));
    }
    let complaints = usage.tables.take_complaints();
    assert!(complaints.len() == 1 && complaints[0].contains("no DTZ table"), "{complaints:?}");
    assert!(usage.tables.take_complaints().is_empty());
}

#[test]
fn what_is_no_table_is_left_out_with_a_reason() {
    let folder = copy("strange");
    fs::write(folder.join("KQvK.rtbw"), b"").unwrap();
    fs::write(folder.join("KRvK.rtbw"), vec![b'x'; 208]).unwrap();
    let bytes = fs::read(folder.join("KPvK.rtbw")).unwrap();
    fs::write(folder.join("KPvK.rtbw"), &bytes[..bytes.len() - 100]).unwrap();
    fs::remove_file(folder.join("KBvK.rtbw")).unwrap();
    fs::create_dir(folder.join("KBvK.rtbw")).unwrap();
    fs::write(folder.join("KZvK.rtbw"), &bytes).unwrap();
    fs::write(folder.join("readme.txt"), b"hello").unwrap();
    let (tables, found) = find(&folder);
    assert_eq!((found.wdl, found.dtz, found.faults.len()), (1, 5, 5), "{found:?}");
    assert_eq!(found.to_string().lines().count(), 1);
    assert_eq!(tables.wdl(&board("8/8/8/4k3/8/8/8/KR6 w - - 0 1")), None);
}

#[test]
fn a_table_cut_at_a_seemly_length_is_told_once() {
    let folder = copy("cut");
    let bytes = fs::read(folder.join("KPvK.rtbw")).unwrap();
    // A whole number of blocks: only its contents show that something is missing.
    fs::write(folder.join("KPvK.rtbw"), &bytes[..16 + 64 * 20]).unwrap();
    let (tables, found) = find(&folder);
    assert_eq!(found.wdl, 5);
    let mut unknown = 0;
    for square in ["a", "b", "c", "d", "e", "f", "g", "h"] {
        for rank in 2..=7 {
            let Some(mv) = pawn(square, rank) else { continue };
            unknown += u32::from(tables.wdl(&mv).is_none());
        }
    }
    assert!(unknown > 0);
    let complaints = tables.take_complaints();
    assert_eq!(complaints.len(), 1, "{complaints:?}");
    assert!(tables.take_complaints().is_empty());
    // The others are as good as before.
    assert_eq!(tables.wdl(&board("8/8/8/4k3/8/8/8/KR6 w - - 0 1")), Some(Wdl::Win));
}

/// A king's fight for a pawn on the given square.
fn pawn(file: &str, rank: usize) -> Option<Board> {
    let index = (file.as_bytes()[0] - b'a') as usize;
    let mut rows = vec!["8".to_string(); 8];
    let mut row = String::new();
    if index > 0 {
        row.push_str(&index.to_string());
    }
    row.push('P');
    if index < 7 {
        row.push_str(&(7 - index).to_string());
    }
    rows[8 - rank] = row;
    for (king, place) in [("7k", 0), ("K7", 7)] {
        rows[place] = king.to_string();
    }
    Board::from_fen(&format!("{} w - - 0 1", rows.join("/"))).ok()
}

#[test]
fn flipped_bits_neither_crash_nor_hang() {
    let folder = copy("flipped");
    let mut random = Random(3);
    let boards: Vec<Board> = ["a", "c", "d", "g"]
        .iter()
        .flat_map(|file| (2..=7).filter_map(move |rank| pawn(file, rank)))
        .chain([board("8/8/8/4k3/8/8/8/KR6 w - - 0 1"), board("8/8/8/4k3/8/8/8/KR6 b - - 0 1")])
        .collect();
    for round in 0..400 {
        for name in ["KPvK.rtbw", "KPvK.rtbz", "KRvK.rtbw", "KRvK.rtbz"] {
            fs::copy(Path::new(TABLES).join(name), folder.join(name)).unwrap();
            // Mostly in the head of the file, where the structure is told.
            let reach = if round % 4 == 0 { usize::MAX } else { 120 };
            for _ in 0..=round % 3 {
                flip(&folder.join(name), random.below(usize::MAX), reach, 1 << random.below(8));
            }
        }
        let (tables, found) = find(&folder);
        assert_eq!(found.faults.len(), 0);
        for board in &boards {
            let _ = tables.wdl(board);
            let _ = tables.dtz(board);
        }
        assert!(tables.take_complaints().len() <= 4);
    }
}

#[test]
fn positions_of_king_and_pawn_are_as_in_the_tables() {
    let tables = tables();
    let mut compared = 0;
    let squares = || (0..64).filter_map(Square::from_index);
    // Three of the eight files, one of them seen in the mirror.
    let files = [File::A, File::C, File::E];
    for pawn in squares().filter(|pawn| (8..56).contains(&pawn.index()) && files.contains(&pawn.file())) {
        for king in squares() {
            for enemy in squares().filter(|&enemy| enemy != king && enemy != pawn && king != pawn) {
                for (side, to_move) in [('w', true), ('b', false)] {
                    let Some(board) = place(&[(king, 'K'), (pawn, 'P'), (enemy, 'k')], side) else {
                        continue;
                    };
                    let expected = match tables.wdl(&board) {
                        Some(Wdl::Win) => to_move,
                        Some(Wdl::Loss) => !to_move,
                        Some(_) => false,
                        None => panic!("unknown: {}", board.fen()),
                    };
                    let found = kpk::is_win(Color::White, king, pawn, enemy, to_move);
                    assert_eq!(found, expected, "{}", board.fen());
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 100_000);
}

/// The position with these men, if it is legal.
fn place(men: &[(Square, char)], side: char) -> Option<Board> {
    let mut rows = [['1'; 8]; 8];
    for &(square, man) in men {
        rows[7 - square.rank() as usize][square.file() as usize] = man;
    }
    let rows: Vec<String> = rows.iter().map(|row| row.iter().collect()).collect();
    Board::from_fen(&format!("{} {side} - - 0 1", rows.join("/"))).ok()
}
