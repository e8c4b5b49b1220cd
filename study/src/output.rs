//! Files that appear under their name only when they are whole.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file being written: it lies beside its place under a name of its own until [`OutFile::finish`].
#[derive(Debug)]
pub struct OutFile {
    writer: Option<BufWriter<File>>,
    temporary: PathBuf,
    path: PathBuf,
}

impl OutFile {
    /// Begins a file that will be called `path`.
    ///
    /// # Errors
    /// With the file's name, when it cannot be written there.
    pub fn create(path: &Path) -> Result<Self, String> {
        let Some(name) = path.file_name() else {
            return Err(format!("'{}' is not a file name", path.display()));
        };
        if path.is_dir() {
            return Err(format!("{} is a folder", path.display()));
        }
        let mut temporary = std::ffi::OsString::from(".");
        temporary.push(name);
        temporary.push(format!(".{}.part", std::process::id()));
        let temporary = path.with_file_name(temporary);
        let file =
            File::create(&temporary).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        Ok(Self { writer: Some(BufWriter::new(file)), temporary, path: path.to_owned() })
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
        let written = match self.writer.take() {
            Some(writer) => writer
                .into_inner()
                .map_err(io::IntoInnerError::into_error)
                .and_then(|file| file.sync_all())
                .and_then(|()| std::fs::rename(&self.temporary, &self.path)),
            None => Ok(()),
        };
        written.map_err(|error| {
            // Nothing can be done about a part that cannot even be removed.
            let _ = std::fs::remove_file(&self.temporary);
            format!("cannot write {}: {error}", self.path.display())
        })
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
            let _ = std::fs::remove_file(&self.temporary);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
