//! Detects whether a file was moved or removed while it is open.

use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// A file, identified by its path, device and inode.
pub struct OpenFile {
    path: PathBuf,
    identity: (u64, u64),
}

impl OpenFile {
    /// Records the identity of the file that is now at this path.
    pub fn of(path: &Path) -> io::Result<Self> {
        Ok(Self { path: path.to_owned(), identity: identity(path)? })
    }

    /// Returns whether the same file is still at its path. An error of the file system proves
    /// nothing.
    pub fn is_at_its_path(&self) -> bool {
        match identity(&self.path) {
            Ok(current) => current == self.identity,
            Err(error) => error.kind() != io::ErrorKind::NotFound,
        }
    }
}

fn identity(path: &Path) -> io::Result<(u64, u64)> {
    let metadata = std::fs::metadata(path)?;
    Ok((metadata.dev(), metadata.ino()))
}
