//! Table files: a header, the place of each block, the blocks.
//!
//! | bytes | what (numbers little-endian) |
//! |---|---|
//! | 0-7 | `DyadBB` CR LF |
//! | 8 | version, 1 |
//! | 9 | kind: 0 values, 1 distances |
//! | 10-13 | men and kings of the side to move, men and kings of the other |
//! | 14-15 | 0 |
//! | 16-23 | length of the file |
//! | 24-55 | won, drawn and lost positions, and the longest win or loss in plies |
//! | 56-59 | 0 |
//! | 60-63 | CRC-32 of bytes 0-59 and of all that follows |
//! | 64- | for each block where it begins, 4 bytes, from byte 64 on; then the blocks |
//!
//! Several files one after the other are a file too: the tables inside the program are kept so.

use super::codec::{DISTANCES, VALUES, decode_distances, decode_value, encode_distances, encode_values};
use super::solve::{Solution, Totals};
use super::{Code, Slice, Value};
use memmap2::Mmap;
use rayon::prelude::*;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

const MAGIC: &[u8; 8] = b"DyadBB\r\n";
const VERSION: u8 = 1;
const HEADER: usize = 64;

/// What a file tells about its positions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// Win, draw or loss.
    Values,
    /// Plies to the end, for lost positions.
    Distances,
}

impl Kind {
    /// Both kinds.
    pub const ALL: [Self; 2] = [Self::Values, Self::Distances];

    /// The ending of the names of files of this kind.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Values => "bb",
            Self::Distances => "bd",
        }
    }

    const fn block(self) -> usize {
        match self {
            Self::Values => VALUES,
            Self::Distances => DISTANCES,
        }
    }
}

/// The name of a slice's file of a kind: `1102.bb`.
pub fn name(slice: Slice, kind: Kind) -> String {
    format!("{slice}.{}", kind.extension())
}

/// Why a file is not a table.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It cannot be opened or read.
    #[error("cannot read: {0}")]
    Io(#[from] io::Error),
    /// A folder, a device or the like.
    #[error("not a file")]
    NotAFile,
    /// It ends before the header or before the length that the header tells.
    #[error("too short ({got} bytes, should be {expected})")]
    Short {
        /// Bytes there.
        got: usize,
        /// Bytes needed.
        expected: u64,
    },
    /// It goes on after the length that the header tells.
    #[error("too long")]
    Long,
    /// It does not begin like a table.
    #[error("not a table of this program")]
    Foreign,
    /// The version is not ours.
    #[error("version {0} (this program reads {VERSION})")]
    Version(u8),
    /// Kind, material or length are impossible.
    #[error("damaged header")]
    Header,
    /// Some byte has changed.
    #[error("damaged (wrong checksum)")]
    Checksum,
}

/// Bytes of tables.
#[derive(Clone)]
pub enum Bytes {
    /// In the program.
    Static(&'static [u8]),
    /// Mapped from a file.
    Mapped(Arc<Mmap>),
}

impl Bytes {
    #[inline]
    fn get(&self) -> &[u8] {
        match self {
            Self::Static(bytes) => bytes,
            Self::Mapped(map) => map,
        }
    }

    /// Maps a file.
    ///
    /// # Errors
    /// When it cannot be read, is no regular file, or is too short for a header.
    pub fn map(path: &Path) -> Result<Self, FileError> {
        // Opening a pipe would wait for a writer.
        if !std::fs::metadata(path)?.is_file() {
            return Err(FileError::NotAFile);
        }
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        if length < HEADER as u64 {
            return Err(FileError::Short { got: length as usize, expected: HEADER as u64 });
        }
        // SAFETY: The map is only read. Table files are written under another name and renamed, never
        // changed in place, by this program; whoever cuts a file that is in use ends the program, as with
        // every mapped file.
        let map = unsafe { Mmap::map(&file)? };
        Ok(Self::Mapped(Arc::new(map)))
    }
}

/// A table: one slice's values or distances, checked when it was opened.
#[derive(Clone)]
pub struct Table {
    /// The material.
    pub slice: Slice,
    /// What it tells.
    pub kind: Kind,
    /// Counted when it was made, captures included.
    pub totals: Totals,
    bytes: Bytes,
    /// The part of `bytes` that is this table, after the header.
    start: usize,
    end: usize,
}

impl Table {
    /// Reads all tables in `bytes`, one after the other.
    ///
    /// # Errors
    /// When one is damaged.
    pub fn read_all(bytes: &Bytes) -> Result<Vec<Self>, FileError> {
        let mut tables = Vec::new();
        let mut start = 0;
        while start < bytes.get().len() {
            let table = Self::read(bytes, start)?;
            start = table.end;
            tables.push(table);
        }
        Ok(tables)
    }

    /// Maps and checks the file of one table.
    ///
    /// # Errors
    /// When it cannot be read, is damaged, or holds more.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        let bytes = Bytes::map(path)?;
        let table = Self::read(&bytes, 0)?;
        if table.end < bytes.get().len() { Err(FileError::Long) } else { Ok(table) }
    }

    fn read(bytes: &Bytes, start: usize) -> Result<Self, FileError> {
        let all = bytes.get().get(start..).unwrap_or_default();
        let short = |expected| FileError::Short { got: all.len(), expected };
        let header = all.get(..HEADER).ok_or_else(|| short(HEADER as u64))?;
        if !header.starts_with(MAGIC) {
            return Err(FileError::Foreign);
        }
        if header[8] != VERSION {
            return Err(FileError::Version(header[8]));
        }
        let kind = *Kind::ALL.get(usize::from(header[9])).ok_or(FileError::Header)?;
        let slice = Slice { men: [header[10], header[12]], kings: [header[11], header[13]] };
        let number =
            |at: usize| header[at..at + 8].iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte));
        let length = number(16);
        if header[10..14].iter().any(|&count| count > 50)
            || !slice.is_proper()
            || length < HEADER as u64 + 4 * slice.size().div_ceil(kind.block() as u64)
        {
            return Err(FileError::Header);
        }
        let whole =
            usize::try_from(length).ok().and_then(|length| all.get(..length)).ok_or_else(|| short(length))?;
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&whole[..60]);
        hasher.update(&whole[HEADER..]);
        if header[60..] != hasher.finalize().to_le_bytes() {
            return Err(FileError::Checksum);
        }
        let totals = Totals { wins: number(24), draws: number(32), losses: number(40), longest: number(48) };
        let end = start + whole.len();
        Ok(Self { slice, kind, totals, bytes: bytes.clone(), start: start + HEADER, end })
    }

    /// Bytes, the header included.
    pub const fn length(&self) -> u64 {
        (self.end - self.start + HEADER) as u64
    }

    /// The bytes from the start of a block to the end of the table.
    #[inline]
    fn block(&self, block: usize) -> Option<&[u8]> {
        let body = self.bytes.get().get(self.start..self.end)?;
        let place = body.get(4 * block..)?.first_chunk::<4>()?;
        body.get(u32::from_le_bytes(*place) as usize..)
    }

    /// The value of the position with a number, if the table is one of values. A position in which the
    /// side to move must capture has any.
    #[inline]
    pub fn value(&self, index: u64) -> Option<Value> {
        let (block, place) = (index as usize / VALUES, index as usize % VALUES);
        decode_value(self.block(block)?, place)
    }

    /// The code of the lost position with a number, if the table is one of distances. Slow: a whole block
    /// is read.
    pub fn lost_code(&self, index: u64) -> Option<Code> {
        let (block, place) = (index as usize / DISTANCES, index as usize % DISTANCES);
        self.lost_codes(block)?.get(place).map(|&byte| Code::from_byte(byte))
    }

    /// The codes of the lost positions of a block of [`DISTANCES`]; other positions have any, or none.
    pub(super) fn lost_codes(&self, block: usize) -> Option<Vec<u8>> {
        let size =
            (self.slice.size() as usize - (block * DISTANCES).min(self.slice.size() as usize)).min(DISTANCES);
        let bytes = self.block(block)?;
        let next = self.block(block + 1).filter(|_| (block + 1) * DISTANCES < self.slice.size() as usize);
        let length = next.map_or(bytes.len(), |next| bytes.len().saturating_sub(next.len()));
        decode_distances(&bytes[..length], size)
    }
}

/// Writes a solved slice's file of a kind into a folder, under another name first. Returns its length in
/// bytes.
///
/// # Errors
/// When writing fails.
pub fn write(folder: &Path, solution: &Solution, kind: Kind) -> io::Result<u64> {
    let codes: Vec<Option<Code>> = solution.stored().collect();
    let blocks: Vec<Vec<u8>> = codes
        .par_chunks(kind.block())
        .map(|codes| {
            let mut block = Vec::new();
            match kind {
                Kind::Values => {
                    let values: Vec<_> = codes.iter().map(|code| code.map(Code::value)).collect();
                    encode_values(&values, &mut block);
                }
                Kind::Distances => encode_distances(codes, &mut block),
            }
            block
        })
        .collect();
    let mut place = 4 * blocks.len();
    let mut places = Vec::with_capacity(place);
    for block in &blocks {
        let at = u32::try_from(place).map_err(|_| io::Error::other("a table of more than 4 GiB"))?;
        places.extend(at.to_le_bytes());
        place += block.len();
    }
    let slice = solution.slice;
    let totals = solution.totals();
    let length = (HEADER + place) as u64;
    let mut header = Vec::with_capacity(HEADER);
    header.extend(MAGIC);
    header.extend([VERSION, kind as u8]);
    header.extend([slice.men[0], slice.kings[0], slice.men[1], slice.kings[1], 0, 0]);
    for number in [length, totals.wins, totals.draws, totals.losses, totals.longest] {
        header.extend(number.to_le_bytes());
    }
    header.extend([0; 4]);
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&header);
    hasher.update(&places);
    blocks.iter().for_each(|block| hasher.update(block));
    header.extend(hasher.finalize().to_le_bytes());

    let path = folder.join(name(slice, kind));
    let temporary = path.with_extension(format!("{}.tmp", kind.extension()));
    let mut file = BufWriter::new(File::create(&temporary)?);
    file.write_all(&header)?;
    file.write_all(&places)?;
    blocks.iter().try_for_each(|block| file.write_all(block))?;
    file.into_inner().map_err(|error| error.into_error())?.sync_all()?;
    std::fs::rename(&temporary, &path)?;
    Ok(length)
}
