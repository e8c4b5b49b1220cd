//! The transposition table under a searcher's load: a probe of a cold cluster, the same after a prefetch,
//! and a store. One table fits the caches, one does not.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use search::core::tt::{Bound, Entry, TranspositionTable};
use std::hint::black_box;

/// Accesses in one iteration.
const BATCH: u64 = 1024;
/// How far ahead a prefetch is, in accesses: about what a searcher does between making a move and probing.
const AHEAD: u64 = 8;

/// A well mixed key for any number (the finalizer of SplitMix64: G. Steele, D. Lea, C. Flood, "Fast
/// splittable pseudorandom number generators", 2014).
fn key(number: u64) -> u64 {
    let mut key = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    key = (key ^ (key >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    key = (key ^ (key >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    key ^ (key >> 31)
}

fn entry(number: u64) -> Entry {
    Entry {
        hint: number as u16 | 1,
        score: (number % 500) as i32 - 250,
        eval: 12,
        depth: (number % 20) as i32,
        bound: Some(Bound::Lower),
        pv: false,
    }
}

fn table(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("tt");
    group.throughput(Throughput::Elements(BATCH));
    for mib in [1, 256] {
        let table = TranspositionTable::new(mib);
        // As many positions as there are entries: about half of them are found.
        let positions = (mib as u64) << 15;
        let probed = |number: u64| key(number.wrapping_mul(7) & (positions - 1));
        (0..positions * 2).for_each(|number| table.store(key(number % positions), entry(number)));
        let mut next = 0;
        let mut batch = || {
            next += BATCH;
            next..next + BATCH
        };
        group.bench_function(BenchmarkId::new("probe", mib), |bencher| {
            bencher.iter(|| batch().filter_map(|number| table.probe(probed(number))).count());
        });
        group.bench_function(BenchmarkId::new("prefetch and probe", mib), |bencher| {
            bencher.iter(|| {
                batch()
                    .filter_map(|number| {
                        table.prefetch(probed(number + AHEAD));
                        table.probe(probed(number))
                    })
                    .count()
            });
        });
        group.bench_function(BenchmarkId::new("store", mib), |bencher| {
            bencher.iter(|| batch().for_each(|number| table.store(key(number), black_box(entry(number)))));
        });
    }
    group.finish();
}

criterion_group!(benches, table);
criterion_main!(benches);
