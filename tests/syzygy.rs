//! Endgame tables under UCI: options, scores, hits, play, and the same play as without where they are of no use.

#[path = "support/uci.rs"]
mod support;

use movegen::NoObserver;
use support::{Score, Uci};

/// The tables with three men that the tests carry.
const TABLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/syzygy");

fn with_tables() -> Uci {
    let mut engine = Uci::start();
    let texts = engine.noted(format_args!("setoption name SyzygyPath value {TABLES}"));
    assert_eq!(texts, ["5 WDL and 5 DTZ tables found, up to 3 men"]);
    engine
}

fn hits(line: &str) -> u64 {
    let mut words = line.split(' ').skip_while(|word| *word != "tbhits");
    words.nth(1).and_then(|count| count.parse().ok()).unwrap_or_else(|| panic!("no tbhits: {line}"))
}

fn last_info(lines: &[String]) -> &str {
    lines.iter().rfind(|line| line.contains(" score ")).expect("an info line")
}

#[test]
fn lists_of_folders_are_forgiving() {
    let mut engine = Uci::start();
    let mut told =
        |list: &str| engine.noted(format_args!("setoption name SyzygyPath value {list}")).join("|");
    let found = "5 WDL and 5 DTZ tables found, up to 3 men";
    assert_eq!(told(&format!("{TABLES};")), found);
    assert_eq!(told(&format!(" ;; {TABLES} ; {TABLES}")), found);
    assert!(
        told(&format!("/nowhere/a b;{TABLES}")).starts_with(&format!("{found}; left out: /nowhere/a b: "))
    );
    if cfg!(unix) {
        assert_eq!(told(&format!("{TABLES}:{TABLES}")), found);
        assert!(told(&format!("/nowhere:{TABLES}:/nowhere/else")).ends_with("(and 1 more)"));
    }
    assert_eq!(told(";;"), "no Syzygy tables found");
    engine.send("setoption name SyzygyPath value <empty>");
    engine.go("depth 3");
    engine.quit_silent();
}

#[test]
fn table_scores_are_no_mates_and_mates_are_still_found() {
    let mut engine = with_tables();
    engine.position("fen 8/8/8/4k3/8/8/8/KR6 w - - 0 1");
    let search = engine.go("depth 4");
    assert_eq!(search.score(), Score::Cp(19_999));
    assert!(hits(last_info(&search.lines)) > 0);
    engine.position("fen 8/8/8/4k3/8/8/8/KR6 b - - 0 1");
    assert_eq!(engine.go("depth 4").score(), Score::Cp(-19_999));
    engine.position("fen 7k/8/6K1/8/8/8/8/1R6 w - - 0 1");
    assert_eq!(engine.go("depth 6").score(), Score::Mate(1));
    engine.position("fen 4k3/8/4K3/4P3/8/8/8/8 b - - 0 1");
    let lost = engine.go("depth 4");
    assert!(matches!(lost.score(), Score::Cp(-20_000..=-19_000)), "{:?}", lost.score());
    engine.position("fen 4k3/8/8/8/8/8/4P3/4K3 b - - 0 1");
    assert_eq!(engine.go("depth 6").score(), Score::Cp(0));
    // The fifty moves run out before the mate.
    engine.position("fen 8/8/8/4k3/8/8/8/KR6 w - - 90 100");
    assert!(matches!(engine.go("depth 4").score(), Score::Cp(0..=10)));
    engine.option("Syzygy50MoveRule", "false");
    assert_eq!(engine.go("depth 4").score(), Score::Cp(19_999));
    engine.quit_silent();
}

#[test]
fn the_search_looks_into_the_tables() {
    let mut engine = with_tables();
    // Taking the knight leads to a won ending with the pawn.
    engine.position("fen 8/8/8/3k4/8/1n6/2P5/2K5 w - - 0 1");
    let search = engine.go("depth 8");
    assert!(hits(last_info(&search.lines)) > 0);
    let with = search.nodes();
    engine.option("SyzygyProbeLimit", 0);
    let search = engine.go("depth 8");
    assert_eq!(hits(last_info(&search.lines)), 0);
    assert!(with > 0);
    engine.quit_silent();
}

#[test]
fn every_line_of_a_multipv_search_keeps_its_place() {
    let mut engine = with_tables();
    engine.option("MultiPV", 30);
    engine.position("fen 8/8/8/4k3/3R4/8/8/K7 b - - 0 1");
    let search = engine.go("depth 5");
    // Taking the rook draws, all else loses.
    assert_eq!(search.best_text, "e5d4");
    assert_eq!(search.score(), Score::Cp(0));
    let last = search.infos.iter().rfind(|info| info.multipv > 1).expect("more lines");
    assert!(last.score.cp() < -19_000);
    engine.quit_silent();
}

#[test]
fn won_endings_are_won_with_few_nodes() {
    for fen in [
        "8/8/8/4k3/8/8/8/KR6 w - - 20 30",
        "8/8/8/3k4/8/8/4PK2/8 w - - 0 1",
        "8/8/3k4/8/8/8/8/KQ6 w - - 60 90",
    ] {
        let mut engine = with_tables();
        let mut moves = Vec::new();
        let mut board = support::board(fen, &[]);
        while !board.is_checkmate() {
            assert!(!board.is_draw(0) && moves.len() < 160, "{fen} moves {}", moves.join(" "));
            engine.position(&format!("fen {fen} moves {}", moves.join(" ")));
            let search = engine.go("nodes 300");
            board.make_move(search.best.expect("a move"), &mut NoObserver);
            moves.push(search.best_text);
        }
        engine.quit_silent();
    }
}

#[test]
fn useless_tables_change_nothing() {
    let folder = std::env::temp_dir().join(format!("dyad-useless-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir(&folder).unwrap();
    for name in ["KRvK", "KQvK", "KPvK"] {
        for ending in ["rtbw", "rtbz"] {
            let path = folder.join(format!("{name}.{ending}"));
            let bytes = std::fs::read(format!("{TABLES}/{name}.{ending}")).unwrap();
            // Only the first block is left: the head of a table without its contents.
            std::fs::write(path, &bytes[..80]).unwrap();
        }
    }
    let mut plain = Uci::start();
    let mut engine = Uci::start();
    engine.noted(format_args!("setoption name SyzygyPath value {}", folder.display()));
    for fen in ["8/8/8/4k3/8/8/8/KR6 w - - 0 1", "8/8/3k4/8/8/2P1P3/3K4/8 w - - 0 1"] {
        plain.position(&format!("fen {fen}"));
        engine.position(&format!("fen {fen}"));
        let (expected, got) = (plain.go("nodes 20000"), engine.go("nodes 20000"));
        assert_eq!((expected.best_text, expected.infos.len()), (got.best_text, got.infos.len()), "{fen}");
        assert!(got.strings.iter().all(|text| text.starts_with("Syzygy: ")), "{:?}", got.strings);
    }
    engine.quit_silent();
    plain.quit_silent();
    let _ = std::fs::remove_dir_all(&folder);
}
