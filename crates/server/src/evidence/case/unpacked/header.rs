//! One file of a ZIP archive as the directory describes it (APPNOTE 6.3.10, 4.3.12).

use std::fs::File;
use std::io::{self, BufReader, Read as _};

use super::invalid_archive;

pub const LOCAL: u32 = 0x0403_4b50;
const CENTRAL: u32 = 0x0201_4b50;
/// The length of a local header without the name.
pub const LOCAL_BYTES: u64 = 30;
/// Bytes that a local header and an entry of the directory have in common: from the needed version to the length of
/// the extra fields.
const SHARED_BYTES: usize = 26;
/// The maximum size of a file; documents have at most 20 MiB.
const FILE_BYTES_MAX: u64 = 256 << 20;
pub const STORED: u16 = 0;
const DEFLATED: u16 = 8;
/// 2.0: deflate and directories. ZIP64 needs 4.5.
const VERSION_MAX: u16 = 20;
/// The flags for the level of deflate and for names in UTF-8. Encryption, data descriptors and
/// patches are rejected.
const FLAGS_ALLOWED: u16 = UTF8 | 0b110;
const UTF8: u16 = 1 << 11;
/// Directory attribute of MS-DOS.
const DOS_DIRECTORY: u32 = 0x10;
/// Types of a Unix mode (`st_mode >> 12`): not set, directory, regular file. Others would be unpacked as links.
const UNIX_TYPES: [u32; 3] = [0, 0o4, 0o10];
const UNIX_DIRECTORY: u32 = 0o4;

/// A file of an archive.
#[derive(Debug, Clone)]
pub struct PackedFile {
    pub path: String,
    pub(super) method: u16,
    pub(super) crc: u32,
    pub(super) packed: u64,
    pub(super) length: u64,
    /// Offset of its local header.
    pub(super) at: u64,
    /// Bytes that its local header must repeat.
    pub(super) shared: Vec<u8>,
}

impl PackedFile {
    /// Reads the next file of the directory.
    pub fn read(directory: &mut Fields) -> io::Result<Self> {
        if directory.long() != CENTRAL {
            return Err(invalid_archive("the directory of the archive is damaged"));
        }
        directory.short();
        let shared = directory.peek(SHARED_BYTES).to_vec();
        let (version, flags, method) = (directory.short(), directory.short(), directory.short());
        directory.skip(4);
        let (crc, packed, length) = (directory.long(), directory.long(), directory.long());
        let (name, extra, comment) = (directory.short(), directory.short(), directory.short());
        let disk = directory.short();
        directory.short();
        let (attributes, at) = (directory.long(), directory.long());
        let name = directory.peek(usize::from(name)).to_vec();
        directory.skip(name.len());
        let path = String::from_utf8(name);
        let path = path.map_err(|_| invalid_archive("the name of a file is not UTF-8"))?;
        let (packed, length) = (u64::from(packed), u64::from(length));
        let file = Self { path, method, crc, packed, length, at: at.into(), shared };
        let is_known = version <= VERSION_MAX && flags & !FLAGS_ALLOWED == 0 && disk == 0;
        // An extra field can contain another name, other lengths or a link.
        if !is_known || extra != 0 || comment != 0 {
            return Err(invalid_archive(&format!(
                "{} has fields that programs interpret differently",
                file.path
            )));
        }
        if !matches!(method, STORED | DEFLATED) || method == STORED && packed != length {
            return Err(invalid_archive(&format!(
                "{} is packed with an unsupported method",
                file.path
            )));
        }
        if length > FILE_BYTES_MAX {
            return Err(invalid_archive(&format!("{} is too long", file.path)));
        }
        if !is_plain(&file.path) || flags & UTF8 == 0 && !file.path.is_ascii() {
            return Err(invalid_archive(&format!(
                "{:?} is a name that programs interpret differently",
                file.path
            )));
        }
        if !file.has_type_of_its_name(attributes) {
            return Err(invalid_archive(&format!("{} is not a regular file", file.path)));
        }
        Ok(file)
    }

    pub fn is_directory(&self) -> bool {
        self.path.ends_with('/')
    }

    /// Offset of its packed bytes.
    pub(super) fn data_at(&self) -> u64 {
        self.at + LOCAL_BYTES + self.path.len() as u64
    }

    fn has_type_of_its_name(&self, attributes: u32) -> bool {
        let unix = attributes >> 28;
        let says_directory = unix == UNIX_DIRECTORY || attributes & DOS_DIRECTORY != 0;
        UNIX_TYPES.contains(&unix)
            && if self.is_directory() {
                self.length == 0 && self.packed == 0
            } else {
                !says_directory
            }
    }
}

/// Returns whether all file systems unpack this path to the same place.
fn is_plain(path: &str) -> bool {
    let path = path.strip_suffix('/').unwrap_or(path);
    let is_part = |part: &str| {
        !part.is_empty()
            && !part.ends_with(['.', ' '])
            && !part.starts_with(' ')
            && !part.contains(|letter: char| {
                letter.is_control()
                    || matches!(letter, '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|')
            })
    };
    path.split('/').all(is_part)
}

/// A sequence of little-endian numbers; returns zeros after the end.
pub struct Fields {
    pub bytes: Vec<u8>,
    at: usize,
}

impl Fields {
    pub fn read(file: &mut BufReader<File>, length: u64) -> io::Result<Self> {
        let mut bytes = Vec::new();
        file.take(length).read_to_end(&mut bytes)?;
        if bytes.len() as u64 == length {
            Ok(Self { bytes, at: 0 })
        } else {
            Err(invalid_archive("the archive is truncated"))
        }
    }

    /// Returns the next bytes without advancing.
    fn peek(&self, length: usize) -> &[u8] {
        self.bytes.get(self.at..self.at.saturating_add(length)).unwrap_or_default()
    }

    fn take<const N: usize>(&mut self) -> [u8; N] {
        let bytes = self.peek(N).try_into().unwrap_or([0; N]);
        self.skip(N);
        bytes
    }

    pub fn short(&mut self) -> u16 {
        u16::from_le_bytes(self.take())
    }

    pub fn long(&mut self) -> u32 {
        u32::from_le_bytes(self.take())
    }

    fn skip(&mut self, bytes: usize) {
        self.at = self.at.saturating_add(bytes);
    }

    pub fn is_at_end(&self) -> bool {
        self.at == self.bytes.len()
    }
}
