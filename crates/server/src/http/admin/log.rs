//! `GET /log`: how the evidence log stands.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use musette_core::instant::Instant;
use musette_core::log::checkpoint::Checkpoint;
use musette_core::log::entry::Entry;
use musette_core::log::note::Note;
use serde::Serialize;

use crate::app::App;
use crate::http::caching::private;
use crate::http::caller::Operator;
use crate::http::problem::{Problem, ProblemBody};

#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct LogBody {
    pub origin: String,
    /// The verifier key.
    pub vkey: String,
    /// Entries.
    pub size: u64,
    /// In base64.
    pub root: String,
    /// The signed head, to be kept outside.
    pub checkpoint: String,
    /// RFC 3339; absent while the log is empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_entry_at: Option<String>,
    /// Of `musette log verify`; absent when it was never run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verified: Option<VerifiedBody>,
    /// Logs that this store went on from after a restore, the oldest first.
    pub earlier: Vec<EarlierLog>,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct VerifiedBody {
    pub at: String,
    pub entries: i64,
    /// None is good; more than 100 are not counted.
    pub faults: i64,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct EarlierLog {
    pub origin: String,
    pub vkey: String,
}

/// Size and head of the log, and when it was last verified.
#[utoipa::path(
    get, path = "/api/admin/v1/log", tag = "admin", operation_id = "log_standing",
    responses((status = 200, body = LogBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = []))
)]
pub async fn log(State(app): State<Arc<App>>, _operator: Operator) -> Result<Response, Problem> {
    let log = app.store.log().await?.ok_or_else(Problem::not_found)?;
    let checkpoint = app.store.checkpoint().await?.ok_or_else(Problem::not_found)?;
    let head = Note::parse(&checkpoint).ok().and_then(|note| Checkpoint::parse(note.text()).ok());
    let head = head.ok_or_else(|| Problem::internal("the stored head of the log is none"))?;
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
        faults: last.faults,
    });
    let earlier = app.store.logs().await?.into_iter().filter(|it| it.origin != log.origin);
    let earlier = earlier.map(|it| EarlierLog { origin: it.origin, vkey: it.vkey }).collect();
    Ok(private(&LogBody {
        origin: log.origin,
        vkey: log.vkey,
        size: head.size,
        root: head.root.to_base64(),
        checkpoint,
        last_entry_at,
        verified,
        earlier,
    }))
}
