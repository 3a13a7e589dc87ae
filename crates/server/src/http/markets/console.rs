//! `/markets`, `PUT /people/{userId}/market`: the names of markets, and the markets of people.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use musette_core::markets::Market;
use musette_store::{DeclaredMarket, MarketRemoval, Move};
use serde::{Deserialize, Serialize};

use crate::http::access::audit::{audit_action, event_about, event_of};
use crate::http::access::permission::{Administer, ManagePeople, May, MayOf, Reach, Read, Within};
use crate::http::people::{PersonBody, find};
use crate::http::wire::body::Body;
use crate::http::wire::caching::private;
use crate::http::wire::parameters::{MarketPath, UserPath};
use crate::http::wire::problem::{Problem, ProblemBody, ProblemError};
use crate::markets::{is_timezone, unfit_name};
use crate::node::app::App;

/// A market.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct MarketBody {
    /// The code: a country, a subdivision, or a place in one of them.
    pub code: String,
    /// The company's name of the market. Null if it has none.
    #[schema(required)]
    pub name: Option<String>,
    /// The IANA name of the time zone, such as `Europe/Berlin`. Null if it is not set.
    #[schema(required)]
    pub timezone: Option<String>,
    /// True if the market is declared. A country or subdivision can be used without a declaration.
    pub declared: bool,
    /// The number of people in exactly this market, without the markets inside it.
    #[schema(minimum = 0)]
    pub people: i64,
    /// The number of term versions for exactly this market.
    #[schema(minimum = 0)]
    pub terms: usize,
}

/// The markets.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct MarketList {
    /// Declared markets, by code.
    pub items: Vec<MarketBody>,
    /// Countries and subdivisions that are used without a declaration, by code.
    pub undeclared: Vec<MarketBody>,
}

/// The name and the time zone of a market.
#[derive(Debug, Default, Deserialize, utoipa::ToSchema)]
#[serde(default)]
pub struct NewMarketBody {
    /// The name, on one line. Absent: none.
    #[schema(min_length = 1, max_length = 200)]
    name: Option<String>,
    /// The IANA name of the time zone, such as `Europe/Berlin`. Absent: none.
    timezone: Option<String>,
}

/// The market of a person.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
pub struct PersonMarketBody {
    /// The code of the market. Null: no market, so that only the terms that apply everywhere count.
    #[schema(required)]
    market: Option<String>,
}

async fn list(app: &App, reach: &Reach) -> Result<MarketList, Problem> {
    let live = app.live.load_full();
    let mut all: BTreeMap<String, MarketBody> = BTreeMap::new();
    let body = |code: &str| {
        let declared = live.markets.get(code);
        MarketBody {
            code: code.to_owned(),
            name: declared.and_then(|market| market.name.clone()),
            timezone: declared.and_then(|market| market.timezone.clone()),
            declared: declared.is_some(),
            people: 0,
            terms: 0,
        }
    };
    for market in live.markets.all() {
        all.insert(market.code.clone(), body(&market.code));
    }
    for (code, people) in app.store.people_by_market().await? {
        all.entry(code.clone()).or_insert_with(|| body(&code)).people = people;
    }
    for market in live.catalog.all().iter().filter_map(|term| term.market.as_ref()) {
        let code = market.as_str();
        all.entry(code.to_owned()).or_insert_with(|| body(code)).terms += 1;
    }
    all.retain(|code, _| reach.covers_code(Some(code)));
    let (items, undeclared) = all.into_values().partition(|market| market.declared);
    Ok(MarketList { items, undeclared })
}

/// List the markets with their people and terms.
///
/// The list has the declared markets, and separately the countries and subdivisions that are used
/// without a declaration.
#[utoipa::path(
    get, path = "/api/admin/v1/markets", tag = "admin-people",
    responses((status = 200, body = MarketList), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read"]))
)]
pub async fn markets(
    State(app): State<Arc<App>>,
    Within { reach, .. }: Within<Read>,
) -> Result<Response, Problem> {
    Ok(private(&list(&app, &reach).await?))
}

fn error(pointer: &str, code: &str, detail: &str) -> ProblemError {
    ProblemError {
        pointer: pointer.into(),
        code: code.into(),
        detail: detail.into(),
        replaced_by: None,
        page: None,
    }
}

/// Save the name and time zone of a market.
///
/// 201: the market is new.
///
/// - 422 `invalid_market`: the code is malformed, or its country or subdivision does not exist.
/// - 422 `invalid_request`: the name or the time zone is malformed.
#[utoipa::path(
    put, path = "/api/admin/v1/markets/{code}", tag = "admin-people",
    params(MarketPath),
    request_body = NewMarketBody,
    responses((status = 200, body = MarketBody), (status = 201, body = MarketBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["administer"]))
)]
pub async fn put_market(
    State(app): State<Arc<App>>,
    May { caller: admin, .. }: May<Administer>,
    Path(code): Path<String>,
    Body(body): Body<NewMarketBody>,
) -> Result<Response, Problem> {
    let market = Market::parse(&code).ok_or_else(|| Problem::invalid_market(""))?;
    let mut errors = Vec::new();
    if body.name.as_deref().is_some_and(unfit_name) {
        let detail = "A name must have 1 to 200 characters on one line.";
        errors.push(error("/name", "invalid_text", detail));
    }
    if body.timezone.as_deref().is_some_and(|name| !is_timezone(name)) {
        let detail = "This must be an IANA time zone, such as Europe/Berlin.";
        errors.push(error("/timezone", "invalid_timezone", detail));
    }
    if !errors.is_empty() {
        return Err(Problem::invalid("invalid_request", "The market is invalid.", errors));
    }
    let saved = DeclaredMarket { code, name: body.name, timezone: body.timezone };
    let is_new = app.store.save_market(&saved).await?;
    app.serve_newest().await?;
    audit_action(&app, &admin.subject, event_about("market_saved", saved.code.clone())).await;
    let body = list(&app, &Reach::EVERYWHERE)
        .await?
        .items
        .into_iter()
        .find(|market_body| market_body.code == market.as_str());
    let status = if is_new { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, private(&body.ok_or_else(|| Problem::absent("market with this code"))?))
        .into_response())
}

/// Delete a market.
///
/// - 404 `not_found`: the market is not declared.
/// - 409 `conflict`: a person works in the market, or a term is limited to it.
#[utoipa::path(
    delete, path = "/api/admin/v1/markets/{code}", tag = "admin-people",
    params(MarketPath),
    responses((status = 204), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["administer"]))
)]
pub async fn remove_market(
    State(app): State<Arc<App>>,
    May { caller: admin, .. }: May<Administer>,
    Path(code): Path<String>,
) -> Result<Response, Problem> {
    if Market::from_stored(&code).is_none() {
        return Err(Problem::absent("market with this code"));
    }
    match app.store.remove_market(&code).await? {
        MarketRemoval::Removed => {}
        MarketRemoval::Unknown => return Err(Problem::absent("market with this code")),
        MarketRemoval::Used => {
            let detail = "A person works in this market, or a term is limited to it.";
            return Err(Problem::new(StatusCode::CONFLICT, "conflict", detail));
        }
    }
    app.serve_newest().await?;
    audit_action(&app, &admin.subject, event_about("market_removed", code)).await;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Set the market of a person.
///
/// From then on, the terms of the new market apply to the person. Earlier decisions remain.
///
/// - 422 `unknown_market`: the market is malformed, or its place is not declared.
#[utoipa::path(
    put, path = "/api/admin/v1/people/{userId}/market", tag = "admin-people",
    params(UserPath),
    request_body = PersonMarketBody,
    responses((status = 200, body = PersonBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["manage_people"]))
)]
pub async fn move_person(
    State(app): State<Arc<App>>,
    MayOf { caller, reach, person, .. }: MayOf<ManagePeople>,
    Body(body): Body<PersonMarketBody>,
) -> Result<Response, Problem> {
    let unknown = || Problem::unknown_market("/market");
    let market = body.market.as_deref().map(|code| Market::parse(code).ok_or_else(unknown));
    let market = market.transpose()?;
    if !reach.covers(market.as_ref()) {
        return Err(Problem::denied_to(&caller.subject));
    }
    match app.store.move_person(&person.id, market.as_ref()).await? {
        Move::Done => {}
        Move::UnknownPerson => return Err(Problem::absent("person with this id")),
        Move::UnknownMarket => return Err(unknown()),
    }
    app.serve_newest().await?;
    let mut event = event_of("person_moved", person.subject);
    event.detail = Some(market.map_or_else(String::new, |market| market.to_string()).into());
    audit_action(&app, &caller.subject, event).await;
    Ok(private(&PersonBody::from(find(&app, &person.id).await?)))
}
