//! The network file: a checked header of 256 bytes and the quantised weights, little-endian.
//!
//! The layout is written down in docs/network-format.md. A file is accepted only when every byte of it is
//! accounted for: sizes match, both checksums match and no weight is outside the range that the kernels rely
//! on.

use std::fs::File;
use std::path::Path;

use crate::kernels::OUTPUT_WEIGHT_MAX;

/// First bytes of a network file.
pub const MAGIC: [u8; 8] = *b"DYADNNUE";
/// Version of the layout.
pub const VERSION: u32 = 1;
/// Bytes before the weights.
pub const HEADER_LEN: usize = 256;

/// Longest [`Header::architecture`] and [`Header::name`], bytes.
const NAME_LEN: usize = 40;
/// Where the header's own checksum stands.
const HEADER_CHECKSUM_AT: usize = HEADER_LEN - 4;
/// No file above this size is looked at: far above any network that the format can sensibly hold.
const MAX_FILE_LEN: u64 = 1 << 30;
/// Largest value of each size field, so that their product cannot overflow.
const MAX_INPUTS: u32 = 1 << 16;
const MAX_HIDDEN: u32 = 1 << 12;
const MAX_OUTPUTS: u32 = 1 << 8;
/// Largest [`Header::output_unit`].
pub const MAX_OUTPUT_UNIT: i32 = 4096;

/// Why a network file was refused.
#[derive(Debug, thiserror::Error)]
pub enum NetFileError {
    /// The file could not be opened or read.
    #[error("cannot read the network file: {0}")]
    Io(#[from] std::io::Error),
    /// The first bytes are not those of a network of this project.
    #[error("not a network file of this project (it does not begin with DYADNNUE)")]
    Foreign,
    /// Written by another version of the format.
    #[error("network format version {found} is not supported (expected {VERSION})")]
    Version {
        /// The version in the file.
        found: u32,
    },
    /// Fewer bytes than the header announces.
    #[error("network file is truncated: {found} bytes, expected {expected}")]
    Truncated {
        /// Bytes that the header announces.
        expected: u64,
        /// Bytes there are.
        found: u64,
    },
    /// More bytes than the header announces, or more than any network has.
    #[error("network file is too large: {found} bytes, expected {expected}")]
    TooLarge {
        /// Bytes that the header announces, or the limit.
        expected: u64,
        /// Bytes there are.
        found: u64,
    },
    /// A checksum does not match.
    #[error("network file is damaged: the checksum of its {part} does not match")]
    Damaged {
        /// "header" or "weights".
        part: &'static str,
    },
    /// A field or weight has a value that cannot be.
    #[error("network file is invalid: {0}")]
    Invalid(&'static str),
}

/// What a network file says about its network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The kind of inputs and activation, for example `chess-768-mirrored`; at most 40 bytes.
    pub architecture: String,
    /// Free text, for example the name of the training run; at most 40 bytes.
    pub name: String,
    /// Rows of the first layer.
    pub inputs: u32,
    /// Values of each perspective's accumulator.
    pub hidden: u32,
    /// Output neurons, one for each game phase.
    pub outputs: u32,
    /// Centipawns that an output of 1.0 stands for: the `k` of the training target `sigmoid(score / k)`.
    pub scale: i32,
    /// Quantised 1.0 of the output weights: as large as the largest of them allows.
    pub output_unit: i32,
    /// Game-specific table, for chess the input bucket of each king square.
    pub table: [u8; 64],
}

/// Quantised weights of any size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// First layer, row after row; 1.0 is 255.
    pub features: Vec<i16>,
    /// Bias of the accumulators; 1.0 is 255.
    pub bias: Vec<i16>,
    /// Output weights: for each output the side to move's half, then the other's; 1.0 is
    /// [`Header::output_unit`].
    pub output: Vec<i16>,
    /// Output biases; 1.0 is 255 times [`Header::output_unit`].
    pub output_bias: Vec<i32>,
}

impl Header {
    fn counts(&self) -> [usize; 4] {
        let (inputs, hidden, outputs) = (self.inputs as usize, self.hidden as usize, self.outputs as usize);
        [inputs * hidden, hidden, outputs * 2 * hidden, outputs]
    }

    fn payload_len(&self) -> u64 {
        let [features, bias, output, output_bias] = self.counts();
        (2 * (features + bias + output) + 4 * output_bias) as u64
    }
}

/// Writes a network as the bytes of its file.
///
/// # Errors
///
/// [`NetFileError::Invalid`] when the sizes of `weights` do not fit the header, a text is too long or an
/// output weight is out of range.
pub fn encode(header: &Header, weights: &Weights) -> Result<Vec<u8>, NetFileError> {
    let found = [weights.features.len(), weights.bias.len(), weights.output.len(), weights.output_bias.len()];
    if found != header.counts() {
        return Err(NetFileError::Invalid("number of weights differs from the sizes in the header"));
    }
    check_sizes(header)?;
    check_range(weights)?;

    let mut payload = Vec::with_capacity(header.payload_len() as usize);
    for values in [&weights.features, &weights.bias, &weights.output] {
        for value in values {
            payload.extend_from_slice(&value.to_le_bytes());
        }
    }
    for value in &weights.output_bias {
        payload.extend_from_slice(&value.to_le_bytes());
    }

    let mut bytes = Vec::with_capacity(HEADER_LEN + payload.len());
    bytes.extend_from_slice(&MAGIC);
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&(HEADER_LEN as u32).to_le_bytes());
    for text in [&header.architecture, &header.name] {
        if text.len() > NAME_LEN || text.contains('\0') {
            return Err(NetFileError::Invalid("text in the header is longer than 40 bytes or holds a zero"));
        }
        bytes.extend_from_slice(text.as_bytes());
        bytes.resize(bytes.len() + NAME_LEN - text.len(), 0);
    }
    for size in [header.inputs, header.hidden, header.outputs] {
        bytes.extend_from_slice(&size.to_le_bytes());
    }
    bytes.extend_from_slice(&header.scale.to_le_bytes());
    bytes.extend_from_slice(&header.output_unit.to_le_bytes());
    bytes.extend_from_slice(&header.table);
    bytes.extend_from_slice(&(payload.len() as u64).to_le_bytes());
    bytes.extend_from_slice(&crc32fast::hash(&payload).to_le_bytes());
    bytes.resize(HEADER_CHECKSUM_AT, 0);
    let checksum = crc32fast::hash(&bytes);
    bytes.extend_from_slice(&checksum.to_le_bytes());
    bytes.extend_from_slice(&payload);
    Ok(bytes)
}

/// Reads and checks a network from the bytes of its file.
///
/// # Errors
///
/// Every [`NetFileError`] but the I/O one.
pub fn decode(bytes: &[u8]) -> Result<(Header, Weights), NetFileError> {
    if bytes.len() < MAGIC.len() || bytes[..MAGIC.len()] != MAGIC {
        return Err(NetFileError::Foreign);
    }
    let found = bytes.len() as u64;
    let Some((head, payload)) = bytes.split_at_checked(HEADER_LEN) else {
        return Err(NetFileError::Truncated { expected: HEADER_LEN as u64, found });
    };
    let mut fields = Reader { bytes: &head[MAGIC.len()..] };
    let version = fields.u32();
    if version != VERSION {
        return Err(NetFileError::Version { found: version });
    }
    let checksum = Reader { bytes: &head[HEADER_CHECKSUM_AT..] }.u32();
    if crc32fast::hash(&head[..HEADER_CHECKSUM_AT]) != checksum {
        return Err(NetFileError::Damaged { part: "header" });
    }
    if fields.u32() != HEADER_LEN as u32 {
        return Err(NetFileError::Invalid("header length"));
    }
    let header = Header {
        architecture: fields.text()?,
        name: fields.text()?,
        inputs: fields.u32(),
        hidden: fields.u32(),
        outputs: fields.u32(),
        scale: fields.u32().cast_signed(),
        output_unit: fields.u32().cast_signed(),
        table: fields.array(),
    };
    let payload_len = u64::from_le_bytes(fields.array());
    let payload_checksum = fields.u32();
    check_sizes(&header)?;
    if payload_len != header.payload_len() {
        return Err(NetFileError::Invalid("length of the weights differs from the sizes in the header"));
    }
    let expected = HEADER_LEN as u64 + payload_len;
    if found < expected {
        return Err(NetFileError::Truncated { expected, found });
    }
    if found > expected {
        return Err(NetFileError::TooLarge { expected, found });
    }
    if crc32fast::hash(payload) != payload_checksum {
        return Err(NetFileError::Damaged { part: "weights" });
    }

    let mut body = Reader { bytes: payload };
    let [features, bias, output, output_bias] = header.counts();
    let weights = Weights {
        features: body.i16s(features),
        bias: body.i16s(bias),
        output: body.i16s(output),
        output_bias: (0..output_bias).map(|_| body.u32().cast_signed()).collect(),
    };
    check_range(&weights)?;
    Ok((header, weights))
}

/// Reads and checks the network file at `path` through a memory mapping.
///
/// The weights are copied out of the mapping, so that replacing the file later cannot touch a running engine.
///
/// # Errors
///
/// Every [`NetFileError`].
pub fn read(path: &Path) -> Result<(Header, Weights), NetFileError> {
    // Asked before it is opened: to open a pipe can take for ever.
    let metadata = std::fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(NetFileError::Io(std::io::Error::other("not a regular file")));
    }
    let file = File::open(path)?;
    if metadata.len() > MAX_FILE_LEN {
        return Err(NetFileError::TooLarge { expected: MAX_FILE_LEN, found: metadata.len() });
    }
    if metadata.len() == 0 {
        return Err(NetFileError::Truncated { expected: HEADER_LEN as u64, found: 0 });
    }
    // SAFETY: the mapping is read-only, private and dropped before this function returns; a file that another
    // process shortens within these milliseconds is outside what a reader can guard against.
    let map = unsafe { memmap2::MmapOptions::new().map_copy_read_only(&file)? };
    decode(&map)
}

fn check_sizes(header: &Header) -> Result<(), NetFileError> {
    let in_range = (1..=MAX_INPUTS).contains(&header.inputs)
        && (1..=MAX_HIDDEN).contains(&header.hidden)
        && (1..=MAX_OUTPUTS).contains(&header.outputs);
    if !in_range {
        return Err(NetFileError::Invalid("a size is zero or too large"));
    }
    if !(1..=10_000).contains(&header.scale) {
        return Err(NetFileError::Invalid("scale outside 1 to 10,000"));
    }
    if !(1..=MAX_OUTPUT_UNIT).contains(&header.output_unit) {
        return Err(NetFileError::Invalid("output unit outside 1 to 4,096"));
    }
    Ok(())
}

fn check_range(weights: &Weights) -> Result<(), NetFileError> {
    if weights.output.iter().any(|w| w.unsigned_abs() > OUTPUT_WEIGHT_MAX.unsigned_abs()) {
        return Err(NetFileError::Invalid("an output weight is outside -127 to 127"));
    }
    Ok(())
}

/// Takes fields from the front of bytes whose length was checked before.
struct Reader<'a> {
    bytes: &'a [u8],
}

impl Reader<'_> {
    fn array<const N: usize>(&mut self) -> [u8; N] {
        match self.bytes.split_first_chunk() {
            Some((head, rest)) => {
                self.bytes = rest;
                *head
            }
            None => [0; N],
        }
    }

    fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.array())
    }

    fn text(&mut self) -> Result<String, NetFileError> {
        let field: [u8; NAME_LEN] = self.array();
        let text = field.split(|&byte| byte == 0).next().unwrap_or_default();
        String::from_utf8(text.to_vec()).map_err(|_| NetFileError::Invalid("text in the header"))
    }

    fn i16s(&mut self, count: usize) -> Vec<i16> {
        let (head, rest) = self.bytes.split_at((2 * count).min(self.bytes.len()));
        self.bytes = rest;
        head.as_chunks().0.iter().map(|&pair| i16::from_le_bytes(pair)).collect()
    }
}
