//! The policy of `--witness-policy`: which witnesses are asked, and which checkpoints count as
//! cosigned.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use musette_core::log::cosignature::CosignerKey;
use musette_core::log::key::VerifierKey;
use musette_core::log::policy::Policy;
use musette_store::{Log, Store, StoreError};

use super::client::check_url;

/// A policy, and the last checkpoint that fulfilled it.
#[derive(Debug)]
pub struct WitnessPolicy {
    policy: Policy,
    /// Requests for one checkpoint need one verification of its signatures.
    fulfilled: Mutex<Option<String>>,
}

/// A witness that is asked: all lines of the policy with the same URL.
#[derive(Debug, Clone)]
pub struct AskedWitness {
    /// Names in the policy, separated by commas.
    pub names: String,
    /// URL of the request `add-checkpoint`.
    pub url: String,
    pub keys: Vec<CosignerKey>,
}

impl WitnessPolicy {
    /// Reads a policy file.
    ///
    /// # Errors
    /// Returns an error that names the line.
    pub fn read(file: &Path) -> Result<Arc<Self>, String> {
        let wrong = |error: String| format!("--witness-policy {}: {error}", file.display());
        // A policy is bytes, not text.
        let bytes = std::fs::read(file).map_err(|error| wrong(error.to_string()))?;
        let policy = Policy::parse(&bytes).map_err(|error| wrong(error.to_string()))?;
        for witness in policy.witnesses() {
            let Some(url) = &witness.url else { continue };
            check_url(url)
                .map_err(|error| wrong(format!("the URL of {}: {error}", witness.name)))?;
        }
        Ok(Arc::new(Self { policy, fulfilled: Mutex::new(None) }))
    }

    /// Returns the witnesses that have a URL.
    pub fn asked(&self) -> Vec<AskedWitness> {
        let mut witnesses: Vec<AskedWitness> = Vec::new();
        for witness in self.policy.witnesses() {
            let Some(prefix) = &witness.url else { continue };
            let url = format!("{}/add-checkpoint", prefix.trim_end_matches('/'));
            match witnesses.iter_mut().find(|other| other.url == url) {
                Some(other) => {
                    other.names = format!("{}, {}", other.names, witness.name);
                    other.keys.push(witness.key.clone());
                }
                None => witnesses.push(AskedWitness {
                    names: witness.name.clone(),
                    url,
                    keys: vec![witness.key.clone()],
                }),
            }
        }
        witnesses
    }

    /// Returns whether the policy accepts checkpoints of the log with this origin.
    pub fn accepts_log(&self, origin: &str) -> bool {
        let logs = self.policy.logs();
        logs.is_empty() || logs.iter().any(|log| log.key.name() == origin)
    }

    /// Returns whether a signed checkpoint fulfils the policy.
    pub fn is_fulfilled(&self, note: &str, keys: &[VerifierKey]) -> bool {
        let last = || self.fulfilled.lock().unwrap_or_else(PoisonError::into_inner);
        if last().as_deref() == Some(note) {
            return true;
        }
        let is_fulfilled = self.policy.check(note, keys).is_ok();
        if is_fulfilled {
            *last() = Some(note.to_owned());
        }
        is_fulfilled
    }

    /// Returns the newest checkpoint of the store's log that fulfils the policy.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read.
    pub async fn newest_fulfilled(&self, store: &Store) -> Result<Option<String>, StoreError> {
        let Some(head) = store.head_to_stamp().await? else { return Ok(None) };
        let keys = log_keys(store).await?;
        // Without a quorum every checkpoint fulfils the policy.
        if self.is_fulfilled(&head.checkpoint, &keys) {
            return Ok(Some(head.checkpoint));
        }
        let cosigned = store.newest_cosigned(head.log, None).await?;
        let checkpoint = cosigned.map(|cosigned| cosigned.checkpoint);
        Ok(checkpoint.filter(|checkpoint| self.is_fulfilled(checkpoint, &keys)))
    }
}

/// Returns the URLs of the witnesses, each once.
pub fn prefixes(policy: &Policy) -> Vec<String> {
    let mut prefixes: Vec<String> = Vec::new();
    for url in policy.witnesses().iter().filter_map(|witness| witness.url.as_deref()) {
        let prefix = url.trim_end_matches('/');
        if !prefixes.iter().any(|other| other == prefix) {
            prefixes.push(prefix.to_owned());
        }
    }
    prefixes
}

/// Returns the keys of all logs of the store.
///
/// # Errors
/// Returns an error if the store cannot be read.
pub async fn log_keys(store: &Store) -> Result<Vec<VerifierKey>, StoreError> {
    let logs = store.logs().await?;
    Ok(logs.iter().flat_map(Log::keys).collect())
}
