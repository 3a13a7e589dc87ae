//! The keys of a log: the public keys, as the vkey lines that verifiers pin, and the signer.
//!
//! A log signs its notes with plain Ed25519 (type 0x01), and its checkpoints also with ML-DSA-44
//! (type 0x06), as a cosignature by the log itself. The keys of witnesses are
//! [`CosignerKey`].

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use sha2::{Digest, Sha256};

use super::cosignature::{Cosigner, CosignerKey, ML_DSA_44};
use super::note::NoteSignature;
use super::subject::hmac_sha256;

/// The signature type byte of plain Ed25519.
pub(crate) const ED25519: u8 = 0x01;
/// The specification does not limit a name's length. This limit bounds the size of a note.
pub(crate) const NAME_MAX: usize = 255;
/// Longer than any assigned type needs: an ML-DSA-44 key has 1,312 bytes.
const VKEY_MAX: usize = 8192;

/// A public key of a log.
#[derive(Clone, Debug, PartialEq)]
pub struct VerifierKey(Kind);

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    Ed25519 { name: String, id: [u8; 4], key: VerifyingKey },
    MlDsa44(CosignerKey),
}

/// The reason why a text is not a verifier key or not the name of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// It does not have three parts.
    #[error("a verifier key is <name>+<8 hex digits>+<base64>")]
    Shape,
    /// The name is empty, too long, or has characters that a note cannot hold.
    #[error("a key name has 1 to 255 bytes, without spaces, plus signs or control characters")]
    Name,
    /// The signature type is not supported, such as that of a witness.
    #[error("signature type {0:#04x} is not supported")]
    UnknownType(u8),
    /// The bytes are not a public key, or a weak one.
    #[error("the key is not a public key of its type")]
    Key,
    /// The id is not the first four bytes of the SHA-256 of name and key.
    #[error("the key id does not match the name and key")]
    Id,
}

impl VerifierKey {
    /// Creates an Ed25519 key with this name.
    ///
    /// # Errors
    /// Returns an error if the name is not allowed for a key.
    pub fn new(name: &str, key: VerifyingKey) -> Result<Self, KeyError> {
        if !is_key_name(name) {
            return Err(KeyError::Name);
        }
        let id = key_id(name, ED25519, key.as_bytes());
        Ok(Self(Kind::Ed25519 { name: name.to_owned(), id, key }))
    }

    /// Parses one vkey line of type 0x01 or 0x06 without its newline.
    ///
    /// # Errors
    /// Returns an error if it is malformed, of another type, or its id does not match name and key.
    pub fn parse(vkey: &str) -> Result<Self, KeyError> {
        let parts = VkeyParts::parse(vkey)?;
        // The id can be checked only for known types: type 0x02 hashes another encoding of its key.
        match parts.kind {
            ED25519 => {
                let parsed = Self::new(parts.name, ed25519_key(&parts.key)?)?;
                if hex(parsed.id()) == parts.id { Ok(parsed) } else { Err(KeyError::Id) }
            }
            ML_DSA_44 => CosignerKey::parse(vkey).map(|key| Self(Kind::MlDsa44(key))),
            other => Err(KeyError::UnknownType(other)),
        }
    }

    /// Parses a file of vkey lines. Blank lines and unknown types are skipped, because a list of
    /// witnesses may contain newer types.
    ///
    /// # Errors
    /// Returns an error if a line is malformed.
    pub fn parse_list(text: &str) -> Result<Vec<Self>, KeyError> {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let keys =
            lines.map(Self::parse).filter(|key| !matches!(key, Err(KeyError::UnknownType(_))));
        keys.collect()
    }

    /// Returns the name of the key. By convention it is the origin of the log.
    pub fn name(&self) -> &str {
        match &self.0 {
            Kind::Ed25519 { name, .. } => name,
            Kind::MlDsa44(key) => key.name(),
        }
    }

    /// Returns the first four bytes of the SHA-256 of name, type and key, which distinguish keys
    /// with the same name.
    pub fn id(&self) -> [u8; 4] {
        match &self.0 {
            Kind::Ed25519 { id, .. } => *id,
            Kind::MlDsa44(key) => key.id(),
        }
    }

    /// Returns whether the key is of ML-DSA-44, which a quantum computer cannot forge.
    pub fn is_ml_dsa(&self) -> bool {
        matches!(self.0, Kind::MlDsa44(_))
    }

    /// Returns whether a signature line has the name and id of this key.
    pub fn is_of(&self, signature: &NoteSignature) -> bool {
        self.name() == signature.name() && self.id() == signature.id()
    }

    pub(crate) fn verifies(&self, text: &str, signature: &NoteSignature) -> bool {
        match &self.0 {
            // Strict verification: some signatures that the lenient rule accepts can be altered
            // and still pass.
            Kind::Ed25519 { key, .. } => Signature::from_slice(signature.bytes())
                .is_ok_and(|signature| key.verify_strict(text.as_bytes(), &signature).is_ok()),
            Kind::MlDsa44(key) => key.verify(text, signature).is_ok(),
        }
    }
}

/// The vkey line, without newline.
impl fmt::Display for VerifierKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Ed25519 { name, id, key } => {
                write_vkey(formatter, name, *id, ED25519, key.as_bytes())
            }
            Kind::MlDsa44(key) => key.fmt(formatter),
        }
    }
}

/// The parts of a vkey line, before they are interpreted by its type.
pub(crate) struct VkeyParts<'a> {
    pub(crate) name: &'a str,
    /// Text of the id. Only lower-case hex of the right id is accepted.
    pub(crate) id: &'a str,
    pub(crate) kind: u8,
    pub(crate) key: Vec<u8>,
}

impl<'a> VkeyParts<'a> {
    pub(crate) fn parse(vkey: &'a str) -> Result<Self, KeyError> {
        if vkey.len() > VKEY_MAX {
            return Err(KeyError::Shape);
        }
        let (name, rest) = vkey.split_once('+').ok_or(KeyError::Shape)?;
        let (id, key) = rest.split_once('+').ok_or(KeyError::Shape)?;
        if !is_key_name(name) {
            return Err(KeyError::Name);
        }
        let key = STANDARD.decode(key).map_err(|_| KeyError::Shape)?;
        let (kind, key) = key.split_first().ok_or(KeyError::Shape)?;
        Ok(Self { name, id, kind: *kind, key: key.to_vec() })
    }
}

/// Parses an Ed25519 public key and refuses weak ones.
pub(crate) fn ed25519_key(bytes: &[u8]) -> Result<VerifyingKey, KeyError> {
    let bytes = bytes.try_into().map_err(|_| KeyError::Key)?;
    let key = VerifyingKey::from_bytes(bytes).map_err(|_| KeyError::Key)?;
    if key.is_weak() { Err(KeyError::Key) } else { Ok(key) }
}

pub(crate) fn write_vkey(
    formatter: &mut fmt::Formatter<'_>,
    name: &str,
    id: [u8; 4],
    kind: u8,
    key: &[u8],
) -> fmt::Result {
    write!(formatter, "{name}+{}+{}", hex(id), STANDARD.encode([&[kind], key].concat()))
}

/// A secret key that signs notes with a name. The name of a log's key is the log's origin.
#[derive(Clone)]
pub struct Signer {
    public: VerifierKey,
    secret: SigningKey,
}

impl Signer {
    /// Creates a signing key with this name.
    ///
    /// # Errors
    /// Returns an error if the name is not allowed for a key.
    pub fn new(name: &str, secret: SigningKey) -> Result<Self, KeyError> {
        Ok(Self { public: VerifierKey::new(name, secret.verifying_key())?, secret })
    }

    /// Creates a signing key from 32 secret bytes.
    ///
    /// # Errors
    /// Returns an error if the name is not allowed for a key.
    pub fn from_seed(name: &str, seed: &[u8; 32]) -> Result<Self, KeyError> {
        Self::new(name, SigningKey::from_bytes(seed))
    }

    /// Returns the public key.
    pub fn verifier(&self) -> &VerifierKey {
        &self.public
    }

    /// Derives the ML-DSA-44 key with the same name from the secret bytes. A quantum computer that
    /// breaks the Ed25519 key finds a number that is a hash of these bytes, not the bytes.
    ///
    /// # Errors
    /// Returns an error if the name is not allowed for a key.
    pub fn ml_dsa_44(&self) -> Result<Cosigner, KeyError> {
        let seed = hmac_sha256(&self.secret.to_bytes(), &[b"ml-dsa-44 key of a log"]);
        Cosigner::ml_dsa_44(self.public.name(), &seed)
    }

    pub(crate) fn sign(&self, text: &str) -> Vec<u8> {
        self.secret.sign(text.as_bytes()).to_bytes().to_vec()
    }
}

/// Prints only the public key, so that the secret does not get into logs.
impl fmt::Debug for Signer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Signer({})", self.public)
    }
}

/// Returns whether a text can be the name of a key: 1 to 255 bytes, without white space, plus signs
/// and control characters.
pub fn is_key_name(name: &str) -> bool {
    let allowed = |char: char| !char.is_whitespace() && !char.is_control() && char != '+';
    (1..=NAME_MAX).contains(&name.len()) && name.chars().all(allowed)
}

/// Returns the first four bytes of the SHA-256 of name, type and key.
pub(crate) fn key_id(name: &str, kind: u8, key: &[u8]) -> [u8; 4] {
    let mut hasher = Sha256::new();
    hasher.update(name);
    hasher.update([b'\n', kind]);
    hasher.update(key);
    let digest: [u8; 32] = hasher.finalize().into();
    [digest[0], digest[1], digest[2], digest[3]]
}

pub(crate) fn hex(id: [u8; 4]) -> String {
    format!("{:08x}", u32::from_be_bytes(id))
}

#[cfg(test)]
mod tests;
