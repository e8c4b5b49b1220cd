//! Engines as the command line describes them.

use crate::clock::{TimeControl, seconds};
use crate::game::Protocol;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// An engine of a match.
#[derive(Clone, PartialEq, Debug)]
pub struct EngineSpec {
    /// Its name in tables and records.
    pub name: String,
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Its working directory.
    pub directory: Option<PathBuf>,
    /// What it speaks.
    pub protocol: Protocol,
    /// What limits its thinking.
    pub control: TimeControl,
    /// Overstepped time that is forgiven.
    pub margin: Duration,
    /// Whether it thinks on the opponent's time.
    pub ponder: bool,
    /// Whether a new process is started for every game.
    pub restart: bool,
    /// Options, in the order given.
    pub options: Vec<(String, String)>,
}

impl EngineSpec {
    /// Reads the words after `--engine`, those after `--each` coming first.
    ///
    /// # Errors
    /// Names the word that is wrong or missing.
    pub fn parse(each: &[String], own: &[String], protocols: &[Protocol]) -> Result<Self, String> {
        let default = protocols.first().copied().ok_or("no protocol")?;
        let mut name = None;
        let mut spec = Self {
            name: String::new(),
            program: PathBuf::new(),
            arguments: Vec::new(),
            directory: None,
            protocol: default,
            control: TimeControl::default(),
            margin: Duration::ZERO,
            ponder: false,
            restart: false,
            options: Vec::new(),
        };
        let mut has_own_limit = false;
        for (is_own, word) in each.iter().map(|word| (false, word)).chain(own.iter().map(|word| (true, word)))
        {
            let (key, value) = word.split_once('=').unwrap_or((word, "true"));
            let number = || value.parse::<u64>().map_err(|_| format!("'{word}': not a whole number"));
            // An engine's own limits replace those of all; several own ones add up.
            if is_own && matches!(key, "tc" | "st" | "nodes" | "depth") && !has_own_limit {
                has_own_limit = true;
                spec.control = TimeControl::default();
            }
            match key {
                "cmd" => spec.program = value.into(),
                "args" => spec.arguments = split_words(value)?,
                "arg" => spec.arguments.push(value.to_owned()),
                "dir" => spec.directory = Some(value.into()),
                "name" => name = Some(value.to_owned()),
                "proto" => spec.protocol = value.parse()?,
                "tc" => spec.control.set_clock(value)?,
                "st" => spec.control.move_time = Some(positive(word, seconds(value)?)?),
                "nodes" => spec.control.nodes = Some(number()?.max(1)),
                "depth" => {
                    spec.control.depth = Some(u32::try_from(number()?.max(1)).unwrap_or(u32::MAX));
                }
                "timemargin" => spec.margin = Duration::from_millis(number()?),
                "ponder" => spec.ponder = flag(word, value)?,
                "restart" => spec.restart = flag(word, value)?,
                _ => match key.strip_prefix("option.") {
                    Some(option) if !option.is_empty() => {
                        let known = |(other, _): &&mut (String, String)| other.eq_ignore_ascii_case(option);
                        match spec.options.iter_mut().find(known) {
                            Some((_, old)) => value.clone_into(old),
                            None => spec.options.push((option.to_owned(), value.to_owned())),
                        }
                    }
                    _ => {
                        return Err(format!(
                            "'{word}' is none of cmd= args= arg= dir= name= proto= tc= st= nodes= depth= \
                             timemargin= ponder= restart= option.NAME="
                        ));
                    }
                },
            }
        }
        if spec.program.as_os_str().is_empty() {
            return Err("an engine without cmd=".to_owned());
        }
        if !protocols.contains(&spec.protocol) {
            return Err(format!("proto={} is not a protocol of this game", spec.protocol));
        }
        if spec.control.is_unlimited() {
            return Err(format!("{}: no limit (tc=, st=, nodes= or depth=)", spec.program.display()));
        }
        if spec.protocol == Protocol::Cecp && spec.control.nodes.is_some() {
            return Err(format!("{}: the protocol cecp has no nodes=", spec.program.display()));
        }
        spec.name = name.filter(|name| !name.is_empty()).unwrap_or_else(|| file_name(&spec.program));
        Ok(spec)
    }

    /// The command that starts it. Its error stream is dropped.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).stderr(Stdio::null());
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        command
    }
}

/// Makes names unique: a second `x` becomes `x 2`.
pub fn make_unique(specs: &mut [EngineSpec]) {
    let mut seen: Vec<String> = Vec::new();
    for spec in specs {
        let base = spec.name.clone();
        let mut number = 2;
        while seen.contains(&spec.name) {
            spec.name = format!("{base} {number}");
            number += 1;
        }
        seen.push(spec.name.clone());
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

fn positive(word: &str, time: Duration) -> Result<Duration, String> {
    if time.is_zero() { Err(format!("'{word}' leaves no time at all")) } else { Ok(time) }
}

fn flag(word: &str, value: &str) -> Result<bool, String> {
    match value {
        "true" | "on" | "1" => Ok(true),
        "false" | "off" | "0" => Ok(false),
        _ => Err(format!("'{word}': neither on nor off")),
    }
}

/// Words of a command line; quotes keep blanks together.
fn split_words(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in text.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => word.get_or_insert_default().push(c),
            None if matches!(c, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        return Err(format!("args={text}: a quote is not closed"));
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        split_words(text).unwrap()
    }

    fn parse(each: &str, own: &str) -> Result<EngineSpec, String> {
        EngineSpec::parse(&words(each), &words(own), &[Protocol::Uci, Protocol::Cecp])
    }

    #[test]
    fn own_words_come_after_those_of_all() {
        let spec = parse(
            "tc=2+0.02 option.Hash=16 option.Threads=1",
            "cmd=/a/b name=B option.hash=32 ponder 'args=x \"y z\"'",
        )
        .unwrap();
        assert_eq!((spec.name.as_str(), spec.ponder), ("B", true));
        assert_eq!(spec.arguments, ["x", "y z"]);
        assert_eq!(spec.options, [("Hash".into(), "32".into()), ("Threads".into(), "1".into())]);
        assert_eq!(spec.control.to_string(), "2+0.02");
        assert_eq!(parse("", "cmd=/a/b depth=3").unwrap().name, "b");
    }

    #[test]
    fn own_limits_replace_the_common_ones() {
        let control = |each, own| parse(each, own).unwrap().control.to_string();
        assert_eq!(control("tc=2+0.02", "cmd=x nodes=100 depth=3"), "nodes=100:depth=3");
        assert_eq!(control("tc=2+0.02 nodes=5", "cmd=x"), "2+0.02:nodes=5");
    }

    #[test]
    fn wrong_words_are_named() {
        for (own, part) in [
            ("tc=1", "without cmd="),
            ("cmd=x", "no limit"),
            ("cmd=x tc=0", "no time"),
            ("cmd=x st=0", "no time"),
            ("cmd=x depth=a", "depth=a"),
            ("cmd=x tc=1 proto=hub", "not a protocol of this game"),
            ("cmd=x tc=1 proto=z", "'z'"),
            ("cmd=x tc=1 option.=1", "option.=1"),
            ("cmd=x tc=1 ponder=maybe", "ponder=maybe"),
            ("cmd=x proto=cecp nodes=5", "has no nodes="),
            ("cmd=x tc=1 what=1", "what=1"),
        ] {
            let error = parse("", own).unwrap_err();
            assert!(error.contains(part), "{own}: {error}");
        }
        assert!(split_words("a 'b").is_err());
    }

    #[test]
    fn names_become_unique() {
        let one = parse("", "cmd=x depth=1").unwrap();
        let mut specs = vec![one.clone(), one.clone(), one];
        make_unique(&mut specs);
        let names: Vec<_> = specs.iter().map(|spec| spec.name.as_str()).collect();
        assert_eq!(names, ["x", "x 2", "x 3"]);
    }
}
