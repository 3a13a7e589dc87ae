//! Time stamps (RFC 3161) of the log's checkpoints.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use musette_core::instant::Instant;
use musette_store::{StoredTimeStamp, TimeStampRow};

use super::log::{IMMUTABLE, TEXT, with_etag};
use crate::http::wire::problem::Problem;
use crate::node::app::App;

/// A time stamp of a checkpoint.
#[derive(serde::Serialize, utoipa::ToSchema)]
pub struct LogTimestamp {
    /// Number of the time stamp, from 1. Numbers grow and are never used again.
    #[schema(minimum = 1, example = 1)]
    n: i64,
    /// Number of entries of the checkpoint: the time stamp covers all entries with a smaller index.
    #[schema(minimum = 1, example = 4711)]
    size: i64,
    /// The time of the token (`genTime`), on the clock of the authority. All entries that it covers
    /// existed before.
    #[schema(value_type = String, format = DateTime, example = "2026-11-26T19:30:00.000Z")]
    at: String,
    /// The address of the time-stamping authority.
    #[schema(example = "https://tsa.larkspur.example/tsr")]
    tsa: String,
    /// The common name of the certificate that signed the token.
    #[schema(example = "Larkspur Time Stamping")]
    authority: String,
    /// The name of the log. An earlier log, which this one continues after a restore, has another
    /// name.
    #[schema(example = "terms.larkspur.example/0f1e2d3c4b5a6978")]
    origin: String,
}

impl From<TimeStampRow> for LogTimestamp {
    fn from(row: TimeStampRow) -> Self {
        let TimeStampRow { n, origin, size, at, tsa, authority } = row;
        Self { n, size, at: Instant::from_millis(at).to_string(), tsa, authority, origin }
    }
}

/// The time stamp in a path.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Path)]
pub struct TimestampPath {
    /// Number of the time stamp, from `GET /log/timestamps`.
    #[param(minimum = 1, example = 1)]
    #[expect(dead_code, reason = "only describes the path")]
    pub n: i64,
}

/// List the time stamps of the log.
///
/// Time-stamping authorities (RFC 3161) confirm that a checkpoint existed before a time. The list
/// has the oldest time stamp first.
#[utoipa::path(
    get, path = "/log/timestamps", tag = "log",
    responses((status = 200, body = Vec<LogTimestamp>), (status = 304))
)]
pub async fn timestamps(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let rows = app.store.timestamps().await?;
    let list: Vec<LogTimestamp> = rows.into_iter().map(LogTimestamp::from).collect();
    let body = serde_json::to_vec(&list).map_err(Problem::internal)?;
    let fixed = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/json")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
    ];
    Ok(with_etag(&headers, fixed, body))
}

/// Get a time stamp of the log.
///
/// The reply of the authority, byte for byte. `openssl ts -verify -in N.tsr -data N.checkpoint
/// -CAfile ca.pem` verifies it with the checkpoint.
///
/// - 404: there is no time stamp with this number.
#[utoipa::path(
    get, path = "/log/timestamps/{n}", tag = "log",
    params(TimestampPath),
    responses((status = 200, content_type = "application/timestamp-reply"), (status = 304), (status = 404))
)]
pub async fn timestamp(
    State(app): State<Arc<App>>,
    Path(n): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let stored = stored(&app, &n).await?;
    Ok(immutable(&headers, "application/timestamp-reply", stored.reply))
}

/// Get the checkpoint of a time stamp.
///
/// The signed note whose SHA-256 the token contains, byte for byte.
///
/// - 404: there is no time stamp with this number.
#[utoipa::path(
    get, path = "/log/timestamps/{n}/checkpoint", tag = "log",
    params(TimestampPath),
    responses((status = 200, body = String, content_type = "text/plain"), (status = 304), (status = 404))
)]
pub async fn stamped_checkpoint(
    State(app): State<Arc<App>>,
    Path(n): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let stored = stored(&app, &n).await?;
    Ok(immutable(&headers, TEXT, stored.checkpoint.into_bytes()))
}

async fn stored(app: &App, n: &str) -> Result<StoredTimeStamp, Problem> {
    let number: i64 = n.parse().map_err(|_| Problem::not_found())?;
    // One number has one path.
    if number.to_string() != n {
        return Err(Problem::not_found());
    }
    app.store.timestamp(number).await?.ok_or_else(Problem::not_found)
}

fn immutable(headers: &HeaderMap, content_type: &'static str, bytes: Vec<u8>) -> Response {
    let fixed = [
        (header::CONTENT_TYPE, HeaderValue::from_static(content_type)),
        (header::CACHE_CONTROL, HeaderValue::from_static(IMMUTABLE)),
    ];
    with_etag(headers, fixed, bytes)
}
