//! Adds the time stamps (RFC 3161) that cover the decisions, and verifies them. A time stamp is
//! about its own checkpoint; a consistency proof connects that with the head of the case file.

use std::collections::{BTreeMap, HashMap};

use musette_core::instant::Instant;
use musette_core::log::checkpoint::Checkpoint;
use musette_core::log::hash::Hash;
use musette_core::log::key::VerifierKey;
use musette_core::log::proof::verify_consistency;
use musette_core::log::timestamp::{Authorities, TimeStamp};
use musette_store::{Log, SignedHead, Store, SubmissionEntry, TimeStampRow};

use super::contents::{CaseDecision, CaseExistedBefore, CaseLog, CaseTimestamp};
use super::verify::CaseFileError;
use super::writing::CaseError;

/// The files of the time stamps.
#[derive(Default)]
pub struct TimeStampFiles {
    /// Tokens by path.
    pub tokens: BTreeMap<String, Vec<u8>>,
    /// Checkpoints and proofs by path.
    pub texts: BTreeMap<String, String>,
}

/// Adds the first time stamp that covers each decision.
pub async fn add(
    store: &Store,
    logs: &[Log],
    heads: &BTreeMap<i64, SignedHead>,
    submissions: &[SubmissionEntry],
    (decisions, case_logs): (&mut [CaseDecision], &mut [CaseLog]),
) -> Result<TimeStampFiles, CaseError> {
    let mut stamped = TimeStampFiles::default();
    let rows = store.timestamps().await?;
    let mut of_entries: HashMap<String, &TimeStampRow> = HashMap::new();
    for submission in submissions {
        let Some(log) = logs.iter().find(|log| log.id == submission.log) else { continue };
        let covers = |row: &&TimeStampRow| {
            row.origin == log.origin && row.size.unsigned_abs() > submission.index()
        };
        if let Some(row) = rows.iter().find(covers) {
            of_entries.insert(format!("log/{}/{}.json", log.name(), submission.index()), row);
        }
    }
    for decision in decisions {
        decision.existed_before = of_entries.get(&decision.entry).map(|row| CaseExistedBefore {
            timestamp: row.n,
            at: Instant::from_millis(row.at).to_string(),
            authority: row.authority.clone(),
        });
    }
    let used: BTreeMap<i64, &TimeStampRow> =
        of_entries.into_values().map(|row| (row.n, row)).collect();
    for row in used.into_values() {
        let log = logs.iter().find(|log| log.origin == row.origin);
        let case_log = case_logs.iter_mut().find(|log| log.origin == row.origin);
        let (Some(log), Some(case_log)) = (log, case_log) else { continue };
        let Some(head) = heads.get(&log.id) else { continue };
        let timestamp = stamped.add(store, log, head, row).await?;
        case_log.timestamps.push(timestamp);
    }
    Ok(stamped)
}

impl TimeStampFiles {
    async fn add(
        &mut self,
        store: &Store,
        log: &Log,
        head: &SignedHead,
        row: &TimeStampRow,
    ) -> Result<CaseTimestamp, CaseError> {
        let path = |suffix: &str| format!("log/{}/timestamps/{}.{suffix}", log.name(), row.n);
        if let Some(stored) = store.timestamp(row.n).await? {
            self.tokens.insert(path("tsr"), stored.reply);
            self.texts.insert(path("checkpoint"), stored.checkpoint);
        }
        let size = row.size.unsigned_abs();
        let consistency = if size == head.size {
            None
        } else {
            let (old, new) = (size.min(head.size), size.max(head.size));
            let proof = store.consistency_proof(log, old, new).await?;
            let lines = proof.iter().map(|hash| format!("{}\n", hash.to_base64())).collect();
            self.texts.insert(path("consistency"), lines);
            Some(path("consistency"))
        };
        Ok(CaseTimestamp {
            n: row.n,
            size,
            at: Instant::from_millis(row.at).to_string(),
            authority: row.authority.clone(),
            token: path("tsr"),
            checkpoint: path("checkpoint"),
            consistency,
        })
    }
}

/// The files of a case that is being verified.
pub struct CaseFiles<'a> {
    pub texts: &'a BTreeMap<String, String>,
    pub tokens: &'a BTreeMap<String, Vec<u8>>,
    pub keys: &'a [VerifierKey],
    pub authorities: Option<&'a Authorities>,
}

/// Verifies the time stamps of the logs, and what decisions say about them.
pub fn check(
    files: &CaseFiles<'_>,
    logs: &[CaseLog],
    decisions: &[CaseDecision],
) -> Vec<CaseFileError> {
    let mut faults = Vec::new();
    for (log, stamp) in logs.iter().flat_map(|log| log.timestamps.iter().map(move |s| (log, s))) {
        if let Err(why) = files.check_timestamp(log, stamp) {
            faults.push(CaseFileError { path: stamp.token.clone(), why });
        }
    }
    for decision in decisions {
        let Some(existed_before) = &decision.existed_before else { continue };
        let covers = |log: &CaseLog| {
            let name = log.origin.rsplit('/').next().unwrap_or_default();
            let index = decision.entry.strip_prefix(&format!("log/{name}/"));
            let index = index.and_then(|path| path.strip_suffix(".json")?.parse::<u64>().ok());
            log.timestamps.iter().any(|stamp| {
                stamp.n == existed_before.timestamp
                    && stamp.at == existed_before.at
                    && stamp.authority == existed_before.authority
                    && index.is_some_and(|index| index < stamp.size)
            })
        };
        if !logs.iter().any(covers) {
            let why = format!("no time stamp covers {}", decision.entry);
            faults.push(CaseFileError { path: super::CONTENTS.to_owned(), why });
        }
    }
    faults
}

impl CaseFiles<'_> {
    fn text(&self, path: &str) -> Result<&str, String> {
        self.texts.get(path).map(String::as_str).ok_or_else(|| format!("{path} is missing"))
    }

    fn check_timestamp(&self, log: &CaseLog, stamp: &CaseTimestamp) -> Result<(), String> {
        let open = |path: &str| {
            let note = self.text(path)?;
            let checkpoint = Checkpoint::open(note, self.keys);
            checkpoint.map_err(|error| format!("{path}: {error}"))
        };
        let checkpoint = open(&stamp.checkpoint)?;
        let head = open(&log.checkpoint)?;
        if checkpoint.origin != log.origin || checkpoint.size != stamp.size {
            return Err("its checkpoint is of another log or size".to_owned());
        }
        let token = self.tokens.get(&stamp.token).ok_or("the file is missing")?;
        let opened = TimeStamp::open(token, self.text(&stamp.checkpoint)?);
        let opened = opened.map_err(|error| error.to_string())?;
        if opened.at.to_string() != stamp.at || opened.authority != stamp.authority {
            return Err("it has another time or authority than case.json".to_owned());
        }
        let proof = stamp.consistency.as_deref().map(|path| self.text(path)).transpose()?;
        let hashes = proof.unwrap_or_default().lines().map(Hash::from_base64);
        let proof = hashes.collect::<Option<Vec<_>>>().ok_or("its proof is malformed")?;
        let (old, new) =
            if checkpoint.size < head.size { (&checkpoint, &head) } else { (&head, &checkpoint) };
        verify_consistency(old.size, old.root, new.size, new.root, &proof)
            .map_err(|error| format!("its checkpoint contradicts the head: {error}"))?;
        let trusted = self.authorities.map(|authorities| opened.verify_trust(authorities));
        trusted.unwrap_or(Ok(())).map_err(|error| error.to_string())
    }
}
