//! `/campaigns`: messages that inform riders about a term or a notice.

pub mod actions;
mod body;
pub mod bounces;
pub mod people;
pub mod preview;
pub mod unsubscribe;

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use musette_core::campaigns::{CampaignDefinition, CampaignFieldError, CampaignStatus};
use musette_core::markets::Market;
use musette_core::terms::Term;
use musette_store::Campaign;

use crate::http::access::audit::{audit_action, event_about};
use crate::http::access::caller::Caller;
use crate::http::access::permission::{ManageCampaigns, Reach, ReadCampaigns, Within};
use crate::http::decisions::requests::IdOf;
use crate::http::wire::body::Body;
use crate::http::wire::caching::private;
use crate::http::wire::page::{Page, Paged};
use crate::http::wire::parameters::CampaignPath;
use crate::http::wire::problem::{Problem, ProblemBody, ProblemError};
use crate::http::wire::query::Query;
use crate::markets::common;
use crate::node::app::App;
use crate::node::live::Live;
use crate::platform::random;
pub use body::{CampaignBody, CampaignInput};

/// List campaigns, newest first.
#[utoipa::path(
    get, path = "/api/admin/v1/campaigns", tag = "admin-terms", operation_id = "campaigns",
    params(Page),
    responses((status = 200, body = Paged<CampaignBody>), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read_campaigns"]))
)]
pub async fn campaigns(
    State(app): State<Arc<App>>,
    Within { reach, .. }: Within<ReadCampaigns>,
    Query(page): Query<Page>,
) -> Result<Response, Problem> {
    let rows = app.store.campaigns(page.before_uuid(), page.rows()).await?;
    let live = app.live.load_full();
    let Paged { items, next_cursor } = page.of(rows, |row| row.id.clone(), |row| row);
    let mut bodies = Vec::with_capacity(items.len());
    for campaign in items {
        if reach.touches(market_of(&live, &campaign.definition).as_ref()) {
            bodies.push(answer(&app, campaign).await?);
        }
    }
    Ok(private(&Paged { items: bodies, next_cursor }))
}

/// Read a campaign with its progress.
#[utoipa::path(
    get, path = "/api/admin/v1/campaigns/{id}", tag = "admin-terms", operation_id = "campaign",
    params(CampaignPath),
    responses((status = 200, body = CampaignBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read_campaigns"]))
)]
pub async fn campaign(
    State(app): State<Arc<App>>,
    Within { caller, reach, .. }: Within<ReadCampaigns>,
    IdOf(id): IdOf,
) -> Result<Response, Problem> {
    let campaign = readable(&app, &caller, &reach, &id).await?;
    Ok(private(&answer(&app, campaign).await?))
}

/// Add a campaign as a draft.
///
/// A campaign is about one version of a term or a notice. Each step sends at most one message to
/// each rider of the term's and the campaign's market who has not decided on the term.
///
/// - 403 `permission_denied`: it is outside the caller's markets.
/// - 422 `unknown_term`: there is no such version, or it was cancelled.
/// - 422 `unknown_market`: the market is malformed, or its place is not declared.
/// - 422 `unknown_placeholder`: a text has another placeholder than `{{name}}`, `{{title}}`,
///   `{{link}}` and `{{deadline}}`.
/// - 422 `no_such_date`: a step refers to a date that the term does not have.
/// - 422 `invalid_request`: other members are missing or malformed; `errors[]` names them.
#[utoipa::path(
    post, path = "/api/admin/v1/campaigns", tag = "admin-terms", operation_id = "add_campaign",
    request_body = CampaignInput,
    responses((status = 201, body = CampaignBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["manage_campaigns"]))
)]
pub async fn add_campaign(
    State(app): State<Arc<App>>,
    Within { caller, reach, .. }: Within<ManageCampaigns>,
    Body(input): Body<CampaignInput>,
) -> Result<Response, Problem> {
    let live = app.live.load_full();
    let definition = checked(&live, input)?;
    check_reach(&live, &caller, &reach, &definition)?;
    let id = random::uuid();
    app.store.add_campaign(&id, &definition, &caller.subject, app.now()).await?;
    audit_action(&app, &caller.subject, event_about("campaign_added", id.clone())).await;
    let campaign = app.store.campaign(&id).await?.ok_or_else(absent)?;
    Ok((StatusCode::CREATED, private(&answer(&app, campaign).await?)).into_response())
}

/// Change a campaign that is a draft or paused.
///
/// Steps of which messages may have been sent cannot be changed. Texts can: messages that were not
/// sent yet have the new text.
///
/// - 409 `conflict`: the campaign is neither a draft nor paused.
/// - 422 `step_begun`: another term, or another step of which messages may have been sent.
/// - Other errors: as when a campaign is added.
#[utoipa::path(
    put, path = "/api/admin/v1/campaigns/{id}", tag = "admin-terms", operation_id = "change_campaign",
    params(CampaignPath),
    request_body = CampaignInput,
    responses((status = 200, body = CampaignBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["manage_campaigns"]))
)]
pub async fn change_campaign(
    State(app): State<Arc<App>>,
    Within { caller, reach, .. }: Within<ManageCampaigns>,
    IdOf(id): IdOf,
    Body(input): Body<CampaignInput>,
) -> Result<Response, Problem> {
    let campaign = managed(&app, &caller, &reach, &id).await?;
    if !campaign.status.is_editable() {
        return Err(wrong_status(campaign.status));
    }
    let live = app.live.load_full();
    let definition = checked(&live, input)?;
    check_reach(&live, &caller, &reach, &definition)?;
    check_begun(&app, &campaign, &definition).await?;
    if !app.store.change_campaign(&campaign, &definition).await? {
        return Err(changed_meanwhile());
    }
    audit_action(&app, &caller.subject, event_about("campaign_changed", id.clone())).await;
    let campaign = app.store.campaign(&id).await?.ok_or_else(absent)?;
    Ok(private(&answer(&app, campaign).await?))
}

fn absent() -> Problem {
    Problem::absent("campaign with this id")
}

fn wrong_status(status: CampaignStatus) -> Problem {
    let detail = format!("The campaign is {}.", status.as_str());
    Problem::new(StatusCode::CONFLICT, "conflict", detail)
}

fn changed_meanwhile() -> Problem {
    let detail = "The campaign was changed at the same time. Read it again.";
    Problem::new(StatusCode::CONFLICT, "conflict", detail)
}

/// Returns the term of a campaign.
fn term_of<'a>(live: &'a Live, definition: &CampaignDefinition) -> Result<&'a Term, Problem> {
    let term = live.catalog.get(definition.term_id);
    term.ok_or_else(|| Problem::internal("the term of a campaign is missing"))
}

/// Returns the market that a campaign is limited to.
fn market_of(live: &Live, definition: &CampaignDefinition) -> Option<Market> {
    let own = definition.market.as_deref().and_then(Market::from_stored);
    own.or_else(|| live.catalog.get(definition.term_id)?.market.clone())
}

/// Returns a campaign that the caller may read.
async fn readable(
    app: &App,
    caller: &Caller,
    reach: &Reach,
    id: &str,
) -> Result<Campaign, Problem> {
    let campaign = app.store.campaign(id).await?.ok_or_else(absent)?;
    let market = market_of(&app.live.load(), &campaign.definition);
    if reach.touches(market.as_ref()) {
        Ok(campaign)
    } else {
        Err(Problem::denied_to(&caller.subject))
    }
}

/// Returns a campaign that the caller may change.
async fn managed(app: &App, caller: &Caller, reach: &Reach, id: &str) -> Result<Campaign, Problem> {
    let campaign = app.store.campaign(id).await?.ok_or_else(absent)?;
    check_reach(&app.live.load(), caller, reach, &campaign.definition)?;
    Ok(campaign)
}

fn check_reach(
    live: &Live,
    caller: &Caller,
    reach: &Reach,
    definition: &CampaignDefinition,
) -> Result<(), Problem> {
    if reach.covers(market_of(live, definition).as_ref()) {
        Ok(())
    } else {
        Err(Problem::out_of_reach(&caller.subject, "/market"))
    }
}

/// Returns the definition in a request, or every error in it.
fn checked(live: &Live, input: CampaignInput) -> Result<CampaignDefinition, Problem> {
    let (definition, mut errors) = input.definition();
    let term = live.catalog.get(definition.term_id);
    match term.filter(|term| live.catalog.cancelled_at(term.id).is_none()) {
        Some(term) => {
            errors.extend(definition.check(term));
            errors.extend(check_market(live, term, definition.market.as_deref()));
        }
        None => errors.push(CampaignFieldError {
            pointer: "/term_id".to_owned(),
            code: "unknown_term",
            detail: "There is no such version of a term, or it was cancelled.".to_owned(),
        }),
    }
    if errors.is_empty() { Ok(definition) } else { Err(invalid(errors)) }
}

fn check_market(live: &Live, term: &Term, code: Option<&str>) -> Option<CampaignFieldError> {
    let error =
        |code, detail: String| CampaignFieldError { pointer: "/market".to_owned(), code, detail };
    let market = match live.markets.asked(code?) {
        Ok(market) => market,
        Err(unknown) => return Some(error("unknown_market", unknown.to_string())),
    };
    let of_term = term.market.as_ref()?;
    common(of_term, std::slice::from_ref(&market))
        .is_empty()
        .then(|| error("invalid_value", "The term is for another market.".to_owned()))
}

/// Returns the error of a campaign. It has a precise code if all its errors have that one.
fn invalid(errors: Vec<CampaignFieldError>) -> Problem {
    let precise = ["unknown_term", "unknown_market", "unknown_placeholder", "no_such_date"];
    let code = precise.into_iter().find(|code| errors.iter().all(|error| error.code == *code));
    let detail = errors.first().map(|error| format!("{}: {}", error.pointer, error.detail));
    let errors = errors.into_iter().map(|error| ProblemError {
        pointer: error.pointer,
        code: error.code.into(),
        detail: error.detail,
        replaced_by: None,
        page: None,
    });
    let errors = errors.collect();
    Problem::invalid(code.unwrap_or("invalid_request"), detail.unwrap_or_default(), errors)
}

/// Checks that a change keeps the term, and the steps of which messages may exist.
async fn check_begun(
    app: &App,
    campaign: &Campaign,
    changed: &CampaignDefinition,
) -> Result<(), Problem> {
    let passes = app.store.campaign_passes(&campaign.id).await?;
    let begun = passes.iter().filter(|pass| pass.is_begun()).flat_map(|pass| &pass.steps);
    let before = &campaign.definition;
    let mut pointers: Vec<String> = begun
        .filter(|i| before.steps.get(**i) != changed.steps.get(**i))
        .map(|i| format!("/steps/{i}"))
        .collect();
    if campaign.started_at.is_some() && before.term_id != changed.term_id {
        pointers.push("/term_id".to_owned());
    }
    if pointers.is_empty() {
        return Ok(());
    }
    let detail = "Messages about this may have been sent.";
    let errors = pointers.into_iter().map(|pointer| ProblemError {
        pointer,
        code: "step_begun".into(),
        detail: detail.to_owned(),
        replaced_by: None,
        page: None,
    });
    Err(Problem::invalid("step_begun", detail, errors.collect()))
}

/// Returns a campaign with its progress.
async fn answer(app: &App, campaign: Campaign) -> Result<CampaignBody, Problem> {
    let counts = app.store.count_messages(&campaign.id).await?;
    let live = app.live.load_full();
    let term = term_of(&live, &campaign.definition)?;
    Ok(CampaignBody::new(campaign, term, &counts))
}
