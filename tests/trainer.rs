//! The trainer: determinism, resuming, and from games to a network that plays by it.

#[path = "support/folder.rs"]
mod folder;
#[path = "support/random.rs"]
mod random;
#[path = "support/random_games.rs"]
mod random_games;

use std::path::{Path, PathBuf};

use eval::FeatureSet;
use eval::chess::{HIDDEN, KingBuckets, Network};
use eval::train::chess::{ChessGame, Record};
use eval::train::{
    Config, Filter, Game, ReadReport, Sample, Schedule, TrainError, learning_rate, run, sigmoid,
};
use folder::Folder;
use movegen::{Board, NoObserver};
use random::Random;
use random_games::write_random_games;

fn quiet() -> Config {
    Config { progress: false, threads: 2, ..Config::default() }
}

/// A game without a board, to see that the trainer knows no chess: 40 numbers, each on or off for each side;
/// the score is a sum over them.
struct Toy {
    features: ToyFeatures,
}

struct ToyFeatures;

type ToyPosition = (usize, [u64; 2]);

impl FeatureSet for ToyFeatures {
    type Position = ToyPosition;
    type View = ();
    type Planes = [u64; 2];

    const ARCHITECTURE: &'static str = "toy";
    const STRIDE: usize = 40;

    fn from_table(table: &[u8; 64]) -> Option<Self> {
        (*table == [3; 64]).then_some(Self)
    }

    fn table(&self) -> [u8; 64] {
        [3; 64]
    }

    fn inputs(&self) -> usize {
        80
    }

    fn views(&self) -> usize {
        1
    }

    fn side_to_move(position: &ToyPosition) -> usize {
        position.0
    }

    fn output_bucket(&self, position: &ToyPosition) -> usize {
        usize::from(position.1[0].count_ones() + position.1[1].count_ones() > 10)
    }

    fn view(&self, _: &ToyPosition, _: usize) {}

    fn view_index(&self, (): ()) -> usize {
        0
    }

    fn base(&self, (): ()) -> usize {
        0
    }

    fn planes(&self, position: &ToyPosition, perspective: usize, (): ()) -> [u64; 2] {
        [position.1[perspective], position.1[1 - perspective]]
    }

    fn row(&self, (): (), perspective: usize, piece: u8, square: u8) -> usize {
        (usize::from(piece) ^ perspective) * 40 + usize::from(square)
    }
}

type ToyRecord = (ToyPosition, i16);

fn toy_score(position: &ToyPosition) -> i16 {
    let worth = |set: u64| (0..40).filter(|i| set >> i & 1 != 0).map(|i| 10 + 5 * (i % 8)).sum::<i16>();
    worth(position.1[position.0]) - worth(position.1[1 - position.0])
}

fn toy_records(count: usize) -> Vec<ToyRecord> {
    let mut random = Random(11);
    let mut set = || random.next() & random.next() & random.next() & ((1 << 40) - 1);
    let mut records = Vec::new();
    for i in 0..count {
        let position = (i % 2, [set(), set()]);
        records.push((position, toy_score(&position)));
    }
    records
}

impl Game for Toy {
    type Features = ToyFeatures;
    type Record = ToyRecord;

    fn features(&self) -> &ToyFeatures {
        &self.features
    }

    fn outputs(&self) -> usize {
        2
    }

    fn read(
        &self,
        _: &Path,
        _: &Filter,
        sink: &mut dyn FnMut(u64, ToyRecord),
    ) -> Result<ReadReport, TrainError> {
        let records = toy_records(12_000);
        let kept = records.len() as u64;
        records.into_iter().enumerate().for_each(|(i, record)| sink(i as u64 / 20, record));
        Ok(ReadReport { games: kept / 20, positions: kept, kept, trailing_bytes: 0 })
    }

    fn unpack(&self, &(position, score): &ToyRecord, sample: &mut Sample) {
        for half in 0..2 {
            let planes = self.features.planes(&position, position.0 ^ half, ());
            sample.rows[half].clear();
            for i in (0..80).filter(|i| planes[i / 40] >> (i % 40) & 1 != 0) {
                sample.rows[half].push(i as u16);
            }
        }
        sample.bucket = self.features.output_bucket(&position) as u8;
        sample.score = score;
        sample.result = sigmoid(f32::from(score) / 200.0);
    }
}

fn toy_config(out: PathBuf) -> Config {
    Config {
        data: vec![PathBuf::from("made up")],
        out,
        hidden: 64,
        epochs: 4,
        batch: 512,
        learning_rate: 0.01,
        warm_up: 5,
        held_out: 100,
        ..quiet()
    }
}

const TOY: Toy = Toy { features: ToyFeatures };

#[test]
fn the_result_depends_on_the_seed_and_not_on_the_threads() {
    let folder = Folder::new("threads");
    let network = |name: &str, threads, seed| {
        let config = Config { threads, seed, ..toy_config(folder.join(name)) };
        run(&TOY, &config).expect("trained");
        std::fs::read(&config.out).expect("readable")
    };
    let one = network("one.nnue", 1, 1);
    assert!(one == network("two.nnue", 2, 1));
    assert!(one == network("three.nnue", 3, 1));
    assert!(one != network("other.nnue", 2, 2));
}

#[test]
fn a_resumed_run_ends_like_an_uninterrupted_one() {
    let folder = Folder::new("resume");
    let whole = toy_config(folder.join("whole.nnue"));
    let summary = run(&TOY, &whole).expect("trained");
    let parts = Config { resume: true, ..toy_config(folder.join("parts.nnue")) };
    for stop in 1..=2 {
        run(&TOY, &Config { stop_after: Some(stop), ..parts.clone() }).expect("trained");
    }
    let resumed = run(&TOY, &parts).expect("trained");
    assert_eq!(resumed.epochs, summary.epochs);
    let read = |path: &Path| std::fs::read(path).expect("readable");
    assert!(read(&whole.out) == read(&parts.out));

    // Other settings or damage: refused, and the files stay as they are.
    let checkpoint = parts.out.with_extension("ckpt");
    let error = run(&TOY, &Config { decay: 0.5, ..parts.clone() }).expect_err("other settings");
    assert!(matches!(&error, TrainError::Checkpoint { .. }), "{error}");
    let mut bytes = read(&checkpoint);
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    std::fs::write(&checkpoint, &bytes).expect("written");
    let error = run(&TOY, &parts).expect_err("damaged");
    assert!(matches!(&error, TrainError::Checkpoint { .. }), "{error}");
    assert!(read(&whole.out) == read(&parts.out));
}

#[test]
fn any_game_is_learnt_and_the_quantised_network_agrees() {
    let folder = Folder::new("toy");
    let config = Config { epochs: 12, scale: Some(200.0), ..toy_config(folder.join("toy.nnue")) };
    let summary = run(&TOY, &config).expect("trained");
    let (first, last) = (summary.epochs[0], summary.epochs[11]);
    assert!(last.held_out.expect("held out") < 0.1 * first.training, "{first:?} {last:?}");
    assert!(summary.held_out > 500 && summary.training + summary.held_out == 12_000);

    // The held-out loss is that of the floating-point network. The file's network must reproduce the scores
    // nearly as well: rounding costs less than 3 centipawns on average and 15 at most beyond it.
    let network = eval::Network::<ToyFeatures, 64, 2>::load(&config.out).expect("valid");
    let errors: Vec<f64> = toy_records(2000)
        .iter()
        .map(|(position, score)| f64::from((network.evaluate(position) - i32::from(*score)).abs()))
        .collect();
    let mean = errors.iter().sum::<f64>() / errors.len() as f64;
    assert!(mean < 12.0, "mean error {mean} cp");

    for extension in ["csv", "svg", "ckpt"] {
        let path = config.out.with_extension(extension);
        assert!(std::fs::metadata(&path).expect("written").len() > 100, "{}", path.display());
    }
    let table = std::fs::read_to_string(config.out.with_extension("csv")).expect("text");
    assert_eq!(table.lines().count(), 13);
    let curve = std::fs::read_to_string(config.out.with_extension("svg")).expect("text");
    assert!(curve.starts_with("<svg") && curve.matches("<polyline").count() == 2);
}

#[test]
fn the_learning_rate_rises_and_falls() {
    let rate = |schedule, step| learning_rate(schedule, 0.001, 0.01, 100, step, 10_000);
    for schedule in [Schedule::Cosine, Schedule::Step] {
        assert!((rate(schedule, 49) - 0.0005).abs() < 1e-6);
        assert!((rate(schedule, 100) - 0.001).abs() < 1e-6);
    }
    assert!((rate(Schedule::Cosine, 9_999) - 0.00001).abs() < 1e-6);
    assert!((rate(Schedule::Step, 6_000) - 0.001).abs() < 1e-6);
    assert!((rate(Schedule::Step, 9_000) - 0.0001).abs() < 1e-6);
}

#[test]
fn settings_are_checked() {
    let folder = Folder::new("settings");
    let good = toy_config(folder.join("net.nnue"));
    let bad = [
        Config { data: vec![], ..good.clone() },
        Config { hidden: 100, ..good.clone() },
        Config { epochs: 0, ..good.clone() },
        Config { batch: 0, ..good.clone() },
        Config { learning_rate: f32::NAN, ..good.clone() },
        Config { result_share: 1.5, ..good.clone() },
        Config { scale: Some(0.0), ..good.clone() },
        Config { threads: 0, ..good.clone() },
    ];
    for config in bad {
        assert!(matches!(run(&TOY, &config), Err(TrainError::Config(_))), "{config:?}");
    }
}

/// From nothing to a network that knows what pieces are worth.
#[test]
fn generate_train_export_evaluate() {
    let folder = Folder::new("chess");
    let data = folder.join("games.vf");
    write_random_games(&data, 300, 8);
    let config = Config {
        hidden: HIDDEN,
        data: vec![data],
        out: folder.join("tiny.nnue"),
        name: "tiny".to_owned(),
        epochs: 8,
        batch: 512,
        learning_rate: 0.004,
        warm_up: 20,
        result_share: 0.1,
        held_out: 50,
        filter: Filter { min_ply: 8, ..Filter::default() },
        ..quiet()
    };
    let summary = run(&ChessGame::new(KingBuckets::Two), &config).expect("trained");
    let (first, last) = (summary.epochs[0], summary.epochs[7]);
    assert!(last.held_out.expect("held out") < first.held_out.expect("held out"));
    assert!(last.training < 0.5 * first.training);

    let network = Network::load(&config.out).expect("valid");
    let evaluate = |fen: &str| network.evaluate(&Board::from_fen(fen).expect("valid"));
    let start = evaluate("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert!(start.abs() < 150, "{start}");
    let queen_up = evaluate("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let rook_up = evaluate("rnbqkbn1/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQq - 0 1");
    let rook_down = evaluate("rnbqkbn1/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQq - 0 1");
    let scores = (start, rook_up, queen_up, rook_down);
    assert!(queen_up > rook_up + 50 && rook_up > start + 50 && rook_down < start - 50, "{scores:?}");

    // A game in which both sides take what the network likes best for one ply is legal to its end.
    let mut board = Board::startpos();
    for _ in 0..60 {
        let best = board.legal_moves().into_iter().min_by_key(|&mv| {
            board.make_move(mv, &mut NoObserver);
            let score = network.evaluate(&board);
            board.unmake_move();
            score
        });
        match best {
            Some(mv) => board.try_move(mv).expect("legal"),
            None => break,
        }
    }
    assert!(board.ply_count() > 10);
}

/// A run can begin with a narrower network of fewer king buckets and another scale, and computes what it did.
#[test]
fn a_run_begins_with_a_network() {
    let folder = Folder::new("begin");
    let data = folder.join("games.vf");
    let games = write_random_games(&data, 120, 10);
    let config = Config {
        hidden: 32,
        data: vec![data],
        out: folder.join("small.nnue"),
        name: "small".to_owned(),
        epochs: 3,
        batch: 512,
        learning_rate: 0.004,
        warm_up: 10,
        scale: Some(300.0),
        held_out: 50,
        ..quiet()
    };
    let small = ChessGame::new(KingBuckets::One);
    let mut before = run(&small, &config).expect("trained").model;
    // Too slow to learn anything: what is written is what it began with.
    let next = Config {
        from: Some(config.out.clone()),
        hidden: 64,
        out: folder.join("large.nnue"),
        epochs: 1,
        learning_rate: 1e-9,
        scale: Some(400.0),
        seed: 2,
        ..config.clone()
    };
    let large = ChessGame::new(KingBuckets::Four);
    let mut after = run(&large, &next).expect("trained").model;
    let evaluate = |game: &ChessGame, model: &mut eval::train::Model, scale: f32| -> Vec<f32> {
        let mut samples = Vec::new();
        for (board, ..) in games.iter().flatten() {
            let mut sample = Sample::default();
            game.unpack(&Record::new(board, 0, 0.5), &mut sample);
            samples.push(sample);
        }
        model.forward(&samples).iter().map(|output| output * scale).collect()
    };
    let (before, after) = (evaluate(&small, &mut before, 300.0), evaluate(&large, &mut after, 400.0));
    assert!(before.iter().any(|score| score.abs() > 300.0), "something was learnt");
    let worst = before.iter().zip(&after).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert!(worst < 12.0, "{worst}");

    // What the new columns and buckets are for: they learn.
    let on = Config { epochs: 4, learning_rate: 0.004, out: folder.join("on.nnue"), ..next.clone() };
    let summary = run(&large, &on).expect("trained");
    let again = run(&large, &Config { threads: 1, out: folder.join("again.nnue"), ..on.clone() });
    assert_eq!(summary.epochs, again.expect("trained").epochs);
    let (first, last) = (summary.epochs[0], summary.epochs[3]);
    assert!(last.training < first.training && last.held_out < first.held_out, "{:?}", summary.epochs);

    // A wider network, that of another game, one for other outputs or none at all cannot be used, and nothing is written.
    let refused = |config: &Config| {
        let config = Config { out: folder.join("refused.nnue"), ..config.clone() };
        let error = run(&small, &config).expect_err("not fit");
        assert!(matches!(&error, TrainError::Start { .. }), "{error}");
        assert!(!config.out.exists());
    };
    refused(&Config { from: Some(folder.join("large.nnue")), ..config.clone() });
    let toy = toy_config(folder.join("toy.nnue"));
    run(&TOY, &Config { epochs: 1, ..toy.clone() }).expect("trained");
    refused(&Config { from: Some(toy.out), ..config.clone() });
    refused(&Config { from: Some(folder.join("missing.nnue")), ..config.clone() });
    refused(&Config { from: Some(config.data[0].clone()), ..config.clone() });
    // From four buckets to one: each begins as the bucket of its first square.
    let fewer = Config { hidden: 64, from: Some(on.out.clone()), out: folder.join("fewer.nnue"), ..next };
    run(&small, &fewer).expect("trained");

    // Resuming knows what the run began with.
    let other = Config { from: None, resume: true, ..on };
    let error = run(&large, &other).expect_err("another beginning");
    assert!(matches!(&error, TrainError::Checkpoint { .. }), "{error}");
}

/// The stated error of quantisation: at most 12 centipawns, and 3 in the mean, for scores within ±1,500.
#[test]
fn the_quantised_network_agrees_with_the_float_one() {
    let folder = Folder::new("quantised");
    let data = folder.join("games.vf");
    let games = write_random_games(&data, 200, 9);
    let config = Config {
        hidden: HIDDEN,
        data: vec![data],
        out: folder.join("tiny.nnue"),
        epochs: 4,
        batch: 512,
        learning_rate: 0.004,
        scale: Some(400.0),
        held_out: 0,
        ..quiet()
    };
    let game = ChessGame::new(KingBuckets::Four);
    let mut model = run(&game, &config).expect("trained").model;
    let network = Network::load(&config.out).expect("valid");

    let boards: Vec<&Board> = games.iter().flatten().map(|(board, ..)| board).collect();
    let mut samples = vec![Sample::default(); boards.len()];
    for (sample, board) in samples.iter_mut().zip(&boards) {
        game.unpack(&Record::new(board, 0, 0.5), sample);
    }
    let mut errors = Vec::new();
    for (output, board) in model.forward(&samples).iter().zip(&boards) {
        let exact = f64::from(output * 400.0);
        if exact.abs() < 1500.0 {
            errors.push((f64::from(network.evaluate(board)) - exact).abs());
        }
    }
    let worst = errors.iter().copied().fold(0.0, f64::max);
    let mean = errors.iter().sum::<f64>() / errors.len() as f64;
    assert!(errors.len() > 5_000 && worst < 12.0 && mean < 3.0, "{} {worst} {mean}", errors.len());
}
