//! Server-Sent Events that announce a change of the configuration, without its content.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use serde::Serialize;

use super::{RequestHead, key};
use crate::access::limits::RateLimited;
use crate::flags::tickets::{KeyHash, TICKET_TTL};
use crate::http::wire::parameters::TicketQuery;
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::http::wire::query::query_pairs;
use crate::node::app::App;

/// The delay after which a client with too many streams may retry.
const RETRY_AFTER_S: u64 = 30;

/// A ticket that opens one stream.
#[derive(Serialize, utoipa::ToSchema)]
pub struct TicketBody {
    /// The ticket. Pass it as `?ticket=`. It works once.
    ticket: String,
    /// The lifetime of the ticket, in seconds.
    expires_in: u64,
}

/// Create a ticket that opens one stream.
///
/// The ticket is valid for 60 seconds and works once. A retry creates another ticket.
#[utoipa::path(
    post, path = "/api/flags/v3/stream-tickets", tag = "flags", operation_id = "stream_ticket",
    responses((status = 201, body = TicketBody), (status = "4XX", body = ProblemBody)),
    security(("flag_key" = []))
)]
pub fn ticket(app: &App, parts: &Parts) -> Result<Response, Problem> {
    let ticket = app.flags.tickets.issue(key::valid_key(app, parts)?, app.now());
    let body = TicketBody { ticket, expires_in: TICKET_TTL.as_secs() };
    let headers = [(header::CACHE_CONTROL, "private, no-store")];
    Ok((StatusCode::CREATED, headers, axum::Json(body)).into_response())
}

/// Stream changes of the configuration.
///
/// Server-Sent Events: `data: {"type":"refetchEvaluation","version":17}` within 100 ms of a change
/// that this node saved, and a heartbeat comment every 20 seconds. When the flag key of the ticket
/// is revoked, the stream ends at the next event or heartbeat.
///
/// - 401 `ticket_invalid`: the ticket is unknown, used or expired, or its key is revoked. Create
///   another ticket.
/// - 429 `rate_limited`: this IP address or key has too many open streams. Create another ticket
///   after the seconds in `Retry-After`.
#[utoipa::path(
    get, path = "/api/flags/v3/stream", tag = "flags", operation_id = "flag_stream",
    params(TicketQuery),
    responses((status = 200, content_type = "text/event-stream"), (status = "4XX", body = ProblemBody))
)]
pub async fn by_ticket(app: &App, head: RequestHead<'_>) -> Result<Response, Problem> {
    let ticket = parameter(head.parts, "ticket").ok_or_else(ticket_invalid)?;
    let key = app.flags.tickets.redeem(&ticket, &app.store, app.now()).await;
    stream(app, head, key.ok_or_else(ticket_invalid)?, None)
}

/// `GET /ofrep/v1/stream?access=…`: the address that OFREP clients receive. The stream ends when
/// the link expires. The client then fetches the flags and receives the next link.
pub fn by_link(app: &App, head: RequestHead<'_>) -> Result<Response, Problem> {
    let now = app.now();
    let link = parameter(head.parts, "access").ok_or_else(ticket_invalid)?;
    let (key, expires_at) = app.flags.tickets.linked(&link, now).ok_or_else(ticket_invalid)?;
    stream(app, head, key, Some(expires_at.since(now)))
}

pub fn parameter(parts: &Parts, name: &str) -> Option<String> {
    let mut pairs = query_pairs(parts.uri.query().unwrap_or_default());
    pairs.find(|(key, _)| key == name).map(|(_, value)| value)
}

fn last_seen(parts: &Parts) -> Option<&str> {
    parts.headers.get("last-event-id")?.to_str().ok()
}

fn ticket_invalid() -> Problem {
    Problem::new(
        StatusCode::UNAUTHORIZED,
        "ticket_invalid",
        "The ticket or link is unknown, used or expired. Request a new one.",
    )
}

fn stream(
    app: &App,
    head: RequestHead<'_>,
    key: KeyHash,
    lasts: Option<Duration>,
) -> Result<Response, Problem> {
    let access = app.ruleset.access_by_hash(&key).ok_or_else(ticket_invalid)?;
    // A client that loses its stream reconnects after some seconds.
    let too_many = RateLimited { retry_after_s: RETRY_AFTER_S };
    let limits = app.limits.held();
    let place =
        limits.map(|limits| limits.stream(head.address(app), &key).ok_or(too_many)).transpose()?;
    let changes = access.environment.changes.subscribe();
    let listener = app.flags.streams.open(changes, last_seen(head.parts), lasts);
    let listener = listener.ok_or_else(Problem::unavailable)?;
    // Only the ruleset, not the whole `app`: when a node with limited service starts the full
    // service, it replaces `app`, and a reference here would keep its streams open.
    let ruleset = Arc::clone(&app.ruleset);
    let frames = futures_util::stream::unfold((listener, place), move |(mut listener, place)| {
        let ruleset = Arc::clone(&ruleset);
        async move {
            let text = listener.next().await?;
            // A stream with a revoked key gets no further events.
            ruleset
                .has_key(&key)
                .then_some((Ok::<_, Infallible>(Bytes::from(text)), (listener, place)))
        }
    });
    let headers = [
        (header::CONTENT_TYPE, "text/event-stream; charset=utf-8"),
        (header::CACHE_CONTROL, "private, no-store, no-transform"),
        // Some proxies buffer a response before they forward it.
        (header::HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    Ok((headers, Body::from_stream(frames)).into_response())
}
