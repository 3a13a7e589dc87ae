//! Ends sessions in the transaction of the change that causes it, so that a crash leaves no session
//! open.

use musette_core::instant::Instant;

use crate::outbox::NewEvent;

/// Ends sessions; `$1` contains pairs of a user ID and a reason. SQLite can only return columns of
/// the changed table.
pub(crate) const END_SESSIONS: &str =
    "UPDATE sessions SET ended_at = $2, ended_because = wanted.value ->> 1
    FROM {wanted} WHERE sessions.user_id = wanted.value ->> 0 AND sessions.ended_at IS NULL
    RETURNING sessions.sid, sessions.user_id, sessions.ended_because";
/// Raises the revision of ended sessions, so that every node reads its sessions again.
pub(crate) const RAISE_ENDED: &str = "UPDATE revision SET n = n + 1 WHERE id = 2";
pub(crate) const DELETE_BROWSERS: &str = "DELETE FROM known_browsers
    WHERE user_id IN (SELECT wanted.value ->> 0 FROM {wanted})";
/// Deletes codes, including those that were sent to a former address of the person.
pub(crate) const VOID_CODES: &str =
    "DELETE FROM codes WHERE user_id IN (SELECT wanted.value ->> 0 FROM {wanted})";

#[cfg(test)]
pub(crate) const LISTS: &[&str] = &[END_SESSIONS, DELETE_BROWSERS, VOID_CODES];

/// Creates the event for other programs.
pub(crate) fn event(sid: &str, user_id: &str, reason: &str, now: Instant) -> NewEvent {
    let data = serde_json::json!({"sid": sid, "reason": reason});
    NewEvent::new("session.ended", now, &data).for_user(user_id)
}

/// Ends all sessions of each of these people (a user ID and a reason), removes their browsers and
/// voids their pending codes. Returns the value for [`Store::events_appended`](crate::Store) after
/// the commit.
macro_rules! end_sessions_of {
    ($store:expr, $tx:expr, $people:expr, $now:expr) => {{
        use $crate::db::batch::{json, over_rows};
        let people: &[(&str, &'static str)] = $people;
        if people.is_empty() {
            None
        } else {
            let (rows, engine) = (json(&people), $store.engine());
            let ended: Vec<(String, String, String)> =
                sqlx::query_as(over_rows(engine, $crate::session_ends::END_SESSIONS))
                    .bind(&rows)
                    .bind($now.millis())
                    .fetch_all(&mut *$tx)
                    .await?;
            for sql in [$crate::session_ends::DELETE_BROWSERS, $crate::session_ends::VOID_CODES] {
                sqlx::query(over_rows(engine, sql)).bind(&rows).execute(&mut *$tx).await?;
            }
            if !ended.is_empty() {
                sqlx::query($crate::session_ends::RAISE_ENDED).execute(&mut *$tx).await?;
            }
            let events = ended.iter().map(|(sid, user_id, reason)| {
                $crate::session_ends::event(sid, user_id, reason, $now)
            });
            $crate::outbox::append_events!($store, $tx, events.collect())
        }
    }};
}
pub(crate) use end_sessions_of;
