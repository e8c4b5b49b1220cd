//! Reads games in viriformat, the format of the `viriformat` crate (version 3), with every fault reported.
//!
//! A game is a packed position of 32 bytes (Marlinformat), then four bytes for each move (move and score), then
//! four zero bytes. Scores and the result are White's. The crate's own reader trusts its input and panics on
//! damaged positions, which a training run over many hours of games should not; so the bytes are taken apart
//! here and every move is checked by this project's rules.

use movegen::{Board, Move, MoveFlag, Piece, PieceType, Square};

/// Bytes of the packed first position.
const POSITION_LEN: usize = 32;
/// Bytes of a move with its score.
const MOVE_LEN: usize = 4;
/// Code of a rook that may still castle; the codes below are the kinds of piece.
const UNMOVED_ROOK: u8 = 6;

/// The bytes of one whole game.
#[derive(Clone, Copy, Debug)]
pub struct RawGame<'a> {
    position: &'a [u8; POSITION_LEN],
    moves: &'a [[u8; MOVE_LEN]],
}

/// Cuts a file into its games; returns also the bytes of an unfinished game at the end.
pub fn split(mut bytes: &[u8]) -> (Vec<RawGame<'_>>, usize) {
    let mut games = Vec::new();
    while let Some((position, rest)) = bytes.split_first_chunk() {
        let (moves, _) = rest.as_chunks();
        let Some(end) = moves.iter().position(|entry| *entry == [0; MOVE_LEN]) else {
            break;
        };
        games.push(RawGame { position, moves: &moves[..end] });
        bytes = &rest[(end + 1) * MOVE_LEN..];
    }
    (games, bytes.len())
}

/// One position of a game and what happened there.
pub struct Ply<'a> {
    /// The position.
    pub board: &'a Board,
    /// The move played.
    pub mv: Move,
    /// Score in centipawns for White.
    pub score: i16,
    /// 2 won, 1 drawn, 0 lost, for White.
    pub result: u8,
}

/// Plays a game through and shows every position to `visit`.
pub fn replay(game: &RawGame, mut visit: impl FnMut(Ply)) -> Result<(), String> {
    let (mut board, result) = unpack(game.position)?;
    for (number, entry) in game.moves.iter().enumerate() {
        let raw = u16::from_le_bytes([entry[0], entry[1]]);
        let score = i16::from_le_bytes([entry[2], entry[3]]);
        let Some(mv) = convert(&board, raw).filter(|&mv| board.is_legal(mv)) else {
            return Err(format!("move {} (0x{raw:04x}) is not legal in {}", number + 1, board.fen()));
        };
        visit(Ply { board: &board, mv, score, result });
        board.make_move(mv, &mut movegen::NoObserver);
    }
    Ok(())
}

/// Unpacks the first position and the result.
fn unpack(bytes: &[u8; POSITION_LEN]) -> Result<(Board, u8), String> {
    let occupied = u64::from_le_bytes(std::array::from_fn(|i| bytes[i]));
    if occupied.count_ones() > 32 {
        return Err("more than 32 pieces".to_owned());
    }
    let mut squares = [None; 64];
    let mut castling = String::new();
    let occupied_squares = (0..64usize).filter(|square| occupied >> square & 1 != 0);
    for (i, square) in occupied_squares.enumerate() {
        let nibble = bytes[8 + i / 2] >> (i % 2 * 4) & 15;
        let black = nibble & 8 != 0;
        let kind = match nibble & 7 {
            UNMOVED_ROOK => {
                let file = b'A' + (square % 8) as u8;
                castling.push(char::from(if black { file.to_ascii_lowercase() } else { file }));
                PieceType::Rook
            }
            code => *PieceType::ALL.get(usize::from(code)).ok_or("unknown kind of piece")?,
        };
        let color = if black { movegen::Color::Black } else { movegen::Color::White };
        squares[square] = Some(Piece::new(color, kind));
    }
    let result = bytes[30];
    if result > 2 {
        return Err(format!("unknown result {result}"));
    }
    let fen = fen(&squares, &castling, bytes);
    let board = Board::from_fen(&fen).map_err(|error| format!("impossible position {fen}: {error}"))?;
    Ok((board, result))
}

fn fen(squares: &[Option<Piece>; 64], castling: &str, bytes: &[u8; POSITION_LEN]) -> String {
    let mut ranks = Vec::with_capacity(8);
    for rank in squares.chunks(8).rev() {
        let mut text = String::new();
        let mut empty = 0;
        for square in rank {
            match square {
                Some(piece) => {
                    if empty > 0 {
                        text.push_str(&empty.to_string());
                    }
                    empty = 0;
                    text.push(piece.to_char());
                }
                None => empty += 1,
            }
        }
        if empty > 0 {
            text.push_str(&empty.to_string());
        }
        ranks.push(text);
    }
    let side = if bytes[24] & 128 == 0 { 'w' } else { 'b' };
    let castling = if castling.is_empty() { "-" } else { castling };
    let en_passant = Square::from_index(usize::from(bytes[24] & 127));
    let en_passant = en_passant.map_or_else(|| "-".to_owned(), |square| square.to_string());
    let (halfmove, fullmove) = (bytes[25], u16::from_le_bytes([bytes[26], bytes[27]]).max(1));
    format!("{} {side} {castling} {en_passant} {halfmove} {fullmove}", ranks.join("/"))
}

/// Turns a move of the format (from, to, promotion, kind) into one of this project's.
fn convert(board: &Board, raw: u16) -> Option<Move> {
    let from = Square::from_index(usize::from(raw & 63))?;
    let to = Square::from_index(usize::from(raw >> 6 & 63))?;
    let capture = board.piece_on(to).is_some();
    let flag = match raw >> 14 {
        0 if capture => MoveFlag::Capture,
        0 => {
            let pawn = board.piece_on(from).is_some_and(|piece| piece.kind() == PieceType::Pawn);
            if pawn && from.index().abs_diff(to.index()) == 16 {
                MoveFlag::DoublePush
            } else {
                MoveFlag::Quiet
            }
        }
        1 => MoveFlag::EnPassant,
        2 => MoveFlag::Castling,
        _ => match (raw >> 12 & 3, capture) {
            (0, false) => MoveFlag::PromoteKnight,
            (1, false) => MoveFlag::PromoteBishop,
            (2, false) => MoveFlag::PromoteRook,
            (_, false) => MoveFlag::PromoteQueen,
            (0, true) => MoveFlag::CapturePromoteKnight,
            (1, true) => MoveFlag::CapturePromoteBishop,
            (2, true) => MoveFlag::CapturePromoteRook,
            (_, true) => MoveFlag::CapturePromoteQueen,
        },
    };
    Some(Move::new(from, to, flag))
}
