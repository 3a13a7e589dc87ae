//! `GET /events`: events for the company's other systems.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use musette_core::instant::Instant;
use musette_store::{EVENT_TYPES, EventPage, StoreError, StoredEvent};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::http::access::permission::{May, ReadEvents};
use crate::http::wire::caching::private;
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::http::wire::query::{FromQuery, Parameters, Query};
use crate::node::app::App;
use crate::platform::closed_sets;

const LIMIT: i64 = 100;
const LIMIT_MAX: i64 = 1000;
/// The longest wait. Proxies close connections that are idle for a minute.
const WAIT_MAX_S: u64 = 30;

/// An event.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct OutboxEventBody {
    /// The id of the event. It is the same in this list and in every delivery of a webhook.
    id: String,
    /// The number of the event, in the order of recording. Numbers increase and are never reused.
    seq: i64,
    /// The type of the event.
    #[serde(rename = "type")]
    #[schema(value_type = closed_sets::EventType)]
    kind: String,
    /// The time of the event.
    #[schema(format = DateTime)]
    at: String,
    /// Details of the event, by its type: docs/integration.md lists the fields. `user_id` is the
    /// person that the event concerns, until that person is erased.
    #[schema(value_type = Object)]
    data: Box<RawValue>,
}

impl TryFrom<StoredEvent> for OutboxEventBody {
    type Error = StoreError;

    fn try_from(event: StoredEvent) -> Result<Self, StoreError> {
        let (id, data) = (event.id(), event.data()?);
        let at = Instant::from_millis(event.at).to_string();
        Ok(Self { id, seq: event.seq, kind: event.kind, at, data })
    }
}

/// Events, oldest first.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct EventsBody {
    /// The events.
    items: Vec<OutboxEventBody>,
    /// The value of `after` for the next request: an opaque text of at most 200 visible ASCII
    /// characters. It also skips events of other types.
    #[schema(max_length = 200)]
    cursor: String,
    /// The number in `cursor`, for clients of earlier versions.
    #[schema(minimum = 0)]
    next_after: i64,
}

/// Options of the list of events.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct EventsQuery {
    /// Only events after this place: the `cursor` of the last response, or the `seq` of an event.
    /// Absent: from the oldest stored event.
    #[param(value_type = Option<String>, max_length = 200)]
    after: Option<i64>,
    /// The types of events, separated by commas. Absent: all types. The server does not record
    /// events of the types `notice.sent` and `notice.failed` yet. It records `gate.changed` only
    /// after the first request for this type, or for the gate.
    #[param(value_type = Option<String>, example = "consent.recorded,consent.withdrawn")]
    types: Vec<&'static str>,
    /// The maximum number of events. Default: 100.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 1000)]
    limit: i64,
    /// The time to wait for an event if there is none, in seconds. More than 30 counts as 30.
    #[param(value_type = Option<u32>, minimum = 0)]
    wait: Duration,
}

/// The first byte of a cursor. Another byte would mean another format.
const CURSOR: u8 = 1;

/// Returns the cursor after the event with this number.
fn cursor(after: i64) -> String {
    let mut bytes = vec![CURSOR];
    bytes.extend(after.to_be_bytes());
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Parses a cursor, or the number of an event, which earlier clients send.
fn place(text: &str) -> Option<i64> {
    let number = text.parse().ok().or_else(|| {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let number = bytes.strip_prefix(&[CURSOR])?;
        Some(i64::from_be_bytes(number.try_into().ok()?))
    });
    number.filter(|number| *number >= 0)
}

/// Parses the time that a caller waits for new entries.
pub fn wait(parameters: &Parameters) -> Result<Duration, Problem> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    // A number that is too large for any type counts as the longest wait.
    let parse = |text: &str| is_number(text).then(|| text.parse().unwrap_or(WAIT_MAX_S));
    let seconds = parameters.parsed("wait", parse, "a number of seconds")?.unwrap_or(0);
    Ok(Duration::from_secs(seconds.min(WAIT_MAX_S)))
}

/// Parses `limit`: a number from 1 to `max`.
pub fn limit(parameters: &Parameters, default: i64, max: i64) -> Result<i64, Problem> {
    let Some(text) = parameters.first("limit") else { return Ok(default) };
    let limit = text.parse().ok().filter(|limit| (1..=max).contains(limit));
    limit.ok_or_else(|| {
        Problem::invalid_parameter(format!("'limit' must be a number from 1 to {max}."))
    })
}

impl FromQuery for EventsQuery {
    fn from_query(parameters: &Parameters) -> Result<Self, Problem> {
        let event_type = |text: &str| EVENT_TYPES.iter().copied().find(|kind| *kind == text);
        let types = |text: &str| text.split(',').map(event_type).collect::<Option<Vec<_>>>();
        Ok(Self {
            after: parameters.parsed("after", place, "the cursor of a response")?,
            types: parameters
                .parsed("types", types, "a list of types of events, such as consent.recorded")?
                .unwrap_or_else(|| EVENT_TYPES.to_vec()),
            limit: limit(parameters, LIMIT, LIMIT_MAX)?,
            wait: wait(parameters)?,
        })
    }
}

/// List events, oldest first.
///
/// The list has no gaps, even while several nodes write: a client that has read an event has
/// received every event before it. With `wait`, the server responds as soon as there is an event of
/// these types, or with an empty list when the time is over. Events are stored for 90 days.
///
/// - 400 `invalid_parameter`: a type is unknown.
/// - 410 `events_gone`: events after `after` were deleted. Read without `after` from the oldest.
#[utoipa::path(
    get, path = "/api/admin/v1/events", tag = "admin-integration",
    params(EventsQuery),
    responses((status = 200, body = EventsBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read_events"]))
)]
pub async fn events(
    State(app): State<Arc<App>>,
    May { caller, .. }: May<ReadEvents>,
    Query(query): Query<EventsQuery>,
) -> Result<Response, Problem> {
    let until = tokio::time::Instant::now() + query.wait;
    if query.types.contains(&"gate.changed") {
        app.enable_gate().await?;
    }
    let mut newest = app.store.newest_event();
    let mut after = query.after;
    loop {
        newest.mark_unchanged();
        match app.store.events_after(after, &query.types, query.limit).await? {
            EventPage::Gone => return Err(gone()),
            EventPage::Kept(events, next_after) => {
                let is_over = app.is_draining() || tokio::time::Instant::now() >= until;
                if !events.is_empty() || is_over {
                    let items = events.into_iter().map(OutboxEventBody::try_from);
                    let items = items.collect::<Result<_, _>>()?;
                    let cursor = cursor(next_after);
                    return Ok(private(&EventsBody { items, cursor, next_after }));
                }
                // No event that was read has one of these types. Continue after them.
                after = Some(next_after);
            }
        }
        tokio::select! {
            _ = newest.changed() => {}
            () = app.drained() => {}
            () = tokio::time::sleep_until(until) => {}
        }
        caller.check_still_valid(&app).await?;
    }
}

fn gone() -> Problem {
    let detail = "Events after this one were deleted. Read without 'after' from the oldest.";
    Problem::new(StatusCode::GONE, "events_gone", detail)
}

#[cfg(test)]
mod tests {
    use super::{cursor, place};

    #[test]
    fn a_cursor_and_the_number_of_an_event_name_the_same_place() {
        for seq in [0, 1, 4711, i64::MAX] {
            assert_eq!(place(&cursor(seq)), Some(seq));
            assert_eq!(place(&seq.to_string()), Some(seq));
        }
        let other_format = cursor(7).replacen('A', "B", 1);
        for text in ["", "-1", "1.5", "x", "AQ", other_format.as_str()] {
            assert_eq!(place(text), None, "{text}");
        }
    }
}
