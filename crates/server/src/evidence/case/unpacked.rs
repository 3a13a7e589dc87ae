//! Reads ZIP archives from untrusted sources, strictly. Other programs read an archive by its local
//! headers or by its directory, from the front or from the back, and apply extra fields. Only archives that all of them
//! unpack into the same files are accepted, so that the files that were checked are those that a reader opens.

mod header;

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek as _, SeekFrom};
use std::path::Path;

use flate2::Crc;
use flate2::read::DeflateDecoder;

use header::{Fields, LOCAL, LOCAL_BYTES, PackedFile, STORED};

const END: u32 = 0x0605_4b50;
const END_BYTES: u64 = 22;

/// An archive whose headers were read and compared.
#[derive(Debug)]
pub struct Unpacked {
    file: BufReader<File>,
    pub files: Vec<PackedFile>,
}

fn invalid_archive(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

impl Unpacked {
    /// Opens an archive that [`super::archive::Archive`] wrote, or that another program packed from the same files.
    ///
    /// # Errors
    /// For an archive that another program could unpack into other files.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut file = BufReader::new(File::open(path)?);
        let length = file.seek(SeekFrom::End(0))?;
        let end = length
            .checked_sub(END_BYTES)
            .ok_or_else(|| invalid_archive("the file is not a ZIP archive"))?;
        file.seek(SeekFrom::Start(end))?;
        let mut fields = Fields::read(&mut file, END_BYTES)?;
        if fields.long() != END {
            return Err(invalid_archive("the file is not a ZIP archive, or bytes follow its end"));
        }
        let (disk, first_disk, on_disk, all) =
            (fields.short(), fields.short(), fields.short(), fields.short());
        let (size, at) = (u64::from(fields.long()), u64::from(fields.long()));
        let comment = fields.short();
        let is_whole = disk == 0 && first_disk == 0 && on_disk == all && comment == 0;
        if !is_whole || at + size != end || all == u16::MAX {
            return Err(invalid_archive("the directory of the archive is damaged"));
        }
        file.seek(SeekFrom::Start(at))?;
        let mut directory = Fields::read(&mut file, size)?;
        let files: Vec<PackedFile> =
            (0..all).map(|_| PackedFile::read(&mut directory)).collect::<io::Result<_>>()?;
        if !directory.is_at_end() {
            return Err(invalid_archive("the directory of the archive is damaged"));
        }
        check_paths(&files)?;
        check_local_headers(&mut file, &files, at)?;
        Ok(Self { file, files })
    }

    /// Returns the bytes of a file.
    pub fn read(&mut self, packed: &PackedFile) -> io::Result<Vec<u8>> {
        self.file.seek(SeekFrom::Start(packed.data_at()))?;
        let mut bytes = Vec::new();
        let packed_bytes = (&mut self.file).take(packed.packed);
        let limit = packed.length + 1;
        let used = if packed.method == STORED {
            packed_bytes.take(limit).read_to_end(&mut bytes)? as u64
        } else {
            let mut decoder = DeflateDecoder::new(packed_bytes);
            (&mut decoder).take(limit).read_to_end(&mut bytes)?;
            decoder.total_in()
        };
        if used != packed.packed {
            return Err(invalid_archive("its packed data is longer than declared"));
        }
        let mut crc = Crc::new();
        crc.update(&bytes);
        if bytes.len() as u64 != packed.length || crc.sum() != packed.crc {
            return Err(invalid_archive(
                "it was changed: its checksum does not match the one in the archive",
            ));
        }
        Ok(bytes)
    }
}

/// Compares the local header of each file with the directory. The files follow each other from the first byte of the
/// archive up to the directory, so no program that reads from the front finds more than the directory lists.
fn check_local_headers(
    file: &mut BufReader<File>,
    files: &[PackedFile],
    directory_at: u64,
) -> io::Result<()> {
    let mut expected_at = 0;
    for packed in files {
        if packed.at != expected_at {
            return Err(invalid_archive(&format!("there are other bytes before {}", packed.path)));
        }
        file.seek(SeekFrom::Start(packed.at))?;
        let local = Fields::read(file, LOCAL_BYTES)?;
        let name = Fields::read(file, packed.path.len() as u64)?;
        if local.bytes != [&LOCAL.to_le_bytes(), packed.shared.as_slice()].concat()
            || name.bytes != packed.path.as_bytes()
        {
            return Err(invalid_archive(&format!(
                "the header of {} differs from the directory of the archive",
                packed.path
            )));
        }
        expected_at = packed.data_at() + packed.packed;
    }
    if expected_at == directory_at {
        Ok(())
    } else {
        Err(invalid_archive("there are other bytes before the directory of the archive"))
    }
}

/// Rejects paths that a file system could consider equal, because two files would be unpacked into
/// one.
fn check_paths(files: &[PackedFile]) -> io::Result<()> {
    let folded = |path: &str| path.trim_end_matches('/').to_lowercase();
    let all: BTreeSet<String> = files.iter().map(|file| folded(&file.path)).collect();
    if all.len() != files.len() {
        return Err(invalid_archive("a file occurs twice in the archive"));
    }
    for packed in files {
        let path = folded(&packed.path);
        let is_folder = |folder: &str| {
            !files.iter().any(|file| !file.is_directory() && folded(&file.path) == folder)
        };
        let mut folders = path.char_indices().filter(|(_, letter)| *letter == '/');
        if !folders.all(|(at, _)| !all.contains(&path[..at]) || is_folder(&path[..at])) {
            return Err(invalid_archive(&format!("{} is inside a file", packed.path)));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
