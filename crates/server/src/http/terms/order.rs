//! `GET|PUT /terms/order`: the order in which the documents of a type are shown.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use musette_core::terms::{DocumentVersions, TermType, documents, language_ranges, reordered};
use musette_store::{ActionApproval, Clearance};
use serde::{Deserialize, Serialize};

use super::console::title;
use super::endings::with_proposal;
use crate::http::access::approvals::BreakGlassQuery;
use crate::http::access::audit::{audit_action, event_about};
use crate::http::access::permission::{ManageTerms, May, Reach, ReadTerms, Within};
use crate::http::wire::body::{Body, changed_meanwhile, if_match, revised};
use crate::http::wire::language::accept_language;
use crate::http::wire::page::LIMIT_MAX;
use crate::http::wire::parameters::{AcceptLanguage, IfMatch};
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::http::wire::query::{FromQuery, Parameters, Query};
use crate::node::app::App;
use crate::platform::closed_sets;

/// The documents of one type, in order of display.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct TermOrder {
    /// The type of the terms.
    #[serde(rename = "type")]
    #[schema(pattern = "^[A-Z][A-Z0-9_]{0,31}$")]
    kind: String,
    /// The documents, in order of display.
    #[schema(max_items = 200)]
    items: Vec<OrderedTerm>,
}

/// A document in the order of display.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct OrderedTerm {
    /// The id of the version in effect, or of the first scheduled version.
    #[schema(minimum = 1)]
    id: i64,
    /// The title in the reader's language, or else in the default language.
    title: String,
    /// True if a person must accept the term to work.
    mandatory: bool,
    /// `active`, or `scheduled` if no version is in effect yet.
    #[schema(value_type = closed_sets::TermStatus)]
    status: &'static str,
    /// The position in a list.
    display_order: i64,
}

/// A new order of the documents of one type.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
pub struct TermOrderBody {
    /// The type of the terms.
    #[serde(rename = "type")]
    #[schema(pattern = "^[A-Z][A-Z0-9_]{0,31}$")]
    kind: String,
    /// The id of every document of the type once, as the current order lists it. Otherwise 422
    /// `order_incomplete`.
    ids: Vec<i64>,
}

/// Parses the type of terms, or returns 400 `invalid_parameter`.
pub fn parse(kind: &str) -> Result<TermType, Problem> {
    TermType::parse(kind).ok_or_else(|| {
        Problem::invalid_parameter("'type' must be a type of terms, such as FREELANCER.")
    })
}

/// Parameters of an order.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct TermOrderQuery {
    /// The type of the terms, such as `FREELANCER`.
    #[param(rename = "type", value_type = String)]
    kind: TermType,
}

impl FromQuery for TermOrderQuery {
    fn from_query(parameters: &Parameters) -> Result<Self, Problem> {
        Ok(Self { kind: parse(parameters.first("type").unwrap_or_default())? })
    }
}

async fn response(
    app: &App,
    reach: &Reach,
    kind: &TermType,
    headers: &HeaderMap,
) -> Result<Response, Problem> {
    // The revision is read before the terms, so that a write over a newer order is detected.
    let revision = app.store.term_order_revision(kind).await?;
    let (catalog, now) = (Arc::clone(&app.live.load().catalog), app.now());
    let language = accept_language(headers);
    let ranges = language_ranges(&language);
    let item = |DocumentVersions { current, .. }: &DocumentVersions<'_>| OrderedTerm {
        id: current.id,
        title: title(current, &ranges),
        mandatory: current.mandatory,
        status: if current.is_effective(now) { "active" } else { "scheduled" },
        display_order: current.display_order,
    };
    let documents = documents(&catalog, kind, now);
    let inside = documents.iter().filter(|versions| reach.covers(versions.current.market.as_ref()));
    let items = inside.take(LIMIT_MAX).map(item).collect();
    Ok(revised(StatusCode::OK, revision, &TermOrder { kind: kind.to_string(), items }))
}

/// List the documents of a type in order of display.
///
/// The list has at most 200 documents. Send the ETag in the `If-Match` of `PUT`.
#[utoipa::path(
    get, path = "/api/admin/v1/terms/order", tag = "admin-terms",
    params(TermOrderQuery, AcceptLanguage),
    responses((status = 200, body = TermOrder), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read_terms"]))
)]
pub async fn term_order(
    State(app): State<Arc<App>>,
    Within { reach, .. }: Within<ReadTerms>,
    headers: HeaderMap,
    Query(query): Query<TermOrderQuery>,
) -> Result<Response, Problem> {
    response(&app, &reach, &query.kind, &headers).await
}

/// Reorder the documents of a type.
///
/// Moves every version of each document.
///
/// - 409 `approval_required`: reordering needs approvals. Create a proposal.
/// - 412 `precondition_failed`: the order has changed since it was read, for example by the first
///   request if this is a retry.
/// - 422 `order_incomplete`: `ids` does not have each document of the type exactly once.
#[utoipa::path(
    put, path = "/api/admin/v1/terms/order", tag = "admin-terms",
    request_body = TermOrderBody,
    params(IfMatch, BreakGlassQuery),
    responses((status = 200, body = TermOrder), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["manage_terms"]))
)]
pub async fn put_term_order(
    State(app): State<Arc<App>>,
    May { caller: operator, .. }: May<ManageTerms>,
    headers: HeaderMap,
    Query(glass): Query<BreakGlassQuery>,
    Body(body): Body<TermOrderBody>,
) -> Result<Response, Problem> {
    let (revision, glass) = (if_match(&headers)?, glass.by(&operator)?);
    let kind = parse(&body.kind)?;
    let act = ActionApproval { clearance: Clearance::ByRules(glass.as_ref()), proposal: None };
    let order = NewOrder { kind: &kind, revision, ids: &body.ids };
    if !reorder(&app, &operator.subject, order, act).await? {
        return Err(changed_meanwhile());
    }
    response(&app, &Reach::EVERYWHERE, &kind, &headers).await
}

/// An order to save.
#[derive(Debug, Clone, Copy)]
pub struct NewOrder<'a> {
    pub kind: &'a TermType,
    /// The revision of the order that the caller has read.
    pub revision: i64,
    pub ids: &'a [i64],
}

/// Returns the position of each version in a new order, or 422 `order_incomplete`.
pub fn places(app: &App, kind: &TermType, ids: &[i64]) -> Result<Vec<(i64, i64)>, Problem> {
    let (catalog, now) = (Arc::clone(&app.live.load().catalog), app.now());
    reordered(&documents(&catalog, kind, now), ids).ok_or_else(|| {
        let detail = "'ids' must have each document of the type exactly once, and no other ids.";
        Problem::invalid("order_incomplete", detail, Vec::new())
    })
}

/// Saves an order, directly or by a proposal, and records it in the audit. Returns false if the
/// order was changed in the meantime.
pub async fn reorder(
    app: &App,
    operator: &str,
    order: NewOrder<'_>,
    act: ActionApproval<'_>,
) -> Result<bool, Problem> {
    let NewOrder { kind, revision, ids } = order;
    let places = places(app, kind, ids)?;
    if !app.store.reorder_terms_by(kind, revision, &places, act, app.now()).await? {
        return Ok(false);
    }
    app.serve_newest().await?;
    let ids: Vec<String> = ids.iter().map(i64::to_string).collect();
    let detail = with_proposal(format!("{kind} {}", ids.join(" ")), act);
    audit_action(app, operator, event_about("terms_reordered", detail)).await;
    Ok(true)
}
