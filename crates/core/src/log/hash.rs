//! The two hashes of RFC 6962 §2.1 over SHA-256. The prefixes keep a node from passing for a leaf.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

/// A SHA-256 hash of a leaf or of an inner node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hash(pub [u8; Hash::LENGTH]);

impl Hash {
    /// Bytes of a hash.
    pub const LENGTH: usize = 32;

    /// The hash of an entry: SHA-256 of a zero byte and the entry.
    pub fn leaf(entry: &[u8]) -> Self {
        let mut hasher = Sha256::new();
        hasher.update([0x00]);
        hasher.update(entry);
        Self(hasher.finalize().into())
    }

    /// The hash of an inner node: SHA-256 of a byte 1 and both children.
    pub fn node(left: Self, right: Self) -> Self {
        let mut block = [0x01; 1 + 2 * Self::LENGTH];
        block[1..=Self::LENGTH].copy_from_slice(&left.0);
        block[1 + Self::LENGTH..].copy_from_slice(&right.0);
        Self(Sha256::digest(block).into())
    }

    /// The root of a tree without leaves: the hash of the empty string.
    pub fn empty_root() -> Self {
        Self(Sha256::digest([]).into())
    }

    /// `None` unless it is the one base64 spelling of exactly 32 bytes.
    pub fn from_base64(text: &str) -> Option<Self> {
        if text.len() != 44 {
            return None;
        }
        let bytes = STANDARD.decode(text).ok()?;
        Some(Self(bytes.try_into().ok()?))
    }

    /// `None` unless there are exactly 32 bytes.
    pub fn from_slice(bytes: &[u8]) -> Option<Self> {
        Some(Self(bytes.try_into().ok()?))
    }

    /// Standard base64 with padding: 44 characters.
    pub fn to_base64(self) -> String {
        STANDARD.encode(self.0)
    }
}

/// Lower-case hexadecimal digits. `hex::encode` collects them one by one, and here each entry has several hashes.
pub(crate) fn hex_digits(bytes: &[u8]) -> String {
    let mut digits = vec![0; bytes.len() * 2];
    // It fails only where the lengths do not fit.
    hex::encode_to_slice(bytes, &mut digits)
        .map_or_else(|_| String::new(), |()| String::from_utf8(digits).unwrap_or_default())
}

impl fmt::Debug for Hash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.to_base64())
    }
}
