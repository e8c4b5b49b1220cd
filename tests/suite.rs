//! `dyad suite` on small suites of our own.

#[path = "support/folder.rs"]
mod folder;
#[path = "support/raw.rs"]
mod raw;

use folder::Folder;
use raw::{Run, run};

const SUITE: &str = "\
# Back rank, an underpromotion, a mate in two, one to avoid, one that nobody can solve.
6k1/5ppp/8/8/8/8/8/R6K w - - bm Ra8#; id \"back rank\";
8/5P1k/8/8/8/8/6K1/8 w - - am f8=N; id \"promote\";

7k/8/5K2/8/8/8/8/6R1 w - - dm 2; id \"two moves\";
6k1/5ppp/8/8/8/8/8/R6K w - - bm Kg1; id \"wrong answer\";
";

fn solved(run: &Run) -> &str {
    assert_eq!(run.status, Some(0), "{run:?}");
    run.last()
}

#[test]
fn solved_positions_are_counted() {
    let folder = Folder::new("count");
    let file = folder.file("a.epd", SUITE);
    for more in [&[][..], &["--jobs", "3"], &["--threads", "2"]] {
        let arguments = [&["suite", &file, "--nodes", "20000", "--hash", "4"][..], more].concat();
        let run = run(&arguments, b"");
        assert_eq!(solved(&run), "solved 3 of 4", "{}", run.text());
        assert_eq!(run.errors, "");
        // In the order of the file, whoever was faster.
        let signs: Vec<&str> = ["back rank", "promote", "two moves", "wrong answer"]
            .map(|name| run.text().lines().find(|line| line.ends_with(name)).unwrap())
            .iter()
            .map(|row| row.split_whitespace().nth(1).unwrap())
            .collect();
        assert_eq!(signs, ["+", "+", "+", "-"], "{}", run.text());
    }
}

#[test]
fn points_of_scored_suites_are_summed() {
    let folder = Folder::new("points");
    let file = folder.file(
        "sts.epd",
        "6k1/5ppp/8/8/8/8/8/R6K w - - bm Ra8#; c0 \"Ra8#=10, Kg1=2\";\n\
         6k1/5ppp/8/8/8/8/8/R6K w - - bm Kg1; c7 \"Kg1 Ra8#\"; c8 \"10 3\"; c9 \"h1g1 a1a8\";\n",
    );
    let run = run(&["suite", &file, "--depth", "4", "--quiet"], b"");
    assert_eq!(solved(&run), "solved 1 of 2");
    assert!(run.text().contains("points 13 of 20 (65.0 %)"), "{}", run.text());
}

#[test]
fn results_go_into_a_table_for_other_programs() {
    let folder = Folder::new("csv");
    let (file, csv) = (folder.file("a.epd", SUITE), folder.path("a.csv"));
    let run = run(&["suite", &file, "--nodes", "20000", "--csv", &csv, "--quiet"], b"");
    assert_eq!(solved(&run), "solved 3 of 4");
    let text = std::fs::read_to_string(&csv).unwrap();
    let rows: Vec<&str> = text.lines().collect();
    assert_eq!(rows.len(), 5);
    let columns = rows[0].split(',').count();
    assert!(rows[1..].iter().all(|row| row.split(',').count() == columns), "{text}");
    assert!(rows[1].starts_with("2,back rank,6k1/5ppp/8/8/8/8/8/R6K w - - 0 1,1,,,Ra8#,Ra8#,#1,"), "{text}");
    assert!(rows[4].starts_with("6,wrong answer,6k1/5ppp/8/8/8/8/8/R6K w - - 0 1,0,"), "{text}");
    assert_eq!(std::fs::read_dir(&*folder).unwrap().count(), 2);
}

#[test]
fn bad_lines_are_named_and_skipped() {
    let folder = Folder::new("bad");
    let file = folder.file(
        "bad.epd",
        "not a position\r\n6k1/5ppp/8/8/8/8/8/R6K w - - bm Qh5;\r\n6k1/5ppp/8/8/8/8/8/R6K w - - bm Ra8;\r\n",
    );
    let run = run(&["suite", &file, "--depth", "4"], b"");
    assert_eq!(solved(&run), "solved 1 of 1");
    let errors: Vec<&str> = run.errors.lines().collect();
    assert_eq!(errors.len(), 2, "{errors:?}");
    assert!(errors[0].contains("bad.epd: line 1:") && errors[1].contains("line 2: 'Qh5': illegal move"));
}

#[test]
#[cfg(target_os = "linux")]
fn files_that_cannot_be_read_come_to_an_end() {
    for (file, part) in [("/proc/self/mem", "line 1: "), ("/dev/zero", "longer than 1048576 bytes")] {
        let run = run(&["suite", file, "--nodes", "100"], b"");
        assert_eq!(run.status, Some(2), "{file}");
        assert!(run.errors.contains(part) && run.errors.lines().count() == 2, "{file}: {}", run.errors);
    }
}

#[test]
#[cfg(unix)]
fn an_interrupted_suite_says_so() {
    let folder = Folder::new("interrupted-suite");
    let file = folder.file("many.epd", "7k/5Q2/6K1/8/8/8/8/8 w - - bm Qg7#;\n".repeat(100_000));
    let run = raw::interrupt(&["suite", &file, "--nodes", "100000"], 3);
    assert_eq!(run.status, Some(130), "{}", run.errors);
    assert!(run.text().ends_with("\nstopped early\n"), "{}", run.errors);
}

#[test]
fn a_suite_without_positions_is_an_error() {
    let folder = Folder::new("empty");
    let file = folder.file("empty.epd", "# nothing\n");
    for arguments in [
        &["suite", &file][..],
        &["suite", "/no/such/file.epd"],
        &["suite", &folder.path("")],
        &["suite", &file, "--csv", "/no/such/folder/a.csv"],
    ] {
        let run = run(arguments, b"");
        assert_eq!((run.status, run.errors.lines().count()), (Some(2), 1), "{run:?}");
    }
}
