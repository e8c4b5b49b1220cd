//! Mates, won material, draws and traps that a search of fixed size must see.

#[path = "support/uci.rs"]
mod support;

use support::{Score, Uci};

/// What a search must find.
enum Find {
    /// A mate in this many moves.
    Mate(i32),
    /// A score of at least this many hundredths of a pawn.
    Gain(i32),
    /// A draw.
    Draw,
}

/// A position, the first moves that do it, what they do, and the nodes allowed.
type Case = (&'static str, &'static [&'static str], Find, u64);

/// Searches each case in a fresh game.
fn solve(cases: &[Case]) {
    let mut engine = Uci::start();
    for (position, moves, find, nodes) in cases {
        engine.send("ucinewgame");
        engine.position(position);
        let search = engine.go(&format!("nodes {nodes}"));
        assert!(
            moves.contains(&search.best_text.as_str()),
            "{position}: {} {:?}",
            search.best_text,
            search.last()
        );
        let score = search.score();
        let is_found = match find {
            Find::Mate(count) => score == Score::Mate(*count),
            Find::Gain(least) => score.cp() >= *least,
            Find::Draw => score.cp().abs() <= 30,
        };
        assert!(is_found, "{position}: {score:?}");
    }
    engine.quit_silent();
}

#[test]
fn mates_in_one_and_two() {
    solve(&[
        // Back rank.
        ("fen 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", &["a1a8"], Find::Mate(1), 1_000),
        // The scholar's mate.
        ("startpos moves e2e4 e7e5 d1h5 b8c6 f1c4 g8f6", &["h5f7"], Find::Mate(1), 1_000),
        // The fool's mate.
        ("startpos moves f2f3 e7e5 g2g4", &["d8h4"], Find::Mate(1), 1_000),
        // Castling gives mate.
        ("fen 8/8/8/8/8/8/R7/R3K1k1 w Q - 0 1", &["e1c1"], Find::Mate(1), 5_000),
        // Taking en passant gives mate, nothing else does.
        ("fen 8/8/2B4K/3Pp1R1/8/8/8/5N1k w - e6 0 1", &["d5e6"], Find::Mate(1), 5_000),
        // Only a knight gives mate.
        ("fen 6nr/5Ppk/6pp/8/8/8/8/K7 w - - 0 1", &["f7f8n"], Find::Mate(1), 5_000),
        // Smothered: the queen is given away.
        ("fen 5r1k/6pp/7N/3Q4/8/8/8/6K1 w - - 0 1", &["d5g8"], Find::Mate(2), 5_000),
        // The last moves of Morphy's game at the opera.
        ("fen 4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 1 16", &["b3b8"], Find::Mate(2), 20_000),
        // Two rooks.
        ("fen 7k/8/8/8/8/8/R7/1R5K w - - 0 1", &["a2a7", "b1b7", "b1g1"], Find::Mate(2), 5_000),
    ]);
}

#[test]
fn mates_in_three_and_four() {
    solve(&[
        // Anderssen's immortal game: the queen, after both rooks and a bishop.
        (
            "fen r1b1k1nr/p2p1ppp/n2B4/1p1NPN1P/6P1/3P1Q2/P1P1K3/q5b1 w kq - 0 21",
            &["f5g7"],
            Find::Mate(3),
            100_000,
        ),
        // His evergreen game: queen, double check, and two bishops.
        ("fen 1r2k1r1/pbppnp1p/1b3P2/8/Q7/B1PB1q2/P4PPP/3R2K1 w - - 0 21", &["a4d7"], Find::Mate(4), 200_000),
        // Check on every move until the smothered mate.
        ("fen 3r3k/6pp/8/6N1/2Q5/8/8/6K1 w - - 0 1", &["g5f7"], Find::Mate(4), 200_000),
    ]);
}

#[test]
fn being_mated_is_seen_and_put_off() {
    solve(&[
        ("fen 7k/8/8/8/8/8/R7/1R5K w - - 0 1 moves a2a7", &["h8g8"], Find::Mate(-1), 1_000),
        // The immortal game again, from the other side: one reply, then none that helps.
        (
            "fen r1b1k1nr/p2p1ppp/n2B4/1p1NPN1P/6P1/3P1Q2/P1P1K3/q5b1 w kq - 0 21 moves f5g7",
            &["e8d8"],
            Find::Mate(-2),
            20_000,
        ),
    ]);
}

#[test]
fn material_is_won() {
    solve(&[
        // A knight's fork, a rook's skewer, a discovered attack.
        ("fen 8/4k2p/8/8/1r6/4N3/5P2/6K1 w - - 0 1", &["e3d5"], Find::Gain(150), 20_000),
        ("fen 8/8/8/3k3q/8/8/8/R3K3 w - - 0 1", &["a1a5"], Find::Gain(300), 20_000),
        ("fen 4k3/q7/8/4N3/8/8/8/4R2K w - - 0 1", &["e5c6"], Find::Gain(300), 20_000),
        // The pinned queen is taken; the hanging one too.
        ("fen 4k3/8/4q3/8/8/8/4R3/4K3 w - - 0 1", &["e2e6"], Find::Gain(300), 5_000),
        (
            "fen r1bqkbnr/pppp1ppp/2n5/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR b KQkq - 0 3 moves g7g6 h5e5",
            &["c6e5"],
            Find::Gain(500),
            5_000,
        ),
        // A pawn that cannot be caught, and the pawns that break through.
        ("fen 8/8/8/P6k/8/8/8/7K w - - 0 1", &["a5a6"], Find::Gain(300), 20_000),
        ("fen 8/ppp5/8/PPP5/8/8/8/k6K w - - 0 1", &["b5b6"], Find::Gain(300), 100_000),
        // Saavedra's rook: a queen would be stalemate after Rc4+.
        ("fen 8/2P5/8/8/3r4/8/2K5/k7 w - - 0 1", &["c7c8r"], Find::Gain(200), 100_000),
    ]);
}

#[test]
fn draws_are_found() {
    solve(&[
        // Reti: the king runs after both pawns.
        ("fen 7K/8/k1P5/7p/8/8/8/8 w - - 0 1", &["h8g7"], Find::Draw, 200_000),
        // Perpetual check.
        ("fen 6k1/6p1/8/7Q/8/1q6/r5PP/7K w - - 0 1", &["h5e8"], Find::Draw, 50_000),
        // The last pawn falls.
        ("fen 4k3/4P3/8/4K3/8/8/8/8 b - - 0 1", &["e8e7"], Find::Draw, 5_000),
    ]);
}

#[test]
fn the_winning_side_keeps_out_of_draws() {
    solve(&[
        // A stalemate to be avoided.
        ("fen 7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", &["f1f8"], Find::Mate(1), 1_000),
        ("fen k7/8/1K6/8/8/8/8/6Q1 w - - 0 1", &["g1g8", "g1a7"], Find::Mate(1), 1_000),
        // The clock has one move left: the pawn must move.
        ("fen 7k/8/8/8/8/4P3/R7/1R5K w - - 99 90", &["e3e4"], Find::Gain(300), 20_000),
        // Both squares of the king have been used twice.
        (
            "fen 7k/7p/8/8/8/8/R6P/7K w - - 0 1 moves h1g1 h8g8 g1h1 g8h8 h1g1 h8g8 g1h1 g8h8",
            &[
                "a2a7", "a2a8", "a2a1", "a2a3", "a2a4", "a2a5", "a2a6", "a2b2", "a2c2", "a2d2", "a2e2",
                "a2f2", "a2g2", "h2h3", "h2h4", "h1g2",
            ],
            Find::Gain(200),
            50_000,
        ),
    ]);
}
