//! Weights on disk: docs/training-draughts.md describes the bytes.

use super::pattern::{REGIONS, ROWS, STATES, all_states, cell, parts, states};
use super::term::TERMS;
use crate::Square;
use crate::data::checksum;
use std::io;
use std::path::Path;

/// The first bytes of a file: name and version of the format.
pub const MAGIC: [u8; 8] = *b"DDEVAL02";
/// Where the men by square begin, as their side sees the board: behind the terms.
pub const MEN: usize = TERMS;
/// Where the states of the parts of two rows begin.
pub const PAIRS: usize = MEN + Square::NUM;
/// Where the states of the parts of three rows begin.
pub const TRIPLES: usize = PAIRS + all_states(2);
/// Where the states of the regions begin.
pub const PATTERNS: usize = TRIPLES + all_states(3);
/// Number of weights.
pub const COUNT: usize = PATTERNS + REGIONS * STATES;
/// Greatest size of a file, in bytes: every weight written out.
const LARGEST: u64 = (COUNT * 7 + 64) as u64;

/// Parts of a hundredth of a man in which weights are counted.
pub const UNIT: i32 = 16;

/// What a feature is worth, in parts ([`UNIT`]) of hundredths of a man: with forty men on the board, and with none.
/// In between in proportion.
pub type Weight = [i16; 2];

/// Why a file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum WeightError {
    /// The file cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A folder, a device, a pipe or the like.
    #[error("not a regular file")]
    NotAFile,
    /// The file does not begin with [`MAGIC`].
    #[error("not a file of draughts weights")]
    Magic,
    /// Terms, regions or rows are not those of this program.
    #[error("weights of another evaluation")]
    Layout,
    /// The checksum does not match, or the file ends early or goes on.
    #[error("damaged weights")]
    Damaged,
}

/// Adds the weights of men by square to the parts of two rows, those to the parts of three rows, and those to the
/// regions, each to one, so that the evaluation need look at the regions only. States that no game showed keep what
/// their men and parts are worth.
pub fn fold(weights: &mut [Weight]) {
    let (men, pairs) = weights[MEN..TRIPLES].split_at_mut(Square::NUM);
    // Each half of the board is looked at once: by the side whose half it is.
    for square in Square::all().filter(|square| square.row() >= 5) {
        let Some((part, power)) = cell(square.bit()) else { continue };
        let (own, other) = (men[square.index()], men[Square::NUM - 1 - square.index()]);
        for empty in pairs[part * states(2)..][..states(2)].chunks_exact_mut(3 * power) {
            let (_, rest) = empty.split_at_mut(power);
            let (owns, others) = rest.split_at_mut(power);
            owns.iter_mut().for_each(|weight| add(weight, own));
            others.iter_mut().for_each(|weight| add(weight, other.map(i16::saturating_neg)));
        }
    }
    raise(&mut weights[PAIRS..PATTERNS], 2);
    raise(&mut weights[TRIPLES..], 3);
}

/// Adds the weights of the parts of `rows` rows, with which `weights` begins, to those of one row more behind them.
fn raise(weights: &mut [Weight], rows: usize) {
    let (smaller, larger) = weights.split_at_mut(all_states(rows));
    for (index, seen) in larger.chunks_exact_mut(states(rows + 1)).enumerate() {
        for (first, divisor) in parts(index, rows) {
            // Runs of `divisor` states hold the same part.
            let part = smaller[first..][..states(rows)].iter();
            for (run, weight) in seen.chunks_exact_mut(divisor).zip(part.cycle()) {
                run.iter_mut().for_each(|state| add(state, *weight));
            }
        }
    }
}

fn add(weight: &mut Weight, other: Weight) {
    for (part, more) in weight.iter_mut().zip(other) {
        *part = part.saturating_add(more);
    }
}

/// The layout: terms, regions, rows of a region.
const LAYOUT: [u8; 3] = [TERMS as u8, REGIONS as u8, ROWS as u8];

/// The bytes of a file.
pub fn to_bytes(weights: &[Weight]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(weights.len());
    bytes.extend(MAGIC);
    bytes.extend(LAYOUT);
    let mut zeros = 0u32;
    for &[full, bare] in weights {
        if [full, bare] == [0, 0] {
            zeros += 1;
            continue;
        }
        number(&mut bytes, zeros);
        number(&mut bytes, zigzag(full));
        number(&mut bytes, zigzag(bare));
        zeros = 0;
    }
    let sum = checksum(&bytes);
    bytes.extend(sum.to_le_bytes());
    bytes
}

/// Reads what [`to_bytes`] wrote.
///
/// # Errors
/// When the bytes are of another kind or damaged.
pub fn from_bytes(bytes: &[u8]) -> Result<Box<[Weight]>, WeightError> {
    let (content, sum) = bytes.split_last_chunk::<4>().ok_or(WeightError::Magic)?;
    let body = content.strip_prefix(&MAGIC).ok_or(WeightError::Magic)?;
    if checksum(content) != u32::from_le_bytes(*sum) {
        return Err(WeightError::Damaged);
    }
    let mut body = body.strip_prefix(&LAYOUT).ok_or(WeightError::Layout)?.iter().copied();
    let mut weights = vec![[0; 2]; COUNT].into_boxed_slice();
    let mut at = 0;
    while body.len() > 0 {
        let mut next = || take(&mut body).ok_or(WeightError::Damaged);
        let zeros = next()? as usize;
        let weight = [unzigzag(next()?), unzigzag(next()?)];
        at += zeros;
        *weights.get_mut(at).ok_or(WeightError::Damaged)? = weight;
        at += 1;
    }
    Ok(weights)
}

/// Reads a file.
///
/// # Errors
/// When it cannot be read, is of another kind, or damaged.
pub fn load(path: &Path) -> Result<Box<[Weight]>, WeightError> {
    use io::Read;
    // Looked at first: to open a pipe can take for ever.
    if !std::fs::metadata(path)?.is_file() {
        return Err(WeightError::NotAFile);
    }
    let file = std::fs::File::open(path)?;
    let mut bytes = Vec::new();
    file.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST && bytes.starts_with(&MAGIC) {
        return Err(WeightError::Damaged);
    }
    from_bytes(&bytes)
}

/// Writes a number in groups of seven bits, lowest first; all but the last have the eighth bit set.
fn number(bytes: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

fn take(bytes: &mut impl Iterator<Item = u8>) -> Option<u32> {
    let mut value = 0;
    for shift in (0..28).step_by(7) {
        let byte = bytes.next()?;
        value |= u32::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

/// Small magnitudes become small numbers.
fn zigzag(value: i16) -> u32 {
    u32::from(((value << 1) ^ (value >> 15)) as u16)
}

fn unzigzag(value: u32) -> i16 {
    (value >> 1) as i16 ^ -((value & 1) as i16)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Vec<Weight> {
        let mut weights = vec![[0; 2]; COUNT];
        weights[0] = [i16::MIN, i16::MAX];
        weights[7] = [-1, 0];
        weights[COUNT - 1] = [0, 300];
        weights
    }

    #[test]
    fn what_is_written_is_read() {
        assert_eq!(&*from_bytes(&to_bytes(&sample())).unwrap(), sample().as_slice());
    }

    #[test]
    fn every_damaged_byte_and_every_length_is_noticed() {
        let good = to_bytes(&sample());
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 1 << (at % 8);
            assert!(from_bytes(&bad).is_err(), "byte {at}");
            assert!(from_bytes(&good[..at]).is_err(), "length {at}");
        }
        let mut long = good;
        long.push(0);
        assert!(from_bytes(&long).is_err());
    }

    #[test]
    fn a_weight_beyond_the_last_is_refused() {
        let mut bytes = to_bytes(&sample());
        bytes.truncate(bytes.len() - 4);
        bytes.extend([0, 2, 2]);
        let sum = checksum(&bytes);
        bytes.extend(sum.to_le_bytes());
        assert!(matches!(from_bytes(&bytes), Err(WeightError::Damaged)));
    }
}
