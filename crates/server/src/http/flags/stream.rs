//! Server-Sent Events: that the configuration has changed, never what.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use serde::Serialize;

use super::{Head, key};
use crate::app::App;
use crate::flags::tickets::{KeyHash, TICKET_TTL};
use crate::http::parameters::TicketQuery;
use crate::http::problem::{Problem, ProblemBody};
use crate::http::query::query_pairs;
use crate::limits::RateLimited;

/// After which a client may ask again that has as many streams as it may.
const RETRY_AFTER_S: u64 = 30;

/// A ticket that opens one stream.
#[derive(Serialize, utoipa::ToSchema)]
pub struct TicketBody {
    /// Pass it as `?ticket=`. It can be used once.
    ticket: String,
    /// Seconds for which the ticket is valid.
    expires_in: u64,
}

/// Create a ticket that opens one stream.
///
/// The ticket is valid for 60 seconds and one use. A repeat creates another.
#[utoipa::path(
    post, path = "/api/flags/v3/stream-tickets", tag = "flags", operation_id = "stream_ticket",
    responses((status = 201, body = TicketBody), (status = "4XX", body = ProblemBody)),
    security(("flag_key" = []))
)]
pub fn ticket(app: &App, parts: &Parts) -> Result<Response, Problem> {
    let ticket = app.flags.tickets.issue(key::known(app, parts)?, app.now());
    let body = TicketBody { ticket, expires_in: TICKET_TTL.as_secs() };
    let headers = [(header::CACHE_CONTROL, "private, no-store")];
    Ok((StatusCode::CREATED, headers, axum::Json(body)).into_response())
}

/// Stream changes of the configuration.
///
/// Server-Sent Events: `data: {"type":"refetchEvaluation","version":17}` within 100 ms of a change that this node
/// saved, and a comment every 20 seconds. When the flag key of the ticket is revoked, the stream ends at the next
/// event or comment. 401 `ticket_invalid`: the ticket is unknown, used or expired, or its key is revoked; create another. 429
/// `rate_limited`: this address or key has as many open streams as it may; create another ticket after `Retry-After` seconds.
#[utoipa::path(
    get, path = "/api/flags/v3/stream", tag = "flags", operation_id = "flag_stream",
    params(TicketQuery),
    responses((status = 200, content_type = "text/event-stream"), (status = "4XX", body = ProblemBody))
)]
pub async fn by_ticket(app: &App, head: Head<'_>) -> Result<Response, Problem> {
    let ticket = parameter(head.parts, "ticket").ok_or_else(used)?;
    let key = app.flags.tickets.redeem(&ticket, &app.store, app.now()).await;
    stream(app, head, key.ok_or_else(used)?, None)
}

/// `GET /ofrep/v1/stream?access=…`: the address that OFREP's clients are told. A stream ends with its
/// link; the client asks for the flags then, and is told the next.
pub fn by_link(app: &App, head: Head<'_>) -> Result<Response, Problem> {
    let now = app.now();
    let link = parameter(head.parts, "access").ok_or_else(used)?;
    let (key, expires_at) = app.flags.tickets.linked(&link, now).ok_or_else(used)?;
    stream(app, head, key, Some(expires_at.since(now)))
}

pub fn parameter(parts: &Parts, name: &str) -> Option<String> {
    let mut pairs = query_pairs(parts.uri.query().unwrap_or_default());
    pairs.find(|(found, _)| found == name).map(|(_, value)| value)
}

fn last_seen(parts: &Parts) -> Option<&str> {
    parts.headers.get("last-event-id")?.to_str().ok()
}

fn used() -> Problem {
    Problem::new(
        StatusCode::UNAUTHORIZED,
        "ticket_invalid",
        "This does not open a stream, or not any more; ask for a new ticket.",
    )
}

fn stream(
    app: &App,
    head: Head<'_>,
    key: KeyHash,
    lasts: Option<Duration>,
) -> Result<Response, Problem> {
    let access = app.ruleset.access_by_hash(&key).ok_or_else(used)?;
    // A client that loses its streams asks again in some seconds.
    let too_many = RateLimited { retry_after_s: RETRY_AFTER_S };
    let held = app.limits.held();
    let place =
        held.map(|held| held.stream(head.address(app), &key).ok_or(too_many)).transpose()?;
    let changes = access.environment.changes.subscribe();
    let listener = app.flags.streams.open(changes, last_seen(head.parts), lasts);
    let listener = listener.ok_or_else(Problem::unavailable)?;
    // Not the whole of `app`: a node that served a part replaces it, which ends its streams.
    let ruleset = Arc::clone(&app.ruleset);
    let frames = futures_util::stream::unfold((listener, place), move |(mut listener, place)| {
        let ruleset = Arc::clone(&ruleset);
        async move {
            let text = listener.next().await?;
            // Whoever holds a key that was revoked hears of no change any more.
            ruleset
                .has_key(&key)
                .then_some((Ok::<_, Infallible>(Bytes::from(text)), (listener, place)))
        }
    });
    let headers = [
        (header::CONTENT_TYPE, "text/event-stream; charset=utf-8"),
        (header::CACHE_CONTROL, "private, no-store, no-transform"),
        // Some proxies collect an answer before they pass it on.
        (header::HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    Ok((headers, Body::from_stream(frames)).into_response())
}
