//! Options: how they are listed, set, wrongly set, and set between searches.

#[path = "support/folder.rs"]
mod folder;
#[path = "support/uci.rs"]
mod support;

use folder::Folder;
use std::collections::{HashMap, HashSet};
use support::Uci;

/// An option as the engine lists it.
#[derive(Debug)]
struct Listed {
    name: String,
    kind: String,
    default: Option<String>,
    min: Option<i64>,
    max: Option<i64>,
    choices: Vec<String>,
}

/// Reads an `option` line.
fn read(line: &str) -> Listed {
    let rest = line.strip_prefix("option name ").unwrap();
    let (name, rest) = rest.split_once(" type ").unwrap();
    let mut words = rest.split(' ');
    let kind = words.next().unwrap().to_owned();
    let mut option =
        Listed { name: name.to_owned(), kind, default: None, min: None, max: None, choices: Vec::new() };
    if option.kind == "string" {
        option.default = rest.strip_prefix("string default ").map(str::to_owned);
        return option;
    }
    while let Some(key) = words.next() {
        let value = words.next().unwrap_or_else(|| panic!("{line}"));
        match key {
            "default" => option.default = Some(value.to_owned()),
            "min" => option.min = Some(value.parse().unwrap()),
            "max" => option.max = Some(value.parse().unwrap()),
            "var" => option.choices.push(value.to_owned()),
            _ => panic!("'{key}' in {line}"),
        }
    }
    option
}

/// What the engine offers.
fn listed(engine: &mut Uci) -> Vec<Listed> {
    engine.send("uci");
    let lines = engine.until(|line| line == "uciok");
    lines.iter().filter(|line| line.starts_with("option ")).map(|line| read(line)).collect()
}

#[test]
fn every_option_is_listed_rightly() {
    let mut engine = Uci::start();
    let options = listed(&mut engine);
    let names: HashSet<_> = options.iter().map(|option| option.name.to_lowercase()).collect();
    assert_eq!(names.len(), options.len(), "names differ in more than case");
    for option in &options {
        assert!(
            !option.name.split(' ').any(|word| word == "value" || word == "name" || word.is_empty()),
            "{option:?}"
        );
        let default = option.default.as_deref();
        match option.kind.as_str() {
            "check" => assert!(matches!(default, Some("true" | "false")), "{option:?}"),
            "spin" => {
                let default: i64 = default.unwrap().parse().unwrap();
                assert!(option.min.unwrap() <= default && default <= option.max.unwrap(), "{option:?}");
            }
            "combo" => {
                assert!(option.choices.iter().any(|choice| Some(choice.as_str()) == default), "{option:?}");
            }
            "string" => assert!(default.is_some_and(|text| !text.trim().is_empty()), "{option:?}"),
            "button" => assert!(default.is_none(), "{option:?}"),
            _ => panic!("{option:?}"),
        }
    }
    engine.quit_silent();
}

#[test]
fn the_usual_options_are_there() {
    let mut engine = Uci::start();
    let options: HashMap<_, _> =
        listed(&mut engine).into_iter().map(|option| (option.name.clone(), option)).collect();
    for (name, kind) in [
        ("Hash", "spin"),
        ("Threads", "spin"),
        ("MultiPV", "spin"),
        ("Ponder", "check"),
        ("UCI_Chess960", "check"),
        ("UCI_AnalyseMode", "check"),
        ("UCI_ShowWDL", "check"),
        ("UCI_LimitStrength", "check"),
        ("UCI_Elo", "spin"),
        ("Move Overhead", "spin"),
        ("Clear Hash", "button"),
        ("UCI_EngineAbout", "string"),
    ] {
        assert_eq!(options.get(name).map(|option| option.kind.as_str()), Some(kind), "{name}");
    }
    for (name, default) in [
        ("Threads", "1"),
        ("MultiPV", "1"),
        ("UCI_Chess960", "false"),
        ("UCI_ShowWDL", "false"),
        ("UCI_LimitStrength", "false"),
    ] {
        assert_eq!(options[name].default.as_deref(), Some(default), "{name}");
    }
    engine.quit_silent();
}

#[test]
fn every_option_takes_its_default_its_bounds_and_nonsense() {
    let mut engine = Uci::start();
    for option in listed(&mut engine) {
        let mut values: Vec<String> = option.default.iter().cloned().chain(option.choices.clone()).collect();
        // The largest table and the largest number of threads are not for every machine.
        let is_heavy = ["Hash", "Threads"].contains(&option.name.as_str());
        values.extend(option.min.map(|min| min.to_string()));
        values.extend(option.max.filter(|_| !is_heavy).map(|max| max.to_string()));
        for value in values {
            engine.send(format_args!("setoption name {} value {value}", option.name));
            engine.sync();
        }
        for value in ["", " ", "<empty>", "x", "-", "+", "1.5", "0x10", "1e3", "true false", "ÄÖÜ", "maybe"]
        {
            engine.ignored(format_args!("setoption name {} value {value}", option.name));
        }
        engine.ignored(format_args!("setoption name {}", option.name));
        if option.kind == "spin" && !is_heavy {
            for value in ["-1", "99999999999999999999999999", "-99999999999999999999999999"] {
                engine.ignored(format_args!("setoption name {} value {value}", option.name));
            }
        }
        let default = option.default.unwrap_or_default();
        engine.send(format_args!("setoption name {} value {default}", option.name));
        engine.sync();
        engine.go("depth 2");
    }
    engine.quit_silent();
}

#[test]
fn lines_that_set_nothing() {
    let mut engine = Uci::start();
    for line in [
        "setoption",
        "setoption name",
        "setoption value",
        "setoption value 3",
        "setoption name value",
        "setoption name value 3",
        "setoption Hash value 3",
        "setoption name No Such Option value 3",
        "setoption name Hashh value 3",
        "setoption nameHash value 3",
    ] {
        engine.ignored(line);
        engine.go("depth 1");
    }
    engine.quit_silent();
}

#[test]
fn names_with_blanks_and_names_in_any_case() {
    let mut engine = Uci::start();
    for line in [
        "setoption name Clear Hash",
        "setoption   name   Move Overhead   value   50  ",
        "setoption name move overhead value 20",
        "setoption name MOVE  OVERHEAD value 10",
        "setoption name hash value 8",
        "setoption name clear hash",
        "setoption name Clear Hash value",
    ] {
        engine.send(line);
        engine.sync_silent();
    }
    engine.send("setoption name multipv value 2");
    engine.setting.multipv = 2;
    engine.go("depth 2");
    engine.send("setoption  name\tMULTIPV \t value \t3 ");
    engine.setting.multipv = 3;
    engine.go("depth 2");
    for (value, on) in [("TRUE", true), ("False", false), ("True", true), ("false", false)] {
        engine.send(format_args!("setoption name uci_showwdl value {value}"));
        engine.setting.show_wdl = on;
        engine.go("depth 2");
    }
    engine.quit_silent();
}

#[test]
fn a_path_with_blanks_does_no_harm() {
    let mut engine = Uci::start();
    engine.ignored("setoption name SyzygyPath value /nowhere/my tables/a b");
    let texts = engine.noted("setoption name EvalFile value /nowhere/my net value 3.nnue");
    assert!(texts[0].contains("/nowhere/my net value 3.nnue: cannot read"), "{texts:?}");
    for value in ["/nowhere/a;", ";;", "/nowhere/a; /nowhere/b", "<empty>", "/dev/null", ":"] {
        engine.ignored(format_args!("setoption name SyzygyPath value {value}"));
    }
    engine.go("depth 3");
    engine.quit_silent();
}

/// A pipe that nobody writes to, a device without end, a folder.
#[cfg(unix)]
#[test]
fn what_is_no_file_is_refused() {
    let folder = Folder::new("no-file");
    let pipe = folder.path("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut engine = Uci::start();
    for option in ["EvalFile", "BookFile"] {
        for path in [pipe.as_str(), "/dev/zero", folder.to_str().unwrap()] {
            let texts = engine.noted(format_args!("setoption name {option} value {path}"));
            assert!(texts.iter().any(|text| text.contains(path)), "{option} {path}: {texts:?}");
        }
    }
    engine.go("depth 2");
    engine.quit_silent();
}

#[test]
fn a_value_out_of_range_is_clamped_and_said() {
    let mut engine = Uci::start();
    engine.noted("setoption name MultiPV value 0");
    engine.setting.multipv = 1;
    engine.go("depth 2");
    engine.noted("setoption name MultiPV value 100000");
    engine.setting.multipv = usize::MAX;
    engine.go("depth 2");
    engine.noted("setoption name Threads value 0");
    engine.noted("setoption name Threads value -5");
    engine.noted("setoption name Hash value 0");
    engine.noted("setoption name Move Overhead value -1");
    engine.noted("setoption name UCI_Elo value 1");
    engine.noted("setoption name UCI_Elo value 10000");
    engine.noted("setoption name MultiPV value two");
    engine.go("depth 2");
    engine.quit_silent();
}

#[test]
fn the_size_of_the_table_can_be_changed_at_any_time() {
    let mut engine = Uci::at("startpos");
    for size in [1, 64, 2, 33, 16] {
        engine.option("Hash", size);
        engine.sync_silent();
        engine.go("depth 5");
        engine.option("Hash", size);
        engine.go("depth 5");
    }
    engine.quit_silent();
}

#[test]
fn a_table_larger_than_any_memory() {
    let mut engine = Uci::start();
    engine.noted("setoption name Hash value 999999999");
    engine.go("depth 3");
    engine.send("ucinewgame");
    engine.sync_silent();
    engine.go("depth 3");
    engine.option("Hash", 64);
    engine.sync_silent();
    engine.go("depth 3");
    engine.quit_silent();
}

#[test]
fn the_number_of_threads_can_be_changed_at_any_time() {
    let mut engine = Uci::at("startpos");
    for threads in [2, 1, 5, 3, 16, 1] {
        engine.option("Threads", threads);
        engine.go("depth 4");
        engine.go("nodes 3000");
        engine.go_and_stop("infinite");
    }
    // Back to one thread the search is reproducible again.
    let mut nodes = Vec::new();
    for _ in 0..2 {
        engine.send("ucinewgame");
        engine.position("startpos");
        nodes.push(engine.go("depth 6").nodes());
    }
    assert_eq!(nodes[0], nodes[1]);
    engine.quit_silent();
}

#[test]
fn a_cleared_table_forgets() {
    // The histories stay, so single counts say little: the sums over some positions must differ.
    let (mut first, mut second, mut third) = (0, 0, 0);
    for moves in ["e2e4 e7e5", "d2d4 d7d5", "c2c4 g8f6", "g1f3 c7c5", "e2e4 c7c6", "d2d4 f7f5"] {
        let mut engine = Uci::at(&format!("startpos moves {moves}"));
        first += engine.go("depth 11").nodes();
        second += engine.go("depth 11").nodes();
        engine.send("setoption name Clear Hash");
        third += engine.go("depth 11").nodes();
        engine.quit_silent();
    }
    assert!(second < first, "the table does not help: {second} of {first}");
    assert!(third > second, "the table is still full: {third} after {second}");
}

#[test]
fn options_between_the_searches_of_one_game() {
    let mut engine = Uci::at("startpos");
    let mut line = String::from("startpos moves");
    for step in 0..12 {
        match step % 6 {
            0 => engine.option("MultiPV", 1 + step % 4),
            1 => engine.option("Hash", 1 + 7 * step),
            2 => engine.option("UCI_ShowWDL", step % 4 == 0),
            3 => engine.option("Threads", 1 + step % 3),
            4 => engine.option("UCI_AnalyseMode", step % 4 == 0),
            _ => engine.send("setoption name Clear Hash"),
        }
        let search = engine.go("nodes 2000");
        line.push(' ');
        line.push_str(&search.best_text);
        engine.position(&line);
    }
    engine.quit_silent();
}

#[test]
fn limited_strength_still_plays_by_the_rules() {
    let mut engine = Uci::start();
    let options = listed(&mut engine);
    let elo = options.iter().find(|option| option.name == "UCI_Elo").unwrap();
    let (min, max) = (elo.min.unwrap(), elo.max.unwrap());
    for (limit, multipv) in [(true, 1), (true, 4), (false, 1)] {
        engine.option("UCI_LimitStrength", limit);
        engine.option("MultiPV", multipv);
        for elo in [min, (min + max) / 2, max] {
            engine.option("UCI_Elo", elo);
            for position in
                ["startpos", "fen 1r6/8/8/8/8/8/2k5/K7 w - - 0 1", "startpos moves f2f3 e7e5 g2g4 d8h4"]
            {
                engine.position(position);
                engine.go("movetime 20");
                engine.go("nodes 2000");
                engine.go("depth 3");
                engine.go("wtime 200 btime 200 winc 1 binc 1");
                engine.go_and_stop("infinite");
            }
            engine.go_and_stop("ponder wtime 100 btime 100");
        }
    }
    engine.quit_silent();
}

#[test]
fn the_rating_does_nothing_while_strength_is_not_limited() {
    let mut engine = Uci::at("fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    let full = engine.go("depth 7");
    engine.option("UCI_Elo", 1000);
    engine.send("ucinewgame");
    let search = engine.go("depth 7");
    assert_eq!((search.nodes(), search.best), (full.nodes(), full.best));
    engine.quit_silent();
}
