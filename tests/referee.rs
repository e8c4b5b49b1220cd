//! `dyad referee`: one hand-made game for each law.

#[path = "support/raw.rs"]
mod raw;

use raw::run;

/// Judges a text of games with more arguments and returns the output.
fn judge(name: &str, pgn: &str, rest: &[&str]) -> String {
    let path = std::env::temp_dir().join(format!("dyad-referee-{}-{name}.pgn", std::process::id()));
    std::fs::write(&path, pgn).unwrap();
    let text = path.display().to_string();
    let words: Vec<&str> = ["referee", &text].into_iter().chain(rest.iter().copied()).collect();
    let run = run(&words, b"");
    std::fs::remove_file(&path).unwrap();
    assert_eq!((run.status, run.errors.as_str()), (Some(0), ""), "{name}");
    run.text().to_owned()
}

fn game(fen: Option<&str>, moves: &str, result: &str) -> String {
    let setup = fen.map_or_else(String::new, |fen| format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n"));
    format!("[White \"a\"]\n[Black \"b\"]\n[Result \"{result}\"]\n{setup}\n{moves} {result}\n\n")
}

fn has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "'{part}' is not in\n{text}");
    }
}

#[test]
fn mate_and_stalemate_end_the_game() {
    let mate = game(None, "1. f3 e5 2. g4 Qh4#", "0-1");
    has(&judge("mate", &mate, &[]), &["ended after 2... Qh4#: checkmate (5.1.1)", "the result 0-1 agrees"]);
    let wrong = game(None, "1. f3 e5 2. g4 Qh4#", "1-0");
    has(
        &judge("wrong", &wrong, &[]),
        &["the result 1-0 is wrong: checkmate (5.1.1) after 2... Qh4#: the result is 0-1"],
    );
    let stale = game(Some("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1"), "1. Qf7", "1-0");
    has(&judge("stale", &stale, &[]), &["stalemate (5.2.1)", "is wrong", "the result is 1/2-1/2"]);
}

#[test]
fn illegal_moves_are_named_with_what_they_cost() {
    let text = game(None, "1. e4 e5 2. Ke3 Nc6", "1-0");
    has(
        &judge("illegal", &text, &[]),
        &["2 half-moves are legal", "then move 2. Ke3: illegal", "the second loses"],
    );
    has(&judge("illegal2009", &text, &["--laws", "2009"]), &["the third loses"]);
}

/// Knights go out and back: the start comes for the third time after eight half-moves.
const DANCE: &str = "Nf3 Nf6 Ng1 Ng8 ";

#[test]
fn third_repetition_is_claimed_with_a_move_or_on_the_board() {
    let out = judge("third", &game(None, &format!("{DANCE}{DANCE}e4"), "*"), &[]);
    has(
        &out,
        &[
            "after 4. Ng1, Black could claim the third repetition, with Ng8",
            "after 4... Ng8, White could claim the third repetition, on the board",
        ],
    );
    assert!(!out.contains("ended"), "{out}");
    let json = judge("thirdjson", &game(None, &format!("{DANCE}{DANCE}e4"), "*"), &["--json"]);
    assert_eq!(json.lines().count(), 1);
    has(&json, &["\"rule\":\"third repetition\"", "\"declared\":[\"Ng8\"]"]);
    // A lost right to castle makes it another position: king moves first.
    let castling = "1. e4 e5 2. Ke2 Ke7 3. Ke1 Ke8 4. Ke2 Ke7 5. Ke1 Ke8 6. Nc3";
    let out = judge("castling", &game(None, castling, "*"), &[]);
    assert!(!out.contains("after 5... Ke8, White could claim"), "{out}");
}

#[test]
fn fifth_repetition_ends_it_since_2014() {
    let moves = format!("{}e4 e5", DANCE.repeat(4));
    has(
        &judge("fifth", &game(None, &moves, "1/2-1/2"), &[]),
        &[
            "ended after 8... Ng8: fifth repetition (9.6.1)",
            "2 half-moves were played after the end",
            "agrees",
        ],
    );
    let old = judge("fifth2009", &game(None, &moves, "1-0"), &["--laws", "2009"]);
    assert!(!old.contains("ended"), "{old}");
}

/// Rook moves that repeat no position too often: the white rook walks, the black king steps to and fro.
fn walk(halfmoves: usize) -> String {
    // The rook visits squares of a fixed round, the round being prime to the king's of two.
    let rook = [
        "a2", "a3", "a4", "a5", "b5", "b4", "b3", "b2", "c2", "c3", "c4", "c5", "d5", "d4", "d3", "d2", "c2",
        "b2", "a2",
    ];
    let mut moves = String::new();
    for half in 0..halfmoves {
        if half % 2 == 0 {
            moves += &format!("R{} ", rook[(half / 2) % (rook.len() - 1)]);
        } else {
            moves += ["Kg8 ", "Kh7 ", "Kh8 "][(half / 2) % 3];
        }
    }
    moves
}

#[test]
fn fifty_and_seventy_five_moves() {
    let fen = "7k/8/8/8/8/8/8/R6K w - - 95 80";
    let out = judge("fifty", &game(Some(fen), &walk(8), "*"), &[]);
    // 99 half-moves have passed: the hundredth may be declared.
    has(
        &out,
        &["after 81... Kh7, White could claim the fifty moves, with ", "and so on, 5 times up to 83... Kg8"],
    );
    assert!(!out.contains("ended"), "{out}");
    let fen = "7k/8/8/8/8/8/8/R6K w - - 146 80";
    has(
        &judge("seventyfive", &game(Some(fen), &walk(6), "1-0"), &[]),
        &[
            "75 moves without capture or pawn move (9.6.2)",
            "is wrong",
            "2 half-moves were played after the end",
        ],
    );
    // Mate on the last of them takes precedence.
    let fen = "7k/8/6K1/8/8/8/8/R7 w - - 149 80";
    has(&judge("precedence", &game(Some(fen), "Ra8#", "1-0"), &[]), &["checkmate (5.1.1)", "agrees"]);
}

#[test]
fn dead_positions_are_proved_and_end_the_game() {
    // The last pawn falls.
    let fen = "8/8/8/8/8/4k3/4P3/4K3 b - - 0 1";
    let out = judge("lastpawn", &game(Some(fen), "Kd4 Kd1 Kc3 e3 Kd3 Kc1 Kxe3", "1-0"), &[]);
    has(&out, &["ended after 4... Kxe3: dead position (5.2.2)", "the result 1-0 is wrong"]);
    // Nobody can pass the pawns.
    let fen = "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1";
    let out = judge("wall", &game(Some(fen), "Ke2 Ke7", "1/2-1/2"), &[]);
    has(&out, &["ended after the start: dead position (5.2.2)", "none of the", "agrees"]);
    // The move that closes it.
    let fen = "4k3/8/8/p1p1p3/P1P1P1p1/8/6P1/4K3 w - - 0 1";
    let out = judge("open", &game(Some(fen), "g3 Ke7", "1-0"), &[]);
    has(&out, &["ended after 1. g3: dead position (5.2.2)", "the result 1-0 is wrong"]);
}

#[test]
fn a_flag_fall_is_a_draw_where_no_series_of_moves_mates() {
    // White takes the queen and is left with king and pawn against king: Black cannot win any more.
    let fen = "6k1/8/8/8/8/1p6/PK4q1/8 w - - 0 1";
    let out = judge("flag", &game(Some(fen), "Kxb3 Kf7", "0-1"), &[]);
    has(&out, &["Black's flag: ", "White's flag: loses at any move"]);
    let fen = "6k1/8/8/8/8/8/PK6/1q6 w - - 0 1";
    let out = judge("bare", &game(Some(fen), "Kxb1 Kf7", "0-1"), &[]);
    has(
        &out,
        &[
            "White's flag: loses up to the start; draws from 1. Kxb1 on, since Black cannot mate (a king alone",
            "Black's flag: loses at any move",
            "the result 0-1 is wrong: Black cannot mate by any series of legal moves: a flag fall or resignation is a draw",
        ],
    );
    has(
        &judge("bare2009", &game(Some(fen), "Kxb1 Kf7", "0-1"), &["--laws", "2009"]),
        &["a flag fall is a draw"],
    );
    // A knight mates with the help of a pawn, and the helpmate is shown.
    let json = judge("knight", &game(Some("7k/7p/8/8/8/8/8/5N1K w - - 0 1"), "Nd2 Kg7", "1-0"), &["--json"]);
    has(&json, &["\"black_flag\":{\"draws_from_ply\":null,\"helpmate\":[\"", "\"wrong_result\":null"]);
    // A knight alone against a queen does not.
    let fen = "7k/q7/8/8/8/8/8/5N1K w - - 0 1";
    has(&judge("queen", &game(Some(fen), "Nd2 Kg7", "1-0"), &[]), &["White cannot mate", "is wrong"]);
}

#[test]
fn a_search_without_end_says_so() {
    // Bishops behind pawns that block each other, free to walk about.
    let fen = "2b1k3/8/8/p1p1p1p1/P1P1P1P1/8/8/2B1K3 w - - 0 1";
    has(&judge("limit", &game(Some(fen), "Kd2", "1/2-1/2"), &["--positions", "50"]), &["undetermined ("]);
}

#[test]
fn several_games_and_wrong_files() {
    let text = game(None, "1. e4", "*") + &game(None, "1. d4 d5", "1/2-1/2");
    let out = judge("two", &text, &[]);
    has(&out, &["Game 1 (line 1): a - b, *", "Game 2 (line ", "the result 1/2-1/2 agrees with the laws"]);
    let empty = std::env::temp_dir().join(format!("dyad-referee-{}-empty.pgn", std::process::id()));
    std::fs::write(&empty, "no game\n\n\u{0}\u{1}\u{2}").unwrap();
    let empty_text = empty.display().to_string();
    for words in [
        ["referee", "/nowhere/x.pgn"].as_slice(),
        &["referee", &empty_text],
        &["referee", &empty_text, "--json"],
        &["pgn", "check", &empty_text],
    ] {
        let run = run(words, b"");
        assert_eq!((run.status, run.errors.lines().count()), (Some(2), 1), "{words:?}");
    }
    std::fs::remove_file(&empty).unwrap();
}

#[test]
fn what_cannot_be_read_is_not_judged() {
    let illegal = judge("illegal", &game(None, "1. e4 e5 2. Ke3 Nf6", "1-0"), &[]);
    has(&illegal, &["then move 2. Ke3: illegal (two minutes", "the result 1-0 cannot be judged: "]);
    let german = judge("german", &game(None, "1. e4 Sf6", "1-0"), &[]);
    has(&german, &["then move 1... Sf6: no move in English letters\n", "1-0 cannot be judged: "]);
    let fen = judge("fen", &game(Some("nonsense"), "1. e4", "1-0"), &[]);
    has(&fen, &["1-0 cannot be judged: "]);
    assert!(!fen.contains("two minutes"), "{fen}");
    // Over before: what follows does not matter.
    let mate = judge("mated", &game(None, "1. f3 e5 2. g4 Qh4# 3. Xx1", "0-1"), &[]);
    has(&mate, &["the result 0-1 agrees"]);
}

#[test]
fn a_tag_against_the_end_of_the_moves_is_told() {
    let text = game(None, "1. e4 e5", "1-0").replace("e5 1-0", "e5 0-1");
    has(&judge("tag", &text, &[]), &["the tag Result tells 1-0, the end of the moves 0-1"]);
    has(&judge("tagjson", &text, &["--json"]), &["\"tag_result\":\"1-0\""]);
    let path = std::env::temp_dir().join(format!("dyad-referee-{}-check.pgn", std::process::id()));
    std::fs::write(&path, &text).unwrap();
    let run = run(&["pgn", "check", &path.display().to_string()], b"");
    std::fs::remove_file(&path).unwrap();
    has(run.text(), &["game 1 (line 1): the tag Result tells 1-0, the end of the moves 0-1", "1 faulty"]);
}
