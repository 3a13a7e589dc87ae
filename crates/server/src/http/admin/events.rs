//! `GET /events`: what happened, for programs of the company.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use musette_core::instant::Instant;
use musette_store::{EVENT_TYPES, EventPage, StoreError, StoredEvent};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::app::App;
use crate::closed_sets;
use crate::http::caching::private;
use crate::http::permission::{May, ReadEvents};
use crate::http::problem::{Problem, ProblemBody};
use crate::http::query::{FromQuery, Parameters, Query};

const LIMIT: i64 = 100;
const LIMIT_MAX: i64 = 1000;
/// A longer wait counts as this one: proxies close connections on which nothing is sent for a minute.
const WAIT_MAX_S: u64 = 30;

/// Something that happened.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct OutboxEventBody {
    /// Identifies the event: the same in this list and in every delivery of a webhook.
    id: String,
    /// Numbers the events in the order in which they were recorded. Numbers grow, and are never given again.
    seq: i64,
    /// What happened.
    #[serde(rename = "type")]
    #[schema(value_type = closed_sets::EventType)]
    kind: String,
    /// When it happened.
    #[schema(format = DateTime)]
    at: String,
    /// More about the event, by its type. `user_id` is the person whom it is about, until they are erased.
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
    /// Pass it as `after` to read on. It also passes events of other types.
    next_after: i64,
}

/// Which events are wanted.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct EventsQuery {
    /// Only events after this number: `seq` of the last event known, or `next_after`. Absent: from the oldest
    /// event that is kept.
    #[param(minimum = 0)]
    after: Option<i64>,
    /// Types of events, separated by commas. Absent: all. No events of the types `notice.sent` and
    /// `notice.failed` are written yet. Events of the type `gate.changed` are written from the first read of
    /// them, or of the gate, on.
    #[param(value_type = Option<String>, example = "consent.recorded,consent.withdrawn")]
    types: Vec<&'static str>,
    /// The largest number of events, 100 by default.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 1000)]
    limit: i64,
    /// Seconds to wait for an event if there is none. More than 30 count as 30.
    #[param(value_type = Option<u32>, minimum = 0)]
    wait: Duration,
}

/// The seconds that a caller waits for something new.
pub fn wait(parameters: &Parameters) -> Result<Duration, Problem> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    // A number too long for any type is a long wait.
    let parse = |text: &str| is_number(text).then(|| text.parse().unwrap_or(WAIT_MAX_S));
    let seconds = parameters.parsed("wait", parse, "a number of seconds")?.unwrap_or(0);
    Ok(Duration::from_secs(seconds.min(WAIT_MAX_S)))
}

/// A number from 1 to `max`.
pub fn limit(parameters: &Parameters, default: i64, max: i64) -> Result<i64, Problem> {
    let Some(text) = parameters.first("limit") else { return Ok(default) };
    let limit = text.parse().ok().filter(|limit| (1..=max).contains(limit));
    limit.ok_or_else(|| Problem::invalid_parameter(format!("'limit' is a number from 1 to {max}.")))
}

impl FromQuery for EventsQuery {
    fn from_query(parameters: &Parameters) -> Result<Self, Problem> {
        let after = |text: &str| text.parse().ok().filter(|after| *after >= 0);
        let known = |text: &str| EVENT_TYPES.iter().copied().find(|kind| *kind == text);
        let types = |text: &str| text.split(',').map(known).collect::<Option<Vec<_>>>();
        Ok(Self {
            after: parameters.parsed("after", after, "the number of an event")?,
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
/// Nothing is skipped, also while several nodes write: whoever has read an event has been given every event before
/// it. With `wait` the answer comes as soon as there is an event of these types, and is empty when the time is
/// over. Events are kept for 90 days. 410 `events_gone`: events after `after` are not kept any more; read
/// without `after` from the oldest. 400 `invalid_parameter`: a type is unknown.
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
        app.keep_gate().await?;
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
                    return Ok(private(&EventsBody { items, next_after }));
                }
                // None of the events that were read has one of these types: go on behind them.
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
    let detail =
        "Events after this one are not kept any more. Read from the oldest: without 'after'.";
    Problem::new(StatusCode::GONE, "events_gone", detail)
}
