//! Standard algebraic notation (FIDE Laws, appendix C; PGN standard, section 8.2.3).

use super::Board;
use crate::position::for_side;
use crate::types::{File, Move, Piece, PieceType, Rank, Square, Wing};

/// A text that is no move of the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SanError {
    /// It does not look like a move.
    #[error("not a move in algebraic notation")]
    Malformed,
    /// No legal move fits.
    #[error("illegal move")]
    Illegal,
    /// Several legal moves fit.
    #[error("ambiguous move")]
    Ambiguous,
}

/// What a text says about a move.
#[derive(Clone, Copy, Debug, Default)]
struct Description {
    /// `None`: not said, as in `g1f3`.
    kind: Option<PieceType>,
    from_file: Option<File>,
    from_rank: Option<Rank>,
    promotion: Option<PieceType>,
}

impl Description {
    fn fits(&self, board: &Board, mv: Move) -> bool {
        let kind = board.piece_on(mv.from()).map(Piece::kind);
        (self.kind.is_none() || self.kind == kind)
            && self.from_file.is_none_or(|file| mv.from().file() == file)
            && self.from_rank.is_none_or(|rank| mv.from().rank() == rank)
            && match mv.promotion() {
                Some(kind) => kind == self.promotion.unwrap_or(PieceType::Queen),
                None => self.promotion.is_none(),
            }
    }
}

impl Board {
    /// A legal move in English algebraic notation, as short as it can be: `Nbd7`, `exd6`, `e8=Q+`, `O-O#`.
    pub fn san(&self, mv: Move) -> String {
        let mut text = String::with_capacity(7);
        let kind = self.piece_on(mv.from()).map_or(PieceType::Pawn, Piece::kind);
        if mv.is_castling() {
            text.push_str(match Wing::of(mv.from(), mv.to()) {
                Wing::King => "O-O",
                Wing::Queen => "O-O-O",
            });
        } else {
            if kind == PieceType::Pawn {
                if mv.is_capture() {
                    text.push(mv.from().file().to_char());
                }
            } else {
                text.push(kind.to_char());
                self.push_origin(&mut text, mv, kind);
            }
            if mv.is_capture() {
                text.push('x');
            }
            text.push(mv.to().file().to_char());
            text.push(mv.to().rank().to_char());
            if let Some(kind) = mv.promotion() {
                text.push('=');
                text.push(kind.to_char());
            }
        }
        if self.gives_check(mv) {
            text.push(if self.mates(mv, kind) { '#' } else { '+' });
        }
        text
    }

    /// Writes what is needed to tell a man from others that could go to the same square: the file if that
    /// is enough, else the rank, else both.
    fn push_origin(&self, text: &mut String, mv: Move, kind: PieceType) {
        let from = mv.from();
        let (mut others, mut same_file, mut same_rank) = (false, false, false);
        for other in self.legal_moves() {
            let rival = other.to() == mv.to()
                && other.from() != from
                && !other.is_castling()
                && self.piece_on(other.from()).map(Piece::kind) == Some(kind);
            if rival {
                others = true;
                same_file |= other.from().file() == from.file();
                same_rank |= other.from().rank() == from.rank();
            }
        }
        if others && (!same_file || same_rank) {
            text.push(from.file().to_char());
        }
        if same_file {
            text.push(from.rank().to_char());
        }
    }

    /// Whether a move that gives check leaves no answer.
    fn mates(&self, mv: Move, kind: PieceType) -> bool {
        let mut after = self.position;
        for_side!(self.side_to_move(), S => {
            after.apply::<S, _>(mv.from(), mv.to(), mv.flag(), kind, &mut crate::position::Unrecorded);
        });
        for_side!(after.side, S => !after.has_legal_move(&after.king_lines::<S>()))
    }

    /// Reads a legal move in algebraic notation. English letters; forgiving: the origin may be missing where
    /// only one legal move fits or be longer than needed, `x`, `-`, `:`, `=`, `+`, `#`, `!`, `?`, `e.p.` may
    /// be there or not, castling may be written with O, o or 0, a promotion without a letter is to a queen,
    /// the man's letter may be in lower case where that is not a file, and plain squares (`g1f3`) will do.
    ///
    /// # Errors
    /// See [`SanError`].
    pub fn parse_san(&self, text: &str) -> Result<Move, SanError> {
        let text = strip_suffixes(text.trim());
        if let Some(wing) = parse_castling(text) {
            let mut moves = self.legal_moves().into_iter();
            return moves
                .find(|mv| mv.is_castling() && Wing::of(mv.from(), mv.to()) == wing)
                .ok_or(SanError::Illegal);
        }
        let characters: Vec<char> =
            text.chars().filter(|letter| !matches!(letter, 'x' | 'X' | ':' | '-' | '(' | ')')).collect();
        let (&first, rest) = characters.split_first().ok_or(SanError::Malformed)?;
        let letter = PieceType::from_char(first);
        // A small b is a file first, and a bishop only if no pawn fits.
        if first == 'b' {
            let as_pawn = self.find_described(None, &characters);
            return match as_pawn {
                Ok(mv) => Ok(mv),
                Err(SanError::Ambiguous) => Err(SanError::Ambiguous),
                Err(error) => self.find_described(letter, rest).map_err(|_| error),
            };
        }
        match letter {
            Some(kind) => self.find_described(Some(kind), rest),
            None => self.find_described(None, &characters),
        }
    }

    /// Finds the legal move that the squares and the promotion describe.
    fn find_described(&self, kind: Option<PieceType>, text: &[char]) -> Result<Move, SanError> {
        let (squares, promotion) = match text {
            [squares @ .., '=' | '/', letter] => (squares, Some(*letter)),
            [squares @ .., digit, letter] if digit.is_ascii_digit() && letter.is_ascii_alphabetic() => {
                (&text[..squares.len() + 1], Some(*letter))
            }
            _ => (text, None),
        };
        let promotion = match promotion.map(PieceType::from_char) {
            None => None,
            Some(None | Some(PieceType::Pawn | PieceType::King)) => return Err(SanError::Malformed),
            Some(kind) => kind,
        };
        let [origin @ .., file, rank] = squares else { return Err(SanError::Malformed) };
        let (Some(file), Some(rank)) = (File::from_char(*file), Rank::from_char(*rank)) else {
            return Err(SanError::Malformed);
        };
        let target = Square::new(file, rank);
        let (from_file, from_rank) = match origin {
            [] => (None, None),
            [one] => (File::from_char(*one), Rank::from_char(*one)),
            [file, rank] => (File::from_char(*file), Rank::from_char(*rank)),
            _ => return Err(SanError::Malformed),
        };
        if usize::from(from_file.is_some()) + usize::from(from_rank.is_some()) != origin.len() {
            return Err(SanError::Malformed);
        }
        // Without a letter it is a pawn's move, unless both squares are given.
        let kind = kind.or(if origin.len() == 2 { None } else { Some(PieceType::Pawn) });
        let description = Description { kind, from_file, from_rank, promotion };
        let moves = self.legal_moves();
        let mut fitting = moves
            .into_iter()
            .filter(|mv| !mv.is_castling() && mv.to() == target && description.fits(self, *mv));
        match (fitting.next(), fitting.next()) {
            (Some(mv), None) => Ok(mv),
            (Some(_), Some(_)) => Err(SanError::Ambiguous),
            (None, _) => Err(SanError::Illegal),
        }
    }
}

/// Removes what may follow a move: check and mate signs, comments on its quality, `e.p.`, a draw offer.
fn strip_suffixes(mut text: &str) -> &str {
    loop {
        let shorter = text.trim_end_matches(['+', '#', '!', '?', ' ', '.']);
        let shorter = ["(=)", "e.p", "ep"]
            .into_iter()
            .find_map(|suffix| shorter.strip_suffix(suffix))
            .unwrap_or(shorter);
        if shorter.len() == text.len() {
            return text;
        }
        text = shorter;
    }
}

/// Recognises castling: two or three letters O, o or digits 0, with or without dashes.
fn parse_castling(text: &str) -> Option<Wing> {
    let is_round = |letter| matches!(letter, 'O' | 'o' | '0');
    if !text.starts_with(is_round) || text.contains(|letter| !is_round(letter) && letter != '-') {
        return None;
    }
    match text.chars().filter(|&letter| is_round(letter)).count() {
        2 => Some(Wing::King),
        3 => Some(Wing::Queen),
        _ => None,
    }
}
