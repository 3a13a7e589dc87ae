//! The running hash of a history that is not in the log itself. A log entry contains the number of
//! rows and their hash, so no row can be changed, removed or moved later without detection.

use hex::FromHex as _;
use sha2::{Digest as _, Sha256};

/// The hash of all rows so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chain {
    /// Number of rows that the hash covers.
    pub count: i64,
    hash: [u8; 32],
}

impl Chain {
    /// Continues from the count and the hash in an entry; `None` if the text is not a hash.
    pub fn resume(count: i64, hash: &str) -> Option<Self> {
        Some(Self { count, hash: <[u8; 32]>::from_hex(hash).ok()? })
    }

    /// Adds a row. The new hash is the SHA-256 of the previous hash and the text of the row.
    pub fn add(&mut self, row: &str) {
        let next = Sha256::new().chain_update(self.hash).chain_update(row.as_bytes());
        self.hash = next.finalize().into();
        self.count += 1;
    }

    /// Returns the hash in lower-case hex, as in an entry.
    pub fn hash(&self) -> String {
        hex::encode(self.hash)
    }
}

#[cfg(test)]
mod tests {
    use super::Chain;

    fn chain_of(rows: &[&str]) -> Chain {
        let mut chain = Chain::default();
        rows.iter().for_each(|row| chain.add(row));
        chain
    }

    #[test]
    fn the_hash_depends_on_each_row_and_its_position() {
        let chain = chain_of(&["a", "b", "c"]);
        for other in [&["a", "c", "b"][..], &["a", "b"], &["a", "b", "d"], &["ab", "c"], &["abc"]] {
            assert_ne!(chain_of(other).hash(), chain.hash(), "{other:?}");
        }
        let mut resumed = Chain::resume(2, &chain_of(&["a", "b"]).hash()).expect("a hash");
        resumed.add("c");
        assert_eq!(resumed, chain);
        assert_eq!(Chain::resume(0, "x"), None);
    }
}
