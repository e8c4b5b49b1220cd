//! Opening books: format, damage, choice, building, and the real program with and without one.

#[path = "support/folder.rs"]
mod folder;
#[path = "support/raw.rs"]
mod raw;
#[path = "support/hub.rs"]
mod support;

use draughts::book::build::Builder;
use draughts::book::{Book, BookError};
use draughts::rules::International;
use draughts::{Position, fen, legal_moves, notation};
use folder::Folder;
use raw::{Run, run};
use std::collections::HashSet;
use std::path::Path;
use support::Hub;

/// A small book, built by quick searches.
fn small() -> Book {
    let mut builder = Builder::new(&Book::default(), 200).unwrap();
    while builder.shape().positions < 150 {
        assert!(builder.grow());
    }
    builder.book()
}
#[test]
fn the_book_in_the_program_is_good_and_serves_the_start() {
    let book = Book::built_in();
    assert!(book.len() > 500, "{} positions", book.len());
    let builder = Builder::new(book, 1).unwrap();
    assert_eq!(builder.book(), *book);
    assert!(builder.shape().longest >= 6);
    let moves = book.moves(&Position::start());
    assert_eq!(moves.len(), 9);
    assert!(moves[0].1.abs() < 50);
}

#[test]
fn a_book_grows_the_same_on_any_number_of_threads() {
    let book = small();
    assert_eq!(Book::from_bytes(&book.to_bytes()).unwrap(), book);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    assert_eq!(pool.install(small), book);
    // Going on from the file is going on.
    let mut builder = Builder::new(&book, 200).unwrap();
    let before = builder.shape();
    assert!(builder.grow());
    let after = builder.shape();
    assert!(after.positions > before.positions && after.expanded > before.expanded);
    assert!(after.longest >= before.longest);
}

#[test]
fn moves_are_chosen_within_the_margin_and_change() {
    let book = small();
    let start = Position::start();
    let moves = book.moves(&start);
    assert_eq!(moves.len(), 9);
    assert!(moves.is_sorted_by(|a, b| a.1 >= b.1));
    assert_eq!(book.score(&start), Some(moves[0].1));
    for margin in [0, 3, 30] {
        let good: HashSet<_> =
            moves.iter().filter(|(_, score)| *score >= moves[0].1 - margin).map(|&(mv, _)| mv).collect();
        let chosen: HashSet<_> =
            (0..2000).map(|random| book.choose(&start, margin, random).unwrap().0).collect();
        assert_eq!(chosen, good, "margin {margin}");
    }
    assert!(book.choices(&start, 1000).windows(2).all(|pair| pair[0].1 >= pair[1].1));
    // The answer that comes with a move is legal.
    let (mv, reply) = book.choose(&start, 0, 0).unwrap();
    let next = start.play::<International>(mv);
    assert!(reply.is_none_or(|reply| legal_moves::<International>(&next).contains(&reply)));
    // Nothing is known of other positions.
    let other = fen::parse_fen("W:W31-45,50:B1-20").unwrap();
    assert_eq!((book.score(&other), book.choose(&other, 9, 1)), (None, None));
    assert_eq!(Book::default().choose(&start, 9, 1), None);
}

/// Damaged copies of a book, each with a part of the message.
fn damaged(book: &Book) -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let good = book.to_bytes();
    let with = |place: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[place] ^= byte;
        bytes
    };
    vec![
        ("empty", Vec::new(), "not a book"),
        ("other", b"PK\x03\x04 something else".to_vec(), "not a book"),
        ("header", good[..8].to_vec(), "bytes, where"),
        ("short", good[..20].to_vec(), "bytes, where"),
        ("cut", good[..good.len() - 1].to_vec(), "bytes, where"),
        ("half", good[..good.len() / 2].to_vec(), "bytes, where"),
        ("long", [good.as_slice(), b"x"].concat(), "bytes, where"),
        ("version", with(8, 4), "version 5"),
        ("count", with(12, 1), "bytes, where"),
        ("huge", with(15, 0x80), "bytes, where"),
        ("keys", with(17, 1), "checksum"),
        ("flip", with(100, 0x10), "checksum"),
        ("sum", with(good.len() - 1, 1), "checksum"),
    ]
}

#[test]
fn every_damage_is_named() {
    let book = small();
    for (name, bytes, message) in damaged(&book) {
        let error = Book::from_bytes(&bytes).unwrap_err().to_string();
        assert!(error.contains(message), "{name}: {error}");
        assert!(!error.contains('\n'));
    }
    // Any single bit.
    let good = book.to_bytes();
    for bit in (0..8 * good.len()).step_by(37) {
        let mut bytes = good.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        assert!(Book::from_bytes(&bytes).is_err(), "bit {bit}");
    }
    assert!(matches!(Book::load(&std::env::temp_dir()), Err(BookError::NotAFile)));
    assert!(matches!(Book::load(Path::new("/nonexistent/book")), Err(BookError::Io(_))));
}

fn book(arguments: &[&str]) -> Run {
    run(&[&["book"], arguments].concat(), "")
}

#[test]
fn books_are_built_shown_and_checked_from_the_command_line() {
    let folder = Folder::new("cli");
    let path = folder.join("new.book");
    let file = path.to_str().unwrap();
    let build = |positions: &str| book(&["build", "--out", file, "--positions", positions, "--nodes", "100"]);
    let positions = |run: &Run| run.text().split(' ').next().unwrap().parse::<usize>().unwrap();
    let built = build("60");
    assert_eq!(built.status, Some(0));
    assert!(positions(&built) >= 60);
    assert!(positions(&build("200")) >= 200, "the book grows on");
    let checked = book(&["check", file]);
    assert!(checked.status == Some(0) && checked.text().ends_with(": good\n"), "{checked:?}");
    assert!(positions(&checked) >= 200, "{checked:?}");
    assert_eq!(std::fs::read_dir(&*folder).unwrap().count(), 1, "nothing else is left");

    let shown = book(&["show", "--file", file]);
    assert_eq!((shown.status, shown.text().lines().count()), (Some(0), 10), "{shown:?}");
    let mv = shown.text().lines().nth(1).unwrap().split(' ').next().unwrap();
    notation::parse_move::<International>(&Position::start(), mv).unwrap();
    let shown = book(&["show", "--file", file, "--moves", mv]);
    assert!(shown.status == Some(0) && shown.text().contains("for the side to move"), "{shown:?}");
    assert!(book(&["show", "W:W50:B1", "--file", file]).text().starts_with("not in the book"));
    assert_eq!(book(&["show", "--moves", "1-1", "--file", file]).status, Some(2));

    for (name, bytes, message) in damaged(&Book::load(&path).unwrap()) {
        let bad = folder.file(name, &bytes);
        for (command, status) in
            [(&["check", &bad][..], 1), (&["show", "--file", &bad], 2), (&["build", "--out", &bad], 2)]
        {
            let run = book(command);
            assert_eq!((run.status, run.errors.lines().count()), (Some(status), 1), "{command:?}: {run:?}");
            assert!(run.errors.contains(message), "{run:?}");
        }
        assert_eq!(std::fs::read(bad).unwrap(), bytes, "a damaged file is not overwritten");
    }
    // Right sums, wrong content: a position that nothing leads to.
    let mut bytes = Book::load(&path).unwrap().to_bytes();
    let end = bytes.len() - 8;
    bytes[24] ^= 1;
    let sum = bytes[..end].iter().fold(0xCBF2_9CE4_8422_2325u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    });
    bytes[end..].copy_from_slice(&sum.to_le_bytes());
    let run = book(&["check", &folder.file("lost", &bytes)]);
    assert!(run.status == Some(1) && run.errors.contains("cannot be reached"), "{run:?}");
}

fn start() -> Hub {
    Hub::with(&["hash=1"])
}

/// The lines up to the answer to a search of the start position.
fn think(engine: &mut Hub, go: &str) -> Vec<String> {
    engine.send(format_args!("pos pos=start\nlevel nodes=2000\ngo {go}"));
    engine.search()
}

#[test]
fn the_parameters_rule_the_book() {
    let mut engine = start();
    let lines = think(&mut engine, "think");
    assert_eq!(lines.len(), 1, "answered from the book: {lines:?}");
    // An analysis and a search in the opponent's time want the search.
    assert!(think(&mut engine, "analyze").len() > 1);
    engine.said("pos pos=start\nlevel nodes=2000\ngo ponder");
    engine.send("ponder-hit");
    engine.search();
    for (off, on) in [("book value=false", "book value=true"), ("book-ply value=0", "book-ply value=20")] {
        engine.send(format_args!("set-param name={off}"));
        assert!(think(&mut engine, "think").len() > 1, "{off}");
        engine.send(format_args!("set-param name={on}"));
        assert_eq!(think(&mut engine, "think").len(), 1, "{on}");
    }
    // With a wide margin the move changes.
    engine.send("set-param name=book-margin value=100");
    let moves: HashSet<String> = (0..40).map(|_| think(&mut engine, "think").remove(0)).collect();
    assert!(moves.len() > 1, "{moves:?}");
    engine.send("set-param name=variant value=killer");
    assert!(think(&mut engine, "think").len() > 1, "the book is for the normal game");
}

/// What a search says, without times.
fn play(engine: &mut Hub) -> Vec<String> {
    engine.send("new-game");
    let lines = think(engine, "think");
    let timeless = |line: &String| line.split(" time=").next().unwrap().to_owned();
    lines.iter().filter(|line| line.starts_with("done")).map(timeless).collect()
}

#[test]
fn a_damaged_book_is_reported_and_play_goes_on_as_without() {
    let folder = Folder::new("hub");
    let mut engine = start();
    engine.send("set-param name=book value=false");
    let without = play(&mut engine);
    engine.send("set-param name=book value=true");
    let mut bad: Vec<String> =
        damaged(&small()).into_iter().map(|(name, bytes, _)| folder.file(name, bytes)).collect();
    bad.extend([folder.path(""), folder.path("missing")]);
    for path in bad {
        let errors = engine.said(format_args!("set-param name=book-file value=\"{path}\""));
        assert!(
            errors.len() == 1 && errors[0].starts_with("error message=\"no book is used: "),
            "{errors:?}"
        );
        assert_eq!(play(&mut engine), without, "{path}");
    }
    let good = folder.file("good", small().to_bytes());
    engine.send(format_args!("set-param name=book-file value=\"{good}\""));
    assert_eq!(think(&mut engine, "think").len(), 1);
    engine.send("set-param name=book-file value=\"\"");
    assert_eq!(think(&mut engine, "think").len(), 1);
}
