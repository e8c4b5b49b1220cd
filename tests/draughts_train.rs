//! From games to weights: generate, train, load, evaluate and play.

#[path = "support/folder.rs"]
mod folder;
#[path = "support/raw.rs"]
mod raw;

use draughts::data::MAGIC;
use draughts::eval::{Evaluation, Evaluator};
use draughts::rules::International;
use draughts::selfplay::{Plan, Player};
use draughts::{Color, Position, legal_moves};
use eval::NetworkError;
use folder::Folder;
use raw::{good, run};
use std::path::Path;

fn write_games(path: &Path, count: u64) {
    let plan = Plan { nodes: 20, seed: 3, openings: Vec::new() };
    let mut player = Player::default();
    let mut bytes = MAGIC.to_vec();
    (0..count).for_each(|number| bytes.extend(player.play(&plan, number).to_bytes()));
    std::fs::write(path, bytes).unwrap();
}

#[test]
fn material_alone_begins_the_line_of_networks() {
    let position = |fen: &str| draughts::fen::parse_any(fen).unwrap();
    for (fen, value) in [
        ("W:W31-50:B1-20", 0),
        ("W:W31-50:B1-19", 100),
        ("B:W31-50:B1-19", -100),
        ("W:WK46,31,32,33:B1,2", 400),
        // Less where the side behind has a king: half, a quarter on the main line or alone against three, a sixteenth
        // alone against two.
        ("W:WK48,31,32,33:BK4,1", 200 / 2),
        ("W:WK48,31,32,33:BK5,1", 200 / 4),
        ("W:WK48,31,32:BK3", 200 / 4),
        ("W:WK48,31:BK3", 100 / 16),
    ] {
        assert_eq!(Evaluation::Material.evaluate(&position(fen)), value, "{fen}");
    }
    let folder = Folder::new("material");
    let games = folder.path("a.ddat");
    good(&["datagen", "--games", "2", "--nodes", "20", "--eval", "<material>", "--out", &games], "");
    assert!(!good(&["data", "check", &games], "").output.is_empty());
    assert!(good(&["eval", "W:W31-50:B1-19", "--eval", "<material>"], "").text().contains("1.00"));
}

#[test]
fn a_network_is_trained_and_plays() {
    let folder = Folder::new("network");
    let (games, network) = (folder.path("a.ddat"), folder.path("a.nnue"));
    write_games(Path::new(&games), 60);
    let train = ["train", &games, "--out", &network, "--epochs", "6", "--batch", "256"];
    let run = good(&train, "");
    assert!(run.text().contains("epoch 6/6"), "{run:?}");
    let again = folder.path("b.nnue");
    good(&["train", &games, "--out", &again, "--epochs", "6", "--batch", "256", "--name", "a"], "");
    assert_eq!(
        std::fs::read(&network).unwrap(),
        std::fs::read(&again).unwrap(),
        "the same seed, other threads"
    );
    // Training goes on from where it ended: the loss stays below that of the first epoch from nothing.
    let on = folder.path("on.nnue");
    good(&["train", &games, "--from", &network, "--out", &on, "--epochs", "2", "--batch", "256"], "");
    let first_loss = |network: &str| -> f64 {
        let table = std::fs::read_to_string(Path::new(network).with_extension("csv")).unwrap();
        table.lines().nth(1).and_then(|line| line.split(',').nth(1)).unwrap().parse().unwrap()
    };
    assert!(first_loss(&on) < 0.8 * first_loss(&network), "{} {}", first_loss(&on), first_loss(&network));

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
    good(&["train", &games, "--out", &network, "--epochs", "1"], "");
    let sound = std::fs::read(&network).unwrap();
    let mut flipped = sound.clone();
    flipped[sound.len() / 2] ^= 4;
    for bytes in [&sound[..sound.len() - 1], &sound[..9], &flipped, &[&sound[..], b"x"].concat()] {
        std::fs::write(&bad, bytes).unwrap();
        assert!(matches!(Evaluation::load(Path::new(&bad)), Err(NetworkError::File(_))));
        let run = run(&["eval", "start", "--eval", &bad], "");
        assert_eq!((run.status, run.errors.lines().count()), (Some(2), 1), "{}", run.errors);
    }
}

#[test]
fn bad_files_and_settings_are_named_and_nothing_is_written() {
    let folder = Folder::new("bad");
    let (games, torn, out) = (folder.path("a.ddat"), folder.path("torn.nnue"), folder.path("out.nnue"));
    write_games(Path::new(&games), 3);
    std::fs::write(&torn, b"DYADNET").unwrap();
    let missing = folder.path("missing");
    for arguments in [
        ["train", &missing, "--out", &out].as_slice(),
        &["train", &folder.path(""), "--out", &out],
        &["train", &torn, "--out", &out],
        &["train", &games, "--out", &out, "--lambda", "2"],
        &["train", &games, "--out", &out, "--lambda", "nan"],
        &["train", &games, "--out", &out, "--scale", "0"],
        &["train", &games, "--out", &out, "--batch", "0"],
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
    for file in [&games, &torn] {
        assert!(matches!(Evaluation::load(Path::new(file)), Err(NetworkError::File(_))), "{file}");
    }
}
