//! The option `--policy` of the commands that verify evidence.

use std::path::Path;

use musette_core::log::key::VerifierKey;
use musette_core::log::policy::Policy;

use super::Failure;

/// Reads a policy file (C2SP `tlog-policy`).
pub(super) fn read(file: &Path) -> Result<Policy, Failure> {
    let wrong = |error: String| Failure::Usage(format!("--policy {}: {error}", file.display()));
    // A policy is bytes, not text.
    let bytes = std::fs::read(file).map_err(|error| wrong(error.to_string()))?;
    Policy::parse(&bytes).map_err(|error| wrong(error.to_string()))
}

/// Returns the keys of the logs that the policy lists; none if it leaves them to the command.
pub(super) fn keys(policy: &Policy) -> Option<Vec<VerifierKey>> {
    let keys = policy.logs().iter().map(|log| log.key.clone());
    (!policy.logs().is_empty()).then(|| keys.collect())
}

/// Demands that a checkpoint fulfils the policy. `others` are the keys of logs for a policy that
/// lists none. Returns the names of the witnesses that cosigned it.
pub(super) fn check(
    policy: &Policy,
    note: &str,
    others: &[VerifierKey],
) -> Result<Vec<String>, String> {
    let accepted = policy.check(note, others).map_err(|error| error.to_string())?;
    Ok(accepted.witnesses)
}

/// Returns the end of a message about a verified checkpoint.
pub(super) fn cosigned_by(witnesses: &[String]) -> String {
    match witnesses {
        [] => "; no cosignature is needed".to_owned(),
        names => format!("; cosigned by {}", names.join(", ")),
    }
}
