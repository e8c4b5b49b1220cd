//! The arguments of `match`, the same for all games.

use crate::adjudicate::{Adjudication, DrawRule, ResignRule};
use crate::clock::seconds;
use crate::game::Protocol;
use crate::spec::{EngineSpec, make_unique};
use crate::stats::Sprt;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

/// The words of each `--engine`, kept apart.
#[derive(Clone, Debug, Default)]
pub struct EngineWords(Vec<Vec<String>>);

impl FromArgMatches for EngineWords {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let occurrences = matches.get_occurrences::<String>("engine");
        Ok(Self(occurrences.map_or_else(Vec::new, |all| all.map(|words| words.cloned().collect()).collect())))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for EngineWords {
    fn augment_args(command: Command) -> Command {
        command.arg(
            Arg::new("engine")
                .long("engine")
                .num_args(1..)
                .action(ArgAction::Append)
                .value_name("KEY=VALUE")
                .help("An engine: cmd=PROGRAM [args='...' dir= name= proto= host= port= listen tc= st= nodes= depth= timemargin= ponder restart option.NAME=]; give it twice or more"),
        )
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// The order in which openings are taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Order {
    /// That of the file.
    Sequential,
    /// A random one that the seed determines.
    Random,
}

/// Arguments of `match`.
#[derive(Args, Clone, Debug)]
pub struct MatchArgs {
    #[command(flatten)]
    engines: EngineWords,
    /// What holds for every engine that does not say otherwise, such as tc=2+0.02 option.Hash=16; tc is
    /// [MOVES/]TIME[+INCREMENT][~DELAY] in seconds, periods separated by commas
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    each: Vec<String>,
    /// Games of each pairing, in pairs with colours swapped
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub games: u32,
    /// The first engine plays all others, instead of everybody everybody
    #[arg(long)]
    pub gauntlet: bool,
    /// Openings: one position a line, or a file of games (by its ending)
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
    /// Order of the openings
    #[arg(long, value_enum, default_value_t = Order::Sequential)]
    pub order: Order,
    /// Seed of the random order
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Number of the opening to begin with, from 1
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub start: u64,
    /// Moves of a side taken from an opening that is a whole game, in plies
    #[arg(long, default_value_t = 16)]
    pub plies: usize,
    /// Games at a time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub concurrency: u16,
    /// File to which the games are appended
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Go on with the match whose games are in the file
    #[arg(long, requires = "out")]
    pub resume: bool,
    /// Stop when the test decides: `elo0=0,elo1=8`, and if wanted `alpha=0.05`, `beta=0.05`, `model=normalized` or
    /// `model=logistic`
    #[arg(long, value_parser = Sprt::parse)]
    pub sprt: Option<Sprt>,
    /// Adjudicate draws: movenumber=40,movecount=8,score=10
    #[arg(long, value_parser = DrawRule::parse)]
    draw: Option<DrawRule>,
    /// Adjudicate wins: movecount=3,score=600[,twosided]
    #[arg(long, value_parser = ResignRule::parse)]
    resign: Option<ResignRule>,
    /// A draw after so many moves of each side
    #[arg(long, value_name = "MOVES", value_parser = clap::value_parser!(u32).range(1..))]
    max_moves: Option<u32>,
    /// Let every engine think on the opponent's time
    #[arg(long)]
    ponder: bool,
    /// Seconds after which an engine without a clock is taken to hang
    #[arg(long, default_value = "60", value_name = "SECONDS", value_parser = seconds)]
    pub stall: Duration,
    /// End with status 1 at the first fault of an engine, however small
    #[arg(long)]
    pub strict: bool,
    /// Print one JSON object for each game and one at the end
    #[arg(long)]
    pub json: bool,
    /// Games between two tables where the output is no terminal
    #[arg(long, default_value_t = 10, value_name = "GAMES", value_parser = clap::value_parser!(u32).range(1..))]
    pub every: u32,
    /// Name of the event in the records
    #[arg(long, default_value = "Engine match")]
    pub event: String,
}

impl MatchArgs {
    /// The engines, with unique names.
    ///
    /// # Errors
    /// Names the word that is wrong or missing.
    pub fn specs(&self, protocols: &[Protocol]) -> Result<Vec<EngineSpec>, String> {
        let parse = |words: &Vec<String>| {
            let mut spec = EngineSpec::parse(&self.each, words, protocols)?;
            spec.ponder |= self.ponder && spec.protocol != Protocol::Dxp;
            Ok::<_, String>(spec)
        };
        let mut specs: Vec<_> = self.engines.0.iter().map(parse).collect::<Result<_, _>>()?;
        if specs.len() < 2 {
            return Err("a match needs two engines (--engine cmd=... --engine cmd=...)".to_owned());
        }
        if self.sprt.is_some() && specs.len() != 2 {
            return Err("a test needs exactly two engines".to_owned());
        }
        if self.concurrency > 1
            && let Some(spec) = specs.iter().find(|spec| spec.port.is_some())
        {
            return Err(format!(
                "{}: behind port= is one engine, which plays one game at a time: --concurrency 1",
                spec.name
            ));
        }
        make_unique(&mut specs);
        Ok(specs)
    }

    /// What is adjudicated.
    pub fn adjudication(&self) -> Adjudication {
        Adjudication { draw: self.draw, resign: self.resign, max_moves: self.max_moves }
    }
}
