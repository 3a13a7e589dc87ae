//! C2SP `tlog-mirror`: the binary body of `add-entries`. It is read in parts, because it can be
//! larger than the memory.

use super::hash::Hash;
use super::numeral;
use super::tile::WIDTH;
use super::witness::PROOF_MAX;

const PACKAGE: u64 = WIDTH as u64;
/// Longest package, in bytes: 256 entries of the largest length, and the longest proof.
pub const PACKAGE_MAX: usize = 256 * (2 + 65_535) + 1 + PROOF_MAX * Hash::LENGTH;

/// The head of an upload: which entries of which log follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Upload {
    /// Origin of the log. It may be that of no log.
    pub origin: String,
    /// Index of the first entry.
    pub start: u64,
    /// Index after the last entry of the whole upload; also the size of the checkpoint to which the
    /// entries are proved.
    pub end: u64,
    /// Value that the mirror gave to the client earlier.
    pub ticket: Vec<u8>,
}

/// The entries of one package with their proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Package<'a> {
    /// Entries in their order.
    pub entries: Vec<&'a [u8]>,
    /// Subtree consistency proof to the checkpoint of the upload.
    pub proof: Vec<Hash>,
}

/// The bytes are not an upload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UploadError {
    /// The origin is not UTF-8.
    #[error("the origin is not UTF-8")]
    Origin,
    /// The end is before the start, or over 2^63 - 1.
    #[error("the upload ends before it starts, or after 2^63 - 1 entries")]
    Range,
    /// A package has too many proof hashes.
    #[error("a proof has at most {PROOF_MAX} hashes")]
    Proof,
}

/// The range of entries of one package, aligned at multiples of 256.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// Start of the subtree that the proof is about. Entries before `start` are in the log already.
    pub subtree_start: u64,
    /// Index of the first entry in the package.
    pub start: u64,
    /// Index after the last entry in the package.
    pub end: u64,
}

impl Upload {
    /// Parses the head of a body and returns it with its length; `None` if more bytes are needed.
    ///
    /// # Errors
    /// Returns an error if it is malformed.
    pub fn parse(bytes: &[u8]) -> Result<Option<(Self, usize)>, UploadError> {
        let mut reader = Reader(bytes);
        let head = (|| {
            let origin = reader.prefixed()?;
            let (start, end) = (reader.u64()?, reader.u64()?);
            Some((origin, start, end, reader.prefixed()?))
        })();
        let Some((origin, start, end, ticket)) = head else { return Ok(None) };
        let origin = std::str::from_utf8(origin).map_err(|_| UploadError::Origin)?.to_owned();
        if start > end || end > numeral::MAX {
            return Err(UploadError::Range);
        }
        let length = bytes.len() - reader.0.len();
        Ok(Some((Self { origin, start, end, ticket: ticket.to_vec() }, length)))
    }

    /// Returns the ranges of the packages of the whole upload.
    pub fn ranges(&self) -> impl Iterator<Item = Range> {
        let (first, last) = (self.start / PACKAGE, self.end.div_ceil(PACKAGE));
        let (start, end) = (self.start, self.end);
        let packages = if start == end { 0..0 } else { first..last };
        packages.map(move |index| Range {
            subtree_start: index * PACKAGE,
            start: start.max(index * PACKAGE),
            end: end.min((index + 1) * PACKAGE),
        })
    }
}

impl<'a> Package<'a> {
    /// Parses a package with this number of entries and returns it with its length; `None` if more
    /// bytes are needed.
    ///
    /// # Errors
    /// Returns an error if the proof is too long.
    pub fn parse(bytes: &'a [u8], count: u64) -> Result<Option<(Self, usize)>, UploadError> {
        let mut reader = Reader(bytes);
        let mut entries = Vec::new();
        for _ in 0..count {
            let Some(entry) = reader.prefixed() else { return Ok(None) };
            entries.push(entry);
        }
        let Some(hashes) = reader.take(1).map(|bytes| usize::from(bytes[0])) else {
            return Ok(None);
        };
        if hashes > PROOF_MAX {
            return Err(UploadError::Proof);
        }
        let Some(proof) = reader.take(hashes * Hash::LENGTH) else { return Ok(None) };
        let proof = proof.chunks_exact(Hash::LENGTH).filter_map(Hash::from_slice).collect();
        Ok(Some((Self { entries, proof }, bytes.len() - reader.0.len())))
    }
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (bytes, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(bytes)
    }

    fn prefixed(&mut self) -> Option<&'a [u8]> {
        let (length, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        self.take(usize::from(u16::from_be_bytes(*length)))
    }

    fn u64(&mut self) -> Option<u64> {
        let (bytes, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_be_bytes(*bytes))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn head(origin: &[u8], start: u64, end: u64, ticket: &[u8]) -> Vec<u8> {
        [
            &(origin.len() as u16).to_be_bytes()[..],
            origin,
            &start.to_be_bytes(),
            &end.to_be_bytes(),
            &(ticket.len() as u16).to_be_bytes(),
            ticket,
        ]
        .concat()
    }

    #[test]
    fn reads_the_head_once_it_is_complete() {
        let bytes = head(b"log", 5, 700, b"ticket");
        for end in 0..bytes.len() {
            assert_eq!(Upload::parse(&bytes[..end]), Ok(None));
        }
        let (upload, length) = Upload::parse(&[&*bytes, b"more"].concat()).unwrap().unwrap();
        assert_eq!(length, bytes.len());
        assert_eq!((&*upload.origin, upload.start, upload.end), ("log", 5, 700));
        let ranges: Vec<_> =
            upload.ranges().map(|range| (range.subtree_start, range.start, range.end)).collect();
        assert_eq!(ranges, [(0, 5, 256), (256, 256, 512), (512, 512, 700)]);
        assert_eq!(Upload { start: 700, ..upload }.ranges().count(), 0);
        assert_eq!(Upload::parse(&head(b"\xff", 0, 1, b"")), Err(UploadError::Origin));
        assert_eq!(Upload::parse(&head(b"log", 2, 1, b"")), Err(UploadError::Range));
        assert_eq!(Upload::parse(&head(b"log", 0, u64::MAX, b"")), Err(UploadError::Range));
    }

    #[test]
    fn reads_a_package_once_it_is_complete() {
        let hash = Hash([7; 32]);
        let bytes = [&[0, 3][..], b"one", &[0, 0], &[2], &hash.0, &hash.0].concat();
        for end in 0..bytes.len() {
            assert_eq!(Package::parse(&bytes[..end], 2), Ok(None));
        }
        let expected = Package { entries: vec![b"one", b""], proof: vec![hash, hash] };
        assert_eq!(Package::parse(&bytes, 2), Ok(Some((expected, bytes.len()))));
        assert_eq!(Package::parse(&[0, 0, 64], 1), Err(UploadError::Proof));
    }

    proptest! {
        #[test]
        fn never_panics(bytes: Vec<u8>, count in 0_u64..300) {
            let _ = Upload::parse(&bytes);
            let _ = Package::parse(&bytes, count);
        }
    }
}
