//! Rotations, many in one transaction: a fleet that wakes up together refreshes together, and each
//! must be on disk before it is answered. A rotation is one compare-and-set on the generation.

use std::collections::HashSet;
use std::sync::Arc;

use musette_core::instant::Instant;
use serde_json::json;
use tokio::sync::{mpsc, oneshot};

use crate::db::batch::{json, over_rows};
use crate::db::error::StoreError;
use crate::db::{Store, write};

const BATCH_MAX: usize = 256;
const QUEUE_MAX: usize = 4096;

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
pub(crate) const LISTS: &[&str] = &[ROTATE, ACKNOWLEDGE];

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

type Answer = oneshot::Sender<Result<bool, StoreError>>;

/// The way to the rotator; cloning it is cheap.
#[derive(Debug, Clone)]
pub struct Rotator {
    queue: mpsc::Sender<(RotateTo, Answer)>,
}

impl Rotator {
    /// Starts the rotator; it ends when every `Rotator` is dropped and the queue is empty.
    pub fn start(store: Arc<Store>) -> Self {
        let (queue, waiting) = mpsc::channel(QUEUE_MAX);
        tokio::spawn(run(store, waiting));
        Self { queue }
    }

    /// True when the rotation is on disk; false when another one, or the session's end, was first.
    pub async fn rotate(&self, to: RotateTo) -> Result<bool, StoreError> {
        let (answer, answered) = oneshot::channel();
        self.queue.try_send((to, answer)).map_err(|_| StoreError::timed_out())?;
        answered.await.map_err(|_| StoreError::timed_out())?
    }
}

async fn run(store: Arc<Store>, mut waiting: mpsc::Receiver<(RotateTo, Answer)>) {
    let mut batch = Vec::with_capacity(BATCH_MAX);
    // Requests that arrive while one batch is committed make the next.
    while waiting.recv_many(&mut batch, BATCH_MAX).await > 0 {
        let mut first = HashSet::new();
        let (winners, losers): (Vec<_>, Vec<_>) =
            batch.drain(..).partition(|(to, _): &(RotateTo, Answer)| first.insert(to.sid.clone()));
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
                tracing::warn!(error = %error, rotations = rotations.len(), "sessions were not rotated");
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
        let sql = over_rows(self.engine(), ROTATE);
        let rotated: Vec<String> =
            write!(self, |pool| sqlx::query_scalar(sql).bind(json(&rows)).fetch_all(pool).await)?;
        Ok(rotated.into_iter().collect())
    }

    /// Records what clients have shown; older generations than the known one change nothing.
    pub async fn acknowledge(&self, seen: &[Acknowledgement]) -> Result<(), StoreError> {
        let rows: Vec<_> =
            seen.iter().map(|ack| json!([ack.sid, ack.generation, ack.at.millis()])).collect();
        let sql = over_rows(self.engine(), ACKNOWLEDGE);
        write!(self, |pool| sqlx::query(sql).bind(json(&rows)).execute(pool).await.map(drop))?;
        Ok(())
    }
}
