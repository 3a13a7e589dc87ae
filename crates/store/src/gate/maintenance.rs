//! Updates the answers of the gate, a few hundred people in one transaction.

use std::collections::HashSet;

use musette_core::instant::Instant;
use musette_core::terms::{Catalog, TermType};
use sqlx::AssertSqlSafe;

use crate::cluster::SELECT_REVISION;
use crate::db::batch::{json, over_few_rows, over_rows};
use crate::db::error::StoreError;
use crate::db::{Engine, Store, modify, read};
use crate::decisions::restrictions::read::ImposedRow;
use crate::gate::answers::{PeopleState, Rules, terms_sha256};
use crate::gate::{LEFT, STATES};
use crate::outbox::append_events;
use crate::outbox::read::SELECT_LAST_NUMBER;
use crate::terms::read_catalog;

/// Number of people of each kind in one transaction. On SQLite, other writers wait for it.
const PEOPLE_PER_STEP: i64 = 500;
/// Number of events that one transaction passes.
const EVENTS_PER_STEP: i64 = 10_000;

/// Selects whether answers are out of date. Events of other kinds are only passed in batches of
/// more than 1000.
const SELECT_STATE: &str = "SELECT h.seq, (h.swept IS NOT NULL OR h.revision <> r.n
    OR o.seq > h.position + 1000
    OR (o.seq > h.position AND EXISTS (SELECT 1 FROM outbox AS e WHERE e.seq > h.position AND e.seq <= o.seq
        AND e.kind IN ('consent.recorded', 'consent.withdrawn', 'consent.claimed',
        'restriction.imposed', 'restriction.lifted', 'restriction.answered')))
    OR EXISTS (SELECT 1 FROM gate_touched)
    OR coalesce((SELECT min(s.changes_at) FROM gate_states AS s WHERE s.changes_at IS NOT NULL) <= $1,
        FALSE)) AS is_behind,
    (SELECT min(s.changes_at) FROM gate_states AS s WHERE s.changes_at IS NOT NULL) AS changes_at
    FROM gate_head AS h JOIN outbox_head AS o ON o.id = h.id JOIN revision AS r ON r.id = h.id
    WHERE h.id = 1";
/// Disables other plans: PostgreSQL has no statistics yet about answers that are a minute old, and
/// would read all of them to find a few people.
const FORCE_INDEX_SCANS: &str = "SELECT set_config(name, 'off', TRUE)
    FROM unnest(ARRAY['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin']) AS name";
/// Takes the lock of the gate. It is the first statement of the transaction, so that nodes run one
/// after another.
const LOCK: &str = "UPDATE gate_head SET seq = seq WHERE id = 1
    RETURNING seq, position, terms_sha256, swept, is_filled";
const SELECT_DECIDED: &str =
    "SELECT seq, user_id FROM outbox WHERE seq > $1 AND seq <= $2 AND user_id IS NOT NULL
    AND kind IN ('consent.recorded', 'consent.withdrawn', 'consent.claimed',
        'restriction.imposed', 'restriction.lifted', 'restriction.answered') ORDER BY seq LIMIT $3";
const SELECT_TOUCHED: &str = "SELECT id, user_id FROM gate_touched ORDER BY id LIMIT $1";
const SELECT_DUE: &str =
    "SELECT user_id FROM gate_states WHERE changes_at <= $1 ORDER BY changes_at LIMIT $2";
const SELECT_NEXT_RIDERS: &str =
    "SELECT user_id FROM user_roles WHERE role = 'rider' AND user_id > $1
    ORDER BY user_id LIMIT $2";
/// The `CROSS JOIN` keeps SQLite, which has no statistics, from scanning all riders for each
/// requested person.
const SELECT_RIDERS: &str = "SELECT u.id AS user_id, u.market FROM {wanted}
    CROSS JOIN users AS u CROSS JOIN user_roles AS r
    WHERE u.id = wanted.value ->> 0 AND r.user_id = u.id AND r.role = 'rider'";
const SELECT_DECISIONS: &str =
    "SELECT u.id AS user_id, c.submission, c.position, c.term_id, c.accepted
    FROM {wanted} JOIN users AS u ON u.id = wanted.value ->> 0
    JOIN consents AS c ON c.person = u.subject
    UNION ALL
    SELECT u.id, c.submission, c.position, c.term_id, c.accepted
    FROM {wanted} JOIN users AS u ON u.id = wanted.value ->> 0
    JOIN claims AS cl ON cl.subject = u.subject JOIN consents AS c ON c.person = cl.person";
const SELECT_IMPOSED: &str =
    "SELECT u.id AS user_id, r.id, r.kind, r.starts_at, r.ends_at FROM {wanted}
    CROSS JOIN users AS u CROSS JOIN restrictions AS r
    WHERE u.id = wanted.value ->> 0 AND r.person = u.subject AND r.status = 'IMPOSED'";
const SELECT_ANSWERS: &str =
    "SELECT s.user_id, s.market, s.may_work, s.reasons, s.restrictions, s.limitations, s.changes_at
    FROM {wanted} JOIN gate_states AS s ON s.user_id = wanted.value ->> 0";
const DELETE_ANSWERS: &str =
    "DELETE FROM gate_states WHERE user_id IN (SELECT wanted.value ->> 0 FROM {wanted})";
const DELETE_TOUCHED: &str = "DELETE FROM gate_touched
    WHERE id IN (SELECT CAST(wanted.value ->> 0 AS BIGINT) FROM {wanted})";
const ADVANCE_GATE: &str =
    "UPDATE gate_head SET seq = $1, position = $2, revision = $3, terms_sha256 = $4,
    swept = $5, is_filled = $6 WHERE id = 1";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[
    SELECT_STATE,
    LOCK,
    SELECT_DECIDED,
    SELECT_TOUCHED,
    SELECT_DUE,
    SELECT_NEXT_RIDERS,
    ADVANCE_GATE,
];
#[cfg(test)]
pub(crate) const FEW_ROWS: &[&str] = &[SELECT_RIDERS];
#[cfg(test)]
pub(crate) const LISTS: &[&str] = &[
    SELECT_RIDERS,
    SELECT_DECISIONS,
    SELECT_IMPOSED,
    SELECT_ANSWERS,
    DELETE_ANSWERS,
    DELETE_TOUCHED,
];

pub(crate) fn save_states(engine: Engine) -> AssertSqlSafe<String> {
    let AssertSqlSafe(insert) = STATES.insert(engine);
    AssertSqlSafe(format!(
        "{insert} WHERE true ON CONFLICT (user_id) DO UPDATE SET market = excluded.market,
        may_work = excluded.may_work, reasons = excluded.reasons,
        restrictions = excluded.restrictions, limitations = excluded.limitations,
        changes_at = excluded.changes_at, seq = excluded.seq"
    ))
}

pub(crate) fn save_left(engine: Engine) -> AssertSqlSafe<String> {
    let AssertSqlSafe(insert) = LEFT.insert(engine);
    AssertSqlSafe(format!(
        "{insert} WHERE true ON CONFLICT (user_id, market) DO UPDATE SET seq = excluded.seq"
    ))
}

/// The progress of the gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct GateState {
    /// The number of the last change.
    pub seq: i64,
    /// Whether answers are out of date.
    pub is_behind: bool,
    /// When time alone changes the next answer, in milliseconds since 1970.
    pub changes_at: Option<i64>,
}

#[derive(sqlx_macros::FromRow)]
struct Head {
    seq: i64,
    position: i64,
    terms_sha256: String,
    swept: Option<String>,
    is_filled: bool,
}

/// An imposed restriction of a person.
#[derive(sqlx_macros::FromRow)]
struct ImposedOf {
    user_id: String,
    #[sqlx(flatten)]
    imposed: ImposedRow,
}

/// Caches the terms from one step to the next.
#[derive(Debug, Default)]
pub struct GateTermCache(Option<(i64, Catalog, String)>);

/// The people to update in one step, by reason.
struct Selected {
    decided: Vec<(i64, String)>,
    touched: Vec<(i64, String)>,
    due: Vec<String>,
    swept: Vec<String>,
}

impl Selected {
    fn ids(&self) -> (Vec<String>, HashSet<String>) {
        let named = self.decided.iter().chain(&self.touched).map(|(_, id)| id).chain(&self.due);
        let mut unique = HashSet::new();
        let mut ids: Vec<String> = named.filter(|id| unique.insert(*id)).cloned().collect();
        let swept: HashSet<String> =
            self.swept.iter().filter(|id| !unique.contains(id)).cloned().collect();
        ids.extend(self.swept.iter().filter(|id| swept.contains(*id)).cloned());
        (ids, swept)
    }
}

fn is_full<T>(rows: &[T]) -> bool {
    i64::try_from(rows.len()).unwrap_or(i64::MAX) >= PEOPLE_PER_STEP
}

/// Selects the people to update.
macro_rules! select_people {
    ($tx:expr, $head:expr, $until:expr, $now:expr) => {{
        let decided: Vec<(i64, String)> = sqlx::query_as(SELECT_DECIDED)
            .bind($head.position)
            .bind($until)
            .bind(PEOPLE_PER_STEP)
            .fetch_all(&mut *$tx)
            .await?;
        let touched: Vec<(i64, String)> =
            sqlx::query_as(SELECT_TOUCHED).bind(PEOPLE_PER_STEP).fetch_all(&mut *$tx).await?;
        let due_ids: Vec<String> = sqlx::query_scalar(SELECT_DUE)
            .bind($now.millis())
            .bind(PEOPLE_PER_STEP)
            .fetch_all(&mut *$tx)
            .await?;
        let swept: Vec<String> = match &$head.swept {
            None => Vec::new(),
            Some(after) => {
                sqlx::query_scalar(SELECT_NEXT_RIDERS)
                    .bind(after)
                    .bind(PEOPLE_PER_STEP)
                    .fetch_all(&mut *$tx)
                    .await?
            }
        };
        Selected { decided, touched, due: due_ids, swept }
    }};
}

/// Reads the stored data of these people.
macro_rules! read_people {
    ($store:expr, $tx:expr, $selected:expr, $is_filled:expr) => {{
        let (ids, swept) = $selected.ids();
        let engine = $store.engine();
        let list = json(&ids.iter().map(|id| [id]).collect::<Vec<_>>());
        let riders = sqlx::query_as(over_few_rows(engine, SELECT_RIDERS))
            .bind(&list)
            .fetch_all(&mut *$tx)
            .await?;
        let decisions = sqlx::query_as(over_rows(engine, SELECT_DECISIONS))
            .bind(&list)
            .fetch_all(&mut *$tx)
            .await?;
        let before = sqlx::query_as(over_rows(engine, SELECT_ANSWERS))
            .bind(&list)
            .fetch_all(&mut *$tx)
            .await?;
        let imposed: Vec<ImposedOf> = sqlx::query_as(over_rows(engine, SELECT_IMPOSED))
            .bind(&list)
            .fetch_all(&mut *$tx)
            .await?;
        let impositions = imposed
            .into_iter()
            .map(|of| Ok((of.user_id, of.imposed.imposition()?)))
            .collect::<Result<_, StoreError>>()?;
        let is_filled = $is_filled;
        PeopleState { ids, swept, riders, decisions, before, impositions, is_filled }
    }};
}

/// Writes the changes.
macro_rules! save {
    ($store:expr, $tx:expr, $changes:expr, $touched:expr) => {{
        let engine = $store.engine();
        let touched: Vec<[i64; 1]> = $touched.iter().map(|(id, _)| [*id]).collect();
        for (is_empty, sql, rows) in [
            ($changes.states.is_empty(), save_states(engine), json(&$changes.states)),
            ($changes.left.is_empty(), save_left(engine), json(&$changes.left)),
            (
                $changes.dropped.is_empty(),
                over_rows(engine, DELETE_ANSWERS),
                json(&$changes.dropped),
            ),
            (touched.is_empty(), over_rows(engine, DELETE_TOUCHED), json(&touched)),
        ] {
            if !is_empty {
                sqlx::query(sql).bind(rows).execute(&mut *$tx).await?;
            }
        }
    }};
}

impl Store {
    /// Returns the progress of the gate; `None` while it is not enabled.
    pub async fn gate_state(&self, now: Instant) -> Result<Option<GateState>, StoreError> {
        let now = now.millis();
        Ok(read!(self, |pool| sqlx::query_as(SELECT_STATE).bind(now).fetch_optional(pool).await)?)
    }

    /// Updates the answers of some people. Call it until nothing is out of date.
    pub async fn update_gate(
        &self,
        keeper: &mut GateTermCache,
        types: &[TermType],
        now: Instant,
    ) -> Result<(), StoreError> {
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            if self.engine() == Engine::Postgres {
                sqlx::query(FORCE_INDEX_SCANS).execute(&mut *tx).await?;
            }
            let head: Option<Head> = sqlx::query_as(LOCK).fetch_optional(&mut *tx).await?;
            let Some(mut head) = head else { return Ok(()) };
            // The revision is read first, so that a later change is seen as a new one.
            let revision: i64 = sqlx::query_scalar(SELECT_REVISION).fetch_one(&mut *tx).await?;
            if keeper.0.as_ref().is_none_or(|(cached, ..)| *cached != revision) {
                let catalog = read_catalog!(&mut *tx);
                let sha256 = terms_sha256(&catalog);
                keeper.0 = Some((revision, catalog, sha256));
            }
            let Some((_, catalog, sha256)) = &keeper.0 else { return Ok(()) };
            if *sha256 != head.terms_sha256 {
                head.swept = Some(String::new());
            }
            let newest: i64 = sqlx::query_scalar(SELECT_LAST_NUMBER).fetch_one(&mut *tx).await?;
            let until = newest.min(head.position + EVENTS_PER_STEP);
            let selected = select_people!(tx, head, until, now);
            let state = read_people!(self, tx, selected, head.is_filled);
            let mut seq = head.seq;
            let changes = Rules { catalog, types, now }.changes(state, &mut seq);
            save!(self, tx, changes, selected.touched);
            let event_count = i64::try_from(changes.events.len()).unwrap_or(0);
            let last = append_events!(self, tx, changes.events);
            let mut position = until;
            if is_full(&selected.decided) {
                position = selected.decided.last().map_or(until, |(seq, _)| *seq);
            } else if let Some(last) = last.filter(|last| last - event_count == until) {
                // The events that this step appended need no further step.
                position = last;
            }
            if head.swept.is_some() {
                head.is_filled |= !is_full(&selected.swept);
                head.swept = selected.swept.last().filter(|_| is_full(&selected.swept)).cloned();
            }
            // The row is already locked, so no deadlock is possible.
            sqlx::query(ADVANCE_GATE)
                .bind(seq)
                .bind(position)
                .bind(revision)
                .bind(sha256)
                .bind(&head.swept)
                .bind(head.is_filled)
                .execute(&mut *tx)
                .await?;
            tx.commit().await?;
            self.events_appended(last);
            if seq != head.seq {
                self.committed.notify_one();
            }
        });
        Ok(())
    }
}
