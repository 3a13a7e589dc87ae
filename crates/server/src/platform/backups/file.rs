//! Writes backups. A backup file gets its name only when it is complete and on disk. Until then it
//! is unnamed, so that a process that is killed leaves no file behind.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Seek as _};
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use musette_store::{Authenticity, BackupCheck, BackupTrust, RestoreError, Store, StoreError};
use rustix::fs::{AtFlags, CWD, Mode, OFlags};

/// The suffix of an incomplete file, on file systems without unnamed files.
pub const PARTIAL: &str = ".partial";

/// The reason why a backup failed.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The file cannot be written.
    #[error("{0}: {1}")]
    File(PathBuf, io::Error),
    /// The file that was written cannot be read back.
    #[error(transparent)]
    Check(#[from] RestoreError),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Writes a backup of the whole store, reads it back, and returns the number of its rows.
pub async fn write(
    store: &Store,
    target: &Path,
    progress: impl FnMut(u64),
) -> Result<u64, BackupError> {
    let named = |error| BackupError::File(target.to_owned(), error);
    let new = NewFile::create(target).map_err(named)?;
    let written = store.backup(BufWriter::new(&new.file), progress).await?;
    let to_sync = new.file.try_clone().map_err(named)?;
    in_the_background(move || to_sync.sync_all()).await.map_err(named)?;
    let mut again = new.file.try_clone().map_err(named)?;
    again.rewind().map_err(named)?;
    let (read, _) = check(again, BackupTrust::default(), |_| ()).await?;
    if read != written {
        let error = format!("{read} of {written} rows can be read");
        return Err(RestoreError::BadFile(error).into());
    }
    new.keep().map_err(named)?;
    Ok(written)
}

/// Reads a backup to its end in the background, and returns the number of its rows and the proof of
/// authenticity.
pub async fn check(
    file: File,
    trust: BackupTrust,
    mut progress: impl FnMut(u64),
) -> Result<(u64, Authenticity), RestoreError> {
    let mut check =
        in_the_background(move || BackupCheck::open(BufReader::new(file), trust)).await?;
    loop {
        let (advanced, more) = in_the_background(move || {
            let more = check.step();
            (check, more)
        })
        .await;
        check = advanced;
        progress(check.rows());
        if !more? {
            let proof = check.authenticity().cloned();
            let proof = proof.ok_or_else(|| RestoreError::BadFile("its end is missing".into()))?;
            return Ok((check.rows(), proof));
        }
    }
}

async fn in_the_background<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => result,
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}

struct NewFile {
    file: File,
    target: PathBuf,
    partial: PathBuf,
    is_named: bool,
}

impl NewFile {
    fn create(target: &Path) -> io::Result<Self> {
        let mut partial = target.as_os_str().to_owned();
        partial.push(PARTIAL);
        let partial = PathBuf::from(partial);
        let (file, is_named) = match create_unnamed(folder(target)) {
            Ok(file) => (file, false),
            // The file system may not support unnamed files.
            Err(_) => {
                remove(&partial)?;
                let options = File::options().read(true).write(true).create_new(true).to_owned();
                (options.clone().mode(0o600).open(&partial)?, true)
            }
        };
        Ok(Self { file, target: target.to_owned(), partial, is_named })
    }

    fn keep(mut self) -> io::Result<()> {
        if !self.is_named {
            remove(&self.partial)?;
            // `linkat` cannot replace an existing file, so the file is renamed over an older
            // backup.
            let open = format!("/proc/self/fd/{}", self.file.as_raw_fd());
            rustix::fs::linkat(CWD, open, CWD, &self.partial, AtFlags::SYMLINK_FOLLOW)?;
            self.is_named = true;
        }
        fs::rename(&self.partial, &self.target)?;
        self.is_named = false;
        File::open(folder(&self.target))?.sync_all()
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if self.is_named {
            // An incomplete backup is useless.
            let _ = fs::remove_file(&self.partial);
        }
    }
}

fn create_unnamed(folder: &Path) -> io::Result<File> {
    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    Ok(File::from(rustix::fs::open(folder, flags, Mode::RUSR | Mode::WUSR)?))
}

fn folder(target: &Path) -> &Path {
    match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
