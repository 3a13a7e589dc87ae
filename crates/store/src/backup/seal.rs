//! Proves who wrote a backup. Its last line seals the digest of all lines before it. The log's key,
//! which no backup contains, signs the digest, and the secrets key, if there is one, encrypts it.
//! So a changed row is detected even if the rest of the file was made consistent.

use std::io::{self, Write};

use musette_core::log::key::{Signer, VerifierKey};
use musette_core::log::note::Note;
use sha2::{Digest as _, Sha256};

use super::{FORMAT, RestoreError};
use crate::db::error::SecretsError;
use crate::db::error::StoreError;
use crate::db::secrets::{SecretColumn, SecretsKeys};

/// The associated data of the encrypted digest; no table has this name.
const SEAL: SecretColumn = SecretColumn { table: "backup", select: "", update: "" };
const DIGEST: &str = "digest";

/// The last line of a backup.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
pub(super) struct Seal {
    /// A signed note with the digest. `None` if no server has started a log, or the log's key could
    /// not be read.
    note: Option<String>,
    /// The digest, encrypted (AEAD) with the secrets key.
    sealed: Option<String>,
}

/// Keys that authenticate a backup.
#[derive(Debug, Clone, Default)]
pub struct BackupTrust {
    /// Keys of the secrets in the store.
    pub secrets: SecretsKeys,
    /// Keys of logs, one of which must have signed; `None` trusts the keys in the file.
    pub logs: Option<Vec<VerifierKey>>,
}

/// What proves that a backup is unchanged since it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Authenticity {
    /// The secrets key, which only the operator of the store has.
    SecretsKey,
    /// The signature of this verifier key of a log.
    Log(String),
    /// There is no proof; contains the reason.
    Unproved(&'static str),
}

fn note_text(digest: &str) -> String {
    format!("{FORMAT}\n{digest}\n")
}

fn changed(why: impl std::fmt::Display) -> RestoreError {
    RestoreError::BadFile(format!("it was modified after it was written: {why}"))
}

impl Seal {
    /// Seals a digest with the available keys.
    pub(super) fn new(
        digest: &str,
        signer: Option<&Signer>,
        secrets: &SecretsKeys,
    ) -> Result<Self, StoreError> {
        let signed =
            |signer| Note::new(note_text(digest)).map(|note| note.signed_by(signer).to_string());
        let note = signer.map(signed).transpose().map_err(crate::log::corrupt)?;
        let sealed = (!secrets.is_empty()).then(|| secrets.seal(&SEAL, DIGEST, digest));
        Ok(Self { note, sealed: sealed.transpose()? })
    }

    /// Checks the seal of a file with this digest and these verifier keys of its logs.
    ///
    /// # Errors
    /// If a key did not seal this digest, or none of the trusted keys has signed it.
    pub(super) fn check(
        &self,
        digest: &str,
        in_file: &[String],
        trust: &BackupTrust,
    ) -> Result<Authenticity, RestoreError> {
        let is_sealed = self.is_sealed(digest, &trust.secrets)?;
        let signer = self.signer(digest, in_file, trust.logs.as_deref())?;
        Ok(match signer {
            _ if is_sealed && trust.logs.is_none() => Authenticity::SecretsKey,
            Some(key) => Authenticity::Log(key),
            None => {
                Authenticity::Unproved("it was written without a log key and without a secrets key")
            }
        })
    }

    fn is_sealed(&self, digest: &str, secrets: &SecretsKeys) -> Result<bool, RestoreError> {
        let Some(sealed) = &self.sealed else { return Ok(false) };
        match secrets.open(&SEAL, DIGEST, sealed) {
            // `open` returns an unencrypted value unchanged, so this also checks that it is
            // encrypted.
            Ok(opened) if opened == digest && SecretsKeys::is_sealed(sealed) => Ok(true),
            Ok(_) | Err(SecretsError::Broken) => {
                Err(changed("its seal does not match its content"))
            }
            Err(SecretsError::NoKey) => Ok(false),
            Err(error @ SecretsError::OtherKey) => Err(StoreError::from(error).into()),
        }
    }

    fn signer(
        &self,
        digest: &str,
        in_file: &[String],
        trusted: Option<&[VerifierKey]>,
    ) -> Result<Option<String>, RestoreError> {
        let unsigned = "none of the trusted keys has signed it";
        let Some(note) = &self.note else {
            return if trusted.is_some() { Err(changed(unsigned)) } else { Ok(None) };
        };
        let keys = match trusted {
            Some(keys) => keys.to_vec(),
            None => in_file.iter().filter_map(|vkey| VerifierKey::parse(vkey).ok()).collect(),
        };
        let note = Note::parse(note).map_err(changed)?;
        let signers = note.verify(&keys).map_err(changed)?;
        if note.text() != note_text(digest) {
            return Err(changed("its signature does not match its content"));
        }
        Ok(signers.first().map(ToString::to_string))
    }
}

/// A writer that hashes everything that is written.
pub(super) struct Hashed<W> {
    pub(super) out: W,
    sha256: Sha256,
}

impl<W: Write> Hashed<W> {
    pub(super) fn new(out: W) -> Self {
        Self { out, sha256: Sha256::new() }
    }

    pub(super) fn digest(&self) -> String {
        hex::encode(self.sha256.clone().finalize())
    }
}

impl<W: Write> Write for Hashed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.sha256.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
