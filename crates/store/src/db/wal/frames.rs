//! Reads SQLite's write-ahead log as a file: <https://www.sqlite.org/fileformat2.html#walformat>.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read as _, Seek as _, SeekFrom};
use std::os::unix::fs::FileExt as _;
use std::path::Path;

const HEADER: usize = 32;
const FRAME_HEADER: usize = 24;
/// With the lowest bit set, the checksums are over big-endian words.
const MAGIC: u32 = 0x377f_0682;

fn word(bytes: &[u8], at: usize) -> u32 {
    let mut word = [0; 4];
    word.copy_from_slice(&bytes[at..at + 4]);
    u32::from_be_bytes(word)
}

/// SQLite's checksum of a log: the checksum of each frame continues that of the previous frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Checksum(u32, u32);

impl Checksum {
    fn over(self, bytes: &[u8], is_big_endian: bool) -> Self {
        let Self(mut one, mut two) = self;
        for pair in bytes.chunks_exact(8) {
            let (first, second) = (word(pair, 0), word(pair, 4));
            let [first, second] = if is_big_endian {
                [first, second]
            } else {
                [first.swap_bytes(), second.swap_bytes()]
            };
            one = one.wrapping_add(first).wrapping_add(two);
            two = two.wrapping_add(second).wrapping_add(one);
        }
        Self(one, two)
    }

    fn stored(bytes: &[u8], at: usize) -> Self {
        Self(word(bytes, at), word(bytes, at + 4))
    }
}

/// The header of a log. Its salts identify the log: they change each time that the log restarts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Header {
    salts: [u32; 2],
    page_size: usize,
    is_big_endian: bool,
    checksum: Checksum,
}

impl Header {
    /// Reads the header; `None` if the log does not exist, is empty, or its header is being
    /// written.
    pub(super) fn read(wal: &Path) -> io::Result<Option<Self>> {
        match File::open(wal) {
            Ok(file) => Self::of(&file),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn of(file: &File) -> io::Result<Option<Self>> {
        let mut bytes = [0; HEADER];
        match file.read_exact_at(&mut bytes, 0) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
            result => result?,
        }
        let magic = word(&bytes, 0);
        let is_big_endian = magic & 1 == 1;
        let checksum = Checksum(0, 0).over(&bytes[..24], is_big_endian);
        if magic & !1 != MAGIC || checksum != Checksum::stored(&bytes, 24) {
            return Ok(None);
        }
        let salts = [word(&bytes, 16), word(&bytes, 20)];
        let page_size = usize::try_from(word(&bytes, 8)).map_err(io::Error::other)?;
        Ok(Some(Self { salts, page_size, is_big_endian, checksum }))
    }

    /// Returns whether this is the log of that position.
    pub(super) fn is_of(&self, position: &Position) -> bool {
        self.salts == position.header.salts
    }

    /// Returns whether this is the next log after that of the position: the first salt increases by
    /// one with each restart.
    pub(super) fn follows(&self, position: &Position) -> bool {
        self.salts[0] == position.header.salts[0].wrapping_add(1)
    }
}

/// A position in a log, after a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Position {
    header: Header,
    frames: u32,
    checksum: Checksum,
}

impl Position {
    pub(super) fn start(header: &Header) -> Self {
        Self { header: header.clone(), frames: 0, checksum: header.checksum }
    }

    pub(super) fn frames(&self) -> u32 {
        self.frames
    }

    fn frame_length(&self) -> usize {
        FRAME_HEADER + self.header.page_size
    }

    fn offset(&self) -> u64 {
        (HEADER + self.frames as usize * self.frame_length()) as u64
    }
}

/// The changes that were committed after a position.
#[derive(Debug)]
pub(super) struct Changes {
    pub(super) page_size: usize,
    /// Number of pages of the whole database after the changes; `None` if nothing was committed.
    pub(super) size: Option<u32>,
    /// The offset in the log of the newest content of each page, by page number.
    pages: BTreeMap<u32, u64>,
    pub(super) position: Position,
    file: File,
}

impl Changes {
    /// Reads everything that is committed after `from`, or the whole log. Returns `None` if the log
    /// does not continue from there.
    pub(super) fn read(wal: &Path, from: Option<&Position>) -> io::Result<Option<Self>> {
        let file = match File::open(wal) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            result => result?,
        };
        let Some(header) = Header::of(&file)? else { return Ok(None) };
        let start = Position::start(&header);
        let from = from.unwrap_or(&start);
        if !header.is_of(from) || !has_same_frame(&file, from)? {
            return Ok(None);
        }
        let page_size = header.page_size;
        let mut changes =
            Self { page_size, size: None, pages: BTreeMap::new(), position: from.clone(), file };
        changes.follow()?;
        Ok(Some(changes))
    }

    fn follow(&mut self) -> io::Result<()> {
        let mut reader = BufReader::with_capacity(1 << 20, self.file.try_clone()?);
        reader.seek(SeekFrom::Start(self.position.offset()))?;
        let mut at = self.position.clone();
        let mut frame = vec![0; at.frame_length()];
        let mut uncommitted = BTreeMap::new();
        while reader.read_exact(&mut frame).is_ok() {
            let is_big_endian = at.header.is_big_endian;
            let checksum = at.checksum.over(&frame[..8], is_big_endian);
            let checksum = checksum.over(&frame[FRAME_HEADER..], is_big_endian);
            // The frame is a remainder of an earlier log, or is being written.
            if [word(&frame, 8), word(&frame, 12)] != at.header.salts
                || checksum != Checksum::stored(&frame, 16)
            {
                break;
            }
            uncommitted.insert(word(&frame, 0), at.offset() + FRAME_HEADER as u64);
            at = Position { frames: at.frames + 1, checksum, ..at };
            let size = word(&frame, 4);
            if size > 0 {
                self.pages.append(&mut uncommitted);
                self.size = Some(size);
                self.position = at.clone();
            }
        }
        Ok(())
    }

    /// Returns the number of changed pages.
    pub(super) fn count(&self) -> usize {
        self.pages.len()
    }

    /// Calls `take` for each page with its number.
    pub(super) fn each(
        &self,
        mut take: impl FnMut(u32, &[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut page = vec![0; self.page_size];
        for (number, at) in &self.pages {
            self.file.read_exact_at(&mut page, *at)?;
            take(*number, &page)?;
        }
        Ok(())
    }

    /// Returns whether the log is still the same. A log that restarts gets its new header first, so
    /// everything that was read before is valid.
    pub(super) fn is_unchanged(&self) -> io::Result<bool> {
        Ok(Header::of(&self.file)?.is_some_and(|header| header.is_of(&self.position)))
    }
}

/// Returns whether the frame before the position is the one that was read: after a power failure it
/// may be another.
fn has_same_frame(file: &File, position: &Position) -> io::Result<bool> {
    if position.frames == 0 {
        return Ok(true);
    }
    let mut stored = [0; 8];
    let at = position.offset() - position.frame_length() as u64 + 16;
    match file.read_exact_at(&mut stored, at) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        result => {
            result?;
            Ok(Checksum::stored(&stored, 0) == position.checksum)
        }
    }
}
