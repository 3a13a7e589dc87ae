//! `POST /term-drafts/{id}/check` and `/publish`.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use musette_store::PublishRefusal;
use serde::Serialize;

use super::body::DraftBody;
use super::find;
use crate::app::App;
use crate::http::admin::body::{changed_meanwhile, if_match};
use crate::http::admin::coverage::counted;
use crate::http::admin::terms::PublishedTerm;
use crate::http::caller::Operator;
use crate::http::problem::{Fault, Problem, ProblemBody};
use crate::http::terms::private;
use crate::sessions::audit_deed;

/// What publishing the draft would do.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct DraftCheck {
    /// Empty: it can be published.
    problems: Vec<Fault>,
    riders: i64,
    /// Riders who will be asked: those who accepted what a material version replaces, or everybody
    /// for a first version; nobody for a minor one.
    riders_asked: i64,
    /// Of a replaced version: how many people's agreement ends with a material version, or is
    /// inherited by a minor one.
    agreements: i64,
    /// When it stops who has not agreed; RFC 3339; absent where it never does.
    #[serde(skip_serializing_if = "Option::is_none")]
    blocks_from: Option<String>,
}

/// Says what is missing, and who would be asked.
#[utoipa::path(
    post, path = "/api/admin/v1/term-drafts/{id}/check", tag = "admin", operation_id = "check_draft",
    params(("id" = String, Path)),
    responses((status = 200, body = DraftCheck), (status = "4XX", body = ProblemBody)),
    security(("bearer" = []))
)]
pub async fn check(
    State(app): State<Arc<App>>,
    _operator: Operator,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    let body = DraftBody::stored(&find(&app, &id).await?)?;
    let now = app.now();
    let catalog = Arc::clone(&app.live.load().catalog);
    let mut problems = body.new_term(now).err().unwrap_or_default();
    let replaced = body.replaces.map(|id| catalog.get(id));
    if replaced.is_some_and(|term| term.is_none()) {
        problems.push(Fault {
            pointer: "/replaces".into(),
            code: "nothing_to_replace".into(),
            detail: "There is no such term.".into(),
            replaced_by: None,
        });
    }
    let riders = app.store.count_riders().await?;
    let agreements = match replaced.flatten() {
        None => 0,
        Some(term) => counted(&app, term).await?.accepted,
    };
    let blocks_from = body.mandatory.then(|| {
        let from = body.grace_until.clone().or_else(|| body.effective_from.clone());
        from.unwrap_or_else(|| now.to_string())
    });
    Ok(private(&DraftCheck {
        problems,
        riders,
        riders_asked: if body.minor { 0 } else { riders },
        agreements,
        blocks_from,
    }))
}

/// Publishes the draft as one version in all its languages; the draft is gone then.
#[utoipa::path(
    post, path = "/api/admin/v1/term-drafts/{id}/publish", tag = "admin", operation_id = "publish_draft",
    params(("id" = String, Path), ("If-Match" = String, Header)),
    responses((status = 201, body = PublishedTerm), (status = "4XX", body = ProblemBody)),
    security(("bearer" = []))
)]
pub async fn publish(
    State(app): State<Arc<App>>,
    Operator(operator): Operator,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let revision = if_match(&headers)?;
    let draft = find(&app, &id).await?;
    if draft.revision != revision {
        return Err(changed_meanwhile());
    }
    let now = app.now();
    let incomplete =
        |faults| Problem::invalid("draft_incomplete", "The draft cannot be published yet.", faults);
    let mut new = DraftBody::stored(&draft)?.new_term(now).map_err(incomplete)?;
    new.draft = Some((id, revision));
    let published = app.store.publish_term(&new, &[], now).await?;
    let term = published.map_err(|refusal| refused(&refusal))?;
    app.serve_newest().await?;
    audit_deed(&app, &operator.subject, "term_published", term.id.to_string()).await;
    let catalog = Arc::clone(&app.live.load().catalog);
    let body = PublishedTerm::new(&term, &catalog, app.now());
    Ok((StatusCode::CREATED, private(&body)).into_response())
}

fn refused(refusal: &PublishRefusal) -> Problem {
    let code = match refusal {
        PublishRefusal::DraftChanged => return changed_meanwhile(),
        PublishRefusal::NothingToReplace(_) => "nothing_to_replace",
        PublishRefusal::AlreadyReplaced(..) => "already_replaced",
        PublishRefusal::OtherType(_) => "other_type",
        PublishRefusal::MinorChangesMandatory(_) => "minor_changes_mandatory",
    };
    Problem::new(StatusCode::CONFLICT, code, format!("{refusal}."))
}
