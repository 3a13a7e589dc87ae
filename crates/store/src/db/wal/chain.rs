//! The files of the copies. Each base has a folder that is named by its timestamp. Every file
//! contains the hash of the previous one, so that a file that is missing, changed or from another
//! base is detected.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use musette_core::instant::Instant;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::frames::{Changes, Position};
use super::{CopyError, named};

pub(super) const FORMAT: &str = "musette-pages-1";
pub(super) const BASE: &str = "base.gz";
const PAGES: &str = ".pages.gz";
const PARTIAL: &str = ".partial";

/// The first line of a file with pages. The pages follow, each as its number in four bytes and its
/// content.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Heading {
    pub(super) format: String,
    /// When the log was read: everything that was committed before is included.
    pub(super) at: String,
    pub(super) page_size: usize,
    /// Number of pages of the whole database.
    pub(super) size: u32,
    /// Number of pages in this file.
    pub(super) count: usize,
    /// SHA-256 of the previous file, in hex.
    pub(super) previous: String,
}

/// A base and the changes that were added to it.
pub(super) struct Chain {
    folder: PathBuf,
    started_at: Instant,
    last_at: Instant,
    next: u32,
    previous: String,
    position: Option<Position>,
    size: u32,
}

impl Chain {
    /// Copies the database file, which may be written to meanwhile.
    pub(super) fn begin(
        directory: &Path,
        database: &Path,
        now: Instant,
    ) -> Result<Self, CopyError> {
        fs::create_dir_all(directory).map_err(named(directory))?;
        // If the clock was set back, the new base must still sort after the earlier ones.
        let newest = folders(directory)?.pop().map_or(now, |(at, _)| at.max_with_next(now));
        let folder = directory.join(file_time(newest));
        fs::create_dir(&folder).map_err(named(&folder))?;
        let mut source = File::open(database).map_err(named(database))?;
        let path = folder.join(BASE);
        let written = write_file(&path, |target| io::copy(&mut source, target).map(drop));
        // Without this each attempt on a full disk would leave a folder.
        let previous = written.inspect_err(|_| drop(fs::remove_dir_all(&folder)))?;
        let chain = Self {
            folder,
            started_at: newest,
            last_at: newest,
            next: 1,
            previous,
            position: None,
            size: 0,
        };
        Ok(chain)
    }

    /// Removes a base that cannot be used; otherwise each attempt on a full disk would leave one.
    pub(super) fn discard(&self) {
        let _ = fs::remove_dir_all(&self.folder);
    }

    /// Adds the whole log, without which a base cannot be used. Returns false if there is no log.
    pub(super) fn append_first(&mut self, wal: &Path, now: Instant) -> Result<bool, CopyError> {
        match Changes::read(wal, None).map_err(named(wal))? {
            Some(changes) => self.add(wal, &changes, now),
            None => Ok(false),
        }
    }

    /// Adds the commits since the last call. Returns false if the log does not continue from the
    /// position of that call.
    pub(super) fn append(&mut self, wal: &Path, now: Instant) -> Result<bool, CopyError> {
        match Changes::read(wal, self.position.as_ref()).map_err(named(wal))? {
            Some(changes) if changes.size.is_none() => Ok(true),
            Some(changes) => self.add(wal, &changes, now),
            None => Ok(false),
        }
    }

    fn add(&mut self, wal: &Path, changes: &Changes, now: Instant) -> Result<bool, CopyError> {
        let at = self.last_at.max_with_next(now);
        let size = changes.size.unwrap_or(self.size);
        let heading = Heading {
            format: FORMAT.into(),
            at: at.to_string(),
            page_size: changes.page_size,
            size,
            count: changes.count(),
            previous: self.previous.clone(),
        };
        let path = self.folder.join(format!("{:08}-{}{PAGES}", self.next, file_time(at)));
        let mut is_unchanged = false;
        let written = write_unless(&path, |target| {
            serde_json::to_writer(&mut *target, &heading).map_err(io::Error::other)?;
            target.write_all(b"\n")?;
            changes.each(|number, page| {
                target.write_all(&number.to_be_bytes())?;
                target.write_all(page)
            })?;
            is_unchanged = changes.is_unchanged()?;
            Ok(is_unchanged)
        })?;
        if let Some(hash) = written {
            self.previous = hash;
            self.next += 1;
            self.last_at = at;
            self.size = size;
            self.position = Some(changes.position.clone());
            return Ok(true);
        }
        tracing::debug!(wal = %wal.display(), is_unchanged, "the write-ahead log restarted while it was read");
        Ok(false)
    }

    pub(super) fn started_at(&self) -> Instant {
        self.started_at
    }

    pub(super) fn last_at(&self) -> Instant {
        self.last_at
    }

    /// Returns the number of frames of the log that were copied.
    pub(super) fn frames(&self) -> u32 {
        self.position.as_ref().map_or(0, Position::frames)
    }

    pub(super) fn position(&self) -> Option<&Position> {
        self.position.as_ref()
    }

    pub(super) fn continue_at(&mut self, position: Position) {
        self.position = Some(position);
    }
}

/// Writes a file that only gets its name when it is complete and on disk. Returns its SHA-256.
fn write_file(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<String, CopyError> {
    let hash = write_unless(path, |target| write(target).map(|()| true))?;
    Ok(hash.unwrap_or_default())
}

/// Like [`write_file`], but removes the file if `write` returns false.
fn write_unless(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<bool>,
) -> Result<Option<String>, CopyError> {
    let mut partial = path.as_os_str().to_owned();
    partial.push(PARTIAL);
    let partial = PathBuf::from(partial);
    let written = (|| {
        let file = Hashed { inner: BufWriter::new(File::create(&partial)?), hash: Sha256::new() };
        let mut zipped = GzEncoder::new(file, Compression::fast());
        if !write(&mut zipped)? {
            return Ok(None);
        }
        let Hashed { inner, hash } = zipped.finish()?;
        inner.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
        fs::rename(&partial, path)?;
        if let Some(folder) = path.parent() {
            File::open(folder)?.sync_all()?;
        }
        Ok(Some(hex::encode(hash.finalize())))
    })();
    if !matches!(written, Ok(Some(_))) {
        // The file may not have been created.
        let _ = fs::remove_file(&partial);
    }
    written.map_err(named(path))
}

struct Hashed<W> {
    inner: W,
    hash: Sha256,
}

impl<W: Write> Write for Hashed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.inner.write(bytes)?;
        self.hash.update(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

trait MaxWithNext {
    /// Returns `now`, or the next instant if `now` is not later.
    fn max_with_next(self, now: Instant) -> Instant;
}

impl MaxWithNext for Instant {
    fn max_with_next(self, now: Instant) -> Instant {
        now.max(self.plus(Duration::from_millis(1)))
    }
}

/// Formats a timestamp as `20261125T024510.123Z`, so that sorting by name sorts by time.
fn file_time(at: Instant) -> String {
    at.to_string().replace(['-', ':'], "")
}

fn time_of(name: &str) -> Option<Instant> {
    let part = |range: std::ops::Range<usize>| name.get(range);
    let (date, clock, rest) = (part(0..8)?, part(9..15)?, name.get(15..)?);
    let text = format!(
        "{}-{}-{}T{}:{}:{}{rest}",
        &date[..4],
        &date[4..6],
        &date[6..],
        &clock[..2],
        &clock[2..4],
        &clock[4..]
    );
    let at = Instant::parse_strict(&text).ok()?;
    (file_time(at) == name).then_some(at)
}

/// Returns the folders of all bases, the oldest first. Other files in the directory are ignored.
pub(super) fn folders(directory: &Path) -> Result<Vec<(Instant, PathBuf)>, CopyError> {
    let mut bases = Vec::new();
    for entry in fs::read_dir(directory).map_err(named(directory))? {
        let path = entry.map_err(named(directory))?.path();
        let at = path.file_name().and_then(|name| name.to_str()).and_then(time_of);
        bases.extend(at.map(|at| (at, path)));
    }
    bases.sort();
    Ok(bases)
}

/// Returns the files with pages of a base, in order, with their timestamps.
pub(super) fn files(folder: &Path) -> Result<Vec<(Instant, PathBuf)>, CopyError> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(named(folder))? {
        let path = entry.map_err(named(folder))?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let at = name.strip_suffix(PAGES).and_then(|name| time_of(name.split_once('-')?.1));
        files.extend(at.map(|at| (at, path.clone())));
    }
    files.sort_by(|one, other| one.1.cmp(&other.1));
    Ok(files)
}

/// Removes copies that are older than the retention period. The base before the oldest time that
/// must be restorable is needed for it and stays.
pub(super) fn prune(directory: &Path, now: Instant, keep: Duration) -> Result<(), CopyError> {
    let all = folders(directory)?;
    for pair in all.windows(2) {
        let [(_, old), (next, _)] = pair else { continue };
        if now.since(*next) > keep {
            fs::remove_dir_all(old).map_err(named(old))?;
        }
    }
    Ok(())
}
