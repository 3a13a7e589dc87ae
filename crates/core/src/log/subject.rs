//! The name of a person in the log: an HMAC under a key of their own, kept outside of the log.
//! Whoever destroys the key makes the entry say nothing about anybody, and no hash changes.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// 32 random bytes: one key a rider, one an applicant's submission.
#[derive(Clone, PartialEq, Eq)]
pub struct SubjectKey([u8; 32]);

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a subject key is 32 bytes in base64url without padding")]
pub struct NotASubjectKey;

impl SubjectKey {
    pub fn new(random: [u8; 32]) -> Self {
        Self(random)
    }

    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    pub fn from_base64url(text: &str) -> Result<Self, NotASubjectKey> {
        // The length first, so that a receipt with a huge key costs nothing.
        if text.len() != 43 {
            return Err(NotASubjectKey);
        }
        let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| NotASubjectKey)?;
        Ok(Self(bytes.try_into().map_err(|_| NotASubjectKey)?))
    }

    pub fn to_base64url(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0)
    }

    /// The `subject` of an entry: of a rider's user id, or of an applicant's receipt id.
    pub fn subject(&self, id: &str) -> String {
        let tag = hmac_sha256(&self.0, &[id.as_bytes()]);
        tag.iter().map(|byte| format!("{byte:02x}")).collect()
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
