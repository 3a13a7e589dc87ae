//! The two hashes of RFC 6962 §2.1 with SHA-256. Their prefixes prevent a node from being taken for a
//! leaf.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

/// A SHA-256 hash of a leaf or of an inner node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hash(pub [u8; Hash::LENGTH]);

impl Hash {
    /// Length of a hash in bytes.
    pub const LENGTH: usize = 32;

    /// Returns the hash of an entry: SHA-256 of a zero byte and the entry.
    pub fn leaf(entry: &[u8]) -> Self {
        let mut hasher = Sha256::new();
        hasher.update([0x00]);
        hasher.update(entry);
        Self(hasher.finalize().into())
    }

    /// Returns the hash of an inner node: SHA-256 of a byte 1 and both children.
    pub fn node(left: Self, right: Self) -> Self {
        let mut block = [0x01; 1 + 2 * Self::LENGTH];
        block[1..=Self::LENGTH].copy_from_slice(&left.0);
        block[1 + Self::LENGTH..].copy_from_slice(&right.0);
        Self(Sha256::digest(block).into())
    }

    /// Returns the root of a tree without leaves: the hash of the empty string.
    pub fn empty_root() -> Self {
        Self(Sha256::digest([]).into())
    }

    /// Parses the base64 text of exactly 32 bytes; `None` for any other text or spelling.
    pub fn from_base64(text: &str) -> Option<Self> {
        if text.len() != 44 {
            return None;
        }
        let bytes = STANDARD.decode(text).ok()?;
        Some(Self(bytes.try_into().ok()?))
    }

    /// Converts exactly 32 bytes; `None` for another length.
    pub fn from_slice(bytes: &[u8]) -> Option<Self> {
        Some(Self(bytes.try_into().ok()?))
    }

    /// Returns standard base64 with padding: 44 characters.
    pub fn to_base64(self) -> String {
        STANDARD.encode(self.0)
    }
}

/// Returns lower-case hexadecimal digits. `hex::encode` collects digits one at a time, which is too
/// slow here, because each entry has several hashes.
pub(crate) fn hex_digits(bytes: &[u8]) -> String {
    let mut digits = vec![0; bytes.len() * 2];
    // This fails only if the lengths do not match.
    hex::encode_to_slice(bytes, &mut digits)
        .map_or_else(|_| String::new(), |()| String::from_utf8(digits).unwrap_or_default())
}

impl fmt::Debug for Hash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.to_base64())
    }
}
