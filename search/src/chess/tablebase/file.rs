//! Table files in memory maps.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use memmap2::Mmap;
use shakmaty_syzygy::filesystem::{Filesystem, RandomAccessFile, ReadHint};

/// First bytes of a win/draw/loss table.
const WDL_MAGIC: [u8; 4] = [0x71, 0xE8, 0x23, 0x5D];
/// First bytes of a distance table.
const DTZ_MAGIC: [u8; 4] = [0xD7, 0x66, 0x0C, 0xA5];

/// Looks at what can be seen of a table without decoding it.
///
/// # Errors
/// When the file cannot be read or does not begin like a table.
pub fn check(path: &Path, is_wdl: bool) -> io::Result<()> {
    let mut magic = [0; 4];
    if !path.metadata()?.is_file() {
        return Err(io::Error::other("is not a file"));
    }
    File::open(path)?.read_exact(&mut magic).map_err(|_| io::Error::other("is too short"))?;
    if magic == if is_wdl { WDL_MAGIC } else { DTZ_MAGIC } {
        Ok(())
    } else {
        Err(io::Error::other("does not begin like a table"))
    }
}

/// The files of the system, read through memory maps.
pub struct MappedFiles;

impl Filesystem for MappedFiles {
    fn regular_file_size(&self, path: &Path) -> io::Result<u64> {
        path.metadata().map(|data| data.len())
    }

    fn read_dir(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        path.read_dir()?.map(|entry| Ok(entry?.path())).collect()
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn RandomAccessFile>> {
        let file = File::open(path)?;
        // SAFETY: the map is only read, and byte by byte into buffers of its own. Whoever shortens a table while the
        // engine uses it ends the engine (docs/tables.md says so); no other change can do harm, since nothing that is
        // read is trusted.
        let map = unsafe { Mmap::map(&file)? };
        Ok(Box::new(MappedFile(map)))
    }
}

struct MappedFile(Mmap);

impl RandomAccessFile for MappedFile {
    #[inline]
    fn read_at(&self, buffer: &mut [u8], offset: u64, _hint: ReadHint) -> io::Result<usize> {
        let part = usize::try_from(offset)
            .ok()
            .and_then(|start| self.0.get(start..start.checked_add(buffer.len())?))
            .ok_or(io::ErrorKind::UnexpectedEof)?;
        buffer.copy_from_slice(part);
        Ok(buffer.len())
    }
}
