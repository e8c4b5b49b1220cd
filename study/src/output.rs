//! Files that appear under their name only when they are whole.

use std::ffi::OsString;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The files that are being written, with what lies in their place for now.
static OPEN: Mutex<Vec<Option<PathBuf>>> = Mutex::new(Vec::new());

fn open_files() -> MutexGuard<'static, Vec<Option<PathBuf>>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether a file is being written: reason to go on when nobody reads the output any more.
#[must_use]
pub fn is_writing() -> bool {
    !open_files().is_empty()
}

/// Removes what is written of files that will not become whole: for an end of the process in the midst of work.
pub fn remove_parts() {
    for part in open_files().drain(..).flatten() {
        // Nothing can be done about a part that cannot even be removed.
        let _ = std::fs::remove_file(part);
    }
}

/// Refuses an output that is one of the inputs, by the same name, through a link or by another name of the same file.
///
/// # Errors
/// Names the first such output.
pub fn refuse_inputs<'a, 'b>(
    outputs: impl IntoIterator<Item = &'a Path>,
    inputs: impl IntoIterator<Item = &'b Path, IntoIter: Clone>,
) -> Result<(), String> {
    let inputs = inputs.into_iter();
    for output in outputs {
        if inputs.clone().any(|input| is_same_file(output, input)) {
            return Err(format!("{} is read by the command and cannot be written by it", output.display()));
        }
    }
    Ok(())
}

/// Whether two names lead to one plain file.
fn is_same_file(one: &Path, other: &Path) -> bool {
    let (Ok(one_data), Ok(other_data)) = (std::fs::metadata(one), std::fs::metadata(other)) else {
        return false;
    };
    one_data.is_file() && other_data.is_file() && is_same_entry((one, &one_data), (other, &other_data))
}

#[cfg(unix)]
fn is_same_entry((_, one): (&Path, &Metadata), (_, other): (&Path, &Metadata)) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

#[cfg(not(unix))]
fn is_same_entry((one, _): (&Path, &Metadata), (other, _): (&Path, &Metadata)) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

/// A file being written: it lies beside its place under a name of its own until [`OutFile::finish`]. What is no plain
/// file (a device, a pipe) is never replaced: it is written to directly.
#[derive(Debug)]
pub struct OutFile {
    writer: Option<BufWriter<File>>,
    temporary: Option<PathBuf>,
    path: PathBuf,
}

impl OutFile {
    /// Begins a file that will be called `path`. Where that is a link, the file it leads to is meant.
    ///
    /// # Errors
    /// With the file's name, when it cannot be written there.
    pub fn create(path: &Path) -> Result<Self, String> {
        let problem = |error: io::Error| format!("cannot write {}: {error}", path.display());
        if let Ok(kind) = std::fs::metadata(path).map(|found| found.file_type())
            && !kind.is_file()
        {
            if kind.is_dir() {
                return Err(format!("{} is a folder", path.display()));
            }
            let file = OpenOptions::new().write(true).open(path).map_err(problem)?;
            open_files().push(None);
            return Ok(Self { writer: Some(BufWriter::new(file)), temporary: None, path: path.to_owned() });
        }
        let path_of_file = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let Some(name) = path_of_file.file_name() else {
            return Err(format!("'{}' is not a file name", path.display()));
        };
        let mut part = OsString::from(".");
        part.push(name);
        part.push(format!(".{}.part", std::process::id()));
        let temporary = path_of_file.with_file_name(part);
        let file = File::create(&temporary).map_err(problem)?;
        open_files().push(Some(temporary.clone()));
        Ok(Self { writer: Some(BufWriter::new(file)), temporary: Some(temporary), path: path_of_file })
    }

    /// The name the file will have.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the rest and gives the file its name; a file of that name is replaced.
    ///
    /// # Errors
    /// With the file's name, when it cannot be written.
    pub fn finish(mut self) -> Result<(), String> {
        let Some(mut writer) = self.writer.take() else { return Ok(()) };
        let written = writer.flush().and_then(|()| match &self.temporary {
            Some(temporary) => {
                writer.get_ref().sync_all().and_then(|()| std::fs::rename(temporary, &self.path))
            }
            None => Ok(()),
        });
        self.close();
        written.map_err(|error| {
            self.remove_part();
            format!("cannot write {}: {error}", self.path.display())
        })
    }

    /// It is being written no more.
    fn close(&self) {
        let mut open = open_files();
        if let Some(place) = open.iter().position(|part| *part == self.temporary) {
            open.swap_remove(place);
        }
    }

    fn remove_part(&self) {
        if let Some(temporary) = &self.temporary {
            // Nothing can be done about a part that cannot even be removed.
            let _ = std::fs::remove_file(temporary);
        }
    }
}

impl Write for OutFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.writer {
            Some(writer) => writer.write(bytes),
            None => Err(io::ErrorKind::NotConnected.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for OutFile {
    fn drop(&mut self) {
        if self.writer.take().is_some() {
            // Given up before it was whole.
            self.remove_part();
            self.close();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn devices_stay_devices_and_links_stay_links() -> Result<(), String> {
        use std::os::unix::fs::{FileTypeExt, symlink};
        let text = |error: io::Error| error.to_string();
        // A device of our own name for it: were it replaced, only the link in this folder would be lost.
        let folder = std::env::temp_dir().join(format!("dyad-devices-{}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(text)?;
        let (device, target, link) = (folder.join("device"), folder.join("file"), folder.join("link"));
        symlink("/dev/null", &device).map_err(text)?;
        std::fs::write(&target, "old").map_err(text)?;
        symlink("file", &link).map_err(text)?;
        for path in [&device, &link] {
            let mut file = OutFile::create(path)?;
            file.write_all(b"new").map_err(text)?;
            file.finish()?;
            assert!(path.is_symlink());
        }
        assert!(std::fs::metadata(&device).map_err(text)?.file_type().is_char_device());
        assert_eq!(std::fs::read_to_string(&target).map_err(text)?, "new");
        std::fs::remove_dir_all(&folder).map_err(text)
    }

    #[cfg(unix)]
    #[test]
    fn no_name_of_an_input_is_an_output() -> io::Result<()> {
        let folder = std::env::temp_dir().join(format!("dyad-inputs-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("sub"))?;
        let path = |name: &str| folder.join(name);
        std::fs::write(path("in"), "games")?;
        std::fs::write(path("other"), "games")?;
        std::os::unix::fs::symlink("in", path("link"))?;
        std::fs::hard_link(path("in"), path("hard"))?;
        let (input, second) = (path("in"), path("missing"));
        let refuse = |output: &Path| refuse_inputs([output], [second.as_path(), input.as_path()]);
        for name in ["in", "link", "hard", "sub/../in"] {
            assert!(refuse(&path(name)).is_err_and(|error| error.contains("is read")), "{name}");
        }
        for name in ["other", "new", "missing", "sub"] {
            assert_eq!(refuse(&path(name)), Ok(()), "{name}");
        }
        assert_eq!(refuse_inputs([Path::new("/dev/null")], [Path::new("/dev/null")]), Ok(()));
        std::fs::remove_dir_all(&folder)
    }

    #[test]
    fn a_file_appears_when_it_is_whole() -> Result<(), String> {
        let folder = std::env::temp_dir().join(format!("dyad-output-{}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        let path = folder.join("a.txt");
        std::fs::write(&path, "old").map_err(|error| error.to_string())?;
        let read = || std::fs::read_to_string(&path).unwrap_or_default();
        let mut file = OutFile::create(&path)?;
        file.write_all(b"half").map_err(|error| error.to_string())?;
        drop(file);
        assert_eq!(read(), "old");
        let mut file = OutFile::create(&path)?;
        file.write_all(b"new").map_err(|error| error.to_string())?;
        file.finish()?;
        assert_eq!(read(), "new");
        assert_eq!(std::fs::read_dir(&folder).map_or(0, Iterator::count), 1);
        assert!(OutFile::create(&folder).is_err() && OutFile::create(Path::new("/")).is_err());
        std::fs::remove_dir_all(&folder).map_err(|error| error.to_string())
    }
}
