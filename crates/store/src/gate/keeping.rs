//! Bringing the gate up to what happened, a few hundred people in a transaction.

use std::collections::HashSet;

use musette_core::instant::Instant;
use musette_core::terms::{Catalog, TermType};
use sqlx::AssertSqlSafe;

use crate::db::batch::{json, over_few_rows, over_rows};
use crate::db::error::StoreError;
use crate::db::{Engine, Store, read, write};
use crate::gate::answers::{Known, Rules, terms_sha256};
use crate::gate::{LEFT, STATES};
use crate::outbox::append_events;
use crate::terms::read_catalog;

/// People of each kind that one transaction looks at. Other writers wait for it on SQLite.
const AT_ONCE: i64 = 500;
/// Events that one transaction passes.
const EVENTS_AT_ONCE: i64 = 10_000;

/// Whether there is something to do. Events of other kinds are passed now and then only.
const STATE: &str = "SELECT h.seq, (h.swept IS NOT NULL OR h.revision <> r.n
    OR o.seq > h.position + 1000
    OR (o.seq > h.position AND EXISTS (SELECT 1 FROM outbox AS e WHERE e.seq > h.position AND e.seq <= o.seq
        AND e.kind IN ('consent.recorded', 'consent.withdrawn', 'consent.claimed')))
    OR EXISTS (SELECT 1 FROM gate_touched)
    OR coalesce((SELECT min(s.changes_at) FROM gate_states AS s WHERE s.changes_at IS NOT NULL) <= $1,
        FALSE)) AS is_behind,
    (SELECT min(s.changes_at) FROM gate_states AS s WHERE s.changes_at IS NOT NULL) AS changes_at
    FROM gate_head AS h JOIN outbox_head AS o ON o.id = h.id JOIN revision AS r ON r.id = h.id
    WHERE h.id = 1";
/// PostgreSQL has no statistics yet of answers that are a minute old, and would read all of them for a few people.
const BY_INDEX: &str = "SELECT set_config(name, 'off', TRUE)
    FROM unnest(ARRAY['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin']) AS name";
/// The first statement of the transaction that reads: nodes come one after another.
const LOCK: &str = "UPDATE gate_head SET seq = seq WHERE id = 1
    RETURNING seq, position, terms_sha256, swept, is_filled";
const REVISION: &str = "SELECT n FROM revision WHERE id = 1";
const NEWEST_EVENT: &str = "SELECT seq FROM outbox_head WHERE id = 1";
const DECIDED: &str =
    "SELECT seq, user_id FROM outbox WHERE seq > $1 AND seq <= $2 AND user_id IS NOT NULL
    AND kind IN ('consent.recorded', 'consent.withdrawn', 'consent.claimed') ORDER BY seq LIMIT $3";
const TOUCHED: &str = "SELECT id, user_id FROM gate_touched ORDER BY id LIMIT $1";
const DUE: &str =
    "SELECT user_id FROM gate_states WHERE changes_at <= $1 ORDER BY changes_at LIMIT $2";
const SWEEP: &str = "SELECT user_id FROM user_roles WHERE role = 'rider' AND user_id > $1
    ORDER BY user_id LIMIT $2";
/// `CROSS` keeps SQLite, which knows no sizes, from going through all riders for each that is wanted.
const RIDERS: &str = "SELECT u.id AS user_id, u.market FROM {wanted}
    CROSS JOIN users AS u CROSS JOIN user_roles AS r
    WHERE u.id = wanted.value ->> 0 AND r.user_id = u.id AND r.role = 'rider'";
const DECISIONS: &str = "SELECT u.id AS user_id, c.submission, c.position, c.term_id, c.accepted
    FROM {wanted} JOIN users AS u ON u.id = wanted.value ->> 0
    JOIN consents AS c ON c.person = u.subject
    UNION ALL
    SELECT u.id, c.submission, c.position, c.term_id, c.accepted
    FROM {wanted} JOIN users AS u ON u.id = wanted.value ->> 0
    JOIN claims AS cl ON cl.subject = u.subject JOIN consents AS c ON c.person = cl.person";
const BEFORE: &str = "SELECT s.user_id, s.market, s.may_work, s.reasons, s.changes_at FROM {wanted}
    JOIN gate_states AS s ON s.user_id = wanted.value ->> 0";
const DROP: &str =
    "DELETE FROM gate_states WHERE user_id IN (SELECT wanted.value ->> 0 FROM {wanted})";
const LOOKED_AT: &str = "DELETE FROM gate_touched
    WHERE id IN (SELECT CAST(wanted.value ->> 0 AS BIGINT) FROM {wanted})";
const ADVANCE: &str =
    "UPDATE gate_head SET seq = $1, position = $2, revision = $3, terms_sha256 = $4,
    swept = $5, is_filled = $6 WHERE id = 1";

#[cfg(test)]
pub(crate) const ALL: &[&str] =
    &[STATE, LOCK, REVISION, NEWEST_EVENT, DECIDED, TOUCHED, DUE, SWEEP, ADVANCE];
#[cfg(test)]
pub(crate) const FEW_ROWS: &[&str] = &[RIDERS];
#[cfg(test)]
pub(crate) const LISTS: &[&str] = &[RIDERS, DECISIONS, BEFORE, DROP, LOOKED_AT];

pub(crate) fn save_states(engine: Engine) -> AssertSqlSafe<String> {
    let AssertSqlSafe(insert) = STATES.insert(engine);
    AssertSqlSafe(format!(
        "{insert} WHERE true ON CONFLICT (user_id) DO UPDATE SET market = excluded.market,
        may_work = excluded.may_work, reasons = excluded.reasons, changes_at = excluded.changes_at,
        seq = excluded.seq"
    ))
}

pub(crate) fn save_left(engine: Engine) -> AssertSqlSafe<String> {
    let AssertSqlSafe(insert) = LEFT.insert(engine);
    AssertSqlSafe(format!(
        "{insert} WHERE true ON CONFLICT (user_id, market) DO UPDATE SET seq = excluded.seq"
    ))
}

/// How far the gate has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct GateState {
    /// The number of the last change.
    pub seq: i64,
    /// Whether something happened that is not in the answers yet.
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

/// Remembers the terms from one step to the next.
#[derive(Debug, Default)]
pub struct GateKeeper(Option<(i64, Catalog, String)>);

/// Who is looked at, and why.
struct Wanted {
    decided: Vec<(i64, String)>,
    touched: Vec<(i64, String)>,
    due: Vec<String>,
    swept: Vec<String>,
}

impl Wanted {
    fn ids(&self) -> (Vec<String>, HashSet<String>) {
        let named = self.decided.iter().chain(&self.touched).map(|(_, id)| id).chain(&self.due);
        let mut seen = HashSet::new();
        let mut ids: Vec<String> = named.filter(|id| seen.insert(*id)).cloned().collect();
        let swept: HashSet<String> =
            self.swept.iter().filter(|id| !seen.contains(id)).cloned().collect();
        ids.extend(self.swept.iter().filter(|id| swept.contains(*id)).cloned());
        (ids, swept)
    }
}

fn is_full<T>(rows: &[T]) -> bool {
    i64::try_from(rows.len()).unwrap_or(i64::MAX) >= AT_ONCE
}

/// Reads whom there is to look at.
macro_rules! wanted {
    ($tx:expr, $head:expr, $until:expr, $now:expr) => {{
        let decided: Vec<(i64, String)> = sqlx::query_as(DECIDED)
            .bind($head.position)
            .bind($until)
            .bind(AT_ONCE)
            .fetch_all(&mut *$tx)
            .await?;
        let touched: Vec<(i64, String)> =
            sqlx::query_as(TOUCHED).bind(AT_ONCE).fetch_all(&mut *$tx).await?;
        let due: Vec<String> =
            sqlx::query_scalar(DUE).bind($now.millis()).bind(AT_ONCE).fetch_all(&mut *$tx).await?;
        let swept: Vec<String> = match &$head.swept {
            None => Vec::new(),
            Some(after) => {
                sqlx::query_scalar(SWEEP).bind(after).bind(AT_ONCE).fetch_all(&mut *$tx).await?
            }
        };
        Wanted { decided, touched, due, swept }
    }};
}

/// Reads what is known of them.
macro_rules! known {
    ($store:expr, $tx:expr, $wanted:expr, $is_filled:expr) => {{
        let (ids, swept) = $wanted.ids();
        let engine = $store.engine();
        let list = json(&ids.iter().map(|id| [id]).collect::<Vec<_>>());
        let riders =
            sqlx::query_as(over_few_rows(engine, RIDERS)).bind(&list).fetch_all(&mut *$tx).await?;
        let decisions =
            sqlx::query_as(over_rows(engine, DECISIONS)).bind(&list).fetch_all(&mut *$tx).await?;
        let before =
            sqlx::query_as(over_rows(engine, BEFORE)).bind(&list).fetch_all(&mut *$tx).await?;
        Known { ids, swept, riders, decisions, before, is_filled: $is_filled }
    }};
}

/// Writes what changed, and gives the events of it.
macro_rules! save {
    ($store:expr, $tx:expr, $changes:expr, $touched:expr) => {{
        let engine = $store.engine();
        let looked_at: Vec<[i64; 1]> = $touched.iter().map(|(id, _)| [*id]).collect();
        for (is_empty, sql, rows) in [
            ($changes.states.is_empty(), save_states(engine), json(&$changes.states)),
            ($changes.left.is_empty(), save_left(engine), json(&$changes.left)),
            ($changes.dropped.is_empty(), over_rows(engine, DROP), json(&$changes.dropped)),
            (looked_at.is_empty(), over_rows(engine, LOOKED_AT), json(&looked_at)),
        ] {
            if !is_empty {
                sqlx::query(sql).bind(rows).execute(&mut *$tx).await?;
            }
        }
    }};
}

impl Store {
    /// How far the gate has come; none while it is not kept.
    pub async fn gate_state(&self, now: Instant) -> Result<Option<GateState>, StoreError> {
        let now = now.millis();
        Ok(read!(self, |pool| sqlx::query_as(STATE).bind(now).fetch_optional(pool).await)?)
    }

    /// Brings the answers of some people up to now. Call it until nothing is behind.
    pub async fn step_gate(
        &self,
        keeper: &mut GateKeeper,
        types: &[TermType],
        now: Instant,
    ) -> Result<(), StoreError> {
        write!(self, |pool| {
            let mut tx = pool.begin().await?;
            if self.engine() == Engine::Postgres {
                sqlx::query(BY_INDEX).execute(&mut *tx).await?;
            }
            let head: Option<Head> = sqlx::query_as(LOCK).fetch_optional(&mut *tx).await?;
            let Some(mut head) = head else { return Ok(()) };
            // The revision first: a change after it is seen as a new one.
            let revision: i64 = sqlx::query_scalar(REVISION).fetch_one(&mut *tx).await?;
            if keeper.0.as_ref().is_none_or(|(known, ..)| *known != revision) {
                let catalog = read_catalog!(&mut *tx);
                let sha256 = terms_sha256(&catalog);
                keeper.0 = Some((revision, catalog, sha256));
            }
            let Some((_, catalog, sha256)) = &keeper.0 else { return Ok(()) };
            if *sha256 != head.terms_sha256 {
                head.swept = Some(String::new());
            }
            let newest: i64 = sqlx::query_scalar(NEWEST_EVENT).fetch_one(&mut *tx).await?;
            let until = newest.min(head.position + EVENTS_AT_ONCE);
            let wanted = wanted!(tx, head, until, now);
            let known = known!(self, tx, wanted, head.is_filled);
            let mut seq = head.seq;
            let changes = Rules { catalog, types, now }.changes(known, &mut seq);
            save!(self, tx, changes, wanted.touched);
            let told = i64::try_from(changes.events.len()).unwrap_or(0);
            let last = append_events!(self, tx, changes.events);
            let mut position = until;
            if is_full(&wanted.decided) {
                position = wanted.decided.last().map_or(until, |(seq, _)| *seq);
            } else if let Some(last) = last.filter(|last| last - told == until) {
                // Nothing to learn from one's own events.
                position = last;
            }
            if head.swept.is_some() {
                head.is_filled |= !is_full(&wanted.swept);
                head.swept = wanted.swept.last().filter(|_| is_full(&wanted.swept)).cloned();
            }
            // The row is locked already, so nobody can wait in a circle.
            sqlx::query(ADVANCE)
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
