//! Games as the trainer reads them: positions, values, filters and damaged files.

#[path = "support/folder.rs"]
mod folder;
#[path = "support/random.rs"]
mod random;
#[path = "support/random_games.rs"]
mod random_games;

use std::path::Path;

use eval::FeatureSet;
use eval::chess::KingBuckets;
use eval::train::chess::{ChessGame, Record};
use eval::train::{Config, Filter, Game, ReadReport, Sample, TemporalDifference, TrainError, run, sigmoid};
use folder::Folder;
use movegen::{Board, Color, Move};
use random_games::write_random_games;

fn everything() -> Filter {
    Filter { min_ply: 0, max_score: i32::MAX, skip_check: false, skip_tactical: false }
}

fn read_all(path: &Path, filter: &Filter) -> Result<(Vec<Record>, ReadReport), TrainError> {
    read_with(&ChessGame::new(KingBuckets::One), path, filter)
}

fn read_with(
    game: &ChessGame,
    path: &Path,
    filter: &Filter,
) -> Result<(Vec<Record>, ReadReport), TrainError> {
    let mut records = Vec::new();
    let report = game.read(path, filter, &mut |_, record| records.push(record))?;
    Ok((records, report))
}

#[test]
fn a_position_is_valued_by_what_came_after_it() {
    let folder = Folder::new("values");
    let path = folder.join("games.vf");
    let games = write_random_games(&path, 10, 8);
    let game = ChessGame::new(KingBuckets::One)
        .with_values(Some(TemporalDifference::new(0.7, 150.0).expect("in range")));
    let (valued, _) = read_with(&game, &path, &everything()).expect("valid");
    let (plain, _) = read_all(&path, &everything()).expect("valid");
    let result_of = |record: &Record| {
        let mut sample = Sample::default();
        game.unpack(record, &mut sample);
        sample.result
    };
    let mut end = plain.len();
    for plies in games.iter().rev() {
        let mut later = None;
        for (i, (board, _, score)) in plies.iter().enumerate().rev() {
            let record = end - plies.len() + i;
            let white = |value: f32| if board.side_to_move() == Color::White { value } else { 1.0 - value };
            let next = later.unwrap_or_else(|| white(result_of(&plain[record])));
            let value = 0.3 * sigmoid(*score as f32 / 150.0) + 0.7 * next;
            assert!((white(result_of(&valued[record])) - value).abs() < 1e-4);
            later = Some(value);
        }
        end -= plies.len();
    }
    assert_eq!(end, 0);
    // A position left out by the filter still counts for those before it.
    let quiet = Filter { skip_tactical: true, ..everything() };
    let (kept, _) = read_with(&game, &path, &quiet).expect("valid");
    let moves = games.iter().flatten().map(|(_, mv, _)| mv);
    let expected: Vec<_> =
        valued.iter().zip(moves).filter(|(_, mv)| !mv.is_tactical()).map(|(record, _)| *record).collect();
    assert!(kept.len() < valued.len());
    assert_eq!(kept, expected);
}

#[test]
fn games_written_by_the_format_crate_are_read() {
    let folder = Folder::new("read");
    let path = folder.join("games.vf");
    let games = write_random_games(&path, 60, 5);
    let (records, report) = read_all(&path, &everything()).expect("valid");
    let plies: Vec<_> = games.iter().flatten().collect();
    assert_eq!(report.games, 60);
    assert_eq!(report.positions, plies.len() as u64);
    assert_eq!(report.trailing_bytes, 0);
    assert_eq!(records.len(), plies.len());
    let game = ChessGame::new(KingBuckets::Four);
    let mut sample = Sample::default();
    for (record, (board, _, score)) in records.iter().zip(&plies) {
        game.unpack(record, &mut sample);
        let white = board.side_to_move() == Color::White;
        assert_eq!(i32::from(sample.score), if white { *score } else { -score });
        assert_eq!(*record, Record::new(board, sample.score, sample.result));
        // The trainer's inputs are the engine's inputs.
        for half in 0..2 {
            let side = if half == 0 { board.side_to_move() } else { !board.side_to_move() };
            let view = game.features().view(board, side.index());
            let planes = game.features().planes(board, side.index(), view);
            let base = game.features().base(view);
            let mut expected: Vec<u16> = (0..12 * 64)
                .filter(|i| planes[i / 64] >> (i % 64) & 1 != 0)
                .map(|i| (base + i) as u16)
                .collect();
            let mut found = sample.rows[half].to_vec();
            expected.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, expected);
        }
        assert_eq!(usize::from(sample.bucket), game.features().output_bucket(board));
    }
}

#[test]
fn filters_leave_out_what_they_say() {
    let folder = Folder::new("filter");
    let path = folder.join("games.vf");
    let games = write_random_games(&path, 60, 6);
    let count = |filter: Filter| read_all(&path, &filter).expect("valid").1.kept as usize;
    let plies: Vec<_> = games.iter().flatten().collect();
    let expect = |keep: &dyn Fn(&Board, Move, i32) -> bool| {
        plies.iter().filter(|(board, mv, score)| keep(board, *mv, *score)).count()
    };
    assert_eq!(count(everything()), plies.len());
    let early = Filter { min_ply: 20, ..everything() };
    assert_eq!(count(early), expect(&|board, _, _| board.ply_count() >= 20));
    let decided = Filter { max_score: 300, ..everything() };
    assert_eq!(count(decided), expect(&|_, _, score| score.abs() < 300));
    let check = Filter { skip_check: true, ..everything() };
    assert_eq!(count(check), expect(&|board, _, _| !board.in_check()));
    let tactical = Filter { skip_tactical: true, ..everything() };
    assert_eq!(count(tactical), expect(&|_, mv, _| !mv.is_tactical()));
}

#[test]
fn damaged_data_is_reported() {
    let folder = Folder::new("damage");
    let path = folder.join("games.vf");
    write_random_games(&path, 6, 7);
    let whole = std::fs::read(&path).expect("readable");
    let (records, _) = read_all(&path, &everything()).expect("valid");

    // A file that is still being written: whole games count, the rest is named.
    std::fs::write(&path, &whole[..whole.len() - 10]).expect("written");
    let (fewer, report) = read_all(&path, &everything()).expect("valid");
    assert!(report.games == 5 && report.trailing_bytes > 0 && fewer.len() < records.len());
    assert_eq!(fewer, records[..fewer.len()]);

    // No flipped bit crashes; those that make a move or position impossible are errors that name the game.
    let mut refused = 0;
    for bit in (0..8 * 400).step_by(3) {
        let mut damaged = whole.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        std::fs::write(&path, &damaged).expect("written");
        if let Err(error) = read_all(&path, &everything()) {
            assert!(matches!(error, TrainError::Data { .. }), "{error}");
            refused += 1;
        }
    }
    assert!(refused > 200, "{refused}");

    std::fs::write(&path, "[Event \"A text file with no zero bytes\"]").expect("written");
    let config =
        Config { data: vec![path], out: folder.join("net.nnue"), progress: false, ..Config::default() };
    assert!(matches!(run(&ChessGame::new(KingBuckets::One), &config), Err(TrainError::Empty { .. })));
    let config = Config { data: vec![folder.join("missing")], ..config };
    assert!(matches!(run(&ChessGame::new(KingBuckets::One), &config), Err(TrainError::Io { .. })));
}
