//! The keys of C2SP signed notes: the vkey line that verifiers pin, and the signer beside it.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use sha2::{Digest, Sha256};

/// The signature type byte of plain Ed25519.
const ED25519: u8 = 0x01;
/// A name has no limit in the specification; ours keeps a note's size bounded.
pub(crate) const NAME_MAX: usize = 255;
/// Longer than any assigned type needs: an ML-DSA-44 key has 1,312 bytes.
const VKEY_MAX: usize = 8192;

/// One known signer. Cosignatures of witnesses would be further algorithms here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifierKey {
    name: String,
    id: [u8; 4],
    ed25519: VerifyingKey,
}

/// Why a text is not a verifier key, or a name not that of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// It does not have three parts.
    #[error("a verifier key is <name>+<8 hex digits>+<base64>")]
    Shape,
    /// The name is empty, too long, or has characters that a note cannot hold.
    #[error("a key name has 1 to 255 bytes, without spaces, plus signs or control characters")]
    Name,
    /// A signature type that is not ours, such as a witness's.
    #[error("signature type {0:#04x} is not supported")]
    UnknownType(u8),
    /// The bytes are no public key, or a weak one.
    #[error("the key is no Ed25519 public key")]
    Key,
    /// The id is not the first four bytes of SHA-256 over name and key.
    #[error("the key id is not that of this name and key")]
    Id,
}

impl VerifierKey {
    /// A key of this name.
    ///
    /// # Errors
    /// When the name cannot be a key's.
    pub fn new(name: &str, ed25519: VerifyingKey) -> Result<Self, KeyError> {
        if !is_key_name(name) {
            return Err(KeyError::Name);
        }
        let id = key_id(name, ED25519, ed25519.as_bytes());
        Ok(Self { name: name.to_owned(), id, ed25519 })
    }

    /// One vkey line, without its newline.
    ///
    /// # Errors
    /// When it is malformed, of another type, or its id is not that of its name and key.
    pub fn parse(vkey: &str) -> Result<Self, KeyError> {
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
        // The whole id rule is one of a known type: 0x02 hashes another encoding of its key.
        if *kind != ED25519 {
            return Err(KeyError::UnknownType(*kind));
        }
        let bytes = key.try_into().map_err(|_| KeyError::Key)?;
        let ed25519 = VerifyingKey::from_bytes(bytes).map_err(|_| KeyError::Key)?;
        if ed25519.is_weak() {
            return Err(KeyError::Key);
        }
        let parsed = Self::new(name, ed25519)?;
        if hex(parsed.id) == id { Ok(parsed) } else { Err(KeyError::Id) }
    }

    /// A file of vkey lines. Blank lines and types that we do not know are passed over: a list of
    /// witnesses may name newer ones.
    ///
    /// # Errors
    /// When a line is malformed.
    pub fn parse_list(text: &str) -> Result<Vec<Self>, KeyError> {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let known =
            lines.map(Self::parse).filter(|key| !matches!(key, Err(KeyError::UnknownType(_))));
        known.collect()
    }

    /// Name of the key, which is the origin of the log.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// First four bytes of SHA-256 over name, type and key: tells keys of one name apart.
    pub fn id(&self) -> [u8; 4] {
        self.id
    }

    pub(crate) fn verifies(&self, text: &str, signature: &[u8]) -> bool {
        // Strict: of the signatures that the lenient rule takes, some can be altered and still pass.
        Signature::from_slice(signature)
            .is_ok_and(|signature| self.ed25519.verify_strict(text.as_bytes(), &signature).is_ok())
    }
}

/// The vkey line, without newline.
impl fmt::Display for VerifierKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut key = vec![ED25519];
        key.extend(self.ed25519.as_bytes());
        write!(formatter, "{}+{}+{}", self.name, hex(self.id), STANDARD.encode(key))
    }
}

/// A key that signs notes under a name. The name of a log's key is its origin.
#[derive(Clone)]
pub struct Signer {
    public: VerifierKey,
    secret: SigningKey,
}

impl Signer {
    /// A signing key of this name.
    ///
    /// # Errors
    /// When the name cannot be a key's.
    pub fn new(name: &str, secret: SigningKey) -> Result<Self, KeyError> {
        Ok(Self { public: VerifierKey::new(name, secret.verifying_key())?, secret })
    }

    /// The key that these 32 secret bytes make.
    ///
    /// # Errors
    /// When the name cannot be a key's.
    pub fn from_seed(name: &str, seed: &[u8; 32]) -> Result<Self, KeyError> {
        Self::new(name, SigningKey::from_bytes(seed))
    }

    /// The public half.
    pub fn verifier(&self) -> &VerifierKey {
        &self.public
    }

    pub(crate) fn sign(&self, text: &str) -> Vec<u8> {
        self.secret.sign(text.as_bytes()).to_bytes().to_vec()
    }
}

/// The secret stays out of logs.
impl fmt::Debug for Signer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Signer({})", self.public)
    }
}

/// Whether a text can name a key: 1 to 255 bytes, without white space, plus signs and control
/// characters.
pub fn is_key_name(name: &str) -> bool {
    let allowed = |char: char| !char.is_whitespace() && !char.is_control() && char != '+';
    (1..=NAME_MAX).contains(&name.len()) && name.chars().all(allowed)
}

fn key_id(name: &str, kind: u8, key: &[u8]) -> [u8; 4] {
    let mut hasher = Sha256::new();
    hasher.update(name);
    hasher.update([b'\n', kind]);
    hasher.update(key);
    let digest: [u8; 32] = hasher.finalize().into();
    [digest[0], digest[1], digest[2], digest[3]]
}

fn hex(id: [u8; 4]) -> String {
    format!("{:08x}", u32::from_be_bytes(id))
}

#[cfg(test)]
mod tests;
