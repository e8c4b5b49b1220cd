//! From games to weights: generate, train, load, evaluate and play.

#[path = "support/folder.rs"]
mod folder;
#[path = "support/raw.rs"]
mod raw;

use draughts::data::MAGIC;
use draughts::eval::weight::{self, WeightError};
use draughts::eval::{EvalError, Evaluation, Evaluator};
use draughts::rules::International;
use draughts::selfplay::{Plan, Player};
use draughts::train::{Settings, Stock, Trainer};
use draughts::{Color, Position, legal_moves};
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
fn a_network_is_trained_and_plays() {
    let folder = Folder::new("network");
    let (games, network) = (folder.path("a.ddat"), folder.path("a.nnue"));
    write_games(Path::new(&games), 60);
    let train = ["train-network", &games, "--out", &network, "--epochs", "6", "--batch", "256"];
    let run = good(&train, "");
    assert!(run.text().contains("epoch 6/6"), "{run:?}");
    let again = folder.path("b.nnue");
    good(&["train-network", &games, "--out", &again, "--epochs", "6", "--batch", "256", "--name", "a"], "");
    assert_eq!(
        std::fs::read(&network).unwrap(),
        std::fs::read(&again).unwrap(),
        "the same seed, other threads"
    );

    let evaluation = Evaluation::load(Path::new(&network)).unwrap();
    let start = Position::start();
    let black = start.men(Color::Black).into_iter().skip(1).collect();
    let man_up = Position::new([start.men(Color::White), black], Default::default(), Color::White).unwrap();
    let ahead = evaluation.evaluate(&man_up) - evaluation.evaluate(&start);
    assert!(ahead > 20, "a man more is worth something: {ahead}");
    // A search follows the positions one by one and must come to the same values as from nothing.
    let mut evaluator = Evaluator::new(&evaluation);
    let mut position = start;
    for ply in 0..60 {
        let moves = legal_moves::<International>(&position);
        let Some(&mv) = moves.get(ply * 7 % moves.len().max(1)) else { break };
        position = position.play::<International>(mv);
        assert_eq!(evaluator.evaluate(&position), evaluation.evaluate(&position), "ply {ply}");
    }

    let more = folder.path("b.ddat");
    good(&["datagen", "--games", "2", "--nodes", "20", "--eval", &network, "--out", &more], "");
    assert!(!good(&["data", "check", &more], "").output.is_empty());
}

#[test]
fn damaged_networks_are_named() {
    let folder = Folder::new("damaged");
    let (games, network, bad) = (folder.path("a.ddat"), folder.path("a.nnue"), folder.path("bad.nnue"));
    write_games(Path::new(&games), 20);
    good(&["train-network", &games, "--out", &network, "--epochs", "1"], "");
    let sound = std::fs::read(&network).unwrap();
    let mut flipped = sound.clone();
    flipped[sound.len() / 2] ^= 4;
    for bytes in [&sound[..sound.len() - 1], &sound[..9], &flipped, &[&sound[..], b"x"].concat()] {
        std::fs::write(&bad, bytes).unwrap();
        assert!(matches!(Evaluation::load(Path::new(&bad)), Err(EvalError::Network(_))));
        let run = run(&["eval", "start", "--eval", &bad], "");
        assert_eq!((run.status, run.errors.lines().count()), (Some(1), 1), "{}", run.errors);
    }
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
        &["train-network", &missing, "--out", &out],
        &["train-network", &folder.path(""), "--out", &out],
        &["train-network", &torn, "--out", &out],
        &["train-network", &games, "--out", &out, "--lambda", "nan"],
        &["train-network", &games, "--out", &out, "--scale", "0"],
        &["train-network", &games, "--out", &out, "--batch", "0"],
        &["train-network", &games, "--out", &out, "--min-ply", "9999"],
        &["eval", "start", "--eval", &missing],
        &["eval", "start", "--eval", &torn],
        &["eval", "start", "--eval", &games],
    ] {
        let run = run(arguments, "");
        assert_ne!(run.status, Some(0), "{arguments:?}");
        assert_eq!(run.errors.lines().count(), 1, "{arguments:?}: {}", run.errors);
        assert!(!Path::new(&out).exists());
    }
    assert!(matches!(Evaluation::load(Path::new(&games)), Err(EvalError::Weights(WeightError::Magic))));
    let torn = Evaluation::load(Path::new(&torn));
    assert!(matches!(torn, Err(EvalError::Weights(WeightError::Magic | WeightError::Damaged))));
}
