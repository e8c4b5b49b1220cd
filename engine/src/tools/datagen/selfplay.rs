//! One self-play game: a random opening, fixed nodes per move, results by rule or by a sustained score.

use eval::chess::viriformat::GameWriter;
use eval::random::Random;
use movegen::{Board, Color, NoObserver};
use search::chess::{Evaluation, Outcome, Request, SoloSearcher};
use search::core::generate::{Player, Record};
use search::core::limit::Limits;

use super::judge::{Judge, Terms, by_rule};

/// Random plies at the start of a game: this many, or one more.
const RANDOM_PLIES: u64 = 8;
/// A start whose score is beyond this many units of the search is drawn anew.
const BALANCED: i32 = 300;
/// When scores end a game.
const TERMS: Terms = Terms { won: 2000, won_plies: 6, drawn: 8, drawn_plies: 12, drawn_from: 80 };
/// One game in this many is played to its end, so that endings are known too.
const PLAYED_OUT: u64 = 8;
/// A move takes at most this many times its usual nodes.
const HARD_FACTOR: u64 = 8;
/// Nodes per move for which a table of one MiB (98,304 entries) holds a game. A table that is too large costs more to
/// clear than it brings: at 150 nodes 8 MiB took a tenth of the time.
const NODES_PER_MIB: u64 = 500;
/// Largest table in MiB.
const MOST_HASH_MIB: u64 = 64;

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
        Self { settings, searcher: SoloSearcher::new(hash_mib(settings.nodes), evaluation) }
    }

    /// A balanced position after random moves.
    pub fn opening(&mut self, random: &mut Random) -> Board {
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
        self.searcher.new_game();
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
            if think(&mut self.searcher, &board, self.settings.nodes)
                .is_some_and(|found| found.score.abs() <= BALANCED)
            {
                return board;
            }
        }
    }
}

/// Size of a searcher's table in MiB for games of so many nodes per move.
pub fn hash_mib(nodes: u64) -> usize {
    (nodes / NODES_PER_MIB).clamp(1, MOST_HASH_MIB) as usize
}

/// Searches a position with about so many nodes: no new iteration begins behind them.
pub fn think(searcher: &mut SoloSearcher, board: &Board, nodes: u64) -> Option<Outcome> {
    let limits = Limits { soft_nodes: Some(nodes), nodes: Some(nodes * HARD_FACTOR), ..Limits::default() };
    searcher.search(Request::new(board.clone(), limits))
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
        let mut judge = Judge::new(TERMS, played_out);
        // A copy without the random moves: they are not part of the record.
        let mut board = Board::from_fen(&board.shredder_fen()).unwrap_or(board);
        let result = loop {
            let Some(Outcome { best: Some(mv), score, .. }) =
                think(&mut self.searcher, &board, self.settings.nodes)
            else {
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

#[cfg(test)]
mod tests {
    use super::*;

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
