//! The files that have a proof. All proofs of a log are under one head: the first one that covers all
//! entries of the case.

use std::collections::BTreeMap;

use musette_core::campaigns::MessageReceipt;
use musette_core::decisions::DecisionReceipt;
use musette_core::log::checkpoint::Checkpoint;
use musette_core::log::note::Note;
use musette_store::Log;

use super::super::KEYS;
use super::super::contents::{CaseEntry, CaseLog, json};
use super::super::writing::CaseError;
use super::{Gathering, corrupt_store};

/// A file with the proof of a log entry.
pub struct ProvenFile {
    pub log: i64,
    pub index: u64,
    pub path: String,
    pub content: ProvenContent,
}

/// The content of the file, whose proof is replaced by one under the head of the case.
pub enum ProvenContent {
    Entry(String),
    Decision(Box<DecisionReceipt>),
    Message(Box<MessageReceipt>),
}

impl ProvenContent {
    fn text(&self, index: u64, proof: String) -> String {
        match self {
            Self::Entry(entry) => json(&CaseEntry { index, entry: entry.clone(), proof }),
            Self::Decision(receipt) => json(&DecisionReceipt { proof, ..(**receipt).clone() }),
            Self::Message(receipt) => json(&MessageReceipt { proof, ..(**receipt).clone() }),
        }
    }
}

impl Gathering<'_> {
    /// Adds the files with their proofs, the heads, and the keys.
    pub(super) async fn add_proofs(
        &mut self,
        entries: &[ProvenFile],
    ) -> Result<Vec<CaseLog>, CaseError> {
        let mut last: BTreeMap<i64, u64> = BTreeMap::new();
        for entry in entries {
            let last = last.entry(entry.log).or_default();
            *last = (*last).max(entry.index);
        }
        let mut logs = Vec::new();
        for (id, index) in last {
            let log = self.log(id)?;
            let head = self.store.head_covering(log, index).await?;
            let note = Note::parse(&head.checkpoint).map_err(corrupt_store)?;
            let root = Checkpoint::parse(note.text()).map_err(corrupt_store)?.root.to_base64();
            let path = format!("log/{}/checkpoint", log.name());
            logs.push(CaseLog {
                origin: log.origin.clone(),
                vkey: log.vkey.clone(),
                size: head.size,
                root,
                checkpoint: path.clone(),
                timestamps: Vec::new(),
            });
            self.files.insert(path, head.checkpoint.clone());
            self.heads.insert(id, head);
        }
        for ProvenFile { log, index, path, content } in entries {
            let head = self
                .heads
                .get(log)
                .ok_or_else(|| corrupt_store("the head of an entry is missing"))?;
            let proof = self.store.proof_under(self.log(*log)?, *index, head).await?;
            self.files.insert(path.clone(), content.text(*index, proof));
        }
        let used =
            |log: &&Log| logs.is_empty() || logs.iter().any(|other| other.origin == log.origin);
        let keys: String = self
            .logs
            .iter()
            .filter(used)
            .flat_map(Log::vkeys)
            .map(|vkey| format!("{vkey}\n"))
            .collect();
        self.files.insert(KEYS.to_owned(), keys);
        Ok(logs)
    }
}
