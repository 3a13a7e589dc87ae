//! Erases a person: destroys the keys without which log entries reveal nothing about them.

use musette_core::instant::Instant;

use crate::approvals::notices::DELETE_NOTICES_OF_USER;
use crate::cluster::RAISE_REVISION;
use crate::db::error::StoreError;
use crate::db::statistics::{Wait, remove_statistics};
use crate::db::{Db, Store, modify, truncate_wal};
use crate::log::text::EntryText;
use crate::log::{LOCK, append_if_started, logged_subjects, person_erased, subject_key};
use crate::outbox::{ANONYMISE_EVENTS, NewEvent, append_events};
use crate::people::DELETE_SUBJECT;
use crate::people::directory::DELETE_ROLES;

/// Selects a rider's own subject, and those of the submissions that the rider claimed.
const SELECT_SUBJECTS: &str = "SELECT subject FROM users WHERE id = $1
    UNION SELECT s.subject FROM users AS u JOIN claims AS c ON c.subject = u.subject
    JOIN consents AS d ON d.person = c.person JOIN submissions AS s ON s.seq = d.submission
    WHERE u.id = $1";
const DELETE_IDEMPOTENCY_KEYS: &str = "DELETE FROM idempotency WHERE scope = $1
    OR submission IN (SELECT seq FROM submissions WHERE subject = $1)";
const DELETE_SESSIONS: &str = "DELETE FROM sessions WHERE user_id = $1";
const DELETE_USER: &str = "DELETE FROM users WHERE id = $1";
/// Selects one entry of each of these subjects with a decision or claim; it contains the subject's
/// name in the log.
const SELECT_LOG_ENTRIES: &str =
    "SELECT e.entry FROM (SELECT s.subject AS subject, min(s.seq) AS seq
    FROM (SELECT subject AS person FROM users WHERE id = $1
        UNION SELECT c.person FROM users AS u JOIN claims AS c ON c.subject = u.subject
        WHERE u.id = $1) AS whose
    JOIN consents AS d ON d.person = whose.person
    JOIN submissions AS s ON s.seq = d.submission GROUP BY s.subject) AS first
    JOIN log_entries AS e ON e.submission = first.seq
    UNION SELECT e.entry FROM users AS u JOIN claims AS c ON c.subject = u.subject
    JOIN log_entries AS e ON e.claim = c.person WHERE u.id = $1";
/// Records the erasure of a subject, only if it has a record.
const INSERT_ERASURE: &str = "INSERT INTO erasures (ref) SELECT $1
    WHERE EXISTS (SELECT 1 FROM submissions WHERE subject = $1)
    OR EXISTS (SELECT 1 FROM claims WHERE subject = $1)";
/// Selects the key of a person with evaluations, restrictions or opened notices, from which their name
/// in the log is derived.
const SELECT_KEY_OF_RECORDED: &str = "SELECT s.key FROM users AS u
    JOIN subjects AS s ON s.ref = u.subject WHERE u.id = $1
    AND (EXISTS (SELECT 1 FROM evaluations AS e WHERE e.person = u.subject)
        OR EXISTS (SELECT 1 FROM restrictions AS r WHERE r.person = u.subject)
        OR EXISTS (SELECT 1 FROM notice_openings AS o WHERE o.person = u.subject))";
const DELETE_PERSON_DECISIONS: [&str; 8] = [
    "DELETE FROM replies WHERE person = $1",
    "DELETE FROM replies WHERE scope = $1",
    "DELETE FROM evaluation_assignments WHERE person = $1 OR reviewer = $1",
    "DELETE FROM excusal_items WHERE person = $1",
    "DELETE FROM evaluation_records WHERE person = $1",
    "DELETE FROM evaluations WHERE person = $1",
    "DELETE FROM restriction_records WHERE person = $1",
    "DELETE FROM restrictions WHERE person = $1",
];
/// Removes what a message says about its recipient. The leaf of a message in a batch remains, because
/// the other messages are proved with it.
const DELETE_MESSAGES: [&str; 3] = [
    "DELETE FROM notice_messages WHERE person = $1 AND batch IS NULL",
    "UPDATE notice_messages SET person = NULL, zone = '', locale = NULL, status = 'erased',
    reason = NULL, next_at = 0, address = NULL, sha256 = NULL, sent_at = NULL, settled_at = NULL,
    outcome_status = NULL, salt = NULL, record = NULL WHERE person = $1",
    "DELETE FROM notice_opt_outs WHERE person = $1",
];

/// Reserves the number of a change of the gate, if the gate is enabled.
const RESERVE_GATE_CHANGE: &str = "UPDATE gate_head SET seq = seq + 1 WHERE id = 1 RETURNING seq";
/// Reports the erasure to all readers of the gate who have seen the person.
const INSERT_GATE_ERASURES: &str = "INSERT INTO gate_erased (user_id_sha256, market, seq, at)
    SELECT $2, known.market, CAST($3 AS BIGINT), CAST($4 AS BIGINT) FROM (
        SELECT coalesce(market, '') AS market FROM gate_states WHERE user_id = $1
        UNION SELECT market FROM gate_left WHERE user_id = $1
    ) AS known";
const DELETE_FROM_GATE: [&str; 3] = [
    "DELETE FROM gate_states WHERE user_id = $1",
    "DELETE FROM gate_left WHERE user_id = $1",
    "DELETE FROM gate_touched WHERE user_id = $1",
];

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[
    SELECT_SUBJECTS,
    DELETE_IDEMPOTENCY_KEYS,
    DELETE_SESSIONS,
    DELETE_USER,
    SELECT_LOG_ENTRIES,
    INSERT_ERASURE,
    RESERVE_GATE_CHANGE,
    INSERT_GATE_ERASURES,
    DELETE_FROM_GATE[0],
    DELETE_FROM_GATE[1],
    DELETE_FROM_GATE[2],
    SELECT_KEY_OF_RECORDED,
    DELETE_PERSON_DECISIONS[0],
    DELETE_PERSON_DECISIONS[1],
    DELETE_PERSON_DECISIONS[2],
    DELETE_PERSON_DECISIONS[3],
    DELETE_PERSON_DECISIONS[4],
    DELETE_PERSON_DECISIONS[5],
    DELETE_PERSON_DECISIONS[6],
    DELETE_PERSON_DECISIONS[7],
    DELETE_MESSAGES[0],
    DELETE_MESSAGES[1],
    DELETE_MESSAGES[2],
];

/// Rewrites the tables, because deleted rows remain in the file of a table until then.
pub(crate) const REWRITE_POSTGRES: [&str; 30] = [
    "VACUUM FULL users",
    "VACUUM FULL people_search",
    "VACUUM FULL user_roles",
    "VACUUM FULL sessions",
    "VACUUM FULL codes",
    "VACUUM FULL contact_notices",
    "VACUUM FULL known_browsers",
    "VACUUM FULL sign_in_links",
    "VACUUM FULL totp",
    "VACUUM FULL identities",
    "VACUUM FULL term_views",
    "VACUUM FULL notice_receptions",
    "VACUUM FULL notice_openings",
    "VACUUM FULL push_subscriptions",
    "VACUUM FULL subjects",
    "VACUUM FULL idempotency",
    "VACUUM FULL evaluations",
    "VACUUM FULL evaluation_records",
    "VACUUM FULL evaluation_assignments",
    "VACUUM FULL excusal_items",
    "VACUUM FULL restrictions",
    "VACUUM FULL restriction_records",
    "VACUUM FULL replies",
    "VACUUM FULL notice_messages",
    "VACUUM FULL notice_opt_outs",
    "VACUUM FULL outbox",
    "VACUUM FULL approval_notices",
    "VACUUM FULL gate_states",
    "VACUUM FULL gate_left",
    "VACUUM FULL gate_touched",
];

/// Returns the hash that identifies the person only to readers who know the ID.
fn sha256(id: &str) -> String {
    use sha2::Digest as _;
    hex::encode(sha2::Sha256::digest(id))
}

/// Returns the names in the log of the subjects of these entries, and of a person with evaluations,
/// restrictions or opened notices.
fn names_in_log(
    entries: Vec<EntryText>,
    recorded: Option<String>,
    id: &str,
) -> Result<Vec<String>, StoreError> {
    let mut names = logged_subjects(entries)?;
    if let Some(key) = recorded {
        let name = subject_key(&key)?.subject(id);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    Ok(names)
}

fn event(id: &str, now: Instant) -> NewEvent {
    NewEvent::new("person.erased", now, &serde_json::json!({"user_id_sha256": sha256(id)}))
}

impl Store {
    /// Destroys all data that identifies this user. Returns false if the user does not exist;
    /// remains of an earlier attempt are still removed from the files.
    pub async fn erase_user(&self, id: &str, now: Instant) -> Result<bool, StoreError> {
        let subjects: Vec<String> = modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            // The lock prevents new records of this person meanwhile.
            sqlx::query(LOCK).execute(&mut *tx).await?;
            let subjects: Vec<String> =
                sqlx::query_scalar(SELECT_SUBJECTS).bind(id).fetch_all(&mut *tx).await?;
            let logged: Vec<EntryText> =
                sqlx::query_scalar(SELECT_LOG_ENTRIES).bind(id).fetch_all(&mut *tx).await?;
            let recorded: Option<String> = sqlx::query_scalar(SELECT_KEY_OF_RECORDED)
                .bind(id)
                .fetch_optional(&mut *tx)
                .await?;
            for subject in &subjects {
                sqlx::query(DELETE_IDEMPOTENCY_KEYS).bind(subject).execute(&mut *tx).await?;
            }
            for statement in [DELETE_SESSIONS, DELETE_ROLES, DELETE_NOTICES_OF_USER, DELETE_USER] {
                sqlx::query(statement).bind(id).execute(&mut *tx).await?;
            }
            for subject in &subjects {
                sqlx::query(DELETE_SUBJECT).bind(subject).execute(&mut *tx).await?;
                sqlx::query(INSERT_ERASURE).bind(subject).execute(&mut *tx).await?;
                for statement in DELETE_PERSON_DECISIONS.into_iter().chain(DELETE_MESSAGES) {
                    sqlx::query(statement).bind(subject).execute(&mut *tx).await?;
                }
            }
            let appended = append_if_started!(self, tx, now, |at| {
                if subjects.is_empty() {
                    Vec::new()
                } else {
                    person_erased(&names_in_log(logged, recorded, id)?, false, at)?
                }
            });
            sqlx::query(RAISE_REVISION).execute(&mut *tx).await?;
            // After the roles, because a trigger records whose roles changed.
            let change: Option<i64> =
                sqlx::query_scalar(RESERVE_GATE_CHANGE).fetch_optional(&mut *tx).await?;
            if let Some(seq) = change {
                let insert = sqlx::query(INSERT_GATE_ERASURES).bind(id).bind(sha256(id)).bind(seq);
                insert.bind(now.millis()).execute(&mut *tx).await?;
                for statement in DELETE_FROM_GATE {
                    sqlx::query(statement).bind(id).execute(&mut *tx).await?;
                }
            }
            let events = if subjects.is_empty() { Vec::new() } else { vec![event(id, now)] };
            let last = append_events!(self, tx, events);
            // No other transaction appends until the commit, so no event of this person can follow.
            sqlx::query(ANONYMISE_EVENTS).bind(id).execute(&mut *tx).await?;
            tx.commit().await?;
            self.events_appended(last);
            appended.into_iter().for_each(|appended| self.cache_end(appended));
            subjects
        });
        self.remove_deleted_rows().await?;
        Ok(!subjects.is_empty())
    }

    /// Removes deleted rows from all files of the store.
    async fn remove_deleted_rows(&self) -> Result<(), StoreError> {
        match &self.db {
            Db::Sqlite(pools) => {
                sqlx::query("VACUUM").execute(&pools.write).await?;
                truncate_wal(pools).await
            }
            Db::Postgres(pools) => {
                for statement in REWRITE_POSTGRES {
                    sqlx::query(statement).execute(&pools.write).await?;
                }
                remove_statistics(&pools.write, Wait::Long).await
            }
        }
    }
}
