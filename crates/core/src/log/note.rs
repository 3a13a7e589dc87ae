//! C2SP `signed-note`: a text and the lines with its signatures.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::key::{Signer, VerifierKey, is_key_name};

/// The specification requires at least 16. A log with many witnesses has a few dozen.
pub const SIGNATURES_MAX: usize = 64;
/// Enough for [`SIGNATURES_MAX`] post-quantum signatures of nearly 5 kB in base64, and the text.
pub const NOTE_MAX: usize = 512 * 1024;

const DASH: &str = "\u{2014} ";

/// A signed note. Its content is not verified until [`Note::verify`] succeeds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    text: String,
    signatures: Vec<NoteSignature>,
}

/// One signature line of a note. It is not verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoteSignature {
    name: String,
    id: [u8; 4],
    bytes: Vec<u8>,
}

/// The reason why a text is not a signed note, or its signatures are not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoteError {
    /// It is longer than the limit.
    #[error("a note has at most {NOTE_MAX} bytes")]
    TooLong,
    /// It has more signatures than the limit.
    #[error("a note has at most {SIGNATURES_MAX} signatures")]
    TooManySignatures,
    /// It has a control character other than a newline.
    #[error("a note has no control characters but newlines")]
    ControlCharacter,
    /// The signed text does not end in a newline.
    #[error("the text of a note ends in a newline")]
    Text,
    /// There is no empty line before the signatures.
    #[error("a note is a text, an empty line, and one or more signature lines")]
    Shape,
    /// The signature line with this number (from 1) is malformed.
    #[error("signature line {0} is not: em dash, key name, base64 of key id and signature")]
    SignatureLine(usize),
    /// The signature with the name of a known key is wrong.
    #[error("the signature of {0} does not verify")]
    BadSignature(String),
    /// No known key signed it.
    #[error("the note is not signed by a known key")]
    NoKnownSigner,
}

impl Note {
    /// Creates a note without signatures.
    ///
    /// # Errors
    /// Returns an error if it is too long, has control characters, or does not end in a newline.
    pub fn new(text: String) -> Result<Self, NoteError> {
        check_characters(&text)?;
        if !text.ends_with('\n') {
            return Err(NoteError::Text);
        }
        Ok(Self { text, signatures: Vec::new() })
    }

    /// Parses a note without verifying it.
    ///
    /// # Errors
    /// Returns an error if it is malformed or exceeds a limit.
    pub fn parse(note: &str) -> Result<Self, NoteError> {
        check_characters(note)?;
        // The last empty line separates the text from the signatures. The text may contain others.
        let end = note.rfind("\n\n").ok_or(NoteError::Shape)? + 1;
        let (text, rest) = note.split_at(end);
        let lines = rest[1..].strip_suffix('\n').ok_or(NoteError::Shape)?;
        if lines.split('\n').count() > SIGNATURES_MAX {
            return Err(NoteError::TooManySignatures);
        }
        let signatures = lines.split('\n').enumerate().map(|(index, line)| {
            NoteSignature::parse(line).ok_or(NoteError::SignatureLine(index + 1))
        });
        Ok(Self { text: text.to_owned(), signatures: signatures.collect::<Result<_, _>>()? })
    }

    /// Adds a signature line below the existing ones: for a second key during a rotation, or for a
    /// witness.
    #[must_use]
    pub fn signed_by(mut self, signer: &Signer) -> Self {
        let key = signer.verifier();
        let bytes = signer.sign(&self.text);
        self.signatures.push(NoteSignature { name: key.name().to_owned(), id: key.id(), bytes });
        self
    }

    /// Adds a signature line that was created elsewhere, such as a cosignature, below the existing
    /// ones.
    #[must_use]
    pub fn with_signature(mut self, signature: NoteSignature) -> Self {
        self.signatures.push(signature);
        self
    }

    /// Returns the signature lines in their order. They are not verified.
    pub fn signatures(&self) -> &[NoteSignature] {
        &self.signatures
    }

    /// Returns the keys of `trusted` that signed the note. Signatures of unknown keys are ignored. A
    /// wrong signature of a known key is an error for the whole note.
    ///
    /// # Errors
    /// Returns an error if a known key's signature is wrong, or no known key signed it.
    pub fn verify<'k>(
        &self,
        trusted: &'k [VerifierKey],
    ) -> Result<Vec<&'k VerifierKey>, NoteError> {
        let mut signers: Vec<&VerifierKey> = Vec::new();
        for (key, _) in self.verified(trusted)? {
            if !signers.contains(&key) {
                signers.push(key);
            }
        }
        Ok(signers)
    }

    /// Returns the signature lines of `trusted` keys, each once.
    ///
    /// # Errors
    /// Returns an error if a known key's signature is wrong, or no known key signed it.
    pub fn verified_lines(
        &self,
        trusted: &[VerifierKey],
    ) -> Result<Vec<&NoteSignature>, NoteError> {
        let mut lines: Vec<&NoteSignature> = Vec::new();
        for (_, line) in self.verified(trusted)? {
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
        Ok(lines)
    }

    fn verified<'k>(
        &self,
        trusted: &'k [VerifierKey],
    ) -> Result<Vec<(&'k VerifierKey, &NoteSignature)>, NoteError> {
        let mut verified = Vec::new();
        for signature in &self.signatures {
            let Some(key) = trusted.iter().find(|key| key.is_of(signature)) else { continue };
            if !key.verifies(&self.text, signature) {
                return Err(NoteError::BadSignature(signature.name.clone()));
            }
            verified.push((key, signature));
        }
        if verified.is_empty() { Err(NoteError::NoKnownSigner) } else { Ok(verified) }
    }

    /// Returns the signed text with its last newline.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Note {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "{}", self.text)?;
        for signature in &self.signatures {
            writeln!(formatter, "{signature}")?;
        }
        Ok(())
    }
}

impl NoteSignature {
    /// Creates the line of the key with this name and id. The name must be a valid key name.
    pub(crate) fn new(name: &str, id: [u8; 4], bytes: Vec<u8>) -> Self {
        Self { name: name.to_owned(), id, bytes }
    }

    /// Parses one signature line without its newline; `None` if it is malformed.
    pub fn parse(line: &str) -> Option<Self> {
        let (name, signature) = line.strip_prefix(DASH)?.split_once(' ')?;
        let bytes = STANDARD.decode(signature).ok()?;
        let (id, bytes) = bytes.split_first_chunk()?;
        if !is_key_name(name) || bytes.is_empty() {
            return None;
        }
        Some(Self { name: name.to_owned(), id: *id, bytes: bytes.to_vec() })
    }

    /// Returns the name of the key.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the id of the key.
    pub fn id(&self) -> [u8; 4] {
        self.id
    }

    /// Returns the signature after the key id. Its meaning depends on the type of the key.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// The signature line, without newline.
impl fmt::Display for NoteSignature {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = [self.id.as_slice(), &self.bytes].concat();
        write!(formatter, "{DASH}{} {}", self.name, STANDARD.encode(bytes))
    }
}

fn check_characters(note: &str) -> Result<(), NoteError> {
    if note.len() > NOTE_MAX {
        return Err(NoteError::TooLong);
    }
    let is_control = |byte: u8| byte < 0x20 && byte != b'\n';
    if note.bytes().any(is_control) { Err(NoteError::ControlCharacter) } else { Ok(()) }
}

#[cfg(test)]
mod tests;
