//! Random lines for the engine, right and wrong.

use super::support::{Random, Setting, referee};
use movegen::{Board, NoObserver};

/// Positions with something odd about each.
pub const FENS: [&str; 18] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/P6k/8/8/8/8/p6K/8 b - - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "R5k1/5ppp/8/8/8/8/8/7K b - - 0 1",
    "8/8/4k3/8/8/4K3/8/8 w - - 0 1",
    "1r6/8/8/8/8/8/2k5/K7 w - - 0 1",
    "1q2B2q/2q1B1q1/3qkq2/qrr1rRRQ/3QKQ2/2Q3Q1/1Q2n2Q/Q3n3 w - - 10",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "4k3/8/8/8/8/8/4P3/4K2R w - - 126 300",
    "8/8/2p5/3b1K1k/4p3/4PpR1/5P2/8 w - - 99 113",
    "3rr1k1/5pp1/p4P1p/P7/8/6bP/6P1/7K w - - 0 37",
    "6k1/6p1/8/7Q/8/1q6/r5PP/7K w - - 0 1",
    "nrkb2nr/ppppp1p1/6bp/5p2/BPP1P1P1/P7/3P1P1P/qRK1BQNR w BHbh - 0 3",
    "rkbnrqnb/8/8/pppppppp/PPPPP3/B7/5PPP/1KRNRQNB b Kkq - 1 9",
    "k7/8/8/3pP3/8/7n/5K2/8 w - d6 0 1",
    "8/1k6/1p6/1P6/8/1p6/1P6/1K6 w - - 90 200",
    "bqnrkbrn/pppppppp/8/8/8/8/PPPPPPPP/BQNRKBRN w GDgd - 0 1",
];

/// What follows the word `position`: a right one, with up to 30 random legal moves.
pub fn position(random: &mut Random) -> String {
    let (setup, mut board) = match random.below(4) {
        0 | 1 => ("startpos".to_owned(), Board::startpos()),
        2 => {
            let fen = *random.pick(&FENS);
            (format!("fen {fen}"), referee(&format!("fen {fen}")))
        }
        _ => {
            let board = Board::chess960(random.below(960) as u16);
            (format!("fen {}", board.shredder_fen()), board)
        }
    };
    let mut text = setup;
    for index in 0..random.below(31) {
        let moves = board.legal_moves();
        if moves.is_empty() {
            break;
        }
        let mv = *random.pick(&moves);
        text.push_str(if index == 0 { " moves " } else { " " });
        text.push_str(&mv.uci(random.below(2) == 0).to_string());
        board.make_move(mv, &mut NoObserver);
    }
    text
}

/// What follows the word `position` and must be refused.
pub fn bad_position(random: &mut Random) -> &'static str {
    random.pick::<&str>(&[
        "fen",
        "fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "fen kk6/8/8/8/8/8/8/KK6 b - - 0 1",
        "fen 4k3/8/8/8/8/8/4R3/4K3 w - - 0 1",
        "fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN",
        "fen 9/8/8/8/8/8/8/8 w - - 0 1",
        "nonsense",
    ])
}

/// What follows the word `go`, and whether the search ends by itself.
pub fn limits(random: &mut Random, setting: &Setting) -> (String, bool) {
    let depth = 1 + random.below(5);
    let nodes = random.below(2000);
    let time = random.below(15) as i64 - 3;
    let (mut text, ends) = match random.below(12) {
        0 => (format!("depth {depth}"), true),
        1 => (format!("nodes {nodes}"), true),
        2 => (format!("movetime {time}"), true),
        3 => (format!("wtime {time} btime {time} winc {depth} binc {depth}"), true),
        4 => (format!("wtime {time} btime {time} movestogo {depth}"), true),
        5 => ("infinite".to_owned(), false),
        6 => (String::new(), false),
        7 => (format!("ponder wtime {time} btime {time}"), false),
        8 => (format!("ponder depth {depth}"), false),
        9 => (format!("mate 2 nodes {nodes} depth {depth}"), true),
        10 => (format!("nodes {nodes} depth 40 movetime 30000"), true),
        _ => ("wtime 60000000 btime 60000000".to_owned(), false),
    };
    let moves = setting.board.legal_moves();
    if random.below(4) == 0 && !moves.is_empty() {
        text.push_str(" searchmoves");
        for _ in 0..=random.below(3) {
            text.push_str(&format!(" {}", random.pick(&moves).uci(setting.chess960)));
        }
    }
    (text.trim().to_owned(), ends)
}

/// A line that asks for no search and changes neither position nor how a search is written. None asks for a
/// `readyok`: those are counted.
pub fn harmless(random: &mut Random) -> &'static str {
    random.pick::<&str>(&[
        "uci",
        "d",
        "eval",
        "help",
        "debug on",
        "debug off",
        "register later",
        "stop",
        "ponderhit",
        "",
        "  \t ",
        "xyzzy",
        "joho debug on",
        "setoption name Hash value 1",
        "setoption name Hash value 3",
        "setoption name Threads value 1",
        "setoption name Threads value 2",
        "setoption name Threads value 3",
        "setoption name Clear Hash",
        "setoption name Move Overhead value 5",
        "setoption name Ponder value true",
        "setoption name UCI_AnalyseMode value true",
        "setoption name UCI_AnalyseMode value false",
    ])
}

/// The words that begin a command.
const COMMANDS: [&str; 16] = [
    "uci",
    "debug",
    "isready",
    "setoption",
    "register",
    "ucinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "quit",
    "d",
    "eval",
    "bench",
    "perft",
    "help",
];

/// The command that a line is understood as: the first known word.
pub fn command(line: &str) -> Option<&str> {
    line.split_whitespace().find(|word| COMMANDS.contains(word))
}

/// A line with random damage; never one that ends the engine or counts for long.
pub fn damaged(random: &mut Random, setting: &Setting) -> String {
    loop {
        let line = match random.below(6) {
            0 | 1 => format!("position {}", position(random)),
            2 => format!("go {}", limits(random, setting).0),
            3 => harmless(random).to_owned(),
            4 => random
                .pick(&[
                    "setoption name MultiPV value 3",
                    "setoption name UCI_ShowWDL value true",
                    "setoption name UCI_Chess960 value true",
                    "setoption name UCI_LimitStrength value true",
                    "setoption name UCI_Elo value 1500",
                    "ucinewgame",
                ])
                .to_string(),
            _ => format!("position fen {}", random.pick(&FENS)),
        };
        let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        for _ in 0..=random.below(3) {
            damage(random, &mut words);
        }
        let line = words.join(" ");
        let is_heavy = |word| matches!(word, "quit" | "bench" | "perft" | "Threads" | "Hash");
        if !line.split_whitespace().any(is_heavy) {
            return line;
        }
    }
}

/// Changes one word of a line.
fn damage(random: &mut Random, words: &mut Vec<String>) {
    if words.is_empty() {
        words.push("x".into());
    }
    let index = random.below(words.len());
    match random.below(8) {
        0 => {
            words.remove(index);
        }
        1 => words.insert(index, words[index].clone()),
        2 => {
            let other = random.below(words.len());
            words.swap(index, other);
        }
        3 => {
            let numbers =
                ["0", "-1", "1", "65536", "4294967296", "-9223372036854775808", "99999999999999999999"];
            words[index] = random.pick(&numbers).to_string();
        }
        4 => words.truncate(index),
        5 => words.insert(
            index,
            random
                .pick(&["moves", "fen", "value", "name", "\u{e9}\u{4e00}", "\0", "%s", "-", "startpos"])
                .to_string(),
        ),
        _ => {
            // One character of the word becomes another one.
            let mut letters: Vec<char> = words[index].chars().collect();
            if !letters.is_empty() {
                let place = random.below(letters.len());
                letters[place] = *random
                    .pick(&['k', 'K', 'q', 'Q', 'p', 'P', 'r', 'n', '1', '8', '/', '-', 'w', 'b', 'e', 'x']);
            }
            words[index] = letters.into_iter().collect();
        }
    }
}
