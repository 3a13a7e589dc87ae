//! The name of a person in the log: an HMAC under a key of their own, kept outside of the log.
//! Destroying the key anonymises the entry, and no hash changes.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest as _, Sha256};

use super::hash::hex_digits;

/// 32 random bytes: one key a rider, one an applicant's submission.
#[derive(Clone, PartialEq, Eq)]
pub struct SubjectKey([u8; 32]);

/// A text is not 32 bytes in base64url.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a subject key is 32 bytes in base64url without padding")]
pub struct NotASubjectKey;

impl SubjectKey {
    /// A key of 32 bytes, which must be random.
    pub fn new(random: [u8; 32]) -> Self {
        Self(random)
    }

    /// The bytes of the key. Whoever has them can tie entries to the person.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Reads the key as a receipt holds it.
    ///
    /// # Errors
    /// When the text is not 43 characters of base64url.
    pub fn from_base64url(text: &str) -> Result<Self, NotASubjectKey> {
        // The length first, so that a receipt with a huge key costs nothing.
        if text.len() != 43 {
            return Err(NotASubjectKey);
        }
        let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| NotASubjectKey)?;
        Ok(Self(bytes.try_into().map_err(|_| NotASubjectKey)?))
    }

    /// 43 characters of base64url, as a receipt holds it.
    pub fn to_base64url(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0)
    }

    /// The `subject` of an entry: of a rider's user id, or of an applicant's receipt id.
    pub fn subject(&self, id: &str) -> String {
        hex_digits(&hmac_sha256(&self.0, &[id.as_bytes()]))
    }

    /// The `app_sha256` of an entry: SHA-256 of the key's 32 bytes followed by the text. The text can
    /// be guessed and the key cannot, so without the key the hash says nothing.
    pub fn app_sha256(&self, app: &str) -> String {
        let salted = Sha256::new().chain_update(self.0).chain_update(app.as_bytes());
        hex_digits(&salted.finalize())
    }

    /// Encrypts a text that is kept beside an entry, as base64url: destroying the key erases it from
    /// every copy. The key stream is HMAC-SHA256 in counter mode (NIST SP 800-108) under a key of its
    /// own for each entry, so no stream is used twice. Integrity is the business of a hash in the
    /// entry.
    pub fn encrypt(&self, entry_id: &str, text: &str) -> String {
        let mut bytes = text.as_bytes().to_vec();
        self.apply_stream(entry_id, &mut bytes);
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// The text that was encrypted; none where it is not of this key and entry.
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

/// A key is as personal as the id that it hides.
impl fmt::Debug for SubjectKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SubjectKey(…)")
    }
}

pub(crate) fn hmac_sha256(key: &[u8; 32], parts: &[&[u8]]) -> [u8; 32] {
    // A key of one block or less is taken as it is; 32 bytes cannot be refused.
    let mut mac = <Hmac<Sha256> as KeyInit>::new(&padded(key).into());
    parts.iter().for_each(|part| mac.update(part));
    mac.finalize().into_bytes().into()
}

/// RFC 2104: a key shorter than the block of 64 bytes is filled up with zeros.
fn padded(key: &[u8; 32]) -> [u8; 64] {
    let mut block = [0; 64];
    block[..32].copy_from_slice(key);
    block
}

#[cfg(test)]
mod tests;
