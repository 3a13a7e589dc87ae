//! Recognises a file that was moved or removed while it is open.

use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// A file by its path, and by its device and number there.
pub struct OpenFile {
    path: PathBuf,
    identity: (u64, u64),
}

impl OpenFile {
    /// The file at this path as it is now.
    pub fn of(path: &Path) -> io::Result<Self> {
        Ok(Self { path: path.to_owned(), identity: identity(path)? })
    }

    /// Whether the same file is still there. A file system that does not answer proves nothing.
    pub fn is_at_its_path(&self) -> bool {
        match identity(&self.path) {
            Ok(found) => found == self.identity,
            Err(error) => error.kind() != io::ErrorKind::NotFound,
        }
    }
}

fn identity(path: &Path) -> io::Result<(u64, u64)> {
    let found = std::fs::metadata(path)?;
    Ok((found.dev(), found.ino()))
}
