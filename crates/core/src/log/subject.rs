//! The pseudonym of a person in the log: an HMAC with the person's own key, which is stored outside
//! of the log. Deleting the key anonymises the entry without changing a hash.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest as _, Sha256};

use super::hash::hex_digits;

/// 32 random bytes: one key per rider, and one per submission of an applicant.
#[derive(Clone, PartialEq, Eq)]
pub struct SubjectKey([u8; 32]);

/// A text is not 32 bytes in base64url.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a subject key is 32 bytes in base64url without padding")]
pub struct ParseSubjectKeyError;

impl SubjectKey {
    /// Creates a key from 32 random bytes.
    pub fn new(random: [u8; 32]) -> Self {
        Self(random)
    }

    /// Returns the bytes of the key. They allow linking entries to the person.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Parses the key in a receipt.
    ///
    /// # Errors
    /// Returns an error if the text is not 43 characters of base64url.
    pub fn from_base64url(text: &str) -> Result<Self, ParseSubjectKeyError> {
        // The length is checked first, so that a huge text is not decoded.
        if text.len() != 43 {
            return Err(ParseSubjectKeyError);
        }
        let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| ParseSubjectKeyError)?;
        Ok(Self(bytes.try_into().map_err(|_| ParseSubjectKeyError)?))
    }

    /// Returns 43 characters of base64url, as in a receipt.
    pub fn to_base64url(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0)
    }

    /// Returns the `subject` of an entry for a rider's user id or an applicant's receipt id.
    pub fn subject(&self, id: &str) -> String {
        hex_digits(&hmac_sha256(&self.0, &[id.as_bytes()]))
    }

    /// Returns the `app_sha256` of an entry: the SHA-256 of the key's 32 bytes followed by the
    /// text. The text could be guessed, but not the key. Without the key, the hash reveals nothing.
    pub fn app_sha256(&self, app: &str) -> String {
        let salted = Sha256::new().chain_update(self.0).chain_update(app.as_bytes());
        hex_digits(&salted.finalize())
    }

    /// Encrypts a text that is stored with an entry, as base64url. Deleting the key makes all
    /// copies of the text unreadable.
    ///
    /// The key stream is HMAC-SHA256 in counter mode (NIST SP 800-108) with a separate key for each
    /// entry, so no stream is used twice. A hash in the entry protects the integrity of the text.
    pub fn encrypt(&self, entry_id: &str, text: &str) -> String {
        let mut bytes = text.as_bytes().to_vec();
        self.apply_stream(entry_id, &mut bytes);
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Returns the decrypted text, or `None` if the result is not UTF-8. A wrong key or entry
    /// usually gives `None`.
    pub fn decrypt(&self, entry_id: &str, encrypted: &str) -> Option<String> {
        let mut bytes = URL_SAFE_NO_PAD.decode(encrypted).ok()?;
        self.apply_stream(entry_id, &mut bytes);
        String::from_utf8(bytes).ok()
    }

    fn apply_stream(&self, entry_id: &str, bytes: &mut [u8]) {
        let key = hmac_sha256(&self.0, &[b"beside\0", entry_id.as_bytes()]);
        for (block, counter) in bytes.chunks_mut(32).zip(0_u32..) {
            let stream = hmac_sha256(&key, &[&counter.to_be_bytes()]);
            block.iter_mut().zip(stream).for_each(|(byte, key)| *byte ^= key);
        }
    }
}

/// Hides the key, because it is as personal as the id that it hides.
impl fmt::Debug for SubjectKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SubjectKey(…)")
    }
}

pub(crate) fn hmac_sha256(key: &[u8; 32], parts: &[&[u8]]) -> [u8; 32] {
    // HMAC uses a key of at most one block without hashing it, so every key of 32 bytes is
    // accepted.
    let mut mac = <Hmac<Sha256> as KeyInit>::new(&padded(key).into());
    parts.iter().for_each(|part| mac.update(part));
    mac.finalize().into_bytes().into()
}

/// Pads the key with zeros to the block of 64 bytes (RFC 2104).
fn padded(key: &[u8; 32]) -> [u8; 64] {
    let mut block = [0; 64];
    block[..32].copy_from_slice(key);
    block
}

#[cfg(test)]
mod tests;
