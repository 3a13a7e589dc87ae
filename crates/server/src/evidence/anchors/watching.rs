//! Follows a log from outside: what it serves now must extend everything that it signed before, here
//! and to its witnesses.

use metrics::{counter, gauge};
use musette_core::log::checkpoint::Checkpoint;
use musette_core::log::key::VerifierKey;
use musette_core::log::note::Note;
use musette_core::log::policy::Policy;
use musette_core::log::proof::verify_consistency;
use serde::Serialize;

use super::remote_log::RemoteLog;
use super::witness_policy::prefixes;
use crate::platform::counted::counted;
use crate::platform::random::sha256_hex;

/// The kind of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// The log signed two trees that contradict each other.
    SplitView,
    /// The log serves a smaller tree than it signed before.
    Rollback,
    /// The tiles of the log do not belong to its checkpoint.
    WrongTiles,
    /// The checkpoint is malformed or not signed by a key of the log.
    Unsigned,
}

impl Kind {
    fn label(self) -> &'static str {
        match self {
            Self::SplitView => "split_view",
            Self::Rollback => "rollback",
            Self::WrongTiles => "wrong_tiles",
            Self::Unsigned => "unsigned",
        }
    }
}

/// A signed checkpoint, and the address that served it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Seen {
    pub source: String,
    /// The signed note.
    pub checkpoint: String,
    #[serde(skip)]
    head: Checkpoint,
}

/// A contradiction, with the checkpoints that prove it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    pub kind: Kind,
    pub what: String,
    pub checkpoints: Vec<Seen>,
}

/// The result of one round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Report {
    pub log: String,
    pub origin: String,
    pub size: u64,
    pub root: String,
    /// The witnesses of the newest cosigned checkpoint. Null if it does not fulfil the policy.
    pub cosigned_by: Option<Vec<String>>,
    /// Why the policy is not fulfilled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_cosigned: Option<String>,
    pub findings: Vec<Finding>,
    /// What could not be read or compared.
    pub errors: Vec<String>,
}

/// Follows one log.
pub struct Watcher {
    log: RemoteLog,
    policy: Policy,
    /// Keys of the log.
    keys: Vec<VerifierKey>,
    /// The monitoring prefixes of the witnesses.
    witnesses: Vec<RemoteLog>,
    last: Option<Seen>,
}

impl Watcher {
    /// Prepares to follow a log. `keys` are its keys if the policy lists no log.
    ///
    /// # Errors
    /// Returns an error if an address is not a URL, or no key is known.
    pub fn new(url: &str, policy: Policy, keys: Vec<VerifierKey>) -> Result<Self, String> {
        let own: Vec<VerifierKey> = policy.logs().iter().map(|log| log.key.clone()).collect();
        let keys = if own.is_empty() { keys } else { own };
        if keys.is_empty() {
            return Err("the policy lists no log: name its key with --key".to_owned());
        }
        let witnesses: Result<Vec<RemoteLog>, String> =
            prefixes(&policy).iter().map(|url| RemoteLog::new(url)).collect();
        let (log, witnesses) = (RemoteLog::new(url)?, witnesses?);
        Ok(Self { log, policy, keys, witnesses, last: None })
    }

    /// Continues after a checkpoint that was seen earlier.
    ///
    /// # Errors
    /// Returns an error if no key of the log signed it.
    pub fn continue_after(&mut self, note: &str, source: &str) -> Result<(), String> {
        self.last = Some(self.open(note.to_owned(), source.to_owned())?);
        Ok(())
    }

    /// Returns the newest checkpoint that contradicts nothing.
    pub fn last(&self) -> Option<&str> {
        self.last.as_ref().map(|seen| seen.checkpoint.as_str())
    }

    fn open(&self, checkpoint: String, source: String) -> Result<Seen, String> {
        let note = Note::parse(&checkpoint).map_err(|error| error.to_string())?;
        let head = Checkpoint::parse_any_origin(note.text()).map_err(|error| error.to_string())?;
        let of_origin: Vec<VerifierKey> =
            self.keys.iter().filter(|key| key.name() == head.origin).cloned().collect();
        note.verify(&of_origin).map_err(|error| error.to_string())?;
        Ok(Seen { source, checkpoint, head })
    }

    /// Fetches the checkpoint of the log and those of the witnesses, and compares all of them.
    ///
    /// # Errors
    /// Returns an error if the log does not respond.
    pub async fn check(&mut self) -> Result<Report, String> {
        let mut report = Report {
            log: self.log.url().to_owned(),
            origin: String::new(),
            size: 0,
            root: String::new(),
            cosigned_by: None,
            not_cosigned: None,
            findings: Vec::new(),
            errors: Vec::new(),
        };
        // Before the log's own checkpoint, which therefore is the newest.
        let mut others: Vec<Seen> = self.last.iter().cloned().collect();
        self.read_witnesses(&mut others, &mut report).await;
        let cosigned = self.read_cosigned(&mut others, &mut report).await;
        let source = format!("{}/checkpoint", self.log.url());
        let note = self.log.checkpoint("checkpoint").await?;
        let note = note.ok_or_else(|| format!("{source}: it is missing"))?;
        let current = match self.open(note.clone(), source.clone()) {
            Ok(current) => current,
            Err(what) => {
                report.add(Finding { kind: Kind::Unsigned, what, checkpoints: Vec::new() });
                return Ok(report);
            }
        };
        let head = &current.head;
        (report.origin, report.size) = (head.origin.clone(), head.size);
        report.root = head.root.to_base64();
        for other in others {
            match self.compare(&other, &current).await {
                Ok(finding) => finding.into_iter().for_each(|finding| report.add(finding)),
                Err(error) => report.errors.push(error),
            }
        }
        self.judge_quorum(cosigned.as_deref().unwrap_or(&note), &mut report);
        gauge!("musette_log_watch_entries").set(report.size as f64);
        if report.findings.is_empty() {
            self.last = Some(current);
        }
        Ok(report)
    }

    async fn read_witnesses(&self, others: &mut Vec<Seen>, report: &mut Report) {
        let mut origins: Vec<&str> = self.keys.iter().map(VerifierKey::name).collect();
        origins.dedup();
        for witness in &self.witnesses {
            for origin in &origins {
                let path = format!("{}/checkpoint", sha256_hex(origin.as_bytes()));
                let source = format!("{}/{path}", witness.url());
                match witness.checkpoint(&path).await {
                    Ok(Some(note)) => match self.open(note, source.clone()) {
                        Ok(seen) => others.push(seen),
                        // The witness is wrong, not the log.
                        Err(error) => report.errors.push(format!("{source}: {error}")),
                    },
                    Ok(None) => {}
                    Err(error) => report.errors.push(error),
                }
            }
        }
    }

    /// Fetches the cosigned checkpoint, which this program's logs serve separately.
    async fn read_cosigned(&self, others: &mut Vec<Seen>, report: &mut Report) -> Option<String> {
        let path = "checkpoint?cosigned";
        match self.log.checkpoint(path).await {
            Ok(Some(note)) => {
                let source = format!("{}/{path}", self.log.url());
                match self.open(note.clone(), source) {
                    Ok(seen) => others.push(seen),
                    Err(error) => report.errors.push(format!("{path}: {error}")),
                }
                Some(note)
            }
            Ok(None) => None,
            Err(error) => {
                report.errors.push(error);
                None
            }
        }
    }

    fn judge_quorum(&self, note: &str, report: &mut Report) {
        match self.policy.check(note, &self.keys) {
            Ok(accepted) => report.cosigned_by = Some(accepted.witnesses),
            Err(error) => report.not_cosigned = Some(error.to_string()),
        }
        gauge!("musette_log_watch_cosigned").set(f64::from(u8::from(report.cosigned_by.is_some())));
    }

    /// Compares an earlier checkpoint with the current one.
    async fn compare(&self, earlier: &Seen, current: &Seen) -> Result<Option<Finding>, String> {
        let (old, new) = (&earlier.head, &current.head);
        let finding = |kind, what: String| {
            Some(Finding { kind, what, checkpoints: vec![earlier.clone(), current.clone()] })
        };
        if old.origin != new.origin {
            return Ok(None);
        }
        if old.size > new.size {
            let what = format!(
                "the log serves {} and signed a tree of {} before: it was rolled back, or shows an older tree here",
                counted(new.size, "entry", "entries"),
                old.size
            );
            return Ok(finding(Kind::Rollback, what));
        }
        if old.size == new.size {
            let what =
                format!("the log signed two trees of {}", counted(old.size, "entry", "entries"));
            let is_split = old.root != new.root;
            return Ok(is_split.then(|| finding(Kind::SplitView, what)).flatten());
        }
        let proof = self.log.consistency(old.size, new.size).await?;
        let what = |why: &str| {
            let new = counted(new.size, "entry", "entries");
            format!("the tree of {new} does not extend that of {}{why}", old.size)
        };
        let verify =
            |old_root| verify_consistency(old.size, old_root, new.size, new.root, &proof).is_ok();
        if verify(old.root) {
            return Ok(None);
        }
        // If the served tiles have the signed root of the new tree, its beginning is another tree.
        let beginning = self.log.root(old.size).await?;
        Ok(if beginning != old.root && verify(beginning) {
            finding(Kind::SplitView, what(""))
        } else {
            finding(Kind::WrongTiles, what(": its tiles do not have the signed root"))
        })
    }
}

impl Report {
    fn add(&mut self, finding: Finding) {
        counter!("musette_log_watch_findings_total", "kind" => finding.kind.label()).increment(1);
        self.findings.push(finding);
    }
}
