//! Decisions that were made elsewhere, entered here: each is a submission and an entry of its own.

use std::collections::{HashMap, HashSet};

use musette_core::instant::Instant;
use musette_core::log::entry::{Consent, Entry, Evidence, Submission, UserType, V1};
use musette_core::log::subject::SubjectKey;
use musette_core::terms::{Decision, DecisionHistory, ImportCheck, KeptLocale, TermId};

use crate::db::batch::{json, over_rows};
use crate::db::error::StoreError;
use crate::db::{Store, read, write};
use crate::log::{Event, LOCK, NewEntry, append, corrupt, log_end, subject_key};
use crate::outbox::{Decided, DecidedTerm, NewEvent, append_events};
use crate::writer::{ADVANCE, BEFORE, BeforeRow, CONSENTS, ConsentRow, SUBMISSIONS, SubmissionRow};

const PEOPLE: &str = "SELECT u.id AS user_id, u.subject, k.key FROM {wanted}
    JOIN users AS u ON u.id = wanted.value ->> 0 JOIN subjects AS k ON k.ref = u.subject";

#[cfg(test)]
pub(crate) const LISTS: &[&str] = &[PEOPLE];

/// People looked up in one statement.
const PEOPLE_AT_ONCE: usize = 1000;

/// A decision of a rider, as it stood on paper or in another program.
#[derive(Debug, Clone)]
pub struct ImportedDecision {
    /// UUIDv7.
    pub entry_id: String,
    /// The rider who decided.
    pub user_id: String,
    /// Id of the exact version.
    pub term: TermId,
    /// Whether the rider agreed.
    pub accepted: bool,
    /// When, as the file says.
    pub consented_at: Instant,
    /// The time as it was written.
    pub consented_at_text: String,
    /// SHA-256 of the document, in lower-case hex.
    pub sha256: String,
    /// Language in which the terms were shown.
    pub locale: Option<KeptLocale>,
}

/// Outcome of importing a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportOutcome {
    /// It was recorded.
    Recorded,
    /// The very same decision had been recorded.
    AlreadyThere,
    /// The rider has decided on the term at that time or later.
    DecidedSince,
    /// No user has this id.
    UnknownUser,
}

/// Recorded decisions of riders, by user id.
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
        pasts.entry(row.whose).or_default().record(row.term_id, decision);
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
        self.logged.push(NewEntry { of: Event::Submission(seq), text });
        let consents = [DecidedTerm { term_id: decision.term, accepted: decision.accepted }];
        let data =
            Decided { entry_id: &decision.entry_id, user_type: "RIDER", consents: &consents };
        let event = NewEvent::new("consent.recorded", now, &data).of(decision.user_id.as_str());
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
    /// Recorded decisions of these users; unknown users are not in the answer.
    pub async fn past_decisions(&self, user_ids: &[&str]) -> Result<DecisionHistories, StoreError> {
        let engine = self.engine();
        let mut pasts = DecisionHistories::new();
        for chunk in user_ids.chunks(PEOPLE_AT_ONCE) {
            let wanted: Vec<(&str,)> = chunk.iter().map(|id| (*id,)).collect();
            let (people, before): (Vec<PersonRow>, Vec<BeforeRow>) = read!(self, |pool| {
                let people: Vec<PersonRow> = sqlx::query_as(over_rows(engine, PEOPLE))
                    .bind(json(&wanted))
                    .fetch_all(pool)
                    .await?;
                let subjects: Vec<(&str,)> =
                    people.iter().map(|row| (row.subject.as_str(),)).collect();
                let before = sqlx::query_as(over_rows(engine, BEFORE))
                    .bind(json(&subjects))
                    .fetch_all(pool)
                    .await?;
                (people, before)
            });
            let found = persons(people, before)?;
            pasts.extend(found.into_iter().map(|(user_id, person)| (user_id, person.past)));
        }
        Ok(pasts)
    }

    /// Records those of the decisions that are new, in their order, in one transaction.
    pub async fn import_decisions(
        &self,
        decisions: &[ImportedDecision],
        now: Instant,
    ) -> Result<Vec<ImportOutcome>, StoreError> {
        let engine = self.engine();
        let wanted: HashSet<(&str,)> = decisions.iter().map(|it| (it.user_id.as_str(),)).collect();
        let wanted: Vec<(&str,)> = wanted.into_iter().collect();
        write!(self, |pool| {
            let mut tx = pool.begin().await?;
            let mut seq: i64 = sqlx::query_scalar(LOCK).fetch_one(&mut *tx).await?;
            let people: Vec<PersonRow> = sqlx::query_as(over_rows(engine, PEOPLE))
                .bind(json(&wanted))
                .fetch_all(&mut *tx)
                .await?;
            let subjects: Vec<(&str,)> = people.iter().map(|row| (row.subject.as_str(),)).collect();
            let before: Vec<BeforeRow> = sqlx::query_as(over_rows(engine, BEFORE))
                .bind(json(&subjects))
                .fetch_all(&mut *tx)
                .await?;
            let mut people = persons(people, before)?;
            let mut end = log_end!(self, tx);
            let at = end.instant(now);
            let mut rows = Rows::default();
            let mut outcomes = Vec::with_capacity(decisions.len());
            for decision in decisions {
                let outcome = place(&mut people, decision);
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
                sqlx::query(ADVANCE).bind(seq).execute(&mut *tx).await?;
                let last = append_events!(self, tx, rows.events);
                tx.commit().await?;
                self.know_log(appended);
                self.events_appended(last);
            }
            Ok(outcomes)
        })
    }
}

/// Remembers what it takes, so that a line that stands twice is recorded once.
fn place(people: &mut HashMap<String, Person>, decision: &ImportedDecision) -> ImportOutcome {
    let Some(person) = people.get_mut(&decision.user_id) else { return ImportOutcome::UnknownUser };
    let ImportedDecision { term, accepted, consented_at, .. } = *decision;
    let decided = Decision { accepted, consented_at };
    match person.past.check(term, decided) {
        ImportCheck::AlreadyThere => ImportOutcome::AlreadyThere,
        ImportCheck::DecidedSince => ImportOutcome::DecidedSince,
        ImportCheck::New => {
            person.past.record(term, decided);
            ImportOutcome::Recorded
        }
    }
}
