//! Self-play games on disk: docs/data-draughts.md describes the bytes.
//!
//! A file is a header and whole games, appended one after the other. A game that was being written when
//! the program ended is an incomplete last record, or after a loss of power a tail of zero bytes; [`resume`]
//! cuts off both. Whatever else is no whole game is damage: the file is refused and left as it is.

use crate::rules::International;
use crate::selfplay::LONGEST;
use crate::{Bitboard, Color, Move, Position, Square, legal_moves};
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, ErrorKind, Read, Seek, SeekFrom};
use std::path::Path;

/// The first bytes of a file: name and version of the format.
pub const MAGIC: [u8; 8] = *b"DDRGHT01";
/// Bytes of a record before its plies.
const HEAD: usize = 28;
/// Bytes of a ply.
const PLY: usize = 4;
/// Bytes of the checksum behind the plies.
const TAIL: usize = 4;

/// How a game ended, for White.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameResult {
    /// White lost.
    Loss,
    /// A draw.
    Draw,
    /// White won.
    Win,
}

impl GameResult {
    /// The result for a side: 0 lost, 0.5 drawn, 1 won.
    pub fn value(self, color: Color) -> f32 {
        let white = match self {
            Self::Loss => 0.0,
            Self::Draw => 0.5,
            Self::Win => 1.0,
        };
        if color == Color::White { white } else { 1.0 - white }
    }
}

/// A move and what the search that chose it said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ply {
    /// The move, as [`encode`] writes it.
    pub code: u16,
    /// The score for the side that moved, in hundredths of a man.
    pub score: i16,
}

/// A game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// Where it began.
    pub start: Position,
    /// What was played.
    pub plies: Vec<Ply>,
    /// How it ended.
    pub result: GameResult,
    /// Whether it was ended by the scores and not by the rules.
    pub adjudicated: bool,
}

/// Why a record cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// The file cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file does not begin with [`MAGIC`].
    #[error("not a file of draughts games")]
    Magic,
    /// The file ends inside a record.
    #[error("the last game is incomplete")]
    Torn,
    /// A record says that it is longer than games are.
    #[error("damaged game: it claims {0} plies")]
    Length(usize),
    /// What follows the last whole game is not the beginning of another one.
    #[error("damaged behind the last whole game")]
    Tail,
    /// The checksum does not match.
    #[error("damaged game")]
    Checksum,
    /// The checksum matches and the content is impossible.
    #[error("impossible game: {0}")]
    Content(String),
}

/// Start, end and rank of a move among the legal ones with the same start and end, these sorted by
/// captured set; `None` when there are more than 16 such moves.
pub fn encode(mv: Move, legal: &[Move]) -> Option<u16> {
    let same = |other: &&Move| (other.from, other.to) == (mv.from, mv.to);
    let rank = legal.iter().filter(same).filter(|other| other.captured.bits() < mv.captured.bits()).count();
    (rank < 16).then_some((mv.from.index() as u16) << 10 | (mv.to.index() as u16) << 4 | rank as u16)
}

/// The move that a code means.
pub fn decode(code: u16, legal: &[Move]) -> Option<Move> {
    legal.iter().copied().find(|&mv| encode(mv, legal) == Some(code))
}

impl Record {
    /// Every position in which a move was chosen, the move, and the score for the side that moved.
    ///
    /// # Errors
    /// When a move is not legal.
    pub fn replay(&self) -> Result<Vec<(Position, Move, i16)>, DataError> {
        let mut position = self.start;
        let mut found = Vec::with_capacity(self.plies.len());
        for (n, ply) in self.plies.iter().enumerate() {
            let legal = legal_moves::<International>(&position);
            let mv = decode(ply.code, &legal)
                .ok_or_else(|| DataError::Content(format!("move {} is not legal", n + 1)))?;
            found.push((position, mv, ply.score));
            position = position.play::<International>(mv);
        }
        Ok(found)
    }

    /// The bytes of the record.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEAD + PLY * self.plies.len() + TAIL);
        let plies = u16::try_from(self.plies.len()).unwrap_or(u16::MAX);
        bytes.extend(plies.to_le_bytes());
        bytes.push(self.result as u8);
        bytes.push(u8::from(self.start.turn() == Color::Black) | u8::from(self.adjudicated) << 1);
        for set in [self.start.pieces(Color::White), self.start.pieces(Color::Black), self.start.all_kings()]
        {
            let squares = set.into_iter().fold(0u64, |bits, square| bits | 1 << square.index());
            bytes.extend(squares.to_le_bytes());
        }
        for ply in &self.plies[..usize::from(plies)] {
            bytes.extend(ply.code.to_le_bytes());
            bytes.extend(ply.score.to_le_bytes());
        }
        let sum = checksum(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self, DataError> {
        let (content, sum) = bytes.split_last_chunk::<TAIL>().ok_or(DataError::Torn)?;
        if checksum(content) != u32::from_le_bytes(*sum) {
            return Err(DataError::Checksum);
        }
        let (head, plies) = content.split_at_checked(HEAD).ok_or(DataError::Torn)?;
        let impossible = |text: &str| DataError::Content(text.to_owned());
        let result = match head[2] {
            0 => GameResult::Loss,
            1 => GameResult::Draw,
            2 => GameResult::Win,
            _ => return Err(impossible("result")),
        };
        let set = |at: usize| {
            let bits = head[at..at + 8].iter().rev().fold(0u64, |bits, &byte| bits << 8 | u64::from(byte));
            Square::all().filter(|square| bits >> square.index() & 1 != 0).collect::<Bitboard>()
        };
        let turn = if head[3] & 1 != 0 { Color::Black } else { Color::White };
        let start = Position::new([set(4), set(12)], set(20), turn)
            .map_err(|error| DataError::Content(error.to_string()))?;
        let plies = plies
            .chunks_exact(PLY)
            .map(|ply| Ply {
                code: u16::from_le_bytes([ply[0], ply[1]]),
                score: i16::from_le_bytes([ply[2], ply[3]]),
            })
            .collect();
        Ok(Self { start, plies, result, adjudicated: head[3] & 2 != 0 })
    }
}

/// Bytes of a record of so many plies.
const fn size(plies: usize) -> usize {
    HEAD + PLY * plies + TAIL
}

/// FNV-1a, 32 bits.
pub(crate) fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811C_9DC5, |hash, &byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// Reads the games of a file in order.
pub struct Reader<R> {
    input: R,
    /// Bytes up to the end of the last whole game.
    position: u64,
    failed: bool,
}

impl Reader<BufReader<File>> {
    /// Opens a file.
    ///
    /// # Errors
    /// When it cannot be read or is not of this format.
    pub fn open(path: &Path) -> Result<Self, DataError> {
        Self::new(BufReader::with_capacity(1 << 20, File::open(path)?))
    }
}

impl<R: Read> Reader<R> {
    /// Reads from `input`.
    ///
    /// # Errors
    /// When the header cannot be read or is another one.
    pub fn new(mut input: R) -> Result<Self, DataError> {
        let mut magic = [0; MAGIC.len()];
        match input.read_exact(&mut magic) {
            Ok(()) if magic == MAGIC => Ok(Self { input, position: MAGIC.len() as u64, failed: false }),
            Ok(()) => Err(DataError::Magic),
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => Err(DataError::Magic),
            Err(error) => Err(error.into()),
        }
    }

    /// Bytes of the file up to the end of the last game read.
    pub fn position(&self) -> u64 {
        self.position
    }

    fn read(&mut self) -> Result<Option<Record>, DataError> {
        let mut bytes = vec![0; HEAD];
        match fill(&mut self.input, &mut bytes)? {
            0 => return Ok(None),
            HEAD => {}
            _ => return Err(DataError::Torn),
        }
        let plies = usize::from(u16::from_le_bytes([bytes[0], bytes[1]]));
        if plies > LONGEST {
            return Err(DataError::Length(plies));
        }
        let length = size(plies);
        bytes.resize(length, 0);
        if fill(&mut self.input, &mut bytes[HEAD..])? != length - HEAD {
            return Err(DataError::Torn);
        }
        let record = Record::from_bytes(&bytes)?;
        self.position += length as u64;
        Ok(Some(record))
    }
}

/// Reads as many bytes as there are, up to the length of `bytes`.
fn fill(input: &mut impl Read, bytes: &mut [u8]) -> io::Result<usize> {
    let mut length = 0;
    while length < bytes.len() {
        match input.read(&mut bytes[length..]) {
            Ok(0) => break,
            Ok(count) => length += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(length)
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<Record, DataError>;

    /// The next game; after an error there is none.
    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let record = self.read().transpose();
        self.failed = matches!(record, Some(Err(_)));
        record
    }
}

/// What a file holds already.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stock {
    /// Whole games.
    pub games: u64,
    /// Their plies.
    pub positions: u64,
    /// Bytes of an incomplete last game that were cut off.
    pub cut: u64,
}

/// Opens a file to append games, makes it if there is none, counts what is there and cuts off a last game
/// that is not whole.
///
/// # Errors
/// When the file cannot be opened, is of another kind, or is damaged; it is left as it was then.
pub fn resume(path: &Path) -> Result<(BufWriter<File>, Stock), DataError> {
    let mut file = File::options().read(true).write(true).create(true).truncate(false).open(path)?;
    let length = file.metadata()?.len();
    let mut stock = Stock::default();
    if length < MAGIC.len() as u64 {
        let mut begun = Vec::new();
        file.read_to_end(&mut begun)?;
        if !MAGIC.starts_with(&begun) {
            return Err(DataError::Magic);
        }
        file.set_len(0)?;
        file.seek(SeekFrom::Start(0))?;
        io::Write::write_all(&mut file, &MAGIC)?;
        return Ok((BufWriter::new(file), stock));
    }
    let mut reader = Reader::new(BufReader::with_capacity(1 << 20, &file))?;
    let mut fault = None;
    for record in reader.by_ref() {
        match record {
            Ok(record) => {
                stock.games += 1;
                stock.positions += record.plies.len() as u64;
            }
            Err(error) => fault = Some(error),
        }
    }
    let whole = reader.position();
    drop(reader);
    if let Some(error) = fault {
        file.seek(SeekFrom::Start(whole))?;
        if !is_zero(BufReader::with_capacity(1 << 16, &file))? {
            if !matches!(error, DataError::Torn) {
                return Err(error);
            }
            // What is torn is shorter than the longest game.
            let mut tail = Vec::new();
            file.seek(SeekFrom::Start(whole))?;
            Read::take(&mut file, size(LONGEST) as u64).read_to_end(&mut tail)?;
            if !is_unfinished(&tail) {
                return Err(DataError::Tail);
            }
        }
    }
    stock.cut = length - whole;
    file.set_len(whole)?;
    file.seek(SeekFrom::End(0))?;
    Ok((BufWriter::new(file), stock))
}

/// Whether there are only zero bytes.
fn is_zero(mut input: impl BufRead) -> io::Result<bool> {
    loop {
        let bytes = input.fill_buf()?;
        if bytes.is_empty() {
            return Ok(true);
        }
        if bytes.iter().any(|&byte| byte != 0) {
            return Ok(false);
        }
        let count = bytes.len();
        input.consume(count);
    }
}

/// Whether bytes can be the beginning of a record that was being written: its head is possible, and there is no
/// whole game in them. One that is there proves that only a count of plies is damaged: the count of the first
/// record, which would be whole with another one, or of one before a whole record.
fn is_unfinished(tail: &[u8]) -> bool {
    let count = tail.first_chunk().map(|&count| usize::from(u16::from_le_bytes(count)));
    let is_head = count.is_none_or(|plies| (1..=LONGEST).contains(&plies))
        && tail.get(2).is_none_or(|&result| result <= GameResult::Win as u8)
        && tail.get(3).is_none_or(|&flags| flags <= 3);
    let is_whole_with = |plies: u16| {
        tail.get(..size(usize::from(plies))).is_some_and(|bytes| {
            let mut bytes = bytes.to_vec();
            bytes[..2].copy_from_slice(&plies.to_le_bytes());
            Record::from_bytes(&bytes).is_ok()
        })
    };
    let begins_whole = |bytes: &[u8]| {
        let plies = bytes.first_chunk().map(|&count| usize::from(u16::from_le_bytes(count)));
        let record = plies.and_then(|plies| bytes.get(..size(plies)));
        record.is_some_and(|record| Record::from_bytes(record).is_ok())
    };
    is_head
        && !(1..=LONGEST as u16).any(is_whole_with)
        && !(1..tail.len()).any(|at| begins_whole(&tail[at..]))
}
