//! `POST v3/events` and `POST v3/metrics`: participations and metric values.

use std::collections::HashMap;
use std::sync::Arc;

use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use musette_core::instant::Instant;
use musette_store::{NewExposure, NewMetricValue, Series};
use serde::Serialize;

use super::RequestHead;
use super::refused::{RejectedRows, RejectionReason};
use super::report::{ProblemErrors, ReportItem};
use super::wire::{EventBody, MetricValueBody};
use crate::experiments::events::{ReportCounts, Rows, series};
use crate::experiments::units::open_hash;
use crate::flags::ruleset::{Access, KeyKind};
use crate::http::wire::json::{Bounds, Json};
use crate::http::wire::problem::{Problem, ProblemBody, ProblemError};
use crate::node::app::App;

const EVENTS_MAX: usize = 500;
/// Limits of a body of events or values. Each event has about ten members, and a few unknown ones.
pub const BOUNDS: Bounds = Bounds { bytes: 512 * 1024, values: 60 * EVENTS_MAX };
const DAY_MS: i64 = 24 * 60 * 60 * 1000;
/// 2020-01-01. A device without a clock battery starts in 1970, 2000 or 2015.
const EARLIEST: Instant = Instant::from_millis(1_577_836_800_000);

/// The numbers of stored and rejected rows of a report.
#[derive(Serialize, utoipa::ToSchema)]
pub struct ReportCountsBody {
    /// The number of rows that were stored.
    accepted: usize,
    /// The number of rows that were not stored again, because their `id` was reported before.
    duplicates: usize,
    /// The number of rows that were rejected: the configuration does not have their experiment,
    /// phase, variation, holdout or metric, or the value is outside the metric's bounds.
    refused: usize,
    /// The number of rows that were lost because the server is overloaded. Absent if none was lost.
    #[serde(skip_serializing_if = "is_zero")]
    dropped: usize,
    /// The reasons of the first 20 rejected rows. Absent if none was rejected.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(max_items = 20)]
    errors: Vec<ProblemError>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(n: &usize) -> bool {
    *n == 0
}

/// Reads the array and each of its items, and collects the errors of all of them.
fn each<'a, T>(
    json: &'a Json<'a>,
    read: impl Fn(&ReportItem<'a>, &mut ProblemErrors) -> Option<T>,
) -> Result<Vec<T>, Problem> {
    let mut errors = ProblemErrors::default();
    let Json::Array(items) = json else {
        errors.push(String::new(), "must be an array of 1 to 500 objects");
        return Err(errors.into_problem());
    };
    if items.is_empty() || items.len() > EVENTS_MAX {
        errors.push(String::new(), "must be an array of 1 to 500 objects");
        return Err(errors.into_problem());
    }
    let mut values = Vec::with_capacity(items.len());
    for (i, item) in items.iter().enumerate() {
        values.extend(read(&ReportItem { index: i, json: item }, &mut errors));
    }
    if errors.is_empty() { Ok(values) } else { Err(errors.into_problem()) }
}

struct Participation<'a> {
    id: &'a str,
    unit: String,
    at: Instant,
    kind: &'static str,
    /// The key of the experiment or the holdout.
    name: &'a str,
    phase: i64,
    /// The variation or the group.
    arm: &'a str,
}

fn participation<'a>(
    report: &ReportItem<'a>,
    errors: &mut ProblemErrors,
) -> Option<Participation<'a>> {
    let name = report.text("name", errors);
    let (id, unit, at) =
        (report.text("id", errors), report.unit(errors), report.instant("at", errors));
    let (kind, name, phase, arm) = match name? {
        "ab_test.participated" => {
            let (experiment, phase) =
                (report.text("experiment", errors), report.count("phase", errors));
            ("experiment", experiment, phase, report.text("variation", errors))
        }
        "holdout_group.participated" => {
            let holdout = report.text("holdout", errors);
            let group = report.text("group", errors);
            if group.is_some_and(|group| !matches!(group, "HELD_OUT" | "COMPARISON")) {
                report.error(
                    "group",
                    "must be HELD_OUT or COMPARISON; people in other groups are not counted",
                    errors,
                );
                return None;
            }
            ("holdout", holdout, Some(0), group)
        }
        _ => {
            let expected = "must be ab_test.participated or holdout_group.participated";
            report.error("name", expected, errors);
            return None;
        }
    };
    let (id, unit, at, name, phase, arm) = (id?, unit?, at?, name?, phase?, arm?);
    Some(Participation { id, unit, at, kind, name, phase, arm })
}

/// Report participations in experiments and holdouts.
///
/// The body has 1 to 500 events and at most 512 KiB. An event with an `id` that was reported before
/// is not counted again, so a retry is safe. If the configuration does not have an event's
/// experiment, phase, variation or holdout, only that event is rejected and counted in `refused`;
/// the others are stored.
///
/// - 429 `rate_limited`: too many events from this IP address or with this key. Retry after the
///   seconds in `Retry-After`.
#[utoipa::path(
    post, path = "/api/flags/v3/events", tag = "flags", operation_id = "flag_events",
    request_body = Vec<EventBody>,
    responses((status = 202, body = ReportCountsBody), (status = "4XX", body = ProblemBody), (status = 503, body = ProblemBody)),
    security(("flag_key" = []))
)]
pub async fn events(
    app: &Arc<App>,
    head: RequestHead<'_>,
    access: &Access,
    body: &Bytes,
) -> Result<Response, Problem> {
    let json = Json::parse(body)?;
    let events = each(&json, participation)?;
    app.limits.report(head.address(app), access, events.len())?;
    let (environment, snapshot) = (&access.environment.name, access.environment.snapshot());
    let now = app.now();
    let mut rejected = RejectedRows::default();
    let mut names: HashMap<(&str, &str, i64, &str), Result<Series, RejectionReason>> =
        HashMap::new();
    let mut rows = Vec::with_capacity(events.len());
    for (index, event) in events.iter().enumerate() {
        let Participation { kind, name, phase, arm, .. } = event;
        let series = names.entry((kind, name, *phase, arm)).or_insert_with(|| {
            let counts = match *kind {
                "holdout" => snapshot.counts_holdout(name),
                _ => snapshot.counts_arm(name, *phase, arm),
            };
            counts.map_err(RejectionReason::from)?;
            Ok(series(environment, kind, name, *phase, arm))
        });
        match series {
            Ok(series) => rows.push(NewExposure {
                id: open_hash(&["event", environment, event.id]),
                series: series.id,
                unit: app.flags.units.hash(&[&event.unit]),
                at: plausible(event.at, now).millis(),
                day: now.millis().div_euclid(DAY_MS),
            }),
            Err(reason) => rejected.add(index, *reason),
        }
    }
    let names = names.into_values().filter_map(Result::ok).collect();
    record(app, names, Rows::Exposures(rows), rejected).await
}

/// Returns the reported time, or the current time if the reported one is in the future or before
/// [`EARLIEST`]: then the device's clock is wrong.
fn plausible(at: Instant, now: Instant) -> Instant {
    if (EARLIEST..=now).contains(&at) { at } else { now }
}

/// The series of a metric, with its minimum and maximum.
type Measured = (Series, Option<(f64, f64)>);

struct Value<'a> {
    id: &'a str,
    unit: String,
    metric: &'a str,
    value: f64,
    at: Instant,
}

fn value<'a>(report: &ReportItem<'a>, errors: &mut ProblemErrors) -> Option<Value<'a>> {
    let id = report.text("id", errors);
    let unit = report.unit(errors);
    let metric = report.text("metric", errors);
    let value = report.number("value", errors);
    let at = report.instant("at", errors);
    Some(Value { id: id?, unit: unit?, metric: metric?, value: value?, at: at? })
}

/// Report values of metrics.
///
/// The body has 1 to 500 values and at most 512 KiB. A value with an `id` that was reported before
/// with a key of the same kind is not counted again, so a retry is safe. If the configuration
/// declares metrics, values of other metrics and values outside a metric's bounds are rejected and
/// counted in `refused`; the others are stored.
///
/// - 403 `permission_denied`: the key is a client key, and the configuration does not have
///   `"clientMetrics": true`.
/// - 429 `rate_limited`: too many values from this IP address or with this key. Retry after the
///   seconds in `Retry-After`.
#[utoipa::path(
    post, path = "/api/flags/v3/metrics", tag = "flags", operation_id = "flag_metrics",
    request_body = Vec<MetricValueBody>,
    responses((status = 202, body = ReportCountsBody), (status = "4XX", body = ProblemBody), (status = 503, body = ProblemBody)),
    security(("flag_key" = []))
)]
pub async fn metrics(
    app: &Arc<App>,
    head: RequestHead<'_>,
    access: &Access,
    body: &Bytes,
) -> Result<Response, Problem> {
    let json = Json::parse(body)?;
    let values = each(&json, value)?;
    let (environment, snapshot) = (&access.environment.name, access.environment.snapshot());
    if access.kind == KeyKind::Client && !snapshot.clients_report_metrics() {
        return Err(Problem::new(
            StatusCode::FORBIDDEN,
            "permission_denied",
            "Report metrics with a server key. Client keys may report them only if the configuration has \"clientMetrics\": true.",
        ));
    }
    app.limits.report(head.address(app), access, values.len())?;
    // The ids of client keys are separate. Otherwise anyone with a page's client key could use up
    // the ids of the server's values.
    let id_scope = if access.kind == KeyKind::Client { "client-metric" } else { "metric" };
    let now = app.now();
    let mut rejected = RejectedRows::default();
    let mut names: HashMap<&str, Result<Measured, RejectionReason>> = HashMap::new();
    let mut rows = Vec::with_capacity(values.len());
    for (index, reported) in values.iter().enumerate() {
        let Value { metric, value, .. } = reported;
        let name = names.entry(metric).or_insert_with(|| {
            let bounds = snapshot.metric_bounds(metric).map_err(RejectionReason::from)?;
            if bounds.is_none() {
                allow_undeclared(app, access, metric)?;
            }
            Ok((series(environment, "metric", metric, 0, ""), bounds))
        });
        match name {
            Ok((_, Some((min, max)))) if value < min || value > max => {
                rejected.add(index, RejectionReason::VALUE);
            }
            Ok((series, _)) => rows.push(NewMetricValue {
                id: open_hash(&[id_scope, environment, reported.id]),
                series: series.id,
                unit: app.flags.units.hash(&[&reported.unit]),
                value: *value,
                at: plausible(reported.at, now).millis(),
                day: now.millis().div_euclid(DAY_MS),
            }),
            Err(reason) => rejected.add(index, *reason),
        }
    }
    let names = names.into_values().filter_map(|name| name.ok().map(|(series, _)| series));
    record(app, names.collect(), Rows::Values(rows), rejected).await
}

/// Returns whether an undeclared metric may be recorded. A configuration without metrics accepts
/// any name from a server key, up to a limit.
fn allow_undeclared(app: &App, access: &Access, metric: &str) -> Result<(), RejectionReason> {
    if access.kind == KeyKind::Client {
        return Err(RejectionReason::METRIC);
    }
    let undeclared = &app.flags.events.undeclared;
    let is_accepted = undeclared.takes(&access.environment.name, metric, app.now());
    if is_accepted { Ok(()) } else { Err(RejectionReason::TOO_MANY) }
}

async fn record(
    app: &App,
    names: Vec<Series>,
    rows: Rows,
    rejected: RejectedRows,
) -> Result<Response, Problem> {
    let outcome = if rows.is_empty() {
        ReportCounts::default()
    } else {
        app.flags.events.record(names, rows).await?
    };
    let (count, errors) = rejected.into_errors();
    let body = ReportCountsBody {
        accepted: outcome.accepted,
        duplicates: outcome.duplicates,
        refused: count + outcome.refused,
        dropped: outcome.dropped,
        errors,
    };
    Ok((StatusCode::ACCEPTED, axum::Json(body)).into_response())
}

/// Checks a body before the check of its key.
pub fn checked_events(body: &Bytes) -> Result<(), Problem> {
    each(&Json::parse(body)?, |report, errors| participation(report, errors).map(drop)).map(drop)
}

pub fn checked_metrics(body: &Bytes) -> Result<(), Problem> {
    each(&Json::parse(body)?, |report, errors| value(report, errors).map(drop)).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_an_implausible_time_by_the_current_time() {
        let at = |text: &str| Instant::parse(text).expect("an instant");
        let now = at("2026-11-25T09:30:00Z");
        for (reported, expected) in [
            ("2026-11-25T09:29:59Z", "2026-11-25T09:29:59Z"),
            ("2020-01-01T00:00:00Z", "2020-01-01T00:00:00Z"),
            ("2019-12-31T23:59:59Z", "2026-11-25T09:30:00Z"),
            ("0001-01-02T00:00:00Z", "2026-11-25T09:30:00Z"),
            ("2026-11-25T09:30:01Z", "2026-11-25T09:30:00Z"),
        ] {
            assert_eq!(plausible(at(reported), now), at(expected), "{reported}");
        }
    }
}
