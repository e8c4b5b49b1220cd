//! `dyad-draughts match` with engines that behave and misbehave. The engines are this very test program, run again
//! with one of its ignored tests switched on.

use draughts::rules::International;
use draughts::{Game, fen, legal_moves, notation, pdn};
use std::io::{BufReader, Write};
use std::process::{Command, Output};
use uci::hub::Line;
use uci::io::LineReader;

fn say(text: impl std::fmt::Display) {
    let mut out = std::io::stdout();
    if writeln!(out, "{text}").and_then(|()| out.flush()).is_err() {
        std::process::exit(0);
    }
}

/// Plays the first legal move, or says `answer` instead.
fn be_hub(answer: Option<&str>) -> ! {
    // The test harness may have begun a line.
    say("");
    let mut game = Game::default();
    for line in LineReader::new(BufReader::new(std::io::stdin())) {
        let line = line.unwrap();
        let Ok(Some(line)) = Line::parse(&line) else { continue };
        match line.command.as_str() {
            "hub" => say("id name=x\nparam name=book value=true type=bool\nwait"),
            "init" => say("ready"),
            "ping" => say("pong"),
            "pos" => {
                game = Game::new(fen::parse_any(line.value("pos").unwrap()).unwrap());
                for mv in line.value("moves").unwrap_or_default().split_whitespace() {
                    let mv = notation::parse_move::<International>(game.position(), mv).unwrap();
                    game.push::<International>(mv);
                }
            }
            "go" => {
                let mv = legal_moves::<International>(game.position())[0];
                say(format_args!("info depth=3 score=0.25 nodes=9 time=0.001 pv=\"{mv}\""));
                match answer {
                    Some("exit") => std::process::exit(4),
                    Some(answer) => say(answer),
                    None => say(format_args!("done move={mv}")),
                }
            }
            "quit" => break,
            _ => {}
        }
    }
    std::process::exit(0);
}

/// The children: no tests, and only run by the others.
macro_rules! engines {
    ($($name:ident => $answer:expr;)*) => {
        $(
            #[test]
            #[ignore = "an engine of the other tests"]
            fn $name() {
                be_hub($answer)
            }
        )*
    };
}

engines! {
    engine_good => None;
    engine_crash => Some("exit");
    engine_illegal => Some("done move=1-50");
    engine_nomove => Some("done");
    engine_error => Some("error message=\"what?\"");
}

fn play(engines: &[&str], rest: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dyad-draughts"));
    command.arg("match");
    for name in engines {
        command.arg("--engine").arg(format!("cmd={}", std::env::current_exe().unwrap().display()));
        command.arg(format!("args=--exact engine_{name} --ignored --nocapture"));
        command.arg(format!("name={name}"));
    }
    command.args(rest).output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[test]
fn every_misbehaviour_is_named_and_loses() {
    for (name, part) in [
        ("crash", "Black crashes (exit status: 4)"),
        ("illegal", "Black plays an illegal move (1-50: '1-50' is not legal here)"),
        ("nomove", "Black finds no move where there is one"),
        ("error", "Black breaks the protocol (it writes 'error message="),
    ] {
        let output = play(&["good", name], &["--each", "tc=10", "--games", "1"]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let line = text(&output.stdout).lines().next().unwrap();
        assert!(line.contains(part) && line.contains("  2-0  "), "{name}: {line}");
    }
}

#[test]
fn ballots_are_played_with_both_colours_and_kept_as_pdn() {
    let folder = std::env::temp_dir();
    let openings = folder.join(format!("dyad-ballots-{}.fen", std::process::id()));
    let out = folder.join(format!("dyad-match-{}.pdn", std::process::id()));
    let _ = std::fs::remove_file(&out);
    std::fs::write(&openings, "W:W31-50:B1-20\nB:W31-50:B1-19\n").unwrap();
    let (openings_text, out_text) = (openings.display().to_string(), out.display().to_string());
    let engine = format!("cmd={}", env!("CARGO_BIN_EXE_dyad-draughts"));
    let output = Command::new(env!("CARGO_BIN_EXE_dyad-draughts"))
        .args(["match", "--engine", &engine, "args=hub", "name=a", "nodes=400", "ponder"])
        .args(["--engine", &engine, "args=hub", "name=b", "nodes=100", "--each", "option.hash=1"])
        .args([
            "--games",
            "4",
            "--openings",
            &openings_text,
            "--out",
            &out_text,
            "--strict",
            "--concurrency",
            "2",
        ])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}{}", text(&output.stdout), text(&output.stderr));
    let records = std::fs::read(&out).unwrap();
    let games = pdn::parse(&pdn::decode(&records));
    assert_eq!(games.len(), 4);
    for game in games {
        let game = game.unwrap();
        assert!(
            game.game
                .outcome::<International>()
                .is_some_and(|end| end.to_string() == game.result.to_string())
        );
        assert!(game.comments.iter().any(|(_, text)| text.contains('/') && text.ends_with('s')));
    }
    std::fs::remove_file(openings).unwrap();
    std::fs::remove_file(out).unwrap();
}
