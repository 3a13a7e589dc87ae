//! `GET /public/markets`.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use musette_core::instant::Instant;
use musette_core::markets::Market;
use musette_core::terms::TermType;
use serde::Serialize;

use crate::http::access::caller::PublicRead;
use crate::http::terms::Types;
use crate::http::wire::caching::public;
use crate::http::wire::query::Query;
use crate::node::app::App;
use crate::node::live::Live;
use crate::terms::RenderedBody;

/// The markets from which an applicant can choose.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct OfferedMarkets {
    /// The codes in alphabetical order, at most 2,000. Empty if no term of these types is limited
    /// to a market.
    #[schema(value_type = Vec<String>, example = json!(["DE", "DE-BE.berlin"]))]
    pub markets: Vec<Market>,
    /// The company's names of these markets and of the markets around them, by code. A market
    /// without a name is left out.
    #[schema(example = json!({"DE-BE.berlin": "Berlin"}))]
    pub names: BTreeMap<String, String>,
}

impl OfferedMarkets {
    pub fn of(live: &Live, types: &[TermType], now: Instant) -> Self {
        let markets = live.markets.offered(&live.catalog, types, now);
        Self { names: live.markets.names(&markets), markets }
    }
}

/// List the markets that an applicant chooses from.
///
/// Returns the declared markets and the markets of terms in effect, if terms of these types are in
/// effect there. The list is empty if no term of these types is limited to a market: then all
/// people have the same terms and need not choose. The response may be cached for up to 60 seconds,
/// but not beyond the next version's `effective_from`. `If-None-Match` is supported.
///
/// - 400 `invalid_parameter`: a type is malformed.
/// - 429 `rate_limited`: too many reads from this IP address.
#[utoipa::path(
    get, path = "/api/rooster/v3/public/markets", tag = "terms",
    params(Types),
    responses((status = 200, body = OfferedMarkets), (status = "4XX", body = crate::http::wire::problem::ProblemBody))
)]
pub async fn public_markets(
    State(app): State<Arc<App>>,
    Query(Types { types }): Query<Types>,
    _read: PublicRead,
    headers: HeaderMap,
) -> Response {
    let now = app.now();
    let live = app.live.load();
    let until = live.catalog.next_change(now);
    public(&RenderedBody::of(&OfferedMarkets::of(&live, &types, now), until), &headers, now)
}
