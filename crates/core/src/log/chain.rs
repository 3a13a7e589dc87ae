//! The running hash over a history that is not itself in the log. An entry names how many rows there
//! are and the hash over them, so none of them can be changed, taken out or moved afterwards.

use hex::FromHex as _;
use sha2::{Digest as _, Sha256};

/// The hash over the rows until now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chain {
    /// How many rows the hash covers.
    pub count: i64,
    hash: [u8; 32],
}

impl Chain {
    /// Continues from an entry's count and hash; none where the text is no hash.
    pub fn resume(count: i64, hash: &str) -> Option<Self> {
        Some(Self { count, hash: <[u8; 32]>::from_hex(hash).ok()? })
    }

    /// Adds a row: the new hash is SHA-256 of the one before and the row's text.
    pub fn add(&mut self, row: &str) {
        let next = Sha256::new().chain_update(self.hash).chain_update(row.as_bytes());
        self.hash = next.finalize().into();
        self.count += 1;
    }

    /// The hash in lower-case hex, as an entry names it.
    pub fn hash(&self) -> String {
        hex::encode(self.hash)
    }
}

#[cfg(test)]
mod tests {
    use super::Chain;

    fn of(rows: &[&str]) -> Chain {
        let mut chain = Chain::default();
        rows.iter().for_each(|row| chain.add(row));
        chain
    }

    #[test]
    fn every_row_and_its_place_count() {
        let chain = of(&["a", "b", "c"]);
        for other in [&["a", "c", "b"][..], &["a", "b"], &["a", "b", "d"], &["ab", "c"], &["abc"]] {
            assert_ne!(of(other).hash(), chain.hash(), "{other:?}");
        }
        let mut resumed = Chain::resume(2, &of(&["a", "b"]).hash()).expect("a hash");
        resumed.add("c");
        assert_eq!(resumed, chain);
        assert_eq!(Chain::resume(0, "x"), None);
    }
}
