//! Endgame tables: against plain search, in play, on disk, damaged.

#[path = "support/folder.rs"]
mod folder;
#[path = "support/hub.rs"]
mod hub;
#[path = "support/random.rs"]
mod random;
#[path = "support/raw.rs"]
mod raw;

use draughts::bitbase::build::{self, Event};
use draughts::bitbase::file::{self, Bytes, Kind, Table};
use draughts::bitbase::{Code, Slice, Tables, Value, verify};
use draughts::fen::{parse_fen, to_fen};
use draughts::rules::International;
use draughts::search::{Request, Shared, Worker, think};
use draughts::{Bitboard, Color, Game, Move, Outcome, Position, Square, legal_moves};
use folder::Folder;
use hub::Hub;
use random::Random;
use raw::{good, run};
use search::core::event::Silent;
use search::core::limit::Limits;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// A folder with the tables of 2 pieces.
fn with_tables(name: &str) -> Folder {
    let folder = Folder::new(name);
    build::generate(&folder, 2, &|_| ()).unwrap();
    folder
}

/// A position with so many pieces, at least one of each side.
fn random_position(random: &mut Random, pieces: usize) -> Position {
    loop {
        let mut sides = [Bitboard::EMPTY; 2];
        let mut kings = Bitboard::EMPTY;
        for piece in 0..pieces {
            let square = Bitboard::from(Square::new(1 + random.below(50) as u8).unwrap());
            let side = if piece < 2 { piece } else { random.below(2) };
            sides[side] |= square;
            if random.below(2) == 0 {
                kings |= square;
            }
        }
        let turn = Color::ALL[random.below(2)];
        let there = (sides[0] | sides[1]).count() as usize;
        if let Ok(position) = Position::new(sides, kings, turn)
            && there == pieces
        {
            return position;
        }
    }
}

fn successors(position: &Position) -> Vec<Position> {
    legal_moves::<International>(position)
        .iter()
        .map(|&mv| position.play::<International>(mv).fresh())
        .collect()
}

/// Whether the side to move can win within so many plies, by the rules alone.
fn wins(position: &Position, plies: u32) -> bool {
    plies > 0 && successors(position).iter().any(|next| loses(next, plies - 1))
}

/// Whether the side to move must lose within so many plies.
fn loses(position: &Position, plies: u32) -> bool {
    let next = successors(position);
    next.is_empty() || (plies > 0 && next.iter().all(|next| wins(next, plies - 1)))
}

/// Plies to the end of a game that is decided within `depth` plies.
fn plain_search(position: &Position, depth: u32) -> Option<u32> {
    (0..=depth).find(|&plies| if plies % 2 == 0 { loses(position, plies) } else { wins(position, plies) })
}

fn all_of_two() -> Vec<Position> {
    let mut positions = Vec::new();
    for white in Square::all() {
        for black in Square::all() {
            for kinds in 0..4 {
                let king = |bit: u32, square: Square| {
                    if kinds >> bit & 1 == 0 { Bitboard::EMPTY } else { square.into() }
                };
                for turn in Color::ALL {
                    let kings = king(0, white) | king(1, black);
                    positions.extend(Position::new([white.into(), black.into()], kings, turn));
                }
            }
        }
    }
    positions
}

#[test]
fn two_pieces_agree_with_an_analysis_by_the_rules_alone() {
    // Forwards, again and again over all positions: slow, but another way than the tables were made.
    let positions = all_of_two();
    assert_eq!(positions.len(), 2 * 8845);
    let successors: Vec<Vec<Position>> = positions.iter().map(successors).collect();
    let key = |position: &Position| to_fen(position);
    let numbers: HashMap<String, usize> = positions.iter().map(key).zip(0..).collect();
    let lists: Vec<Vec<Option<usize>>> = successors
        .iter()
        .map(|list| list.iter().map(|next| numbers.get(&to_fen(next)).copied()).collect())
        .collect();
    let mut plies = vec![None::<u32>; positions.len()];
    let mut changed = true;
    let mut level = 0;
    while changed || level < 3 {
        changed = false;
        let before = plies.clone();
        for (number, list) in lists.iter().enumerate().filter(|&(number, _)| before[number].is_none()) {
            // A position outside has one side only: the other has lost at once.
            let of = |&next: &Option<usize>| next.map_or(Some(0), |next| before[next]);
            let wins = list.iter().filter_map(of).any(|plies| plies % 2 == 0 && plies < level);
            let loses = list.iter().all(|next| of(next).is_some_and(|plies| plies % 2 == 1 && plies < level));
            if wins || loses {
                plies[number] = Some(level);
                changed = true;
            }
        }
        level += 1;
    }
    let tables = Tables::embedded();
    for (position, plies) in positions.iter().zip(plies) {
        assert_eq!(tables.code(position).unwrap().plies(), plies, "{}", to_fen(position));
    }
}

#[test]
fn random_positions_agree_with_search() {
    let tables = Tables::embedded();
    let mut random = Random(3);
    let (mut decided, depth) = (0, 5);
    for _ in 0..3000 {
        let position = random_position(&mut random, 3);
        let code = tables.code(&position).unwrap();
        let expected = code.plies().filter(|&plies| plies <= depth);
        let found = plain_search(&position, depth);
        assert_eq!(found, expected, "{}", to_fen(&position));
        assert_eq!(tables.value(&position), Some(code.value()));
        decided += u32::from(found.is_some());
    }
    assert!(decided > 700, "{decided}");
}

#[test]
fn both_colours_are_the_same_game() {
    let tables = Tables::embedded();
    let mut random = Random(4);
    for _ in 0..500 {
        let position = random_position(&mut random, 3);
        let turned = Position::new(
            [position.pieces(Color::Black).flip(), position.pieces(Color::White).flip()],
            position.all_kings().flip(),
            !position.turn(),
        );
        assert_eq!(tables.code(&position), tables.code(&turned.unwrap()));
    }
}

fn answer(worker: &mut Worker, shared: &Shared, game: &Game, nodes: u64) -> Move {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    think(worker, shared, &Request::new(game.clone(), limits), &Silent).best.unwrap()
}

/// The move that delays a loss longest, or keeps a draw.
fn best_defence(tables: &Tables, position: &Position) -> Move {
    let rank =
        |mv: &Move| tables.code(&position.play::<International>(*mv)).unwrap().before().unwrap().rank();
    legal_moves::<International>(position).into_iter().max_by_key(rank).unwrap()
}

#[test]
fn won_positions_are_won_within_the_limits_and_drawn_ones_held() {
    let tables = Tables::embedded();
    let shared = Shared::new(4, 1);
    let mut worker = Worker::default();
    let mut random = Random(5);
    let (mut won, mut drawn) = (0, 0);
    while won < 400 || drawn < 60 {
        let pieces = 2 + random.below(2);
        let position = random_position(&mut random, pieces);
        let engine = position.turn();
        let value = tables.value(&position).unwrap();
        match value {
            Value::Win if won < 400 => won += 1,
            Value::Draw if drawn < 60 && !legal_moves::<International>(&position).is_empty() => drawn += 1,
            _ => continue,
        }
        let mut game = Game::new(position);
        let outcome = loop {
            if let Some(outcome) = game.outcome::<International>() {
                break Some(outcome);
            }
            if value == Value::Draw && game.moves().len() >= 30 {
                break None;
            }
            let moves = legal_moves::<International>(game.position());
            let mv = if game.position().turn() == engine {
                answer(&mut worker, &shared, &game, 300)
            } else if random.below(4) == 0 {
                moves[random.below(moves.len())]
            } else {
                best_defence(&tables, game.position())
            };
            game.push::<International>(mv);
        };
        if value == Value::Win {
            assert_eq!(outcome, Some(Outcome::Win(engine)), "{}", to_fen(&position));
        } else {
            assert_ne!(outcome, Some(Outcome::Win(!engine)), "{}", to_fen(&position));
        }
    }
}

#[test]
fn lost_positions_are_held_as_long_as_possible() {
    let tables = Tables::embedded();
    let shared = Shared::new(4, 1);
    let mut worker = Worker::default();
    let mut random = Random(6);
    let mut games = 0;
    while games < 50 {
        let position = random_position(&mut random, 3);
        let code = tables.code(&position).unwrap();
        if code.value() != Value::Loss || code == Code::LOST {
            continue;
        }
        games += 1;
        let mut game = Game::new(position);
        while game.outcome::<International>().is_none() {
            let mv = if game.position().turn() == position.turn() {
                answer(&mut worker, &shared, &game, 300)
            } else {
                best_defence(&tables, game.position())
            };
            game.push::<International>(mv);
        }
        assert_eq!(game.outcome::<International>(), Some(Outcome::Win(!position.turn())));
        assert_eq!(Some(game.moves().len() as u32), code.plies(), "{}", to_fen(&position));
    }
}

#[test]
fn scores_tell_the_distance_and_the_draw_limit_counts() {
    let tables = Tables::embedded();
    let shared = Shared::new(4, 1);
    let win = |game: &Game| {
        think(
            &mut Worker::default(),
            &shared,
            &Request::new(game.clone(), Limits { nodes: Some(5000), ..Limits::default() }),
            &Silent,
        )
    };
    // Two kings against one that win in 7 plies.
    let mut random = Random(7);
    let position = loop {
        let position = random_position(&mut random, 3);
        let kings = position.all_kings().count() == 3;
        if kings && tables.code(&position).unwrap().plies() == Some(7) {
            break position;
        }
    };
    let report = win(&Game::new(position));
    assert_eq!((report.score, report.line.len()), (10_000 - 7, 7));
    // After four moves by each side without progress the win comes too late.
    let mut game = Game::new(position);
    game.draws.two_to_one = 3;
    assert_eq!(win(&game).score, 0);
    // Other variants do not ask.
    let mut request = Request::new(Game::new(position), Limits { depth: Some(1), ..Limits::default() });
    request.variant = draughts::Variant::Killer;
    assert!(think(&mut Worker::default(), &shared, &request, &Silent).score < 9000);
}

#[test]
fn embedded_tables_are_what_the_generator_makes() {
    let folder = Folder::new("embedded");
    let slices = std::sync::Mutex::new(Vec::new());
    build::generate(&folder, 3, &|event| {
        if let Event::Slice { slice, totals, .. } = event {
            slices.lock().unwrap().push((slice, totals));
        }
    })
    .unwrap();
    let count = |pieces| -> u64 {
        let of = |&(slice, totals): &(Slice, _)| if slice.pieces() == pieces { Some(totals) } else { None };
        slices
            .lock()
            .unwrap()
            .iter()
            .filter_map(of)
            .map(|totals: draughts::bitbase::solve::Totals| totals.positions())
            .sum()
    };
    assert_eq!((count(2), count(3)), (8845, 806_300));
    assert_eq!(verify::verify(&folder, &|_| ()).unwrap(), 3);
    let mut names: Vec<PathBuf> =
        std::fs::read_dir(&*folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort_by_key(|path| (path.extension().map(ToOwned::to_owned), path.clone()));
    let joined: Vec<u8> = names.iter().flat_map(|path| std::fs::read(path).unwrap()).collect();
    assert!(joined == include_bytes!("../draughts-engine/data/bitbase-3.bin"), "not the embedded tables");
}

#[test]
fn an_interrupted_run_goes_on() {
    let folder = with_tables("resume");
    let name = folder.join("1001.bd");
    let before = std::fs::read(&name).unwrap();
    std::fs::write(&name, &before[..100]).unwrap();
    std::fs::write(folder.join("1001.bb.tmp"), b"rest of an interrupted run").unwrap();
    let made = std::sync::Mutex::new(Vec::new());
    build::generate(&folder, 2, &|event| {
        if let Event::Slice { slice, time: Some(_), .. } = event {
            made.lock().unwrap().push(slice.to_string());
        }
    })
    .unwrap();
    assert_eq!(made.into_inner().unwrap(), ["0110", "1001"]);
    assert_eq!(std::fs::read(&name).unwrap(), before);
}

/// Changes a table and mends its checksum.
fn forge(path: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = std::fs::read(path).unwrap();
    change(&mut bytes);
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&bytes[..60]);
    hasher.update(&bytes[64..]);
    let sum = hasher.finalize().to_le_bytes();
    bytes[60..64].copy_from_slice(&sum);
    std::fs::write(path, bytes).unwrap();
}

#[test]
fn verify_finds_wrong_values_under_a_right_checksum() {
    let folder = with_tables("forged");
    assert_eq!(verify::verify(&folder, &|_| ()).unwrap(), 2);
    let path = folder.join("1010.bb");
    let right = std::fs::read(&path).unwrap();
    forge(&path, |bytes| {
        // The second run of the first block that is kept as runs gets another value.
        let block = 64 + 4 * (45 * 45_usize).div_ceil(1024);
        bytes[block + 2] ^= 1;
    });
    let error = verify::verify(&folder, &|_| ()).unwrap_err().to_string();
    assert!(error.contains("1010"), "{error}");
    std::fs::write(&path, &right).unwrap();
    forge(&path, |bytes| bytes[24] ^= 1);
    let error = verify::verify(&folder, &|_| ()).unwrap_err().to_string();
    assert!(error.contains("totals"), "{error}");
    std::fs::remove_file(&path).unwrap();
    assert!(verify::verify(&folder, &|_| ()).is_err());
}

#[test]
fn damaged_files_are_told_and_never_used() {
    let folder = with_tables("damaged");
    let good = std::fs::read(folder.join("1010.bb")).unwrap();
    let path = folder.join("1010.bb");
    let message = || Table::open(&path).err().map(|error| error.to_string()).unwrap_or_default();
    for length in [0, 1, 63, 64, 65, good.len() - 1] {
        std::fs::write(&path, &good[..length]).unwrap();
        assert!(message().contains("too short"), "{length}: {}", message());
    }
    for place in 0..good.len() {
        let mut bytes = good.clone();
        bytes[place] ^= 1 << (place % 8);
        std::fs::write(&path, &bytes).unwrap();
        assert!(!message().is_empty(), "byte {place}");
    }
    std::fs::write(&path, [&good[..], b"x"].concat()).unwrap();
    assert_eq!(message(), "too long");
    std::fs::write(&path, "a text file ".repeat(100)).unwrap();
    assert_eq!(message(), "not a table of this program");
    std::fs::remove_file(&path).unwrap();
    assert!(message().contains("cannot read"));
    std::fs::create_dir(&path).unwrap();
    assert_eq!(message(), "not a file");
    let (tables, problems) = Tables::load(Some(&*folder), 5);
    assert_eq!((tables.pieces(), problems.len()), (3, 1));
    let (_, problems) = Tables::load(Some(&folder.join("nowhere")), 5);
    assert_eq!(problems.len(), 1);
    assert_eq!(Tables::load(None, 0).0.pieces(), 0);
    assert_eq!(Tables::load(None, 2).0.pieces(), 2);

    // Impossible headers under a right checksum.
    std::fs::remove_dir(&path).unwrap();
    for (place, value) in [(9, 7), (10, 200), (12, 0), (13, 9), (16, 0), (18, 255), (8, 2)] {
        std::fs::write(&path, &good).unwrap();
        forge(&path, |bytes| bytes[place] = value);
        assert!(!message().is_empty(), "byte {place}");
    }
    // Nonsense in the blocks under a right checksum: any answer, but no panic.
    let mut random = Random(8);
    for kind in Kind::ALL {
        let path = folder.join(file::name("1010".parse().unwrap(), kind));
        std::fs::write(&path, &good).unwrap();
        for _ in 0..50 {
            forge(&path, |bytes| {
                bytes[9] = kind as u8;
                for _ in 0..20 {
                    let place = 64 + random.below(bytes.len() - 64);
                    bytes[place] = random.below(256) as u8;
                }
            });
            let table = Table::open(&path).unwrap();
            for index in 0..45 * 45 + 5000 {
                let _ = table.value(index);
            }
            for index in (0..45 * 45 + 5000).step_by(500) {
                let _ = table.lost_code(index);
            }
        }
    }
    let cut = &include_bytes!("../draughts-engine/data/bitbase-3.bin")[..70_000];
    assert!(Table::read_all(&Bytes::Static(cut)).is_err());
}

/// What the program says to these lines up to its answer to `go`; the end of input would cut the search short.
fn hub(input: &str) -> String {
    let mut engine = Hub::start();
    engine.send(input.trim_end());
    let said = engine.search().join("\n");
    engine.quit();
    said
}

#[test]
fn hub_parameters() {
    let folder = with_tables("hub");
    let path = folder.to_str().unwrap();
    let declared = good(&[], "hub\nquit\n");
    let declared = declared.text();
    assert!(declared.contains("param name=bb-size value=5 type=int min=0 max=5"), "{declared}");
    assert!(declared.contains("param name=bb-path value=\"\" type=string"), "{declared}");
    let go = "pos pos=start moves=\"32-28 19-23 28x19\"\nlevel depth=5\ngo think\n";
    let search = |first: &str| hub(&format!("hub\nset-param name=book value=false\n{first}init\n{go}"));
    let lines = |out: &str, start: &str| -> Vec<String> {
        out.lines().filter(|line| line.starts_with(start)).map(ToOwned::to_owned).collect()
    };
    let plain = search("");
    assert!(lines(&plain, "error").is_empty());
    let good = search(&format!("set-param name=bb-path value=\"{path}\"\n"));
    assert!(lines(&good, "error").is_empty(), "{good}");
    std::fs::write(folder.join("1010.bb"), b"").unwrap();
    std::fs::create_dir(folder.join("0101.dir.bd")).unwrap();
    for wrong in [
        format!("set-param name=bb-path value=\"{path}\"\n"),
        format!("set-param name=bb-path value=\"{path}/nowhere\"\n"),
        format!("set-param name=bb-path value=\"{path}/1001.bb\"\n"),
        "set-param name=bb-size value=6\n".to_owned(),
        "set-param name=bb-size value=-1\n".to_owned(),
        "set-param name=bb-size value=x\n".to_owned(),
    ] {
        let out = search(&wrong);
        assert_eq!(lines(&out, "error").len(), 1, "{wrong}{out}");
        assert_eq!(lines(&out, "done"), lines(&plain, "done"), "{wrong}");
    }
    // Without tables the same ending is a matter of search.
    let ending = "pos pos=W:WK50:B1\nlevel depth=1\ngo think\n";
    assert!(hub(ending).contains("score=99.95 "));
    let without = hub(&format!("set-param name=bb-size value=0\n{ending}"));
    assert!(!without.contains("score=99.95 ") && without.contains("done move="), "{without}");
}

#[test]
fn commands() {
    let folder = Folder::new("commands");
    let path = folder.join("deep/tables");
    let path = path.to_str().unwrap();
    let made = good(&["bitbase", "generate", "--pieces", "2", "--out", path, "--threads", "2"], "");
    let made = made.text();
    assert!(made.lines().any(|line| line.split_whitespace().take(3).eq(["all", "2", "8845"])), "{made}");
    let again = good(&["bitbase", "generate", "--pieces", "2", "--out", path], "");
    let again = again.text();
    assert_eq!(again.matches("kept").count(), 4);
    let proved = good(&["bitbase", "verify", "--path", path], "");
    let proved = proved.text();
    assert!(proved.contains("all positions with up to 2 pieces agree"), "{proved}");
    let shown = good(&["bitbase", "show", "W:WK5:B45"], "");
    let shown = shown.text();
    assert!(shown.contains(" for the side to move") && shown.contains("5-"), "{shown}");
    let not_written = run(&["bitbase", "generate", "--pieces", "2", "--out", "/dev/null/x"], "");
    assert!(not_written.status == Some(1) && not_written.errors.contains("/dev/null/x"), "{not_written:?}");
    let (empty, file) = (folder.path("empty"), folder.file("file", "x"));
    std::fs::create_dir(&empty).unwrap();
    for folder in [empty.as_str(), &file, "/nowhere"] {
        for command in [&["bitbase", "show", "W:WK5:B45"][..], &["bitbase", "verify"]] {
            let run = run(&[command, &["--path", folder]].concat(), "");
            assert_eq!((run.status, run.errors.lines().count(), run.text()), (Some(2), 1, ""), "{run:?}");
            assert!(run.errors.contains(folder), "{run:?}");
        }
    }
    for wrong in [
        &["bitbase"][..],
        &["bitbase", "generate", "--pieces", "6", "--out", path],
        &["bitbase", "generate", "--pieces", "1", "--out", path],
        &["bitbase", "generate", "--pieces", "2"],
        &["bitbase", "show", "W:W99:B1"],
        &["bitbase", "show", "start"],
        &["bitbase", "verify", "--path", "/nowhere"],
        &["bitbase", "generate", "--pieces", "2", "--out", "/dev/null/x"],
    ] {
        let run = run(wrong, "");
        assert!(matches!(run.status, Some(1 | 2)), "{wrong:?}");
        assert_eq!(run.errors.lines().count(), 1, "{wrong:?}");
    }
    assert_eq!(parse_fen("W:WK5:B45").unwrap().turn(), Color::White);
}
