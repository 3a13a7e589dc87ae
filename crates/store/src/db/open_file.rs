//! Detects whether a file was moved or removed while it is open.

use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A file, identified by its path, device and inode.
pub struct OpenFile {
    path: PathBuf,
    /// The write-ahead log of SQLite.
    log: PathBuf,
    identity: (u64, u64),
}

impl OpenFile {
    /// Records the identity of the file that is now at this path.
    pub fn of(path: &Path) -> io::Result<Self> {
        let mut log = path.as_os_str().to_owned();
        log.push("-wal");
        Ok(Self { path: path.to_owned(), log: log.into(), identity: identity(path)? })
    }

    /// Returns whether the same file is still at its path. An error of the file system proves
    /// nothing.
    pub fn is_at_its_path(&self) -> bool {
        match identity(&self.path) {
            Ok(current) => current == self.identity,
            Err(error) => error.kind() != io::ErrorKind::NotFound,
        }
    }

    /// Returns when the write-ahead log was last written, and its length. It does not open the file, because closing it
    /// would release the locks that SQLite has on it in this process.
    pub fn written(&self) -> Option<(SystemTime, u64)> {
        let log = std::fs::metadata(&self.log).ok()?;
        Some((log.modified().ok()?, log.len()))
    }
}

fn identity(path: &Path) -> io::Result<(u64, u64)> {
    let metadata = std::fs::metadata(path)?;
    Ok((metadata.dev(), metadata.ino()))
}
