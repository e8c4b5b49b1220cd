//! Engines as the command line describes them.

use crate::clock::{TimeControl, seconds};
use crate::game::Protocol;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Stands in arguments for the port of a connection.
const PORT_MARK: &str = "{port}";

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
    /// Where a connection is made, for protocols over a network.
    pub host: String,
    /// Its port; `None` takes a free one for each process.
    pub port: Option<u16>,
    /// Whether the engine connects and this side waits for it.
    pub listen: bool,
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
        let mut has_own_option = false;
        let mut spec = Self {
            name: String::new(),
            program: PathBuf::new(),
            arguments: Vec::new(),
            directory: None,
            protocol: default,
            host: "127.0.0.1".to_owned(),
            port: None,
            listen: false,
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
                "host" => value.clone_into(&mut spec.host),
                "port" => {
                    let port = value.parse().ok().filter(|&port| port > 0);
                    spec.port = Some(port.ok_or_else(|| format!("'{word}': not a port from 1 to 65535"))?);
                }
                "listen" => spec.listen = flag(word, value)?,
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
                        has_own_option |= is_own;
                        let known = |(other, _): &&mut (String, String)| other.eq_ignore_ascii_case(option);
                        match spec.options.iter_mut().find(known) {
                            Some((_, old)) => value.clone_into(old),
                            None => spec.options.push((option.to_owned(), value.to_owned())),
                        }
                    }
                    _ => {
                        return Err(format!(
                            "'{word}' is none of cmd= args= arg= dir= name= proto= host= port= listen= tc= \
                             st= nodes= depth= timemargin= ponder= restart= option.NAME="
                        ));
                    }
                },
            }
        }
        if spec.program.as_os_str().is_empty() && (spec.protocol != Protocol::Dxp || spec.port.is_none()) {
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
        match spec.protocol {
            Protocol::Dxp => spec.check_network(has_own_option)?,
            _ if spec.port.is_some() || spec.listen => {
                return Err(format!("the protocol {} has no port= and no listen", spec.protocol));
            }
            _ => {}
        }
        let default = match spec.port {
            Some(port) if spec.program.as_os_str().is_empty() => format!("{}:{port}", spec.host),
            _ => file_name(&spec.program),
        };
        spec.name = name.filter(|name| !name.is_empty()).unwrap_or(default);
        Ok(spec)
    }

    /// Refuses what DXP cannot tell an engine. What `--each` says besides is for the other engines.
    fn check_network(&mut self, has_own_option: bool) -> Result<(), String> {
        let wrong = |what: &str| Err(format!("the protocol {} {what}", self.protocol));
        if has_own_option {
            return wrong("has no option.NAME=: give it in args=");
        }
        if self.control.nodes.is_some() || self.control.depth.is_some() {
            return wrong("has no nodes= and depth=: give them in args=");
        }
        if self.minutes_and_moves().is_none() {
            return wrong(
                "knows only clocks of whole minutes up to 999, without increment, such as tc=5:00 or tc=50/5:00",
            );
        }
        if self.port.is_none() && !self.arguments.iter().any(|argument| argument.contains(PORT_MARK)) {
            return wrong("needs port=, or {port} in args= where a free one is to stand");
        }
        self.options.clear();
        self.ponder = false;
        Ok(())
    }

    /// The clock in the words of DXP: minutes and the number of moves for them, 0 for none of either; `None`
    /// where it cannot be said so.
    pub fn minutes_and_moves(&self) -> Option<(u32, u32)> {
        let period = match self.control.periods.as_slice() {
            [] => return Some((0, 0)),
            [period] if period.increment.is_zero() && period.delay.is_zero() => period,
            _ => return None,
        };
        let moves = period.moves.unwrap_or(0);
        let is_whole = period.time.subsec_nanos() == 0 && period.time.as_secs().is_multiple_of(60);
        let minutes = u32::try_from(period.time.as_secs() / 60).ok()?;
        (is_whole && (1..=999).contains(&minutes) && moves <= 999).then_some((minutes, moves))
    }

    /// The command that starts it when its connection uses this port.
    pub fn command_with_port(&self, port: u16) -> Command {
        let port = port.to_string();
        let with_port = |argument: &String| argument.replace(PORT_MARK, &port);
        Self { arguments: self.arguments.iter().map(with_port).collect(), ..self.clone() }.command()
    }

    /// The command that starts it. Its error stream is dropped.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).stderr(Stdio::null());
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        // Ctrl-C on a terminal goes to a whole group; an engine that it ends would lose its game.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
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
    fn engines_over_a_network_need_a_port_and_a_clock_of_minutes() {
        let parse =
            |text: &str| EngineSpec::parse(&words("ponder option.x=1"), &words(text), &[Protocol::Dxp]);
        let spec = parse("port=5 host=h tc=50/5:00").unwrap();
        assert_eq!((spec.name.as_str(), spec.minutes_and_moves()), ("h:5", Some((5, 50))));
        assert!(spec.options.is_empty() && !spec.ponder);
        let spec = parse("cmd=x 'args=a --port={port}' st=1").unwrap();
        assert_eq!((spec.name.as_str(), spec.minutes_and_moves()), ("x", Some((0, 0))));
        assert!(spec.command_with_port(7).get_args().eq(["a", "--port=7"]));
        for (own, part) in [
            ("tc=1:00", "without cmd="),
            ("cmd=x tc=1:00", "needs port="),
            ("port=0 tc=1:00", "port=0"),
            ("port=5 tc=1:01", "whole minutes"),
            ("port=5 tc=1:00+1", "whole minutes"),
            ("port=5 tc=40/2:00,1:00", "whole minutes"),
            ("port=5 nodes=9", "has no nodes="),
            ("port=5 st=1 option.y=1", "has no option.NAME="),
        ] {
            let error = parse(own).unwrap_err();
            assert!(error.contains(part), "{own}: {error}");
        }
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
            ("cmd=x tc=1 port=9", "has no port="),
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
