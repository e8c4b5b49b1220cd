//! Training games: the bytes, and what happens to files that were cut.

#[path = "support/folder.rs"]
mod folder;

use draughts::data::{DataError, MAGIC, Reader, Record, decode, encode, resume};
use draughts::rules::International;
use draughts::selfplay::{Plan, Player};
use draughts::{fen, legal_moves};
use folder::Folder;
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
