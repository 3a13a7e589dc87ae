//! Erasing a person: the keys go, and with them what the log's entries say about anybody.

use musette_core::instant::Instant;

use crate::approvals::notices::DROP_NOTICES;
use crate::cluster::RAISE_REVISION;
use crate::db::error::StoreError;
use crate::db::statistics::{Wait, forget_statistics};
use crate::db::{Db, Store, truncate_wal, write};
use crate::log::text::EntryText;
use crate::log::{LOCK, append_if_started, logged_subjects, person_erased};
use crate::outbox::{ANONYMISE, NewEvent, append_events};

/// A rider's own subject, and those of the submissions that the rider claimed.
const SUBJECTS: &str = "SELECT subject FROM users WHERE id = $1
    UNION SELECT s.subject FROM users AS u JOIN claims AS c ON c.subject = u.subject
    JOIN consents AS d ON d.person = c.person JOIN submissions AS s ON s.seq = d.submission
    WHERE u.id = $1";
const FORGET_KEYS: &str = "DELETE FROM idempotency WHERE scope = $1
    OR submission IN (SELECT seq FROM submissions WHERE subject = $1)";
const DROP_SESSIONS: &str = "DELETE FROM sessions WHERE user_id = $1";
const DROP_ROLES: &str = "DELETE FROM user_roles WHERE user_id = $1";
const DROP_USER: &str = "DELETE FROM users WHERE id = $1";
const DROP_SUBJECT: &str = "DELETE FROM subjects WHERE ref = $1";
/// One entry of each of these subjects that decided or claimed anything: they say how the log names
/// them.
const LOGGED: &str = "SELECT e.entry FROM (SELECT s.subject AS subject, min(s.seq) AS seq
    FROM (SELECT subject AS person FROM users WHERE id = $1
        UNION SELECT c.person FROM users AS u JOIN claims AS c ON c.subject = u.subject
        WHERE u.id = $1) AS whose
    JOIN consents AS d ON d.person = whose.person
    JOIN submissions AS s ON s.seq = d.submission GROUP BY s.subject) AS first
    JOIN log_entries AS e ON e.submission = first.seq
    UNION SELECT e.entry FROM users AS u JOIN claims AS c ON c.subject = u.subject
    JOIN log_entries AS e ON e.claim = c.person WHERE u.id = $1";
/// Only people with a record have a row.
const REMEMBER: &str = "INSERT INTO erasures (ref) SELECT $1
    WHERE EXISTS (SELECT 1 FROM submissions WHERE subject = $1)
    OR EXISTS (SELECT 1 FROM claims WHERE subject = $1)";

/// The number of this change of the gate, where it is kept.
const NEXT_GATE_CHANGE: &str = "UPDATE gate_head SET seq = seq + 1 WHERE id = 1 RETURNING seq";
/// Everybody who knew the person is told.
const TELL_GATE: &str = "INSERT INTO gate_erased (user_id_sha256, market, seq, at)
    SELECT $2, known.market, CAST($3 AS BIGINT), CAST($4 AS BIGINT) FROM (
        SELECT coalesce(market, '') AS market FROM gate_states WHERE user_id = $1
        UNION SELECT market FROM gate_left WHERE user_id = $1
    ) AS known";
const DROP_GATE: [&str; 3] = [
    "DELETE FROM gate_states WHERE user_id = $1",
    "DELETE FROM gate_left WHERE user_id = $1",
    "DELETE FROM gate_touched WHERE user_id = $1",
];

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[
    SUBJECTS,
    FORGET_KEYS,
    DROP_SESSIONS,
    DROP_ROLES,
    DROP_USER,
    DROP_SUBJECT,
    LOGGED,
    REMEMBER,
    NEXT_GATE_CHANGE,
    TELL_GATE,
    DROP_GATE[0],
    DROP_GATE[1],
    DROP_GATE[2],
];

/// Deleted rows stay in a table's file until it is written anew.
pub(crate) const REWRITE_POSTGRES: [&str; 18] = [
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
    "VACUUM FULL subjects",
    "VACUUM FULL idempotency",
    "VACUUM FULL outbox",
    "VACUUM FULL approval_notices",
    "VACUUM FULL gate_states",
    "VACUUM FULL gate_left",
    "VACUUM FULL gate_touched",
];

/// Tells those who know an id whose it was, and nobody else.
fn sha256(id: &str) -> String {
    use sha2::Digest as _;
    hex::encode(sha2::Sha256::digest(id))
}

fn event(id: &str, now: Instant) -> NewEvent {
    NewEvent::new("person.erased", now, &serde_json::json!({"user_id_sha256": sha256(id)}))
}

impl Store {
    /// Destroys all that says who this user is. False when there is no such user; what an earlier
    /// attempt left in the files is swept all the same.
    pub async fn erase_user(&self, id: &str, now: Instant) -> Result<bool, StoreError> {
        let subjects: Vec<String> = write!(self, |pool| {
            let mut tx = pool.begin().await?;
            // The lock excludes new records of this person while this runs.
            sqlx::query(LOCK).execute(&mut *tx).await?;
            let subjects: Vec<String> =
                sqlx::query_scalar(SUBJECTS).bind(id).fetch_all(&mut *tx).await?;
            let logged: Vec<EntryText> =
                sqlx::query_scalar(LOGGED).bind(id).fetch_all(&mut *tx).await?;
            for subject in &subjects {
                sqlx::query(FORGET_KEYS).bind(subject).execute(&mut *tx).await?;
            }
            for statement in [DROP_SESSIONS, DROP_ROLES, DROP_NOTICES, DROP_USER] {
                sqlx::query(statement).bind(id).execute(&mut *tx).await?;
            }
            for subject in &subjects {
                sqlx::query(DROP_SUBJECT).bind(subject).execute(&mut *tx).await?;
                sqlx::query(REMEMBER).bind(subject).execute(&mut *tx).await?;
            }
            let appended = append_if_started!(self, tx, now, |at| {
                if subjects.is_empty() {
                    Vec::new()
                } else {
                    person_erased(&logged_subjects(logged)?, false, at)?
                }
            });
            sqlx::query(RAISE_REVISION).execute(&mut *tx).await?;
            // After the roles: a trigger notes whose changed.
            let change: Option<i64> =
                sqlx::query_scalar(NEXT_GATE_CHANGE).fetch_optional(&mut *tx).await?;
            if let Some(seq) = change {
                let tell = sqlx::query(TELL_GATE).bind(id).bind(sha256(id)).bind(seq);
                tell.bind(now.millis()).execute(&mut *tx).await?;
                for statement in DROP_GATE {
                    sqlx::query(statement).bind(id).execute(&mut *tx).await?;
                }
            }
            let events = if subjects.is_empty() { Vec::new() } else { vec![event(id, now)] };
            let last = append_events!(self, tx, events);
            // Nobody appends until the commit, so no event of this person comes after it.
            sqlx::query(ANONYMISE).bind(id).execute(&mut *tx).await?;
            tx.commit().await?;
            self.events_appended(last);
            appended.into_iter().for_each(|it| self.know_log(it));
            subjects
        });
        self.sweep().await?;
        Ok(!subjects.is_empty())
    }

    /// Leaves no deleted row in any file of the store.
    async fn sweep(&self) -> Result<(), StoreError> {
        match &self.db {
            Db::Sqlite(pools) => {
                sqlx::query("VACUUM").execute(&pools.write).await?;
                truncate_wal(pools).await
            }
            Db::Postgres(pools) => {
                for statement in REWRITE_POSTGRES {
                    sqlx::query(statement).execute(&pools.write).await?;
                }
                forget_statistics(&pools.write, Wait::Long).await
            }
        }
    }
}
