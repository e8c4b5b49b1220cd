//! Everything an engine prints under UCI, apart from the option lines. Each type's `Display` is one whole
//! line (or several) without the last line end, so that no line is put together anywhere else.

use crate::token::Tokens;
use std::fmt;

/// A score as UCI spells it, from the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Hundredths of a pawn.
    Cp(i32),
    /// Moves to mate: positive when the side to move mates, negative when it is mated, 0 when it is mated
    /// already.
    Mate(i32),
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Cp(score) => write!(f, "cp {score}"),
            Self::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}

/// On which side of the printed score the true one lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// `lowerbound`: the true score is at least this.
    Lower,
    /// `upperbound`: the true score is at most this.
    Upper,
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Self::Lower => "lowerbound",
            Self::Upper => "upperbound",
        })
    }
}

/// `info` with a score and a principal variation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InfoLine {
    /// Iteration in plies.
    pub depth: u32,
    /// Longest line looked at, in plies.
    pub seldepth: u32,
    /// Rank of the line, from 1.
    pub multipv: usize,
    /// Score from the side to move.
    pub score: Score,
    /// Set when the score is a bound only.
    pub bound: Option<Bound>,
    /// Chances of win, draw and loss in thousandths, adding up to 1000; `None` when not to be shown.
    pub wdl: Option<[u16; 3]>,
    /// Nodes searched.
    pub nodes: u64,
    /// Nodes per second.
    pub nps: u64,
    /// Fill of the transposition table in thousandths.
    pub hashfull: u32,
    /// Positions found in endgame tables.
    pub tbhits: u64,
    /// Time spent, in milliseconds.
    pub time_ms: u64,
    /// Moves of the line.
    pub pv: Vec<String>,
}

impl fmt::Display for InfoLine {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self { depth, seldepth, multipv, score, nodes, nps, hashfull, tbhits, time_ms, .. } = self;
        write!(f, "info depth {depth} seldepth {seldepth} multipv {multipv} score {score}")?;
        if let Some(bound) = self.bound {
            write!(f, " {bound}")?;
        }
        if let Some([win, draw, loss]) = self.wdl {
            write!(f, " wdl {win} {draw} {loss}")?;
        }
        write!(f, " nodes {nodes} nps {nps} hashfull {hashfull} tbhits {tbhits} time {time_ms}")?;
        if !self.pv.is_empty() {
            f.write_str(" pv")?;
        }
        self.pv.iter().try_for_each(|mv| write!(f, " {mv}"))
    }
}

impl InfoLine {
    /// Reads an engine's `info` line, in any order of its parts. `None` when the line is something else or
    /// holds no score. What is missing becomes 0, or 1 for `multipv`.
    pub fn parse(line: &str) -> Option<Self> {
        let mut tokens = Tokens::new(line);
        if tokens.next() != Some("info") {
            return None;
        }
        let mut score = None;
        let mut info = Self {
            depth: 0,
            seldepth: 0,
            multipv: 1,
            score: Score::Cp(0),
            bound: None,
            wdl: None,
            nodes: 0,
            nps: 0,
            hashfull: 0,
            tbhits: 0,
            time_ms: 0,
            pv: Vec::new(),
        };
        while let Some(word) = tokens.next() {
            let small = |value: Option<i64>| value.and_then(|value| i32::try_from(value).ok());
            let count = |value: Option<i64>| value.and_then(|value| u64::try_from(value).ok()).unwrap_or(0);
            let narrow = |value: Option<i64>| u32::try_from(count(value)).unwrap_or(u32::MAX);
            match word {
                "depth" => info.depth = narrow(tokens.number()),
                "seldepth" => info.seldepth = narrow(tokens.number()),
                "multipv" => info.multipv = usize::try_from(count(tokens.number())).unwrap_or(usize::MAX),
                "cp" => score = small(tokens.number()).map(Score::Cp),
                "mate" => score = small(tokens.number()).map(Score::Mate),
                "lowerbound" => info.bound = Some(Bound::Lower),
                "upperbound" => info.bound = Some(Bound::Upper),
                "wdl" => {
                    let mut part = || tokens.number().and_then(|part| u16::try_from(part).ok());
                    info.wdl = part().zip(part()).zip(part()).map(|((win, draw), loss)| [win, draw, loss]);
                }
                "nodes" => info.nodes = count(tokens.number()),
                "nps" => info.nps = count(tokens.number()),
                "hashfull" => info.hashfull = narrow(tokens.number()),
                "tbhits" => info.tbhits = count(tokens.number()),
                "time" => info.time_ms = count(tokens.number()),
                "pv" => info.pv = tokens.by_ref().map(str::to_owned).collect(),
                "string" => break,
                _ => {}
            }
        }
        Some(Self { score: score?, ..info })
    }
}

/// `info` about the root move being searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CurrMove {
    /// Iteration in plies.
    pub depth: u32,
    /// The move.
    pub mv: String,
    /// Its place among the root moves, from 1.
    pub number: usize,
}

impl fmt::Display for CurrMove {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "info depth {} currmove {} currmovenumber {}", self.depth, self.mv, self.number)
    }
}

/// `bestmove`: the answer to `go`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BestMove {
    /// The move; `None` (printed as `(none)`) when there is no legal one.
    pub best: Option<String>,
    /// The reply to ponder on. Not printed without a move.
    pub ponder: Option<String>,
}

impl fmt::Display for BestMove {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Some(best) = &self.best else { return f.write_str("bestmove (none)") };
        write!(f, "bestmove {best}")?;
        self.ponder.iter().try_for_each(|mv| write!(f, " ponder {mv}"))
    }
}

impl BestMove {
    /// Reads an engine's `bestmove` line; `None` when the line is something else. `(none)`, `0000` and
    /// `NULL` mean no move.
    pub fn parse(line: &str) -> Option<Self> {
        let mut tokens = Tokens::new(line);
        if tokens.next() != Some("bestmove") {
            return None;
        }
        let mut mv = || {
            let mv = tokens.next()?;
            (!["(none)", "0000", "NULL"].contains(&mv)).then(|| mv.to_owned())
        };
        let best = mv();
        let ponder = if tokens.next() == Some("ponder") { tokens.next().map(str::to_owned) } else { None };
        Some(Self { best, ponder })
    }
}

/// `info string`: text for a person. Each line of it becomes a line of output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InfoString<T>(pub T);

impl<T: fmt::Display> fmt::Display for InfoString<T> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let text = self.0.to_string();
        text.lines().enumerate().try_for_each(|(place, line)| {
            let separator = if place == 0 { "" } else { "\n" };
            write!(f, "{separator}info string {}", line.trim_end())
        })
    }
}

/// `id`: the engine's name and author.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Id {
    /// Name with version.
    pub name: String,
    /// Author.
    pub author: String,
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "id name {}\nid author {}", self.name, self.author)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line() -> InfoLine {
        InfoLine {
            depth: 12,
            seldepth: 20,
            multipv: 1,
            score: Score::Cp(-31),
            bound: None,
            wdl: None,
            nodes: 1_234_567,
            nps: 1_000_000,
            hashfull: 17,
            tbhits: 3,
            time_ms: 1234,
            pv: vec!["e2e4".to_owned(), "e7e5".to_owned()],
        }
    }

    #[test]
    fn info_lines_are_spelled_exactly() {
        assert_eq!(
            line().to_string(),
            "info depth 12 seldepth 20 multipv 1 score cp -31 nodes 1234567 nps 1000000 hashfull 17 tbhits 3 \
             time 1234 pv e2e4 e7e5"
        );
        let mate = InfoLine {
            score: Score::Mate(-2),
            bound: Some(Bound::Upper),
            wdl: Some([0, 1, 999]),
            pv: Vec::new(),
            ..line()
        };
        assert_eq!(
            mate.to_string(),
            "info depth 12 seldepth 20 multipv 1 score mate -2 upperbound wdl 0 1 999 nodes 1234567 \
             nps 1000000 hashfull 17 tbhits 3 time 1234"
        );
    }

    #[test]
    fn info_lines_are_read_back() {
        let bounded = InfoLine { bound: Some(Bound::Lower), wdl: Some([300, 400, 300]), ..line() };
        for info in [line(), bounded] {
            assert_eq!(InfoLine::parse(&info.to_string()), Some(info));
        }
        let foreign = "info score mate 3 depth 99999999999 nodes -5 pv a b string";
        let read = InfoLine::parse(foreign).unwrap();
        assert_eq!((read.score, read.depth, read.nodes, read.pv.len()), (Score::Mate(3), u32::MAX, 0, 3));
        for other in ["", "info string score cp 5", "info depth 3 currmove e2e4", "bestmove e2e4"] {
            assert_eq!(InfoLine::parse(other), None, "{other}");
        }
    }

    #[test]
    fn answers_are_spelled_exactly_and_read_back() {
        let mv = |text: &str| Some(text.to_owned());
        for (best, ponder, text) in [
            (mv("e2e4"), None, "bestmove e2e4"),
            (mv("a7a8q"), mv("e7e5"), "bestmove a7a8q ponder e7e5"),
            (None, None, "bestmove (none)"),
        ] {
            let answer = BestMove { best, ponder };
            assert_eq!(answer.to_string(), text);
            assert_eq!(BestMove::parse(text), Some(answer));
        }
        assert_eq!(BestMove::parse(" bestmove  0000 "), Some(BestMove::default()));
        assert_eq!(BestMove::parse("bestmove"), Some(BestMove::default()));
        assert_eq!(BestMove::parse("info"), None);
    }

    #[test]
    fn other_lines_are_spelled_exactly() {
        let current = CurrMove { depth: 5, mv: "g1f3".to_owned(), number: 2 };
        assert_eq!(current.to_string(), "info depth 5 currmove g1f3 currmovenumber 2");
        assert_eq!(InfoString("two\nlines ").to_string(), "info string two\ninfo string lines");
        let id = Id { name: "Engine 1".to_owned(), author: "A B".to_owned() };
        assert_eq!(id.to_string(), "id name Engine 1\nid author A B");
    }
}
