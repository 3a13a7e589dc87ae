//! The keys with which a log signs its checkpoints: plain Ed25519 (type 0x01), or ML-DSA-44 (type
//! 0x06) as a cosignature by the log itself.

use std::fmt;

use super::cosignature::{CosignerKey, ML_DSA_44};
use super::key::{ED25519, KeyError, VerifierKey, VkeyParts};
use super::note::{Note, NoteError, NoteSignature};

/// The public key of a log.
#[derive(Clone, Debug, PartialEq)]
pub enum LogKey {
    /// An Ed25519 key of signed notes (type 0x01).
    Ed25519(VerifierKey),
    /// An ML-DSA-44 key (type 0x06).
    MlDsa44(CosignerKey),
}

impl LogKey {
    /// Parses one vkey line of type 0x01 or 0x06 without its newline.
    ///
    /// # Errors
    /// Returns an error if it is malformed, of another type, or its id does not match name and key.
    pub fn parse(vkey: &str) -> Result<Self, KeyError> {
        match VkeyParts::parse(vkey)?.kind {
            ED25519 => VerifierKey::parse(vkey).map(Self::Ed25519),
            ML_DSA_44 => CosignerKey::parse(vkey).map(Self::MlDsa44),
            other => Err(KeyError::UnknownType(other)),
        }
    }

    /// Returns the name of the key. By convention it is the origin of the log.
    pub fn name(&self) -> &str {
        match self {
            Self::Ed25519(key) => key.name(),
            Self::MlDsa44(key) => key.name(),
        }
    }

    /// Returns the id of the key.
    pub fn id(&self) -> [u8; 4] {
        match self {
            Self::Ed25519(key) => key.id(),
            Self::MlDsa44(key) => key.id(),
        }
    }

    /// Returns whether a signature line has the name and id of this key.
    pub fn is_of(&self, signature: &NoteSignature) -> bool {
        self.name() == signature.name() && self.id() == signature.id()
    }

    fn verifies(&self, text: &str, signature: &NoteSignature) -> bool {
        match self {
            Self::Ed25519(key) => key.verifies(text, signature.bytes()),
            Self::MlDsa44(key) => key.verify(text, signature).is_ok(),
        }
    }
}

/// The vkey line, without newline.
impl fmt::Display for LogKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ed25519(key) => key.fmt(formatter),
            Self::MlDsa44(key) => key.fmt(formatter),
        }
    }
}

/// Returns the signature lines of `trusted` keys of a log. Lines of unknown keys are ignored. A
/// wrong line of a known key is an error for the whole note.
///
/// # Errors
/// Returns an error if a known key's line does not verify, or no known key signed.
pub fn signed_by<'n>(
    note: &'n Note,
    trusted: &[LogKey],
) -> Result<Vec<&'n NoteSignature>, NoteError> {
    let mut signatures = Vec::new();
    for signature in note.signatures() {
        let Some(key) = trusted.iter().find(|key| key.is_of(signature)) else { continue };
        if !key.verifies(note.text(), signature) {
            return Err(NoteError::BadSignature(signature.name().to_owned()));
        }
        if !signatures.contains(&signature) {
            signatures.push(signature);
        }
    }
    if signatures.is_empty() { Err(NoteError::NoKnownSigner) } else { Ok(signatures) }
}

#[cfg(test)]
mod tests;
