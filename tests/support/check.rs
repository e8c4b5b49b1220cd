//! What the lines of a search must look like, and what must hold between them.

use super::Setting;
use movegen::{Board, Move, NoObserver};
use std::collections::HashSet;

/// A score from the mover's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Hundredths of a pawn.
    Cp(i32),
    /// Moves to mate, negative when being mated.
    Mate(i32),
}

impl Score {
    /// A number that orders scores.
    pub fn rank(self) -> i32 {
        match self {
            Self::Cp(cp) => cp,
            Self::Mate(moves) if moves > 0 => 1_000_000 - moves,
            Self::Mate(moves) => -1_000_000 - moves,
        }
    }

    /// Hundredths of a pawn, with mates as large numbers.
    pub fn cp(self) -> i32 {
        self.rank()
    }
}

/// Whether a score is exact or one side of an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    Exact,
    Lower,
    Upper,
}

/// An `info` line with a score.
#[derive(Clone, Debug)]
pub struct Info {
    pub depth: u32,
    pub multipv: usize,
    pub score: Score,
    pub bound: Bound,
    pub wdl: Option<[u32; 3]>,
    pub nodes: u64,
    pub time: u64,
    pub pv: Vec<Move>,
}

/// A search from `go` to `bestmove`.
#[derive(Clone, Debug)]
pub struct Search {
    pub infos: Vec<Info>,
    /// The texts after `info string`.
    pub strings: Vec<String>,
    pub best: Option<Move>,
    pub ponder: Option<Move>,
    /// The move as it was written.
    pub best_text: String,
    pub lines: Vec<String>,
}

impl Search {
    /// The last line of the best variation.
    pub fn last(&self) -> &Info {
        self.infos.iter().rfind(|info| info.multipv == 1).unwrap()
    }

    /// The score of the last line of the best variation.
    pub fn score(&self) -> Score {
        self.last().score
    }

    /// The nodes of the last line.
    pub fn nodes(&self) -> u64 {
        self.last().nodes
    }

    /// The last complete block of lines, one per variation.
    pub fn block(&self) -> Vec<&Info> {
        let start = self.infos.iter().rposition(|info| info.multipv == 1).unwrap();
        self.infos[start..].iter().collect()
    }
}

/// A line and what is wrong with it.
type Fault = String;

/// Judges the lines of a search, `bestmove` included, by the setting that it ran under:
///
/// - only `info` and `bestmove` lines, ASCII, words parted by single blanks; `bestmove` once, last, legal, in
///   the notation of the variant, with a legal ponder move or none; `(none)` exactly when no move is legal
/// - each line well-formed; at least one with a score; nodes and time never fall, depth never falls
/// - all variations legal and at an end where the game is drawn; multipv 1 to at most min(MultiPV, root moves) in order, different first moves,
///   sorted; the last best variation begins with the best move
/// - wdl exactly when asked for, sums to 1000, agrees with a mate score
/// - an exact mate score has a variation of exactly its length that ends in mate
pub fn search(setting: &Setting, lines: &[String]) -> Result<Search, Fault> {
    let mut infos = Vec::new();
    let mut strings = Vec::new();
    let Some((last, before)) = lines.split_last() else { return Err("no line".into()) };
    for line in before {
        spelling(line)?;
        let rest = line.strip_prefix("info ").ok_or_else(|| format!("not an info line: '{line}'"))?;
        if let Some(text) = rest.strip_prefix("string ") {
            strings.push(text.to_owned());
        } else if let Some(info) = info(setting, rest).map_err(|fault| format!("{fault}: '{line}'"))? {
            infos.push(info);
        }
    }
    if infos.is_empty() {
        return Err("no line with a score".into());
    }
    relations(setting, &infos)?;
    let (best, ponder, best_text) = best_move(setting, last).map_err(|fault| format!("{fault}: '{last}'"))?;
    let search = Search { infos, strings, best, ponder, best_text, lines: lines.to_vec() };
    if search.last().pv.first().copied() != best {
        return Err("the last variation does not begin with the best move".into());
    }
    if let (Some(mv), Some(list)) = (best, &setting.search_moves)
        && !list.contains(&mv)
    {
        return Err("the best move is none of the searchmoves".into());
    }
    Ok(search)
}

/// Plain printable ASCII, words parted by one blank, none at the ends.
pub fn spelling(line: &str) -> Result<(), Fault> {
    let is_text = line.starts_with("info string ");
    let is_plain = line.bytes().all(|byte| (b' '..=b'~').contains(&byte)) || is_text;
    let is_trimmed = line == line.trim() && (is_text || !line.contains("  "));
    if is_plain && is_trimmed && !line.is_empty() { Ok(()) } else { Err(format!("ill-spelt line: {line:?}")) }
}

/// Reads what follows the word `info`; `None` when it has no score (`currmove` and the like).
fn info(setting: &Setting, rest: &str) -> Result<Option<Info>, Fault> {
    let mut words = rest.split(' ').peekable();
    let mut seen = HashSet::new();
    let (mut depth, mut seldepth, mut multipv, mut nodes, mut time) = (None, None, None, None, None);
    let (mut score, mut bound, mut wdl, mut pv) = (None, Bound::Exact, None, None);
    while let Some(key) = words.next() {
        if !seen.insert(key) {
            return Err(format!("'{key}' twice"));
        }
        let mut number = || -> Result<u64, Fault> {
            let word = words.next().ok_or_else(|| format!("nothing after '{key}'"))?;
            word.parse().map_err(|_| format!("'{word}' after '{key}'"))
        };
        match key {
            "depth" => depth = Some(number()?),
            "seldepth" => seldepth = Some(number()?),
            "multipv" => multipv = Some(number()?),
            "nodes" => nodes = Some(number()?),
            "time" => time = Some(number()?),
            "nps" | "tbhits" | "currmovenumber" | "cpuload" => {
                let value = number()?;
                if key == "currmovenumber" && !(1..=setting.board.legal_move_count() as u64).contains(&value)
                {
                    return Err("no number of a root move".into());
                }
            }
            "hashfull" => {
                if number()? > 1000 {
                    return Err("hashfull above 1000".into());
                }
            }
            "currmove" => {
                let word = words.next().unwrap_or_default();
                legal(&setting.board, word, setting.chess960)?;
            }
            "score" => {
                let kind = words.next().unwrap_or_default();
                let value = words.next().and_then(|word| word.parse::<i32>().ok());
                score = Some(match (kind, value) {
                    ("cp", Some(cp)) => Score::Cp(cp),
                    ("mate", Some(moves)) => Score::Mate(moves),
                    _ => return Err("ill-formed score".into()),
                });
                if let Some(word) = words.next_if(|word| matches!(*word, "lowerbound" | "upperbound")) {
                    bound = if word == "lowerbound" { Bound::Lower } else { Bound::Upper };
                }
            }
            "wdl" => wdl = Some([number()? as u32, number()? as u32, number()? as u32]),
            "pv" => {
                let mut board = setting.board.clone();
                let mut moves = Vec::new();
                for word in words.by_ref() {
                    if !moves.is_empty() && is_drawn(&board) {
                        return Err(format!("the variation goes on after a draw, at '{word}'"));
                    }
                    let mv = legal(&board, word, setting.chess960)?;
                    moves.push(mv);
                    board.make_move(mv, &mut NoObserver);
                }
                pv = Some(moves);
            }
            _ => return Err(format!("unknown word '{key}'")),
        }
    }
    if seldepth.is_some() && depth.is_none() {
        return Err("seldepth without depth".into());
    }
    let Some(score) = score else { return Ok(None) };
    let missing = |what: &str| format!("a score without {what}");
    let info = Info {
        depth: depth.ok_or_else(|| missing("depth"))? as u32,
        multipv: multipv.unwrap_or(1) as usize,
        score,
        bound,
        wdl,
        nodes: nodes.ok_or_else(|| missing("nodes"))?,
        time: time.ok_or_else(|| missing("time"))?,
        pv: pv.unwrap_or_default(),
    };
    values(setting, &info)?;
    Ok(Some(info))
}

/// What must hold within one line.
fn values(setting: &Setting, info: &Info) -> Result<(), Fault> {
    if info.pv.is_empty() && setting.board.has_legal_move() {
        return Err("no variation".into());
    }
    if info.wdl.is_some() != setting.show_wdl {
        return Err("wdl must be there exactly when UCI_ShowWDL is set".into());
    }
    if let Some([win, draw, loss]) = info.wdl {
        if win + draw + loss != 1000 {
            return Err("wdl does not sum to 1000".into());
        }
        let agrees = match info.score {
            Score::Mate(moves) if moves > 0 => win == 1000,
            Score::Mate(_) => loss == 1000,
            Score::Cp(cp) => cp == 0 || win == loss || (cp > 0) == (win > loss),
        };
        if !agrees {
            return Err("wdl contradicts the score".into());
        }
    }
    mate_length(&setting.board, info)?;
    match info.score {
        // A mate further away than any search sees, or an evaluation in the range of the mate scores.
        Score::Mate(moves) if moves.abs() > 150 => Err("no search sees so far a mate".into()),
        Score::Mate(0) if !setting.board.is_checkmate() => Err("mate 0 where there is no mate".into()),
        Score::Cp(cp) if cp.abs() > 25_000 => Err("no sane value in centipawns".into()),
        _ => Ok(()),
    }
}

/// What must hold between the lines.
fn relations(setting: &Setting, infos: &[Info]) -> Result<(), Fault> {
    let roots = match &setting.search_moves {
        Some(list) => list.iter().collect::<HashSet<_>>().len(),
        None => setting.board.legal_move_count(),
    };
    let most = setting.multipv.min(roots.max(1));
    let mut block: Vec<&Info> = Vec::new();
    for (index, info) in infos.iter().enumerate() {
        if info.multipv == 0 || info.multipv > most {
            return Err(format!("multipv {} of at most {most}", info.multipv));
        }
        if let Some(before) = index.checked_sub(1).map(|index| &infos[index]) {
            if info.nodes < before.nodes {
                return Err(format!("nodes fall from {} to {}", before.nodes, info.nodes));
            }
            if info.depth < before.depth {
                return Err(format!("depth falls from {} to {}", before.depth, info.depth));
            }
        }
        if info.multipv == 1 {
            block.clear();
        } else if info.multipv != block.len() + 1 || block[0].depth != info.depth {
            return Err(format!("multipv {} out of order at depth {}", info.multipv, info.depth));
        }
        if block.iter().any(|other| other.pv.first() == info.pv.first()) {
            return Err(format!("two variations of depth {} with the same move", info.depth));
        }
        if block.last().is_some_and(|other| {
            other.bound == Bound::Exact
                && info.bound == Bound::Exact
                && other.score.rank() < info.score.rank()
        }) {
            return Err(format!("variations of depth {} out of order", info.depth));
        }
        block.push(info);
    }
    if block.len() != most {
        return Err(format!("the last block has {} variations, not {most}", block.len()));
    }
    Ok(())
}

/// Reads the `bestmove` line.
fn best_move(setting: &Setting, line: &str) -> Result<(Option<Move>, Option<Move>, String), Fault> {
    spelling(line)?;
    let words: Vec<_> = line.split(' ').collect();
    let (text, ponder) = match words[..] {
        ["bestmove", text] => (text, None),
        ["bestmove", text, "ponder", ponder] => (text, Some(ponder)),
        _ => return Err("ill-formed".into()),
    };
    let mut board = setting.board.clone();
    if !board.has_legal_move() {
        return match (text, ponder) {
            ("(none)", None) => Ok((None, None, text.to_owned())),
            _ => Err("a move where there is none".into()),
        };
    }
    let best = legal(&board, text, setting.chess960)?;
    board.make_move(best, &mut NoObserver);
    let ponder = ponder.map(|word| legal(&board, word, setting.chess960)).transpose()?;
    Ok((Some(best), ponder, text.to_owned()))
}

/// Whether the game is drawn here by the rules, whoever claims it.
fn is_drawn(board: &Board) -> bool {
    board.is_fifty_move_draw() || board.repetition_count() >= 2 || board.is_insufficient_material()
}

/// A legal move in exactly the notation of the variant.
fn legal(board: &Board, word: &str, chess960: bool) -> Result<Move, Fault> {
    let mv = board.parse_uci(word).map_err(|error| format!("move '{word}': {error}"))?;
    let right = mv.uci(chess960).to_string();
    if word == right { Ok(mv) } else { Err(format!("move '{word}' is to be written '{right}'")) }
}

/// A mate score's variation must lead to the mate: 2N - 1 plies for `mate N`, 2N for `mate -N`.
fn mate_length(board: &Board, info: &Info) -> Result<(), Fault> {
    let (Score::Mate(moves), Bound::Exact) = (info.score, info.bound) else { return Ok(()) };
    let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
    let mut board = board.clone();
    for mv in &info.pv {
        board.make_move(*mv, &mut NoObserver);
    }
    if info.pv.len() as i32 != plies {
        return Err(format!("mate {moves} with a variation of {} plies", info.pv.len()));
    }
    if board.is_checkmate() { Ok(()) } else { Err(format!("mate {moves} with a variation that is no mate")) }
}
