//! From games to weights: generate, train, load, evaluate and play.

#[path = "support/folder.rs"]
mod folder;
#[path = "support/raw.rs"]
mod raw;

use draughts::data::MAGIC;
use draughts::eval::Evaluation;
use draughts::eval::weight::{self, WeightError};
use draughts::selfplay::{Plan, Player};
use draughts::train::{Settings, Stock, Trainer};
use draughts::{Color, Position};
use folder::Folder;
use raw::{good, run};
use std::path::{Path, PathBuf};

fn write_games(path: &Path, count: u64) {
    let plan = Plan { nodes: 20, seed: 3, openings: Vec::new() };
    let mut player = Player::default();
    let mut bytes = MAGIC.to_vec();
    (0..count).for_each(|number| bytes.extend(player.play(&plan, number).to_bytes()));
    std::fs::write(path, bytes).unwrap();
}

fn settings(data: PathBuf) -> Settings {
    Settings {
        data: vec![data],
        test: Vec::new(),
        epochs: 4,
        rate: 0.05,
        caution: 1.0,
        lambda: 0.9,
        scale: Some(140.0),
        min_ply: 4,
        held_out: 100,
        seed: 1,
    }
}

#[test]
fn training_learns_and_is_repeatable() {
    let folder = Folder::new("learn");
    let games = folder.join("games.ddat");
    write_games(&games, 60);
    let settings = settings(games);
    let stock = Stock::read(&settings).unwrap();
    let (kept, out) = stock.len();
    assert!(kept > 1000 && out > 20, "{kept} and {out}");

    let mut trainer = Trainer::new(&settings, &stock, None);
    let losses: Vec<_> = (0..4).map(|_| trainer.epoch()).collect();
    assert!(losses[3].training < losses[0].training - 0.01, "{losses:?}");
    assert!(losses[3].held_out.is_finite() && losses[3].result.is_finite());

    let mut again = Trainer::new(&settings, &stock, None);
    (0..4).for_each(|_| {
        again.epoch();
    });
    assert_eq!(trainer.weights(), again.weights());

    let file = folder.join("learnt.eval");
    std::fs::write(&file, weight::to_bytes(&trainer.weights())).unwrap();
    let evaluation = Evaluation::load(&file).unwrap();
    let mut man_up = Position::start();
    assert!(evaluation.evaluate(&man_up).abs() < 60);
    let black = man_up.men(Color::Black);
    let fewer = black.into_iter().skip(1).collect();
    man_up = Position::new([man_up.men(Color::White), fewer], Default::default(), Color::White).unwrap();
    assert!(evaluation.evaluate(&man_up) > 40, "a man more is worth something");
}

#[test]
fn the_commands_go_from_nothing_to_a_game() {
    let folder = Folder::new("commands");
    let (games, weights, more) = (folder.path("a.ddat"), folder.path("a.eval"), folder.path("b.ddat"));
    good(&["datagen", "--games", "30", "--nodes", "20", "--out", &games], "");
    let run = good(&["train", &games, "--out", &weights, "--epochs", "2", "--scale", "140"], "");
    assert!(run.text().contains("epoch 2:"), "{run:?}");
    good(&["eval", "start", "--eval", &weights], "");
    good(&["datagen", "--games", "2", "--nodes", "20", "--eval", &weights, "--out", &more], "");
    assert!(!good(&["data", "check", &more], "").output.is_empty());
}

#[test]
fn bad_files_and_settings_are_named_and_nothing_is_written() {
    let folder = Folder::new("bad");
    let (games, torn, out) = (folder.path("a.ddat"), folder.path("torn.eval"), folder.path("out.eval"));
    write_games(Path::new(&games), 3);
    std::fs::write(&torn, b"DDEVAL01").unwrap();
    let missing = folder.path("missing");
    for arguments in [
        ["train", &missing, "--out", &out].as_slice(),
        &["train", &folder.path(""), "--out", &out],
        &["train", &torn, "--out", &out],
        &["train", &games, "--out", &out, "--from", &torn],
        &["train", &games, "--out", &out, "--rate", "nan"],
        &["train", &games, "--out", &out, "--scale", "0"],
        &["train", &games, "--out", &out, "--lambda", "2"],
        &["train", &games, "--out", &out, "--min-ply", "9999"],
        &["eval", "start", "--eval", &missing],
        &["eval", "start", "--eval", &torn],
        &["eval", "start", "--eval", &games],
    ] {
        let run = run(arguments, "");
        assert_ne!(run.status, Some(0), "{arguments:?}");
        assert_eq!(run.errors.lines().count(), 1, "{arguments:?}: {}", run.errors);
        assert!(!Path::new(&out).exists());
    }
    assert!(matches!(Evaluation::load(Path::new(&games)), Err(WeightError::Magic)));
    assert!(matches!(Evaluation::load(Path::new(&torn)), Err(WeightError::Magic | WeightError::Damaged)));
}
