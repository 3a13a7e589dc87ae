//! Rotates refresh tokens, many in one statement, because devices that come online together refresh
//! together. Each refresh reads its session, and its rotation must be on disk before the response.
//! A rotation is one compare-and-set on the generation.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use musette_core::instant::Instant;
use serde_json::json;
use sqlx::AssertSqlSafe;
use tokio::sync::{mpsc, oneshot};

use crate::db::batch::{json, over_few_rows};
use crate::db::error::StoreError;
use crate::db::{Store, modify, read};
use crate::sessions::SessionRotation;
use crate::writer::ANSWERED_WITHIN;

const BATCH_MAX: usize = 256;
const QUEUE_MAX: usize = 4096;
/// A connection that is unused for this long is returned to the pool.
const RETURN_AFTER: Duration = Duration::from_secs(1);

const SELECT_SESSIONS: &str = "SELECT sessions.sid, sessions.user_id, users.subject, sessions.salt,
    sessions.generation, sessions.acked_generation, sessions.acked_at, sessions.repeats,
    sessions.instance, sessions.idle_until, sessions.absolute_until, sessions.ended_at,
    sessions.created_at, sessions.method,
    (SELECT string_agg(user_roles.role, ' ') FROM user_roles
        WHERE user_roles.user_id = sessions.user_id) AS roles
    FROM {wanted} JOIN sessions ON sessions.sid = wanted.value ->> 0
    JOIN users ON users.id = sessions.user_id";
/// Rotates sessions. A session occurs at most once in the rows, because an update changes each row
/// once.
const ROTATE_SESSIONS: &str = "UPDATE sessions SET generation = generation + 1,
    rotated_at = CAST(wanted.value ->> 2 AS BIGINT), last_used_at = CAST(wanted.value ->> 2 AS BIGINT),
    idle_until = CAST(wanted.value ->> 3 AS BIGINT), instance = wanted.value ->> 4,
    acked_at = NULL, repeats = 0
    FROM {wanted} WHERE sessions.sid = wanted.value ->> 0
    AND sessions.generation = CAST(wanted.value ->> 1 AS BIGINT) AND sessions.ended_at IS NULL
    RETURNING sessions.sid";
const SET_ACKNOWLEDGED: &str =
    "UPDATE sessions SET acked_generation = CAST(wanted.value ->> 1 AS BIGINT),
    acked_at = CAST(wanted.value ->> 2 AS BIGINT), last_used_at = CAST(wanted.value ->> 2 AS BIGINT)
    FROM {wanted} WHERE sessions.sid = wanted.value ->> 0
    AND sessions.generation = CAST(wanted.value ->> 1 AS BIGINT)
    AND sessions.acked_generation < CAST(wanted.value ->> 1 AS BIGINT)";

#[cfg(test)]
pub(crate) const LISTS: &[&str] = &[SELECT_SESSIONS, ROTATE_SESSIONS, SET_ACKNOWLEDGED];

/// A rotation of a session to its next generation.
#[derive(Debug, Clone)]
pub struct RotateTo {
    /// ID of the session.
    pub sid: String,
    /// Generation that the session must have; otherwise another rotation was faster.
    pub generation: u32,
    /// Instance ID that the client sent.
    pub instance: Option<String>,
    /// When the session ends unless it is used again.
    pub idle_until: Instant,
    /// Time of the rotation.
    pub now: Instant,
}

/// A proof that the client has the tokens of this generation.
#[derive(Debug, Clone)]
pub struct Acknowledgement {
    /// ID of the session.
    pub sid: String,
    /// Generation whose tokens the client has used.
    pub generation: i64,
    /// When the client used them.
    pub at: Instant,
}

type Answer<T> = oneshot::Sender<Result<T, StoreError>>;
type Requests<Q, T> = mpsc::Receiver<(Q, Answer<T>)>;
type Lookup = Option<SessionRotation>;

/// A handle to the rotator; cloning it is cheap.
#[derive(Debug, Clone)]
pub struct Rotator {
    lookups: mpsc::Sender<(String, Answer<Lookup>)>,
    rotations: mpsc::Sender<(RotateTo, Answer<bool>)>,
}

impl Rotator {
    /// Starts the rotator; it ends when every `Rotator` is dropped and its queues are empty.
    pub fn start(store: Arc<Store>) -> Self {
        let (lookups, requests) = mpsc::channel(QUEUE_MAX);
        tokio::spawn(run_lookups(Arc::clone(&store), requests));
        let (rotations, requests) = mpsc::channel(QUEUE_MAX);
        tokio::spawn(run(store, requests));
        Self { lookups, rotations }
    }

    /// Returns the session with this ID, ended or not.
    pub async fn find(&self, sid: String) -> Result<Lookup, StoreError> {
        request(&self.lookups, sid).await
    }

    /// Rotates a session. Returns true when the rotation is on disk; false if another rotation or
    /// the session's end was faster.
    pub async fn rotate(&self, to: RotateTo) -> Result<bool, StoreError> {
        request(&self.rotations, to).await
    }
}

async fn request<Q, T>(queue: &mpsc::Sender<(Q, Answer<T>)>, query: Q) -> Result<T, StoreError> {
    let (answer, response) = oneshot::channel();
    queue.try_send((query, answer)).map_err(|_| StoreError::timed_out())?;
    // The rotation continues. A client that did not get its tokens gets them with the previous one.
    let response = tokio::time::timeout(ANSWERED_WITHIN, response).await;
    response.map_err(|_| StoreError::timed_out())?.map_err(|_| StoreError::timed_out())?
}

/// Reads sessions and keeps its connection between batches: a pool checks a connection before and
/// after each use, which on PostgreSQL triples the number of round trips.
async fn run_lookups(store: Arc<Store>, mut requests: Requests<String, Lookup>) {
    let sql = over_few_rows(store.engine(), SELECT_SESSIONS).0;
    read!(store, |pool| {
        let mut pooled = None;
        let mut batch = Vec::with_capacity(BATCH_MAX);
        // Requests that arrive while one batch is read form the next one.
        loop {
            let received = requests.recv_many(&mut batch, BATCH_MAX);
            let Ok(count) = tokio::time::timeout(RETURN_AFTER, received).await else {
                pooled = None;
                continue;
            };
            if count == 0 {
                return;
            }
            let (sids, answers): (Vec<_>, Vec<_>) = batch.drain(..).unzip();
            let rows: Vec<_> = sids.iter().map(|sid: &String| (sid,)).collect();
            let rows = json(&rows);
            let rows: Result<Vec<SessionRotation>, sqlx::Error> = loop {
                let (was_reused, connection) = match pooled.take() {
                    Some(connection) => (true, Ok(connection)),
                    None if store.breakers.admit_reading() => (false, pool.acquire().await),
                    None => (false, Err(sqlx::Error::PoolClosed)),
                };
                let mut connection = match connection {
                    Ok(connection) => connection,
                    Err(error) => break Err(error),
                };
                let rows = sqlx::query_as(AssertSqlSafe(sql.clone())).bind(&rows);
                let rows = rows.fetch_all(&mut *connection);
                // No caller waits longer than this, and later requests would queue behind this one.
                let Ok(rows) = tokio::time::timeout(ANSWERED_WITHIN, rows).await else {
                    connection.close_on_drop();
                    break Err(sqlx::Error::PoolTimedOut);
                };
                match rows {
                    // The database may have restarted since the previous batch.
                    Err(_) if was_reused => connection.close_on_drop(),
                    rows => {
                        pooled = rows.is_ok().then_some(connection);
                        break rows;
                    }
                }
            };
            answer_lookups(sids, answers, rows.map_err(StoreError::from));
        }
    });
}

fn answer_lookups(
    sids: Vec<String>,
    answers: Vec<Answer<Lookup>>,
    lookup: Result<Vec<SessionRotation>, StoreError>,
) {
    let lookup = lookup
        .map(|rows| rows.into_iter().map(|row| (row.sid.clone(), row)).collect::<HashMap<_, _>>());
    for (sid, answer) in sids.iter().zip(answers) {
        // The caller may have stopped waiting.
        drop(answer.send(match &lookup {
            Ok(lookup) => Ok(lookup.get(sid).cloned()),
            Err(error) => Err(error.shared()),
        }));
    }
}

async fn run(store: Arc<Store>, mut requests: Requests<RotateTo, bool>) {
    let mut batch = Vec::with_capacity(BATCH_MAX);
    // Requests that arrive while one batch is committed form the next one.
    while requests.recv_many(&mut batch, BATCH_MAX).await > 0 {
        let mut unique = HashSet::new();
        let (winners, losers): (Vec<_>, Vec<_>) = batch
            .drain(..)
            .partition(|(to, _): &(RotateTo, Answer<bool>)| unique.insert(to.sid.clone()));
        let (rotations, answers): (Vec<_>, Vec<_>) = winners.into_iter().unzip();
        let rotations = Arc::from(rotations);
        match rotate(&store, &rotations).await {
            Ok(rotated) => {
                for (to, answer) in rotations.iter().zip(answers) {
                    // If the caller stopped waiting, the previous token gives this one again.
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

/// Rotates in a separate task, like the writer, so that a panic only fails this batch. It must not
/// end the rotator, which would then reject every refresh.
async fn rotate(
    store: &Arc<Store>,
    rotations: &Arc<[RotateTo]>,
) -> Result<HashSet<String>, StoreError> {
    let (store, rotations) = (Arc::clone(store), Arc::clone(rotations));
    let rotated = tokio::spawn(async move { store.rotate(&rotations).await });
    rotated.await.unwrap_or_else(|_| Err(StoreError::Uncertain(sqlx::Error::WorkerCrashed)))
}

/// Session ID that makes the rotator panic, for a test.
#[cfg(test)]
pub(crate) const PANICS: &str = "panics";

impl Store {
    /// Rotates sessions and returns those that were rotated. Each session may occur in `rotations`
    /// once.
    pub async fn rotate(&self, rotations: &[RotateTo]) -> Result<HashSet<String>, StoreError> {
        #[cfg(test)]
        assert!(rotations.iter().all(|to| to.sid != PANICS), "a test requested this panic");
        let rows: Vec<_> = rotations
            .iter()
            .map(|to| {
                json!([to.sid, to.generation, to.now.millis(), to.idle_until.millis(), to.instance])
            })
            .collect();
        let sql = over_few_rows(self.engine(), ROTATE_SESSIONS);
        let rotated: Vec<String> =
            modify!(self, |pool| sqlx::query_scalar(sql).bind(json(&rows)).fetch_all(pool).await)?;
        Ok(rotated.into_iter().collect())
    }

    /// Records the generations that clients have shown; generations older than the stored one
    /// change nothing.
    pub async fn acknowledge(
        &self,
        acknowledgements: &[Acknowledgement],
    ) -> Result<(), StoreError> {
        let rows: Vec<_> = acknowledgements
            .iter()
            .map(|ack| json!([ack.sid, ack.generation, ack.at.millis()]))
            .collect();
        let sql = over_few_rows(self.engine(), SET_ACKNOWLEDGED);
        modify!(self, |pool| sqlx::query(sql).bind(json(&rows)).execute(pool).await.map(drop))?;
        Ok(())
    }
}
