//! Random games of chess in viriformat, written by the crate that defines the format.

use std::path::Path;

use super::random::Random;
use movegen::{Board, Color, Move, NoObserver, PieceType};
use viriformat::chess::board::{Board as ViriBoard, DrawType, GameOutcome, WinType};
use viriformat::dataformat::Game as ViriGame;

/// Material balance for White in centipawns.
fn material(board: &Board) -> i32 {
    const VALUES: [i32; 6] = [100, 320, 330, 500, 900, 0];
    let side = |color| -> i32 {
        PieceType::ALL
            .iter()
            .map(|&kind| VALUES[kind.index()] * board.colored(color, kind).count() as i32)
            .sum()
    };
    side(Color::White) - side(Color::Black)
}

/// Plays random games and writes them, scores and results by material; returns the positions with move and score.
pub fn write_random_games(path: &Path, count: usize, seed: u64) -> Vec<Vec<(Board, Move, i32)>> {
    let mut random = Random(seed);
    let mut bytes = Vec::new();
    let mut games = Vec::new();
    for number in 0..count {
        let mut board = match number % 3 {
            0 => Board::startpos(),
            1 => Board::chess960(random.below(960) as u16),
            _ => Board::dfrc(random.below(960) as u16, random.below(960) as u16),
        };
        let mut theirs = ViriBoard::new();
        theirs.set_from_fen(&board.shredder_fen(), true).expect("valid");
        let mut game = ViriGame::new(&theirs);
        let mut plies = Vec::new();
        for _ in 0..100 {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[random.below(moves.len())];
            let score = material(&board);
            plies.push((board.clone(), mv, score));
            let text = format!("{}", mv.uci(true));
            let their_move = theirs.parse_uci(&text).expect("legal");
            game.add_move(their_move, score as i16);
            theirs.make_move_simple(their_move);
            board.make_move(mv, &mut NoObserver);
        }
        game.set_outcome(match material(&board) {
            200.. => GameOutcome::WhiteWin(WinType::Adjudication),
            ..=-200 => GameOutcome::BlackWin(WinType::Adjudication),
            _ => GameOutcome::Draw(DrawType::Adjudication),
        });
        game.serialise_into(&mut bytes).expect("written to memory");
        games.push(plies);
    }
    std::fs::write(path, bytes).expect("written");
    games
}
