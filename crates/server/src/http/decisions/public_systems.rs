//! `GET /public/automated-systems`.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse as _, Response};
use musette_core::instant::Instant;

use crate::decisions::systems::PublicSystemList;
use crate::http::access::caller::PublicRead;
use crate::http::wire::caching::public;
use crate::http::wire::language::accept_language;
use crate::http::wire::parameters::AcceptLanguage;
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::http::wire::query::{FromQuery, Parameters, Query};
use crate::node::app::App;
use crate::terms::RenderedBody;

/// The market and the time of a list of automated systems.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SystemsQuery {
    /// The market in which the reader works: a country (`DE`), a subdivision (`DE-BE`), or a place
    /// in one of them (`DE-BE.berlin`). Absent: the systems of all markets.
    #[param(example = "DE-BE")]
    pub market: Option<String>,
    /// The time at which the systems were in effect, for the reader of an earlier decision. Absent
    /// or later than now: now.
    #[param(value_type = Option<String>, format = DateTime)]
    pub at: Option<Instant>,
}

impl FromQuery for SystemsQuery {
    fn from_query(parameters: &Parameters) -> Result<Self, Problem> {
        for name in ["market", "at"] {
            if parameters.all(name).count() > 1 {
                let detail = format!("'{name}' is given more than once.");
                return Err(Problem::invalid_parameter(detail));
            }
        }
        let market = parameters.first("market").map(str::to_owned);
        Ok(Self { market, at: parameters.instant("at")? })
    }
}

/// List the automated systems that monitor riders or decide about them.
///
/// Returns the version in effect of each published description, by key, without a session. Texts
/// are in the language of `Accept-Language`, or else in the language of the description. The
/// response may be cached for up to 60 seconds, but not beyond the next version's
/// `effective_from`. `If-None-Match` is supported.
///
/// - 400 `invalid_parameter`: `at` is malformed, or a parameter is given more than once.
/// - 400 `unknown_market`: `market` is malformed or unknown.
/// - 429 `rate_limited`: too many reads from this IP address.
#[utoipa::path(
    get, path = "/api/rooster/v3/public/automated-systems", tag = "decisions",
    params(SystemsQuery, AcceptLanguage),
    responses((status = 200, body = PublicSystemList), (status = "4XX", body = ProblemBody))
)]
pub async fn public_systems(
    State(app): State<Arc<App>>,
    Query(SystemsQuery { market, at }): Query<SystemsQuery>,
    _read: PublicRead,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let language = accept_language(&headers);
    let now = app.now();
    let live = app.live.load();
    let market = market.map(|code| live.markets.asked(&code)).transpose()?;
    let response = match at.filter(|at| *at < now) {
        None => public(&live.systems.current(market, language, now), &headers, now),
        // The instants are too many for the cache.
        Some(at) => {
            let list = live.systems.list(at, market.as_ref(), &language);
            public(&RenderedBody::of(&list, None), &headers, now)
        }
    };
    Ok(([(header::VARY, "Accept-Language")], response).into_response())
}
