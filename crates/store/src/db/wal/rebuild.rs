//! Rebuilds the database file as of a given time from a base and the changes after it.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use flate2::bufread::GzDecoder;
use musette_core::instant::Instant;
use sha2::{Digest as _, Sha256};

use super::chain::{BASE, FORMAT, Heading, files, folders};
use super::{CopyError, named};

/// The time as of which a database was rebuilt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RebuiltDatabase {
    /// When the newest of its changes was copied.
    pub at: Instant,
    /// The earliest and the latest time that can be rebuilt from these copies.
    pub reach: (Instant, Instant),
}

/// Writes the database as of `at`, or its latest state, into the file `target`, which must not
/// exist. It checks that every file that it uses is complete and follows the one before.
pub fn rebuild(
    directory: &Path,
    at: Option<Instant>,
    target: &Path,
) -> Result<RebuiltDatabase, CopyError> {
    let usable = usable(directory)?;
    let Some((first, last)) = reach_of(&usable) else {
        return Err(CopyError::Absent(directory.to_owned(), "there are no copies".into()));
    };
    let at = at.unwrap_or(last);
    let base =
        usable.iter().rev().find(|(_, files)| files.first().is_some_and(|file| file.0 <= at));
    let Some((folder, files)) = base else {
        let reach = format!("they reach from {first} to {last}");
        return Err(CopyError::Absent(directory.to_owned(), reach));
    };
    let selected: Vec<_> = files.iter().filter(|(copied_at, _)| *copied_at <= at).collect();
    let file = File::options().read(true).write(true).create_new(true).open(target);
    let mut file = file.map_err(named(target))?;
    let base = folder.join(BASE);
    let mut previous = sha256_of(&base)?;
    io::copy(&mut open_gzip(&base)?, &mut file).map_err(|error| damaged(&base, error))?;
    let mut newest = first;
    for (copied_at, path) in selected {
        apply(path, &previous, &file, target)?;
        previous = sha256_of(path)?;
        newest = *copied_at;
    }
    file.sync_all().map_err(named(target))?;
    Ok(RebuiltDatabase { at: newest, reach: (first, last) })
}

/// Returns the earliest and the latest time that can be rebuilt from these copies; `None` without
/// copies.
pub fn reach(directory: &Path) -> Result<Option<(Instant, Instant)>, CopyError> {
    Ok(reach_of(&usable(directory)?))
}

/// The folder of a base, and its files with their timestamps.
type Base = (PathBuf, Vec<(Instant, PathBuf)>);

fn usable(directory: &Path) -> Result<Vec<Base>, CopyError> {
    let mut usable = Vec::new();
    for (_, folder) in folders(directory)? {
        let files = files(&folder)?;
        // A program that was killed while it copied the database left a folder without files.
        if !files.is_empty() {
            usable.push((folder, files));
        }
    }
    Ok(usable)
}

fn reach_of(usable: &[Base]) -> Option<(Instant, Instant)> {
    let all = || usable.iter().flat_map(|(_, files)| files.iter().map(|(at, _)| *at));
    Some((all().min()?, all().max()?))
}

fn apply(path: &Path, previous: &str, file: &File, target: &Path) -> Result<(), CopyError> {
    let mut pages = BufReader::new(open_gzip(path)?);
    let mut line = String::new();
    // A damaged file may have no line break.
    (&mut pages).take(4096).read_line(&mut line).map_err(|error| damaged(path, error))?;
    let heading: Heading = serde_json::from_str(&line).map_err(|error| damaged(path, error))?;
    if heading.format != FORMAT {
        return Err(damaged(path, format!("its format is {}", heading.format)));
    }
    if heading.previous != previous {
        return Err(damaged(
            path,
            "it does not continue the previous file: a file is missing or changed",
        ));
    }
    let mut page = vec![0; heading.page_size];
    for _ in 0..heading.count {
        let mut number = [0; 4];
        pages.read_exact(&mut number).map_err(|error| damaged(path, error))?;
        pages.read_exact(&mut page).map_err(|error| damaged(path, error))?;
        let index = u64::from(u32::from_be_bytes(number)).saturating_sub(1);
        let at = index * heading.page_size as u64;
        file.write_all_at(&page, at).map_err(named(target))?;
    }
    // Read to the end, because the checksum is there.
    if pages.read(&mut [0]).map_err(|error| damaged(path, error))? > 0 {
        return Err(damaged(path, "it is longer than its header declares"));
    }
    if heading.size > 0 {
        let length = u64::from(heading.size) * heading.page_size as u64;
        file.set_len(length).map_err(named(target))?;
    }
    Ok(())
}

fn open_gzip(path: &Path) -> Result<GzDecoder<BufReader<File>>, CopyError> {
    Ok(GzDecoder::new(BufReader::new(File::open(path).map_err(named(path))?)))
}

fn sha256_of(path: &Path) -> Result<String, CopyError> {
    let mut hash = Sha256::new();
    let mut file = BufReader::with_capacity(1 << 20, File::open(path).map_err(named(path))?);
    loop {
        let bytes = file.fill_buf().map_err(named(path))?;
        if bytes.is_empty() {
            return Ok(hex::encode(hash.finalize()));
        }
        hash.update(bytes);
        let count = bytes.len();
        file.consume(count);
    }
}

fn damaged(path: &Path, why: impl ToString) -> CopyError {
    CopyError::Damaged(path.to_owned(), why.to_string())
}
