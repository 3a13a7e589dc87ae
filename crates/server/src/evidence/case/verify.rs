//! Verifies a case file without a store: no file was added, removed or changed, and the signed
//! entries of the log prove its statements.

mod evidence;

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use musette_core::log::checkpoint::Checkpoint;
use musette_core::log::key::VerifierKey;
use musette_core::log::policy::Policy;
use musette_core::log::timestamp::Authorities;

use super::contents::{CaseLog, Contents, FORMAT, Manifest, json};
use super::timestamps::{self, CaseFiles};
use super::unpacked::Unpacked;
use super::{CONTENTS, KEYS, MANIFEST, sha256};

/// An error in a file of the archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseFileError {
    pub path: String,
    pub why: String,
}

impl fmt::Display for CaseFileError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.path, self.why)
    }
}

/// The content of an authentic case file.
#[derive(Debug, PartialEq, Eq)]
pub struct Verified {
    pub user_id: String,
    pub as_of: Option<String>,
    pub files: usize,
    pub receipts: usize,
    pub decisions: usize,
    pub documents: usize,
    pub evaluations: usize,
    pub restrictions: usize,
    pub messages: usize,
    pub timestamps: usize,
    pub origins: Vec<String>,
}

/// The files of an archive: all hashes, and the content of text files.
#[derive(Default)]
struct Files {
    sha256: BTreeMap<String, String>,
    texts: BTreeMap<String, String>,
    /// Replies of time-stamping authorities.
    tokens: BTreeMap<String, Vec<u8>>,
    errors: Vec<CaseFileError>,
}

impl Files {
    /// Records the first error of each file.
    fn add_fault(&mut self, path: &str, why: impl fmt::Display) {
        if self.errors.iter().any(|error| error.path == path) {
            return;
        }
        self.errors.push(CaseFileError { path: path.to_owned(), why: why.to_string() });
    }

    /// Reads the archive. Documents and certificates are only hashed; the other files are small.
    fn read(path: &Path) -> Result<Self, CaseFileError> {
        let error = |why: std::io::Error| CaseFileError {
            path: path.display().to_string(),
            why: why.to_string(),
        };
        let mut archive = Unpacked::open(path).map_err(error)?;
        let mut files = Self::default();
        for packed in archive.files.clone() {
            if packed.path.ends_with('/') {
                continue;
            }
            match archive.read(&packed) {
                Ok(bytes) => files.add(packed.path, bytes),
                Err(error) => {
                    files.sha256.insert(packed.path.clone(), String::new());
                    files.add_fault(&packed.path, error);
                }
            }
        }
        Ok(files)
    }

    fn add(&mut self, path: String, bytes: Vec<u8>) {
        self.sha256.insert(path.clone(), sha256(&bytes));
        if path.ends_with(".pdf") {
            return;
        }
        if path.ends_with(".tsr") {
            self.tokens.insert(path, bytes);
            return;
        }
        match String::from_utf8(bytes) {
            Ok(text) => drop(self.texts.insert(path, text)),
            Err(_) => self.add_fault(&path, "the file is not UTF-8"),
        }
    }

    /// Compares the files with the manifest: all must be listed, with their hashes.
    fn compare_with_manifest(&mut self) {
        let Some(text) = self.texts.get(MANIFEST) else {
            return self.add_fault(MANIFEST, "the file is missing");
        };
        let manifest: Manifest = match serde_json::from_str(text) {
            Ok(manifest) => manifest,
            Err(error) => return self.add_fault(MANIFEST, error),
        };
        if json(&manifest) != *text {
            self.add_fault(MANIFEST, "its formatting was changed");
        }
        let mut unlisted = self.sha256.clone();
        unlisted.remove(MANIFEST);
        for listed in manifest.files {
            match unlisted.remove(&listed.path) {
                None => self.add_fault(&listed.path, "the file is missing"),
                // An empty hash: the checksum of the archive has already shown that the file was
                // changed.
                Some(actual) if actual.is_empty() || actual == listed.sha256 => {}
                Some(actual) if listed.path == format!("documents/{actual}.pdf") => {
                    self.add_fault(MANIFEST, format!("the SHA-256 of {} was changed", listed.path));
                }
                Some(_) => {
                    self.add_fault(&listed.path, format!("its SHA-256 does not match {MANIFEST}"));
                }
            }
        }
        for path in unlisted.keys() {
            self.add_fault(path, format!("the file is not listed in {MANIFEST}"));
        }
    }

    fn keys(&mut self, trusted: Option<&[VerifierKey]>) -> Vec<VerifierKey> {
        let text = self.texts.get(KEYS).map(String::as_str).unwrap_or_default();
        match (trusted, VerifierKey::parse_list(text)) {
            (Some(trusted), _) => trusted.to_vec(),
            (None, Ok(keys)) => keys,
            (None, Err(error)) => {
                self.add_fault(KEYS, error);
                Vec::new()
            }
        }
    }

    fn contents(&mut self) -> Option<Contents> {
        let text = self.texts.get(CONTENTS).map(String::as_str).unwrap_or_default();
        match serde_json::from_str::<Contents>(text) {
            Ok(contents) if contents.format == FORMAT => Some(contents),
            Ok(contents) => {
                self.add_fault(
                    CONTENTS,
                    format!("its format is {}, not {FORMAT}", contents.format),
                );
                None
            }
            Err(error) => {
                self.add_fault(CONTENTS, error);
                None
            }
        }
    }
}

/// What the reader of a case file trusts.
#[derive(Default)]
pub struct Trust<'a> {
    /// Keys of logs.
    pub keys: Option<&'a [VerifierKey]>,
    /// Time-stamping authorities.
    pub authorities: Option<&'a Authorities>,
    /// The witnesses that must have cosigned each head.
    pub policy: Option<&'a Policy>,
    /// Whether each head must have a signature by a trusted ML-DSA-44 key of its log.
    pub requires_ml_dsa: bool,
}

/// Demands a signature by ML-DSA-44 on the head of each log.
fn check_ml_dsa(
    keys: &[VerifierKey],
    texts: &BTreeMap<String, String>,
    contents: &Contents,
) -> Vec<CaseFileError> {
    let check = |log: &CaseLog| {
        let head = texts.get(&log.checkpoint).map(String::as_str).unwrap_or_default();
        let error = Checkpoint::demand_ml_dsa(head, keys).err()?;
        Some(CaseFileError { path: log.checkpoint.clone(), why: error.to_string() })
    };
    contents.logs.iter().filter_map(check).collect()
}

/// Demands that the head of each log fulfils the policy.
fn check_policy(
    policy: &Policy,
    keys: &[VerifierKey],
    texts: &BTreeMap<String, String>,
    contents: &Contents,
) -> Vec<CaseFileError> {
    let check = |log: &CaseLog| {
        let head = texts.get(&log.checkpoint).map(String::as_str).unwrap_or_default();
        let error = policy.check(head, keys).err()?;
        Some(CaseFileError { path: log.checkpoint.clone(), why: error.to_string() })
    };
    contents.logs.iter().filter_map(check).collect()
}

/// Verifies a case file. Without trusted keys, the keys in the file are used, which proves less:
/// a forger of the whole file would have replaced its keys as well. With
/// `authorities`, these must have made the time stamps.
///
/// # Errors
/// Returns all errors in the file.
pub fn verify(path: &Path, trust: &Trust<'_>) -> Result<Verified, Vec<CaseFileError>> {
    let mut files = Files::read(path).map_err(|error| vec![error])?;
    files.compare_with_manifest();
    let keys = files.keys(trust.keys);
    let contents = files.contents();
    if let Some(contents) = &contents {
        let mut errors = evidence::check(contents, &files.texts, &files.sha256, &keys);
        let (texts, tokens) = (&files.texts, &files.tokens);
        let authorities = trust.authorities;
        let case_files = CaseFiles { texts, tokens, keys: &keys, authorities };
        errors.extend(timestamps::check(&case_files, contents));
        if let Some(policy) = trust.policy {
            errors.extend(check_policy(policy, &keys, texts, contents));
        }
        if trust.requires_ml_dsa {
            errors.extend(check_ml_dsa(&keys, texts, contents));
        }
        for CaseFileError { path, why } in errors {
            files.add_fault(&path, why);
        }
    }
    match contents {
        Some(contents) if files.errors.is_empty() => Ok(Verified {
            files: files.sha256.len(),
            receipts: files.texts.keys().filter(|path| path.starts_with("receipts/")).count(),
            decisions: contents.decisions.len(),
            documents: contents.documents.len(),
            evaluations: contents.evaluations.len(),
            restrictions: contents.restrictions.len(),
            messages: contents.messages.len(),
            timestamps: contents.logs.iter().map(|log| log.timestamps.len()).sum(),
            origins: contents.logs.into_iter().map(|log| log.origin).collect(),
            user_id: contents.person.user_id,
            as_of: contents.as_of,
        }),
        _ => Err(files.errors),
    }
}
