//! The transposition table: what comes out is what went in, alone and under many threads.

#[path = "support/random.rs"]
mod random;

use proptest::prelude::*;
use random::Random;
use search::core::tt::{Bound, Entry, NO_EVAL, ScoreScale, TranspositionTable};
use std::sync::atomic::{AtomicU64, Ordering};

fn entry(hint: u16, depth: i32) -> Entry {
    Entry { hint, score: 31, eval: -7, depth, bound: Some(Bound::Lower), pv: false }
}

fn any_entry() -> impl Strategy<Value = Entry> {
    let bound =
        prop_oneof![Just(None), Just(Some(Bound::Upper)), Just(Some(Bound::Lower)), Just(Some(Bound::Exact))];
    let i16s = || any::<i16>().prop_map(i32::from);
    (any::<u16>(), i16s(), i16s(), -7..=247, bound, any::<bool>())
        .prop_map(|(hint, score, eval, depth, bound, pv)| Entry { hint, score, eval, depth, bound, pv })
}

proptest! {
    #[test]
    fn every_entry_survives_storing(key: u64, entry in any_entry()) {
        let table = TranspositionTable::new(1);
        prop_assert_eq!(table.probe(key), None);
        table.store(key, entry);
        prop_assert_eq!(table.probe(key), Some(entry));
        table.prefetch(!key);
        table.clear(2);
        prop_assert_eq!(table.probe(key), None);
    }

    #[test]
    fn values_out_of_range_are_held(key: u64, score: i32, eval: i32, depth: i32) {
        let table = TranspositionTable::new(1);
        table.store(key, Entry { score, eval, depth, ..entry(1, 0) });
        let held = |value: i32| value.clamp(i16::MIN.into(), i16::MAX.into());
        let expected = Entry { score: held(score), eval: held(eval), depth: depth.clamp(-7, 247), ..entry(1, 0) };
        prop_assert_eq!(table.probe(key), Some(expected));
    }

    #[test]
    fn win_distances_are_counted_from_the_node(score in -32_000..=32_000, ply in 0..=246) {
        let scale = ScoreScale { win_bound: 31_000 };
        let stored = scale.to_table(score, ply);
        prop_assert_eq!(scale.from_table(stored, ply), score);
        if score.abs() < scale.win_bound {
            prop_assert_eq!(stored, score);
        } else {
            // A win found at the node is nearer there than from the root.
            prop_assert_eq!(stored.abs(), score.abs() + ply);
        }
    }
}

#[test]
fn no_eval_is_kept_apart() {
    let table = TranspositionTable::new(1);
    table.store(1, Entry { eval: NO_EVAL, ..entry(1, 1) });
    table.store(u64::MAX, Entry { eval: NO_EVAL + 1, ..entry(1, 1) });
    assert_eq!(table.probe(1).map(|entry| entry.eval), Some(NO_EVAL));
    assert_ne!(table.probe(u64::MAX).map(|entry| entry.eval), Some(NO_EVAL));
}

#[test]
fn same_position_keeps_hint_and_deeper_result() {
    let table = TranspositionTable::new(1);
    let key = 0x0123_4567_89AB_CDEF;
    let probe = || table.probe(key).unwrap();

    table.store(key, entry(9, 10));
    table.store(key, entry(0, 12));
    assert_eq!((probe().hint, probe().depth), (9, 12), "no hint: the old one stays");
    table.store(key, entry(8, 3));
    assert_eq!((probe().hint, probe().depth), (9, 12), "much shallower: nothing changes");
    table.store(key, Entry { bound: None, ..entry(8, 30) });
    assert_eq!(probe().bound, Some(Bound::Lower), "an evaluation does not replace a score");
    table.store(key, entry(7, 11));
    assert_eq!((probe().hint, probe().depth), (7, 11), "about as deep: the newer one");
    table.store(key, Entry { bound: Some(Bound::Exact), ..entry(6, 1) });
    assert_eq!((probe().hint, probe().depth), (6, 1), "exact: always");
    table.store(key, entry(5, 30));
    table.age();
    table.store(key, entry(4, 1));
    assert_eq!((probe().hint, probe().depth), (4, 1), "from a former search: always");
}

#[test]
fn shallow_and_old_entries_give_way() {
    let table = TranspositionTable::new(1);
    // Keys with equal top bits share a cluster; their low bits tell them apart.
    let key = |number: u64| 0xABCD << 48 | number;
    let known = || (1..=6).filter(|&number| table.probe(key(number)).is_some()).collect::<Vec<_>>();

    for (number, depth) in [(1, 20), (2, 5), (3, 10)] {
        table.store(key(number), entry(1, depth));
    }
    assert_eq!(known(), [1, 2, 3]);
    table.store(key(4), entry(1, 1));
    assert_eq!(known(), [1, 3, 4], "the shallowest goes");
    table.store(key(5), Entry { bound: None, ..entry(1, 8) });
    table.store(key(6), entry(1, 3));
    assert_eq!(known(), [1, 3, 6], "one without a score goes before a deep one");
    for _ in 0..3 {
        table.age();
    }
    for number in 2..=4 {
        table.store(key(number), entry(1, 1));
    }
    assert_eq!(known(), [2, 3, 4], "old ones go however deep");
}

#[test]
fn generations_wrap_around() {
    let table = TranspositionTable::new(1);
    for search in 0..100_u64 {
        table.age();
        assert_eq!(table.hashfull(), 0, "search {search}");
        for key in 0..100_000 {
            table.store(Random((search << 32) + key + 1).next(), entry(1, 5));
        }
        assert!(table.hashfull() > 300, "search {search}: {}", table.hashfull());
    }
    table.clear(3);
    assert_eq!(table.hashfull(), 0);
}

#[test]
fn fill_is_counted_in_thousandths() {
    let table = TranspositionTable::new(1);
    let mut random = Random(7);
    // 32768 clusters of three: half of the table.
    for _ in 0..49_152 {
        table.store(random.next(), entry(1, 5));
    }
    assert!((400..500).contains(&table.hashfull()), "{}", table.hashfull());
    for _ in 0..2_000_000 {
        table.store(random.next(), entry(1, 5));
    }
    assert_eq!(table.hashfull(), 1000);
}

#[test]
fn sizes_change_and_fall_back() {
    let mut table = TranspositionTable::new(0);
    assert_eq!(table.mebibytes(), 1);
    table.store(5, entry(1, 1));
    table.resize(7, 2);
    assert_eq!((table.mebibytes(), table.probe(5)), (7, None));
    table.store(5, entry(1, 1));
    table.resize(7, 2);
    assert_eq!((table.mebibytes(), table.probe(5)), (7, None), "the same size clears");
    // Far more than any machine has: less is taken, and the table works.
    for mib in [usize::MAX, usize::MAX >> 20, 1 << 40] {
        table.resize(mib, 2);
        let got = table.mebibytes();
        assert!((1..1 << 40).contains(&got), "{got}");
        for key in [0, 5, u64::MAX] {
            table.store(key, entry(1, 1));
            assert_eq!(table.probe(key), Some(entry(1, 1)));
        }
    }
    table.resize(2, 2);
    assert_eq!((table.mebibytes(), table.probe(5)), (2, None));
}

#[test]
fn clear_reaches_every_cluster() {
    let table = TranspositionTable::new(9);
    for threads in [0, 1, 2, 3, 64] {
        let mut random = Random(3);
        let keys: Vec<_> = (0..2_000_000).map(|_| random.next()).collect();
        for &key in &keys {
            table.store(key, entry(1, 1));
        }
        table.clear(threads);
        assert!(keys.iter().all(|&key| table.probe(key).is_none()), "{threads} threads");
    }
}

/// An entry that proves whose it is: its fields are functions of the key and of a number that is in it.
fn signed(key: u64, number: u16) -> Entry {
    let mark = Random(key ^ u64::from(number) << 13 | 1).next();
    Entry {
        hint: number.max(1),
        score: (mark as i16).into(),
        eval: ((mark >> 16) as i16).into(),
        depth: (mark >> 32 & 127) as i32,
        bound: Some(Bound::Exact),
        pv: mark >> 60 & 1 == 1,
    }
}

#[test]
fn no_entry_is_torn_or_mistaken_under_many_threads() {
    let table = TranspositionTable::new(1);
    // The low 21 bits, which the check is made of, differ in all keys, so that no two keys of a cluster
    // are taken for each other. 64 clusters, so that threads meet all the time.
    let key = |number: u64| ((number % 64) << 58) + (Random(number + 1).next() >> 37 << 22) + number;
    let (found, wrong) = (AtomicU64::new(0), AtomicU64::new(0));
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let (table, found, wrong) = (&table, &found, &wrong);
            scope.spawn(move || {
                let mut random = Random(thread + 1);
                for round in 0..300_000 {
                    let draw = random.next();
                    let key = key(draw % 256);
                    if draw >> 60 < 6 {
                        table.store(key, signed(key, ((draw >> 20) as u16).max(1)));
                    } else if let Some(entry) = table.probe(key) {
                        found.fetch_add(1, Ordering::Relaxed);
                        if entry != signed(key, entry.hint) {
                            wrong.fetch_add(1, Ordering::Relaxed);
                        }
                    }
                    if round % 50_000 == 0 && thread == 0 {
                        table.age();
                        table.hashfull();
                    }
                }
            });
        }
    });
    let (found, wrong) = (found.into_inner(), wrong.into_inner());
    assert!(found > 100_000, "{found}");
    // A torn entry passes its check once in two million times: two of them would be a rare accident.
    assert!(wrong <= 1, "{wrong} of {found}");
}

#[test]
fn clearing_under_threads_leaves_no_wrong_entry() {
    let table = TranspositionTable::new(1);
    std::thread::scope(|scope| {
        for thread in 0..4_u64 {
            let table = &table;
            scope.spawn(move || {
                for number in 0..100_000 {
                    let number = 1 + number % 64;
                    let high = Random((thread << 40) + number).next() >> 22;
                    let key = (high << 22) + (thread << 10) + number;
                    table.store(key, signed(key, number as u16));
                    if let Some(entry) = table.probe(key) {
                        assert_eq!(entry, signed(key, entry.hint));
                    }
                }
            });
        }
        for _ in 0..20 {
            table.clear(2);
        }
    });
}
