//! Liveness, readiness, metrics and public keys.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::http::layers::deadline::REPLICATION_WAITS;
use crate::http::wire::problem::Problem;
use crate::node::app::App;
use crate::node::gauges;
use crate::platform::closed_sets;

/// The process is running.
#[derive(Serialize, utoipa::ToSchema)]
pub struct HealthBody {
    /// Always `ok`.
    #[schema(value_type = closed_sets::HealthStatus)]
    status: &'static str,
}

/// The server is ready for requests.
#[derive(Serialize, utoipa::ToSchema)]
pub struct ReadyBody {
    /// Always `ready`.
    #[schema(value_type = closed_sets::ReadyStatus)]
    status: &'static str,
    /// The revision of the terms, people and keys that this node serves.
    revision: i64,
    /// The flag configurations that this node serves.
    flags: ReadyFlags,
    /// True if PostgreSQL is set to confirm a commit only after a standby has it. Absent with
    /// SQLite.
    #[serde(skip_serializing_if = "Option::is_none")]
    synchronous: Option<bool>,
}

/// The flag configurations that a node serves.
#[derive(Serialize, utoipa::ToSchema)]
pub struct ReadyFlags {
    /// The revision of the configurations.
    revision: i64,
    /// The time since the configurations were last compared with the database, in seconds.
    stale_seconds: u64,
}

/// Check that the process is running.
///
/// A liveness probe: it does not query the database. Use `/readyz` to decide whether to send
/// requests to this node.
#[utoipa::path(get, path = "/healthz", tag = "operations", responses((status = 200, body = HealthBody)))]
pub async fn healthz() -> Response {
    no_store(Json(HealthBody { status: "ok" }))
}

/// Check that the server is ready for requests.
///
/// A readiness probe: the database responds, its schema is current, and no commit has been waiting
/// for a standby for 2 seconds.
///
/// - 503 `unavailable`: one of these conditions is not met, or the server is stopping.
#[utoipa::path(get, path = "/readyz", tag = "operations", responses((status = 200, body = ReadyBody), (status = 503)))]
pub async fn readyz(State(app): State<Arc<App>>) -> Result<Response, Problem> {
    if app.is_draining() {
        return Err(Problem::unavailable());
    }
    let flags_stale_s = app.ruleset.stale_for(app.now()).as_secs();
    let cut_off = || Problem::cut_off(flags_stale_s);
    if app.flags_only {
        return Err(cut_off());
    }
    let replication = app.store.replication(app.settings.store_within).await;
    let replication = replication.map_err(|_| cut_off())?;
    let waited = replication.map(|status| status.waited).unwrap_or_default();
    if waited >= REPLICATION_WAITS {
        return Err(Problem::replication_waits(waited));
    }
    let revision = app.live.load().revision;
    let flags = ReadyFlags { revision: app.ruleset.revision(), stale_seconds: flags_stale_s };
    let synchronous = replication.map(|status| status.is_synchronous);
    Ok(no_store(Json(ReadyBody { status: "ready", revision, flags, synchronous })))
}

/// Returns the metrics as Prometheus text. Served on `--metrics-listen` only, so the API document
/// does not list it.
pub fn metrics(app: &App) -> Response {
    gauges::set(app);
    let text = app.metrics.render();
    no_store(([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text))
}

/// A JWK Set (RFC 7517).
#[derive(Serialize, utoipa::ToSchema)]
pub struct JwksBody {
    /// The keys that currently verify access tokens.
    keys: Vec<JwkBody>,
}

/// A public key: JWK (RFC 7517) of Ed25519 (RFC 8037).
#[derive(Serialize, utoipa::ToSchema)]
pub struct JwkBody {
    /// The key type, `OKP`.
    #[schema(pattern = "^OKP$")]
    kty: String,
    /// The curve, `Ed25519`.
    #[schema(pattern = "^Ed25519$")]
    crv: String,
    /// The public key, in base64url.
    x: String,
    /// The id of the key, as in the header of tokens.
    kid: String,
    /// The algorithm, `EdDSA`.
    #[schema(pattern = "^EdDSA$")]
    alg: String,
    /// The use of the key, `sig`: signatures.
    #[schema(pattern = "^sig$")]
    r#use: String,
}

/// List the keys that verify access tokens.
///
/// A JWK Set (RFC 7517). It may be cached for 5 minutes.
#[utoipa::path(get, path = "/.well-known/jwks.json", tag = "session", responses((status = 200, body = JwksBody)))]
pub async fn jwks(State(app): State<Arc<App>>) -> Response {
    let body = app.live.load().keys.jwks(app.now());
    ([(header::CACHE_CONTROL, "public, max-age=300")], Json(body)).into_response()
}

fn no_store(body: impl IntoResponse) -> Response {
    (StatusCode::OK, [(header::CACHE_CONTROL, "no-store")], body).into_response()
}
