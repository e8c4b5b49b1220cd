//! Games in viriformat, the format of the `viriformat` crate (version 3): written, and read with every fault
//! reported.
//!
//! A game is a packed position of 32 bytes (Marlinformat), then four bytes for each move (move and score), then
//! four zero bytes. Scores and the result are White's. The crate's own reader trusts its input and panics on
//! damaged positions, which a training run over many hours of games should not; so the bytes are taken apart
//! here and every move is checked by this project's rules.

use std::fs::File;
use std::io;
use std::path::Path;

use memmap2::Mmap;
use movegen::{Board, Color, Move, MoveFlag, Piece, PieceType, Square, Wing};

/// Bytes of the packed first position.
const POSITION_LEN: usize = 32;
/// Bytes of a move with its score.
const MOVE_LEN: usize = 4;
/// Where the result stands in the first position.
const RESULT: usize = 30;
/// Code of a rook that may still castle; the codes below are the kinds of piece.
const UNMOVED_ROOK: u8 = 6;

/// A file of games, mapped into memory: any size in constant memory.
#[derive(Debug)]
pub struct GameFile {
    /// `None` for an empty file, which cannot be mapped.
    map: Option<Mmap>,
}

impl GameFile {
    /// Opens a file of games.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn open(path: &Path) -> io::Result<Self> {
        // Asked before it is opened: to open a pipe can take for ever.
        let metadata = path.metadata()?;
        if !metadata.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
        }
        let file = File::open(path)?;
        if metadata.len() == 0 {
            return Ok(Self { map: None });
        }
        // SAFETY: the map is only read as bytes. Games are appended, never changed in place; should another
        // program cut the file short meanwhile, the system ends this one, which no check could prevent.
        let map = unsafe { Mmap::map(&file)? };
        Ok(Self { map: Some(map) })
    }

    fn bytes(&self) -> &[u8] {
        self.map.as_deref().unwrap_or(&[])
    }

    /// Size in bytes.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.bytes().len() as u64
    }

    /// Whether there is nothing in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.map.is_none()
    }

    /// The games one after another; an unfinished one at the end is left out.
    #[must_use]
    pub fn games(&self) -> Games<'_> {
        Games { bytes: self.bytes() }
    }

    /// Number of whole games and the bytes they take.
    #[must_use]
    pub fn whole_games(&self) -> (u64, u64) {
        let mut games = self.games();
        let count = games.by_ref().count() as u64;
        (count, self.len() - games.bytes.len() as u64)
    }
}

/// Iterates over the whole games of some bytes.
#[derive(Clone, Debug)]
pub struct Games<'a> {
    bytes: &'a [u8],
}

impl<'a> Games<'a> {
    /// The games in `bytes`.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    /// Bytes behind the last game that was handed out.
    #[must_use]
    pub fn rest(&self) -> usize {
        self.bytes.len()
    }
}

impl<'a> Iterator for Games<'a> {
    type Item = RawGame<'a>;

    fn next(&mut self) -> Option<RawGame<'a>> {
        let (position, rest) = self.bytes.split_first_chunk()?;
        let (moves, _) = rest.as_chunks();
        let end = moves.iter().position(|entry| *entry == [0; MOVE_LEN])?;
        let whole;
        (whole, self.bytes) = self.bytes.split_at(POSITION_LEN + (end + 1) * MOVE_LEN);
        Some(RawGame { whole, position, moves: &moves[..end] })
    }
}

/// The bytes of one whole game.
#[derive(Clone, Copy, Debug)]
pub struct RawGame<'a> {
    whole: &'a [u8],
    position: &'a [u8; POSITION_LEN],
    moves: &'a [[u8; MOVE_LEN]],
}

impl<'a> RawGame<'a> {
    /// The game as it stands in the file.
    #[must_use]
    pub fn bytes(&self) -> &'a [u8] {
        self.whole
    }

    /// Scores in centipawns for White, one for each move.
    pub fn scores(&self) -> impl DoubleEndedIterator<Item = i16> + use<'a> {
        self.moves.iter().map(|entry| i16::from_le_bytes([entry[2], entry[3]]))
    }

    /// 2 won, 1 drawn, 0 lost, for White; not checked.
    #[must_use]
    pub fn result(&self) -> u8 {
        self.position[RESULT]
    }

    /// Number of moves.
    #[must_use]
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Whether there are no moves.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }
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

/// Plays a game through and shows every position to `visit`; returns the last position and the result, 2 won, 1
/// drawn, 0 lost, for White.
///
/// # Errors
/// What is wrong with the game; positions before the fault have been shown.
pub fn replay(game: &RawGame, mut visit: impl FnMut(Ply)) -> Result<(Board, u8), String> {
    let (mut board, result) = unpack(game.position)?;
    for (number, (entry, score)) in game.moves.iter().zip(game.scores()).enumerate() {
        let raw = u16::from_le_bytes([entry[0], entry[1]]);
        let Some(mv) = convert(&board, raw).filter(|&mv| board.is_legal(mv)) else {
            return Err(format!("move {} (0x{raw:04x}) is not legal in {}", number + 1, board.fen()));
        };
        visit(Ply { board: &board, mv, score, result });
        board.make_move(mv, &mut movegen::NoObserver);
    }
    Ok((board, result))
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
        let color = if black { Color::Black } else { Color::White };
        squares[square] = Some(Piece::new(color, kind));
    }
    let result = bytes[RESULT];
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

/// Packs a position; score and result are left at 0.
fn pack(board: &Board) -> [u8; POSITION_LEN] {
    let mut bytes = [0; POSITION_LEN];
    bytes[..8].copy_from_slice(&board.occupied().0.to_le_bytes());
    let unmoved = |square| {
        Color::ALL.iter().any(|&color| {
            [Wing::King, Wing::Queen].iter().any(|&wing| board.castling().rook(color, wing) == Some(square))
        })
    };
    for (i, square) in board.occupied().into_iter().enumerate() {
        let Some(piece) = board.piece_on(square) else { continue };
        let kind = if unmoved(square) { UNMOVED_ROOK } else { piece.kind().index() as u8 };
        bytes[8 + i / 2] |= (kind | (piece.color().index() as u8) << 3) << (i % 2 * 4);
    }
    let en_passant = board.en_passant().map_or(64, |square| square.index() as u8);
    bytes[24] = en_passant | (board.side_to_move().index() as u8) << 7;
    bytes[25] = board.halfmove_clock().min(255) as u8;
    bytes[26..28].copy_from_slice(&(board.fullmove_number().min(65_535) as u16).to_le_bytes());
    bytes
}

/// Turns a move into one of the format.
fn encode(mv: Move) -> u16 {
    let promotion = match mv.promotion() {
        None => 0,
        Some(PieceType::Knight) => 3 << 14,
        Some(PieceType::Bishop) => 3 << 14 | 1 << 12,
        Some(PieceType::Rook) => 3 << 14 | 2 << 12,
        Some(_) => 3 << 14 | 3 << 12,
    };
    let kind = u16::from(mv.is_en_passant()) << 14 | u16::from(mv.is_castling()) << 15;
    mv.from().index() as u16 | (mv.to().index() as u16) << 6 | promotion | kind
}

/// Collects the moves of one game.
#[derive(Clone, Debug)]
pub struct GameWriter {
    bytes: Vec<u8>,
}

impl GameWriter {
    /// A game that begins with `board`.
    #[must_use]
    pub fn new(board: &Board) -> Self {
        Self { bytes: pack(board).to_vec() }
    }

    /// Adds a move with its score in centipawns for White.
    pub fn push(&mut self, mv: Move, score: i16) {
        self.bytes.extend_from_slice(&encode(mv).to_le_bytes());
        self.bytes.extend_from_slice(&score.to_le_bytes());
    }

    /// Number of moves.
    #[must_use]
    pub fn len(&self) -> usize {
        (self.bytes.len() - POSITION_LEN) / MOVE_LEN
    }

    /// Whether there are no moves.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes of the game. `result` is White's: 1 won, 0 drawn, -1 lost.
    #[must_use]
    pub fn finish(mut self, result: i8) -> Vec<u8> {
        self.bytes[30] = (result.clamp(-1, 1) + 1) as u8;
        self.bytes.extend_from_slice(&[0; MOVE_LEN]);
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Random games from Chess960 starts survive the way through the format, and the format's own crate reads
    /// them the same way.
    #[test]
    fn games_survive_the_way_through_the_format() {
        let mut random = Random::new(1, 2);
        for number in 0..100 {
            let start = if number % 2 == 0 {
                Board::startpos()
            } else {
                Board::dfrc(random.below(960) as u16, random.below(960) as u16)
            };
            let mut board = start.clone();
            let mut writer = GameWriter::new(&start);
            let mut played = Vec::new();
            while let moves = board.legal_moves()
                && !moves.is_empty()
                && played.len() < 150
            {
                let mv = moves[random.below(moves.len() as u64) as usize];
                let score = random.below(4000) as i16 - 2000;
                played.push((board.shredder_fen(), mv, score));
                writer.push(mv, score);
                board.make_move(mv, &mut movegen::NoObserver);
            }
            let bytes = writer.finish(number % 3 - 1);
            let mut games = Games::new(&bytes);
            let game = games.next().expect("one game");
            assert_eq!((games.rest(), game.len(), game.bytes()), (0, played.len(), &bytes[..]));
            let mut seen = Vec::new();
            let (last, result) =
                replay(&game, |ply| seen.push((ply.board.shredder_fen(), ply.mv, ply.score))).expect("legal");
            assert_eq!((last.shredder_fen(), i8::try_from(result)), (board.shredder_fen(), Ok(number % 3)));
            assert_eq!(seen, played);

            let mut buffer = Vec::new();
            let theirs = ::viriformat::dataformat::Game::deserialise_from(
                &mut &bytes[..],
                std::mem::take(&mut buffer),
            )
            .expect("the crate reads the game");
            assert_eq!(theirs.len(), played.len());
            let mut place = 0;
            theirs.visit_positions(|position, score| {
                assert_eq!(score, i32::from(played[place].2));
                let ours = Board::from_fen(&played[place].0).expect("own position");
                assert_eq!(position.pieces.occupied().inner(), ours.occupied().0);
                place += 1;
            });
            assert_eq!(place, played.len());
        }
    }

    #[test]
    fn damaged_games_are_reported() {
        let board = Board::startpos();
        let mut writer = GameWriter::new(&board);
        writer.push(board.parse_uci("e2e4").expect("legal"), 20);
        let whole = writer.finish(0);
        for (place, value) in [(12, 0xF1), (30, 3), (32, 0xFF), (0, 0)] {
            let mut bytes = whole.clone();
            bytes[place] = value;
            let game = Games::new(&bytes).next().expect("whole");
            assert!(replay(&game, |_| {}).is_err(), "byte {place}");
        }
        for len in 0..whole.len() {
            assert!(Games::new(&whole[..len]).next().is_none());
        }
    }
}
