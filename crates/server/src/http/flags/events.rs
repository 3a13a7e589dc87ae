//! `POST v3/events` and `POST v3/metrics`: what clients report of participation, and what hosts
//! report of outcomes.

use std::collections::HashMap;
use std::sync::Arc;

use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use musette_core::instant::Instant;
use musette_store::{NewExposure, NewMetricValue, Series};
use serde::Serialize;

use super::Head;
use super::refused::{Refused, RefusedReason};
use super::report::{Faults, Report};
use super::wire::{EventBody, MetricValueBody};
use crate::app::App;
use crate::events::{ReportOutcome, Rows, series};
use crate::http::json::{Bounds, Json};
use crate::http::problem::{Fault, Problem, ProblemBody};
use crate::ruleset::{Access, KeyKind};
use crate::units::open_hash;

const EVENTS_MAX: usize = 500;
/// Limits of a body of events or values: each has some ten members, and a few that are not read.
pub const BOUNDS: Bounds = Bounds { bytes: 512 * 1024, values: 60 * EVENTS_MAX };
const DAY_MS: i64 = 24 * 60 * 60 * 1000;
/// 2020. A clock that has lost its time begins in 1970, 2000 or 2015.
const EARLIEST: Instant = Instant::from_millis(1_577_836_800_000);

/// How many rows of a report were stored.
#[derive(Serialize, utoipa::ToSchema)]
pub struct ReportCountsBody {
    /// Rows that were stored.
    accepted: usize,
    /// Rows that were not stored again, because their `id` was known.
    duplicates: usize,
    /// Rows that name an experiment, phase, variation, holdout or metric that the configuration
    /// does not have, or a value outside the metric's bounds.
    refused: usize,
    /// Rows that were lost because the service is overloaded. Absent if none was.
    #[serde(skip_serializing_if = "is_zero")]
    dropped: usize,
    /// Why rows were refused, for the first 20 of them. Absent if none was.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(max_items = 20)]
    errors: Vec<Fault>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(n: &usize) -> bool {
    *n == 0
}

/// Reads the array and each of its members; every fault of all of them is told at once.
fn each<'a, T>(
    json: &'a Json<'a>,
    read: impl Fn(&Report<'a>, &mut Faults) -> Option<T>,
) -> Result<Vec<T>, Problem> {
    let mut faults = Faults::default();
    let Json::Array(items) = json else {
        faults.push(String::new(), "an array of 1 to 500 objects");
        return Err(faults.into_problem());
    };
    if items.is_empty() || items.len() > EVENTS_MAX {
        faults.push(String::new(), "an array of 1 to 500 objects");
        return Err(faults.into_problem());
    }
    let mut found = Vec::with_capacity(items.len());
    for (i, item) in items.iter().enumerate() {
        found.extend(read(&Report { place: i, json: item }, &mut faults));
    }
    if faults.is_empty() { Ok(found) } else { Err(faults.into_problem()) }
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

fn participation<'a>(report: &Report<'a>, faults: &mut Faults) -> Option<Participation<'a>> {
    let name = report.text("name", faults);
    let (id, unit, at) =
        (report.text("id", faults), report.unit(faults), report.instant("at", faults));
    let (kind, name, phase, arm) = match name? {
        "ab_test.participated" => {
            let (experiment, phase) =
                (report.text("experiment", faults), report.count("phase", faults));
            ("experiment", experiment, phase, report.text("variation", faults))
        }
        "holdout_group.participated" => {
            let holdout = report.text("holdout", faults);
            let group = report.text("group", faults);
            if group.is_some_and(|group| !matches!(group, "HELD_OUT" | "COMPARISON")) {
                report.fault("group", "HELD_OUT or COMPARISON; the others are not counted", faults);
                return None;
            }
            ("holdout", holdout, Some(0), group)
        }
        _ => {
            let known = "ab_test.participated or holdout_group.participated";
            report.fault("name", known, faults);
            return None;
        }
    };
    let (id, unit, at, name, phase, arm) = (id?, unit?, at?, name?, phase?, arm?);
    Some(Participation { id, unit, at, kind, name, phase, arm })
}

/// Report who took part in experiments and holdouts.
///
/// 1 to 500 events, at most 512 KiB. An event with an `id` that was reported before is not counted again, so a
/// repeat is safe. Events of experiments, phases, variations and holdouts that the configuration does not have are
/// refused one by one and counted in `refused`; the others are stored. 429 `rate_limited`: too many events from
/// this address or with this key; repeat after `Retry-After` seconds.
#[utoipa::path(
    post, path = "/api/flags/v3/events", tag = "flags", operation_id = "flag_events",
    request_body = Vec<EventBody>,
    responses((status = 202, body = ReportCountsBody), (status = "4XX", body = ProblemBody), (status = 503, body = ProblemBody)),
    security(("flag_key" = []))
)]
pub async fn events(
    app: &Arc<App>,
    head: Head<'_>,
    access: &Access,
    body: &Bytes,
) -> Result<Response, Problem> {
    let json = Json::parse(body)?;
    let events = each(&json, participation)?;
    app.limits.report(head.address(app), access, events.len())?;
    let (environment, snapshot) = (&access.environment.name, access.environment.snapshot());
    let now = app.now();
    let mut refused = Refused::default();
    let mut names: HashMap<(&str, &str, i64, &str), Result<Series, RefusedReason>> = HashMap::new();
    let mut rows = Vec::with_capacity(events.len());
    for (place, it) in events.iter().enumerate() {
        let name = names.entry((it.kind, it.name, it.phase, it.arm)).or_insert_with(|| {
            let counts = match it.kind {
                "holdout" => snapshot.counts_holdout(it.name),
                _ => snapshot.counts_arm(it.name, it.phase, it.arm),
            };
            counts.map_err(RefusedReason::from)?;
            Ok(series(environment, it.kind, it.name, it.phase, it.arm))
        });
        match name {
            Ok(name) => rows.push(NewExposure {
                id: open_hash(&["event", environment, it.id]),
                series: name.id,
                unit: app.flags.units.hash(&[&it.unit]),
                at: plausible(it.at, now).millis(),
                day: now.millis().div_euclid(DAY_MS),
            }),
            Err(reason) => refused.add(place, *reason),
        }
    }
    let names = names.into_values().filter_map(Result::ok).collect();
    record(app, names, Rows::Exposures(rows), refused).await
}

/// What is reported of the future, or of before there was anything to report, is of a phone whose clock is wrong: it is
/// taken as of now.
fn plausible(at: Instant, now: Instant) -> Instant {
    if (EARLIEST..=now).contains(&at) { at } else { now }
}

/// The series of a metric, and its least and greatest value.
type Measured = (Series, Option<(f64, f64)>);

struct Value<'a> {
    id: &'a str,
    unit: String,
    metric: &'a str,
    value: f64,
    at: Instant,
}

fn value<'a>(report: &Report<'a>, faults: &mut Faults) -> Option<Value<'a>> {
    let id = report.text("id", faults);
    let unit = report.unit(faults);
    let metric = report.text("metric", faults);
    let value = report.number("value", faults);
    let at = report.instant("at", faults);
    Some(Value { id: id?, unit: unit?, metric: metric?, value: value?, at: at? })
}

/// Report values of metrics.
///
/// 1 to 500 values, at most 512 KiB, with a server key; with a client key only if the configuration has
/// `"clientMetrics": true` (otherwise 403 `permission_denied`). A value with an `id` that was reported before with a
/// key of the same kind is not counted again, so a repeat is safe. If the configuration declares metrics, values of others and values
/// outside a metric's bounds are refused one by one and counted in `refused`. 429 `rate_limited`: too many values
/// from this address or with this key; repeat after `Retry-After` seconds.
#[utoipa::path(
    post, path = "/api/flags/v3/metrics", tag = "flags", operation_id = "flag_metrics",
    request_body = Vec<MetricValueBody>,
    responses((status = 202, body = ReportCountsBody), (status = "4XX", body = ProblemBody), (status = 503, body = ProblemBody)),
    security(("flag_key" = []))
)]
pub async fn metrics(
    app: &Arc<App>,
    head: Head<'_>,
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
            "Metrics are reported with a server key, unless the configuration has \"clientMetrics\": true.",
        ));
    }
    app.limits.report(head.address(app), access, values.len())?;
    // Whoever has the client key of a page could use up the ids of the server's values before it sends them.
    let whose = if access.kind == KeyKind::Client { "client-metric" } else { "metric" };
    let now = app.now();
    let mut refused = Refused::default();
    let mut names: HashMap<&str, Result<Measured, RefusedReason>> = HashMap::new();
    let mut rows = Vec::with_capacity(values.len());
    for (place, it) in values.iter().enumerate() {
        let name = names.entry(it.metric).or_insert_with(|| {
            let bounds = snapshot.metric_bounds(it.metric).map_err(RefusedReason::from)?;
            if bounds.is_none() {
                undeclared(app, access, it.metric)?;
            }
            Ok((series(environment, "metric", it.metric, 0, ""), bounds))
        });
        match name {
            Ok((_, Some((min, max)))) if it.value < *min || it.value > *max => {
                refused.add(place, RefusedReason::VALUE);
            }
            Ok((name, _)) => rows.push(NewMetricValue {
                id: open_hash(&[whose, environment, it.id]),
                series: name.id,
                unit: app.flags.units.hash(&[&it.unit]),
                value: it.value,
                at: plausible(it.at, now).millis(),
                day: now.millis().div_euclid(DAY_MS),
            }),
            Err(reason) => refused.add(place, *reason),
        }
    }
    let names = names.into_values().filter_map(|it| it.ok().map(|(name, _)| name)).collect();
    record(app, names, Rows::Values(rows), refused).await
}

/// A metric of a configuration that declares none: a server's word is enough, within reason.
fn undeclared(app: &App, access: &Access, metric: &str) -> Result<(), RefusedReason> {
    if access.kind == KeyKind::Client {
        return Err(RefusedReason::METRIC);
    }
    let takes = app.flags.events.undeclared.takes(&access.environment.name, metric, app.now());
    if takes { Ok(()) } else { Err(RefusedReason::TOO_MANY) }
}

async fn record(
    app: &App,
    names: Vec<Series>,
    rows: Rows,
    refused: Refused,
) -> Result<Response, Problem> {
    let taken = if rows.is_empty() {
        ReportOutcome::default()
    } else {
        app.flags.events.record(names, rows).await?
    };
    let (count, errors) = refused.into_faults();
    let body = ReportCountsBody {
        accepted: taken.accepted,
        duplicates: taken.duplicates,
        refused: count + taken.refused,
        dropped: taken.dropped,
        errors,
    };
    Ok((StatusCode::ACCEPTED, axum::Json(body)).into_response())
}

/// Checks of a body that precede the check of its key.
pub fn checked_events(body: &Bytes) -> Result<(), Problem> {
    each(&Json::parse(body)?, |report, faults| participation(report, faults).map(drop)).map(drop)
}

pub fn checked_metrics(body: &Bytes) -> Result<(), Problem> {
    each(&Json::parse(body)?, |report, faults| value(report, faults).map(drop)).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_is_wrong_is_taken_as_now() {
        let at = |text: &str| Instant::parse(text).expect("an instant");
        let now = at("2026-11-25T09:30:00Z");
        for (reported, taken) in [
            ("2026-11-25T09:29:59Z", "2026-11-25T09:29:59Z"),
            ("2020-01-01T00:00:00Z", "2020-01-01T00:00:00Z"),
            ("2019-12-31T23:59:59Z", "2026-11-25T09:30:00Z"),
            ("0001-01-02T00:00:00Z", "2026-11-25T09:30:00Z"),
            ("2026-11-25T09:30:01Z", "2026-11-25T09:30:00Z"),
        ] {
            assert_eq!(plausible(at(reported), now), at(taken), "{reported}");
        }
    }
}
