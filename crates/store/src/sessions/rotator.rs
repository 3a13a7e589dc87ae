//! Refreshes, many in one statement: a fleet that wakes up together refreshes together. Each reads its
//! session, and its rotation must be on disk before it is answered. A rotation is one compare-and-set on
//! the generation.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use musette_core::instant::Instant;
use serde_json::json;
use sqlx::AssertSqlSafe;
use tokio::sync::{mpsc, oneshot};

use crate::db::batch::{json, over_few_rows};
use crate::db::error::StoreError;
use crate::db::{Store, read, write};
use crate::sessions::SessionRotation;
use crate::writer::ANSWERED_WITHIN;

const BATCH_MAX: usize = 256;
const QUEUE_MAX: usize = 4096;
/// A connection that is not used for so long goes back to the others.
const KEPT_FOR: Duration = Duration::from_secs(1);

const FIND: &str = "SELECT sessions.sid, sessions.user_id, users.subject, sessions.salt,
    sessions.generation, sessions.acked_generation, sessions.acked_at, sessions.repeats,
    sessions.instance, sessions.idle_until, sessions.absolute_until, sessions.ended_at,
    sessions.created_at, sessions.method,
    (SELECT string_agg(user_roles.role, ' ') FROM user_roles
        WHERE user_roles.user_id = sessions.user_id) AS roles
    FROM {wanted} JOIN sessions ON sessions.sid = wanted.value ->> 0
    JOIN users ON users.id = sessions.user_id";
/// A session stands at most once in the rows: an update takes each row of the table once.
const ROTATE: &str = "UPDATE sessions SET generation = generation + 1,
    rotated_at = CAST(wanted.value ->> 2 AS BIGINT), last_used_at = CAST(wanted.value ->> 2 AS BIGINT),
    idle_until = CAST(wanted.value ->> 3 AS BIGINT), instance = wanted.value ->> 4,
    acked_at = NULL, repeats = 0
    FROM {wanted} WHERE sessions.sid = wanted.value ->> 0
    AND sessions.generation = CAST(wanted.value ->> 1 AS BIGINT) AND sessions.ended_at IS NULL
    RETURNING sessions.sid";
const ACKNOWLEDGE: &str =
    "UPDATE sessions SET acked_generation = CAST(wanted.value ->> 1 AS BIGINT),
    acked_at = CAST(wanted.value ->> 2 AS BIGINT), last_used_at = CAST(wanted.value ->> 2 AS BIGINT)
    FROM {wanted} WHERE sessions.sid = wanted.value ->> 0
    AND sessions.generation = CAST(wanted.value ->> 1 AS BIGINT)
    AND sessions.acked_generation < CAST(wanted.value ->> 1 AS BIGINT)";

#[cfg(test)]
pub(crate) const LISTS: &[&str] = &[FIND, ROTATE, ACKNOWLEDGE];

/// From this generation to the next.
#[derive(Debug, Clone)]
pub struct RotateTo {
    /// Id of the session.
    pub sid: String,
    /// Generation that the session must have: else somebody was first.
    pub generation: u32,
    /// Instance of the client, as it names itself.
    pub instance: Option<String>,
    /// When the session ends unless it is used again.
    pub idle_until: Instant,
    /// Time of the rotation.
    pub now: Instant,
}

/// The client showed that it has the tokens of this generation.
#[derive(Debug, Clone)]
pub struct Acknowledgement {
    /// Id of the session.
    pub sid: String,
    /// Generation whose tokens the client has shown.
    pub generation: i64,
    /// When it showed them.
    pub at: Instant,
}

type Answer<T> = oneshot::Sender<Result<T, StoreError>>;
type Waiting<Q, T> = mpsc::Receiver<(Q, Answer<T>)>;
type Found = Option<SessionRotation>;

/// The way to the rotator; cloning it is cheap.
#[derive(Debug, Clone)]
pub struct Rotator {
    lookups: mpsc::Sender<(String, Answer<Found>)>,
    rotations: mpsc::Sender<(RotateTo, Answer<bool>)>,
}

impl Rotator {
    /// Starts the rotator; it ends when every `Rotator` is dropped and its queues are empty.
    pub fn start(store: Arc<Store>) -> Self {
        let (lookups, waiting) = mpsc::channel(QUEUE_MAX);
        tokio::spawn(run_lookups(Arc::clone(&store), waiting));
        let (rotations, waiting) = mpsc::channel(QUEUE_MAX);
        tokio::spawn(run(store, waiting));
        Self { lookups, rotations }
    }

    /// The session of this id, ended or not.
    pub async fn find(&self, sid: String) -> Result<Found, StoreError> {
        ask(&self.lookups, sid).await
    }

    /// True when the rotation is on disk; false when another one, or the session's end, was first.
    pub async fn rotate(&self, to: RotateTo) -> Result<bool, StoreError> {
        ask(&self.rotations, to).await
    }
}

async fn ask<Q, T>(queue: &mpsc::Sender<(Q, Answer<T>)>, question: Q) -> Result<T, StoreError> {
    let (answer, answered) = oneshot::channel();
    queue.try_send((question, answer)).map_err(|_| StoreError::timed_out())?;
    // A rotation goes on. Whoever did not get its tokens gets them with the former one.
    let answered = tokio::time::timeout(ANSWERED_WITHIN, answered).await;
    answered.map_err(|_| StoreError::timed_out())?.map_err(|_| StoreError::timed_out())?
}

/// Reads sessions, and keeps its connection from one batch to the next: a pool asks a connection whether it
/// is alive before and after, which on PostgreSQL makes three round trips of one.
async fn run_lookups(store: Arc<Store>, mut waiting: Waiting<String, Found>) {
    let sql = over_few_rows(store.engine(), FIND).0;
    read!(store, |pool| {
        let mut kept = None;
        let mut batch = Vec::with_capacity(BATCH_MAX);
        // Requests that arrive while one batch is read make the next.
        loop {
            let next = waiting.recv_many(&mut batch, BATCH_MAX);
            let Ok(count) = tokio::time::timeout(KEPT_FOR, next).await else {
                kept = None;
                continue;
            };
            if count == 0 {
                return;
            }
            let (sids, answers): (Vec<_>, Vec<_>) = batch.drain(..).unzip();
            let rows: Vec<_> = sids.iter().map(|sid: &String| (sid,)).collect();
            let rows = json(&rows);
            let found: Result<Vec<SessionRotation>, sqlx::Error> = loop {
                let (was_kept, connection) = match kept.take() {
                    Some(connection) => (true, Ok(connection)),
                    None if store.breakers.admit_reading() => (false, pool.acquire().await),
                    None => (false, Err(sqlx::Error::PoolClosed)),
                };
                let mut connection = match connection {
                    Ok(connection) => connection,
                    Err(error) => break Err(error),
                };
                let found = sqlx::query_as(AssertSqlSafe(sql.clone())).bind(&rows);
                let found = found.fetch_all(&mut *connection);
                // Nobody waits longer, and all that come after would wait behind it.
                let Ok(found) = tokio::time::timeout(ANSWERED_WITHIN, found).await else {
                    connection.close_on_drop();
                    break Err(sqlx::Error::PoolTimedOut);
                };
                match found {
                    // The database may have gone since the batch before, and come back.
                    Err(_) if was_kept => connection.close_on_drop(),
                    found => {
                        kept = found.is_ok().then_some(connection);
                        break found;
                    }
                }
            };
            answer_lookups(sids, answers, found.map_err(StoreError::from));
        }
    });
}

fn answer_lookups(
    sids: Vec<String>,
    answers: Vec<Answer<Found>>,
    found: Result<Vec<SessionRotation>, StoreError>,
) {
    let found = found
        .map(|rows| rows.into_iter().map(|row| (row.sid.clone(), row)).collect::<HashMap<_, _>>());
    for (sid, answer) in sids.iter().zip(answers) {
        // Whoever does not wait any more needs no answer.
        drop(answer.send(match &found {
            Ok(found) => Ok(found.get(sid).cloned()),
            Err(error) => Err(error.shared()),
        }));
    }
}

async fn run(store: Arc<Store>, mut waiting: Waiting<RotateTo, bool>) {
    let mut batch = Vec::with_capacity(BATCH_MAX);
    // Requests that arrive while one batch is committed make the next.
    while waiting.recv_many(&mut batch, BATCH_MAX).await > 0 {
        let mut first = HashSet::new();
        let (winners, losers): (Vec<_>, Vec<_>) = batch
            .drain(..)
            .partition(|(to, _): &(RotateTo, Answer<bool>)| first.insert(to.sid.clone()));
        let (rotations, answers): (Vec<_>, Vec<_>) = winners.into_iter().unzip();
        let rotations = Arc::from(rotations);
        match rotate(&store, &rotations).await {
            Ok(rotated) => {
                for (to, answer) in rotations.iter().zip(answers) {
                    // If nobody waits any more, the former token gives this one again.
                    drop(answer.send(Ok(rotated.contains(&to.sid))));
                }
            }
            Err(error) => {
                tracing::warn!(error = %error, rotations = rotations.len(), "a batch of session refreshes failed: clients retry");
                for answer in answers {
                    drop(answer.send(Err(error.shared())));
                }
            }
        }
        for (_, answer) in losers {
            drop(answer.send(Ok(false)));
        }
    }
}

/// Rotates in a task of its own, as the writer does: a panic fails this batch only. It must not end the
/// rotator, which would refuse every refresh from then on.
async fn rotate(
    store: &Arc<Store>,
    rotations: &Arc<[RotateTo]>,
) -> Result<HashSet<String>, StoreError> {
    let (store, rotations) = (Arc::clone(store), Arc::clone(rotations));
    let rotated = tokio::spawn(async move { store.rotate(&rotations).await });
    rotated.await.unwrap_or_else(|_| Err(StoreError::Uncertain(sqlx::Error::WorkerCrashed)))
}

/// Session id that makes the rotator panic, for a test.
#[cfg(test)]
pub(crate) const PANICS: &str = "panics";

impl Store {
    /// The sessions that were rotated; each may stand in `rotations` once.
    pub async fn rotate(&self, rotations: &[RotateTo]) -> Result<HashSet<String>, StoreError> {
        #[cfg(test)]
        assert!(rotations.iter().all(|it| it.sid != PANICS), "as a test wants it");
        let rows: Vec<_> = rotations
            .iter()
            .map(|to| {
                json!([to.sid, to.generation, to.now.millis(), to.idle_until.millis(), to.instance])
            })
            .collect();
        let sql = over_few_rows(self.engine(), ROTATE);
        let rotated: Vec<String> =
            write!(self, |pool| sqlx::query_scalar(sql).bind(json(&rows)).fetch_all(pool).await)?;
        Ok(rotated.into_iter().collect())
    }

    /// Records what clients have shown; older generations than the known one change nothing.
    pub async fn acknowledge(&self, seen: &[Acknowledgement]) -> Result<(), StoreError> {
        let rows: Vec<_> =
            seen.iter().map(|ack| json!([ack.sid, ack.generation, ack.at.millis()])).collect();
        let sql = over_few_rows(self.engine(), ACKNOWLEDGE);
        write!(self, |pool| sqlx::query(sql).bind(json(&rows)).execute(pool).await.map(drop))?;
        Ok(())
    }
}
