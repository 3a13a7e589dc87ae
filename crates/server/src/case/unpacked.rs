//! Reading a ZIP archive from strangers, strictly: whatever two programs could read differently is
//! refused, so that the files that were checked are the files that somebody else unpacks.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek as _, SeekFrom};
use std::path::Path;

use flate2::Crc;
use flate2::read::DeflateDecoder;

const LOCAL: u32 = 0x0403_4b50;
const CENTRAL: u32 = 0x0201_4b50;
const END: u32 = 0x0605_4b50;
const END_BYTES: u64 = 22;
/// Larger files would be no case of ours: a document has at most 20 MiB.
const FILE_BYTES_MAX: u64 = 256 << 20;
const STORED: u16 = 0;
const DEFLATED: u16 = 8;

/// An archive whose directory was read.
pub struct Unpacked {
    file: BufReader<File>,
    pub files: Vec<PackedFile>,
}

/// A file of an archive, as the directory has it.
#[derive(Debug, Clone)]
pub struct PackedFile {
    pub path: String,
    method: u16,
    crc: u32,
    packed: u64,
    length: u64,
    at: u64,
}

fn broken(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

impl Unpacked {
    /// Opens an archive as we write it, or as somebody packed the same files again.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut file = BufReader::new(File::open(path)?);
        let length = file.seek(SeekFrom::End(0))?;
        let end = length.checked_sub(END_BYTES).ok_or_else(|| broken("it is no ZIP archive"))?;
        file.seek(SeekFrom::Start(end))?;
        let mut fields = Fields::read(&mut file, END_BYTES)?;
        if fields.long() != END {
            return Err(broken("it is no ZIP archive, or bytes follow its end"));
        }
        let (disk, first_disk, here, all) =
            (fields.short(), fields.short(), fields.short(), fields.short());
        let (size, at) = (u64::from(fields.long()), u64::from(fields.long()));
        if disk != 0 || first_disk != 0 || here != all || at + size != end || all == u16::MAX {
            return Err(broken("its directory is damaged"));
        }
        file.seek(SeekFrom::Start(at))?;
        let mut directory = Fields::read(&mut file, size)?;
        let files: Vec<PackedFile> =
            (0..all).map(|_| directory.file()).collect::<io::Result<_>>()?;
        let names: BTreeSet<&str> = files.iter().map(|file| file.path.as_str()).collect();
        if names.len() != files.len() || !directory.is_at_end() {
            return Err(broken("a file stands twice in it, or its directory is damaged"));
        }
        Ok(Self { file, files })
    }

    /// The bytes of a file.
    pub fn read(&mut self, packed: &PackedFile) -> io::Result<Vec<u8>> {
        self.file.seek(SeekFrom::Start(packed.at))?;
        let mut local = Fields::read(&mut self.file, 30)?;
        if local.long() != LOCAL {
            return Err(broken("its header is damaged"));
        }
        local.skip(22);
        let (name, extra) = (u64::from(local.short()), u64::from(local.short()));
        let named = Fields::read(&mut self.file, name + extra)?;
        if named.bytes.get(..packed.path.len()) != Some(packed.path.as_bytes()) {
            return Err(broken("its header has another name"));
        }
        let mut bytes = Vec::new();
        let taken = (&mut self.file).take(packed.packed);
        let limit = packed.length + 1;
        match packed.method {
            STORED => taken.take(limit).read_to_end(&mut bytes)?,
            DEFLATED => DeflateDecoder::new(taken).take(limit).read_to_end(&mut bytes)?,
            _ => return Err(broken("it is packed in an unknown way")),
        };
        let mut crc = Crc::new();
        crc.update(&bytes);
        if bytes.len() as u64 != packed.length || crc.sum() != packed.crc {
            return Err(broken("its bytes were changed: its checksum in the archive is another"));
        }
        Ok(bytes)
    }
}

/// Little-endian numbers one after the other; zeros after the end.
struct Fields {
    bytes: Vec<u8>,
    at: usize,
}

impl Fields {
    fn read(file: &mut BufReader<File>, length: u64) -> io::Result<Self> {
        let mut bytes = Vec::new();
        file.take(length).read_to_end(&mut bytes)?;
        if bytes.len() as u64 == length {
            Ok(Self { bytes, at: 0 })
        } else {
            Err(broken("it ends too early"))
        }
    }

    fn take<const N: usize>(&mut self) -> [u8; N] {
        let found = self.bytes.get(self.at..self.at + N).and_then(|it| it.try_into().ok());
        self.skip(N);
        found.unwrap_or([0; N])
    }

    fn short(&mut self) -> u16 {
        u16::from_le_bytes(self.take())
    }

    fn long(&mut self) -> u32 {
        u32::from_le_bytes(self.take())
    }

    fn skip(&mut self, bytes: usize) {
        self.at = self.at.saturating_add(bytes);
    }

    fn is_at_end(&self) -> bool {
        self.at == self.bytes.len()
    }

    /// One file of the directory.
    fn file(&mut self) -> io::Result<PackedFile> {
        if self.long() != CENTRAL {
            return Err(broken("its directory is damaged"));
        }
        self.skip(4);
        let (flags, method) = (self.short(), self.short());
        self.skip(4);
        let (crc, packed, length) = (self.long(), self.long(), self.long());
        let (name, extra, comment) = (self.short(), self.short(), self.short());
        self.skip(8);
        let at = u64::from(self.long());
        let name = self.bytes.get(self.at..self.at + usize::from(name)).unwrap_or_default();
        let path = String::from_utf8(name.to_vec());
        let path = path.map_err(|_| broken("the name of a file is not UTF-8"))?;
        self.skip(path.len() + usize::from(extra) + usize::from(comment));
        if flags & 1 != 0 || u64::from(length) > FILE_BYTES_MAX {
            return Err(broken(&format!("{path} is encrypted or too long")));
        }
        Ok(PackedFile { path, method, crc, packed: packed.into(), length: length.into(), at })
    }
}
