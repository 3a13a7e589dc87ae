//! `GET /log`: the state of the evidence log.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::Response;
use musette_core::instant::Instant;
use musette_core::log::checkpoint::Checkpoint;
use musette_core::log::entry::Entry;
use musette_core::log::note::Note;
use musette_store::{StoreError, SubmissionCounts};
use serde::Serialize;

use crate::http::access::permission::{May, Read};
use crate::http::wire::caching::private;
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::node::app::App;

/// The time to wait for counts.
const WAIT: Duration = Duration::from_millis(100);

/// The state of the evidence log.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct LogBody {
    /// The origin of the log, as its checkpoints name it.
    pub origin: String,
    /// The verifier key: a C2SP vkey.
    pub vkey: String,
    /// The number of entries: submissions, publications, claims and seals of the audit log.
    pub size: u64,
    /// The number of submissions. Absent during the first count; retry.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0)]
    pub submissions: Option<i64>,
    /// The number of decisions in these submissions. Absent during the first count; retry.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0)]
    pub decisions: Option<i64>,
    /// The root hash, in base64.
    pub root: String,
    /// The signed head: a C2SP checkpoint. Store a copy elsewhere.
    pub checkpoint: String,
    /// The time at which the last entry was recorded. Absent while the log is empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    pub last_entry_at: Option<String>,
    /// The last run of `musette log verify`. Absent if it never ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verified: Option<VerifiedBody>,
    /// The earlier logs that this log continues after a restore, oldest first.
    pub earlier: Vec<EarlierLog>,
}

/// A run of `musette log verify`.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct VerifiedBody {
    /// The time of the run.
    #[schema(format = DateTime)]
    pub at: String,
    /// The number of verified entries.
    #[schema(minimum = 0)]
    pub entries: i64,
    /// The number of errors, at most 100.
    #[schema(minimum = 0)]
    #[serde(rename = "faults")]
    pub errors: i64,
}

/// An earlier log that this log continues.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct EarlierLog {
    /// The origin of that log.
    pub origin: String,
    /// Its verifier key: a C2SP vkey.
    pub vkey: String,
}

/// Counts, or returns a recent count. `None` if the first count takes too long; it continues, and
/// its result is cached.
async fn counts(app: &Arc<App>) -> Result<Option<Arc<SubmissionCounts>>, StoreError> {
    let app = Arc::clone(app);
    let counting = tokio::spawn(async move {
        let store = Arc::clone(&app.store);
        app.submissions.get((), async move { store.count_submissions().await }).await
    });
    match tokio::time::timeout(WAIT, counting).await {
        Ok(Ok(counts)) => counts.map(Some),
        Ok(Err(_)) | Err(_) => Ok(None),
    }
}

/// Read the state of the evidence log.
///
/// The response omits a count that takes longer than 100 ms; retry for it.
///
/// - 404 `not_found`: there is no log yet.
#[utoipa::path(
    get, path = "/api/admin/v1/log", tag = "admin-evidence", operation_id = "log_standing",
    responses((status = 200, body = LogBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read"]))
)]
pub async fn log(State(app): State<Arc<App>>, _: May<Read>) -> Result<Response, Problem> {
    let log = app.store.log().await?.ok_or_else(|| Problem::absent("log yet"))?;
    let checkpoint =
        app.store.checkpoint().await?.ok_or_else(|| Problem::absent("checkpoint yet"))?;
    let head = Note::parse(&checkpoint).ok().and_then(|note| Checkpoint::parse(note.text()).ok());
    let head = head.ok_or_else(|| Problem::internal("the stored head of the log is invalid"))?;
    let last = match head.size.checked_sub(1) {
        Some(last) => app.store.log_entry(&head.origin, last).await?,
        None => None,
    };
    let last_entry_at = last
        .and_then(|entry| Entry::decode(&entry).ok())
        .map(|entry| entry.recorded_at().to_owned());
    let verified = app.store.last_verified().await?.map(|last| VerifiedBody {
        at: Instant::from_millis(last.at).to_string(),
        entries: last.entries,
        errors: last.errors,
    });
    let earlier =
        app.store.logs().await?.into_iter().filter(|earlier| earlier.origin != log.origin);
    let earlier = earlier.map(|log| EarlierLog { origin: log.origin, vkey: log.vkey }).collect();
    let counts = counts(&app).await?;
    Ok(private(&LogBody {
        origin: log.origin,
        vkey: log.vkey,
        size: head.size,
        submissions: counts.as_ref().map(|counts| counts.submissions),
        decisions: counts.map(|counts| counts.decisions),
        root: head.root.to_base64(),
        checkpoint,
        last_entry_at,
        verified,
        earlier,
    }))
}
