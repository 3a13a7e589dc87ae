//! Adds the time stamps (RFC 3161) that cover the decisions, and verifies them. A time stamp is
//! about its own checkpoint; a consistency proof connects that with the head of the case file.

use std::collections::{BTreeMap, HashMap};

use musette_core::instant::Instant;
use musette_core::log::checkpoint::Checkpoint;
use musette_core::log::hash::Hash;
use musette_core::log::key::VerifierKey;
use musette_core::log::note::Note;
use musette_core::log::proof::verify_consistency;
use musette_core::log::timestamp::{Authorities, TimeStamp};
use musette_core::log::tlog_proof::TlogProof;
use musette_store::{Log, SignedHead, Store, TimeStampRow};

use super::contents::{CaseDecision, CaseExistedBefore, CaseLog, CaseTimestamp, Contents};
use super::gather::{ProvenFile, Recorded};
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

/// The path of a file with an entry, and where the case says which time stamp covers it.
pub type Stampable<'a> = (String, &'a mut Option<CaseExistedBefore>);

/// Returns the statements of a case that a time stamp can cover.
pub fn stampable<'a>(
    decisions: &'a mut [CaseDecision],
    recorded: &'a mut Recorded,
) -> Vec<Stampable<'a>> {
    let Recorded { evaluations, restrictions, messages } = recorded;
    let records = evaluations.iter_mut().chain(restrictions);
    let records = records.flat_map(|object| &mut object.records);
    let decisions =
        decisions.iter_mut().map(|decision| (decision.entry.clone(), &mut decision.existed_before));
    let records = records.map(|record| (record.receipt.clone(), &mut record.existed_before));
    let messages =
        messages.iter_mut().map(|message| (message.proof.clone(), &mut message.existed_before));
    decisions.chain(records).chain(messages).collect()
}

/// Adds the first time stamp that covers each statement.
pub async fn add(
    store: &Store,
    (logs, heads): (&[Log], &BTreeMap<i64, SignedHead>),
    entries: &[ProvenFile],
    stampable: Vec<Stampable<'_>>,
    case_logs: &mut [CaseLog],
) -> Result<TimeStampFiles, CaseError> {
    let mut stamped = TimeStampFiles::default();
    let rows = store.timestamps().await?;
    let mut of_files: HashMap<&str, &TimeStampRow> = HashMap::new();
    for entry in entries {
        let Some(log) = logs.iter().find(|log| log.id == entry.log) else { continue };
        let covers =
            |row: &&TimeStampRow| row.origin == log.origin && row.size.unsigned_abs() > entry.index;
        if let Some(row) = rows.iter().find(covers) {
            of_files.insert(&entry.path, row);
        }
    }
    let mut used: BTreeMap<i64, &TimeStampRow> = BTreeMap::new();
    for (path, existed_before) in stampable {
        let Some(row) = of_files.get(path.as_str()) else { continue };
        used.insert(row.n, row);
        *existed_before = Some(CaseExistedBefore {
            timestamp: row.n,
            at: Instant::from_millis(row.at).to_string(),
            authority: row.authority.clone(),
        });
    }
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

/// Verifies the time stamps of the logs, and what the case says about them.
pub fn check(files: &CaseFiles<'_>, contents: &Contents) -> Vec<CaseFileError> {
    let mut faults = Vec::new();
    let logs = &contents.logs;
    for (log, stamp) in logs.iter().flat_map(|log| log.timestamps.iter().map(move |s| (log, s))) {
        if let Err(why) = files.check_timestamp(log, stamp) {
            faults.push(CaseFileError { path: stamp.token.clone(), why });
        }
    }
    for (path, existed_before) in statements(contents) {
        let place = files.place(path);
        let covers = |log: &CaseLog| {
            log.timestamps.iter().any(|stamp| {
                stamp.n == existed_before.timestamp
                    && stamp.at == existed_before.at
                    && stamp.authority == existed_before.authority
                    && place
                        .as_ref()
                        .is_some_and(|(origin, index)| *origin == log.origin && *index < stamp.size)
            })
        };
        if !logs.iter().any(covers) {
            let why = format!("no time stamp covers {path}");
            faults.push(CaseFileError { path: super::CONTENTS.to_owned(), why });
        }
    }
    faults
}

/// Returns the statements about time stamps with the files of their entries.
fn statements(contents: &Contents) -> Vec<(&str, &CaseExistedBefore)> {
    let decisions = contents.decisions.iter();
    let decisions = decisions.map(|decision| (&decision.entry, &decision.existed_before));
    let objects = contents.evaluations.iter().chain(&contents.restrictions);
    let records = objects.flat_map(|object| &object.records);
    let records = records.map(|record| (&record.receipt, &record.existed_before));
    let messages = contents.messages.iter();
    let messages = messages.map(|message| (&message.proof, &message.existed_before));
    let all = decisions.chain(records).chain(messages);
    all.filter_map(|(path, stamp)| Some((path.as_str(), stamp.as_ref()?))).collect()
}

impl CaseFiles<'_> {
    fn text(&self, path: &str) -> Result<&str, String> {
        self.texts.get(path).map(String::as_str).ok_or_else(|| format!("{path} is missing"))
    }

    /// Returns log and index of the entry in a file.
    fn place(&self, path: &str) -> Option<(String, u64)> {
        let file: serde_json::Value = serde_json::from_str(self.texts.get(path)?).ok()?;
        let proof = TlogProof::parse(file["proof"].as_str()?).ok()?;
        let note = Note::parse(&proof.checkpoint).ok()?;
        Some((Checkpoint::parse(note.text()).ok()?.origin, proof.index))
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
