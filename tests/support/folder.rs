//! A folder for the files of one test.

#![allow(dead_code)]

use std::ops::Deref;
use std::path::{Path, PathBuf};

/// A folder of its own, empty at first, removed at the end.
pub struct Folder(PathBuf);

impl Folder {
    /// The name must be the only one in its test binary.
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("dyad-test-{name}-{}", std::process::id()));
        // A process of the same number may have left it.
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// The path of a file in it, for a command line.
    pub fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    /// Writes a file; returns its path.
    pub fn file(&self, name: &str, contents: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        std::fs::write(&path, contents).unwrap();
        path
    }

    /// The text of a file.
    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).unwrap()
    }
}

impl Deref for Folder {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
