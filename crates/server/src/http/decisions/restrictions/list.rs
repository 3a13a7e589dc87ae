//! Reads restrictions in the console.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use musette_core::decisions::restrictions::table::RestrictionStatus;
use musette_core::instant::Instant;
use musette_core::markets::Market;
use musette_store::{RESTRICTIONS_SUBJECT, ReadAt, RestrictionFilter, RestrictionOf};
use serde::Serialize;

use super::super::list::After;
use super::super::receipts::ReceiptList;
use super::super::requests::IdOf;
use super::bodies::{RestrictionBody, RestrictionDetail};
use super::written::absent;
use crate::decisions::RANDOM;
use crate::http::access::approvals::ApprovalBody;
use crate::http::access::caller::Caller;
use crate::http::access::permission::{Reach, ReadEvidence, ReadPersonDecisions, Within};
use crate::http::wire::caching::private;
use crate::http::wire::parameters::RestrictionPath;
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::http::wire::query::{FromQuery, Parameters, Query};
use crate::node::app::App;
use crate::platform::closed_sets;

/// A page of restrictions.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct RestrictionPage {
    /// The restrictions.
    pub items: Vec<RestrictionBody>,
    /// The `after` of the next page. Null on the last page.
    #[schema(required)]
    pub next: Option<String>,
}

impl RestrictionPage {
    /// Returns the page of these rows, of which one more than its limit was read.
    pub fn of(
        page: &After,
        rows: Vec<RestrictionOf>,
        place: impl Fn(&RestrictionOf) -> i64,
        now: Instant,
    ) -> Self {
        let (rows, next) = page.cut(rows, |row| (place(row), row.restriction.id.as_str()));
        let items = rows.into_iter().map(|row| RestrictionBody::of(row.restriction, now));
        Self { items: items.collect(), next }
    }
}

/// Filters of restrictions.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct RestrictionsQuery {
    /// Only restrictions with this status.
    #[param(value_type = Option<closed_sets::RestrictionStatus>)]
    status: Option<RestrictionStatus>,
    /// Only restrictions in this market and inside it.
    #[param(value_type = Option<String>)]
    market: Option<String>,
    /// Only restrictions of this rider.
    #[param(value_type = Option<String>)]
    user_id: Option<String>,
    /// Only open reviews whose answer is due before this time.
    #[param(value_type = Option<String>, format = DateTime)]
    due_before: Option<Instant>,
}

impl FromQuery for RestrictionsQuery {
    fn from_query(parameters: &Parameters) -> Result<Self, Problem> {
        let owned = |name| parameters.text(name).map(str::to_owned);
        let status = RestrictionStatus::parse;
        Ok(Self {
            status: parameters.parsed("status", status, "a status of a restriction")?,
            market: owned("market"),
            user_id: owned("user_id"),
            due_before: parameters.instant("due_before")?,
        })
    }
}

/// List restrictions: open reviews by due date, then the newest first.
///
/// A role for some markets sees the restrictions in these markets.
///
/// - 400 `invalid_parameter`, `unknown_market`: a filter, the limit or the cursor is invalid.
#[utoipa::path(
    get, path = "/api/admin/v1/restrictions", tag = "admin-decisions",
    params(RestrictionsQuery, After),
    responses((status = 200, body = RestrictionPage), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read_person_decisions"]))
)]
pub async fn restrictions(
    State(app): State<Arc<App>>,
    Within { reach, .. }: Within<ReadPersonDecisions>,
    Query(query): Query<RestrictionsQuery>,
    Query(page): Query<After>,
) -> Result<Response, Problem> {
    let market: Option<Market> = match &query.market {
        None => None,
        Some(code) => Some(app.live.load().markets.asked(code)?),
    };
    let person = match &query.user_id {
        None => String::new(),
        Some(id) => match app.store.user_places(&[id]).await?.into_iter().next() {
            Some(user) => user.person,
            None => return Ok(private(&RestrictionPage { items: Vec::new(), next: None })),
        },
    };
    let filter = RestrictionFilter {
        status: query.status.map(RestrictionStatus::as_str).unwrap_or_default().into(),
        market: reach.filter(market.as_ref()),
        due_before: query.due_before.map(Instant::millis),
        person,
    };
    let read_at = ReadAt { random: RANDOM, now: app.now() };
    let (place, id) = page.after.clone().unwrap_or((i64::MIN, String::new()));
    let rows = app.store.restrictions(&filter, (place, &id), page.limit + 1, read_at).await?;
    Ok(private(&RestrictionPage::of(&page, rows, |row| row.place, read_at.now)))
}

/// Returns the restriction, if the caller's markets cover it.
pub async fn find(
    app: &App,
    caller: &Caller,
    reach: &Reach,
    id: &str,
) -> Result<RestrictionOf, Problem> {
    let read_at = ReadAt { random: RANDOM, now: app.now() };
    let row = app.store.restriction(id, read_at).await?.ok_or_else(absent)?;
    if !reach.covers_code(row.restriction.market.as_deref()) {
        return Err(Problem::denied_to(&caller.subject));
    }
    Ok(row)
}

/// Read a restriction with every version.
///
/// A proposal has the `sha256` that `POST …/approvals` approves, and its approvals.
///
/// - 400 `invalid_parameter`: the id is not a UUID.
/// - 403 `permission_denied`: it is outside the caller's markets.
#[utoipa::path(
    get, path = "/api/admin/v1/restrictions/{id}", tag = "admin-decisions",
    params(RestrictionPath),
    responses((status = 200, body = RestrictionDetail), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read_person_decisions"]))
)]
pub async fn restriction(
    State(app): State<Arc<App>>,
    Within { caller, reach, .. }: Within<ReadPersonDecisions>,
    IdOf(id): IdOf,
) -> Result<Response, Problem> {
    let restriction = find(&app, &caller, &reach, &id).await?.restriction;
    let history = app.store.restriction_history(&id).await?;
    let kind = restriction.content.kind.as_str();
    let needed = app.store.approvals_needed(RESTRICTIONS_SUBJECT, kind).await?;
    let approvals = app.store.approvals(RESTRICTIONS_SUBJECT, &id, &restriction.sha256()).await?;
    let approvals = approvals.into_iter().map(ApprovalBody::from).collect();
    Ok(private(&RestrictionDetail::of(restriction, history, (needed, approvals), app.now())?))
}

/// List the receipts of a restriction: one for each version.
///
/// - 400 `invalid_parameter`: the id is not a UUID.
/// - 403 `permission_denied`: it is outside the caller's markets.
#[utoipa::path(
    get, path = "/api/admin/v1/restrictions/{id}/receipts", tag = "admin-decisions", operation_id = "restriction_receipts",
    params(RestrictionPath),
    responses((status = 200, body = ReceiptList), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read_evidence"]))
)]
pub async fn receipts(
    State(app): State<Arc<App>>,
    Within { caller, reach, .. }: Within<ReadEvidence>,
    IdOf(id): IdOf,
) -> Result<Response, Problem> {
    find(&app, &caller, &reach, &id).await?;
    Ok(private(&ReceiptList::of(app.store.restriction_receipts(&id).await?)))
}
