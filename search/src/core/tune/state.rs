//! The file that a run of the tuner goes on from: text, written whole under another name and renamed.
//!
//! ```text
//! dyad tuning 1
//! pairs 20000
//! seed 1
//! ...                                  the plan
//! done 137
//! results 40 50 47                     pairs lost, drawn and won by the raised values
//! parameter NAME START NOW
//! ...
//! end
//! ```

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::str::FromStr;

use super::spsa::Spsa;

const TITLE: &str = "dyad tuning 1";

/// Writes the state of a run. A file that is there is replaced at the end, in one step.
///
/// # Errors
/// When the file cannot be written; the former one is as it was.
pub fn save(spsa: &Spsa, path: &Path) -> io::Result<()> {
    let Some(name) = path.file_name() else { return Err(io::ErrorKind::InvalidFilename.into()) };
    let mut part = name.to_owned();
    part.push(".part");
    let part = path.with_file_name(part);
    let written = File::create(&part).and_then(|mut file| {
        file.write_all(text(spsa).as_bytes())?;
        file.sync_all()
    });
    written.and_then(|()| std::fs::rename(&part, path)).inspect_err(|_| {
        // The first error is the one to tell.
        let _ = std::fs::remove_file(&part);
    })
}

fn text(spsa: &Spsa) -> String {
    let mut text = format!("{TITLE}\n");
    for (name, value) in spsa.plan.fields() {
        // Writing to a String cannot fail, here and below.
        let _ = writeln!(text, "{name} {value}");
    }
    let [lost, drawn, won] = spsa.results;
    let _ = writeln!(text, "done {}\nresults {lost} {drawn} {won}", spsa.done);
    for (tunable, now) in spsa.values() {
        let _ = writeln!(text, "parameter {} {} {now}", tunable.name, tunable.default);
    }
    text.push_str("end\n");
    text
}

/// Brings a new run to the state of the file, whose plan and parameters must be the same.
///
/// # Errors
/// When the file cannot be read, is damaged or belongs to another run; `spsa` is as before.
pub fn load(spsa: &mut Spsa, path: &Path) -> Result<(), String> {
    let read = std::fs::read(path).map_err(|error| error.to_string());
    let text = read.and_then(|bytes| String::from_utf8(bytes).map_err(|_| "not a text file".to_string()));
    let loaded = text.and_then(|text| parse(spsa, &text));
    *spsa = loaded.map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(())
}

/// The lines of a file, each to begin with a given word.
struct Lines<'a> {
    lines: std::str::Lines<'a>,
    number: usize,
}

impl<'a> Lines<'a> {
    /// What stands behind `word` on the next line.
    fn after(&mut self, word: &str) -> Result<&'a str, String> {
        self.number += 1;
        let line = self.lines.next().ok_or_else(|| format!("ends before its line '{word}'"))?;
        let rest =
            line.strip_prefix(word).ok_or_else(|| format!("line {}: '{word}' expected", self.number))?;
        Ok(rest.trim_start())
    }

    /// The numbers behind `word` on the next line.
    fn numbers<T: FromStr + Copy + Default, const N: usize>(&mut self, word: &str) -> Result<[T; N], String> {
        let mut numbers = [T::default(); N];
        let mut words = self.after(word)?.split_whitespace();
        let wrong = || format!("line {}: wrong numbers", self.number);
        for number in &mut numbers {
            *number = words.next().and_then(|word| word.parse().ok()).ok_or_else(wrong)?;
        }
        words.next().map_or(Ok(numbers), |_| Err(wrong()))
    }
}

fn parse(begun: &Spsa, text: &str) -> Result<Spsa, String> {
    let mut spsa = begun.clone();
    let mut lines = Lines { lines: text.lines(), number: 0 };
    if lines.lines.next() != Some(TITLE) {
        return Err("not the state of a tuning run".into());
    }
    lines.number = 1;
    for (name, wanted) in begun.plan.fields() {
        let found = lines.after(name)?;
        if found != wanted {
            return Err(format!("this run has {name} '{found}', not {wanted}"));
        }
    }
    [spsa.done] = lines.numbers("done")?;
    spsa.results = lines.numbers("results")?;
    if spsa.done > spsa.plan.pairs || checked_sum(spsa.results) != Some(spsa.done) {
        return Err("the counts of pairs contradict each other".into());
    }
    for ((tunable, &is_tuned), now) in begun.table.iter().zip(&begun.tuned).zip(&mut spsa.theta) {
        if !is_tuned {
            continue;
        }
        let words: Vec<&str> = lines.after("parameter")?.split_whitespace().collect();
        let [name, start, found] = words[..] else {
            return Err(format!("line {}: a name and two numbers expected", lines.number));
        };
        if name != tunable.name || start != tunable.default.to_string() {
            return Err(format!(
                "this run has parameter {name} from {start} where {} from {} is to be tuned",
                tunable.name, tunable.default
            ));
        }
        let range = f64::from(tunable.min)..=f64::from(tunable.max);
        *now = found
            .parse()
            .ok()
            .filter(|value| range.contains(value))
            .ok_or_else(|| format!("line {}: no value of {name}: '{found}'", lines.number))?;
    }
    lines.after("end")?;
    Ok(spsa)
}

fn checked_sum(numbers: [u64; 3]) -> Option<u64> {
    numbers.into_iter().try_fold(0u64, u64::checked_add)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::tune::spsa::Plan;
    use crate::core::tune::spsa::tests::{TABLE, names, noisy_points};

    fn play(spsa: &mut Spsa, until: u64) {
        while spsa.done < until {
            let trial = spsa.trial(spsa.done + 1);
            spsa.learn(&trial, noisy_points(&trial, 4));
        }
    }

    fn begun() -> Spsa {
        Spsa::new(Plan { pairs: 400, ..Plan::default() }, &TABLE, &names()).expect("known names")
    }

    #[test]
    fn a_resumed_run_ends_like_one_without_a_break() {
        let path = std::env::temp_dir().join(format!("dyad-tune-state-{}", std::process::id()));
        let (mut whole, mut first, mut rest) = (begun(), begun(), begun());
        play(&mut whole, 400);
        play(&mut first, 150);
        save(&first, &path).expect("written");
        save(&first, &path).expect("replaced");
        load(&mut rest, &path).expect("read");
        std::fs::remove_file(&path).expect("removed");
        assert_eq!(rest, first);
        play(&mut rest, 400);
        assert_eq!(rest, whole);
        assert_ne!(rest.theta, begun().theta);
    }

    #[test]
    fn damaged_and_foreign_files_are_refused() {
        let mut spsa = begun();
        play(&mut spsa, 20);
        let good = text(&spsa);
        assert_eq!(parse(&begun(), &good), Ok(spsa));
        for cut in 0..good.len() - 1 {
            assert!(parse(&begun(), &good[..cut]).is_err(), "cut at {cut}");
        }
        for (from, to, part) in [
            ("dyad tuning 1", "dyad tuning 2", "not the state"),
            ("pairs 400", "pairs 500", "pairs '500', not 400"),
            ("seed 1", "seed x", "seed"),
            ("done 20", "done 21", "contradict"),
            ("done 20", "done -1", "line 10"),
            ("results ", "results 18446744073709551615 ", "line 11"),
            ("parameter first 200", "parameter first 199", "from 199"),
            ("parameter first", "parameter other", "other"),
            ("parameter second 10 ", "parameter second 10 nan", "line 13"),
            ("parameter second 10 ", "parameter second 10 999", "line 13"),
            ("parameter third", "third", "'parameter' expected"),
        ] {
            assert!(good.contains(from), "{from}");
            let error = parse(&begun(), &good.replacen(from, to, 1)).expect_err(to);
            assert!(error.contains(part) && !error.contains('\n'), "{to}: {error}");
        }
        let mut spsa = begun();
        let error = load(&mut spsa, Path::new("/nonexistent/state")).expect_err("no file");
        assert!(error.starts_with("/nonexistent/state: "), "{error}");
        assert_eq!(spsa, begun());
    }
}
