//! Can a side still mate by some series of legal moves? The reference is M. Ambrona, "A Practical Algorithm for
//! Chess Unwinnability" (FUN 2022); here a best-first search of all positions that both sides together can
//! reach finds a helpmate, or proves that there is none by running out of positions.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

use eval::random::Random;
use movegen::{Board, Color, Move, NoObserver, PieceType, Rank, Square};

/// What is known about a side's chances.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It can mate: by these moves of both sides.
    Winnable(Vec<Move>),
    /// It cannot, for this reason.
    Unwinnable(String),
    /// Unknown after looking at this many positions.
    Undetermined(usize),
}

/// Positions that a search looks at unless it is told otherwise.
pub const LIMIT: u32 = 200_000;
/// Positions that the search looks at before games at random are tried.
const QUICK: usize = 10_000;
/// Games at random, and their length in half-moves.
const RANDOM_GAMES: usize = 100;
const RANDOM_PLIES: usize = 300;

/// All that tells positions apart: the men exactly, and the key for side, castling and en passant.
type Identity = [u64; 5];

/// A position in the search, by the way that leads to it.
struct Node {
    parent: usize,
    mv: Option<Move>,
    depth: u32,
}

/// Looks for a helpmate by `winner`, at up to `limit` positions. Repetitions and counted moves do not matter: they
/// end no game without a claim or before 75 moves, and the law asks for any series of legal moves.
pub fn can_mate(board: &Board, winner: Color, limit: usize) -> Answer {
    // Without the game before it a copy is cheap. The text of a board is always a position.
    let Ok(board) = Board::from_fen(&board.shredder_fen()) else { return Answer::Undetermined(0) };
    if is_mated(&board, winner) {
        return Answer::Winnable(Vec::new());
    }
    if let Some(reason) = hopeless(&board, winner) {
        return Answer::Unwinnable(reason.to_owned());
    }
    if limit > QUICK {
        match search(board.clone(), winner, QUICK) {
            Answer::Undetermined(_) => {}
            answer => return answer,
        }
        if let Some(line) = play_at_random(&board, winner) {
            return Answer::Winnable(line);
        }
    }
    search(board, winner, limit)
}

/// Plays games at random in which the winner mates when it can. On full boards, where the search has too much to
/// choose from, a few of them are enough.
fn play_at_random(start: &Board, winner: Color) -> Option<Vec<Move>> {
    let mut random = Random::seeded(0);
    for _ in 0..RANDOM_GAMES {
        let mut board = start.clone();
        let mut line = Vec::new();
        while line.len() < RANDOM_PLIES && hopeless(&board, winner).is_none() {
            let moves = board.legal_moves();
            if board.side_to_move() == winner {
                for &mv in moves.iter().filter(|mv| board.gives_check(**mv)) {
                    let mut after = board.clone();
                    after.make_move(mv, &mut NoObserver);
                    if after.is_checkmate() {
                        line.push(mv);
                        return Some(line);
                    }
                }
            }
            if moves.is_empty() {
                break;
            }
            let mv = moves[(random.next_u64() % moves.len() as u64) as usize];
            board.make_move(mv, &mut NoObserver);
            line.push(mv);
        }
    }
    None
}

/// The search, best first.
fn search(mut board: Board, winner: Color, limit: usize) -> Answer {
    let mut nodes = vec![Node { parent: 0, mv: None, depth: 0 }];
    let mut seen = HashSet::from([identity(&board)]);
    let mut queue = BinaryHeap::from([Reverse((0, 0))]);
    let mut path = Vec::new();
    while let Some(Reverse((_, index))) = queue.pop() {
        walk(&mut board, &mut path, &way(&nodes, index));
        let depth = nodes[index].depth + 1;
        for mv in board.legal_moves() {
            board.make_move(mv, &mut NoObserver);
            if is_mated(&board, winner) {
                path.push(mv);
                return Answer::Winnable(path);
            }
            if hopeless(&board, winner).is_none() && seen.insert(identity(&board)) {
                queue.push(Reverse((cost(&board, winner, depth), nodes.len())));
                nodes.push(Node { parent: index, mv: Some(mv), depth });
            }
            board.unmake_move();
        }
        if nodes.len() > limit {
            return Answer::Undetermined(nodes.len());
        }
    }
    Answer::Unwinnable(match nodes.len() {
        1 => "every move rules mate out".to_owned(),
        count => format!("none of the {count} positions that can be reached leads to mate"),
    })
}

/// The moves from the root to a node.
fn way(nodes: &[Node], mut index: usize) -> Vec<Move> {
    let mut moves = Vec::new();
    while let Some(mv) = nodes[index].mv {
        moves.push(mv);
        index = nodes[index].parent;
    }
    moves.reverse();
    moves
}

/// Goes from one line to another by way of what they share.
fn walk(board: &mut Board, path: &mut Vec<Move>, target: &[Move]) {
    let shared = path.iter().zip(target).take_while(|(a, b)| a == b).count();
    while path.len() > shared {
        board.unmake_move();
        path.pop();
    }
    for &mv in &target[shared..] {
        board.make_move(mv, &mut NoObserver);
        path.push(mv);
    }
}

fn is_mated(board: &Board, winner: Color) -> bool {
    board.side_to_move() != winner && board.is_checkmate()
}

/// Why material alone rules out a mate by `winner`, whatever the other side does. Pawns count as anything.
fn hopeless(board: &Board, winner: Color) -> Option<&'static str> {
    let own = board.color(winner);
    if !own.more_than_one() {
        return Some("a king alone mates nobody");
    }
    let strong =
        board.pieces(PieceType::Pawn) | board.pieces(PieceType::Rook) | board.pieces(PieceType::Queen);
    if (own & strong).any() {
        return None;
    }
    let kind = |kind| board.pieces(kind);
    let kings = kind(PieceType::King);
    let knights = own & kind(PieceType::Knight);
    if knights.any() {
        // A queen beside its king always reaches the square of the checking knight.
        let others = board.color(!winner) & !kings & !kind(PieceType::Queen);
        let is_lone = own.count() == 2 && others.is_empty();
        return is_lone
            .then_some("a knight alone mates only with the help of a rook, bishop, knight or pawn");
    }
    // Squares of the bishops' other colour can be taken from the king only by what stands on them and can
    // neither capture nor come between: a knight, a pawn, or a bishop of the other colour.
    let helpers = kind(PieceType::Pawn) | kind(PieceType::Knight);
    let bishops = kind(PieceType::Bishop);
    let is_one_colour = {
        let dark = bishops.into_iter().filter(|square| is_dark(*square)).count();
        dark == 0 || dark == bishops.count() as usize
    };
    (helpers.is_empty() && is_one_colour)
        .then_some("bishops of one colour mate only with the help of a knight, pawn or other bishop")
}

fn is_dark(square: Square) -> bool {
    (square.file() as usize + square.rank() as usize).is_multiple_of(2)
}

fn identity(board: &Board) -> Identity {
    let mut planes = [0; 5];
    for (number, kind) in PieceType::ALL.into_iter().enumerate() {
        for (plane, bits) in planes.iter_mut().enumerate().take(3) {
            if (number + 1) >> plane & 1 != 0 {
                *bits |= board.pieces(kind).0;
            }
        }
    }
    planes[3] = board.color(Color::White).0;
    planes[4] = board.key();
    planes
}

/// How far a position seems to be from a helpmate; only the order of the search depends on it.
fn cost(board: &Board, winner: Color, depth: u32) -> u32 {
    let loser = !winner;
    let (king, hunter) = (board.king(loser), board.king(winner));
    let from_edge = |place: usize| place.min(7 - place) as u32;
    let (file, rank) = (king.file() as usize, king.rank() as usize);
    let mut cost = depth + 3 * from_edge(file).min(from_edge(rank)) + from_edge(file) + from_edge(rank);
    let heavy = board.colored(winner, PieceType::Queen) | board.colored(winner, PieceType::Rook);
    if heavy.is_empty() {
        let steps = |square: Square| match winner {
            Color::White => Rank::R8 as u32 - square.rank() as u32,
            Color::Black => square.rank() as u32,
        };
        let pawns = board.colored(winner, PieceType::Pawn).into_iter().map(steps).min();
        // Two minor pieces can do it, with time.
        cost += pawns.map_or(10, |steps| 3 * steps);
    }
    cost += 2 * distance(king, hunter).saturating_sub(2);
    let hunters = board.color(winner) & !board.colored(winner, PieceType::Pawn) & !hunter.bb();
    cost += hunters.into_iter().map(|square| distance(king, square)).min().unwrap_or(7);
    // Squares that the king could flee to.
    let attacked = board.attacked_by(winner);
    let free = movegen::king_attacks(king) & !board.color(loser) & !attacked;
    cost += 2 * free.count();
    if attacked.contains(king) {
        cost = cost.saturating_sub(3);
    }
    cost
}

fn distance(a: Square, b: Square) -> u32 {
    let apart = |a: usize, b: usize| a.abs_diff(b) as u32;
    apart(a.file() as usize, b.file() as usize).max(apart(a.rank() as usize, b.rank() as usize))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::VecDeque;

    fn board(fen: &str) -> Board {
        Board::from_fen(fen).unwrap()
    }

    /// Looks at every position within reach in the order of distance, without any knowledge of chess but its rules.
    fn brute_force(start: &Board, winner: Color, limit: usize) -> Option<bool> {
        let mut seen = HashSet::from([start.key()]);
        let mut queue = VecDeque::from([start.clone()]);
        while let Some(board) = queue.pop_front() {
            if board.side_to_move() != winner && board.is_checkmate() {
                return Some(true);
            }
            for mv in board.legal_moves() {
                let mut next = board.clone();
                next.make_move(mv, &mut NoObserver);
                if seen.insert(next.key()) {
                    queue.push_back(next);
                }
            }
            if seen.len() > limit {
                return None;
            }
        }
        Some(false)
    }

    /// Plays the moves and sees the mate.
    fn check_line(fen: &str, winner: Color, line: &[Move]) {
        let mut board = board(fen);
        for &mv in line {
            board.try_move(mv).unwrap();
        }
        assert!(is_mated(&board, winner), "{fen}");
    }

    #[test]
    fn answers_agree_with_brute_force_where_that_ends() {
        let fens = [
            // Pawns that block each other, kings that cannot pass.
            "8/1k6/1p6/1P6/8/1p6/1P6/1K6 w - - 0 1",
            "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1",
            "4k3/8/p1p1p1p1/P1P1P1P1/8/8/8/4K3 b - - 0 1",
            "8/8/k1p1p1p1/p1P1P1P1/P7/8/8/4K3 b - - 0 1",
            "k7/8/8/8/8/8/6P1/7K w - - 0 1",
            "k7/P7/K7/8/8/8/8/8 b - - 0 1",
            "k7/P7/1K6/8/8/8/8/8 b - - 0 1",
            "5k2/5P2/5K2/8/8/8/8/8 b - - 0 1",
            // Stalemate and mate on the board, and mate in one.
            "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
            "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
            "7k/8/6K1/8/8/8/8/R7 w - - 0 1",
            // Forced captures that leave nothing.
            "8/8/8/8/8/8/5kq1/7K w - - 0 1",
            "8/8/8/8/8/1k6/1q6/K7 w - - 0 1",
            "k7/1Q6/8/8/8/8/8/1K6 b - - 0 1",
            // Minor pieces with and without help.
            "7k/7p/5N1K/8/8/8/8/8 w - - 0 1",
            "6bk/8/5N1K/8/8/8/8/8 w - - 0 1",
            "kb6/8/1K6/8/8/8/8/7B b - - 0 1",
        ];
        let mut decided = 0;
        for fen in fens {
            for winner in Color::ALL {
                let brute = brute_force(&board(fen), winner, 30_000);
                match (can_mate(&board(fen), winner, 100_000), brute) {
                    (Answer::Winnable(line), Some(true) | None) => check_line(fen, winner, &line),
                    (Answer::Unwinnable(_), Some(false) | None) | (Answer::Undetermined(_), None) => {}
                    (answer, brute) => panic!("{fen} {winner}: {answer:?}, brute force {brute:?}"),
                }
                decided += usize::from(brute.is_some());
            }
        }
        assert!(decided >= 20, "{decided}");
    }

    /// Lines shown are mates, and where there is said to be none the 4000 nearest positions hold none.
    #[test]
    fn answers_on_small_material_are_never_contradicted() {
        let mut state = 12_345_u64;
        let mut below = |n: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % n
        };
        let mut answered = 0;
        for men in [
            "KkN", "KkB", "KkR", "KkP", "KkNp", "KkBp", "KkNn", "KkBb", "KkNb", "KkNr", "KkNq", "KkBr",
            "KkBq", "KkBn",
        ] {
            for _ in 0..4 {
                let mut squares = [' '; 64];
                for man in men.chars() {
                    let square = if man.eq_ignore_ascii_case(&'p') { 8 + below(48) } else { below(64) };
                    squares[square] = man;
                }
                let ranks: Vec<String> = squares
                    .chunks(8)
                    .map(|rank| rank.iter().map(|c| if *c == ' ' { '1' } else { *c }).collect())
                    .collect();
                let fen = format!("{} w - - 0 1", ranks.join("/"));
                let Ok(position) = Board::from_fen(&fen) else { continue };
                if position.occupied().count() as usize != men.len() {
                    continue;
                }
                for winner in Color::ALL {
                    let brute = brute_force(&position, winner, 4_000);
                    match (can_mate(&position, winner, 60_000), brute) {
                        (Answer::Winnable(line), Some(true) | None) => check_line(&fen, winner, &line),
                        (Answer::Unwinnable(_), Some(false) | None) | (Answer::Undetermined(_), None) => {}
                        (answer, brute) => panic!("{fen} {winner}: {answer:?}, brute force {brute:?}"),
                    }
                    answered += 1;
                }
            }
        }
        assert!(answered > 40, "{answered}");
    }

    /// Every king, every check by a lone knight, every set of queens beside the king: never mate. Queens further
    /// away could only take the knight.
    #[test]
    fn a_knight_never_mates_a_king_with_queens() {
        let mut checks = 0;
        for king in 0..64 {
            let king = Square::from_index(king).unwrap();
            // One of each set of squares that mirrors map to each other.
            if king.file() as usize > 3 || king.rank() as usize > 3 {
                continue;
            }
            let beside: Vec<Square> = movegen::king_attacks(king).into_iter().collect();
            // More queens than nine do not exist, and eight squares are the most.
            for queens in 0..1_usize << beside.len() {
                let chosen: Vec<Square> =
                    (0..beside.len()).filter(|n| queens >> n & 1 != 0).map(|n| beside[n]).collect();
                for knight in movegen::knight_attacks(king) {
                    // A queen that can take the knight ends the check.
                    let hit = chosen.iter().any(|&queen| {
                        let mut occupied = king.bb() | knight.bb();
                        chosen.iter().for_each(|square| occupied |= square.bb());
                        movegen::queen_attacks(queen, occupied).contains(knight)
                    });
                    if hit {
                        continue;
                    }
                    for hunter in 0..64 {
                        let hunter = Square::from_index(hunter).unwrap();
                        if hunter == king
                            || hunter == knight
                            || chosen.contains(&hunter)
                            || distance(hunter, king) < 2
                        {
                            continue;
                        }
                        checks += 1;
                        let escapes = beside.iter().any(|&square| {
                            !chosen.contains(&square)
                                && distance(hunter, square) > 1
                                && !movegen::knight_attacks(knight).contains(square)
                        });
                        assert!(escapes, "king {king}, knight {knight}, king {hunter}, queens {chosen:?}");
                    }
                }
            }
        }
        assert!(checks > 10_000, "{checks}");
    }

    #[test]
    fn whole_games_are_winnable_for_both() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "8/8/4k3/8/8/4K3/4P3/8 w - - 0 1",
        ] {
            for winner in Color::ALL {
                match can_mate(&board(fen), winner, 200_000) {
                    Answer::Winnable(line) => check_line(fen, winner, &line),
                    answer => assert_eq!(
                        answer,
                        Answer::Unwinnable("a king alone mates nobody".to_owned()),
                        "{fen}"
                    ),
                }
            }
        }
    }

    #[test]
    fn a_limit_is_stated() {
        let answer = can_mate(&board("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"), Color::White, 10);
        assert!(matches!(answer, Answer::Undetermined(count) if count > 10));
    }
}
