//! `GET /terms`, `/public/terms`, `/terms/{userId}/outstanding`.

pub mod console;
pub mod coverage;
pub mod documents;
pub mod drafts;
pub mod endings;
pub mod order;
pub mod standing;
use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use musette_core::session::Role;
use musette_core::terms::{GateAnswer, TermType, outstanding};
use serde::Serialize;

use super::access::caller::{Caller, Owner, PublicRead};
use super::integration::gate::{GateReasonBody, LimitationBody};
use super::layers::origin::origin;
use super::markets::{AccountMarket, AskedMarket};
use super::wire::caching::{private, public};
use super::wire::language::accept_language;
use super::wire::parameters::{AcceptLanguage, UserPath};
use super::wire::problem::Problem;
use super::wire::query::{FromQuery, Parameters, Query};
use crate::markets;
use crate::node::app::App;
use crate::terms::{DEFAULT_TYPES, TermBody, term_bodies};

/// More types than any product has.
const TYPES_MAX: usize = 32;

/// Filter of terms by type.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Types {
    /// The types of terms, separated by commas: at most 32. Default: `FREELANCER,MARKETING`.
    #[param(value_type = Option<String>, example = "FREELANCER,MARKETING")]
    pub types: Vec<TermType>,
}

impl FromQuery for Types {
    fn from_query(parameters: &Parameters) -> Result<Self, Problem> {
        if parameters.all("types").count() > 1 {
            return Err(Problem::invalid_parameter("'types' is given more than once."));
        }
        let types = parameters.first("types").unwrap_or(DEFAULT_TYPES);
        let parsed: Option<Vec<TermType>> = types.split(',').map(TermType::parse).collect();
        match parsed {
            Some(types) if types.len() <= TYPES_MAX => Ok(Self { types }),
            Some(_) => {
                Err(Problem::invalid_parameter(format!("'types' has more than {TYPES_MAX} types.")))
            }
            None => Err(Problem::invalid_parameter(
                "'types' must be a list of types that match [A-Z][A-Z0-9_]{0,31}, such as FREELANCER,MARKETING.",
            )),
        }
    }
}

/// List the terms in effect.
///
/// Returns the newest version in effect of each document of these types, sorted by `display_order`,
/// then by `id`. Texts are in the language of `Accept-Language`, or else in the term's default
/// language. A type without published terms is left out. The terms are those of the account's
/// market. If the caller is a rider, the versions count as shown to them.
///
/// - 400 `invalid_parameter`: a type is malformed, or `market` is given.
#[utoipa::path(
    get, path = "/api/rooster/v3/terms", tag = "terms",
    params(Types, AcceptLanguage),
    responses((status = 200, body = Vec<TermBody>), (status = "4XX", body = super::wire::problem::ProblemBody)),
    security(("bearer" = []))
)]
pub async fn terms(
    State(app): State<Arc<App>>,
    Query(Types { types }): Query<Types>,
    Query(AccountMarket): Query<AccountMarket>,
    caller: Caller,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let origin = origin(&app.settings, &headers)?;
    let live = app.live.load_full();
    let now = app.now();
    let market = markets::of_person(&app.store, &live.catalog, &caller.subject).await?;
    let in_effect = live.catalog.in_effect_for(&types, market.as_ref(), now);
    let body = term_bodies(&live.catalog, in_effect, &accept_language(&headers), &origin);
    if caller.has(Role::Rider) {
        app.views.shown(&caller.subject, body.iter().map(|term| term.id), now.millis());
        app.fetched_by_app(&caller.subject, body.iter().map(|term| term.id)).await?;
    }
    Ok(private(&body))
}

/// List the terms in effect without a session.
///
/// Returns the same as `GET /api/rooster/v3/terms`, for people who work in `market`. The response
/// may be cached for up to 60 seconds, but not beyond the next version's `effective_from`.
/// `If-None-Match` is supported.
///
/// - 400 `unknown_market`: `market` is malformed or unknown.
/// - 429 `rate_limited`: too many reads from this IP address.
#[utoipa::path(
    get, path = "/api/rooster/v3/public/terms", tag = "terms",
    params(Types, AskedMarket, AcceptLanguage),
    responses((status = 200, body = Vec<TermBody>), (status = "4XX", body = super::wire::problem::ProblemBody))
)]
pub async fn public_terms(
    State(app): State<Arc<App>>,
    Query(Types { types }): Query<Types>,
    Query(AskedMarket(market)): Query<AskedMarket>,
    _read: PublicRead,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let origin = origin(&app.settings, &headers)?;
    let language = accept_language(&headers);
    let now = app.now();
    let live = app.live.load();
    let market = market.map(|code| live.markets.asked(&code)).transpose()?;
    let terms = live.rendered_terms.get(&live.catalog, types, market, language, origin, now);
    let answer = public(&terms, &headers, now);
    Ok(([(header::VARY, "Accept-Language")], answer).into_response())
}

/// The terms that a person must still accept, and the resulting permission to work.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct OutstandingBody {
    /// The id of the user.
    pub user_id: String,
    /// False if at least one outstanding term is past its grace period, or a suspension or
    /// termination is in force.
    pub may_work: bool,
    /// The reasons why the person may not work. Empty if they may work.
    pub reasons: Vec<GateReasonBody>,
    /// The limitations in force.
    pub limitations: Vec<LimitationBody>,
    /// The next time at which `may_work`, the reasons or the limitations change without a further
    /// event. Null if there is none.
    #[schema(required, format = DateTime)]
    pub changes_at: Option<String>,
    /// The mandatory terms in effect that this person has not accepted, sorted by `display_order`,
    /// then by `id`.
    pub outstanding: Vec<TermBody>,
}

/// List the terms that a person must still accept.
///
/// The caller needs the user's own session, or the role `operator` or `admin`. `may_work` tells
/// whether the person may start a shift.
///
/// - 403 `permission_denied`: the session belongs to another user.
/// - 404 `not_found`: the user does not exist. Only for an operator or admin.
#[utoipa::path(
    get, path = "/api/rooster/v3/terms/{userId}/outstanding", tag = "terms",
    params(UserPath, Types, AcceptLanguage),
    responses((status = 200, body = OutstandingBody), (status = "4XX", body = super::wire::problem::ProblemBody)),
    security(("bearer" = []))
)]
pub async fn outstanding_terms(
    State(app): State<Arc<App>>,
    Query(Types { types }): Query<Types>,
    Query(AccountMarket): Query<AccountMarket>,
    owner: Owner,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let origin = origin(&app.settings, &headers)?;
    let decisions = app.store.decisions(&owner.subject).await?;
    let live = app.live.load_full();
    let market = markets::of_person(&app.store, &live.catalog, &owner.subject).await?;
    let now = app.now();
    let outstanding = outstanding(&live.catalog, &decisions, &types, market.as_ref(), now);
    let gate = GateAnswer::of(&live.catalog, &decisions, &types, market.as_ref(), now);
    let in_force = app.store.restrictions_in_force(&owner.subject, now).await?;
    let changes_at = [gate.changes_at, in_force.changes_at].into_iter().flatten().min();
    let listed = outstanding.terms.iter().map(|term| term.id);
    app.fetched_by_app(&owner.subject, listed).await?;
    Ok(private(&OutstandingBody {
        user_id: owner.user_id,
        may_work: outstanding.may_work && in_force.blocking.is_empty(),
        reasons: GateReasonBody::of(gate.reasons, in_force.blocking),
        limitations: in_force.limitations.into_iter().map(LimitationBody::from).collect(),
        changes_at: changes_at.map(|at| at.to_string()),
        outstanding: term_bodies(
            &live.catalog,
            outstanding.terms.into_iter(),
            &accept_language(&headers),
            &origin,
        ),
    }))
}
