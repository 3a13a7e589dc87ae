//! `POST /automated-systems/{key}/publish`.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use musette_core::instant::Instant;
use serde::Deserialize;

use super::{
    SystemVersionBody, absent, check_reach, check_reach_of_system, draft_of, invalid,
    unknown_markets,
};
use crate::http::access::audit::{audit_action, event_about};
use crate::http::access::permission::{ManageSystems, Within};
use crate::http::wire::body::{MaybeBody, changed_meanwhile};
use crate::http::wire::caching::private;
use crate::http::wire::parameters::{MaybeIfMatch, SystemPath};
use crate::http::wire::problem::{Problem, ProblemBody, ProblemError};
use crate::node::app::App;

/// The date of a version.
#[derive(Debug, Default, Deserialize, utoipa::ToSchema)]
#[serde(default)]
pub struct SystemPublishBody {
    /// The time at which the version takes effect. Absent: at once. The register shows a version
    /// with an earlier date from its publication on.
    #[schema(format = DateTime)]
    effective_from: Option<String>,
}

/// Publish the draft of an automated system as a version.
///
/// The version never changes, the log has an entry `system.published`, and the draft is deleted.
/// From the first publication of any system on, decisions can name only systems that are
/// published. If a request gets no response, a retry may return 404: then the version was
/// published.
///
/// - 404 `not_found`: the system has no draft.
/// - 412 `precondition_failed`: the draft has changed since it was read.
/// - 422 `invalid_instant`: `effective_from` is malformed.
/// - 422 `unknown_market`: a place was removed after the draft was saved.
#[utoipa::path(
    post, path = "/api/admin/v1/automated-systems/{key}/publish", tag = "admin-decisions",
    operation_id = "publish_automated_system",
    params(SystemPath, MaybeIfMatch),
    request_body = Option<SystemPublishBody>,
    responses((status = 201, body = SystemVersionBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["manage_systems"]))
)]
pub async fn publish(
    State(app): State<Arc<App>>,
    Within { caller, reach, .. }: Within<ManageSystems>,
    Path(key): Path<String>,
    headers: HeaderMap,
    MaybeBody(body): MaybeBody<SystemPublishBody>,
) -> Result<Response, Problem> {
    let effective_from = body.effective_from.as_deref().map(Instant::parse_strict).transpose();
    let effective_from = effective_from.map_err(|_| invalid_instant())?;
    let draft = draft_of(&app, &key, &headers).await?;
    check_reach(&caller, &reach, &draft.definition)?;
    check_reach_of_system(&app, &caller, &reach, &key).await?;
    let faults = unknown_markets(&app.live.load(), &draft.definition);
    if !faults.is_empty() {
        return Err(invalid(faults));
    }
    let now = app.now();
    let published = app.store.publish_system(&key, draft.revision, effective_from, now).await?;
    let version = published.ok_or_else(changed_meanwhile)?;
    app.serve_newest().await?;
    let detail = format!("{key} {}", version.version);
    audit_action(&app, &caller.subject, event_about("system_published", detail)).await;
    let register = app.store.system_register().await?;
    let versions = register.versions(&key);
    let place = versions.iter().position(|other| other.version == version.version);
    let place = place.ok_or_else(absent)?;
    let previous = place.checked_sub(1).and_then(|previous| versions.get(previous));
    let body = SystemVersionBody::new(&version, previous);
    Ok((StatusCode::CREATED, private(&body)).into_response())
}

fn invalid_instant() -> Problem {
    let detail = "'effective_from' must be a timestamp such as 2027-01-31T09:00:00Z.";
    let error = ProblemError {
        pointer: "/effective_from".into(),
        code: "invalid_instant".into(),
        detail: detail.to_owned(),
        replaced_by: None,
        page: None,
    };
    Problem::invalid("invalid_instant", detail, vec![error])
}
