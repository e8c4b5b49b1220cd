//! Training games: the bytes, and what happens to files that were cut.

#[path = "support/folder.rs"]
mod folder;
#[path = "support/raw.rs"]
mod raw;

use draughts::data::{DataError, MAGIC, Reader, Record, decode, encode, resume};
use draughts::rules::International;
use draughts::selfplay::LONGEST;
use draughts::selfplay::{Plan, Player};
use draughts::{fen, legal_moves};
use folder::Folder;
use raw::run;
use std::io::Write;

fn plan() -> Plan {
    let openings =
        vec![fen::parse_fen("B:W27,31-50:B1-15,17-20,21").unwrap_or_else(|_| draughts::Position::start())];
    Plan { nodes: 60, seed: 7, openings }
}

fn games(count: u64) -> Vec<Record> {
    let mut player = Player::default();
    (0..count).map(|number| player.play(&plan(), number)).collect()
}

#[test]
fn games_are_repeatable_and_legal() {
    let first = games(4);
    assert_eq!(first, games(4));
    assert_eq!(Player::default().play(&plan(), 3), first[3], "games do not depend on those before");
    for record in &first {
        let replayed = record.replay().unwrap();
        assert_eq!(replayed.len(), record.plies.len());
        assert!(!replayed.is_empty());
    }
}

#[test]
fn what_is_written_is_read_back() {
    let games = games(3);
    let mut bytes = MAGIC.to_vec();
    games.iter().for_each(|game| bytes.extend(game.to_bytes()));
    let read: Vec<Record> = Reader::new(bytes.as_slice()).unwrap().map(Result::unwrap).collect();
    assert_eq!(read, games);
}

#[test]
fn every_move_has_its_own_code() {
    for text in
        ["W:W31-50:B1-20", "B:W6,9-11,20-23,30,K31,33,37,41-44,46:BK17,K24", "W:WK47:B42,33,34,22,23,13,12"]
    {
        let mut position = fen::parse_fen(text).unwrap();
        for ply in 0..40 {
            let legal = legal_moves::<International>(&position);
            for &mv in &legal {
                assert_eq!(decode(encode(mv, &legal).unwrap(), &legal), Some(mv));
            }
            let Some(&mv) = legal.get(ply * 3 % legal.len().max(1)) else { break };
            position = position.play::<International>(mv);
        }
    }
}

#[test]
fn a_torn_end_is_cut_off_and_damage_is_found() {
    let folder = Folder::new("torn");
    let path = folder.join("games");
    let games = games(3);
    {
        let (mut file, stock) = resume(&path).unwrap();
        assert_eq!((stock.games, stock.cut), (0, 0));
        games.iter().for_each(|game| file.write_all(&game.to_bytes()).unwrap());
        file.flush().unwrap();
    }
    let whole = std::fs::read(&path).unwrap();
    let last = games[2].to_bytes().len();
    for missing in [1, 4, last - 1, last - 29] {
        std::fs::write(&path, &whole[..whole.len() - missing]).unwrap();
        let (mut file, stock) = resume(&path).unwrap();
        assert_eq!((stock.games, stock.cut as usize), (2, last - missing));
        file.write_all(&games[2].to_bytes()).unwrap();
        file.flush().unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), whole);
    }
    let mut damaged = whole.clone();
    damaged[MAGIC.len() + 40] ^= 1;
    std::fs::write(&path, &damaged).unwrap();
    assert!(matches!(resume(&path), Err(DataError::Checksum)));
    assert_eq!(std::fs::read(&path).unwrap(), damaged, "a damaged file is not touched");
    std::fs::write(&path, b"something else entirely").unwrap();
    assert!(matches!(resume(&path), Err(DataError::Magic)));
}

/// What `resume` says to a file that it must not touch.
fn refusal(path: &std::path::Path, bytes: &[u8]) -> DataError {
    std::fs::write(path, bytes).unwrap();
    let error = resume(path).expect_err("a refusal");
    assert_eq!(std::fs::read(path).unwrap(), bytes, "{error}");
    error
}

#[test]
fn a_damaged_count_of_plies_costs_no_game() {
    let folder = Folder::new("count");
    let path = folder.join("games");
    let games = games(3);
    let mut whole = MAGIC.to_vec();
    let starts: Vec<usize> = games
        .iter()
        .map(|game| {
            let start = whole.len();
            whole.extend(game.to_bytes());
            start
        })
        .collect();
    let with_count = |game: usize, plies: usize| {
        let mut bytes = whole.clone();
        bytes[starts[game]..starts[game] + 2].copy_from_slice(&u16::try_from(plies).unwrap().to_le_bytes());
        bytes
    };
    for (game, record) in games.iter().enumerate() {
        let length = record.plies.len();
        // Longer than any game, although the file ends before.
        for plies in [LONGEST + 1, length + 256 * 8, 0xFFFF] {
            let error = refusal(&path, &with_count(game, plies));
            assert!(matches!(error, DataError::Length(claimed) if claimed == plies), "{error}");
        }
        // A length that a game may have, behind the end of the file or not; and one that is too short.
        for plies in [length - 1, length + 1, (length + LONGEST) / 2, LONGEST] {
            let error = refusal(&path, &with_count(game, plies));
            assert!(matches!(error, DataError::Tail | DataError::Checksum), "{error}");
        }
        // The same with an unfinished game behind them.
        let mut bytes = with_count(game, LONGEST);
        bytes.extend(&games[0].to_bytes()[..50]);
        let error = refusal(&path, &bytes);
        assert!(matches!(error, DataError::Tail | DataError::Checksum), "{error}");
    }
}

#[test]
fn only_zero_bytes_and_the_beginning_of_a_game_are_cut_off() {
    let folder = Folder::new("tail");
    let path = folder.join("games");
    let game = games(1).remove(0).to_bytes();
    let whole = [&MAGIC, game.as_slice()].concat();
    for zeros in [1, 27, 32, 5000] {
        std::fs::write(&path, [whole.as_slice(), &vec![0; zeros]].concat()).unwrap();
        let (_, stock) = resume(&path).unwrap();
        assert_eq!((stock.games, stock.cut as usize), (1, zeros));
        assert_eq!(std::fs::read(&path).unwrap(), whole);
    }
    let mut zeros_and_more = vec![0; 5000];
    zeros_and_more.push(7);
    for tail in [zeros_and_more.as_slice(), b"a note", b"\x20\0\x05\0abc", &[0, 0, 1]] {
        refusal(&path, &[whole.as_slice(), tail].concat());
    }
}

#[test]
fn a_short_file_of_something_else_is_left_alone() {
    let folder = Folder::new("short");
    let path = folder.join("games");
    for foreign in [&b"hello"[..], b"D\n", b"DDRGHT\n", b"\0"] {
        assert!(matches!(refusal(&path, foreign), DataError::Magic));
    }
    for begun in [&b""[..], b"DDR", b"DDRGHT0"] {
        std::fs::write(&path, begun).unwrap();
        drop(resume(&path).unwrap());
        assert_eq!(std::fs::read(&path).unwrap(), MAGIC);
    }
    let run = run(&["datagen", "--games", "1", "--out", &folder.file("text", "hello")], "");
    assert_eq!((run.status, run.errors.lines().count()), (Some(2), 1), "{}", run.errors);
    assert_eq!(folder.read("text"), "hello");
}

#[test]
fn wrong_numbers_of_nodes_and_empty_openings_are_refused() {
    let folder = Folder::new("nodes");
    let out = folder.path("games");
    let none = run(&["datagen", "--games", "1", "--nodes", "0", "--out", &out], "");
    assert_eq!((none.status, none.errors.lines().count()), (Some(2), 1), "{}", none.errors);
    let empty = folder.file("empty", "\n\n");
    let empty = run(&["datagen", "--games", "1", "--openings", &empty, "--out", &out], "");
    assert_eq!((empty.status, empty.errors.lines().count()), (Some(2), 1), "{}", empty.errors);
    // So many nodes that eight times as many are no number any more.
    let position = fen::parse_fen("W:WK46:BK5").unwrap();
    let report = Player::default().think(
        &draughts::Game::new(position.play::<International>(legal_moves::<International>(&position)[0])),
        u64::MAX,
    );
    assert!(report.best.is_some());
}
