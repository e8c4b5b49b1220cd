//! Speed of the draughts rules and of the parts that a search uses.
//!
//! `cargo bench -p dyad-draughts`; counted moves per second are criterion's `thrpt`.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use draughts::bitbase::Tables;
use draughts::eval::Evaluation;
use draughts::fen::parse_fen;
use draughts::rules::{Frisian, International};
use draughts::search::{Request, Shared, Worker, think};
use draughts::{Game, Position, legal_moves, perft};
use search::core::event::Silent;
use search::core::limit::Limits;
use std::hint::black_box;

/// Name, position, depth.
const POSITIONS: [(&str, &str, u32); 4] = [
    ("start", "W:W31-50:B1-20", 9),
    ("men", "W:W25,27,28,30,32,33,34,35,37,38:B12,13,14,16,18,19,21,23,24,26", 13),
    ("kings", "W:WK31-K50:BK1-K20", 8),
    ("crownings", "W:W6,7,8,9,10:B41,42,43,44,45", 6),
];

fn perfts(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("perft");
    group.sample_size(10);
    for (name, fen, depth) in POSITIONS {
        let position = parse_fen(fen).expect("valid");
        let count = perft::perft::<International>(&position, depth);
        group.throughput(Throughput::Elements(count));
        group.bench_function(name, |bencher| {
            bencher.iter(|| perft::perft::<International>(black_box(&position), depth));
        });
    }
    // The generator alone: nothing but the moves of the last ply is counted without being played.
    let start = Position::start();
    group.throughput(Throughput::Elements(perft::plain::<International>(&start, 7)));
    group.bench_function("start, move by move", |bencher| {
        bencher.iter(|| perft::plain::<International>(black_box(&start), 7));
    });
    group.throughput(Throughput::Elements(perft::plain::<Frisian>(&start, 7)));
    group.bench_function("start, Frisian", |bencher| {
        bencher.iter(|| perft::plain::<Frisian>(black_box(&start), 7));
    });
    group.finish();
}

fn parts(criterion: &mut Criterion) {
    for (name, fen, _) in POSITIONS {
        let position = parse_fen(fen).expect("valid");
        let evaluation = Evaluation::default();
        criterion.bench_function(&format!("evaluate/{name}"), |bencher| {
            bencher.iter(|| evaluation.evaluate(black_box(&position)));
        });
        criterion.bench_function(&format!("moves/{name}"), |bencher| {
            bencher.iter(|| legal_moves::<International>(black_box(&position)).len());
        });
    }
}

fn tables(criterion: &mut Criterion) {
    let tables = Tables::embedded();
    // Spread over all squares, so that blocks of all kinds are read.
    let fens = (7..=49).step_by(3).flat_map(|n| [format!("W:WK{},K1:BK{n}", n - 1), format!("W:W{n},50:B1")]);
    let positions: Vec<Position> = fens.filter_map(|fen| parse_fen(&fen).ok()).collect();
    let mut group = criterion.benchmark_group("tables");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("probe", |bencher| {
        bencher.iter(|| positions.iter().filter_map(|position| tables.probe(black_box(position))).count());
    });
    group.bench_function("distance", |bencher| {
        bencher.iter(|| positions.iter().filter_map(|position| tables.code(black_box(position))).count());
    });
    group.finish();
}

fn search(criterion: &mut Criterion) {
    let shared = Shared::new(16, 1);
    let mut worker = Worker::default();
    let request = Request::new(Game::default(), Limits { nodes: Some(100_000), ..Limits::default() });
    let mut group = criterion.benchmark_group("search");
    group.throughput(Throughput::Elements(100_000));
    group.sample_size(10);
    group.bench_function("start", |bencher| {
        bencher.iter(|| {
            worker.clear();
            shared.table.clear(1);
            think(&mut worker, &shared, &request, &Silent).nodes
        });
    });
    group.finish();
}

criterion_group!(benches, perfts, parts, tables, search);
criterion_main!(benches);
