//! The copy of one log as files, with the paths of C2SP `tlog-tiles`.
//!
//! Each file is synced before it gets its name, and so is each new folder. A file that exists was
//! authenticated, so the next entry is found by looking for the last bundle.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use musette_core::log::hash::Hash;
use musette_core::log::tile::{Resource, Tile, WIDTH, decode_entries, encode_entries};

use crate::witness::durable;

/// The files of one log.
pub struct Storage {
    root: PathBuf,
}

impl Storage {
    /// Uses this folder, which is created with the first file.
    pub fn new(root: PathBuf) -> Self {
        Self { root }
    }

    /// Returns the index after the last stored entry, given that those below `size` are
    /// stored.
    pub fn next_entry(&self, size: u64) -> io::Result<u64> {
        let mut index = size / u64::from(WIDTH);
        while self.path(Resource::Entries { index, width: WIDTH }).exists() {
            index += 1;
        }
        let width = self.widest(Resource::Entries { index, width: 1 })?.unwrap_or(0);
        Ok(size.max(index * u64::from(WIDTH) + u64::from(width)))
    }

    /// Returns the first `width` entries of a bundle; `None` if there are fewer.
    pub fn entries(&self, index: u64, width: u16) -> io::Result<Option<Vec<Vec<u8>>>> {
        if width == 0 {
            return Ok(Some(Vec::new()));
        }
        let Some((stored, bytes)) = self.read(Resource::Entries { index, width })? else {
            return Ok(None);
        };
        let entries = decode_entries(&bytes, stored).map_err(io::Error::other)?;
        Ok(Some(entries.into_iter().take(width.into()).map(<[u8]>::to_vec).collect()))
    }

    /// Returns the bytes of a bundle or tile of exactly this width.
    pub fn resource(&self, resource: Resource) -> io::Result<Option<Vec<u8>>> {
        match resource {
            Resource::Entries { index, width } => {
                let Some(entries) = self.entries(index, width)? else { return Ok(None) };
                encode_entries(&entries).map(Some).map_err(io::Error::other)
            }
            Resource::Hashes(tile) => {
                let Some((_, mut bytes)) = self.read(resource)? else { return Ok(None) };
                bytes.truncate(usize::from(tile.width) * Hash::LENGTH);
                Ok(Some(bytes))
            }
        }
    }

    /// Stores a bundle or tile, and removes narrower ones at the same position.
    pub fn write(&self, resource: Resource, bytes: &[u8]) -> io::Result<()> {
        let path = self.path(resource);
        if path.exists() {
            return Ok(());
        }
        let folder = path.parent().unwrap_or(&self.root);
        self.create_folder(folder)?;
        let temporary = path.with_extension("new");
        let mut file = File::create(&temporary)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&temporary, &path)?;
        durable::sync_directory(folder)?;
        self.remove_narrower(resource);
        Ok(())
    }

    /// Removes what a wider file replaces. An error leaves a file that is not read any more.
    fn remove_narrower(&self, resource: Resource) {
        let partial = self.partial_folder(resource);
        if width_of(resource) == WIDTH {
            let _ = fs::remove_dir_all(partial);
            return;
        }
        for entry in fs::read_dir(partial).into_iter().flatten().flatten() {
            let width: Option<u16> = entry.file_name().to_str().and_then(|name| name.parse().ok());
            if width.is_none_or(|width| width < width_of(resource)) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    /// Reads this file, or a wider one at the same position, and returns its width. The second try
    /// is for a reader whose file was replaced by a wider one between the two steps of the first.
    fn read(&self, resource: Resource) -> io::Result<Option<(u16, Vec<u8>)>> {
        match self.try_read(resource)? {
            Some(file) => Ok(Some(file)),
            None => self.try_read(resource),
        }
    }

    fn try_read(&self, resource: Resource) -> io::Result<Option<(u16, Vec<u8>)>> {
        for width in [Some(WIDTH), self.widest(resource)?].into_iter().flatten() {
            if width < width_of(resource) {
                continue;
            }
            match fs::read(self.path(with_width(resource, width))) {
                Ok(bytes) => return Ok(Some((width, bytes))),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }

    /// Returns the width of the widest partial file at this position.
    fn widest(&self, resource: Resource) -> io::Result<Option<u16>> {
        let entries = match fs::read_dir(self.partial_folder(resource)) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let widths = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        Ok(widths.filter(|width: &u16| *width < WIDTH).max())
    }

    fn path(&self, resource: Resource) -> PathBuf {
        self.root.join(resource.to_string())
    }

    fn partial_folder(&self, resource: Resource) -> PathBuf {
        let mut folder = self.path(with_width(resource, 1));
        folder.pop();
        folder
    }

    /// Creates a folder, and syncs the folder around each new one.
    fn create_folder(&self, folder: &Path) -> io::Result<()> {
        if folder.is_dir() {
            return Ok(());
        }
        if let Some(parent) = folder.parent() {
            self.create_folder(parent)?;
            match fs::create_dir(folder) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                _ => durable::sync_directory(parent)?,
            }
        }
        Ok(())
    }
}

fn width_of(resource: Resource) -> u16 {
    match resource {
        Resource::Entries { width, .. } | Resource::Hashes(Tile { width, .. }) => width,
    }
}

fn with_width(resource: Resource, width: u16) -> Resource {
    match resource {
        Resource::Entries { index, .. } => Resource::Entries { index, width },
        Resource::Hashes(tile) => Resource::Hashes(Tile { width, ..tile }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn serves_every_width_from_the_widest_file() {
        let directory = tempfile::tempdir().expect("a directory");
        let storage = Storage::new(directory.path().join("log"));
        let entries: Vec<Vec<u8>> = (0..=255_u8).map(|number| vec![number; 3]).collect();
        let bundle = |width: u16| encode_entries(&entries[..width.into()]).expect("a bundle");
        let resource = |width| Resource::Entries { index: 1234, width };
        let start = 1234 * 256;
        assert_eq!(storage.next_entry(start).expect("read"), start);
        for width in [3_u16, 20, 256] {
            storage.write(resource(width), &bundle(width)).expect("written");
            assert_eq!(storage.next_entry(start).expect("read"), start + u64::from(width));
            for narrower in [1, 2, width] {
                let bytes = storage.resource(resource(narrower)).expect("read");
                assert_eq!(bytes, Some(bundle(narrower)));
            }
            if width < WIDTH {
                assert_eq!(storage.resource(resource(width + 1)).expect("read"), None);
            }
        }
        let folder = directory.path().join("log/tile/entries/x001");
        let files: Vec<_> = fs::read_dir(folder).expect("a folder").flatten().collect();
        assert_eq!(files.len(), 1, "the narrower files are removed: {files:?}");
    }
}
