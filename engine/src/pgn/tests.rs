//! Texts of games, good and bad.

use super::*;

fn games(text: &[u8]) -> Vec<Game> {
    GameReader::new(text).map(|game| game.expect("a slice can be read")).collect()
}

fn line(game: &Game) -> String {
    let spell = |mv: &Option<Move>| mv.map_or("--".to_string(), |mv| mv.uci(false).to_string());
    game.moves.iter().map(spell).collect::<Vec<_>>().join(" ")
}

#[test]
fn marks_line_ends_comments_and_variations_are_read_over() {
    let text = b"\xef\xbb\xbf[White \"White vs 1...c5\"]\r\n[Result \"1-0\"]\r\n\r\n1. e4 $1 {a\r\n\r\n} e5!? (1... c5 \
        (1... d5 {)}) 2. Nf3) ; rest e4\r\n2.Nf3\r\n% escaped Nf6\r\nNc6 1-0\r\n\r\n[White \"B\"]\r\n\r\n1. d4 *\r\n";
    for text in [text.to_vec(), text.iter().copied().filter(|&byte| byte != b'\r').collect()] {
        let games = games(&text);
        assert_eq!(games.len(), 2);
        assert_eq!(line(&games[0]), "e2e4 e7e5 g1f3 b8c6");
        assert_eq!(games[0].tag("White"), Some("White vs 1...c5"));
        assert_eq!(games[0].result, Some(GameResult::White));
        assert_eq!((games[0].line, games[1].line, games[1].number), (1, 11, 2));
        assert_eq!((line(&games[1]).as_str(), games[1].result), ("d2d4", None));
    }
    let old: Vec<u8> = text.iter().copied().filter(|&byte| byte != b'\n').collect();
    assert_eq!(line(&games(&old)[0]), "e2e4 e7e5 g1f3 b8c6");
}

#[test]
fn games_without_tags_results_or_lines_between_are_told_apart() {
    assert_eq!(games(b"").len(), 0);
    assert_eq!(games(b"\n\n  \n% x\n").len(), 0);
    let running = games(b"1. e4\n\ne5 2. Nf3\n\n2... Nc6");
    assert_eq!((running.len(), line(&running[0]).as_str()), (1, "e2e4 e7e5 g1f3 b8c6"));
    let glued = games(b"1. e4 1-0 1. d4 d5 1/2-1/2\n1. c4 0-1");
    assert_eq!(glued.iter().map(line).collect::<Vec<_>>(), ["e2e4", "d2d4 d7d5", "c2c4"]);
    assert_eq!(glued[1].result, Some(GameResult::Draw));
    let tag_only = games(b"[Event \"x\"]\n[Result \"0-1\"]\n");
    assert_eq!((tag_only.len(), tag_only[0].result), (1, Some(GameResult::Black)));
}

#[test]
fn other_spellings_are_understood() {
    let text = "1. e2e4 e7e5 2. g1f3 b8c6 3. Bf1b5 Nf6 4. e1g1 Nxe4 5. Re1 Nd6 *";
    let game = &games(text.as_bytes())[0];
    assert_eq!(game.fault, None);
    assert_eq!(line(game), "e2e4 e7e5 g1f3 b8c6 f1b5 g8f6 e1g1 f6e4 f1e1 e4d6");
    let castling = games(b"[FEN \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\"]\n\n1. 0-0 O-O-O 1/2-1/2");
    assert_eq!(line(&castling[0]), "e1g1 e8c8");
    let mate = games(b"[FEN \"R7/8/8/8/3N4/1BB5/pr6/kb2K2R w K - 0 1\"]\n1. Bxa2 Bxa2 2. O-O# 1-0");
    assert_eq!((line(&mate[0]).as_str(), &mate[0].fault), ("b3a2 b1a2 e1g1", &None));
    let pass = games(b"1. e4 Z0 2. d4 d5 *");
    assert_eq!(line(&pass[0]), "e2e4 -- d2d4 d7d5");
}

#[test]
fn games_of_other_variants_are_told_and_not_read() {
    let game = |variant: &str| games(format!("[Variant \"{variant}\"]\n\n1. e4 e5 *\n").as_bytes()).remove(0);
    for name in
        ["Standard", "From Position", "Chess 960", "fischerandom", "Fischer Random Chess", "?", "chess"]
    {
        assert_eq!((game(name).fault, game(name).moves.len()), (None, 2), "{name}");
    }
    for name in ["Atomic", "Antichess", "King of the Hill", "象棋", "960 atomic"] {
        assert_eq!(
            (game(name).fault, game(name).moves.len()),
            (Some(FaultKind::Variant(name.into())), 0),
            "{name}"
        );
    }
}

#[test]
fn faults_are_told_with_their_place_and_end_the_moves() {
    let text =
        b"[Event \"a\"]\n\n1. e4 e5 2. Ke3 Nf6 1-0\n\n[Event \"b\"]\n[FEN \"nonsense\"]\n\n1. e4 1-0\n\n\
        [Event \"c\"]\n\n1. d4 {no end";
    let games = games(text);
    assert_eq!(games.len(), 3);
    assert_eq!(games[0].fault_line().as_deref(), Some("game 1 (line 1): move 2. Ke3: illegal"));
    assert_eq!(line(&games[0]), "e2e4 e7e5");
    assert!(games[1].fault_line().is_some_and(|text| text.starts_with("game 2 (line 5): FEN: ")));
    assert_eq!(games[2].fault_line().as_deref(), Some("game 3 (line 10): unterminated comment"));
    assert_eq!(line(&games[2]), "d2d4");
}

#[test]
fn words_that_are_no_moves_end_the_game_where_they_stand() {
    for (text, wanted, moves) in [
        ("1. e4 Sf6 2. e5 Sd5 1-0", "move 1... Sf6: no move in English letters", "e2e4"),
        ("1. e4 e5 2. Кf3", "move 2. Кf3: no move in English letters", "e2e4 e7e5"),
        ("[White \"a\"]\n\n1. P-K4 P-K4 *", "move 1. P-K4: no move in English letters", ""),
    ] {
        let games = games(text.as_bytes());
        assert_eq!(games.len(), 1, "{text}");
        assert_eq!(games[0].fault_line().unwrap().split_once(": ").unwrap().1, wanted);
        assert_eq!(line(&games[0]), moves);
    }
    let other = games(b"1. Ng1-f3 e7-e5 2. Nf3:e5+/- Qh4 N 3. @@@@ Qxf2++ 0-1 good game! 1. c4 *");
    assert_eq!(other.iter().map(line).collect::<Vec<_>>(), ["g1f3 e7e5 f3e5 d8h4 -- h4f2", "c2c4"]);
    assert_eq!((&other[0].fault, other[0].result), (&None, Some(GameResult::Black)));
    assert!(games(b"some words, no game\n\nat all\n").is_empty());

    let noted = GameReader::new(&b"1. e4 e5 (1... Sf6 2. e5 {!} Sd5) 2. Nf3 *"[..]).with_notes().next();
    let noted = noted.unwrap().unwrap();
    assert_eq!(
        (noted.fault.as_ref(), noted.notes()),
        (None, &[(2, "(1... Sf6 2. e5 { ! } 2... Sd5)".to_owned())][..])
    );
}

#[test]
fn a_tag_against_the_moves_is_told() {
    let games = games(b"[Result \"1-0\"]\n\n1. e4 0-1\n\n[Result \"1-0\"]\n\n1. e4 *\n\n1. e4 0-1\n");
    let told: Vec<_> = games.iter().map(|game| (game.result, game.contradiction())).collect();
    let (white, black) = (Some(GameResult::White), Some(GameResult::Black));
    assert_eq!(told, [(black, white), (white, None), (black, None)]);
}

#[test]
fn hostile_texts_end_and_do_not_grow() {
    let mut endless = b"1. ".to_vec();
    for _ in 0..6000 {
        endless.extend_from_slice(b"Nf3 Nf6 Ng1 Ng8 ");
    }
    assert_eq!(games(&endless)[0].fault, Some(FaultKind::TooLong));
    let mut tag = b"[Event \"".to_vec();
    tag.resize(100_000, b'x');
    tag.extend_from_slice(b"\"]\n\n1. e4 *\n\n[Event \"b\"]\n\n1. c4 *\n");
    let read = games(&tag);
    assert!(read[0].fault.is_some());
    assert_eq!(read.last().map(line).as_deref(), Some("c2c4"));
    let alphabet = b"[]\"\\{}();%$ \r\n.eN4f310-/2*O=#\xc2\xbd\xef";
    let mut state = 7_u64;
    let mut letter = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        alphabet[(state >> 33) as usize % alphabet.len()]
    };
    for _ in 0..300 {
        let bytes: Vec<u8> = (0..400).map(|_| letter()).collect();
        assert!(games(&bytes).iter().all(|game| game.moves.len() <= 400));
    }
}
