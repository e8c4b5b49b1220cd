//! Games under CECP: positions, moves, results, draws, Chess960, editing.

#[path = "support/cecp.rs"]
mod support;

use movegen::Board;
use std::time::Duration;
use support::{Cecp, play, read_move};

const BACK_RANK: &str = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1";

#[test]
fn an_abandoned_search_sends_no_move() {
    let mut engine = Cecp::with(&["level 0 60 0", "go", "force", "usermove e2e4"]);
    engine.silent();
    assert!(engine.listen(Duration::from_millis(100)).is_empty());
    let mut engine =
        Cecp::with(&["level 0 60 0", "usermove e2e4", "result 1-0 {x}", "new", "sd 2", "usermove d2d4"]);
    let reply = engine.moved();
    let mut board = Board::startpos();
    play(&mut board, "d2d4");
    play(&mut board, &reply);
    engine.silent();
}

#[test]
fn force_ends_a_pause() {
    let mut engine = Cecp::with(&["sd 2", "pause", "force", "go"]);
    let mut board = Board::startpos();
    play(&mut board, &engine.moved());
}

#[test]
fn a_bad_path_of_tables_is_told_to_the_user_who_chose_it() {
    let fault = "no Syzygy tables found; left out: /nowhere/at all";
    let told = |engine: &mut Cecp, begin: &str| {
        let lines = engine.answers();
        assert!(lines.len() == 1 && lines[0].starts_with(&format!("{begin} {fault}")), "{lines:?}");
    };
    let mut engine = Cecp::start();
    engine.send("option SyzygyPath=/nowhere/at all");
    told(&mut engine, "telluser");
    // xboard sends a path of its own with each game, even if there is no such folder.
    for path in ["egtpath syzygy /nowhere/at all", "egtpath nalimov /nowhere"] {
        engine.send(path);
        engine.silent();
    }
    engine.send_all(&["accepted debug", "egtpath syzygy /nowhere/at all"]);
    told(&mut engine, "#");
    // The same where it has to wait for the engine's move.
    engine.send_all(&["rejected debug", "sd 40", "usermove e2e4", "egtpath syzygy /nowhere/at all", "?"]);
    engine.moved();
}

#[test]
fn one_reply_for_a_move_and_go() {
    let mut engine = Cecp::with(&["level 0 60 0", "usermove e2e4", "go", "?"]);
    let reply = engine.moved();
    let mut board = Board::startpos();
    play(&mut board, "e2e4");
    play(&mut board, &reply);
    engine.silent();
}

#[test]
fn sides_are_taken_as_told() {
    // `go` plays the side to move, `playother` the other one.
    let mut engine = Cecp::with(&["sd 2", "force", "e2e4", "e7e5", "go"]);
    let mut board = Board::startpos();
    play(&mut board, "e2e4");
    play(&mut board, "e7e5");
    play(&mut board, &engine.moved());
    let reply = board.legal_moves()[0];
    engine.send(format_args!("usermove {}", reply.uci(false)));
    board.make_move(reply, &mut movegen::NoObserver);
    play(&mut board, &engine.moved());
    let mut engine = Cecp::with(&["sd 2", "force", "e2e4", "playother"]);
    engine.silent();
    engine.send("usermove e7e5");
    let mut board = Board::startpos();
    play(&mut board, "e2e4");
    play(&mut board, "e7e5");
    play(&mut board, &engine.moved());
    // The obsolete words for it.
    let mut engine = Cecp::with(&["sd 2", "black"]);
    engine.silent();
    engine.send("usermove e7e5");
    assert!(engine.moved().len() >= 4);
}

#[test]
fn illegal_positions_take_no_moves() {
    let mut engine = Cecp::with(&["force"]);
    for fen in [
        "",
        "4k3/8/8/8/8/8/8/8 w - - 0 1",
        "nonsense",
        "5k1r/8/8/8/8/8/8/1K1R4 b - - 0 1 extra fields here",
        "k6R/8/8/8/8/8/8/7K w - - 0 1",
    ] {
        engine.send(format_args!("setboard {fen}"));
        let lines = engine.answers();
        assert!(
            lines.len() == 1 && lines[0].starts_with("tellusererror Illegal position"),
            "{fen}: {lines:#?}"
        );
        let refused = "Illegal move (there is no legal position): e2e4";
        engine.ask("usermove e2e4", &[refused]);
        engine.ask("go", &["Error (command not legal now): go"]);
        engine.ask("undo", &["Error (command not legal now): undo"]);
        engine.ask("exclude e2e4", &["Error (command not legal now): exclude"]);
    }
    engine.send_all(&["new", "force"]);
    engine.ask("usermove e2e4", &[]);
    engine.send_all(&["setboard x", "setboard rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"]);
    engine.answers();
    engine.ask("usermove e2e4", &["Illegal move: e2e4"]);
    engine.ask("usermove e7e5", &[]);
}

#[test]
fn moves_in_all_spellings() {
    let mut engine = Cecp::with(&["rejected usermove", "force"]);
    for mv in ["e2e4", "usermove e7e5", "Nf3", "usermove Nc6", "f1c4", "f8c5", "usermove O-O"] {
        engine.ask(mv, &[]);
    }
    // The castled king stands on g1.
    engine.ask("usermove a7a6", &[]);
    engine.ask("usermove g1h1", &[]);
    engine.ask("usermove @@@@", &[]);
    engine.ask("usermove d2d3", &[]);
    engine.send("setboard 4k3/P7/8/8/8/8/8/R3K2R w KQ - 0 1");
    for (mv, answer) in [
        ("usermove a7a8", Some("Illegal move: a7a8")),
        ("usermove e1g1", None),
        ("undo", None),
        ("usermove a7a8k", Some("Illegal move: a7a8k")),
        ("usermove a7a8Q", None),
        ("undo", None),
        ("usermove a7a8n", None),
        ("usermove @@@@", None),
        ("usermove @@@@", None),
        ("usermove Z9", Some("Error (expected a move): usermove Z9")),
    ] {
        engine.ask(mv, answer.as_slice());
    }
    engine.send("setboard 4k3/8/8/8/8/8/4r3/4K3 w - - 0 1");
    engine.ask("usermove @@@@", &["Illegal move: @@@@"]);
    engine.send("setboard 4k3/8/8/8/8/8/8/R3K2R w - - 0 1");
    engine.ask("usermove Rd1", &[]);
    engine.send("setboard 4k3/8/8/R7/8/8/8/R3K3 w - - 0 1");
    engine.ask("usermove Ra3", &["Illegal move (it is ambiguous): Ra3"]);
}

#[test]
fn chess960() {
    const POSITION: &str = "setboard rk2nq1r/pppb2pp/4pb2/3p1pB1/3P4/5N2/PPP1PPPP/RK1BN1QR b KQkq - 5 9";
    let mut engine = Cecp::with(&["variant fischerandom", "force", POSITION]);
    // Castling puts the rook on d8, the king's move leaves it on a8.
    engine.ask("usermove O-O-O", &[]);
    engine.send("usermove g1f1");
    engine.ask("usermove d8e8", &["Illegal move: d8e8"]);
    engine.ask("usermove d8f6", &["Illegal move: d8f6"]);
    engine.send_all(&["undo", "undo"]);
    engine.ask("usermove b8c8", &[]);
    engine.send("usermove h2h3");
    engine.ask("usermove a8b8", &[]);
    engine.send(POSITION);
    engine.ask("usermove b8a8", &[]);
    engine.ask("undo", &[]);
    engine.send("setboard bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9");
    engine.ask("usermove O-O", &["Illegal move: O-O"]);
    // The engine's own castling is spelled with letters: here nothing else wins as much.
    let mut engine = Cecp::with(&["variant fischerandom", "force"]);
    engine.send("setboard 4k3/8/8/8/8/8/8/1R3KR1 w G - 0 1");
    engine.send_all(&["exclude all", "include O-O", "sd 4", "go"]);
    engine.expect(&["move O-O"]);
    let mut engine = Cecp::with(&["force", "setboard 4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"]);
    engine.send_all(&["exclude all", "include e1g1", "sd 4", "go"]);
    engine.expect(&["move e1g1"]);
    // Only before the first move, and only until the next game.
    let mut engine = Cecp::with(&["force", "e2e4"]);
    engine.ask("variant fischerandom", &["Error (command not legal now): variant"]);
}

#[test]
fn results_are_told_when_they_are_true() {
    for (fen, mv, result) in [
        (BACK_RANK, "a1a8", "1-0 {White mates}"),
        ("r6k/8/8/8/8/8/5PPP/6K1 b - - 0 1", "a8a1", "0-1 {Black mates}"),
        ("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "f1f7", "1/2-1/2 {Stalemate}"),
    ] {
        let mut engine = Cecp::with(&["force", &format!("setboard {fen}")]);
        // Nothing is told while the engine plays neither side.
        engine.ask(&format!("usermove {mv}"), &[]);
        engine.ask("go", &[result]);
        engine.ask("usermove a2a3", &["Illegal move: a2a3"]);
        engine.send_all(&["force", &format!("setboard {fen}"), "playother"]);
        engine.ask(&format!("usermove {mv}"), &[result]);
        // By the engine's own move.
        if !result.contains("Stalemate") {
            engine.send_all(&["force", &format!("setboard {fen}"), "sd 6", "go"]);
            engine.expect(&[&format!("move {mv}"), result]);
        }
    }
    // Not claimable: two knights, bishop against knight, bishops on different colours.
    for fen in [
        "4k3/8/8/8/8/8/4NN2/4K3 w - - 0 1",
        "4k1n1/8/8/8/8/8/4B3/4K3 w - - 0 1",
        "4k1b1/8/8/8/8/8/8/2B1K3 b - - 0 1",
    ] {
        let mut engine = Cecp::with(&["force", &format!("setboard {fen}"), "sd 3", "go"]);
        engine.moved();
    }
}

#[test]
fn draws_by_rule() {
    // By material: the claim, and a move for those who do not take it.
    let mut engine = Cecp::with(&["force", "setboard 8/8/4k3/8/8/4K3/8/8 w - - 0 1", "sd 3", "go"]);
    let lines = engine.answers();
    assert_eq!(lines[0], "1/2-1/2 {Insufficient material}");
    assert!(lines[1].starts_with("move ") && lines[2] == lines[0] && lines.len() == 3, "{lines:#?}");
    // The engine's move fills up the fifty: an offer comes first, the claim when it is true.
    let mut engine = Cecp::with(&["force", "setboard 8/5k2/8/8/8/2K5/7R/6r1 w - - 99 90"]);
    engine.send_all(&["exclude all", "include h2h3", "sd 3", "go"]);
    engine.expect(&["offer draw", "move h2h3", "1/2-1/2 {50-move rule}"]);
    // So does a third occurrence.
    let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"];
    let mut engine = Cecp::with(&["force"]);
    engine.send_all(&shuffle);
    engine.send_all(&["exclude all", "include f6g8", "sd 3", "go"]);
    engine.expect(&["offer draw", "move f6g8", "1/2-1/2 {Draw by repetition}"]);
    // The opponent's move makes it true.
    let mut engine = Cecp::with(&["force"]);
    engine.send_all(&shuffle);
    engine.send_all(&["sd 3", "playother", "usermove f6g8"]);
    let lines = engine.answers();
    assert_eq!(lines[0], "1/2-1/2 {Draw by repetition}");
    assert!(lines[1..].iter().any(|line| line.starts_with("move ")), "{lines:#?}");
    // Mate on the hundredth ply is mate.
    let mut engine =
        Cecp::with(&["force", "setboard 8/8/2p5/3b1K1k/4p3/4PpR1/5P2/8 w - - 99 113", "sd 6", "go"]);
    engine.expect(&["move g3h3", "1-0 {White mates}"]);
}

#[test]
fn offers_are_answered_by_the_score() {
    let lost = "setboard rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 50";
    let won = "setboard rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR b KQkq - 0 50";
    for (fen, accepts) in [(lost, true), (won, false)] {
        // While thinking: with the move.
        let mut engine = Cecp::with(&["force", fen, "level 0 60 0", "go", "draw"]);
        assert!(engine.listen(Duration::from_millis(100)).is_empty(), "an offer must not hurry the engine");
        engine.send("?");
        let lines = engine.answers();
        assert_eq!(lines[0] == "offer draw", accepts, "{lines:#?}");
        assert_eq!(lines.len(), if accepts { 2 } else { 1 });
        // In the opponent's time: at once.
        engine.ask("draw", if accepts { &["offer draw"] } else { &[] });
    }
    // Nobody to ask.
    let mut engine = Cecp::with(&["force", lost, "draw"]);
    engine.silent();
    engine.send_all(&["analyze", "draw"]);
    engine.silent();
}

#[test]
fn resigning_needs_to_be_allowed() {
    let fen = "setboard qq2k3/8/8/8/8/8/5PPP/6K1 w - - 0 50";
    for allowed in [false, true] {
        let mut engine = Cecp::with(&["force", fen, "sd 4"]);
        if allowed {
            engine.send("option ResignScore=500");
        }
        let mut resigned = false;
        for _ in 0..4 {
            engine.send_all(&["force", fen, "go"]);
            let lines = engine.answers();
            assert_eq!(lines.len(), 1, "{lines:#?}");
            if lines[0] == "resign" {
                resigned = true;
                break;
            }
        }
        assert_eq!(resigned, allowed);
    }
}

#[test]
fn a_thousand_moves_and_all_the_way_back() {
    let mut engine = Cecp::with(&["force"]);
    let mut lines = Vec::new();
    for ply in 0..1000 {
        lines.push(["usermove g1f3", "usermove g8f6", "usermove f3g1", "usermove f6g8"][ply % 4]);
    }
    lines.extend(["undo"; 1000]);
    engine.send_all(&lines);
    engine.silent();
    engine.ask("undo", &["Error (command not legal now): undo"]);
    engine.send_all(&["sd 1", "go"]);
    let reply = engine.moved();
    assert!(read_move(&Board::startpos(), &reply).is_some());
}

#[test]
fn taking_back() {
    // `remove` gives the move back to the opponent.
    let mut engine = Cecp::with(&["sd 2", "usermove e2e4"]);
    engine.moved();
    engine.ask("remove", &[]);
    engine.send("usermove d2d4");
    let mut board = Board::startpos();
    play(&mut board, "d2d4");
    play(&mut board, &engine.moved());
    engine.ask("remove", &[]);
    engine.ask("remove", &["Error (command not legal now): remove"]);
    // `undo` while thinking ends that without a move.
    engine.send_all(&["new", "level 0 60 0", "usermove e2e4", "undo"]);
    engine.silent();
    engine.send_all(&["sd 1", "usermove c2c4"]);
    engine.moved();
}

#[test]
fn editing_a_position() {
    let mut engine =
        Cecp::with(&["force", "edit", "#", "Kg1", "Pf2", "Pg2", "Ph2", "c", "Kg8", "Ra8", "Qb8", "xb8", "."]);
    engine.silent();
    engine.send_all(&["usermove h2h3", "usermove a8a1"]);
    engine.silent();
    engine.ask("usermove f2f3", &["Illegal move: f2f3"]);
    // Castling comes with kings and rooks at home; the side to move stays, here by a move made before.
    engine.send_all(&["new", "force", "usermove a2a3", "edit", "#", "Ke1", "Ra1", "c", "Ke8", "Rh8", "."]);
    engine.ask("usermove e8g8", &[]);
    engine.ask("usermove e1c1", &[]);
    // Lines that are no editing, and a position without a king.
    engine.send_all(&["edit", "pa4", "Pz9", "", "#", "Ke1", "."]);
    let lines = engine.answers();
    assert_eq!(lines[..2], ["Error (unknown command): pa4", "Error (unknown command): Pz9"]);
    assert!(lines[2].starts_with("tellusererror Illegal position") && lines.len() == 3, "{lines:#?}");
}

#[test]
fn whole_games_at_one_ply() {
    for seed in 0..3 {
        let mut random = support::Random(seed * 77 + 1);
        let mut engine = Cecp::with(&["sd 1"]);
        let mut board = Board::startpos();
        for _ in 0..120 {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[random.below(moves.len())];
            board.make_move(mv, &mut movegen::NoObserver);
            engine.send(format_args!("usermove {}", mv.uci(false)));
            let lines = engine.answers();
            let replies: Vec<_> = lines.iter().filter_map(|line| line.strip_prefix("move ")).collect();
            assert_eq!(replies.len(), usize::from(board.has_legal_move()), "{lines:#?}");
            for reply in replies {
                play(&mut board, reply);
            }
            let is_over = !board.has_legal_move()
                || board.is_insufficient_material()
                || board.is_fifty_move_draw()
                || board.repetition_count() >= 2;
            let claims = lines.last().is_some_and(|line| line.contains('{'));
            assert_eq!(claims, is_over, "{} {lines:#?}", board.fen());
            if is_over {
                break;
            }
        }
    }
}
