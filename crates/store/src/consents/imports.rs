//! Imports decisions that were made elsewhere. Each becomes a submission with its own log entry.

use std::collections::{HashMap, HashSet};

use musette_core::instant::Instant;
use musette_core::log::entry::{Consent, Entry, Evidence, Submission, UserType, V1};
use musette_core::log::subject::SubjectKey;
use musette_core::terms::{Decision, DecisionHistory, ImportCheck, StoredLocale, TermId};

use crate::db::batch::{json, over_rows};
use crate::db::error::StoreError;
use crate::db::{Store, modify, read};
use crate::log::{Event, LOCK, NewEntry, append, corrupt, log_end, subject_key};
use crate::outbox::{Decided, DecidedTerm, NewEvent, append_events};
use crate::writer::{
    BeforeRow, CONSENTS, ConsentRow, SELECT_EARLIER_DECISIONS, SET_NEXT_SEQ, SUBMISSIONS,
    SubmissionRow,
};

const SELECT_PEOPLE: &str = "SELECT u.id AS user_id, u.subject, k.key FROM {wanted}
    JOIN users AS u ON u.id = wanted.value ->> 0 JOIN subjects AS k ON k.ref = u.subject";

#[cfg(test)]
pub(crate) const LISTS: &[&str] = &[SELECT_PEOPLE];

/// Number of people that are looked up in one statement.
const PEOPLE_PER_STATEMENT: usize = 1000;

/// A decision of a rider, from paper or another program.
#[derive(Debug, Clone)]
pub struct ImportedDecision {
    /// UUIDv7.
    pub entry_id: String,
    /// The rider who decided.
    pub user_id: String,
    /// ID of the exact version.
    pub term: TermId,
    /// Whether the rider agreed.
    pub accepted: bool,
    /// When the rider decided, according to the file.
    pub consented_at: Instant,
    /// The time as text in the file.
    pub consented_at_text: String,
    /// SHA-256 of the document, in lower-case hex.
    pub sha256: String,
    /// Language in which the terms were shown.
    pub locale: Option<StoredLocale>,
}

/// Outcome of the import of a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportOutcome {
    /// The decision was recorded.
    Recorded,
    /// An equal decision was already recorded.
    AlreadyThere,
    /// The rider has a decision on the term at that time or later.
    DecidedSince,
    /// No user has this ID.
    UnknownUser,
}

/// Recorded decisions of riders, by user ID.
pub type DecisionHistories = HashMap<String, DecisionHistory>;

#[derive(sqlx_macros::FromRow)]
struct PersonRow {
    user_id: String,
    subject: String,
    key: String,
}

struct Person {
    subject: String,
    key: SubjectKey,
    past: DecisionHistory,
}

/// The rows of one transaction.
#[derive(Default)]
struct Rows {
    submissions: Vec<SubmissionRow>,
    consents: Vec<ConsentRow>,
    logged: Vec<NewEntry>,
    events: Vec<NewEvent>,
}

fn persons(
    people: Vec<PersonRow>,
    before: Vec<BeforeRow>,
) -> Result<HashMap<String, Person>, StoreError> {
    let mut pasts: HashMap<String, DecisionHistory> = HashMap::new();
    for row in before {
        let decision = row.decision();
        pasts.entry(row.person).or_default().record(row.term_id, decision);
    }
    let person = |PersonRow { user_id, subject, key }| {
        let past = pasts.remove(&subject).unwrap_or_default();
        Ok((user_id, Person { key: subject_key(&key)?, subject, past }))
    };
    people.into_iter().map(person).collect()
}

impl Rows {
    fn add(
        &mut self,
        seq: i64,
        decision: &ImportedDecision,
        person: &Person,
        now: Instant,
    ) -> Result<(), StoreError> {
        let entry = Entry::Submission(Submission {
            amr: None,
            app: None,
            app_sha256: None,
            consents: vec![Consent {
                accepted: decision.accepted,
                consented_at: decision.consented_at_text.clone(),
                evidence: Evidence::Imported,
                last_page: None,
                method: None,
                opened: None,
                sha256: decision.sha256.clone(),
                terms_and_conditions_id: decision.term,
            }],
            continues: None,
            id: decision.entry_id.clone(),
            locale: decision.locale.as_ref().map(|locale| locale.as_str().to_owned()),
            market: None,
            recorded_at: now.to_string(),
            subject: person.key.subject(&decision.user_id),
            user_type: UserType::Rider,
            v: V1,
        });
        let text = entry.encode().map_err(corrupt)?;
        self.logged.push(NewEntry { event: Event::Submission(seq), text });
        let consents = [DecidedTerm { term_id: decision.term, accepted: decision.accepted }];
        let data =
            Decided { entry_id: &decision.entry_id, user_type: "RIDER", consents: &consents };
        let event =
            NewEvent::new("consent.recorded", now, &data).for_user(decision.user_id.as_str());
        self.events.push(event);
        let subject = &person.subject;
        self.submissions.push(SubmissionRow {
            seq,
            entry_id: decision.entry_id.clone(),
            subject: subject.clone(),
            person: subject.clone(),
            user_type: "RIDER",
            recorded_at: now.millis(),
            locale: decision.locale.as_ref().map(|locale| locale.as_str().to_owned()),
            app: None,
            market: None,
            amr: None,
        });
        self.consents.push(ConsentRow {
            submission: seq,
            position: 0,
            person: subject.clone(),
            term_id: decision.term,
            accepted: decision.accepted,
            consented_at: decision.consented_at.millis(),
            consented_at_text: decision.consented_at_text.clone(),
            sha256: decision.sha256.clone(),
            evidence: "imported",
            method: None,
            opened: None,
            last_page: None,
        });
        Ok(())
    }
}

impl Store {
    /// Returns the recorded decisions of these users; unknown users are not included.
    pub async fn past_decisions(&self, user_ids: &[&str]) -> Result<DecisionHistories, StoreError> {
        let engine = self.engine();
        let mut pasts = DecisionHistories::new();
        for chunk in user_ids.chunks(PEOPLE_PER_STATEMENT) {
            let ids: Vec<(&str,)> = chunk.iter().map(|id| (*id,)).collect();
            let (people, before): (Vec<PersonRow>, Vec<BeforeRow>) = read!(self, |pool| {
                let people: Vec<PersonRow> = sqlx::query_as(over_rows(engine, SELECT_PEOPLE))
                    .bind(json(&ids))
                    .fetch_all(pool)
                    .await?;
                let subjects: Vec<(&str,)> =
                    people.iter().map(|row| (row.subject.as_str(),)).collect();
                let before = sqlx::query_as(over_rows(engine, SELECT_EARLIER_DECISIONS))
                    .bind(json(&subjects))
                    .fetch_all(pool)
                    .await?;
                (people, before)
            });
            let chunk_people = persons(people, before)?;
            pasts.extend(chunk_people.into_iter().map(|(user_id, person)| (user_id, person.past)));
        }
        Ok(pasts)
    }

    /// Records the new ones of these decisions, in order, in one transaction, and returns the
    /// outcome of each.
    pub async fn import_decisions(
        &self,
        decisions: &[ImportedDecision],
        now: Instant,
    ) -> Result<Vec<ImportOutcome>, StoreError> {
        let engine = self.engine();
        let user_ids: HashSet<(&str,)> =
            decisions.iter().map(|decision| (decision.user_id.as_str(),)).collect();
        let user_ids: Vec<(&str,)> = user_ids.into_iter().collect();
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            let mut seq: i64 = sqlx::query_scalar(LOCK).fetch_one(&mut *tx).await?;
            let people: Vec<PersonRow> = sqlx::query_as(over_rows(engine, SELECT_PEOPLE))
                .bind(json(&user_ids))
                .fetch_all(&mut *tx)
                .await?;
            let subjects: Vec<(&str,)> = people.iter().map(|row| (row.subject.as_str(),)).collect();
            let before: Vec<BeforeRow> =
                sqlx::query_as(over_rows(engine, SELECT_EARLIER_DECISIONS))
                    .bind(json(&subjects))
                    .fetch_all(&mut *tx)
                    .await?;
            let mut people = persons(people, before)?;
            let mut end = log_end!(self, tx);
            let at = end.instant(now);
            let mut rows = Rows::default();
            let mut outcomes = Vec::with_capacity(decisions.len());
            for decision in decisions {
                let outcome = check_and_remember(&mut people, decision);
                if let (ImportOutcome::Recorded, Some(person)) =
                    (outcome, people.get(&decision.user_id))
                {
                    rows.add(seq, decision, person, at)?;
                    seq += 1;
                }
                outcomes.push(outcome);
            }
            if !rows.logged.is_empty() {
                sqlx::query(SUBMISSIONS.insert(engine))
                    .bind(json(&rows.submissions))
                    .execute(&mut *tx)
                    .await?;
                sqlx::query(CONSENTS.insert(engine))
                    .bind(json(&rows.consents))
                    .execute(&mut *tx)
                    .await?;
                let appended = append!(self, tx, end, &rows.logged);
                sqlx::query(SET_NEXT_SEQ).bind(seq).execute(&mut *tx).await?;
                let last = append_events!(self, tx, rows.events);
                tx.commit().await?;
                self.cache_end(appended);
                self.events_appended(last);
            }
            Ok(outcomes)
        })
    }
}

/// Checks a decision and adds it to the history, so that a duplicate line is recorded once.
fn check_and_remember(
    people: &mut HashMap<String, Person>,
    decision: &ImportedDecision,
) -> ImportOutcome {
    let Some(person) = people.get_mut(&decision.user_id) else { return ImportOutcome::UnknownUser };
    let ImportedDecision { term, accepted, consented_at, .. } = *decision;
    let new_decision = Decision { accepted, consented_at };
    match person.past.check(term, new_decision) {
        ImportCheck::AlreadyThere => ImportOutcome::AlreadyThere,
        ImportCheck::DecidedSince => ImportOutcome::DecidedSince,
        ImportCheck::New => {
            person.past.record(term, new_decision);
            ImportOutcome::Recorded
        }
    }
}
