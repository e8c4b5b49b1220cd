//! Blocks of values and of distances.
//!
//! Values: the first byte of a block says how it is kept. 0, 1, 2: all values are this one (as
//! [`digit`] writes them). [`RUNS`]: bytes `3 * length code + value`, each a run. [`DIGITS`]: five values
//! to a byte, base 3. The shorter of the two is taken. What need not be stored takes the value before it.
//!
//! Distances: half the plies to the end of a lost position, a byte each, compressed by DEFLATE (RFC 1951).

use super::{Code, Value};
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use std::io::{Read, Write};

/// Positions in a block of values.
pub const VALUES: usize = 1024;
/// Positions in a block of distances.
pub const DISTANCES: usize = 4096;

const RUNS: u8 = 3;
const DIGITS: u8 = 4;

/// Lengths of runs by length code: exact up to 40, then growing to [`VALUES`] by a thirteenth.
const LENGTHS: [u16; 85] = lengths();

const fn lengths() -> [u16; 85] {
    let mut table = [0; 85];
    let mut code = 0;
    let mut length = 0;
    while code < 85 {
        length += if length < 40 { 1 } else { length / 13 };
        table[code] = if length > VALUES as u16 || code == 84 { VALUES as u16 } else { length };
        code += 1;
    }
    table
}

const fn digit(value: Value) -> u8 {
    match value {
        Value::Draw => 0,
        Value::Win => 1,
        Value::Loss => 2,
    }
}

const fn value(digit: u8) -> Value {
    match digit {
        1 => Value::Win,
        2 => Value::Loss,
        _ => Value::Draw,
    }
}

/// Adds a block of values to `out`; `None` need not be stored.
pub fn encode_values(values: &[Option<Value>], out: &mut Vec<u8>) {
    let mut last = values.iter().flatten().next().copied().unwrap_or(Value::Draw);
    let filled: Vec<u8> = values
        .iter()
        .map(|value| {
            last = value.unwrap_or(last);
            digit(last)
        })
        .collect();
    let Some(&first) = filled.first() else { return };
    if filled.iter().all(|&digit| digit == first) {
        out.push(first);
        return;
    }
    let mut runs = vec![RUNS];
    for run in filled.chunk_by(|a, b| a == b) {
        let mut left = run.len() as u16;
        while left > 0 {
            let code = LENGTHS.partition_point(|&length| length <= left) - 1;
            runs.push(3 * code as u8 + run[0]);
            left -= LENGTHS[code];
        }
    }
    let digits = filled.chunks(5).map(|five| five.iter().rev().fold(0, |sum, &digit| 3 * sum + digit));
    if runs.len() <= 1 + filled.len().div_ceil(5) {
        out.append(&mut runs);
    } else {
        out.push(DIGITS);
        out.extend(digits);
    }
}

/// The value at `place` of the block with which `block` begins; `None` when the block is damaged.
#[inline]
pub fn decode_value(block: &[u8], place: usize) -> Option<Value> {
    let (&kind, rest) = block.split_first()?;
    match kind {
        0..RUNS => Some(value(kind)),
        RUNS => {
            let mut left = place as u16;
            for &byte in rest {
                let length = *LENGTHS.get(usize::from(byte / 3))?;
                if left < length {
                    return Some(value(byte % 3));
                }
                left -= length;
            }
            None
        }
        DIGITS => {
            const POWERS: [u8; 5] = [1, 3, 9, 27, 81];
            let byte = *rest.get(place / 5)?;
            Some(value(byte / POWERS[place % 5] % 3))
        }
        _ => None,
    }
}

/// Adds a block of distances to `out`. Only lost positions have one: `None` need not be stored.
pub fn encode_distances(codes: &[Option<Code>], out: &mut Vec<u8>) {
    let lost =
        |code: &Option<Code>| code.filter(|code| code.value() == Value::Loss).map(|code| code.byte() / 2);
    let Some(mut last) = codes.iter().find_map(lost) else { return };
    let filled: Vec<u8> = codes
        .iter()
        .map(|code| {
            last = lost(code).unwrap_or(last);
            last
        })
        .collect();
    let mut encoder = DeflateEncoder::new(out, flate2::Compression::best());
    // Writing to a Vec cannot fail.
    let _ = encoder.write_all(&filled);
    let _ = encoder.finish();
}

/// The codes of lost positions in a block of `size`; an empty block has none. `None` when it is damaged.
pub fn decode_distances(block: &[u8], size: usize) -> Option<Vec<u8>> {
    if block.is_empty() {
        return Some(Vec::new());
    }
    let mut halves = Vec::with_capacity(size + 1);
    DeflateDecoder::new(block).take(size as u64 + 1).read_to_end(&mut halves).ok()?;
    (halves.len() == size && halves.iter().all(|&half| half < 128)).then_some(())?;
    halves.iter_mut().for_each(|half| *half = 2 * *half + 1);
    Some(halves)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_give_back_what_they_got() {
        let mut state = 1u64;
        for density in [1, 2, 5, 40, 400, 4000] {
            for size in [1, 4, 5, 6, 1000, VALUES] {
                let mut current = Some(Value::Loss);
                let values: Vec<Option<Value>> = (0..size)
                    .map(|_| {
                        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99);
                        if (state >> 40).is_multiple_of(density) {
                            current = [None, Some(Value::Draw), Some(Value::Win), Some(Value::Loss)]
                                [(state >> 20) as usize % 4];
                        }
                        current
                    })
                    .collect();
                let mut block = Vec::new();
                encode_values(&values, &mut block);
                assert!(block.len() <= 1 + size.div_ceil(5));
                for (place, value) in values.iter().enumerate() {
                    let got = decode_value(&block, place);
                    assert!(value.is_none() || got == *value, "{density} {size} {place}");
                }
            }
        }
    }

    #[test]
    fn damaged_blocks_are_no_value() {
        assert_eq!(decode_value(&[], 0), None);
        assert_eq!(decode_value(&[9], 0), None);
        assert_eq!(decode_value(&[RUNS, 0, 255], 1), None);
        assert_eq!(decode_value(&[RUNS, 0], 1), None);
        assert_eq!(decode_value(&[DIGITS, 0], 5), None);
        assert_eq!(decode_distances(&[7, 7, 7], 3), None);
        assert_eq!(decode_distances(&[], 3), Some(Vec::new()));
    }

    #[test]
    fn distances_come_back() {
        let codes = [None, Some(Code::from_byte(7)), Some(Code::DRAW), Some(Code::from_byte(255)), None];
        let mut block = Vec::new();
        encode_distances(&codes, &mut block);
        let got = decode_distances(&block, 5).unwrap();
        assert_eq!((got[1], got[3]), (7, 255));
        assert_eq!(decode_distances(&block, 4), None);
        assert_eq!(decode_distances(&block[..block.len() - 1], 5), None);
    }
}
