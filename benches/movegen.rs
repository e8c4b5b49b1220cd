//! Perft, bulk-counted on one thread, beside cozy-chess and shakmaty, and the parts a search uses.
//!
//! `cargo bench -p movegen`; nodes per second are criterion's `thrpt`.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use movegen::{Board, MoveList, NoObserver, perft};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess};

/// Name, FEN, depth: the six positions that every perft table has.
const POSITIONS: [(&str, &str, u32); 6] = [
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5),
    ("kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4),
    ("rook-endgame", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6),
    ("promotions", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 5),
    ("pawn-on-d7", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4),
    ("middlegame", "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 4),
];

/// Perft with cozy-chess's own means: sets of moves are counted at the last ply, boards copied before it.
fn cozy_perft(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            nodes += moves.len() as u64;
        } else {
            for mv in moves {
                let mut child = board.clone();
                child.play_unchecked(mv);
                nodes += cozy_perft(&child, depth - 1);
            }
        }
        false
    });
    nodes
}

fn perfts(criterion: &mut Criterion) {
    for (name, fen, depth) in POSITIONS {
        let own = Board::from_fen(fen).expect("valid");
        let cozy = cozy_chess::Board::from_fen(fen, false).expect("valid");
        let theirs: Chess =
            fen.parse::<Fen>().expect("valid").into_position(CastlingMode::Standard).expect("valid");
        let nodes = perft(&own, depth);
        assert_eq!(nodes, cozy_perft(&cozy, depth));
        assert_eq!(nodes, shakmaty::perft(&theirs, depth));

        let mut group = criterion.benchmark_group(format!("perft/{name}"));
        group.throughput(Throughput::Elements(nodes)).sample_size(10);
        group.bench_function("movegen", |bencher| bencher.iter(|| perft(black_box(&own), depth)));
        group.bench_function("cozy-chess", |bencher| bencher.iter(|| cozy_perft(black_box(&cozy), depth)));
        group.bench_function("shakmaty", |bencher| {
            bencher.iter(|| shakmaty::perft(black_box(&theirs), depth));
        });
        group.finish();
    }
}

/// Lists, make and unmake with keys, mailbox and history, and exchanges: what a search does.
fn parts(criterion: &mut Criterion) {
    let boards: Vec<Board> =
        POSITIONS.iter().map(|(_, fen, _)| Board::from_fen(fen).expect("valid")).collect();
    let moves: u64 = boards.iter().map(|board| board.legal_moves().len() as u64).sum();
    let mut group = criterion.benchmark_group("parts");
    group.throughput(Throughput::Elements(moves));
    group.bench_function("tactical and quiet lists", |bencher| {
        bencher.iter(|| {
            for board in &boards {
                let mut list = MoveList::new();
                board.tactical_moves(&mut list);
                board.quiet_moves(&mut list);
                black_box(&list);
            }
        });
    });
    group.bench_function("make and unmake", |bencher| {
        let mut boards = boards.clone();
        bencher.iter(|| {
            for board in &mut boards {
                for mv in board.legal_moves() {
                    board.make_move(mv, &mut NoObserver);
                    black_box(&board);
                    board.unmake_move();
                }
            }
        });
    });
    group.bench_function("see_ge", |bencher| {
        bencher.iter(|| {
            boards
                .iter()
                .map(|board| board.legal_moves().iter().filter(|mv| board.see_ge(**mv, 0)).count())
                .sum::<usize>()
        });
    });
    group.finish();
}

criterion_group!(benches, perfts, parts);
criterion_main!(benches);
