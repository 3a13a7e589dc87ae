//! Reads a case file, and changes it as a forger would.

use std::ops::Range;

use serde_json::Value;
use sha2::{Digest as _, Sha256};

/// The files of an archive that is stored, not compressed: where the bytes of each file are.
pub struct Archive {
    pub bytes: Vec<u8>,
    pub files: Vec<(String, Range<usize>)>,
}

fn number(bytes: &[u8], at: usize, length: usize) -> usize {
    bytes[at..at + length].iter().rev().fold(0, |sum, byte| sum << 8 | usize::from(*byte))
}

/// Computes the CRC-32 of ZIP.
fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0_u32, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 }
        })
    })
}

impl Archive {
    pub fn of(bytes: Vec<u8>) -> Self {
        let (mut at, mut files) = (0, Vec::new());
        while bytes[at..].starts_with(b"PK\x03\x04") {
            assert_eq!(number(&bytes, at + 8, 2), 0, "stored");
            let (length, name) = (number(&bytes, at + 18, 4), number(&bytes, at + 26, 2));
            let path = String::from_utf8(bytes[at + 30..at + 30 + name].to_vec()).expect("UTF-8");
            let start = at + 30 + name;
            files.push((path, start..start + length));
            at = start + length;
        }
        Self { bytes, files }
    }

    #[track_caller]
    pub fn file(&self, path: &str) -> &[u8] {
        let file = self.files.iter().find(|(name, _)| name == path);
        let (_, range) = file.unwrap_or_else(|| panic!("no {path} in {:?}", self.paths()));
        &self.bytes[range.clone()]
    }

    pub fn json(&self, path: &str) -> Value {
        serde_json::from_slice(self.file(path)).expect("JSON")
    }

    pub fn paths(&self) -> Vec<&str> {
        self.files.iter().map(|(path, _)| path.as_str()).collect()
    }

    /// Returns the archive with one byte of a file changed and with matching checksums.
    pub fn changed(&self, file: usize, at: usize) -> Vec<u8> {
        let mut changed = Self { bytes: self.bytes.clone(), files: self.files.clone() };
        changed.bytes[self.files[file].1.start + at] ^= 1;
        changed.write_crc(file);
        changed.bytes
    }

    /// Returns the archive with a text of a file replaced by one of the same length, as a careful
    /// forger would: checksums and manifest match.
    #[track_caller]
    pub fn forged(&self, path: &str, from: &str, to: &str) -> Vec<u8> {
        assert_eq!(from.len(), to.len(), "{from} {to}");
        let mut forged = Self { bytes: self.bytes.clone(), files: self.files.clone() };
        let before = hex::encode(Sha256::digest(self.file(path)));
        forged.replace(path, from, to);
        let after = hex::encode(Sha256::digest(forged.file(path)));
        forged.replace("manifest.json", &before, &after);
        forged.bytes
    }

    #[track_caller]
    fn replace(&mut self, path: &str, from: &str, to: &str) {
        let file = self.files.iter().position(|(name, _)| name == path).expect("a file");
        let range = self.files[file].1.clone();
        let at = self.bytes[range.clone()].windows(from.len());
        let at = at.into_iter().position(|part| part == from.as_bytes());
        let at = range.start + at.unwrap_or_else(|| panic!("no {from} in {path}"));
        self.bytes[at..at + to.len()].copy_from_slice(to.as_bytes());
        self.write_crc(file);
    }

    fn write_crc(&mut self, file: usize) {
        let (path, range) = &self.files[file];
        let bytes = &mut self.bytes;
        let crc = crc(&bytes[range.clone()]).to_le_bytes();
        let local = range.start - path.len() - 30;
        bytes[local + 14..local + 18].copy_from_slice(&crc);
        let end = bytes.len() - 22;
        let mut central = number(bytes, end + 16, 4);
        while number(bytes, central + 42, 4) != local {
            central += 46 + number(bytes, central + 28, 2);
        }
        bytes[central + 16..central + 20].copy_from_slice(&crc);
    }
}
