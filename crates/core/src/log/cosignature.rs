//! C2SP `tlog-cosignature`: timestamped signatures of witnesses and mirrors on a checkpoint.
//!
//! A cosigner states that, at this time, the checkpoint is the largest tree of the log that it has
//! seen, and that it is consistent with all earlier ones. This module does not check that:
//! [`witness`](super::witness) does, before it signs.

use std::fmt;

use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use ml_dsa::{B32, EncodedSignature, EncodedVerifyingKey, ExpandedSigningKey, MlDsa44};

use super::checkpoint::{Checkpoint, CheckpointError};
use super::key::{KeyError, VkeyParts, ed25519_key, hex, is_key_name, key_id, write_vkey};
use super::note::{Note, NoteError, NoteSignature};
use super::numeral;

/// The type byte of Ed25519 cosignatures.
const ED25519: u8 = 0x04;
/// The type byte of ML-DSA-44 cosignatures.
pub(crate) const ML_DSA_44: u8 = 0x06;
/// The label of the message that ML-DSA-44 signs.
const SUBTREE_LABEL: &[u8; 12] = b"subtree/v1\n\0";
/// Largest timestamp, in seconds since the epoch.
pub const TIMESTAMP_MAX: u64 = numeral::MAX;
/// Longest origin that an ML-DSA-44 cosignature can contain, in bytes.
pub const ORIGIN_MAX: usize = 255;

/// The algorithm of a cosigner's key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// Ed25519 (signature type 0x04).
    Ed25519,
    /// ML-DSA-44 of FIPS 204 (signature type 0x06).
    MlDsa44,
}

/// The public key of a witness or mirror.
#[derive(Clone, Debug, PartialEq)]
pub struct CosignerKey {
    name: String,
    id: [u8; 4],
    key: PublicKey,
}

#[derive(Clone, PartialEq)]
enum PublicKey {
    Ed25519(VerifyingKey),
    MlDsa44(Box<ml_dsa::VerifyingKey<MlDsa44>>),
}

/// The secret key of a witness or mirror.
#[derive(Clone)]
pub struct Cosigner {
    public: CosignerKey,
    secret: SecretKey,
}

#[derive(Clone)]
enum SecretKey {
    Ed25519(Box<SigningKey>),
    MlDsa44(Box<ExpandedSigningKey<MlDsa44>>),
}

/// A verified cosignature of a known key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cosigned<'k> {
    /// The key that signed.
    pub key: &'k CosignerKey,
    /// Time of signing, in seconds since the epoch; 0 if the cosigner states no time.
    pub timestamp: u64,
}

/// The reason why a cosignature cannot be created or is not valid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CosignatureError {
    /// The text is not a checkpoint.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The origin does not fit into the signed message.
    #[error("ML-DSA-44 signs origins of at most {ORIGIN_MAX} bytes")]
    OriginTooLong,
    /// The time is over [`TIMESTAMP_MAX`].
    #[error("the timestamp is over 2^63 - 1")]
    Timestamp,
    /// Name or id of the line belong to another key.
    #[error("the signature line is of another key")]
    OtherKey,
    /// The bytes are not a timestamp and a signature of the right length.
    #[error("the cosignature of {0} is malformed")]
    Malformed(String),
    /// The signature is wrong.
    #[error("the cosignature of {0} does not verify")]
    Wrong(String),
}

impl CosignerKey {
    /// Creates an Ed25519 key with this name.
    ///
    /// # Errors
    /// Returns an error if the name is not allowed for a key, or the bytes are not a public key.
    pub fn ed25519(name: &str, key: &[u8]) -> Result<Self, KeyError> {
        Self::new(name, PublicKey::Ed25519(ed25519_key(key)?))
    }

    /// Creates an ML-DSA-44 key with this name from the 1,312 bytes of FIPS 204.
    ///
    /// # Errors
    /// Returns an error if the name is not allowed for a key, or the length is wrong.
    pub fn ml_dsa_44(name: &str, key: &[u8]) -> Result<Self, KeyError> {
        let key = EncodedVerifyingKey::<MlDsa44>::try_from(key).map_err(|_| KeyError::Key)?;
        Self::new(name, PublicKey::MlDsa44(Box::new(ml_dsa::VerifyingKey::decode(&key))))
    }

    fn new(name: &str, key: PublicKey) -> Result<Self, KeyError> {
        if !is_key_name(name) {
            return Err(KeyError::Name);
        }
        let id = key_id(name, key.kind(), &key.bytes());
        Ok(Self { name: name.to_owned(), id, key })
    }

    /// Parses one vkey line of type 0x04 or 0x06 without its newline.
    ///
    /// # Errors
    /// Returns an error if it is malformed, of another type, or its id does not match name and key.
    pub fn parse(vkey: &str) -> Result<Self, KeyError> {
        let parts = VkeyParts::parse(vkey)?;
        let parsed = match parts.kind {
            ED25519 => Self::ed25519(parts.name, &parts.key)?,
            ML_DSA_44 => Self::ml_dsa_44(parts.name, &parts.key)?,
            other => return Err(KeyError::UnknownType(other)),
        };
        if hex(parsed.id) == parts.id { Ok(parsed) } else { Err(KeyError::Id) }
    }

    /// Returns the name of the cosigner.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the first four bytes of the SHA-256 of name, type and key.
    pub fn id(&self) -> [u8; 4] {
        self.id
    }

    /// Returns the algorithm of the key.
    pub fn algorithm(&self) -> Algorithm {
        match self.key {
            PublicKey::Ed25519(_) => Algorithm::Ed25519,
            PublicKey::MlDsa44(_) => Algorithm::MlDsa44,
        }
    }

    /// Returns whether a signature line has the name and id of this key.
    pub fn is_of(&self, signature: &NoteSignature) -> bool {
        self.name == signature.name() && self.id == signature.id()
    }

    /// Verifies a signature line on the text of a checkpoint and returns its time in seconds since
    /// the epoch.
    ///
    /// # Errors
    /// Returns an error if the line is of another key, malformed, or does not verify.
    pub fn verify(&self, text: &str, signature: &NoteSignature) -> Result<u64, CosignatureError> {
        if !self.is_of(signature) {
            return Err(CosignatureError::OtherKey);
        }
        let malformed = || CosignatureError::Malformed(self.name.clone());
        let (timestamp, bytes) = signature.bytes().split_first_chunk().ok_or_else(malformed)?;
        let timestamp = u64::from_be_bytes(*timestamp);
        if timestamp > TIMESTAMP_MAX {
            return Err(CosignatureError::Timestamp);
        }
        let verifies = match &self.key {
            PublicKey::Ed25519(key) => {
                let signature = Signature::from_slice(bytes).map_err(|_| malformed())?;
                let message = ed25519_message(text, timestamp)?;
                key.verify_strict(message.as_bytes(), &signature).is_ok()
            }
            PublicKey::MlDsa44(key) => {
                let bytes = EncodedSignature::<MlDsa44>::try_from(bytes);
                let bytes = bytes.map_err(|_| malformed())?;
                let message = ml_dsa_44_message(&self.name, text, timestamp)?;
                // An encoding that `decode` refuses is a wrong signature (FIPS 204, algorithm 3).
                ml_dsa::Signature::decode(&bytes)
                    .is_some_and(|signature| key.verify_with_context(&message, &[], &signature))
            }
        };
        if verifies { Ok(timestamp) } else { Err(CosignatureError::Wrong(self.name.clone())) }
    }
}

/// The vkey line, without newline.
impl fmt::Display for CosignerKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_vkey(formatter, &self.name, self.id, self.key.kind(), &self.key.bytes())
    }
}

impl PublicKey {
    fn kind(&self) -> u8 {
        match self {
            Self::Ed25519(_) => ED25519,
            Self::MlDsa44(_) => ML_DSA_44,
        }
    }

    fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Ed25519(key) => key.as_bytes().to_vec(),
            Self::MlDsa44(key) => key.encode().to_vec(),
        }
    }
}

/// Prints the bytes, not the matrix that is computed from them.
impl fmt::Debug for PublicKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:#04x} {}", self.kind(), super::hash::hex_digits(&self.bytes()))
    }
}

impl Cosigner {
    /// Creates an Ed25519 cosigner from 32 secret bytes. A key must not be used for two cosigners:
    /// the signed message does not contain the name.
    ///
    /// # Errors
    /// Returns an error if the name is not allowed for a key.
    pub fn ed25519(name: &str, seed: &[u8; 32]) -> Result<Self, KeyError> {
        let secret = SigningKey::from_bytes(seed);
        let public = CosignerKey::ed25519(name, secret.verifying_key().as_bytes())?;
        Ok(Self { public, secret: SecretKey::Ed25519(Box::new(secret)) })
    }

    /// Creates an ML-DSA-44 cosigner from 32 secret bytes, the seed ξ of FIPS 204.
    ///
    /// # Errors
    /// Returns an error if the name is not allowed for a key.
    pub fn ml_dsa_44(name: &str, seed: &[u8; 32]) -> Result<Self, KeyError> {
        let secret = ExpandedSigningKey::<MlDsa44>::from_seed(&B32::from(*seed));
        let public = PublicKey::MlDsa44(Box::new(secret.verifying_key()));
        let public = CosignerKey::new(name, public)?;
        Ok(Self { public, secret: SecretKey::MlDsa44(Box::new(secret)) })
    }

    /// Returns the public key.
    pub fn verifier(&self) -> &CosignerKey {
        &self.public
    }

    /// Signs the text of a checkpoint with a time in seconds since the epoch. The caller must have
    /// checked that the checkpoint is consistent with all that were signed before, and, if the time
    /// is not 0, that it is the largest.
    ///
    /// # Errors
    /// Returns an error if the text is not a checkpoint, or does not fit into the signed message.
    pub fn sign(&self, text: &str, timestamp: u64) -> Result<NoteSignature, CosignatureError> {
        if timestamp > TIMESTAMP_MAX {
            return Err(CosignatureError::Timestamp);
        }
        let signature = match &self.secret {
            SecretKey::Ed25519(key) => {
                key.sign(ed25519_message(text, timestamp)?.as_bytes()).to_bytes().to_vec()
            }
            SecretKey::MlDsa44(key) => {
                let message = ml_dsa_44_message(&self.public.name, text, timestamp)?;
                // Fails only if the search for a signature ends without one, which FIPS 204 allows
                // with a probability below 2^-256.
                let signature = key.sign_deterministic(&message, &[]);
                let wrong = |_| CosignatureError::Wrong(self.public.name.clone());
                signature.map_err(wrong)?.encode().to_vec()
            }
        };
        let bytes = [&timestamp.to_be_bytes()[..], &signature].concat();
        Ok(NoteSignature::new(&self.public.name, self.public.id, bytes))
    }
}

/// Prints only the public key, so that the secret does not get into logs.
impl fmt::Debug for Cosigner {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Cosigner({})", self.public)
    }
}

/// Returns the cosignatures of `trusted` keys on a checkpoint, one for each key, in the order of
/// the note. Lines of unknown keys are ignored. A wrong line of a known key is an error for the
/// whole note.
///
/// # Errors
/// Returns an error if a known key's line does not verify.
pub fn cosigned<'k>(
    note: &Note,
    trusted: &'k [CosignerKey],
) -> Result<Vec<Cosigned<'k>>, NoteError> {
    let mut cosigned: Vec<Cosigned<'k>> = Vec::new();
    for signature in note.signatures() {
        let Some(key) = trusted.iter().find(|key| key.is_of(signature)) else { continue };
        let bad_signature = |_| NoteError::BadSignature(signature.name().to_owned());
        let timestamp = key.verify(note.text(), signature).map_err(bad_signature)?;
        if !cosigned.iter().any(|other| other.key.is_of(signature)) {
            cosigned.push(Cosigned { key, timestamp });
        }
    }
    Ok(cosigned)
}

fn ed25519_message(text: &str, timestamp: u64) -> Result<String, CosignatureError> {
    // Only a checkpoint is ever cosigned, and the text of another note must not verify as one.
    Checkpoint::parse_any_origin(text)?;
    Ok(format!("cosignature/v1\ntime {timestamp}\n{text}"))
}

/// Returns the structure `cosigned_message` for a whole tree: `start` is 0. Extension lines are not
/// signed.
pub(crate) fn ml_dsa_44_message(
    name: &str,
    text: &str,
    timestamp: u64,
) -> Result<Vec<u8>, CosignatureError> {
    let checkpoint = Checkpoint::parse_any_origin(text)?;
    // A key name has at most 255 bytes.
    let name_length = u8::try_from(name.len()).unwrap_or(u8::MAX);
    let origin = checkpoint.origin.as_bytes();
    let origin_length = u8::try_from(origin.len()).map_err(|_| CosignatureError::OriginTooLong)?;
    let mut message = SUBTREE_LABEL.to_vec();
    message.push(name_length);
    message.extend(name.as_bytes());
    message.extend(timestamp.to_be_bytes());
    message.push(origin_length);
    message.extend(origin);
    message.extend(0_u64.to_be_bytes());
    message.extend(checkpoint.size.to_be_bytes());
    message.extend(checkpoint.root.0);
    Ok(message)
}

#[cfg(test)]
mod tests;
