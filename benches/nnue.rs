//! The parts of an evaluation: full refresh, refresh from the cache, update after a move, forward pass.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, criterion_group, criterion_main};
use eval::chess::{AccumulatorStack, ChessFeatures, HIDDEN, KingBuckets, Network, OUTPUTS};
use eval::netfile::{Header, Weights};
use eval::{FeatureSet, Kernel};
use movegen::Board;

const MIDDLE_GAME: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// Weights do not change the time, so any will do.
fn network() -> Arc<Network> {
    let features = ChessFeatures::new(KingBuckets::Four);
    let header = Header {
        architecture: ChessFeatures::ARCHITECTURE.to_owned(),
        name: String::new(),
        inputs: features.inputs() as u32,
        hidden: HIDDEN as u32,
        outputs: OUTPUTS as u32,
        scale: 400,
        output_unit: 64,
        table: features.table(),
    };
    let values = |count: usize| (0..count).map(|i| (i * 7919 % 201) as i16 - 100).collect();
    let weights = Weights {
        features: values(features.inputs() * HIDDEN),
        bias: values(HIDDEN),
        output: values(OUTPUTS * 2 * HIDDEN),
        output_bias: vec![0; OUTPUTS],
    };
    Arc::new(Network::new(header, &weights).expect("the sizes fit"))
}

fn nnue(criterion: &mut Criterion) {
    let network = network();
    let mut board = Board::from_fen(MIDDLE_GAME).expect("valid");
    for kernel in Kernel::available() {
        let mut group = criterion.benchmark_group(format!("nnue/{}", kernel.name()));
        group.bench_function("full refresh, one side", |bencher| {
            bencher.iter(|| network.refresh(kernel, black_box(&board), 0));
        });
        let accumulators = [0, 1].map(|side| network.refresh(kernel, &board, side));
        group.bench_function("forward", |bencher| {
            bencher.iter(|| {
                let [own, other] = black_box(&accumulators);
                network.output(kernel, own, other, 7)
            });
        });
        let mut stack = AccumulatorStack::with_kernel(Arc::clone(&network), kernel);
        for (name, text) in [("quiet move", "f3f4"), ("capture", "e2a6"), ("castling", "e1g1")] {
            let mv = board.parse_uci(text).expect("legal");
            stack.evaluate(&board);
            group.bench_function(format!("{name}: make, update, evaluate, unmake"), |bencher| {
                bencher.iter(|| {
                    stack.push();
                    board.make_move(mv, &mut stack);
                    let score = stack.evaluate(&board);
                    board.unmake_move();
                    stack.pop();
                    score
                });
            });
        }
        group.bench_function("evaluate from the refresh cache", |bencher| {
            bencher.iter(|| {
                stack.reset();
                stack.evaluate(black_box(&board))
            });
        });
        group.finish();
    }
}

criterion_group!(benches, nnue);
criterion_main!(benches);
