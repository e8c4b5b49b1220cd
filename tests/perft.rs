//! Perft: the counts of tests/data/perft.txt.

use movegen::{Board, divide, perft, perft_parallel};

/// Deeper lines are cut here so that the test takes seconds.
const MOST_NODES: u64 = 5_000_000;

fn table() -> Vec<(String, Vec<u64>)> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/perft.txt");
    let text = std::fs::read_to_string(path).expect("tests/data/perft.txt");
    text.lines()
        .map(|line| line.split('#').next().unwrap_or_default().trim())
        .filter(|line| !line.is_empty())
        .map(|line| {
            let mut parts = line.split(';').map(str::trim);
            let fen = parts.next().expect("a FEN").to_string();
            (fen, parts.map(|count| count.parse().expect("a count")).collect())
        })
        .collect()
}

#[test]
fn counts_are_right() {
    let table = table();
    assert!(table.len() >= 6);
    for (fen, counts) in table {
        let board = Board::from_fen(&fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert!(!counts.is_empty(), "{fen}");
        for (depth, expected) in (1..).zip(counts).filter(|&(_, count)| count <= MOST_NODES) {
            assert_eq!(perft(&board, depth), expected, "{fen} depth {depth}");
        }
    }
}

#[test]
fn divide_and_threads_add_up() {
    for (fen, counts) in table().into_iter().take(6) {
        let board = Board::from_fen(&fen).expect("valid");
        for (depth, expected) in (1..=4).zip(counts) {
            let divided: u64 = divide(&board, depth).into_iter().map(|(_, nodes)| nodes).sum();
            assert_eq!(divided, expected, "{fen} depth {depth}");
            assert_eq!(perft_parallel(&board, depth, 2).expect("threads"), expected, "{fen} depth {depth}");
        }
        assert_eq!(perft(&board, 0), 1);
        assert_eq!(perft_parallel(&board, 0, 2).expect("threads"), 1);
        assert!(divide(&board, 0).is_empty());
    }
}
