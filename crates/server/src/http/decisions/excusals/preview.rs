//! Which evaluations an excusal would change, and which it cannot change.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use musette_core::decisions::{Evaluation, Rules, Status, judge};
use musette_core::instant::Instant;
use musette_store::{ReadAt, WorkFilter};
use serde::Serialize;

use super::body::EVALUATIONS_MAX;
use super::reach;
use crate::decisions::RANDOM;
use crate::decisions::excusals::{author, request};
use crate::http::access::permission::{Dispatch, Within};
use crate::http::wire::caching::private;
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::http::wire::query::{FromQuery, Parameters, Query};
use crate::node::app::App;
use crate::platform::closed_sets;

/// The longest period, so that the list reads a small part of all evaluations.
const PERIOD_MAX_MS: i64 = 7 * 24 * 60 * 60 * 1000;

/// Filters of evaluations by their work.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ExcusalQuery {
    /// The work began at or after this time.
    #[param(value_type = String, format = DateTime)]
    starts_from: Instant,
    /// The work began before this time, at most 7 days later.
    #[param(value_type = String, format = DateTime)]
    starts_until: Instant,
    /// Only evaluations in this market and inside it.
    #[param(value_type = Option<String>)]
    market: Option<String>,
    /// Only evaluations with this status.
    #[param(value_type = Option<closed_sets::EvaluationStatus>)]
    status: Option<Status>,
    /// Only evaluations of this rider.
    #[param(value_type = Option<String>)]
    user_id: Option<String>,
    /// Only evaluations of the work with exactly this reference.
    #[param(value_type = Option<String>, max_length = 200)]
    subject_reference: Option<String>,
}

impl FromQuery for ExcusalQuery {
    fn from_query(parameters: &Parameters) -> Result<Self, Problem> {
        let owned = |name| parameters.text(name).map(str::to_owned);
        let required = |name| {
            let missing = || Problem::invalid_parameter(format!("'{name}' is missing."));
            parameters.instant(name)?.ok_or_else(missing)
        };
        let (starts_from, starts_until) = (required("starts_from")?, required("starts_until")?);
        if !(1..=PERIOD_MAX_MS).contains(&(starts_until.millis() - starts_from.millis())) {
            let detail = "'starts_until' must be after 'starts_from', by at most 7 days.";
            return Err(Problem::invalid_parameter(detail));
        }
        Ok(Self {
            starts_from,
            starts_until,
            market: owned("market"),
            status: parameters.parsed("status", Status::parse, "a status of an evaluation")?,
            user_id: owned("user_id"),
            subject_reference: owned("subject_reference"),
        })
    }
}

/// An evaluation that matches the filters.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct ExcusalCandidateBody {
    /// The id of the evaluation.
    #[schema(format = "uuid")]
    id: String,
    /// The user id of the rider.
    user_id: String,
    /// The status.
    #[schema(value_type = closed_sets::EvaluationStatus)]
    status: &'static str,
    /// The current version.
    #[schema(minimum = 1)]
    version: i64,
    /// The company's own name of the work.
    reference: String,
    /// When the work began.
    #[schema(format = DateTime)]
    starts_at: String,
    /// The market. Null: none.
    #[schema(required)]
    market: Option<String>,
    /// Why it cannot be excused: the code of the error. Absent if it can be.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(pattern = "^[a-z][a-z0-9_]*$")]
    code: Option<&'static str>,
}

/// What an excusal would change.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct ExcusalPreview {
    /// The evaluations that match, at most 2,000, oldest work first.
    items: Vec<ExcusalCandidateBody>,
    /// The number of those that can be excused.
    excusable: usize,
    /// The number of their riders.
    riders: usize,
    /// True if more evaluations match.
    has_more: bool,
}

impl ExcusalCandidateBody {
    fn of(evaluation: Evaluation, subject: &str, now: Instant) -> Self {
        let request = request(evaluation.version, BTreeMap::new());
        let caller = author(subject).caller;
        let judged = judge(&evaluation, &caller, &request, false, Rules::default(), now);
        Self {
            id: evaluation.id,
            user_id: evaluation.user_id,
            status: evaluation.status.as_str(),
            version: evaluation.version,
            reference: evaluation.subject.reference,
            starts_at: Instant::from_millis(evaluation.subject.starts_at).to_string(),
            market: evaluation.market,
            code: judged.err().map(|refusal| refusal.code()),
        }
    }
}

/// List what an excusal would change.
///
/// It returns which evaluations match, which of them can be excused, and why others cannot.
/// A discussion cannot be excused: a reviewer answers each one by itself. It changes nothing.
///
/// - 400 `invalid_parameter`, `unknown_market`: a filter is invalid, or the period is longer than 7 days.
/// - 403 `human_required`: only a person may do this, and no service key.
#[utoipa::path(
    get, path = "/api/admin/v1/excusals/preview", tag = "admin-decisions", operation_id = "preview_excusal",
    params(ExcusalQuery),
    responses((status = 200, body = ExcusalPreview), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["dispatch"]))
)]
pub async fn preview(
    State(app): State<Arc<App>>,
    Within { caller, .. }: Within<Dispatch>,
    Query(query): Query<ExcusalQuery>,
) -> Result<Response, Problem> {
    let reach = reach::<Dispatch>(&caller)?;
    let market = match &query.market {
        None => None,
        Some(code) => Some(app.live.load().markets.asked(code)?),
    };
    let users = match &query.user_id {
        None => Vec::new(),
        Some(id) => app.store.user_places(&[id]).await?,
    };
    let mut rows = Vec::new();
    let read_at = ReadAt { random: RANDOM, now: app.now() };
    if query.user_id.is_none() || !users.is_empty() {
        let filter = WorkFilter {
            starts_from: query.starts_from.millis(),
            starts_until: query.starts_until.millis(),
            market: reach.filter(market.as_ref()),
            status: query.status.map(Status::as_str).unwrap_or_default().into(),
            reference: query.subject_reference.unwrap_or_default(),
            person: users.into_iter().next().map(|user| user.person).unwrap_or_default(),
        };
        let limit = i64::try_from(EVALUATIONS_MAX).unwrap_or(i64::MAX) + 1;
        rows = app.store.evaluations_by_work(&filter, limit, read_at).await?;
    }
    let has_more = rows.len() > EVALUATIONS_MAX;
    rows.truncate(EVALUATIONS_MAX);
    let items = rows
        .into_iter()
        .map(|row| ExcusalCandidateBody::of(row.evaluation, &caller.subject, read_at.now));
    let items: Vec<ExcusalCandidateBody> = items.collect();
    let excusable = items.iter().filter(|item| item.code.is_none());
    let riders = excusable.clone().map(|item| item.user_id.as_str()).collect::<HashSet<_>>().len();
    let excusable = excusable.count();
    Ok(private(&ExcusalPreview { excusable, riders, items, has_more }))
}
