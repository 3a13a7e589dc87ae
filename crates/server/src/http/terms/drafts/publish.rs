//! `POST /term-drafts/{id}/check` and `/publish`.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use musette_core::instant::Instant;
use musette_core::markets::Market;
use musette_core::terms::{
    DraftOfTerm, Placement, PublicationError, PublicationMarketError, Replacement, TermKind,
    TermType,
};
use musette_store::AsOf;
use serde::{Deserialize, Serialize};

use super::{DraftBody, MayOfDraft, check_market};
use crate::http::access::approvals::{BreakGlassQuery, hash_of};
use crate::http::access::audit::{audit_action, event_about};
use crate::http::access::permission::ManageTerms;
use crate::http::terms::console::PublishedTerm;
use crate::http::terms::coverage::counted;
use crate::http::wire::body::{MaybeBody, changed_meanwhile, if_match};
use crate::http::wire::caching::private;
use crate::http::wire::parameters::{DraftPath, IfMatch};
use crate::http::wire::problem::{Problem, ProblemBody, ProblemError};
use crate::http::wire::query::{FromQuery as _, Parameters};
use crate::markets::filter;
use crate::node::app::App;
use crate::terms::notice_too_short;
use crate::terms::publishing::{ACTIVE, UNREADABLE};

/// The effects of publishing a draft.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct DraftCheck {
    /// The errors that prevent publishing. Empty: the draft can be published.
    problems: Vec<ProblemError>,
    /// The probable mistakes, which do not prevent publishing: `same_document`, the same file for
    /// two languages; `notice_too_short`, a text that would take effect before the days of
    /// `--notice-days` have passed.
    warnings: Vec<ProblemError>,
    /// The number of riders in the market of the draft.
    #[schema(minimum = 0)]
    riders: i64,
    /// The number of riders who will be asked to accept. A mandatory version or a new document: all
    /// riders. An optional version: the riders who accepted the replaced version. A minor version or a
    /// notice: none.
    #[schema(minimum = 0)]
    riders_asked: i64,
    /// The number of these riders who accepted the replaced version and are asked again.
    #[schema(minimum = 0)]
    riders_asked_again: i64,
    /// The number of people whose acceptance of the replaced version ends with a material version,
    /// or is inherited by a minor one. 0 if no version is replaced.
    #[schema(minimum = 0)]
    agreements: i64,
    /// The time from which people who have not accepted cannot work. Absent if the term is not
    /// mandatory.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    blocks_from: Option<String>,
}

/// Check the effects of publishing a draft.
///
/// Lists the errors that prevent publishing, and counts the people who would be asked. The
/// operation changes nothing.
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
        term_kind: body.term_kind(),
        mandatory: body.mandatory,
        material: !body.minor,
    });
    if let Some(Err(refusal)) = replacement.map(|replacement| replacement.check(&catalog)) {
        problems.push(obstacle(&refusal));
    }
    let market = body.market.as_deref().and_then(Market::parse);
    let placement = Placement {
        replaces: body.replaces,
        kind: kind.as_ref(),
        term_kind: body.term_kind(),
        market: market.as_ref(),
        instead_of: body.instead_of,
    };
    if let Err(refusal) = placement.check(&catalog) {
        problems.push(obstacle(&refusal.into()));
    }
    let place = body.market_in(&catalog);
    let riders = match &place {
        None => app.store.count_riders().await?,
        Some(_) => app.store.count_riders_at(AsOf::NOW, &filter(place.as_ref())).await?,
    };
    let replaced = match body.replaces.and_then(|id| catalog.get(id)) {
        None => None,
        Some(term) => Some(counted(&app, term, None, place.into_iter().collect()).await?),
    };
    let had_accepted = replaced.as_ref().map_or(0, |coverage| coverage.riders_accepted);
    let asks = !body.minor && body.term_kind() == TermKind::Consent;
    let riders_asked = match (asks, body.mandatory || replaced.is_none()) {
        (false, _) => 0,
        (true, true) => riders,
        (true, false) => had_accepted,
    };
    let blocks_from = body.mandatory.then(|| {
        let from = body.grace_until.clone().or_else(|| body.effective_from.clone());
        from.unwrap_or_else(|| now.to_string())
    });
    let mut warnings = body.warnings();
    warnings.extend(kind.as_ref().and_then(|kind| short_notice(&app, &body, kind, now)));
    Ok(private(&DraftCheck {
        problems,
        warnings,
        riders,
        riders_asked,
        riders_asked_again: if body.minor { 0 } else { had_accepted },
        agreements: replaced.map_or(0, |coverage| coverage.accepted),
        blocks_from,
    }))
}

/// Returns the warning if the draft would take effect before its notice period has passed.
fn short_notice(
    app: &App,
    body: &DraftBody,
    kind: &TermType,
    now: Instant,
) -> Option<ProblemError> {
    let effective_from = body.effective_from.as_deref().map(Instant::parse);
    let effective_from = effective_from.and_then(Result::ok).unwrap_or(now);
    let detail = notice_too_short(&app.settings.notice_days, kind, effective_from, now)?;
    let (pointer, code) = ("/effective_from".into(), "notice_too_short".into());
    Some(ProblemError { pointer, code, detail, replaced_by: None, page: None })
}

/// Values that replace those of the draft when it is published.
#[derive(Debug, Default, Deserialize, utoipa::ToSchema)]
#[serde(default)]
pub struct PublishBody {
    /// The document's own name for this version. One line.
    #[schema(max_length = 40)]
    label: Option<String>,
    /// The reason for publishing although the page images lack something that a document contains.
    /// One line. The audit records it.
    #[schema(max_length = 200)]
    unreadable_ok: Option<String>,
    /// The reason for publishing although a document has active content. One line. The audit
    /// records it.
    #[schema(max_length = 200)]
    active_content_ok: Option<String>,
}

/// Publish a draft as one version in all its languages.
///
/// The draft is deleted. The errors `unreadable_document` and `active_content` name each place by
/// language and page. If a request gets no response, a retry may return 404: then the version was
/// published.
///
/// - 404 `not_found`: the draft does not exist.
/// - 409 `approval_required`: the draft needs approvals first. An admin can bypass them with
///   `break_glass`.
/// - 409 `nothing_to_replace`, `already_replaced`, `already_retired`, `other_type`, `other_kind`,
///   `minor_changes_mandatory`: the replaced version does not allow it.
/// - 412 `precondition_failed`: the draft has changed since it was read.
/// - 422 `draft_incomplete`: members are missing; `errors[]` names them.
/// - 422 `unreadable_document`: the page images lack something that a document contains, and
///   `unreadable_ok` is missing.
/// - 422 `active_content`: a document has active content, and `active_content_ok` is missing.
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
    MaybeBody(overrides): MaybeBody<PublishBody>,
) -> Result<Response, Problem> {
    let revision = if_match(&headers)?;
    let glass = BreakGlassQuery::from_query(&parameters)?.by(&operator)?;
    if draft.revision != revision {
        return Err(changed_meanwhile());
    }
    check_market(&app, &body)?;
    let now = app.now();
    let incomplete =
        |errors| Problem::invalid("draft_incomplete", "The draft cannot be published yet.", errors);
    body.label = overrides.label.or(body.label);
    body.unreadable_ok = overrides.unreadable_ok.or(body.unreadable_ok);
    body.active_content_ok = overrides.active_content_ok.or(body.active_content_ok);
    body.check_shape()?;
    let mut new = body.new_term(now).map_err(incomplete)?;
    let reasons = body.reasons();
    check_obstacles(body.obstacles(&reasons))?;
    let sha256 = hash_of(&body.to_text());
    new.draft = Some(DraftOfTerm { id: draft.id, revision, sha256 });
    let published = app.store.publish_draft(&new, glass.as_ref(), now).await?;
    let term = published.map_err(|refusal| publish_problem(&refusal))?;
    app.serve_newest().await?;
    audit_action(&app, &operator.subject, event_about("term_published", reasons.of_term(term.id)))
        .await;
    let catalog = Arc::clone(&app.live.load().catalog);
    let published = PublishedTerm::new(&term, &catalog, app.now());
    Ok((StatusCode::CREATED, private(&published)).into_response())
}

fn check_obstacles(obstacles: Vec<ProblemError>) -> Result<(), Problem> {
    if obstacles.is_empty() {
        return Ok(());
    }
    let (code, detail) = if obstacles.iter().any(|obstacle| obstacle.code == UNREADABLE) {
        (
            UNREADABLE,
            "Riders would not see all content of a document. Give a reason to publish it in 'unreadable_ok'.",
        )
    } else {
        (
            ACTIVE,
            "A document has active content. Give a reason to publish it in 'active_content_ok'.",
        )
    };
    Err(Problem::invalid(code, detail, obstacles))
}

fn publish_problem(refusal: &PublicationError) -> Problem {
    if *refusal == PublicationError::DraftChanged {
        return changed_meanwhile();
    }
    if let PublicationError::Market(_) = refusal {
        return Problem::invalid("invalid_market", format!("{refusal}."), vec![obstacle(refusal)]);
    }
    Problem::new(StatusCode::CONFLICT, code(refusal).0, format!("{refusal}."))
}

/// Returns the code of the error and the field that it concerns.
const fn code(refusal: &PublicationError) -> (&'static str, &'static str) {
    match refusal {
        PublicationError::DraftChanged => ("precondition_failed", ""),
        PublicationError::NothingToReplace(_) => ("nothing_to_replace", "/replaces"),
        PublicationError::AlreadyReplaced(..) => ("already_replaced", "/replaces"),
        PublicationError::Retired(_) => ("already_retired", "/replaces"),
        PublicationError::OtherType(_) => ("other_type", "/type"),
        PublicationError::OtherKind(_) => ("other_kind", "/kind"),
        PublicationError::MandatoryNotice => ("mandatory_notice", "/mandatory"),
        PublicationError::MinorChangesMandatory(_) => ("minor_changes_mandatory", "/mandatory"),
        PublicationError::Market(refusal) => ("invalid_market", market_field(*refusal)),
    }
}

const fn market_field(refusal: PublicationMarketError) -> &'static str {
    match refusal {
        PublicationMarketError::OtherMarket(_)
        | PublicationMarketError::NoMarket(_)
        | PublicationMarketError::NotAround(_) => "/market",
        PublicationMarketError::OtherBroader(_)
        | PublicationMarketError::NoBroader(_)
        | PublicationMarketError::OtherType(_)
        | PublicationMarketError::OtherKind(_) => "/instead_of",
    }
}

fn obstacle(refusal: &PublicationError) -> ProblemError {
    let (code, pointer) = code(refusal);
    let detail = format!("{refusal}.");
    ProblemError {
        pointer: pointer.into(),
        code: code.into(),
        detail,
        replaced_by: None,
        page: None,
    }
}
