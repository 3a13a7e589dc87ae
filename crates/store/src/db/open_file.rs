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

    /// Whether the same file is still there.
    pub fn is_at_its_path(&self) -> bool {
        identity(&self.path).is_ok_and(|found| found == self.identity)
    }
}

fn identity(path: &Path) -> io::Result<(u64, u64)> {
    let found = std::fs::metadata(path)?;
    Ok((found.dev(), found.ino()))
}
