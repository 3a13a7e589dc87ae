//! The public evidence log: C2SP `tlog-tiles`, and the verifier key.

use std::sync::Arc;

use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use musette_core::log::tile::{Resource, WIDTH, encode_entries};
use musette_store::Log;

use crate::http::wire::caching::none_match;
use crate::http::wire::parameters::TilePath;
use crate::http::wire::problem::Problem;
use crate::node::app::App;
use crate::platform::etag;

pub(super) const IMMUTABLE: &str = "public, max-age=31536000, immutable";
/// A partial tile is obsolete once the tile is full.
const PARTIAL: &str = "public, max-age=600";
pub(super) const TEXT: &str = "text/plain; charset=utf-8";

/// The choice of a checkpoint.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct CheckpointQuery {
    /// Selects the newest checkpoint that the witnesses of `--witness-policy` have cosigned. The value
    /// is ignored.
    #[param(required = false, allow_reserved, example = "")]
    #[expect(dead_code, reason = "only describes the query")]
    pub cosigned: Option<String>,
}

/// Get the newest signed checkpoint of the log.
///
/// A C2SP checkpoint. With `?cosigned`, the newest one that a quorum of witnesses has cosigned, with
/// their signatures. `If-None-Match` is supported.
///
/// - 404 `not_found`: with `?cosigned`, no checkpoint fulfils the policy, or the server has none.
#[utoipa::path(
    get, path = "/log/checkpoint", tag = "log",
    params(CheckpointQuery),
    responses((status = 200, body = String, content_type = "text/plain"), (status = 304), (status = 404))
)]
pub async fn checkpoint(
    State(app): State<Arc<App>>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let query = query.unwrap_or_default();
    let mut names = query.split('&').map(|pair| pair.split('=').next().unwrap_or_default());
    let checkpoint = if names.any(|name| name == "cosigned") {
        match &app.settings.witness_policy {
            Some(policy) => policy.newest_fulfilled(&app.store).await?,
            None => None,
        }
    } else {
        app.store.checkpoint().await?
    };
    Ok(text(&headers, checkpoint.ok_or_else(Problem::not_found)?))
}

/// Get the verifier key of the log.
///
/// The response is one line: a C2SP vkey.
#[utoipa::path(
    get, path = "/log/key", tag = "log",
    responses((status = 200, body = String, content_type = "text/plain"), (status = 304))
)]
pub async fn key(State(app): State<Arc<App>>, headers: HeaderMap) -> Result<Response, Problem> {
    let log = app.store.log().await?.ok_or_else(Problem::not_found)?;
    Ok(text(&headers, log.vkey + "\n"))
}

/// List the verifier keys of all logs, newest first.
///
/// The response has one C2SP vkey per line: those of the current log, then those of the earlier logs
/// that it continues after a restore. An older receipt is signed with an older key. A log that signs
/// or signed with ML-DSA-44 too has a second line.
#[utoipa::path(
    get, path = "/log/keys", tag = "log",
    responses((status = 200, body = String, content_type = "text/plain"), (status = 304))
)]
pub async fn keys(State(app): State<Arc<App>>, headers: HeaderMap) -> Result<Response, Problem> {
    let logs = app.store.logs().await?;
    let lines = logs.iter().rev().flat_map(Log::vkeys).map(|vkey| format!("{vkey}\n"));
    Ok(text(&headers, lines.collect()))
}

/// Get a tile of the log.
///
/// C2SP `tlog-tiles`: the hashes of a level, or the entries. A full tile never changes and may be
/// cached without limit.
///
/// - 404: the log does not have the tile.
#[utoipa::path(
    get, path = "/log/tile/{path}", tag = "log",
    params(TilePath),
    responses((status = 200, content_type = "application/octet-stream"), (status = 304), (status = 404))
)]
pub async fn tile(
    State(app): State<Arc<App>>,
    Path(path): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let logs = app.store.logs().await?;
    let current = app.store.log().await?.ok_or_else(Problem::not_found)?;
    // After a restore, another log has this path, so caches must revalidate.
    let caching = if logs.len() == 1 { Caching::Immutable } else { Caching::Revalidate };
    tile_of(&app, &current, &path, &headers, caching).await
}

/// Returns a tile of the log with this name, the last part of its origin. Its content never
/// changes.
pub async fn named_tile(
    State(app): State<Arc<App>>,
    Path((name, path)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let log = log_named(&app, &name).await?;
    tile_of(&app, &log, &path, &headers, Caching::Immutable).await
}

/// Returns the newest checkpoint of the log with this name. An earlier log keeps its last
/// checkpoint.
pub async fn named_checkpoint(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let log = log_named(&app, &name).await?;
    let checkpoint = app.store.checkpoint_of(&log).await?.ok_or_else(Problem::not_found)?;
    Ok(text(&headers, checkpoint))
}

async fn log_named(app: &App, name: &str) -> Result<Log, Problem> {
    let mut logs = app.store.logs().await?.into_iter();
    logs.find(|log| log.name() == name).ok_or_else(Problem::not_found)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Caching {
    /// A full tile never changes.
    Immutable,
    Revalidate,
}

async fn tile_of(
    app: &App,
    log: &Log,
    path: &str,
    headers: &HeaderMap,
    caching: Caching,
) -> Result<Response, Problem> {
    let resource = Resource::parse(&format!("tile/{path}")).map_err(|_| Problem::not_found())?;
    let (bytes, width) = match resource {
        Resource::Hashes(tile) => (app.store.log_tile(log, tile).await?, tile.width),
        Resource::Entries { index, width } => {
            let entries = app.store.log_bundle(log, index, width).await?;
            (entries.and_then(|entries| encode_entries(&entries).ok()), width)
        }
    };
    let bytes = bytes.ok_or_else(Problem::not_found)?;
    let caching = match caching {
        Caching::Revalidate => "no-cache",
        Caching::Immutable if width == WIDTH => IMMUTABLE,
        Caching::Immutable => PARTIAL,
    };
    let fixed = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/octet-stream")),
        (header::CACHE_CONTROL, HeaderValue::from_static(caching)),
    ];
    Ok(with_etag(headers, fixed, bytes))
}

fn text(headers: &HeaderMap, text: String) -> Response {
    let fixed = [
        (header::CONTENT_TYPE, HeaderValue::from_static(TEXT)),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
    ];
    with_etag(headers, fixed, text.into_bytes())
}

pub(super) fn with_etag(
    headers: &HeaderMap,
    fixed: [(header::HeaderName, HeaderValue); 2],
    bytes: Vec<u8>,
) -> Response {
    let etag = etag::of_bytes(&bytes);
    let tag = [(header::ETAG, etag.clone())];
    if none_match(headers, &etag) {
        return (StatusCode::NOT_MODIFIED, fixed, tag).into_response();
    }
    (fixed, tag, bytes).into_response()
}
