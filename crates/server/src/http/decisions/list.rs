//! Lists of evaluations.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use musette_core::decisions::Status;
use musette_core::instant::Instant;
use musette_core::markets::Market;
use musette_store::{EvaluationFilter, EvaluationOf, ReadAt};
use serde::Serialize;

use super::bodies::EvaluationBody;
use crate::decisions::RANDOM;
use crate::http::access::permission::{ReadPersonDecisions, Within};
use crate::http::wire::caching::private;
use crate::http::wire::page::cursor;
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::http::wire::query::{FromQuery, Parameters, Query};
use crate::node::app::App;
use crate::platform::closed_sets;

const LIMIT: i64 = 50;
const LIMIT_MAX: i64 = 200;

/// A page of evaluations.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct EvaluationPage {
    /// The evaluations.
    pub items: Vec<EvaluationBody>,
    /// The `after` of the next page. Null on the last page.
    #[schema(required)]
    pub next: Option<String>,
}

/// Filters of evaluations.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct EvaluationsQuery {
    /// Only evaluations with this status.
    #[param(value_type = Option<closed_sets::EvaluationStatus>)]
    status: Option<Status>,
    /// Only evaluations in this market and inside it.
    #[param(value_type = Option<String>)]
    market: Option<String>,
    /// Only evaluations of this rider.
    #[param(value_type = Option<String>)]
    user_id: Option<String>,
    /// Only open discussions whose answer is due before this time.
    #[param(value_type = Option<String>, format = DateTime)]
    due_before: Option<Instant>,
    /// Only evaluations of the work with exactly this reference.
    #[param(value_type = Option<String>, max_length = 200)]
    subject_reference: Option<String>,
}

/// A page of a list.
#[derive(Debug, Clone, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct After {
    /// The number of items per page. Default: 50.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200)]
    pub limit: i64,
    /// The `next` of the previous page. Absent for the first page.
    // Place and id of the last item of the previous page.
    #[param(value_type = Option<String>)]
    pub after: Option<(i64, String)>,
}

impl FromQuery for After {
    fn from_query(parameters: &Parameters) -> Result<Self, Problem> {
        let limit = |text: &str| text.parse().ok().filter(|n| (1..=LIMIT_MAX).contains(n));
        let limit = parameters.parsed("limit", limit, "a number from 1 to 200")?;
        let after = parameters.parsed("after", decode, "the 'next' of a previous page")?;
        Ok(Self { limit: limit.unwrap_or(LIMIT), after })
    }
}

impl After {
    /// Returns the page of these rows, of which one more than `limit` was read.
    pub fn of(
        &self,
        rows: Vec<EvaluationOf>,
        place: impl Fn(&EvaluationOf) -> i64,
        now: Instant,
    ) -> EvaluationPage {
        let (rows, next) = self.cut(rows, |row| (place(row), row.evaluation.id.as_str()));
        let items = rows.into_iter().map(|row| EvaluationBody::of(row.evaluation, now)).collect();
        EvaluationPage { items, next }
    }

    /// Returns the rows of the page, of which one more than `limit` was read, and its `next`. `key`
    /// returns place and id of a row.
    pub fn cut<T>(
        &self,
        mut rows: Vec<T>,
        key: impl Fn(&T) -> (i64, &str),
    ) -> (Vec<T>, Option<String>) {
        let limit = usize::try_from(self.limit).unwrap_or(usize::MAX);
        let has_more = rows.len() > limit;
        rows.truncate(limit);
        let last = rows.last().filter(|_| has_more).map(key);
        let next = last.map(|(place, id)| cursor(&format!("{place} {id}")));
        (rows, next)
    }
}

fn decode(text: &str) -> Option<(i64, String)> {
    use base64::Engine as _;
    let bytes = base64::engine::general_purpose::URL_SAFE_NO_PAD.decode(text).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    let (place, id) = text.split_once(' ')?;
    let id = super::requests::uuid(Some(id)).ok()?;
    Some((place.parse().ok()?, id))
}

impl FromQuery for EvaluationsQuery {
    fn from_query(parameters: &Parameters) -> Result<Self, Problem> {
        let owned = |name| parameters.text(name).map(str::to_owned);
        Ok(Self {
            status: parameters.parsed("status", Status::parse, "a status of an evaluation")?,
            market: owned("market"),
            user_id: owned("user_id"),
            due_before: parameters.instant("due_before")?,
            subject_reference: owned("subject_reference"),
        })
    }
}

/// List evaluations: open discussions by due date, then the newest first.
///
/// A role for some markets sees the evaluations in these markets.
///
/// - 400 `invalid_parameter`, `unknown_market`: a filter, the limit or the cursor is invalid.
#[utoipa::path(
    get, path = "/api/admin/v1/evaluations", tag = "admin-decisions",
    params(EvaluationsQuery, After),
    responses((status = 200, body = EvaluationPage), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read_person_decisions"]))
)]
pub async fn evaluations(
    State(app): State<Arc<App>>,
    Within { reach, .. }: Within<ReadPersonDecisions>,
    Query(query): Query<EvaluationsQuery>,
    Query(page): Query<After>,
) -> Result<Response, Problem> {
    let market: Option<Market> = match &query.market {
        None => None,
        Some(code) => Some(app.live.load().markets.asked(code)?),
    };
    let person = match &query.user_id {
        None => String::new(),
        Some(id) => {
            let users = app.store.user_places(&[id]).await?;
            match users.into_iter().next() {
                Some(user) => user.person,
                None => return Ok(private(&EvaluationPage { items: Vec::new(), next: None })),
            }
        }
    };
    let filter = EvaluationFilter {
        status: query.status.map(Status::as_str).unwrap_or_default().into(),
        market: reach.filter(market.as_ref()),
        due_before: query.due_before.map(Instant::millis),
        reference: query.subject_reference.unwrap_or_default(),
        person,
    };
    let read_at = ReadAt { random: RANDOM, now: app.now() };
    let (place, id) = page.after.clone().unwrap_or((i64::MIN, String::new()));
    let rows = app.store.evaluations(&filter, (place, &id), page.limit + 1, read_at).await?;
    Ok(private(&page.of(rows, |row| row.place, read_at.now)))
}
