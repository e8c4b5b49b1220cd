//! Rules beside the counts: captures, crowning, draws, positions and moves as text.

use draughts::fen::{FenError, parse_any, parse_fen, parse_hub, to_fen, to_hub};
use draughts::game::DrawRules;
use draughts::notation::{self, MoveError, parse_move, path, short};
use draughts::position::{Ending, PositionError};
use draughts::rules::{Frisian, International, Killer, Losing};
use draughts::{Color, Game, Move, Outcome, Position, Rules, Square, legal_moves};
use proptest::prelude::*;

fn moves_of<R: Rules>(fen: &str) -> Vec<String> {
    let mut texts: Vec<String> =
        legal_moves::<R>(&parse_fen(fen).unwrap()).iter().map(Move::to_string).collect();
    texts.sort();
    texts
}

fn moves(fen: &str) -> Vec<String> {
    moves_of::<International>(fen)
}

#[test]
fn men_capture_backwards_and_must() {
    assert_eq!(moves("W:W18:B23"), ["18x29x23"]);
    assert_eq!(moves("W:W24:B29,39"), ["24x44x29x39"]);
}

#[test]
fn the_greatest_number_must_be_taken_whatever_the_kinds() {
    // The man at 28 takes two men; the king at 50 could take one king only.
    assert_eq!(moves("W:W28,K50:B22,12,K39"), ["28x8x12x22"]);
    assert_eq!(moves("W:W28,K50:B22,K39"), ["28x17x22", "50x33x39"]);
}

#[test]
fn captured_pieces_block_until_the_move_is_complete() {
    // The king takes 27, 29 and 39. From 43 it could take 21, were 27 not still standing in the way.
    assert_eq!(moves("W:WK36:B21,27,29,39"), ["36x43x27x29x39", "36x48x27x29x39"]);
}

#[test]
fn a_capture_may_end_where_it_began() {
    let position = parse_fen("W:WK39:B33,22,31,42,43").unwrap();
    let round: Vec<Move> = legal_moves::<International>(&position).into_iter().collect();
    assert!(!round.is_empty());
    // A man that goes round a square: 28x19x10x... needs four victims.
    let ring = parse_fen("W:W28:B22,12,13,23").unwrap();
    let found = legal_moves::<International>(&ring);
    assert_eq!(found.len(), 1, "one move, though there are two ways round");
    assert_eq!(found[0].to_string(), "28x28x12x13x22x23");
    let next = ring.play::<International>(found[0]);
    assert_eq!(next.pieces(Color::White).count(), 1);
    assert!(next.pieces(Color::Black).is_empty());
    assert_eq!(next.key(), next.computed_key());
}

#[test]
fn a_man_is_crowned_only_where_its_move_ends() {
    // 12x3 and on to 14: over the last row, not crowned.
    let position = parse_fen("W:W12:B8,9").unwrap();
    let found = legal_moves::<International>(&position);
    assert_eq!(found.iter().map(Move::to_string).collect::<Vec<_>>(), ["12x14x8x9"]);
    assert!(position.play::<International>(found[0]).all_kings().is_empty());
    let position = parse_fen("W:W12:B8,30").unwrap();
    let mv = legal_moves::<International>(&position)[0];
    let next = position.play::<International>(mv);
    assert!(next.kings(Color::White).has(mv.to));
}

#[test]
fn a_side_without_a_move_has_lost() {
    for (fen, winner) in [("B:W50:B", Color::White), ("W:W:B1", Color::Black), ("W:W6:B1,2,11", Color::Black)]
    {
        let game = Game::new(parse_fen(fen).unwrap());
        if legal_moves::<International>(game.position()).is_empty() {
            assert_eq!(game.outcome::<International>(), Some(Outcome::Win(winner)), "{fen}");
            assert_eq!(game.outcome::<Losing>(), Some(Outcome::Win(!winner)), "{fen}");
        }
    }
    assert_eq!(
        Game::new(parse_fen("B:W50:B").unwrap()).outcome::<International>(),
        Some(Outcome::Win(Color::White))
    );
}

/// Plays the moves in turn.
fn play(game: &mut Game, texts: &[&str]) {
    for text in texts {
        let mv = parse_move::<International>(game.position(), text).unwrap();
        game.push::<International>(mv);
    }
}

#[test]
fn the_third_time_is_a_draw() {
    let mut game = Game::new(parse_fen("W:WK50,31:BK46,20").unwrap());
    let shuffle = ["50-45", "46-41", "45-50", "41-46"];
    play(&mut game, &shuffle);
    assert_eq!(game.repetitions(), 2);
    assert_eq!(game.outcome::<International>(), None);
    play(&mut game, &shuffle);
    assert_eq!(game.outcome::<International>(), Some(Outcome::Repetition));
    // The same pieces with the other side to move are another position.
    let mut game = Game::new(parse_fen("B:WK50,31:BK46,20").unwrap());
    play(&mut game, &["46-41", "50-45", "41-46", "45-50"]);
    assert_eq!(game.repetitions(), 2);
}

/// Kings walk about for `plies` plies without repeating a position three times, as far as they can.
fn wander(game: &mut Game, plies: usize) {
    for ply in 0..plies {
        let legal = legal_moves::<International>(game.position());
        let kings: Vec<Move> =
            legal.iter().copied().filter(|mv| game.position().all_kings().has(mv.from)).collect();
        let mv = kings[(ply / 2 * 7 + ply) % kings.len()];
        assert!(!mv.is_capture(), "the walk must be quiet");
        game.push::<International>(mv);
    }
}

#[test]
fn twenty_five_moves_by_kings_are_a_draw_and_a_man_s_move_starts_anew() {
    let draws = DrawRules::default();
    let mut game = Game::new(parse_fen("W:WK50,31:BK46,20").unwrap());
    let shuffle = ["50-45", "46-41", "45-50", "41-46"];
    for ply in 0..50 {
        assert_eq!(game.position().quiet_plies(), ply as u32);
        assert!(!draws.is_draw(game.position()));
        play(&mut game, &shuffle[ply % 4..=ply % 4]);
    }
    assert!(draws.is_draw(game.position()));
    // With a man's move in between nothing is counted but the kings' moves since.
    let mut game = Game::new(parse_fen("W:WK50,31:BK46,20").unwrap());
    for ply in 0..48 {
        play(&mut game, &shuffle[ply % 4..=ply % 4]);
    }
    play(&mut game, &["31-26"]);
    assert_eq!(game.position().quiet_plies(), 0);
    play(&mut game, &["46-41", "50-45"]);
    assert_eq!(game.position().quiet_plies(), 2);
}

#[test]
fn endings_against_a_king_have_their_limits() {
    for (fen, ending, moves) in [
        ("W:WK46,K47,K48:BK5", Ending::ThreeToOne, 16),
        ("W:WK46,K47,48:BK5", Ending::ThreeToOne, 16),
        ("W:WK46,27,48:BK5", Ending::ThreeToOne, 16),
        ("W:WK46,K47:BK5", Ending::TwoToOne, 5),
        ("W:WK46,47:BK5", Ending::TwoToOne, 5),
        ("W:WK46:BK4", Ending::TwoToOne, 5),
        ("B:WK46:BK4,K10,14", Ending::ThreeToOne, 16),
    ] {
        let position = parse_fen(fen).unwrap();
        assert_eq!(position.ending(), (ending, 0), "{fen}");
        let draws = DrawRules::default();
        let mut game = Game::new(position);
        let mut plies = 0;
        while !draws.is_draw(game.position()) && plies < 100 {
            let legal = legal_moves::<International>(game.position());
            // Stop where the material would change or nothing is left to play.
            let Some(&mv) = legal.iter().find(|mv| {
                let next = game.position().play::<International>(**mv);
                !mv.is_capture() && !next.has_capture()
            }) else {
                break;
            };
            game.push::<International>(mv);
            plies += 1;
            if game.position().ending().0 != ending {
                break;
            }
        }
        if draws.is_draw(game.position()) {
            assert_eq!(plies, 2 * moves, "{fen}");
        }
    }
    for fen in ["W:W46,47:BK5", "W:WK46,K47,K48,K49:BK5", "W:WK46,K47:B20", "W:W46:B5"] {
        assert_eq!(parse_fen(fen).unwrap().ending().0, Ending::None, "{fen}");
    }
    let old = DrawRules { three_to_one: draughts::rules::THREE_TO_ONE_OLD, ..DrawRules::default() };
    let mut game = Game::new(parse_fen("W:WK50,K44,K49:BK46").unwrap());
    for _ in 0..5 {
        play(&mut game, &["50-45", "46-41", "45-50", "41-46"]);
    }
    assert!(old.is_draw(game.position()) && !DrawRules::default().is_draw(game.position()));
}

/// Quiet moves that leave no capture.
fn wander_quietly(game: &mut Game, plies: usize) {
    for _ in 0..plies {
        let legal = legal_moves::<International>(game.position());
        let mv = legal.iter().find(|mv| !game.position().play::<International>(**mv).has_capture()).unwrap();
        game.push::<International>(*mv);
    }
}

#[test]
fn a_crowning_or_capture_that_makes_an_ending_starts_its_count() {
    let mut game = Game::new(parse_fen("W:WK46,7:BK50,K49").unwrap());
    assert_eq!(game.position().ending().0, Ending::None);
    wander(&mut game, 2);
    play(&mut game, &["7-1"]);
    assert_eq!(game.position().ending(), (Ending::None, 0));
    // Black gives a king away: two against one begins at 0.
    let mut game = Game::new(parse_fen("W:W28,K49:B22,K1").unwrap());
    assert_eq!(game.position().ending().0, Ending::None);
    let capture = legal_moves::<International>(game.position())[0];
    assert!(capture.is_capture());
    game.push::<International>(capture);
    assert_eq!(game.position().ending(), (Ending::TwoToOne, 0));
}

#[test]
fn a_win_on_the_last_move_stands() {
    // One king against one, nine plies without capture: the tenth captures and wins.
    let mut game = Game::new(parse_fen("W:WK46:BK4").unwrap());
    wander_quietly(&mut game, 9);
    assert!(!DrawRules::default().is_draw(game.position()));
    let lost = parse_fen("B:WK46:B").unwrap();
    assert_eq!(Game::new(lost).outcome::<International>(), Some(Outcome::Win(Color::White)));
}

#[test]
fn killer_kings_stop_behind_a_king_they_took_last() {
    assert_eq!(moves_of::<Killer>("W:WK46:BK23"), ["46x19x23"]);
    assert_eq!(moves_of::<International>("W:WK46:BK23").len(), 4);
    assert_eq!(moves_of::<Killer>("W:WK46:B23").len(), 4);
}

#[test]
fn frisian_captures_run_along_rows_and_columns() {
    assert_eq!(moves_of::<Frisian>("W:W33:B23"), ["33x13x23"]);
    assert_eq!(moves_of::<Frisian>("W:W33:B32"), ["33x31x32"]);
    // A king is worth more than a man and less than two.
    assert_eq!(moves_of::<Frisian>("W:W33:B23,K32"), ["33x31x32"]);
    assert_eq!(moves_of::<Frisian>("W:W33:BK32,23,14"), ["33x15x14x23"]);
    // Equal values: the king must take.
    assert!(moves_of::<Frisian>("W:W33,K50:B23,40").iter().all(|mv| mv.starts_with("50x")));
}

#[test]
fn frisian_kings_rest_after_three_quiet_moves() {
    let mut position = parse_fen("W:WK50,33,35:BK46,19,1").unwrap();
    for text in ["50-45", "46-41", "45-50", "41-46", "50-45", "46-41"] {
        assert!(legal_moves::<Frisian>(&position).iter().any(|mv| position.all_kings().has(mv.from)));
        position = position.play::<Frisian>(parse_move::<Frisian>(&position, text).unwrap());
        assert_eq!(position.key(), position.computed_key());
    }
    let by_king = |mv: &Move| mv.from.number() == 45;
    assert!(!legal_moves::<Frisian>(&position).iter().any(by_king), "the king must rest");
    assert!(legal_moves::<International>(&position).iter().any(by_king));
    // After another piece has moved it may go on.
    for text in ["35-30", "1-6"] {
        position = position.play::<Frisian>(parse_move::<Frisian>(&position, text).unwrap());
    }
    assert!(legal_moves::<Frisian>(&position).iter().any(by_king));
}

#[test]
fn fens_are_read_in_every_spelling() {
    let start = Position::start();
    for text in [
        "W:W31-50:B1-20",
        "W:B1-20:W31-50.",
        " W : W31-50 : B 1-20 ",
        "w:w31,32,33-50:b1-19,20",
        "\"W:W31-50:B1-20\"",
        "W:W31-50:B1-20:H0:F1",
        "W:H12:B1-20:W31-50:F117",
        "W:W31-50:B1-20:+0+3",
        "start",
        "Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww",
    ] {
        assert_eq!(parse_any(text), Ok(start), "{text}");
    }
    let kings = parse_fen("B:WK1-K3,4K".replace("4K", "K4").as_str()).unwrap();
    assert_eq!(kings.kings(Color::White).count(), 4);
    assert!(parse_fen("W:WK3,25:B").unwrap().pieces(Color::Black).is_empty());
    assert_eq!(parse_fen("W:W50").unwrap().pieces(Color::White).count(), 1);
}

#[test]
fn wrong_positions_are_refused_with_the_reason() {
    let cases = [
        ("", FenError::Turn),
        ("X:W1:B2", FenError::Turn),
        ("W:W51:B2", FenError::Square("51".into())),
        ("W:W0:B2", FenError::Square("0".into())),
        ("W:Wx:B2", FenError::Square("x".into())),
        ("W:W50-31:B1-20", FenError::Range("50-31".into())),
        ("W:WK32-K31:B1", FenError::Range("K32-K31".into())),
        ("W:W31:B2:H", FenError::List("H".into())),
        ("W:W31:B2:+1", FenError::List("+1".into())),
        ("W:W31:B2:+1+x", FenError::List("+1+x".into())),
        ("W:W31:B2:W32", FenError::Twice(Color::White)),
        ("W:Q31:B2", FenError::List("Q31".into())),
        ("W:W4:B49", PositionError::UncrownedMan(Color::White, Square::new(4).unwrap()).into()),
        ("W:W31:B31", PositionError::Occupied(Square::new(31).unwrap()).into()),
        ("W:W21-50:B1-10", PositionError::TooMany(Color::White, 30).into()),
    ];
    for (text, error) in cases {
        assert_eq!(parse_fen(text), Err(error), "{text}");
    }
    assert_eq!(parse_hub("Wbbb"), Err(FenError::Length(4)));
    assert_eq!(parse_hub(&format!("X{}", "e".repeat(50))), Err(FenError::Turn));
    assert_eq!(parse_hub(&format!("W{}é", "e".repeat(49))), Err(FenError::Character('é')));
    assert_eq!(
        parse_hub(&format!("Ww{}", "e".repeat(49))),
        Err(PositionError::UncrownedMan(Color::White, Square::new(1).unwrap()).into())
    );
}

#[test]
fn moves_are_read_in_every_spelling() {
    let start = Position::start();
    for text in ["32-28", " 32-28 ", "3228"] {
        assert_eq!(parse_move::<International>(&start, text).unwrap().to_string(), "32-28");
    }
    let position = parse_fen("W:W24:B29,39").unwrap();
    for text in ["24x44", "24x44x29x39", "24x44x39x29", "24x33x44", "2444", "24:44", "24X44"] {
        let mv = parse_move::<International>(&position, text);
        assert_eq!(mv.map(|mv| mv.to_string()), Ok("24x44x29x39".to_owned()), "{text}");
    }
    for text in ["24-44", "24x33", "24x44x29", "24x44x29x29", "24x44x29x39x1"] {
        assert!(matches!(parse_move::<International>(&position, text), Err(MoveError::Illegal(_))), "{text}");
    }
    for text in ["", "-", "x", "24", "24x", "24xx44", "24-44-1", "a-b", "0-1", "51x2", "24x44-29", "é-1"] {
        assert!(matches!(parse_move::<International>(&position, text), Err(MoveError::Syntax(_))), "{text}");
    }
}

#[test]
fn ambiguous_captures_need_their_victims() {
    let twins = parse_fen("W:WK47:B10,23,31,38").unwrap();
    let legal = legal_moves::<International>(&twins);
    let names = ["47x36x10x31x38", "47x36x23x31x38"];
    let mut found: Vec<String> = legal.iter().map(|&mv| short(mv, &legal)).collect();
    found.sort();
    assert_eq!(found, names);
    assert!(matches!(parse_move::<International>(&twins, "47x36"), Err(MoveError::Ambiguous(..))));
    for &mv in &legal {
        let text = short(mv, &legal);
        assert_eq!(parse_move::<International>(&twins, &text), Ok(mv), "{text}");
        let squares = path::<International>(&twins, mv).unwrap();
        let text: Vec<String> = squares.iter().map(ToString::to_string).collect();
        assert_eq!(squares.first(), Some(&mv.from));
        assert_eq!(squares.last(), Some(&mv.to));
        match parse_move::<International>(&twins, &text.join("x")) {
            Ok(read) => assert_eq!(read, mv),
            Err(error) => assert!(matches!(error, MoveError::Ambiguous(..)), "{error}"),
        }
    }
}

/// A position with up to 20 pieces a side.
fn positions() -> impl Strategy<Value = Position> {
    (proptest::collection::vec(0u8..9, 50), any::<bool>()).prop_filter_map("impossible", |(fields, white)| {
        let text: String = fields
            .iter()
            .enumerate()
            .map(|(n, field)| match field {
                0 if n >= 5 => 'w',
                1 if n < 45 => 'b',
                2 => 'W',
                3 => 'B',
                _ => 'e',
            })
            .collect();
        parse_hub(&format!("{}{text}", if white { 'W' } else { 'B' })).ok()
    })
}

proptest! {
    #[test]
    fn texts_of_any_position_are_read_back(position in positions()) {
        prop_assert_eq!(parse_fen(&to_fen(&position)), Ok(position));
        prop_assert_eq!(parse_hub(&to_hub(&position)), Ok(position));
    }

    #[test]
    fn moves_of_any_position_keep_the_rules(position in positions()) {
        let legal = legal_moves::<International>(&position);
        let taken = legal.first().map_or(0, |mv| mv.captured.count());
        for &mv in &legal {
            prop_assert_eq!(mv.captured.count(), taken);
            let next = position.play::<International>(mv);
            prop_assert_eq!(next.key(), next.computed_key());
            prop_assert_eq!(next.pieces(position.turn()).count(), position.pieces(position.turn()).count());
            prop_assert_eq!(next.pieces(!position.turn()).count() + taken, position.pieces(!position.turn()).count());
            prop_assert!((next.pieces(Color::White) & next.pieces(Color::Black)).is_empty());
            prop_assert_eq!(parse_move::<International>(&position, &mv.to_string()), Ok(mv));
            if mv.is_capture() {
                let stops = path::<International>(&position, mv);
                prop_assert_eq!(stops.map(|stops| stops.len() as u32), Some(taken + 1));
            }
        }
    }

    #[test]
    fn no_text_makes_the_readers_fail(text in ".{0,60}") {
        let _ = parse_any(&text);
        let _ = notation::parse_move::<International>(&Position::start(), &text);
        let _ = draughts::pdn::parse(&text);
    }
}
