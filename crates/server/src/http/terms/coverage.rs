//! `GET /terms/{id}/coverage`, `/terms/{id}/missing`: riders who have accepted a term, and riders
//! who have not.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::Response;
use jiff::tz::TimeZone;
use musette_core::instant::Instant;
use musette_core::markets::Market;
use musette_core::terms::{Catalog, Outcome, Term};
use musette_store::{AsOf, StoreError};
use serde::Serialize;

use super::console::find;
use crate::http::access::permission::{PERSONAL, ReadPeople, ReadTerms, Within};
use crate::http::markets::MarketQuery;
use crate::http::wire::caching::private;
use crate::http::wire::page::{Page, Paged, SearchQuery, cursor};
use crate::http::wire::parameters::TermPath;
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::http::wire::query::{FromQuery, Parameters, Query};
use crate::markets::{scope, timezone};
use crate::node::app::App;
use crate::platform::closed_sets;
use crate::terms::coverage::{Coverage, count, is_over, lineage};

/// The number of riders per read, when almost all of them may have accepted.
const RIDERS_PER_READ: i64 = 2_000;
const READS_PER_PAGE: usize = 5;

/// A rider with the requested decision.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct MissingRider {
    /// The user id.
    pub user_id: String,
    /// The rider's name. Absent if it is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// The requested decision.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct MissingQuery {
    /// The latest decision of the riders. Default: `pending`, which is no decision.
    #[param(rename = "decision", value_type = Option<closed_sets::MissingDecision>)]
    outcome: Option<Outcome>,
}

impl FromQuery for MissingQuery {
    fn from_query(parameters: &Parameters) -> Result<Self, Problem> {
        let parse = |text: &str| match Outcome::parse(text) {
            Some(Outcome::Accepted) => None,
            None => (text == "pending").then_some(None),
            outcome => Some(outcome),
        };
        let decision = parameters.parsed("decision", parse, "pending, declined or withdrawn")?;
        Ok(Self { outcome: decision.flatten() })
    }
}

/// The requested point in time.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct AsOfQuery {
    /// The time of the state to return. Default: the current time.
    #[param(value_type = Option<String>, format = DateTime)]
    as_of: Option<Instant>,
}

impl FromQuery for AsOfQuery {
    fn from_query(parameters: &Parameters) -> Result<Self, Problem> {
        Ok(Self { as_of: parameters.instant("as_of")? })
    }
}

/// The requested days.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct DaysQuery {
    /// The IANA name of the time zone of the days, such as `Europe/Berlin`. Default: UTC.
    #[param(rename = "timezone", value_type = Option<String>, max_length = 64)]
    zone: Option<TimeZone>,
}

impl FromQuery for DaysQuery {
    fn from_query(parameters: &Parameters) -> Result<Self, Problem> {
        let zone = parameters.parsed("timezone", timezone, "the IANA name of a time zone")?;
        Ok(Self { zone })
    }
}

impl AsOfQuery {
    /// Returns the requested time, or an error if it is in the future.
    pub(super) fn past(&self, now: Instant) -> Result<Option<Instant>, Problem> {
        match self.as_of {
            Some(at) if at > now => {
                Err(Problem::invalid_parameter("'as_of' must not be in the future."))
            }
            at => Ok(at),
        }
    }
}

/// Counts, or returns a recent count if counting is slow.
pub async fn counted(
    app: &Arc<App>,
    term: &Term,
    as_of: Option<Instant>,
    markets: Vec<Market>,
) -> Result<Arc<Coverage>, StoreError> {
    let (app_of_count, term_of_count) = (Arc::clone(app), term.clone());
    let catalog = Arc::clone(&app.live.load().catalog);
    // A count from before a retirement would report riders as missing.
    let is_over = is_over(&catalog, term, as_of.unwrap_or_else(|| app.now()));
    app.coverage
        .get((term.id, as_of, markets.clone(), is_over), async move {
            let (store, now) = (&app_of_count.store, app_of_count.now());
            count(store, &catalog, &term_of_count, as_of, &markets, now).await
        })
        .await
}

/// Returns the version, unless it is a notice, on which no person decides.
fn find_consent<'a>(catalog: &'a Catalog, id: &str) -> Result<&'a Term, Problem> {
    let term = find(catalog, id)?;
    if term.is_notice() {
        return Err(Problem::absent("term with this id that people agree to"));
    }
    Ok(term)
}

/// Count the people who have accepted a term.
///
/// A count is cached for some seconds. Acceptances that a minor version inherits are included.
/// `as_of` counts only decisions that were recorded by then. People who were erased later are not
/// counted. The days are those of `timezone`.
///
/// - 400 `invalid_parameter`: `as_of` is in the future, or `timezone` is unknown.
/// - 404 `not_found`: the version does not exist, or is a notice.
#[utoipa::path(
    get, path = "/api/admin/v1/terms/{id}/coverage", tag = "admin-terms",
    params(TermPath, AsOfQuery, MarketQuery, DaysQuery),
    responses((status = 200, body = Coverage), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read_terms"]))
)]
pub async fn coverage(
    State(app): State<Arc<App>>,
    Within { caller, reach, .. }: Within<ReadTerms>,
    Path(id): Path<String>,
    Query(query): Query<AsOfQuery>,
    Query(MarketQuery { market }): Query<MarketQuery>,
    Query(DaysQuery { zone }): Query<DaysQuery>,
) -> Result<Response, Problem> {
    let catalog = Arc::clone(&app.live.load().catalog);
    let term = find_consent(&catalog, &id)?;
    let as_of = query.past(app.now())?;
    let inside = reach.counted(market.as_ref()).filter(|_| reach.touches(term.market.as_ref()));
    let markets = inside.ok_or_else(|| Problem::denied_to(&caller.subject))?;
    let coverage = counted(&app, term, as_of, markets).await?;
    Ok(match zone {
        Some(zone) => private(&coverage.in_zone(&zone)),
        None => private(&*coverage),
    })
}

/// List the riders who have not decided on a term, or have not accepted it, by id.
///
/// Without `decision`, these are the riders that `riders_pending` of the coverage counts.
///
/// A page may have fewer riders than `limit` although another page follows, because each request
/// reads a limited number of riders. The list is empty for a superseded, cancelled or retired
/// version, which riders are no longer asked to accept.
#[utoipa::path(
    get, path = "/api/admin/v1/terms/{id}/missing", tag = "admin-terms",
    params(TermPath, SearchQuery, MissingQuery, AsOfQuery, MarketQuery, Page),
    responses((status = 200, body = Paged<MissingRider>), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read_people"]))
)]
pub async fn missing(
    State(app): State<Arc<App>>,
    Within { caller, reach, .. }: Within<ReadPeople>,
    Path(id): Path<String>,
    Query(SearchQuery { q: text }): Query<SearchQuery>,
    Query(MissingQuery { outcome }): Query<MissingQuery>,
    Query(query): Query<AsOfQuery>,
    Query(MarketQuery { market }): Query<MarketQuery>,
    Query(page): Query<Page>,
) -> Result<Response, Problem> {
    let catalog = Arc::clone(&app.live.load().catalog);
    let term = find_consent(&catalog, &id)?;
    let as_of = query.past(app.now())?;
    let inside = reach.counted(market.as_ref()).filter(|_| reach.touches(term.market.as_ref()));
    let markets = inside.ok_or_else(|| Problem::denied_to(&caller.subject))?;
    if outcome.is_none() && is_over(&catalog, term, as_of.unwrap_or_else(|| app.now())) {
        return Ok(private(&Paged::<MissingRider> { items: Vec::new(), next_cursor: None }));
    }
    let place = match as_of {
        Some(at) => app.store.as_of(at).await?,
        None => AsOf::NOW,
    };
    let terms = lineage(&catalog, term);
    let personal = caller.reach(PERSONAL);
    let is_shown = personal.is_some_and(|reach| match markets.as_slice() {
        [] => reach.markets.is_none(),
        markets => markets.iter().all(|market| reach.covers(Some(market))),
    });
    // A caller who may not see names must not find people by name either.
    if !is_shown && !text.is_empty() {
        return Err(Problem::denied_to(&caller.subject));
    }
    let at = as_of.unwrap_or_else(|| app.now());
    let scope = scope(&catalog, term, &markets, at);
    let mut items = Vec::new();
    let mut after = page.after.clone();
    for _ in 0..READS_PER_PAGE {
        let riders = app
            .store
            .decisions_of_riders(&terms, &text, &after, RIDERS_PER_READ, place, &scope)
            .await?;
        let was_last = i64::try_from(riders.len()).unwrap_or(0) < RIDERS_PER_READ;
        for rider in riders {
            if items.len() == page.limit {
                return Ok(private(&Paged { items, next_cursor: Some(cursor(&after)) }));
            }
            after.clone_from(&rider.id);
            if rider.outcome() == outcome {
                items.push(MissingRider {
                    user_id: rider.id,
                    name: rider.name.filter(|_| is_shown),
                });
            }
        }
        if was_last {
            return Ok(private(&Paged { items, next_cursor: None }));
        }
    }
    Ok(private(&Paged { items, next_cursor: Some(cursor(&after)) }))
}
