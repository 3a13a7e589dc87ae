//! Identifies users in experiments by a keyed hash. Without the key, the store does not reveal who
//! took part.

use hmac::{Hmac, KeyInit as _, Mac as _};
use musette_store::{ShortHash, Store, StoreError};
use sha2::{Digest as _, Sha256};

use crate::platform::random;

#[derive(Clone)]
pub struct UnitKey(Hmac<Sha256>);

impl UnitKey {
    pub fn new(secret: &[u8]) -> Self {
        // HMAC accepts a key of any length.
        Self(Hmac::new_from_slice(secret).expect("a key"))
    }

    /// Loads the key of this store.
    pub async fn load(store: &Store) -> Result<Self, StoreError> {
        let secret = store.secret("flag-units", &random::hex::<32>()).await?;
        Ok(Self::new(secret.as_bytes()))
    }

    /// Returns all hashes that may identify a user in events and assignments.
    pub fn of_user(&self, id: &str) -> [ShortHash; 3] {
        [self.hash(&[id]), self.hash(&["userId", id]), self.hash(&["key", id])]
    }

    /// Hashes the parts with their lengths, so that `ab` and `c` differ from `a` and `bc`.
    pub fn hash(&self, parts: &[&str]) -> ShortHash {
        let mut hmac = self.0.clone();
        for part in parts {
            hmac.update(&(part.len() as u64).to_be_bytes());
            hmac.update(part.as_bytes());
        }
        first_half(&hmac.finalize().into_bytes())
    }
}

/// Returns a hash without a key, for names that identify no person.
pub fn open_hash(parts: &[&str]) -> ShortHash {
    let mut sha = Sha256::new();
    for part in parts {
        sha.update((part.len() as u64).to_be_bytes());
        sha.update(part.as_bytes());
    }
    first_half(&sha.finalize())
}

fn first_half(digest: &[u8]) -> ShortHash {
    let mut hash = ShortHash::default();
    hash.copy_from_slice(&digest[..16]);
    hash
}

#[cfg(test)]
mod tests {
    use super::{UnitKey, open_hash};

    #[test]
    fn the_hash_depends_on_the_key_and_each_part() {
        let (one, other) = (UnitKey::new(b"one"), UnitKey::new(b"other"));
        assert_eq!(one.hash(&["userId", "u1"]), one.hash(&["userId", "u1"]));
        assert_ne!(one.hash(&["userId", "u1"]), other.hash(&["userId", "u1"]));
        assert_ne!(one.hash(&["userId", "u1"]), one.hash(&["userI", "du1"]));
        assert_ne!(open_hash(&["a", "bc"]), open_hash(&["ab", "c"]));
    }
}
