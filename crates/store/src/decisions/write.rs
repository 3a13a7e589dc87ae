//! Writes changes of evaluations with their entries in one transaction.

use std::collections::HashMap;

use musette_core::instant::Instant;

use super::loaded::{Loaded, LoadedRow};
use super::plan::Plan;
use super::replies::{NewReply, Reply, remember_reply, remembered_reply};
use super::rules::{RuleSet, SELECT_RULES};
use super::{Action, Change, ChangeOutcome, EVALUATIONS, RECORDS, Randomness};
use crate::approvals::independence::SELECT_TIES;
use crate::db::batch::{json, over_few_rows};
use crate::db::error::StoreError;
use crate::db::warned::commit;
use crate::db::{Engine, Store, modify};
use crate::log::{Appended, LOCK, append, log_end, subject_key};
use crate::outbox::append_events;

pub(super) const SELECT_EVALUATIONS: &str = "SELECT e.id, e.person, e.body_sha256, e.created_at,
    e.reminded, e.records, e.state, e.overturned, e.first_answer_ms, e.second_answer_ms, s.key FROM {wanted}
    JOIN evaluations AS e ON e.id = wanted.value ->> 0 LEFT JOIN subjects AS s ON s.ref = e.person";
pub(super) const SELECT_ACTORS: &str = "SELECT r.evaluation, r.actor FROM {wanted}
    JOIN evaluation_records AS r ON r.evaluation = wanted.value ->> 0
    WHERE r.actor IS NOT NULL AND NOT r.is_message";
pub(super) const SELECT_USERS: &str = "SELECT u.id, u.subject, s.key FROM {wanted}
    JOIN users AS u ON u.id = wanted.value ->> 0 JOIN subjects AS s ON s.ref = u.subject";
pub(crate) const SELECT_AUTHOR: &str =
    "SELECT s.key, u.id FROM subjects AS s JOIN users AS u ON u.subject = s.ref WHERE s.ref = $1";
/// Stores a secret for a service key, so that its references can be made unresolvable.
pub(super) const INSERT_KEY_SUBJECT: &str =
    "INSERT INTO subjects (ref, key) VALUES ($1, $2) ON CONFLICT (ref) DO NOTHING";
const ON_CONFLICT: &str = "WHERE true ON CONFLICT (id) DO UPDATE SET status = excluded.status,
    version = excluded.version, place = excluded.place, closes_at = excluded.closes_at,
    answer_due = excluded.answer_due, opened_at = excluded.opened_at, reminded = excluded.reminded, records = excluded.records,
    state = excluded.state, contested = excluded.contested, overturned = excluded.overturned,
    first_answer_ms = excluded.first_answer_ms, second_answer_ms = excluded.second_answer_ms";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[SELECT_AUTHOR, INSERT_KEY_SUBJECT];
#[cfg(test)]
pub(crate) const LISTS: &[&str] = &[SELECT_EVALUATIONS, SELECT_ACTORS, SELECT_USERS];

/// Returns status and body of the answer to an outcome, if it is to be remembered.
pub type Render<'a, T> = &'a (dyn Fn(&T) -> Option<(i64, String)> + Send + Sync);

/// Result of [`Store::change_evaluations`].
#[derive(Debug)]
pub struct ChangeOutcomes {
    /// The outcome of each change.
    pub outcomes: Vec<ChangeOutcome>,
    /// The market of each answered discussion, and the milliseconds until its answer.
    pub answered: Vec<(Option<String>, i64)>,
}

/// Result of a request that may be a retry.
#[derive(Debug)]
pub enum Written<T> {
    /// It was judged.
    Done(T),
    /// The request was answered before with this.
    Replayed(Reply),
    /// The idempotency key belongs to another request.
    KeyReused,
}

/// Reads the evaluations, people and rules that the changes need. Expands inside the transaction.
macro_rules! load_plan {
    ($store:expr, $tx:expr, $ids:expr, $users:expr, $plan:expr) => {{
        let engine = $store.engine();
        let rows: Vec<LoadedRow> = sqlx::query_as(over_few_rows(engine, SELECT_EVALUATIONS))
            .bind(json(&$ids))
            .fetch_all(&mut *$tx)
            .await?;
        let actors: Vec<(String, String)> = sqlx::query_as(over_few_rows(engine, SELECT_ACTORS))
            .bind(json(&$ids))
            .fetch_all(&mut *$tx)
            .await?;
        let users: Vec<(String, String, String)> =
            sqlx::query_as(over_few_rows(engine, SELECT_USERS))
                .bind(json(&$users))
                .fetch_all(&mut *$tx)
                .await?;
        let rules = sqlx::query_as(SELECT_RULES).fetch_all(&mut *$tx).await?;
        $plan.load(rows, actors, users, rules)?;
    }};
}
pub(super) use load_plan;

/// Stores what the plan has collected: evaluations, entries and records. Returns [`Appended`] if
/// there are entries. Expands inside the transaction.
macro_rules! store_plan {
    ($store:expr, $tx:expr, $end:expr, $plan:expr) => {{
        let changed = $plan.rows()?;
        if !changed.is_empty() {
            sqlx::query(upsert_evaluations($store.engine()))
                .bind(json(&changed))
                .execute(&mut *$tx)
                .await?;
        }
        if $plan.entries.is_empty() {
            None
        } else {
            let appended = append!($store, $tx, $end, &$plan.entries);
            $plan.place_records(&appended);
            sqlx::query(RECORDS.insert($store.engine()))
                .bind(json(&$plan.records))
                .execute(&mut *$tx)
                .await?;
            Some(appended)
        }
    }};
}
pub(super) use store_plan;

/// Returns subject and reference of the author of the changes. Expands inside the transaction.
macro_rules! author_reference {
    ($tx:expr, $author:expr, $random:expr) => {{
        match $author {
            Some(crate::decisions::Author { subject: Some(subject), key: Some(key), .. }) => {
                sqlx::query($crate::decisions::write::INSERT_KEY_SUBJECT)
                    .bind(key)
                    .bind(hex::encode(($random.bytes)()))
                    .execute(&mut *$tx)
                    .await?;
                let secret: String = sqlx::query_scalar($crate::log::case::SELECT_SUBJECT_KEY)
                    .bind(key)
                    .fetch_one(&mut *$tx)
                    .await?;
                Some((subject.clone(), $crate::log::subject_key(&secret)?.subject(key)))
            }
            Some(crate::decisions::Author { subject: Some(subject), .. }) => {
                let row: Option<(String, String)> =
                    sqlx::query_as($crate::decisions::write::SELECT_AUTHOR)
                        .bind(subject)
                        .fetch_optional(&mut *$tx)
                        .await?;
                match row {
                    Some((secret, user_id)) => Some((
                        subject.clone(),
                        $crate::log::subject_key(&secret)?.subject(&user_id),
                    )),
                    None => None,
                }
            }
            _ => None,
        }
    }};
}
pub(super) use author_reference;

pub(super) fn upsert_evaluations(engine: Engine) -> sqlx::AssertSqlSafe<String> {
    let sqlx::AssertSqlSafe(insert) = EVALUATIONS.insert(engine);
    sqlx::AssertSqlSafe(format!("{insert} {ON_CONFLICT}"))
}

impl Plan {
    pub(super) fn new(random: Randomness, now: Instant, at: Instant) -> Self {
        Self {
            evaluations: HashMap::new(),
            users: HashMap::new(),
            references: HashMap::new(),
            ties: Vec::new(),
            rules: RuleSet::default(),
            random,
            now,
            at,
            entries: Vec::new(),
            records: Vec::new(),
            events: Vec::new(),
            changed: Vec::new(),
            answered: Vec::new(),
        }
    }

    pub(super) fn load(
        &mut self,
        rows: Vec<LoadedRow>,
        actors: Vec<(String, String)>,
        users: Vec<(String, String, String)>,
        rules: Vec<super::ReviewRule>,
    ) -> Result<(), StoreError> {
        for row in rows {
            let id = row.id.clone();
            if let Some(loaded) = Loaded::of(row)? {
                self.evaluations.insert(id, loaded);
            }
        }
        for (id, actor) in actors {
            if let Some(loaded) = self.evaluations.get_mut(&id) {
                loaded.actors.insert(actor);
            }
        }
        for (id, subject, key) in users {
            self.users.insert(id, (subject, subject_key(&key)?));
        }
        self.rules = RuleSet::of(rules);
        Ok(())
    }

    pub(super) fn rows(&self) -> Result<Vec<super::EvaluationRow>, StoreError> {
        let changed = self.changed.iter().filter_map(|id| self.evaluations.get(id));
        changed.map(Loaded::row).collect()
    }

    /// Gives the records the places of their entries in the log.
    pub(super) fn place_records(&mut self, appended: &Appended) {
        for (record, idx) in self.records.iter_mut().zip(appended.previous()..) {
            (record.log, record.idx) = (appended.log(), idx);
        }
    }
}

impl Store {
    /// Makes changes of one author, in order, with their entries in one transaction. Each is judged
    /// by itself. `render` returns status and body of the answer, which is remembered with `reply`.
    pub async fn change_evaluations(
        &self,
        changes: &[Change],
        reply: Option<&NewReply>,
        render: Render<'_, Vec<ChangeOutcome>>,
        random: Randomness,
        now: Instant,
    ) -> Result<Written<ChangeOutcomes>, StoreError> {
        let ids: Vec<(&str,)> = changes.iter().map(|change| (change.id.as_str(),)).collect();
        let users = changes.iter().filter_map(|change| match &change.action {
            Action::Create(new) => Some((new.user_id.as_str(),)),
            _ => None,
        });
        let users: Vec<(&str,)> = users.collect();
        let author = changes.first().map(|change| &change.author);
        modify!(self, |pool| {
            let mut connection = pool.acquire().await?;
            let mut tx = sqlx::Connection::begin(&mut *connection).await?;
            sqlx::query(LOCK).execute(&mut *tx).await?;
            remembered_reply!(tx, reply);
            let mut end = log_end!(self, tx);
            let mut plan = Plan::new(random, now, end.instant(now));
            load_plan!(self, tx, ids, users, plan);
            if changes.iter().any(Change::may_answer) {
                plan.ties = sqlx::query_as(SELECT_TIES).fetch_all(&mut *tx).await?;
            }
            if let Some((subject, reference)) = author_reference!(tx, author, random) {
                plan.references.insert(subject, reference);
            }
            let outcomes = changes.iter().map(|change| plan.apply(change));
            let outcomes: Vec<ChangeOutcome> = outcomes.collect::<Result<_, _>>()?;
            let appended = store_plan!(self, tx, end, plan);
            remember_reply!(tx, reply, render(&outcomes), now);
            let last = append_events!(self, tx, plan.events);
            commit!(connection, tx, LOCK);
            appended.into_iter().for_each(|appended| self.cache_end(appended));
            self.events_appended(last);
            Ok(Written::Done(ChangeOutcomes { outcomes, answered: plan.answered }))
        })
    }
}
