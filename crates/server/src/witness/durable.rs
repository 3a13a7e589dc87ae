//! Files that survive a kill and a power cut at any instant, and that show whether they were copied.
//!
//! A file is written under another name, synced, renamed, and its directory is synced. Each file
//! contains the time at which the file system created it. `cp`, `tar`, `rsync` and backup programs
//! create a new file with a new time, so a restored copy is recognised. A snapshot of the whole
//! file system is not.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::time::UNIX_EPOCH;

const MODE: u32 = 0o600;
const CREATED: &str = "created ";
/// The file system does not store the time of creation.
const UNKNOWN: &str = "unknown";

/// The reason why a file was not written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The previous file is unchanged.
    #[error(transparent)]
    Unchanged(io::Error),
    /// The file was replaced, but the new one may disappear at a power cut.
    #[error("the new file could not be synced: {0}")]
    Unsynced(io::Error),
}

/// The content of a file, and what its creation time shows.
pub struct Stored {
    pub text: String,
    /// Whether this is a copy of the file that this program wrote.
    pub is_copy: bool,
}

/// Replaces a file. `kind` is the first line, by which the file is recognised.
pub fn replace(path: &Path, kind: &str, text: &str) -> Result<(), WriteError> {
    let directory = path.parent().unwrap_or(Path::new("."));
    let temporary = path.with_extension("new");
    let written = write(&temporary, kind, text, None);
    let written = written.and_then(|(file, recorded)| {
        fs::rename(&temporary, path)?;
        Ok((file, recorded))
    });
    let (file, recorded) = written
        .inspect_err(|_| drop(fs::remove_file(&temporary)))
        .map_err(WriteError::Unchanged)?;
    // Some file systems return another time instead, such as that of the last change. The original
    // would then be taken for a copy at the next start.
    if created(&file) != recorded {
        write(&temporary, kind, text, Some(UNKNOWN))
            .and_then(|_| fs::rename(&temporary, path))
            .map_err(WriteError::Unsynced)?;
    }
    sync_directory(directory).map_err(WriteError::Unsynced)
}

/// Writes a file, and returns it with the time that it contains.
fn write(path: &Path, kind: &str, text: &str, time: Option<&str>) -> io::Result<(File, String)> {
    // A file that an earlier process left here could belong to another user.
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = File::options().write(true).create_new(true).mode(MODE).open(path)?;
    let created = time.map_or_else(|| created(&file), str::to_owned);
    file.write_all(format!("{kind}\n{CREATED}{created}\n\n{text}").as_bytes())?;
    file.sync_all()?;
    Ok((file, created))
}

/// Reads a file; `None` if it does not exist. The content is synced first, so that no power cut can
/// make it disappear again.
pub fn read(path: &Path, kind: &str) -> io::Result<Option<Stored>> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    file.sync_all()?;
    sync_directory(path.parent().unwrap_or(Path::new(".")))?;
    let invalid =
        || io::Error::new(io::ErrorKind::InvalidData, format!("the file is not a {kind}"));
    let text = io::read_to_string(&file)?;
    let rest = text.strip_prefix(kind).and_then(|rest| rest.strip_prefix('\n'));
    let (head, text) = rest.and_then(|rest| rest.split_once("\n\n")).ok_or_else(invalid)?;
    let recorded = head.strip_prefix(CREATED).ok_or_else(invalid)?;
    let actual = created(&file);
    let is_copy = recorded != UNKNOWN && actual != UNKNOWN && recorded != actual;
    Ok(Some(Stored { text: text.to_owned(), is_copy }))
}

/// Returns the time at which the file system created the file.
fn created(file: &File) -> String {
    let created = file.metadata().and_then(|metadata| metadata.created());
    let since = created.ok().and_then(|created| created.duration_since(UNIX_EPOCH).ok());
    since.map_or_else(
        || UNKNOWN.to_owned(),
        |since| format!("{}.{:09}", since.as_secs(), since.subsec_nanos()),
    )
}

/// Makes the names in a directory survive a power cut.
pub fn sync_directory(directory: &Path) -> io::Result<()> {
    File::open(directory)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: &str = "a kind of file";

    #[test]
    fn reads_what_was_written_and_recognises_a_copy() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("state");
        assert!(read(&path, KIND).expect("no error").is_none());
        for text in ["one\n", "", "two\n\nthree\n"] {
            replace(&path, KIND, text).expect("written");
            let stored = read(&path, KIND).expect("read").expect("a file");
            assert_eq!((stored.text.as_str(), stored.is_copy), (text, false));
        }
        assert!(read(&path, "another kind").is_err());
        let copy = directory.path().join("copy");
        fs::copy(&path, &copy).expect("copied");
        fs::rename(&copy, &path).expect("restored");
        let stored = read(&path, KIND).expect("read").expect("a file");
        assert!(stored.is_copy);
    }

    #[test]
    fn leaves_the_previous_file_if_the_new_one_cannot_be_written() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("state");
        replace(&path, KIND, "one").expect("written");
        // A folder under the temporary name, which cannot be removed as a file.
        fs::create_dir(path.with_extension("new")).expect("a folder");
        assert!(matches!(replace(&path, KIND, "two"), Err(WriteError::Unchanged(_))));
        assert_eq!(read(&path, KIND).expect("read").expect("a file").text, "one");
    }
}
