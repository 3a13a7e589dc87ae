//! `GET /terms`, `/public/terms`, `/terms/{userId}/outstanding`.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use musette_core::instant::Instant;
use musette_core::session::Role;
use musette_core::terms::{TermType, outstanding};
use serde::Serialize;

use super::caching::{none_match, private};
use super::caller::{Caller, Owner, PublicRead};
use super::language::accept_language;
use super::origin::origin;
use super::problem::Problem;
use super::query::query_pairs;
use crate::app::App;
use crate::terms::{Rendered, TermBody, term_bodies};

/// More types than any product has.
const TYPES_MAX: usize = 32;
/// So long a shared cache may keep the public terms at the most.
const PUBLIC_MAX_AGE: Duration = Duration::from_secs(60);

/// `?types=A,B`; without it `FREELANCER,MARKETING`.
pub struct Types(pub Vec<TermType>);

impl<S: Send + Sync> FromRequestParts<S> for Types {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let query = parts.uri.query().unwrap_or_default();
        let mut given =
            query_pairs(query).filter(|(name, _)| name == "types").map(|(_, value)| value);
        let types = given.next().unwrap_or_else(|| "FREELANCER,MARKETING".to_owned());
        if given.next().is_some() {
            return Err(Problem::invalid_parameter("'types' stands twice."));
        }
        let parsed: Option<Vec<TermType>> = types.split(',').map(TermType::parse).collect();
        match parsed {
            Some(types) if types.len() <= TYPES_MAX => Ok(Self(types)),
            Some(_) => Err(Problem::invalid_parameter(format!(
                "'types' names more than {TYPES_MAX} types."
            ))),
            None => Err(Problem::invalid_parameter(
                "'types' is a list of types of the form [A-Z][A-Z0-9_]{0,31}, such as FREELANCER,MARKETING.",
            )),
        }
    }
}

/// The terms in effect, for whoever has a session.
#[utoipa::path(
    get, path = "/api/rooster/v3/terms", tag = "terms",
    params(
        ("types" = Option<String>, Query, description = "Comma-separated types; FREELANCER,MARKETING without it"),
        ("Accept-Language" = Option<String>, Header, description = "RFC 4647 lookup among each term's languages")
    ),
    responses((status = 200, body = Vec<TermBody>), (status = "4XX", body = super::problem::ProblemBody)),
    security(("bearer" = []))
)]
pub async fn terms(
    State(app): State<Arc<App>>,
    Types(types): Types,
    caller: Caller,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let origin = origin(&app.settings, &headers)?;
    let live = app.live.load();
    let now = app.now();
    let in_effect = live.catalog.in_effect(&types, now);
    let body = term_bodies(&live.catalog, in_effect, &accept_language(&headers), &origin);
    if caller.has(Role::Rider) {
        app.views.shown(&caller.subject, body.iter().map(|term| term.id), now.millis());
    }
    Ok(private(&body))
}

/// The terms in effect, for anybody.
#[utoipa::path(
    get, path = "/api/rooster/v3/public/terms", tag = "terms",
    params(
        ("types" = Option<String>, Query, description = "Comma-separated types; FREELANCER,MARKETING without it"),
        ("Accept-Language" = Option<String>, Header, description = "RFC 4647 lookup among each term's languages")
    ),
    responses((status = 200, body = Vec<TermBody>), (status = "4XX", body = super::problem::ProblemBody))
)]
pub async fn public_terms(
    State(app): State<Arc<App>>,
    Types(types): Types,
    _read: PublicRead,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let origin = origin(&app.settings, &headers)?;
    let language = accept_language(&headers);
    let now = app.now();
    let live = app.live.load();
    let terms = live.rendered_terms.get(&live.catalog, types, language, origin, now);
    Ok(rendered(&terms, &headers, now))
}

/// The terms that a person must still accept, and whether they may work.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct OutstandingBody {
    /// The user that was asked about.
    pub user_id: String,
    /// False if at least one outstanding term is past its grace period.
    pub may_work: bool,
    /// The mandatory terms in effect that this person has not accepted, in order of display.
    pub outstanding: Vec<TermBody>,
}

/// May this rider start a shift?
#[utoipa::path(
    get, path = "/api/rooster/v3/terms/{userId}/outstanding", tag = "terms",
    params(("userId" = String, Path), ("types" = Option<String>, Query)),
    responses((status = 200, body = OutstandingBody), (status = "4XX", body = super::problem::ProblemBody)),
    security(("bearer" = []))
)]
pub async fn outstanding_terms(
    State(app): State<Arc<App>>,
    Types(types): Types,
    owner: Owner,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let origin = origin(&app.settings, &headers)?;
    let decisions = app.store.decisions(&owner.subject).await?;
    let live = app.live.load();
    let outstanding = outstanding(&live.catalog, &decisions, &types, app.now());
    Ok(private(&OutstandingBody {
        user_id: owner.user_id,
        may_work: outstanding.may_work,
        outstanding: term_bodies(
            &live.catalog,
            outstanding.terms.into_iter(),
            &accept_language(&headers),
            &origin,
        ),
    }))
}

/// The body, or 304 where the client has it.
fn rendered(terms: &Rendered, headers: &HeaderMap, now: Instant) -> Response {
    let left = terms.until.map_or(PUBLIC_MAX_AGE, |until| until.since(now).min(PUBLIC_MAX_AGE));
    let fixed = [
        (header::CACHE_CONTROL, format!("public, max-age={}", left.as_secs())),
        (header::VARY, "Accept-Language".to_owned()),
    ];
    let etag = [(header::ETAG, terms.etag.clone())];
    if none_match(headers, &terms.etag) {
        return (StatusCode::NOT_MODIFIED, fixed, etag).into_response();
    }
    let json = [(header::CONTENT_TYPE, "application/json")];
    (fixed, etag, json, terms.body.clone()).into_response()
}
