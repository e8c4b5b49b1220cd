//! Games as PDN.

use draughts::pdn::{PdnError, PdnGame, PdnResult, decode, parse};
use draughts::rules::International;
use draughts::{Game, Move, fen, legal_moves};

fn one(text: &str) -> PdnGame {
    let mut games = parse(text);
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0).unwrap()
}

#[test]
fn odd_syntax_is_read() {
    for (text, plies) in [
        ("32-28 19-23 28x19 14x23", 4),
        ("1.32-28 19-23", 2),
        ("1. 32-28 19-23 2. 28x19 14x23 *", 4),
        ("1. 33-29 19-23 2. 35-30 { nested { comment } }", 3),
        ("32-28 19-23 (18-23 38-32 (37-32? 23-29! { Black ) wins }) 12-18) 28x19 14x23", 4),
        ("1. 32-28! $1 19-23?! ; a comment 28x19\n2. 28x19* 14x23 1-1", 4),
        ("1 32-28 1... 19-23 2 28x19x23 14x23x19", 4),
        ("3228 1923", 2),
        ("1. 32-28$1 19-23$2$5 2. 28x19!$140 14x23$1{ a comment }", 4),
        ("\u{feff}1. 32-28 {unclosed 19-23", 1),
        ("% escaped line\n1. 32-28 2-0", 1),
    ] {
        let game = one(text.trim_start_matches('\u{feff}'));
        assert_eq!(game.game.moves().len(), plies, "{text}");
    }
}

#[test]
fn results_are_told_from_moves() {
    for (text, result) in [
        ("2-0", PdnResult::White),
        ("1-0", PdnResult::White),
        ("0-2", PdnResult::Black),
        ("0-1", PdnResult::Black),
        ("1-1", PdnResult::Draw),
        ("1/2-1/2", PdnResult::Draw),
        ("0-0", PdnResult::Neither),
        ("*", PdnResult::Unknown),
        ("", PdnResult::Unknown),
    ] {
        assert_eq!(one(&format!("1. 32-28 {text}")).result, result, "{text}");
    }
    assert_eq!(one("[Result \"0-2\"]\n\n1. 32-28").result, PdnResult::Black);
}

#[test]
fn games_follow_each_other_and_bad_ones_are_named() {
    let text = "[Event \"a\"]\n\n1. 32-28 19-23 2-0\n\n[Event \"b\"]\n[GameType \"25\"]\n\n1. c3-d4 1-0\n\n\
                [Event \"c\"]\n\n1. 32-28 32-28 1-1\n[Event \"d\"]\n[FEN \"W:Wx:B\"]\n\n1-1\n\
                [Event \"e \\\"q\\\"\"]\n[FEN \"B:W50:B1\"]\n\n1... 1-6 *";
    let games = parse(text);
    assert_eq!(games.len(), 5);
    assert!(games[0].is_ok());
    assert!(matches!(games[1], Err(PdnError::GameType(2, _))));
    assert!(matches!(games[2], Err(PdnError::Move(3, 1, _))));
    assert!(matches!(games[3], Err(PdnError::Fen(4, _))));
    let last = games[4].as_ref().unwrap();
    assert_eq!(last.tags[0].1, "e \"q\"");
    assert_eq!(last.game.moves().len(), 1);
}

#[test]
fn bytes_of_either_encoding_are_read() {
    assert_eq!(decode(b"\xEF\xBB\xBFJos\xC3\xA9"), "José");
    assert_eq!(decode(b"Jos\xE9"), "José");
}

#[test]
fn what_is_written_is_read_back() {
    // Long games by a fixed rule, from positions where captures share start and end.
    for (n, start) in
        ["W:W31-50:B1-20", "B:W6,9-11,20-23,30,K31,33,37,41-44,46:BK17,K24", "W:WK47:B42,33,34,22,23,13,12,1"]
            .into_iter()
            .enumerate()
    {
        let mut game = Game::new(fen::parse_fen(start).unwrap());
        for ply in 0..60 {
            let legal = legal_moves::<International>(game.position());
            let Some(&mv) = legal.get((ply * 7 + n) % legal.len().max(1)) else { break };
            game.push::<International>(mv);
        }
        let mut pdn = PdnGame::new(
            vec![("White".into(), "A \"quoted\" \\ name".into()), ("Result".into(), "*".into())],
            game.clone(),
            PdnResult::Draw,
        );
        pdn.comments = vec![(0, "before".into()), (3, "a longer comment, to break lines with".into())];
        let text = pdn.to_string();
        assert!(text.lines().all(|line| line.chars().count() <= 79), "{text}");
        let read = one(&text);
        let moves = |game: &Game| game.moves().iter().map(Move::to_string).collect::<Vec<_>>();
        assert_eq!(moves(&read.game), moves(&game));
        assert_eq!(read.game.start(), game.start());
        assert_eq!(read.tags[0], pdn.tags[0]);
        assert_eq!(read.result, PdnResult::Draw);
        assert_eq!(read.comments, pdn.comments);
    }
}

#[test]
fn a_glyph_that_hangs_on_a_move_is_kept() {
    let game = one("1. 32-28$1 19-23 $2 2. 28x19");
    assert_eq!(game.notes, [(1, "$1".to_owned()), (2, "$2".to_owned())]);
}

#[test]
fn many_braces_that_nothing_closes_are_read_in_time() {
    for part in ["{{} ", "{ ", "{a} {{} "] {
        let game = one(&format!("[Event \"x\"]\n\n{}", part.repeat(200_000)));
        assert!(game.game.moves().is_empty(), "{part}");
    }
    // What is closed although something before it is not.
    let game = one("1. 32-28 { a { b } 19-23 { c { d } } 28x19 14x23");
    assert_eq!(game.game.moves().len(), 4);
    assert_eq!(game.comments[1].1, "c { d }");
}
