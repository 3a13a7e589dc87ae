//! The commit plan: turns a batch of submissions, and the rows that it depends on, into outcomes
//! and rows to insert.
//!
//! The steps alternate with queries of `commit.rs`, each for the whole batch: used idempotency keys
//! and their outcomes, continued receipts, riders, earlier decisions. Then `decide` checks the
//! submissions in order and collects rows. It adds each decision to the person's earlier ones, so a
//! later submission of the same batch sees it. Nothing is written here, so a batch costs a fixed
//! number of statements and one sync to disk. Time and memory are O(submissions + decisions).

mod checked;
mod narrow;
mod rows;
mod told;

use std::collections::{HashMap, HashSet};

use musette_core::instant::Instant;
use musette_core::log::entry::{Consent, Entry, Submission as LoggedSubmission, V1};
use musette_core::log::subject::SubjectKey;
use musette_core::markets::Market;
use musette_core::terms::{
    Decision, DecisionRecord, Decisions, Method, SubmissionRefusal, UserType, ValidSubmission,
};

use checked::{check_after, is_incomplete};
pub(crate) use rows::{BeforeRow, ContinuedRow, RepeatedRow, ReplayedRow, RiderRow};
use told::{continues, refuses};

use super::{ConsentRow, IdempotencyRow, SubmissionRow};
use crate::db::error::StoreError;
use crate::log::{Appended, Event, LogEnd, NewEntry, ProvenEntry, corrupt, subject_key};
use crate::outbox::NewEvent;
use crate::writer::{
    RecordedDecision, RecordedSubmission, Submission, SubmissionOutcome, Submitter,
};

/// Prefix of the entry IDs whose proof fails, for tests.
#[cfg(test)]
pub(crate) const UNPROVABLE: &str = "unprovable";
/// Entry ID that makes the writer panic, for a test.
#[cfg(test)]
pub(crate) const PANICS: &str = "panics";

struct Rider {
    key: SubjectKey,
    user_id: String,
    market: Option<Market>,
}

struct Repeated {
    body_sha256: String,
    recorded: RecordedSubmission,
}

pub(crate) struct Plan<'a> {
    batch: &'a [Submission],
    pub(crate) next_seq: i64,
    repeated: HashMap<(String, String), Repeated>,
    /// Unclaimed submissions of the given receipts: their entry IDs, and the persons who decided.
    continued: HashMap<i64, (String, String)>,
    riders: HashMap<String, Rider>,
    earlier: HashMap<String, Decisions>,
    outcomes: Vec<SubmissionOutcome>,
    pub(crate) subjects: Vec<(&'a str, &'a str)>,
    pub(crate) submissions: Vec<SubmissionRow>,
    pub(crate) consents: Vec<ConsentRow>,
    /// The index of the language in its term, for each consent.
    variants: Vec<Option<usize>>,
    pub(crate) idempotency: Vec<IdempotencyRow>,
    /// One entry for each submission, in the same order.
    pub(crate) logged: Vec<NewEntry>,
    pub(crate) events: Vec<NewEvent>,
}

impl<'a> Plan<'a> {
    pub(crate) fn new(batch: &'a [Submission]) -> Self {
        Self {
            batch,
            next_seq: 0,
            repeated: HashMap::new(),
            continued: HashMap::new(),
            riders: HashMap::new(),
            earlier: HashMap::new(),
            outcomes: Vec::with_capacity(batch.len()),
            subjects: Vec::new(),
            submissions: Vec::with_capacity(batch.len()),
            consents: Vec::new(),
            variants: Vec::new(),
            idempotency: Vec::new(),
            logged: Vec::with_capacity(batch.len()),
            events: Vec::with_capacity(batch.len()),
        }
    }

    pub(crate) fn idempotency_keys(&self) -> Vec<(&'a str, &'a str)> {
        let keys = self.batch.iter().filter_map(|submission| submission.idempotency.as_ref());
        keys.map(|key| (key.scope.as_str(), key.key.as_str())).collect()
    }

    pub(crate) fn add_repeated(&mut self, rows: Vec<RepeatedRow>) {
        for row in rows {
            let RepeatedRow { scope, key, body_sha256, seq, entry_id, recorded_at } = row;
            let recorded_at = Instant::from_millis(recorded_at);
            let recorded = RecordedSubmission { seq, entry_id, recorded_at, entries: Vec::new() };
            self.repeated.insert((scope, key), Repeated { body_sha256, recorded });
        }
    }

    pub(crate) fn repeated_seqs(&self) -> Vec<(i64,)> {
        self.repeated.values().map(|repeated| (repeated.recorded.seq,)).collect()
    }

    pub(crate) fn add_replayed(&mut self, rows: Vec<ReplayedRow>) {
        let mut entries: HashMap<i64, Vec<RecordedDecision>> = HashMap::new();
        for ReplayedRow { submission, term_id: term, accepted, consented_at } in rows {
            let consented_at = Instant::from_millis(consented_at);
            let decision = RecordedDecision { term, accepted, consented_at };
            entries.entry(submission).or_default().push(decision);
        }
        for repeated in self.repeated.values_mut() {
            let recorded = &mut repeated.recorded;
            recorded.entries = entries.get(&recorded.seq).cloned().unwrap_or_default();
        }
    }

    pub(crate) fn receipt_seqs(&self) -> Vec<(i64,)> {
        let receipts = self.batch.iter().filter_map(|submission| continues(submission)?.receipt);
        receipts.map(|receipt| (receipt.seq,)).collect()
    }

    pub(crate) fn add_continued(&mut self, rows: Vec<ContinuedRow>) {
        for ContinuedRow { seq, entry_id, person } in rows {
            self.continued.insert(seq, (entry_id, person));
        }
    }

    pub(crate) fn rider_subjects(&self) -> Vec<(&'a str,)> {
        let subjects = self.batch.iter().filter_map(|submission| match &submission.submitter {
            Submitter::Rider { subject } => Some(subject.as_str()),
            Submitter::Applicant { .. } => None,
        });
        subjects.collect::<HashSet<_>>().into_iter().map(|subject| (subject,)).collect()
    }

    pub(crate) fn add_riders(&mut self, rows: Vec<RiderRow>) -> Result<(), StoreError> {
        for RiderRow { subject, key, id, market } in rows {
            let market = market.as_deref().and_then(Market::from_stored);
            let rider = Rider { key: subject_key(&key)?, user_id: id, market };
            self.riders.insert(subject, rider);
        }
        Ok(())
    }

    /// Returns persons whose earlier decisions matter: the submission omits a mandatory term, or
    /// refuses a term, which may be a withdrawal.
    pub(crate) fn persons_to_look_up(&self) -> Vec<(String,)> {
        let persons: HashSet<String> = self
            .batch
            .iter()
            .filter(|submission| {
                refuses(submission) || is_incomplete(submission, self.market(submission))
            })
            .filter_map(|submission| self.person(submission))
            .collect();
        persons.into_iter().map(|person| (person,)).collect()
    }

    pub(crate) fn add_earlier(&mut self, rows: Vec<BeforeRow>) {
        for row in rows {
            let decision = row.decision();
            self.earlier.entry(row.person).or_default().record(row.term_id, decision);
        }
    }

    /// Decides on each submission; `end` provides instants that never go backwards in the log.
    pub(crate) fn decide(&mut self, end: &mut LogEnd) -> Result<(), StoreError> {
        let batch = self.batch;
        for submission in batch {
            let outcome = self.decide_one(submission, end)?;
            self.outcomes.push(outcome);
        }
        Ok(())
    }

    /// Completes the receipts: the proof of each entry is only known after the append.
    pub(crate) fn prove(&mut self, appended: &Appended) -> Result<(), StoreError> {
        #[cfg(test)]
        if self.batch.iter().any(|submission| submission.entry_id.starts_with(UNPROVABLE)) {
            return Err(corrupt("a test requested this error"));
        }
        #[cfg(test)]
        assert!(self.batch.iter().all(|sent| sent.entry_id != PANICS), "requested by a test");
        let receipts = self.outcomes.iter_mut().filter_map(|outcome| match outcome {
            SubmissionOutcome::Recorded(_, evidence) => Some(evidence),
            _ => None,
        });
        for (place, evidence) in receipts.enumerate() {
            (evidence.index, evidence.proof) = appended.proof(place)?;
        }
        Ok(())
    }

    /// Returns whether an outcome reports that an earlier request was recorded.
    pub(crate) fn has_replays(&self) -> bool {
        self.outcomes.iter().any(|outcome| matches!(outcome, SubmissionOutcome::Replayed(_)))
    }

    pub(crate) fn outcomes(self) -> Vec<SubmissionOutcome> {
        self.outcomes
    }

    fn decide_one(
        &mut self,
        submission: &'a Submission,
        end: &mut LogEnd,
    ) -> Result<SubmissionOutcome, StoreError> {
        if let Some(key) = &submission.idempotency
            && let Some(repeated) = self.repeated.get(&(key.scope.clone(), key.key.clone()))
        {
            return Ok(if repeated.body_sha256 == key.body_sha256 {
                SubmissionOutcome::Replayed(repeated.recorded.clone())
            } else {
                SubmissionOutcome::KeyReused
            });
        }
        if let Submitter::Rider { subject } = &submission.submitter
            && !self.riders.contains_key(subject)
        {
            return Ok(SubmissionOutcome::SubjectGone);
        }
        let Some(person) = self.person(submission) else {
            return Ok(SubmissionOutcome::ReceiptUnknown);
        };
        match self.checked(submission, &person) {
            Ok(accepted) => {
                let at = end.instant(submission.now);
                let (evidence, app) = self.log(submission, &accepted.entries, at)?;
                let recorded = self.record(submission, person, accepted.entries, app, at);
                Ok(SubmissionOutcome::Recorded(recorded, evidence))
            }
            Err(refusal) => Ok(SubmissionOutcome::Refused(refusal)),
        }
    }

    /// Adds the log entry and returns it, without index and proof, with the encrypted `app`.
    fn log(
        &mut self,
        submission: &Submission,
        records: &[DecisionRecord],
        at: Instant,
    ) -> Result<(ProvenEntry, Option<String>), StoreError> {
        let missing = || corrupt("a subject has no key");
        let (key, name, user_type, continues) = match &submission.submitter {
            Submitter::Rider { subject } => {
                let rider = self.riders.get(subject).ok_or_else(missing)?;
                (rider.key.clone(), rider.user_id.clone(), UserType::Rider, None)
            }
            Submitter::Applicant { key, continues, .. } => {
                let receipt = submission.receipts.id(self.next_seq, &submission.entry_id);
                let earlier = continues.as_ref().and_then(|continues| continues.receipt);
                let earlier = earlier.and_then(|receipt| self.continued.get(&receipt.seq));
                let continues = earlier.map(|(entry_id, _)| entry_id.clone());
                (subject_key(key)?, receipt, UserType::Applicant, continues)
            }
        };
        let amr = submission.signed_in_by.map(|method| method.amr().iter().copied());
        let entry = Entry::Submission(LoggedSubmission {
            amr: amr.map(|values| values.map(str::to_owned).collect()),
            app: None,
            app_sha256: submission.app.as_deref().map(|app| key.app_sha256(app)),
            clock_offset_ms: submission.device_clock.offset_ms,
            consents: records.iter().map(Consent::from).collect(),
            continues,
            device_at: submission.device_clock.at.clone(),
            id: submission.entry_id.clone(),
            locale: submission.locale.as_ref().map(|locale| locale.as_str().to_owned()),
            market: self.market(submission).map(Market::to_string),
            recorded_at: at.to_string(),
            subject: key.subject(&name),
            user_type: user_type.into(),
            v: V1,
        });
        let text = entry.encode().map_err(corrupt)?;
        self.logged.push(NewEntry { event: Event::Submission(self.next_seq), text: text.clone() });
        let app = submission.app.as_deref().map(|app| key.encrypt(&submission.entry_id, app));
        let subject_key = key.to_base64url();
        Ok((ProvenEntry { index: 0, entry: text, proof: String::new(), subject_key }, app))
    }

    fn checked(
        &self,
        submission: &Submission,
        person: &str,
    ) -> Result<ValidSubmission, SubmissionRefusal> {
        let none = Decisions::default();
        let before = self.earlier.get(person).unwrap_or(&none);
        check_after(submission, self.market(submission), before)
    }

    /// Returns where the person works: the account's market, or the one that an applicant states.
    fn market<'m>(&'m self, submission: &'m Submission) -> Option<&'m Market> {
        match &submission.submitter {
            Submitter::Rider { subject } => self.riders.get(subject)?.market.as_ref(),
            Submitter::Applicant { .. } => submission.market.as_ref(),
        }
    }

    fn person(&self, submission: &Submission) -> Option<String> {
        match &submission.submitter {
            Submitter::Rider { subject } => Some(subject.clone()),
            Submitter::Applicant { subject, continues: None, .. } => Some(subject.clone()),
            Submitter::Applicant { continues: Some(continues), .. } => {
                let receipt = continues.receipt?;
                let (entry_id, person) = self.continued.get(&receipt.seq)?;
                // Not by number alone: the holder of a receipt can forge another number.
                submission.receipts.matches(&receipt, entry_id).then(|| person.clone())
            }
        }
    }

    fn record(
        &mut self,
        submission: &'a Submission,
        person: String,
        records: Vec<DecisionRecord>,
        app: Option<String>,
        at: Instant,
    ) -> RecordedSubmission {
        let seq = self.next_seq;
        self.next_seq += 1;
        let market = self.market(submission).map(Market::to_string);
        let (subject, user_type) = match &submission.submitter {
            Submitter::Rider { subject } => (subject.as_str(), UserType::Rider),
            Submitter::Applicant { subject, key, .. } => {
                self.subjects.push((subject, key));
                (subject.as_str(), UserType::Applicant)
            }
        };
        if let Some(key) = &submission.idempotency {
            self.idempotency.push(IdempotencyRow {
                scope: key.scope.clone(),
                key: key.key.clone(),
                body_sha256: key.body_sha256.clone(),
                submission: seq,
                created_at: at.millis(),
            });
        }
        self.submissions.push(SubmissionRow {
            seq,
            entry_id: submission.entry_id.clone(),
            subject: subject.to_owned(),
            person: person.clone(),
            user_type: user_type.as_str(),
            recorded_at: at.millis(),
            locale: submission.locale.as_ref().map(|locale| locale.as_str().to_owned()),
            app,
            market,
            amr: submission.signed_in_by.map(|method| method.amr().join(" ")),
            clock_offset_ms: submission.device_clock.offset_ms,
            device_at: submission.device_clock.at.clone(),
        });
        self.add_events(submission, &person, &records, at);
        let entries = records.iter().map(RecordedDecision::from).collect();
        // A later submission of the same batch may continue these decisions.
        let decisions = self.earlier.entry(person.clone()).or_default();
        for (position, DecisionRecord { entry, sha256, evidence }) in (0..).zip(records) {
            let consented_at = entry.consented_at;
            decisions.record(entry.term, Decision { accepted: entry.accepted, consented_at });
            self.variants.push(narrow::variant(submission, entry.term, &sha256));
            self.consents.push(ConsentRow {
                submission: seq,
                position,
                person: person.clone(),
                term_id: entry.term,
                accepted: entry.accepted,
                consented_at: consented_at.millis(),
                consented_at_text: entry.consented_at_text,
                sha256,
                evidence: evidence.as_str(),
                method: entry.method.map(Method::as_str),
                opened: entry.opened,
                last_page: entry.last_page,
            });
        }
        let entry_id = submission.entry_id.clone();
        let recorded = RecordedSubmission { seq, entry_id, recorded_at: at, entries };
        if let Some(key) = &submission.idempotency {
            // Otherwise a retry in the same batch would violate the key's uniqueness and fail it.
            let first =
                Repeated { body_sha256: key.body_sha256.clone(), recorded: recorded.clone() };
            self.repeated.insert((key.scope.clone(), key.key.clone()), first);
        }
        recorded
    }
}
