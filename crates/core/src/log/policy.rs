//! C2SP `tlog-policy`: which logs a verifier accepts, and which witnesses must have cosigned a
//! checkpoint.
//!
//! This module reads no file and asks no witness.

mod file;

use super::checkpoint::{Checkpoint, CheckpointError};
use super::cosignature::{CosignerKey, cosigned};
use super::key::VerifierKey;
use super::note::{Note, NoteError};

pub use file::{PolicyFileError, PolicyLineError};

/// A log of a policy.
#[derive(Clone, Debug, PartialEq)]
pub struct PolicyLog {
    /// Key of the log; its name is the origin.
    pub key: VerifierKey,
    /// Where the log is served, if the file says so.
    pub url: Option<String>,
}

/// A witness of a policy.
#[derive(Clone, Debug, PartialEq)]
pub struct PolicyWitness {
    /// Name of the witness in the file. It may be any bytes; invalid UTF-8 is replaced.
    pub name: String,
    /// Key of its cosignatures.
    pub key: CosignerKey,
    /// The prefix of its submission URL, if the file has one.
    pub url: Option<String>,
}

/// A witness or an earlier group, by its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Member {
    Witness(usize),
    Group(usize),
}

/// A group that has witnessed a checkpoint if at least `threshold` of its members have.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Group {
    threshold: usize,
    members: Vec<Member>,
}

/// A parsed policy.
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    logs: Vec<PolicyLog>,
    witnesses: Vec<PolicyWitness>,
    groups: Vec<Group>,
    /// None if no cosignature is needed.
    quorum: Option<Member>,
}

/// A checkpoint that fulfils the policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// The checkpoint.
    pub checkpoint: Checkpoint,
    /// Names of the witnesses whose cosignatures are valid.
    pub witnesses: Vec<String>,
}

/// The reason why a checkpoint does not fulfil the policy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PolicyError {
    /// It is not a signed note, or a signature of a known key does not verify.
    #[error(transparent)]
    Note(#[from] NoteError),
    /// The text is not a checkpoint, or no accepted log signed it.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// Too few witnesses cosigned it.
    #[error("the quorum of the policy is not reached: no cosignature of {}", .missing.join(", "))]
    Quorum {
        /// Names of the witnesses that count for the quorum and have not cosigned.
        missing: Vec<String>,
    },
}

impl Policy {
    /// Returns the logs that the policy accepts; empty if it leaves the choice to the verifier.
    pub fn logs(&self) -> &[PolicyLog] {
        &self.logs
    }

    /// Returns the witnesses, in the order of the file.
    pub fn witnesses(&self) -> &[PolicyWitness] {
        &self.witnesses
    }

    /// Checks a signed checkpoint. If the policy lists logs, one of them must have signed it, else
    /// one of `others`.
    ///
    /// # Errors
    /// Returns an error if it is malformed, a signature of a known key is wrong, no accepted log
    /// signed it, or the quorum is not reached.
    pub fn check(&self, note: &str, others: &[VerifierKey]) -> Result<Accepted, PolicyError> {
        let note = Note::parse(note)?;
        let checkpoint = Checkpoint::parse_any_origin(note.text())?;
        let own: Vec<VerifierKey> = self.logs.iter().map(|log| log.key.clone()).collect();
        let keys = if own.is_empty() { others } else { &own };
        let of_origin: Vec<VerifierKey> =
            keys.iter().filter(|key| key.name() == checkpoint.origin).cloned().collect();
        if of_origin.is_empty() {
            return Err(CheckpointError::NotSignedByLog { origin: checkpoint.origin }.into());
        }
        note.verify(&of_origin)?;
        let keys: Vec<CosignerKey> =
            self.witnesses.iter().map(|witness| witness.key.clone()).collect();
        let cosigned = cosigned(&note, &keys)?;
        // A cosignature without a time does not state that the tree is the largest one.
        let has_signed: Vec<bool> = keys
            .iter()
            .map(|key| cosigned.iter().any(|by| by.key == key && by.timestamp != 0))
            .collect();
        if self.quorum.is_some_and(|quorum| !self.is_reached(quorum, &has_signed)) {
            return Err(PolicyError::Quorum { missing: self.missing(&has_signed) });
        }
        let witnesses = self.witnesses.iter().zip(&has_signed);
        let witnesses = witnesses.filter(|(_, has_signed)| **has_signed);
        let witnesses = witnesses.map(|(witness, _)| witness.name.clone()).collect();
        Ok(Accepted { checkpoint, witnesses })
    }

    fn is_reached(&self, member: Member, has_signed: &[bool]) -> bool {
        // Groups contain earlier groups only, so that one pass over them is enough.
        let mut groups: Vec<bool> = Vec::with_capacity(self.groups.len());
        for group in &self.groups {
            let count = group.members.iter().filter(|member| match member {
                Member::Witness(index) => has_signed[*index],
                Member::Group(index) => groups[*index],
            });
            let is_reached = count.count() >= group.threshold;
            groups.push(is_reached);
        }
        match member {
            Member::Witness(index) => has_signed[index],
            Member::Group(index) => groups[index],
        }
    }

    /// Returns the witnesses that count for the quorum and have not signed.
    fn missing(&self, has_signed: &[bool]) -> Vec<String> {
        let mut counts = vec![false; self.witnesses.len()];
        let mut members: Vec<Member> = self.quorum.into_iter().collect();
        while let Some(member) = members.pop() {
            match member {
                Member::Witness(index) => counts[index] = true,
                Member::Group(index) => members.extend(&self.groups[index].members),
            }
        }
        let witnesses = self.witnesses.iter().zip(counts).zip(has_signed);
        let missing = witnesses.filter(|((_, counts), has_signed)| *counts && !**has_signed);
        missing.map(|((witness, _), _)| witness.name.clone()).collect()
    }
}

#[cfg(test)]
mod tests;
