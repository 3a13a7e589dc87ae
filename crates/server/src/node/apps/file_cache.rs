//! Hashed files of earlier versions of the web applications, so that a page that is open during an
//! update can still load its later parts.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use bytes::Bytes;

/// The time for which a file is served after the last version that contained it.
const RETENTION: Duration = Duration::from_hours(30 * 24);
/// The file with the names of the version that was current when it was written.
const CURRENT: &str = "current";

/// A flat directory of hashed files next to the store. A file is called `APP-NAME`.
pub struct FileCache {
    directory: PathBuf,
    /// The names on disk at the start, so that an unknown name is rejected without a system call.
    names: HashSet<String>,
}

/// A file of this version: the name of its application, its name, and its content.
pub type CurrentFile<'a> = (&'static str, String, std::borrow::Cow<'a, [u8]>);

fn key(app: &str, name: &str) -> String {
    format!("{app}-{name}")
}

impl FileCache {
    /// Opens the directory. Contains no files if the directory does not exist.
    pub fn open(directory: PathBuf) -> Self {
        let names = names_in(&directory).unwrap_or_default();
        Self { directory, names }
    }

    /// Returns the file with this name below `assets/`.
    pub async fn get(&self, app: &str, name: &str) -> Option<Bytes> {
        let key = key(app, name);
        let path = self.names.contains(&key).then(|| self.directory.join(&key))?;
        tokio::fs::read(path).await.ok().map(Bytes::from)
    }

    /// Copies the files of this version, and deletes those that were replaced too long ago.
    pub fn keep(&self, current: &[CurrentFile<'_>], now: SystemTime) -> io::Result<()> {
        fs::create_dir_all(&self.directory)?;
        let listing = fs::read_to_string(self.directory.join(CURRENT)).unwrap_or_default();
        let before: HashSet<&str> = listing.lines().collect();
        let keys: HashSet<String> = current.iter().map(|(app, name, _)| key(app, name)).collect();
        for name in names_in(&self.directory)?.difference(&keys) {
            let path = self.directory.join(name);
            if before.contains(name.as_str()) {
                // The time of its replacement is now.
                File::options().append(true).open(&path)?.set_modified(now)?;
            } else if is_expired(&path, now)? {
                fs::remove_file(&path)?;
            }
        }
        for (app, name, bytes) in current {
            write_once(&self.directory, &key(app, name), bytes)?;
        }
        let mut keys: Vec<String> = keys.into_iter().collect();
        keys.sort_unstable();
        write(&self.directory, CURRENT, keys.join("\n").as_bytes())
    }
}

fn names_in(directory: &Path) -> io::Result<HashSet<String>> {
    let names =
        fs::read_dir(directory)?.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    // A file that a crash left incomplete ends with `.new`.
    Ok(names.filter(|name| name != CURRENT && !name.ends_with(".new")).collect())
}

fn is_expired(path: &Path, now: SystemTime) -> io::Result<bool> {
    let replaced = fs::metadata(path)?.modified()?;
    Ok(now.duration_since(replaced).is_ok_and(|age| age > RETENTION))
}

fn write_once(directory: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    if directory.join(name).exists() { Ok(()) } else { write(directory, name, bytes) }
}

/// Writes a file atomically, by renaming it.
fn write(directory: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    let new = directory.join(format!("{name}.new"));
    fs::write(&new, bytes)?;
    fs::rename(new, directory.join(name))
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;

    const DAY: Duration = Duration::from_hours(24);

    fn version(name: &str) -> Vec<CurrentFile<'static>> {
        let bytes = Cow::Owned(name.as_bytes().to_vec());
        vec![
            ("rider", name.to_owned(), bytes),
            ("rider", "same.js".to_owned(), Cow::Borrowed(b"s")),
        ]
    }

    #[tokio::test]
    async fn keeps_a_file_for_thirty_days_after_the_last_version_that_had_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let web = folder.path().join("web");
        let now = SystemTime::UNIX_EPOCH + 20_000 * DAY;
        let served = async |name: &str| FileCache::open(web.clone()).get("rider", name).await;
        let keep = |name: &str, at| FileCache::open(web.clone()).keep(&version(name), at);
        assert_eq!(served("one.js").await, None, "no directory yet");
        keep("one.js", now).expect("kept");
        // The time for which it was current does not count.
        keep("two.js", now + 100 * DAY).expect("kept");
        keep("three.js", now + 129 * DAY).expect("kept");
        assert_eq!(served("one.js").await.as_deref(), Some(&b"one.js"[..]));
        assert_eq!(served("two.js").await.as_deref(), Some(&b"two.js"[..]));
        keep("three.js", now + 131 * DAY).expect("kept");
        assert_eq!(served("one.js").await, None);
        assert_eq!(served("two.js").await.as_deref(), Some(&b"two.js"[..]));
        assert_eq!(served("same.js").await.as_deref(), Some(&b"s"[..]));
        for elsewhere in ["../rider-two.js", "current", "", "two.js.new"] {
            assert_eq!(served(elsewhere).await, None, "{elsewhere}");
        }
    }
}
