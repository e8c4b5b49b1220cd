//! Inference: all kernels agree, incremental accumulators equal fresh ones, damaged files are refused.

#[path = "support/random.rs"]
mod random;

use std::sync::Arc;

use eval::chess::{AccumulatorStack, ChessFeatures, HIDDEN, KingBuckets, Network, OUTPUTS, embedded};
use eval::netfile::{self, HEADER_LEN, Header, NetFileError, Weights};
use eval::{FeatureSet, Kernel, NetworkError};
use movegen::{Board, Color};
use random::Random;

fn random_parts(layout: KingBuckets, seed: u64) -> (Header, Weights) {
    let mut random = Random(seed);
    let features = ChessFeatures::new(layout);
    let header = Header {
        architecture: ChessFeatures::ARCHITECTURE.to_owned(),
        name: "random".to_owned(),
        inputs: features.inputs() as u32,
        hidden: HIDDEN as u32,
        outputs: OUTPUTS as u32,
        scale: 400,
        output_unit: 64,
        table: features.table(),
    };
    let mut values = |count: usize, limit| (0..count).map(|_| random.within(limit) as i16).collect();
    let weights = Weights {
        features: values(features.inputs() * HIDDEN, 120),
        bias: values(HIDDEN, 120),
        output: values(OUTPUTS * 2 * HIDDEN, 127),
        output_bias: (0..OUTPUTS as i32).map(|i| i * 1000 - 4000).collect(),
    };
    (header, weights)
}

fn random_network(layout: KingBuckets) -> Arc<Network> {
    let (header, weights) = random_parts(layout, 7);
    Arc::new(Network::new(header, &weights).expect("the parts fit"))
}

fn random_row<const H: usize>(random: &mut Random, limit: i32) -> [i16; H] {
    std::array::from_fn(|_| random.within(limit) as i16)
}

fn compare_kernels<const H: usize>(kernel: Kernel) {
    let mut random = Random(H as u64);
    // The small range hits the activation's inside, the large one its ends and the wrap-around.
    for limit in [300, 32_767] {
        let source = random_row::<H>(&mut random, limit);
        let rows: [[i16; H]; 5] = std::array::from_fn(|_| random_row(&mut random, limit));
        let weights: [[i16; H]; 2] = std::array::from_fn(|_| random_row(&mut random, 127));
        let weights = [&weights[0], &weights[1]];
        let refs: Vec<&[i16; H]> = rows.iter().collect();
        let (mut expected, mut found) = ([0; H], [0; H]);

        Kernel::SCALAR.update(&mut expected, &source, [refs[0]], [refs[1]]);
        kernel.update(&mut found, &source, [refs[0]], [refs[1]]);
        assert_eq!(found, expected, "{} update 1 1", kernel.name());
        Kernel::SCALAR.update(&mut expected, &source, [refs[0], refs[2]], [refs[1], refs[3]]);
        kernel.update(&mut found, &source, [refs[0], refs[2]], [refs[1], refs[3]]);
        assert_eq!(found, expected, "{} update 2 2", kernel.name());
        Kernel::SCALAR.accumulate(&mut expected, &refs[..3], &refs[3..]);
        kernel.accumulate(&mut found, &refs[..3], &refs[3..]);
        assert_eq!(found, expected, "{} accumulate", kernel.name());
        assert_eq!(
            kernel.forward(&source, &found, weights),
            Kernel::SCALAR.forward(&source, &found, weights),
            "{} forward",
            kernel.name()
        );
    }
    // The largest sum there can be must not overflow.
    for weight in [127, -127] {
        let (values, weights) = ([i16::MAX; H], [weight; H]);
        let expected = 2 * H as i64 * 255 * 255 * i64::from(weight);
        assert_eq!(kernel.forward(&values, &values, [&weights, &weights]), expected, "{}", kernel.name());
    }
}

#[test]
fn every_kernel_equals_the_scalar_one() {
    for kernel in Kernel::available() {
        compare_kernels::<32>(kernel);
        compare_kernels::<96>(kernel);
        compare_kernels::<256>(kernel);
        compare_kernels::<544>(kernel);
        compare_kernels::<1024>(kernel);
    }
    assert!(Kernel::available().contains(&Kernel::best()));
}

const POSITIONS: [&str; 10] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    // Chess960: the king castles without moving, onto the rook's square, over the middle of the board.
    "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9",
    "4r2k/8/8/8/8/8/8/R4KR1 w GA - 0 1",
    "8/7k/8/8/8/8/8/1RK2R2 w FB - 0 1",
    "rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 b EAea - 0 1",
    // Promotions and en passant at once.
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "rnbqkb1r/ppp1pppp/5n2/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
];

/// What a walk has passed through.
#[derive(Default)]
struct Seen {
    castling: u32,
    en_passant: u32,
    promotions: u32,
    nodes: u32,
}

/// Plays random lines with all their take-backs; `lazy` leaves out most evaluations, so that chains of several
/// plies have to be made up.
fn walk(stack: &mut AccumulatorStack, board: &mut Board, random: &mut Random, seen: &mut Seen, depth: u32) {
    seen.nodes += 1;
    if random.below(3) > 0 {
        let network = Arc::clone(stack.network());
        for perspective in 0..2 {
            let fresh = network.refresh(Kernel::SCALAR, board, perspective);
            assert_eq!(stack.accumulators(board)[perspective], fresh, "{}", board.fen());
        }
        assert_eq!(stack.evaluate(board), network.evaluate(board), "{}", board.fen());
    }
    if depth == 0 {
        return;
    }
    let moves = board.legal_moves();
    if moves.is_empty() {
        return;
    }
    for _ in 0..2 {
        let mv = moves[random.below(moves.len())];
        seen.castling += u32::from(mv.is_castling());
        seen.en_passant += u32::from(mv.is_en_passant());
        seen.promotions += u32::from(mv.is_promotion());
        stack.push();
        board.make_move(mv, stack);
        walk(stack, board, random, seen, depth - 1);
        board.unmake_move();
        stack.pop();
    }
    if !board.in_check() {
        board.make_null();
        walk(stack, board, random, seen, depth.saturating_sub(3));
        board.unmake_null();
    }
}

#[test]
fn incremental_equals_fresh_at_every_node() {
    let mut random = Random(99);
    let mut seen = Seen::default();
    for layout in [KingBuckets::One, KingBuckets::Two, KingBuckets::Four] {
        let network = random_network(layout);
        for kernel in Kernel::available() {
            let mut stack = AccumulatorStack::with_kernel(Arc::clone(&network), kernel);
            for fen in POSITIONS {
                let mut board = Board::from_fen(fen).expect("valid");
                stack.reset();
                walk(&mut stack, &mut board, &mut random, &mut seen, 8);
                assert_eq!(stack.ply(), 0);
            }
        }
    }
    assert!(seen.castling > 20 && seen.en_passant > 5 && seen.promotions > 20 && seen.nodes > 10_000);
}

#[test]
fn every_castling_of_chess960_is_followed() {
    let network = random_network(KingBuckets::Four);
    let mut stack = AccumulatorStack::new(Arc::clone(&network));
    let mut castlings = 0;
    for number in 0..960 {
        // Only kings and rooks, so that every castling is possible at once.
        let mut board = Board::chess960(number);
        let full = board.shredder_fen();
        let (placement, rest) = full.split_once(' ').expect("fields");
        let bare = placement.replace(['N', 'B', 'Q', 'n', 'b', 'q'], "1");
        board = Board::from_fen(&format!("{bare} {rest}")).expect("valid");
        stack.reset();
        stack.evaluate(&board);
        for mv in board.legal_moves() {
            if mv.is_castling() {
                castlings += 1;
                stack.push();
                board.make_move(mv, &mut stack);
                assert_eq!(stack.evaluate(&board), network.evaluate(&board), "{}", board.fen());
                board.unmake_move();
                stack.pop();
            }
        }
    }
    assert!(castlings > 1000, "{castlings}");
}

#[test]
fn a_game_longer_than_the_stack_is_followed() {
    let network = random_network(KingBuckets::Two);
    let mut stack = AccumulatorStack::new(Arc::clone(&network));
    let mut board = Board::startpos();
    for _ in 0..150 {
        for text in ["g1f3", "g8f6", "f3g1", "f6g8"] {
            let mv = board.parse_uci(text).expect("legal");
            stack.push();
            board.make_move(mv, &mut stack);
        }
    }
    assert_eq!(stack.ply(), 600);
    assert_eq!(stack.evaluate(&board), network.evaluate(&board));
}

/// The position with colours exchanged and the board turned over.
fn exchanged(fen: &str) -> String {
    let fields: Vec<&str> = fen.split(' ').collect();
    let swap = |c: char| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
    let placement: Vec<String> =
        fields[0].split('/').rev().map(|rank| rank.chars().map(swap).collect()).collect();
    let side = if fields[1] == "w" { "b" } else { "w" };
    format!("{} {side} - - 0 1", placement.join("/"))
}

#[test]
fn colours_and_wings_are_symmetric() {
    let network = random_network(KingBuckets::Four);
    for fen in POSITIONS {
        let placement = fen.split(' ').next().expect("fields");
        let side = fen.split(' ').nth(1).expect("fields");
        let plain = Board::from_fen(&format!("{placement} {side} - - 0 1")).expect("valid");
        let score = network.evaluate(&plain);
        let other = Board::from_fen(&exchanged(fen)).expect("valid");
        assert_eq!(network.evaluate(&other), score, "{fen}");
        let wings: Vec<String> = placement.split('/').map(|rank| rank.chars().rev().collect()).collect();
        let mirrored = Board::from_fen(&format!("{} {side} - - 0 1", wings.join("/"))).expect("valid");
        assert_eq!(network.evaluate(&mirrored), score, "{fen}");
    }
}

#[test]
fn the_evaluation_is_that_of_a_plain_computation() {
    let (header, weights) = random_parts(KingBuckets::Four, 7);
    let network = random_network(KingBuckets::Four);
    let features = ChessFeatures::new(KingBuckets::Four);
    for fen in POSITIONS {
        let board = Board::from_fen(fen).expect("valid");
        let own = board.side_to_move();
        let bucket = (board.occupied().count() as usize - 2) / 4;
        let mut sum = 0i64;
        for (half, side) in [own, !own].into_iter().enumerate() {
            let view = features.view(&board, side.index());
            for i in 0..HIDDEN {
                let mut value = i32::from(weights.bias[i]);
                for square in board.occupied() {
                    let piece = board.piece_on(square).expect("occupied");
                    let row = features.row(view, side.index(), piece.index() as u8, square.index() as u8);
                    value += i32::from(weights.features[row * HIDDEN + i]);
                }
                let value = i64::from(value.clamp(0, 255));
                sum += value * value * i64::from(weights.output[(2 * bucket + half) * HIDDEN + i]);
            }
        }
        let value = sum + 255 * i64::from(weights.output_bias[bucket]);
        let expected = (value as f64 * f64::from(header.scale) / (255.0 * 255.0 * 64.0)).clamp(-2e4, 2e4);
        assert!((f64::from(network.evaluate(&board)) - expected).abs() < 1.001, "{fen}");
    }
    assert_eq!(Color::ALL.map(Color::index), [0, 1], "perspectives are numbered like colours");
}

fn small_file() -> (Header, Weights, Vec<u8>) {
    let header = Header {
        architecture: "test".to_owned(),
        name: "small".to_owned(),
        inputs: 6,
        hidden: 32,
        outputs: 2,
        scale: 300,
        output_unit: 100,
        table: std::array::from_fn(|i| i as u8),
    };
    let weights = Weights {
        features: (0..6 * 32).map(|i| i * 7 - 300).collect(),
        bias: (0..32).collect(),
        output: (0..128).map(|i| i - 64).collect(),
        output_bias: vec![-70_000, 70_000],
    };
    let bytes = netfile::encode(&header, &weights).expect("valid");
    (header, weights, bytes)
}

#[test]
fn a_network_file_reads_back() {
    let (header, weights, bytes) = small_file();
    assert_eq!(bytes.len(), HEADER_LEN + 2 * (6 * 32 + 32 + 128) + 8);
    assert_eq!(netfile::decode(&bytes).expect("valid"), (header, weights));
}

#[test]
fn damaged_network_files_are_refused() {
    let (_, _, bytes) = small_file();
    for length in 0..bytes.len() {
        let error = netfile::decode(&bytes[..length]).expect_err("truncated");
        let expected = if length < 8 {
            matches!(error, NetFileError::Foreign)
        } else {
            matches!(error, NetFileError::Truncated { found, .. } if found == length as u64)
        };
        assert!(expected, "{length}: {error}");
    }
    for bit in 0..bytes.len() * 8 {
        let mut damaged = bytes.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        assert!(netfile::decode(&damaged).is_err(), "bit {bit}");
    }
    let mut longer = bytes.clone();
    longer.push(0);
    assert!(matches!(netfile::decode(&longer), Err(NetFileError::TooLarge { .. })));
    assert!(matches!(netfile::decode(b"not a network at all"), Err(NetFileError::Foreign)));
    let mut newer = bytes;
    newer[8] = 2;
    assert!(matches!(netfile::decode(&newer), Err(NetFileError::Version { found: 2 })));
}

#[test]
fn impossible_sizes_and_weights_are_refused() {
    let (header, weights, _) = small_file();
    let refused = |header: &Header, weights: &Weights| {
        matches!(netfile::encode(header, weights), Err(NetFileError::Invalid(_)))
    };
    assert!(refused(&Header { inputs: 7, ..header.clone() }, &weights));
    assert!(refused(&Header { scale: 0, ..header.clone() }, &weights));
    assert!(refused(&Header { output_unit: 0, ..header.clone() }, &weights));
    assert!(refused(&Header { name: "x".repeat(41), ..header.clone() }, &weights));
    let mut heavy = weights.clone();
    heavy.output[5] = 128;
    assert!(refused(&header, &heavy));
    let empty = Weights { features: vec![], bias: vec![], output: vec![], output_bias: vec![] };
    assert!(refused(&Header { inputs: 0, hidden: 0, outputs: 0, ..header }, &empty));
}

#[test]
fn networks_of_other_kinds_are_refused() {
    let (header, weights) = random_parts(KingBuckets::One, 3);
    let build = |header: Header| Network::new(header, &weights).err().expect("refused");
    let error = build(Header { architecture: "draughts".to_owned(), ..header.clone() });
    assert!(matches!(&error, NetworkError::Architecture { .. }), "{error}");
    let error = build(Header { hidden: 2 * header.hidden, ..header.clone() });
    assert!(matches!(&error, NetworkError::Size { what: "hidden values", .. }), "{error}");
    let error = build(Header { outputs: 1, ..header.clone() });
    assert!(matches!(&error, NetworkError::Size { what: "outputs", .. }), "{error}");
    let error = build(Header { table: ChessFeatures::new(KingBuckets::Four).table(), ..header.clone() });
    assert!(matches!(&error, NetworkError::Size { what: "inputs", .. }), "{error}");
    let error = build(Header { table: std::array::from_fn(|i| i as u8), ..header });
    assert!(matches!(&error, NetworkError::Table), "{error}");
}

#[test]
fn a_network_is_loaded_from_a_path() {
    let folder = std::env::temp_dir().join(format!("dyad-nnue-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("temporary folder");
    let path = folder.join("a network.nnue");
    let (header, weights) = random_parts(KingBuckets::Two, 7);
    let bytes = netfile::encode(&header, &weights).expect("valid");
    std::fs::write(&path, &bytes).expect("written");
    let loaded = Network::load(&path).expect("valid");
    let board = Board::startpos();
    assert_eq!(loaded.evaluate(&board), random_network(KingBuckets::Two).evaluate(&board));
    assert_eq!(loaded.header(), &header);

    std::fs::write(&path, &bytes[..bytes.len() / 2]).expect("written");
    let message = Network::load(&path).err().expect("truncated").to_string();
    assert!(message.contains("truncated"), "{message}");
    std::fs::write(&path, b"").expect("written");
    assert!(Network::load(&path).is_err());
    assert!(Network::load(&folder).is_err());
    assert!(Network::load(&folder.join("missing")).is_err());
    std::fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn the_network_built_in_is_valid() {
    let network = embedded().expect("a network that is built in must load");
    if let Some(network) = network {
        assert!(network.evaluate(&Board::startpos()).abs() < 150, "the start is close to equal");
        let up_a_queen = Board::from_fen("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        assert!(network.evaluate(&up_a_queen.expect("valid")) > 400);
    }
}
