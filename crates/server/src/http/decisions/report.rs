//! `/reports/decisions`: counts by month and market, for representatives. No person, message or
//! reason is in them.

mod body;

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use musette_core::decisions::Status;
use musette_core::decisions::report::{MonthCounts, ReportRow, report_rows};
use musette_core::decisions::restrictions::{RestrictionKind, ReviewOutcome};
use musette_core::instant::Instant;
use musette_core::markets::Market;
use musette_store::DecisionCounts;

use crate::decisions::RANDOM;
use crate::http::access::permission::{Reach, ReadReports, Within};
use crate::http::wire::caching::private;
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::http::wire::query::{FromQuery, Parameters, Query};
use crate::markets::common;
use crate::node::app::App;
pub use body::DecisionsReport;

/// The longest period of a report in months.
const MONTHS_MAX: i64 = 120;

/// A calendar month in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Month {
    /// Months since the year 0.
    number: i64,
}

impl Month {
    /// Parses `YYYY-MM`.
    fn parse(text: &str) -> Option<Self> {
        let (year, month) = text.split_once('-')?;
        let is_digits = |part: &str, count: usize| {
            part.len() == count && part.bytes().all(|byte| byte.is_ascii_digit())
        };
        if !is_digits(year, 4) || !is_digits(month, 2) {
            return None;
        }
        let (year, month): (i64, i64) = (year.parse().ok()?, month.parse().ok()?);
        // The month after the last one must also have a timestamp.
        let is_valid = (1..=12).contains(&month) && (1..=9998).contains(&year);
        is_valid.then_some(Self { number: year * 12 + month - 1 })
    }

    /// Returns the first instant.
    fn start(self) -> Option<Instant> {
        Instant::parse(&format!("{self}-01T00:00:00Z")).ok()
    }

    const fn next(self) -> Self {
        Self { number: self.number + 1 }
    }
}

impl std::fmt::Display for Month {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:04}-{:02}", self.number.div_euclid(12), self.number.rem_euclid(12) + 1)
    }
}

/// The format of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum ReportFormat {
    #[default]
    Json,
    Csv,
}

/// The period, market and format of a report.
#[derive(Debug, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ReportQuery {
    /// The first month, `YYYY-MM` in UTC.
    #[param(value_type = String, pattern = "^[0-9]{4}-[0-9]{2}$")]
    from: Month,
    /// The last month, which is included. At most 120 months.
    #[param(value_type = String, pattern = "^[0-9]{4}-[0-9]{2}$")]
    to: Month,
    /// Only this market and the markets inside it.
    #[param(value_type = Option<String>)]
    market: Option<String>,
    /// The format. Default: `json`.
    #[param(value_type = Option<crate::platform::closed_sets::ReportFormat>)]
    format: ReportFormat,
}

impl FromQuery for ReportQuery {
    fn from_query(parameters: &Parameters) -> Result<Self, Problem> {
        let month = |name: &str| {
            let month = parameters.parsed(name, Month::parse, "a month such as 2026-11")?;
            month.ok_or_else(|| Problem::invalid_parameter(format!("'{name}' is missing.")))
        };
        let (from, to) = (month("from")?, month("to")?);
        if from > to || to.number - from.number >= MONTHS_MAX {
            return Err(Problem::invalid_parameter(
                "'from' must not be later than 'to', and the period has at most 120 months.",
            ));
        }
        let format = |text: &str| match text {
            "json" => Some(ReportFormat::Json),
            "csv" => Some(ReportFormat::Csv),
            _ => None,
        };
        let format = parameters.parsed("format", format, "json or csv")?.unwrap_or_default();
        Ok(Self { from, to, market: parameters.text("market").map(str::to_owned), format })
    }
}

/// Count evaluations, contests and restrictions by month and market.
///
/// Evaluations count in the month in which they were created, with their contests, and restrictions
/// in the month in which they start, with their reviews; months are in UTC. The counts of a market
/// include the markets inside it. The row without a market counts everything, also outside of any
/// market; it is absent if the caller's role is for some markets, or a market is requested.
///
/// A count below 10, also zero, is `<10`. A total that would give such a count away is null. Times
/// of fewer than 10 answers are null. The figures of a row are the same for all callers.
///
/// - 400 `invalid_parameter`: a month is missing or malformed, `from` is later than `to`, or the
///   period has more than 120 months.
/// - 400 `unknown_market`: the market is malformed, or its place is not declared.
/// - 403 `permission_denied`: the caller's role does not cover the market.
#[utoipa::path(
    get, path = "/api/admin/v1/reports/decisions", tag = "admin-decisions",
    operation_id = "decisions_report",
    params(ReportQuery),
    responses(
        (status = 200, content((DecisionsReport = "application/json"), (String = "text/csv"))),
        (status = "4XX", body = ProblemBody)
    ),
    security(("bearer" = ["read_reports"]))
)]
pub async fn report(
    State(app): State<Arc<App>>,
    Within { caller, reach, .. }: Within<ReadReports>,
    Query(query): Query<ReportQuery>,
) -> Result<Response, Problem> {
    let requested = match &query.market {
        None => None,
        Some(code) => Some(app.live.load().markets.asked(code)?),
    };
    let visible = Visible::of(&reach, requested.as_ref())
        .ok_or_else(|| Problem::denied_to(&caller.subject))?;
    let rows = all_rows(&app, &query).await?;
    let rows: Vec<(Month, ReportRow)> =
        rows.into_iter().filter(|(_, row)| visible.includes(row.market.as_ref())).collect();
    let report = DecisionsReport::new(query.from, query.to, &rows);
    if query.format == ReportFormat::Json {
        return Ok(private(&report));
    }
    let name = format!("attachment; filename=\"decisions-{}-{}.csv\"", query.from, query.to);
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8"),
        (header::CACHE_CONTROL, "private, no-store"),
        (header::CONTENT_DISPOSITION, name.as_str()),
    ];
    Ok((headers, report.csv()).into_response())
}

/// The rows that a caller may see and has requested. None: all.
struct Visible(Option<Vec<Market>>);

impl Visible {
    /// Returns none if the caller may not see any row of the requested market.
    fn of(reach: &Reach, requested: Option<&Market>) -> Option<Self> {
        let markets = match (&reach.markets, requested) {
            (None, None) => return Some(Self(None)),
            (None, Some(market)) => vec![market.clone()],
            (Some(all), None) => all.clone(),
            (Some(all), Some(market)) => common(market, all),
        };
        (!markets.is_empty()).then_some(Self(Some(markets)))
    }

    fn includes(&self, market: Option<&Market>) -> bool {
        let Some(markets) = &self.0 else { return true };
        market.is_some_and(|market| markets.iter().any(|outer| market.is_within(outer)))
    }
}

/// Returns the rows of all markets. Which figures are suppressed must not depend on the caller.
async fn all_rows(app: &App, query: &ReportQuery) -> Result<Vec<(Month, ReportRow)>, Problem> {
    app.store.settle_decisions(RANDOM, app.now()).await?;
    let mut months = Vec::new();
    let mut month = query.from;
    while month <= query.to {
        let (Some(from), Some(until)) = (month.start(), month.next().start()) else { break };
        months.push((month, tallies(app.store.decision_counts(from, until).await?)));
        month = month.next();
    }
    // A market has a row in each month, so that no row states by its absence that there was nothing.
    let live = app.live.load();
    let declared = live.markets.all().map(|market| market.code.clone());
    let used = app.store.people_by_market().await?.into_iter().map(|(code, _)| code);
    let codes = declared.chain(used).filter_map(|code| Market::from_stored(&code));
    let counted = months.iter().flat_map(|(_, tallies)| tallies.keys().flatten().cloned());
    let mut markets: Vec<Market> = codes.chain(counted).collect();
    markets.sort_unstable();
    markets.dedup();
    let around: Vec<Market> = markets.iter().flat_map(Market::with_around).collect();
    let rows = months.into_iter().flat_map(|(month, tallies)| {
        let rows = report_rows(around.iter().cloned(), &tallies);
        rows.into_iter().map(move |row| (month, row))
    });
    Ok(rows.collect())
}

type Tallies = BTreeMap<Option<Market>, MonthCounts>;

fn tallies(counts: DecisionCounts) -> Tallies {
    let mut tallies = Tallies::new();
    let place = |code: Option<&str>| code.and_then(Market::from_stored);
    let number = |n: i64| u64::try_from(n).unwrap_or_default();
    for row in counts.evaluations {
        let Some(status) = Status::parse(&row.status) else { continue };
        let tally = tallies.entry(place(row.market.as_deref())).or_default();
        tally.add_evaluations(status, row.contested != 0, row.overturned != 0, number(row.n));
    }
    for row in counts.answers {
        let tally = tallies.entry(place(row.market.as_deref())).or_default();
        let times = [row.first_answer_ms, row.second_answer_ms];
        times.into_iter().flatten().for_each(|millis| tally.add_answer(millis));
    }
    for row in counts.restrictions {
        let Some(kind) = RestrictionKind::parse(&row.kind) else { continue };
        let review = row.review.as_deref().map(ReviewOutcome::parse);
        let tally = tallies.entry(place(row.market.as_deref())).or_default();
        tally.add_restrictions(kind, review, number(row.n));
    }
    tallies
}

#[cfg(test)]
mod tests {
    use super::Month;

    #[test]
    fn parses_only_calendar_months() {
        for (text, expected) in [
            ("2026-11", Some("2026-11-01T00:00:00.000Z")),
            ("2024-02", Some("2024-02-01T00:00:00.000Z")),
            ("2026-00", None),
            ("2026-13", None),
            ("2026-1", None),
            ("26-11", None),
            ("2026-11-01", None),
            ("+026-11", None),
            ("9999-12", None),
            ("0000-01", None),
        ] {
            let start = Month::parse(text).and_then(Month::start);
            assert_eq!(start.map(|at| at.to_string()).as_deref(), expected, "{text}");
        }
        let december = Month::parse("2026-12").expect("a month");
        assert_eq!(december.next().to_string(), "2027-01");
    }
}
