//! `POST /term-drafts/{id}/check` and `/publish`.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use musette_core::markets::Market;
use musette_core::terms::{
    DraftOfTerm, MarketRefusal, Placement, PublishRefusal, Replacement, TermType,
};
use musette_store::AsOf;
use serde::{Deserialize, Serialize};

use super::{MayOfDraft, check_market};
use crate::app::App;
use crate::audit::{audit_action, event_about};
use crate::http::admin::approvals::{BreakGlassQuery, hash_of};
use crate::http::admin::body::{MaybeBody, changed_meanwhile, if_match};
use crate::http::admin::coverage::counted;
use crate::http::admin::terms::PublishedTerm;
use crate::http::caching::private;
use crate::http::parameters::{DraftPath, IfMatch};
use crate::http::permission::ManageTerms;
use crate::http::problem::{Fault, Problem, ProblemBody};
use crate::http::query::{FromQuery as _, Parameters};
use crate::markets::filter;
use crate::publishing::{ACTIVE, UNREADABLE};

/// What publishing the draft would do.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct DraftCheck {
    /// What prevents publishing. Empty: the draft can be published.
    problems: Vec<Fault>,
    /// What may be a mistake, and does not prevent publishing: `same_document`, the same file for two languages.
    warnings: Vec<Fault>,
    /// All riders for whom the draft is: those of its market.
    #[schema(minimum = 0)]
    riders: i64,
    /// Riders who will be asked to accept: all of them for a mandatory version and for a new document, those
    /// who accepted the replaced version for an optional one, none for a minor one.
    #[schema(minimum = 0)]
    riders_asked: i64,
    /// The part of them who accepted the replaced version and are asked again.
    #[schema(minimum = 0)]
    riders_asked_again: i64,
    /// How many people's acceptance of the replaced version ends with a material version, or is
    /// inherited by a minor one. 0 if nothing is replaced.
    #[schema(minimum = 0)]
    agreements: i64,
    /// From when on people who have not accepted cannot work. Absent if the term is not mandatory.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    blocks_from: Option<String>,
}

/// Check what publishing a draft would do.
///
/// Lists what prevents it, and how many people would be asked. It changes nothing.
#[utoipa::path(
    post, path = "/api/admin/v1/term-drafts/{id}/check", tag = "admin-terms", operation_id = "check_draft",
    params(DraftPath),
    responses((status = 200, body = DraftCheck), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["manage_terms"]))
)]
pub async fn check(
    State(app): State<Arc<App>>,
    MayOfDraft { body, .. }: MayOfDraft<ManageTerms>,
) -> Result<Response, Problem> {
    let now = app.now();
    let catalog = Arc::clone(&app.live.load().catalog);
    let mut problems = body.new_term(now).err().unwrap_or_default();
    problems.extend(body.obstacles(&body.reasons()));
    let kind = TermType::parse(&body.kind);
    let replacement = body.replaces.map(|of| Replacement {
        of,
        kind: kind.as_ref(),
        mandatory: body.mandatory,
        material: !body.minor,
    });
    if let Some(Err(refusal)) = replacement.map(|it| it.check(&catalog)) {
        problems.push(stands_in_the_way(&refusal));
    }
    let market = body.market.as_deref().and_then(Market::parse);
    let placement = Placement {
        replaces: body.replaces,
        kind: kind.as_ref(),
        market: market.as_ref(),
        instead_of: body.instead_of,
    };
    if let Err(refusal) = placement.check(&catalog) {
        problems.push(stands_in_the_way(&refusal.into()));
    }
    let place = body.market_in(&catalog);
    let riders = match &place {
        None => app.store.count_riders().await?,
        Some(_) => app.store.count_riders_then(AsOf::NOW, &filter(place.as_ref())).await?,
    };
    let replaced = match body.replaces.and_then(|id| catalog.get(id)) {
        None => None,
        Some(term) => Some(counted(&app, term, None, place.into_iter().collect()).await?),
    };
    let had_accepted = replaced.as_ref().map_or(0, |it| it.riders_accepted);
    let riders_asked = match (body.minor, body.mandatory || replaced.is_none()) {
        (true, _) => 0,
        (false, true) => riders,
        (false, false) => had_accepted,
    };
    let blocks_from = body.mandatory.then(|| {
        let from = body.grace_until.clone().or_else(|| body.effective_from.clone());
        from.unwrap_or_else(|| now.to_string())
    });
    Ok(private(&DraftCheck {
        problems,
        warnings: body.warnings(),
        riders,
        riders_asked,
        riders_asked_again: if body.minor { 0 } else { had_accepted },
        agreements: replaced.map_or(0, |it| it.accepted),
        blocks_from,
    }))
}

/// Values that replace those of the draft when it is published.
#[derive(Debug, Default, Deserialize, utoipa::ToSchema)]
#[serde(default)]
pub struct PublishBody {
    /// The name that the document itself gives this version. One line.
    #[schema(max_length = 40)]
    label: Option<String>,
    /// Why the version is published although its page images lack something that a document says.
    /// One line, kept in the audit.
    #[schema(max_length = 200)]
    unreadable_ok: Option<String>,
    /// Why the version is published although a document has active content. One line, kept in the
    /// audit.
    #[schema(max_length = 200)]
    active_content_ok: Option<String>,
}

/// Publish a draft as one version in all its languages.
///
/// The draft is deleted. 409 `approval_required`: colleagues must approve it first; with `break_glass` an admin goes
/// past that. 409 `nothing_to_replace`, `already_replaced`, `already_retired`, `other_type`,
/// `minor_changes_mandatory`: the
/// version that it replaces does not allow it. 412 `precondition_failed`: somebody changed the draft meanwhile. 422
/// `draft_incomplete` names what is missing. 422 `unreadable_document`: the page images lack something that a
/// document says; 422 `active_content`: a document has active content. Both name each place by language and page,
/// and give way to a reason, which the audit keeps. A repeat after a lost answer finds no draft: 404, and the
/// version is published.
#[utoipa::path(
    post, path = "/api/admin/v1/term-drafts/{id}/publish", tag = "admin-terms", operation_id = "publish_draft",
    params(DraftPath, IfMatch, BreakGlassQuery),
    request_body = Option<PublishBody>,
    responses((status = 201, body = PublishedTerm), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["manage_terms"]))
)]
pub async fn publish(
    State(app): State<Arc<App>>,
    MayOfDraft { caller: operator, draft, mut body, .. }: MayOfDraft<ManageTerms>,
    parameters: Parameters,
    headers: HeaderMap,
    MaybeBody(given): MaybeBody<PublishBody>,
) -> Result<Response, Problem> {
    let revision = if_match(&headers)?;
    let glass = BreakGlassQuery::from_query(&parameters)?.by(&operator)?;
    if draft.revision != revision {
        return Err(changed_meanwhile());
    }
    check_market(&app, &body)?;
    let now = app.now();
    let incomplete =
        |faults| Problem::invalid("draft_incomplete", "The draft cannot be published yet.", faults);
    body.label = given.label.or(body.label);
    body.unreadable_ok = given.unreadable_ok.or(body.unreadable_ok);
    body.active_content_ok = given.active_content_ok.or(body.active_content_ok);
    body.check_shape()?;
    let mut new = body.new_term(now).map_err(incomplete)?;
    let reasons = body.reasons();
    refuse_unfit(body.obstacles(&reasons))?;
    let sha256 = hash_of(&body.to_text());
    new.draft = Some(DraftOfTerm { id: draft.id, revision, sha256 });
    let published = app.store.publish_draft(&new, glass.as_ref(), now).await?;
    let term = published.map_err(|refusal| refused(&refusal))?;
    app.serve_newest().await?;
    audit_action(&app, &operator.subject, event_about("term_published", reasons.of_term(term.id)))
        .await;
    let catalog = Arc::clone(&app.live.load().catalog);
    let published = PublishedTerm::new(&term, &catalog, app.now());
    Ok((StatusCode::CREATED, private(&published)).into_response())
}

fn refuse_unfit(obstacles: Vec<Fault>) -> Result<(), Problem> {
    if obstacles.is_empty() {
        return Ok(());
    }
    let (code, detail) = if obstacles.iter().any(|it| it.code == UNREADABLE) {
        (
            UNREADABLE,
            "Riders would not see all that a document says. Say why it is published: `unreadable_ok`.",
        )
    } else {
        (
            ACTIVE,
            "A document acts by itself when it is opened. Say why it is published: `active_content_ok`.",
        )
    };
    Err(Problem::invalid(code, detail, obstacles))
}

fn refused(refusal: &PublishRefusal) -> Problem {
    if *refusal == PublishRefusal::DraftChanged {
        return changed_meanwhile();
    }
    if let PublishRefusal::Market(_) = refusal {
        return Problem::invalid(
            "invalid_market",
            format!("{refusal}."),
            vec![stands_in_the_way(refusal)],
        );
    }
    Problem::new(StatusCode::CONFLICT, code(refusal).0, format!("{refusal}."))
}

/// Its code, and the field that it is about.
const fn code(refusal: &PublishRefusal) -> (&'static str, &'static str) {
    match refusal {
        PublishRefusal::DraftChanged => ("precondition_failed", ""),
        PublishRefusal::NothingToReplace(_) => ("nothing_to_replace", "/replaces"),
        PublishRefusal::AlreadyReplaced(..) => ("already_replaced", "/replaces"),
        PublishRefusal::Retired(_) => ("already_retired", "/replaces"),
        PublishRefusal::OtherType(_) => ("other_type", "/type"),
        PublishRefusal::MinorChangesMandatory(_) => ("minor_changes_mandatory", "/mandatory"),
        PublishRefusal::Market(refusal) => ("invalid_market", market_field(*refusal)),
    }
}

const fn market_field(refusal: MarketRefusal) -> &'static str {
    match refusal {
        MarketRefusal::OtherMarket(_)
        | MarketRefusal::NoMarket(_)
        | MarketRefusal::NotAround(_) => "/market",
        MarketRefusal::OtherBroader(_)
        | MarketRefusal::NoBroader(_)
        | MarketRefusal::OtherType(_) => "/instead_of",
    }
}

fn stands_in_the_way(refusal: &PublishRefusal) -> Fault {
    let (code, pointer) = code(refusal);
    let detail = format!("{refusal}.");
    Fault { pointer: pointer.into(), code: code.into(), detail, replaced_by: None, page: None }
}
