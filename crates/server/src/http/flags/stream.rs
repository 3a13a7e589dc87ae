//! Server-Sent Events: that the configuration has changed, never what.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use metrics::gauge;
use serde::Serialize;
use tokio::sync::watch;
use tokio::time::Instant;

use super::key;
use super::ticket::TICKET_TTL;
use crate::app::App;
use crate::http::problem::{Problem, ProblemBody};
use crate::http::query::query_pairs;

/// Proxies close what is silent for longer, and a peer that is gone is noticed by it.
const COMMENT_EVERY: Duration = Duration::from_secs(20);
/// About 20 kB each.
const OPEN_MAX: usize = 50_000;
/// After a lost connection; a fleet that comes back at once would be a storm.
const RETRY_MS: u32 = 3000;

/// The streams of this node.
pub struct Streams {
    open: Arc<AtomicUsize>,
    closing: watch::Sender<bool>,
}

impl Default for Streams {
    fn default() -> Self {
        Self { open: Arc::default(), closing: watch::Sender::new(false) }
    }
}

impl Streams {
    /// Ends all, and those that are opened from now on: a server that stops waits for what is open.
    pub fn close(&self) {
        self.closing.send_replace(true);
    }

    /// The answer that tells of every change of `versions` from now on, and at once when the
    /// listener's last one (`Last-Event-ID`) is another than the current one. It ends after `lasts`.
    pub fn open(
        &self,
        mut versions: watch::Receiver<u64>,
        last_seen: Option<&str>,
        lasts: Option<Duration>,
    ) -> Result<Response, Problem> {
        let guard = Open::new(&self.open);
        if guard.count > OPEN_MAX {
            return Err(Problem::unavailable());
        }
        let current = *versions.borrow_and_update();
        let missed = last_seen.is_some_and(|seen| seen.parse() != Ok(current));
        let mut first = format!("retry: {RETRY_MS}\n: open\n\n");
        if missed {
            first.push_str(&event(current));
        }
        let listener = Listener {
            versions,
            closing: self.closing.subscribe(),
            comment_at: Instant::now() + COMMENT_EVERY,
            first: Some(first),
            ends_at: lasts.map(|lasts| Instant::now() + lasts),
            _guard: guard,
        };
        let frames = futures_util::stream::unfold(listener, |mut listener| async {
            let text = listener.next().await?;
            Some((Ok::<_, Infallible>(Bytes::from(text)), listener))
        });
        let mut answer = Response::new(Body::from_stream(frames));
        *answer.status_mut() = StatusCode::OK;
        for (name, value) in [
            (header::CONTENT_TYPE, "text/event-stream; charset=utf-8"),
            (header::CACHE_CONTROL, "private, no-store, no-transform"),
            // Some proxies collect an answer before they pass it on.
            (header::HeaderName::from_static("x-accel-buffering"), "no"),
        ] {
            answer.headers_mut().insert(name, HeaderValue::from_static(value));
        }
        Ok(answer)
    }
}

/// The body of a new ticket.
#[derive(Serialize, utoipa::ToSchema)]
pub struct TicketBody {
    ticket: String,
    /// Seconds.
    expires_in: u64,
}

/// Opens one stream, within a minute.
#[utoipa::path(
    post, path = "/api/flags/v3/stream-tickets", tag = "flags", operation_id = "stream_ticket",
    responses((status = 201, body = TicketBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = []))
)]
pub fn ticket(app: &App, parts: &Parts) -> Result<Response, Problem> {
    let access = key::access(app, parts)?;
    let ticket = app.flags.tickets.issue(&access.environment.name, app.now());
    let body = TicketBody { ticket, expires_in: TICKET_TTL.as_secs() };
    let headers = [(header::CACHE_CONTROL, "private, no-store")];
    Ok((StatusCode::CREATED, headers, axum::Json(body)).into_response())
}

/// Server-Sent Events: `data: {"type":"refetchEvaluation","version"}` after each change.
#[utoipa::path(
    get, path = "/api/flags/v3/stream", tag = "flags", operation_id = "flag_stream",
    params(("ticket" = String, Query)),
    responses((status = 200, content_type = "text/event-stream"), (status = "4XX", body = ProblemBody))
)]
pub async fn by_ticket(app: &App, parts: &Parts) -> Result<Response, Problem> {
    let ticket = parameter(parts, "ticket").ok_or_else(used)?;
    let environment = app.flags.tickets.redeem(&ticket, &app.store, app.now()).await;
    let environment = environment.ok_or_else(used)?;
    let environment = app.ruleset.environment(&environment).ok_or_else(used)?;
    app.flags.streams.open(environment.changes.subscribe(), last_seen(parts), None)
}

/// `GET /ofrep/v1/stream?access=…`: the address that OFREP's clients are told. A stream ends with its
/// link; the client asks for the flags then, and is told the next.
pub fn by_link(app: &App, parts: &Parts) -> Result<Response, Problem> {
    let now = app.now();
    let link = parameter(parts, "access").ok_or_else(used)?;
    let (key, expires_at) = app.flags.tickets.linked(&link, now).ok_or_else(used)?;
    let access = app.ruleset.access_by_hash(&key).ok_or_else(used)?;
    let lasts = Some(expires_at.since(now));
    app.flags.streams.open(access.environment.changes.subscribe(), last_seen(parts), lasts)
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

/// Counted as long as it lives.
struct Open {
    open: Arc<AtomicUsize>,
    count: usize,
}

impl Open {
    fn new(open: &Arc<AtomicUsize>) -> Self {
        let count = open.fetch_add(1, Ordering::Relaxed) + 1;
        gauge!("musette_flag_streams").set(count as f64);
        Self { open: Arc::clone(open), count }
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        let before = self.open.fetch_sub(1, Ordering::Relaxed);
        gauge!("musette_flag_streams").set(before.saturating_sub(1) as f64);
    }
}

/// One listener. Nothing is kept for one that reads slowly: it is told the newest version when it
/// reads again.
struct Listener {
    versions: watch::Receiver<u64>,
    closing: watch::Receiver<bool>,
    comment_at: Instant,
    first: Option<String>,
    ends_at: Option<Instant>,
    _guard: Open,
}

impl Listener {
    /// What is sent next; none ends the stream.
    async fn next(&mut self) -> Option<String> {
        if let Some(first) = self.first.take() {
            return Some(first);
        }
        let text = tokio::select! {
            biased;
            _ = self.closing.wait_for(|is_closing| *is_closing) => return None,
            () = end(self.ends_at) => return None,
            changed = self.versions.changed() => {
                changed.ok()?;
                event(*self.versions.borrow_and_update())
            }
            () = tokio::time::sleep_until(self.comment_at) => ":\n\n".to_owned(),
        };
        self.comment_at = Instant::now() + COMMENT_EVERY;
        Some(text)
    }
}

async fn end(at: Option<Instant>) {
    match at {
        Some(at) => tokio::time::sleep_until(at).await,
        None => std::future::pending().await,
    }
}

fn event(version: u64) -> String {
    format!(
        "id: {version}\nevent: message\ndata: {{\"type\":\"refetchEvaluation\",\"version\":{version},\"etag\":\"{version}\"}}\n\n"
    )
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt as _;
    use tokio::sync::watch;

    use super::{COMMENT_EVERY, Streams};

    async fn next(body: &mut axum::body::Body) -> Option<String> {
        let frame = body.frame().await?.expect("it cannot fail");
        let data = frame.into_data().expect("data");
        Some(String::from_utf8(data.to_vec()).expect("text"))
    }

    #[tokio::test(start_paused = true)]
    async fn a_listener_hears_of_changes_and_of_life() {
        let (streams, versions) = (Streams::default(), watch::Sender::new(7));
        let answer = streams.open(versions.subscribe(), None, None).expect("opens");
        let mut body = answer.into_body();
        assert_eq!(next(&mut body).await.expect("a start"), "retry: 3000\n: open\n\n");
        versions.send_replace(8);
        let event = next(&mut body).await.expect("an event");
        assert_eq!(
            event,
            "id: 8\nevent: message\ndata: {\"type\":\"refetchEvaluation\",\"version\":8,\"etag\":\"8\"}\n\n"
        );
        let before = tokio::time::Instant::now();
        assert_eq!(next(&mut body).await.expect("a comment"), ":\n\n");
        assert_eq!(before.elapsed(), COMMENT_EVERY);
        // Whoever reads slowly hears the newest, once.
        for version in 9..100 {
            versions.send_replace(version);
        }
        assert!(next(&mut body).await.expect("an event").starts_with("id: 99\n"));
        streams.close();
        assert_eq!(next(&mut body).await, None);
    }

    #[tokio::test(start_paused = true)]
    async fn a_stream_ends_with_its_link() {
        let (streams, versions) = (Streams::default(), watch::Sender::new(7));
        let lasts = COMMENT_EVERY * 3 / 2;
        let answer = streams.open(versions.subscribe(), None, Some(lasts)).expect("opens");
        let mut body = answer.into_body();
        let before = tokio::time::Instant::now();
        next(&mut body).await.expect("a start");
        assert_eq!(next(&mut body).await.expect("a comment"), ":\n\n");
        assert_eq!(next(&mut body).await, None);
        assert_eq!(before.elapsed(), lasts);
    }

    #[tokio::test]
    async fn who_missed_something_hears_it_at_once() {
        let (streams, versions) = (Streams::default(), watch::Sender::new(7));
        for (last_seen, is_told) in [(None, false), (Some("7"), false), (Some("6"), true)] {
            let answer = streams.open(versions.subscribe(), last_seen, None).expect("opens");
            let first = next(&mut answer.into_body()).await.expect("a start");
            assert_eq!(first.contains("id: 7\n"), is_told, "{last_seen:?}");
        }
        assert_eq!(streams.open.load(std::sync::atomic::Ordering::Relaxed), 0, "none is open now");
    }
}
