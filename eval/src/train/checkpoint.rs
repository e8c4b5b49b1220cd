//! The state of a run between two epochs, in one file.

use std::path::Path;

use super::adam::Tensor;
use super::error::TrainError;
use super::model::{Model, OutputBias};
use super::run::EpochLoss;
use super::slice::{Lane, Slice};

const MAGIC: [u8; 8] = *b"DYADCKPT";
const VERSION: u32 = 1;

/// What a run needs beside the model to go on.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Steps of the optimiser so far.
    pub step: u64,
    /// Losses of the epochs so far.
    pub history: Vec<EpochLoss>,
}

/// Writes a checkpoint; the old one stays until the new one is complete.
pub fn save(path: &Path, settings: &str, state: &State, model: &mut Model) -> Result<(), TrainError> {
    let mut bytes = Vec::new();
    bytes.extend_from_slice(&MAGIC);
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&(settings.len() as u64).to_le_bytes());
    bytes.extend_from_slice(settings.as_bytes());
    bytes.extend_from_slice(&state.step.to_le_bytes());
    bytes.extend_from_slice(&(state.history.len() as u64).to_le_bytes());
    for loss in &state.history {
        bytes.extend_from_slice(&loss.training.to_le_bytes());
        bytes.extend_from_slice(&loss.held_out.unwrap_or(f64::NAN).to_le_bytes());
    }
    for_each_value(model, |value| bytes.extend_from_slice(&value.to_le_bytes()));
    bytes.extend_from_slice(&crc32fast::hash(&bytes).to_le_bytes());
    write_whole(path, &bytes)
}

/// Reads a checkpoint of a run with the same settings into `model`.
pub fn load(path: &Path, settings: &str, model: &mut Model) -> Result<State, TrainError> {
    let fail = |reason: &str| TrainError::Checkpoint { path: path.to_path_buf(), reason: reason.to_owned() };
    let bytes = std::fs::read(path).map_err(|source| TrainError::io(path, source))?;
    let (body, checksum) = bytes.split_last_chunk().ok_or_else(|| fail("the file is truncated"))?;
    if !body.starts_with(&MAGIC) {
        return Err(fail("not a checkpoint"));
    }
    if crc32fast::hash(body) != u32::from_le_bytes(*checksum) {
        return Err(fail("the file is damaged or truncated"));
    }
    let mut reader = Reader { bytes: &body[MAGIC.len()..] };
    let short = || fail("the file is too short");
    if u32::from_le_bytes(reader.take().ok_or_else(short)?) != VERSION {
        return Err(fail("written by another version"));
    }
    let length = u64::from_le_bytes(reader.take().ok_or_else(short)?);
    let found = reader.slice(length).ok_or_else(short)?;
    if found != settings.as_bytes() {
        let found = String::from_utf8_lossy(found);
        return Err(fail(&format!("the settings differ; then: {found}; now: {settings}")));
    }
    let step = u64::from_le_bytes(reader.take().ok_or_else(short)?);
    let epochs = u64::from_le_bytes(reader.take().ok_or_else(short)?);
    let mut history = Vec::new();
    for _ in 0..epochs {
        let training = f64::from_le_bytes(reader.take().ok_or_else(short)?);
        let held_out = f64::from_le_bytes(reader.take().ok_or_else(short)?);
        history.push(EpochLoss { training, held_out: (!held_out.is_nan()).then_some(held_out) });
    }
    let mut complete = true;
    for_each_value(model, |value| match reader.take() {
        Some(bytes) => *value = f32::from_le_bytes(bytes),
        None => complete = false,
    });
    if !complete || !reader.bytes.is_empty() {
        return Err(fail("the sizes differ"));
    }
    model.merge();
    Ok(State { step, history })
}

/// Visits all weights and moments in a fixed order.
fn for_each_value(model: &mut Model, mut visit: impl FnMut(&mut f32)) {
    let mut rows = |rows: &mut Vec<Lane>| rows.iter_mut().flat_map(|row| &mut row.0).for_each(&mut visit);
    for slice in &mut model.slices {
        let Slice { own, shared, bias, output, output_shared, .. } = slice;
        for Tensor { weights, first, second } in [own, shared, bias, output, output_shared] {
            rows(weights);
            rows(first);
            rows(second);
        }
    }
    for OutputBias { weight, first, second, .. } in &mut model.output_bias {
        visit(weight);
        visit(first);
        visit(second);
    }
}

/// Writes a file under another name first, so that an interruption leaves the old one whole. A device or a pipe is
/// written to as it is.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), TrainError> {
    if std::fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        return std::fs::write(path, bytes).map_err(|source| TrainError::io(path, source));
    }
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(".part");
    let temporary = std::path::PathBuf::from(temporary);
    std::fs::write(&temporary, bytes)
        .and_then(|()| std::fs::rename(&temporary, path))
        .map_err(|source| TrainError::io(path, source))
}

struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (head, rest) = self.bytes.split_first_chunk()?;
        self.bytes = rest;
        Some(*head)
    }

    fn slice(&mut self, length: u64) -> Option<&'a [u8]> {
        let (head, rest) = self.bytes.split_at_checked(usize::try_from(length).ok()?)?;
        self.bytes = rest;
        Some(head)
    }
}
