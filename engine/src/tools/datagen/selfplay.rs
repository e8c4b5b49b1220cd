//! One self-play game: a random opening, fixed nodes per move, results by rule or by a sustained score.

use eval::chess::viriformat::GameWriter;
use eval::random::Random;
use movegen::{Board, Color, NoObserver};
use search::chess::score::is_decisive;
use search::chess::{Evaluation, Outcome, Request, SoloSearcher};
use search::core::generate::{Player, Record};
use search::core::limit::Limits;

/// Random plies at the start of a game: this many, or one more.
const RANDOM_PLIES: u64 = 8;
/// A start whose score is beyond this many centipawns is drawn anew.
const BALANCED: i32 = 300;
/// A game is won when the score stays beyond this many centipawns...
const WON: i32 = 2000;
/// ... for so many plies.
const WON_PLIES: u32 = 6;
/// A game is drawn when the score stays within this many centipawns...
const DRAWN: i32 = 8;
/// ... for so many plies ...
const DRAWN_PLIES: u32 = 12;
/// ... after this ply.
const DRAWN_FROM: u32 = 80;
/// One game in this many is played to its end, so that endings are known too.
const PLAYED_OUT: u64 = 8;
/// Longest game in plies; it counts as drawn.
const LONGEST: u32 = 500;
/// A move takes at most this many times its usual nodes.
const HARD_FACTOR: u64 = 8;
const HASH_MIB: usize = 8;

/// What the games depend on.
#[derive(Clone, Copy)]
pub struct Settings {
    /// Seed of all random choices.
    pub seed: u64,
    /// Nodes after which no new iteration begins.
    pub nodes: u64,
    /// Share of games from Chess960 starts in percent; a third of them has different set-ups for both sides.
    pub chess960_percent: u8,
}

/// Plays the games of one thread.
pub struct SelfPlay {
    settings: Settings,
    searcher: SoloSearcher,
}

impl SelfPlay {
    /// A player with a clean memory.
    pub fn new(settings: Settings, evaluation: &Evaluation) -> Self {
        Self { settings, searcher: SoloSearcher::new(HASH_MIB, evaluation) }
    }

    fn search(&mut self, board: &Board, nodes: u64) -> Option<Outcome> {
        let limits =
            Limits { soft_nodes: Some(nodes), nodes: Some(nodes * HARD_FACTOR), ..Limits::default() };
        self.searcher.search(Request::new(board.clone(), limits))
    }

    /// A balanced position after random moves.
    fn opening(&mut self, random: &mut Random) -> Board {
        let settings = self.settings;
        self.opening_from(random, |random| settings.start(random))
    }

    /// A balanced position after random moves from one of the given positions. Never ends if all positions that
    /// can be reached are lost for one side.
    pub fn opening_from(
        &mut self,
        random: &mut Random,
        mut start: impl FnMut(&mut Random) -> Board,
    ) -> Board {
        loop {
            let mut board = start(random);
            let plies = RANDOM_PLIES + random.below(2);
            for _ in 0..plies {
                let moves = board.legal_moves();
                if moves.is_empty() {
                    break;
                }
                board.make_move(moves[random.below(moves.len() as u64) as usize], &mut NoObserver);
            }
            if !board.has_legal_move() || board.is_insufficient_material() {
                continue;
            }
            self.searcher.new_game();
            if self.search(&board, self.settings.nodes).is_some_and(|found| found.score.abs() <= BALANCED) {
                return board;
            }
        }
    }
}

impl Settings {
    /// A random start of a game.
    pub fn start(&self, random: &mut Random) -> Board {
        if random.below(100) >= u64::from(self.chess960_percent) {
            return Board::startpos();
        }
        let white = random.below(960) as u16;
        if random.below(3) == 0 {
            Board::dfrc(white, random.below(960) as u16)
        } else {
            Board::chess960(white)
        }
    }
}

impl Player for SelfPlay {
    fn play(&mut self, number: u64) -> Record {
        let mut random = Random::new(self.settings.seed, number);
        let board = self.opening(&mut random);
        let played_out = random.below(PLAYED_OUT) == 0;
        let mut writer = GameWriter::new(&board);
        let mut judge = Judge { played_out, ..Judge::default() };
        // A copy without the random moves: they are not part of the record.
        let mut board = Board::from_fen(&board.shredder_fen()).unwrap_or(board);
        let result = loop {
            let Some(Outcome { best: Some(mv), score, .. }) = self.search(&board, self.settings.nodes) else {
                break 0;
            };
            let white = if board.side_to_move() == Color::White { score } else { -score };
            writer.push(mv, white.clamp(-32_000, 32_000) as i16);
            board.make_move(mv, &mut NoObserver);
            // The rules come before the scores: a winning side may have given stalemate.
            if let Some(result) = by_rule(&board).or_else(|| judge.judge(white)) {
                break result;
            }
        };
        let positions = writer.len() as u64;
        Record { bytes: writer.finish(result), positions, result }
    }
}

/// The result for White when the rules end the game.
fn by_rule(board: &Board) -> Option<i8> {
    if !board.has_legal_move() {
        return Some(match (board.in_check(), board.side_to_move()) {
            (false, _) => 0,
            (true, Color::White) => -1,
            (true, Color::Black) => 1,
        });
    }
    let drawn =
        board.is_fifty_move_draw() || board.is_insufficient_material() || board.repetition_count() >= 2;
    drawn.then_some(0)
}

/// Ends games that the scores have decided.
#[derive(Default)]
struct Judge {
    played_out: bool,
    plies: u32,
    /// Plies in a row with a winning score, positive for White.
    winning: i32,
    drawish: u32,
}

impl Judge {
    /// The result for White, once the score (White's view) has been clear for long enough.
    fn judge(&mut self, score: i32) -> Option<i8> {
        self.plies += 1;
        if self.plies >= LONGEST {
            return Some(0);
        }
        let sign = score.signum();
        self.winning = match score.abs() >= WON {
            true if self.winning.signum() == sign => self.winning + sign,
            true => sign,
            false => 0,
        };
        self.drawish = if score.abs() <= DRAWN { self.drawish + 1 } else { 0 };
        if self.played_out {
            return None;
        }
        if is_decisive(score) || self.winning.unsigned_abs() >= WON_PLIES {
            return Some(sign as i8);
        }
        (self.plies >= DRAWN_FROM && self.drawish >= DRAWN_PLIES).then_some(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clear_scores_end_a_game() {
        let mut judge = Judge::default();
        assert!((1..WON_PLIES).all(|_| judge.judge(2500).is_none()));
        assert_eq!(judge.judge(2500), Some(1));
        let mut judge = Judge::default();
        assert!((0..10).all(|n| judge.judge(if n % 2 == 0 { -2500 } else { 2500 }).is_none()));
        let mut judge = Judge::default();
        let plies = (1..).find(|_| judge.judge(0) == Some(0));
        assert_eq!(plies, Some(DRAWN_FROM));
        let mut judge = Judge { played_out: true, ..Judge::default() };
        assert!((0..100).all(|_| judge.judge(31_990).is_none()));
    }

    #[test]
    fn a_game_depends_on_seed_and_number_only() {
        let settings = Settings { seed: 3, nodes: 50, chess960_percent: 50 };
        let mut player = SelfPlay::new(settings, &Evaluation::built_in());
        let first = player.play(5);
        let _ = player.play(6);
        assert_eq!(first, player.play(5));
        assert_eq!(first, SelfPlay::new(settings, &Evaluation::built_in()).play(5));
        assert!(first.positions > 10);
    }
}
